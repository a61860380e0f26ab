"""Where tokens can stand, as vision needs it: places with outlines in board squares, seats with their colours."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """One place: kind square, yard or finish; `outline` a polygon and `centre` a point in board squares; `seat` the index of the
    seat whose colour is printed there (None: plain); `round`: a round printed spot."""

    kind: str
    outline: tuple[Point, ...]
    centre: Point
    seat: int | None = None
    round: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The board to vision. `colours[seat]` is the printed colour's English name (red, green, yellow, blue, black, …); seats are in
    order from the corner (0, 0) clockwise; `yards[seat]` and `finishes[seat]` are spot indices (finish None: the board has none)."""

    size: int
    spots: tuple[Spot, ...]
    colours: tuple[str, ...]
    yards: tuple[int, ...]
    finishes: tuple[int | None, ...]


Scene = tuple[tuple[int, ...], ...]
"""Where all tokens stand: `scene[seat]` holds the spot index of each token, sorted; () for a seat that does not play."""

OFF_TABLE = -1


@dataclass(frozen=True, slots=True)
class Shift:
    """One token of a seat goes from a spot to a spot (OFF_TABLE: in somebody's hand)."""

    seat: int
    origin: int
    destination: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may have happened since the accepted scene. Candidates with equal `message` say the same to the people.

    `penalty`: how far-fetched it is, in silhouettes, subtracted from the evidence. `certain`: score exactly, whatever the cheap
    ranking says (legal and half-done moves)."""

    message: int
    shifts: tuple[Shift, ...]
    penalty: float = 0.0
    certain: bool = False
