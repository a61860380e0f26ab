"""Which candidate does the picture support? Evidence summed over the silhouettes in which the candidates differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Mask
from .placing import Fit, Placer, Token
from .plan import OFF_TABLE, Candidate

_EXACT = 40  # candidates scored exactly beside the certain ones
_BEHIND = 5.0  # silhouettes: what is so far behind at its best is not looked at (tokens that overlap may cost a sum a few)
_CLOSE = 1.0  # silhouettes: candidates that so little parts from the best may all be what happened
_SPECK = 0.2  # silhouettes: a smaller change is noise, or the rim of a shadow
_THING = 1.6  # squares: a die that lies on the board, with its shadow, is smaller; hands are larger, or reach in over the rim
_IMPOSSIBLE = -50.0  # silhouettes: less, and there is no such token
_PUSH_LEAST = 0.3  # silhouettes: a push that explains less is noise


@dataclass(frozen=True, slots=True)
class Verdict:
    """Candidates ranked by how well they explain a picture; `gone`: as `Ranking` has it."""

    order: tuple[int, ...]
    scores: tuple[float, ...]
    lead: float
    unexplained: float
    gone: tuple[tuple[int, int, float], ...]
    pushes: tuple[Fit, ...]


def rank(placer: Placer, candidates: Sequence[Candidate], board: Mask, by_sight: bool = False) -> Verdict:
    """The verdict on a picture. Raises nothing: a candidate that cannot be (no such token) comes last.

    `by_sight`: nothing is known but colours, and what has a token's colour may be anything; one that shows where it stood has not left.

    What a candidate can explain at most is cheap to say; only those that may come near the best are looked at place by place, and
    the best of these together with all that they hide of one another.
    """
    if not candidates:
        return Verdict((), (), 0.0, 0.0, (), ())
    pushes = tuple(fit for index in range(len(placer.standing.tokens)) if (fit := placer.pushed(index)).score > _PUSH_LEAST)
    kept = [tuple(push for push in pushes if not _touches(placer, push, candidate)) for candidate in candidates]
    given = [sum(push.score for push in own) - candidate.penalty for own, candidate in zip(kept, candidates, strict=True)]
    parts = [changes(candidate) for candidate in candidates]
    most = [sum(placer.most(*change) for change in own) + more for own, more in zip(parts, given, strict=True)]
    rough: dict[int, float] = {}
    best = -np.inf
    for index in sorted(range(len(candidates)), key=lambda i: (-most[i], i)):
        if candidates[index].certain or most[index] >= best - _BEHIND:
            rough[index] = sum(placer.fit(*change).score for change in parts[index]) + given[index]
            best = max(best, rough[index])
    anew = _set_anew(placer, [candidates[i] for i in rough if rough[i] >= best - _CLOSE], pushes)
    pushes += anew
    for i in rough if anew else ():
        own = tuple(fit for fit in anew if not _touches(placer, fit, candidates[i]))
        kept[i] += own
        rough[i] += sum(fit.score for fit in own)
    best = max(rough.values())
    near = sorted((i for i in rough if rough[i] >= best - _BEHIND), key=lambda i: (-rough[i], i))[:_EXACT]
    scores: dict[int, float] = {}
    for index in {*near, *(i for i in rough if candidates[i].certain)}:
        scores[index] = rough[index]
        if rough[index] > _IMPOSSIBLE:
            every = [*(placer.fit(*change) for change in parts[index]), *kept[index]]
            scores[index] = placer.explain(every) - sum(fit.charged for fit in every) - candidates[index].penalty
            if by_sight and placer.denied(every):
                scores[index] = min(scores[index], 0.0)  # no better than that nothing moved
    least = min(scores[index] for index in near)  # what was not looked at so closely comes after what was
    for index in range(len(candidates)):
        scores.setdefault(index, min(rough.get(index, most[index]), least))
    order = sorted(range(len(candidates)), key=lambda i: (-scores[i], i))
    first = order[0]
    other = next((i for i in order if candidates[i].message != candidates[first].message), None)
    lead = 99.0 if other is None else scores[first] - scores[other]
    told = [*(placer.fit(*change) for change in parts[first]), *kept[first]]
    departed = placer.departed(told)
    unexplained = _unexplained(placer, told, board) + sum(evidence for _, evidence in departed)
    gone = tuple((token.seat, token.place, evidence) for token, evidence in departed)
    return Verdict(tuple(order), tuple(round(scores[i], 4) for i in order), lead, unexplained, gone, pushes)


def _set_anew(placer: Placer, candidates: Sequence[Candidate], pushes: Sequence[Fit]) -> tuple[Fit, ...]:
    """Tokens that these candidates take out of a yard or finish, and that were set down there again instead."""
    origins = {(shift.origin, shift.seat) for candidate in candidates for shift in candidate.shifts if shift.origin != OFF_TABLE}
    spots, pushed = placer.feet.plan.spots, {index for push in pushes for index in push.gone}
    fits = [placer.set_anew(*origin) for origin in sorted(origins) if spots[origin[0]].kind != "square"]
    return tuple(fit for fit in fits if fit.score > _PUSH_LEAST and not pushed & set(fit.gone))


def changes(candidate: Candidate) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """(place, seats leaving, seats entering) of every place whose tokens change."""
    leaving: dict[int, list[int]] = {}
    entering: dict[int, list[int]] = {}
    for shift in candidate.shifts:
        leaving.setdefault(shift.origin, []).append(shift.seat)
        entering.setdefault(shift.destination, []).append(shift.seat)
    result = []
    for place in sorted(leaving.keys() | entering.keys()):
        leave, enter = sorted(leaving.get(place, ())), sorted(entering.get(place, ()))
        for seat in tuple(leave):
            if seat in enter:
                leave.remove(seat)
                enter.remove(seat)
        if place != OFF_TABLE and (leave or enter):
            result.append((place, tuple(leave), tuple(enter)))
    return result


def tokens_after(placer: Placer, verdict: Verdict, candidate: Candidate) -> list[Token]:
    """Where the tokens stand when this candidate is what happened. Those that the picture would rather not have where they fit best
    stand somewhere on their place."""
    fits = [placer.fit(*change) for change in changes(candidate)]
    fits += [push for push in verdict.pushes if not _touches(placer, push, candidate)]
    gone = {i for fit in fits for i in fit.gone}
    stayed = [t for i, t in enumerate(placer.standing.tokens) if i not in gone]
    whole, come = placer.explain(fits), list[Token]()
    for number, fit in enumerate(fits):
        for token in fit.come:
            without = [*fits[:number], replace(fit, come=tuple(t for t in fit.come if t is not token)), *fits[number + 1 :]]
            lone = placer.feet.plan.spots[token.place].kind == "square" and len(fit.come) == 1  # it is near the middle
            come.append(token if lone or placer.explain(without) < whole else replace(token, sure=False))
    return stayed + come


def _touches(placer: Placer, push: Fit, candidate: Candidate) -> bool:
    place = placer.standing.tokens[push.gone[0]].place
    return any(place in (shift.origin, shift.destination) for shift in candidate.shifts)


def _unexplained(placer: Placer, fits: Sequence[Fit], board: Mask) -> float:
    """The change on the board that the best candidate says nothing about, in silhouettes; edges, specks and small things that lie on
    the board (a die) left out."""
    explained: NDArray[np.uint8] = np.zeros(board.shape, dtype=np.uint8)
    for pixels in placer.explained(fits):
        explained.ravel()[pixels] = 1
    explained = np.asarray(cv2.dilate(explained, np.ones((5, 5), np.uint8)), dtype=np.uint8)
    open_change = (placer.evidence.changed.reshape(board.shape) & (explained == 0) & board).astype(np.uint8)
    open_change = cv2.morphologyEx(open_change, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    left, top, width, height = cv2.boundingRect(open_change)
    if not width:
        return 0.0
    part = slice(top, top + height), slice(left, left + width)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(open_change[part], connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    rim = board & (cv2.erode(board.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=0) == 0)
    reaching_in = np.zeros(len(areas), dtype=bool)
    reaching_in[labels[rim[part]]] = True
    counted = (areas >= _SPECK * placer.silhouettes.area) & (reaching_in | (areas > _THING * placer.silhouettes.view.square**2))
    return float(areas[1:][counted[1:]].sum()) / placer.silhouettes.area
