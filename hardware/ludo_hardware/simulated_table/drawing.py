"""What is printed on a board and what stands on it, as plain data: the input of the simulated table.

Points are in board squares, x to the right, y down, origin at the grid's outer corner beside the first seat's yard, z upwards.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """One printed place. kind: square, yard or finish; `colour` the printed colour's name, None for plain; `mark` is printed in
    it: star, arrow (towards `heading`, radians from x towards y), start, or nothing. `round`: a round spot."""

    kind: str
    outline: tuple[Point, ...]
    centre: Point
    colour: str | None = None
    round: bool = False
    mark: str | None = None
    heading: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board of `size` × `size` squares. `nests` are the spots in the yards: centre, colour."""

    size: int
    places: tuple[DrawnPlace, ...]
    nests: tuple[tuple[Point, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a colour whose foot is at (x, y), `lift` squares above the board."""

    colour: str
    x: float
    y: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand whose finger tips are at (x, y), `lift` squares up; it comes from the direction `heading` (radians from x towards y)."""

    x: float
    y: float
    lift: float = 1.2
    heading: float = 1.1
    skin: str = "light"
