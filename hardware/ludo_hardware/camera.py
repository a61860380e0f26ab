"""What all cameras share: which there are, the light they are pinned to, and the small grey picture.

A camera that keeps adjusting itself changes the colours of the tokens under the referee's eyes. So each real one lets its automatics settle
once, then is held there: exposure, gain, white balance and focus; `measure_light` does it again when the room has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from .ports import Camera, DeviceError

Picture = NDArray[np.uint8]

SMALL_WIDTH = 320


class SteadyCamera(Camera, Protocol):
    """The port `Camera` with what the real cameras can do besides."""

    def measure_light(self) -> None:
        """Let the automatics settle again and hold what they found."""


@dataclass(frozen=True, slots=True)
class Light:
    """How a camera is held: exposure in microseconds, gain as a factor, and the gains of red and blue against green."""

    exposure_us: int
    gain: float
    colour_gains: tuple[float, float]


def flicker_free(
    exposure_us: float, gain: float, *, mains_hz: int = 50, longest_us: float = 40_000, highest_gain: float = 16.0
) -> tuple[int, float]:
    """An exposure of the same brightness that lamps on the mains do not make flicker: (exposure in microseconds, gain).

    Lamps pulse twice a mains period, so the exposure becomes a whole number of halves, as long as `longest_us` allows since gain is noise.
    Light too bright for one half at gain 1 is the sun's, which does not pulse: the exposure stays. Dim light ends at the highest gain.
    """
    half_us = 1e6 / (2 * mains_hz)
    brightness = exposure_us * gain
    if brightness < half_us:
        return round(brightness), 1.0
    halves = max(1, int(min(brightness, longest_us) // half_us))
    return round(halves * half_us), min(max(brightness / (halves * half_us), 1.0), highest_gain)


def small_grey(picture: Picture, width: int = SMALL_WIDTH) -> Picture:
    """A BGR picture as a small grey one `(h · width / w, width) uint8`, each pixel the mean of those it stands for."""
    height = round(picture.shape[0] * width / picture.shape[1])
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def open_camera(
    kind: Literal["picamera", "v4l2", "folder"],
    *,
    number: int = 0,
    device: str = "/dev/video0",
    folder: str = "",
    size: tuple[int, int] = (1280, 960),
    rate_hz: float = 10.0,
    mains_hz: int = 50,
) -> SteadyCamera:
    """The camera that is configured; `folder` may also be a film. Raises DeviceError when there is none, saying what to do."""
    if kind == "picamera":
        from .camera_picamera2 import Picamera2Camera

        return Picamera2Camera(number, size=size, rate_hz=rate_hz, mains_hz=mains_hz)
    if kind == "v4l2":
        from .camera_v4l2 import V4l2Camera

        return V4l2Camera(device, size=size, rate_hz=rate_hz, mains_hz=mains_hz)
    if kind == "folder":
        from .camera_files import FilmCamera, FolderCamera

        path = Path(folder)
        return FilmCamera(path) if path.is_file() else FolderCamera(path, rate_hz=rate_hz)
    raise DeviceError(f"there is no camera of kind {kind!r}: picamera, v4l2 or folder")
