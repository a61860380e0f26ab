"""A second copy of the running game, as plain lines, for the day the database is damaged.

Each line is the CRC-32 of the rest and a JSON object: first the game, then one row an event. It is written after the database's commit and
not forced to the disk: a power cut loses its last lines, never the database's; a damaged database loses what it will, and this has it.
"""

from __future__ import annotations

import errno
import os
import zlib
from pathlib import Path

import msgspec

COPY = "running.jsonl"


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One entry as JSON texts: the event, or the opening after a break; the notices that followed; and how the game stands since,
    "" where that did not change."""

    t: float
    entry: str
    notices: str
    standing: str = ""

    def checksum(self, before: int) -> int:
        """CRC-32 over this row and the checksum of the row before (the game's for the first): a row out of place is found too."""
        return zlib.crc32(f"{before}\n{self.t!r}\n{self.entry}\n{self.notices}\n{self.standing}".encode())


class Running(msgspec.Struct, kw_only=True):
    """The game under way: its row in the database (None: not there yet), its key there and in the copy, and its entries."""

    key: str
    began: str
    program: str
    opening: str
    game: int | None = None
    rows: list[Row] = []

    def checksum(self) -> int:
        """CRC-32 over what is known of the game before its first event."""
        return zlib.crc32(f"{self.key}\n{self.began}\n{self.program}\n{self.opening}".encode())


def read_copy(folder: Path) -> Running | None:
    """The game in the copy, up to the first damaged line; None: there is none, or not even its first line is whole."""
    try:
        lines = (folder / COPY).read_bytes().split(b"\n")
    except OSError:
        return None
    running: Running | None = None
    for line in lines:
        text = unsealed(line)
        if text is None:
            break
        try:
            if running is None:
                running = msgspec.json.decode(text, type=Running)
            else:
                running.rows.append(msgspec.json.decode(text, type=Row))
        except msgspec.DecodeError:
            break
    return running


class CopyWriter:
    """Appends to the copy. Every method raises OSError."""

    def __init__(self, folder: Path, running: Running) -> None:
        """Begin anew with everything there is so far; the old copy stays whole until the new one is."""
        first = msgspec.structs.replace(running, rows=[])
        fresh = folder / (COPY + ".new")
        with fresh.open("wb") as file:
            file.write(sealed(msgspec.json.encode(first)))
            file.writelines(sealed(msgspec.json.encode(row)) for row in running.rows)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(folder / COPY)
        self._count = len(running.rows)
        self._file = os.open(folder / COPY, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    def catch_up(self, running: Running) -> None:
        """Add the rows that came since."""
        lines = b"".join(sealed(msgspec.json.encode(row)) for row in running.rows[self._count :])
        if os.write(self._file, lines) < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._count = len(running.rows)

    def close(self) -> None:
        os.close(self._file)


def sealed(text: bytes) -> bytes:
    """A line that shows whether it is whole: a CRC-32 before the text."""
    return b"%08x " % zlib.crc32(text) + text + b"\n"


def unsealed(line: bytes) -> bytes | None:
    """The text of a sealed line (its end may be cut off), None: it is damaged."""
    checksum, _, text = line.removesuffix(b"\n").partition(b" ")
    return text if checksum == b"%08x" % zlib.crc32(text) else None
