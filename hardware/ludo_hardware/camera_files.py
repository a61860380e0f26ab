"""Pictures or a film from a disk in place of a camera, in their own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from .camera import Picture, small_grey
from .ports import DeviceError

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")


class _PacedCamera:
    """Hands out picture n from n / rate_hz seconds after its first capture; after the last one it keeps showing that."""

    def __init__(self, rate_hz: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._rate_hz = rate_hz
        self._clock, self._sleep = clock, sleep
        self._started: float | None = None
        self._last = -1

    def picture(self, number: int) -> Picture:
        """Picture `number`, or the last one when there are fewer."""
        raise NotImplementedError

    def capture(self, timeout_s: float) -> Picture:
        now = self._clock()
        if self._started is None:
            self._started = now
        number = max(self._last + 1, int((now - self._started) * self._rate_hz + 1e-6))
        wait_s = self._started + number / self._rate_hz - now
        if wait_s > timeout_s:
            raise DeviceError(f"the next picture is due in {wait_s:.1f} s, later than the {timeout_s:.1f} s waited for")
        if wait_s > 0:
            self._sleep(wait_s)
        self._last = number
        return self.picture(number)

    def glance(self, timeout_s: float) -> Picture:
        return small_grey(self.capture(timeout_s))

    def measure_light(self) -> None:
        """Recorded light stays as it is."""

    def close(self) -> None:
        """Nothing is held open between pictures."""


class FolderCamera(_PacedCamera):
    """The pictures of a folder in the order of their names. Raises DeviceError when there are none, or one that cannot be read."""

    def __init__(
        self,
        folder: Path,
        *,
        rate_hz: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(rate_hz, clock, sleep)
        if not folder.is_dir():
            raise DeviceError(f"{folder} is neither a folder of pictures nor a film")
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
        if not self._paths:
            raise DeviceError(f"the folder {folder} has no pictures ({', '.join(PICTURE_SUFFIXES)})")

    def picture(self, number: int) -> Picture:
        path = self._paths[min(number, len(self._paths) - 1)]
        try:  # not imread: it answers a missing and a broken file alike
            data = np.frombuffer(path.read_bytes(), np.uint8)
        except OSError as error:
            raise DeviceError(f"the picture {path} cannot be read: {error.strerror}") from error
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if picture is None:
            raise DeviceError(f"{path} is no picture, or a damaged one")
        return np.asarray(picture, np.uint8)


class FilmCamera(_PacedCamera):
    """A film at the speed it was taken. Raises DeviceError for a file that is none."""

    def __init__(self, film: Path, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep) -> None:
        self._film = cv2.VideoCapture(str(film))
        rate_hz = self._film.get(cv2.CAP_PROP_FPS)
        opened, first = self._film.read()
        if not opened or not rate_hz > 0:
            self._film.release()
            raise DeviceError(f"{film} is no film that can be played")
        super().__init__(rate_hz, clock, sleep)
        self._picture, self._number = np.asarray(first, np.uint8), 0
        self._count = int(self._film.get(cv2.CAP_PROP_FRAME_COUNT))

    def picture(self, number: int) -> Picture:
        number = min(number, self._count - 1)
        before = self._number
        while self._number < number and self._film.grab():
            self._number += 1
        if self._number > before:
            decoded, picture = self._film.retrieve()
            if decoded:
                self._picture = np.asarray(picture, np.uint8)
        return self._picture

    def close(self) -> None:
        self._film.release()
