"""Finding boards in path-traced pictures (`pictures/README.md` says how they were made)."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from ludo_referee.app.table import plan_of
from ludo_referee.rules.board import load_board
from ludo_vision.errors import BoardNotFound
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
