"""Questions about moves and turns, a line of JSON each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludo_referee.rules.questions import answer_legal, answer_line, answer_turn

YARD = [-1, -1, -1, -1]


def asked(line, answer=answer_legal):
    return json.loads(answer_line(json.dumps(line), answer))


def test_the_example_of_the_rules():
    question = {
        "rules": {"preset": "classic", "tries": 3}, "position": {"A": [-1, -1, 0, 10], "C": [5, -1, -1, -1]}, "seat": "A", "roll": 6,
        "ever_entered": True,
    }
    assert asked(question) == {
        "moves": [{"from": 0, "to": 6, "tokens": 1, "captures": []}, {"from": 10, "to": 16, "tokens": 1, "captures": []}]
    }


def test_a_capture_names_the_seat_and_its_own_step():
    question = {"position": {"A": [-1, -1, -1, 10], "C": [39, -1, -1, -1]}, "seat": "A", "roll": 3}
    assert asked(question) == {"moves": [{"from": 10, "to": 13, "tokens": 1, "captures": [["C", 39]]}]}


def test_a_bonus_brings_no_token_out():
    question = {"rules": {"preset": "parchis"}, "position": {"A": [-1, -1, -1, 10], "C": YARD}, "seat": "A", "bonus": 5}
    assert [move["from"] for move in asked(question)["moves"]] == [10]


@pytest.mark.parametrize(("arrivals", "captured"), [(["B", "C"], ["C", 34]), (["C", "B"], ["B", 51])])
def test_the_last_to_arrive_on_a_full_start_goes_home(arrivals, captured):
    question = {
        "rules": {"preset": "parchis"}, "position": {"A": YARD, "B": [51, -1, -1, -1], "C": [34, -1, -1, -1]}, "seat": "A", "roll": 5,
        "arrivals": arrivals,
    }
    assert asked(question) == {"moves": [{"from": -1, "to": 0, "tokens": 1, "captures": [captured]}]}


def test_ever_entered_is_true_where_a_token_is_out():
    rules = {"fast_entry": "any"}
    assert asked({"rules": rules, "position": {"A": YARD, "C": YARD}, "seat": "A", "roll": 2})["moves"][0]["from"] == -1
    assert asked({"rules": rules, "position": {"A": [-1, -1, -1, 56], "C": YARD}, "seat": "A", "roll": 2}) == {"moves": []}


def test_one_seat_alone_may_be_asked_about():
    assert asked({"position": {"B": [3, -1, -1, -1]}, "seat": "B", "roll": 2})["moves"][0]["to"] == 5


def test_a_finished_seat_has_no_moves():
    assert asked({"position": {"A": [56] * 4, "B": YARD}, "seat": "A", "roll": 2}) == {"moves": []}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "a question is a JSON object"),
        (b"\xff\xfe{", "not JSON"),
        ("[" * 100000, "nested too deeply"),
        ("{}", "roll or a bonus"),
        ('{"roll": 3}', "position is an object"),
        ('{"roll": 3, "bonus": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A"}', "either a roll or a bonus"),
        ('{"roll": 7, "position": {"A": [1, 2, 3, 4]}, "seat": "A"}', "roll is 7"),
        ('{"roll": true, "position": {"A": [1, 2, 3, 4]}, "seat": "A"}', "roll is true"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "B"}', "seat is \"B\""),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": ["A"]}', "seat is"),
        ('{"roll": 3, "position": {"A": [1, 2, 3]}, "seat": "A"}', "seat A has 3 tokens"),
        ('{"roll": 3, "position": {"A": "yard"}, "seat": "A"}', "list of four whole numbers"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 1.5]}, "seat": "A"}', "list of four whole numbers"),
        ('{"roll": 3, "position": {"E": [1, 2, 3, 4]}, "seat": "E"}', "no seat 'E'"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 57]}, "seat": "A"}', "step 57"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "dice": 1}', "no field 'dice'"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "rules": "classic"}', "rules is an object"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "rules": {"tires": 3}}', "did you mean tries"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "rules": {"board": "atlantis"}}', "no board 'atlantis'"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "ever_entered": 1}', "ever_entered is 1"),
        ('{"roll": 3, "position": {"A": [1, 2, 3, 4]}, "seat": "A", "arrivals": "BD"}', "arrivals is a list"),
    ],
)
def test_a_bad_line_answers_an_error(line, message):
    answered = answer_line(line, answer_legal)
    assert "\n" not in answered
    assert message in json.loads(answered)["error"]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.floats(allow_nan=False) | st.text(max_size=4) | st.sampled_from(["A", "classic"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["A", "B", "preset", "tries", "entry"]), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["rules", "position", "seat", "roll", "bonus", "arrivals", "ever_entered", "script", "sixes"]), JUNK)
def test_junk_never_stops_the_program(field, junk):
    for answer, more in ((answer_legal, {"roll": 3}), (answer_turn, {"script": [[3, None]]})):
        question = {"rules": {}, "position": {"A": [1, 2, 3, -1], "C": YARD}, "seat": "A", **more, field: junk}
        assert isinstance(asked(question, answer), dict)


# --- turns ------------------------------------------------------------------------------------------------------------


def turn(script, position=None, seat="A", rules=None, **more):
    position = position or {"A": [-1, -1, -1, 10], "C": YARD}
    return asked({"rules": rules or {}, "position": position, "seat": seat, "script": script, **more}, answer_turn)


def test_a_turn_is_played_out():
    assert turn([[6, [-1, 0]], [3, [10, 13]]]) == {
        "position": {"A": [-1, -1, 0, 13], "C": YARD},
        "log": [
            {"event": "roll", "seat": "A", "value": 6},
            {"event": "move", "seat": "A", "from": -1, "to": 0, "tokens": 1, "captures": []},
            {"event": "roll", "seat": "A", "value": 3},
            {"event": "move", "seat": "A", "from": 10, "to": 13, "tokens": 1, "captures": []},
        ],
        "next": "C", "phase": "roll", "sixes": 0,
    }


def test_null_takes_the_only_move_or_none():
    answered = turn([[3, None]])
    assert answered["position"]["A"] == [-1, -1, -1, 13]
    answered = turn([[3, None]], {"A": YARD, "C": YARD})
    assert (answered["log"][1], answered["next"]) == ({"event": "pass", "seat": "A", "reason": "no_move"}, "C")
    assert "several ways" in turn([[6, None]])["error"]


def test_an_unfinished_turn_stays_with_its_seat():
    answered = turn([[6, [10, 16]]])
    assert (answered["next"], answered["sixes"]) == ("A", 1)


def test_a_turn_that_had_two_sixes_already():
    answered = turn([[6, None]], sixes=2)
    assert answered["log"][1]["reason"] == "three_sixes"
    assert answered["next"] == "C"


def test_three_tries():
    answered = turn([[1, None], [2, None], [3, None]], {"A": YARD, "C": YARD}, rules={"tries": 3})
    assert [entry.get("reason") for entry in answered["log"]] == [None, "no_move", None, "no_move", None, "no_try_left"]


def test_a_bonus_is_an_entry_of_its_own():
    position = {"A": [-1, -1, -1, 7], "C": [44, -1, -1, -1]}
    answered = turn([[3, [7, 10]], [20, [10, 30]]], position, rules={"preset": "parchis"})
    assert answered["log"][2] == {"event": "bonus", "seat": "A", "value": 20}
    assert answered["position"] == {"A": [-1, -1, -1, 30], "C": YARD}
    assert "a bonus of 20 is to be played first" in turn([[3, [7, 10]], [4, [10, 14]]], position, rules={"preset": "parchis"})["error"]


def test_a_lost_bonus_may_stand_in_the_script():
    position = {"A": [-1, -1, -1, 69], "C": YARD}
    answered = turn([[2, None], [10, None]], position, rules={"preset": "parchis"})
    assert (answered["log"][1]["lost"], answered["next"]) == ([10], "C")


def test_a_penalty_is_in_the_log():
    answered = turn([[6, [10, 16]], [6, [16, 22]], [6, None]], rules={"three_sixes": "last_home"})
    assert answered["log"][-1] == {"event": "penalty", "seat": "A", "shifts": [["A", 22, -1]]}
    assert answered["position"]["A"] == YARD


def test_the_end_of_a_game_is_told():
    answered = turn([[1, None]], {"A": [55, 56, 56, 56], "C": YARD})
    assert answered["log"][-2:] == [{"event": "finish", "seat": "A", "place": 1}, {"event": "game_over", "order": ["A", "C"]}]
    assert answered["next"] is None


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (None, "script is a list"),
        ([3], "script entry 1 is 3"),
        ([[3]], "script entry 1 is [3]"),
        ([["3", None]], "script entry 1"),
        ([[9, None]], "a die does not show 9"),
        ([[3, [10, 14]]], "count 3"),
        ([[3, [10]]], "a move is [from, to]"),
        ([[3, [10, 13]], [3, [13, 16]]], "script entry 2 comes after the turn's end"),
    ],
)
def test_a_bad_script_is_named(script, message):
    assert message in turn(script)["error"]


def test_a_finished_seat_has_no_turn():
    assert "it is finished" in turn([[3, None]], {"A": [56] * 4, "B": YARD, "C": YARD})["error"]
