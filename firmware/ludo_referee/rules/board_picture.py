"""A board as a drawing: shapes and labels in board squares, and the same as SVG text."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from .board import Board, PlaceKind, Point

SQUARE_PX = 44
PLAIN, LINE, INK = "white", "#444444", "black"
STAR = "#e8e0c8"
TEXT = (
    f'font-family="sans-serif" font-size="{SQUARE_PX * 0.32:g}" text-anchor="middle" dominant-baseline="central" '
    f'fill="{INK}" stroke="white" stroke-width="2.5" paint-order="stroke"'
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled outline (or the round spot inside it) with a label at its centre, all in board squares."""

    outline: tuple[Point, ...]
    round: bool
    fill: str
    label: str
    centre: Point
    faint: bool = False


def shapes(board: Board) -> list[Shape]:
    """What is to be drawn, first to last: yards, ring squares with their indices, home squares and finishes with their steps."""
    drawn = []
    for seat in board.seats:
        place = board.places[seat.yard]
        drawn.append(Shape(place.outline, False, seat.colour, f"{seat.name} {seat.colour}", place.centre, True))
        for x, y in seat.nests:
            corners = ((x - 0.4, y - 0.4), (x + 0.4, y - 0.4), (x + 0.4, y + 0.4), (x - 0.4, y + 0.4))
            drawn.append(Shape(corners, True, seat.colour, "", (x, y)))
    for index, place in enumerate(board.places):
        if place.kind is PlaceKind.YARD:
            continue
        if index < len(board.ring):
            label = str(index)
        else:
            seat = board.seats[place.seat or 0]
            label = f"{seat.name}{seat.path.index(index)}"
        safe = index in board.stars | board.safe
        fill = board.seats[place.seat].colour if place.seat is not None else STAR if safe else PLAIN
        drawn.append(Shape(place.outline, place.round, fill, label + ("*" if index in board.stars else ""), place.centre))
    return drawn


def board_svg(board: Board) -> str:
    """The board as one SVG document."""
    size = board.size * SQUARE_PX
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}">',
             f"<title>{escape(board.name)}</title>", f'<rect width="{size}" height="{size}" fill="#f6f1e4" stroke="{INK}"/>']
    for shape in shapes(board):
        look = f'fill="{escape(shape.fill)}" fill-opacity="{0.35 if shape.faint else 0.8}" stroke="{LINE}"'
        x, y = shape.centre[0] * SQUARE_PX, shape.centre[1] * SQUARE_PX
        if shape.round:
            radius = (shape.outline[1][0] - shape.outline[0][0]) * SQUARE_PX * 0.45
            lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {look}/>')
        else:
            points = " ".join(f"{px * SQUARE_PX:g},{py * SQUARE_PX:g}" for px, py in shape.outline)
            lines.append(f'<polygon points="{points}" {look}/>')
        if shape.label:
            lines.append(f'<text x="{x:g}" y="{y:g}" {TEXT}>{escape(shape.label)}</text>')
    return "\n".join([*lines, "</svg>", ""])
