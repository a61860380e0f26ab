"""What vision is asked to weigh: complete in what is legal, plausible in what is wrong, every picture once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ludo_referee.referee import claims
from ludo_referee.referee.candidates import PENALTIES, candidates, mending
from ludo_referee.referee.claims import OFF, difference, shifted
from ludo_referee.referee.draft import claims_of
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.ruleset import rules_from


def make(rules=None, players=(0, 1, 2, 3)):
    rules = rules_from(rules or {})
    return Game(load_board(rules.board), rules, players)


def thrown(game, position, value, turn=0):
    return game.throw(game.resume(position, turn), value)[0]


def claimed(game, state, kind, **wanted):
    found = (c for c in candidates(game, state) if isinstance(c.claim, kind))
    return [c for c in found if all(getattr(c.claim, name) == value for name, value in wanted.items())]


@pytest.mark.parametrize("preset", ["classic", "family", "indian", "madn", "parchis"])
def test_in_whole_games_every_picture_occurs_once_and_every_legal_move_is_there(preset):
    game, chance = make({"preset": preset}), random.Random(11)
    state, most = game.begin(0), 0
    while state.phase is not Phase.OVER:
        found = candidates(game, state)
        most = max(most, len(found))
        pictures = [shifted(state.steps, candidate.shifts) for candidate in found]
        assert len(set(pictures)) == len(pictures)
        assert isinstance(found[0].claim, claims.Unchanged)
        legal = game.legal(state)
        assert [c.claim.move for c in found if isinstance(c.claim, claims.Legal)] == list(legal)
        for move in legal:
            after = game.play(state, move)[0].steps
            assert after in pictures
        state = game.throw(state, chance.randint(1, 6))[0] if state.phase is Phase.ROLL else game.play(state, chance.choice(legal))[0]
    assert most < 700


def test_claims_that_are_remembered_are_those_of_the_state_that_is_asked_about():
    games = [make({"preset": preset}) for preset in ("classic", "family")]  # one board, two sets of rules
    chance, asked = random.Random(5), []
    for game in games:
        house, state = Referee(game, game.board).house, replace(Referee(game, game.board).begin()[0], started=True)
        standing = game.begin(0)
        for _ in range(60):
            legal = game.legal(standing)
            move = chance.choice(legal) if legal else None
            standing = game.play(standing, move)[0] if move else game.throw(standing, chance.randint(1, 6))[0]
            asked.append((game, house, replace(state, game=standing, table=standing.steps)))
    for _ in range(400):
        game, house, state = chance.choice(asked)
        assert claims_of(house, state) == candidates(game, state.game)
        assert claims_of(house, state) is claims_of(house, state)


def test_a_capture_has_its_half_done_forms_which_say_the_same():
    game = make()
    state = thrown(game, {0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}, 6)  # C's 42 is A's 16
    standing, in_hand = claimed(game, state, claims.HalfCapture)
    assert (standing.shifts, in_hand.shifts) == (((0, 10, 16),), ((0, 10, 16), (2, 42, OFF)))
    assert standing.message == in_hand.message
    assert standing.certain
    assert in_hand.certain
    assert {c.shifts for c in claimed(game, state, claims.Halfway)} == {((2, 42, -1),), ((2, 42, OFF),)}


def test_two_captured_tokens_come_home_one_after_the_other():
    game = make({"own_landing": "stack"})
    state = thrown(game, {0: [10, -1, -1, -1], 2: [42, 42, -1, -1]}, 6)
    half = claimed(game, state, claims.HalfCapture)
    assert {len(c.claim.out) for c in half} == {1, 2}


@pytest.mark.parametrize(
    ("position", "value", "shift", "reason"),
    [
        ({0: [10, -1, -1, -1]}, 4, (0, 10, 15), "wrong_count"),
        ({0: [10, -1, -1, -1]}, 4, (0, 10, 9), "backwards"),
        ({0: [10, -1, -1, -1]}, 4, (0, 10, -1), "backwards"),
        ({0: [10, -1, -1, -1]}, 4, (0, -1, 0), "wrong_count"),
        ({0: [10, -1, -1, -1]}, 4, (0, 10, OFF), "off_board"),
        ({0: [10, 14, -1, -1]}, 4, (0, 10, 14), "own_square"),
        ({0: [10, -1, -1, -1], 2: [3, -1, -1, -1]}, 4, (2, 3, 7), "wrong_token"),
    ],
)
def test_a_wrong_move_has_its_reason(position, value, shift, reason):
    game = make()
    assert [c.claim.reason for c in claimed(game, thrown(game, position, value), claims.Wrong, shifts=(shift,))] == [reason]


def test_a_foe_block_and_a_forced_entry_have_their_reasons():
    game = make({"preset": "family"})
    state = thrown(game, {0: [10, 30, -1, -1], 2: [42, 42, -1, -1]}, 6)
    assert claimed(game, state, claims.Wrong, shifts=((0, 10, 16),))[0].claim.reason == "blocked"
    game = make({"force_entry": True})
    state = thrown(game, {0: [10, -1, -1, -1]}, 6)
    assert claimed(game, state, claims.Wrong, shifts=((0, 10, 16),))[0].claim.reason == "must_enter"


def test_before_the_roll_any_moved_token_is_a_wrong_token():
    game = make()
    wrongs = claimed(game, game.resume({0: [10, -1, -1, -1], 1: [5, -1, -1, -1]}, 0), claims.Wrong)
    assert {c.claim.reason for c in wrongs} == {"wrong_token", "off_board"}
    assert ((1, 5, 8),) in {c.shifts for c in wrongs}


def test_two_tokens_at_once_are_far_fetched():
    game = make()
    state = thrown(game, {0: [10, 20, -1, -1]}, 4)
    both = claimed(game, state, claims.Wrong, shifts=((0, 10, 14), (0, 20, 24)))[0]
    one = claimed(game, state, claims.Wrong, shifts=((0, 10, 15),))[0]
    assert both.claim.reason == "several_moved"
    assert both.penalty - one.penalty >= PENALTIES.several


def test_what_is_seldom_done_needs_more_evidence_than_a_miscount():
    game = make()
    state = thrown(game, {0: [10, -1, -1, -1], 2: [3, -1, -1, -1]}, 4)
    [miscount] = claimed(game, state, claims.Wrong, shifts=((0, 10, 15),))
    for shift in ((0, 10, 22), (0, 10, -1), (0, 10, OFF), (2, 3, 7)):
        assert claimed(game, state, claims.Wrong, shifts=(shift,))[0].penalty > miscount.penalty


def test_the_take_back_of_a_capture_revives_the_captured_token():
    game = make()
    state = thrown(game, {0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}, 6)
    state, _ = game.play(state, game.legal(state)[1])
    [back] = claimed(game, state, claims.TakenBack)
    assert set(back.shifts) == {(0, 16, 10), (2, -1, 42)}


def test_tokens_to_be_moved_by_hand_may_come_in_any_order():
    board = load_board("ludo15")
    table, due = ((-1, -1, 3, 22), (), (-1, -1, -1, -1), ()), ((0, 22, 10), (2, -1, 42))
    found = mending(board, table, due)
    assert [c.claim for c in found] == [
        claims.Unchanged(), claims.Mended(()), claims.Mended(((2, -1, 42),)), claims.Mended(((0, 22, 10),)),
    ]  # fmt: skip


def test_difference_is_the_fewest_shifts():
    assert difference(((1, 5, 9, 9),), ((1, 5, 9, 12),)) == ((0, 9, 12),)
    assert difference(((1, 5, 9, 9),), ((1, 5, 9, 9),)) == ()
