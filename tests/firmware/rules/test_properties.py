"""What holds for every position, every roll and every set of rules."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from rules_draws import BOARDS, draw_position, draw_rules

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Moved, Penalty, Phase
from ludo_referee.rules.notation import game_from, position_text

BY_NAME = {name: load_board(name) for name in BOARDS}


@st.composite
def questions(draw):
    """A game with any rules, and a state of it in phase ROLL."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    rules = draw_rules(chance, draw(st.integers(0, 12)))
    board = BY_NAME[rules.board]
    players = sorted(draw(st.sets(st.integers(0, 3), min_size=2)))
    game = Game(board, rules, players)
    steps = game.checked_position(draw_position(chance, board, players))
    unfinished = [seat for seat in players if steps[seat][0] < (board.last if board.has_finish else board.first_home)]
    return game, game.standing(steps, draw(st.sampled_from(unfinished or players)))


def tokens(state):
    return [len(own) for own in state.steps]


@settings(max_examples=200, deadline=None)
@given(questions(), st.integers(1, 6))
def test_tokens_are_conserved_and_stay_on_the_board(asked, value):
    game, state = asked
    rolled, outcomes = game.throw(state, value)
    for move in game.legal(rolled):
        after, outcomes = game.play(rolled, move)
        assert tokens(after) == tokens(state)
        assert all(-1 <= step <= game.board.last for own in after.steps for step in own)
        if not any(isinstance(outcome, Penalty) for outcome in outcomes):
            changed = [seat for seat in game.players if after.steps[seat] != state.steps[seat]]
            assert set(changed) <= {state.turn, *(seat for seat, _ in move.captures)}
        assert all(seat != state.turn and step in state.steps[seat] for seat, step in move.captures)


@settings(max_examples=200, deadline=None)
@given(questions(), st.integers(1, 6), st.randoms(use_true_random=False))
def test_the_order_of_tokens_makes_no_difference(asked, value, chance):
    game, state = asked
    shuffled = {seat: chance.sample(state.steps[seat], 4) for seat in game.players}
    same = game.standing(game.checked_position(shuffled), state.turn)
    assert game.throw(same, value) == game.throw(state, value)


@settings(max_examples=200, deadline=None)
@given(questions(), st.integers(1, 6))
def test_moves_are_sorted_and_each_is_there_once(asked, value):
    game, state = asked
    moves = game.legal(game.throw(state, value)[0])
    assert list(moves) == sorted(set(moves))
    assert len({move[:3] for move in moves}) == len(moves)


@settings(max_examples=150, deadline=None)
@given(questions(), st.integers(1, 6))
def test_taking_a_move_back_and_making_it_again_changes_nothing(asked, value):
    game, state = asked
    rolled, _ = game.throw(state, value)
    for move in game.legal(rolled):
        after, outcomes = game.play(rolled, move)
        backs = game.take_backs(after)
        if not backs or not isinstance(outcomes[0], Moved):
            continue
        before = backs[0]
        assert before.steps == rolled.steps
        assert before.pending == rolled.pending
        again, told = game.play(before, move)
        assert told == outcomes
        assert again._replace(turn_log=()) == after._replace(turn_log=())


@settings(max_examples=200, deadline=None)
@given(questions(), st.integers(1, 6), st.integers(1, 6))
def test_another_move_after_a_take_back_is_as_if_it_had_been_made_at_once(asked, value, newer):
    game, state = asked
    rolled, _ = game.throw(state, value)
    for move in game.legal(rolled):
        after, _ = game.play(rolled, move)
        if after.phase is not Phase.ROLL or after.turn != state.turn:
            continue
        waiting, _ = game.throw(after, newer)
        if waiting.phase is not Phase.MOVE or waiting.turn != state.turn:
            continue
        for before in game.take_backs(waiting)[-1:]:
            for other in game.legal(before):
                replayed, _ = game.play(before, other)
                direct, _ = game.play(rolled, other)
                if direct.phase is Phase.ROLL and direct.turn == state.turn:
                    direct, _ = game.throw(direct, newer)
                    replayed = replayed._replace(held=())
                elif direct.phase is Phase.MOVE:  # a bonus comes first, the newer roll waits behind it
                    assert [roll for roll, _ in replayed.held] == [newer]
                    replayed = replayed._replace(held=())
                assert replayed._replace(turn_log=()) == direct._replace(turn_log=())


@settings(max_examples=150, deadline=None)
@given(questions(), st.integers(1, 6))
def test_turning_all_seats_turns_the_answer(asked, value):
    game, state = asked
    def turned(seat):
        return (seat + 1) % 4

    players = sorted(turned(seat) for seat in game.players)
    other = Game(game.board, game.rules, players)
    position = {turned(seat): state.steps[seat] for seat in game.players}
    arrivals = tuple((_start(game, turned(_owner(game, place))), tuple(turned(seat) for seat in seats)) for place, seats in state.arrivals)
    there = other.standing(other.checked_position(position), turned(state.turn))._replace(arrivals=arrivals)
    moves = [
        (*move[:3], sorted((turned(seat), step) for seat, step in move.captures)) for move in game.legal(game.throw(state, value)[0])
    ]
    assert moves == [(*move[:3], sorted(move.captures)) for move in other.legal(other.throw(there, value)[0])]


def _owner(game, place):
    return next(number for number, seat in enumerate(game.board.seats) if seat.start == place)


def _start(game, seat):
    return game.board.seats[seat].start


@settings(max_examples=200, deadline=None)
@given(questions(), st.integers(1, 6))
def test_a_position_reads_back_from_its_line(asked, value):
    game, state = asked
    rolled, _ = game.throw(state, value)
    for one in (state, rolled):
        unfinished = [seat for seat in game.players if seat not in one.finish_order]
        if one.phase is Phase.OVER or one.turn in one.finish_order or len(unfinished) < 2 or (one.finish_order and not game.rules.play_on):
            continue
        line = position_text(game, one)
        assert "\n" not in line
        again, read = game_from(line, game.board, game.rules)
        assert read._replace(thrown=()) == one._replace(turn_log=(), thrown=())
        assert again.legal(read) == game.legal(one)
