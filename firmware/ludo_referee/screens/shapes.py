"""The shapes: one a seat, the die's faces, and signs; drawn four times too large and reduced, so that edges are even."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw

FINE = 4  # how many times too large

Point = tuple[float, float]
Pen = ImageDraw.ImageDraw
Draw = Callable[[Pen, float], None]


def stamp(side: int, draw: Draw, angle: float = 0.0) -> Image.Image:
    """A square 1-bit stamp; `draw(pen, unit)` paints white on black in a square of `unit` fine pixels, turned by degrees."""
    fine = Image.new("L", (side * FINE, side * FINE))
    draw(ImageDraw.Draw(fine), side * FINE)
    if angle:
        fine = fine.rotate(angle, resample=Image.Resampling.BILINEAR)
    return fine.resize((side, side), Image.Resampling.BOX).point(lambda level: 255 * (level >= 128), mode="1")


@lru_cache(maxsize=64)
def seat_shape(seat: int, side: int) -> Image.Image:
    """The seat's own shape, so that nobody needs to see colours: disc, square, triangle, star."""
    return stamp(side, (_disc, _square, _triangle, _star)[seat % 4])


def _disc(pen: Pen, unit: float) -> None:
    pen.ellipse((0, 0, unit - 1, unit - 1), fill=255)


def _square(pen: Pen, unit: float) -> None:
    edge = unit * 0.06
    pen.rectangle((edge, edge, unit - 1 - edge, unit - 1 - edge), fill=255)


def _triangle(pen: Pen, unit: float) -> None:
    pen.polygon([(unit / 2, unit * 0.02), (unit - 1, unit * 0.96), (0, unit * 0.96)], fill=255)


def _star(pen: Pen, unit: float) -> None:
    points = []
    for corner in range(10):
        radius = unit * (0.54 if corner % 2 == 0 else 0.235)
        turn = math.pi * corner / 5
        points.append((unit / 2 + radius * math.sin(turn), unit * 0.545 - radius * math.cos(turn)))
    pen.polygon(points, fill=255)


PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.25, 0.25), (0.75, 0.75)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)),
    5: ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    6: ((0.25, 0.24), (0.75, 0.24), (0.25, 0.5), (0.75, 0.5), (0.25, 0.76), (0.75, 0.76)),
}


@lru_cache(maxsize=128)
def die_face(value: int, side: int, angle: float = 0.0) -> Image.Image:
    """A lit die with dark pips (1 … 6). Turned by an angle it is drawn smaller, so that its corners stay inside."""

    def draw(pen: Pen, unit: float) -> None:
        edge, span = _body(pen, unit, angle)
        radius = span * (0.13 if value == 1 else 0.105)
        for x, y in PIPS[value]:
            across, down = edge + x * span, edge + y * span
            pen.ellipse((across - radius, down - radius, across + radius - 1, down + radius - 1), fill=0)

    return stamp(side, draw, angle)


@lru_cache(maxsize=64)
def solid_die(side: int, angle: float = 0.0) -> Image.Image:
    """A lit die without pips, for a number."""

    def draw(pen: Pen, unit: float) -> None:
        _body(pen, unit, angle)

    return stamp(side, draw, angle)


def _body(pen: Pen, unit: float, angle: float) -> Point:
    """The die's rounded square, so small that its corners stay inside when it is turned; gives its edge and span."""
    turn = math.radians(angle % 90)
    span = unit / (math.cos(turn) + math.sin(turn))
    edge = (unit - span) / 2
    pen.rounded_rectangle((edge, edge, edge + span - 1, edge + span - 1), radius=span * 0.16, fill=255)
    return edge, span


@lru_cache(maxsize=4)
def blank_die(side: int) -> Image.Image:
    """The outline of a die whose face is not known yet."""

    def draw(pen: Pen, unit: float) -> None:
        pen.rounded_rectangle((0, 0, unit - 1, unit - 1), radius=unit * 0.16, fill=255)
        edge = unit * 0.05
        pen.rounded_rectangle((edge, edge, unit - 1 - edge, unit - 1 - edge), radius=unit * 0.12, fill=0)

    return stamp(side, draw)


def edge_card(size: tuple[int, int]) -> Image.Image:
    """What a display is checked by: a frame on its outermost pixels, and a five in the middle."""
    width, height = size
    card = Image.new("1", size)
    ImageDraw.Draw(card).rectangle((0, 0, width - 1, height - 1), outline=1)
    side = height - 8
    card.paste(die_face(5, side), ((width - side) // 2, 4))
    return card
