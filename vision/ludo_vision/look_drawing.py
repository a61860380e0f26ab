"""Draws what was read on the picture, large enough to be checked from a chair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from .plan import Plan
from .pose import Picture

if TYPE_CHECKING:
    from .look import Look

INKS = {"red": (40, 40, 230), "green": (60, 170, 40), "yellow": (0, 215, 255), "blue": (230, 110, 30), "black": (30, 30, 30),
        "orange": (0, 140, 255), "purple": (190, 60, 150), "violet": (190, 60, 150), "pink": (190, 140, 255), "white": (250, 250, 250)}
_LEAST_SIDE = 1400  # pixels: smaller pictures are enlarged, or nothing could be read


def draw_overlay(picture: Picture, plan: Plan, look: Look) -> Picture:
    """The picture (h, w, 3), enlarged when small, with the grid, the places, the tokens as read and what is unclear."""
    scale = max(1.0, _LEAST_SIDE / max(picture.shape[:2]))
    canvas = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    side = look.registration.square_pixels() * scale
    thin = max(1, round(side / 40))

    def pixels(points: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.asarray((look.registration.to_pixels(np.asarray(points, dtype=np.float64)) + 0.5) * scale - 0.5)

    for spot in plan.spots:
        outline = np.round(pixels(spot.outline) * 16).astype(np.int32)
        cv2.polylines(canvas, [outline], True, (255, 0, 255), thin, cv2.LINE_AA, 4)
    n = plan.size
    grid = np.round(pixels([(0, 0), (n, 0), (n, n), (0, n)]) * 16).astype(np.int32)
    cv2.polylines(canvas, [grid], True, (255, 255, 0), 2 * thin, cv2.LINE_AA, 4)
    for seat, corner in enumerate(look.registration.corners(plan)):
        _label(canvas, "ABCD"[seat], (np.array(corner) + 0.5) * scale, side, INKS.get(plan.colours[seat], (200, 200, 200)))
    for (row, column), why in look.unclear:
        at = pixels([(column + 0.5, row + 0.5)])[0]
        _label(canvas, f"? {why}", at, 0.45 * side, (0, 0, 0))
    for stand in look.stands:
        at = pixels([plan.spots[stand.spot].centre])[0]
        ink = INKS.get(plan.colours[stand.seat], (200, 200, 200))
        cv2.circle(canvas, (round(at[0]), round(at[1])), round(0.45 * side), (255, 255, 255), 4 * thin, cv2.LINE_AA)
        cv2.circle(canvas, (round(at[0]), round(at[1])), round(0.45 * side), ink, 2 * thin, cv2.LINE_AA)
        text = f"{round(100 * stand.p)}%" if stand.count == 1 else f"{stand.count}x {round(100 * stand.p)}%"
        _label(canvas, text, at + np.array((0, 0.75 * side)), 0.5 * side, ink)
    for seat, count in enumerate(look.in_yard):
        at = pixels([plan.spots[plan.yards[seat]].centre])[0]
        _label(canvas, "?" if count is None else str(count), at, 1.6 * side, INKS.get(plan.colours[seat], (200, 200, 200)))
    return canvas


def _label(canvas: Picture, text: str, centre: np.ndarray[tuple[int, ...], np.dtype[np.float64]], height: float,
           ink: tuple[int, int, int]) -> None:
    """Text about a point, `height` pixels tall, on a plate of the contrary tone."""
    font, scale = cv2.FONT_HERSHEY_SIMPLEX, max(0.35, height / 30)
    weight = max(1, round(2.2 * scale))
    (width, tall), under = cv2.getTextSize(text, font, scale, weight)
    left, base = round(centre[0] - width / 2), round(centre[1] + tall / 2)
    plate = (20, 20, 20) if sum(ink) > 330 else (245, 245, 245)
    cv2.rectangle(canvas, (left - 3, base - tall - 3), (left + width + 3, base + under), plate, -1)
    cv2.putText(canvas, text, (left, base), font, scale, ink, weight, cv2.LINE_AA)
