"""A nudged board is followed; a board that went away is not."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import cv2
import numpy as np
import pytest

from ludo_vision.nudge import Follower
from ludo_vision.registration import Registration

BEFORE = drawn.View(size=(640, 480), share=0.62, turn=20, tokens=6, seed=4)


def grey_and_corners(view, make="classic"):
    picture, corners = drawn.seen(drawn.MAKES[make], view)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), corners


def registered(view, make="classic"):
    grey, corners = grey_and_corners(view, make)
    return grey, Registration.from_corners([tuple(corner) for corner in corners], drawn.MAKES[make].size, view.size, k1=view.k1)


@pytest.mark.parametrize("make", ["classic", "pastel tiles", "wood, burnt lines", "madn yellow"])
@pytest.mark.parametrize(("turned", "across", "down"), [(0, 0, 0), (3, 0.03, 0), (-10, 0, 0.05), (0, 0.065, -0.02), (8, -0.05, 0.04)])
def test_a_nudge_is_followed(make, turned, across, down):
    grey, registration = registered(BEFORE, make)
    after = replace(BEFORE, turn=BEFORE.turn + turned, offset=(across, down), light=(0.9, 0.9, 0.9), tokens=9)
    now, corners = grey_and_corners(after, make)
    moved = Follower(grey, registration).follow(now)
    assert moved is not None
    assert np.linalg.norm(np.array(moved.corners()) - corners, axis=1).max() < 0.15 * moved.square_pixels()


def test_one_square_off_is_never_taken_for_the_place():
    grey, registration = registered(BEFORE)
    for squares in (0.8, 1.0, 1.2):
        shift = squares * registration.square_pixels() / 480
        now, corners = grey_and_corners(replace(BEFORE, offset=(shift, 0.0)))
        moved = Follower(grey, registration).follow(now)
        assert moved is not None
        assert np.linalg.norm(np.array(moved.corners()) - corners, axis=1).max() < 0.15 * moved.square_pixels()


def test_a_hand_over_the_board_does_not_move_it():
    grey, registration = registered(BEFORE)
    now = grey.copy()
    cv2.ellipse(now, (330, 330), (70, 160), 20, 0, 360, 140, -1)
    moved = Follower(grey, registration).follow(now)
    assert moved is not None
    assert np.abs(np.array(moved.corners()) - registration.corners()).max() < 1.0


def test_another_picture_is_no_nudge():
    grey, registration = registered(BEFORE)
    gone = np.random.default_rng(0).integers(0, 255, grey.shape, dtype=np.uint8)
    assert Follower(grey, registration).follow(gone) is None
    assert Follower(grey, registration).follow(np.zeros_like(grey)) is None
    far_away, _ = grey_and_corners(replace(BEFORE, offset=(0.3, 0.1)))
    assert Follower(grey, registration).follow(far_away) is None
