"""A move may be put back while the turn lasts; the dice stay as they fell (RULES 1.9, conditions a to e)."""

from __future__ import annotations

from rules_table import Table, yard_and

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Move, Passed, Phase, TurnOf
from ludo_referee.rules.ruleset import rules_from


def test_the_six_is_played_again_and_then_the_five_that_fell():
    table = Table({}, yard_and(10)).throw(6).play(10, 16).throw(5)
    assert table.state.pending == 5
    table.take_back()
    assert (table.state.phase, table.state.pending, table.state.steps[0]) == (Phase.MOVE, 6, (-1, -1, -1, 10))
    assert table.moves == [(-1, 0), (10, 16)]
    table.play(-1, 0)
    assert (table.state.phase, table.state.pending, table.state.sixes) == (Phase.MOVE, 5, 0)
    assert table.moves == [(0, 5), (10, 15)]
    table.play(10, 15)
    assert table.state.turn == 2


def test_a_captured_token_comes_back():
    table = Table({}, yard_and(10, 20), yard_and(42)).throw(6).play(10, 16).throw(5)
    assert table.state.steps[2] == (-1, -1, -1, -1)
    table.take_back()
    assert table.state.steps[2] == (-1, -1, -1, 42)
    table.play(20, 26)
    assert table.state.steps[2] == (-1, -1, -1, 42)


def test_it_may_be_put_back_before_the_newer_roll_too():
    table = Table({}, yard_and(10)).throw(6).play(10, 16)
    assert table.state.phase is Phase.ROLL
    table.take_back().play(-1, 0)
    assert (table.state.phase, table.state.held) == (Phase.ROLL, ())


def test_previous_is_one_level():
    table = Table({}, yard_and(10)).throw(6).play(10, 16).throw(6).play(16, 22).throw(5)
    assert table.backs == 1
    table.take_back()
    assert table.state.steps[0] == (-1, -1, -1, 16)
    assert table.backs == 0
    table.play(-1, 0)
    assert table.backs == 1


def test_whole_turn_goes_back_as_far_as_the_turn_and_keeps_every_roll_in_order():
    table = Table({"take_back": "whole_turn"}, yard_and(10)).throw(6).play(10, 16).throw(6).play(16, 22).throw(5)
    assert table.backs == 2
    table.take_back(1)
    assert (table.state.pending, table.state.steps[0]) == (6, (-1, -1, -1, 10))
    table.play(-1, 0)
    assert (table.state.pending, table.state.sixes) == (6, 2)
    table.play(0, 6)
    assert table.state.pending == 5
    assert table.play(6, 11).state.turn == 2


def test_step_by_step_it_is_the_same():
    table = Table({"take_back": "whole_turn"}, yard_and(10)).throw(6).play(10, 16).throw(6).play(16, 22).throw(5)
    direct = table.game.take_backs(table.state)[1]
    assert table.take_back().take_back().state == direct


def test_nothing_goes_back_after_the_end_of_the_turn():
    assert Table({}, yard_and(10)).throw(6).play(10, 16).throw(5).play(16, 21).backs == 0
    assert Table({}, yard_and(10)).throw(5).play(10, 15).backs == 0


def test_nothing_goes_back_after_three_sixes():
    table = Table({}, yard_and(10)).throw(6).play(10, 16).throw(6).play(16, 22).throw(6)
    assert (table.state.turn, table.backs) == (2, 0)


def test_nothing_goes_back_after_the_seat_has_finished():
    game = Game(load_board("ludo15"), rules_from({"take_back": "whole_turn"}), (0, 1, 2))
    state, _ = game.throw(game.resume({0: [50, 56, 56, 56]}, 0), 6)
    state, _ = game.play(state, Move(50, 56))
    assert game.take_backs(state) == ()


def test_a_roll_that_a_capture_earned_must_be_earned_again():
    table = Table({"capture_bonus": "roll"}, yard_and(10, 20), yard_and(39)).throw(3).play(10, 13).throw(4)
    table.take_back()
    assert table.moves == [(10, 13)]  # 20 to 23 would not earn the four that has fallen


def test_before_that_roll_the_capture_may_be_given_up():
    table = Table({"capture_bonus": "roll"}, yard_and(10, 20), yard_and(39)).throw(3).play(10, 13)
    table.take_back()
    assert table.moves == [(10, 13), (20, 23)]
    assert table.play(20, 23).state.turn == 2


def test_a_roll_that_a_six_earned_too_is_kept():
    table = Table({"capture_bonus": "roll"}, yard_and(10, 20), yard_and(42)).throw(6).play(10, 16).throw(4)
    table.take_back()
    assert table.moves == [(-1, 0), (10, 16), (20, 26)]
    assert table.play(20, 26).state.pending == 4


def test_whole_turn_stops_where_a_later_roll_hangs_on_a_later_move():
    rules = {"take_back": "whole_turn", "capture_bonus": "roll"}
    table = Table(rules, yard_and(4), yard_and(39)).throw(6).play(4, 10).throw(3).play(10, 13).throw(2)
    assert table.backs == 1
    assert table.take_back().moves == [(10, 13)]


def test_a_roll_that_could_not_be_played_is_kept_in_its_place():
    table = Table({"take_back": "whole_turn", "three_sixes": "off"}, [50, 54, 56, 56]).throw(6).play(50, 56).throw(6)
    assert table.state.phase is Phase.ROLL  # the second six moves nothing and rolls again
    table.throw(1)
    table.take_back()
    assert (table.state.pending, [value for value, _ in table.state.held]) == (6, [6, 1])


def test_a_held_roll_that_can_no_longer_be_played_ends_the_turn():
    table = Table({}, [48, 50, 56, 56]).throw(6).play(50, 56).throw(4)
    assert table.moves == [(48, 52)]
    table.take_back().play(48, 54)
    assert table.outcomes[1:] == (Passed(0, "no_move", False), TurnOf(2))


def test_an_undone_bonus_move_is_offered_again():
    table = Table({"preset": "parchis"}, yard_and(7, 30), yard_and(44)).throw(3)
    table.play(7, 10)  # C's step 44 is ring square 14, A's step 10
    assert (table.state.pending, table.state.steps[2]) == (20, (-1, -1, -1, -1))
    table.take_back()
    assert table.moves == [(7, 10), (30, 33)]
    table.play(30, 33)
    assert (table.state.turn, table.outcomes[1:]) == (2, (TurnOf(2),))


def test_off_means_off():
    assert Table({"take_back": "off"}, yard_and(10)).throw(6).play(10, 16).throw(5).backs == 0


def test_passes_do_not_confuse_the_machine():
    table = Table({"tries": 3}, yard_and()).throw(2).throw(6).play(-1, 0).throw(4)
    table.take_back()
    assert (table.state.pending, [value for value, _ in table.state.held]) == (6, [4])
    table.play(-1, 0)
    assert table.state.pending == 4
    assert Passed(0, "no_move", True) not in table.outcomes
