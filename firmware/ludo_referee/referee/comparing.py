"""After a break: is the table as it was? Vision has lost what it knew of it, so it compares by sight alone, and a press confirms it."""

from __future__ import annotations

import math

from ..rules.board import YARD, Board
from . import claims
from .draft import Draft
from .effects import Suppose
from .events import Ranked

AS_IT_WAS = 1.0  # silhouettes by which "nothing moved" has to lead
OTHERWISE, ON_COLOUR = 0.5, 1.5  # by which what moved has to lead that: a token shows least on print of a seat's colour, as its own
LIKELIEST = 0.3  # by which it has to lead anything else that may have moved


def compare(draft: Draft) -> None:
    """A game goes on: look whether the table is as the game has it."""
    if draft.house.options.compare and draft.state.blind is None:
        draft.do(Suppose(draft.state.game.steps))
        draft.set(comparing=True, compared=None)
        draft.look_again()


def compared(draft: Draft, event: Ranked) -> None:
    """What a still picture shows by sight alone; it counts when it is clear."""
    if event.question != draft.state.question or not 0 <= event.best < len(draft.claims):
        return
    best, scores = draft.claims[event.best], dict(event.ranking)
    unchanged = next(index for index, claimed in enumerate(draft.claims) if isinstance(claimed.claim, claims.Unchanged))
    if isinstance(best.claim, claims.Unchanged):
        clear = event.lead >= AS_IT_WAS
    else:
        ahead = scores.get(event.best, 0.0) - scores.get(unchanged, -math.inf)  # what is far behind is not listed
        clear = _is_whole(best) and event.lead >= LIKELIEST and ahead >= _needed(draft.house.board, best)
    draft.set(compared=best if clear else None)


def _needed(board: Board, claimed: claims.Claimed) -> float:
    places = {board.place(seat, step) for seat, *steps in claimed.shifts for step in steps}
    return ON_COLOUR if any(board.places[place].seat is not None for place in places) else OTHERWISE


def _is_whole(claimed: claims.Claimed) -> bool:
    """Whether all tokens stand on the table, so that a game can go on from there; some may still have to move for the move to be whole."""
    return all(end >= YARD for _, _, end in claimed.shifts)
