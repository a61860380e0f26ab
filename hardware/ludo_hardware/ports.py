"""The devices as the program sees them. Every one has a real adapter and a simulated twin, chosen by configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image


class Button(Protocol):
    """A push button that reports its level. Edges come as (t, pressed), t in seconds of the monotonic clock."""

    def listen(self, edge: Callable[[float, bool], None]) -> None:
        """Report every edge from now on; the callback may come from a foreign thread and must only enqueue."""

    def pressed(self) -> bool:
        """The level now, read from the pin."""

    def close(self) -> None: ...


class Display(Protocol):
    """A 1-bit display."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def show(self, picture: Image.Image) -> None:
        """Show a mode "1" picture of exactly `size`. Raises DeviceError when the device does not answer."""

    def contrast(self, level: int) -> None:
        """0 … 255; 0 is off."""

    def close(self) -> None: ...


class Camera(Protocol):
    """A camera that gives the newest picture. Both calls raise DeviceError after the timeout."""

    def capture(self, timeout_s: float) -> NDArray[np.uint8]:
        """A picture `(h, w, 3) uint8` BGR taken after the call."""

    def glance(self, timeout_s: float) -> NDArray[np.uint8]:
        """A small grey picture `(h, w) uint8` of the same scene, about 320 wide, cheap enough for every frame."""

    def close(self) -> None: ...


class Buzzer(Protocol):
    """Plays tunes as (frequency in Hz, 0 for silence; duration in s) without blocking; a new tune replaces the old."""

    def play(self, notes: tuple[tuple[float, float], ...]) -> None: ...

    def close(self) -> None: ...


class Lamps(Protocol):
    """One lamp a seat."""

    def light(self, seat: int | None) -> None:
        """Light this seat's lamp alone; None: all off."""

    def close(self) -> None: ...


class DeviceError(OSError):
    """A device does not answer or may not be used; the text names it, the cause and the way out."""
