"""A game fits in one line, and the line reads back."""

from __future__ import annotations

import pytest

from ludo_referee.rules.board import load_board
from ludo_referee.rules.errors import BoardError, PositionError
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.notation import game_from, position_text
from ludo_referee.rules.ruleset import rules_from


def read(line, **rules):
    rules = rules_from(rules)
    return game_from(line, load_board(rules.board), rules)


def test_a_line_says_what_is_needed_and_no_more():
    game, state = read("C:5,y,y,y A:10,0,y,y A")
    assert (game.players, state.turn, state.phase) == ((0, 2), 0, Phase.ROLL)
    assert position_text(game, state) == "A:y,y,0,10 C:y,y,y,5 A"


def test_sixes_and_a_pending_roll_are_kept():
    game, state = read("A:y,y,0,10 C:5,y,y,y A r6 s2 g:six")
    assert (state.pending, state.sixes, state.phase) == (6, 2, Phase.MOVE)
    assert [(move.origin, move.destination) for move in game.legal(state)] == [(0, 6), (10, 16)]
    assert position_text(game, state) == "A:y,y,0,10 C:y,y,y,5 A r6 s2 g:six"


def test_sixes_count_on_after_a_line_was_read():
    game, state = read("A:y,y,y,10 C:5,y,y,y A s2")
    assert game.throw(state, 6)[0].turn == 2


def test_everything_else_is_kept_too():
    line = "A:y,y,0,10 B:y,y,y,51 C:y,y,y,34 D:71,71,71,71 A b20 a:4=A+C+B q:10"
    game, state = read(line, preset="parchis")
    assert (state.bonus_queue, state.arrivals, state.finish_order) == ((10,), ((4, (0, 2, 1)),), (3,))
    assert position_text(game, state) == line.replace(" b20 a:", " b20 f:D a:")


def test_a_seat_that_has_been_out_is_remembered():
    game, state = read("A:y,y,y,y C:y,y,y,y A e:A", fast_entry="any")
    assert state.ever_entered == (True, False, False, False)
    assert game.throw(state, 3)[0].turn == 2
    assert game.throw(read("A:y,y,y,y C:y,y,y,y A", fast_entry="any")[1], 3)[0].phase is Phase.MOVE


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is not like"),
        ("A:y,y,y,y C:y,y,y,y", "is not like"),
        ("A:y,y,y,x C:y,y,y,y A", "'x' in a position is not a number"),
        ("A:y,y,y C:y,y,y,y A", "seat A has 3 tokens"),
        ("A:y,y,y,99 C:y,y,y,y A", "step 99"),
        ("A:y,y,y,y C:y,y,y,y A r7", "a roll is r1 to r6"),
        ("A:y,y,y,y C:y,y,y,y A z9", "'z9' in a position is not understood"),
        ("A:y,y,y,y C:y,y,y,y A g:luck", "'g:luck' in a position is not understood"),
        ("A:y,y,y,y C:y,y,y,y B", "seat B cannot be to roll"),
    ],
)
def test_a_bad_line_is_named(line, message):
    with pytest.raises(PositionError, match=message):
        read(line)


def test_a_seat_that_the_board_lacks_is_named():
    with pytest.raises(BoardError, match="no seat 'X'"):
        read("A:y,y,y,y C:y,y,y,y X")


def test_a_game_remembers_its_line_across_boards():
    game = Game(load_board("madn11"), rules_from({"preset": "madn"}), (1, 3))
    state, _ = game.throw(game.resume({1: [39, -1, -1, -1]}, 1), 2)
    assert position_text(game, state) == "B:y,y,y,39 D:y,y,y,y B r2"


def test_the_last_of_several_tries_is_written():
    board, rules = load_board("ludo15"), rules_from({"tries": 3})
    game = Game(board, rules, (0, 2))
    state = game.resume({0: [-1] * 4, 2: [5, -1, -1, -1]}, 0)
    for value in (3, 4):
        state, _ = game.throw(state, value)
    again, read = game_from(position_text(game, state), board, rules)
    assert read.tries_left == state.tries_left == 1
    assert again.throw(read, 2)[0].turn == 2
