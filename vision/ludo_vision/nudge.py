"""Follows a board that was nudged between two still pictures."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
from numpy.typing import NDArray

from .registration import Array, Registration

Grey = NDArray[np.uint8]

FARTHEST_SQUARES = 2.5  # a knock is followed that far, and this much of a turn; farther is a moved board, to be found anew
FARTHEST_TURN_DEG = 12.0
_SMALL_SIDE = 72.0  # pixels of the board's side in the coarse search
_CORNERS = 300
_CORNERS_OF_A_YARD = 40
_LEAST_INLIERS = 30
_LEAST_SHARE = 0.3


def follow(reference_grey: Grey, grey: Grey, registration: Registration) -> Registration | None:
    """The board's place in `grey`, when in `reference_grey` it was at `registration`; both (h, w) uint8 of the same size.

    Tolerates hands over a part of the board, moved tokens, other light, a knock of up to two squares and ten degrees. None when
    too few corners of the print agree on one motion: then the board has to be found anew. The lattice of the arms repeats itself
    every square, so corners alone may lock one square off: a coarse look at the whole board starts them, and the yards, which
    do not repeat, must agree. A card turned by just a quarter looks the same in grey: colours have to tell that.
    """
    if reference_grey.shape != grey.shape:
        return None
    before, after = _flatten_light(reference_grey), _flatten_light(grey)
    outline = np.array(registration.corners(), dtype=np.float32)
    mask = np.zeros(grey.shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
    start = _corners_of_print(before, mask, registration)
    if len(start) < _LEAST_INLIERS:
        return None
    guess = _coarse_motion(reference_grey, grey, mask, registration)
    if guess is None:
        return None
    ends, status, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, cv2.transform(start, guess).astype(np.float32), winSize=(15, 15), maxLevel=2,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW)
    kept = status.ravel() == 1
    if kept.sum() < _LEAST_INLIERS:
        return None
    # In ideal pixels the motion of a flat board is a homography whatever the lens does.
    origin, goal = registration.to_ideal(start[kept].reshape(-1, 2)), registration.to_ideal(ends[kept].reshape(-1, 2))
    motion, inliers = cv2.findHomography(origin, goal, cv2.RANSAC, 1.0, maxIters=2000, confidence=0.999)
    if motion is None:
        return None
    good = np.zeros(len(start), dtype=bool)
    good[kept] = inliers.ravel() == 1
    moved = dataclasses.replace(registration, homography=np.asarray(motion, dtype=np.float64) @ registration.homography)
    if not _agreed(registration.to_board(start.reshape(-1, 2)) / registration.size, good):
        return None
    return moved if is_a_nudge(registration, moved) else None


def _corners_of_print(grey: Grey, board: Grey, registration: Registration) -> NDArray[np.float32]:
    """Corners (N, 1, 2) to follow. The arms' are the strongest: yards that got few are asked for the best of their own."""
    apart = max(3.0, 0.35 * registration.square_pixels())
    found = _strongest(grey, board, _CORNERS, apart)
    ninth = _ninth(registration.to_board(found.reshape(-1, 2)) / registration.size)
    side = registration.size / 3
    for yard, (x, y) in {0: (0.0, 0.0), 2: (2 * side, 0.0), 6: (0.0, 2 * side), 8: (2 * side, 2 * side)}.items():
        if (ninth == yard).sum() < _CORNERS_OF_A_YARD / 4:
            rim = np.round(registration.to_pixels([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])).astype(np.int32)
            only = np.zeros_like(board)
            cv2.fillConvexPoly(only, rim, 255)
            left, top, width, height = cv2.boundingRect(rim)
            left, top, right, bottom = max(0, left), max(0, top), max(0, left + width), max(0, top + height)
            own = _strongest(grey[top:bottom, left:right], only[top:bottom, left:right], _CORNERS_OF_A_YARD, apart)
            own += np.array((left, top), dtype=np.float32)
            keep = ninth != yard
            found, ninth = np.concatenate([found[keep], own]), np.append(ninth[keep], [yard] * len(own))
    return found


def _strongest(grey: Grey, mask: Grey, most: int, apart: float) -> NDArray[np.float32]:
    found = cv2.goodFeaturesToTrack(grey, most, 0.02, apart, mask=mask) if mask.any() else None
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, dtype=np.float32).reshape(-1, 1, 2)


def _ninth(places: Array) -> NDArray[np.intp]:
    """Which ninth of the board, row by row, places (N, 2) in board sides, 0..1, lie in."""
    return np.asarray((np.clip(places, 0, 0.999) * 3).astype(np.intp) @ np.array([1, 3]), dtype=np.intp)


def _flatten_light(grey: Grey) -> Grey:
    """Local contrast: the same print looks the same under another light."""
    smooth = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    mean = cv2.blur(smooth, (31, 31))
    deviation = np.sqrt(np.maximum(cv2.blur(smooth * smooth, (31, 31)) - mean * mean, 0))
    return np.asarray(np.clip(128 + 50 * (smooth - mean) / (deviation + 10), 0, 255), dtype=np.uint8)


def _coarse_motion(reference: Grey, grey: Grey, mask: Grey, registration: Registration) -> Array | None:
    """The turn and shift (2x3, pixels) that bring the reference's board nearest to the picture, seen at a small size."""
    scale = min(1.0, _SMALL_SIDE / (registration.square_pixels() * registration.size))
    before, after, inside = (cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                             for image in (reference, grey, mask))
    x, y, width, height = cv2.boundingRect(inside)
    reach = int(np.ceil(FARTHEST_SQUARES * registration.square_pixels() * scale))
    centre = (x + width / 2 - 0.5, y + height / 2 - 0.5)
    padded = cv2.copyMakeBorder(after, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    window = padded[y : y + height + 2 * reach, x : x + width + 2 * reach]
    best, best_score = None, 0.3
    for turn in np.arange(-FARTHEST_TURN_DEG, FARTHEST_TURN_DEG + 0.1, 3.0):
        rotation = cv2.getRotationMatrix2D(centre, float(turn), 1.0)
        size = (before.shape[1], before.shape[0])
        template = cv2.warpAffine(before, rotation, size)[y : y + height, x : x + width]
        seen = cv2.warpAffine(inside, rotation, size)[y : y + height, x : x + width]
        scores = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED, mask=(seen > 127).astype(np.uint8))
        scores[~np.isfinite(scores)] = -1
        _, score, _, (dx, dy) = cv2.minMaxLoc(scores)
        if score > best_score:
            rotation[:, 2] += (dx - reach, dy - reach)
            best, best_score = rotation, score
    if best is None:
        return None
    # From small to full pixels: pixel centres of the two sizes differ by half a pixel each.
    half = 0.5 / scale - 0.5
    full = best.copy()
    full[:, 2] = best[:, 2] / scale + half - best[:, :2] @ np.array([half, half])
    return np.asarray(full, dtype=np.float64)


def _agreed(places: Array, good: NDArray[np.bool_]) -> bool:
    """Do the corners agree, in most ninths of the board and in at least two of its yards? `places` (N, 2) in board sides, 0..1."""
    if good.sum() < max(_LEAST_INLIERS, _LEAST_SHARE * len(good)):
        return False
    ninth = _ninth(places)
    total, agreeing = np.bincount(ninth, minlength=9), np.bincount(ninth[good], minlength=9)
    healthy = agreeing >= np.maximum(4, 0.2 * total)
    return bool(healthy.sum() >= 4 and healthy[[0, 2, 6, 8]].sum() >= 2)


def is_a_nudge(before: Registration, after: Registration) -> bool:
    """Is the motion one of a card pushed a little, not of a wild fit?"""
    old, new = np.array(before.corners()), np.array(after.corners())
    shift = np.linalg.norm(new.mean(axis=0) - old.mean(axis=0)) / before.square_pixels()
    growth = after.square_pixels() / before.square_pixels()
    sides_old, sides_new = np.roll(old, -1, axis=0) - old, np.roll(new, -1, axis=0) - new
    cross = sides_old[:, 0] * sides_new[:, 1] - sides_old[:, 1] * sides_new[:, 0]
    turns = np.degrees(np.arctan2(cross, (sides_old * sides_new).sum(axis=1)))
    return bool(shift <= FARTHEST_SQUARES and 0.8 < growth < 1.25 and np.abs(turns).max() <= FARTHEST_TURN_DEG + 3)
