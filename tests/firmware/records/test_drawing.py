"""The picture of a game: well-formed, every token on the board, the race from the start to the end."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from itertools import pairwise

import msgspec
import pytest

from ludo_referee.journal.archive import StoredGame
from ludo_referee.journal.opening import Opening
from ludo_referee.records.drawing import PLOT_HEIGHT, PLOT_WIDTH, PRINTED, SQUARE, as_svg
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str) -> tuple[ET.Element, ET.Element]:
    table, plot = ET.fromstring(svg).findall(f"{SVG}g")
    return table, plot


def test_picture_shows_the_final_table(game: StoredGame) -> None:
    table, _ = groups(as_svg(game, "en"))
    tokens = [circle for circle in table.iter(f"{SVG}circle") if circle.get("stroke-width") == "1.5"]
    assert [circle.get("fill") for circle in tokens].count(PRINTED["red"]) == 4
    assert [circle.get("fill") for circle in tokens].count(PRINTED["blue"]) == 4
    assert (f"{10.5 * SQUARE:.1f}", f"{1.5 * SQUARE:.1f}") not in {(circle.get("cx"), circle.get("cy")) for circle in tokens}
    assert all(0 < float(circle.get(axis, "")) < 15 * SQUARE for circle in tokens for axis in ("cx", "cy"))


def test_picture_shows_the_race(game: StoredGame) -> None:
    _, plot = groups(as_svg(game, "de"))
    lines = [[tuple(map(float, point.split(","))) for point in line.get("points", "").split()] for line in plot.iter(f"{SVG}polyline")]
    assert len(lines) == 2
    for line in lines:
        assert all(0 <= x <= PLOT_WIDTH and 0 <= y <= PLOT_HEIGHT for x, y in line)
        assert all(x <= later for (x, _), (later, _) in pairwise(line))
        assert line[0][0] == 0
        assert line[-1][0] == PLOT_WIDTH
    assert {"ROT", "BLAU", "62:05"} <= {text.text for text in plot.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", ["ludo15-home4", "madn11", "parchis68"])
def test_other_boards_are_drawn(game: StoredGame, name: str) -> None:
    board = load_board(name)
    rules = rules_from({"preset": {"madn11": "madn", "parchis68": "parchis"}.get(name, "classic")})
    whole = Game(board, rules, (0, 1, 2, 3))
    home = list(range(board.last - 3, board.last + 1))
    referee = Referee(whole, board, whole.resume({seat: home if seat == 2 else [-1, 0, 5, 9] for seat in range(4)}, 0))
    opening = Opening.of(referee, referee.begin()[0])
    summary = msgspec.structs.replace(game.summary, opening=opening, players=(0, 1, 2, 3))
    table, plot = groups(as_svg(StoredGame(summary, ()), random.Random(name).choice(["en", "ru"])))
    assert len([circle for circle in table.iter(f"{SVG}circle") if circle.get("stroke-width") == "1.5"]) == 16
    ends = [line.get("points", "").split()[-1].split(",")[1] for line in plot.iter(f"{SVG}polyline")]
    if not board.has_finish:
        assert ends[2] == "0.0"  # all home spaces filled: the whole way
