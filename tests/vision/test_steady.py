"""Pictures of a noisy camera are looked at together while nothing moves, and never mixed with what they do not show."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from sitting import Sitting
from table_drawn import OVERHEAD, PLAN, START, after, at

from ludo_vision.plan import Candidate, Shift
from ludo_vision.reader import TableReader
from ludo_vision.sightings import Ranking
from ludo_vision.steady import Steady

SQUARE = 22.0
NOISE = 8.0


def board() -> np.ndarray:
    """Squares in four colours with dark lines between them."""
    picture = np.zeros((220, 220, 3), np.uint8)
    paints = ((235, 235, 235), (40, 30, 190), (60, 130, 30), (170, 70, 30))
    for row in range(10):
        for column in range(10):
            paint = paints[(row * row + 3 * column) % 4]
            cv2.rectangle(picture, (22 * column + 1, 22 * row + 1), (22 * column + 20, 22 * row + 20), paint, -1)
    return picture


def grainy(picture: np.ndarray, seed: int, noise: float = NOISE) -> np.ndarray:
    """With a camera's noise of colour in a dim room: blotches of a few pixels."""
    height, width = picture.shape[:2]
    grains = np.random.default_rng(seed).normal(0, noise, (height // 3, width // 3, 3)).astype(np.float32)
    return np.clip(picture + cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)


def together(pictures: Sequence[np.ndarray]) -> np.ndarray:
    steady = Steady()
    for picture in pictures:
        mean = steady.add(picture, SQUARE)
    return mean


def off(picture: np.ndarray, truth: np.ndarray) -> float:
    return float((picture.astype(np.float32) - truth).std())


def test_noise_is_halved_by_four_pictures() -> None:
    pictures = [grainy(board(), seed) for seed in range(4)]
    assert off(together(pictures), board()) < 0.6 * off(pictures[0], board())


def test_light_that_flickers_is_no_reason_to_begin_anew() -> None:
    pictures = [grainy(np.clip(board() * gain, 0, 255).astype(np.uint8), seed) for seed, gain in enumerate((1.0, 0.94, 1.04, 0.97))]
    assert off(together(pictures), board() * 0.985) < 0.6 * off(pictures[0], board())


def pushed(picture: np.ndarray, colour: tuple[int, int, int], x: int) -> np.ndarray:
    """With a token that stands at x."""
    shown = picture.copy()
    cv2.circle(shown, (x, 98), 7, colour, -1, cv2.LINE_AA)
    return shown


@pytest.mark.parametrize("colour", [(30, 30, 200), (200, 200, 200), (60, 60, 60)])
def test_a_token_that_was_moved_quietly_is_not_seen_twice(colour: tuple[int, int, int]) -> None:
    before, later = pushed(board(), colour, 78), pushed(board(), colour, 98)
    pictures = [grainy(before, 0, 4.0), grainy(before, 1, 4.0), grainy(before, 2, 4.0), grainy(later, 3, 4.0)]
    np.testing.assert_array_equal(together(pictures), pictures[-1])


def blurred(picture: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(picture, (0, 0), 2.5)


def flashed(picture: np.ndarray) -> np.ndarray:
    return np.clip(picture.astype(np.float32) * 1.6 + 50, 0, 255).astype(np.uint8)


def burst(picture: np.ndarray) -> np.ndarray:
    chance = np.random.default_rng(5)
    return np.where(chance.random(picture.shape[:2])[..., None] < 0.2, chance.integers(0, 256, picture.shape, dtype=np.uint8), picture)


def shaded(picture: np.ndarray) -> np.ndarray:
    """A hand is reaching in."""
    shown = picture.copy()
    shown[:90, :70] = (shown[:90, :70] * 0.75).astype(np.uint8)
    return shown


@pytest.mark.parametrize("spoil", [blurred, flashed, burst, shaded])
def test_a_spoilt_picture_leaves_nothing_of_itself(spoil: Callable[[np.ndarray], np.ndarray]) -> None:
    pictures = [grainy(board(), seed) for seed in range(5)]
    pictures[2] = spoil(pictures[2])
    np.testing.assert_array_equal(together(pictures), together(pictures[3:]))


# --- at the table ----------------------------------------------------------------------------------------------------

STEP = (Shift(0, at(6, 3), at(6, 5)),)


def rankings(reader: TableReader, picture: np.ndarray, begin: float, seconds: float, seed: int) -> list[Ranking]:
    """What is ranked while a camera with much noise looks at a table, ten pictures a second."""
    said: list[object] = []
    for number in range(round(10 * seconds)):
        said += reader.see(begin + number / 10, grainy(picture, seed + number, 12.0))
    return [sighting for sighting in said if isinstance(sighting, Ranking)]


def test_a_move_under_much_noise_is_told_as_soon_as_ever() -> None:
    reader = TableReader(PLAN, corners=OVERHEAD.corners())
    rankings(reader, OVERHEAD.picture(START), 0.0, 2.0, 100)
    reader.start(START)
    reader.ask(1, [Candidate(0, ()), Candidate(1, STEP, 0.25, True), Candidate(2, (Shift(0, at(6, 3), at(6, 4)),), 0.25, True)])
    assert [said.order[0] for said in rankings(reader, OVERHEAD.picture(START), 2.0, 1.0, 200)] == [0]
    (ranking,) = rankings(reader, OVERHEAD.picture(after(START, *STEP)), 3.0, 1.5, 300)
    assert ranking.order[0] == 1
    assert 0.75 <= ranking.t - 3.0 <= 1.0


@pytest.fixture(scope="module")
def begun() -> Sitting:
    return Sitting(3, 6, 1)


@pytest.fixture
def sitting(begun: Sitting) -> Sitting:
    """In a dim room from now on."""
    sitting, numbers = copy.deepcopy(begun), iter(range(1000))
    sitting.spoil = lambda picture: grainy(picture, next(numbers), 10.0)
    return sitting


def test_a_board_that_was_nudged_in_a_dim_room_is_followed(sitting: Sitting) -> None:
    sitting.table = sitting.top.table = sitting.table.knocked(6.0, (0.03, 0.0))
    sitting.wait(2.0, every=0.1)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    sitting.wait(1.2, every=0.1)
    assert sitting.moves == [(0, 4, 7, ())]
    assert sitting.alarms == []


def test_a_bad_picture_in_a_dim_room_changes_nothing(sitting: Sitting) -> None:
    dim = sitting.spoil
    sitting.wait(1.5, every=0.1)
    assert sitting.heard == []
    sitting.move(0, 4, 7)
    left = sitting.t
    sitting.wait(0.5, every=0.1)
    sitting.glimpse(lambda picture: blurred(dim(picture)))
    sitting.wait(2.0, every=0.1)
    assert sitting.moves == [(0, 4, 7, ())]
    assert sitting.alarms == []
    assert 0.75 <= sitting.heard[0].t - left <= 1.9
