"""Counts the starts that came to nothing, so that a box that cannot start starts safely: nobody at the table can read its log.

A start comes to nothing when it does not reach steady work: a configuration with a fault, a program that fails, a device that hangs until
systemd ends the service. After three in a row the next is a safe start. A good start, a safe one too, or an orderly end, forgets them.
"""

from __future__ import annotations

import logging
import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from .config import Button, Camera, Config, Display, Page, Recording, Sound, Table

_log = logging.getLogger(__name__)

FILE = "incomplete-starts.json"
ENOUGH = 3
UNKNOWN = "it ended before it was ready"

Part = TypeVar("Part")


class _Count(msgspec.Struct, frozen=True):
    """How many starts in a row came to nothing, and what the last of them said."""

    starts: int = 0
    reason: str = ""


class Starts:
    """The count in a folder that outlives the power. Where it cannot be written nothing is counted, and every start is a usual one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._count = _Count()
        with suppress(OSError, msgspec.DecodeError):  # none yet, or cut off by a power cut
            self._count = msgspec.json.decode(self._file.read_bytes(), type=_Count)

    def begin(self) -> str | None:
        """A start begins: it has come to nothing until it is `complete`. Why it is to be a safe one; None: it is a usual one."""
        before = self._count
        self._write(_Count(before.starts + 1))
        return (before.reason or UNKNOWN) if before.starts >= ENOUGH else None

    def failed(self, reason: str) -> None:
        """What this start came to nothing by, in one line."""
        self._write(_Count(self._count.starts + 1, reason))

    def complete(self) -> None:
        """The table is at work, or was ended in good order."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self, count: _Count) -> None:
        new = self._file.with_name(FILE + ".new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as file:
                file.write(msgspec.json.encode(count))
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._file)
        except OSError as error:
            _log.warning("%s cannot be written (%s): no safe start when the next starts fail", self._file, error.strerror)


def safe_config(path: Path) -> Config:
    """The configuration of a safe start: button, display, buzzer, language and the page's port as they are wired and wanted, as far as that
    can be read; no camera, the page for this machine alone, and everything else as it comes."""
    written: dict[str, object] = {}
    with suppress(OSError, ValueError):
        written = tomllib.loads(path.read_bytes().decode())
    return Config(
        table=_part(_only(written.get("table"), "language"), Table), camera=Camera(kind="none"),
        button=_part(written.get("button", {}), Button), display=_part(written.get("display", {}), Display),
        sound=_part(written.get("sound", {}), Sound), page=_part(_only(written.get("page"), "port"), Page), recording=Recording(on=False),
    )  # fmt: skip


def _only(values: object, key: str) -> dict[str, object]:
    """One value of a part, if it is there."""
    return {key: values[key]} if isinstance(values, dict) and key in values else {}


def _part(values: object, kind: type[Part]) -> Part:
    """A part of the configuration, or its defaults where it has a fault."""
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return kind()
