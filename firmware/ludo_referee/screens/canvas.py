"""A 1-bit canvas with text that takes the largest size its box allows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import font_roboto
from PIL import Image, ImageChops, ImageDraw, ImageFont

from .icons import icon
from .shapes import die_face, seat_shape

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels; right and bottom are outside

LIT = 255  # Pillow keeps a lit pixel of mode "1" as 255; drawn with 1 it looks the same and cannot be inverted
SMALLEST = 10  # Roboto's hints stay crisp in one bit from here
SMALLEST_DIGITS = 9  # digits alone stay clear one pixel lower, and three of them take 16 pixels in place of 18
MAY_BREAK = "\u200b"  # a line may break here without a space
NO_BREAK = "\u00a0"
BOLD, BLACK = "RobotoBold", "RobotoBlack"


@lru_cache(maxsize=4)  # a third of a megabyte each; opening one takes 0.1 ms
def font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    """A Roboto of that pixel size. Basic layout: the same letters at the same pixels with or without libraqm."""
    return ImageFont.truetype(getattr(font_roboto, weight), size, layout_engine=ImageFont.Layout.BASIC)


def legible(text: str, weight: str, size: int) -> ImageFont.FreeTypeFont:
    """The font that a text can be read in: below 12 pixels a bold t loses its bar and reads as an l, a black a reads as an 8.

    The regular one's stems are even, and so are its gaps. Capitals and digits are clear in black as well."""
    if size < 12 and not (weight == BLACK and text == text.upper()):
        return font("Roboto", size)
    return font(weight, size)


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
    """A picture being drawn. `said` lists its texts for those who cannot see it, `cut` those that did not fit: a test wants it empty."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.picture = Image.new("1", size)
        self.pen = ImageDraw.Draw(self.picture)
        self.pen.fontmode = "1"
        self.width, self.height = size
        self.cut: list[str] = []
        self._texts: list[tuple[int, int, str]] = []

    @property
    def low(self) -> bool:
        """A display of 32 rows: less stands on it, side by side."""
        return self.height < 48

    @property
    def said(self) -> list[str]:
        """The texts from top to bottom."""
        return [text for _, _, text in sorted(self._texts)]

    def text(self, box: Box, text: str, largest: int = 64, weight: str = BOLD, align: str = "centre", ink: int = LIT) -> int:
        """Write text into a box, wrapped between words, as large as fits, in the middle of its height. Gives the size."""
        left, top, right, bottom = box
        layout = lay_out(text, right - left, bottom - top, largest, weight, align)
        self._texts.append((top, left, text.replace(NO_BREAK, " ").replace(MAY_BREAK, "")))
        face = legible(text, weight, layout.size)
        for line in layout.lines:
            self.pen.text((left + line.x, top + line.y), line.text, font=face, fill=ink, anchor="ls")
        if layout.cut:
            self.cut.append(text)
        return layout.size

    def fits(self, box: Box, text: str, weight: str = BOLD) -> bool:
        """Whether a text can be read in a box."""
        left, top, right, bottom = box
        return not lay_out(text, right - left, bottom - top, SMALLEST, weight, "centre").cut

    def paste(self, stamp: Image.Image, x: int, y: int, ink: int = LIT) -> None:
        """Print a 1-bit stamp's lit pixels in `ink`, its upper left corner at (x, y)."""
        self.pen.bitmap((x, y), stamp, fill=ink)

    def die(self, value: int, side: int, x: int = 0, y: int = 0, angle: int = 0) -> None:
        """A die's face; one that lies still is among what is said."""
        self.paste(die_face(value, side, angle), x, y)
        if angle == 0:
            self._texts.append((y, x, str(value)))

    def foot(self, text: str, sign: str | None = None) -> int:
        """Write what to do into a lit line at the bottom, after a sign where there is room for it; gives its upper edge."""
        side = 12 if self.low else 20
        top, edge = self.height - side, 0 if self.low else 1
        box = (2, top + edge, self.width - 2, self.height - edge)
        beside = (2 + side + 2, *box[1:])
        self.bar((0, top, self.width, self.height))
        if sign is not None and self.fits(beside, text):
            self.paste(icon(sign, side), 2, top, ink=0)
            box = beside
        one_line = text.replace(" ", NO_BREAK)
        self.text(box, one_line if self.fits(box, one_line) else text, largest=11 if self.low else 18, ink=0)
        return top

    def head(self, text: str) -> int:
        """Write what it is about into a lit line at the top, two lines where the text is long; gives its lower edge."""
        room = (2, 1, self.width - 2, 11 if self.low else 13)
        if not self.low and not self.fits(room, text):
            room = (2, 1, self.width - 2, 24)
        bottom = room[3] + 1
        self.bar((0, 0, self.width, bottom))
        self.text(room, text, largest=15, ink=0)
        return bottom

    def seat(self, box: Box, seat: int, text: str, align: str = "centre") -> None:
        """The seat's shape as high as the box, and beside it a text as large as fits."""
        left, top, _, bottom = box
        self.paste(seat_shape(seat, bottom - top), left, top)
        self.text(beside_shape(box), text, weight=BLACK, align=align)

    def invert(self) -> None:
        """Light what is dark and the other way round."""
        self.picture.paste(ImageChops.invert(self.picture))

    def bar(self, box: Box) -> None:
        """A lit box to write on with ink 0."""
        left, top, right, bottom = box
        self.pen.rectangle((left, top, right - 1, bottom - 1), fill=LIT)


def pledge_lines(pledge: str) -> str:
    """The first 32 digits of a die's pledge, in two halves: nobody can find a second secret that begins like that (2^128 trials)."""
    return f"{pledge[:16]} {pledge[16:32]}"


def beside_shape(box: Box) -> Box:
    """The part of a box that a seat's shape at its left leaves free."""
    left, top, right, bottom = box
    side = bottom - top
    return left + side + max(2, side // 8), top, right, bottom


@lru_cache(maxsize=512)
def lay_out(text: str, width: int, height: int, largest: int, weight: str, align: str) -> Layout:
    """The largest layout of the text in a box; cut with an ellipsis if it does not fit at the smallest size."""
    smallest = SMALLEST_DIGITS if text.isdecimal() else SMALLEST
    for size in range(max(min(largest, _bound(text, width, height, weight)), smallest), smallest - 1, -1):
        face = legible(text, weight, size)
        lines = _wrapped(text, width, face)
        if lines is not None:
            placed = _placed(lines, width, height, face, align)
            if placed is not None:
                return Layout(size, placed, False)
    return Layout(SMALLEST, _shortened(text, width, height, weight, align), True)


REFERENCE, SLACK = 20, 1.2  # hinting makes a text up to a fifth narrower than its size would


def _bound(text: str, width: int, height: int, weight: str) -> int:
    """A size above which the text cannot fit, from its widths at one size: it saves setting up sizes in vain."""
    face = font(weight, REFERENCE)
    whole = max(1, _width(text, face)) / REFERENCE / SLACK / width  # lines a pixel of size
    longest = max(1, *(_width(word, face) for word, _ in _words(text))) / REFERENCE / SLACK / width
    one_line = min(height / 0.7, 1 / whole)  # a capital's height is 0.7 of the size
    many_lines = (0.3 + (0.09 + 3.8 * whole * height) ** 0.5) / (1.9 * whole)  # of lines 0.95 of the size apart, the last 0.3 lower
    return int(min(1 / longest, max(one_line, many_lines))) + 1


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
    for word, glue in _words(text):
        longer = f"{lines[-1]}{glue}{word}" if lines else word
        if lines and _width(longer, face) <= width:
            lines[-1] = longer
        elif _width(word, face) <= width:
            lines.append(word)
        else:
            return None
    return lines


def _words(text: str) -> Iterator[tuple[str, str]]:
    """What must stay together, and what stands before it on the same line."""
    for word in text.split(" "):
        for index, part in enumerate(word.split(MAY_BREAK)):
            yield part, "" if index else " "


def _width(text: str, face: ImageFont.FreeTypeFont) -> int:
    left, _, right, _ = face.getbbox(text, mode="1", anchor="ls")
    return int(right - left)


def _placed(lines: list[str], width: int, height: int, face: ImageFont.FreeTypeFont, align: str) -> tuple[Line, ...] | None:
    """Baselines so that the ink, not the font's own line height, is centred; None if it is too high."""
    boxes = [face.getbbox(line, mode="1", anchor="ls") for line in lines]
    gap = max(1, int(face.size) // 8)
    drops = [0]
    for above, below in itertools.pairwise(boxes):
        drops.append(drops[-1] + int(max(above[3] - below[1] + gap, face.size * 0.95)))
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
    face = legible(text, weight, SMALLEST)
    for shorter in _beginnings(text):
        lines = _wrapped(shorter, width, face)
        placed = lines and _placed(lines, width, height, face, align)
        if placed:
            return placed
    return ()


def _beginnings(text: str) -> Iterator[str]:
    for end in range(len(text), -1, -1):
        yield text[:end].rstrip() + "…"
