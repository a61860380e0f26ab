"""The exact map: homography, lens and fold, fitted to printed cells whose board squares are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .registration import Array, Registration

_OUTLIER = 0.04  # squares: beyond that a cell's centre says less and less
_K1_SCALE = 0.04  # how far most lenses bend (a Camera Module 3 and webcams: -0.012 ... -0.025); wide ones, to -0.15, are rare
_BEND_SCALE = np.array([0.2, 0.2, 0.02])  # squares: how far wide middles and folds go; and how much nearer a fold comes to the camera
_GAIN = 4.0  # a fold or a wide middle is believed when it lowers the cost that much (boards without: at most 0.8)
_RIM_WEIGHT = 0.15  # of the outermost cells: the board's thick outline pulls their centres in by some hundredths, which looks like a lens
_STEPS = 6


def fit(start: Registration, places: Array, pixels: Array, *, bends: bool = True) -> Registration:
    """`start` improved so that board places (N, 2) fall on pixels (N, 2); with a fold along either middle line, or with a middle row of
    another width, when that is plain to see and `bends` lets it.

    Robust: up to a third of the pairs may be wrong by any amount. The residual is the median distance in squares.
    """
    best, cost = _descend(replace(start, fold=None, middle=1.0), places, pixels, 0)
    if not bends:
        return best
    bent = [_descend(replace(best, fold=(axis, 0.0, 0.0, 0.0)), places, pixels, 3) for axis in (0, 1)]
    bent.append(_descend(best, places, pixels, 1))
    other, other_cost = min(bent, key=lambda pair: pair[1])
    if other_cost < cost - _GAIN:
        best = other
    return replace(best, residual_squares=float(np.median(residuals(best, places, pixels))))


def residuals(registration: Registration, places: Array, pixels: Array) -> Array:
    """Distances (N,) in squares between where the places should be and where they were seen."""
    return np.asarray(np.linalg.norm(registration.to_board(pixels) - places, axis=1), dtype=np.float64)


def _descend(registration: Registration, places: Array, pixels: Array, bends: int) -> tuple[Registration, float]:
    """Gauss-Newton with Cauchy weights; the map and its cost (squared outlier lengths, what is held against a bend included; a lens is
    no argument for or against one).

    `bends`: 0 for a flat even board, 1 to let the middle's width go, 3 the fold's shift and shrinking.
    """
    square = max(registration.square_pixels(), 1.0)
    rim = (places.min(axis=1) < 1) | (places.max(axis=1) > registration.size - 1)
    trust = np.where(rim, _RIM_WEIGHT, 1.0)
    middle = registration.size / 2
    towards = _shift(registration.homography, middle)

    def at(unknowns: Array) -> Registration:
        change = np.append(unknowns[:8], 0.0).reshape(3, 3) * np.array([[square], [square], [1.0]])
        homography = (towards + change) @ np.array([[1 / middle, 0, -1], [0, 1 / middle, -1], [0, 0, 1]])
        changed = replace(registration, homography=homography, k1=registration.k1 + unknowns[8])
        if bends == 1:
            return replace(changed, middle=registration.middle + unknowns[9])
        if bends == 3 and registration.fold is not None:
            axis, x, y, z = registration.fold
            return replace(changed, fold=(axis, x + unknowns[9], y + unknowns[10], z + unknowns[11]))
        return changed

    def prior(unknowns: Array) -> Array:
        return np.append((registration.k1 + unknowns[8] + _K1_SCALE / 4) / _K1_SCALE, unknowns[9:] / _BEND_SCALE[:bends])

    def errors(unknowns: Array) -> Array:
        return np.asarray((at(unknowns).to_pixels(places) - pixels).ravel() / (square * _OUTLIER), dtype=np.float64)

    # Steps of the unknowns that each move a cell by some hundredths of a square.
    scale = np.array([0.01] * 6 + [1e-4] * 2 + [1e-3] + [0.01, 0.01, 1e-3][:bends])
    vector = np.zeros(9 + bends)
    for _ in range(_STEPS):
        now, told = errors(vector), prior(vector)
        slope = np.stack([(errors(vector + step) - now) for step in np.diag(scale)], axis=1)
        slope_prior = np.stack([(prior(vector + step) - told) for step in np.diag(scale)], axis=1)
        weight = np.repeat(trust / (1 + (now.reshape(-1, 2) ** 2).sum(axis=1)), 2)
        trusted = np.append(1 / (1 + told[0] ** 2), np.ones(bends))
        left = slope.T @ (slope * weight[:, None]) + slope_prior.T @ (slope_prior * trusted[:, None])
        right = slope.T @ (weight * now) + slope_prior.T @ (trusted * told)
        vector = vector - scale * np.linalg.solve(left + 1e-9 * np.eye(len(vector)), right)
    final = errors(vector).reshape(-1, 2)
    cost = float((trust * np.log1p((final**2).sum(axis=1))).sum() + (prior(vector)[1:] ** 2).sum())
    return at(vector), cost


def _shift(homography: Array, middle: float) -> Array:
    """The homography from coordinates -1 ... 1 around the board's middle, its last entry 1."""
    moved = homography @ np.array([[middle, 0, middle], [0, middle, middle], [0, 0, 1.0]])
    return np.asarray(moved / moved[2, 2], dtype=np.float64)
