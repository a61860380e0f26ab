"""`ludo-referee look`: one picture of a table, read without any history."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import LudoError

if TYPE_CHECKING:
    from ludo_vision.look import Look
    from ludo_vision.plan import Plan

    from ..rules.board import Board

Corners = tuple[tuple[float, float], ...]


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    look = commands.add_parser("look", help="read pictures of a table, each by itself")
    look.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="JPEG or PNG")
    look.add_argument("--board", default="ludo15", help="a built-in board or a board file")
    look.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help="the grid's outer corners in pixels, at A's, B's, C's, D's yard")
    look.add_argument("--seats", metavar="A=green,B=…", help="the colours printed on the yards")
    look.add_argument("--empty", type=Path, metavar="PICTURE", help="the same board without tokens, from the same place")
    look.add_argument("--size", type=int, metavar="N", help="the grid's squares along an edge; refused when the board has another size")
    look.add_argument("--overlay", type=Path, metavar="OUT.png", help="draw grid, places and what was read on the picture")
    look.add_argument("--json", action="store_true", help="one JSON object a picture instead of sentences")
    look.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ludo_vision.look import draw_overlay, look

    from ..app.table import plan_of
    from ..pictures import load_picture, save_picture
    from ..rules.board import load_board

    board = load_board(arguments.board).with_colours(_seats(arguments.seats))
    if arguments.size is not None and arguments.size != board.size:
        raise LudoError(f"--size {arguments.size}: the board {board.name} has {board.size} along an edge; name another with --board")
    if arguments.overlay and len(arguments.pictures) > 1:
        raise LudoError("--overlay: takes one picture at a time")
    plan, corners = plan_of(board), _corners(arguments.corners)
    empty = load_picture(arguments.empty) if arguments.empty else None
    for path in arguments.pictures:
        picture = load_picture(path)
        seen = look(picture, plan, corners, empty)
        if arguments.overlay:
            save_picture(arguments.overlay, draw_overlay(picture, plan, seen))
        print(json.dumps(_record(seen, board, plan)) if arguments.json else _sentences(path, seen, board), flush=True)
    return 0


def _corners(text: str | None) -> Corners | None:
    if text is None:
        return None
    try:
        points = tuple((float(x), float(y)) for x, y in (point.split(",") for point in text.split()))
    except ValueError:
        points = ()
    if len(points) != 4:
        raise LudoError(f'--corners {text!r}: four corners are needed, as "x,y x,y x,y x,y", at the yards of A, B, C, D')
    return points


def _seats(text: str | None) -> dict[str, str]:
    seats: dict[str, str] = {}
    for part in (text or "").split(","):
        seat, given, colour = part.partition("=")
        if part and not (given and seat.strip() and colour.strip()):
            raise LudoError(f"--seats {text!r}: {part!r} is not of the form A=green")
        if part:
            seats[seat.strip()] = colour.strip()
    return seats


def _record(seen: Look, board: Board, plan: Plan) -> dict[str, object]:
    """The object of RECORDINGS.md, "One picture"."""
    squares = [
        {"row": square[0], "col": square[1], "colour": board.seats[stand.seat].colour, "count": stand.count, "p": round(stand.p, 3)}
        for stand in seen.stands
        if (square := board.places[stand.spot].square) is not None
    ]
    return {
        "board": {
            "corners": [[round(x, 1), round(y, 1)] for x, y in seen.registration.corners(plan)],
            "how": seen.registration.how,
            "residual_squares": round(seen.registration.residual_squares, 3),
        },
        "squares": squares,
        "yards": {seat.name: count for seat, count in zip(board.seats, seen.in_yard, strict=True)},
        "unclear": [{"row": row, "col": col, "why": why} for (row, col), why in seen.unclear],
    }


def _sentences(path: Path, seen: Look, board: Board) -> str:
    lines = [f"{path}: board found by {seen.registration.how}, fits within {seen.registration.residual_squares:.2f} of a square"]
    for stand in seen.stands:
        place = board.places[stand.spot]
        where = f"row {place.square[0]}, column {place.square[1]}" if place.square else "finish"
        lines.append(f"  {board.seats[stand.seat].colour} on {where}: {stand.count} ({stand.p:.0%} sure)")
    for seat, count in zip(board.seats, seen.in_yard, strict=True):
        lines.append(f"  {seat.colour} yard: {'cannot tell' if count is None else count}")
    lines += [f"  unclear at row {row}, column {col}: {why}" for (row, col), why in seen.unclear]
    return "\n".join(lines)
