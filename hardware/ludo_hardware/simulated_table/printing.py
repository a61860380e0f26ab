"""The printed board, flat: one picture of the whole card at a fixed number of pixels a square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from .drawing import BoardDrawing, DrawnPlace, Point
from .lighting import Colour

Card = NDArray[np.uint8]

PER_SQUARE = 64  # card pixels a board square
_SHIFT = 4       # fractional bits of OpenCV's drawing coordinates

INKS: dict[str, Colour] = {
    "red": (218, 56, 50), "green": (48, 152, 84), "yellow": (248, 210, 62), "blue": (52, 106, 196),
    "black": (44, 44, 48), "orange": (232, 124, 30), "purple": (116, 60, 140), "white": (236, 234, 228),
}


@dataclass(frozen=True, slots=True)
class Print:
    """How a board is printed: `paper` of the card, `track` of plain places, `line` around places and its width in squares;
    yards: framed, rounded, ring; `margin` of card outside the grid and the `border` printed on its edge."""

    paper: Colour = (247, 244, 236)
    track: Colour = (252, 251, 247)
    line: Colour = (52, 50, 52)
    line_width: float = 0.045
    inks: Mapping[str, Colour] = field(default_factory=lambda: INKS)
    yard: str = "framed"
    margin: float = 0.40
    border: Colour | None = None
    stars: str = "outline"
    grain: float = 2.0
    wordmark: str = ""


PRINTS: dict[str, Print] = {
    "classic": Print(),
    "rounded": Print(paper=(240, 232, 214), track=(250, 246, 236), line=(122, 108, 92), line_width=0.035, yard="rounded", stars="filled",
                     border=(122, 84, 60), margin=0.55,
                     inks={**INKS, "red": (196, 58, 52), "green": (74, 140, 86), "yellow": (232, 184, 66), "blue": (62, 108, 168)}),
    "ring": Print(paper=(246, 246, 248), track=(255, 255, 255), line=(24, 24, 28), line_width=0.055, yard="ring",
                  inks={**INKS, "red": (222, 30, 44), "green": (0, 150, 76), "yellow": (255, 212, 0), "blue": (0, 92, 196)}),
    "spots": Print(paper=(236, 200, 84), track=(252, 250, 244), line=(48, 40, 36), line_width=0.05, border=(186, 30, 36), margin=0.6,
                   wordmark="LUDO", stars="none"),
    "wooden": Print(paper=(214, 170, 118), track=(238, 208, 160), line=(92, 58, 34), line_width=0.05, yard="ring", border=(120, 74, 42),
                    margin=0.7, grain=6.0, stars="none",
                    inks={**INKS, "red": (176, 44, 40), "green": (50, 112, 70), "yellow": (226, 176, 60), "blue": (44, 84, 148)}),
    "dark": Print(paper=(50, 54, 64), track=(82, 88, 100), line=(206, 206, 198), line_width=0.04, yard="ring", stars="none"),
    "pastel": Print(paper=(232, 238, 240), track=(246, 240, 222), line=(250, 250, 248), line_width=0.06, yard="rounded", stars="filled",
                    inks={**INKS, "red": (236, 128, 120), "green": (128, 196, 148), "yellow": (246, 224, 132), "blue": (128, 166, 220)}),
}


class _Sheet:
    """A card under the pen; coordinates are board squares."""

    def __init__(self, size: int, style: Print) -> None:
        self.style = style
        side = round((size + 2 * style.margin) * PER_SQUARE)
        self.pixels: Card = np.empty((side, side, 3), np.uint8)
        self.pixels[:] = style.paper[::-1]

    def _fixed(self, points: Sequence[Point]) -> NDArray[np.int32]:
        scaled = (np.array(points, np.float64) + self.style.margin) * PER_SQUARE - 0.5
        return np.round(scaled * (1 << _SHIFT)).astype(np.int32)

    def fill(self, points: Sequence[Point], colour: Colour) -> None:
        cv2.fillPoly(self.pixels, [self._fixed(points)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def outline(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        thickness = max(1, round(width * PER_SQUARE))
        cv2.polylines(self.pixels, [self._fixed(points)], True, colour[::-1], thickness, cv2.LINE_AA, _SHIFT)

    def stroke(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        thickness = max(1, round(width * PER_SQUARE))
        cv2.polylines(self.pixels, [self._fixed(points)], False, colour[::-1], thickness, cv2.LINE_AA, _SHIFT)

    def write(self, text: str, centre: Point, height: float, colour: Colour) -> None:
        """Block letters centred on a point."""
        font, thickness = cv2.FONT_HERSHEY_DUPLEX, max(1, round(height * PER_SQUARE * 0.09))
        scale = height * PER_SQUARE / 22.0
        (wide, high), _ = cv2.getTextSize(text, font, scale, thickness)
        where = (np.array(centre) + self.style.margin) * PER_SQUARE
        corner = (round(where[0] - wide / 2), round(where[1] + high / 2))
        cv2.putText(self.pixels, text, corner, font, scale, colour[::-1], thickness, cv2.LINE_AA)


def circle(centre: Point, radius: float, corners: int = 48) -> list[Point]:
    """A circle as a polygon."""
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return [(centre[0] + radius * float(np.cos(a)), centre[1] + radius * float(np.sin(a))) for a in angles]


def rounded_box(low: Point, high: Point, radius: float) -> list[Point]:
    """An upright rectangle with rounded corners."""
    points: list[Point] = []
    for x, y, first in ((high[0] - radius, low[1] + radius, -90), (high[0] - radius, high[1] - radius, 0),
                        (low[0] + radius, high[1] - radius, 90), (low[0] + radius, low[1] + radius, 180)):
        for angle in np.radians(np.linspace(first, first + 90, 9)):
            points.append((x + radius * float(np.cos(angle)), y + radius * float(np.sin(angle))))
    return points


def star(centre: Point, radius: float) -> list[Point]:
    """A five-pointed star, one point up."""
    return [(centre[0] + radius * (1.0 if i % 2 == 0 else 0.42) * float(np.sin(np.pi * i / 5)),
             centre[1] - radius * (1.0 if i % 2 == 0 else 0.42) * float(np.cos(np.pi * i / 5))) for i in range(10)]


def arrow(centre: Point, heading: float, reach: float = 0.3) -> list[Point]:
    """A block arrow pointing along the heading."""
    shape = ((1.0, 0.0), (0.15, 0.75), (0.15, 0.3), (-1.0, 0.3), (-1.0, -0.3), (0.15, -0.3), (0.15, -0.75))
    ahead, aside = float(np.cos(heading)), float(np.sin(heading))
    return [(centre[0] + reach * (u * ahead - v * aside), centre[1] + reach * (u * aside + v * ahead)) for u, v in shape]


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the other colour in the first."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def print_board(drawing: BoardDrawing, style: Print, seed: int = 0) -> Card:
    """The printed card `(s, s, 3) uint8` BGR, s = (size + 2 margin) × `PER_SQUARE`."""
    sheet = _Sheet(drawing.size, style)
    if style.border is not None:
        _print_border(sheet, drawing.size, style)
    spotted = any(place.round for place in drawing.places)
    for place in drawing.places:
        if place.kind == "yard" and not spotted:
            _print_yard(sheet, place, style)
    if spotted:
        _print_path(sheet, drawing, style)
    for place in drawing.places:
        if place.kind != "yard":
            _print_place(sheet, place, style)
    _print_nests(sheet, drawing, style, spotted)
    if style.wordmark and spotted:
        middle = drawing.size / 2
        sheet.fill(circle((middle, middle), 0.28), style.line)
        for x, y in ((0.22, 0.27), (0.78, 0.27), (0.22, 0.73), (0.78, 0.73)):
            sheet.write(style.wordmark, (drawing.size * x, drawing.size * y), 0.62, mixed(style.line, style.paper, 0.25))
    noise = np.random.default_rng(seed).normal(0, style.grain, sheet.pixels.shape[:2]).astype(np.float32)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 1.2), np.float32) * 2.0
    return np.asarray(np.clip(sheet.pixels.astype(np.float32) + noise[..., None], 0, 255), np.uint8)


def _print_border(sheet: _Sheet, size: int, style: Print) -> None:
    assert style.border is not None
    edge = style.margin
    sheet.fill([(-edge, -edge), (size + edge, -edge), (size + edge, size + edge), (-edge, size + edge)], style.border)
    inner = style.margin * 0.4
    sheet.fill(rounded_box((-inner, -inner), (size + inner, size + inner), 0.25), style.paper)


def _print_place(sheet: _Sheet, place: DrawnPlace, style: Print) -> None:
    ink = style.track if place.colour is None else style.inks[place.colour]
    width = style.line_width
    shape: Sequence[Point] = circle(place.centre, 0.41) if place.round else place.outline
    sheet.fill(shape, ink)
    sheet.outline(shape, style.line, width)
    pale = style.line if place.colour is None else mixed(ink, (255, 255, 255), 0.86)
    if place.mark == "star" and style.stars != "none":
        if style.stars == "filled":
            sheet.fill(star(place.centre, 0.36), mixed(style.track, style.line, 0.32))
        else:
            sheet.outline(star(place.centre, 0.36), mixed(style.track, style.line, 0.75), width * 0.8)
    elif place.mark == "arrow":
        sheet.fill(arrow(place.centre, place.heading), mixed(style.line, style.track, 0.1))
    elif place.mark == "start":
        if place.round:
            sheet.write("A", place.centre, 0.42, pale)
        else:
            sheet.outline(arrow(place.centre, place.heading, 0.27), pale, width * 0.8)


def _print_path(sheet: _Sheet, drawing: BoardDrawing, style: Print) -> None:
    """The line that joins neighbouring round spots."""
    plain = [place.centre for place in drawing.places if place.kind == "square"]
    for index, one in enumerate(plain):
        for other in plain[index + 1:]:
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) < 1.01:
                sheet.stroke([one, other], style.line, style.line_width)


def _print_yard(sheet: _Sheet, place: DrawnPlace, style: Print) -> None:
    assert place.colour is not None
    ink, width = style.inks[place.colour], style.line_width
    xs, ys = [x for x, _ in place.outline], [y for _, y in place.outline]
    low, high, (cx, cy) = (min(xs), min(ys)), (max(xs), max(ys)), place.centre
    half = min(high[0] - low[0], high[1] - low[1]) / 2
    if style.yard == "framed":
        sheet.fill(place.outline, ink)
        sheet.outline(place.outline, style.line, width)
        inner = rounded_box((cx - half * 0.66, cy - half * 0.66), (cx + half * 0.66, cy + half * 0.66), 0.12)
        sheet.fill(inner, style.track)
        sheet.outline(inner, style.line, width)
    elif style.yard == "rounded":
        gap = 0.22
        sheet.fill(rounded_box((low[0] + gap, low[1] + gap), (high[0] - gap, high[1] - gap), 0.9), ink)
        inner = rounded_box((cx - half * 0.62, cy - half * 0.62), (cx + half * 0.62, cy + half * 0.62), 0.7)
        sheet.fill(inner, mixed(ink, style.track, 0.72))
    else:
        sheet.fill(place.outline, ink)
        sheet.outline(place.outline, style.line, width)
        sheet.fill(circle(place.centre, half * 0.78, 96), style.track)
        sheet.outline(circle(place.centre, half * 0.78, 96), style.line, width)


def _print_nests(sheet: _Sheet, drawing: BoardDrawing, style: Print, spotted: bool) -> None:
    radius = 0.42 if spotted else 0.52
    for centre, colour in drawing.nests:
        ink = style.inks[colour]
        sheet.fill(circle(centre, radius), ink)
        sheet.outline(circle(centre, radius), style.line, style.line_width)
        if spotted:
            sheet.write("B", centre, 0.36, mixed(ink, style.line, 0.35))
        else:
            sheet.outline(circle(centre, radius * 0.72), mixed(ink, (255, 255, 255), 0.45), style.line_width * 0.7)
