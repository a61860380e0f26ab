"""The built-in boards square by square, and boards of one's own with everything that can be wrong with them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ludo_referee.rules.board import PlaceKind, load_board
from ludo_referee.rules.board_file import BUILT_IN, board_from_text
from ludo_referee.rules.errors import BoardError, UnknownBoard
from ludo_referee.rules.game import Game, Phase
from ludo_referee.rules.ruleset import rules_from

LUDO15 = """
  .  .  .  .  .  . 10 11 12  .  .  .  .  .  .
  .  .  .  .  .  .  9 B1 13  .  .  .  .  .  .
  .  . Ay Ay  .  .  8 B2 14  .  . By By  .  .
  .  . Ay Ay  .  .  7 B3 15  .  . By By  .  .
  .  .  .  .  .  .  6 B4 16  .  .  .  .  .  .
  .  .  .  .  .  .  5 B5 17  .  .  .  .  .  .
 51  0  1  2  3  4  . B*  . 18 19 20 21 22 23
 50 A1 A2 A3 A4 A5 A*  . C* C5 C4 C3 C2 C1 24
 49 48 47 46 45 44  . D*  . 30 29 28 27 26 25
  .  .  .  .  .  . 43 D5 31  .  .  .  .  .  .
  .  .  .  .  .  . 42 D4 32  .  .  .  .  .  .
  .  . Dy Dy  .  . 41 D3 33  .  . Cy Cy  .  .
  .  . Dy Dy  .  . 40 D2 34  .  . Cy Cy  .  .
  .  .  .  .  .  . 39 D1 35  .  .  .  .  .  .
  .  .  .  .  .  . 38 37 36  .  .  .  .  .  .
"""

MADN11 = """
 Ay Ay  .  .  8  9 10  .  . By By
 Ay Ay  .  .  7 B1 11  .  . By By
  .  .  .  .  6 B2 12  .  .  .  .
  .  .  .  .  5 B3 13  .  .  .  .
  0  1  2  3  4 B4 14 15 16 17 18
 39 A1 A2 A3 A4  . C4 C3 C2 C1 19
 38 37 36 35 34 D4 24 23 22 21 20
  .  .  .  . 33 D3 25  .  .  .  .
  .  .  .  . 32 D2 26  .  .  .  .
 Dy Dy  .  . 31 D1 27  .  . Cy Cy
 Dy Dy  .  . 30 29 28  .  . Cy Cy
"""


def sketch(board):
    """The board as the rules draw it: ring indices, home squares, finishes, nests."""
    cells = [[" ."] * board.size for _ in range(board.size)]
    for index, (row, column) in enumerate(board.ring):
        cells[row][column] = f"{index:2}"
    for seat in board.seats:
        for step, index in enumerate(seat.path[board.first_home :], 1):
            row, column = board.places[index].square
            cells[row][column] = seat.name + ("*" if step > board.home_length else str(step))
        for x, y in seat.nests:
            cells[int(y)][int(x)] = seat.name + "y"
    return "\n" + "\n".join(" " + " ".join(row) for row in cells) + "\n"


@pytest.mark.parametrize(("name", "drawn"), [("ludo15", LUDO15), ("madn11", MADN11)])
def test_a_built_in_board_is_the_one_of_the_rules(name, drawn):
    assert sketch(load_board(name)) == drawn


@pytest.mark.parametrize(
    ("name", "length", "starts", "entry_step", "last", "diagonals"),
    [
        ("ludo15", 52, [0, 13, 26, 39], 50, 56, [4, 17, 30, 43]),
        ("ludo15-home4", 52, [0, 13, 26, 39], 50, 54, [4, 17, 30, 43]),
        ("madn11", 40, [0, 10, 20, 30], 39, 43, []),
        ("parchis68", 68, [4, 21, 38, 55], 63, 71, [7, 24, 41, 58]),
    ],
)
def test_a_built_in_board_has_the_lengths_of_the_rules(name, length, starts, entry_step, last, diagonals):
    board = load_board(name)
    assert len(board.ring) == len(set(board.ring)) == length
    assert [seat.start for seat in board.seats] == starts
    assert (board.first_home - 1, board.last) == (entry_step, last)
    ring = [*board.ring, board.ring[0]]
    steps = [(abs(b[0] - a[0]), abs(b[1] - a[1])) for a, b in pairwise(ring)]
    assert [index for index, step in enumerate(steps) if step == (1, 1)] == diagonals
    assert all(sum(step) == 1 for index, step in enumerate(steps) if index not in diagonals)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_quarter_turn_of_a_built_in_board_is_the_next_seat(name):
    board = load_board(name)
    seats = len(board.seats)

    def turned(point):  # a quarter turn in the direction of play
        x, y = point
        return (board.size - y, x) if board.clockwise else (y, board.size - x)

    def outline(index):
        return {(round(x, 6), round(y, 6)) for x, y in board.places[index].outline}

    for number, seat in enumerate(board.seats):
        following = board.seats[(number + 1) % seats]
        for index, other in zip([*seat.path, seat.yard], [*following.path, following.yard], strict=True):
            assert {turned(point) for point in outline(index)} == outline(other)
        assert {turned(point) for point in seat.nests} == set(following.nests)
    quarter = len(board.ring) // 4
    for marks in (board.stars, board.safe):
        assert {(index + quarter) % len(board.ring) for index in marks} == marks


def test_stars_are_eight_squares_after_the_starts():
    assert load_board("ludo15").stars == {8, 21, 34, 47}


def test_parchis_has_the_numbers_of_the_spanish_board():
    board = load_board("parchis68")
    assert not board.clockwise
    assert {index + 1 for index in board.safe} == {5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}
    assert [board.ring[n - 1] for n in (1, 8, 9, 16, 17, 18, 25, 26, 33, 34, 35, 42, 43, 50, 51, 52, 59, 60, 67, 68)] == [
        (18, 10), (11, 10), (10, 11), (10, 18), (9, 18), (8, 18), (8, 11), (7, 10), (0, 10), (0, 9),
        (0, 8), (7, 8), (8, 7), (8, 0), (9, 0), (10, 0), (10, 7), (11, 8), (18, 8), (18, 9),
    ]
    homes = [[board.places[index].square for index in seat.path[64:71]] for seat in board.seats]
    assert [(home[0], home[-1]) for home in homes] == [((17, 9), (11, 9)), ((9, 17), (9, 11)), ((1, 9), (7, 9)), ((9, 1), (9, 7))]
    assert [seat.colour for seat in board.seats] == ["yellow", "blue", "red", "green"]


def test_the_square_before_a_start_is_no_square_of_that_seat():
    board = load_board("ludo15")
    assert 51 not in board.seats[0].path[: board.first_home]
    assert 51 in board.seats[1].path
    assert board.places[board.seats[0].path[51]].square == (7, 1)


def test_vision_finds_outlines_and_printed_colours():
    board = load_board("ludo15")
    finish = board.places[board.seats[0].path[-1]]
    assert finish.kind is PlaceKind.FINISH
    assert set(finish.outline) == {(6, 6), (7.5, 7.5), (6, 9)}
    yard = board.places[board.seats[2].yard]
    assert (yard.kind, yard.outline, yard.seat) == (PlaceKind.YARD, ((9, 9), (15, 9), (15, 15), (9, 15)), 2)
    assert [index for index in range(52) if board.places[index].seat is not None] == [0, 13, 26, 39]
    assert all(place.round for place in load_board("madn11").places if place.kind is PlaceKind.SQUARE)


def test_colours_are_a_choice_of_the_table():
    board = load_board("ludo15").with_colours({"A": "red", "D": "black"})
    assert [seat.colour for seat in board.seats] == ["red", "yellow", "blue", "black"]
    with pytest.raises(BoardError, match="same colour"):
        load_board("ludo15").with_colours({"A": "red"})
    with pytest.raises(BoardError, match="no seat 'E'"):
        load_board("ludo15").with_colours({"E": "red"})


# --- boards of one's own ----------------------------------------------------------------------------------------------


def own_board(size, path, arm, home, **changes):
    """The text of a four-armed clockwise board: the ring from A's start, A's start column, and a home column of so many squares."""
    middle = size // 2
    last = size - 1
    parts = {
        "name": '"mine"', "size": str(size), "direction": '"clockwise"', "stars": "[]",
        "ring": f'{{ from = [{middle - 1}, {arm}], path = "{path}" }}', **changes,
    }
    text = [f"{key} = {value}" for key, value in parts.items()]
    starts = [(middle - 1, arm), (arm, middle + 1), (middle + 1, last - arm), (last - arm, middle - 1)]
    entries = [(middle, 0), (0, middle), (middle, last), (last, middle)]
    far = middle + 2
    yards = [(0, 0), (0, far), (far, far), (far, 0)]
    for number, (name, colour, heading, step) in enumerate(
        [("A", "black", "e", (0, 1)), ("B", "white", "s", (1, 0)), ("C", "orange", "w", (0, -1)), ("D", "purple", "n", (-1, 0))]
    ):
        entry = entries[number]
        first = [entry[0] + step[0], entry[1] + step[1]]
        finish = [entry[0] + (home + 1) * step[0], entry[1] + (home + 1) * step[1]]
        text += [
            "[[seats]]", f'name = "{name}"', f'colour = "{colour}"', f"start = {list(starts[number])}", f"entry = {list(entry)}",
            f'home = {{ from = {first}, path = "{heading}{home - 1}" }}', f"finish = {{ square = {finish} }}",
            f"yard = {{ square = {list(yards[number])}, rows = {middle - 1}, columns = {middle - 1} }}",
        ]
    return "\n".join(text)


INNER_CORNERS = own_board(15, "e5 n6 e2 s6 e6 s2 w6 s6 w2 n6 w6 n2", 1, 5)
SMALL_CROSS = own_board(13, "e3 ne n4 e2 s4 se e4 s2 w4 sw s4 w2 n4 nw w4 n2", 1, 4)


@pytest.mark.parametrize(("text", "length", "last"), [(INNER_CORNERS, 56, 60), (SMALL_CROSS, 44, 47)])
def test_a_board_of_ones_own_is_played_on(text, length, last):
    board = board_from_text(text, "mine.toml")
    assert (len(board.ring), board.last, board.seats[0].colour) == (length, last, "black")
    game = Game(board, rules_from({"preset": "family", "safe": "stars_starts"}), (0, 1, 2, 3))
    state = game.begin(0)
    chance = random.Random(1)
    for _ in range(4000):
        if state.phase is Phase.OVER:
            break
        state, _ = game.throw(state, chance.randint(1, 6))
        while state.phase is Phase.MOVE:
            state, _ = game.play(state, chance.choice(game.legal(state)))
    assert state.phase is Phase.OVER


def test_a_ring_may_be_a_list_of_squares():
    board = load_board("ludo15")
    path = '{ from = [6, 1], path = "e5 n6 e2 s6 e6 s2 w6 s6 w2 n6 w6 n2" }'
    listed = INNER_CORNERS.replace(path, str([list(square) for square in board.ring]))
    assert board_from_text(listed, "mine.toml").ring == board.ring


def test_a_board_is_found_beside_the_recording(tmp_path):
    (tmp_path / "ours.toml").write_text(INNER_CORNERS)
    assert load_board("ours.toml", tmp_path) == load_board("ours", tmp_path)
    with pytest.raises(UnknownBoard, match=r"'theirs'.*ludo15"):
        load_board("theirs", tmp_path)


FAULTS = [
    ('path = "e5', 'path = "e5 e', "jumps|used twice|against its direction|not closed"),
    ("n6 w6 n2", "n6 w6 n1", "the ways of A and B differ: 55 ring squares"),
    ("entry = [7, 0]", "entry = [7, 7]", r"seat A: its entry \(7, 7\) is not on the ring"),
    ("w6 n2", "w6", "the ring is not closed"),
    ('"clockwise"', '"counter-clockwise"', "runs clockwise, against its direction"),
    ('"clockwise"', '"sideways"', "direction is 'sideways'"),
    ("w6 n2", "w6 n2 n3", "used twice|jumps|not closed"),
    ("e5 n6", "e5 x6", "has the run 'x6'"),
    ("start = [1, 8]", "start = [6, 1]", r"two seats start on \(6, 1\): A, B"),
    ("start = [1, 8]", "start = [3, 3]", r"seat B: its start \(3, 3\) is not on the ring"),
    ("start = [1, 8]", "start = [0, 8]", "the ways of A and B differ"),
    ("start = [1, 8]", "start = [0, 7]", "seat B: start and entry are the same"),
    ("from = [7, 1]", "from = [7, 2]", r"seat A: home is not reachable, \(7, 0\) does not touch \(7, 2\)|used twice"),
    ("finish = { square = [7, 6] }", "finish = { square = [7, 9] }", "used twice"),
    ("finish = { square = [7, 6] }", "finish = { square = [4, 4] }", "home is not reachable"),
    ("finish = { square = [7, 6] }", "", "without a finish the home column has 4 spaces"),
    ('name = "B"', 'name = "A"', "two seats have the name A"),
    ('colour = "white"', 'colour = "black"', "two seats have the colour black"),
    ("size = 15", "size = 14", "off the 14 × 14 grid"),
    ("size = 15", 'size = "15"', "needs size"),
    ("stars = []", "stars = [[2, 6], [2, 6], [3, 3]]", r"\(3, 3\) is not on the ring.*\(2, 6\) is listed twice"),
    ("square = [0, 0], rows = 6", "square = [0, 0], rows = 7", "the yard of A lies over the ring"),
    ("square = [0, 0], rows = 6", "square = [12, 0], rows = 6", "reaches over the edge"),
    ("stars = []", "stras = []", "unknown key 'stras'"),
    ("stars = []", "stars = [[1]]", "stars number 1 is not a square"),
    ("stars = []", "stars = []\nround = 1", "round is true or false"),
    ("columns = 6 }", "columns = 6, nests = [[1, 1]] }", "has 1 nests"),
    ("columns = 6 }", "columns = 6, nests = [[1, 1], [1, 2], [2, 1], [2, 6]] }", r"the nest \(2, 6\) is outside its yard"),
    ("stars = []", "stars = [", "this is not TOML"),
    ('name = "mine"', 'name = ""', "needs a name"),
]


@pytest.mark.parametrize(("good", "bad", "fault"), FAULTS, ids=[fault for _, _, fault in FAULTS])
def test_a_fault_of_a_board_is_named(good, bad, fault):
    assert good in INNER_CORNERS
    with pytest.raises(BoardError, match=fault) as raised:
        board_from_text(INNER_CORNERS.replace(good, bad, 1), "mine.toml")
    assert str(raised.value).startswith("board mine.toml: ")


def test_all_faults_are_named_at_once():
    broken = INNER_CORNERS.replace('colour = "white"', 'colour = "black"').replace("start = [1, 8]", "start = [3, 3]")
    with pytest.raises(BoardError) as raised:
        board_from_text(broken, "mine.toml")
    assert len(raised.value.faults) == 2


def test_a_board_with_seats_out_of_order_is_refused():
    head, a, b, c, d = INNER_CORNERS.split("[[seats]]")
    with pytest.raises(BoardError, match="order of play"):
        board_from_text("[[seats]]".join([head, a, c, b, d]), "mine.toml")
    with pytest.raises(BoardError, match="at least two"):
        board_from_text("[[seats]]".join([head, a]), "mine.toml")


def test_all_seats_may_end_in_one_middle():
    text = INNER_CORNERS
    for square in ("[7, 6]", "[6, 7]", "[7, 8]", "[8, 7]"):
        text = text.replace(f"finish = {{ square = {square} }}", "finish = { square = [7, 7] }")
    text = text.replace('path = "e4"', 'path = "e5"').replace('path = "s4"', 'path = "s5"')
    text = text.replace('path = "w4"', 'path = "w5"').replace('path = "n4"', 'path = "n5"')
    board = board_from_text(text, "mine.toml")
    assert len({seat.path[-1] for seat in board.seats}) == 1
    assert board.places[board.seats[0].path[-1]].seat is None


def test_two_seats_are_a_board():
    head, a, _, c, _ = INNER_CORNERS.split("[[seats]]")
    board = board_from_text("[[seats]]".join([head, a, c]), "mine.toml")
    assert [seat.start for seat in board.seats] == [0, 28]
