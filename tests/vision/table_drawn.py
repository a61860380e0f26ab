"""A table with tokens, drawn: a board of `boards_drawn` seen by its camera, with little pawns and discs standing on it.

A token is a column from its foot to a head above it, lit from one side, with a soft shadow on the print. What may go wrong on a real
table (a shadow, a hand, a die) is drawn by functions beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import boards_drawn as drawn
import cv2
import numpy as np

from ludo_vision.plan import OFF_TABLE, Plan, Scene, Shift, Spot

PAINT = {"red": (196, 30, 34), "green": (22, 118, 52), "yellow": (238, 186, 24), "blue": (28, 70, 170), "black": (24, 24, 26),
         "teal": (0, 128, 128)}
PAWN_RADIUS, PAWN_HEIGHT = 0.32, 1.2


VIEW = drawn.View(turn=20.0, tilt=12.0, size=(800, 600), tokens=0, noise=1.5, seed=3)


@dataclass(frozen=True)
class Table:
    """One make's board under one camera. `light` is the direction in which shadows fall, in squares."""

    make: drawn.Make = drawn.MAKES["classic"]
    view: drawn.View = VIEW
    light: tuple[float, float] = (0.5, 0.3)
    height: float = PAWN_HEIGHT

    def plan(self) -> Plan:
        """The make's plan, with its four finishes."""
        plan = drawn.plan(self.make)
        tips = [((6, 6), (6, 9)), ((6, 6), (9, 6)), ((9, 6), (9, 9)), ((6, 9), (9, 9))]
        spots = [Spot("finish", (a, b, (7.5, 7.5)), ((a[0] + b[0] + 7.5) / 3, (a[1] + b[1] + 7.5) / 3), seat)
                 for seat, (a, b) in enumerate(tips)]
        first = len(plan.spots)
        return replace(plan, spots=(*plan.spots, *spots), finishes=tuple(range(first, first + 4)))

    def corners(self) -> list[tuple[float, float]]:
        _, corners = drawn.seen(self.make, self.view)
        return [(float(x), float(y)) for x, y in corners]

    def empty(self, seed: int = 0) -> np.ndarray:
        """The table without tokens."""
        return self._noisy(self.bare(), seed)

    def bare(self) -> np.ndarray:
        """The board without tokens and noise."""
        picture, _ = drawn.seen(self.make, self.view)
        return picture

    def picture(
        self, scene: Scene, seed: int = 0, off: tuple[float, float] = (0.0, 0.0), only: int | None = None, first: str | None = None
    ) -> np.ndarray:
        """The table with the tokens of a scene, each up to a tenth of a square (and `off`: all, or `only` on one place) from its
        square's centre; `first`: the colour of the first of them."""
        picture, feet = self.bare(), self.feet(scene, off, only)
        if first is not None:
            feet[0] = (*feet[0][:2], first)
        for x, y, _ in feet:
            self.shade(picture, [(x, y), (x + self.light[0] * self.height, y + self.light[1] * self.height)], PAWN_RADIUS * 0.8)
        eye = self._eye()
        for x, y, colour in sorted(feet, key=lambda foot: -np.hypot(foot[0] - eye[0], foot[1] - eye[1])):
            self._token(picture, x, y, PAINT[colour])
        return self._noisy(picture, seed)

    def feet(self, scene: Scene, off: tuple[float, float], only: int | None) -> list[tuple[float, float, str]]:
        plan, found = self.plan(), []
        for seat, places in enumerate(scene):
            for index, place in enumerate(places):
                spot = plan.spots[place]
                chance = np.random.default_rng(1000 * seat + 10 * place + places[:index].count(place))
                x, y = spot.centre + chance.uniform(-0.1, 0.1, 2) + (off if only in (None, place) else (0.0, 0.0))
                if spot.kind == "yard":
                    nest = [(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)][places[:index].count(place)]
                    x, y = x + nest[0], y + nest[1]
                elif places.count(place) > 1:
                    x += (-0.3, 0.3, 0.0, 0.0)[places[:index].count(place)]
                found.append((float(x), float(y), plan.colours[seat]))
        return found

    def shade(
        self, picture: np.ndarray, line: list[tuple[float, float]], radius: float, tint: tuple[float, float, float] = (0.62, 0.62, 0.62)
    ) -> None:
        """Darken the picture along a line on the board, softly; `tint` BGR."""
        mask = np.zeros(picture.shape[:2], dtype=np.uint8)
        ends = [tuple(np.round(p).astype(int).tolist()) for p in self.pixels(line)]
        cv2.line(mask, *ends, 255, max(1, round(2 * radius * self._square(line[0]))), cv2.LINE_AA)
        share = cv2.GaussianBlur(mask, (0, 0), 2).astype(np.float32)[..., None] / 255
        picture[:] = np.clip(picture * (1 - share * (1 - np.array(tint))), 0, 255).astype(np.uint8)

    def block(self, picture: np.ndarray, outline: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        """Something flat of an RGB colour lies on the board."""
        cv2.fillPoly(picture, [np.round(self.pixels(outline) * 16).astype(np.int32)], colour[::-1], cv2.LINE_AA, 4)

    def pixels(self, points: list[tuple[float, float]]) -> np.ndarray:
        return drawn._pixels(self.view, drawn._camera(self.make, self.view), np.array(points, dtype=np.float64))

    def _square(self, point: tuple[float, float]) -> float:
        a, b = self.pixels([point, (point[0] + 1, point[1])])
        return float(np.hypot(*(b - a)))

    def _pose(self) -> tuple[np.ndarray, np.ndarray]:
        """The homography's ideal camera (3x4, z up in squares) and the camera's place."""
        homography = drawn._camera(self.make, self.view)
        width, height = self.view.size
        lens = np.array([[1.1 * width, 0, (width - 1) / 2], [0, 1.1 * width, (height - 1) / 2], [0, 0, 1]])
        first, second, shift = (np.linalg.inv(lens) @ homography).T
        up = -np.cross(first, second) / np.linalg.norm(first)
        camera = lens @ np.column_stack([first, second, up, shift])
        eye = -np.linalg.inv(np.column_stack([first, second, up])) @ shift
        return camera, eye

    def _eye(self) -> np.ndarray:
        return self._pose()[1]

    def _token(self, picture: np.ndarray, x: float, y: float, paint: tuple[int, int, int]) -> None:
        camera, _ = self._pose()
        for level in np.linspace(0, 1, 14):
            width = PAWN_RADIUS * (1.0 if level < 0.15 else 0.5 if level < 0.7 else 0.55)
            if self.height < 0.5:
                width = PAWN_RADIUS
            angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
            ring = np.column_stack([x + width * np.cos(angle), y + width * np.sin(angle), np.full(20, level * self.height), np.ones(20)])
            at = ring @ camera.T
            tone = 0.62 + 0.38 * level
            cv2.fillPoly(picture, [np.round(at[:, :2] / at[:, 2:] * 16).astype(np.int32)], [tone * c for c in paint[::-1]], cv2.LINE_AA, 4)

    def _noisy(self, picture: np.ndarray, seed: int) -> np.ndarray:
        noise = np.random.default_rng(seed + 17).normal(0, 1.5, picture.shape)
        return np.clip(picture + noise, 0, 255).astype(np.uint8)


_HOMES = [cell for home in drawn._HOME15 for cell in home]
SQUARES = {cell: index for index, cell in enumerate([*(cell for cell in drawn._ARMS15 if cell not in _HOMES), *_HOMES])}
"""The spot of a square (row, column) of the plans here."""


# --- a game under way, for tests of the reader ------------------------------------------------------------------------

OVERHEAD = Table()
TILTED = replace(OVERHEAD, view=replace(OVERHEAD.view, turn=200.0, tilt=36.0))
PLAN = OVERHEAD.plan()
GREEN, YELLOW, BLUE, RED = PLAN.yards


def at(row: int, column: int) -> int:
    return SQUARES[(row, column)]


START: Scene = (
    tuple(sorted((at(6, 3), at(9, 8), GREEN, GREEN))),
    tuple(sorted((at(2, 8), at(7, 9), YELLOW, YELLOW))),
    tuple(sorted((at(8, 12), at(4, 6), BLUE, BLUE))),
    tuple(sorted((at(12, 6), at(14, 7), RED, RED))),
)


def after(scene: Scene, *shifts: Shift) -> Scene:
    seats = [list(places) for places in scene]
    for shift in shifts:
        seats[shift.seat].remove(shift.origin)
        if shift.destination != OFF_TABLE:
            seats[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(places)) for places in seats)
