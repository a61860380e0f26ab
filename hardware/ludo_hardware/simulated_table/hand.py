"""A hand that reaches in and holds a token: an arm, a palm and fingers as rounded shapes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .drawing import Hand
from .lighting import Colour, Light, to_linear, to_picture
from .pinhole import Viewpoint
from .tokens import Shade, Sprite

SKINS: dict[str, Colour] = {"light": (226, 172, 142), "tan": (186, 128, 92), "brown": (128, 82, 56), "dark": (84, 54, 40)}
SLEEVES: tuple[Colour, ...] = ((60, 78, 112), (120, 44, 52), (70, 92, 70), (196, 190, 180))

Part = tuple[tuple[float, float], tuple[float, float], float, float]

# Parts as (from, to, radius at from, radius at to): squares along the arm and aside, from the finger tips backwards.
_FINGERS: tuple[Part, ...] = (
    ((-0.10, -0.16), (1.3, -0.75), 0.22, 0.34), ((-0.12, 0.12), (1.35, -0.25), 0.21, 0.35), ((0.30, 0.52), (1.5, 0.35), 0.20, 0.34),
    ((0.75, 0.85), (1.7, 0.8), 0.18, 0.30), ((0.05, -0.36), (1.0, -1.25), 0.23, 0.34), ((1.0, -1.25), (2.0, -0.9), 0.34, 0.5),
)
_PALM: tuple[Part, ...] = (((1.6, -0.3), (2.9, 0.0), 0.85, 0.95), ((1.7, 0.45), (2.9, 0.1), 0.7, 0.9), ((2.8, 0.0), (4.6, 0.0), 0.9, 0.72))
_SLEEVE: tuple[Part, ...] = (((4.9, 0.0), (30.0, 0.0), 1.05, 1.7),)


def _capsule(view: Viewpoint, hand: Hand, part: Part, rise: float) -> NDArray[np.int32]:
    """The outline of one rounded part in the picture, in sixteenths of a pixel."""
    ahead = np.array([np.cos(hand.heading), np.sin(hand.heading)])
    aside = np.array([-ahead[1], ahead[0]])
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rims = []
    for (along, across), radius in ((part[0], part[2]), (part[1], part[3])):
        foot = np.array([hand.x, hand.y]) + ahead * along + aside * across
        rims.append(np.column_stack([foot + radius * circle, np.full(24, hand.lift + rise * min(along, 6.0))]))
    hull = cv2.convexHull(np.clip(view.project(np.concatenate(rims)), -4000, 4000).astype(np.float32))
    return np.round(hull * 16).astype(np.int32)


def _bulge(relief: NDArray[np.float32], cover: NDArray[np.uint8], outline: NDArray[np.int32], radius: float) -> None:
    """Raise a rounded part out of the relief, and cover what lies under it."""
    height, width = relief.shape
    left, top = (max(0, int(low) // 16 - 2) for low in outline.reshape(-1, 2).min(axis=0))
    right, bottom = (int(high) // 16 + 3 for high in outline.reshape(-1, 2).max(axis=0))
    window = (slice(top, min(bottom, height)), slice(left, min(right, width)))
    one = np.zeros(relief[window].shape, np.uint8)
    if one.size == 0:
        return
    cv2.fillConvexPoly(one, outline - 16 * np.array([left, top], np.int32), 255, cv2.LINE_AA, 4)
    depth = np.asarray(cv2.distanceTransform((one > 127).astype(np.uint8), cv2.DIST_L2, 3), np.float32)
    share = np.clip(depth / radius, 0, 1)
    relief[window] = np.maximum(relief[window], radius * np.sqrt(1 - (1 - share) ** 2))
    cover[window] = np.maximum(cover[window], one)


def hand_layers(view: Viewpoint, light: Light, hand: Hand, seed: int) -> tuple[Sprite, Shade]:
    """The hand over the whole picture, and its shadow on the table."""
    shape = (view.camera.height, view.camera.width)
    skin, sleeve, relief = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
    scale = view.scale(hand.x, hand.y)
    for part in (*_PALM, *_FINGERS):
        _bulge(relief, skin, _capsule(view, hand, part, 0.28), 0.9 * max(part[2], part[3]) * scale)
    cloth = np.zeros(shape, np.float32)
    for part in _SLEEVE:
        _bulge(cloth, sleeve, _capsule(view, hand, part, 0.28), 1.4 * scale)
    relief = np.maximum(relief, 1.15 * cloth)
    alpha = np.maximum(skin, sleeve).astype(np.float32) / np.float32(255)
    colour = _lit(view, light, hand, relief, sleeve, seed)
    return Sprite(0, 0, alpha, (colour * alpha[..., None]).astype(np.float32)), Shade(0, 0, _shadow(view, light, hand))


def _lit(view: Viewpoint, light: Light, hand: Hand, relief: NDArray[np.float32], sleeve: NDArray[np.uint8],
         seed: int) -> NDArray[np.float32]:
    """Skin and cloth shaded by the slope of their relief, in sRGB values."""
    smooth = np.asarray(cv2.GaussianBlur(relief, (0, 0), 2.2), np.float32)
    slope_x = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    slope_y = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    length = np.sqrt(slope_x ** 2 + slope_y ** 2 + 1)
    sun = light.direction
    here = np.array([[hand.x, hand.y, 0.0], [hand.x + sun[0], hand.y + sun[1], 0.0]])
    way = np.diff(view.project(here), axis=0)[0]
    way = way / max(float(np.hypot(*way)), 1e-6) * float(np.hypot(sun[0], sun[1]))
    facing = np.clip((-slope_x * way[0] - slope_y * way[1] + float(sun[2])) / length, 0, 1)
    brightness = light.ambient * (0.6 + 0.4 / length) + (1 - light.ambient) * 1.2 * facing
    tones = np.empty((*relief.shape, 3), np.float32)
    tones[:] = to_linear(np.array(SKINS[hand.skin][::-1], np.float32))
    tones[sleeve > 127] = to_linear(np.array(SLEEVES[seed % len(SLEEVES)][::-1], np.float32))
    gains = np.array(light.tint[::-1], np.float32) * light.exposure
    return to_picture(tones * brightness[..., None].astype(np.float32) * gains)


def _shadow(view: Viewpoint, light: Light, hand: Hand) -> NDArray[np.float32]:
    sun = light.direction
    lean = -sun[:2] / sun[2] * (hand.lift + 0.6)
    fallen = Hand(hand.x + float(lean[0]), hand.y + float(lean[1]), 0.0, hand.heading)
    height, width = view.camera.height, view.camera.width
    mask = np.zeros((height // 2, width // 2), np.uint8)
    for part in (*_PALM, *_FINGERS, *_SLEEVE):
        cv2.fillConvexPoly(mask, _capsule(view, fallen, part, 0.0) // 2, 255, cv2.LINE_AA, 4)
    blur = 1.0 + 0.5 * light.softness * (hand.lift + 1.0) * view.scale(hand.x, hand.y)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32) / 255
    grown = np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return (1.0 - light.shadow * grown).astype(np.float32)
