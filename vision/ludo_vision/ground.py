"""The printed board in the working picture: what kind of print each pixel belongs to, its white, and its palettes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from . import palette
from .light import Floats, Mask, smooth_gain, spread
from .plan import Plan, Spot
from .pose import View

Kinds = NDArray[np.int16]

OUTSIDE, BOARD = 0, 1  # beyond the grid; between the places. Then follow the kinds of places
WHITE = 0.8  # of full light: where the board's brightest print is put, so that highlights still fit
_OWN, _LIKE, _BOARD = 0.5, 0.3, 0.2  # a kind of print is mostly its own shades, those of its likes, a little the whole board's


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The kind of print of every working pixel (h, w), and for each kind the kinds that are printed alike.

    Plain squares that a quarter turn of the board brings onto one another are one kind (the star squares, say): boards are printed
    with fourfold symmetry. The squares, the yard and the finish of a seat are a kind each; yard and finish are printed in the ink of
    its squares, of which more is seen bare.
    """

    kinds: Kinds
    alike: tuple[tuple[int, ...], ...]


def ground_of(plan: Plan, view: View) -> Ground:
    kinds = np.full((view.size[1], view.size[0]), OUTSIDE, dtype=np.int16)
    n = float(plan.size)
    draw(kinds, view, ((0, 0), (n, 0), (n, n), (0, n)), BOARD)
    known = _kinds(plan)
    plain: list[int] = []
    for spot in _in_order(plan):
        kind = known[_print_of(spot, n)]
        if spot.seat is None and kind not in plain:
            plain.append(kind)
        draw(kinds, view, spot.outline, kind)
    alike = [(kind,) if kind not in plain else tuple(plain) for kind in range(len(known) + 2)]
    for (of, seat), kind in known.items():
        if of in ("yard", "finish") and ("square", seat) in known:
            alike[kind] = (kind, kind, known["square", seat])  # mostly its own: its frame and its ground are other shades
    return Ground(kinds, tuple(alike))


def kinds_of(plan: Plan) -> int:
    """How many kinds of print a board has."""
    return len(_kinds(plan)) + 2


def _kinds(plan: Plan) -> dict[tuple[object, object], int]:
    """The number of each print of places."""
    known: dict[tuple[object, object], int] = {}
    for spot in _in_order(plan):
        known.setdefault(_print_of(spot, float(plan.size)), len(known) + 2)
    return known


def _in_order(plan: Plan) -> list[Spot]:
    """Spots as they are drawn over one another."""
    order = {"yard": 0, "finish": 1, "square": 2}
    return sorted(plan.spots, key=lambda spot: order[spot.kind])


def _print_of(spot: Spot, n: float) -> tuple[object, object]:
    return (spot.kind, spot.seat) if spot.seat is not None else _orbit(spot.centre, n)


def _orbit(centre: tuple[float, float], n: float) -> tuple[float, float]:
    """What four places that quarter turns bring onto one another have in common."""
    x, y = centre
    return min((round(a, 2), round(b, 2)) for a, b in ((x, y), (n - y, x), (n - x, n - y), (y, n - x)))


def draw(canvas: NDArray[np.int16], view: View, outline: tuple[tuple[float, float], ...], value: int) -> None:
    """Fill a polygon given in board squares."""
    pixels = np.round(view.feet(list(outline)) * 16).astype(np.int32)
    cv2.fillPoly(canvas, [pixels], int(value), shift=4)


def white_of(light: Floats, plan: Plan, view: View, usable: Mask, occupied: set[int]) -> Floats:
    """What linear light must be multiplied by so that plain print is an even white: a smooth field, for `light.spread`.

    Each free plain square gives the median of its brightest two fifths; shades of print that is not white (wood, a dark board)
    only give the field its shape, the board's brightest shades its level.
    """
    values, places = [], []
    for index, spot in enumerate(plan.spots):
        if spot.kind != "square" or spot.seat is not None or index in occupied:
            continue
        x, y = view.feet([spot.centre])[0]
        reach = max(2, round(0.36 * view.square))
        rows, columns = slice(max(0, int(y) - reach), int(y) + reach + 1), slice(max(0, int(x) - reach), int(x) + reach + 1)
        patch = light[rows, columns][usable[rows, columns]]
        if len(patch) < 12:
            continue
        order = np.argsort(patch.sum(axis=1), kind="stable")
        values.append(np.log(np.maximum(np.median(patch[order[len(order) * 3 // 5 :]], axis=0), 1e-4)))
        places.append((x, y))
    if len(values) < 6:
        return np.full((1, 1, 3), WHITE / max(1e-4, float(np.percentile(light[usable], 97))), dtype=np.float32)
    white = smooth_gain(-np.array(values, dtype=np.float64), np.array(places), np.ones(len(values)), view.size)
    even = light * spread(white, light)
    board = even[usable & board_mask(plan, view)]
    top = float(np.percentile(board.mean(axis=1), 97)) if len(board) else 1.0
    return np.asarray(white * np.float32(WHITE / max(top, 1e-3)), dtype=np.float32)


def board_mask(plan: Plan, view: View) -> Mask:
    """The pixels (h, w) of the printed grid."""
    canvas = np.zeros((view.size[1], view.size[0]), dtype=np.int16)
    n = float(plan.size)
    draw(canvas, view, ((0, 0), (n, 0), (n, n), (0, n)), 1)
    return np.asarray(canvas > 0)


def print_counts(ground: Ground, cells: palette.Indices, free: Mask) -> tuple[NDArray[np.float64], ...]:
    """How often each shade occurs in every kind of print, where no token stands."""
    return tuple(palette.count(cells[free & (ground.kinds == kind)]) for kind in range(len(ground.alike)))


def print_palettes(ground: Ground, own: Sequence[NDArray[np.float64]]) -> Floats:
    """Log densities (kinds, cells) of every kind of print, from what was counted of each."""
    board = np.sum(own[BOARD:], axis=0)
    return np.stack([
        palette.log_density(palette.mixed([(_OWN, own[kind]), (_LIKE, np.sum([own[k] for k in alike], axis=0)), (_BOARD, board)]))
        for kind, alike in enumerate(ground.alike)])


def supposed_shades(plan: Plan, view: View, cells: palette.Indices, seen: Mask, seat: int) -> NDArray[np.float64]:
    """The shades (cells,) that a seat's tokens are supposed to have before any was seen: those its colour's name covers, the seat's
    print foremost, as a picture (h, w) of shades shows it."""
    named = palette.named(plan.colours[seat])
    canvas = np.zeros(cells.shape, dtype=np.int16)
    for outline in sorted({spot.outline for spot in plan.spots if spot.seat == seat}):
        draw(canvas, view, outline, 1)
    printed = palette.count(cells[(canvas > 0) & seen])
    return palette.mixed([(0.5, named), (0.5, printed * (named > 0.1 * named.max()))])
