"""What stands in a yard in one picture: where, and what looks like what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats
from .plan import Point
from .pose import View
from .shape import Shape, outline
from .yard_sight import Matrix, Part

Pixel = tuple[int, int]
Indices = NDArray[np.intp]

TOKENS = 4  # a seat has
CLEAR, SEEN = 0.4, 0.25  # worth per pixel: of a token that stands out, and of one that others may be like
_SETTLED = 1.6  # times as unlike as so many like places the next best place must be
SPREAD = 1.8  # times as unlike the odd one may be as the second odd
UNLIKEST = 9.0  # Lab by which tokens may differ
APART, NEAR = 1.7, 1.5  # token radii between the feet of two tokens, and of two places that look alike
INNER = 0.9  # of a silhouette, that its neighbours do not show through
_BLUR = 1.5  # Lab by which tokens that are quite alike differ all the same
EXACT = 0.013  # squares, a third of a pixel: print lies so exactly (0.001 to 0.011 on drawn boards), what people set down does not
LOOSE = 2.5  # token radii from one to the next: nearer ones touch, as nests do not
_REACH = 3  # pixels by which two tokens are moved to lie on one another
_CLIPPED = 30.0  # Lab: pixels may not differ more, or the few that something else covers would decide


@dataclass(frozen=True, slots=True, eq=False)
class Yard:
    """What one picture says of a yard: `count` is 4, 3, 0, or None where it cannot be told; `tokens`: each one's pixels (N,), flat;
    `shown`: those of all that are surely no print; `stranger`: the last of them is of another colour; `odd`: something stands there
    that is printed at no like place."""

    count: int | None
    tokens: tuple[Indices, ...] = ()
    shown: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    stranger: bool = False
    odd: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """The pixels (h, w) a token covers, its foot at `anchor`."""

    pixels: Floats
    anchor: Pixel

    def mean(self, values: Floats) -> Floats:
        """The mean of values (h, w) over a token with its foot at each pixel."""
        return np.asarray(cv2.filter2D(values, -1, self.pixels, anchor=self.anchor, borderType=cv2.BORDER_CONSTANT) / self.pixels.sum())

    def at(self, foot: Pixel) -> Indices:
        """The pixels (N, 2), x and y, with its foot there."""
        y, x = np.nonzero(self.pixels)
        return np.stack([x + foot[0] - self.anchor[0], y + foot[1] - self.anchor[1]], axis=1)


def kernel_of(view: View, shape: Shape, middle: Point) -> Kernel:
    """What a token in the middle of a yard covers; elsewhere in the yard it leans nearly as much."""
    pixels, width = outline(view, shape, middle), view.size[0]
    foot = np.round(view.feet([middle])[0]).astype(int)
    x, y = pixels % width - foot[0], pixels // width - foot[1]
    covered = np.zeros((y.max() - y.min() + 1, x.max() - x.min() + 1), dtype=np.float32)
    covered[y - y.min(), x - x.min()] = 1
    return Kernel(covered, (int(-x.min()), int(-y.min())))


Standing = list[tuple[float, Pixel]]
"""Tokens in a yard's part: how much each is worth per pixel and its foot, the clearest first; the last is the best that is none."""


def stand(part: Part, kernel: Kernel, apart: float) -> Standing:
    """Up to five tokens, the one that stands out most first; what it covers says nothing more for the next."""
    evidence, free = part.evidence.copy(), part.mask.astype(np.uint8)
    found: Standing = []
    while len(found) <= TOKENS and (not found or found[-1][0] > 0) and free.any():
        worth = np.where(free > 0, kernel.mean(evidence), -np.inf)
        y, x = np.unravel_index(int(worth.argmax()), worth.shape)
        foot = int(x), int(y)
        found.append((float(worth[y, x]), foot))
        evidence[tuple(inside(kernel.at(foot), evidence.shape).T[::-1])] = 0
        cv2.circle(free, foot, int(apart), 0, -1)
    return found


def inside(pixels: Indices, shape: tuple[int, ...]) -> Indices:
    """Those of pixels (N, 2) that are in a picture of the shape."""
    keep = (pixels >= 0).all(axis=1) & (pixels[:, 0] < shape[1]) & (pixels[:, 1] < shape[0])
    return np.asarray(pixels[keep])


def flat(view: View, part: Part, at: Indices) -> Indices:
    """The pixels (N,) of the working picture, flat, that are at (N, 2) in a yard's part."""
    rows, columns = part.box
    return np.asarray((at[:, 1] + rows.start) * view.size[0] + at[:, 0] + columns.start)


def settled(part: Part, kernel: Kernel, clear: Sequence[Pixel], apart: float, number: int, most: float) -> list[Pixel]:
    """The `number` places that look like one of these tokens as no further one does, and like one another (Lab); none where there are
    more or fewer."""
    best: tuple[float, list[Pixel]] = (_SETTLED, [])
    for foot in clear:
        unlike, feet = _like_places(part, kernel, foot, apart)
        leads = {several: unlike[several] / (unlike[several - 1] + _BLUR) for several in range(2, len(unlike))}
        so_many, lead = feet[:number], leads[number]
        if max(leads.values()) == lead > best[0] and alike(differences(part.lab, kernel, so_many), most, SPREAD):
            best = lead, so_many
    return best[1]


def _like_places(part: Part, kernel: Kernel, foot: Pixel, apart: float) -> tuple[list[float], list[Pixel]]:
    """The six places of a yard that look most like the token at `foot`, itself the first: how unlike (Lab), and where."""
    unlike = unlikeness(part, kernel, foot)
    values, feet = [], []
    for _ in range(TOKENS + 2):
        row, column = np.unravel_index(int(unlike.argmin()), unlike.shape)
        values.append(min(float(unlike[row, column]), 99.0))
        feet.append((int(column), int(row)))
        cv2.circle(unlike, feet[-1], int(apart), float("inf"), -1)
    return values, feet


def unlikeness(part: Part, kernel: Kernel, foot: Pixel) -> Floats:
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


def points_on_board(view: View, part: Part, kernel: Kernel, feet: Sequence[Pixel]) -> NDArray[np.complex128]:
    """Where tokens stand as x + iy in board squares, seen to a part of a pixel by how each looks like the first of them."""
    unlike, points = unlikeness(part, kernel, feet[0]), []
    for x, y in feet:
        low, left = max(1, y - _REACH), max(1, x - _REACH)
        near = unlike[low : y + _REACH + 1, left : x + _REACH + 1]
        row, column = np.unravel_index(int(near.argmin()), near.shape)
        points.append((left + column + _dip(unlike[low + row, left + column - 1 : left + column + 2]),
                       low + row + _dip(unlike[low + row - 1 : low + row + 2, left + column])))
    rows, columns = part.box
    pixels = np.array(points, dtype=np.float64) + np.array([columns.start, rows.start])
    board = cv2.perspectiveTransform(pixels[None], np.linalg.inv(view.homography))[0]
    return np.asarray(board[:, 0] + 1j * board[:, 1], dtype=np.complex128)


def _dip(values: Floats) -> float:
    """Where, in steps from the middle one, the least of three values lies, squared they being a parabola."""
    if len(values) < 3 or not np.isfinite(values).all():
        return 0.0
    before, here, after = (float(value) ** 2 for value in values)
    bend = before - 2 * here + after
    return 0.0 if bend <= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def differences(lab: Floats, kernel: Kernel, feet: Sequence[Pixel]) -> Matrix:
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


def _shades(lab: Floats, at: Indices) -> Floats:
    return np.asarray(lab[np.clip(at[:, 1], 0, lab.shape[0] - 1), np.clip(at[:, 0], 0, lab.shape[1] - 1)])


def alike(differences: Matrix, most: float, spread: float) -> bool:
    """Whether one thing after another is joined to its like by differences of one size."""
    joined, links = {0}, []
    while len(joined) < len(differences):
        link, one = min((differences[known, one], one) for known in joined for one in range(len(differences)) if one not in joined)
        joined.add(one)
        links.append(link)
    *_, second, last = sorted(links)
    return bool(last <= min(most, spread * second + _BLUR))


def colour_of(lab: Floats) -> Matrix:
    """The colour (3,) of a token's pixels (N, 3): how light it is, and its chroma where it is so light. Light and shade scale Lab's
    (L + 16, a, b) by one factor."""
    level = float(np.median(lab[:, 0])) + 16
    return np.array([level - 16, *np.median(lab[:, 1:] / (lab[:, :1] + 16), axis=0) * level])


def colour_gap(colour: Matrix, usual: Matrix) -> float:
    """How far a colour (3,) is from another, in Lab, apart from how light it is: at the other's lightness."""
    return float(np.linalg.norm(colour[1:] * (usual[0] + 16) / (colour[0] + 16) - usual[1:]))
