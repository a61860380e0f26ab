"""Transcripts: the game in sentences, as data, and its throws."""

from __future__ import annotations

import csv
import io
import json

import pytest

from ludo_referee.journal.archive import StoredGame
from ludo_referee.locale import LanguageError
from ludo_referee.records.transcript import as_csv, as_json, as_text
from ludo_referee.rules.ruleset import rules_from


def test_transcript_tells_the_game_with_its_times(game: StoredGame) -> None:
    head, empty, *told = as_text(game, "en").splitlines()
    assert head == "1 · 2026-02-03T19:30:00+00:00 · ludo15 · own · RED, BLUE"
    assert empty == ""
    assert told[1] == "  0:04  RED rolls 6."
    assert [line[:6] for line in told] == [
        "  0:00", "  0:04", "  0:09", "  1:10", "  1:14", "  1:20", "  1:25", "  1:30", "  1:40", "  1:40", " 62:05", " 62:05"]
    assert told[-1] == " 62:05  Game over. 1st BLUE, 2nd RED."


@pytest.mark.parametrize("language", ["id", "ru", "de", "es"])
def test_transcript_speaks_other_languages(game: StoredGame, language: str) -> None:
    told = as_text(game, language)
    assert told.count("\n") == as_text(game, "en").count("\n")
    assert "rolls" not in told


def test_language_that_nobody_speaks_is_named(game: StoredGame) -> None:
    with pytest.raises(LanguageError, match="'xx'"):
        as_text(game, "xx")


def test_data_hold_how_it_began_and_all_that_was_said(game: StoredGame) -> None:
    told = json.loads(as_json(game))
    assert (told["format"], told["game"], told["outcome"], told["board"]) == (1, 1, "over", "ludo15")
    assert told["seats"] == {"A": "red", "B": "green", "C": "blue", "D": "yellow"}
    assert told["players"] == ["A", "C"]
    assert told["start"] == {"A": [-1, -1, -1, -1], "C": [26, 40, 56, 56]}
    assert rules_from(told["rules"]) == rules_from({"three_sixes": "off"})
    assert [said["event"] for said in told["said"]][:4] == ["board", "turn", "roll", "move"]
    assert told["said"][3] == {"t": 9, "event": "move", "seat": "A", "from": -1, "to": 0, "tokens": 1, "captures": [["C", 26]]}


def test_throws_are_a_table(game: StoredGame) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(game))))
    assert rows == [
        {"number": "1", "t_s": "4.0", "seat": "A", "colour": "red", "value": "6"},
        {"number": "2", "t_s": "70.0", "seat": "A", "colour": "red", "value": "2"},
        {"number": "3", "t_s": "100.0", "seat": "C", "colour": "blue", "value": "1"},
    ]
