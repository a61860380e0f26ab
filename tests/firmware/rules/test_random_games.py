"""Random games come to their end: every preset, every number of players, and nobody is stuck for ever."""

from __future__ import annotations

import random

import pytest

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Finished, Game, GameOver, Phase
from ludo_referee.rules.ruleset import PRESETS, rules_from

FULL_RANKING = 3000  # rolls; the longest of 450 random games took 735 to the first finisher


def random_game(game, chance, state=None):
    """Plays to the end; gives the outcomes that ended it and the number of rolls."""
    state = state or game.begin(chance.choice(game.players))
    told = []
    for rolls in range(FULL_RANKING):
        if state.phase is Phase.OVER:
            return told, rolls
        state, outcomes = game.throw(state, chance.randint(1, 6))
        told += outcomes
        while state.phase is Phase.MOVE:
            state, outcomes = game.play(state, chance.choice(game.legal(state)))
            told += outcomes
    raise AssertionError(f"stuck: {state}")


@pytest.mark.parametrize("players", [(0, 2), (0, 1, 3), (0, 1, 2, 3)], ids=["two", "three", "four"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_game_ends_with_a_full_ranking(preset, players):
    rules = rules_from({"preset": preset})
    game = Game(load_board(rules.board), rules, players)
    chance = random.Random(f"{preset}{players}")
    for _ in range(6):
        told, _ = random_game(game, chance)
        assert isinstance(told[-1], GameOver)
        assert sorted(told[-1].order) == list(players)
        places = [outcome.place for outcome in told if isinstance(outcome, Finished)]
        assert places == list(range(1, len(players)))


@pytest.mark.parametrize(
    "rules",
    [
        {"preset": "family", "block_stops_owner": True},
        {"preset": "family", "pair_half": True, "stack_max": 2},
        {"preset": "parchis", "block_pass": "six_or_one"},
        {"preset": "madn", "home_jump": False, "overshoot": "bounce"},
        {"preset": "classic", "own_landing": "preceding", "three_sixes": "undo_turn"},
        {"preset": "indian", "board": "ludo15-home4", "safe_landing": "forbidden"},
    ],
    ids=lambda rules: "-".join(str(value) for value in rules.values()),
)
def test_no_rules_stand_still(rules):
    rules = rules_from(rules)
    game = Game(load_board(rules.board), rules, (0, 1, 2, 3))
    for seed in range(4):
        random_game(game, random.Random(seed))
