"""One picture read without history: what stands where, what is only printed, and what cannot be told."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import numpy as np
import pytest
from table_drawn import SQUARES, Table

from ludo_vision.errors import VisionError
from ludo_vision.look import Look, draw_overlay, look
from ludo_vision.plan import Scene

OVERHEAD = Table()
TILTED = replace(OVERHEAD, view=replace(OVERHEAD.view, turn=200.0, tilt=36.0))
PLAN = OVERHEAD.plan()
GREEN, YELLOW, BLUE, RED = PLAN.yards
NOBODY: Scene = ((), (), (), ())


def at(row: int, column: int) -> int:
    return SQUARES[(row, column)]


MIDDLE: Scene = (
    tuple(sorted((at(6, 3), at(9, 8), GREEN, GREEN))),
    tuple(sorted((at(2, 8), at(7, 9), YELLOW, YELLOW))),
    tuple(sorted((at(8, 12), at(4, 6), BLUE, BLUE))),
    tuple(sorted((at(12, 6), at(14, 7), RED, RED))),
)


def standing(seen: Look) -> set[tuple[int, int, int]]:
    return {(stand.spot, stand.seat, stand.count) for stand in seen.stands}


def expected(scene: Scene) -> set[tuple[int, int, int]]:
    return {(place, seat, places.count(place)) for seat, places in enumerate(scene) for place in places if place not in PLAN.yards}


@pytest.mark.parametrize("table", [OVERHEAD, TILTED], ids=["overhead", "tilted"])
def test_look_reads_a_game_and_its_yards(table: Table) -> None:
    seen = look(table.picture(MIDDLE, seed=1), PLAN, table.corners())
    assert standing(seen) == expected(MIDDLE)
    assert all(stand.p > 0.8 for stand in seen.stands)
    assert set(seen.in_yard) <= {2, None}
    assert seen.in_yard.count(2) >= 3


def test_look_finds_the_board_by_its_print() -> None:
    seen = look(OVERHEAD.picture(MIDDLE, seed=1), PLAN)
    assert seen.registration.how == "print"
    assert standing(seen) == expected(MIDDLE)


@pytest.mark.parametrize("make", ["classic", "two tones, no lines", "dark, bright outlines", "wood, burnt lines", "numbered", "white gaps"])
def test_look_takes_no_print_for_a_token(make: str) -> None:
    table = Table(make=drawn.MAKES[make])
    seen = look(table.empty(seed=2), PLAN, table.corners())
    assert standing(seen) == set()
    assert set(seen.in_yard) <= {0, None}  # full yards that are all alike would look so too


BLUISH, NEUTRAL = (0.75, 0.62, 0.6), (0.65, 0.65, 0.65)
ARM, ACROSS = [(1.0, 8.5), (12.0, 9.5)], [(2.0, 2.0), (13.0, 12.0)]


@pytest.mark.parametrize(
    ("seed", "line", "radius", "tint"),
    [(1, ARM, 0.6, BLUISH), (5, ARM, 0.5, BLUISH), (3, ARM, 0.7, BLUISH), (1, ACROSS, 1.5, NEUTRAL)],
    ids=["along an arm", "narrow", "wide", "over tokens"])
def test_look_takes_no_shadow_for_a_token(
    seed: int, line: list[tuple[float, float]], radius: float, tint: tuple[float, float, float]
) -> None:
    picture = OVERHEAD.picture(MIDDLE, seed=seed)
    OVERHEAD.shade(picture, line, radius, tint)
    seen = look(picture, PLAN, OVERHEAD.corners())
    assert standing(seen) == expected(MIDDLE)
    assert set(seen.in_yard) <= {2, None}


@pytest.mark.parametrize("make", ["two tones, no lines", "wide middle"])
def test_look_reads_other_boards_in_a_shadow(make: str) -> None:
    table = Table(make=drawn.MAKES[make])
    picture = table.picture(MIDDLE, seed=3)
    table.shade(picture, [(7.0, 2.0), (8.0, 13.0)], 0.9, NEUTRAL)
    assert standing(look(picture, PLAN, table.corners())) == expected(MIDDLE)


def lit_by_a_mirrored_lamp(picture: np.ndarray, x: float, y: float, radius: float, amount: float) -> np.ndarray:
    """The picture with light on top of it, softly: `amount` of white at a board point, so many squares wide."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    (across, down), (beside, below) = OVERHEAD.pixels([(x, y), (x + radius, y)])
    off = np.hypot(columns - across, rows - down) / np.hypot(beside - across, below - down)
    light = (picture / 255.0) ** 2.2 + amount * np.exp(-0.5 * off**2)[..., None]
    return np.asarray(np.round(255 * np.clip(light, 0, 1) ** (1 / 2.2)), dtype=np.uint8)


@pytest.mark.parametrize(("x", "y", "radius", "amount"), [(3.5, 7.5, 0.5, 0.15), (3.5, 7.5, 0.5, 0.5), (7.5, 11.5, 0.8, 0.3)],
                         ids=["faint", "bright", "over most of a lane"])
def test_look_takes_no_mirrored_lamp_for_a_token(x: float, y: float, radius: float, amount: float) -> None:
    """In a home lane, paler for it: as print of the seat's colour is beside its tokens."""
    seen = look(lit_by_a_mirrored_lamp(OVERHEAD.picture(MIDDLE, seed=1), x, y, radius, amount), PLAN, OVERHEAD.corners())
    assert standing(seen) == expected(MIDDLE)


def test_look_finds_a_token_on_print_of_its_own_colour() -> None:
    scene: Scene = ((at(6, 1), at(7, 3), at(10, 6), GREEN), MIDDLE[1], MIDDLE[2], MIDDLE[3])
    assert standing(look(TILTED.picture(scene, seed=4), PLAN, TILTED.corners())) == expected(scene)


def test_look_counts_two_on_a_square() -> None:
    scene: Scene = ((at(6, 3), at(6, 3), GREEN, GREEN), MIDDLE[1], MIDDLE[2], MIDDLE[3])
    assert standing(look(OVERHEAD.picture(scene, seed=4), PLAN, OVERHEAD.corners())) == expected(scene)


def test_look_knows_empty_yards_by_a_picture_of_the_empty_board() -> None:
    table = Table(make=drawn.MAKES["thin grey lines, no margin"])
    scene: Scene = ((GREEN,) * 4, (YELLOW,) * 4, (), (RED,) * 4)
    seen = look(table.picture(scene, seed=1), PLAN, table.corners(), table.empty(seed=5))
    assert seen.in_yard == (4, 4, 0, 4)
    assert standing(seen) == set()
    assert look(table.empty(seed=6), PLAN, table.corners(), table.empty(seed=5)).in_yard == (0, 0, 0, 0)


def test_look_calls_glare_unclear_and_nothing_else() -> None:
    picture = OVERHEAD.picture(MIDDLE, seed=1)
    OVERHEAD.block(picture, [(9.2, 5.6), (12.8, 5.6), (12.8, 8.0), (9.2, 8.0)], (255, 255, 255))
    seen = look(picture, PLAN, OVERHEAD.corners())
    assert {square for square, why in seen.unclear if why == "glare"} >= {(6, 10), (6, 11), (7, 10), (7, 11)}
    assert standing(seen) <= expected(MIDDLE)


def test_look_refuses_corners_outside_the_picture() -> None:
    with pytest.raises(VisionError, match="outside the picture"):
        look(OVERHEAD.empty(), PLAN, [(-40.0, 10.0), (300.0, 10.0), (300.0, 300.0), (10.0, 300.0)])


def test_overlay_draws_what_was_read_and_leaves_the_picture() -> None:
    picture = OVERHEAD.picture(MIDDLE, seed=1)
    before = picture.copy()
    seen = look(picture, PLAN, OVERHEAD.corners())
    drawn_over = draw_overlay(picture, PLAN, seen)
    assert np.array_equal(picture, before)
    assert max(drawn_over.shape[:2]) >= 1400
    assert not np.array_equal(drawn_over, draw_overlay(picture, PLAN, replace(seen, stands=())))
