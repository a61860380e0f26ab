"""Finding and reading boards in path-traced pictures (`pictures/README.md` says how they were made)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from ludo_referee.app.table import plan_of
from ludo_referee.rules.board import load_board
from ludo_vision.errors import BoardNotFound
from ludo_vision.look import look
from ludo_vision.plan import Plan
from ludo_vision.register import find_board

PICTURES = Path(__file__).parent / "pictures"
TRUTH = json.loads((PICTURES / "truth.json").read_text())


def read(name: str) -> np.ndarray:
    picture = cv2.imread(str(PICTURES / f"{name}.jpg"))
    assert picture is not None
    return picture


def plan(name: str, seats: dict[str, str] | None = None) -> Plan:
    return plan_of(load_board(TRUTH[name]["board"]).with_colours(seats or TRUTH[name]["seats"]))


def tokens(name: str, board: Plan) -> Counter[tuple[int, int]]:
    """How many tokens truly stand on each (spot, seat), yards apart."""
    at = {(int(spot.centre[1]), int(spot.centre[0])): index for index, spot in enumerate(board.spots) if spot.kind == "square"}
    truth = TRUTH[name]
    standing = Counter({(at[row, column], board.colours.index(colour)): count for row, column, colour, count in truth["squares"]})
    for seat, finish in enumerate(board.finishes):
        if finish is not None:
            standing[finish, seat] = truth["finished"]["ABCD"[seat]]
    return +standing


@pytest.mark.parametrize("name", TRUTH)
def test_board_is_found(name: str) -> None:
    board = plan(name)
    found = find_board(read(name), board)
    off = np.linalg.norm(np.array(found.corners(board)) - TRUTH[name]["corners"], axis=1).max()
    assert off / found.square_pixels() < 0.15


@pytest.mark.parametrize("name", [name for name in TRUTH if name != "wood_pegs"])  # thin rings of paint on wood: two orders fit alike
def test_board_of_other_colours_is_not_taken(name: str) -> None:
    a, b, c, d = TRUTH[name]["seats"].values()
    with pytest.raises(BoardNotFound) as refused:
        find_board(read(name), plan(name, {"A": b, "B": a, "C": c, "D": d}))
    assert refused.value.hint == "other_colours"


@pytest.mark.parametrize("name", TRUTH)
def test_tokens_are_read(name: str) -> None:
    board = plan(name)
    seen = look(read(name), board)
    standing, truth = Counter({(stand.spot, stand.seat): stand.count for stand in seen.stands}), tokens(name, board)
    assert sum((standing & truth).values()) >= 0.8 * sum(truth.values())
    assert sum((standing - truth).values()) <= 1
    for count, seat in zip(seen.in_yard, "ABCD", strict=True):
        assert count in (None, TRUTH[name]["yards"][seat])
