"""A board as its file says it, and everything that can be wrong with its geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .board import TOKENS, Point, Square


@dataclass(frozen=True, slots=True)
class SeatDraft:
    """A seat as its file says it, before it is checked against the rest of the board."""

    name: str
    colour: str
    start: Square
    entry: Square
    home: tuple[Square, ...]
    finish: Square | None
    finish_area: tuple[Point, ...]
    yard: tuple[int, int, int, int]
    nests: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class BoardDraft:
    """A board as its file says it."""

    name: str
    size: int
    clockwise: bool
    round: bool
    plain_starts: bool
    ring: tuple[Square, ...]
    stars: tuple[Square, ...]
    safe: tuple[Square, ...]
    seats: tuple[SeatDraft, ...]


def geometry_faults(draft: BoardDraft) -> tuple[str, ...]:
    """Everything that makes a well-formed draft unplayable, one sentence a fault; () for a good board."""
    faults = [*_ring_faults(draft), *_seat_list_faults(draft), *_double_faults(draft), *_mark_faults(draft)]
    for seat in draft.seats:
        faults += _seat_faults(draft, seat)
    if not faults:
        faults += _together_faults(draft)
    return tuple(faults)


def _touch(one: Square, other: Square) -> bool:
    """Whether two squares are neighbours, corners included (real rings turn diagonally)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def _inside(square: Square, size: int) -> bool:
    return 0 <= square[0] < size and 0 <= square[1] < size


def _ring_faults(draft: BoardDraft) -> Iterator[str]:
    ring = draft.ring
    if len(ring) < 8:
        yield f"the ring has {len(ring)} squares; it needs at least 8"
        return
    yield from (f"ring square {number} {_at(square)} is off the {draft.size} × {draft.size} grid"
                for number, square in enumerate(ring) if not _inside(square, draft.size))
    yield from (f"the ring jumps from square {number} {_at(ring[number])} to {number + 1} {_at(ring[number + 1])}; neighbours must touch"
                for number in range(len(ring) - 1) if not _touch(ring[number], ring[number + 1]))
    if not _touch(ring[-1], ring[0]):
        yield f"the ring is not closed: its last square {len(ring) - 1} {_at(ring[-1])} does not touch square 0 {_at(ring[0])}"
        return
    area = sum(a[1] * b[0] - b[1] * a[0] for a, b in zip(ring, ring[1:] + ring[:1], strict=True))  # > 0 is clockwise: rows grow downwards
    if (area > 0) != draft.clockwise:
        runs = "clockwise" if area > 0 else "counter-clockwise"
        yield f"the ring runs {runs}, against its direction; change direction or list it the other way"


def _at(square: Square) -> str:
    return f"({square[0]}, {square[1]})"


def _seat_list_faults(draft: BoardDraft) -> Iterator[str]:
    if len(draft.seats) < 2:
        yield f"the board has {len(draft.seats)} seats; it needs at least two [[seats]]"
    for what, values in (("name", [seat.name for seat in draft.seats]), ("colour", [seat.colour for seat in draft.seats])):
        yield from (f"two seats have the {what} {value}" for value, count in Counter(values).items() if count > 1)
    for start, count in Counter(seat.start for seat in draft.seats).items():
        if count > 1:
            yield f"two seats start on {_at(start)}: {', '.join(seat.name for seat in draft.seats if seat.start == start)}"


def _double_faults(draft: BoardDraft) -> Iterator[str]:
    """Squares that stand for two places; only a finish may be shared, by seats that all end in the middle."""
    names: dict[Square, str] = {}
    places = [(square, f"ring square {number}") for number, square in enumerate(draft.ring)]
    for seat in draft.seats:
        places += [(square, f"home square {number} of {seat.name}") for number, square in enumerate(seat.home, 1)]
    places += [(square, "a finish") for square in {seat.finish for seat in draft.seats} if square is not None]
    for square, name in places:
        if square in names:
            yield f"{_at(square)} is used twice: {names[square]} and {name}"
        names.setdefault(square, name)


def _mark_faults(draft: BoardDraft) -> Iterator[str]:
    ring = set(draft.ring)
    for what, squares in (("stars", draft.stars), ("safe", draft.safe)):
        yield from (f"{what}: {_at(square)} is not on the ring" for square in squares if square not in ring)
        yield from (f"{what}: {_at(square)} is listed twice" for square, count in Counter(squares).items() if count > 1)


def _seat_faults(draft: BoardDraft, seat: SeatDraft) -> Iterator[str]:
    who = f"seat {seat.name}"
    ring = set(draft.ring)
    yield from (f"{who}: its {what} {_at(square)} is not on the ring"
                for what, square in (("start", seat.start), ("entry", seat.entry)) if square not in ring)
    if seat.start == seat.entry:
        yield f"{who}: start and entry are the same square {_at(seat.start)}"
    column: Sequence[Square] = [seat.entry, *seat.home, *([] if seat.finish is None else [seat.finish])]
    if not seat.home:
        yield f"{who}: the home column is empty"
    if seat.finish is None and len(seat.home) != TOKENS:
        yield f"{who}: without a finish the home column has {TOKENS} spaces, one a token, not {len(seat.home)}; or give a finish"
    yield from (f"{who}: home is not reachable, {_at(a)} does not touch {_at(b)}"
                for a, b in pairwise(column) if not _touch(a, b))
    yield from (f"{who}: {_at(square)} is off the grid" for square in column if not _inside(square, draft.size))
    row, col, rows, columns = seat.yard
    if row < 0 or col < 0 or row + rows > draft.size or col + columns > draft.size:
        yield f"{who}: the yard reaches over the edge of the grid"
    if seat.nests and len(seat.nests) != TOKENS:
        yield f"{who}: the yard has {len(seat.nests)} nests; list {TOKENS} or none"
    yield from (f"{who}: the nest ({y:g}, {x:g}) is outside its yard"
                for x, y in seat.nests if not (row <= y <= row + rows - 1 and col <= x <= col + columns - 1))
    if seat.finish_area and len(seat.finish_area) < 3:
        yield f"{who}: the finish area has {len(seat.finish_area)} corners; it needs at least three"
    yield from (f"{who}: the finish area's corner ({y:g}, {x:g}) is off the grid"
                for x, y in seat.finish_area if not (0 <= x <= draft.size and 0 <= y <= draft.size))


def _together_faults(draft: BoardDraft) -> Iterator[str]:
    """What only shows when the seats are compared: unequal paths, seats out of order, yards over squares."""
    first = draft.seats[0]
    place = {square: number for number, square in enumerate(draft.ring)}

    def way(seat: SeatDraft) -> tuple[int, int, bool]:
        return (place[seat.entry] - place[seat.start]) % len(draft.ring) + 1, len(seat.home), seat.finish is not None

    yield from (f"the ways of {first.name} and {seat.name} differ: {_way(way(first))} against {_way(way(seat))}"
                for seat in draft.seats[1:] if way(seat) != way(first))
    offsets = [(place[seat.start] - place[first.start]) % len(draft.ring) for seat in draft.seats]
    if offsets != sorted(offsets):
        yield "the seats are not in the order of play: list them as their starts follow along the ring"
    covered: dict[Square, str] = dict.fromkeys(draft.ring, "the ring")
    for seat in draft.seats:
        covered |= dict.fromkeys(seat.home, f"the home column of {seat.name}")
        covered |= {} if seat.finish is None else {seat.finish: "a finish"}
    for seat in draft.seats:
        row, column, rows, columns = seat.yard
        squares = [(r, c) for r in range(row, row + rows) for c in range(column, column + columns)]
        below = sorted({covered[square] for square in squares if square in covered})
        yield from (f"the yard of {seat.name} lies over {what}" for what in below)
        covered |= dict.fromkeys(squares, f"the yard of {seat.name}")


def _way(way: tuple[int, int, bool]) -> str:
    return f"{way[0]} ring squares, {way[1]} home squares, {'a' if way[2] else 'no'} finish"
