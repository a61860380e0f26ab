"""Every wrong change has its reason: a sentence that names the token, the square, the rule and the way out."""

from __future__ import annotations

import random

import pytest
from rules_draws import draw_position, draw_rules

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.ruleset import rules_from
from ludo_referee.rules.why_not import REASONS, SENTENCES

RECORDED = {
    "wrong_count", "wrong_token", "several_moved", "blocked", "own_square", "must_enter", "backwards", "off_board", "unclear_change",
}

CASES = [
    # rules, A's tokens, C's tokens, roll, seat, from, to, tokens, reason, detail
    ({}, [10], [], 3, 2, -1, 0, 1, "wrong_token", "other_seat"),
    ({}, [10], [], 3, 0, 11, 14, 1, "unclear_change", "no_token"),
    ({}, [10], [], 3, 0, 10, 14, 1, "wrong_count", "counted"),
    ({}, [10], [], 3, 0, 10, 7, 1, "backwards", "backwards"),
    ({}, [10], [], 3, 0, 10, -1, 1, "backwards", "backwards"),
    ({}, [54], [], 3, 0, 54, 57, 1, "off_board", "off_way"),
    ({}, [54], [], 3, 0, 54, 56, 1, "wrong_count", "overshoot"),
    ({}, [56], [], 3, 0, 56, 50, 1, "backwards", "at_rest"),
    ({}, [10], [], 3, 0, -1, 0, 1, "wrong_count", "entry_value"),
    ({}, [10], [], 6, 0, -1, 5, 1, "wrong_count", "enter_on_start"),
    ({}, [10, 13], [], 3, 0, 10, 13, 1, "own_square", "own_token"),
    ({}, [0, 13], [], 6, 0, -1, 0, 1, "own_square", "own_token"),
    ({"own_landing": "preceding"}, [10, 13], [], 3, 0, 10, 13, 1, "own_square", "own_token_behind"),
    ({"own_landing": "preceding"}, [10, 11, 12, 13], [], 3, 0, 10, 13, 1, "own_square", "own_token_no_room"),
    ({"own_landing": "stack", "stack_max": 2}, [10, 13, 13], [], 3, 0, 10, 13, 1, "own_square", "square_full"),
    ({"own_landing": "block"}, [10], [39, 39], 3, 0, 10, 13, 1, "blocked", "block_landing"),
    ({"own_landing": "block"}, [10], [39, 39], 5, 0, 10, 15, 1, "blocked", "block_between"),
    ({"own_landing": "block"}, [], [26, 26], 6, 0, -1, 0, 1, "blocked", "block_landing"),
    ({"own_landing": "block", "block_pass": "six_or_one"}, [12], [39, 39], 1, 0, 12, 13, 1, "wrong_count", "block_hop"),
    ({"own_landing": "block", "pair_half": True}, [10, 10], [], 3, 0, 10, 13, 2, "several_moved", "pair"),
    ({"board": "madn11", "own_landing": "stack"}, [39, 42], [], 3, 0, 39, 42, 1, "own_square", "home_space"),
    ({"board": "madn11"}, [39, 41], [], 3, 0, 39, 42, 1, "blocked", "home_jump"),
    ({"safe": "stars", "safe_landing": "forbidden"}, [5], [34], 3, 0, 5, 8, 1, "blocked", "safe_landing"),
    ({"force_entry": True}, [5], [], 6, 0, 5, 11, 1, "must_enter", "force_entry"),
    ({"clear_start": True}, [0, 5], [], 3, 0, 5, 8, 1, "must_enter", "clear_start"),
    ({"own_landing": "block", "open_block_on_six": True}, [10, 10, 20], [], 6, 0, 20, 26, 1, "blocked", "open_block_on_six"),
    ({"must_capture": True}, [10, 20], [49], 3, 0, 10, 13, 1, "unclear_change", "must_capture"),
    ({}, [10], [], 3, 0, 10, 13, 1, "unclear_change", "allowed"),
]


def rolled(rules, own, foes, value):
    rules = rules_from(rules)
    game = Game(load_board(rules.board), rules, (0, 2))
    position = {0: [*own, *[-1] * (4 - len(own))], 2: [*foes, *[-1] * (4 - len(foes))]}
    state = game.standing(game.checked_position(position), 0)
    return game, state._replace(phase=Phase.MOVE, pending=value, thrown=((value, ()),))


@pytest.mark.parametrize("case", CASES, ids=[case[-1] for case in CASES])
def test_a_wrong_change_has_its_reason(case):
    rules, own, foes, value, seat, origin, destination, tokens, reason, detail = case
    error = rolled(rules, own, foes, value)[0].why_not(rolled(rules, own, foes, value)[1], seat, origin, destination, tokens)
    assert (error.reason, error.detail) == (reason, detail)
    assert ("green" if seat == 0 else "blue") in str(error)


def test_every_other_detail_is_reached():
    game, state = rolled({}, [10], [], 3)
    assert game.why_not(game.standing(state.steps, 0), 0, 10, 13).detail == "roll_first"
    bonus = state._replace(pending=20, pending_is_bonus=True)
    assert game.why_not(bonus, 0, -1, 0).detail == "bonus_entry"
    rules = rules_from({"capture_bonus": "roll"})
    game = Game(load_board("ludo15"), rules, (0, 2))
    state, _ = game.throw(game.resume({0: [10, 20, -1, -1], 2: [39, -1, -1, -1]}, 0), 3)
    state, _ = game.play(state, game.legal(state)[0])
    state, _ = game.throw(state, 4)
    assert game.why_not(game.take_backs(state)[0], 0, 20, 23).detail == "earn_anew"
    assert {case[-1] for case in CASES} | {"roll_first", "bonus_entry", "earn_anew"} == set(SENTENCES)


def test_reasons_are_those_of_recordings():
    assert set(REASONS.values()) | {"unclear_change"} <= RECORDED


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_tried_has_a_reason_and_a_sentence(seed):
    chance = random.Random(seed)
    for _ in range(120):
        rules = draw_rules(chance, chance.choice((0, 5, 12)))
        board = load_board(rules.board)
        game = Game(board, rules, (0, 1, 2, 3))
        state = game.standing(game.checked_position(draw_position(chance, board, (0, 1, 2, 3))), 0)
        state = state._replace(phase=Phase.MOVE, pending=chance.randint(1, 6))
        if chance.random() < 0.2:
            state = state._replace(pending=20, pending_is_bonus=True)
        legal = {move[:3] for move in game.legal(state)}
        for origin in sorted(set(state.steps[0])):
            for destination in range(-2, board.last + 3):
                tokens = chance.choice((1, 1, 2))
                error = game.why_not(state, 0, origin, destination, tokens)
                assert error.reason in RECORDED
                assert "{" not in str(error)
                assert (error.detail == "allowed") == ((origin, destination, tokens) in legal)
