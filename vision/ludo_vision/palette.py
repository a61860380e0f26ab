"""Colours as they are at this table: what shades a kind of print, or a seat's tokens, show. Learned, never looked up."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Indices = NDArray[np.int32]

_LIGHTNESS_STEP, _CHROMA_STEP = 6.25, 8.0
_LIGHTNESS, _CHROMA = 17, 27  # cells along L (0..106) and along a and b (-108..108)
CELLS = _LIGHTNESS * _CHROMA * _CHROMA
_CELL = _LIGHTNESS_STEP * _CHROMA_STEP * _CHROMA_STEP
_HALF = _CHROMA // 2  # of a chroma axis: the cell of grey
_CELLS_OF_LAB = np.array([[1 / _LIGHTNESS_STEP, 0, 0, -0.5], [0, 1 / _CHROMA_STEP, 0, _HALF], [0, 0, 1 / _CHROMA_STEP, _HALF]])
_CELL_OF_AXES = np.array([[_CHROMA * _CHROMA, _CHROMA, 1.0]])
UNIFORM = 0.04  # of every palette: shades never seen before are unlikely, not impossible
STRANGE = math.log(UNIFORM / (CELLS * _CELL))  # the log density of a shade nobody has seen

_FOREIGN = 2.0  # log likelihood by which a token of another colour looks like that: on 24 drawn tables in all lights no token of the
# right colour came beyond 0.7, and those of another that stood apart began at 2
_GREY = -13.6  # the mean log density of what is black or white indeed
_GREYS = ("black", "white")
_NAMES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")
HUES = {"red": 32.0, "orange": 60.0, "yellow": 90.0, "green": 148.0, "blue": 275.0, "purple": 315.0, "violet": 315.0, "pink": 5.0}


def cells(lab: Floats) -> Indices:
    """The palette cell (h, w) int32 of every pixel of a Lab picture (h, w, 3)."""
    axes = cv2.transform(lab, _CELLS_OF_LAB)
    np.clip(axes, 0, _CHROMA - 1, out=axes)
    np.minimum(axes[..., 0], _LIGHTNESS - 1, out=axes[..., 0])
    return np.asarray(cv2.transform(np.rint(axes, out=axes), _CELL_OF_AXES).astype(np.int32))


def count(where: Indices, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """How often each cell occurs."""
    return np.bincount(where.ravel(), weights=weights, minlength=CELLS).astype(np.float64)


def log_density(counts: NDArray[np.float64]) -> Floats:
    """The palette (CELLS,) of counted shades: smoothed, with a little of everything; log densities in Lab."""
    total = counts.sum()
    if total <= 0:
        return np.full(CELLS, math.log(1 / (CELLS * _CELL)), dtype=np.float32)
    cube = (counts / total).reshape(_LIGHTNESS, _CHROMA, _CHROMA)
    for axis in range(3):
        cube = _blur(cube, axis)
    share = (1 - UNIFORM) * cube.ravel() / cube.sum() + UNIFORM / CELLS
    return np.asarray(np.log(share / _CELL), dtype=np.float32)


def mixed(parts: list[tuple[float, NDArray[np.float64]]]) -> NDArray[np.float64]:
    """One count out of several, each made to weigh its share; parts that saw nothing are left out."""
    total = np.zeros(CELLS)
    for share, counts in parts:
        if counts.sum() > 0:
            total += share * counts / counts.sum()
    return total


def named(colour: str) -> NDArray[np.float64]:
    """A broad first guess of a colour by its English name: shades of its hue, pale to strong, dark to light."""
    half = _CHROMA // 2
    lightness = (np.arange(_LIGHTNESS) + 0.5) * _LIGHTNESS_STEP
    axis = (np.arange(_CHROMA) - half) * _CHROMA_STEP
    level, a, b = np.meshgrid(lightness, axis, axis, indexing="ij")
    chroma = np.hypot(a, b)
    if colour in HUES:
        turn = (np.degrees(np.arctan2(b, a)) - HUES[colour] + 180) % 360 - 180
        weight = np.exp(-0.5 * (turn / 22) ** 2) * (chroma > 14) * np.exp(-0.5 * ((chroma - 50) / 30) ** 2) * (level < 97)
    elif colour == "black":
        weight = np.exp(-0.5 * (level / 22) ** 2 - 0.5 * (chroma / 12) ** 2)
    else:
        weight = np.exp(-0.5 * ((level - 95) / 15) ** 2 - 0.5 * (chroma / 12) ** 2)
    return np.asarray(weight.ravel(), dtype=np.float64)


@cache
def named_density(colour: str) -> Floats:
    """That guess as a palette (CELLS,)."""
    return log_density(named(colour))


def is_foreign(colour: str, shades: Indices) -> bool:
    """Whether most of these shades (N,) look clearly more like another colour than like the named one."""
    if colour not in _NAMES or not len(shades):
        return False
    fits = {name: float(named_density(name)[shades].mean()) for name in _NAMES if name != colour}
    other = max(fits, key=lambda name: fits[name])
    if other in _GREYS and fits[other] < _GREY:
        return False  # shadows are grey too, but hardly black or white
    return bool(np.median(named_density(other)[shades] - named_density(colour)[shades]) > _FOREIGN)


def _blur(cube: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    moved = np.moveaxis(cube, axis, 0)
    flat = np.ascontiguousarray(moved.reshape(moved.shape[0], -1))
    kernel = np.array([[0.06], [0.24], [0.4], [0.24], [0.06]])
    soft = cv2.filter2D(flat, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.moveaxis(np.asarray(soft, dtype=np.float64).reshape(moved.shape), 0, axis)
