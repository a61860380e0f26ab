"""One button, its bounces, and what the person meant."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludo_referee.gestures import Finger, Timing, certain_at, feel, pressing

TICK_S = 0.05


def gestures(edges, until, start=False):
    """What is heard from raw edges [(t, level), …], the pin being re-read every 50 ms as the program does."""
    finger, heard, level = Finger(), [], start
    ticks = [(round(number * TICK_S, 4), None) for number in range(int(until / TICK_S) + 1)]
    for t, edge in sorted([*edges, *ticks], key=lambda entry: entry[0]):
        level = level if edge is None else edge
        finger, new = feel(finger, t, level)
        heard += new
    return [kind for _, kind in heard]


def press(t, length, bounce=0.0, seed=1):
    """The edges of one press; contacts bounce for up to `bounce` seconds at each end."""
    chance = random.Random(seed)
    edges = []
    for end, level in ((t, True), (t + length, False)):
        edges.append((end, level))
        if bounce:
            times = sorted(chance.uniform(5e-6, bounce) for _ in range(chance.randint(1, 6) * 2))
            edges += [(end + after, level if number % 2 else not level) for number, after in enumerate(times)]
    return edges


@pytest.mark.parametrize(
    ("length", "kind"),
    [(0.06, "tap"), (0.3, "tap"), (1.9, "tap"), (2.1, "hold"), (5.9, "hold"), (6.1, "long_hold"), (14.0, "long_hold")],
)
def test_the_length_of_a_press_is_its_gesture(length, kind):
    assert gestures(press(1, length), 20) == [kind]


def test_two_quick_presses_are_one_double_tap():
    assert gestures([*press(1, 0.1), *press(1.3, 0.1)], 4) == ["double_tap"]


def test_two_slow_presses_are_two_taps():
    assert gestures([*press(1, 0.1), *press(1.6, 0.1)], 4) == ["tap", "tap"]


def test_a_tap_and_a_hold_right_after_are_both_heard():
    assert gestures([*press(1, 0.1), *press(1.3, 3.0)], 8) == ["tap", "hold"]


def test_three_quick_presses_are_a_double_tap_and_a_tap():
    assert gestures([*press(1, 0.1), *press(1.25, 0.1), *press(1.5, 0.1)], 4) == ["double_tap", "tap"]


@given(bounce=st.floats(5e-6, 0.03), length=st.floats(0.1, 1.9), seed=st.integers(0, 10_000))
def test_bounces_make_one_press(bounce, length, seed):
    assert gestures(press(1, length, bounce, seed), 5) == ["tap"]


def test_a_spike_is_no_press():
    assert gestures([(1, True), (1.00002, False), (2, True), (2.02, False)], 4) == []


def test_a_stuck_button_does_nothing_when_it_comes_free():
    assert gestures(press(1, 40), 45) == []


def test_a_stuck_button_is_known_to_be_stuck():
    finger = Finger()
    for t, level in [(0.0, False), (0.1, False), (1.0, True), (1.2, True)]:
        finger, _ = feel(finger, t, level)
    assert not finger.stuck(5.0)
    assert finger.stuck(17.0)


def test_a_button_held_down_at_the_start_counts_only_once_released():
    assert gestures([(3, False), *press(5, 0.1)], 8, start=True) == ["tap"]


def test_a_lost_release_edge_is_made_good_by_reading_the_pin():
    finger, heard = Finger(), []
    for t, level in [(0.0, False), (0.1, False), (1.0, True), (1.2, True), (1.5, False), (1.6, False), (2.2, False)]:
        finger, new = feel(finger, t, level)
        heard += new
    assert [kind for _, kind in heard] == ["tap"]


def test_a_gesture_carries_the_second_of_its_release():
    finger, heard = Finger(), []
    for t, level in [(0.0, False), (0.5, False), (1.0, True), (1.2, False), (1.3, False), (2.0, False)]:
        finger, new = feel(finger, t, level, Timing(double_tap_s=0.4))
        heard += new
    assert heard == [(1.2, "tap")]


def felt(*edges):
    finger = Finger()
    for t, level in [(0.0, False), (0.1, False), *edges]:
        finger, _ = feel(finger, t, level)
    return finger


def test_a_press_is_under_way_from_its_first_edge_until_it_is_known_what_it_meant():
    assert not pressing(felt(), 0.5)
    assert pressing(felt((1.0, True)), 1.0)
    assert pressing(felt((1.0, True), (1.2, False), (1.3, False)), 1.3), "it may become a double tap"
    assert not pressing(felt((1.0, True), (1.2, False), (1.3, False), (2.0, False)), 2.0)


def test_a_spike_a_hold_and_a_stuck_button_are_no_press_that_may_be_a_tap():
    assert not pressing(felt((1.0, True), (1.00002, False)), 1.00003)
    assert pressing(felt((1.0, True), (1.1, True)), 2.9)
    assert not pressing(felt((1.0, True), (1.1, True)), 3.1)
    assert not pressing(Finger(), 1.0)


def test_looking_when_a_gesture_becomes_certain_finds_it():
    finger, heard = felt((1.0, True)), []
    for edge in (None, 1.2, None, None):
        t = certain_at(finger) + 0.001 if edge is None else edge
        finger, new = feel(finger, t, t < 1.2)
        heard += [(kind, round(t, 3)) for _, kind in new]
    assert heard == [("tap", 1.551)]
    assert certain_at(finger) is None
