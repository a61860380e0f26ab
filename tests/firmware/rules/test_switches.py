"""Each value of each house rule changes what a player may do, or what the turn does, as its sentence says.

On ludo15 A starts on ring square 0, C on 26: C's step 38 is the square of A's step 12.
"""

from __future__ import annotations

import pytest
from rules_table import YARD, Table, yard_and

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Passed, Penalty, Phase, TurnOf
from ludo_referee.rules.questions import answer_legal
from ludo_referee.rules.ruleset import SWITCHES, rules_from

LEGAL = [
    # switch = value, rules, A's tokens, C's tokens, question, the legal moves as from, to (, tokens, captures)
    ("entry=6", {}, YARD, YARD, {"roll": 5}, []),
    ("entry=6", {}, YARD, YARD, {"roll": 6}, [(-1, 0)]),
    ("entry=1,6", {"entry": [1, 6]}, YARD, YARD, {"roll": 1}, [(-1, 0)]),
    ("fast_entry=off", {}, YARD, YARD, {"roll": 3, "ever_entered": False}, []),
    ("fast_entry=any", {"fast_entry": "any"}, YARD, YARD, {"roll": 3, "ever_entered": False}, [(-1, 0)]),
    ("fast_entry=any", {"fast_entry": "any"}, YARD, YARD, {"roll": 3, "ever_entered": True}, []),
    ("fast_entry=one_or_six", {"fast_entry": "one_or_six"}, YARD, YARD, {"roll": 1, "ever_entered": False}, [(-1, 0)]),
    ("fast_entry=one_or_six", {"fast_entry": "one_or_six"}, YARD, YARD, {"roll": 3, "ever_entered": False}, []),
    ("own_landing=forbidden", {}, yard_and(10, 13), YARD, {"roll": 3}, [(13, 16)]),
    ("own_landing=forbidden", {}, yard_and(51, 53), YARD, {"roll": 2}, [(53, 55)]),
    ("own_landing=forbidden", {}, yard_and(54, 56), YARD, {"roll": 2}, [(54, 56)]),
    ("own_landing=forbidden", {}, yard_and(0), YARD, {"roll": 6}, [(0, 6)]),
    ("own_landing=preceding", {"own_landing": "preceding"}, yard_and(10, 13), YARD, {"roll": 3}, [(10, 12), (13, 16)]),
    ("own_landing=preceding", {"own_landing": "preceding"}, [10, 11, 12, 13], YARD, {"roll": 3}, [(11, 14), (12, 15), (13, 16)]),
    ("own_landing=preceding", {"own_landing": "preceding"}, yard_and(10, 13), yard_and(38), {"roll": 3},
     [(10, 12, 1, [["C", 38]]), (13, 16)]),
    ("own_landing=preceding", {"own_landing": "preceding"}, yard_and(51, 53), YARD, {"roll": 2}, [(51, 52), (53, 55)]),
    ("own_landing=preceding", {"own_landing": "preceding"}, yard_and(0), YARD, {"roll": 6}, [(0, 6)]),
    ("own_landing=stack", {"own_landing": "stack"}, yard_and(10, 13), YARD, {"roll": 3}, [(10, 13), (13, 16)]),
    ("own_landing=stack", {"own_landing": "stack"}, yard_and(10), yard_and(39, 39), {"roll": 3},
     [(10, 13, 1, [["C", 39], ["C", 39]])]),
    ("own_landing=block", {"own_landing": "block"}, yard_and(10, 13), YARD, {"roll": 3}, [(10, 13), (13, 16)]),
    ("own_landing=block", {"own_landing": "block"}, yard_and(10), yard_and(39, 39), {"roll": 3}, []),
    ("own_landing=block", {"own_landing": "block"}, YARD, yard_and(26, 26), {"roll": 6}, []),
    ("stack_max=2", {"own_landing": "stack", "stack_max": 2}, yard_and(10, 13, 13), YARD, {"roll": 3}, [(13, 16)]),
    ("stack_max=none", {"own_landing": "stack"}, yard_and(10, 13, 13), YARD, {"roll": 3}, [(10, 13), (13, 16)]),
    ("block_pass=never", {"own_landing": "block"}, yard_and(10), yard_and(39, 39), {"roll": 5}, []),
    ("block_pass=six", {"own_landing": "block", "block_pass": "six"}, yard_and(10), yard_and(39, 39), {"roll": 6}, [(-1, 0), (10, 16)]),
    ("block_pass=six", {"own_landing": "block", "block_pass": "six"}, yard_and(10), yard_and(39, 39), {"roll": 5}, []),
    ("block_pass=six", {"own_landing": "block", "block_pass": "six"}, yard_and(7), yard_and(39, 39), {"roll": 6}, [(-1, 0)]),
    ("block_pass=six_or_one", {"own_landing": "block", "block_pass": "six_or_one"}, yard_and(12), yard_and(39, 39), {"roll": 1},
     [(12, 14)]),
    ("block_pass=six_or_one", {"own_landing": "block", "block_pass": "six_or_one"}, yard_and(11), yard_and(39, 39), {"roll": 1},
     [(11, 12)]),
    ("block_pass=six_or_one", {"own_landing": "block", "block_pass": "six_or_one"}, yard_and(12), yard_and(39, 39, 40), {"roll": 1},
     [(12, 14, 1, [["C", 40]])]),
    ("block_pass=always", {"own_landing": "block", "block_pass": "always"}, yard_and(10), yard_and(39, 39), {"roll": 5}, [(10, 15)]),
    ("block_pass=always", {"own_landing": "block", "block_pass": "always"}, yard_and(10), yard_and(39, 39), {"roll": 3}, []),
    ("block_stops_owner=false", {"own_landing": "block"}, yard_and(7, 10, 10), YARD, {"roll": 4}, [(7, 11), (10, 14)]),
    ("block_stops_owner=true", {"own_landing": "block", "block_stops_owner": True}, yard_and(7, 10, 10), YARD, {"roll": 4}, [(10, 14)]),
    ("blocks_on_safe=true", {"own_landing": "block", "safe": "stars"}, yard_and(5), yard_and(34, 34), {"roll": 3}, []),
    ("blocks_on_safe=false", {"own_landing": "block", "safe": "stars", "blocks_on_safe": False}, yard_and(5), yard_and(34, 34),
     {"roll": 3}, [(5, 8)]),
    ("pair_half=false", {"own_landing": "block"}, yard_and(10, 10), YARD, {"roll": 4}, [(10, 14)]),
    ("pair_half=true", {"own_landing": "block", "pair_half": True}, yard_and(10, 10), YARD, {"roll": 4}, [(10, 12, 2), (10, 14)]),
    ("pair_half=true", {"own_landing": "block", "pair_half": True}, yard_and(10, 10), YARD, {"roll": 3}, [(10, 13)]),
    ("pair_half=true", {"own_landing": "block", "pair_half": True}, yard_and(10, 10), yard_and(38), {"roll": 4},
     [(10, 12, 2, [["C", 38]]), (10, 14)]),
    ("pair_captures_pair=false", {"own_landing": "block", "pair_half": True}, yard_and(10, 10), yard_and(38, 38), {"roll": 4}, []),
    ("pair_captures_pair=true", {"own_landing": "block", "pair_half": True, "pair_captures_pair": True}, yard_and(10, 10),
     yard_and(38, 38), {"roll": 4}, [(10, 12, 2, [["C", 38], ["C", 38]])]),
    ("pair_captures_pair=true", {"own_landing": "block", "pair_half": True, "pair_captures_pair": True}, yard_and(10, 10),
     yard_and(38, 38, 38), {"roll": 4}, []),
    ("safe=none", {}, yard_and(5), yard_and(34), {"roll": 3}, [(5, 8, 1, [["C", 34]])]),
    ("safe=stars", {"safe": "stars"}, yard_and(5), yard_and(34), {"roll": 3}, [(5, 8)]),
    ("safe=stars", {"safe": "stars"}, yard_and(10), yard_and(39), {"roll": 3}, [(10, 13, 1, [["C", 39]])]),
    ("safe=stars_starts", {"safe": "stars_starts"}, yard_and(10), yard_and(39), {"roll": 3}, [(10, 13)]),
    ("safe=board", {"safe": "board"}, yard_and(10), yard_and(39), {"roll": 3}, [(10, 13)]),
    ("safe_landing=coexist", {"safe": "stars"}, yard_and(5), yard_and(34), {"roll": 3}, [(5, 8)]),
    ("safe_landing=forbidden", {"safe": "stars", "safe_landing": "forbidden"}, yard_and(5), yard_and(34), {"roll": 3}, []),
    ("enter_captures_on_safe=false", {"safe": "stars_starts"}, YARD, yard_and(26), {"roll": 6}, [(-1, 0)]),
    ("enter_captures_on_safe=true", {"safe": "stars_starts", "enter_captures_on_safe": True}, YARD, yard_and(26), {"roll": 6},
     [(-1, 0, 1, [["C", 26]])]),
    ("full_start_sends_home=false", {"own_landing": "stack", "stack_max": 2, "safe": "stars_starts"}, yard_and(0), yard_and(26),
     {"roll": 6}, [(0, 6)]),
    ("full_start_sends_home=true", {"own_landing": "stack", "stack_max": 2, "safe": "stars_starts", "full_start_sends_home": True},
     yard_and(0), yard_and(26), {"roll": 6}, [(-1, 0, 1, [["C", 26]]), (0, 6)]),
    ("overshoot=illegal", {}, yard_and(54), YARD, {"roll": 3}, []),
    ("overshoot=bounce", {"overshoot": "bounce"}, yard_and(54), YARD, {"roll": 3}, [(54, 55)]),
    ("home_jump=false", {"board": "madn11"}, yard_and(39, 41), YARD, {"roll": 3}, []),
    ("home_jump=true", {"board": "madn11", "home_jump": True}, yard_and(39, 41), YARD, {"roll": 3}, [(39, 42)]),
    ("force_entry=false", {}, yard_and(5), YARD, {"roll": 6}, [(-1, 0), (5, 11)]),
    ("force_entry=true", {"force_entry": True}, yard_and(5), YARD, {"roll": 6}, [(-1, 0)]),
    ("clear_start=false", {}, yard_and(0, 5), YARD, {"roll": 3}, [(0, 3), (5, 8)]),
    ("clear_start=true", {"clear_start": True}, yard_and(0, 5), YARD, {"roll": 3}, [(0, 3)]),
    ("clear_start=true", {"clear_start": True}, yard_and(0, 3), YARD, {"roll": 3}, [(3, 6)]),
    ("clear_start=true", {"clear_start": True}, [0, 5, 20, 30], YARD, {"roll": 3}, [(0, 3), (5, 8), (20, 23), (30, 33)]),
    ("open_block_on_six=false", {"own_landing": "block"}, yard_and(10, 10, 20), YARD, {"roll": 6}, [(-1, 0), (10, 16), (20, 26)]),
    ("open_block_on_six=true", {"own_landing": "block", "open_block_on_six": True}, yard_and(10, 10, 20), YARD, {"roll": 6}, [(10, 16)]),
    ("open_block_on_six=true", {"own_landing": "block", "open_block_on_six": True}, yard_and(10, 10, 20), YARD, {"bonus": 20},
     [(10, 30), (20, 40)]),
    ("six_value_all_out=6", {}, [10, 20, 30, 40], YARD, {"roll": 6}, [(10, 16), (20, 26), (30, 36), (40, 46)]),
    ("six_value_all_out=7", {"six_value_all_out": 7}, [10, 20, 30, 40], YARD, {"roll": 6}, [(10, 17), (20, 27), (30, 37), (40, 47)]),
    ("six_value_all_out=7", {"six_value_all_out": 7}, yard_and(10), YARD, {"roll": 6}, [(-1, 0), (10, 16)]),
    ("bonus_passes_block=false", {"own_landing": "block", "capture_bonus": "move"}, yard_and(10), yard_and(39, 39), {"bonus": 20}, []),
    ("bonus_passes_block=true", {"own_landing": "block", "capture_bonus": "move", "bonus_passes_block": True}, yard_and(10),
     yard_and(39, 39), {"bonus": 20}, [(10, 30)]),
    ("bonus_passes_block=true", {"own_landing": "block", "capture_bonus": "roll", "bonus_passes_block": True}, yard_and(10),
     yard_and(39, 39), {"roll": 4, "earned": True}, [(10, 14)]),
    ("must_capture=false", {}, yard_and(10, 20), yard_and(49), {"roll": 3}, [(10, 13), (20, 23, 1, [["C", 49]])]),
    ("must_capture=true", {"must_capture": True}, yard_and(10, 20), yard_and(49), {"roll": 3}, [(20, 23, 1, [["C", 49]])]),
]


@pytest.mark.parametrize(("switch", "rules", "own", "foes", "question", "expected"), LEGAL, ids=[str(case[0]) for case in LEGAL])
def test_a_switch_decides_the_legal_moves(switch, rules, own, foes, question, expected):
    answer = answer_legal({"rules": rules, "position": {"A": own, "C": foes}, "seat": "A", **question})
    expected = [(*move, *(1, [])[len(move) - 2 :]) for move in expected]
    assert [tuple(move.values()) for move in answer["moves"]] == expected


# --- what a switch does to the turn -----------------------------------------------------------------------------------


A_ROLLS, A_MOVES, C_ROLLS = (0, Phase.ROLL), (0, Phase.MOVE), (2, Phase.ROLL)


def tries_1():
    assert Table({}).throw(3).waits == C_ROLLS


def tries_3():
    table = Table({"tries": 3}).throw(3)
    assert (table.waits, table.outcomes) == (A_ROLLS, (Passed(0, "no_move", True),))
    assert table.throw(2).waits == A_ROLLS
    table.throw(4)
    assert (table.waits, table.outcomes) == (C_ROLLS, (Passed(0, "no_try_left", False), TurnOf(2)))
    assert Table({"tries": 3}).throw(3).throw(6).play(-1, 0).throw(1).play(0, 1).waits == C_ROLLS
    assert Table({"tries": 3}, yard_and(5)).throw(3).play(5, 8).waits == C_ROLLS


def six_bonus_true():
    assert Table({}).throw(6).play(-1, 0).waits == A_ROLLS


def six_bonus_false():
    assert Table({"six_bonus": False}).throw(6).play(-1, 0).waits == C_ROLLS


def six_bonus_if_no_move_true():
    assert Table({}, [54, 56, 56, 56]).throw(6).waits == A_ROLLS


def six_bonus_if_no_move_false():
    assert Table({"six_bonus_if_no_move": False}, [54, 56, 56, 56]).throw(6).waits == C_ROLLS


def two_sixes(three_sixes, a):
    return Table({"three_sixes": three_sixes}, a).throw(6).play(-1, 0).throw(6).play(0, 6)


def three_sixes_forfeit():
    table = two_sixes("forfeit", YARD).throw(6)
    assert (table.waits, table.outcomes) == (C_ROLLS, (Passed(0, "three_sixes", False), TurnOf(2)))
    assert table.state.steps[0] == (-1, -1, -1, 6)


def three_sixes_undo_turn():
    table = two_sixes("undo_turn", YARD).throw(6)
    assert table.outcomes == (Passed(0, "three_sixes", False), Penalty(0, ((0, 6, -1),)), TurnOf(2))
    assert table.state.steps[0] == tuple(YARD)


def three_sixes_last_home():
    table = two_sixes("last_home", yard_and(20)).throw(6)
    assert table.outcomes == (Passed(0, "three_sixes", False), Penalty(0, ((0, 6, -1),)), TurnOf(2))
    assert table.state.steps[0] == (-1, -1, -1, 20)
    safe_at_home = Table({"three_sixes": "last_home"}, yard_and(45), sixes=1).throw(6).play(45, 51).throw(6)
    assert safe_at_home.state.steps[0] == (-1, -1, -1, 51)


def three_sixes_no_bonus():
    table = two_sixes("no_bonus", YARD).throw(6)
    assert table.waits == A_MOVES
    assert table.play(6, 12).waits == C_ROLLS


def three_sixes_off():
    assert two_sixes("off", YARD).throw(6).play(6, 12).throw(6).play(12, 18).waits == A_ROLLS


def capture_bonus_none():
    assert Table({}, yard_and(10), yard_and(39)).throw(3).play(10, 13).waits == C_ROLLS


def capture_bonus_roll():
    assert Table({"capture_bonus": "roll"}, yard_and(10), yard_and(39)).throw(3).play(10, 13).waits == A_ROLLS


def capture_bonus_move():
    table = Table({"capture_bonus": "move"}, yard_and(10), yard_and(39)).throw(3).play(10, 13)
    assert (table.waits, table.state.pending, table.state.pending_is_bonus) == (A_MOVES, 20, True)
    assert table.play(13, 33).waits == C_ROLLS


def capture_n():
    assert Table({"capture_bonus": "move", "capture_n": 4}, yard_and(10), yard_and(39)).throw(3).play(10, 13).state.pending == 4


def home_bonus_none():
    assert Table({}, yard_and(54, 10)).throw(2).play(54, 56).waits == C_ROLLS


def home_bonus_roll():
    assert Table({"home_bonus": "roll"}, yard_and(54, 10)).throw(2).play(54, 56).waits == A_ROLLS


def home_bonus_move():
    table = Table({"home_bonus": "move"}, yard_and(54, 10)).throw(2).play(54, 56)
    assert (table.waits, table.state.pending) == (A_MOVES, 10)
    lost = Table({"home_bonus": "move"}, yard_and(54)).throw(2).play(54, 56)
    assert (lost.waits, lost.outcomes[0].lost) == (C_ROLLS, (10,))


def home_n():
    assert Table({"home_bonus": "move", "home_n": 3}, yard_and(54, 10)).throw(2).play(54, 56).state.pending == 3


def take_back_off():
    table = Table({"take_back": "off"}, yard_and(10)).throw(6).play(10, 16).throw(5)
    assert table.game.take_backs(table.state) == ()


def take_back_previous():
    table = Table({}, yard_and(10)).throw(6).play(-1, 0).throw(6).play(0, 6).throw(5)
    assert [back.steps[0] for back in table.game.take_backs(table.state)] == [(-1, -1, 0, 10)]


def take_back_whole_turn():
    table = Table({"take_back": "whole_turn"}, yard_and(10)).throw(6).play(-1, 0).throw(6).play(0, 6).throw(5)
    assert [back.steps[0] for back in table.game.take_backs(table.state)] == [(-1, -1, 0, 10), (-1, -1, -1, 10)]


def initial_on_start_0():
    assert Table({}).game.begin(0).steps[0] == (-1, -1, -1, -1)


def initial_on_start_1():
    begun = Table({"initial_on_start": 1, "fast_entry": "any"}).game.begin(0)
    assert (begun.steps[0], begun.ever_entered[0], begun.steps[1]) == ((-1, -1, -1, 0), True, ())


def three_to_go(rules):
    rules = rules_from(rules)
    game = Game(load_board("ludo15"), rules, (0, 1, 2))
    state, _ = game.throw(game.resume({0: [55, 56, 56, 56]}, 0), 1)
    return game.play(state, game.legal(state)[0])[0]


def play_on_true():
    state = three_to_go({})
    assert (state.phase, state.turn, state.finish_order) == (Phase.ROLL, 1, (0,))


def play_on_false():
    state = three_to_go({"play_on": False})
    assert (state.phase, state.finish_order) == (Phase.OVER, (0,))


def start_order_highest():
    assert Table({}).game.begin().phase is Phase.START


def start_order_fixed():
    assert Table({"start_order": "fixed"}).game.begin()[1:3] == A_ROLLS


def board_ludo15():
    assert Table({"board": "ludo15"}).game.board.last == 56


def board_ludo15_home4():
    assert Table({"board": "ludo15-home4"}).game.board.last == 54


TURNS = {
    "tries=1": tries_1, "tries=3": tries_3, "six_bonus=true": six_bonus_true, "six_bonus=false": six_bonus_false,
    "six_bonus_if_no_move=true": six_bonus_if_no_move_true, "six_bonus_if_no_move=false": six_bonus_if_no_move_false,
    "three_sixes=forfeit": three_sixes_forfeit, "three_sixes=undo_turn": three_sixes_undo_turn,
    "three_sixes=last_home": three_sixes_last_home, "three_sixes=no_bonus": three_sixes_no_bonus, "three_sixes=off": three_sixes_off,
    "capture_bonus=none": capture_bonus_none, "capture_bonus=roll": capture_bonus_roll, "capture_bonus=move": capture_bonus_move,
    "capture_n=4": capture_n, "home_bonus=none": home_bonus_none, "home_bonus=roll": home_bonus_roll,
    "home_bonus=move": home_bonus_move, "home_n=3": home_n, "take_back=off": take_back_off, "take_back=previous": take_back_previous,
    "take_back=whole_turn": take_back_whole_turn, "initial_on_start=0": initial_on_start_0, "initial_on_start=1": initial_on_start_1,
    "play_on=true": play_on_true, "play_on=false": play_on_false, "start_order=highest": start_order_highest,
    "start_order=fixed": start_order_fixed, "board=ludo15": board_ludo15, "board=ludo15-home4": board_ludo15_home4,
}


@pytest.mark.parametrize("switch", TURNS)
def test_a_switch_decides_the_turn(switch):
    TURNS[switch]()


def test_every_value_of_every_switch_is_tried():
    tried = {case[0] for case in LEGAL} | set(TURNS)
    for switch in SWITCHES.values():
        if switch.choices:
            wanted = {f"{switch.name}={choice}" for choice in switch.choices}
        elif switch.high or switch.name in ("board", "entry"):
            assert sum(name.startswith(f"{switch.name}=") for name in tried) >= 1, switch.name
            continue
        else:
            wanted = {f"{switch.name}=true", f"{switch.name}=false"}
        assert wanted <= tried
