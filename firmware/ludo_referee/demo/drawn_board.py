"""A board of the rules as the simulated table draws it."""

from __future__ import annotations

import math

from ludo_hardware.simulated_table import PRINTS, BoardDrawing, DrawnPlace, Point, TableLook, TokenStyle

from ..rules.board import Board, Place, PlaceKind


def drawing_of(board: Board) -> BoardDrawing:
    """The board's print as plain data: places with their colours, stars, arrows into the home columns, nests."""
    return BoardDrawing(
        size=board.size,
        places=tuple(_drawn(board, index, place) for index, place in enumerate(board.places)),
        nests=tuple((point, plan.colour) for seat, plan in enumerate(board.seats) for point in nests_of(board, seat)),
    )


def look_of(board: Board, seed: int) -> TableLook:
    """How the demo's table looks: a handsome print for the board, wood, daylight."""
    round_spots = any(place.round for place in board.places)
    return TableLook(style=PRINTS["spots" if round_spots else "classic"], tokens=TokenStyle(radius=0.3, height=1.2), seed=seed)


def nests_of(board: Board, seat: int) -> tuple[Point, ...]:
    """Where a seat's tokens stand in its yard. Nests that a board file puts in neighbouring squares of a big yard are drawn
    twice as far apart, as prints do: a token's foot is wider than half a square."""
    plan = board.seats[seat]
    yard = board.places[plan.yard]
    wide = max(x for x, _ in yard.outline) - min(x for x, _ in yard.outline)
    middle = (sum(x for x, _ in plan.nests) / len(plan.nests), sum(y for _, y in plan.nests) / len(plan.nests))
    centred = math.dist(middle, yard.centre) < 0.01
    spread = 2.0 if centred and wide >= 5 and min(math.dist(plan.nests[0], other) for other in plan.nests[1:]) < 1.5 else 1.0
    return tuple((middle[0] + spread * (x - middle[0]), middle[1] + spread * (y - middle[1])) for x, y in plan.nests)


def _drawn(board: Board, index: int, place: Place) -> DrawnPlace:
    mark, heading = _mark(board, index)
    colour = None if place.seat is None else board.seats[place.seat].colour
    return DrawnPlace(place.kind.value, place.outline, place.centre, colour, place.round, mark, heading)


def _mark(board: Board, index: int) -> tuple[str | None, float]:
    """What is printed in a place besides its colour, and where it points."""
    for plan in board.seats:
        entry = plan.path[board.first_home - 1]
        if index == plan.start:
            return "start", _heading(board, index, plan.path[1])
        if index == entry and board.places[index].kind is PlaceKind.SQUARE and not board.places[index].round:
            return "arrow", _heading(board, index, plan.path[board.first_home])
    return ("star", 0.0) if index in board.stars else (None, 0.0)


def _heading(board: Board, one: int, other: int) -> float:
    (x, y), (to_x, to_y) = board.places[one].centre, board.places[other].centre
    return math.atan2(to_y - y, to_x - x)
