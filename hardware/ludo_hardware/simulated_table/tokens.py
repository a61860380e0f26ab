"""Tokens: solids of revolution, drawn as stacks of discs with shading and a shadow on the board."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from .drawing import Token
from .lighting import Colour, Light, Linear, to_linear, to_picture
from .pinhole import Floats, Viewpoint

# Profiles from the foot to the top: (height, radius) as shares of the token's height and of its foot's radius.
PROFILES: dict[str, tuple[tuple[float, float], ...]] = {
    "pawn": ((0.0, 1.0), (0.05, 1.0), (0.09, 0.94), (0.16, 0.80), (0.28, 0.62), (0.42, 0.46), (0.54, 0.36), (0.60, 0.33), (0.63, 0.36),
             (0.67, 0.46), (0.72, 0.54), (0.79, 0.58), (0.86, 0.54), (0.92, 0.43), (0.97, 0.26), (1.0, 0.0)),
    "collar": ((0.0, 1.0), (0.08, 1.0), (0.12, 0.86), (0.18, 0.84), (0.22, 0.64), (0.40, 0.42), (0.52, 0.36), (0.54, 0.58), (0.58, 0.58),
               (0.60, 0.36), (0.64, 0.42), (0.70, 0.50), (0.78, 0.54), (0.86, 0.50), (0.93, 0.36), (0.98, 0.18), (1.0, 0.0)),
    "cone": ((0.0, 1.0), (0.04, 1.0), (0.5, 0.62), (0.8, 0.38), (0.92, 0.27), (0.97, 0.18), (1.0, 0.0)),
    "dome": ((0.0, 1.0), (0.12, 1.0), (0.35, 0.95), (0.55, 0.85), (0.75, 0.66), (0.9, 0.42), (0.97, 0.22), (1.0, 0.0)),
    "disc": ((0.0, 0.97), (0.1, 1.0), (0.85, 1.0), (1.0, 0.93), (1.0, 0.72), (0.86, 0.68), (0.86, 0.0)),
}

ALBEDO: dict[str, Colour] = {
    "red": (178, 20, 26), "green": (12, 106, 46), "yellow": (232, 166, 10), "blue": (18, 56, 158),
    "black": (34, 34, 38), "orange": (236, 116, 22), "purple": (108, 46, 140), "white": (238, 236, 230),
}


@dataclass(frozen=True, slots=True)
class TokenStyle:
    """shape: a key of `PROFILES`; radius and height in squares; `gloss` of the lacquer 0 … 1."""

    shape: str = "pawn"
    radius: float = 0.33
    height: float = 1.25
    gloss: float = 0.55
    colours: dict[str, Colour] = field(default_factory=lambda: ALBEDO)


@dataclass(frozen=True, slots=True)
class Sprite:
    """A small picture to lay over the big one: rows and columns from `top`, `left`; alpha `(h, w)` and colour times alpha `(h, w, 3)`."""

    top: int
    left: int
    alpha: NDArray[np.float32]
    colour: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shade:
    """A shadow: how much light is left `(h, w)`."""

    top: int
    left: int
    left_over: NDArray[np.float32]


_FINE = 3        # sprites are drawn this many times larger and averaged down
_CORNERS = 28
_ANGLES = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
_RIM = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


class TokenPainter:
    """Draws tokens of one style in one light from one viewpoint."""

    def __init__(self, view: Viewpoint, light: Light, style: TokenStyle) -> None:
        self.view, self.light, self.style = view, light, style
        profile = np.array(PROFILES[style.shape]) * np.array([style.height, style.radius])
        self.heights, self.radii = _refined(profile)
        self.steep, self.flat = _normals(self.heights, self.radii)
        self.silver = np.array(light.tint[::-1], np.float32) * light.exposure

    def sprite(self, token: Token, brightness: float) -> Sprite:
        """The token lit and shaded, with soft edges; `brightness` is the light at its foot."""
        circles, centres = self._slices(token)
        low = np.floor(circles.min(axis=(0, 1))).astype(int) - 1
        high = np.ceil(circles.max(axis=(0, 1))).astype(int) + 2
        wide, tall = int(high[0] - low[0]), int(high[1] - low[1])
        index = np.zeros((tall * _FINE, wide * _FINE), np.uint8)
        fixed = np.round(((circles - low + 0.5) * _FINE - 0.5) * 16).astype(np.int32)
        for number, polygon in enumerate(fixed, start=1):
            cv2.fillConvexPoly(index, polygon, number, cv2.LINE_8, 4)
        lit = self._shaded(index, circles, centres, low, token, brightness)
        alpha = np.asarray(cv2.resize((index > 0).astype(np.float32), (wide, tall), interpolation=cv2.INTER_AREA), np.float32)
        colour = np.asarray(cv2.resize(lit, (wide, tall), interpolation=cv2.INTER_AREA), np.float32)
        return Sprite(int(low[1]), int(low[0]), alpha, colour)

    def shade(self, token: Token) -> Shade:
        """The contact and cast shadow on the board."""
        sun = self.light.direction
        lean = -sun[:2] / sun[2]
        scale = self.view.scale(token.x, token.y)
        parts: list[tuple[NDArray[np.float64], float, float]] = []
        count = len(self.heights)
        for first, last in ((0, count // 2), (count // 2, count)):
            rows = range(first, last, 2)
            rings = [np.array([token.x, token.y]) + lean * (self.heights[i] + token.lift) + _RIM * self.radii[i] for i in rows]
            height = float(np.mean(self.heights[first:last])) + token.lift
            parts.append((np.concatenate(rings), 0.6 + self.light.softness * height * scale, self.light.shadow))
        foot = np.array([token.x, token.y]) + _RIM * self.style.radius * 1.12
        if token.lift < 0.2:
            parts.append((foot, 0.05 * scale, 0.45))
        return self._blurred(parts)

    def _blurred(self, parts: list[tuple[NDArray[np.float64], float, float]]) -> Shade:
        pixels = [self.view.project(np.column_stack([points, np.zeros(len(points))])) for points, _, _ in parts]
        pad = 3 * max(blur for _, blur, _ in parts) + 2
        every = np.concatenate(pixels)
        low, high = np.floor(every.min(axis=0) - pad).astype(int), np.ceil(every.max(axis=0) + pad).astype(int)
        dark = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.float32)
        for outline, (_, blur, depth) in zip(pixels, parts, strict=True):
            layer = np.zeros(dark.shape, np.float32)
            hull = cv2.convexHull((outline - low).astype(np.float32))
            cv2.fillConvexPoly(layer, np.round(hull * 16).astype(np.int32), depth, cv2.LINE_AA, 4)
            dark = np.maximum(dark, np.asarray(cv2.GaussianBlur(layer, (0, 0), blur), np.float32))
        return Shade(int(low[1]), int(low[0]), 1.0 - dark)

    def _slices(self, token: Token) -> tuple[Floats, Floats]:
        """Pixels of every disc's rim `(slices, corners, 2)` and centre `(slices, 2)`."""
        count = len(self.heights)
        rims = np.empty((count, _CORNERS + 1, 3))
        rims[:, :-1, :2] = _RIM[None] * self.radii[:, None, None] + np.array([token.x, token.y])
        rims[:, -1, :2] = (token.x, token.y)
        rims[:, :, 2] = self.heights[:, None] + token.lift
        pixels = self.view.project(rims.reshape(-1, 3)).reshape(count, _CORNERS + 1, 2)
        return pixels[:, :-1], pixels[:, -1]

    def _shaded(self, index: NDArray[np.uint8], circles: Floats, centres: Floats, low: NDArray[np.int_], token: Token,
                brightness: float) -> Linear:
        """The colour of every fine pixel: the visible disc says the surface's height and slope, the place in the disc its side."""
        rows, columns = np.nonzero(index)
        disc = index[rows, columns].astype(np.intp) - 1
        quarter = _CORNERS // 4
        right, down = circles[:, 0] - centres, circles[:, quarter] - centres
        spread = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]
        spread = np.where(np.abs(spread) < 1e-6, 1e-6, spread)
        off = np.stack([(columns + 0.5) / _FINE - 0.5 + low[0], (rows + 0.5) / _FINE - 0.5 + low[1]], axis=1) - centres[disc]
        east = (off[:, 0] * down[disc, 1] - off[:, 1] * down[disc, 0]) / spread[disc]
        south = (right[disc, 0] * off[:, 1] - right[disc, 1] * off[:, 0]) / spread[disc]
        reach = np.maximum(np.hypot(east, south), 1e-6)
        normal = np.stack([east / reach * self.steep[disc], south / reach * self.steep[disc], self.flat[disc]], axis=1)
        sun = self.light.direction
        eye = self.view.towards(token.x, token.y, self.style.height / 2)
        half = (sun + eye) / np.linalg.norm(sun + eye)
        sky = 0.62 + 0.38 * normal[:, 2]
        close = np.clip(0.62 + 1.1 * self.heights[disc], 0, 1)  # the board hides the sky from the foot
        diffuse = self.light.ambient * sky * close + (1 - self.light.ambient) * 1.25 * np.clip(normal @ sun, 0, 1)
        shine = self.style.gloss * (np.clip(normal @ half, 0, 1) ** 48 * 0.75 + 0.05 * (1 - np.clip(normal @ eye, 0, 1)) ** 3)
        albedo = to_linear(np.array(self.style.colours[token.colour][::-1], np.float32))
        light = (albedo[None] * diffuse[:, None] + shine[:, None]) * brightness
        picture = np.zeros((*index.shape, 3), np.float32)
        picture[rows, columns] = to_picture((light * self.silver).astype(np.float32))
        return picture


def _refined(profile: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """The profile cut into small even steps along its length, so that shading runs smoothly."""
    steps = np.hypot(*np.diff(profile, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    fine = np.linspace(0, along[-1], 44)
    return np.interp(fine, along, profile[:, 0]), np.interp(fine, along, profile[:, 1])


def _normals(heights: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """The outward (horizontal) and upward part of the surface's normal at each disc."""
    rise, widening = np.gradient(heights), np.gradient(radii)
    length = np.maximum(np.hypot(rise, widening), 1e-9)
    return rise / length, -widening / length
