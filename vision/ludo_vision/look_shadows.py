"""Shadows in one picture: what much of the board around shows darker by the same factor, whatever is printed there, is lit again.

A shadow scales light, so it scales the roots of XYZ that Lab is made of (CIE 15): each by a factor of its own, as other light fills it.
All is reckoned in these roots' logarithms, at every STEPth pixel of every STEPth row; a shadow then is a difference.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from .light import Floats, Mask
from .pose import View
from .reading import roughness

STEP = 2

_DEEPEST, _SLIGHT, _DEPTH = 0.5, 0.03, 0.04  # shadows that are looked for (a fifth of the light is left); less is none; steps between
_SAME = 0.05  # one depth
_TINT, _TINT_BY_DEPTH = (0.03, 0.0, 0.05), (0.1, 0.0, 0.5)  # off the middle root's depth: lamps and sky differ in blue, hardly in red
_EDGE = 0.04  # per pixel: nobody knows whose depth an edge shows
_GRAIN = 3  # pixels
_NEAR, _FAR = 0.5, 1.15  # squares: who lies so far away bears witness, as no one token covers both
_SHARE, _WITNESSES = 0.1, 1.0  # of the print around that must lie in the same shadow (a token's own is less), and how much print
_FEWEST = 20  # pixels, of a depth
_FILL, _ENOUGH = (0.45, 1.2), 0.05  # squares around what nothing tells, and the share of them that is known
_INK = 0.1  # how much an ink's tint strays from it
_DARKEST = 0.05
_ZERO = 16 / 116
_TO_ROOTS = np.array([[1 / 116, 1 / 500, 0], [1 / 116, 0, 0], [1 / 116, 0, -1 / 200]])
_TO_LAB = np.linalg.inv(_TO_ROOTS)


def log_roots(lab: Floats) -> Floats:
    """The logarithms (h, w, 3) of the roots of light in a Lab picture."""
    return np.asarray(cv2.log(np.maximum(_roots(lab), np.float32(_DARKEST))), dtype=np.float32)


def lit_again(lab: Floats, shade: Floats) -> Floats:
    """A Lab picture (h, w, 3) without its shadows, as `shadows` gives them."""
    gain = cv2.resize(cv2.exp(-shade), lab.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.transform(_roots(lab) * gain - np.float32(_ZERO), _TO_LAB), dtype=np.float32)


def is_shaded(shade: Floats, size: tuple[int, ...]) -> Mask:
    """The pixels of a picture of this size (h, w) that lie in shadow."""
    return np.asarray(cv2.resize(shade[..., 1], size[::-1], interpolation=cv2.INTER_LINEAR) < -_SLIGHT)


def is_ink(shown: Floats, ink: Floats) -> Floats:
    """How surely (h, w), 0 to 1, each pixel may be an ink (3,) in some light."""
    return np.asarray(np.clip(2 - _tint_between(shown, ink) / np.float32(_INK), 0, 1), dtype=np.float32)


def in_other_inks(own: Floats, there: Floats, exchange: Sequence[tuple[Floats, Floats]]) -> Floats:
    """What like places `there` would show if printed here: whatever may be an ink there is replaced by the ink that stands for it here,
    in the same light, where this makes it more like `own`."""
    meant = there.copy()
    for ink, for_ink in exchange:
        meant += is_ink(there, ink)[..., None] * (for_ink - ink)
    return np.where((_tint_between(own, meant) < _tint_between(own, there))[..., None], meant, there)


def second_brightest(prints: Sequence[Floats]) -> Floats:
    """Of four pictures (h, w, 3), on every pixel the one that a single other exceeds: print that two places show lit."""
    (high, low), (other_high, other_low) = _by_brightness(*prints[:2]), _by_brightness(*prints[2:])
    brightest_of_low = np.where(high[..., 1:2] >= other_high[..., 1:2], low, other_low)
    return _by_brightness(_by_brightness(high, other_high)[1], brightest_of_low)[0]


def shadows(view: View, own: Floats, lit: Floats, trust: Floats) -> Floats:
    """How much darker (h, w, 3) than `lit` shadows make the print, 0 or less; `trust` (h, w): how much each pixel is to be believed.

    A depth is believed where enough of the print around has it too, farther away than a token reaches; between, what lies near tells.
    """
    seen = (trust > 0).astype(np.float32)
    near = np.maximum(cv2.blur(seen, (_GRAIN, _GRAIN)), np.float32(0.1))[..., None]
    off = np.asarray(cv2.blur((own - lit) * seen[..., None], (_GRAIN, _GRAIN)) / near, dtype=np.float32)
    depth = off[..., 1]
    even = np.maximum(roughness(own)[..., 1], roughness(lit)[..., 1]) < STEP * _EDGE
    tinted = np.abs(off - depth[..., None]) > np.array(_TINT, np.float32) + np.array(_TINT_BY_DEPTH, np.float32) * np.abs(depth)[..., None]
    told = even & (seen > 0) & ~tinted[..., 0] & ~tinted[..., 2]
    around = np.maximum(_around(view, np.where(even, trust, np.float32(0))), np.float32(_WITNESSES))
    known = (told & (np.abs(depth) < _SLIGHT)).astype(np.float32)
    shade = np.zeros_like(own)
    for middle in np.arange(-_SLIGHT - _DEPTH / 2, -_DEEPEST, -_DEPTH):
        here = told & (np.abs(depth - middle) <= _DEPTH / 2)
        if np.count_nonzero(here) < _FEWEST:
            continue
        like = np.where(told & (np.abs(depth - middle) < _SAME), trust, np.float32(0))
        many = _around(view, like)
        here &= many > _SHARE * around
        shade[here] = _around(view, off * like[..., None])[here] / many[here][:, None]
        known[here] = 1
    return _without_slight(_filled(view, shade, known))


def _filled(view: View, shade: Floats, known: Floats) -> Floats:
    """Shade (h, w, 3), where it is not known as it is nearby."""
    for reach in _FILL:
        side = _side(view, reach)
        near = cv2.blur(known, (side, side))
        unknown = (known == 0) & (near > _ENOUGH)
        shade[unknown] = cv2.blur(shade, (side, side))[unknown] / near[unknown][:, None]
        known[unknown] = 1
    return np.asarray(cv2.blur(shade, (_GRAIN, _GRAIN)), dtype=np.float32)


def _without_slight(shade: Floats) -> Floats:
    """Light is never quite even: that is left to those who compare."""
    shade = np.minimum(shade, 0)
    return np.asarray(shade * np.clip((-shade[..., 1:2] - _SLIGHT) / _SAME, 0, 1), dtype=np.float32)


def _roots(lab: Floats) -> Floats:
    return np.asarray(cv2.transform(lab, _TO_ROOTS) + np.float32(_ZERO), dtype=np.float32)


def _tint_between(one: Floats, other: Floats) -> Floats:
    """By how much more light of one colour than of another must change (h, w) to make one of the other."""
    off = one - other
    return np.maximum(np.abs(off[..., 0] - off[..., 1]), np.abs(off[..., 2] - off[..., 1]))


def _by_brightness(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    above = one[..., 1:2] >= other[..., 1:2]
    return np.where(above, one, other), np.where(above, other, one)


def _around(view: View, values: Floats) -> Floats:
    """The sums of values in the frame around each pixel."""
    far, near = (cv2.boxFilter(values, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
                 for side in (_side(view, _FAR), _side(view, _NEAR)))
    return np.asarray(far - near, dtype=np.float32)


def _side(view: View, reach: float) -> int:
    """Of a window that reaches so many squares."""
    return 2 * round(reach * view.square / STEP) + 1
