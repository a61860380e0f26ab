"""Light: what a pixel's colour would be under even white light, and how the light changed between two pictures."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

BURNT = 250  # a channel at or above this tells nothing any more
_SOFT = 0.7  # pixels: smoothing that takes noise and keeps tokens
COARSE_LIGHT = 3  # pixels to one of the pictures by which changes of light are told
_BLOCK = 4  # pixels of these: the grain at which a change is looked for
_DARK = 1e-3  # of white: less tells nothing
_FIELD = 32  # points along each axis at which a field of light is worked out exactly
_TO_LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255, np.arange(256) / 255 / 12.92, ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4
).astype(np.float32)


def linear(picture: Picture) -> Floats:
    """Linear light (h, w, 3) float32 of an sRGB picture (IEC 61966-2-1)."""
    return np.asarray(cv2.LUT(picture, _TO_LINEAR), dtype=np.float32)


def prepared(picture: Picture, unseen: Mask) -> tuple[Floats, Mask]:
    """Linear light of a working picture, a little smoothed, and the pixels that tell nothing: burnt out or not in the picture."""
    burnt = cv2.inRange(picture, (BURNT,) * 3, (255,) * 3)
    core = cv2.erode(burnt, np.ones((3, 3), np.uint8))  # a highlight on a token is smaller than glare
    glare = np.asarray(cv2.dilate(core, np.ones((5, 5), np.uint8))) > 0
    soft = np.asarray(cv2.GaussianBlur(picture, (3, 3), _SOFT), dtype=np.uint8)
    return linear(soft), np.asarray(unseen | glare)


def lab(light: Floats) -> Floats:
    """CIE Lab (h, w, 3) float32 of whitened linear BGR: L 0..100."""
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_LBGR2Lab), dtype=np.float32)


def linear_of(lab: Floats) -> Floats:
    """Linear BGR (h, w, 3) of CIE Lab: the reverse of `lab`."""
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_Lab2LBGR), dtype=np.float32)


def smooth_gain(logs: NDArray[np.float64], at: NDArray[np.float64], weights: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """The gain whose logarithm is a quadratic over the picture through `logs` (N, 3) measured at `at` (N, 2) pixels, robustly: as a field
    (rows, columns, 3) of few points, for `spread`.

    With few points the curvature is held back, so that nothing is made up where nothing was measured.
    """
    scale = np.array(size, dtype=np.float64) / 2
    basis, logs = _basis(((at - scale) / scale).T), np.ascontiguousarray(logs.T)
    weights = weights.copy()
    stiff = np.diag([0.0, 0.3, 0.3, 1.0, 1.0, 1.0]) * max(1e-3, 0.02 * weights.sum()) + 1e-9 * np.eye(6)
    shape = np.zeros((6, len(logs)))
    for _ in range(5):
        weighted = basis * weights
        shape = np.linalg.solve(weighted @ basis.T + stiff, weighted @ logs.T)
        off = np.abs(logs - shape.T @ basis).max(axis=0)
        spread = 1.4826 * np.median(off) + 0.01
        weights = weights / np.sqrt(1 + (off / (2 * spread)) ** 2)
    return np.exp(_field().T @ shape).reshape(_FIELD, _FIELD, -1).astype(np.float32)


@cache
def _field() -> NDArray[np.float64]:
    steps = (2 * np.arange(_FIELD) + 1) / _FIELD - 1
    return _basis(np.stack(np.meshgrid(steps, steps)).reshape(2, -1))


def spread(field: Floats, picture: Floats) -> Floats:
    """A field of light over a whole picture, (h, w, 3)."""
    return np.asarray(cv2.resize(field, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32).reshape(picture.shape)


def coarse(light: Floats) -> Floats:
    """A picture of linear light as changes of light are told by: a third as large."""
    size = light.shape[1] // COARSE_LIGHT, light.shape[0] // COARSE_LIGHT
    return np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def change_of_light(light: Floats, reference: Floats, usable: Mask) -> Floats:
    """What `light` must be multiplied by to look as if lit as `reference` was (both coarse): a smooth field, for `spread`.

    Tokens that moved and hands are few blocks among many; the robust fit leaves them out. `usable` (h, w): pixels to look at.
    """
    height, width = usable.shape
    rows, columns = light.shape[0] // _BLOCK, light.shape[1] // _BLOCK
    part = cv2.resize(usable.astype(np.uint8) * 255, light.shape[1::-1], interpolation=cv2.INTER_AREA)
    mask = (part == 255).astype(np.uint8)
    counts = _blocks(mask.astype(np.float32), rows, columns)[..., 0]
    new = _blocks(np.asarray(cv2.copyTo(light, mask), dtype=np.float32), rows, columns)
    old = _blocks(np.asarray(cv2.copyTo(reference, mask), dtype=np.float32), rows, columns)
    good = (counts > 0.5) & (cv2.inRange(new, (_DARK,) * 3, (np.inf,) * 3) > 0) & (cv2.inRange(old, (_DARK,) * 3, (np.inf,) * 3) > 0)
    if good.sum() < 12:
        return np.ones((1, 1, 3), dtype=np.float32)
    ratio = np.log(old[good] / new[good]).astype(np.float64)
    middle = np.median(ratio, axis=0)
    y, x = np.nonzero(good)
    pixels = np.array([width / light.shape[1], height / light.shape[0]]) * _BLOCK
    at = (np.stack([x, y], axis=1) + 0.5) * pixels
    weights = counts[good].astype(np.float64) / (1 + (np.abs(ratio - middle).max(axis=1) / 0.15) ** 2)
    return smooth_gain(ratio, at, weights, (width, height))


def _basis(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The terms (6, N) of a quadratic at points (2, N)."""
    x, y = points
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def _blocks(values: Floats, rows: int, columns: int) -> Floats:
    """The mean of every _BLOCK x _BLOCK block."""
    small = cv2.resize(values[: rows * _BLOCK, : columns * _BLOCK], (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32).reshape(rows, columns, -1)
