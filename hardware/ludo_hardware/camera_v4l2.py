"""A USB camera through the kernel's V4L2 and OpenCV, to be used in a process of its own.

A thread takes every picture from the driver as it comes, so that none lies in a queue and grows old; only one that is asked for is decoded.
The camera's automatics are settled once and then switched off through the kernel's controls, as far as the camera has them. Many cameras
do not tell the exposure their automatics chose: the one set by hand is therefore corrected until pictures are as bright as before.
"""

from __future__ import annotations

import fcntl
import logging
import os
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .camera import Picture, small_grey
from .ports import DeviceError

_log = logging.getLogger(__name__)

WARM_UP_S = 2.0
DARKEST, BRIGHTEST = 0.85, 1.18  # brightness by hand against that of the automatics which is good enough

# linux/v4l2-controls.h and linux/videodev2.h
_GET_CONTROL, _SET_CONTROL = 0xC008561B, 0xC008561C
_POWER_LINE, _AUTO_WHITE, _WHITE_KELVIN = 0x00980918, 0x0098090C, 0x0098091A
_AUTO_EXPOSURE, _EXPOSURE, _EXPOSURE_SLOWS = 0x009A0901, 0x009A0902, 0x009A0903
_AUTO_FOCUS = 0x009A090C
_BY_HAND, _BY_APERTURE = 1, 3  # values of _AUTO_EXPOSURE; nearly every USB camera calls its automatic mode "aperture priority"
_EXPOSURE_UNIT_US = 100


class V4l2Controls:
    """The knobs of a V4L2 device by number. One the camera lacks reads as None and cannot be set."""

    def __init__(self, device: Path) -> None:
        self._handle = os.open(device, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)

    def get(self, control: int) -> int | None:
        try:
            return int(struct.unpack("Ii", fcntl.ioctl(self._handle, _GET_CONTROL, struct.pack("Ii", control, 0)))[1])
        except OSError:
            return None

    def set(self, control: int, value: int) -> bool:
        try:
            fcntl.ioctl(self._handle, _SET_CONTROL, struct.pack("Ii", control, value))
        except OSError:
            return False
        return True

    def close(self) -> None:
        os.close(self._handle)


def hold_exposure(controls: V4l2Controls, brightness: Callable[[], float], *, mains_hz: int, rate_hz: float) -> bool:
    """Set the exposure by hand to as bright as it is now, in whole half mains periods where it is that long; False: the automatics stay.

    `brightness` takes some new pictures and gives their mean.
    """
    wanted, units = brightness(), controls.get(_EXPOSURE)
    if units is None or not controls.set(_AUTO_EXPOSURE, _BY_HAND):
        return False
    controls.set(_EXPOSURE_SLOWS, 0)
    half = 1e6 / (2 * mains_hz) / _EXPOSURE_UNIT_US
    longest = max(1, int(1e6 / rate_hz / _EXPOSURE_UNIT_US / half)) * half
    exposure = float(units)
    for _ in range(6):
        exposure = min(max(exposure, 1.0), longest)
        controls.set(_EXPOSURE, round(exposure if exposure < half else round(exposure / half) * half))
        ratio = max(brightness(), 1.0) / max(wanted, 1.0)
        if DARKEST <= ratio <= BRIGHTEST:
            return True
        exposure /= ratio**2.2  # pictures are coded with about that gamma
    controls.set(_AUTO_EXPOSURE, _BY_APERTURE)
    return False


class V4l2Camera:
    """A USB camera. `device` may be a link such as /dev/v4l/by-id/…, which stays the same when cameras are plugged in another order."""

    def __init__(
        self,
        device: str = "/dev/video0",
        *,
        size: tuple[int, int] = (1280, 960),
        rate_hz: float = 10.0,
        mains_hz: int = 50,
        warm_up_s: float = WARM_UP_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._rate_hz, self._mains_hz = _device_path(device), rate_hz, mains_hz
        self._warm_up_s, self._clock = warm_up_s, clock
        self._changed = threading.Condition()
        self._taken = 0  # pictures the driver has given so far
        self._wanted: int | None = None  # decode the first picture with at least this number
        self._picture: Picture | None = None
        self._taking = self._failed = False
        self._thread: threading.Thread | None = None
        self._video = self._open(size)
        try:
            self.measure_light()
        except BaseException:
            self._video.release()
            raise

    def _open(self, size: tuple[int, int]) -> Any:
        video = cv2.VideoCapture(int(self._path.name.removeprefix("video")), cv2.CAP_V4L2)
        if not video.isOpened():
            raise DeviceError(f"{self._path} cannot be opened: used by another program (`fuser -v {self._path}` names it), or no camera")
        video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # uncompressed, USB 2 gives 5 pictures a second
        video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        video.set(cv2.CAP_PROP_FPS, self._rate_hz)
        return video

    def measure_light(self) -> None:
        """Let exposure and white balance settle, then hold them. Raises DeviceError when no pictures come."""
        if not self._stop_taking():
            raise DeviceError(f"{self._path} hangs")
        controls = V4l2Controls(self._path)
        try:
            self._settle(controls)
            self._hold(controls)
        finally:
            controls.close()
        self._taking = True
        self._thread = threading.Thread(target=self._take_all, name="camera", daemon=True)
        self._thread.start()

    def _settle(self, controls: V4l2Controls) -> None:
        controls.set(_POWER_LINE, 1 if self._mains_hz == 50 else 2)
        controls.set(_AUTO_EXPOSURE, _BY_APERTURE)
        controls.set(_AUTO_WHITE, 1)
        end = self._clock() + self._warm_up_s
        self._brightness()
        while self._clock() < end:
            self._brightness()

    def _hold(self, controls: V4l2Controls) -> None:
        if not hold_exposure(controls, self._brightness, mains_hz=self._mains_hz, rate_hz=self._rate_hz):
            _log.warning("%s: the exposure cannot be held, it stays automatic", self._path)
        kelvin = controls.get(_WHITE_KELVIN)
        if not controls.set(_AUTO_WHITE, 0):
            _log.warning("%s: the white balance cannot be held, it stays automatic", self._path)
        elif kelvin is not None:
            controls.set(_WHITE_KELVIN, kelvin)
        controls.set(_AUTO_FOCUS, 0)

    def _brightness(self) -> float:
        """Mean of a picture some frames from now, when what was set shows."""
        for _ in range(4):
            self._video.grab()
        taken, picture = self._video.read()
        if not taken:
            raise DeviceError(f"{self._path} gives no pictures: used by another program, or not a camera")
        return float(np.mean(picture))

    def _take_all(self) -> None:
        while self._taking:
            taken = self._video.grab()
            with self._changed:
                if not taken:
                    self._failed = True
                    self._changed.notify_all()
                    return
                self._taken += 1
                wanted = self._wanted is not None and self._taken >= self._wanted
            if wanted:
                decoded, picture = self._video.retrieve()
                with self._changed:
                    if decoded:
                        self._picture, self._wanted = np.asarray(picture, np.uint8), None
                        self._changed.notify_all()

    def capture(self, timeout_s: float) -> Picture:
        with self._changed:
            self._picture = None
            self._wanted = self._taken + 2  # the next one may have been begun before the call
            self._changed.wait_for(lambda: self._picture is not None or self._failed, timeout=timeout_s)
            self._wanted = None
            if self._picture is not None:
                return self._picture
        if self._failed:
            raise DeviceError(f"{self._path} has stopped giving pictures: was it unplugged?")
        raise DeviceError(f"{self._path} gave no picture for {timeout_s:.1f} s")

    def glance(self, timeout_s: float) -> Picture:
        return small_grey(self.capture(timeout_s))

    def _stop_taking(self) -> bool:
        """True when nobody is taking pictures any more; a driver that hangs may keep the thread."""
        self._taking = False
        if self._thread is not None:
            self._thread.join(1.0)
        return self._thread is None or not self._thread.is_alive()

    def close(self) -> None:
        """Give the device back; one that hangs stays taken until the process ends."""
        if self._stop_taking():
            self._video.release()


def _device_path(device: str) -> Path:
    path = Path(device).resolve()
    if not path.exists():
        there = ", ".join(sorted(str(one) for one in Path("/dev").glob("video*"))) or "none"
        raise DeviceError(f"{device} does not exist (found: {there}): plug the camera in or name another device")
    if not os.access(path, os.R_OK | os.W_OK):
        raise DeviceError(f"{device} may not be used: sudo usermod -aG video USER, and log in again")
    if not path.name.removeprefix("video").isdecimal():
        raise DeviceError(f"{device} is no video device; they are called /dev/video0 and so on")
    return path
