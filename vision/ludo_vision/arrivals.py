"""How many tokens came to yards that were seen bare: as many as explain best what changed there.

Tokens of one make have one shape, and do not stand in one another: so one, two, three or four of them explain what changed differently
well, also where they touch or lean over one another. Of what shape they are is not known at first; whatever came to any yard speaks for
some shapes and against others. Where several numbers explain it about as well, or something else lies there, none is told.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground, palette
from .arrangements import HIDDEN, Arrangement, Change, Settled, Sought
from .light import Floats, Mask, Picture
from .plan import Plan, Point
from .pose import TALLEST, WIDEST, View
from .reading import CHANGED, Look, Palettes, weigh
from .shape import Feet, Indices, Silhouettes, family, point_of
from .tally import Tally
from .yard_sight import Matrix
from .yard_tokens import TOKENS

_COST = 0.25  # silhouettes that each further token must explain
_SHAPES = 0.7  # silhouettes by which one shape explains more than another and is e times as likely
_UNLIKELY, _CLOSE = 6.0, 2.0  # silhouettes: shapes that explain so much less than the best are not tried any more, or not once more
_LEADERS = 3  # shapes for which it is sought where tokens stand
_LEFT = 0.4  # silhouettes of a change that tokens do not explain: more, and something else lies there
_BESIDE = 7  # pixels across in which a token's shadow begins
_RIM = 3  # pixels across by which an outline may be too narrow: shapes are known roughly
_DARK, _ACROSS = 40.0, 0.4  # lightness of print too dark for shadows to be seen, and squares of it around a token that hide how one begins
_SURE = 0.9  # less probable numbers are not told
_LIKELY = np.array([1, 1, 1, 1, 2.0])  # how likely each number is beforehand: people put all four
_NAMED = 1.0  # silhouettes: what a colour's name and the seat's print say of its tokens' shades
_REACH, _NEAR = 0.4, 0.05  # squares around a foot, and the part of them that a token there must have changed
TOUCHED = CHANGED + 5.0  # log likelihood of sameness: less likely pixels do not look as they did in the same light


class Arrivals:
    """Counts tokens in the yards of one view that were seen bare, picture by picture."""

    def __init__(self, plan: Plan, view: View) -> None:
        self._plan, self._view = plan, view
        self._ground = ground.ground_of(plan, view)
        feet = Feet(plan)
        self._feet = [feet.of(yard) for yard in plan.yards]
        self._boxes = [_box(view, plan.spots[yard].outline) for yard in plan.yards]
        self._shapes = family()
        areas = [Silhouettes(view, shape).area for shape in self._shapes]
        self._area, self._middling = float(np.median(areas)), int(np.argsort(areas)[len(areas) // 2])
        self._belief = np.zeros(len(self._shapes))  # by tokens of each shape in all yards so far, silhouettes
        self._tallies = [Tally(len(self._shapes)) for _ in plan.yards]
        self._stood: dict[int, list[Arrangement]] = {}  # where one, two ... tokens stand there
        self._printed: tuple[Look, Floats] | None = None  # a picture that shows the print, and the log densities of its shades
        self._left: dict[int, float] = {}  # silhouettes of its changes that are no tokens

    def number(self, seat: int) -> int | None:
        """The tokens in a seat's yard as it was seen last; None where that is not sure."""
        if self._left[seat] > _LEFT:
            return None
        shapes = np.exp((self._belief - self._belief.max()) / _SHAPES)
        chances = shapes @ self._tallies[seat].chances * _LIKELY
        return int(chances.argmax()) if chances.max() > _SURE * chances.sum() else None

    def see(self, seat: int, now: Look, bare: Look, same: Floats, changed: Mask, area: Mask, known: Mask, *, follows: bool) -> None:
        """Weigh a seat's yard, which is the `area` (h, w), in a picture. `bare`: one that shows the board's print; `same` (h, w): the log
        likelihood that the picture shows it bare, where that is `known` (h, w); `changed` (h, w): where it surely does not, and no
        shadow fell. `follows`: it was bare at first, and all that came since was seen."""
        change = self._change(seat, now, bare, same, changed, area, known)
        worth, stood = self._weighed(seat, change)
        self._stood[seat], explained = stood, worth.max(axis=1)
        best = int((self._belief + explained).argmax())
        number = int(worth[best].argmax())
        silhouettes = Silhouettes(self._view, self._shapes[best])
        outlines = [silhouettes.at(foot) for foot in (stood[min(number, len(stood)) - 1] if number else ())]
        self._left[seat] = self._unexplained(change.touched.reshape(same.shape) & area, changed & area, outlines, bare.lab[..., 0] < _DARK)
        if self._left[seat] > _LEFT:
            return
        self._belief += explained
        if follows:
            self._tallies[seat].follow(worth, _COST)
        else:
            self._tallies[seat].begin(worth)

    def _weighed(self, seat: int, change: Change) -> tuple[Matrix, list[Arrangement]]:
        """What 0 ... 4 tokens of each shape explain, (shapes, 5), and where one, two ... four of the likeliest shape then stand.

        Where they stand is sought for one shape, from where the others are moved; and again for the one that leads thereafter."""
        worth = np.tile(-(HIDDEN + _COST) * np.arange(TOKENS + 1), (len(self._shapes), 1))
        stood, sought = self._stood.get(seat, []), set[int]()
        lead = int(self._belief.argmax()) if self._belief.any() else self._middling
        rivals = self._belief.max() - self._belief < _UNLIKELY
        while change.feet and lead not in sought and len(sought) < _LEADERS:
            sought.add(lead)
            silhouettes = Silhouettes(self._view, self._shapes[lead])
            settled = Settled(silhouettes, change)
            ways = [settled.best(some + stood[number : number + 1]) for number, some in enumerate(Sought(silhouettes, change).best(stood))]
            stood = [arrangement for _, arrangement in ways]
            self._tell(worth[lead], ways)
            for row in np.flatnonzero(rivals):
                settled = Settled(Silhouettes(self._view, self._shapes[row]), change)  # of one shape at a time: they take room
                self._tell(worth[row], [settled.best([arrangement]) for arrangement in stood])
            likely = self._belief + worth.max(axis=1)
            lead, rivals = int(likely.argmax()), likely.max() - likely < _CLOSE
        return worth, stood

    def _tell(self, worth: NDArray[np.float64], ways: Sequence[tuple[float, Arrangement]]) -> None:
        """Enter what so many tokens of a shape explain, (5,), if it is more than was known."""
        for number in range(1, TOKENS + 1):
            way = ways[number - 1][0] / self._area - _COST * number if number <= len(ways) else worth[number - 1] - HIDDEN - _COST
            worth[number] = max(worth[number], way)

    def _unexplained(self, touched: Mask, changed: Mask, outlines: Sequence[Indices], dark: Mask) -> float:
        """How much of what changed is no token, in silhouettes; shadows fall from one, maybe across print too `dark` to show them."""
        covered = np.zeros(touched.shape, dtype=np.uint8)
        for outline in outlines:
            covered.ravel()[outline] = 1
        near = _widened(covered, 2 * round(_ACROSS * self._view.square) + 1) > 0
        beside = _widened(covered, _BESIDE) | _widened((near & dark).astype(np.uint8), _BESIDE) > 0
        _, pieces = cv2.connectedComponents(_opened(touched & (covered == 0)))
        shadows = np.unique(pieces[beside])
        return float((_opened(changed & (_widened(covered, _RIM) == 0)) | ~np.isin(pieces, (0, *shadows))).sum()) / self._area

    def _change(self, seat: int, now: Look, bare: Look, same: Floats, changed: Mask, area: Mask, known: Mask) -> Change:
        prints = self._prints_of(bare)
        token = self._palette(seat, now, bare, changed & area)
        palettes = Palettes(prints, self._ground.kinds.astype(np.int32) * palette.CELLS, {seat: token})
        nobody = np.full(same.shape, -1, dtype=np.int16)
        _, gains = weigh(same, same, now.cells, palettes, nobody, ~known, (self._boxes[seat],))
        touched = (same < TOUCHED) & known
        gain = gains[seat]
        np.minimum(gain, 0, out=gain, where=~changed.ravel())
        reach = 2 * round(_REACH * self._view.square) + 1
        around = cv2.blur(touched.astype(np.float32), (reach, reach))
        x, y = np.round(self._view.feet([point_of(foot) for foot in self._feet[seat]])).astype(int).T
        may = around[np.clip(y, 0, same.shape[0] - 1), np.clip(x, 0, same.shape[1] - 1)] > _NEAR
        return Change(gain, touched.ravel(), tuple(foot for foot, near in zip(self._feet[seat], may, strict=True) if near))

    def _prints_of(self, bare: Look) -> Floats:
        """The log densities of every kind of print's shades; those of a picture that is compared with again are known."""
        if self._printed is None or self._printed[0] is not bare:
            self._printed = bare, ground.print_palettes(self._ground, ground.print_counts(self._ground, bare.cells, ~bare.blind))
        return self._printed[1]

    def _palette(self, seat: int, now: Look, bare: Look, changed: Mask) -> Floats:
        """The log densities of the shades of a seat's tokens: those of its name, and more and more those of what came."""
        supposed = ground.supposed_shades(self._plan, self._view, bare.cells, ~bare.blind, seat)
        came = now.cells[changed]
        parts = [(_NAMED, supposed), (len(came) / self._area, palette.count(came))]
        return palette.log_density(palette.mixed(parts))


def _widened(mask: Picture, across: int) -> Picture:
    return np.asarray(cv2.dilate(mask, np.ones((across, across), np.uint8)), dtype=np.uint8)


def _opened(mask: Mask) -> Picture:
    """The mask (h, w) without specks and rims."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _box(view: View, outline: Sequence[Point]) -> tuple[slice, slice]:
    """The part of a picture in which tokens on a spot are seen."""
    pixels = view.lifted(np.array([(x, y, z) for x, y in outline for z in (0.0, TALLEST)]))
    low = np.clip(np.floor(pixels.min(axis=0) - WIDEST * view.square).astype(int), 0, view.size)
    high = np.clip(np.ceil(pixels.max(axis=0) + WIDEST * view.square).astype(int), 0, view.size)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
