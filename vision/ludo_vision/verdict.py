"""Which candidate does the picture support? Evidence summed over the silhouettes in which the candidates differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats, Mask
from .placing import Fit, Placer, Token
from .plan import OFF_TABLE, Candidate

_EXACT = 40  # candidates scored exactly beside the certain ones
_SPECK = 0.2  # silhouettes: a smaller change is noise, or the rim of a shadow
_THING = 1.6  # squares: a die that lies on the board, with its shadow, is smaller; hands are larger, or reach in over the rim
_PUSH_LEAST = 0.3  # silhouettes: a push that explains less is noise


@dataclass(frozen=True, slots=True)
class Verdict:
    """Candidates ranked by how well they explain a picture. `tokens[i]` where the tokens then stand, for `order[i]`."""

    order: tuple[int, ...]
    scores: tuple[float, ...]
    lead: float
    unexplained: float
    fits: dict[int, tuple[Fit, ...]]
    pushes: tuple[Fit, ...]


def rank(placer: Placer, candidates: Sequence[Candidate], board: Mask) -> Verdict:
    """The verdict on a picture. Raises nothing: a candidate that cannot be (no such token) comes last."""
    tokens = placer.standing.tokens
    pushes = [fit for index in range(len(tokens)) if (fit := placer.pushed(index)).score > _PUSH_LEAST]
    rough: list[tuple[float, int]] = []
    fits: dict[int, tuple[Fit, ...]] = {}
    for index, candidate in enumerate(candidates):
        fits[index] = tuple(placer.fit(*change) for change in changes(candidate))
        credit = sum(push.score for push in pushes if not _touches(placer, push, candidate))
        rough.append((sum(fit.score for fit in fits[index]) + credit - candidate.penalty, index))
    rough.sort(key=lambda pair: (-pair[0], pair[1]))
    exact = {index for _, index in rough[:_EXACT]} | {i for i, c in enumerate(candidates) if c.certain}
    floor = min((score for score, _ in rough), default=0.0)
    scored: list[tuple[float, int]] = []
    for score, index in rough:
        if index in exact and score > -50:
            score = _exact_score(placer, fits[index], pushes, candidates[index])
        elif index not in exact:
            score = max(floor, score)
        scored.append((score, index))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    if not scored:
        return Verdict((), (), 0.0, 0.0, {}, ())
    best = scored[0][1]
    other = [score for score, index in scored if candidates[index].message != candidates[best].message]
    lead = scored[0][0] - other[0] if other else 99.0
    kept = tuple(push for push in pushes if not _touches(placer, push, candidates[best]))
    unexplained = _unexplained(placer, fits[best] + kept, board) + placer.departed(fits[best] + kept)
    return Verdict(tuple(index for _, index in scored), tuple(round(score, 4) for score, _ in scored), float(lead), unexplained,
                   fits, tuple(pushes))


def changes(candidate: Candidate) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """(place, seats leaving, seats entering) of every place whose tokens change."""
    balance: dict[int, Counter[int]] = {}
    for shift in candidate.shifts:
        if shift.origin != OFF_TABLE:
            balance.setdefault(shift.origin, Counter())[shift.seat] -= 1
        if shift.destination != OFF_TABLE:
            balance.setdefault(shift.destination, Counter())[shift.seat] += 1
    result = []
    for place in sorted(balance):
        leave = tuple(sorted(seat for seat, change in balance[place].items() for _ in range(-change)))
        enter = tuple(sorted(seat for seat, change in balance[place].items() for _ in range(change)))
        if leave or enter:
            result.append((place, leave, enter))
    return result


def tokens_after(placer: Placer, verdict: Verdict, candidate: Candidate, index: int) -> list[Token]:
    """Where the tokens stand when this candidate is what happened."""
    fits = [*verdict.fits[index], *(push for push in verdict.pushes if not _touches(placer, push, candidate))]
    gone = {i for fit in fits for i in fit.gone}
    return [t for i, t in enumerate(placer.standing.tokens) if i not in gone] + [t for fit in fits for t in fit.come]


def _touches(placer: Placer, push: Fit, candidate: Candidate) -> bool:
    place = placer.standing.tokens[push.gone[0]].place
    return any(place in (shift.origin, shift.destination) for shift in candidate.shifts)


def _exact_score(placer: Placer, fits: Sequence[Fit], pushes: Sequence[Fit], candidate: Candidate) -> float:
    every = [*fits, *(push for push in pushes if not _touches(placer, push, candidate))]
    return placer.explain(every) - sum(fit.charged for fit in every) - candidate.penalty


def _unexplained(placer: Placer, fits: Sequence[Fit], board: Mask) -> float:
    """The change on the board that the best candidate says nothing about, in silhouettes; edges, specks and small things that lie on
    the board (a die) left out."""
    left: Floats = placer.evidence.changed.copy()
    explained: NDArray[np.uint8] = np.zeros(board.shape, dtype=np.uint8)
    for pixels in placer.explained(fits):
        explained.ravel()[pixels] = 1
    explained = np.asarray(cv2.dilate(explained, np.ones((5, 5), np.uint8)), dtype=np.uint8)
    open_change = ((left.reshape(board.shape) > 0.5) & (explained == 0) & board).astype(np.uint8)
    open_change = cv2.morphologyEx(open_change, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(open_change, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    rim = board & (cv2.erode(board.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=0) == 0)
    reaching_in = np.isin(np.arange(len(areas)), np.unique(labels[rim]))
    counted = (areas >= _SPECK * placer.silhouettes.area) & (reaching_in | (areas > _THING * placer.silhouettes.view.square**2))
    return float(areas[1:][counted[1:]].sum()) / placer.silhouettes.area
