"""How likely each pixel of a single picture is bare print: by its shade, and by the like places of the board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from . import palette, reading
from .ground import BOARD, Ground, draw
from .light import Floats, Mask
from .plan import Plan
from .pose import View
from .reading import CHANGED, NOISE, roughness, sameness

_USUAL = 0.6  # of like places, by how little they show of a shade: what these show of it is print, not a token on one of them
_OWN, _LIKE, _BOARD = 0.6, 0.25, 0.15
_LOOSE = 2.0  # prints of like places agree to a part of a pixel: edges may differ by so many times what two pictures of one place do
_BY_SHADE = 2.5  # what print of a usual shade is held less likely for, where the like places look otherwise
_TURNS = 3
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2))


def print_palettes(plan: Plan, view: View, ground: Ground, cells: palette.Indices, blind: Mask) -> Floats:
    """Log densities (kinds, cells) of every kind of print, while nobody knows where tokens stand.

    Most places of a kind are empty: a shade counts by what the barer of the like places show of it.
    """
    places: dict[int, list[NDArray[np.float64]]] = {}
    canvas = np.full(ground.kinds.shape, -1, dtype=np.int16)
    for index, spot in enumerate(plan.spots):
        if spot.kind == "square":
            draw(canvas, view, spot.outline, index)
    for index, spot in enumerate(plan.spots):
        seen = (canvas == index) & ~blind
        if spot.kind == "square" and seen.sum() > 20:
            kind = int(np.bincount(ground.kinds[seen]).argmax())
            places.setdefault(kind, []).append(palette.count(cells[seen]) / seen.sum())
    usual = {kind: _usual(np.array(shares)) for kind, shares in places.items()}
    whole = [palette.count(cells[(ground.kinds == kind) & ~blind]) for kind in range(len(ground.alike))]
    board = np.sum(list(usual.values()), axis=0) if usual else np.sum(whole[BOARD:], axis=0)
    result = []
    for kind, alike in enumerate(ground.alike):
        own = usual.get(kind, whole[kind])
        shares = [share for other in alike for share in places.get(other, [])]
        like = _usual(np.array(shares)) if shares else own
        result.append(palette.log_density(palette.mixed([(_OWN, own), (_LIKE, like), (_BOARD, board)])))
    return np.stack(result)


def _usual(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of every shade, what the places (N, cells) show that show least of it."""
    ranked = np.sort(shares, axis=0)
    kept = max(1, round(_USUAL * len(shares)))
    return np.asarray(ranked[:kept].mean(axis=0) + 1e-9)


def bare_likelihood(view: View, ground: Ground, look: reading.Look, prints: Floats) -> Floats:
    """Log likelihood (h, w) of every pixel being bare print.

    Boards are printed with fourfold symmetry: a plain pixel should look like those that quarter turns bring it to, a seat's like
    its neighbours' of the same print. It must agree with most of these; a shade that is merely usual there counts less.
    """
    by_shade = prints[ground.kinds, look.cells]
    board = _board_points(view)
    n = float(view.registration.size)
    agreeing: list[Floats] = []
    for x, y in ((n - board[..., 1], board[..., 0]), (n - board[..., 0], n - board[..., 1]), (board[..., 1], n - board[..., 0])):
        agreeing.append(_agreement(view, ground, look, np.stack([x, y], axis=-1)))
    for dx, dy in _STEPS:
        agreeing.append(_agreement(view, ground, look, board + np.array([dx, dy], dtype=np.float64)))
    stack = np.stack(agreeing)
    known = np.isfinite(stack)
    # The second best opinion: one like place may hold the same token, two seldom do.
    stack = np.where(known, stack, -np.inf)
    ranked = -np.sort(-stack, axis=0)
    second = np.where(known.sum(axis=0) > 1, ranked[1], ranked[0])
    alike = np.where(np.isfinite(second), second, by_shade)
    return np.asarray(np.maximum(alike, by_shade - _BY_SHADE), dtype=np.float32)


def against_empty(look: reading.Look, empty: reading.Look) -> Floats:
    """Log likelihood (h, w) of every pixel looking as in a picture of the empty board."""
    usable = ~look.blind & ~empty.blind
    noise = reading.noise_between(look.lab, empty.lab, usable)
    return sameness(look.lab, empty.lab, roughness(empty.lab) * np.float32(_LOOSE), noise)


def _board_points(view: View) -> NDArray[np.float64]:
    """The board point (h, w, 2), in squares, of every working pixel."""
    x, y = np.meshgrid(np.arange(view.size[0], dtype=np.float64), np.arange(view.size[1], dtype=np.float64))
    pixels = np.stack([x, y], axis=-1).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(pixels, np.linalg.inv(view.homography)), dtype=np.float64).reshape(*x.shape, 2)


def _agreement(view: View, ground: Ground, look: reading.Look, other: NDArray[np.float64]) -> Floats:
    """How well every pixel agrees with what the picture shows at another board point; -inf where that is another kind of print."""
    at = cv2.perspectiveTransform(other.reshape(-1, 1, 2), view.homography).reshape(*other.shape).astype(np.float32)
    there = cv2.remap(look.lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    kinds = cv2.remap(ground.kinds, at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    blind = cv2.remap(look.blind.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=1)
    rough = np.asarray(np.maximum(roughness(there), roughness(look.lab)), dtype=np.float32) * np.float32(_LOOSE)
    same = sameness(look.lab, np.asarray(there, dtype=np.float32), rough, NOISE * np.float32(2))
    useful = (kinds == ground.kinds) & (ground.kinds > BOARD) & (blind == 0)
    return np.asarray(np.where(useful, np.maximum(same, CHANGED - 2), -np.inf), dtype=np.float32)
