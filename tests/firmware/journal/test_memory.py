"""What vision knows of the table outlasts a power cut with the game it belongs to, and whatever happens to it harms no game."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from ludo_referee.journal import Journal, Opening
from ludo_referee.journal.memory import MEMORY
from ludo_referee.referee.events import Throw
from ludo_referee.referee.notices import Roll
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules

BOARD = load_board("ludo15")
REFEREE = Referee(Game(BOARD, Rules(), (0, 2)), BOARD)
STATE = REFEREE.begin()[0]
OPENING = Opening.of(REFEREE, STATE)
TABLE = '{"shades":[1,2,3]}'


@pytest.fixture
def folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Path:
    """Of a game that was broken off after what is known of its table was kept."""
    folder = tmp_path / "games"
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    journal.append(Throw(1.0, 6), [Roll(1.0, 0, 6)], STATE)
    journal.remember("of the start")
    journal.remember(TABLE)
    journal.close()
    caplog.clear()
    caplog.set_level(logging.WARNING, "ludo_referee.journal")
    return folder


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [message for message in caplog.messages if "loses the games" not in message]


def test_what_was_known_last_is_there_after_a_break(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal.open(folder)
    assert journal.unfinished() is not None
    assert journal.remembered() == TABLE
    journal.close()
    assert said(caplog) == []


def test_another_game_knows_nothing_of_it(folder: Path) -> None:
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    assert journal.remembered() is None
    journal.remember("another table")
    assert journal.remembered() == "another table"
    journal.close()


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "foreign"])
def test_damage_is_said_in_one_line_and_the_game_goes_on(folder: Path, caplog: pytest.LogCaptureFixture, damage: str) -> None:
    whole = (folder / MEMORY).read_bytes()
    spoilt = {"cut": whole[:30], "flipped": whole.replace(b"shades", b"shadez"), "emptied": b"", "foreign": b"\0" * 4096}[damage]
    (folder / MEMORY).write_bytes(spoilt)
    journal = Journal.open(folder)
    assert journal.remembered() is None
    assert journal.unfinished() is not None
    (line,) = said(caplog)
    assert "cannot be read; it is learned anew" in line
    journal.remember(TABLE)
    journal.close()
    again = Journal.open(folder)
    assert again.remembered() == TABLE
    again.close()


def test_without_the_file_nothing_is_known_and_nothing_said(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / MEMORY).unlink()
    journal = Journal.open(folder)
    assert journal.remembered() is None
    journal.close()
    assert said(caplog) == []


def test_where_the_disk_takes_nothing_it_is_known_as_long_as_the_program_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    journal = Journal.open(tmp_path / "file")
    journal.begin_game(OPENING)
    journal.remember(TABLE)
    assert journal.remembered() == TABLE
    journal.close()


def test_a_write_cut_short_leaves_what_was_known_before(folder: Path) -> None:
    (folder / (MEMORY + ".new")).write_bytes(b"0000")
    journal = Journal.open(folder)
    assert journal.remembered() == TABLE
    journal.close()
