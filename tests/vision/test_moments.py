"""What happens at a table in the middle of a game, picture by picture: the referee tells what was played, and nothing else."""

from __future__ import annotations

import copy

import cv2
import numpy as np
import pytest
from sitting import Sitting

from ludo_hardware.simulated_table import Hand
from ludo_referee.referee import notices
from ludo_referee.rules.board import YARD

STEP = (0, 4, 7, ())  # seat A has thrown a three


@pytest.fixture(scope="module")
def learned() -> Sitting:
    return Sitting(3, 6, 1)


@pytest.fixture
def sitting(learned: Sitting) -> Sitting:
    return copy.deepcopy(learned)


def pixels(sitting: Sitting, *points: tuple[float, float]) -> np.ndarray:
    """Pixels of board points."""
    return np.round(sitting.table.view.project(np.array([(x, y, 0.0) for x, y in points]))).astype(np.int32)


def blurred(picture: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(picture, (0, 0), 6)


def flashed(picture: np.ndarray) -> np.ndarray:
    return np.clip(picture.astype(np.float32) * 2.2 + 40, 0, 255).astype(np.uint8)


def noisy(picture: np.ndarray) -> np.ndarray:
    """A fifth of the pixels tells nothing."""
    chance = np.random.default_rng(5)
    burst = chance.integers(0, 256, picture.shape, dtype=np.uint8)
    return np.where(chance.random(picture.shape[:2])[..., None] < 0.2, burst, picture)


def black(picture: np.ndarray) -> np.ndarray:
    return (picture // 60).astype(np.uint8)


def covered(picture: np.ndarray) -> np.ndarray:
    """A palm on the lens."""
    return cv2.GaussianBlur(picture // 5 + np.array((30, 40, 70), np.uint8), (0, 0), 25)


@pytest.mark.parametrize("spoil", [blurred, flashed, noisy])
def test_single_bad_picture_changes_nothing(sitting: Sitting, spoil) -> None:
    sitting.wait(1.5, every=0.5)
    sitting.glimpse(spoil)
    sitting.wait(6.0, every=0.5)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    sitting.wait(0.3)
    sitting.glimpse(spoil)
    sitting.wait(2.0, every=0.5)
    assert sitting.moves == [STEP]
    assert sitting.alarms == []


def test_move_is_told_about_a_second_after_the_last_motion(sitting: Sitting) -> None:
    sitting.move(0, 4, 7)
    left = sitting.t
    sitting.wait(2.0)
    assert sitting.moves == [STEP]
    assert 0.75 <= sitting.heard[0].t - left <= 1.25


def test_hand_over_the_board_is_waited_for(sitting: Sitting) -> None:
    piece = sitting.move(0, 4, 7)
    sitting.hand = Hand(piece.x, piece.y, 1.2)
    sitting.wait(5.0, every=1.0)
    assert sitting.moves == []
    sitting.hand = None
    sitting.wait(1.5)
    assert sitting.moves == [STEP]


@pytest.mark.parametrize(("x", "y"), [(12.0, 12.0), (8.5, 12.5), (3.0, 3.2)])
def test_die_thrown_onto_the_board_is_no_move(sitting: Sitting, x: float, y: float) -> None:
    def with_die(picture: np.ndarray) -> np.ndarray:
        sides = pixels(sitting, (x - 0.2, y - 0.4), (x + 0.4, y - 0.2), (x + 0.2, y + 0.4), (x - 0.4, y + 0.2))
        cv2.fillPoly(picture, [sides], (228, 232, 236), cv2.LINE_AA)
        cv2.circle(picture, tuple(pixels(sitting, (x, y))[0].tolist()), 1, (20, 20, 20), -1)
        return picture

    sitting.spoil = with_die
    sitting.wait(6.0)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]
    assert sitting.alarms == []


def test_cup_beside_the_board_is_no_move(sitting: Sitting) -> None:
    def with_cup(picture: np.ndarray) -> np.ndarray:
        cup = tuple(pixels(sitting, (-2.0, 7.0))[0].tolist())
        cv2.circle(picture, cup, 22, (200, 190, 180), -1, cv2.LINE_AA)
        cv2.circle(picture, cup, 18, (30, 50, 90), -1, cv2.LINE_AA)
        return picture

    sitting.spoil = with_cup
    sitting.wait(6.0)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]


def test_shadow_that_passes_is_no_move(sitting: Sitting) -> None:
    """Somebody leans over the table, stays for a while, and leans back."""
    for place in (-3.0, 0.0, 3.0, 3.0, 3.0, 3.0, 6.0, 9.0, 20.0):
        def shaded(picture: np.ndarray, place: float = place) -> np.ndarray:
            mask = np.zeros(picture.shape[:2], np.float32)
            cv2.fillPoly(mask, [pixels(sitting, (place, -2), (place + 6, -2), (place + 6, 17), (place, 17))], 1.0)
            share = cv2.GaussianBlur(mask, (0, 0), 8)[..., None]
            return np.asarray(picture * (1 - share * np.array([0.38, 0.42, 0.45])), np.uint8)

        sitting.spoil = shaded
        sitting.wait(1.2)
    assert sitting.heard == []


@pytest.mark.parametrize(("seat", "origin", "destination", "seen"), [
    (1, 9, 14, ((1, 9, None),)),
    (3, YARD, 0, ((3, YARD, None),)),
    (0, 20, 25, ((0, 4, None), (0, 20, None))),  # which of the two is the move cannot be told
])
def test_second_token_that_moves_beside_the_first_is_named(
    sitting: Sitting, seat: int, origin: int, destination: int, seen: tuple[tuple[int, int, int | None], ...]
) -> None:
    """Seat A plays its three, and somebody moves another token before anybody could look."""
    sitting.move(0, 4, 7)
    sitting.move(seat, origin, destination)
    sitting.wait(2.0)
    assert sitting.moves == []
    (alarm,) = sitting.alarms
    assert isinstance(alarm, notices.Illegal)
    assert alarm.seen == seen
    sitting.move(seat, destination, origin)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]
    assert sitting.alarms == [alarm]


def test_move_and_the_next_throws_move_in_a_row_are_both_told(sitting: Sitting) -> None:
    """Seat A moves and presses at once; seat B has its six, and moves as soon as it can."""
    sitting.move(0, 4, 7)
    sitting.wait(1.3)
    sitting.press()
    sitting.wait(1.0)
    sitting.press()
    sitting.wait(0.2)
    sitting.move(1, YARD, 0)
    sitting.wait(4.0)
    assert sitting.moves == [STEP, (1, YARD, 0, ())]
    assert sitting.alarms == []


def test_token_put_on_another_seats_home_column_is_called_wrong(sitting: Sitting) -> None:
    """Its own start is printed in its colour, so that a token leaving the yard could be taken for one that stands there."""
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    sitting.press()  # a six
    sitting.wait(3.0)
    sitting.heard.clear()
    token = sitting.top.at(1, YARD)
    sitting.hand = Hand(token.x, token.y, 1.2)
    sitting.wait(0.3)
    sitting.top.put(token, sitting.board.place(2, 53))
    sitting.hand = None
    sitting.wait(3.0)
    assert sitting.moves == []
    (alarm,) = sitting.alarms
    assert isinstance(alarm, notices.Illegal)
    assert alarm.seen == ((1, YARD, None),)


def test_token_set_down_elsewhere_in_its_yard_is_no_move(sitting: Sitting) -> None:
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    sitting.press()  # a six: a token may come out
    sitting.wait(3.0)
    sitting.heard.clear()
    token = sitting.top.at(1, YARD)
    sitting.hand = Hand(token.x, token.y, 1.2)
    sitting.wait(0.3)
    sitting.top.put_at(token, sitting.board.places[sitting.board.seats[1].yard].centre)
    sitting.hand = None
    sitting.wait(6.0)
    assert sitting.heard == []


def test_half_done_capture_waits_for_its_other_half() -> None:
    """Seat A's two takes seat B's token: it stays where it is, then it is in a hand, then it is home."""
    sitting = Sitting(2)
    taken = sitting.top.at(1, 9)
    sitting.move(0, 20, 22)
    sitting.wait(3.0)
    assert sitting.moves == []
    sitting.top.put_at(taken, (-4.0, 7.0))
    sitting.hand = Hand(7.0, 7.0, 1.2)
    sitting.wait(0.3)
    sitting.hand = None
    sitting.wait(5.0)
    assert sitting.moves == [], "the captured token is still in the hand"
    assert any(isinstance(n, notices.ReturnToken) for n in sitting.heard)
    sitting.top.put(taken, sitting.board.seats[1].yard)
    sitting.wait(2.0)
    assert sitting.moves == [(0, 20, 22, ((1, 9),))]


@pytest.mark.parametrize("spoil", [black, covered])
def test_lights_out_or_camera_covered_is_told_and_the_game_goes_on(sitting: Sitting, spoil) -> None:
    sitting.spoil = spoil
    sitting.wait(20.0, every=1.0)
    assert sitting.moves == []
    assert [type(n) for n in sitting.alarms] == [notices.Unclear]
    sitting.spoil = lambda picture: picture
    sitting.wait(3.0)
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]


def test_flicker_and_drift_of_the_exposure_hold_nothing_up(sitting: Sitting) -> None:
    sitting.gain = 1.0
    for number in range(30):
        sitting.gain = (1.0 + 0.012 * number) * (1.05 if number % 2 else 0.95)
        sitting.wait(0.2)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    left = sitting.t
    for number in range(8):
        sitting.gain = 1.36 * (1.05 if number % 2 else 0.95)
        sitting.wait(0.2)
    assert sitting.moves == [STEP]
    assert sitting.heard[0].t - left <= 1.35


@pytest.mark.parametrize(("turn", "shift"), [(0.0, 1.9), (10.0, 0.0), (-7.0, 1.2)])
def test_nudge_of_the_board_is_followed_silently(sitting: Sitting, turn: float, shift: float) -> None:
    across = shift * sitting.table.view.scale(7.5, 7.5) / sitting.table.look.camera.width
    sitting.table = sitting.top.table = sitting.table.knocked(turn, (across, 0.0))
    sitting.wait(4.0)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]
    assert sitting.alarms == []


def test_board_pushed_far_is_told_and_found_again(sitting: Sitting) -> None:
    sitting.table = sitting.top.table = sitting.table.knocked(40.0, (0.03, 0.0))
    sitting.wait(6.0, every=1.0)
    assert any(isinstance(n, notices.Board) for n in sitting.heard)
    sitting.move(0, 4, 7)
    sitting.wait(2.0)
    assert sitting.moves == [STEP]
