"""Which way round the board lies: only its colours can tell four turns apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from .plan import Plan
from .registration import Array, Registration, seat_corners

PRINTED: dict[str, tuple[float, float, float]] = {
    # CIE Lab of usual printing inks; only their directions from one another matter.
    "red": (45, 60, 40), "green": (50, -45, 30), "yellow": (80, 0, 70), "blue": (40, 5, -50), "black": (15, 0, 0), "white": (95, 0, 0),
    "orange": (65, 40, 65), "purple": (35, 45, -40), "violet": (35, 45, -40), "pink": (65, 50, 0), "brown": (35, 20, 30),
    "grey": (60, 0, 0), "turquoise": (65, -35, -10),
}
_LIGHTNESS_COUNTS = 0.35  # light falls unevenly over a board: lightness tells less than hue
STRONG, _CLEARLY = 0.8, 0.1  # agreement of colours that are what they are held for (0.84 and more), and what of it is no chance
_SAMPLES = np.array([(x, y) for x in (-0.28, 0.0, 0.28) for y in (-0.28, 0.0, 0.28)])


@dataclass(frozen=True, slots=True)
class Turn:
    """The best turn: the plan's corner c lies at corner (c + quarters) % 4 of the unturned registration.

    `agreement`: -1 ... 1 of the colours seen with those printed; `margin`: its lead over the second best turn; `swapped`: the best
    agreement had red and blue been exchanged; `otherwise`: the best had the same colours been given to other seats.
    """

    quarters: int
    colours: tuple[str, ...]
    agreement: float
    margin: float
    swapped: float
    otherwise: float

    @property
    def doubt(self) -> str | None:
        """What the colours say against the settings, as a hint of BoardNotFound."""
        strength, hint = max((self.swapped, "channels_swapped"), (self.otherwise, "other_colours"))
        return hint if strength > max(self.agreement + _CLEARLY, STRONG) else None


def best_turn(picture: NDArray[np.uint8], registration: Registration, plan: Plan, *, colours_known: bool = True) -> Turn:
    """The turn in which the colours seen on the four seats' printed squares and yards agree best with the plan's.

    With colours unknown every order of the plan's colours is tried and the first seat is the corner that lies there already.
    Colours are compared by their directions from their common mean, so a warm lamp or a coloured ground cancels out.
    """
    n = float(plan.size)
    seen = _seat_colours(picture, registration, plan)
    swapped = _seat_colours(np.ascontiguousarray(picture[..., ::-1]), registration, plan)
    orders = [(0, order) for order in permutations(plan.colours)]
    choices = [(quarters, plan.colours) for quarters in range(4)] if colours_known else orders
    corner = [((0.0, 0.0), (n, 0.0), (n, n), (0.0, n)).index(place) for place in seat_corners(plan)]
    expected = [_expected(colours, quarters, corner) for quarters, colours in choices]
    scores = [_agreement(seen, goal) for goal in expected]
    order = np.argsort(scores)[::-1]
    quarters, colours = choices[int(order[0])]
    best, second = scores[int(order[0])], scores[int(order[1])]
    exchanged = max(_agreement(swapped, goal) for goal in expected)
    otherwise = max(_agreement(seen, _expected(colours, 0, corner)) for _, colours in orders)
    return Turn(quarters, colours, best, best - second, exchanged, otherwise)


def turned(registration: Registration, quarters: int) -> Registration:
    """The same place with the board's corner (0, 0) at the unturned registration's corner `quarters`."""
    homography, fold, n = registration.homography, registration.fold, float(registration.size)
    quarter = np.array([[0, -1, n], [1, 0, 0], [0, 0, 1.0]])  # (0, 0) -> (n, 0): seat 0 goes where seat 1 was
    for _ in range(quarters % 4):
        homography = homography @ quarter
        if fold is not None:
            axis, x, y, z = fold
            fold = (1 - axis, y, -x, z)
    return replace(registration, homography=homography, fold=fold)


def _expected(colours: Sequence[str], quarters: int, corner: Sequence[int]) -> Array:
    """Lab (4, 3) that the unturned registration would see at each seat, seat s lying at corner[s] + quarters."""
    by_corner = {(corner[seat] + quarters) % 4: PRINTED.get(name, (50, 0, 0)) for seat, name in enumerate(colours)}
    return np.array([by_corner[place] for place in corner], dtype=np.float64)


def _agreement(seen: Array, expected: Array) -> float:
    """The mean correlation of seen (kinds, 4, 3) with expected (4, 3) Lab, both about their means; kinds that show no colour say less."""
    goal = (expected - expected.mean(axis=0)) * np.array([_LIGHTNESS_COUNTS, 1, 1])
    total = weight = 0.0
    for kind in seen:
        found = (kind - kind.mean(axis=0)) * np.array([_LIGHTNESS_COUNTS, 1, 1])
        strength = float(np.linalg.norm(found))
        trust = strength / (strength + 15.0)
        total += trust * float((found * goal).sum()) / (strength * float(np.linalg.norm(goal)) + 1e-9)
        weight += trust
    return total / max(weight, 0.3)


def _seat_colours(picture: NDArray[np.uint8], registration: Registration, plan: Plan) -> Array:
    """Lab (2, 4, 3) seen at the unturned registration's four seats: their home squares, and their yards."""
    homes, yards = [], []
    for seat in range(4):
        centres = np.array([spot.centre for spot in plan.spots if spot.kind == "square" and spot.seat == seat])
        homes.append((centres[:, None] + _SAMPLES).reshape(-1, 2))
        outline = np.array(plan.spots[plan.yards[seat]].outline)
        low, high = outline.min(axis=0), outline.max(axis=0)
        steps = (np.arange(14) + 0.5) / 14
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        yards.append(low + grid * (high - low))
    white = _white(picture, registration, plan)
    seen = np.zeros((2, 4, 3))
    for seat in range(4):
        home = _lab(picture, registration, homes[seat], white).reshape(-1, len(_SAMPLES), 3)
        seen[0, seat] = np.median(np.median(home, axis=1), axis=0)
        seen[1, seat] = _lab(picture, registration, yards[seat], white).mean(axis=0)
    return seen


def _pixels(picture: NDArray[np.uint8], registration: Registration, places: Array) -> Array:
    """Colours (N, 3) BGR 0 ... 1 at board places; places outside the picture show its nearest edge."""
    at = np.round(registration.to_pixels(places)).astype(int)
    at = np.clip(at, 0, np.array([picture.shape[1], picture.shape[0]]) - 1)
    return np.asarray(picture[at[:, 1], at[:, 0]], dtype=np.float64) / 255


def _white(picture: NDArray[np.uint8], registration: Registration, plan: Plan) -> Array:
    """The plain squares' colour (3,) BGR, linear, scaled to a mean of one: what the light makes of the board's ground."""
    centres = np.array([spot.centre for spot in plan.spots if spot.kind == "square" and spot.seat is None])
    if not len(centres):
        return np.ones(3)
    plain = np.median(_pixels(picture, registration, (centres[:, None] + _SAMPLES).reshape(-1, 2)).reshape(len(centres), -1, 3), axis=1)
    bright = plain[np.argsort(plain.sum(axis=1))[len(plain) // 2 :]]
    linear = np.median(bright, axis=0) ** 2.2 + 1e-3
    return np.asarray(np.clip(linear / linear.mean(), 0.25, 4.0), dtype=np.float64)


def _lab(picture: NDArray[np.uint8], registration: Registration, places: Array, white: Array) -> Array:
    """Lab (N, 3) at board places, the light's colour taken out."""
    linear = _pixels(picture, registration, places) ** 2.2 / white
    balanced = np.clip(linear, 0, 1) ** (1 / 2.2)
    return np.asarray(cv2.cvtColor(balanced.astype(np.float32)[None], cv2.COLOR_BGR2Lab)[0], dtype=np.float64)
