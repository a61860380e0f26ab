"""Finds everything in a picture that could be a printed cell: small compact patches, whatever their tone and outline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from .registration import Array

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

SMALLEST, LARGEST = 0.009, 0.075  # a cell's side in picture widths
_SPECK = 0.0032  # thinner than that, in picture widths, is no cell
_COMPACTNESS = 0.87  # area / (4 pi sqrt(det covariance)): 1 for any ellipse, 0.955 for any parallelogram
_ALIKE, _ALIKE_AREA = 0.15, (0.75, 1.35)  # two patches are one: in sides apart, and in area
_MOST = 1200  # cells kept; a fine checked cloth has thousands
_LONGEST = 7.0  # ratio of the covariance's eigenvalues
_QUIET = 6.0  # grey levels of spread that are noise rather than print
_NEAR, _FAR = 0.035, 0.08  # sides of the windows of local contrast, in picture widths


@dataclass(frozen=True, slots=True)
class Cells:
    """Patches: centres (N, 2) in pixels, areas (N,) in pixels, covariances (N, 2, 2) of their pixels, votes (N,): masks that show it."""

    centres: Array
    areas: Array
    covariances: Array
    votes: NDArray[np.int_]

    def __len__(self) -> int:
        return len(self.areas)


def find_cells(picture: Picture, width: int | None = None) -> Cells:
    """All cell-like patches of a picture (h, w, 3) uint8 BGR, each once; `width` in pixels is what sizes are measured against, usually the
    picture's longer side."""
    width = width or max(picture.shape[:2])
    with ThreadPoolExecutor(max(1, cv2.getNumThreads())) as pool:  # following outlines takes longest, and OpenCV does it on one core
        found = pool.map(lambda mask: list(_patches(mask, width)), _masks(picture, width))
        return _merge(chain.from_iterable(found), width)


def _masks(picture: Picture, width: int) -> Iterator[Mask]:
    """Masks in which cells are islands of ones: flat regions between edges, and regions lighter or darker than around them.

    Which of them separate a make's cells depends on its lines and tones; this choice covered most makes with fewest masks.
    """
    near, far = int(_NEAR * width) | 1, int(_FAR * width) | 1
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    edges = _gradient(lab)
    near_edges = cv2.boxFilter(edges, -1, (near, near))
    far_edges = cv2.boxFilter(edges, -1, (far, far))
    noise = float(np.median(edges[::4, ::4]))  # most of a picture is table: what is quieter than it is flat
    for local, share in ((near_edges, 0.8), (near_edges, 0.5), (far_edges, 0.6)):
        yield (edges < np.maximum(share * local, noise)).astype(np.uint8)
    blue, green, red = cv2.split(picture)
    darkest = np.asarray(cv2.min(cv2.min(blue, green), red), dtype=np.uint8)
    for channel, offsets in ((lab[..., 0], (-0.7, 0.1, 0.35)), (darkest, (-0.35, 0.35))):
        contrast = _contrast(channel, near)
        for offset in offsets:
            light = np.asarray(contrast > offset, dtype=np.uint8)
            yield light
            yield np.asarray(1 - light, dtype=np.uint8)


def _gradient(lab: Picture) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(lab, (3, 3), 0)
    total = np.zeros(lab.shape[:2], dtype=np.float32)
    for channel in cv2.split(smooth):
        x, y = cv2.Scharr(channel, cv2.CV_32F, 1, 0), cv2.Scharr(channel, cv2.CV_32F, 0, 1)
        total += x * x + y * y
    return np.sqrt(total)


def _contrast(channel: Mask, window: int) -> NDArray[np.float32]:
    smooth = cv2.blur(channel, (3, 3))
    mean = cv2.boxFilter(smooth, cv2.CV_32F, (window, window))
    spread = cv2.sqrBoxFilter(smooth, cv2.CV_32F, (window, window))
    spread = np.sqrt(np.maximum(spread - mean * mean, 1))
    return np.asarray(cv2.subtract(smooth, mean, dtype=cv2.CV_32F) / (spread + _QUIET), dtype=np.float32)


def _patches(mask: Mask, width: int) -> Iterator[tuple[float, ...]]:
    """(x, y, area, cov xx, xy, yy) of each compact island of ones, filled.

    An island is a hole of the inverse mask: OpenCV's holes are four-connected, so a thin slanting line parts two cells. Specks are
    taken away first: a picture has tens of thousands.
    """
    thin, gaps = max(1, int(_SPECK * width)), mask ^ 1
    but_cores = cv2.dilate(gaps, np.ones((thin, thin), np.uint8), anchor=(0, 0))
    cleared = cv2.max(gaps, cv2.erode(but_cores, np.ones((thin + 2, thin + 2), np.uint8), anchor=(thin, thin)))
    contours, tree = cv2.findContours(cleared, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return
    smallest, largest = (SMALLEST * width) ** 2, (LARGEST * width) ** 2
    shortest = 2.5 * SMALLEST * width
    for contour, links in zip(contours, tree[0], strict=True):
        if links[3] < 0 or len(contour) < shortest:
            continue
        moments = cv2.moments(contour)
        area = moments["m00"]
        if not smallest < area < largest:
            continue
        xx, xy, yy = moments["mu20"] / area, moments["mu11"] / area, moments["mu02"] / area
        determinant = xx * yy - xy * xy
        if determinant <= 0 or area < _COMPACTNESS * 4 * np.pi * determinant**0.5:
            continue
        half = (xx + yy) / 2
        apart = max(half * half - determinant, 0) ** 0.5
        if half + apart <= _LONGEST * (half - apart):
            yield moments["m10"] / area, moments["m01"] / area, area, xx, xy, yy


def _merge(patches: Iterable[tuple[float, ...]], width: int) -> Cells:
    """One cell for patches that several masks show alike: their mean. The most voted ones, where there are too many."""
    bucket = _ALIKE * LARGEST * width
    sums: list[list[float]] = []
    at: dict[tuple[int, int], list[int]] = {}
    for patch in patches:
        x, y, area = patch[:3]
        near = _ALIKE * area**0.5
        column, row = int(x / bucket), int(y / bucket)
        for index in (index for i in (-1, 0, 1) for j in (-1, 0, 1) for index in at.get((column + i, row + j), ())):
            total = sums[index]
            votes = total[6]
            if (abs(x - total[0] / votes) < near and abs(y - total[1] / votes) < near
                    and _ALIKE_AREA[0] * area < total[2] / votes < _ALIKE_AREA[1] * area):
                for place, value in enumerate(patch):
                    total[place] += value
                total[6] += 1
                break
        else:
            at.setdefault((column, row), []).append(len(sums))
            sums.append([*patch, 1])
    merged = np.array(sums, dtype=np.float64).reshape(-1, 7)
    merged = merged[np.argsort(-merged[:, 6], kind="stable")[:_MOST]]
    votes_cast = merged[:, 6].astype(int)
    means = merged[:, :6] / merged[:, 6:]
    return Cells(means[:, :2], means[:, 2], means[:, [3, 4, 4, 5]].reshape(-1, 2, 2), votes_cast)
