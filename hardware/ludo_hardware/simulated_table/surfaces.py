"""Table tops: square tiles of colour that can be repeated. Each is drawn from a seed, with nothing read from a file."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Tile = NDArray[np.uint8]

SIDE = 1536
PER_SQUARE = 32.0  # tile pixels a board square


def _field(random: np.random.Generator, across: int, along: int) -> NDArray[np.float32]:
    """Smooth noise −1 … 1 of the tile's size with the given number of cells across and along."""
    cells = random.uniform(-1, 1, (across, along)).astype(np.float32)
    return np.asarray(cv2.resize(cells, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)


def _coloured(dark: tuple[int, int, int], bright: tuple[int, int, int], amount: NDArray[np.float32]) -> NDArray[np.float32]:
    """BGR floats between two RGB colours."""
    share = np.clip(amount, 0, 1)[..., None]
    low, high = np.array(dark[::-1], np.float32), np.array(bright[::-1], np.float32)
    return np.asarray(low + (high - low) * share, np.float32)


def wood(random: np.random.Generator) -> Tile:
    """Planks with grain along x."""
    grain = np.zeros((SIDE, SIDE), np.float32)
    planks = 6
    rows = SIDE // planks
    bend = _field(random, 5, 4) * 26 + _field(random, 12, 9) * 6
    ys = np.arange(SIDE, dtype=np.float32)[:, None]
    for plank in range(planks):
        rings = random.uniform(-1, 1, (260, 1)).astype(np.float32)
        rings = np.asarray(cv2.GaussianBlur(rings, (1, 5), 0), np.float32) + 0.5 * random.uniform(-1, 1, (260, 1)).astype(np.float32)
        profile = np.asarray(cv2.resize(rings, (1, SIDE), interpolation=cv2.INTER_LINEAR), np.float32)
        part = slice(plank * rows, (plank + 1) * rows)
        source = np.clip(ys[part] * 0.55 + bend[part] + random.uniform(100, 500), 0, SIDE - 1).astype(np.int32)
        grain[part] = profile[source, 0] + random.uniform(-0.35, 0.35)
    fibres = np.asarray(cv2.resize(random.normal(0, 1, (SIDE, 48)).astype(np.float32), (SIDE, SIDE)), np.float32)
    tone = 0.5 + 0.22 * grain + 0.05 * fibres + 0.1 * _field(random, 4, 3)
    picture = _coloured((112, 72, 42), (196, 148, 98), tone)
    for plank in range(planks):
        row = plank * rows
        picture[row:row + 2] *= 0.42
        picture[row + 2:row + 5] *= 0.85
    return np.clip(picture, 0, 255).astype(np.uint8)


def cloth(random: np.random.Generator) -> Tile:
    """A red and white checked table cloth with its weave."""
    return _checked(random, (186, 40, 46))


def blue_cloth(random: np.random.Generator) -> Tile:
    """A blue and white checked table cloth."""
    return _checked(random, (52, 84, 150))


def _checked(random: np.random.Generator, dye: tuple[int, int, int]) -> Tile:
    step = SIDE // 24
    stripe = ((np.arange(SIDE) // step) % 2).astype(np.float32)
    mix = (1.0 - (stripe[:, None] + stripe[None, :]) / 2).astype(np.float32)
    picture = _coloured(dye, (240, 236, 228), mix)
    weave = 0.5 + 0.5 * np.sin(np.arange(SIDE, dtype=np.float32) * 1.9)
    picture *= (0.93 + 0.05 * weave[:, None] + 0.05 * weave[None, :])[..., None]
    picture *= (1.0 + 0.06 * _field(random, 7, 7))[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def felt(random: np.random.Generator) -> Tile:
    """Plain dark green baize."""
    tone = 0.5 + 0.10 * _field(random, 9, 9) + 0.10 * random.normal(0, 1, (SIDE, SIDE)).astype(np.float32)
    return np.clip(_coloured((24, 58, 48), (52, 98, 82), tone), 0, 255).astype(np.uint8)


def stone(random: np.random.Generator) -> Tile:
    """A pale grey worktop with soft clouds and specks."""
    specks = (random.uniform(0, 1, (SIDE, SIDE)) > 0.992).astype(np.float32)
    specks = np.asarray(cv2.GaussianBlur(specks, (3, 3), 0.8), np.float32)
    tone = 0.55 + 0.2 * _field(random, 6, 6) + 0.1 * _field(random, 40, 40) - 0.5 * specks
    return np.clip(_coloured((138, 138, 142), (206, 205, 202), tone), 0, 255).astype(np.uint8)


SURFACES: dict[str, Callable[[np.random.Generator], Tile]] = {
    "wood": wood, "cloth": cloth, "blue_cloth": blue_cloth, "felt": felt, "stone": stone,
}
