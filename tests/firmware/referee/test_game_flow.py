"""Whole stretches of play as people would live them: what is said, in the words of RECORDINGS.md."""

from __future__ import annotations

import pytest

from ludo_referee.referee import claims, effects, events, views
from ludo_referee.referee.state import Phase


def test_a_game_starts_with_opening_rolls_and_ties_roll_again(evening):
    table = evening(opening=True, players=(0, 1, 2)).begin()
    for value in (4, 4, 2):
        table.throw(value)
    table.wait(3)
    assert table.view == views.ToRoll(0, "green", "tie")
    table.throw(3).throw(5).wait(3)
    assert table.view == views.ToRoll(1, "yellow", "begins")
    assert [(s["seat"], s["value"]) for s in table.said() if s["event"] == "roll"] == [("A", 4), ("B", 4), ("C", 2), ("A", 3), ("B", 5)]


def test_a_roll_without_a_move_is_passed_on(evening):
    table = evening().begin().throw(3)
    assert table.said() == [{"event": "roll", "seat": "A", "value": 3}, {"event": "pass", "seat": "A", "reason": "no_move"}]
    table.wait(6)
    assert table.view == views.ToRoll(2, "blue", "turn")


def test_a_move_is_told_once_seen_and_a_six_rolls_again(evening):
    table = evening().begin().throw(6).see_move(-1, 0)
    assert table.said()[1:] == [{"event": "move", "seat": "A", "from": -1, "to": 0, "tokens": 1, "captures": []}]
    assert table.state.phase is Phase.TO_ROLL
    assert table.view == views.ToRoll(0, "green", "six")


def test_vision_learns_the_accepted_move_before_the_new_question(evening):
    table = evening().begin().throw(6)
    index = table.find(claims.Legal)
    table.see_move(-1, 0)
    kinds = [type(effect) for effect in table.last]
    assert effects.Accept(index) in table.last
    assert kinds.index(effects.Tell) < kinds.index(effects.Accept) < kinds.index(effects.Watch) < kinds.index(effects.Show)


def test_a_capture_is_told_when_the_captured_token_is_home(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}).begin()  # C's 42 is A's 16
    table.throw(6).see(claims.HalfCapture, in_hand=False)
    assert table.said(last=True) == [{"event": "return_token", "seat": "C", "from": 42}]
    assert table.state.phase is Phase.RETURNING
    table.wait(3)
    assert table.view == views.ReturnToken(((2, "blue"),))
    table.see(claims.HalfCapture, in_hand=True)
    assert table.said(last=True) == []
    table.see_move(10, 16)
    assert table.said(last=True) == [{"event": "move", "seat": "A", "from": 10, "to": 16, "tokens": 1, "captures": [["C", 42]]}]


def test_a_wrong_count_is_called_once_and_lifted_when_put_back(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    table.see(claims.Wrong, shifts=((0, 10, 15),))
    assert table.said(last=True) == [{"event": "illegal", "reason": "wrong_count", "seen": [["A", 10, 15]]}]
    assert "wrong" in table.tunes
    wrong = table.view
    assert (wrong.reason, wrong.rolled, wrong.moved) == ("wrong_count", 4, 5)
    table.see(claims.Wrong, shifts=((0, 10, 15),))
    assert table.said(last=True) == []
    table.see(claims.Unchanged)
    assert table.said(last=True) == [{"event": "restored"}]
    assert isinstance(table.view, views.ToMove)


def test_a_wrong_move_finished_right_is_simply_a_move(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    table.see(claims.Wrong, shifts=((0, 10, 12),)).see_move(10, 14)
    assert [said["event"] for said in table.said()] == ["roll", "illegal", "move"]


def test_a_token_on_its_way_raises_no_alarm(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    table.see(claims.Wrong, shifts=((0, 10, 12),), settle=0.25).see_move(10, 14)
    assert [said["event"] for said in table.said()] == ["roll", "move"]


def test_moving_before_the_roll_is_called(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin()
    table.throw(1).see_move(10, 11)  # C is to roll now
    table.see(claims.Wrong, shifts=((0, 11, 13),))
    assert table.said(last=True) == [{"event": "illegal", "reason": "wrong_token", "seen": [["A", 11, 13]]}]


def test_a_take_back_within_the_turn_is_recognised(evening):
    table = evening(position={0: [10, 20, -1, -1]}).begin()
    table.throw(6).see_move(10, 16).throw(5).see(claims.TakenBack)
    assert table.said(last=True) == [{"event": "take_back", "seat": "A"}]
    assert table.state.game.pending == 6
    table.see_move(20, 26)
    assert table.state.game.pending == 5  # the newer roll stays as it fell


def test_a_take_back_with_the_new_move_in_one_go(evening):
    table = evening(position={0: [10, 20, -1, -1]}).begin()
    table.throw(6).see_move(10, 16).throw(5)
    table.see(claims.TakenBackAndMoved, move=next(m for m in table.game.legal(table.state.game.turn_log[-1].before) if m.origin == 20))
    assert [said["event"] for said in table.said(last=True)] == ["take_back", "move"]
    assert table.state.game.pending == 5


def test_a_throw_while_a_move_is_due_is_ignored_and_answered(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    table.throw(6)
    assert table.state.game.pending == 4
    assert "no" in table.tunes


def test_a_press_after_a_move_that_is_nearly_sure_accepts_it(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [3, -1, -1, -1]}).begin().throw(4)
    table.see_move(10, 14, lead=0.6)
    assert [said["event"] for said in table.said()] == ["roll"]
    table.throw(2)
    assert [said["event"] for said in table.said()] == ["roll", "move", "roll"]


def test_doubt_is_told_after_a_while_with_the_place(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4).see_move(10, 14, lead=0.3)
    table.wait(4)
    assert table.said(last=True) == [{"event": "unclear", "what": "token_between", "near": [2, 8]}]
    assert isinstance(table.view, views.CannotSee)
    table.see_move(10, 14)
    assert table.said(last=True)[0]["event"] == "move"


def test_the_third_six_undoes_the_turn_by_hand(evening):
    table = evening(rules={"three_sixes": "undo_turn"}, position={0: [10, 20, -1, -1]}).begin()
    table.throw(6).see_move(10, 16).throw(6).see_move(16, 22).throw(6)
    assert table.state.phase is Phase.MENDING
    table.wait(6)
    assert isinstance(table.view, views.MoveByHand)
    assert (table.view.start.step, table.view.end.step) == (22, 10)
    table.see(claims.Mended, left=())
    assert table.state.phase is Phase.TO_ROLL
    assert table.state.game.turn == 2


def test_the_last_seats_place_is_told_and_the_game_is_over(evening):
    table = evening(position={0: [56, 56, 56, 54], 2: [10, -1, -1, -1]}).begin().throw(2).see_move(54, 56)
    assert table.said()[-3:] == [
        {"event": "move", "seat": "A", "from": 54, "to": 56, "tokens": 1, "captures": []},
        {"event": "finish", "seat": "A", "place": 1},
        {"event": "game_over", "order": ["A", "C"]},
    ]
    table.wait(5)
    assert table.view == views.Over(((0, "green"), (2, "blue")))


def test_a_wrong_move_is_called_even_if_its_length_cannot_be_told(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    five, six = (table.find(claims.Wrong, shifts=((0, 10, end),)) for end in (15, 16))
    ranking = ((five, 5.0), (six, 4.6), (table.find(claims.Legal), 1.0))
    table.happen(events.Ranked(table.t, table.state.question, five, 0.4, 0.0, ranking))
    table.wait(1)
    assert table.said(last=True) == [{"event": "illegal", "reason": "wrong_count", "seen": [["A", 10, None]]}]
    assert table.view == views.Wrong("wrong_count", 0, "green", views.Where("square", 10, 10), None, 4, None)


def test_a_wrong_move_is_called_when_nothing_innocent_comes_near_it(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    five, six = (table.find(claims.Wrong, shifts=((0, 10, end),)) for end in (15, 16))
    table.happen(events.Ranked(table.t, table.state.question, five, 0.4, 0.0, ((five, 5.0), (six, 4.6))))
    table.wait(1)
    assert table.said(last=True) == [{"event": "illegal", "reason": "wrong_count", "seen": [["A", 10, None]]}]


def test_a_token_where_none_may_stand_is_called_even_if_it_cannot_be_told_which_it_was(evening):
    table = evening(position={0: [10, 12, -1, -1]}).begin().throw(4)
    one, other = (table.find(claims.Wrong, shifts=((0, start, 15),)) for start in (10, 12))
    ranking = ((one, 5.0), (other, 4.6), (table.find(claims.Legal), 1.0))
    table.happen(events.Ranked(table.t, table.state.question, one, 0.4, 0.0, ranking))
    table.wait(1)
    assert table.said(last=True) == [{"event": "illegal", "reason": "wrong_count", "seen": [["A", 10, 15]]}]
    assert table.view.end == views.Where("square", 15, 15)


BLUE_AT_20 = {0: [10, 30, -1, -1], 2: [20, -1, -1, -1]}


def beside(table, best, gone, more=0.0, lead=3.0, ranking=(), worth=6.0):
    """Vision favours a candidate, but another token is gone as well, and perhaps more has changed."""
    seat, step = gone
    missing = (seat, table.board.place(seat, step), worth)
    table.happen(events.Ranked(table.t, table.state.question, best, lead, worth + more, ranking, (missing,)))
    table.wait(1)
    return table.said(last=True)


def test_a_token_of_another_seat_that_moved_beside_a_move_is_named(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    move = table.find(claims.Legal)
    assert beside(table, move, (2, 20)) == [{"event": "illegal", "reason": "wrong_token", "seen": [["C", 20, None]]}]
    assert (table.view.seat, table.view.start.step) == (2, 20)
    table.happen(events.Ranked(table.t, table.state.question, table.find(claims.Legal), 3.0))
    assert table.said()[-1]["event"] == "move"


def test_two_own_tokens_that_moved_are_both_named(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    assert beside(table, table.find(claims.Wrong, shifts=((0, 10, 12),)), (0, 30)) == [
        {"event": "illegal", "reason": "several_moved", "seen": [["A", 10, 12], ["A", 30, None]]}]


def test_where_two_own_tokens_went_is_not_guessed(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    one, other = (table.find(claims.Wrong, shifts=(shift,)) for shift in ((0, 10, 12), (0, 30, 31)))
    assert beside(table, one, (0, 30), lead=0.1, ranking=((one, 5.0), (other, 4.9))) == [
        {"event": "illegal", "reason": "several_moved", "seen": [["A", 10, None], ["A", 30, None]]}]


def test_a_token_that_may_have_been_set_a_little_aside_is_not_called(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    assert beside(table, table.find(claims.Legal), (2, 20), worth=3.4) == []


def test_a_token_missing_from_where_none_stood_is_not_called(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    assert beside(table, table.find(claims.Legal), (2, 21)) == []


def test_a_token_missing_under_much_that_has_changed_is_not_called(evening):
    table = evening(position=BLUE_AT_20).begin().throw(4)
    assert beside(table, table.find(claims.Legal), (2, 20), more=5.0) == []
    table.wait(5)
    assert table.said()[-1] == {"event": "unclear", "what": "covered"}


def test_a_wrong_move_as_likely_as_a_right_one_is_not_called(evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    five = table.find(claims.Wrong, shifts=((0, 10, 15),))
    table.happen(events.Ranked(table.t, table.state.question, five, 0.4, 0.0, ((five, 5.0), (table.find(claims.Legal), 4.6), (0, 1.0))))
    table.wait(1)
    assert table.said(last=True) == []


def test_a_capture_shows_who_took_whom(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}).begin().throw(6).see_move(10, 16)
    assert views.Captured(0, "green", ((2, "blue"),)) in table.views()


WRONG_MOVES = [
    # rules, A's tokens, C's tokens, roll, from, to, rule, where the token may go instead
    ({}, [10], [], 4, 10, 15, "counted", 14),
    ({}, [10, 14], [], 4, 10, 12, "counted", None),  # its way ends on a token of its own: not two squares on
    ({}, [10, 53], [], 4, 53, 56, "overshoot", None),
    ({}, [10], [], 3, -1, 0, "entry_value", None),
    ({}, [10], [], 6, -1, 2, "enter_on_start", 0),
    ({"own_landing": "preceding"}, [10, 14], [], 4, 10, 14, "own_token_behind", 13),
    ({"must_capture": True}, [10, 20], [49], 3, 10, 13, "must_capture", None),
    ({}, [10], [], 4, 10, 8, "backwards", None),
]


@pytest.mark.parametrize("case", WRONG_MOVES, ids=[case[-2] for case in WRONG_MOVES])
def test_a_wrong_move_is_called_with_its_rule_and_the_way_out(case, evening):
    rules, own, foes, roll, start, end, rule, due = case
    position = {0: [*own, *[-1] * (4 - len(own))], 2: [*foes, *[-1] * (4 - len(foes))]}
    table = evening(rules=rules, position=position).begin().throw(roll).see(claims.Wrong, shifts=((0, start, end),))
    assert table.view.rule == rule
    assert (table.view.due and table.view.due.step) == due
    assert table.notices[-1].rule == rule
