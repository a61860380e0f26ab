"""After a break: is the table as it was? Vision has lost what it knew of it, so it compares by sight alone, and a press confirms it."""

from __future__ import annotations

import math
from dataclasses import replace

from ..rules.board import YARD, Board
from . import claims
from .draft import Draft
from .effects import Suppose
from .events import Ranked

AS_IT_WAS = 1.0  # silhouettes by which "nothing (more) moved" has to lead
OTHERWISE, ON_COLOUR = 0.5, 1.5  # by which what moved has to lead that: a token shows least on print of a seat's colour, as its own
LIKELIEST = 0.3  # by which it has to lead anything else that may have moved instead


def compare(draft: Draft) -> None:
    """A game goes on: look whether the table is as the game has it."""
    if draft.house.options.compare and draft.state.blind is None:
        draft.do(Suppose(draft.state.game.steps))
        draft.set(comparing=True, found=None, compared=None)
        draft.look_again()


def compared(draft: Draft, event: Ranked) -> None:
    """What a still picture shows by sight alone. Tokens that stand elsewhere are found one after another, until no further one is clear;
    the whole counts when it is clearer than any one of them being there still, or elsewhere."""
    if event.question != draft.state.question or not 0 <= event.best < len(draft.claims):
        return
    best, so_far, scores = draft.claims[event.best], draft.claims[0], dict(event.ranking)
    ahead = scores.get(event.best, 0.0) - scores.get(0, -math.inf)  # what is far behind is not listed
    if best is not so_far and ahead >= _needed(draft.house.board, best, so_far):
        draft.set(found=best)
    elif so_far.shifts:
        draft.set(compared=_paired(so_far, draft.state.game.steps) if _is_whole(so_far) and _is_clear(draft, scores) else None)
    else:
        draft.set(compared=so_far if best is so_far and event.lead >= AS_IT_WAS else None)


def _is_clear(draft: Draft, scores: dict[int, float]) -> bool:
    """Whether what was found leads everything that says no more than it does."""
    found, board = draft.claims[0], draft.house.board
    rivals = [(draft.claims[index], scores.get(0, -math.inf) - score) for index, score in scores.items() if index]
    return all(lead >= (LIKELIEST if len(rival.shifts) == len(found.shifts) else _needed(board, found, rival))
               for rival, lead in rivals if len(rival.shifts) <= len(found.shifts))


def _paired(found: claims.Claimed, steps: claims.Steps) -> claims.Claimed:
    """What was found, tokens of a seat, which are all alike, taken to have gone the shortest ways."""
    if not isinstance(found.claim, claims.Wrong):
        return found
    shifts = claims.difference(steps, claims.shifted(steps, found.shifts))
    return replace(found, shifts=shifts, claim=replace(found.claim, shifts=shifts))


def moving(draft: Draft) -> None:
    """Somebody puts tokens right: what was found need not be so any more."""
    draft.set(found=None)


def _needed(board: Board, claimed: claims.Claimed, so_far: claims.Claimed) -> float:
    further = [shift for shift in claimed.shifts if shift not in so_far.shifts]
    places = {claims.place_of(board, seat, step) for seat, *steps in further for step in steps}
    return ON_COLOUR if any(board.places[place].seat is not None for place in places if place is not None) else OTHERWISE


def _is_whole(claimed: claims.Claimed) -> bool:
    """Whether all tokens stand on the table, so that a game can go on from there; some may still have to move for the move to be whole."""
    return all(end >= YARD for _, _, end in claimed.shifts)
