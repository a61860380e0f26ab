"""A 1-bit canvas with text that takes the largest size its box allows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import font_roboto
from PIL import Image, ImageDraw, ImageFont

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels; right and bottom are outside

SMALLEST = 10  # Roboto's hints stay crisp in one bit from here
BOLD, BLACK = "RobotoBold", "RobotoBlack"


@lru_cache(maxsize=128)
def font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    """A Roboto of that pixel size. Basic layout: the same letters at the same pixels with or without libraqm."""
    return ImageFont.truetype(getattr(font_roboto, weight), size, layout_engine=ImageFont.Layout.BASIC)


class Line(NamedTuple):
    """A line of laid-out text and where its baseline begins, relative to its box."""

    text: str
    x: int
    y: int


class Layout(NamedTuple):
    """`cut`: the text did not fit at the smallest size."""

    size: int
    lines: tuple[Line, ...]
    cut: bool


class Canvas:
    """A picture being drawn. White (1) is lit. `cut` lists the texts that did not fit: a test wants it empty."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.picture = Image.new("1", size)
        self.pen = ImageDraw.Draw(self.picture)
        self.pen.fontmode = "1"
        self.width, self.height = size
        self.cut: list[str] = []

    @property
    def low(self) -> bool:
        """A display of 32 rows: less stands on it, side by side."""
        return self.height < 48

    def text(self, box: Box, text: str, largest: int = 64, weight: str = BOLD, align: str = "centre", ink: int = 1) -> int:
        """Write text into a box, wrapped between words, as large as fits, in the middle of its height. Gives the size."""
        left, top, right, bottom = box
        layout = lay_out(text, right - left, bottom - top, largest, weight, align)
        face = font(weight, layout.size)
        for line in layout.lines:
            self.pen.text((left + line.x, top + line.y), line.text, font=face, fill=ink, anchor="ls")
        if layout.cut:
            self.cut.append(text)
        return layout.size

    def paste(self, stamp: Image.Image, x: int, y: int, ink: int = 1) -> None:
        """Print a 1-bit stamp's lit pixels in `ink`, its upper left corner at (x, y)."""
        self.pen.bitmap((x, y), stamp, fill=ink)

    def foot(self, text: str) -> int:
        """Write what to do into a lit line at the bottom; gives its upper edge, the height left above."""
        top = self.height - (12 if self.low else 20)
        self.bar((0, top, self.width, self.height))
        self.text((2, top, self.width - 2, self.height), text, largest=18, ink=0)
        return top

    def invert(self) -> None:
        """Light what is dark and the other way round."""
        self.picture.paste(self.picture.point(lambda lit: 255 - lit))

    def bar(self, box: Box) -> None:
        """A lit box to write on with ink 0."""
        left, top, right, bottom = box
        self.pen.rectangle((left, top, right - 1, bottom - 1), fill=1)


@lru_cache(maxsize=512)
def lay_out(text: str, width: int, height: int, largest: int, weight: str, align: str) -> Layout:
    """The largest layout of the text in a box; cut with an ellipsis if it does not fit at the smallest size."""
    for size in range(max(largest, SMALLEST), SMALLEST - 1, -1):
        lines = _wrapped(text, width, font(weight, size))
        if lines is not None:
            placed = _placed(lines, width, height, size, weight, align)
            if placed is not None:
                return Layout(size, placed, False)
    return Layout(SMALLEST, _shortened(text, width, height, weight, align), True)


def _wrapped(text: str, width: int, face: ImageFont.FreeTypeFont) -> list[str] | None:
    """Lines of at most `width` pixels, as even as the number of lines allows; None if a word is too wide."""
    lines = _greedy(text, width, face)
    if lines is None or len(lines) < 2:
        return lines
    narrow, wide = 1, width
    while narrow < wide:  # the narrowest width that needs no more lines
        middle = (narrow + wide) // 2
        trial = _greedy(text, middle, face)
        if trial is not None and len(trial) <= len(lines):
            wide = middle
        else:
            narrow = middle + 1
    return _greedy(text, wide, face)


def _greedy(text: str, width: int, face: ImageFont.FreeTypeFont) -> list[str] | None:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, face) <= width:
            lines[-1] = longer
        elif _width(word, face) <= width:
            lines.append(word)
        else:
            return None
    return lines


def _width(text: str, face: ImageFont.FreeTypeFont) -> int:
    left, _, right, _ = face.getbbox(text, mode="1", anchor="ls")
    return int(right - left)


def _placed(lines: list[str], width: int, height: int, size: int, weight: str, align: str) -> tuple[Line, ...] | None:
    """Baselines so that the ink, not the font's own line height, is centred; None if it is too high."""
    face = font(weight, size)
    boxes = [face.getbbox(line, mode="1", anchor="ls") for line in lines]
    gap = max(1, size // 8)
    drops = [0]
    for above, below in itertools.pairwise(boxes):
        drops.append(drops[-1] + int(max(above[3] - below[1] + gap, size * 0.95)))
    ink_height = int(drops[-1] + boxes[-1][3] - boxes[0][1])
    if ink_height > height:
        return None
    first = (height - ink_height) // 2 - int(boxes[0][1])
    return tuple(_line(line, box, first + drop, width, align) for line, box, drop in zip(lines, boxes, drops, strict=True))


def _line(text: str, box: tuple[float, float, float, float], y: int, width: int, align: str) -> Line:
    spare = width - int(box[2] - box[0])
    x = {"left": 0, "centre": spare // 2, "right": spare}[align]
    return Line(text, x - int(box[0]), y)


def _shortened(text: str, width: int, height: int, weight: str, align: str) -> tuple[Line, ...]:
    for shorter in _beginnings(text):
        lines = _wrapped(shorter, width, font(weight, SMALLEST))
        placed = lines and _placed(lines, width, height, SMALLEST, weight, align)
        if placed:
            return placed
    return ()


def _beginnings(text: str) -> Iterator[str]:
    for end in range(len(text), -1, -1):
        yield text[:end].rstrip() + "…"
