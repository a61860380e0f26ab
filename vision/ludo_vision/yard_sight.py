"""Where a yard in one picture does not look printed.

Print repeats itself when a yard is turned about its middle, and from yard to yard when the board is turned; a lamp mirrored in it adds
light to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground
from .lacquer import FULL, under_mirrored_lamp
from .light import Floats, Mask
from .look_print import board_points, exchange_of, exchanged, inks, surprise, turned
from .plan import Plan, Point
from .pose import View
from .reading import Look

Box = tuple[slice, slice]
Matrix = NDArray[np.float64]

_PRINT, _UNLIKE, _MOST = 3.5, 3.0, 20.0  # surprise in variances: where print ends, what more speaks for a token by one, and what counts
_LITTLE, MUCH = -1.0, 3.0  # what one pixel may say
_UNKNOWN = -0.4  # what is said by pixels beside the yard, that nothing can be compared with
_OPINIONS = 3  # of six like places so many must agree that a pixel is print
_SKEWED = 0.12  # of a yard's pixels: more are surprising, and the nests are not about its middle
_STEP, _FINE = 0.25, 0.05  # squares along the yard's diagonal, seeking the nests' middle
_GLINT = 0.1  # squares: less that is lighter than print is no lamp's mirror image
_ALLOWANCE = 1.2  # squares around a yard that its tokens may lean over


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A yard's part of the picture: `mask`: the yard in its box, `evidence` (h, w): how little each pixel is like print, `least`: the same,
    by the most like of all like places; `unseen`: the share of the yard that is burnt out or out of sight, `strange`: that which is not
    like print unless a lamp is mirrored in it."""

    box: Box
    mask: Mask
    evidence: Floats
    least: Floats
    lab: Floats
    middle: Point
    unseen: float
    strange: float


class YardSight:
    """The yards of one picture, compared with themselves and one another."""

    def __init__(self, plan: Plan, view: View, look: Look) -> None:
        self.plan, self.view, self.look = plan, view, look
        self.points = board_points(view)
        self.middles = [np.mean(plan.spots[yard].outline, axis=0) for yard in plan.yards]
        self.outward = [np.sign(middle - plan.size / 2) for middle in self.middles]
        self.masks = [self._mask(plan, yard) for yard in plan.yards]
        self.boxes = [_box(mask) for mask in self.masks]
        self.blind = look.blind | (look.lab[..., 0] > FULL)
        self.known = np.any(self.masks, axis=0) & ~self.blind
        self.inks = inks(plan, view, look)
        self.off = self._off()

    def part(self, seat: int) -> Part:
        """The evidence of one seat's yard, and of what is around it."""
        box = self.boxes[seat]
        middle = self._middle(seat, self.off)
        pad = round(_ALLOWANCE * self.view.square)
        rows, columns = box
        wide = slice(max(0, rows.start - pad), rows.stop + pad), slice(max(0, columns.start - pad), columns.stop + pad)
        inner = cv2.erode(self.masks[seat].astype(np.uint8), np.ones((3, 3), np.uint8))[wide] > 0
        evidence, least = (self._placed(values, box, wide) for values in self._surprises(seat, middle, mirrors=True))
        unlit = self._placed(self._surprises(seat, middle, mirrors=False)[0], box, wide)
        unseen = float(self.blind[self.masks[seat]].mean())
        return Part(wide, inner, evidence, least, np.ascontiguousarray(self.look.lab[wide]), (float(middle[0]), float(middle[1])), unseen,
                    float((unlit[inner] > 0).mean()))

    def _surprises(self, seat: int, middle: Matrix, *, mirrors: bool) -> tuple[Floats, Floats]:
        """Surprise (h, w) in a yard's box at what several of the like places show, and the least at any."""
        opinions = [*self._turned_about(seat, middle, (1, 2, 3), mirrors=mirrors), *self._of_the_others(seat, mirrors=mirrors)]
        ranked = np.sort(np.stack(opinions), axis=0)  # nan, no opinion, comes last
        several = np.clip(np.isfinite(ranked).sum(axis=0), 1, _OPINIONS) - 1
        return np.take_along_axis(ranked, several[None], axis=0)[0], ranked[0]

    def _placed(self, values: Floats, box: Box, wide: Box) -> Floats:
        """Evidence by surprises (h, w) of a box in a wider one."""
        whole = np.full(self.look.blind.shape, np.nan, dtype=np.float32)
        whole[box] = values
        cut = whole[wide]
        said = np.clip((np.minimum(cut, _MOST) - _PRINT) / _UNLIKE, _LITTLE, MUCH)
        said = np.where(np.isnan(cut), _UNKNOWN, said)
        return np.where(self.blind[wide], 0, said).astype(np.float32)

    def _middle(self, seat: int, off: float) -> Matrix:
        return np.asarray(self.middles[seat] + off * self.outward[seat], dtype=np.float64)

    def _off(self) -> float:
        """How far out of the yards' middles, along their diagonals, lie the points about which they are printed alike."""
        seats = range(len(self.masks))
        halves = [next(iter(self._turned_about(seat, self.middles[seat], (2,), mirrors=False))) for seat in seats]
        odd = [np.nanmean(half > _PRINT + 2 * _UNLIKE) for half in halves]
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
            (found,) = self._turned_about(seat, self._middle(seat, off), (2,), mirrors=False)
            compared = np.isfinite(found)
            lab = self.look.lab[box]
            plain = np.linalg.norm(lab - np.median(lab[here], axis=0), axis=2) < 2 * _PRINT
            total += float((_PRINT + 2 * _UNLIKE - np.minimum(found[compared], _MOST)).sum())
            total += float(np.where(plain[here & ~compared], _PRINT, -2 * _PRINT).sum())
        return total

    def _turned_about(self, seat: int, middle: Matrix, turns: Iterable[int], *, mirrors: bool) -> Iterable[Floats]:
        """Surprise (h, w) in a yard's box at how it looks turned about a point; nan where that leaves the yard. On dark print what is
        turned out of its place looks lit: while the point is sought, there are no `mirrors`."""
        known = self.masks[seat] & ~self.blind
        for turn in turns:
            points = turned(self.points[self.boxes[seat]], float(middle[0]), float(middle[1]), turn)
            yield self._surprise(seat, points, known, None, mirrors)

    def _of_the_others(self, seat: int, *, mirrors: bool) -> Iterable[Floats]:
        """Surprise (h, w) in a yard's box at how the other yards look, their inks exchanged."""
        half = self.plan.size / 2
        for turn in (1, 2, 3):
            yield self._surprise(seat, turned(self.points[self.boxes[seat]], half, half, turn), self.known, turn, mirrors)

    def _surprise(self, seat: int, points: Floats, known: Mask, turn: int | None, mirrors: bool) -> Floats:
        box = self.boxes[seat]
        at = cv2.perspectiveTransform(points, self.view.homography)
        expected = np.asarray(cv2.remap(self.look.lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR), dtype=np.float32)
        seen = np.asarray(cv2.remap(known.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST) > 0)
        useful = seen & self.masks[seat][box] & ~self.blind[box]
        lab = self.look.lab[box]
        found = self._unlike(lab, expected, useful, mirrors)
        if turn is not None:
            theirs = exchanged(expected, exchange_of(self.plan, self.view, self.inks, turn))
            found = np.minimum(found, self._unlike(lab, theirs, useful, mirrors))
        return np.where(useful, found, np.float32(np.nan))

    def _unlike(self, lab: Floats, expected: Floats, useful: Mask, mirrors: bool) -> Floats:
        """Surprise (h, w) at one print; with `mirrors`, a lamp may be mirrored in it."""
        lit = _relit(expected, lab, useful)
        found = surprise(self.view, lab, lit, useful)
        lighter = useful & (found > _PRINT) & (lab[..., 0] > lit[..., 0])
        if not mirrors or lighter.sum() < _GLINT * self.view.square**2:
            return found
        mirrored = under_mirrored_lamp(self.view, lab, expected, useful)
        return np.minimum(found, surprise(self.view, lab, _relit(mirrored, lab, useful), useful))

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
