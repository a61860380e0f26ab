"""A game with a bit of everything, kept in a journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_referee.journal import Archive, Journal, Opening
from ludo_referee.journal.archive import StoredGame
from ludo_referee.referee.events import Ranked, Throw
from ludo_referee.referee.notices import Board, Finish, GameOver, Illegal, Move, Pass, Restored, Roll, TakeBack, Turn
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
SAID = (
    [Board(0.5, CORNERS, "given"), Turn(0.5, 0, "turn")],
    [Roll(4, 0, 6)],
    [Move(9, 0, -1, 0, 1, ((2, 26),))],
    [Roll(70, 0, 2)],
    [Illegal(74, "wrong_count", ((0, 0, 3),))],
    [Restored(80)],
    [Move(85, 0, 0, 2, 1, ())],
    [TakeBack(90, 0)],
    [Roll(100, 2, 1), Pass(100, 2, "no_move")],
    [Finish(3725, 2, 1), GameOver(3725, (2, 0))],
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A journal with that game, played to its end, and a second one that was just begun."""
    board = load_board("ludo15").with_colours({"A": "red", "B": "green", "C": "blue", "D": "yellow"})
    game = Game(board, rules_from({"three_sixes": "off"}), (0, 2))
    referee = Referee(game, board, game.resume({0: [-1, -1, -1, -1], 2: [26, 40, 56, 56]}, 0))
    state, _ = referee.begin()
    journal = Journal.open(tmp_path / "games", wall=lambda: "2026-02-03T19:30:00+00:00")
    journal.begin_game(Opening.of(referee, state))
    for number, said in enumerate(SAID):
        steps = ((-1, -1, -1, min(number, 9)), (), (40, 41, 56, 56), ())
        after = state.game._replace(steps=steps)
        event = Throw(said[0].t, 3) if isinstance(said[0], Roll) else Ranked(said[0].t, 1, 1, 2.0)
        journal.append(event, said, type(state)(state.phase, state.rules, state.players, after, steps))
    journal.begin_game(Opening.of(referee, state))
    journal.append(Throw(1, 4), [Roll(1, 0, 4)], state)
    journal.close()
    return tmp_path / "games"


@pytest.fixture
def game(folder: Path) -> StoredGame:
    with Archive(folder) as archive:
        return archive.game(1)
