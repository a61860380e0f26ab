"""What one still picture says about every pixel: is it as it was, is it bare print, is it a token of this or that colour?

All values are natural logarithms of likelihoods, or differences of them; all pictures are working pictures, light compensated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from . import palette
from .light import Floats, Mask, change_of_light, coarse, lab, spread
from .pose import Blocks

Indices = NDArray[np.int32]

MOST = 7.0  # no single pixel may say more, for or against
CHANGED = -13.6  # the log density, in Lab, of a shade when all that is known is that something else is there now
UNEXPLAINED = 3.0  # what a change that nothing explains costs: the logarithm of how rare it is
NOISE = np.array([0.9, 0.8, 0.9], dtype=np.float32)  # of Lab in a good picture; the picture's own noise is measured
_SAMPLE = 3  # every third pixel of every third row tells a picture's noise
_NOISE_LEVELS, _ENOUGH = 8, 40  # of lightness, each about an eighth of the board's pixels, but for those of fewer
_BELIED, _MENDING = 1.5, 2.0  # how much better a claim must fit an unchanged colour than what was accepted, and what it then gets
_ALL: Blocks = ((slice(None), slice(None)),)
_BAND_ROWS = 32  # that are worked out in one go
_NOISIER = 1.3  # times what is measured, to be on the safe side
_EDGE = 0.3  # pixels of error in bringing two pictures together: what an edge makes of it is no change
_HALVED_SUM = np.array([[-0.5, -0.5, -0.5, -1.5 * math.log(2 * math.pi)]])  # a normal density's logarithm, of three channels
_SHADOW_CHANCE = math.log(0.12)
_SHADOW_LIGHTNESS = math.log(1 / 60)  # a shadow may be of any depth
_VEIL_MOST, _VEIL_OFF, _VEIL_NOISE = 0.3, 0.3, 0.02  # of white: more burns out; how unlike each other its parts may be; noise
_VEIL_STEP = 3  # pixels over which it hardly changes
_DARKEST, _BRIGHTEST = 0.70, 1.17  # the cube roots of .35 and 1.6: how light scales Lab's axes


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A working picture made ready: whitened `lab`, its palette `cells`, and pixels that tell nothing (`blind`); its linear `light`,
    coarse."""

    light: Floats
    lab: Floats
    cells: Indices
    blind: Mask


def as_look(light: Floats, blind: Mask, gain: Floats, blocks: Blocks = _ALL) -> Look:
    """What is seen in linear light with a field of `gain`, in these parts of the picture."""
    return _look(light, coarse(light), blind, gain, blocks)


def relit(light: Floats, blind: Mask, white: Floats, reference: Look, usable: Mask, blocks: Blocks = _ALL) -> Look:
    """The same, brought to the light of a look at the same table, as the `usable` pixels tell it; `white`: the field that made it white."""
    small = coarse(light)
    change = change_of_light(small * spread(white, small), reference.light, usable)
    return _look(light, small, blind, white * change, blocks)


def _look(light: Floats, small: Floats, blind: Mask, gain: Floats, blocks: Blocks) -> Look:
    shades, cells = np.zeros(light.shape, dtype=np.float32), np.zeros(blind.shape, dtype=np.int32)
    full = spread(gain, light)
    for block in blocks:
        shades[block] = lab(light[block] * full[block])
        cells[block] = palette.cells(shades[block])
    return Look(small * spread(gain, small), shades, cells, blind)


def noise_between(new: Floats, old: Floats, usable: Mask) -> Floats:
    """The noise of the difference of two Lab pictures, from the pixels that did not change, for every lightness of the old one (256, 3),
    or (3,) where too little is seen: Lab stretches the dark, and a camera's noise with it."""
    seen = np.flatnonzero(_sampled(usable.view(np.uint8)))
    before = _some(_sampled(old), seen)
    if len(before) < _NOISE_LEVELS * _ENOUGH:
        return NOISE
    lightness = before[:, 0].astype(np.uint8)
    order = np.argsort(lightness, kind="stable")
    lightness, step = lightness[order], np.abs(_some(_sampled(new), seen) - before).take(order, axis=0).T.copy()
    bounds = lightness[(len(order) * np.arange(1, _NOISE_LEVELS) - 1) // _NOISE_LEVELS]
    ends = np.unique([0, *np.searchsorted(lightness, bounds, side="right"), len(order)])  # pixels of one lightness stay together
    at, noise = [], []
    for first, end in pairwise(ends):
        if end - first >= _ENOUGH:
            middle = (end - first) // 2
            at.append(float(lightness[first + middle]))
            noise.append(np.maximum(NOISE, 1.4826 * np.partition(step[:, first:end], middle, axis=1)[:, middle]))
    return np.stack([np.interp(np.arange(256), at, channel) for channel in zip(*noise, strict=True)], axis=1).astype(np.float32)


def by_lightness(noise: Floats, old: Floats) -> Floats:
    """That noise for every pixel (h, w, 3) of the old picture; (3,) where it is one for all."""
    if noise.ndim == 1:
        return noise
    level = cv2.convertScaleAbs(cv2.extractChannel(old, 0))
    return np.asarray(cv2.LUT(cv2.merge([level, level, level]), noise.reshape(1, 256, 3)), dtype=np.float32)


def _sampled(picture: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(cv2.resize(picture, None, fx=1 / _SAMPLE, fy=1 / _SAMPLE, interpolation=cv2.INTER_NEAREST))


def roughness(lab: Floats) -> Floats:
    """The gradient (h, w, 3) of a Lab picture per pixel: how far a small shift would change it."""
    across = cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    along = cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return np.asarray(cv2.magnitude(across, along, across), dtype=np.float32)


def sameness(new: Floats, old: Floats, rough: Floats, noise: Floats, where: Blocks | Indices | None = None) -> Floats:
    """Log likelihood (h, w) of seeing `new` where `old` was, nothing having changed but perhaps a shadow come or gone. Of the parts
    `where` alone (0 elsewhere); or (N,) of some pixels (N, flat). `noise`: as `noise_between` has it, or every pixel's (h, w, 3).

    A shadow scales linear light, so in Lab it scales (L + 16, a, b) by one factor (CIE 15: all three are differences of cube
    roots); the print's texture stays.
    """
    if isinstance(where, np.ndarray):
        same = _unchanged(_some(new, where)[None], *_at(where, old, rough, noise))
    else:
        same = np.zeros(new.shape[:2], dtype=np.float32)
        for block in _bands(len(new), _BAND_ROWS) if where is None else where:
            same[block] = _unchanged(new[block], old[block], rough[block], noise if noise.ndim < 3 else noise[block])
    flat = same.reshape(-1)
    other = np.flatnonzero(flat < CHANGED + 4)  # only there can a shadow be the better explanation
    if len(other):
        pixels = where[other] if isinstance(where, np.ndarray) else other
        spread = np.sqrt(_variance(*_at(pixels, old, rough, noise)))[0]
        flat[other] = np.maximum(flat[other], _shadowed(new, old, spread, pixels, 0.0))
    np.maximum(flat, np.float32(CHANGED - UNEXPLAINED), out=flat)
    return flat if isinstance(where, np.ndarray) else same


def _some(picture: Floats, pixels: NDArray[np.integer[Any]]) -> Floats:
    """Some pixels (N, flat) of a picture of three channels, (N, 3)."""
    return picture.reshape(-1, 3).take(pixels, axis=0)


def _at(pixels: NDArray[np.integer[Any]], old: Floats, rough: Floats, noise: Floats) -> tuple[Floats, Floats, Floats]:
    """Of some pixels (N, flat) what they were, as pictures of one row, with their noise."""
    return _some(old, pixels)[None], _some(rough, pixels)[None], noise if noise.ndim < 3 else _some(noise, pixels)[None]


def _variance(old: Floats, rough: Floats, noise: Floats) -> Floats:
    safe = np.square(np.float32(_NOISIER) * noise)
    edges = np.asarray(cv2.multiply(rough, rough, scale=_EDGE**2), dtype=np.float32)
    edges += safe if noise.ndim == 3 else by_lightness(safe, old)
    return edges


def _unchanged(new: Floats, old: Floats, rough: Floats, noise: Floats) -> Floats:
    """Log likelihood (h, w) of seeing `new` where `old` was, with noise and edges alone."""
    variance = _variance(old, rough, noise)
    quotient = cv2.subtract(new, old)
    quotient = cv2.divide(cv2.multiply(quotient, quotient, quotient), variance, quotient)
    quotient = cv2.add(quotient, cv2.log(variance, variance), quotient)
    return np.asarray(cv2.transform(quotient, _HALVED_SUM), dtype=np.float32)


def _bands(length: int, step: int) -> list[slice]:
    """A length in parts: what is worked out part by part stays in the processor's cache, and needs little memory."""
    return [slice(first, first + step) for first in range(0, length, step)]


def changed_for_sure(same: Floats, new: Floats, old: Floats) -> Mask:
    """Pixels (h, w) that are surely something else than before; a shadow, even one of another tint, is not.

    Beside a lamp the daylight fills shadows with blue: colour may shift the more the darker it gets.
    """
    changed = same < CHANGED + 1.5
    where = np.flatnonzero(changed)
    if len(where):
        changed.ravel()[where] = _shadowed(new, old, np.broadcast_to(2 * NOISE, (len(where), 3)), where, 1.0) < CHANGED + 1.5
    return changed


def veiled(new: Floats, old: Floats, where: NDArray[np.integer[Any]]) -> Mask:
    """Which of the pixels `where` (flat) may be the old ones under a lamp's mirror image that came or went: lacquer adds light of the
    lamp's own, white and soft, to whatever is printed below.

    In XYZ, each a cube of what Lab is made of (CIE 15), the difference is then the same three times, and the same all around."""
    width, last = new.shape[1], new.shape[0] * new.shape[1] - 1
    here = _added(new, old, where)
    light = here[:, 1]
    bound = _VEIL_OFF * np.abs(light) + _VEIL_NOISE
    found = (np.abs(light) < _VEIL_MOST) & (np.abs(here - light[:, None]).max(axis=1) < bound)
    for step in (-_VEIL_STEP, _VEIL_STEP, -_VEIL_STEP * width, _VEIL_STEP * width):
        around = _added(new, old, np.clip(where + step, 0, last))[:, 1]
        found &= np.abs(around - light) < bound
    return np.asarray(found)


def _added(new: Floats, old: Floats, where: NDArray[np.integer[Any]]) -> Floats:
    """The light (N, 3) in XYZ, white being 1, that came to these pixels."""
    return _xyz(_some(new, where)) - _xyz(_some(old, where))


def _xyz(lab: Floats) -> Floats:
    middle = (lab[:, 0] + 16) / 116
    return np.asarray(np.stack([middle + lab[:, 1] / 500, middle, middle - lab[:, 2] / 200], axis=1) ** 3, dtype=np.float32)


def _shadowed(new: Floats, old: Floats, spread: Floats, where: NDArray[np.integer[Any]], tint: float) -> Floats:
    """Log likelihood of the pixels `where` (flat) being the old ones in another shadow; `tint`: how much its colour may differ."""
    top, bottom = max(0, int(where[0]) // new.shape[1] - 2), int(where[-1]) // new.shape[1] + 3
    factor = cv2.extractChannel(new[top:bottom], 0) + np.float32(16)
    factor /= cv2.extractChannel(old[top:bottom], 0) + np.float32(16)
    bounded = np.clip(factor, _DARKEST, _BRIGHTEST)
    near = where - top * new.shape[1]
    local = np.asarray(cv2.blur(bounded, (5, 5))).ravel()[near]
    factor, bounded, new, old = factor.ravel()[near], bounded.ravel()[near], _some(new, where), _some(old, where)
    texture = (factor - local) * (old[:, 0] + 16) / (2 * spread[:, 0] + 1.5)
    depth = tint * np.abs(1 - bounded)
    wide_a, wide_b = spread[:, 1] + 1.0 + 20 * depth, spread[:, 2] + 1.5 + 45 * depth
    a, b = (new[:, 1] - bounded * old[:, 1]) / wide_a, (new[:, 2] - bounded * old[:, 2]) / wide_b
    return np.asarray(-0.5 * (a * a + b * b + np.minimum(texture * texture, 9)) - np.log(wide_a * wide_b) - math.log(2 * math.pi)
                      + _SHADOW_LIGHTNESS + _SHADOW_CHANCE - 40 * np.abs(factor - bounded), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How much better each claim explains each pixel than "nothing changed here" does; flat arrays of the working picture.

    `bare`: the print shows; `token[seat]`: a token of that seat does. `changed`: where it surely is not as it was.
    `touched`: where it is not what it was, but for the shadows of this light.
    `before`: the palette cell each pixel showed; `unlike[seat]`, by palette cell: what speaks against a token of that seat having
    been there (0 or less).
    """

    bare: Floats
    token: dict[int, Floats]
    changed: Mask
    touched: Mask
    before: Indices
    unlike: dict[int, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Palettes:
    """The log densities of shades: `prints` (kinds, cells), `starts` (h, w) where each pixel's kind of print begins in it, flat, and
    `tokens[seat]` (cells,)."""

    prints: Floats
    starts: Indices
    tokens: dict[int, Floats]


def weigh(same: Floats, bare: Floats, cells: Indices, palettes: Palettes, owners: NDArray[np.int16], blind: Mask,
          blocks: Blocks) -> tuple[Floats, dict[int, Floats]]:
    """How much better than "nothing changed here" the bare print and each seat's token explain each pixel (flat; 0 outside the
    `blocks`), from log likelihoods of a picture's pixels (h, w) and their shades.

    `owners`: whose accepted token each pixel showed (-1: nobody's). Where a pixel has not changed, a claim
    is held against it only as far as the old colour does not fit the claim: a red token on red print changes next to nothing. And where
    the colour belies what was accepted, the claim that it fits is given something: what was misread once can be mended.
    """
    evidence: Floats = np.zeros((1 + len(palettes.tokens), *same.shape), dtype=np.float32)
    flat, seats = evidence.reshape(len(evidence), -1), list(palettes.tokens)
    for block in blocks:
        shades, unchanged = cells[block].astype(np.intp), same[block]
        by_print = palettes.prints.take(palettes.starts[block] + shades)
        _against(np.maximum(bare[block], by_print), by_print, by_print, unchanged, evidence[0][block])
        for number, seat in enumerate(seats, 1):
            by_colour = palettes.tokens[seat].take(shades)
            _against(by_colour, by_colour, by_print, unchanged, evidence[number][block])
    owned = np.flatnonzero(owners >= 0)  # few: their old colour was a token's
    at, owner = cells.ravel().take(owned), owners.ravel().take(owned)
    of_print = palettes.prints.take(palettes.starts.ravel().take(owned) + at)
    of_tokens = [palettes.tokens[seat].take(at) for seat in seats]
    before = np.select([owner == seat for seat in seats], of_tokens, of_print)
    claims = [np.maximum(bare.ravel().take(owned), of_print), *of_tokens]
    for part, claim, by_colour in zip(flat, claims, [of_print, *of_tokens], strict=True):
        part[owned] = _against(claim, by_colour, before, same.ravel().take(owned))
    flat[:, np.flatnonzero(blind)] = 0
    return flat[0], dict(zip(seats, flat[1:], strict=True))


def _against(claim: Floats, by_colour: Floats, before: Floats, same: Floats, out: Floats | None = None) -> Floats:
    """How much better a claim explains pixels than that nothing changed; `before`: how well the old colour fits what was there."""
    value = by_colour - before
    value -= np.clip(value, 0, _BELIED)
    np.minimum(value, _MENDING, out=value)
    np.maximum(value, claim - same, out=value)
    return np.asarray(np.clip(value, -MOST, MOST, out=out), dtype=np.float32)
