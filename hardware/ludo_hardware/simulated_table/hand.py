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
    (left, top), (right, bottom) = _box([outline], relief.shape)
    window = (slice(top, bottom), slice(left, right))
    one = np.zeros(relief[window].shape, np.uint8)
    if one.size == 0:
        return
    cv2.fillConvexPoly(one, outline - 16 * np.array([left, top], np.int32), 255, cv2.LINE_AA, 4)
    depth = np.asarray(cv2.distanceTransform((one > 127).astype(np.uint8), cv2.DIST_L2, 3), np.float32)
    share = np.minimum(depth * np.float32(1 / radius), np.float32(1))
    relief[window] = np.maximum(relief[window], np.float32(radius) * np.sqrt(share * (2 - share)))
    cover[window] = np.maximum(cover[window], one)


def _box(outlines: list[NDArray[np.int32]], shape: tuple[int, ...], pad: int = 3) -> tuple[tuple[int, int], tuple[int, int]]:
    """The pixels (left, top), (right, bottom) around outlines, inside a picture of the shape; empty when they are outside."""
    every = np.concatenate([outline.reshape(-1, 2) for outline in outlines])
    low, high = every.min(axis=0) // 16 - pad, every.max(axis=0) // 16 + pad + 1
    left, top = min(max(0, int(low[0])), shape[1]), min(max(0, int(low[1])), shape[0])
    return (left, top), (max(left, min(int(high[0]), shape[1])), max(top, min(int(high[1]), shape[0])))


def hand_layers(view: Viewpoint, light: Light, hand: Hand, seed: int) -> tuple[Sprite, Shade] | None:
    """The hand, and its shadow on the table; None when it is outside the picture."""
    flesh = [(part, _capsule(view, hand, part, 0.28)) for part in (*_PALM, *_FINGERS)]
    cloth = [(part, _capsule(view, hand, part, 0.28)) for part in _SLEEVE]
    (left, top), (right, bottom) = _box([outline for _, outline in (*flesh, *cloth)], (view.camera.height, view.camera.width))
    shape = (bottom - top, right - left)
    if not shape[0] or not shape[1]:
        return None
    corner = 16 * np.array([left, top], np.int32)
    skin, sleeve, relief = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
    scale = view.scale(hand.x, hand.y)
    for part, outline in flesh:
        _bulge(relief, skin, outline - corner, 0.9 * max(part[2], part[3]) * scale)
    folds = np.zeros(shape, np.float32)
    for _, outline in cloth:
        _bulge(folds, sleeve, outline - corner, 1.4 * scale)
    alpha = np.maximum(skin, sleeve).astype(np.float32) * np.float32(1 / 255)
    colour = _lit(view, light, hand, np.maximum(relief, np.float32(1.15) * folds), sleeve, seed)
    return Sprite(top, left, alpha, colour * alpha[..., None]), _shadow(view, light, hand)


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
    steep = slope_x * np.float32(-way[0]) + slope_y * np.float32(-way[1]) + np.float32(sun[2])
    facing = np.clip(steep / length, 0, 1)
    brightness = np.float32(light.ambient) * (np.float32(0.6) + np.float32(0.4) / length) + np.float32(1.2 * (1 - light.ambient)) * facing
    tones = np.empty((*relief.shape, 3), np.float32)
    tones[:] = to_linear(np.array(SKINS[hand.skin][::-1], np.float32))
    tones[sleeve > 127] = to_linear(np.array(SLEEVES[seed % len(SLEEVES)][::-1], np.float32))
    gains = np.array(light.tint[::-1], np.float32) * light.exposure
    return to_picture(tones * brightness[..., None] * gains)


def _shadow(view: Viewpoint, light: Light, hand: Hand) -> Shade:
    """Drawn at half the size: it is blurred anyway."""
    sun = light.direction
    lean = -sun[:2] / sun[2] * (hand.lift + 0.6)
    fallen = Hand(hand.x + float(lean[0]), hand.y + float(lean[1]), 0.0, hand.heading)
    outlines = [_capsule(view, fallen, part, 0.0) // 2 for part in (*_PALM, *_FINGERS, *_SLEEVE)]
    blur = 1.0 + 0.5 * light.softness * (hand.lift + 1.0) * view.scale(hand.x, hand.y)
    (left, top), (right, bottom) = _box(outlines, (view.camera.height // 2, view.camera.width // 2), round(3 * blur))
    mask = np.zeros((max(bottom - top, 1), max(right - left, 1)), np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, outline - 16 * np.array([left, top], np.int32), 255, cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32) * np.float32(light.shadow / 255)
    grown = np.asarray(cv2.resize(soft, (2 * mask.shape[1], 2 * mask.shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)
    return Shade(2 * top, 2 * left, 1 - grown)
