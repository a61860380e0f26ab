"""Finding the board in a picture, on small drawn pictures of many makes."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import cv2
import numpy as np
import pytest

from ludo_vision.errors import BoardNotFound, VisionError
from ludo_vision.register import check_colours, find_board, from_corners
from ludo_vision.registration import Registration

ACCURATE = 0.15  # squares
SMALL = (640, 480)
EASY = drawn.View(size=SMALL, share=0.7)


def farthest(registration, corners, plan):
    """The farthest corner's error in squares."""
    return float(np.linalg.norm(np.array(registration.corners(plan)) - corners, axis=1).max() / registration.square_pixels())


def found_error(make, view, colours=drawn.PLAIN_TURN):
    picture, corners = drawn.seen(make, view, colours)
    plan = drawn.plan(make, colours)
    return farthest(find_board(picture, plan), corners, plan)


@pytest.mark.parametrize("name", drawn.MAKES)
def test_every_make_is_found(name):
    number = list(drawn.MAKES).index(name)
    assert found_error(drawn.MAKES[name], drawn.random_view(number, size=SMALL, share=0.66, noise=1.5)) < ACCURATE


@pytest.mark.parametrize("turn", [0, 45, 95, 140, 181, 260, 317])
def test_any_turn_is_told_by_the_colours(turn):
    assert found_error(drawn.MAKES["classic"], replace(EASY, turn=turn)) < ACCURATE


@pytest.mark.parametrize("make", ["classic", "wood, burnt lines", "pastel tiles"])
def test_board_is_never_a_quarter_turn_off(make):
    """Grey pictures look the same after a quarter turn: others took the first turn that fitted."""
    for quarter in range(4):
        assert found_error(drawn.MAKES[make], replace(EASY, turn=8 + 90 * quarter, seed=quarter)) < ACCURATE


@pytest.mark.parametrize("colours", [
    ("red", "blue", "yellow", "green"), ("blue", "red", "yellow", "green"), ("red", "green", "blue", "yellow")])
def test_makes_order_their_colours_as_they_like(colours):
    assert found_error(drawn.MAKES["classic"], EASY, colours) < ACCURATE


@pytest.mark.parametrize("tilt", [0, 30, 45])
@pytest.mark.parametrize("table", ["checked", "flowered"])
def test_tilted_on_a_busy_table(tilt, table):
    assert found_error(drawn.MAKES["picture yards"], drawn.View(tilt=tilt, share=0.6, table=table, tokens=12)) < ACCURATE


def test_board_is_not_turned_by_a_warm_lamp():
    assert found_error(drawn.MAKES["wood, burnt lines"], replace(EASY, light=(1.2, 1.0, 0.55))) < ACCURATE


def test_unknown_colours_are_read_from_the_print():
    colours = ("yellow", "green", "red", "blue")
    picture, corners = drawn.seen(drawn.MAKES["classic"], EASY, colours)
    plan = drawn.plan(drawn.MAKES["classic"], ("red", "green", "yellow", "blue"))
    found = find_board(picture, plan, colours_known=False)
    # The seats start at any corner; whose colour lies where must be right.
    first = int(np.linalg.norm(corners - found.corners()[0], axis=1).argmin())
    assert found.colours == colours[first:] + colours[:first]


MARKED = replace(drawn.MAKES["classic"], margin=2.0, markers=1.5, inks=dict.fromkeys(drawn.INKS, (130, 130, 130)))


@pytest.mark.parametrize("turn", [10, 130, 250])
def test_markers_tell_the_turn_of_a_board_without_colours(turn):
    view = drawn.View(turn=turn, tilt=30, share=0.7)
    picture, corners = drawn.seen(MARKED, view)
    plan = drawn.plan(MARKED)
    found = find_board(picture, plan)
    assert found.how == "markers"
    assert farthest(found, corners, plan) < ACCURATE
    with pytest.raises(BoardNotFound):
        find_board(drawn.seen(replace(MARKED, markers=0.0), view)[0], plan)


def test_swapped_channels_are_named():
    picture, _ = drawn.seen(drawn.MAKES["classic"], EASY, ("red", "green", "yellow", "blue"))
    with pytest.raises(BoardNotFound, match="red and blue are exchanged"):
        find_board(np.ascontiguousarray(picture[..., ::-1]), drawn.plan(drawn.MAKES["classic"], ("red", "green", "yellow", "blue")))


@pytest.mark.parametrize("make", ["classic", "wood, burnt lines", "faded", "madn yellow"])
def test_colours_set_on_other_seats_are_named(make):
    picture, corners = drawn.seen(drawn.MAKES[make], EASY, ("green", "yellow", "blue", "red"))
    exchanged = drawn.plan(drawn.MAKES[make], ("yellow", "green", "blue", "red"))
    for look in (find_board, with_corners(corners)):
        with pytest.raises(BoardNotFound, match="on other seats") as refused:
            look(picture, exchanged)
        assert refused.value.hint == "other_colours"


def with_corners(corners):
    """Checks a board known by its corners instead of finding it."""
    def check(picture, plan):
        size = (picture.shape[1], picture.shape[0])
        check_colours(picture, Registration.from_corners([(x, y) for x, y in corners], plan.size, size, plan=plan), plan)
    return check


@pytest.mark.parametrize(("make", "tilt", "turn"), [("classic", 40, 120), ("madn yellow", 25, 200), ("numbered", 25, 200)])
def test_wide_lens_costs_no_accuracy(make, tilt, turn):
    """Cells end where the arms do: a lens that is thought weaker than it is shows at the corners, a quarter of a square off."""
    assert found_error(drawn.MAKES[make], drawn.View(tilt=tilt, turn=turn, share=0.72, k1=-0.11, tokens=6, noise=2.0)) < 0.1


def test_between_corners_given_the_lens_bends_the_grid():
    """A straight map between them shows the middles of the sides 0.1 square off."""
    make, view = drawn.MAKES["classic"], drawn.View(share=0.85, turn=0, k1=-0.04, tokens=8)
    picture, corners = drawn.seen(make, view)
    plan = drawn.plan(make)
    truth = Registration.from_corners(corners, plan.size, view.size, plan=plan, k1=view.k1)
    middles = [(7.5, 0.0), (15.0, 7.5), (7.5, 15.0), (0.0, 7.5), (7.5, 7.5)]
    registration = from_corners(picture, plan, corners)
    off = np.linalg.norm(registration.to_pixels(middles) - truth.to_pixels(middles), axis=1) / truth.square_pixels()
    assert off.max() < 0.03
    assert farthest(registration, corners, plan) < 0.001


def test_corners_that_the_print_does_not_bear_out_stay_as_given():
    make = drawn.MAKES["classic"]
    picture, corners = drawn.seen(make, EASY)
    elsewhere = corners + np.array([25.0, 10.0])
    registration = from_corners(picture, drawn.plan(make), elsewhere)
    assert registration.k1 == 0
    assert registration.fold is None
    assert farthest(registration, elsewhere, drawn.plan(make)) < 0.001


def test_corners_are_checked_by_the_colours():
    make = drawn.MAKES["classic"]
    picture, corners = drawn.seen(make, EASY)
    with_corners(corners)(picture, drawn.plan(make))
    with pytest.raises(BoardNotFound, match="the other way round"):
        with_corners(np.roll(corners, 1, axis=0))(picture, drawn.plan(make))
    with pytest.raises(BoardNotFound, match="red and blue are exchanged"):
        with_corners(corners)(np.ascontiguousarray(picture[..., ::-1]), drawn.plan(make))


def test_a_board_without_colours_is_taken_as_its_corners_say():
    make = replace(drawn.MAKES["classic"], inks=dict.fromkeys(drawn.INKS, (130, 130, 130)))
    picture, corners = drawn.seen(make, EASY)
    with_corners(np.roll(corners, 1, axis=0))(picture, drawn.plan(make))


def test_the_other_game_is_not_taken_for_this_one():
    picture, _ = drawn.seen(drawn.MAKES["madn yellow"], EASY)
    with pytest.raises(BoardNotFound):
        find_board(picture, drawn.plan(drawn.MAKES["classic"]))


@pytest.mark.parametrize("table", ["checked", "flowered", "wood"])
def test_no_board_is_seen_on_an_empty_table(table):
    nowhere = replace(drawn.random_view(3, table=table, size=SMALL), share=0.01)
    picture, _ = drawn.seen(drawn.MAKES["classic"], nowhere)
    with pytest.raises(BoardNotFound):
        find_board(picture, drawn.plan(drawn.MAKES["classic"]))


def hint(picture):
    with pytest.raises(BoardNotFound) as refused:
        find_board(picture, drawn.plan(drawn.MAKES["classic"]))
    return refused.value.hint


def test_what_would_help_is_said():
    picture, _ = drawn.seen(drawn.MAKES["classic"], EASY)
    assert hint((picture // 40).astype(np.uint8)) == "too_dark"
    assert hint(np.full_like(picture, 255)) == "too_bright"
    burnt, _ = drawn.seen(drawn.MAKES["light lines"], replace(EASY, light=(1.9, 1.9, 1.9), table="dark"))
    assert hint(burnt) == "too_bright"
    assert hint(cv2.GaussianBlur(picture, (0, 0), 9)) == "blurred"
    far, _ = drawn.seen(drawn.MAKES["classic"], drawn.View(share=0.23, blur=0.4, noise=1, table="grey"))
    assert hint(far) == "too_small"
    outside, _ = drawn.seen(drawn.MAKES["classic"], replace(EASY, turn=0, offset=(0.4, 0.18)))
    assert hint(outside) == "corner_outside"


def test_a_picture_must_be_a_picture():
    with pytest.raises(VisionError, match="uint8 BGR"):
        find_board(np.zeros((10, 10), dtype=np.uint8), drawn.plan(drawn.MAKES["classic"]))
