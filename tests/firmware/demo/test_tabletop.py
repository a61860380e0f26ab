"""Tokens on the simulated table: every one has room, and stands where the game says."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from ludo_hardware.simulated_table import Pinhole, SimulatedTable, TableLook, TokenStyle
from ludo_referee.demo.drawn_board import drawing_of, nests_of
from ludo_referee.demo.hands import Hands
from ludo_referee.demo.tabletop import Tabletop
from ludo_referee.rules.board import Board, PlaceKind, load_board

BOARDS = ["ludo15", "ludo15-home4", "madn11", "parchis68"]
RADIUS = 0.3


def tabletop(board: Board, steps: tuple[tuple[int, ...], ...], shape: str = "pawn") -> Tabletop:
    look = TableLook(Pinhole(64, 48), tokens=TokenStyle(shape, radius=RADIUS))
    return Tabletop(board, SimulatedTable(drawing_of(board), look), steps, random.Random(1))


@pytest.mark.parametrize("name", BOARDS)
def test_tokens_stand_where_the_position_says(name: str) -> None:
    board = load_board(name)
    steps = ((-1, -1, 0, 3), (-1, 5, 5, board.last), (board.first_home, 1, 2, 3), (-1, -1, -1, -1))
    top = tabletop(board, steps)
    assert [sorted(own) for own in top.steps] == [sorted(own) for own in steps]  # type: ignore[type-var]
    for piece in top.pieces:
        assert top.place_at((piece.x, piece.y)) == piece.place or board.places[piece.place or 0].kind is not PlaceKind.SQUARE


@pytest.mark.parametrize("name", BOARDS)
def test_yard_and_finish_have_room_for_four(name: str) -> None:
    board = load_board(name)
    for step in (-1, *((board.last,) if board.has_finish else ())):
        top = tabletop(board, ((step,) * 4,) * 4)
        for one, other in itertools.combinations(top.pieces, 2):
            assert math.dist((one.x, one.y), (other.x, other.y)) > 1.8 * RADIUS


def test_tokens_that_share_a_square_stand_side_by_side() -> None:
    top = tabletop(load_board("ludo15"), ((4, 4, 4, -1), (), (), ()))
    sharing = [piece for piece in top.pieces if piece.place == 4]
    for one, other in itertools.combinations(sharing, 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) > 1.9 * RADIUS


def test_discs_are_stacked() -> None:
    top = tabletop(load_board("ludo15"), ((4, 4, -1, -1), (), (), ()), "disc")
    heights = sorted(piece.lift for piece in top.pieces if piece.place == 4)
    assert heights[0] == 0.0
    assert heights[1] == top.table.look.tokens.height


def test_nests_of_a_big_yard_are_apart_and_inside() -> None:
    board = load_board("ludo15")
    nests = nests_of(board, 0)
    assert sorted(nests) == [(2.0, 2.0), (2.0, 4.0), (4.0, 2.0), (4.0, 4.0)]


def test_start_points_along_the_path_and_entry_into_the_home_column() -> None:
    board = load_board("ludo15")
    places = drawing_of(board).places
    start, entry = places[board.seats[0].start], places[board.seats[0].path[board.first_home - 1]]
    assert (start.mark, start.heading) == ("start", 0.0)
    assert (entry.mark, entry.heading) == ("arrow", 0.0)
    assert [places[star].mark for star in sorted(board.stars)] == ["star"] * 4


def test_hand_carries_a_token_over() -> None:
    board = load_board("ludo15")
    top = tabletop(board, ((0, -1, -1, -1), (), (), ()))
    hands, piece = Hands(top, random.Random(1), glide=2), top.at(0, 0)
    hands.move(piece, board.place(0, 6))
    seen = []
    for tick in range(30):
        if hands.advance(tick / 10):
            seen.append((piece.place, piece.lift > 0.5, hands.hand is not None))
    assert seen == [(0, False, True), (None, True, True), (None, True, True), (None, True, True), (6, False, True), (6, False, False)]
    assert not hands.busy


def test_token_dropped_beside_the_board_is_on_no_place() -> None:
    top = tabletop(load_board("ludo15"), ((0, -1, -1, -1), (), (), ()))
    piece = top.at(0, 0)
    top.put_down(piece, (-3.0, 4.0))
    assert piece.place is None
    assert top.step_of(piece) is None


def test_token_dropped_on_another_stands_beside_it() -> None:
    top = tabletop(load_board("ludo15"), ((0, 5, -1, -1), (), (), ()))
    piece, other = top.at(0, 0), top.at(0, 5)
    top.put_down(piece, (other.x, other.y))
    assert piece.place == other.place
    assert math.dist((piece.x, piece.y), (other.x, other.y)) > 1.9 * RADIUS
