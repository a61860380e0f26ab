"""Figures over all games."""

from __future__ import annotations

from pathlib import Path

from ludo_referee.journal import Archive
from ludo_referee.records.statistics import as_table, statistics


def test_each_player_is_counted_over_all_games(folder: Path) -> None:
    with Archive(folder) as archive:
        blue, red, everybody = statistics((summary.opening.colours, archive.told(summary.game)) for summary in archive.games())
    assert (blue.colour, blue.games, blue.faces, blue.captured, blue.places) == ("blue", 1, [1, 0, 0, 0, 0, 0], 1, [1, 0, 0, 0])
    assert (red.colour, red.games, red.faces, red.captures, red.places) == ("red", 2, [0, 1, 0, 1, 0, 1], 1, [0, 1, 0, 0])
    assert (red.moves, red.wrong_moves, red.take_backs) == (2, 1, 1)
    assert round(red.sixes_share, 3) == 0.333
    assert red.fair is None
    assert everybody.faces == [1, 1, 0, 1, 0, 1]


def test_table_has_a_line_a_player_and_one_for_all(folder: Path) -> None:
    with Archive(folder) as archive:
        lines = as_table(statistics((summary.opening.colours, archive.told(summary.game)) for summary in archive.games())).splitlines()
    assert [line.split()[0] for line in lines] == ["player", "blue", "red", "all"]
    assert "33.3 %" in lines[2]


def test_without_games_there_is_nothing_to_count() -> None:
    assert [figures.throws for figures in statistics([])] == [0]
