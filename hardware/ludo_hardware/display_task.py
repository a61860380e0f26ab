"""One thread owns the display: whoever shows a picture never waits for the wire, and never stumbles over it."""

from __future__ import annotations

import logging
import threading

from PIL import Image

from .ports import DeviceError, Display

_log = logging.getLogger(__name__)


class DisplayTask:
    """A display that takes pictures at once and shows the latest as soon as the wire allows; those between are left out.

    Equal pictures are not sent; every `check_s` seconds without a new one the contrast is, so that a plug that was pulled is noticed
    even then, and the panel behind it woken up anew. While the display does not answer, one WARNING is logged and it is tried again
    every `check_s` seconds with what is then the latest. `answers` tells how it stands (True until an error shows otherwise).
    """

    def __init__(self, display: Display, level: int = 200, check_s: float = 2.0) -> None:
        self._display = display
        self._check_s = check_s
        self._change = threading.Condition()
        self._picture: Image.Image | None = None
        self._level = level
        self._waiting = False
        self._closing = False
        self.answers = True
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._display.size

    def show(self, picture: Image.Image) -> None:
        """Show a mode "1" picture of exactly `size`, soon. Raises ValueError for another picture."""
        if picture.mode != "1" or picture.size != self.size:
            raise ValueError(f'the display takes a mode "1" picture of {self.size}, not "{picture.mode}" of {picture.size}')
        with self._change:
            if self._picture is None or picture.tobytes() != self._picture.tobytes():
                self._picture = picture.copy()
                self._waiting = True
                self._change.notify_all()

    def contrast(self, level: int) -> None:
        """0 … 255; 0 is off. Raises ValueError."""
        if not 0 <= level <= 255:
            raise ValueError(f"contrast is 0 to 255, not {level}")
        with self._change:
            if level != self._level:
                self._level = level
                self._waiting = True
                self._change.notify_all()

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything is shown; False if that takes longer, as while the display does not answer."""
        with self._change:
            return self._change.wait_for(lambda: not self._waiting, timeout_s)

    def close(self, timeout_s: float = 1.0) -> None:
        """Show what is still to be shown if that is quick, and let go of the display."""
        with self._change:
            self._change.wait_for(lambda: not self._waiting or not self.answers, timeout_s)
            self._closing = True
            self._change.notify_all()
        self._thread.join(timeout_s)  # a bus that hangs in the kernel must not hang the program: the thread dies with it
        if not self._thread.is_alive():
            self._display.close()

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._closing, self._check_s)
                if self._closing:
                    return
                picture, level = self._picture, self._level
            try:
                self._display.contrast(level)
                if picture is not None:
                    self._display.show(picture)
            except DeviceError as error:
                self._lost(error)
                with self._change:
                    self._change.wait_for(lambda: self._closing, self._check_s)
                continue
            self._found()
            with self._change:
                self._waiting = picture is not self._picture or level != self._level
                self._change.notify_all()

    def _lost(self, error: DeviceError) -> None:
        if self.answers:
            with self._change:
                self.answers = False
                self._change.notify_all()
            _log.warning("%s. The game goes on without it; it is tried again.", error.strerror or error)

    def _found(self) -> None:
        if not self.answers:
            self.answers = True
            _log.info("The display answers again.")
