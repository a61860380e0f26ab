"""`ludo-referee games`, `export` and `stats`, and what they say to a slip of the keyboard."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ludo_referee.cli import main
from ludo_referee.journal import Journal, Opening
from ludo_referee.referee.events import Throw
from ludo_referee.referee.notices import GameOver, Roll
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Two games: one played to its end, one under way."""
    board = load_board("ludo15")
    referee = Referee(Game(board, Rules(), (0, 2)), board)
    state, _ = referee.begin()
    journal = Journal.open(tmp_path, wall=lambda: "2026-02-03T19:30:00+00:00")
    for ending in ([GameOver(130, (2, 0))], []):
        journal.begin_game(Opening.of(referee, state))
        journal.append(Throw(10, 6), [Roll(10, 0, 6)], state)
        journal.append(Throw(130, 2), [Roll(130, 2, 2), *ending], state)
    journal.close()
    return str(tmp_path)


def test_games_are_listed(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--journal", folder]) == 0
    assert capsys.readouterr().out == (
        "    1  2026-02-03 19:30  ludo15           2 throws    2 min  blue > green\n"
        "    2  2026-02-03 19:30  ludo15           2 throws    2 min  green, blue (running)\n"
    )
    assert main(["games", "--json", "--journal", folder]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["order"], first["outcome"], second["outcome"]) == (["blue", "green"], "over", "running")


@pytest.mark.parametrize(("form", "begins"), [("txt", "2 · "), ("json", "{"), ("csv", "number,t_s"), ("svg", "<svg")])
def test_game_is_exported(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, begins: str) -> None:
    assert main(["export", "last", "--format", form, "--journal", folder]) == 0
    assert capsys.readouterr().out.startswith(begins)
    assert main(["export", "2", "--format", form, "--journal", folder, "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text().startswith(begins)
    if form == "svg":
        ET.parse(tmp_path / "out")


def test_statistics_are_printed(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json", "--journal", folder]) == 0
    figures = {line["player"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert figures["green"]["faces"] == [0, 0, 0, 0, 0, 2]
    assert figures["blue"]["places"] == [1, 0, 0, 0]
    assert main(["stats", "--journal", folder]) == 0
    assert capsys.readouterr().out.splitlines()[0].split()[0] == "player"


@pytest.mark.parametrize(("arguments", "said"), [
    (["games", "--journal", "/nowhere"], "/nowhere: no games are kept there"),
    (["export", "9"], "there is no game 9; it has games 1 to 2"),
    (["export", "first"], "export first: give a game's number, or last"),
    (["export", "1", "--language", "xx"], "does not speak 'xx'"),
    (["export", "1", "--out", "/nowhere/file"], "/nowhere/file: cannot be written"),
])
def test_slip_is_answered_in_one_line(folder: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    where = [] if "--journal" in arguments else ["--journal", folder]
    assert main([*arguments, *where]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
