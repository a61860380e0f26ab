"""Tells full yards from empty ones in a single picture, nobody knowing how either is printed.

Print repeats itself when a yard is turned about its middle, and from yard to yard when the board is turned. Tokens do not: each leans
and is lit its own way there, and people do not set them down to the hair. But in the picture a seat's tokens look like one another, which
print beside them does not. Four such tokens make a full yard; three, one that lacks a token or has one of another colour; anything else
is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .beside_three import beside_three
from .plan import Plan
from .pose import View
from .reading import Look
from .shape import Shape, family
from .yard_sight import MUCH, Part, YardSight
from .yard_tokens import (
    APART,
    CLEAR,
    EXACT,
    INNER,
    LOOSE,
    NEAR,
    SEEN,
    SPREAD,
    TOKENS,
    UNLIKEST,
    Kernel,
    Pixel,
    Standing,
    Yard,
    alike,
    differences,
    flat,
    inside,
    kernel_of,
    points_on_board,
    settled,
    stand,
    unlikeness,
)

_BESIDE = 0.5  # as unlike as the yard beside it a token may be to the one most like it: flat print is like all around it
_KIN = 1.5  # times as unlike the odd one of four that are faint may be as the second odd
_SETTLED_UNLIKEST, _FAINT_UNLIKEST = 12.0, 6.0  # Lab: tokens that stand out little must look the more alike
_FAINT = 0.1  # worth per pixel of the least of four
_GHOST = -0.75  # worth of four where any like place may speak for print: what nothing but the tokens elsewhere makes look odd
_PICTURED = 0.42  # of a yard that stands out: more, and it is a picture, printed nowhere else, or under a lamp's mirror image
_STRONG, _CLEAN = 0.6, -0.35  # worth of the tokens of full yards, and of the best place of one that is empty beside them


def full_yards(plan: Plan, view: View, look: Look) -> tuple[Yard, ...]:
    """What the picture shows in each seat's yard."""
    sight = YardSight(plan, view, look)
    parts = [sight.part(seat) for seat in range(len(plan.yards))]
    shape, standing = _best_shape(view, parts)
    judged = [_judge(view, shape, part, tokens) for part, tokens in zip(parts, standing, strict=True)]
    clear = [float(np.median([worth for worth, _ in tokens[:TOKENS]]))
             for yard, tokens in zip(judged, standing, strict=True) if yard.count]
    if not clear or min(clear) < _STRONG:
        return tuple(replace(yard, odd=_is_odd(kernel_of(view, shape, part.middle), part, tokens))
                     for yard, part, tokens in zip(judged, parts, standing, strict=True))
    return tuple(Yard(0) if yard.count is None and max(worth for worth, _ in tokens) < _CLEAN else yard
                 for yard, tokens in zip(judged, standing, strict=True))


def _is_odd(kernel: Kernel, part: Part, tokens: Standing) -> bool:
    """Whether a place stands out beside each like one, where most of the yard does not."""
    least = kernel.mean(part.least)
    return part.strange < _PICTURED and any(worth > CLEAR and least[y, x] > CLEAR for worth, (x, y) in tokens)


def _shapes() -> list[Shape]:
    """A few of the family: which of its finer ones it is makes no difference here."""
    plain = [Shape(((radius, 0.0), (radius, 0.25 * height), (radius * top, height)))
             for radius in (0.26, 0.32, 0.38) for height, top in ((0.2, 0.9), (0.4, 0.62), (1.0, 0.5))]
    return plain + [shape for shape in family() if len(shape.rings) > 3 and shape.height in (0.9, 1.3)]


def _best_shape(view: View, parts: Sequence[Part]) -> tuple[Shape, list[Standing]]:
    """The shape of which up to four tokens in each yard explain most, and where they stand."""
    best: tuple[float, Shape, list[Standing]] | None = None
    for shape in _shapes():
        kernels = [kernel_of(view, shape, part.middle) for part in parts]
        standing = [stand(part, kernel, APART * shape.radius * view.square) for part, kernel in zip(parts, kernels, strict=True)]
        total = sum(float(kernel.pixels.sum()) * max(0.0, worth)
                    for kernel, tokens in zip(kernels, standing, strict=True) for worth, _ in tokens[:TOKENS])
        if best is None or total > best[0]:
            best = total, shape, standing
    assert best is not None
    return best[1], best[2]


def _judge(view: View, shape: Shape, part: Part, standing: Standing) -> Yard:
    """Whether a yard has four tokens: places that look alike as no fifth does, or that stand out and look alike; or three, beside what."""
    if part.strange > _PICTURED:
        return Yard(None)
    kernel = kernel_of(view, shape.slimmer(INNER), part.middle)
    tokens = [(worth, foot) for worth, foot in standing[:TOKENS] if worth > 0]
    clear = [foot for worth, foot in tokens if worth >= SEEN]
    near = NEAR * shape.radius * view.square
    feet = settled(part, kernel, clear, near, TOKENS, _SETTLED_UNLIKEST) or _standing_alike(part, kernel, tokens)
    return _full(view, shape, part, kernel, feet) if feet else beside_three(view, shape, part, kernel, standing)


def _standing_alike(part: Part, kernel: Kernel, tokens: Standing) -> list[Pixel]:
    """The four tokens that stand out, if they look like one another and not like the yard around them."""
    if len(tokens) < TOKENS or tokens[-1][0] < _FAINT:
        return []
    feet, clear = [foot for _, foot in tokens], tokens[-1][0] > CLEAR
    least = kernel.mean(part.least)
    if np.mean([least[y, x] for x, y in feet]) < _GHOST or not (clear or tokens[-2][0] > _STRONG):
        return []
    beside = float(np.median(unlikeness(part, kernel, feet[0])[part.mask]))
    unlike = differences(part.lab, kernel, feet)
    bounds = (UNLIKEST, SPREAD) if clear else (_FAINT_UNLIKEST, _KIN)
    return feet if alike(unlike, *bounds) and sorted(unlike[0])[1] < _BESIDE * beside else []


def _full(view: View, shape: Shape, part: Part, kernel: Kernel, feet: Sequence[Pixel]) -> Yard:
    """A yard with tokens at these feet; what lies in a perfect square may be printed, unless it touches where none of its like does."""
    least, (off, side) = kernel.mean(part.least), _square(points_on_board(view, part, kernel, feet))
    loose = side > LOOSE * shape.radius or np.mean([least[y, x] for x, y in feet]) < 0
    if off < EXACT and loose:
        return Yard(None)
    pixels = [inside(kernel.at(foot), part.mask.shape) for foot in feet]
    every = np.concatenate(pixels)
    shown = every[part.evidence[every[:, 1], every[:, 0]] >= MUCH]
    return Yard(TOKENS, tuple(flat(view, part, token) for token in pixels), flat(view, part, shown))


def _square(points: NDArray[np.complex128]) -> tuple[float, float]:
    """How far four points are from a perfect square, root mean square, and its side."""
    away = points - points.mean()
    away = away[np.argsort(np.angle(away))]
    turns = 1j ** np.arange(TOKENS)
    corner = (away / turns).mean()
    return float(np.sqrt((np.abs(away - corner * turns) ** 2).mean())), float(abs(corner) * np.sqrt(2))
