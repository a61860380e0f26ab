"""Signs that a child reads before the words: what hides the table, which way a token goes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image

from .shapes import Pen, stamp


def _hand(pen: Pen, unit: float) -> None:
    for finger, (left, top) in enumerate(((0.2, 0.2), (0.36, 0.08), (0.52, 0.06), (0.68, 0.16))):
        right = left + 0.13
        pen.rounded_rectangle((left * unit, top * unit, right * unit, 0.7 * unit), radius=0.065 * unit, fill=255)
        if finger:
            pen.line((left * unit - 0.012 * unit, 0.2 * unit, left * unit - 0.012 * unit, 0.46 * unit), fill=0, width=int(0.035 * unit))
    pen.rounded_rectangle((0.2 * unit, 0.5 * unit, 0.81 * unit, 0.97 * unit), radius=0.2 * unit, fill=255)
    pen.polygon([(0.3 * unit, 0.9 * unit), (0.02 * unit, 0.6 * unit), (0.1 * unit, 0.5 * unit), (0.3 * unit, 0.64 * unit)], fill=255)


def _bulb(pen: Pen, unit: float) -> None:
    pen.ellipse((0.24 * unit, 0.16 * unit, 0.76 * unit, 0.68 * unit), fill=255)
    pen.polygon([(0.34 * unit, 0.6 * unit), (0.66 * unit, 0.6 * unit), (0.62 * unit, 0.78 * unit), (0.38 * unit, 0.78 * unit)], fill=255)
    pen.rectangle((0.4 * unit, 0.82 * unit, 0.6 * unit, 0.94 * unit), fill=255)


def _dark(pen: Pen, unit: float) -> None:
    _bulb(pen, unit)
    _stroke(pen, unit)


def _glare(pen: Pen, unit: float) -> None:
    _bulb(pen, unit)
    for degrees in (-150, -120, -90, -60, -30, 0, 180):
        turn = math.radians(degrees)
        across, down = math.cos(turn), math.sin(turn)
        near, far = 0.33, 0.46
        ends = [(0.5 + reach * across) * unit for reach in (near, far)], [(0.42 + reach * down) * unit for reach in (near, far)]
        pen.line((ends[0][0], ends[1][0], ends[0][1], ends[1][1]), fill=255, width=int(0.07 * unit))


def _eye(pen: Pen, unit: float) -> None:
    lens = [(0.02 + 0.96 * step / 40, math.sin(math.pi * step / 40)) for step in range(41)]
    upper = [(x * unit, (0.5 - 0.3 * lift) * unit) for x, lift in lens]
    lower = [(x * unit, (0.5 + 0.3 * lift) * unit) for x, lift in reversed(lens)]
    pen.polygon(upper + lower, fill=255)
    inner = [(0.5 + (x - 0.5) * 0.8, lift) for x, lift in lens]
    pen.polygon(
        [(x * unit, (0.5 - 0.21 * lift) * unit) for x, lift in inner]
        + [(x * unit, (0.5 + 0.21 * lift) * unit) for x, lift in reversed(inner)],
        fill=0,
    )
    pen.ellipse((0.36 * unit, 0.36 * unit, 0.64 * unit, 0.64 * unit), fill=255)


def _no_eye(pen: Pen, unit: float) -> None:
    _eye(pen, unit)
    _stroke(pen, unit)


def _stroke(pen: Pen, unit: float) -> None:
    """Crosses out what was drawn."""
    for fill, width in ((0, 0.18), (255, 0.08)):
        pen.line((0.1 * unit, 0.94 * unit, 0.9 * unit, 0.06 * unit), fill=fill, width=int(width * unit))


def _camera(pen: Pen, unit: float) -> None:
    pen.rounded_rectangle((0.03 * unit, 0.28 * unit, 0.97 * unit, 0.86 * unit), radius=0.08 * unit, fill=255)
    pen.rectangle((0.3 * unit, 0.16 * unit, 0.6 * unit, 0.34 * unit), fill=255)
    pen.ellipse((0.3 * unit, 0.36 * unit, 0.7 * unit, 0.76 * unit), fill=0)
    pen.ellipse((0.4 * unit, 0.46 * unit, 0.6 * unit, 0.66 * unit), fill=255)


def _between(pen: Pen, unit: float) -> None:
    for left in (0.02, 0.52):
        pen.rectangle((left * unit, 0.3 * unit, (left + 0.46) * unit, 0.76 * unit), outline=255, width=int(0.06 * unit))
    pen.ellipse((0.28 * unit, 0.3 * unit, 0.72 * unit, 0.74 * unit), fill=0)
    pen.ellipse((0.33 * unit, 0.35 * unit, 0.67 * unit, 0.69 * unit), fill=255)


def _board(pen: Pen, unit: float) -> None:
    def turned(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        turn = math.radians(20)
        return [
            ((0.5 + (x - 0.5) * math.cos(turn) - (y - 0.5) * math.sin(turn)) * unit,
             (0.5 + (x - 0.5) * math.sin(turn) + (y - 0.5) * math.cos(turn)) * unit)
            for x, y in points
        ]  # fmt: skip

    def square(left: float, top: float, right: float, bottom: float, fill: int) -> None:
        pen.polygon(turned(((left, top), (right, top), (right, bottom), (left, bottom))), fill=fill)

    square(0.14, 0.14, 0.86, 0.86, 255)
    for left in (0.2, 0.56):
        for top in (0.2, 0.56):
            square(left, top, left + 0.24, top + 0.24, 0)


def _back(pen: Pen, unit: float) -> None:
    width = int(0.16 * unit)
    pen.arc((0.3 * unit, 0.24 * unit, 0.94 * unit, 0.88 * unit), start=-95, end=90, fill=255, width=width)
    pen.rectangle((0.26 * unit, 0.72 * unit, 0.62 * unit, 0.88 * unit), fill=255)
    pen.rectangle((0.34 * unit, 0.24 * unit, 0.62 * unit, 0.4 * unit), fill=255)
    pen.polygon([(0.02 * unit, 0.32 * unit), (0.38 * unit, 0.06 * unit), (0.38 * unit, 0.58 * unit)], fill=255)


def _on(pen: Pen, unit: float) -> None:
    pen.rectangle((0.06 * unit, 0.4 * unit, 0.6 * unit, 0.6 * unit), fill=255)
    pen.polygon([(0.98 * unit, 0.5 * unit), (0.54 * unit, 0.18 * unit), (0.54 * unit, 0.82 * unit)], fill=255)


def _not_kept(pen: Pen, unit: float) -> None:
    """A written page, crossed out."""
    pen.rectangle((0.2 * unit, 0.06 * unit, 0.8 * unit, 0.94 * unit), fill=255)
    for top in (0.2, 0.38, 0.56, 0.74):
        pen.rectangle((0.3 * unit, top * unit, 0.7 * unit, (top + 0.07) * unit), fill=0)
    _stroke(pen, unit)


ICONS: dict[str, Callable[[Pen, float], None]] = {
    "covered": _hand,
    "light": _dark,
    "blur": _camera,
    "glare": _glare,
    "token_between": _between,
    "no_camera": _no_eye,
    "camera_lost": _no_eye,
    "board_moved": _board,
    "looking": _eye,
    "back": _back,
    "on": _on,
    "not_kept": _not_kept,
}


@lru_cache(maxsize=64)
def icon(name: str, side: int) -> Image.Image:
    """A sign as a square 1-bit stamp."""
    return stamp(side, ICONS[name])
