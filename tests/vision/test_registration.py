"""The map between board squares and pixels."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import numpy as np
import pytest

from ludo_vision.errors import VisionError
from ludo_vision.registration import Registration, seat_corners

CORNERS = [(253.0, 179.0), (664.0, 127.0), (718.0, 539.0), (304.0, 592.0)]


def test_corners_given_are_corners_told():
    registration = Registration.from_corners(CORNERS, 15, (960, 720), k1=-0.03)
    assert np.allclose(registration.corners(), CORNERS, atol=1e-3)
    assert registration.how == "given"
    assert 26 < registration.square_pixels() < 29


@pytest.mark.parametrize("fold", [None, (0, 0.1, -0.08, 0.01), (1, -0.05, 0.1, -0.02)])
def test_board_to_pixels_and_back_is_the_same_place(fold):
    registration = replace(Registration.from_corners(CORNERS, 15, (960, 720), k1=-0.03), fold=fold)
    places = np.random.default_rng(1).uniform(-1, 16, (50, 2))
    assert np.abs(registration.to_board(registration.to_pixels(places)) - places).max() < 1e-6


@pytest.mark.parametrize(("corners", "complaint"), [
    (CORNERS[:3], "four corners"),
    ([(-30.0, 179.0), *CORNERS[1:]], "corner A at -30,179 is outside the picture"),
    ([CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]], "do not go round"),
    (CORNERS[::-1], "wrong way"),
    ([(100.0, 100.0), (200.0, 200.0), (300.0, 300.0), (400.0, 400.0)], "do not go round"),
])
def test_corners_that_cannot_be_are_named(corners, complaint):
    with pytest.raises(VisionError, match=complaint):
        Registration.from_corners(corners, 15, (960, 720))


def test_a_counter_clockwise_board_takes_its_corners_in_the_order_of_its_yards():
    plan = drawn.plan(drawn.MAKES["classic"])
    other_way = replace(plan, yards=plan.yards[::-1])
    assert seat_corners(other_way) == ((0, 15), (15, 15), (15, 0), (0, 0))
    registration = Registration.from_corners(CORNERS[::-1], 15, (960, 720), plan=other_way)
    assert np.allclose(registration.to_pixels([(0, 0)]), CORNERS[0], atol=1e-3)
    assert np.allclose(registration.corners(other_way), CORNERS[::-1], atol=1e-3)


def test_a_wide_middle_row_is_wide_both_ways():
    registration = replace(Registration.from_corners(CORNERS, 15, (960, 720)), middle=1.2)
    places = np.random.default_rng(2).uniform(-1, 16, (50, 2))
    assert np.abs(registration.to_board(registration.to_pixels(places)) - places).max() < 1e-6
    assert np.allclose(registration.corners(), CORNERS, atol=1e-3)
    row = registration.to_pixels([(0, 7), (0, 8), (0, 9)])
    assert np.linalg.norm(row[1] - row[0]) > 1.2 * np.linalg.norm(row[2] - row[1])
