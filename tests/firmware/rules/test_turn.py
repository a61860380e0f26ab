"""The turn machine: openings, whose turn it is, finishing, and mistakes that other programs are known to make."""

from __future__ import annotations

import pytest

from ludo_referee.rules.board import load_board
from ludo_referee.rules.errors import IllegalMove, PhaseError, PositionError, RulesError
from ludo_referee.rules.game import (
    Begins,
    Finished,
    Game,
    GameOver,
    Move,
    Moved,
    OpeningTie,
    Passed,
    Phase,
    TurnOf,
)
from ludo_referee.rules.ruleset import rules_from


def game_of(players=(0, 1, 2, 3), **rules):
    rules = rules_from(rules)
    return Game(load_board(rules.board), rules, players)


def yard_and(*steps):
    return [*steps, *[-1] * (4 - len(steps))]


def play(game, state, origin, destination):
    move = next(move for move in game.legal(state) if (move.origin, move.destination) == (origin, destination))
    return game.play(state, move)


# --- the opening ------------------------------------------------------------------------------------------------------


def test_the_highest_roll_begins_and_is_no_first_move():
    game = game_of()
    state = game.begin()
    for value in (3, 6, 2):
        state, outcomes = game.throw(state, value)
        assert (state.phase, outcomes) == (Phase.START, ())
    state, outcomes = game.throw(state, 5)
    assert outcomes == (Begins(1),)
    assert (state.phase, state.turn, state.pending, state.sixes) == (Phase.ROLL, 1, None, 0)


def test_only_the_tied_highest_roll_again_until_one_is_left():
    game = game_of()
    state = game.begin()
    for value in (5, 3, 5):
        state, _ = game.throw(state, value)
    state, outcomes = game.throw(state, 5)
    assert outcomes == (OpeningTie((0, 2, 3)),)
    assert state.turn == 0
    for value in (4, 6):
        state, outcomes = game.throw(state, value)
    state, outcomes = game.throw(state, 6)
    assert outcomes == (OpeningTie((2, 3)),)
    state, _ = game.throw(state, 1)
    state, outcomes = game.throw(state, 2)
    assert (state.turn, outcomes) == (3, (Begins(3),))


def test_a_fixed_start_is_the_first_seat_named():
    game = game_of((2, 0), start_order="fixed")
    assert game.begin().turn == 2


def test_tries_hold_for_whoever_begins():
    game = game_of((0, 1), tries=3)
    state = game.begin()
    state, _ = game.throw(state, 1)
    state, _ = game.throw(state, 2)
    assert (state.turn, state.tries_left) == (1, 3)


# --- whose turn -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "order"), [((0, 2), [0, 2, 0]), ((0, 1, 3), [0, 1, 3, 0]), ((1, 2, 3), [1, 2, 3, 1])])
def test_an_empty_seat_gets_no_turn(players, order):
    game = game_of(players)
    state = game.begin(players[0])
    turns = [state.turn]
    for _ in order[1:]:
        state, _ = game.throw(state, 3)
        turns.append(state.turn)
    assert turns == order


def test_no_move_gives_no_further_roll():
    game = game_of()
    state, outcomes = game.throw(game.begin(0), 3)
    assert outcomes == (Passed(0, "no_move", False), TurnOf(1))
    assert state.turn == 1


def test_parchis_turns_go_against_the_clock():
    game = game_of(preset="parchis")
    seats = game.board.seats
    corners = [game.board.places[seat.yard].centre for seat in seats]
    assert corners == [(15, 15), (15, 4), (4, 4), (4, 15)]
    assert game.throw(game.begin(0), 3)[0].turn == 1


def test_several_reasons_give_one_roll():
    game = game_of((0, 2), preset="indian")
    state = game.resume({0: yard_and(10), 2: yard_and(42)}, 0)
    state, _ = game.throw(state, 6)
    state, outcomes = play(game, state, 10, 16)
    assert outcomes == (Moved(0, Move(10, 16, 1, ((2, 42),)), True),)
    assert state.earned == ("capture", "six")
    state, _ = game.throw(state, 1)
    state, _ = play(game, state, 16, 17)
    assert state.turn == 2


def test_bonus_moves_are_played_one_after_another():
    game = game_of((0, 2), preset="parchis")
    state = game.resume({0: [10, 20, 69, 40], 2: yard_and(51 - 4)}, 0)
    state, _ = game.throw(state, 2)
    state, outcomes = play(game, state, 69, 71)
    assert (state.pending, state.pending_is_bonus, outcomes) == (10, True, (Moved(0, Move(69, 71), True),))
    foe_square = (38 + 47) % 68  # C's step 47
    assert foe_square == 17  # which is A's step 13: no token of A is ten squares before it
    state, _ = play(game, state, 10, 20)
    assert (state.turn, state.phase) == (2, Phase.ROLL)


def test_a_captured_token_earns_twenty_and_that_may_earn_more():
    game = game_of((0, 1), preset="parchis")
    # A's step 10 is ring 14, where B (start 21) stands on step 61; A's step 30 is ring 34, B's step 13
    state = game.resume({0: yard_and(7), 1: yard_and(61, 14)}, 0)
    state, _ = game.throw(state, 3)
    state, _ = play(game, state, 7, 10)
    assert (state.steps[1], state.pending, state.bonus_queue) == ((-1, -1, -1, 14), 20, ())
    state, _ = play(game, state, 10, 30)
    assert state.turn == 1


def test_unusable_bonuses_are_lost():
    game = game_of((0, 2), preset="parchis")
    state = game.resume({0: yard_and(69), 2: yard_and()}, 0)
    state, _ = game.throw(state, 2)
    state, outcomes = play(game, state, 69, 71)
    assert outcomes == (Moved(0, Move(69, 71), False, (10,)), TurnOf(2))


# --- finishing --------------------------------------------------------------------------------------------------------


def test_a_finished_seat_is_never_asked_to_roll():
    game = game_of((0, 1, 2))
    state = game.resume({0: [55, 56, 56, 56]}, 0)
    state, _ = game.throw(state, 1)
    state, outcomes = play(game, state, 55, 56)
    assert outcomes == (Moved(0, Move(55, 56), False), Finished(0, 1), TurnOf(1))
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state, _ = game.throw(state, 3)
    assert turns == [1, 2, 1, 2]


def test_the_roll_of_a_six_is_void_when_the_seat_has_finished():
    game = game_of((0, 1, 2))
    state = game.resume({0: [50, 56, 56, 56]}, 0)
    state, _ = game.throw(state, 6)
    state, _ = play(game, state, 50, 56)
    assert state.turn == 1


def test_the_last_seat_takes_the_last_place():
    game = game_of((0, 1, 2))
    state = game.resume({0: [56] * 4, 1: [55, 56, 56, 56]}, 1)
    assert state.finish_order == (0,)
    state, _ = game.throw(state, 1)
    state, outcomes = play(game, state, 55, 56)
    assert outcomes[1:] == (Finished(1, 2), GameOver((0, 1, 2)))
    assert state.phase is Phase.OVER


def test_four_home_spaces_filled_are_the_end():
    game = game_of((0, 1), preset="madn")
    state = game.resume({0: [39, 43, 42, 41]}, 0)
    state, _ = game.throw(state, 1)
    state, outcomes = play(game, state, 39, 40)
    assert outcomes[1:] == (Finished(0, 1), GameOver((0, 1)))


# --- in play (RULES 1.2) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "tries"),
    [
        ([-1, -1, -1, -1], 3), ([-1, -1, -1, 43], 3), ([-1, -1, 42, 43], 3),
        ([-1, -1, 41, 43], 1), ([-1, -1, -1, 40], 1), ([-1, -1, -1, 5], 1),
    ],
)
def test_tokens_at_their_end_are_not_in_play(own, tries):
    game = game_of((0, 1), preset="madn")
    assert game.resume({0: own}, 0).tries_left == tries


def test_a_finished_token_is_not_in_play_but_one_in_the_column_is():
    game = game_of((0, 1), tries=3)
    assert game.resume({0: [-1, -1, -1, 56]}, 0).tries_left == 3
    assert game.resume({0: [-1, -1, -1, 55]}, 0).tries_left == 1


# --- sixes ------------------------------------------------------------------------------------------------------------


def test_a_loaded_game_remembers_its_sixes():
    game = game_of((0, 2))
    state = game.resume({0: yard_and(10)}, 0, sixes=2)
    state, outcomes = game.throw(state, 6)
    assert outcomes == (Passed(0, "three_sixes", False), TurnOf(2))


def test_only_sixes_in_a_row_count():
    game = game_of((0, 2), preset="indian")
    state = game.resume({0: yard_and(0, 20), 2: yard_and(39 + 4)}, 0)
    state, _ = game.throw(state, 6)
    state, _ = play(game, state, 0, 6)
    state, _ = game.throw(state, 6)
    state, _ = play(game, state, 6, 12)
    state, _ = game.throw(state, 5)
    state, _ = play(game, state, 12, 17)  # captures C on its step 43 and rolls again
    assert (state.turn, state.sixes, state.earned) == (0, 0, ("capture",))
    state, _ = game.throw(state, 6)
    assert (state.sixes, state.phase) == (1, Phase.MOVE)


def test_undo_turn_revives_the_captured():
    game = game_of((0, 2), three_sixes="undo_turn")
    state = game.resume({0: yard_and(10), 2: yard_and(42)}, 0)
    for origin, destination in ((10, 16), (16, 22)):
        state, _ = game.throw(state, 6)
        state, _ = play(game, state, origin, destination)
    assert state.steps[2] == (-1, -1, -1, -1)
    state, outcomes = game.throw(state, 6)
    assert outcomes[1].shifts == ((0, 22, 10), (2, -1, 42))
    assert (state.steps[0], state.steps[2]) == ((-1, -1, -1, 10), (-1, -1, -1, 42))


# --- mistakes of other programs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "step"), [(1, 51), (2, 52), (5, 55), (6, 56)])
def test_each_die_enters_its_own_home_square(die, step):
    game = game_of()
    state, _ = game.throw(game.resume({0: yard_and(50)}, 0), die)
    assert [move.destination for move in game.legal(state) if move.origin == 50] == [step]


def test_nobody_is_captured_in_a_home_column():
    game = game_of()
    state = game.resume({0: yard_and(50), 1: yard_and(53), 2: yard_and(53), 3: yard_and(53)}, 0)
    state, _ = game.throw(state, 3)
    assert game.legal(state) == (Move(50, 53),)


def test_the_square_before_the_start_is_no_home_square():
    game = game_of()
    # B's step 38 is ring square 51, just before A's start: A passes into its column instead and never meets it
    state = game.resume({0: yard_and(50), 1: yard_and(38)}, 0)
    state, _ = game.throw(state, 1)
    assert game.legal(state) == (Move(50, 51),)
    state = game.resume({1: yard_and(36), 3: yard_and(12)}, 1)  # D's step 12 is ring square 51 too
    state, _ = game.throw(state, 2)
    assert game.legal(state) == (Move(36, 38, 1, ((3, 12),)),)


# --- strictness -------------------------------------------------------------------------------------------------------


def test_a_second_roll_before_the_move_is_refused_and_the_state_stays():
    game = game_of()
    state, _ = game.throw(game.resume({0: yard_and(10)}, 0), 3)
    with pytest.raises(PhaseError, match="waits for a move"):
        game.throw(state, 5)
    assert game.legal(state) == (Move(10, 13),)


def test_a_move_before_the_roll_is_refused():
    game = game_of()
    with pytest.raises(PhaseError, match="waits for a roll"):
        game.play(game.begin(0), Move(-1, 0))


@pytest.mark.parametrize("value", [0, 7, -1, None, "6"])
def test_a_die_shows_one_to_six(value):
    with pytest.raises(PhaseError, match="1 to 6"):
        game_of().throw(game_of().begin(0), value)


def test_an_illegal_move_is_refused():
    game = game_of()
    state, _ = game.throw(game.resume({0: yard_and(10)}, 0), 3)
    with pytest.raises(IllegalMove, match="count 3"):
        game.play(state, Move(10, 14))


@pytest.mark.parametrize(
    ("position", "turn", "message"),
    [
        ({0: [-1, -1, -1]}, 0, "seat A has 3 tokens"),
        ({0: [-1, -1, -1, 57]}, 0, "seat A has a token on step 57"),
        ({1: yard_and(3)}, 0, "seat B has tokens but does not play"),
        ({}, 1, "seat B cannot be to roll: it does not play"),
        ({0: [56] * 4, 2: [55, 56, 56, 56]}, 0, "seat A cannot be to roll: it is finished"),
        ({0: [56] * 4}, 2, "the game is over"),
    ],
)
def test_an_impossible_position_is_named(position, turn, message):
    with pytest.raises(PositionError, match=message):
        game_of((0, 2)).resume(position, turn)


def test_two_tokens_on_a_home_space_are_no_position():
    with pytest.raises(PositionError, match="two tokens on one home space"):
        game_of((0, 1), preset="madn").resume({0: yard_and(41, 41)}, 0)


def test_players_are_seats_of_the_board():
    for players in ((), (0, 0), (0, 4)):
        with pytest.raises(RulesError, match="cannot play on ludo15"):
            game_of(players)
    with pytest.raises(PositionError, match="at least two"):
        game_of((0,)).begin()
