"""The engine against the slow oracle of `rules_reference`: single questions, whole games, and counted trees."""

from __future__ import annotations

import random

import pytest
from rules_draws import BOARDS, draw_position, draw_rules, plain
from rules_reference import Reference, ReferenceGame

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.perft import perft
from ludo_referee.rules.ruleset import PRESETS, rules_from

BY_NAME = {name: load_board(name) for name in BOARDS}


def plain_moves(moves):
    return [(move[0], move[1], move[2], sorted(move[3])) for move in moves]


@pytest.mark.parametrize("seed", range(8))
def test_legal_moves_are_those_of_the_oracle(seed):
    chance = random.Random(seed)
    for _ in range(700):
        rules = draw_rules(chance, chance.choice((0, 2, 5, 12, 20)))
        board = BY_NAME[rules.board]
        seats = sorted(chance.sample(range(4), chance.choice((2, 3, 4))))
        position, seat = draw_position(chance, board, seats), chance.choice(seats)
        game, oracle = Game(board, rules, seats), Reference(plain(rules), seats)
        arrivals = [foe for foe, _ in oracle.standing(position, oracle.square(seat, 0))]
        chance.shuffle(arrivals)
        entered, earned, value = chance.random() < 0.7, chance.random() < 0.3, chance.randint(1, 6)
        state = game.standing(game.checked_position(position), seat)._replace(
            phase=Phase.MOVE, ever_entered=(entered,) * 4, arrivals=((board.seats[seat].start, tuple(arrivals)),)
        )
        rolled = state._replace(pending=value, thrown=((value, ("capture",) if earned else ()),))
        wanted = oracle.legal(position, seat, die=value, entered=entered, arrivals=arrivals, earned=earned)
        assert plain_moves(game.legal(rolled)) == plain_moves(wanted), (rules, position, seat, value)
        bonus = chance.choice((3, 4, 10, 20))
        wanted = oracle.legal(position, seat, bonus=bonus)
        assert plain_moves(game.legal(state._replace(pending=bonus, pending_is_bonus=True))) == plain_moves(wanted), (
            rules, position, seat, bonus,
        )


@pytest.mark.parametrize("seed", range(24))
def test_whole_games_go_as_the_oracle_plays_them(seed):
    chance = random.Random(seed)
    rules = rules_from({"preset": sorted(PRESETS)[seed]}) if seed < len(PRESETS) else draw_rules(chance, chance.choice((2, 5, 12, 20)))
    seats = sorted(chance.sample(range(4), chance.choice((2, 3, 4))))
    game, first = Game(BY_NAME[rules.board], rules, seats), chance.choice(seats)
    oracle, state = ReferenceGame(plain(rules), seats, first), game.begin(first)

    def choose(moves):
        nonlocal state
        mine = game.legal(state)
        assert plain_moves(mine) == plain_moves(moves)
        number = chance.randrange(len(mine))
        state, _ = game.play(state, mine[number])
        return moves[number]

    for _ in range(900):
        if oracle.over:
            break
        value = chance.choice((1, 2, 3, 4, 5, 6, 6))
        state, _ = game.throw(state, value)
        oracle.step(value, choose)
        assert {seat: list(state.steps[seat]) for seat in seats} == {seat: sorted(own) for seat, own in oracle.position.items()}
        if not oracle.over:
            assert (state.turn, state.sixes, state.tries_left) == (oracle.turn, oracle.sixes, oracle.tries)
    assert (state.phase is Phase.OVER) == oracle.over
    assert list(state.finish_order) == oracle.ranking


# --- counted trees: the numbers were counted by the oracle to their full depth; here it counts again as far as is quick ----

START = {seat: [-1, -1, -1, -1] for seat in range(4)}
MIDDLE = {0: [-1, 10, 10, 48], 1: [-1, 33, 49, 0], 2: [-1, 36, 50, 50], 3: [-1, 5, 23, 52]}
HOMEWARD = {0: [30, 39, 41, -1], 1: [35, 39, 43, -1], 2: [-1, -1, 38, 42], 3: [20, 20, 40, 0]}
CROWDED = {0: [-1, 0, 60, 60], 1: [51, 47, 62, 70], 2: [34, 10, 10, -1], 3: [17, 63, 66, -1]}

TREES = [
    ("classic", START, 4, 1296),
    ("classic", MIDDLE, 3, 3150),
    ("family", MIDDLE, 3, 3355),
    ("indian", MIDDLE, 3, 3538),
    ("indian_block", MIDDLE, 3, 3514),
    ("madn", START, 4, 1296),
    ("madn", HOMEWARD, 3, 864),
    ("parchis", CROWDED, 3, 2540),
]


def count(make, dice_and_choices, depth):
    """How many ways there are to go on for so many rolls, by playing every one of them from the start."""
    if depth == 0:
        return 1
    total = 0
    for value in range(1, 7):
        branches = [()]
        while branches:
            wanted = branches.pop()
            game, widths = make(dice_and_choices), []

            def choose(moves, wanted=wanted, widths=widths):
                widths.append(len(moves))
                return moves[wanted[len(widths) - 1] if len(widths) <= len(wanted) else 0]

            game.step(value, choose)
            if len(widths) > len(wanted):  # a choice not yet made: make each
                branches += [(*wanted, number) for number in range(widths[len(wanted)])]
            else:
                total += 1 if game.over else count(make, [*dice_and_choices, (value, wanted)], depth - 1)
    return total


@pytest.mark.parametrize(("preset", "position", "depth", "outcomes"), TREES, ids=[f"{tree[0]}-{tree[3]}" for tree in TREES])
def test_a_tree_has_the_counted_outcomes(preset, position, depth, outcomes):
    rules = rules_from({"preset": preset})
    game = Game(BY_NAME[rules.board], rules, (0, 1, 2, 3))
    assert perft(game, game.resume(position, 0), depth).outcomes == outcomes
    shallow = min(depth, 2)

    def make(history):
        oracle = ReferenceGame(plain(rules), [0, 1, 2, 3], 0, position)
        for value, wanted in history:
            numbers = iter(wanted)
            oracle.step(value, lambda moves, numbers=numbers: moves[next(numbers)])
        return oracle

    assert perft(game, game.resume(position, 0), shallow).outcomes == count(make, [], shallow)
