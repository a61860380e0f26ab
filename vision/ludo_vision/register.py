"""Finds the board in a picture: from its markers or its print, at any turn and tilt, or says why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from .cells import Cells, find_cells
from .errors import BoardNotFound, VisionError
from .lattice import Lattice, Pattern, Placement, around, assign, diagonals, lattices, pattern, place, square_areas
from .lattice_fit import fit, residuals
from .markers import agree, find_markers, lattices_by_markers
from .plan import Plan, Point
from .register_turn import STRONG, best_turn, turned
from .register_yards import poses_by_yards
from .registration import Array, Registration

Picture = NDArray[np.uint8]

_WORKING_SIDE, _SECOND_SIDE = 960, 1600  # the longer side at which cells are sought, and again when that shows no board
_PROMISING = 0.5  # a placement with that part of the greatest score is looked at before others are sought
_DARK = 20  # grey levels that nine tenths of a picture do not reach
_BURNT, _MUCH_BURNT = 252, 0.05  # pixels so bright show no print any more; so large a part of a picture may hide a board's lines
_SMALLEST_SQUARE = 11.0  # pixels
_TRIED = 3  # placements that are looked at closely, best first
_LEAST_SEEN, _FEWEST = 0.5, 0.3  # part of the printed cells: to be a board, and to be fitted at all
_WORST_RESIDUAL = 0.05  # squares, the median cell
_USUAL_SHARE = 0.75  # of a square's area that its cell takes, until the cells tell
_BENDS = 0.7  # of the straight map's residual: a bent one that fits no better than that is noise
_CORNERS_OFF = 0.3  # squares: fitted corners as far from those given show something else than these
_OTHER_WAY = 0.5  # lead in agreement of another turn than the one given (boards lying as given: none; wrong ones: 0.9)
_LEAST_LEAD = 8.0  # of the pattern's score where it lies over its score one square off (whole boards: 18 and more)


def find_board(picture: Picture, plan: Plan, *, colours_known: bool = True) -> Registration:
    """Where the plan's board lies in a picture (h, w, 3) uint8 BGR.

    With `colours_known` false the plan's colours may belong to the seats in any order; the result's `colours` tells it.
    Raises BoardNotFound with a hint at what would help, VisionError for what is no picture.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise VisionError(f"a picture of shape {picture.shape} and type {picture.dtype}; needed is (height, width, 3) uint8 BGR")
    if float(np.quantile(picture[::4, ::4].max(axis=2), 0.9)) < _DARK:
        raise BoardNotFound("too dark to see the board's colours: more light, please", "too_dark")
    doubts: list[_Doubt] = []
    longer = max(picture.shape[:2])
    first = min(1.0, _WORKING_SIDE / longer)
    for scale in (first, min(2 * first, _SECOND_SIDE / longer)):
        working = picture if scale == 1.0 else _resized(picture, scale)
        found = _Search(working, plan, colours_known).run()
        if isinstance(found, Registration):
            return _fit_for_play(_rescaled(found, 1 / scale, (picture.shape[1], picture.shape[0])))
        doubts.append(found)
    raise _refusal(picture, max(doubts, key=lambda doubt: doubt.strength))


def check_colours(picture: Picture, registration: Registration, plan: Plan) -> None:
    """Raises BoardNotFound when a board known by its corners is printed in other colours than the plan's, so that no token could be
    told: seats exchanged, red and blue swapped by the camera, or corners given from another one on."""
    turn = best_turn(picture, registration, plan)
    if turn.doubt is not None:
        raise _refusal(picture, _Doubt(turn.doubt, 1.0))
    if turn.quarters and turn.agreement > STRONG and turn.margin > _OTHER_WAY:
        raise BoardNotFound("by its colours the board lies the other way round: give the corners in the order of the yards A, B, C, D",
                            "other_colours")


def from_corners(picture: Picture, plan: Plan, corners: Sequence[Point]) -> Registration:
    """The board whose grid has these outer corners, in the order of the seats, its lens and fold as the printed cells show them.

    Corners tell nothing of either: a straight map between them is up to 0.1 square off the middle of the sides with a Camera
    Module 3's lens, and 0.3 along a fold. Where the cells do not bear the corners out, the map between them stays straight.
    Raises VisionError for corners that cannot be.
    """
    size = (picture.shape[1], picture.shape[0])
    straight = Registration.from_corners(corners, plan.size, size, plan=plan)
    scale = min(1.0, _WORKING_SIDE / max(size))
    working = picture if scale == 1.0 else _resized(picture, scale)
    start, sketch, cells = _rescaled(straight, scale, (working.shape[1], working.shape[0])), _Sketch.of(plan), find_cells(working)
    seen, printed, share = _fitted(cells, sketch, start, _USUAL_SHARE)
    off = np.linalg.norm(np.subtract(seen.corners(), start.corners()), axis=1).max() / start.square_pixels()
    if printed < _LEAST_SEEN * sketch.count or seen.residual_squares > _WORST_RESIDUAL or off > _CORNERS_OFF:
        return straight
    bent = replace(Registration.from_corners(corners, plan.size, size, plan=plan, k1=seen.k1), fold=seen.fold, middle=seen.middle)
    chosen, points, _ = _on_lattice(cells, seen, share)
    own = sketch.arm_of(points) >= 0
    places, pixels = _centres(points[own]), (cells.centres[chosen[own]] + 0.5) / scale - 0.5
    better = float(np.median(residuals(bent, places, pixels))) < _BENDS * float(np.median(residuals(straight, places, pixels)))
    return bent if better else straight


@dataclass(frozen=True, slots=True)
class _Sketch:
    """A plan as the lattice sees it: its pattern, the number of printed cells, and the arm 0 ... 3 of each square, -1 for no cell,
    as (n, n) rows and columns."""

    pattern: Pattern
    count: int
    arms: NDArray[np.int_]

    @classmethod
    def of(cls, plan: Plan) -> _Sketch:
        n = plan.size
        squares = np.floor([spot.centre for spot in plan.spots if spot.kind == "square"]).astype(int)
        yards = [
            (column, row) for index in plan.yards for column in range(n) for row in range(n)
            if cv2.pointPolygonTest(np.array(plan.spots[index].outline, dtype=np.float32), (column + 0.5, row + 0.5), False) > 0
        ]
        ray = squares + 0.5 - n / 2
        arms = np.full((n, n), -1)
        arms[squares[:, 1], squares[:, 0]] = ((np.degrees(np.arctan2(ray[:, 1], ray[:, 0])) + 45) // 90).astype(int) % 4
        return cls(pattern(n, squares, np.array(yards, dtype=int).reshape(-1, 2)), len(squares), arms)

    def arm_of(self, squares: NDArray[np.int_]) -> NDArray[np.int_]:
        """The arm (M,) of each square (M, 2), column and row; -1 where no cell is printed."""
        inside = (squares.min(axis=1) >= 0) & (squares.max(axis=1) < len(self.arms))
        column, row = np.where(inside[:, None], squares, 0).T
        return np.where(inside, self.arms[row, column], -1)


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Why the best lattice was not taken for the board: a hint and how much of a board it was, 0 ... 1."""

    hint: str
    strength: float


class _Search:
    """The search for one board in one picture of working size."""

    def __init__(self, picture: Picture, plan: Plan, colours_known: bool) -> None:
        self.picture, self.plan, self.colours_known = picture, plan, colours_known
        self.sketch = _Sketch.of(plan)
        self.cells = find_cells(picture)
        self.markers = find_markers(picture)

    def run(self) -> Registration | _Doubt:
        """The first lattice with every sign of the board; a promising one is looked at as soon as it is met, the rest best first."""
        waiting, worst = [], _Doubt("unsure", 0.0)
        for lattice, placement in self._placements():
            promising = placement.score > _PROMISING * self.sketch.count and placement.lead > _LEAST_LEAD
            result = self._confirm(lattice, placement) if promising else None
            if isinstance(result, Registration):
                return result
            if result is None:
                waiting.append((lattice, placement))
            elif result.strength > worst.strength:
                worst = result
        for lattice, placement in sorted(waiting, key=lambda pair: -pair[1].score)[:_TRIED]:
            result = self._confirm(lattice, placement)
            if isinstance(result, Registration):
                return result
            if result.strength > worst.strength:
                worst = result
        return worst

    def _placements(self) -> Iterator[tuple[Lattice, Placement]]:
        """The pattern on every lattice. Markers and yards, soon seen, lead to the first."""
        middle = self.plan.size // 2 + 0.5
        to_middle = np.array([[1, 0, middle], [0, 1, middle], [0, 0, 1.0]])
        for lattice in chain(
            lattices_by_markers(self.markers, self.cells, self.plan),
            (around(self.cells, pose @ to_middle) for pose in poses_by_yards(self.picture, self.plan)),
            lattices(self.cells),
        ):
            if lattice is None:
                continue
            placement = place(self.sketch.pattern, lattice.points)
            yield lattice, placement
            for other in diagonals(lattice):
                half = place(self.sketch.pattern, other.points)
                if half.score > placement.score and half.lead > _LEAST_LEAD:
                    yield other, half

    def _confirm(self, lattice: Lattice, placement: Placement) -> Registration | _Doubt:
        """The exact registration when every sign of a board is there, else the sign that is missing."""
        shift = np.array([[1, 0, placement.origin[0] - 0.5], [0, 1, placement.origin[1] - 0.5], [0, 0, 1.0]])
        size = (self.picture.shape[1], self.picture.shape[0])
        registration = Registration(lattice.homography @ shift, 0.0, self.plan.size, size, "print")
        cells, sketch = self.cells, self.sketch
        registration, printed, share = _fitted(cells, sketch, registration, lattice.share)
        if printed < _FEWEST * sketch.count:
            return _Doubt("unsure", printed / sketch.count / 2)
        chosen, points, _ = _on_lattice(cells, registration, share)
        placement = place(sketch.pattern, points)
        arms = sketch.arm_of(points)
        places, pixels = _centres(points[arms >= 0]), cells.centres[chosen[arms >= 0]]
        seen = placement.hits / sketch.count
        arms_seen = np.bincount(arms[arms >= 0], minlength=4) >= 0.25 * sketch.count / 4
        if placement.origin != (0, 0) or seen < _LEAST_SEEN or placement.lead < _LEAST_LEAD:
            return _Doubt("unsure", seen)
        if arms_seen.sum() < 3 or placement.strays > 0.35 * placement.hits:
            return _Doubt("other_board", seen)
        if registration.residual_squares > _WORST_RESIDUAL or np.quantile(residuals(registration, places, pixels), 0.8) > 0.12:
            return _Doubt("unsure", seen)
        return self._turned(registration, seen)

    def _turned(self, registration: Registration, seen: float) -> Registration | _Doubt:
        """The registration with its seats where their colours are, or, when colours do not tell, where the markers say."""
        turn = best_turn(self.picture, registration, self.plan, colours_known=self.colours_known)
        if turn.doubt is not None:
            return _Doubt(turn.doubt, 1.0)
        vouched = [
            quarters for quarters in range(4)
            if self.colours_known and agree(self.markers, turned(registration, quarters), self.plan)
        ]
        if turn.agreement >= 0.4 and turn.margin >= 0.1:
            quarters = turn.quarters
        elif vouched:
            quarters = vouched[0]
        else:
            return _Doubt("unsure", seen)
        how = "markers" if quarters in vouched else "print"
        return replace(turned(registration, quarters), how=how, colours=None if self.colours_known else turn.colours)


def _centres(squares: NDArray[np.int_]) -> Array:
    return squares.astype(np.float64) + 0.5


def _fitted(cells: Cells, sketch: _Sketch, registration: Registration, share: float) -> tuple[Registration, int, float]:
    """The registration fitted to the printed cells near where it puts them, their number and their share of a square; as far as it
    came when there are fewer than `_FEWEST`."""
    for bends in (False, False, True):
        chosen, points, share = _on_lattice(cells, registration, share)
        printed = sketch.arm_of(points) >= 0
        if printed.sum() < _FEWEST * sketch.count:
            break
        registration = fit(registration, _centres(points[printed]), cells.centres[chosen[printed]], bends=bends)
    return registration, int(printed.sum()), share


def _on_lattice(cells: Cells, registration: Registration, share: float) -> tuple[NDArray[np.int_], NDArray[np.int_], float]:
    """Cells on the board's squares or on the same lattice around it: indices, squares (M, 2) as column and row, share of a square."""
    places = registration.to_board(cells.centres)
    around = (places.min(axis=1) > -3) & (places.max(axis=1) < registration.size + 3)
    return assign(cells, around, places - 0.5, square_areas(registration.homography, places), share)


def _fit_for_play(registration: Registration) -> Registration:
    """The registration, when the whole grid is in the picture and large enough to see tokens on."""
    if registration.square_pixels() < _SMALLEST_SQUARE:
        raise BoardNotFound("the board is too small in the picture: bring the camera nearer", "too_small")
    width, height = registration.picture_size
    for x, y in registration.corners():
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            raise BoardNotFound("a corner of the board is outside the picture: move the camera up or the board to its middle",
                                "corner_outside")
    return registration


def _refusal(picture: Picture, doubt: _Doubt) -> BoardNotFound:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    light = float(np.quantile(grey, 0.9))
    if light < 2 * _DARK:
        return BoardNotFound("too dark to see the board: more light, please", "too_dark")
    if doubt.hint == "channels_swapped":
        return BoardNotFound("red and blue are exchanged in the camera's pictures: set the camera's channel order", doubt.hint)
    if doubt.hint == "other_colours":
        return BoardNotFound("the colours lie on other seats than the settings say: set each seat's colour as it is printed", doubt.hint)
    if float((picture[::2, ::2].min(axis=2) >= _BURNT).mean()) > _MUCH_BURNT:
        return BoardNotFound("too bright to see the board: less light on it, please", "too_bright")
    if doubt.hint == "other_board":
        return BoardNotFound("this looks like another kind of board than the chosen one: choose the board that lies on the table",
                             doubt.hint)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = cv2.Laplacian(small, cv2.CV_32F)
    if float(np.quantile(np.abs(sharp), 0.99)) < 0.06 * light:
        return BoardNotFound("the picture is blurred: focus the camera and keep it still", "blurred")
    return BoardNotFound("the board was not found: show the whole board, without glare and nothing lying on it", "unsure")


def _resized(picture: Picture, scale: float) -> Picture:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8)


def _rescaled(registration: Registration, scale: float, picture_size: tuple[int, int]) -> Registration:
    """The registration in a picture `scale` times as large; pixel (0, 0) is centred half a pixel inside either picture."""
    half = 0.5 * scale - 0.5
    larger = np.array([[scale, 0, half], [0, scale, half], [0, 0, 1.0]])
    return replace(registration, homography=larger @ registration.homography, picture_size=picture_size)
