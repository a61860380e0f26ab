"""Where tokens of one shape stand in a yard, so that they explain most of what changed there.

One after the other, each where it explains most, they easily take the middle of a huddle, from which no single one then moves away: so
several arrangements are followed side by side, coarsely at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .light import Floats, Mask
from .shape import COARSE, PITCH, Foot, Indices, Silhouettes
from .yard_tokens import TOKENS

Arrangement = tuple[Foot, ...]

HIDDEN = 0.6  # silhouettes charged for a token that changed next to nothing
_SHOWN = 0.15  # the part of a token that must look otherwise
_APART = 1.8  # radii between the feet of two tokens: solid ones do not stand in one another, and shapes are known roughly
_CELL = 3  # pixels: arrangements are sought by cells, and moved by pixels
_FOLLOWED, _BRANCHES, _TOLD = 16, 4, 2  # arrangements followed, the feet tried for one more token in each, and those told in the end
_DIFFERENT = 0.6  # of how far tokens keep apart: feet nearer to each other are not both tried
_MOVES, _TRIED = 4, 3  # pitches that a token may be moved, and ways that are tried for each
_AROUND = np.array([(dx, dy) for dx in (0, -1, 1) for dy in (0, -1, 1)])  # pitches to a foot and then those next to it


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What one picture says of a yard: `gain` (flat): how much better a token of the seat explains each pixel than bare print does;
    `touched` (flat): what does not quite look as it did bare; `feet`: where tokens may stand."""

    gain: Floats
    touched: Mask
    feet: tuple[Foot, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Partial:
    """Tokens on some of the feet: what they explain, and what cells are left to be explained."""

    feet: tuple[int, ...]
    total: float
    left: Floats


class Sought:
    """Arrangements of tokens of one shape that one change suggests."""

    def __init__(self, silhouettes: Silhouettes, change: Change) -> None:
        self._feet = np.array(change.feet)
        outlines = [silhouettes.at(foot) for foot in change.feet]
        self._covers, self._cells = _by_cells(outlines, change.gain, silhouettes.view.size[0])
        away = np.hypot(*(self._feet[:, None, :2] - self._feet[None, :, :2]).transpose(2, 0, 1))
        self._near = away < _apart(silhouettes)
        self._like = away < _DIFFERENT * _apart(silhouettes)

    def best(self, known: Sequence[Arrangement]) -> list[list[Arrangement]]:
        """A few arrangements of one, two ... four tokens, as far as there is room; `known`: what they grow from besides."""
        partial, found = [_Partial((), 0.0, self._cells)], list[list[Arrangement]]()
        grown = [self._snapped(arrangement) for arrangement in known]
        while partial and len(found) < TOKENS:
            number = len(found) + 1
            partial = self._with_one_more(partial, _BRANCHES if found else _FOLLOWED)
            found.append([self._arrangement(one) for one in partial[:_TOLD]])
            partial += [one for one in grown if len(one.feet) == number]
        return [some for some in found if some]

    def _arrangement(self, partial: _Partial) -> Arrangement:
        return tuple((int(x), int(y), int(level)) for x, y, level in self._feet[list(partial.feet)])

    def _snapped(self, arrangement: Arrangement) -> _Partial:
        """The arrangement on these feet, as far as they reach."""
        away = np.abs(self._feet[None, :, :2] - np.array(arrangement)[:, None, :2]).max(axis=2)
        feet = {int(foot) for foot, least in zip(away.argmin(axis=1), away.min(axis=1), strict=True) if least < COARSE}
        partial = _Partial((), 0.0, self._cells)
        for foot in sorted(feet):
            partial = self._added(partial, foot, float(self._covers[foot] @ partial.left))
        return partial

    def _with_one_more(self, partial: Sequence[_Partial], branches: int) -> list[_Partial]:
        """The arrangements with one token more that explain most, best first."""
        gains = self._covers @ np.stack([one.left for one in partial], axis=1)
        found: dict[tuple[int, ...], tuple[float, _Partial, int, float]] = {}
        for one, gain in zip(partial, gains.T, strict=True):
            gain[self._near[list(one.feet)].any(axis=0)] = -np.inf
            for foot, more in self._peaks(gain, branches):
                found.setdefault(tuple(sorted((*one.feet, foot))), (one.total + more, one, foot, more))
        best = sorted(found.values(), key=lambda way: -way[0])[:_FOLLOWED]
        return [self._added(one, foot, more) for _, one, foot, more in best]

    def _peaks(self, gain: Floats, many: int) -> Iterator[tuple[int, float]]:
        """The feet of most gain, each away from those before."""
        for _ in range(many):
            foot = int(gain.argmax())
            more = float(gain[foot])
            if not np.isfinite(more):
                return
            yield foot, more
            gain[self._like[foot]] = -np.inf

    def _added(self, partial: _Partial, foot: int, more: float) -> _Partial:
        return _Partial((*partial.feet, foot), partial.total + more, partial.left * (1 - self._covers[foot]))


class Settled:
    """Arrangements of tokens of one shape, moved to where they explain a change best."""

    def __init__(self, silhouettes: Silhouettes, change: Change) -> None:
        self._silhouettes, self._change = silhouettes, change
        self._gain = change.gain.copy()
        self._apart = _apart(silhouettes)
        middle = np.mean(change.feet, axis=0)[:2]
        pixels = silhouettes.view.feet((middle + _AROUND) * PITCH)
        x, y = np.round(pixels - pixels[_AROUND.any(axis=1).argmin()]).astype(np.int32).T
        self._shifts = y * np.int32(silhouettes.view.size[0]) + x

    def best(self, arrangements: Sequence[Arrangement]) -> tuple[float, Arrangement]:
        """What the best of these (at least one) explains, and where its tokens stand."""
        return max((self._settle(arrangement) for arrangement in arrangements), key=lambda way: way[0])

    def _settle(self, arrangement: Arrangement) -> tuple[float, Arrangement]:
        feet, before = list(arrangement), list[Foot]()
        for _ in range(_MOVES):
            if feet == before:
                break
            before = list(feet)
            for index in range(len(feet)):
                feet[index] = self._moved(feet[index], feet[:index] + feet[index + 1 :])
        return self._total(feet), tuple(feet)

    def _moved(self, foot: Foot, others: Sequence[Foot]) -> Foot:
        """Where next to a foot a token explains more beside the others, apart from them: the likeliest ways, each tried."""
        self._cover(others)
        outline = self._silhouettes.at(foot)
        explained = self._gain.take(outline + self._shifts[:, None], mode="clip").sum(axis=1)
        if others:
            away = np.array(foot)[:2] + _AROUND[:, None] - np.array(others)[:, :2]
            explained[((away**2).sum(axis=2) < self._apart**2).any(axis=1)] = -np.inf
        explained[0] = best = float(self._gain.take(outline).sum())
        for way in np.argsort(-explained)[:_TRIED]:
            if way == 0 or not np.isfinite(explained[way]):
                break
            other = foot[0] + int(_AROUND[way, 0]), foot[1] + int(_AROUND[way, 1]), foot[2]
            more = float(self._gain.take(self._silhouettes.at(other)).sum())
            if more > best:
                foot, best = other, more
        self._uncover(others)
        return foot

    def _cover(self, feet: Sequence[Foot]) -> None:
        for foot in feet:
            self._gain[self._silhouettes.at(foot)] = 0

    def _uncover(self, feet: Sequence[Foot]) -> None:
        for foot in feet:
            outline = self._silhouettes.at(foot)
            self._gain[outline] = self._change.gain[outline]

    def _total(self, feet: Sequence[Foot]) -> float:
        """What tokens on these feet explain together, less a charge for those that cannot be seen to have come."""
        total = 0.0
        for foot in feet:
            outline = self._silhouettes.at(foot)
            total += float(self._gain.take(outline).sum())
            self._gain[outline] = 0
            total -= HIDDEN * self._silhouettes.area * max(0.0, 1 - float(self._change.touched.take(outline).mean()) / _SHOWN)
        self._uncover(feet)
        return total


def _apart(silhouettes: Silhouettes) -> float:
    """The pitches that tokens keep apart."""
    return _APART * silhouettes.shape.radius / PITCH


def _by_cells(outlines: Sequence[Indices], gain: Floats, width: int) -> tuple[Floats, Floats]:
    """How much of each cell each outline covers (outlines, cells), and the gain in each (cells,)."""
    high, wide = np.divmod(np.concatenate(outlines), width)
    top, left = int(high.min()), int(wide.min())
    rows, columns = (int(high.max()) - top) // _CELL + 1, (int(wide.max()) - left) // _CELL + 1
    covers = np.empty((len(outlines), rows * columns), dtype=np.float32)
    for row, outline in zip(covers, outlines, strict=True):
        y, x = np.divmod(outline, width)
        row[:] = np.bincount((y - top) // _CELL * columns + (x - left) // _CELL, minlength=rows * columns)
    part = gain.reshape(-1, width)[top : top + rows * _CELL, left : left + columns * _CELL]
    whole = np.zeros((rows * _CELL, columns * _CELL), dtype=np.float32)
    whole[: part.shape[0], : part.shape[1]] = part
    return covers / np.float32(_CELL**2), whole.reshape(rows, _CELL, columns, _CELL).sum(axis=(1, 3)).ravel()
