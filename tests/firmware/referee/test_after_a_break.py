"""After a break the table is compared by sight: as it was, otherwise, or it cannot be told."""

from __future__ import annotations

import random

import pytest

from ludo_referee.referee import claims, effects, events, views
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.state import Options, Phase
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

BEFORE = {0: [10, 3, -1, -1], 2: [40, -1, -1, -1]}
STOOD = ((-1, -1, 3, 10), (), (-1, -1, -1, 40), ())


def broken_off(evening, value=4, **options):
    """A game that goes on with a throw of A's to be moved, the board just found."""
    table = evening(position=BEFORE, compare=True, **options)
    start = table.game.throw(table.game.resume(BEFORE, 0), value)[0]
    table.referee = Referee(table.game, table.board, start, Options(compare=True, **options))
    table.state, shown = table.referee.begin()
    table.effects, table.last = list(shown), list(shown)
    table.happen(events.BoardFound(0.0, ((0.0, 0.0),) * 4, "print"))
    return table


def rank(table, best, lead=3.0, **behind):
    """Vision ranks one candidate first, others so far behind it or not in sight of it."""
    ranking = ((best, 0.0), *((index, -score) for index, score in behind.get("others", {}).items()))
    table.happen(events.Ranked(table.t, table.state.question, best, lead, 0.0, ranking))
    return table


def sight(table, best, lead=3.0, unchanged=4.0):
    """Vision ranks a candidate first, "nothing moved" so far behind it; of a token elsewhere it is asked again, and knows of no more."""
    still = table.find(claims.Unchanged)
    if best == still:
        return rank(table, still, lead)
    rank(table, best, lead, others={still: unchanged})
    return rank(table, 0, lead) if table.state.found else table


def wrong(table, *shifts):
    return table.find(claims.Wrong, shifts=shifts)


def test_vision_is_asked_to_compare_before_anybody_presses(evening):
    table = broken_off(evening)
    assert effects.Suppose(STOOD) in table.last
    assert effects.Watch() in table.last
    assert table.view == views.RestoreTable(0, "green", 4)


def test_a_table_as_it_was_goes_on_with_its_throw(evening):
    table = broken_off(evening)
    sight(table, table.find(claims.Unchanged))
    assert table.view == views.RestoreTable(0, "green", 4, same=True)
    table.press()
    assert effects.Start(STOOD) in table.last
    assert isinstance(table.view, views.ToMove)
    assert (table.state.phase, table.state.game.pending) == (Phase.TO_MOVE, 4)
    assert table.said() == []
    table.press().wait(5)
    assert not any(isinstance(effect, effects.RollDie) for effect in table.effects)


def test_what_is_not_clear_is_left_to_the_people(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (0, 10, 12)), unchanged=0.3)
    assert table.view == views.RestoreTable(0, "green", 4)
    sight(table, table.find(claims.Unchanged), lead=0.6)
    assert table.view == views.RestoreTable(0, "green", 4)
    table.press()
    assert effects.Start(STOOD) in table.last


@pytest.mark.parametrize(("rival", "behind", "told"), [
    ((0, 10, 13), 0.2, False), ((0, 10, 13), 0.4, True),  # the same token elsewhere
    ((0, 3, 12), 0.2, False), ((0, 3, 12), 0.4, True),  # another of its seat there
])  # fmt: skip
def test_which_token_stands_where_must_be_clear(evening, rival, behind, told):
    table = broken_off(evening)
    rank(table, wrong(table, (0, 10, 12)), others={table.find(claims.Unchanged): 4.0})
    rank(table, 0, others={wrong(table, rival): behind})
    assert bool(table.view.moved) is told


@pytest.mark.parametrize(("ahead", "told"), [(0.9, False), (1.6, True)])
def test_what_only_colour_on_its_own_print_speaks_for_must_be_clearer(evening, ahead, told):
    table = broken_off(evening, value=6)
    move = next(move for move in table.game.legal(table.state.game) if move.origin == -1)
    sight(table, table.find(claims.Legal, move=move), unchanged=ahead)
    assert bool(table.view.moved) is told


def test_tokens_elsewhere_are_found_one_after_another(evening):
    table = broken_off(evening)
    rank(table, wrong(table, (2, 40, 43)))
    assert table.view == views.RestoreTable(0, "green", 4), "there may be more"
    rank(table, wrong(table, (2, 40, 43), (0, 10, -1)))
    rank(table, 0, others={wrong(table, (2, 40, 43), (0, 10, -1), (0, 3, 9)): 0.1})
    assert {(moved.seat, moved.start.step, moved.end.step) for moved in table.view.moved} == {(2, 40, 43), (0, 10, -1)}
    table.press().press("hold")
    assert effects.Start(((-1, -1, -1, 3), (), (-1, -1, -1, 43), ())) in table.last


def test_two_exchanged_tokens_are_found_at_once(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (0, 10, 14), (2, 40, 36)))  # C's 40 is A's 14
    assert {(moved.seat, moved.start.step, moved.end.step) for moved in table.view.moved} == {(0, 10, 14), (2, 40, 36)}


def test_a_token_taken_from_the_table_is_left_to_the_people(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (0, 3, claims.OFF)))
    assert table.view == views.RestoreTable(0, "green", 4)


def test_a_hand_over_the_board_has_the_table_compared_anew(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (2, 40, 43)))
    assert table.view.moved
    table.happen(events.TableMoving(table.t))
    assert effects.Watch() in table.last
    sight(table, table.find(claims.Unchanged))
    assert table.view == views.RestoreTable(0, "green", 4, same=True)


def test_a_difference_is_shown_and_asked_about(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (2, 40, 43)))
    (moved,) = table.view.moved
    assert (moved.seat, moved.start.step, moved.end.step) == (2, 40, 43)
    table.press()
    assert table.view == views.Choose("restore", (views.Choice("put_back"), views.Choice("as_it_stands")), 0)
    assert not table.state.started


def test_the_record_counts_and_the_token_is_put_back(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (2, 40, 43)))
    table.press().press("hold")
    assert effects.Start(((-1, -1, 3, 10), (), (-1, -1, -1, 43), ())) in table.last
    assert next(notice for notice in table.notices if notice.event() == "override").put_back
    assert (table.view.seat, table.view.start.step, table.view.end.step) == (2, 43, 40)
    table.see(claims.Mended, left=())
    assert (table.state.phase, table.state.game.pending, table.state.game.steps) == (Phase.TO_MOVE, 4, STOOD)


def test_the_table_counts_and_the_throw_with_it(evening):
    table = broken_off(evening)
    sight(table, wrong(table, (0, 10, 15)))
    table.press().press().press("hold")
    stands = ((-1, -1, 3, 15), (), (-1, -1, -1, 40), ())
    assert effects.Start(stands) in table.last
    assert table.said() == [{"event": "override", "position": {"A": [-1, -1, 3, 15], "C": [-1, -1, -1, 40]}}]
    assert (table.state.game.steps, table.state.phase, table.state.game.turn) == (stands, Phase.TO_ROLL, 2)


def test_a_move_made_in_the_dark_counts_as_that_move(evening):
    table = broken_off(evening, value=6)
    move = next(move for move in table.game.legal(table.state.game) if move.origin == 10)
    sight(table, table.find(claims.Legal, move=move))
    table.press().press().press("hold")
    assert [said["event"] for said in table.said()] == ["override", "move"]
    assert (table.state.game.steps[0], table.state.game.turn, table.state.phase) == ((-1, -1, 3, 16), 0, Phase.TO_ROLL)
    assert table.state.why == "six"


CAPTURER_CAME, CAPTURED_WENT = (0, 8, 14), (2, 40, -1)


@pytest.mark.parametrize(("done", "kind", "missing"), [
    (CAPTURER_CAME, "hold", (0, 14, 8)), (CAPTURER_CAME, "tap", CAPTURED_WENT),
    (CAPTURED_WENT, "hold", (2, -1, 40)), (CAPTURED_WENT, "tap", CAPTURER_CAME),
])
def test_a_capture_half_done_in_the_dark_says_what_is_missing(evening, done, kind, missing):
    table = broken_off(evening)
    start = table.game.throw(table.game.resume({0: [8, -1, -1, -1], 2: [40, -1, -1, -1]}, 0), 6)[0]  # C's 40 is A's 14
    table.referee = Referee(table.game, table.board, start, Options(compare=True))
    table.state, _ = table.referee.begin()
    table.happen(events.BoardFound(0.0, ((0.0, 0.0),) * 4, "print"))
    sight(table, next(index for index, one in enumerate(table.referee.candidates(table.state)) if one.shifts == (done,)))
    (seen,) = table.view.moved
    assert (seen.seat, seen.start.step, seen.end.step) == done
    table.press().press(kind)
    if kind == "tap":
        table.press("hold").wait(8)  # who took whom is shown first
    assert table.state.phase is Phase.MENDING
    assert (table.view.seat, table.view.start.step, table.view.end.step) == missing
    table.see(claims.Mended, left=())
    after = {"hold": ((-1, -1, -1, 8), (), (-1, -1, -1, 40), ()), "tap": ((-1, -1, -1, 14), (), (-1, -1, -1, -1), ())}
    assert table.state.game.steps == after[kind]


def test_without_the_wish_nothing_is_compared(evening):
    table = evening(position=BEFORE)
    table.happen(events.BoardFound(0.0, ((0.0, 0.0),) * 4, "print"))
    assert not any(isinstance(effect, effects.Suppose) for effect in table.effects)


@pytest.mark.parametrize("preset", ["classic", "family", "madn", "parchis"])
def test_any_difference_at_any_time_can_be_decided_either_way(preset):
    rules, chance = rules_from({"preset": preset}), random.Random(7)
    board = load_board(rules.board)
    game = Game(board, rules, range(len(board.seats)))
    state, tried = game.begin(0), 0
    while state.finish_order == ():
        legal = game.legal(state)
        state = game.play(state, chance.choice(legal))[0] if legal else game.throw(state, chance.randint(1, 6))[0]
        if chance.random() > 0.15 or state.finish_order:
            continue
        for answer in ("hold", "tap"):
            tried += _decide(Referee(game, board, state, Options(compare=True)), chance, answer)
    assert tried > 20


def _decide(referee, chance, answer) -> bool:
    """One break with a difference that nobody can foresee; whether the people were asked."""
    state, _ = referee.begin()
    if not state.restoring:  # nobody has thrown yet that could play
        return False
    state, _ = referee.reduce(state, events.BoardFound(0.0, ((0.0, 0.0),) * 4, "print"))
    best = chance.randrange(len(referee.candidates(state)))
    while best:
        state, _ = referee.reduce(state, events.Ranked(0.0, state.question, best, 3.0, 0.0, ((best, 0.0),)))
        best = chance.choice((0, chance.randrange(len(referee.candidates(state)))))
    state, _ = referee.reduce(state, events.Ranked(0.0, state.question, 0, 3.0, 0.0, ((0, 0.0),)))
    record, asked = state.game.steps, bool(state.compared and state.compared.shifts)
    for kind in ("tap", answer, "hold"):
        state, _ = referee.reduce(state, events.Gesture(1.0, kind))
    if asked and answer == "hold":
        assert state.game.steps == record
        assert state.started
    elif asked and state.started:
        assert state.phase in (Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE, Phase.MENDING, Phase.OVER, Phase.CHOOSING)
    assert all(len(own) in (0, 4) for own in state.game.steps)
    return asked
