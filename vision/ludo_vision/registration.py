"""Where the board lies in a picture: the map between board squares and pixels, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import VisionError
from .plan import Plan, Point

Array = NDArray[np.float64]

_UNDISTORT_STEPS = 12  # the fixed-point iteration halves its error at least threefold a step for |k1| <= 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """The board's place in pictures of one size.

    A board point goes to a pixel in four steps: `middle` is the width of the middle row and column in squares, the others being so
    much narrower (1: an even grid); the card's `fold` (axis, x, y, z) moves it by w * (x, y) squares and then towards the middle by
    1 + w * z, w being 1 - |2c/size - 1| and c its coordinate across the fold (a creased card rises there, which adds w times the
    camera's third column, three unknowns, to the homogeneous pixel); `homography` (3x3, squares to ideal pixels) projects it; the
    lens moves it along the ray from the picture's centre to centre + (ideal - centre) * (1 + k1 * r**2), r being the ideal distance
    from the centre in halves of the picture's longer side.

    `size`: squares along one side. `picture_size`: (width, height). `how`: given, markers or print. `residual_squares`: the median
    distance between printed cells and where this map puts them (0 for given corners). `colours`: the seats' colours as read from
    the print when they were not known beforehand.
    """

    homography: Array
    k1: float
    size: int
    picture_size: tuple[int, int]
    how: str
    residual_squares: float = 0.0
    fold: tuple[int, float, float, float] | None = None
    middle: float = 1.0
    colours: tuple[str, ...] | None = None

    @classmethod
    def from_corners(cls, corners: Sequence[Point], grid_size: int, picture_size: tuple[int, int], *, plan: Plan | None = None,
                     k1: float = 0.0) -> Registration:
        """The board whose grid has these outer corners: pixels, in the order of the seats' yards, `grid_size` squares a side.

        With a plan its yards say which corner is whose; without, the seats go clockwise from the corner (0, 0).

        Raises VisionError for corners that are not four, outside the picture, or not the corners of a board seen from above.
        """
        given = np.asarray(corners, dtype=np.float64)
        if given.shape != (4, 2) or not np.isfinite(given).all():
            raise VisionError(f"corners: {len(corners)} given; a board has four corners x,y in pixels, in the order of the yards")
        width, height = picture_size
        for letter, (x, y) in zip("ABCD", given, strict=True):
            if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
                raise VisionError(f"corner {letter} at {x:.0f},{y:.0f} is outside the picture of {width}x{height}; "
                                  "give the corner's place in this picture, or move the camera")
        turns = _turns(given)
        if not ((turns > 1.0).all() or (turns < -1.0).all()):
            raise VisionError("the corners do not go round the board; give them in the order of the yards A, B, C, D")
        n = float(grid_size)
        square = np.array(seat_corners(plan) if plan is not None else [(0, 0), (n, 0), (n, n), (0, n)], dtype=np.float32)
        if (turns[0] > 0) != bool(_turns(square)[0] > 0):
            raise VisionError("the corners go round the wrong way, as in a mirror; give them in the order of the yards A, B, C, D")
        centre = _centre(picture_size)
        ideal = _undistort(given, k1, centre, max(picture_size) / 2)
        homography = cv2.getPerspectiveTransform(square, ideal.astype(np.float32)).astype(np.float64)
        return cls(homography, k1, grid_size, picture_size, "given")

    def to_pixels(self, points: ArrayLike) -> Array:
        """Pixels (N, 2) of board points (N, 2) in squares."""
        board, half = np.asarray(points, dtype=np.float64).reshape(-1, 2), self.size / 2
        if self.middle != 1.0:
            board = self._stretch(board, 1.0, self.middle)
        if self.fold is not None:
            rise, shift, shrink = self._rise(board)
            board = half + (board - half + rise * shift) / (1 + rise * shrink)
        ideal = project(self.homography, board)
        centre = _centre(self.picture_size)
        ray = ideal - centre
        r2 = (ray**2).sum(axis=1, keepdims=True) / (max(self.picture_size) / 2) ** 2
        return np.asarray(centre + ray * (1 + self.k1 * r2), dtype=np.float64)

    def to_board(self, points: ArrayLike) -> Array:
        """Board points (N, 2) in squares of pixels (N, 2); the inverse of `to_pixels`."""
        flat = project(np.asarray(np.linalg.inv(self.homography), dtype=np.float64), self.to_ideal(points))
        board, half = flat, self.size / 2
        if self.fold is not None:
            for _ in range(_UNDISTORT_STEPS):
                rise, shift, shrink = self._rise(board)
                board = half + (flat - half) * (1 + rise * shrink) - rise * shift
        return board if self.middle == 1.0 else self._stretch(board, self.middle, 1.0)

    def _rise(self, board: Array) -> tuple[Array, Array, float]:
        """How far up the fold board points are (N, 1), 0 ... 1, its shift in squares and its shrinking."""
        assert self.fold is not None
        axis, x, y, z = self.fold
        return 1 - np.abs(2 * board[:, axis : axis + 1] / self.size - 1), np.array([x, y]), z

    def _stretch(self, board: Array, old: float, new: float) -> Array:
        """Board points when the middle row and column are `new` wide instead of `old`, the board's size staying."""
        away = board - self.size / 2
        inner = np.clip(away, -old / 2, old / 2)
        return np.asarray(self.size / 2 + inner * (new / old) + (away - inner) * (self.size - new) / (self.size - old), dtype=np.float64)

    def to_ideal(self, pixels: ArrayLike) -> Array:
        """Ideal pixels (N, 2), the lens undone, of pixels (N, 2)."""
        seen = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        return _undistort(seen, self.k1, _centre(self.picture_size), max(self.picture_size) / 2)

    def corners(self, plan: Plan | None = None) -> tuple[Point, Point, Point, Point]:
        """The grid's outer corners in pixels, in the order of the plan's seats, or clockwise from (0, 0)."""
        n = float(self.size)
        places = seat_corners(plan) if plan is not None else ((0, 0), (n, 0), (n, n), (0, n))
        a, b, c, d = ((float(x), float(y)) for x, y in self.to_pixels(places))
        return a, b, c, d

    def square_pixels(self) -> float:
        """The mean length of a square's side around the board's centre, in pixels."""
        middle, reach = self.size / 2, self.size / 4
        pixels = self.to_pixels([(middle - reach, middle), (middle + reach, middle), (middle, middle - reach), (middle, middle + reach)])
        return float(np.hypot(*(pixels[1] - pixels[0])) + np.hypot(*(pixels[3] - pixels[2]))) / (4 * reach)


def seat_corners(plan: Plan) -> tuple[Point, ...]:
    """The grid's outer corner beside each seat's yard, in board squares."""
    half, n = plan.size / 2, float(plan.size)
    centres = (np.mean(plan.spots[yard].outline, axis=0) for yard in plan.yards)
    return tuple((n if x > half else 0.0, n if y > half else 0.0) for x, y in centres)


def _turns(corners: NDArray[np.floating[Any]]) -> Array:
    """The cross product of the two sides at each corner: all of one sign for a convex outline."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    return np.asarray(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0], dtype=np.float64)


def _centre(picture_size: tuple[int, int]) -> Array:
    return np.array([(picture_size[0] - 1) / 2, (picture_size[1] - 1) / 2])


def project(homography: Array, points: Array) -> Array:
    """Points (N, 2) through a homography."""
    ones = np.hstack([points, np.ones((len(points), 1))]) @ homography.T
    depth = np.where(np.abs(ones[:, 2:]) < 1e-12, 1e-12, ones[:, 2:])  # a point on the horizon goes far, not to infinity
    return np.asarray(ones[:, :2] / depth, dtype=np.float64)


def _undistort(pixels: Array, k1: float, centre: Array, unit: float) -> Array:
    ray = pixels - centre
    ideal = ray
    for _ in range(_UNDISTORT_STEPS if k1 else 0):
        ideal = ray / (1 + k1 * (ideal**2).sum(axis=1, keepdims=True) / unit**2)
    return np.asarray(centre + ideal, dtype=np.float64)
