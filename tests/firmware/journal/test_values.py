"""Every event and notice that the referee knows survives the journal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludo_referee.journal.opening import Opening, Standing
from ludo_referee.journal.values import UnknownValue, entry_from, entry_text, notices_from, notices_text, standing_from, standing_text
from ludo_referee.referee import notices
from ludo_referee.referee.events import Event
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

NOTICES = [kind for kind in vars(notices).values() if isinstance(kind, type) and issubclass(kind, notices.Notice)]


def assume_finite(text: str) -> None:
    """Times and pixels are finite; JSON knows no others."""
    assume("NaN" not in text and "Infinity" not in text)


@pytest.mark.parametrize("kind", get_args(Event))
def test_event_reads_back(kind: type[Any]) -> None:
    @settings(max_examples=30)
    @given(st.from_type(kind))
    def check(event: Any) -> None:
        assume_finite(entry_text(event))
        assert entry_from(entry_text(event)) == event

    check()


@pytest.mark.parametrize("kind", [kind for kind in NOTICES if kind is not notices.Notice])
def test_notice_reads_back(kind: type[Any]) -> None:
    @settings(max_examples=30)
    @given(st.lists(st.from_type(kind), max_size=3))
    def check(said: list[Any]) -> None:
        assume_finite(notices_text(said))
        assert notices_from(notices_text(said)) == tuple(said)

    check()


@pytest.mark.parametrize("text", [
    "", "{", "[]", "3", '{"type":"Levitated","t":1}', '{"type":"Throw","t":1}', '{"type":"Throw","t":1,"value":"six"}'])
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(UnknownValue):
        entry_from(text)


def test_long_turn_is_kept_in_little_text_and_reads_back() -> None:
    board = load_board("ludo15")
    game = Game(board, rules_from({"three_sixes": "off", "take_back": "whole_turn"}), (0, 2))
    referee = Referee(game, board, game.resume({0: [0, 0, 0, 0], 2: [0, 0, 0, 0]}, 0))
    state, _ = referee.begin()
    for _ in range(20):
        thrown, _ = game.throw(state.game, 6)
        if not game.legal(thrown):
            break
        after, _ = game.play(thrown, game.legal(thrown)[0])
        state = replace(state, game=after)
    assert len(state.game.turn_log) > 10
    standing, opening = Standing.of(state), Opening.of(referee, state)
    assert len(standing_text(standing)) < 10_000
    assert len(entry_text(opening)) < 10_000
    assert standing_from(standing_text(standing)) == standing
    assert entry_from(entry_text(opening)) == opening
