"""Boards as TOML files: reading, and naming everything that is wrong with one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from .board import TOKENS, Board, Place, PlaceKind, Point, SeatPlan, Square
from .board_draft import BoardDraft, SeatDraft, geometry_faults
from .errors import BoardError, UnknownBoard

BUILT_IN = ("ludo15", "ludo15-home4", "madn11", "parchis68")

COMPASS = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1), "ne": (-1, 1), "se": (1, 1), "sw": (1, -1), "nw": (-1, -1)}
RUN = re.compile(r"(ne|nw|se|sw|n|e|s|w)(\d*)")

TOP_KEYS = {"name", "size", "direction", "round", "plain_starts", "ring", "stars", "safe", "seats"}
SEAT_KEYS = {"name", "colour", "start", "entry", "home", "finish", "yard"}
FINISH_KEYS = {"square", "area"}
YARD_KEYS = {"square", "rows", "columns", "nests"}
RUN_KEYS = {"from", "path"}


def find_board(name_or_path: str, folder: Path | None) -> Board:
    """See `board.load_board`."""
    if name_or_path in BUILT_IN:
        text = (files(__package__) / "boards" / f"{name_or_path}.toml").read_text(encoding="utf-8")
        return board_from_text(text, name_or_path)
    path = (folder or Path()) / name_or_path
    if not path.is_file() and path.suffix != ".toml":
        path = path.with_name(path.name + ".toml")
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        known = ", ".join(BUILT_IN)
        raise UnknownBoard(f"there is no board {name_or_path!r}: name a built-in one ({known}) or a TOML file, not {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BoardError(str(path), (f"the file cannot be read ({error})",)) from error
    return board_from_text(text, str(path))


def board_from_text(text: str, source: str) -> Board:
    """The board of a TOML text; `source` names it in errors. Raises BoardError with every fault found."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoardError(source, (f"this is not TOML ({error})",)) from error
    reader = _Reader()
    draft = reader.board(table)
    faults = tuple(reader.faults)
    if not faults:
        faults = geometry_faults(draft)
    if faults:
        raise BoardError(source, faults)
    return _build(draft)


class _Reader:
    """Reads the tables of a board file into drafts and gathers what is malformed instead of stopping at the first fault."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def board(self, table: Mapping[str, Any]) -> BoardDraft:
        self._known(table, TOP_KEYS, "the board")
        direction = table.get("direction", "clockwise")
        if direction not in ("clockwise", "counter-clockwise"):
            self.faults.append(f"direction is {direction!r}; it is clockwise or counter-clockwise")
        seats = table.get("seats", [])
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            self.faults.append("seats are tables, each headed [[seats]]")
            seats = []
        return BoardDraft(
            name=self._text(table, "name", "the board"),
            size=self._count(table, "size", "the board"),
            clockwise=direction == "clockwise",
            round=self._flag(table, "round"),
            plain_starts=self._flag(table, "plain_starts"),
            ring=self._squares(table.get("ring"), "ring"),
            stars=self._squares(table.get("stars", []), "stars"),
            safe=self._squares(table.get("safe", []), "safe"),
            seats=tuple(self._seat(seat, number) for number, seat in enumerate(seats, 1)),
        )

    def _seat(self, table: Mapping[str, Any], number: int) -> SeatDraft:
        where = f"seat {table.get('name', number)}"
        self._known(table, SEAT_KEYS, where)
        finish = self._table(table.get("finish", {}), FINISH_KEYS, f"{where} finish")
        yard = self._table(table.get("yard"), YARD_KEYS, f"{where} yard")
        row, column = self._square(yard.get("square"), f"{where} yard square")
        return SeatDraft(
            name=self._text(table, "name", where),
            colour=self._text(table, "colour", where),
            start=self._square(table.get("start"), f"{where} start"),
            entry=self._square(table.get("entry"), f"{where} entry"),
            home=self._squares(table.get("home"), f"{where} home"),
            finish=self._square(finish["square"], f"{where} finish square") if "square" in finish else None,
            finish_area=self._corners(finish.get("area", []), f"{where} finish area"),
            yard=(row, column, self._count(yard, "rows", f"{where} yard"), self._count(yard, "columns", f"{where} yard")),
            nests=self._corners(yard.get("nests", []), f"{where} yard nests"),
        )

    def _known(self, table: Mapping[str, Any], keys: set[str], where: str) -> None:
        self.faults += [f"{where} has the unknown key {key!r}; it may have {', '.join(sorted(keys))}" for key in table if key not in keys]

    def _table(self, value: object, keys: set[str], where: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.faults.append(f"{where} is missing or no table; write {{ square = [row, column], … }}")
            return {}
        self._known(value, keys, where)
        return value

    def _text(self, table: Mapping[str, Any], key: str, where: str) -> str:
        value = table.get(key)
        if isinstance(value, str) and value:
            return value
        self.faults.append(f"{where} needs a {key}")
        return ""

    def _count(self, table: Mapping[str, Any], key: str, where: str) -> int:
        value = table.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 99:
            return value
        self.faults.append(f"{where} needs {key}, a whole number of squares from 1 to 99")
        return 1

    def _flag(self, table: Mapping[str, Any], key: str) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.faults.append(f"{key} is true or false, not {value!r}")
        return bool(value)

    def _square(self, value: object, where: str) -> Square:
        if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in value):
            return value[0], value[1]
        self.faults.append(f"{where} is not a square; write [row, column]")
        return 0, 0

    def _squares(self, value: object, where: str) -> tuple[Square, ...]:
        """A list of squares, or a path of runs: { from = [row, column], path = "e4 ne n5" }."""
        if isinstance(value, list):
            return tuple(self._square(item, f"{where} number {number}") for number, item in enumerate(value, 1))
        if isinstance(value, dict):
            return self._run(value, where)
        self.faults.append(f"{where} is missing; give a list of [row, column] or {{ from = [row, column], path = \"e4 ne n5\" }}")
        return ()

    def _run(self, table: Mapping[str, Any], where: str) -> tuple[Square, ...]:
        self._known(table, RUN_KEYS, where)
        path = table.get("path")
        row, column = self._square(table.get("from"), f"{where} from")
        if not isinstance(path, str):
            self.faults.append(f"{where} needs a path such as \"e4 ne n5\"")
            return ()
        squares = [(row, column)]
        for word in path.split():
            match = RUN.fullmatch(word)
            if match is None or int(match[2] or 1) > 99:
                self.faults.append(f"{where} has the run {word!r}; a run is a compass point and a count up to 99, such as e4 or ne")
                continue
            for _ in range(int(match[2] or 1)):
                row, column = row + COMPASS[match[1]][0], column + COMPASS[match[1]][1]
                squares.append((row, column))
        return tuple(squares)

    def _corners(self, value: object, where: str) -> tuple[Point, ...]:
        """Points given as [row, column] numbers (a square's own corner is its row and column), turned to (x, y)."""
        if isinstance(value, list) and all(
            isinstance(item, list) and len(item) == 2 and all(type(part) in (int, float) for part in item) for item in value
        ):
            return tuple((float(column), float(row)) for row, column in value)
        self.faults.append(f"{where} is not a list of [row, column]")
        return ()


def _build(draft: BoardDraft) -> Board:
    """The board of a draft without faults."""
    index = {square: number for number, square in enumerate(draft.ring)}
    printed: dict[Square, int] = {}
    if not draft.plain_starts:
        printed = {seat.start: number for number, seat in enumerate(draft.seats)}
    places = [_square_place(square, printed.get(square), draft.round) for square in draft.ring]
    homes = []
    for number, seat in enumerate(draft.seats):
        homes.append(range(len(places), len(places) + len(seat.home)))
        places += [_square_place(square, number, draft.round) for square in seat.home]
    finishes: dict[Square | None, int] = {}
    for number, seat in enumerate(draft.seats):
        if seat.finish is not None and seat.finish not in finishes:
            shared = sum(other.finish == seat.finish for other in draft.seats) > 1
            finishes[seat.finish] = len(places)
            places.append(_finish_place(seat.finish, seat.finish_area, None if shared else number))
    seats = []
    for number, seat in enumerate(draft.seats):
        start = index[seat.start]
        ring_steps = (index[seat.entry] - start) % len(draft.ring) + 1
        path = [(start + step) % len(draft.ring) for step in range(ring_steps)] + [*homes[number]]
        path += [] if seat.finish is None else [finishes[seat.finish]]
        nests = tuple((x + 0.5, y + 0.5) for x, y in seat.nests) or _default_nests(seat.yard)
        seats.append(SeatPlan(seat.name, seat.colour, start, len(places), tuple(path), nests))
        places.append(_yard_place(seat.yard, number))
    return Board(
        name=draft.name,
        size=draft.size,
        ring=draft.ring,
        clockwise=draft.clockwise,
        home_length=len(draft.seats[0].home),
        has_finish=draft.seats[0].finish is not None,
        stars=frozenset(index[square] for square in draft.stars),
        safe=frozenset(index[square] for square in draft.safe),
        seats=tuple(seats),
        places=tuple(places),
    )


def _rectangle(row: int, column: int, rows: int, columns: int) -> tuple[Point, ...]:
    left, top, right, bottom = float(column), float(row), float(column + columns), float(row + rows)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _square_place(square: Square, seat: int | None, round_spot: bool) -> Place:
    row, column = square
    return Place(PlaceKind.SQUARE, _rectangle(row, column, 1, 1), (column + 0.5, row + 0.5), square, seat, round_spot)


def _finish_place(square: Square, area: tuple[Point, ...], seat: int | None) -> Place:
    """The finish region; its centre is the mean of the outline's corners (the centroid of a triangle or rectangle)."""
    outline = area or _rectangle(*square, 1, 1)
    centre = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    return Place(PlaceKind.FINISH, outline, centre, square, seat)


def _yard_place(yard: tuple[int, int, int, int], seat: int) -> Place:
    row, column, rows, columns = yard
    return Place(PlaceKind.YARD, _rectangle(*yard), (column + columns / 2, row + rows / 2), None, seat)


def _default_nests(yard: tuple[int, int, int, int]) -> tuple[Point, ...]:
    """Four spots a third of the way in from the yard's corners."""
    row, column, rows, columns = yard
    spots = [(column + columns * x / 3, row + rows * y / 3) for y in (1, 2) for x in (1, 2)]
    return tuple(spots[:TOKENS])
