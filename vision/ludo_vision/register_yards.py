"""The second way to the board: its four yards, seen as blocks, give a first pose when the cells alone grow no lattice."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from .cells import find_cells
from .lattice import seeds
from .plan import Plan
from .registration import Array

_SHRINK = (4, 6)  # the picture is made so much smaller: a yard then looks like a cell
_LEAST_STEP = 0.1  # of the picture's longer side, from yard to yard
_MOST = 8  # poses worth a look
_LEAST_SUPPORT = 3  # of a yard's eight neighbours on its own lattice, the three others


def poses_by_yards(picture: NDArray[np.uint8], plan: Plan) -> list[Array]:
    """Homographies (3x3, board squares to pixels) that put the plan's yards on four like blocks lying in a square."""
    yards = np.array([np.mean(plan.spots[yard].outline, axis=0) for yard in plan.yards])
    low, high = yards.min(axis=0), yards.max(axis=0)
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])], dtype=np.float32)
    poses = []
    for shrink in _SHRINK:
        small = cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        cells = find_cells(np.asarray(small, dtype=np.uint8), max(picture.shape[:2]))
        for seed in seeds(cells, _LEAST_SUPPORT):
            if min(np.hypot(*seed.right), np.hypot(*seed.down)) * shrink < _LEAST_STEP * max(picture.shape[:2]):
                continue
            for right, down in product((seed.right, -seed.right), (seed.down, -seed.down)):
                quad = [_nearest(cells.centres, seed.centre + step, 0.25 * np.hypot(*step)) for step in (right, right + down, down)]
                if any(block is None for block in quad):
                    continue
                found = (np.array([seed.centre, *quad], dtype=np.float64) + 0.5) * shrink - 0.5
                if np.linalg.det(np.array([right, down])) < 0:
                    found = found[[0, 3, 2, 1]]
                if not _like_a_board(found):
                    continue
                poses.append(np.asarray(cv2.getPerspectiveTransform(corners, found.astype(np.float32)), dtype=np.float64))
    return _different(poses, plan.size)


def _like_a_board(quad: Array) -> bool:
    """Do the corners (4, 2), clockwise, make a convex outline whose triangles differ no more than a tilt explains?"""
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    triangles = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(triangles.min() > 0.3 * triangles.max() > 0)


def _nearest(points: Array, place: Array, reach: float) -> Array | None:
    away = np.linalg.norm(points - place, axis=1)
    return np.asarray(points[away.argmin()]) if away.min() < reach else None


def _different(poses: list[Array], size: int) -> list[Array]:
    """Each pose once, the largest few: the same four yards are met from each of them, in four turns; a tablecloth has many small ones."""
    n = float(size)
    outlines = [cv2.perspectiveTransform(np.array([[(0, 0), (n, 0), (n, n), (0, n)]]), pose)[0] for pose in poses]
    areas = np.array([cv2.contourArea(outline.astype(np.float32)) for outline in outlines])
    kept: list[int] = []
    for index in np.argsort(-areas, kind="stable"):
        middle, near = outlines[index].mean(axis=0), 0.5 * np.sqrt(areas[index]) / n
        if all(np.abs(middle - outlines[other].mean(axis=0)).max() > near or areas[other] > 1.1 * areas[index] for other in kept):
            kept.append(int(index))
        if len(kept) == _MOST:
            break
    return [poses[index] for index in kept]
