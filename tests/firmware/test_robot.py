"""The box as a player."""

from __future__ import annotations

import random
import time

import pytest

from ludo_referee import robot
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.ruleset import rules_from

GAMES = 400


def game(preset="classic", players=(0, 2)):
    rules = rules_from({"preset": preset})
    return Game(load_board(rules.board), rules, players)


def wins(mine, theirs):
    """The share of 400 seeded two-player games that `mine` wins; seats and first throws are shared evenly."""
    table, won = game(), 0
    for number in range(GAMES):
        chance = random.Random(number)
        state = table.begin((0, 2)[number % 2])
        my_seat = (0, 2)[number // 2 % 2]
        while state.phase is not Phase.OVER:
            if state.phase is Phase.ROLL:
                state, _ = table.throw(state, chance.randint(1, 6))
            else:
                player = mine if state.turn == my_seat else theirs
                state, _ = table.play(state, player(table, state, chance))
        won += state.finish_order[0] == my_seat
    return won / GAMES


def strong(table, state, chance):
    return robot.choose(table, state, "strong")


def test_the_strong_robot_beats_chance():
    assert wins(strong, lambda table, state, chance: chance.choice(table.legal(state))) >= 0.75


def test_the_strong_robot_beats_capture_first_then_enter_then_farthest():
    def greedy(table, state, chance):
        return max(table.legal(state), key=lambda move: (bool(move.captures), move.origin == -1, move.origin))

    assert wins(strong, greedy) > 0.55


@pytest.mark.parametrize("preset", ["classic", "family", "indian", "madn", "parchis"])
@pytest.mark.parametrize("strength", robot.STRENGTHS)
def test_every_strength_plays_every_game_to_its_end_within_fifty_milliseconds_a_move(preset, strength):
    table = game(preset, (0, 1, 2, 3))
    chance, state, slowest = random.Random(7), game(preset, (0, 1, 2, 3)).begin(0), 0.0
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROLL:
            state, _ = table.throw(state, chance.randint(1, 6))
            continue
        began = time.thread_time()
        move = robot.choose(table, state, strength, seed=3)
        slowest = max(slowest, time.thread_time() - began)
        state, _ = table.play(state, move)
    assert slowest < 0.05


def test_the_same_table_gives_the_same_move():
    table = game()
    state, _ = table.throw(table.resume({0: [3, 9, 20, -1]}, 0), 5)
    assert len({robot.choose(table, state, "gentle", seed=4) for _ in range(20)}) == 1
    assert len({robot.choose(table, state, "gentle", seed=seed) for seed in range(20)}) == 3


def test_without_a_move_there_is_nothing_to_choose():
    table = game()
    with pytest.raises(ValueError, match="no move"):
        robot.choose(table, table.begin(0), "fair")
