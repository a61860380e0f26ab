"""What vision knows of the table of the running game, in a file beside the journal, so that it is known again after a break.

Numbers that mean something to vision alone, never pictures. One sealed line, written whole and renamed: what is there is the old one or
the new one. Without it, or when it is damaged, vision learns the table anew.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

import msgspec

from .copy import sealed, unsealed

log = logging.getLogger("ludo_referee.journal")

MEMORY = "table.jsonl"


class Known(msgspec.Struct, frozen=True):
    """The game's key, and what vision said."""

    game: str
    table: str


def write_memory(folder: Path, known: Known) -> None:
    """Raises OSError."""
    fresh = folder / (MEMORY + ".new")
    with fresh.open("wb") as file:
        file.write(sealed(msgspec.json.encode(known)))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / MEMORY)


def read_memory(folder: Path) -> Known | None:
    """None: there is none, or it is damaged, which is logged."""
    try:
        text = unsealed((folder / MEMORY).read_bytes())
        known = None if text is None else msgspec.json.decode(text, type=Known)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError):
        known = None
    if known is None:
        log.warning("%s: what was known of the table cannot be read; it is learned anew", folder / MEMORY)
    return known
