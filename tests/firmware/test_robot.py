"""The box as a player."""

from __future__ import annotations

import pytest
from tests.bench.bench_robot import PRESETS, by_chance, decisions, game, greedy, strong, wins

from ludo_referee import robot


def test_the_strong_robot_beats_chance():
    assert wins(strong, by_chance) >= 0.75


def test_the_strong_robot_beats_capture_first_then_enter_then_farthest():
    assert wins(strong, greedy) > 0.55


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("strength", robot.STRENGTHS)
def test_every_strength_plays_every_game_to_its_end(preset, strength):
    assert len(decisions(preset, strength)) > 100  # each of them legal, or the game would have refused it


def test_the_same_table_gives_the_same_move():
    table = game("classic", (0, 2))
    state, _ = table.throw(table.resume({0: [3, 9, 20, -1]}, 0), 5)
    assert len({robot.choose(table, state, "gentle", seed=4) for _ in range(20)}) == 1
    assert len({robot.choose(table, state, "gentle", seed=seed) for seed in range(20)}) == 3


def test_without_a_move_there_is_nothing_to_choose():
    table = game("classic", (0, 2))
    with pytest.raises(ValueError, match="no move"):
        robot.choose(table, table.begin(0), "fair")
