"""The tokens in the yards before the start: counted when they come, never guessed."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import numpy as np
import pytest
from table_drawn import Table

from ludo_vision.counts import as_expected
from ludo_vision.plan import Scene
from ludo_vision.reader import TableReader
from ludo_vision.sightings import Counts

TABLE = Table(make=drawn.MAKES["thin grey lines, no margin"])  # nests are white in its yards
PLAN = TABLE.plan()
YARDS = PLAN.yards
START: Scene = tuple((yard,) * 4 for yard in YARDS)
TWO_PLAY: Scene = (START[0], (), START[2], ())
UNKNOWN = (None,) * 4


def counted(*pictures: np.ndarray, table: Table = TABLE, expected: Scene = START) -> list[Counts]:
    """What a reader counts in still pictures shown one after another."""
    reader = TableReader(PLAN, corners=table.corners(), expected=expected)
    said: list[Counts] = []
    for t, picture in enumerate(pictures):
        for part in range(5):
            said += [s for s in reader.see(2.0 * t + 0.4 * part, picture) if isinstance(s, Counts)]
    return said


def test_counts_are_ready_when_all_tokens_came() -> None:
    (full,) = counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2))
    assert (full.in_yard, full.ready) == ((4, 4, 4, 4), True)


def test_counts_follow_tokens_that_come_one_after_another() -> None:
    two, more = (START[0][:2], (), (), ()), (START[0], (), START[2][:3], START[3][:1])
    said = counted(TABLE.empty(seed=1), TABLE.picture(two, seed=2), TABLE.picture(more, seed=3), TABLE.picture(START, seed=4))
    assert [counts.in_yard for counts in said] == [(2, 0, 0, 0), (4, 0, 3, 1), (4, 4, 4, 4)]


def test_counts_see_a_missing_token() -> None:
    three: Scene = (START[0][:3], *START[1:])
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2), TABLE.picture(three, seed=3))
    assert (last.in_yard, last.ready) == ((3, 4, 4, 4), False)


@pytest.mark.parametrize("colour", ["black", "yellow"])
def test_a_token_of_another_colour_is_told_with_its_yard(colour: str) -> None:
    odd = TABLE.picture(START, seed=2, first=colour)
    *_, last = counted(TABLE.empty(seed=1), odd)
    assert (last.in_yard[1:], last.strangers, last.ready) == ((4, 4, 4), (0,), False)
    *_, last = counted(TABLE.empty(seed=1), odd, TABLE.picture(START, seed=3))
    assert (last.strangers, last.ready) == ((), True)


def test_counts_know_the_yards_of_two_players() -> None:
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(TWO_PLAY, seed=2))
    assert last.in_yard == (4, 0, 4, 0)
    assert not last.ready
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(TWO_PLAY, seed=2), expected=TWO_PLAY)
    assert last.ready


def test_counts_do_not_guess_what_stood_there_before() -> None:
    """The board was never seen empty: the yards may be full or not."""
    for scene in (START, TWO_PLAY):
        assert counted(TABLE.picture(scene, seed=1), TABLE.picture(scene, seed=2)) == []


def test_counts_take_no_shadow_for_tokens() -> None:
    shaded = TABLE.picture(START, seed=2)
    TABLE.shade(shaded, [(1.0, 1.0), (5.0, 5.0)], 0.8)
    assert {counts.in_yard for counts in counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2), shaded)} <= {(4, 4, 4, 4), UNKNOWN}


def test_counts_are_right_or_unknown_where_tokens_lean_over_one_another() -> None:
    tilted = replace(TABLE, view=replace(TABLE.view, turn=200.0, tilt=30.0))
    (full,) = counted(tilted.empty(seed=1), tilted.picture(START, seed=2), table=tilted)
    assert full.ready


def test_counts_of_a_game_under_way_are_never_ready() -> None:
    under_way: Scene = ((0, *START[0][:3]), *START[1:])
    assert not as_expected(PLAN, under_way, (3, 4, 4, 4))
    assert not as_expected(PLAN, ((), (), (), ()), (0, 0, 0, 0))
    assert as_expected(PLAN, START, (4, 4, 4, 4))
