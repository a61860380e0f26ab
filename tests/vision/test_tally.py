"""How many tokens are in a yard, by picture after picture."""

from __future__ import annotations

import numpy as np

from ludo_vision.tally import Tally

TOKEN, COST = 5.0, 0.25


def worth(*explained: float) -> np.ndarray:
    """Of 0 ... 4 tokens, what they explain in tokens."""
    return np.array([[TOKEN * share - COST * number for number, share in enumerate(explained)]])


def chances(*pictures: np.ndarray) -> np.ndarray:
    tally = Tally(1)
    for picture in pictures:
        tally.follow(picture, COST)
    return tally.chances[0]


ONE = worth(0, 1, 1, 1, 1)
TWO = worth(0, 1, 2, 2, 2)
TWO_OR_THREE = worth(0, 1, 2, 2.06, 2.06)  # the third explains a rim


def test_a_yard_of_which_nothing_was_seen_is_bare() -> None:
    assert chances().tolist() == [1, 0, 0, 0, 0]


def test_what_stands_apart_is_counted_at_once() -> None:
    assert chances(worth(0, 1, 2, 3, 4)).argmax() == 4
    assert chances(worth(0, 1, 2, 3, 2.9))[3] > 0.9


def test_a_huddle_is_counted_by_how_it_grew() -> None:
    """Whether it is two or three can hardly be seen, but one was there, and what came is as much as one."""
    alone = Tally(1)
    alone.begin(TWO_OR_THREE)
    assert alone.chances.max() < 0.7
    assert chances(ONE, TWO_OR_THREE)[2] > 0.8


def test_what_comes_beside_others_counts_though_little_of_it_is_seen() -> None:
    assert chances(ONE, TWO, worth(0, 1, 2, 2.5, 2.55))[3] > 0.9


def test_tokens_that_go_are_no_longer_counted() -> None:
    assert chances(TWO, ONE)[1] > 0.9


def test_a_picture_that_belies_all_before_is_believed_in_the_end() -> None:
    assert chances(worth(0, 1, 2, 3, 4), *[ONE] * 3)[1] > 0.9
