"""How many of a seat's tokens wait in its yard: what is seen there, what is seen elsewhere, and that a seat has four."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .look_search import TOKENS, Found, Search
from .plan import Plan

Chances = NDArray[np.float64]

SLOPE, MIDDLE, SUREST = 2.2, 0.3, 0.99  # of the logistic from a token's margin to its probability: fitted on rendered tables, where
YARD_SLOPE, YARD_MIDDLE = 1.8, 0.45  # of 166 tokens with a margin over 3 two were none; on a yard's print less is certain
BELOW = 5.0  # the slope below the middle: what hardly differs from print is soon none
FAINT = -2.5  # worth of what may still be a token that hardly shows
MISSED = (0.2, 0.1)  # that tokens elsewhere do not show at all: on print of its own colour, in glare, behind others
SURE = 0.75  # a count that is less probable is not told
POSSIBLE = 0.03  # how likely it is that what is seen makes four: less, and something was misread


def probability(found: Found, in_yard: bool = False) -> float:
    """That the token is there: from how much it is worth beyond the best other reading."""
    return _chance(found.worth - max(0.0, found.rival), in_yard)


def in_yard(search: Search, plan: Plan, seat: int, empty_known: bool) -> int | None:
    """A yard's tokens; None when it cannot be told.

    A seat of which nothing is seen elsewhere has four in the yard or does not play. Nests are alike, so that they bear one witness, and
    full yards as much as empty ones: each token must be sure, or it must be known how an empty yard looks (`empty_known`).
    """
    yard = plan.yards[seat]
    own = [found for found in search.found if found.token.seat == seat]
    elsewhere = [probability(found) for found in own if found.token.place != yard]
    here = [probability(found, in_yard=True) for found in own if found.token.place == yard]
    if sum(elsewhere) < 1 - SURE and not (len(here) == TOKENS and min(here) >= SURE):
        return 0 if empty_known and not own else None
    elsewhere += [_chance(worth, False) for worth in search.left_for(seat) if worth > FAINT]
    elsewhere += MISSED
    here += [_chance(worth, True) for worth in search.faint(yard, seat, FAINT)]
    there, waiting = _counts(elsewhere), _counts(here)
    joint = np.array([waiting[count] * there[TOKENS - count] for count in range(TOKENS + 1)])
    count = int(joint.argmax())
    return count if joint[count] >= SURE * joint.sum() >= SURE * POSSIBLE else None


def _chance(margin: float, in_yard: bool) -> float:
    slope, middle = (YARD_SLOPE, YARD_MIDDLE) if in_yard else (SLOPE, MIDDLE)
    return SUREST / (1 + math.exp(-(slope if margin > middle else BELOW) * (margin - middle)))


def _counts(chances: Iterable[float]) -> Chances:
    """The probabilities (5,) of 0 ... 4 tokens, each of which is there with its own chance."""
    counts = np.zeros(TOKENS + 1)
    counts[0] = 1.0
    for chance in chances:
        counts[1:] = counts[1:] * (1 - chance) + counts[:-1] * chance
        counts[0] *= 1 - chance
    return counts
