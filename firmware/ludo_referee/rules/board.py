"""A board: its ring, home columns, yards and places on the grid.

Frames: grid squares are (row, column), row 0 at the top, as printed and seen from above with A's yard at the top left.
Points (`Place.outline`, `Place.centre`) are in board squares, x to the right, y down, origin at the grid's outer corner
beside A's yard; the centre of square (row, column) is (column + 0.5, row + 0.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Square = tuple[int, int]
Point = tuple[float, float]

YARD = -1  # the step of a token in its yard


class PlaceKind(Enum):
    """What a place is to the eye: one square, a yard, or the finish."""

    SQUARE = "square"
    YARD = "yard"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Place:
    """One spot where tokens stand. `seat` is the seat whose colour is printed there, None for a plain square."""

    kind: PlaceKind
    outline: tuple[Point, ...]
    centre: Point
    square: Square | None
    seat: int | None
    round: bool = False


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """One seat of the board: `path[step]` is the place index of step 0 … last; `yard` the place index of its yard."""

    name: str
    colour: str
    start: int
    yard: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A board as printed. Place indices 0 … len(ring) − 1 are the ring, then homes, finishes and yards."""

    name: str
    size: int
    ring: tuple[Square, ...]
    clockwise: bool
    home_length: int
    has_finish: bool
    stars: frozenset[int]
    safe: frozenset[int]
    seats: tuple[SeatPlan, ...]
    places: tuple[Place, ...]

    @property
    def last(self) -> int:
        """The last step of every seat: the finish, or the innermost home space of a board without one."""
        return len(self.seats[0].path) - 1

    def place(self, seat: int, step: int) -> int:
        """The place index of a seat's token at a step (−1 is its yard)."""
        plan = self.seats[seat]
        return plan.yard if step == YARD else plan.path[step]
