"""A token's outline: a small family of solids of revolution, and what of the picture each covers, standing anywhere on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from .plan import Plan, Point
from .pose import View

Indices = NDArray[np.int32]
Foot = tuple[int, int, int]
"""Where a token stands: x and y in pitches, and how many tokens it stands on (discs are stacked)."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom pixels of an outline, all of them inside."""

PITCH = 0.08  # squares between the feet that are told apart
COARSE = 3  # pitches between the feet tried first
LONE_REACH = 4.25 * PITCH  # squares that a lone token may stand off its square's centre
_ROUND = np.stack([np.cos(np.linspace(0, 2 * np.pi, 14, endpoint=False)), np.sin(np.linspace(0, 2 * np.pi, 14, endpoint=False))], axis=1)
_ANCHORS = 6  # pitches between the feet whose outlines are drawn exactly
_KEPT = 3000  # silhouettes held, some ten megabytes; they are soon made again


@dataclass(frozen=True, slots=True)
class Shape:
    """A token in squares. `rings`: (radius, height) from the foot up; the solid is the hull of each two neighbouring rings."""

    rings: tuple[tuple[float, float], ...]

    @property
    def radius(self) -> float:
        return self.rings[0][0]

    @property
    def height(self) -> float:
        return self.rings[-1][1]

    def slimmer(self, share: float) -> Shape:
        return Shape(tuple((radius * share, height) for radius, height in self.rings))

    @property
    def stacks(self) -> bool:
        """Could one stand on another? From right above a low cone cannot be told from a disc."""
        return len(self.rings) == 3 and self.height <= 0.8


def family() -> tuple[Shape, ...]:
    """What tokens look like: discs, domes and cones of several heights, and pawns with a foot, a neck and a head."""
    shapes = []
    for radius in (0.26, 0.32, 0.38):
        for height in (0.15, 0.4, 0.75, 1.1):
            for top in (0.35, 0.62, 0.9):
                shapes.append(Shape(((radius, 0.0), (radius, 0.25 * height), (radius * top, height))))
        for height in (0.9, 1.1, 1.3, 1.5):
            head = 0.55 * radius
            shapes.append(Shape(((radius, 0.0), (radius, 0.12 * height), (0.42 * radius, 0.6 * height), (head, 0.72 * height),
                                 (head, 0.86 * height), (0.6 * head, height))))
    return tuple(shapes)


def foot_at(point: Point) -> Foot:
    """The foot nearest to a point in squares."""
    return round(point[0] / PITCH), round(point[1] / PITCH), 0


def point_of(foot: Foot) -> Point:
    """The point in squares of a foot."""
    return foot[0] * PITCH, foot[1] * PITCH


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Feet and a token's outlines on them, one after the other, so that all are weighed in one go.

    `pixels` (N,): flat indices, of which `lengths[i]` from `starts[i]` on belong to foot i; `distances[i]`: squares from the camera.
    `lasting`: it is held for as long as the silhouettes are.
    """

    feet: tuple[Foot, ...]
    pixels: Indices
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]
    distances: NDArray[np.float32]
    lasting: bool

    def sums(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Every foot's sum of values given for all pixels (N,)."""
        return np.asarray(np.add.reduceat(values, self.starts), dtype=np.float32)

    def apart(self, others: Sequence[Foot], pitches: float) -> NDArray[np.bool_]:
        """Which feet keep so far away from all others (at least one), in the plane."""
        away = np.array(self.feet)[:, None, :2] - np.array(others)[:, :2]
        return np.asarray(((away**2).sum(axis=2) >= pitches**2).all(axis=1))


class Silhouettes:
    """Which pixels of the working picture a token covers, for one shape and one view.

    An outline is drawn exactly once for each half square; a foot nearby has the same outline, moved by whole pixels.
    """

    def __init__(self, view: View, shape: Shape) -> None:
        self.view, self.shape = view, shape
        self._known: dict[Foot, tuple[Indices, Box]] = {}
        self._distances: dict[Foot, float] = {}
        self._drawn: dict[Foot, tuple[Indices, Box, Point]] = {}
        self._spreads: dict[tuple[Foot, ...], Spread] = {}
        self._around: dict[tuple[int, int], Box] = {}
        self._map = [[float(v) for v in row] for row in view.homography]
        middle = view.registration.size / 2
        self.area = float(max(1, len(self.at(foot_at((middle, middle))))))
        """Pixels of a silhouette in the middle of the board: the unit of all evidence."""

    def at(self, foot: Foot) -> Indices:
        """Flat indices of the pixels a token covers when it stands at `foot`, ascending."""
        return self._outline(foot)[0]

    def box(self, foot: Foot) -> Box:
        """The box round what a token covers when it stands at `foot`."""
        return self._outline(foot)[1]

    def spread(self, feet: Sequence[Foot]) -> Spread:
        """These feet, at least one, with their outlines."""
        return self._spread(tuple(feet), [self.at(foot) for foot in feet], lasting=False)

    def spread_over(self, feet: tuple[Foot, ...]) -> Spread:
        """The same for the feet of a place, which are asked for again and again."""
        known = self._spreads.get(feet)
        if known is None:
            known = self._spreads[feet] = self._spread(feet, [self._moved(foot)[0] for foot in feet], lasting=True)
        return known

    def _spread(self, feet: tuple[Foot, ...], outlines: Sequence[Indices], *, lasting: bool) -> Spread:
        lengths = np.array([len(outline) for outline in outlines], dtype=np.intp)
        distances = np.array([self.distance(foot) for foot in feet], dtype=np.float32)
        return Spread(feet, np.concatenate(outlines), np.cumsum(lengths) - lengths, lengths, distances, lasting)

    def distance(self, foot: Foot) -> float:
        """Squares from the camera to a foot (a token on top of another is nearer)."""
        known = self._distances.get(foot)
        if known is None:
            known = self._distances[foot] = self.view.distance(point_of(foot)) - foot[2] * self.shape.height
        return known

    def around(self, feet: Feet, place: int, levels: int) -> Box:
        """Left, top, right and bottom (these outside) of all pixels that tokens on a place may cover, standing on up to `levels`."""
        known = self._around.get((place, levels))
        if known is None:
            x, y = np.array([point_of(foot) for foot in feet.of(place)]).T
            reach = self.shape.radius + 2 * PITCH
            rim = [(a, b, z) for a in (x.min() - reach, x.max() + reach) for b in (y.min() - reach, y.max() + reach)
                   for z in (0.0, self.shape.height * levels)]
            pixels = self.view.lifted(np.array(rim))
            left, top = np.clip(np.floor(pixels.min(axis=0)).astype(int) - 1, 0, self.view.size)
            right, bottom = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 2, 0, self.view.size)
            known = self._around[place, levels] = int(left), int(top), int(right), int(bottom)
        return known

    def _outline(self, foot: Foot) -> tuple[Indices, Box]:
        known = self._known.get(foot)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
                self._distances.clear()
            known = self._known[foot] = self._moved(foot)
        return known

    def _moved(self, foot: Foot) -> tuple[Indices, Box]:
        anchor = (_ANCHORS * round(foot[0] / _ANCHORS), _ANCHORS * round(foot[1] / _ANCHORS), foot[2])
        drawn = self._drawn.get(anchor)
        if drawn is None:
            pixels = outline(self.view, self.shape, point_of(anchor), anchor[2])
            drawn = self._drawn[anchor] = (pixels, box_of(pixels, self.view.size[0]), self._pixel(anchor))
        pixels, box, (from_x, from_y) = drawn
        x, y = self._pixel(foot)
        dx, dy = round(x - from_x), round(y - from_y)
        width, height = self.view.size
        moved = box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy
        if moved[0] < 0 or moved[1] < 0 or moved[2] >= width or moved[3] >= height:
            pixels = outline(self.view, self.shape, point_of(foot), foot[2])
            return pixels, box_of(pixels, width)
        return pixels + np.int32(dy * width + dx), moved

    def _pixel(self, foot: Foot) -> Point:
        (a, b, c), (d, e, f), (g, h, i) = self._map
        x, y = point_of(foot)
        w = g * x + h * y + i
        return (a * x + b * y + c) / w, (d * x + e * y + f) / w


def box_of(pixels: Indices, width: int) -> Box:
    """The box round an outline (flat indices, ascending) in a picture of this width."""
    if not len(pixels):
        return 0, 0, -1, -1
    x = pixels % width
    return int(x.min()), int(pixels[0] // width), int(x.max()), int(pixels[-1] // width)


def outline(view: View, shape: Shape, point: Point, level: int = 0) -> Indices:
    """Flat indices of the working picture's pixels that a token at `point`, standing on `level` others, covers, ascending."""
    lift = level * shape.height
    rings = [np.column_stack([_ROUND * radius + point, np.full(len(_ROUND), height + lift)]) for radius, height in shape.rings]
    pixels = view.lifted(np.concatenate(rings)).reshape(len(rings), -1, 2)
    low = np.floor(pixels.min(axis=(0, 1))).astype(int)
    high = np.ceil(pixels.max(axis=(0, 1))).astype(int) + 1
    patch = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
    drawn = np.round((pixels - low) * 16).astype(np.int32)
    for lower, upper in pairwise(drawn):
        cv2.fillConvexPoly(patch, cv2.convexHull(np.concatenate([lower, upper])), 1, shift=4)
    y, x = np.nonzero(patch)
    x, y = x + low[0], y + low[1]
    inside = (x >= 0) & (y >= 0) & (x < view.size[0]) & (y < view.size[1])
    return np.asarray(y[inside] * view.size[0] + x[inside], dtype=np.int32)


class Feet:
    """Where in each place of a plan a token may stand."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._known: dict[int, tuple[Foot, ...]] = {}
        self._lone: dict[int, tuple[Foot, ...]] = {}

    def of(self, place: int) -> tuple[Foot, ...]:
        """Feet spread over a place, a coarse step apart."""
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._spread(place)
        return known

    def lone(self, place: int) -> tuple[Foot, ...]:
        """Those of them at which a lone token may stand: on a square they are nearer to its centre."""
        known = self._lone.get(place)
        if known is None:
            lone = self.plan.spots[place].kind == "square"
            known = tuple(foot for foot in self.of(place) if self.off_centre(place, foot) <= LONE_REACH) if lone else self.of(place)
            self._lone[place] = known
        return known

    def off_centre(self, place: int, foot: Foot) -> float:
        """Squares between a foot and its place's centre, along the longer axis."""
        (x, y), centre = point_of(foot), self.plan.spots[place].centre
        return max(abs(x - centre[0]), abs(y - centre[1]))

    def within(self, place: int, foot: Foot) -> bool:
        """Does a token at this foot stand on the place?"""
        spot, point = self.plan.spots[place], point_of(foot)
        if spot.kind == "square":
            return abs(point[0] - spot.centre[0]) <= 0.52 and abs(point[1] - spot.centre[1]) <= 0.52
        return cv2.pointPolygonTest(np.array(spot.outline, dtype=np.float32), point, True) >= -0.02

    def _spread(self, place: int) -> tuple[Foot, ...]:
        outline = np.array(self.plan.spots[place].outline)
        centre = foot_at(self.plan.spots[place].centre)
        reach = int(np.abs(outline - self.plan.spots[place].centre).max() / PITCH) + COARSE
        steps = range(-(reach // COARSE) * COARSE, reach + 1, COARSE)
        feet = tuple((centre[0] + dx, centre[1] + dy, 0) for dx in steps for dy in steps)
        return tuple(foot for foot in feet if self.within(place, foot))
