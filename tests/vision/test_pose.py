"""The working picture: where the board's points come to lie in it, and which parts of it can show a token."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from table_drawn import Table

from ludo_vision.pose import View
from ludo_vision.registration import Registration
from ludo_vision.shape import Feet, Silhouettes, family

SIZE = (800, 600)


def turned(turn: float, k1: float = 0.0) -> tuple[Table, Registration]:
    table = Table()
    table = replace(table, view=replace(table.view, turn=turn, tilt=30.0, size=SIZE, k1=k1))
    return table, Registration.from_corners(table.corners(), table.plan().size, SIZE, k1=k1)


@pytest.mark.parametrize("k1", [0.0, -0.05])
def test_a_point_of_the_board_is_brought_to_where_the_view_says(k1: float) -> None:
    _, registration = turned(25.0, k1)
    view = View.of(registration)
    points = np.array([(x, y) for x in (1.5, 4.5, 7.5, 10.5, 13.5) for y in (1.5, 4.5, 7.5, 10.5, 13.5)])
    picture = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
    for x, y in registration.to_pixels(points):
        cv2.circle(picture, (round(16 * x), round(16 * y)), 16 * 4, (255, 255, 255), -1, cv2.LINE_AA, 4)
    working, unseen = view.bring(picture, registration)
    assert not unseen.any()
    for x, y in view.feet(points):
        left, top = int(x) - 7, int(y) - 7
        disc = working[top : top + 16, left : left + 16, 0].astype(np.float64)
        rows, columns = np.indices(disc.shape)
        assert (left + (columns * disc).sum() / disc.sum(), top + (rows * disc).sum() / disc.sum()) == pytest.approx((x, y), abs=0.3)


def test_what_the_camera_does_not_see_is_said_to_be_unseen() -> None:
    _, registration = turned(0.0)
    corners = np.array(registration.corners())
    corners[:, 0] -= corners[:, 0].min() - 5  # the margin beside the board is beyond the picture's left edge
    beside = Registration.from_corners([(float(x), float(y)) for x, y in corners], registration.size, SIZE)
    view = View.of(beside)
    _, unseen = view.bring(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), beside)
    x, y = np.meshgrid(np.arange(view.size[0]), np.arange(view.size[1]))
    board = cv2.perspectiveTransform(np.stack([x.ravel(), y.ravel()], 1)[None].astype(np.float64), np.linalg.inv(view.homography))[0]
    beyond = beside.to_pixels(board)[:, 0].reshape(unseen.shape)
    assert unseen[beyond < -1].all()
    assert not unseen[beyond > 0].any()


@pytest.mark.parametrize("turn", [0.0, 30.0, 45.0])
def test_every_token_is_seen_within_the_views_blocks(turn: float) -> None:
    table, registration = turned(turn)
    plan, view = table.plan(), View.of(registration)
    shown = np.zeros((view.size[1], view.size[0]), dtype=bool)
    for block in view.blocks():
        shown[block] = True
    assert shown.mean() < 0.85
    feet = Feet(plan)
    for shape in family():
        silhouettes = Silhouettes(view, shape)
        for place in range(len(plan.spots)):
            assert all(shown.ravel()[silhouettes.at(foot)].all() for foot in feet.of(place)[:: max(1, len(feet.of(place)) // 9)])


def test_a_spread_weighs_each_foot_like_itself() -> None:
    table, registration = turned(20.0)
    silhouettes, feet = Silhouettes(View.of(registration), family()[10]), Feet(table.plan())
    spread = silhouettes.spread_over(feet.of(table.plan().yards[0]))
    values = np.random.default_rng(1).normal(size=silhouettes.view.size[0] * silhouettes.view.size[1]).astype(np.float32)
    one_by_one = [values[silhouettes.at(foot)].sum() for foot in spread.feet]
    assert spread.sums(values[spread.pixels]) == pytest.approx(np.array(one_by_one), abs=1e-3)
    other, near = spread.feet[40], 5.0
    apart = [np.hypot(x - other[0], y - other[1]) >= near for x, y, _ in spread.feet]
    assert spread.apart([other], near).tolist() == apart
