"""Where tokens that touch one another stand, by what changed: as well as it can be explained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from table_drawn import PAWN_HEIGHT, PAWN_RADIUS, Table

from ludo_vision.arrangements import Arrangement, Change, Settled, Sought
from ludo_vision.pose import View
from ludo_vision.register import from_corners
from ludo_vision.shape import Feet, Shape, Silhouettes, foot_at

TABLE = Table()
PLAN = TABLE.plan()
YARD = PLAN.yards[0]
CONE = Shape(((PAWN_RADIUS, 0.0), (PAWN_RADIUS, 0.25 * PAWN_HEIGHT), (0.6 * PAWN_RADIUS, PAWN_HEIGHT)))
HUDDLES = {
    "in a square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "in a row": ((-3, 0), (-1, 0), (1, 0), (3, 0)),
    "in a zigzag": ((-2.6, -1), (-1, 0.2), (0.8, -1), (2.4, 0.2)),
}


@pytest.fixture(scope="module")
def cones() -> Silhouettes:
    picture = np.full((600, 800, 3), 128, dtype=np.uint8)
    return Silhouettes(View.of(from_corners(picture, PLAN, TABLE.corners())), CONE)


def change_by(cones: Silhouettes, feet: Sequence[tuple[int, int, int]]) -> Change:
    """What tokens on these feet would change, every pixel being as sure as the other."""
    gain = np.full(cones.view.size[0] * cones.view.size[1], -5, dtype=np.float32)
    for foot in feet:
        gain[cones.at(foot)] = 5
    return Change(gain, gain > 0, Feet(PLAN).of(YARD))


@pytest.mark.parametrize("huddle", HUDDLES.values(), ids=HUDDLES)
def test_huddles_are_taken_apart(cones: Silhouettes, huddle: Sequence[tuple[float, float]]) -> None:
    """One token after the other where it explains most would leave some of it over."""
    x, y = PLAN.spots[YARD].centre
    truth: Arrangement = tuple(foot_at((x + PAWN_RADIUS * across, y + PAWN_RADIUS * down)) for across, down in huddle)
    change = change_by(cones, truth)
    explained, _ = Settled(cones, change).best(Sought(cones, change).best([])[3])
    assert explained > 0.95 * change.gain[change.gain > 0].sum()


def test_tokens_that_have_no_room_are_not_placed(cones: Silhouettes) -> None:
    two = (foot_at((2.0, 2.0)), foot_at((3.5, 2.0)))
    change = change_by(cones, two)
    found = Sought(cones, Change(change.gain, change.touched, two)).best([])
    assert [len(some[0]) for some in found] == [1, 2]
