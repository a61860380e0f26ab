"""Every sound of the referee has its tune, and none sounds when people sleep."""

from __future__ import annotations

from datetime import time

import pytest

from ludo_referee import tunes


def test_every_tune_is_short_and_a_piezo_can_play_it() -> None:
    for name, notes in tunes.TUNES.items():
        assert 0 < sum(duration for _, duration in notes) <= 2.0, name
        assert all(frequency == 0 or 200 <= frequency <= 5000 for frequency, _ in notes), name


def test_roll_is_no_longer_than_the_die_tumbles() -> None:
    assert sum(duration for _, duration in tunes.notes("roll")) <= 1.2


def test_tunes_differ() -> None:
    assert set(tunes.TUNES) == {"turn", "roll", "wrong", "capture", "home", "win", "no"}
    assert len(set(tunes.TUNES.values())) == len(tunes.TUNES)


def test_unknown_tune_names_those_there_are() -> None:
    with pytest.raises(LookupError, match=r"'waltz'.*turn, roll, wrong"):
        tunes.notes("waltz")


@pytest.mark.parametrize(("level", "sounds"), [(0, False), (1, True), (4, True)])
def test_level_nought_is_mute(level: int, sounds: bool) -> None:
    assert tunes.audible(level, time(12)) is sounds


@pytest.mark.parametrize("level", [-1, 5])
def test_level_out_of_range_is_refused(level: int) -> None:
    with pytest.raises(ValueError, match="0 to 4"):
        tunes.audible(level, time(12))


@pytest.mark.parametrize(
    ("now", "sounds"),
    [(time(21, 59), True), (time(22), False), (time(23, 59), False), (time(6, 59), False), (time(7), True), (time(12), True)],
)
def test_quiet_hours_over_midnight(now: time, sounds: bool) -> None:
    assert tunes.audible(3, now, time(22), time(7)) is sounds


@pytest.mark.parametrize(("now", "sounds"), [(time(12, 59), True), (time(13), False), (time(14, 59), False), (time(15), True)])
def test_quiet_hours_at_noon(now: time, sounds: bool) -> None:
    assert tunes.audible(3, now, time(13), time(15)) is sounds
