"""Integer lattices among cells: seeds by their neighbours, growth, and where a board's pattern lies on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .cells import Cells
from .registration import Array, project

Integers = NDArray[np.int_]

_NEIGHBOURS = 16
_LONGEST_STEP = 10.0  # of a cell's own deviations: 3.5 when cells touch, 5 for common spots, 9.5 for small holes in wood
_REACH = 0.22  # a cell belongs to a lattice point when it is that near, in squares
_RADII = (1.6, 2.6, 4.0, 6.0, 9.0, 13.0, 20.0)
_SHARES = (0.9, 0.4, 0.18)  # of a square that cells may cover, tried when nothing tells
_RING = 2  # squares around the board that must not go on with its lattice


@dataclass(frozen=True, slots=True)
class Seed:
    """A cell with neighbours on a small lattice: `centre`, and the two steps to its neighbours, in pixels."""

    cell: int
    centre: Array
    right: Array
    down: Array
    support: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cells with whole coordinates: `cells` (M,) indices, `points` (M, 2) integers, `share` of a square that a cell covers,
    `homography` 3x3 from points to pixels."""

    cells: Integers
    points: Integers
    share: float
    homography: Array


def seeds(cells: Cells, least: int = 4) -> list[Seed]:
    """Cells with the most neighbours in the places a lattice has them, best first, at least so many of the eight.

    A cell's own covariance is its local frame: there the lattice is square, whatever the tilt. Neighbours are alike in area.
    """
    count = len(cells)
    if count < 4:
        return []
    x, y = cells.centres.astype(np.float32).T
    near = np.argpartition((x - x[:, None]) ** 2 + (y - y[:, None]) ** 2, min(_NEIGHBOURS, count - 1), axis=1)[:, : _NEIGHBOURS + 1]
    offsets = cells.centres[near] - cells.centres[:, None]
    white = np.einsum("nij,nkj->nki", _whitening(cells.covariances), offsets).astype(np.float32)
    length = np.hypot(white[..., 0], white[..., 1])
    ratio = cells.areas[near] / cells.areas[:, None]
    usable = (length > 3) & (length < _LONGEST_STEP) & (ratio > 0.55) & (ratio < 1.8)
    # Each neighbour in turn is the step to the right; the other seven follow from it by quarter turns.
    quarter = np.stack([-white[..., 1], white[..., 0]], axis=-1)
    steps = np.stack([white, white + quarter, quarter, quarter - white, -white, -white - quarter, -quarter, white - quarter], axis=2)
    apart = np.hypot(white[:, None, None, :, 0] - steps[..., 0, None], white[:, None, None, :, 1] - steps[..., 1, None])
    like = (ratio > 0.4) & (ratio < 2.5)
    hit = (apart < 0.2 * length[:, :, None, None]) & like[:, None, None, :]
    support = hit.any(axis=3).sum(axis=2) * usable
    # The lattice's own step, not a diagonal: of two equally supported the shorter.
    best = (support - 0.1 * length).argmax(axis=1)
    rows = np.arange(count)
    nearest = np.where(hit, apart, np.inf)[rows, best].argmin(axis=2)
    found = hit[rows, best].any(axis=2)
    result = []
    for index in np.argsort(-support[rows, best] - 0.01 * cells.votes, kind="stable"):
        if support[index, best[index]] < least:
            break
        pick = {step: offsets[index, nearest[index, step]] for step in range(8) if found[index, step]}
        right = _mean(pick, {0: 1, 4: -1})
        down = _mean(pick, {2: 1, 6: -1})
        if right is not None and down is not None:
            result.append(Seed(int(index), cells.centres[index], right, down, int(support[index, best[index]])))
    return result


def _mean(steps: dict[int, Array], signs: dict[int, int]) -> Array | None:
    known = [sign * steps[step] for step, sign in signs.items() if step in steps]
    return np.asarray(np.mean(known, axis=0), dtype=np.float64) if known else None


def _whitening(covariances: Array) -> Array:
    """The inverse square root of each covariance (N, 2, 2)."""
    values, vectors = np.linalg.eigh(covariances)
    return np.asarray(np.einsum("nij,nj,nkj->nik", vectors, 1 / np.sqrt(np.maximum(values, 1e-6)), vectors), dtype=np.float64)


def lattices(cells: Cells, most: int = 16) -> Iterator[Lattice]:
    """The lattices the seeds grow into, at most so many; cells of a grown lattice seed no other of the same step."""
    used = np.zeros(len(cells), dtype=bool)
    for seed in seeds(cells):
        if used[seed.cell]:
            continue
        step = np.array([[seed.right[0], seed.down[0], seed.centre[0]], [seed.right[1], seed.down[1], seed.centre[1]], [0, 0, 1.0]])
        lattice = grow(cells, step, float(cells.areas[seed.cell] / abs(np.linalg.det(step[:2, :2]))))
        used[seed.cell] = True
        if lattice is None:
            continue
        used[lattice.cells] = True
        yield lattice
        most -= 1
        if most == 0:
            return


def around(cells: Cells, homography: Array) -> Lattice | None:
    """The lattice about a pose guessed otherwise: `homography` from lattice points to pixels, right to half a square at (0, 0)."""
    grown = (grow(cells, homography, share, _RADII[2:]) for share in _SHARES)
    return max((lattice for lattice in grown if lattice is not None), key=lambda lattice: len(lattice.cells), default=None)


def diagonals(lattice: Lattice) -> Iterator[Lattice]:
    """The two lattices that every second point of a lattice makes, an eighth turned.

    Gaps between cells may look like cells: then the steps from a cell to the gaps beside it, half a diagonal, grow a lattice of both.
    """
    for odd in (0, 1):
        half = np.array([[1, -1, odd], [1, 1, 0], [0, 0, 1.0]])
        kept = lattice.points.sum(axis=1) % 2 == odd
        column, row = lattice.points[kept].T
        points = np.stack([column + row - odd, row - column + odd], axis=1) // 2
        if len(points):
            yield Lattice(lattice.cells[kept], points, lattice.share / 2, lattice.homography @ half)


def grow(cells: Cells, homography: Array, share: float, radii: Sequence[float] = _RADII) -> Lattice | None:
    """The lattice around its point (0, 0), farther and farther: first affine, then with perspective. None when it does not grow."""
    lattice = None
    for radius in radii:
        for _ in range(2):
            if not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < 1e-9:
                return None
            places = project(np.asarray(np.linalg.inv(homography), dtype=np.float64), cells.centres)
            near = np.abs(places).max(axis=1) <= radius
            lattice = Lattice(*assign(cells, near, places, square_areas(homography, places), share), homography)
            if len(lattice.cells) < 5:
                return None
            homography = fit_homography(lattice.points, cells.centres[lattice.cells], homography)
    return lattice if lattice is not None and len(lattice.cells) >= 9 else None


def assign(cells: Cells, usable: NDArray[np.bool_], places: Array, areas: Array, share: float) -> tuple[Integers, Integers, float]:
    """The usable cells that lie on whole coordinates and are of the lattice's size: indices, points (M, 2), the share they cover.

    `places` (N, 2) are the cells' lattice coordinates, `areas` (N,) the pixels of a whole square there.
    """
    points = np.round(places)
    away = np.linalg.norm(places - points, axis=1)
    relative = cells.areas / (areas * share)
    chosen = np.nonzero(usable & (away < _REACH) & (relative > 0.45) & (relative < 2.0))[0]
    # One cell a point: the one most like the lattice in place and size, and seen by most masks.
    cost = away[chosen] / _REACH + np.abs(np.log(relative[chosen])) - 0.05 * cells.votes[chosen]
    order = chosen[np.argsort(cost, kind="stable")]
    _, first = np.unique(points[order], axis=0, return_index=True)
    kept = order[first]
    kept_share = share * float(np.median(relative[kept])) if len(kept) else share
    return kept, points[kept].astype(int), kept_share


def square_areas(homography: Array, points: Array) -> Array:
    """The area in pixels of the unit square at each of the points (N, 2) under a homography."""
    depth = points @ homography[2, :2] + homography[2, 2]
    return np.asarray(abs(np.linalg.det(homography)) / np.maximum(np.abs(depth), 1e-9) ** 3, dtype=np.float64)


def fit_homography(points: NDArray[np.generic], pixels: Array, start: Array) -> Array:
    """The homography that brings points (N, 2) to pixels (N, 2): linear least squares, robust, tilt held small where few points speak.

    `start` gives the scale and the weights of the first round.
    """
    board = np.asarray(points, dtype=np.float64)
    middle, unit = pixels.mean(axis=0), max(float(np.abs(pixels - pixels.mean(axis=0)).max()), 1.0)
    goal = (pixels - middle) / unit
    spread = max(float(np.abs(board).max()), 1.0)
    x, y = board[:, 0] / spread, board[:, 1] / spread
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows_x = np.stack([x, y, one, zero, zero, zero, -goal[:, 0] * x, -goal[:, 0] * y], axis=1)
    rows_y = np.stack([zero, zero, zero, x, y, one, -goal[:, 1] * x, -goal[:, 1] * y], axis=1)
    prior = np.zeros((8, 8))
    prior[6, 6] = prior[7, 7] = 0.02 * len(board) / spread**2 + 1e-6
    step = np.sqrt(abs(np.linalg.det(start[:2, :2] / start[2, 2]))) / unit
    error = np.linalg.norm(project(start, board) - pixels, axis=1) / unit
    normaliser = np.array([[1 / spread, 0, 0], [0, 1 / spread, 0], [0, 0, 1]])
    back = np.array([[unit, 0, middle[0]], [0, unit, middle[1]], [0, 0, 1]])
    homography = start
    for _ in range(3):
        weight = 1 / (1 + (error / (0.08 * step)) ** 2)
        left = np.einsum("n,ni,nj->ij", weight, rows_x, rows_x) + np.einsum("n,ni,nj->ij", weight, rows_y, rows_y)
        right = (weight * goal[:, 0]) @ rows_x + (weight * goal[:, 1]) @ rows_y
        solution = np.append(np.linalg.solve(left + prior + 1e-9 * np.eye(8), right), 1.0).reshape(3, 3)
        homography = back @ solution @ normaliser
        error = np.linalg.norm(project(homography, board) - pixels, axis=1) / unit
    return np.asarray(homography, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a board's lattice looks like: `weights` (n + 2 ring, same) for a cell at each square, row first."""

    size: int
    weights: NDArray[np.float32]


def pattern(size: int, cells: Integers, yards: Integers) -> Pattern:
    """The pattern of a board with cells at these (column, row) squares.

    Other squares of the board count against it, the yards' less, for nests are drawn there; so does a ring around the board, where a
    lattice that goes on (a tablecloth, a board of another size) shows itself.
    """
    weights = np.full((size + 2 * _RING, size + 2 * _RING), -0.35, dtype=np.float32)
    weights[_RING:-_RING, _RING:-_RING] = -0.7
    weights[yards[:, 1] + _RING, yards[:, 0] + _RING] = -0.3
    weights[cells[:, 1] + _RING, cells[:, 0] + _RING] = 1.0
    return Pattern(size, weights)


@dataclass(frozen=True, slots=True)
class Placement:
    """The pattern on a lattice: board square = lattice point - `origin`; `lead` of its score over any other place; cells found on the
    pattern (`hits`) and off it (`strays`, not counting yards)."""

    origin: tuple[int, int]
    score: float
    lead: float
    hits: int
    strays: int


def place(pattern: Pattern, points: Integers) -> Placement:
    """Where the pattern lies best on these lattice points (M, 2), column and row."""
    low = points.min(axis=0) - pattern.size - _RING
    extent = points.max(axis=0) - low + pattern.size + 2 * _RING + 1
    seen = np.zeros((extent[1], extent[0]), dtype=np.float32)
    seen[points[:, 1] - low[1], points[:, 0] - low[0]] = 1
    side = len(pattern.weights)
    scores = cv2.filter2D(seen, cv2.CV_32F, pattern.weights, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    scores = scores[: 1 - side, : 1 - side]
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    best, second = np.sort(scores, axis=None)[: -3 : -1]
    window = seen[row : row + side, column : column + side]
    origin = (int(column + low[0] + _RING), int(row + low[1] + _RING))
    hits, strays = int(window[pattern.weights > 0].sum()), int(window[pattern.weights < -0.6].sum())
    return Placement(origin, float(best), float(best - second), hits, strays)
