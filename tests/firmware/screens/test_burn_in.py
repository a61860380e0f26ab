"""The display is spared when nobody plays, and stays readable while somebody does."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ludo_referee import screens
from ludo_referee.screens import rest
from ludo_referee.screens.examples import EXAMPLES


@pytest.mark.parametrize(("idle_s", "level"), [(0, 1.0), (119.9, 1.0), (120, 0.05), (599.9, 0.05), (600, 0.0), (90_000, 0.0)])
def test_display_dims_after_two_minutes_and_is_off_after_ten(idle_s: float, level: float) -> None:
    assert rest(idle_s).level == level


def test_configured_times_count() -> None:
    assert [rest(idle, dim_after_s=10, off_after_s=20).level for idle in (9, 10, 20)] == [1.0, 0.05, 0.0]


def test_picture_wanders_every_minute_by_no_more_than_three_pixels() -> None:
    shifts = [rest(60.0 * minute, off_after_s=1e9).shift for minute in range(100)]
    assert shifts[0] == (0, 0)
    assert all(one != other for one, other in pairwise(shifts))
    assert all(abs(step) <= 3 for shift in shifts for step in shift)
    assert len(set(shifts[2:20])) == 9


def test_picture_that_people_read_moves_no_more_than_a_pixel() -> None:
    assert all(abs(step) <= 1 for idle in range(120) for step in rest(idle).shift)


def test_shifted_picture_is_the_picture_moved() -> None:
    picture = screens.draw(EXAMPLES["roll turn"])
    moved = screens.draw(EXAMPLES["roll turn"], shift=(3, -2))
    assert moved.size == picture.size
    assert moved.crop((3, 0, 128, 62)).tobytes() == picture.crop((0, 2, 125, 64)).tobytes()
    assert moved.crop((0, 0, 3, 64)).getbbox() is None
