"""A lamp mirrored in the board's lacquer: light of the lamp's own, white and soft, on top of whatever is printed below.

It has no outline, the print's texture stays, and near the camera's full light nothing more can be added. A token has an outline, and hides
what is printed.
"""

from __future__ import annotations

import cv2
import numpy as np

from .light import Floats, Mask, lab, linear_of
from .pose import View

FULL = 99.5  # lightness: all three channels are as bright as can be told

REACH = 0.2  # squares around a pixel whose light is as its own: less than a token's radius
_TINT = 0.3  # by which the lamp may be coloured beside what is taken for white
_LEAST = 0.02  # of white: less light is none
_NEARLY_FULL = 0.25  # of full light: how far below it a camera's channels no longer grow with the light
_HALF_FULL, _MUCH = 0.5, 0.1  # of that, and of white: there, any brighter print under so much light may look as it does
_TOLD = 0.05  # of what the channel that tells most tells: one that tells less is as the others


def under_mirrored_lamp(view: View, seen: Floats, printed: Floats, useful: Mask, reach: float = REACH) -> Floats:
    """The Lab (h, w, 3) of print as it would look under the light of a mirrored lamp, as the picture `seen` (h, w, 3) has it here; the
    `useful` (h, w) pixels can be compared."""
    shown, below = linear_of(seen), linear_of(printed)
    full = float(shown.max())
    room = np.clip((full - shown) / np.float32(_NEARLY_FULL * full), 0, 1)
    added = _added(view, shown - below, np.where(useful[..., None], np.maximum(room, np.float32(1e-3)), np.float32(0)), reach)
    lit = below + added
    burning = (room < _HALF_FULL) & (lit > shown) & (added > _MUCH)
    return lab(np.ascontiguousarray(np.where(burning, shown, lit), dtype=np.float32))


def _added(view: View, more: Floats, weight: Floats, reach: float) -> Floats:
    """What a lamp adds (h, w, 3): what there is `more` all around, as alike in all channels as a lamp is white; never less than nothing."""
    side = 2 * max(1, round(reach * view.square)) + 1
    amount, told = cv2.blur(weight * more, (side, side)), np.maximum(cv2.blur(weight, (side, side)), np.float32(1e-6))
    white = (amount.sum(axis=2) / told.sum(axis=2))[..., None]
    white = np.where(white > _LEAST, white, np.float32(0))
    tinted = np.clip(amount / told, (1 - _TINT) * white, (1 + _TINT) * white)
    return np.asarray(np.where(told < _TOLD * told.max(axis=2, keepdims=True), white, tinted), dtype=np.float32)
