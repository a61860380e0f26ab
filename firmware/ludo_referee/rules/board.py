"""A board: its ring, home columns, yards and places on the grid.

Frames: grid squares are (row, column), row 0 at the top, as printed and seen from above. Points (`Place.outline`, `Place.centre`)
are in board squares, x to the right, y down, origin at the grid's top left corner (beside A's yard on the clockwise boards); the
centre of square (row, column) is (column + 0.5, row + 0.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from .errors import BoardError

Square = tuple[int, int]
Point = tuple[float, float]

YARD = -1  # the step of a token in its yard
TOKENS = 4  # tokens a seat


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
    """One seat of the board: `path[step]` is the place index of step 0 … last; `yard` the place index of its yard;
    `nests` where its tokens are drawn in the yard."""

    name: str
    colour: str
    start: int
    yard: int
    path: tuple[int, ...]
    nests: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A board as printed. Place indices 0 … len(ring) − 1 are the ring, then homes, finishes and yards.

    `seats` are in the order in which they play. `stars` and `safe` are ring indices: the printed stars (starts apart), and the
    board's own list of safe squares.
    """

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

    def __hash__(self) -> int:
        return hash((self.name, self.ring))  # boards are keys of caches: all their outlines would cost more than what is cached

    @property
    def last(self) -> int:
        """The last step of every seat: the finish, or the innermost home space of a board without one."""
        return len(self.seats[0].path) - 1

    @property
    def first_home(self) -> int:
        """The first step of the home column; smaller steps are on the ring."""
        return len(self.seats[0].path) - self.home_length - (1 if self.has_finish else 0)

    def place(self, seat: int, step: int) -> int:
        """The place index of a seat's token at a step (−1 is its yard)."""
        plan = self.seats[seat]
        return plan.yard if step == YARD else plan.path[step]

    def seat(self, name: str) -> int:
        """The index of the seat of that name. Raises BoardError."""
        for index, plan in enumerate(self.seats):
            if plan.name == name:
                return index
        raise BoardError(self.name, (f"there is no seat {name!r}; its seats are {', '.join(plan.name for plan in self.seats)}",))

    def with_colours(self, colours: Mapping[str, str]) -> Board:
        """The same board printed in other colours: seat name → colour; a seat that is not named keeps its own."""
        wanted = {self.seat(name): colour for name, colour in colours.items()}
        seats = tuple(replace(plan, colour=wanted.get(index, plan.colour)) for index, plan in enumerate(self.seats))
        if len({plan.colour for plan in seats}) < len(seats):
            printed = ", ".join(f"{plan.name} {plan.colour}" for plan in seats)
            raise BoardError(self.name, (f"two seats have the same colour ({printed}); give each seat its own",))
        return replace(self, seats=seats)


def load_board(name_or_path: str, folder: Path | None = None) -> Board:
    """A built-in board by its name, else the TOML file of that name in `folder` (or the working directory).

    Raises UnknownBoard, BoardError.
    """
    from .board_file import find_board  # the file format builds on the types above

    return find_board(name_or_path, folder)
