"""The board as vision knows it, and the referee's words for positions turned into vision's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludo_vision.plan import OFF_TABLE, Candidate, Plan, Scene, Shift, Spot

from ..referee.claims import Claimed, place_of
from ..rules.board import Board, PlaceKind


def plan_of(board: Board) -> Plan:
    """The places of a board as vision sees them: spot index = place index."""
    last = [seat.path[-1] for seat in board.seats]
    finishes = tuple(place if board.places[place].kind is PlaceKind.FINISH else None for place in last)
    return Plan(
        size=board.size,
        spots=tuple(Spot(place.kind.value, place.outline, place.centre, place.seat, place.round) for place in board.places),
        colours=tuple(seat.colour for seat in board.seats),
        yards=tuple(seat.yard for seat in board.seats),
        finishes=finishes,
    )


def scene_of(board: Board, steps: Sequence[Sequence[int]]) -> Scene:
    """Where the tokens at these steps of each seat stand."""
    return tuple(tuple(sorted(board.place(seat, step) for step in own)) for seat, own in enumerate(steps))


def candidates_of(board: Board, claims: Iterable[Claimed]) -> tuple[Candidate, ...]:
    """The referee's candidates in vision's terms, in the same order."""

    def spot(seat: int, step: int) -> int:
        place = place_of(board, seat, step)
        return OFF_TABLE if place is None else place

    return tuple(
        Candidate(
            message=claim.message,
            shifts=tuple(Shift(seat, spot(seat, origin), spot(seat, to)) for seat, origin, to in claim.shifts),
            penalty=claim.penalty,
            certain=claim.certain,
        )
        for claim in claims
    )
