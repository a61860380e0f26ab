"""The mean of pictures of a table at which nothing moves: a camera's noise, drawn anew for each, is less in it."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from .gate import MIDDLE, spread_about

Picture = NDArray[np.uint8]

MOST = 4  # pictures that count: noise is halved, and what drifts is followed
_SPREADS, _LEAST_STEP = 6.0, 6.0  # of noise; levels
_GROWTH = 1.05  # by which noise may be more from picture to picture: a lamp is put out, and the camera turns up its gain
_LEAST_PART = 0.04  # of a square's area: a smaller change is no token that was moved a little


class Steady:
    """Working pictures, all brought by one registration, added up for as long as they show the same.

    A picture that differs anywhere from the mean of those before, by a token that the gate did not see move or because it is a bad one,
    is not mixed with them: the mean begins anew with it.
    """

    def __init__(self) -> None:
        self._mean: Picture | None = None
        self.count = 0  # of the pictures added up
        self._noise = np.full(3, np.inf)  # of a picture, by channel

    def forget(self) -> None:
        """Something moved."""
        self._mean, self.count = None, 0

    def __bool__(self) -> bool:
        return self._mean is not None

    @property
    def mean(self) -> Picture:
        """Of what was added; there must be something."""
        assert self._mean is not None
        return self._mean

    def add(self, picture: Picture, square: float) -> Picture:
        """The mean with this picture (h, w, 3), whose squares are `square` pixels wide."""
        if self._mean is None or not self._shows_the_same(self._mean, picture, _LEAST_PART * square**2):
            self._mean, self.count = picture, 1
        else:
            self.count = min(self.count + 1, MOST)
            share = 1 / self.count
            self._mean = np.asarray(cv2.addWeighted(picture, share, self._mean, 1 - share, 0), dtype=np.uint8)
        return self._mean

    def _shows_the_same(self, mean: Picture, picture: Picture, least: float) -> bool:
        """Does it show what the mean does, but for noise and for light that rose or fell everywhere? The noise is that of quieter
        pictures before: a bad picture differs by more."""
        old, new = cv2.blur(mean, (3, 3)), cv2.blur(picture, (3, 3))
        gains = np.array(cv2.mean(old)) / np.maximum(cv2.mean(new), 1.0)
        change = cv2.addWeighted(cv2.multiply(new, gains), 1.0, old, -1.0, MIDDLE)
        told = [spread_about(cv2.calcHist([change], [channel], None, [256], [0, 256])) for channel in range(3)]
        more = math.sqrt(1 + 1 / self.count)  # the mean has noise as well
        middles, spreads = np.array(told).T
        self._noise = np.minimum(_GROWTH * self._noise, spreads / more)
        steps = np.maximum(_LEAST_STEP, _SPREADS * self._noise * more)
        other = cv2.bitwise_not(cv2.inRange(change, middles - steps, middles + steps))
        if cv2.countNonZero(other) < least:
            return True
        _, _, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=8)
        return bool(stats[1:, cv2.CC_STAT_AREA].max() < least)
