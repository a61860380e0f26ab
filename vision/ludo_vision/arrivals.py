"""How many tokens came to yards that were seen bare: as many as explain best what changed there.

Tokens of one make have one shape, and do not stand in one another: so one, two, three or four of them explain what changed differently
well, also where they touch or lean over one another. Of what shape they are is not known at first; whatever came to any yard speaks for
some shapes and against others. Where several numbers explain it about as well, or something else lies there, none is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from . import ground, palette
from .light import Floats, Mask, Picture
from .plan import Plan, Point
from .pose import TALLEST, WIDEST, View
from .reading import CHANGED, Look, Palettes, weigh
from .shape import PITCH, Feet, Foot, Indices, Silhouettes, Spread, family, point_of
from .yard_sight import Matrix
from .yard_tokens import TOKENS

_APART = 1.8  # radii between the feet of two tokens: solid ones do not stand in one another, and shapes are known roughly
_COST = 0.25  # silhouettes that each further token must explain
_HIDDEN, _SHOWN = 0.6, 0.15  # silhouettes charged for a token that changed next to nothing; the part of it that must look otherwise
_NUMBERS, _SHAPES = 0.15, 0.7  # silhouettes by which one number of tokens, and one shape, explain more and are e times as likely
_UNLIKELY = 12.0  # silhouettes: shapes that explain so much less than the best are not tried any more
_LEFT = 0.4  # silhouettes of a change that tokens do not explain: more, and something else lies there
_BESIDE = 7  # pixels across in which a token's shadow begins
_SURE = 0.9  # less probable numbers are not told
_NAMED = 1.0  # silhouettes: what a colour's name and the seat's print say of its tokens' shades
_REACH, _NEAR = 0.4, 0.05  # squares around a foot, and the part of them that a token there must have changed
TOUCHED = CHANGED + 5.0  # log likelihood of sameness: less likely pixels do not look as they did in the same light


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """What one picture says of a yard: `gain` (flat): how much better a token of the seat explains each pixel than bare print does;
    `touched` (flat): what does not quite look as it did bare; `feet`: where tokens may stand."""

    gain: Floats
    touched: Mask
    feet: tuple[Foot, ...]


class Arrivals:
    """Counts tokens in the yards of one view that were seen bare, picture by picture."""

    def __init__(self, plan: Plan, view: View) -> None:
        self._plan, self._view = plan, view
        self._ground = ground.ground_of(plan, view)
        feet = Feet(plan)
        self._feet = [feet.of(yard) for yard in plan.yards]
        self._boxes = [_box(view, plan.spots[yard].outline) for yard in plan.yards]
        self._shapes = family()
        self._area = float(np.median([Silhouettes(view, shape).area for shape in self._shapes]))
        self._belief = np.zeros(len(self._shapes))  # by tokens of each shape in all yards so far, silhouettes
        self._worth: dict[int, Matrix] = {}  # (shapes, 5): what 0 ... 4 tokens of each explain in a seat's yard
        self._left: dict[int, float] = {}  # silhouettes of its changes that are no tokens

    def number(self, seat: int) -> int | None:
        """The tokens in a seat's yard as it was seen last; None where that is not sure."""
        worth = self._worth[seat]
        if self._left[seat] > _LEFT:
            return None
        numbers = np.exp((worth - worth.max(axis=1, keepdims=True)) / _NUMBERS)
        shapes = np.exp((self._belief - self._belief.max()) / _SHAPES)
        chances = shapes @ (numbers / numbers.sum(axis=1, keepdims=True)) / shapes.sum()
        return int(chances.argmax()) if chances.max() > _SURE else None

    def see(self, seat: int, now: Look, bare: Look, same: Floats, changed: Mask, area: Mask, known: Mask) -> None:
        """Weigh a seat's yard, which is the `area` (h, w), in a picture. `bare`: one that shows the board's print; `same` (h, w): the log
        likelihood that the picture shows it bare, where that is `known` (h, w); `changed` (h, w): where it surely does not, and no
        shadow fell."""
        change = self._change(seat, now, bare, same, changed, area, known)
        worth = np.tile(-_HIDDEN * np.arange(TOKENS + 1), (len(self._shapes), 1))
        tried = self._belief > self._belief.max() - _UNLIKELY
        for row in np.flatnonzero(tried) if change.feet else ():
            ways = _explained(Silhouettes(self._view, self._shapes[row]), change)  # of one shape at a time: they take room
            worth[row, 1:] = np.array([total for total, _ in ways]) / self._area
        worth -= _COST * np.arange(TOKENS + 1)
        self._worth[seat] = worth
        explained = worth.max(axis=1)
        best = int((self._belief + explained).argmax())
        number = int(worth[best].argmax())
        silhouettes = Silhouettes(self._view, self._shapes[best])
        feet = _explained(silhouettes, change)[number - 1][1] if number else ()
        outlines = [silhouettes.at(foot) for foot in feet]
        self._left[seat] = self._unexplained(change.touched.reshape(same.shape) & area, changed & area, outlines)
        if self._left[seat] <= _LEFT:
            self._belief += explained

    def _unexplained(self, touched: Mask, changed: Mask, outlines: Sequence[Indices]) -> float:
        """How much of what changed is no token, in silhouettes; shadows fall from one."""
        covered = np.zeros(touched.shape, dtype=np.uint8)
        for outline in outlines:
            covered.ravel()[outline] = 1
        beside = cv2.dilate(covered, np.ones((_BESIDE, _BESIDE), np.uint8)) > 0
        _, pieces = cv2.connectedComponents(_opened(touched & (covered == 0)))
        shadows = np.unique(pieces[beside])
        return float((_opened(changed & (covered == 0)) | ~np.isin(pieces, (0, *shadows))).sum()) / self._area

    def _change(self, seat: int, now: Look, bare: Look, same: Floats, changed: Mask, area: Mask, known: Mask) -> _Change:
        prints = ground.print_palettes(self._ground, ground.print_counts(self._ground, bare.cells, ~bare.blind))
        token = self._palette(seat, now, bare, changed & area)
        palettes = Palettes(prints, self._ground.kinds.astype(np.int32) * palette.CELLS, {seat: token})
        nobody = np.full(same.shape, -1, dtype=np.int16)
        _, gains = weigh(same, same, now.cells, palettes, nobody, [], ~known, (self._boxes[seat],))
        touched = (same < TOUCHED) & known
        gain = gains[seat]
        np.minimum(gain, 0, out=gain, where=~changed.ravel())
        reach = 2 * round(_REACH * self._view.square) + 1
        around = cv2.blur(touched.astype(np.float32), (reach, reach))
        x, y = np.round(self._view.feet([point_of(foot) for foot in self._feet[seat]])).astype(int).T
        may = around[np.clip(y, 0, same.shape[0] - 1), np.clip(x, 0, same.shape[1] - 1)] > _NEAR
        return _Change(gain, touched.ravel(), tuple(foot for foot, near in zip(self._feet[seat], may, strict=True) if near))

    def _palette(self, seat: int, now: Look, bare: Look, changed: Mask) -> Floats:
        """The log densities of the shades of a seat's tokens: those of its name, and more and more those of what came."""
        supposed = ground.supposed_shades(self._plan, self._view, bare.cells, ~bare.blind, seat)
        came = now.cells[changed]
        parts = [(_NAMED, supposed), (len(came) / self._area, palette.count(came))]
        return palette.log_density(palette.mixed(parts))


def _explained(silhouettes: Silhouettes, change: _Change) -> list[tuple[float, tuple[Foot, ...]]]:
    """What one, two ... four tokens of a shape explain, each where the picture wants it, then each once more; and where they stand."""
    search, feet, ways = _Search(silhouettes, change), list[Foot](), list[tuple[float, tuple[Foot, ...]]]()
    while len(feet) < TOKENS:
        foot = search.best(feet)
        if foot is None:  # there is no room for more
            last = ways[-1][0] if ways else 0.0
            return ways + [(last - _HIDDEN * silhouettes.area, tuple(feet))] * (TOKENS - len(feet))
        feet.append(foot)
        for index in range(len(feet)) if len(feet) > 1 else ():
            others = feet[:index] + feet[index + 1 :]
            feet[index] = search.best(others) or feet[index]
        ways.append((search.total(feet), tuple(feet)))
    return ways


class _Search:
    """Tokens of one shape in one yard."""

    def __init__(self, silhouettes: Silhouettes, change: _Change) -> None:
        self._silhouettes, self._change = silhouettes, change
        self._spread = silhouettes.spread(change.feet)
        self._apart = _APART * silhouettes.shape.radius / PITCH

    def best(self, others: Sequence[Foot]) -> Foot | None:
        """Where one more token explains most, apart from the others; None where it has no room."""
        gain = self._change.gain.copy()
        for other in others:
            gain[self._silhouettes.at(other)] = 0
        coarse = self._best(gain, self._spread, others)
        if coarse is None:
            return None
        x, y, _ = coarse[1]
        around = self._silhouettes.spread([(x + dx, y + dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
        fine = self._best(gain, around, others)
        return coarse[1] if fine is None else max(coarse, fine)[1]

    def _best(self, gain: Floats, spread: Spread, others: Sequence[Foot]) -> tuple[float, Foot] | None:
        sums = spread.sums(gain.take(spread.pixels))
        if others:
            sums[~spread.apart(others, self._apart)] = -np.inf
        best = int(sums.argmax())
        return (float(sums[best]), spread.feet[best]) if np.isfinite(sums[best]) else None

    def total(self, feet: Sequence[Foot]) -> float:
        """What tokens on these feet explain together, less a charge for those that cannot be seen to have come."""
        outlines = [self._silhouettes.at(foot) for foot in feet]
        hidden = sum(max(0.0, 1 - float(self._change.touched[outline].mean()) / _SHOWN) for outline in outlines)
        return float(self._change.gain[np.unique(np.concatenate(outlines))].sum()) - _HIDDEN * hidden * self._silhouettes.area


def _opened(mask: Mask) -> Picture:
    """The mask (h, w) without specks and rims."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _box(view: View, outline: Sequence[Point]) -> tuple[slice, slice]:
    """The part of a picture in which tokens on a spot are seen."""
    pixels = view.lifted(np.array([(x, y, z) for x, y in outline for z in (0.0, TALLEST)]))
    low = np.clip(np.floor(pixels.min(axis=0) - WIDEST * view.square).astype(int), 0, view.size)
    high = np.clip(np.ceil(pixels.max(axis=0) + WIDEST * view.square).astype(int), 0, view.size)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
