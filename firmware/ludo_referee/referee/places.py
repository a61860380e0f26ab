"""Places as people name them."""

from __future__ import annotations

from ..rules.board import YARD, Board, PlaceKind
from .views import Where


def where(board: Board, seat: int, step: int) -> Where:
    """The name of a seat's step: yard, start, star, so many squares from its start, a space of its home column, or the finish."""
    if step == YARD:
        return Where("yard", 0, step)
    if step == 0:
        return Where("start", 0, step)
    index = board.place(seat, step)
    if board.places[index].kind is PlaceKind.FINISH:
        return Where("finish", 0, step)
    if index >= len(board.ring):
        return Where("home", step - entry(board, seat), step)
    return Where("star", 0, step) if index in board.stars else Where("square", step, step)


def entry(board: Board, seat: int) -> int:
    """The seat's last step on the ring, the square below its home column."""
    path = board.seats[seat].path
    return max(step for step, index in enumerate(path) if index < len(board.ring))


def square(board: Board, index: int) -> tuple[int, int]:
    """The grid square (row, column) of a place; of a yard or a finish the one about its centre."""
    place = board.places[index]
    x, y = place.centre
    return place.square if place.square is not None else (int(y), int(x))
