"""What a yard shows beside three tokens that look alike: nothing but print, or a token of another colour.

The three tell how a token looks at this place in this light: what else stands there has their relief, in its own colour. An empty nest has
none, though nothing may be left to compare it with where the like nests are all taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats
from .pose import View
from .shape import Shape
from .yard_sight import Matrix, Part
from .yard_tokens import (
    APART,
    CLEAR,
    EXACT,
    LOOSE,
    NEAR,
    SEEN,
    SPREAD,
    TOKENS,
    UNLIKEST,
    Indices,
    Kernel,
    Pixel,
    Standing,
    Yard,
    alike,
    colour_gap,
    colour_of,
    differences,
    flat,
    inside,
    points_on_board,
    settled,
    stand,
)

_SIBLINGS, _CLOSE = 0.75, 0.85  # correlation of relief that tokens of one colour have, and that leaves no room for another shape
_KIN, _SAME = 0.6, 0.8  # and that one of another colour has with them; three that lie as exactly as print must be like it the more
_HIDDEN = 0.8  # what has more somewhere may be a token
_NEAR = 7  # pixels across in which the best correlation counts
_NOISE = 0.01  # of the logarithm of lightness: there is no less relief
_FLAT, _DEEP = 0.4, 2.0  # times their relief: what has less is print, and no token has more
_PRINTED, _GHOST = -0.6, 0.5  # worth where any like place may speak for print: below, it is print; flat print is not beyond
_LIKELY = -0.3  # worth that a token has at least
_SHADOW, _SLACK = 0.6, 5  # of the way to the nearest of them that its shadow may reach, and pixels by which it may lie elsewhere
_BURNT = 0.01  # of a yard out of sight: where more is, a token may be missed
_STANDS, _UNPRINTED = 1.0, -0.4  # worth of a token of another colour, and where any like place may speak for print
_OTHER_COLOUR, BEYOND = 12.0, 3.0  # Lab at one lightness, and times what tokens differ anyway: a token that differs more is another's


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A place beside the three: its foot, `pixels` (N, 2) and worth, the latter also by the most like of all like places; how its relief
    is like theirs and how strong beside it; how far off its colour is (Lab)."""

    foot: Pixel
    pixels: Indices
    worth: float
    least: float
    kin: float
    relief: float
    gap: float


def beside_three(view: View, shape: Shape, part: Part, kernel: Kernel, standing: Standing) -> Yard:
    """A yard with three tokens of one colour, or with a fourth of another; None where that is not what it surely shows."""
    if part.unseen > _BURNT:
        return Yard(None)
    found = [_Three(view, shape, part, kernel, three).yard() for three in _threes(shape, part, kernel, standing, view.square)]
    told = [yard for yard in found if yard.count is not None]
    return told[0] if told and len({yard.count for yard in told}) == 1 else Yard(None)


def _threes(shape: Shape, part: Part, kernel: Kernel, standing: Standing, square: float) -> Iterator[list[Pixel]]:
    """Three places that look like one of them as no fourth does, and such as stand out and look alike."""
    seen = [foot for worth, foot in standing[:TOKENS] if worth >= SEEN]
    if three := settled(part, kernel, seen, NEAR * shape.radius * square, TOKENS - 1, UNLIKEST):
        yield three
    for some in combinations([foot for worth, foot in standing[:TOKENS] if worth > CLEAR], TOKENS - 1):
        if alike(differences(part.lab, kernel, some), UNLIKEST, SPREAD):
            yield list(some)


class _Three:
    """Three tokens that look alike, and what a yard shows beside them."""

    def __init__(self, view: View, shape: Shape, part: Part, kernel: Kernel, feet: Sequence[Pixel]) -> None:
        self._view, self._part, self._kernel, self._feet = view, part, kernel, feet
        self._tokens = [inside(kernel.at(foot), part.mask.shape) for foot in feet]
        self._likeness, self._relief = _relief_like(part, kernel, feet)
        self._kin = cv2.dilate(self._likeness, np.ones((_NEAR, _NEAR), np.uint8))
        self._least = kernel.mean(part.least)
        self._colours = [_colour(part, token) for token in self._tokens]
        self._usual = np.median(self._colours, axis=0)
        self._belongings = self._shadow()
        self._apart, self._touching = APART * shape.radius * view.square, LOOSE * shape.radius

    def yard(self) -> Yard:
        """The yard if they are tokens and it is clear what else stands there."""
        worth = self._kernel.mean(self._part.evidence)
        if any(worth[y, x] < SEEN or self._kin[y, x] < _SIBLINGS for x, y in self._feet):
            return Yard(None)
        points = points_on_board(self._view, self._part, self._kernel, self._feet)
        exact, rest = _off_a_square(points) < EXACT, self._without(self._feet)
        places = self._places(rest)
        if not exact and self._is_alone(points, rest, places):
            return Yard(TOKENS - 1, tuple(flat(self._view, self._part, token) for token in self._tokens))
        spread = max(colour_gap(colour, self._usual) for colour in self._colours)
        if not places or not _is_of_another_colour(places[0], spread, exact):
            return Yard(None)
        fourth = places[0]
        if any(place.worth > _STANDS for place in self._places(self._without((*self._feet, fourth.foot)))):
            return Yard(None)
        return Yard(TOKENS, tuple(flat(self._view, self._part, token) for token in (*self._tokens, fourth.pixels)), stranger=True)

    def _is_alone(self, points: NDArray[np.complex128], rest: Part, places: Sequence[_Place]) -> bool:
        """Whether nothing but print is to be seen beside them, nor could a fourth hide among them, or look like print."""
        like = rest.mask & (self._likeness > _HIDDEN) & (self._relief > _FLAT) & (self._kernel.mean(rest.evidence) > _LIKELY)
        return (all(map(_is_print, places)) and not like.any() and all(self._kin[y, x] > _CLOSE for x, y in self._feet)
                and all(abs(one - other) > self._touching for one, other in combinations(points, 2)))

    def _places(self, rest: Part) -> list[_Place]:
        """What stands out in the rest of the yard, most first."""
        return [self._place(worth, foot) for worth, foot in stand(rest, self._kernel, self._apart) if worth >= SEEN]

    def _place(self, worth: float, foot: Pixel) -> _Place:
        pixels, at = inside(self._kernel.at(foot), self._part.mask.shape), foot[::-1]
        gap = colour_gap(_colour(self._part, pixels), self._usual)
        return _Place(foot, pixels, worth, float(self._least[at]), float(self._kin[at]), float(self._relief[at]), gap)

    def _without(self, feet: Sequence[Pixel]) -> Part:
        """The yard without tokens at these feet: nothing stands where they do, and what they cover, and their shadows, say nothing."""
        free, shadows = self._part.mask.astype(np.uint8), np.zeros(self._part.mask.shape, dtype=np.uint8)
        for foot in feet:
            cv2.circle(free, foot, int(self._apart), 0, -1)
            pixels = inside(self._belongings + foot, free.shape)
            shadows[pixels[:, 1], pixels[:, 0]] = 1
        evidence = np.where(shadows > 0, np.minimum(self._part.evidence, 0), self._part.evidence)
        for foot in feet:
            evidence[tuple(inside(self._kernel.at(foot), evidence.shape).T[::-1])] = 0
        return replace(self._part, evidence=evidence, mask=free > 0)

    def _shadow(self) -> Indices:
        """Where (N, 2), seen from a foot, each of the three has what is no print beside it: its shadow, and what the kernel lacks."""
        nearest = min(np.hypot(x - other_x, y - other_y) for (x, y), (other_x, other_y) in combinations(self._feet, 2))
        reach = int(_SHADOW * nearest)
        padded = cv2.copyMakeBorder(self._part.evidence, *(reach,) * 4, cv2.BORDER_CONSTANT, value=_PRINTED)
        around = [padded[y : y + 2 * reach + 1, x : x + 2 * reach + 1] for x, y in self._feet]
        common = cv2.dilate((np.min(around, axis=0) > 0).astype(np.uint8), np.ones((_SLACK, _SLACK), np.uint8))
        rows, columns = np.nonzero(common)
        return np.stack([columns - reach, rows - reach], axis=1)


def _is_print(place: _Place) -> bool:
    """Whether what seems to stand out is printed: some like place looks the same, or nothing but its colour speaks for it."""
    if place.relief > _FLAT:
        return place.least < _PRINTED and place.kin < _KIN
    return place.least < (_PRINTED if place.kin > _KIN else _GHOST)


def _is_of_another_colour(place: _Place, spread: float, exact: bool) -> bool:
    """Whether it is a token like the three but for its colour. Three nests and one token are no such thing: their reliefs differ."""
    return (place.worth > _STANDS and place.least > _UNPRINTED and place.kin > (_SAME if exact else _KIN)
            and 1 / _DEEP < place.relief < _DEEP and place.gap > max(_OTHER_COLOUR, BEYOND * spread))


def _relief_like(part: Part, kernel: Kernel, three: Sequence[Pixel]) -> tuple[Floats, Floats]:
    """How the relief of each place (h, w), lightness apart from its mean, correlates with that of the three, and how strong it
    is beside theirs. Another colour multiplies lightness (L + 16): in logarithms the relief stays."""
    light = np.log(part.lab[..., 0] + np.float32(16))
    light -= light.mean()
    (height, width), (x, y) = kernel.pixels.shape, kernel.anchor
    padded = cv2.copyMakeBorder(light, y, height, x, width, cv2.BORDER_REPLICATE)
    pattern = np.mean([padded[row : row + height, column : column + width] for column, row in three], axis=0)
    pixels = kernel.pixels.sum()
    pattern = (pattern - (pattern * kernel.pixels).sum() / pixels) * kernel.pixels
    own = float(np.sqrt((pattern * pattern).sum() / pixels))
    mean = kernel.mean(light)
    relief = np.sqrt(np.maximum(kernel.mean(light * light) - mean * mean, _NOISE**2))
    common = cv2.filter2D(light, -1, pattern.astype(np.float32), anchor=kernel.anchor, borderType=cv2.BORDER_REPLICATE) / pixels
    return np.asarray(common / (own * relief)), np.asarray(relief / own)


def _colour(part: Part, pixels: Indices) -> Matrix:
    return colour_of(part.lab[pixels[:, 1], pixels[:, 0]])


def _off_a_square(points: NDArray[np.complex128]) -> float:
    """How far three points are from three corners of a perfect square, root mean square."""
    off = []
    for first in range(len(points)):
        for turn in (1j, -1j):
            corners, ordered = np.array([[1, 0], [1, 1], [1, turn]]), np.roll(points, first)
            fitted = corners @ np.linalg.lstsq(corners, ordered, rcond=None)[0]
            off.append(float(np.sqrt((np.abs(fitted - ordered) ** 2).mean())))
    return min(off)
