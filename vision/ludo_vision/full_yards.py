"""Tells full yards from empty ones in a single picture, nobody knowing how either is printed.

Print repeats itself when a yard is turned about its middle, and from yard to yard when the board is turned. Tokens do not: each leans
and is lit its own way there, and people do not set them down to the hair. But in the picture a seat's tokens look like one another, which
print beside them does not. Four such tokens make a full yard; anything else is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground
from .light import Floats, Mask
from .look_print import board_points, exchange_of, exchanged, inks, surprise, turned
from .plan import Plan, Point
from .pose import View
from .reading import Look
from .shape import Shape, family, outline

Pixel = tuple[int, int]
Box = tuple[slice, slice]
Matrix = NDArray[np.float64]

TOKENS = 4  # a seat has
_PRINT, _UNLIKE, _MOST = 3.5, 3.0, 20.0  # surprise in variances: where print ends, what more speaks for a token by one, and what counts
_LITTLE, _MUCH = -1.0, 3.0  # what one pixel may say
_UNKNOWN = -0.4  # what is said by pixels beside the yard, that nothing can be compared with
_OPINIONS = 3  # of six like places so many must agree that a pixel is print
_SKEWED = 0.12  # of a yard's pixels: more are surprising, and the nests are not about its middle
_STEP, _FINE = 0.25, 0.05  # squares along the yard's diagonal, seeking the nests' middle
_ALLOWANCE = 1.2  # squares around a yard that its tokens may lean over
_APART, _NEAR = 1.7, 1.5  # token radii between the feet of two tokens, and of two places that look alike
_INNER = 0.9  # of a silhouette, that its neighbours do not show through
_REACH = 3  # pixels by which two tokens are moved to lie on one another
_BLUR = 1.5  # Lab by which tokens that are quite alike differ all the same
_SETTLED = 1.6  # times as unlike as four like places the next best place must be
_BESIDE = 0.5  # as unlike as the yard beside it a token may be to the one most like it: flat print is like all around it
_SPREAD, _KIN = 1.8, 1.5  # times as unlike the odd one of four may be as the second odd
_SETTLED_UNLIKEST, _UNLIKEST, _FAINT_UNLIKEST = 12.0, 9.0, 6.0  # Lab: tokens that stand out little must look the more alike
_CLEAR, _SEEN, _FAINT = 0.4, 0.25, 0.1  # worth per pixel: of a token that stands out, of one that others may be like, of the least of four
_EXACT = 0.013  # squares, a third of a pixel: print lies so exactly (0.001 to 0.011 on drawn boards), what people set down does not
_LOOSE = 2.5  # token radii from one to the next: nearer ones touch, as nests do not
_GHOST = -0.75  # worth of four where any like place may speak for print: what nothing but the tokens elsewhere makes look odd
_PICTURED = 0.42  # of a yard that stands out: more, and it is a picture, printed nowhere else
_STRONG, _CLEAN = 0.6, -0.35  # worth of the tokens of full yards, and of the best place of one that is empty beside them
_CLIPPED = 30.0  # Lab: pixels may not differ more, or the few that something else covers would decide


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """What one picture says of a yard: `count` is 4, 0, or None where it cannot be told; `tokens`: each one's pixels (N,), flat; `shown`:
    those of all that are surely no print; `odd`: something stands there that is printed at no like place."""

    count: int | None
    tokens: tuple[NDArray[np.intp], ...] = ()
    shown: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    odd: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A yard's part of the picture: `mask`: the yard in its box, `evidence` (h, w): how little each pixel is like print, `least`: the same,
    by the most like of all like places."""

    box: Box
    mask: Mask
    evidence: Floats
    least: Floats
    lab: Floats
    middle: Point


@dataclass(frozen=True, slots=True, eq=False)
class _Kernel:
    """The pixels (h, w) a token covers, its foot at `anchor`."""

    pixels: Floats
    anchor: Pixel

    def mean(self, values: Floats) -> Floats:
        """The mean of values (h, w) over a token with its foot at each pixel."""
        return np.asarray(cv2.filter2D(values, -1, self.pixels, anchor=self.anchor, borderType=cv2.BORDER_CONSTANT) / self.pixels.sum())

    def at(self, foot: Pixel) -> NDArray[np.intp]:
        """The pixels (N, 2), x and y, with its foot there."""
        y, x = np.nonzero(self.pixels)
        return np.stack([x + foot[0] - self.anchor[0], y + foot[1] - self.anchor[1]], axis=1)


def full_yards(plan: Plan, view: View, look: Look) -> tuple[Yard, ...]:
    """What the picture shows in each seat's yard."""
    sight = _Sight(plan, view, look)
    parts = [sight.part(seat) for seat in range(len(plan.yards))]
    shape, standing = _best_shape(view, parts)
    judged = [_judge(view, shape, part, tokens) for part, tokens in zip(parts, standing, strict=True)]
    clear = [float(np.median([worth for worth, _ in tokens[:TOKENS]]))
             for yard, tokens in zip(judged, standing, strict=True) if yard.count]
    if not clear or min(clear) < _STRONG:
        return tuple(replace(yard, odd=_is_odd(_kernel(view, shape, part.middle), part, tokens))
                     for yard, part, tokens in zip(judged, parts, standing, strict=True))
    return tuple(Yard(0) if yard.count is None and max(worth for worth, _ in tokens) < _CLEAN else yard
                 for yard, tokens in zip(judged, standing, strict=True))


def _is_odd(kernel: _Kernel, part: _Part, tokens: Standing) -> bool:
    """Whether a place stands out beside each like one, where most of the yard does not."""
    least = kernel.mean(part.least)
    return (float((part.evidence[part.mask] > 0).mean()) < _PICTURED
            and any(worth > _CLEAR and least[y, x] > _CLEAR for worth, (x, y) in tokens))


class _Sight:
    """The yards of one picture, compared with themselves and one another."""

    def __init__(self, plan: Plan, view: View, look: Look) -> None:
        self.plan, self.view, self.look = plan, view, look
        self.points = board_points(view)
        self.middles = [np.mean(plan.spots[yard].outline, axis=0) for yard in plan.yards]
        self.outward = [np.sign(middle - plan.size / 2) for middle in self.middles]
        self.masks = [self._mask(plan, yard) for yard in plan.yards]
        self.boxes = [_box(mask) for mask in self.masks]
        self.known = np.any(self.masks, axis=0) & ~look.blind
        self.inks = inks(plan, view, look)
        self.off = self._off()

    def part(self, seat: int) -> _Part:
        """The evidence of one seat's yard, and of what is around it."""
        box = self.boxes[seat]
        middle = self._middle(seat, self.off)
        opinions = [*self._turned_about(seat, middle, (1, 2, 3)), *self._of_the_others(seat)]
        ranked = np.sort(np.stack(opinions), axis=0)  # nan, no opinion, comes last
        several = np.clip(np.isfinite(ranked).sum(axis=0), 1, _OPINIONS) - 1
        pad = round(_ALLOWANCE * self.view.square)
        rows, columns = box
        wide = slice(max(0, rows.start - pad), rows.stop + pad), slice(max(0, columns.start - pad), columns.stop + pad)
        inner = cv2.erode(self.masks[seat].astype(np.uint8), np.ones((3, 3), np.uint8))[wide] > 0
        evidence, least = (self._placed(values, box, wide) for values in (np.take_along_axis(ranked, several[None], axis=0)[0], ranked[0]))
        return _Part(wide, inner, evidence, least, np.ascontiguousarray(self.look.lab[wide]), (float(middle[0]), float(middle[1])))

    def _placed(self, values: Floats, box: Box, wide: Box) -> Floats:
        """Evidence by surprises (h, w) of a box in a wider one."""
        whole = np.full(self.look.blind.shape, np.nan, dtype=np.float32)
        whole[box] = values
        cut = whole[wide]
        said = np.clip((np.minimum(cut, _MOST) - _PRINT) / _UNLIKE, _LITTLE, _MUCH)
        said = np.where(np.isnan(cut), _UNKNOWN, said)
        return np.where(self.look.blind[wide], 0, said).astype(np.float32)

    def _middle(self, seat: int, off: float) -> Matrix:
        return np.asarray(self.middles[seat] + off * self.outward[seat], dtype=np.float64)

    def _off(self) -> float:
        """How far out of the yards' middles, along their diagonals, lie the points about which they are printed alike."""
        seats = range(len(self.masks))
        odd = [np.nanmean(next(iter(self._turned_about(seat, self.middles[seat], (2,)))) > _PRINT + 2 * _UNLIKE) for seat in seats]
        if np.mean(odd) < _SKEWED:
            return 0.0
        reach = float(np.abs(np.array(self.plan.spots[self.plan.yards[0]].outline) - self.middles[0]).max())
        coarse = max(np.arange(0, 0.67 * reach, _STEP), key=self._likeness)
        return float(max(coarse + _FINE * np.arange(-4, 5), key=self._likeness))

    def _likeness(self, off: float) -> float:
        """How well the yards agree with themselves, turned by half about points so far out; what is turned out of them should be plain."""
        total = 0.0
        for seat, mask in enumerate(self.masks):
            box = self.boxes[seat]
            here = mask[box]
            (found,) = self._turned_about(seat, self._middle(seat, off), (2,))
            compared = np.isfinite(found)
            lab = self.look.lab[box]
            plain = np.linalg.norm(lab - np.median(lab[here], axis=0), axis=2) < 2 * _PRINT
            total += float((_PRINT + 2 * _UNLIKE - np.minimum(found[compared], _MOST)).sum())
            total += float(np.where(plain[here & ~compared], _PRINT, -2 * _PRINT).sum())
        return total

    def _turned_about(self, seat: int, middle: Matrix, turns: Iterable[int]) -> Iterable[Floats]:
        """Surprise (h, w) in a yard's box at how it looks turned about a point; nan where that leaves the yard."""
        known = self.masks[seat] & ~self.look.blind
        for turn in turns:
            yield self._surprise(seat, turned(self.points[self.boxes[seat]], float(middle[0]), float(middle[1]), turn), known, None)

    def _of_the_others(self, seat: int) -> Iterable[Floats]:
        """Surprise (h, w) in a yard's box at how the other yards look, their inks exchanged."""
        half = self.plan.size / 2
        for turn in (1, 2, 3):
            yield self._surprise(seat, turned(self.points[self.boxes[seat]], half, half, turn), self.known, turn)

    def _surprise(self, seat: int, points: Floats, known: Mask, turn: int | None) -> Floats:
        box = self.boxes[seat]
        at = cv2.perspectiveTransform(points, self.view.homography)
        expected = np.asarray(cv2.remap(self.look.lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR), dtype=np.float32)
        seen = np.asarray(cv2.remap(known.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST) > 0)
        useful = seen & self.masks[seat][box] & ~self.look.blind[box]
        lab = self.look.lab[box]
        found = surprise(self.view, lab, _relit(expected, lab, useful), useful)
        if turn is not None:
            theirs = exchanged(expected, exchange_of(self.plan, self.view, self.inks, turn))
            found = np.minimum(found, surprise(self.view, lab, _relit(theirs, lab, useful), useful))
        return np.where(useful, found, np.float32(np.nan))

    def _mask(self, plan: Plan, yard: int) -> Mask:
        canvas = np.zeros(self.look.blind.shape, dtype=np.int16)
        ground.draw(canvas, self.view, plan.spots[yard].outline, 1)
        return np.asarray(canvas > 0)


def _box(mask: Mask) -> Box:
    rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _relit(expected: Floats, lab: Floats, useful: Mask) -> Floats:
    """What is expected under the light that lies here: its lightness, and colour with it, differ by a plane of gain."""
    rows, columns = np.nonzero(useful)
    rows, columns = rows[::5], columns[::5]
    if len(rows) < 40:
        return expected
    height, width = useful.shape
    gain = np.log((lab[rows, columns, 0] + 16) / np.maximum(expected[rows, columns, 0] + 16, 1)).astype(np.float64)
    basis = np.stack([np.ones(len(rows)), columns / width - 0.5, rows / height - 0.5], axis=1)
    plane = np.array([np.median(gain), 0.0, 0.0])
    for _ in range(4):
        off = gain - basis @ plane
        weights = 1 / (1 + (off / (2 * (1.4826 * np.median(np.abs(off)) + 0.01))) ** 2)
        weighted = basis * weights[:, None]
        plane = np.clip(np.linalg.solve(weighted.T @ basis + 1e-6 * np.eye(3), weighted.T @ gain), -0.5, 0.5)
    field = plane[0] + plane[1] * (np.arange(width) / width - 0.5) + plane[2] * (np.arange(height)[:, None] / height - 0.5)
    factor = np.exp(field).astype(np.float32)[..., None]
    result = expected * factor
    result[..., 0] += 16 * (factor[..., 0] - 1)
    return np.asarray(result, dtype=np.float32)


def _shapes() -> list[Shape]:
    """A few of the family: which of its finer ones it is makes no difference here."""
    plain = [Shape(((radius, 0.0), (radius, 0.25 * height), (radius * top, height)))
             for radius in (0.26, 0.32, 0.38) for height, top in ((0.2, 0.9), (0.4, 0.62), (1.0, 0.5))]
    return plain + [shape for shape in family() if len(shape.rings) > 3 and shape.height in (0.9, 1.3)]


def _kernel(view: View, shape: Shape, middle: Point) -> _Kernel:
    """What a token in the middle of a yard covers; elsewhere in the yard it leans nearly as much."""
    pixels, width = outline(view, shape, middle), view.size[0]
    foot = np.round(view.feet([middle])[0]).astype(int)
    x, y = pixels % width - foot[0], pixels // width - foot[1]
    covered = np.zeros((y.max() - y.min() + 1, x.max() - x.min() + 1), dtype=np.float32)
    covered[y - y.min(), x - x.min()] = 1
    return _Kernel(covered, (int(-x.min()), int(-y.min())))


Standing = list[tuple[float, Pixel]]
"""Tokens in a yard's part: how much each is worth per pixel and its foot, the clearest first; the last is the best that is none."""


def _best_shape(view: View, parts: Sequence[_Part]) -> tuple[Shape, list[Standing]]:
    """The shape of which up to four tokens in each yard explain most, and where they stand."""
    best: tuple[float, Shape, list[Standing]] | None = None
    for shape in _shapes():
        kernels = [_kernel(view, shape, part.middle) for part in parts]
        standing = [_stand(part, kernel, _APART * shape.radius * view.square) for part, kernel in zip(parts, kernels, strict=True)]
        total = sum(float(kernel.pixels.sum()) * max(0.0, worth)
                    for kernel, tokens in zip(kernels, standing, strict=True) for worth, _ in tokens[:TOKENS])
        if best is None or total > best[0]:
            best = total, shape, standing
    assert best is not None
    return best[1], best[2]


def _stand(part: _Part, kernel: _Kernel, apart: float) -> Standing:
    """Up to five tokens, the one that stands out most first; what it covers says nothing more for the next."""
    evidence, free = part.evidence.copy(), part.mask.astype(np.uint8)
    found: Standing = []
    while len(found) <= TOKENS and (not found or found[-1][0] > 0) and free.any():
        worth = np.where(free > 0, kernel.mean(evidence), -np.inf)
        y, x = np.unravel_index(int(worth.argmax()), worth.shape)
        foot = int(x), int(y)
        found.append((float(worth[y, x]), foot))
        evidence[tuple(_inside(kernel.at(foot), evidence.shape).T[::-1])] = 0
        cv2.circle(free, foot, int(apart), 0, -1)
    return found


def _inside(pixels: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.intp]:
    keep = (pixels >= 0).all(axis=1) & (pixels[:, 0] < shape[1]) & (pixels[:, 1] < shape[0])
    return np.asarray(pixels[keep])


def _judge(view: View, shape: Shape, part: _Part, standing: Standing) -> Yard:
    """Whether a yard has four tokens: places that look alike as no fifth does, or that stand out and look alike."""
    kernel = _kernel(view, shape.slimmer(_INNER), part.middle)
    tokens = [(worth, foot) for worth, foot in standing[:TOKENS] if worth > 0]
    clear = [foot for worth, foot in tokens if worth >= _SEEN]
    feet = _settled(part, kernel, clear, _NEAR * shape.radius * view.square) or _standing_alike(part, kernel, tokens)
    return _full(view, shape, part, kernel, feet) if feet else Yard(None)


def _settled(part: _Part, kernel: _Kernel, clear: Sequence[Pixel], apart: float) -> list[Pixel]:
    """The four places that look like one of these tokens as no fifth does, and like one another; none where there are more or fewer."""
    best: tuple[float, list[Pixel]] = (_SETTLED, [])
    for foot in clear:
        unlike, feet = _like_places(part, kernel, foot, apart)
        leads = {number: unlike[number] / (unlike[number - 1] + _BLUR) for number in range(2, len(unlike))}
        four, lead = feet[:TOKENS], leads[TOKENS]
        if max(leads.values()) == lead > best[0] and _alike(_differences(part.lab, kernel, four), _SETTLED_UNLIKEST, _SPREAD):
            best = lead, four
    return best[1]


def _standing_alike(part: _Part, kernel: _Kernel, tokens: Standing) -> list[Pixel]:
    """The four tokens that stand out, if they look like one another and not like the yard around them."""
    if len(tokens) < TOKENS or tokens[-1][0] < _FAINT:
        return []
    feet, clear = [foot for _, foot in tokens], tokens[-1][0] > _CLEAR
    least = kernel.mean(part.least)
    if np.mean([least[y, x] for x, y in feet]) < _GHOST or not (clear or tokens[-2][0] > _STRONG):
        return []
    beside = float(np.median(_unlikeness(part, kernel, feet[0])[part.mask]))
    differences = _differences(part.lab, kernel, feet)
    bounds = (_UNLIKEST, _SPREAD) if clear else (_FAINT_UNLIKEST, _KIN)
    return feet if _alike(differences, *bounds) and sorted(differences[0])[1] < _BESIDE * beside else []


def _full(view: View, shape: Shape, part: _Part, kernel: _Kernel, feet: Sequence[Pixel]) -> Yard:
    """A yard with tokens at these feet; what lies in a perfect square may be printed, unless it touches where none of its like does."""
    rows, columns = part.box
    least, (off, side) = kernel.mean(part.least), _square(view, part, kernel, feet)
    loose = side > _LOOSE * shape.radius or np.mean([least[y, x] for x, y in feet]) < 0
    if off < _EXACT and loose:
        return Yard(None)
    pixels = [_inside(kernel.at(foot), part.mask.shape) for foot in feet]
    every = np.concatenate(pixels)
    shown = every[part.evidence[every[:, 1], every[:, 0]] >= _MUCH]

    def flat(at: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.asarray((at[:, 1] + rows.start) * view.size[0] + at[:, 0] + columns.start)

    return Yard(TOKENS, tuple(map(flat, pixels)), flat(shown))


def _like_places(part: _Part, kernel: _Kernel, foot: Pixel, apart: float) -> tuple[list[float], list[Pixel]]:
    """The six places of a yard that look most like the token at `foot`, itself the first: how unlike (Lab), and where."""
    unlike = _unlikeness(part, kernel, foot)
    values, feet = [], []
    for _ in range(TOKENS + 2):
        row, column = np.unravel_index(int(unlike.argmin()), unlike.shape)
        values.append(min(float(unlike[row, column]), 99.0))
        feet.append((int(column), int(row)))
        cv2.circle(unlike, feet[-1], int(apart), float("inf"), -1)
    return values, feet


def _unlikeness(part: _Part, kernel: _Kernel, foot: Pixel) -> Floats:
    """How unlike (h, w), in Lab, each place of a yard looks to the token at `foot`."""
    (height, width), (x, y) = kernel.pixels.shape, kernel.anchor
    top, left = foot[1] - y, foot[0] - x
    unlike = np.full(part.mask.shape, np.inf, dtype=np.float32)
    pattern = np.ascontiguousarray(part.lab[max(0, top) : top + height, max(0, left) : left + width])
    if pattern.shape[:2] == (height, width):
        found = cv2.matchTemplate(part.lab, pattern, cv2.TM_SQDIFF, mask=np.repeat(kernel.pixels[..., None], 3, axis=2))
        unlike[y : y + found.shape[0], x : x + found.shape[1]] = np.sqrt(np.maximum(found, 0) / kernel.pixels.sum())
    unlike[~part.mask] = np.inf
    return unlike


def _square(view: View, part: _Part, kernel: _Kernel, feet: Sequence[Pixel]) -> tuple[float, float]:
    """How far four tokens stand from a perfect square, root mean square, seen to a part of a pixel, and its side; in board squares."""
    unlike, points = _unlikeness(part, kernel, feet[0]), []
    for x, y in feet:
        low, left = max(1, y - _REACH), max(1, x - _REACH)
        near = unlike[low : y + _REACH + 1, left : x + _REACH + 1]
        row, column = np.unravel_index(int(near.argmin()), near.shape)
        points.append((left + column + _dip(unlike[low + row, left + column - 1 : left + column + 2]),
                       low + row + _dip(unlike[low + row - 1 : low + row + 2, left + column])))
    rows, columns = part.box
    pixels = np.array(points, dtype=np.float64) + np.array([columns.start, rows.start])
    board = cv2.perspectiveTransform(pixels[None], np.linalg.inv(view.homography))[0]
    away = (board[:, 0] + 1j * board[:, 1]) - (board[:, 0] + 1j * board[:, 1]).mean()
    away = away[np.argsort(np.angle(away))]
    turns = 1j ** np.arange(TOKENS)
    corner = (away / turns).mean()
    return float(np.sqrt((np.abs(away - corner * turns) ** 2).mean())), float(abs(corner) * np.sqrt(2))


def _dip(values: Floats) -> float:
    """Where, in steps from the middle one, the least of three values lies, squared they being a parabola."""
    if len(values) < 3 or not np.isfinite(values).all():
        return 0.0
    before, here, after = (float(value) ** 2 for value in values)
    bend = before - 2 * here + after
    return 0.0 if bend <= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _differences(lab: Floats, kernel: _Kernel, feet: Sequence[Pixel]) -> Matrix:
    """How unlike (N, N), in Lab, the tokens at these feet look, each two moved to lie best on one another."""
    fixed = [_shades(lab, kernel.at(foot)) for foot in feet]
    moves = [(dx, dy) for dx in range(-_REACH, _REACH + 1) for dy in range(-_REACH, _REACH + 1)]
    result = np.zeros((len(feet), len(feet)))
    for other, foot in enumerate(feet):
        moved = np.stack([_shades(lab, kernel.at((foot[0] + dx, foot[1] + dy))) for dx, dy in moves])
        for one, shades in enumerate(fixed):
            if one != other:
                result[one, other] = np.minimum(np.linalg.norm(moved - shades, axis=2), _CLIPPED).mean(axis=1).min()
    return np.minimum(result, result.T)


def _shades(lab: Floats, at: NDArray[np.intp]) -> Floats:
    return np.asarray(lab[np.clip(at[:, 1], 0, lab.shape[0] - 1), np.clip(at[:, 0], 0, lab.shape[1] - 1)])


def _alike(differences: Matrix, most: float, spread: float) -> bool:
    """Whether one thing after another is joined to its like by differences of one size."""
    joined, links = {0}, []
    while len(joined) < len(differences):
        link, one = min((differences[known, one], one) for known in joined for one in range(len(differences)) if one not in joined)
        joined.add(one)
        links.append(link)
    *_, second, last = sorted(links)
    return bool(last <= min(most, spread * second + _BLUR))
