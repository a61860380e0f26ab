"""Light: what a pixel's colour would be under even white light, and how the light changed between two pictures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

BURNT = 250  # a channel at or above this tells nothing any more
_BLOCK = 12  # pixels: the grain at which a change of light is looked for
_TO_LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255, np.arange(256) / 255 / 12.92, ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4
).astype(np.float32)


def linear(picture: Picture) -> Floats:
    """Linear light (h, w, 3) float32 of an sRGB picture (IEC 61966-2-1)."""
    return np.asarray(cv2.LUT(picture, _TO_LINEAR), dtype=np.float32)


def lab(light: Floats) -> Floats:
    """CIE Lab (h, w, 3) float32 of whitened linear BGR: L 0..100."""
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_LBGR2Lab), dtype=np.float32)


def smooth_field(values: NDArray[np.float64], at: NDArray[np.float64], weights: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """A quadratic over the picture through `values` (N, 3) measured at `at` (N, 2) pixels, robustly: (h, w, 3).

    With few points the curvature is held back, so that nothing is made up where nothing was measured.
    """
    scale = np.array(size, dtype=np.float64) / 2
    basis = _basis((at - scale) / scale)
    weights = weights.copy()
    stiff = np.diag([0.0, 0.3, 0.3, 1.0, 1.0, 1.0]) * max(1e-3, 0.02 * weights.sum())
    shape = np.zeros((6, values.shape[1]))
    for _ in range(5):
        shape = np.linalg.solve(basis.T @ (weights[:, None] * basis) + stiff + 1e-9 * np.eye(6), basis.T @ (weights[:, None] * values))
        off = np.abs(values - basis @ shape).max(axis=1)
        spread = 1.4826 * np.median(off) + 0.01
        weights = weights / (1 + (off / (2 * spread)) ** 2) ** 0.5
    coarse = (np.linspace(-1, 1, 16), np.linspace(-1, 1, 16))
    x, y = np.meshgrid(*coarse)
    field = (_basis(np.stack([x.ravel(), y.ravel()], axis=1)) @ shape).reshape(16, 16, -1).astype(np.float32)
    grid_x, grid_y = np.meshgrid(np.linspace(0, 15, size[0], dtype=np.float32), np.linspace(0, 15, size[1], dtype=np.float32))
    return np.asarray(cv2.remap(field, grid_x, grid_y, cv2.INTER_LINEAR), dtype=np.float32)


def change_of_light(light: Floats, reference: Floats, usable: Mask) -> Floats:
    """What `light` (h, w, 3) must be multiplied by to look as if lit as `reference` was: a smooth field (h, w, 3).

    Tokens that moved and hands are few blocks among many; the robust fit leaves them out. `usable`: pixels to look at.
    """
    height, width = usable.shape
    rows, columns = height // _BLOCK, width // _BLOCK
    counts = _blocks(usable.astype(np.float32)[..., None], rows, columns)[..., 0]
    masked = usable[..., None]
    new = _blocks(np.where(masked, light, 0), rows, columns)
    old = _blocks(np.where(masked, reference, 0), rows, columns)
    good = (counts > 0.5) & (new.min(axis=2) > 1e-3) & (old.min(axis=2) > 1e-3)
    if good.sum() < 12:
        return np.ones((1, 1, 3), dtype=np.float32)
    ratio = np.log(old[good] / new[good]).astype(np.float64)
    middle = np.median(ratio, axis=0)
    y, x = np.nonzero(good)
    at = np.stack([(x + 0.5) * _BLOCK, (y + 0.5) * _BLOCK], axis=1)
    weights = counts[good].astype(np.float64) / (1 + (np.abs(ratio - middle).max(axis=1) / 0.15) ** 2)
    return np.asarray(np.exp(smooth_field(ratio, at, weights, (width, height))), dtype=np.float32)


def _basis(points: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = points.T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _blocks(values: Floats, rows: int, columns: int) -> Floats:
    """The mean of every _BLOCK x _BLOCK block."""
    cut = np.ascontiguousarray(values[: rows * _BLOCK, : columns * _BLOCK])
    small = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32).reshape(rows, columns, -1)
