"""ArUco markers beside the grid's corners: ids 0-3 (DICT_4X4_50) at the yards of seats A-D.

How far outside the grid a marker lies differs from board to board, so markers give the pose but for one unknown, the margin; the print
settles it and is measured far more exactly.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .cells import Cells
from .lattice import Lattice, around, assign, square_areas
from .plan import Plan
from .registration import Array, Registration, project, seat_corners

_LEAST_MARKERS = 3
_MARGINS = np.arange(0.2, 3.01, 0.2)  # squares between the grid's corner and a marker's middle, along either side
_SHARES = (0.9, 0.4, 0.18)
_ALIKE = 0.3  # squares by which the margins of one board may differ


def find_markers(picture: NDArray[np.uint8]) -> dict[int, Array]:
    """The corners (4, 2) in pixels of each marker 0 ... 3 seen exactly once in a picture (h, w, 3) uint8 BGR.

    OpenCV 4.7 made detecting a class and 5 took the function away; 4.6, in Debian, has the function only, and builds of it without
    the extra modules have neither: then no markers are seen.
    """
    if not hasattr(cv2, "aruco"):
        return {}
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    dictionary = cv2.aruco.DICT_4X4_50
    if hasattr(cv2.aruco, "ArucoDetector"):
        corners, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary)).detectMarkers(grey)
    else:
        old = vars(cv2.aruco)
        corners, ids, _ = old["detectMarkers"](grey, old["Dictionary_get"](dictionary))
    numbers = [] if ids is None else [int(number) for number in np.asarray(ids).ravel()]
    return {number: np.asarray(found, dtype=np.float64).reshape(4, 2)
            for number, found in zip(numbers, corners, strict=True) if 0 <= number < 4 and numbers.count(number) == 1}


def lattices_by_markers(markers: dict[int, Array], cells: Cells, plan: Plan) -> list[Lattice]:
    """The lattice about the pose the markers give, with the margin that suits the cells best; [] for fewer than three markers."""
    if len(markers) < _LEAST_MARKERS:
        return []
    frame = _frame(markers, plan)
    if not np.isfinite(frame).all() or abs(np.linalg.det(frame)) < 1e-6:
        return []
    middle = plan.size // 2 + 0.5
    best, most = None, 0
    for margin in _MARGINS:
        across = plan.size + 2 * margin
        board = np.array([[1 / across, 0, margin / across], [0, 1 / across, margin / across], [0, 0, 1.0]])
        pose = frame @ board @ np.array([[1, 0, middle], [0, 1, middle], [0, 0, 1.0]])
        places = project(np.asarray(np.linalg.inv(pose), dtype=np.float64), cells.centres)
        inside = np.abs(places).max(axis=1) < plan.size / 2
        count = max(len(assign(cells, inside, places, square_areas(pose, places), share)[0]) for share in _SHARES)
        if count > most:
            best, most = pose, count
    lattice = None if best is None else around(cells, np.asarray(best, dtype=np.float64))
    return [] if lattice is None else [lattice]


def _frame(markers: dict[int, Array], plan: Plan) -> Array:
    """The homography from the square whose corners are the four markers' middles, (0, 0) ... (1, 1), to pixels.

    With one missing, the other three's own outlines (upright, of one unknown size) give the rest of the perspective.
    """
    n = float(plan.size)
    corner = np.array(seat_corners(plan)) / n
    if len(markers) == 4:
        middles = np.array([markers[number].mean(axis=0) for number in range(4)])
        return np.asarray(cv2.getPerspectiveTransform(corner.astype(np.float32), middles.astype(np.float32)), dtype=np.float64)
    best, least = np.eye(3), np.inf
    goal = np.concatenate(list(markers.values()))
    for half in np.linspace(0.005, 0.06, 23):  # half a marker's side
        outline = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        source = np.concatenate([corner[number] + outline for number in markers])
        homography = np.asarray(cv2.findHomography(source, goal)[0], dtype=np.float64)
        error = float(np.abs(project(homography, source) - goal).sum()) if homography.shape == (3, 3) else np.inf
        if error < least:
            best, least = homography, error
    return best


def agree(markers: dict[int, Array], registration: Registration, plan: Plan) -> bool:
    """Do at least three markers lie outside their seats' corners, all equally far? Then they vouch for the place and the turn."""
    if len(markers) < _LEAST_MARKERS:
        return False
    half = plan.size / 2
    corner = np.array(seat_corners(plan))
    places = {number: registration.to_board(outline.mean(axis=0))[0] for number, outline in markers.items()}
    outside = np.array([(place - half) * np.sign(corner[number] - half) - half for number, place in places.items()])
    return bool(outside.min() > 0 and np.ptp(outside) < _ALIKE)
