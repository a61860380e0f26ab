"""The simulated table: its pictures show what they are told to, where they say it is, the same each time."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ludo_hardware.simulated_table import (
    LIGHTS,
    PRINTS,
    PROFILES,
    SURFACES,
    BoardDrawing,
    DrawnPlace,
    Hand,
    Pinhole,
    SimulatedTable,
    TableLook,
    Token,
    TokenStyle,
    Viewpoint,
    hard_case,
)


def square(column: float, row: float, colour: str | None = None) -> DrawnPlace:
    outline = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    return DrawnPlace("square", outline, (column + 0.5, row + 0.5), colour)


@pytest.fixture(scope="module")
def drawing() -> BoardDrawing:
    """Six squares a side: a plain cross, and a yard in one corner."""
    places = [square(x, 3) for x in range(6)] + [square(3, y, "red") for y in range(3)]
    yard = DrawnPlace("yard", ((0, 0), (3, 0), (3, 3), (0, 3)), (1.5, 1.5), "green")
    return BoardDrawing(6, (*places, yard), (((1.0, 1.0), "green"), ((2.0, 2.0), "green")))


@pytest.fixture(scope="module")
def table(drawing: BoardDrawing) -> SimulatedTable:
    return SimulatedTable(drawing, TableLook(Pinhole(480, 360, tilt_deg=25)))


def hue_at(picture: NDArray[np.uint8], point: tuple[float, float]) -> int:
    x, y = round(point[0]), round(point[1])
    patch = picture[y - 1:y + 2, x - 1:x + 2].reshape(-1, 1, 3).mean(axis=0, keepdims=True).astype(np.uint8)
    return int(cv2.cvtColor(patch, cv2.COLOR_BGR2HSV)[0, 0, 0])


def test_same_seed_gives_the_same_pictures(drawing: BoardDrawing) -> None:
    look = TableLook(Pinhole(240, 180), seed=5)
    tokens = [Token("red", 2.5, 3.5)]
    one, other = SimulatedTable(drawing, look), SimulatedTable(drawing, look)
    for _ in range(2):
        assert np.array_equal(one.picture(tokens, Hand(2, 3)), other.picture(tokens, Hand(2, 3)))


def test_each_picture_has_noise_of_its_own(table: SimulatedTable) -> None:
    difference = table.picture([]).astype(int) - table.picture([]).astype(int)
    assert 0.5 < difference.std() < 6


@pytest.mark.parametrize(("colour", "hues"), [("red", (170, 10)), ("yellow", (18, 35)), ("blue", (100, 125))])
def test_token_shows_its_colour_at_its_head(table: SimulatedTable, colour: str, hues: tuple[int, int]) -> None:
    tokens = [Token(colour, 1.5, 3.5)]
    mark = table.marks(tokens)[0]
    low = (mark.foot[0] * 0.3 + mark.head[0] * 0.7, mark.foot[1] * 0.3 + mark.head[1] * 0.7)
    hue = hue_at(table.picture(tokens), low)
    assert hues[0] <= hue <= hues[1] or (hues[0] > hues[1] and (hue >= hues[0] or hue <= hues[1]))


def test_only_the_neighbourhood_of_a_token_changes(table: SimulatedTable) -> None:
    tokens = [Token("blue", 4.5, 3.5)]
    changed = np.abs(table.picture(tokens).astype(int) - table.picture([]).astype(int)).max(axis=2) > 25
    ys, xs = np.nonzero(changed)
    foot, scale = table.marks(tokens)[0].foot, table.view.scale(4.5, 3.5)
    assert changed.sum() > 100
    assert np.hypot(xs - foot[0], ys - foot[1]).max() < 3 * scale


def test_nearer_token_hides_the_farther_one(drawing: BoardDrawing) -> None:
    table = SimulatedTable(drawing, TableLook(Pinhole(480, 360, tilt_deg=45)))
    far, near = Token("yellow", 2.5, 3.0), Token("blue", 2.5, 3.6)
    head = table.marks([near])[0].head
    point = (head[0], head[1] + 8)
    for order in ([far, near], [near, far]):
        assert 100 <= hue_at(table.picture(order), point) <= 125


def test_corners_are_where_the_grid_is(table: SimulatedTable) -> None:
    for corner, point in zip(table.corners, [(0, 0), (6, 0), (6, 6), (0, 6)], strict=True):
        assert table.under(corner) == pytest.approx(point, abs=1e-6)
    picture = table.picture([])
    assert 45 <= hue_at(picture, tuple(table.view.project(np.array([[0.35, 0.35, 0]]))[0])) <= 85  # the green yard is at the first corner


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("turn", [-130.0, 0.0, 75.0])
def test_board_fills_its_share_of_the_picture(tilt: float, turn: float) -> None:
    view = Viewpoint(Pinhole(tilt_deg=tilt, turn_deg=turn, fill=0.8), 15, 0.4)
    rim = view.project(np.array([[-0.4, -0.4, 0], [15.4, -0.4, 0], [15.4, 15.4, 0], [-0.4, 15.4, 0]]))
    extent = (rim.max(axis=0) - rim.min(axis=0)) / (960, 720)
    assert extent.max() == pytest.approx(0.8, abs=0.01)
    assert (rim.max(axis=0) + rim.min(axis=0)) / 2 == pytest.approx((479.5, 359.5), abs=6)


def test_ground_undoes_project(table: SimulatedTable) -> None:
    points = np.array([[0.2, 0.4], [5.5, 1.0], [3.0, 5.9]])
    pixels = table.view.project(np.column_stack([points, np.full(3, 0.7)]))
    assert table.view.ground(pixels, 0.7) == pytest.approx(points, abs=1e-6)


def test_head_leans_away_from_the_camera(table: SimulatedTable) -> None:
    mark = table.marks([Token("red", 3.0, 1.0)])[0]
    assert math.dist(mark.foot, mark.head) > 0.3 * table.view.scale(3.0, 1.0)
    assert mark.head[1] < mark.foot[1]


def test_the_disc_on_top_is_seen_though_its_foot_is_farther_from_the_camera(drawing: BoardDrawing) -> None:
    style = TokenStyle("disc", height=0.3)
    table = SimulatedTable(drawing, TableLook(Pinhole(480, 360, tilt_deg=25), tokens=style))
    lower, upper = Token("green", 3.5, 3.5), Token("blue", 3.5, 3.45, lift=0.3)
    top = table.view.project(np.array([[upper.x, upper.y, 0.6]]))[0]
    assert 100 <= hue_at(table.picture([lower, upper]), (top[0], top[1])) <= 135


def test_knocked_table_shows_the_board_elsewhere(drawing: BoardDrawing) -> None:
    table = SimulatedTable(drawing, TableLook(Pinhole(240, 180, tilt_deg=10)))
    before = np.array(table.corners)
    shifted, turned = np.array(table.knocked(0.0, (0.02, 0.0)).corners), np.array(table.knocked(3.0, (0.0, 0.0)).corners)
    assert (shifted - before)[:, 0] == pytest.approx(np.full(4, 0.02 * 240), abs=0.5)
    assert np.abs(turned - before).max() > 3


@pytest.mark.parametrize("round_spots", [False, True])
def test_hard_cases_come_from_their_seeds(round_spots: bool) -> None:
    cases = [hard_case(seed, round_spots=round_spots) for seed in range(30)]
    assert cases == [hard_case(seed, round_spots=round_spots) for seed in range(30)]
    assert len({case.light_name for case in cases}) > 3
    assert {case.view_name for case in cases} == {"overhead", "oblique", "steep"}
    assert max(case.look.camera.tilt_deg for case in cases) <= 45


def test_hand_covers_what_is_under_it(table: SimulatedTable) -> None:
    covered = np.abs(table.picture([], Hand(3, 3)).astype(int) - table.picture([]).astype(int)).max(axis=2) > 30
    assert 0.05 < covered.mean() < 0.6


@pytest.mark.parametrize("light", LIGHTS)
def test_every_light_gives_a_picture_that_is_neither_black_nor_burnt_out(drawing: BoardDrawing, light: str) -> None:
    picture = SimulatedTable(drawing, TableLook(Pinhole(240, 180), LIGHTS[light])).picture([])
    assert 30 < picture.mean() < 225


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("style", PRINTS)
def test_every_print_lies_on_every_surface(drawing: BoardDrawing, style: str, surface: str) -> None:
    picture = SimulatedTable(drawing, TableLook(Pinhole(160, 120), style=PRINTS[style], surface=surface)).picture([])
    assert picture.shape == (120, 160, 3)


@pytest.mark.parametrize("shape", PROFILES)
def test_every_shape_of_token_is_seen(drawing: BoardDrawing, shape: str) -> None:
    table = SimulatedTable(drawing, TableLook(Pinhole(240, 180), tokens=TokenStyle(shape)))
    change = np.abs(table.picture([Token("blue", 1.5, 3.5)]).astype(int) - table.picture([]).astype(int)).max(axis=2) > 40
    assert change.sum() > 40


def test_token_outside_the_picture_is_no_fault(table: SimulatedTable) -> None:
    assert table.picture([Token("red", 60.0, 60.0), Token("red", -3.0, 3.0)]).shape == (360, 480, 3)
