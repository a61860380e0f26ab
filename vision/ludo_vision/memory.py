"""What is known of a table, as numbers that outlast a break: shades, a shape, where the camera stood. Never a picture."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import ground, palette
from .errors import VisionError
from .plan import Plan, Scene
from .shape import Shape

Counts = NDArray[np.float64]

VERSION = 1
_PARTS = 10_000  # of a seat's shades: rarer ones are not remembered


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """`tokens[seat]` (cells,): how often each shade was seen on its tokens, `seen[seat]` silhouettes of them; `prints`: the same of every
    kind of print where it was bare, in pixels; `shape`: the tokens'; `eye`: where the camera stood, in squares."""

    tokens: Mapping[int, Counts]
    seen: Mapping[int, float]
    prints: tuple[Counts, ...]
    shape: Shape
    eye: tuple[float, float, float]

    def knows(self, scene: Scene) -> bool:
        """Whether tokens of all seats that play in a scene were seen."""
        return all(seat in self.tokens for seat, places in enumerate(scene) if places)

    def to_text(self, plan: Plan) -> str:
        """As JSON, some 50 kB; `from_text` reads it."""
        seats = {str(seat): {"seen": round(self.seen[seat], 2), "shades": _listed(counts * (_PARTS / max(counts.sum(), 1e-9)))}
                 for seat, counts in self.tokens.items()}
        prints = [_listed(counts) for counts in self.prints]
        eye = [round(float(part), 3) for part in self.eye]
        return json.dumps({"version": VERSION, "board": _mark(plan), "shape": self.shape.rings, "eye": eye, "seats": seats,
                           "prints": prints}, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str, plan: Plan) -> Memory:
        """What was remembered of a table with this plan's board. Raises VisionError: of another version or board, or damaged."""
        try:
            parts = json.loads(text)
            version, board = parts["version"], parts["board"]
        except (ValueError, TypeError, KeyError):
            raise VisionError("what was remembered of the table cannot be read") from None
        if version != VERSION:
            raise VisionError(f"what was remembered of the table is of version {version}, this program knows {VERSION}")
        if board != _mark(plan):
            raise VisionError("what was remembered is of a table with another board, or other colours")
        try:
            return _from_parts(parts, plan)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise VisionError("what was remembered of the table is damaged") from None


def _from_parts(parts: dict[str, Any], plan: Plan) -> Memory:
    seats = {int(seat): values for seat, values in parts["seats"].items()}
    prints = tuple(_counts(listed) for listed in parts["prints"])
    rings = tuple((float(radius), float(height)) for radius, height in parts["shape"])
    x, y, z = (float(part) for part in parts["eye"])
    seen = {seat: float(values["seen"]) for seat, values in seats.items()}
    in_order = all(0 <= seat < len(plan.colours) for seat in seats) and len(prints) == ground.kinds_of(plan)
    in_order &= len(rings) > 1 and bool(np.all((np.array(rings) >= 0) & (np.array(rings) < plan.size))) and rings[0][0] > 0
    if not in_order or not np.isfinite([x, y, z, *seen.values()]).all() or min(seen.values(), default=0.0) < 0:
        raise ValueError
    return Memory({seat: _counts(values["shades"]) for seat, values in seats.items()}, seen, prints, Shape(rings), (x, y, z))


def _listed(counts: Counts) -> list[int]:
    """Cell, amount, cell, amount …: most shades never occur."""
    amounts = np.round(counts).astype(np.int64)
    cells = np.flatnonzero(amounts)
    return [int(value) for value in np.stack([cells, amounts[cells]], axis=1).ravel()]


def _counts(listed: list[int]) -> Counts:
    """Raises ValueError for what is no list of cells and amounts."""
    cells, amounts = np.array(listed, dtype=np.int64).reshape(-1, 2).T
    if len(cells) and (cells.min() < 0 or cells.max() >= palette.CELLS or amounts.min() < 0):
        raise ValueError
    return np.bincount(cells, weights=amounts, minlength=palette.CELLS).astype(np.float64)


def _mark(plan: Plan) -> int:
    """What tells boards, and their colours, apart."""
    return zlib.crc32(repr(plan).encode())
