"""What one still picture says about every pixel: is it as it was, is it bare print, is it a token of this or that colour?

All values are natural logarithms of likelihoods, or differences of them; all pictures are working pictures, light compensated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats, Mask

Indices = NDArray[np.int32]

MOST = 7.0  # no single pixel may say more, for or against
CHANGED = -13.6  # the log density, in Lab, of a shade when all that is known is that something else is there now
UNEXPLAINED = 3.0  # what a change that nothing explains costs: the logarithm of how rare it is
NOISE = np.array([0.9, 0.8, 0.9], dtype=np.float32)  # of Lab in a good picture; the picture's own noise is measured
_NOISE_LEVELS = 8  # of lightness, each an eighth of the board's pixels
_BELIED, _MENDING = 1.5, 2.0  # how much better a claim must fit an unchanged colour than what was accepted, and what it then gets
_EDGE = 0.3  # pixels of error in bringing two pictures together: what an edge makes of it is no change
_SHADOW_CHANCE = math.log(0.12)
_SHADOW_LIGHTNESS = math.log(1 / 60)  # a shadow may be of any depth
_DARKEST, _BRIGHTEST = 0.70, 1.17  # the cube roots of .35 and 1.6: how light scales Lab's axes


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A working picture made ready: whitened `lab`, its palette `cells`, and pixels that tell nothing (`blind`)."""

    light: Floats
    lab: Floats
    cells: Indices
    blind: Mask


def noise_between(new: Floats, old: Floats, usable: Mask) -> Floats:
    """The noise of the difference of two Lab pictures, from the pixels that did not change, for every pixel (h, w, 3) by its
    lightness (or (3,) where too little is seen): Lab stretches the dark, and a camera's noise with it."""
    seen = usable[::2, ::2]
    step, lightness = np.abs(new - old)[::2, ::2][seen], old[::2, ::2, 0][seen]
    if len(step) < _NOISE_LEVELS * 100:
        return NOISE
    levels = np.array_split(np.argsort(lightness, kind="stable"), _NOISE_LEVELS)
    at = [float(np.median(lightness[level])) for level in levels]
    noise = np.array([np.maximum(NOISE, 1.4826 * np.median(step[level], axis=0)) for level in levels])
    table = np.stack([np.interp(np.arange(102), at, noise[:, channel]) for channel in range(3)], axis=1).astype(np.float32)
    return np.asarray(table[np.clip(old[..., 0], 0, 101).astype(np.uint8)])


def roughness(lab: Floats) -> Floats:
    """The gradient (h, w, 3) of a Lab picture per pixel: how far a small shift would change it."""
    across = cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    along = cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return np.asarray(np.sqrt(across * across + along * along), dtype=np.float32)


def sameness(new: Floats, old: Floats, rough: Floats, noise: Floats) -> Floats:
    """Log likelihood (h, w) of seeing `new` where `old` was, nothing having changed but perhaps a shadow come or gone.

    A shadow scales linear light, so in Lab it scales (L + 16, a, b) by one factor (CIE 15: all three are differences of cube
    roots); the print's texture stays.
    """
    off = new - old
    variance = rough * rough * np.float32(_EDGE**2) + (np.float32(1.69) * noise * noise)
    quotient = off * off / variance
    size = np.ascontiguousarray(variance[..., 0] * variance[..., 1] * variance[..., 2])
    plain = np.asarray(-0.5 * (quotient[..., 0] + quotient[..., 1] + quotient[..., 2] + cv2.log(size)) - 1.5 * math.log(2 * math.pi),
                       dtype=np.float32)
    other = plain < CHANGED + 4  # only there can a shadow be the better explanation
    if other.any():
        plain[other] = np.maximum(plain[other], _shadowed(new, old, np.sqrt(variance[other]), other, 0.0))
    return np.maximum(plain, np.float32(CHANGED - UNEXPLAINED))


def changed_for_sure(same: Floats, new: Floats, old: Floats) -> Floats:
    """How sure it is (0..1) that each pixel is something else than before; a shadow, even one of another tint, is not.

    Beside a lamp the daylight fills shadows with blue: colour may shift the more the darker it gets.
    """
    open_ = same < CHANGED + 4
    best = same.copy()
    if open_.any():
        noise = np.broadcast_to(2 * NOISE, (int(open_.sum()), 3))
        best[open_] = np.maximum(best[open_], _shadowed(new, old, noise, open_, 1.0))
    return np.asarray(1 / (1 + np.exp(np.clip(2 * (best - (CHANGED + 1.5)), -30, 30))), dtype=np.float32)


def _shadowed(new: Floats, old: Floats, spread: Floats, where: Mask, tint: float) -> Floats:
    """Log likelihood of the pixels `where` being the old ones in another shadow; `tint`: how much its colour may differ."""
    lightness = new[..., 0] + 16
    factor = lightness / (old[..., 0] + 16)
    bounded = np.clip(factor, _DARKEST, _BRIGHTEST)
    local = cv2.blur(bounded, (5, 5))[where]
    factor, bounded = factor[where], bounded[where]
    new, old = new[where], old[where]
    texture = (factor - local) * (old[:, 0] + 16) / (2 * spread[:, 0] + 1.5)
    depth = tint * np.abs(1 - bounded)
    wide_a, wide_b = spread[:, 1] + 1.0 + 20 * depth, spread[:, 2] + 1.5 + 45 * depth
    a, b = (new[:, 1] - bounded * old[:, 1]) / wide_a, (new[:, 2] - bounded * old[:, 2]) / wide_b
    return np.asarray(-0.5 * (a * a + b * b + np.minimum(texture * texture, 9)) - np.log(wide_a * wide_b) - math.log(2 * math.pi)
                      + _SHADOW_LIGHTNESS + _SHADOW_CHANCE - 40 * np.abs(factor - bounded), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How much better each claim explains each pixel than "nothing changed here" does; flat arrays of the working picture.

    `bare`: the print shows; `token[seat]`: a token of that seat does. `changed`: how sure it is that the pixel is not as it was (0..1).
    `touched`: 1 where the pixel is not what it was, but for the shadows of this light.
    `unlike[seat]`: what speaks against a token of that seat having been there before (0 or less).
    """

    bare: Floats
    token: dict[int, Floats]
    changed: Floats
    touched: Floats
    unlike: dict[int, Floats]


def weigh(same: Floats, changed: Floats, bare: Floats, bare_palette: Floats, tokens: dict[int, Floats], unlike: dict[int, Floats],
          labels: NDArray[np.int16], seats: list[int], blind: Mask) -> Evidence:
    """The evidence of a picture, from log likelihoods (flat arrays) of its pixels.

    `labels`: which accepted token each pixel showed (-1: none), `seats[label]` its seat. Where a pixel has not changed, a claim
    is held against it only as far as the old colour does not fit the claim: a red token on red print changes next to nothing. And where
    the colour belies what was accepted, the claim that it fits is given something: what was misread once can be mended.
    """
    before = bare_palette.copy()
    for label, seat in enumerate(seats):
        shown = labels == label
        before[shown] = tokens[seat][shown]

    def against(claim: Floats, by_colour: Floats) -> Floats:
        fits_better = by_colour - before
        belied = np.clip(fits_better - _BELIED, 0, _MENDING)
        value = np.maximum(claim - same, np.minimum(fits_better, 0) + belied)
        value[blind] = 0
        return np.asarray(np.clip(value, -MOST, MOST), dtype=np.float32)

    changed = np.where(blind, np.float32(0), changed)
    return Evidence(against(np.maximum(bare, bare_palette), bare_palette), {s: against(t, t) for s, t in tokens.items()},
                    changed, (same < CHANGED + 3).astype(np.float32), unlike)
