"""The light in the room: where from, how hard, how warm; and sRGB to and from linear light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Linear = NDArray[np.float32]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Light:
    """`azimuth_deg` (from x towards y) and `height_deg` say where the light stands; `ambient` the share that comes from everywhere;
    `softness` the shadow's blur in squares per square of height; `shadow` how dark it gets; `tint` the red, green and blue gains the
    camera leaves in; `falloff` how much the far side is darker; `glare` a mirror of the lamp on the board; `noise` in grey levels."""

    azimuth_deg: float = 215.0
    height_deg: float = 52.0
    ambient: float = 0.5
    softness: float = 0.22
    shadow: float = 0.6
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    falloff: float = 0.18
    glare: float = 0.0
    noise: float = 1.6

    @property
    def direction(self) -> NDArray[np.float64]:
        """The unit vector (x, y, up) towards the light."""
        azimuth, height = np.radians(self.azimuth_deg), np.radians(self.height_deg)
        return np.array([np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height)])


LIGHTS: dict[str, Light] = {
    "day": Light(),
    "evening": Light(azimuth_deg=300, height_deg=60, tint=(1.16, 1.0, 0.74), exposure=0.92, softness=0.2),
    "led": Light(azimuth_deg=80, height_deg=72, tint=(0.95, 1.0, 1.06), softness=0.22, ambient=0.5),
    "hard": Light(azimuth_deg=250, height_deg=40, softness=0.05, shadow=0.72, ambient=0.35, falloff=0.4),
    "dim": Light(azimuth_deg=150, height_deg=65, exposure=0.42, noise=4.5, tint=(1.1, 1.0, 0.85)),
    "glare": Light(azimuth_deg=270, height_deg=62, glare=0.9, softness=0.15),
}

_STEPS = np.linspace(0.0, 1.0, 4096)
_ENCODE = np.where(_STEPS <= 0.0031308, 12.92 * _STEPS, 1.055 * np.power(np.maximum(_STEPS, 1e-9), 1 / 2.4) - 0.055)
_ENCODED = (255.0 * _ENCODE).astype(np.float32)


def to_linear(colour: NDArray[np.uint8] | NDArray[np.float32]) -> Linear:
    """Linear light 0 … 1 of sRGB values 0 … 255 (IEC 61966-2-1)."""
    value = np.asarray(colour, np.float32) / np.float32(255.0)
    return np.where(value <= 0.04045, value / 12.92, np.power((value + 0.055) / 1.055, 2.4)).astype(np.float32)


def to_picture(light: Linear) -> NDArray[np.float32]:
    """sRGB values 0 … 255, as floats, of linear light; brighter than white rolls off softly as in a camera."""
    rolled = np.where(light > 0.8, 0.8 + 0.2 * (1.0 - np.exp(-(light - 0.8) / 0.2)), light)
    index = np.clip(rolled * 4095.0, 0, 4095).astype(np.int32)
    return _ENCODED[index]
