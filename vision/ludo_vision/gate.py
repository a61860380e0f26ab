"""Still or moving, from a small grey picture: cheap enough for every picture of the camera."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from .registration import Registration

Grey = NDArray[np.uint8]
Colour = NDArray[np.uint8]

WIDTH = 320
LEAST_STEP, MOST_STEP = 10.0, 24.0  # grey levels: less is the noise of any camera, more is none's
NOISE_STEPS = 6.0  # standard deviations of this camera's noise
_SAMPLE = 4  # every fourth row tells how much noise there is
MIDDLE = 128  # the level of no change
_LEVELS = np.arange(256)
QUARTER = 0.3186  # of a normal distribution's deviations, a quarter is smaller than that
LEAST_PART = 0.12  # of a square's area: what moves with a token is bigger, a speck of noise smaller
ROUND_SQUARES = 2.0  # a hand on its way in is seen so early


class Gate:
    """Compares each picture with the one before. Light that rises or falls everywhere is no motion."""

    def __init__(self) -> None:
        self._seen: tuple[Colour, ...] = ()  # the last two pictures, small
        self._last: Grey | None = None
        self._marked: Grey | None = None
        self._glance: Grey | None = None  # the last since the last whole picture
        self._glanced: Grey | None = None  # the last before that
        self._where: NDArray[np.uint8] | None = None
        self._least_pixels = 12.0

    def watch(self, registration: Registration) -> None:
        """Only what happens over the board and a little around it counts from now on."""
        width, height = registration.picture_size
        small = WIDTH / width
        n, m = float(registration.size), ROUND_SQUARES
        rim = registration.to_pixels(np.array([(-m, -m), (n + m, -m), (n + m, n + m), (-m, n + m)]))
        self._where = np.zeros((round(height * small), WIDTH), dtype=np.uint8)
        cv2.fillConvexPoly(self._where, np.round(rim * small).astype(np.int32), 1)
        self._least_pixels = max(4.0, LEAST_PART * (registration.square_pixels() * small) ** 2)

    def moved(self, picture: NDArray[np.uint8]) -> bool:
        """Whether something moved since the picture before; True for the first."""
        size = (WIDTH, round(picture.shape[0] * WIDTH / picture.shape[1]))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        self._seen = (*self._seen[-1:], small)
        last, self._last = self._last, np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        self._glanced, self._glance = self._glance, None
        return self._differ(last, self._last)

    def noise(self) -> float:
        """The standard deviation (levels) of the camera's noise in the channel in which it is worst, by the last two pictures, in which
        nothing moved; 0.0 when there are no two."""
        if self._last is None or len(self._seen) < 2 or self._seen[0].shape != self._seen[1].shape:
            return 0.0
        old, new = self._seen
        change, watched = cv2.addWeighted(new[::_SAMPLE], 1.0, old[::_SAMPLE], -1.0, MIDDLE), self._watched(self._last)
        some = None if watched is None else watched[::_SAMPLE]
        spreads = [spread_about(cv2.calcHist([change], [channel], some, [256], [0, 256]))[1] for channel in range(3)]
        return max(spreads) / math.sqrt(2)

    def glance(self, small: Grey) -> bool:
        """Whether a small grey picture (about 320 wide) that the camera made itself shows what the one before the last whole picture did;
        False where there was none."""
        self._glance = small
        return not self._differ(self._glanced, small)

    def mark(self) -> None:
        """Remember the newest picture, for `changed`."""
        self._marked = self._last

    def changed(self) -> bool:
        """Whether the newest picture differs from the marked one: a hand slower than the eye of `moved` leaves that behind."""
        return self._last is not None and self._differ(self._marked, self._last)

    def _watched(self, small: Grey) -> Grey | None:
        """What is watched of such a small picture; None: all of it."""
        return self._where if self._where is not None and self._where.shape == small.shape else None

    def _differ(self, old: Grey | None, new: Grey) -> bool:
        if old is None or old.shape != new.shape:
            return True
        watched = self._watched(new)
        some = None if watched is None else watched[::_SAMPLE]
        change = cv2.addWeighted(new[::_SAMPLE], 1.0, old[::_SAMPLE], -1.0, MIDDLE)
        middle, noise = spread_about(cv2.calcHist([change], [0], some, [256], [0, 256]))
        if middle != MIDDLE:
            old = np.asarray(cv2.addWeighted(old, 1.0, old, 0.0, middle - MIDDLE), dtype=np.uint8)  # in the new one's light
        step = float(np.clip(NOISE_STEPS * noise, LEAST_STEP, MOST_STEP))
        mask = np.asarray(cv2.threshold(cv2.absdiff(new, old), step, 1, cv2.THRESH_BINARY)[1], dtype=np.uint8)
        if watched is not None:
            mask = np.asarray(cv2.bitwise_and(mask, watched), dtype=np.uint8)
        if cv2.countNonZero(mask) < self._least_pixels:
            return False
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        return float(stats[1:, cv2.CC_STAT_AREA].max()) >= self._least_pixels


def spread_about(counts: NDArray[Any]) -> tuple[int, float]:
    """The median of changes, counted by level (256), and the standard deviation of the noise about it."""
    counts = counts.astype(np.float64).ravel()
    middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
    # A quarter of the pixels is flat ground, which stays the same even where the whole picture shifted.
    nearest = np.bincount(np.abs(_LEVELS - middle), weights=counts).astype(np.float64)
    return middle, _quantile(nearest, 0.25) / QUARTER


def _quantile(counts: NDArray[np.float64], share: float) -> float:
    """The value below which a share of counted levels lies, each level spread evenly over half a level to both sides."""
    below = np.cumsum(counts)
    level = int(np.searchsorted(below, share * below[-1]))
    before = below[level - 1] if level else 0.0
    return max(0.0, level - 0.5 + float((share * below[-1] - before) / max(counts[level], 1e-9)))
