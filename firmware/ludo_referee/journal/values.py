"""Openings, events and notices as JSON text, and back."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, TypeVar, get_args

import msgspec

from ..referee.events import Event
from ..referee.notices import Notice
from .opening import Entry, Opening, Standing, folded, unfolded

_Value = TypeVar("_Value")


class UnknownValue(ValueError):
    """Text that is no entry or notice of this version of the program."""


def entry_text(entry: Entry) -> str:
    """One event or opening as JSON, `type` first: {"type": "Throw", "t": 9.0, "value": 6}."""
    return _text(msgspec.structs.replace(entry, start=folded(entry.start)) if isinstance(entry, Opening) else entry)


def notices_text(notices: Sequence[Notice]) -> str:
    """Notices as a JSON array of objects of the same form."""
    return f"[{','.join(map(_text, notices))}]"


def entry_from(text: str) -> Entry:
    """What `entry_text` wrote. Raises UnknownValue."""
    entry: Entry = _value(_parsed(text), _entry_kinds())
    return msgspec.structs.replace(entry, start=unfolded(entry.start)) if isinstance(entry, Opening) else entry


def notices_from(text: str) -> tuple[Notice, ...]:
    """The notices that `notices_text` wrote. Raises UnknownValue."""
    parsed = _parsed(text)
    if not isinstance(parsed, list):
        raise UnknownValue("not a list of notices")
    return tuple(_value(one, _notice_kinds()) for one in parsed)


def standing_text(standing: Standing) -> str:
    """How a game stands as JSON."""
    return msgspec.json.encode(msgspec.structs.replace(standing, game=folded(standing.game))).decode()


def standing_from(text: str) -> Standing:
    """What `standing_text` wrote. Raises UnknownValue."""
    try:
        standing = msgspec.json.decode(text, type=Standing)
    except msgspec.DecodeError as error:
        raise UnknownValue(str(error)) from None
    return msgspec.structs.replace(standing, game=unfolded(standing.game))


def _text(value: Any) -> str:
    fields = msgspec.to_builtins(value)
    return json.dumps({"type": type(value).__name__, **fields}, separators=(",", ":"), ensure_ascii=False)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise UnknownValue("not JSON") from None


def _value(parsed: Any, kinds: dict[str, type[Any]]) -> Any:
    if not isinstance(parsed, dict) or parsed.get("type") not in kinds:
        raise UnknownValue(f"this version knows nothing of {parsed.get('type') if isinstance(parsed, dict) else parsed!r}")
    fields = {name: field for name, field in parsed.items() if name != "type"}
    try:
        return msgspec.convert(fields, kinds[parsed["type"]])
    except msgspec.ValidationError as error:
        raise UnknownValue(f"{parsed['type']}: {error}") from None


@functools.cache
def _entry_kinds() -> dict[str, type[Any]]:
    return {kind.__name__: kind for kind in (Opening, *get_args(Event))}


@functools.cache
def _notice_kinds() -> dict[str, type[Any]]:
    return {kind.__name__: kind for kind in _subclasses(Notice)}


def _subclasses(kind: type[_Value]) -> list[type[_Value]]:
    return [found for direct in kind.__subclasses__() for found in (direct, *_subclasses(direct))]
