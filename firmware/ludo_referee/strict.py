"""Strict decoding of JSON and TOML into msgspec structs, with one-line errors that begin with the field."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

Kind = TypeVar("Kind")


class StrictError(ValueError):
    """What is wrong with some text, in one line: "start.turn: Expected `str`, got `int`"."""


def from_json(data: bytes, kind: type[Kind]) -> Kind:
    """The struct that the JSON text describes. Raises StrictError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StrictError(explained(str(error), kind)) from None


def from_toml(data: bytes, kind: type[Kind]) -> Kind:
    """The struct that the TOML text describes. Raises StrictError."""
    try:
        return msgspec.convert(tomllib.loads(data.decode()), kind)
    except msgspec.ValidationError as error:
        raise StrictError(explained(str(error), kind)) from None
    except UnicodeDecodeError as error:
        raise StrictError(f"not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise StrictError(f"not TOML: {' '.join(str(error).split())}") from None


def explained(message: str, kind: Any) -> str:
    """msgspec's message with the field first, and with the names or values that would have been right."""
    found = re.fullmatch(r"(.*) - at `(?:key` in `)?\$\.?(.*?)`", message, re.DOTALL)
    said, field = found.groups() if found else (message, "")
    said = " ".join(said.split())
    there = _type_at(kind, field)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", said):
        keys = ", ".join(one.encode_name for one in msgspec.structs.fields(there)) if _is_struct(there) else ""
        said = f"unknown key {unknown[1]!r}" + (f"; keys are {keys}" if keys else "")
    elif wrong := re.fullmatch(r"Invalid enum value (.*)", said):
        choices = ", ".join(str(choice) for choice in _choices(there))
        said = f"{wrong[1]} is not one of its values" + (f": {choices}" if choices else "")
    return f"{field}: {said}" if field else said


def _type_at(kind: Any, field: str) -> Any:
    """The type of a field such as `table.players[1]` or `table.seats[...]`; None where the path leaves the structs."""
    for name in re.findall(r"[^.\[\]]+", field):
        if not _is_struct(kind):
            break
        kind = get_type_hints(kind).get(name)
        struct = [part for part in get_args(kind) if _is_struct(part)]
        kind = struct[0] if struct else kind
    if field.endswith("[...]") and get_origin(kind) is dict:  # so a mapping's value is named, and its key is not
        kind = get_args(kind)[1]
    return kind


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _choices(kind: Any) -> tuple[Any, ...]:
    """The values of the first Literal anywhere in a type."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next((found for part in get_args(kind) if (found := _choices(part))), ())
