"""Fine palettes for one picture: narrow enough that a token on print of its own colour shows by its shading."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from . import palette
from .light import Floats

Indices = NDArray[np.int32]
Counts = NDArray[np.float64]

_LIGHTNESS_STEP, _CHROMA_STEP = 2.5, 4.0
_LIGHTNESS, _CHROMA = 42, 53  # cells along L (0..105) and along a and b (-106..106)
CELLS = _LIGHTNESS * _CHROMA * _CHROMA
_CELL = _LIGHTNESS_STEP * _CHROMA_STEP * _CHROMA_STEP
UNIFORM = 0.02
_HUE_SPREAD = 20.0  # degrees: paints that people call by one name
_MOST_MOVED, _LEAST_CHROMA = 60.0, 15.0  # degrees from the name's hue, and chroma, of an ink that is believed to show its colour
_CHROMA_NOISE = 4.0  # of a and b


def shades(lab: Floats) -> Indices:
    """The fine cell (h, w) of every pixel of a Lab picture (h, w, 3)."""
    level = np.clip(lab[..., 0] / _LIGHTNESS_STEP, 0, _LIGHTNESS - 1).astype(np.int32)
    a = np.clip(lab[..., 1] / _CHROMA_STEP + (_CHROMA // 2 + 0.5), 0, _CHROMA - 1).astype(np.int32)
    b = np.clip(lab[..., 2] / _CHROMA_STEP + (_CHROMA // 2 + 0.5), 0, _CHROMA - 1).astype(np.int32)
    return np.asarray((level * _CHROMA + a) * _CHROMA + b, dtype=np.int32)


def count(where: Indices) -> Counts:
    """How often each fine cell occurs."""
    return np.bincount(where.ravel(), minlength=CELLS).astype(np.float64)


def named(colour: str, ink: Floats) -> Counts:
    """A broad first guess of a seat's tokens by their colour's English name and the Lab (3,) of the seat's ink here, which a wooden
    board or a lamp may have moved from where the name has it. In the dark and when pale, hue tells less."""
    level = (np.arange(_LIGHTNESS) + 0.5) * _LIGHTNESS_STEP
    axis = (np.arange(_CHROMA) - _CHROMA // 2) * _CHROMA_STEP
    lightness, a, b = np.meshgrid(level, axis, axis, indexing="ij")
    if colour not in palette.HUES:
        middles = np.stack([lightness, a, b], axis=-1).reshape(1, -1, 3).astype(np.float32)
        return np.asarray(palette.named(colour)[palette.cells(middles)[0]], dtype=np.float64)
    chroma = np.maximum(np.hypot(a, b), 1.0)
    spread = np.hypot(_HUE_SPREAD, np.degrees(_CHROMA_NOISE / chroma))
    strength = np.exp(-0.5 * ((chroma - 45) / 35) ** 2) * chroma / (chroma + 10) * (lightness < 97)
    seen = float(np.degrees(np.arctan2(ink[2], ink[1])))
    moved = (seen - palette.HUES[colour] + 180) % 360 - 180
    believed = 0.5 if abs(moved) < _MOST_MOVED and np.hypot(ink[1], ink[2]) > _LEAST_CHROMA else 0.0
    guess = np.zeros_like(chroma)
    for share, hue in ((1 - believed, palette.HUES[colour]), (believed, seen)):
        turn = (np.degrees(np.arctan2(b, a)) - hue + 180) % 360 - 180
        guess += share * np.exp(-0.5 * (turn / spread) ** 2)
    return np.asarray((guess / spread * strength).ravel())


def log_density(counts: Counts, softness: int = 1) -> Floats:
    """The palette (CELLS,) of counted shades: blurred `softness` times, with a little of everything; log densities in Lab."""
    total = counts.sum()
    if total <= 0:
        return np.full(CELLS, math.log(1 / (CELLS * _CELL)), dtype=np.float32)
    cube = (counts / total).astype(np.float32).reshape(_LIGHTNESS, _CHROMA, _CHROMA)
    for _ in range(softness):
        for axis in range(3):
            cube = _blur(cube, axis)
    share = (1 - UNIFORM) * cube.ravel() / cube.sum() + UNIFORM / CELLS
    return np.asarray(np.log(share / _CELL), dtype=np.float32)


def mixed(parts: list[tuple[float, Counts]]) -> Counts:
    """One count out of several, each made to weigh its share; parts that saw nothing are left out."""
    total = np.zeros_like(parts[0][1])
    for share, counts in parts:
        if counts.sum() > 0:
            total += share * counts / counts.sum()
    return total


def _blur(cube: Floats, axis: int) -> Floats:
    moved = np.moveaxis(cube, axis, 0)
    flat = np.ascontiguousarray(moved.reshape(moved.shape[0], -1))
    kernel = np.array([[0.06], [0.24], [0.4], [0.24], [0.06]], dtype=np.float32)
    soft = cv2.filter2D(flat, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.moveaxis(np.asarray(soft, dtype=np.float32).reshape(moved.shape), 0, axis)
