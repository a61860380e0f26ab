"""The simulated devices: equal backends of the ports, with an operator's verbs (`press`, `lose`) and a memory of what they were told."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import PIL.Image

from .ports import DeviceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

_HISTORY = 256  # pictures, tunes and lamps remembered


class SimulatedButton:
    """A button pressed by a program or by a visitor of the page. `clock` gives the edges' time where the caller gives none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._edge: Callable[[float, bool], None] | None = None
        self._pressed = False

    def listen(self, edge: Callable[[float, bool], None]) -> None:
        """Report every edge from now on."""
        self._edge = edge

    def pressed(self) -> bool:
        """The level now."""
        return self._pressed

    def press(self, t: float | None = None) -> None:
        """Push the button down; nothing happens when it is down already."""
        self._level(True, t)

    def release(self, t: float | None = None) -> None:
        """Let the button go."""
        self._level(False, t)

    def close(self) -> None:
        """Report no more."""
        self._edge = None

    def _level(self, pressed: bool, t: float | None) -> None:
        if pressed != self._pressed:
            self._pressed = pressed
            if self._edge is not None:
                self._edge(self._clock() if t is None else t, pressed)


class SimulatedDisplay:
    """Keeps what it shows. `history` holds the last pictures, newest last; `level` is the contrast.

    `file`: what a display would show is also written there, as PNG, whole at every instant; black when it is off."""

    def __init__(self, size: tuple[int, int] = (128, 64), file: Path | None = None) -> None:
        self._size, self._file = size, file
        self.history: deque[Image.Image] = deque(maxlen=_HISTORY)
        self.level = 255
        self._lost = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    @property
    def picture(self) -> Image.Image | None:
        """What is shown now."""
        return self.history[-1] if self.history else None

    def show(self, picture: Image.Image) -> None:
        """Show a mode "1" picture of exactly `size`."""
        if picture.mode != "1" or picture.size != self._size:
            raise ValueError(f'the display takes a mode "1" picture of {self._size}, not "{picture.mode}" of {picture.size}')
        if self._lost:
            raise DeviceError("the simulated display does not answer: connect() it")
        self.history.append(picture.copy())
        self._write(picture)

    def contrast(self, level: int) -> None:
        """0 … 255; 0 is off."""
        if not 0 <= level <= 255:
            raise ValueError(f"contrast is 0 to 255, not {level}")
        if self._lost:
            raise DeviceError("the simulated display does not answer: connect() it")
        self.level = level
        if level == 0:
            self._write(PIL.Image.new("1", self._size))

    def lose(self) -> None:
        """Pull the cable: calls fail until `connect`."""
        self._lost = True

    def connect(self) -> None:
        """Plug the cable in again."""
        self._lost = False

    def close(self) -> None:
        """Nothing to let go."""

    def _write(self, picture: Image.Image) -> None:
        if self._file is None:
            return
        new = self._file.with_name(self._file.name + ".new")
        try:
            picture.save(new, "PNG")
            new.replace(self._file)
        except OSError as error:
            raise DeviceError(f"the display's picture cannot be written to {self._file}: {error.strerror}") from error


class SimulatedCamera:
    """Takes its pictures from functions, such as the simulated table's."""

    def __init__(self, scene: Callable[[], NDArray[np.uint8]], small: Callable[[], NDArray[np.uint8]] | None = None) -> None:
        """`small` gives the grey pictures that a camera's own scaler makes beside the whole ones; without it they are made of those."""
        self._scene, self._small = scene, small
        self._lost = False

    def capture(self, timeout_s: float) -> NDArray[np.uint8]:
        """The picture of the scene as it is now. Raises DeviceError while the camera is lost."""
        self._answer(timeout_s)
        return self._scene()

    def glance(self, timeout_s: float) -> NDArray[np.uint8]:
        """The scene as it is now, small and grey. Raises DeviceError while the camera is lost."""
        self._answer(timeout_s)
        if self._small is not None:
            return self._small()
        from .camera import small_grey  # the service itself keeps clear of numpy

        return small_grey(self._scene())

    def _answer(self, timeout_s: float) -> None:
        if self._lost:
            raise DeviceError(f"the simulated camera gave no picture within {timeout_s:g} s: connect() it")

    def lose(self) -> None:
        """Pull the cable: captures fail until `connect`."""
        self._lost = True

    def connect(self) -> None:
        """Plug the cable in again."""
        self._lost = False

    def close(self) -> None:
        """Nothing to let go."""


class SimulatedBuzzer:
    """Remembers the tunes it was given, newest last."""

    def __init__(self) -> None:
        self.history: deque[tuple[tuple[float, float], ...]] = deque(maxlen=_HISTORY)

    def play(self, notes: tuple[tuple[float, float], ...]) -> None:
        """Notes of (frequency in Hz, 0 for silence; duration in s)."""
        self.history.append(notes)

    def close(self) -> None:
        """Nothing to let go."""


class SimulatedLamps:
    """Remembers which seat's lamp is lit (None: all off), newest last."""

    def __init__(self) -> None:
        self.history: deque[int | None] = deque([None], maxlen=_HISTORY)

    @property
    def lit(self) -> int | None:
        """The seat whose lamp is lit now."""
        return self.history[-1]

    def light(self, seat: int | None) -> None:
        """Light this seat's lamp alone; None: all off."""
        self.history.append(seat)

    def close(self) -> None:
        """All off."""
        self.history.append(None)
