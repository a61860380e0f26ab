"""The working picture: the board's part of the camera's picture, lens undone, at a size where a square is some twenty pixels.

Everything after registration happens in this frame. It is fixed when the board is found; later pictures are brought into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import COARSE_LIGHT
from .registration import Registration

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Blocks = tuple[tuple[slice, slice], ...]
"""Parts of a picture: rows and columns of each."""

SQUARE_PIXELS = 22.0  # enough for a token's outline; twice as much costs four times as long and reads hardly better
MARGIN_SQUARES = 1.6  # tokens at the rim lean outward
DEFAULT_FOCAL = 1.035  # of the picture's width: a 52 degree lens, the middle of webcams and camera modules
FOCAL_SPREAD = 0.25  # of the logarithm: how far from the default a lens may be expected
TALLEST, WIDEST = 2.0, 0.5  # squares: no token is taller (or two on one another), nor reaches farther beyond the board's edge with its foot
_BLOCK_ROWS = 64  # of the picture's parts: what is worked out part by part stays in the processor's cache, and needs little memory
_MAP_STEP = 12  # pixels between the points where the way to the camera's picture is worked out exactly


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The working frame. `homography`: board squares to working pixels; `camera` (3x4): points (x, y, z up) in squares to working
    pixels; `eye`: where the camera is, in squares; `square`: pixels of a mean square; `size`: (width, height)."""

    registration: Registration
    homography: Array
    camera: Array
    eye: Array
    square: float
    size: tuple[int, int]

    @classmethod
    def of(cls, registration: Registration, square_pixels: float = SQUARE_PIXELS, focal: float | None = None) -> View:
        """The working frame of a board found in a picture; `focal` in pixels when the lens is known."""
        n = float(registration.size)
        m = MARGIN_SQUARES
        rim = np.array([(-m, -m), (n + m, -m), (n + m, n + m), (-m, n + m)])
        ideal = _project(registration.homography, rim)
        inner = _project(registration.homography, np.array([(0, 0), (n, 0), (n, n), (0, n)], dtype=np.float64))
        side = np.sqrt(cv2.contourArea(inner.astype(np.float32))) / n
        scale = min(1.0, square_pixels / side)
        low, high = ideal.min(axis=0), ideal.max(axis=0)
        shrink = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1.0]])
        camera, eye = _camera(registration, focal)
        width, height = (COARSE_LIGHT * int(v) for v in np.ceil((high - low) * scale / COARSE_LIGHT))  # light is told in whole blocks
        return cls(registration, shrink @ registration.homography, shrink @ camera, eye, float(side * scale), (width, height))

    def feet(self, points: Sequence[tuple[float, float]] | Array) -> Array:
        """Working pixels (N, 2) of points on the board (N, 2) in squares."""
        return _project(self.homography, np.asarray(points, dtype=np.float64).reshape(-1, 2))

    def lifted(self, points: Array) -> Array:
        """Working pixels (N, 2) of points (N, 3) in squares, z up. Feet come from the homography, only the lean from the pose:
        a guessed focal length then does not move anything that stands on the board."""
        flat = points.copy()
        flat[:, 2] = 0
        return self.feet(points[:, :2]) + _project(self.camera, points) - _project(self.camera, flat)

    def blocks(self) -> Blocks:
        """The parts of the working picture in which board or tokens are seen, band by band: the corners round a turned board are not."""
        low, high = -WIDEST, self.registration.size + WIDEST
        rim = np.array([(x, y, z) for x in (low, high) for y in (low, high) for z in (0.0, TALLEST)])
        mask = np.zeros((self.size[1], self.size[0]), dtype=np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(self.lifted(rim)).astype(np.int32)), 1)
        blocks = []
        for top in range(0, self.size[1], _BLOCK_ROWS):
            left, first, width, rows = cv2.boundingRect(mask[top : top + _BLOCK_ROWS])
            if width:
                blocks.append((slice(top + first, top + first + rows), slice(left, left + width)))
        return tuple(blocks)

    def distance(self, foot: tuple[float, float]) -> float:
        """Squares from the camera to a foot: nearer tokens hide farther ones."""
        return float(np.hypot(np.hypot(foot[0] - self.eye[0], foot[1] - self.eye[1]), self.eye[2]))

    def bring(self, picture: Picture, registration: Registration) -> tuple[Picture, NDArray[np.bool_]]:
        """The working picture of a camera picture whose board is at `registration`, and the mask of pixels the camera did not see."""
        width, height = self.size
        columns, rows = -(-width // _MAP_STEP) + 1, -(-height // _MAP_STEP) + 1
        x, y = np.meshgrid(np.arange(columns, dtype=np.float64) * _MAP_STEP, np.arange(rows, dtype=np.float64) * _MAP_STEP)
        board = _project(np.asarray(np.linalg.inv(self.homography), dtype=np.float64), np.stack([x.ravel(), y.ravel()], axis=1))
        source = registration.to_pixels(board).reshape(rows, columns, 2).astype(np.float32)
        shrunk = 1.0
        if registration.square_pixels() > 1.7 * self.square:
            # The camera's picture is much finer than the working one: average before sampling.
            shrunk = self.square * 1.25 / registration.square_pixels()
            low = np.floor(np.maximum(source.min(axis=(0, 1)) - 2, 0)).astype(int)
            high = np.ceil(source.max(axis=(0, 1)) + 3).astype(int)
            picture = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
            before = np.array(picture.shape[1::-1])
            after = np.maximum(np.round(before * shrunk), 1).astype(int)
            picture = np.asarray(cv2.resize(picture, (int(after[0]), int(after[1])), interpolation=cv2.INTER_AREA), dtype=np.uint8)
            source = ((source - low.astype(np.float32) + 0.5) * (after / before).astype(np.float32) - 0.5).astype(np.float32)
        fine = _upsample(source, self.size)
        whole, parts = cv2.convertMaps(fine, np.empty(0, np.float32), cv2.CV_16SC2)
        working = cv2.remap(picture, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = cv2.inRange(fine, (-0.5, -0.5), (picture.shape[1] - 0.5, picture.shape[0] - 0.5))
        return np.asarray(working, dtype=np.uint8), np.asarray(seen == 0)


def _upsample(coarse: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """A map known every _MAP_STEP pixels, at every pixel (bilinear; the map is smooth)."""
    return np.asarray(cv2.remap(coarse, *_between(size), cv2.INTER_LINEAR), dtype=np.float32)


@lru_cache(maxsize=1)
def _between(size: tuple[int, int]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where every pixel lies between those points, as `remap` takes it."""
    x, y = np.meshgrid(*(np.arange(side, dtype=np.float32) / _MAP_STEP for side in size))
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(whole, dtype=np.int16), np.asarray(parts, dtype=np.uint16)


def _camera(registration: Registration, focal: float | None) -> tuple[Array, Array]:
    """The 3x4 camera (ideal pixels) of a board's homography and where it stands, in squares.

    One homography gives the focal length only in a tilted view: what it says is weighed against the default lens.
    """
    width, height = registration.picture_size
    centre = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    flat = centre @ registration.homography
    if focal is None:
        guesses = DEFAULT_FOCAL * width * np.exp(np.linspace(-0.8, 0.8, 81))
        focal = float(min(guesses, key=lambda f: _misfit(flat, f) + 0.5 * (np.log(f / (DEFAULT_FOCAL * width)) / FOCAL_SPREAD) ** 2))
    first, second, third = (flat / np.array([[focal], [focal], [1.0]])).T
    if third[2] < 0:
        first, second, third = -first, -second, -third
    scale = 2 / (np.linalg.norm(first) + np.linalg.norm(second))
    down = np.cross(first, second) * scale * scale
    rotation = np.stack([first * scale, second * scale, -down], axis=1)
    u, _, v = np.linalg.svd(rotation)
    rotation, shift = u @ v, third * scale
    eye = -rotation.T @ shift
    if eye[2] < 0:
        rotation[:, 2], eye[2] = -rotation[:, 2], -eye[2]
    lens = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return lens @ np.hstack([rotation, shift[:, None]]), eye


def _misfit(flat: Array, focal: float) -> float:
    """How far the board's axes are from equal and square under a focal length, in units of a corner error of about 0.05 square."""
    first, second = (flat[:, :2] / np.array([[focal], [focal], [1.0]])).T
    one, two = np.linalg.norm(first), np.linalg.norm(second)
    return float((np.log(one / two) / 0.01) ** 2 + (first @ second / (one * two) / 0.01) ** 2) / 2


def _project(matrix: Array, points: Array) -> Array:
    ones = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    return np.asarray(ones[:, :2] / ones[:, 2:], dtype=np.float64)
