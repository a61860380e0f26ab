"""Follows a board that was nudged between two still pictures."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
from numpy.typing import NDArray

from .registration import Array, Registration

Grey = NDArray[np.uint8]

FARTHEST_SQUARES = 2.5  # a knock is followed that far, and this much of a turn; farther is a moved board, to be found anew
FARTHEST_TURN_DEG = 12.0
_SQUARE_PIXELS = 24.0  # of the pictures that corners are followed in: flow tells a tenth of a pixel
_SMALL_SIDE = 72.0  # pixels of the board's side in the coarse search
_CORNERS = 300
_LEAST_INLIERS = 30
_LEAST_SHARE = 0.3
_ALIKE = 0.5  # correlation of the whole board with what was there before: seen so well where it was, it is first held to lie there
_STAYED_SQUARES, _STAYED_SHARE = 0.25, 0.5  # and when so many of its corners moved no farther than that, it does


class Follower:
    """A picture in which the board's place is known, to find the board in later ones by.

    Tolerates hands over a part of the board, moved tokens, other light, a knock of up to two squares and ten degrees. The lattice of
    the arms repeats itself every square, so corners alone may lock one square off: a coarse look at the whole board starts them, and
    the yards, which do not repeat, must agree. A card turned by just a quarter looks the same in grey: colours have to tell that.
    Only the board and as much around it as it may have moved is looked at, at the size in which its squares are some 24 pixels.
    """

    def __init__(self, grey: Grey, registration: Registration) -> None:
        self.registration = registration
        self._shape = grey.shape
        square = registration.square_pixels()
        outline = np.array(registration.corners())
        reach = (FARTHEST_SQUARES + 0.5) * square
        left, top = (int(v) for v in np.maximum(np.floor(outline.min(axis=0) - reach), 0))
        right, bottom = (int(v) for v in np.minimum(np.ceil(outline.max(axis=0) + reach), (grey.shape[1], grey.shape[0])))
        self._part = (slice(top, bottom), slice(left, right))
        scale = min(1.0, _SQUARE_PIXELS / square)
        times = max(1, round(square * scale * registration.size / _SMALL_SIDE))  # as large as in the coarse search
        self._size = (times * round((right - left) * scale / times), times * round((bottom - top) * scale / times))
        self._shrink = 1 / times
        self._first = np.array([left, top], dtype=np.float64)
        self._scale = np.array([self._size[0] / (right - left), self._size[1] / (bottom - top)])
        self._square = square * float(self._scale.mean())
        cut = self._cut(grey)
        self._flat = self._flatten_light(cut)
        mask, yards = np.zeros(cut.shape, dtype=np.uint8), np.zeros(cut.shape, dtype=np.uint8)
        self._draw(mask, outline)
        third = registration.size / 3
        for x, y in ((0.0, 0.0), (2 * third, 0.0), (0.0, 2 * third), (2 * third, 2 * third)):
            self._draw(yards, registration.to_pixels([(x, y), (x + third, y), (x + third, y + third), (x, y + third)]))
        found = [cv2.goodFeaturesToTrack(self._flat, _CORNERS // 2, 0.02, max(3.0, 0.35 * self._square), mask=part)
                 for part in (yards, mask & ~yards)]  # the yards' print may be fainter than the arms'
        self._corners = np.concatenate([np.zeros((0, 1, 2), np.float32), *(part for part in found if part is not None)])
        origin = self._full(self._corners)
        self._origin, self._places = registration.to_ideal(origin), registration.to_board(origin) / registration.size
        self._small, self._inside = self._shrunk(cut), self._shrunk(mask)

    def follow(self, grey: Grey) -> Registration | None:
        """The board's place in `grey` (h, w) uint8; None when too few corners of the print agree on one motion: then the board has
        to be found anew."""
        if grey.shape != self._shape or len(self._corners) < _LEAST_INLIERS:
            return None
        cut = self._cut(grey)
        flat, small = self._flatten_light(cut), self._shrunk(cut)
        guess, likeness = self._coarse_motion(small, (0.0,))
        if likeness > _ALIKE and guess is not None and np.abs(guess[:, 2]).max() <= 1.5 / self._shrink:
            moved, share = self._moved(flat)
            if moved is not None and share >= _STAYED_SHARE and self._shift(moved) <= _STAYED_SQUARES:
                return moved
        guess, _ = self._coarse_motion(small, tuple(np.arange(-FARTHEST_TURN_DEG, FARTHEST_TURN_DEG + 0.1, 3.0)))
        return None if guess is None else self._moved(flat, guess)[0]

    def _moved(self, flat: Grey, guess: Array | None = None) -> tuple[Registration | None, float]:
        """The board's place by the flow of its corners from a first guess (2x3), and the share of the corners that agree.

        Flow knows shifts alone, no turns: the picture is first moved back by the guess.
        """
        nothing = None, 0.0
        if guess is not None:
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            flat = np.asarray(cv2.warpAffine(flat, guess, self._size, flags=flags, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
        ends, status, _ = cv2.calcOpticalFlowPyrLK(self._flat, flat, self._corners, self._corners.copy(), winSize=(15, 15), maxLevel=2)
        ends, kept = ends if guess is None else cv2.transform(ends, guess), status.ravel() == 1
        if kept.sum() < _LEAST_INLIERS:
            return nothing
        # In ideal pixels the motion of a flat board is a homography whatever the lens does.
        goal = self.registration.to_ideal(self._full(ends[kept]))
        motion, inliers = cv2.findHomography(self._origin[kept], goal, cv2.RANSAC, 1.0, maxIters=2000, confidence=0.999)
        if motion is None:
            return nothing
        good = np.zeros(len(kept), dtype=bool)
        good[kept] = inliers.ravel() == 1
        moved = dataclasses.replace(
            self.registration, homography=np.asarray(motion, dtype=np.float64) @ self.registration.homography)
        if not _agreed(self._places, good) or not is_a_nudge(self.registration, moved):
            return nothing
        return moved, float(good.mean())

    def _shift(self, moved: Registration) -> float:
        """How far the board's corners moved at most, in squares."""
        away = np.array(moved.corners()) - np.array(self.registration.corners())
        return float(np.hypot(*away.T).max()) / self.registration.square_pixels()

    def _draw(self, mask: Grey, outline: Array) -> None:
        cv2.fillConvexPoly(mask, np.round((outline - self._first) * self._scale).astype(np.int32), 255)

    def _cut(self, grey: Grey) -> Grey:
        how = cv2.INTER_LINEAR if self._scale.min() > 0.5 else cv2.INTER_AREA  # the quicker one, where no pixel is left out by it
        return np.asarray(cv2.resize(grey[self._part], self._size, interpolation=how), dtype=np.uint8)

    def _full(self, points: NDArray[np.float32]) -> Array:
        """Pixels (N, 2) of the camera's picture of points of the cut (pixel centres are whole numbers in both)."""
        return np.asarray((points.reshape(-1, 2) + 0.5) / self._scale - 0.5 + self._first, dtype=np.float64)

    def _flatten_light(self, cut: Grey) -> Grey:
        """Local contrast: the same print looks the same under another light."""
        window = (2 * round(0.5 * self._square) + 1,) * 2
        smooth = cv2.GaussianBlur(cut, (3, 3), 0)
        mean, spread = cv2.boxFilter(smooth, cv2.CV_32F, window), cv2.sqrBoxFilter(smooth, cv2.CV_32F, window)
        contrast = cv2.subtract(smooth, mean, dtype=cv2.CV_32F)
        spread -= np.multiply(mean, mean, out=mean)
        deviation = cv2.sqrt(np.maximum(spread, 0, out=spread), spread)
        deviation += 10
        contrast = cv2.addWeighted(contrast, 50, deviation, 128, 0, contrast)
        return np.asarray(cv2.divide(contrast, deviation, dtype=cv2.CV_8U), dtype=np.uint8)

    def _shrunk(self, cut: Grey) -> Grey:
        return np.asarray(cv2.resize(cut, None, fx=self._shrink, fy=self._shrink, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _coarse_motion(self, small: Grey, turns: tuple[float, ...]) -> tuple[Array | None, float]:
        """The turn and shift (2x3, pixels of the cut) that bring the reference's board nearest to a picture seen at a small size, and
        how alike they are then."""
        before, inside = self._small, self._inside
        x, y, width, height = cv2.boundingRect(inside)
        reach = int(np.ceil(FARTHEST_SQUARES * self._square * self._shrink))
        centre = (x + width / 2 - 0.5, y + height / 2 - 0.5)
        padded = cv2.copyMakeBorder(small, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
        window = padded[y : y + height + 2 * reach, x : x + width + 2 * reach]
        best, best_score = None, 0.3
        for turn in turns:
            rotation = cv2.getRotationMatrix2D(centre, float(turn), 1.0)
            size = (before.shape[1], before.shape[0])
            template = cv2.warpAffine(before, rotation, size)[y : y + height, x : x + width]
            seen = cv2.warpAffine(inside, rotation, size)[y : y + height, x : x + width]
            scores = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED, mask=(seen > 127).astype(np.uint8))
            scores[~np.isfinite(scores)] = -1
            _, score, _, (dx, dy) = cv2.minMaxLoc(scores)
            if score > best_score:
                rotation[:, 2] += (dx - reach, dy - reach)
                best, best_score = rotation, score
        if best is None:
            return None, 0.0
        # From small to the cut's pixels: pixel centres of the two sizes differ by half a pixel each.
        half = 0.5 / self._shrink - 0.5
        full = best.copy()
        full[:, 2] = best[:, 2] / self._shrink + half - best[:, :2] @ np.array([half, half])
        return np.asarray(full, dtype=np.float64), float(best_score)


def _agreed(places: Array, good: NDArray[np.bool_]) -> bool:
    """Do the corners agree, in most ninths of the board and in two of its yards (that show enough)? `places` (N, 2): board sides, 0..1."""
    if good.sum() < max(_LEAST_INLIERS, _LEAST_SHARE * len(good)):
        return False
    ninth = (np.clip(places, 0, 0.999) * 3).astype(int) @ np.array([1, 3])
    total, agreeing = np.bincount(ninth, minlength=9), np.bincount(ninth[good], minlength=9)
    healthy = agreeing >= np.maximum(4, 0.2 * total)
    yards = [0, 2, 6, 8]
    return bool(healthy.sum() >= 4 and healthy[yards].sum() >= min(2, (total[yards] >= 4).sum()))


def is_a_nudge(before: Registration, after: Registration) -> bool:
    """Is the motion one of a card pushed a little, not of a wild fit?"""
    old, new = np.array(before.corners()), np.array(after.corners())
    shift = np.linalg.norm(new.mean(axis=0) - old.mean(axis=0)) / before.square_pixels()
    growth = after.square_pixels() / before.square_pixels()
    sides_old, sides_new = np.roll(old, -1, axis=0) - old, np.roll(new, -1, axis=0) - new
    cross = sides_old[:, 0] * sides_new[:, 1] - sides_old[:, 1] * sides_new[:, 0]
    turns = np.degrees(np.arctan2(cross, (sides_old * sides_new).sum(axis=1)))
    return bool(shift <= FARTHEST_SQUARES and 0.8 < growth < 1.25 and np.abs(turns).max() <= FARTHEST_TURN_DEG + 3)
