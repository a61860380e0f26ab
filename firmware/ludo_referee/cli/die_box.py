"""The die alone on the box: its button throws, its display shows the dice. A tap throws; a hold takes one die more, one to four."""

from __future__ import annotations

import datetime
import queue
import signal
import threading
import time
from collections.abc import Callable

from ludo_hardware.ports import DeviceError

from .. import tunes
from ..app.devices import Devices, open_devices
from ..app.panel import Panel
from ..config import Config
from ..die import DICE_MOST, Die
from ..gestures import Finger, Timing, feel
from ..referee.views import Dice, Goodbye

ROLLING_S = 1.2  # presses while the dice tumble count for nothing
LISTEN_S = 0.05


class DiceBox:
    """Answers the button until stopped."""

    def __init__(self, die: Die, devices: Devices, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self.die, self._devices, self._config, self._clock = die, devices, config, clock
        button = config.button
        self._timing = Timing(button.bounce_s, button.double_tap_s, button.hold_s, button.long_hold_s)
        self._finger = Finger()
        self._edges: queue.SimpleQueue[tuple[float, bool]] = queue.SimpleQueue()
        self._woken, self.stopped = threading.Event(), False
        self._thrown_t = -ROLLING_S
        self._panel = Panel(devices.display, config, clock=clock)
        self._invite()
        devices.button.listen(self._edge)

    def run(self) -> None:
        """Serve until `stop`, or a long hold."""
        while not self.stopped:
            self._woken.wait(LISTEN_S)
            self._woken.clear()
            self.listen()
        self._panel.close(Goodbye())

    def stop(self) -> None:
        """May be called from a signal handler."""
        self.stopped = True
        self._woken.set()

    def _edge(self, t: float, pressed: bool) -> None:
        self._edges.put((t, pressed))
        self._woken.set()

    def listen(self) -> None:
        """Answer what the button did since the last call."""
        edges = []
        while not self._edges.empty():
            edges.append(self._edges.get())
        try:
            level = self._devices.button.pressed()
        except DeviceError:
            level = False
        for t, pressed in (*edges, (self._clock(), level)):
            self._finger, heard = feel(self._finger, t, pressed, self._timing)
            for _, kind in heard:
                self._answer(kind)

    def _answer(self, kind: str) -> None:
        if not self._panel.awake():
            return
        if kind == "long_hold":
            self.stop()
        elif kind == "hold":
            self.die.dice = self.die.dice % DICE_MOST + 1
            self._invite()
        elif self._clock() - self._thrown_t < ROLLING_S:
            self._play("no")
        else:
            self._thrown_t = self._clock()
            self._panel.view(self._thrown_t, Dice(self.die.throw(), self.die.faces))
            self._play("roll")

    def _invite(self) -> None:
        self._panel.view(self._clock(), Dice((), self.die.faces, self.die.pledge))

    def _play(self, tune: str) -> None:
        sound = self._config.sound
        if tunes.audible(sound.level, datetime.datetime.now().time(), sound.quiet_from, sound.quiet_until):
            self._devices.buzzer.play(tunes.notes(tune))


def run_box(die: Die, config: Config) -> None:
    """Throw dice on the box until a long hold or a signal. Raises DeviceError when it has no button."""
    devices = open_devices(config)
    try:
        if "button" in devices.missing:
            raise DeviceError(f"the box has no button: {devices.missing['button']}")
        box = DiceBox(die, devices, config)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: box.stop())
        box.run()
    finally:
        devices.close()
