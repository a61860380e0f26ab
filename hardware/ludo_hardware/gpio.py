"""Button, buzzer and lamps on the Raspberry Pi's pins, through gpiozero and lgpio.

Everything hangs on one pin factory, opened once by `open_pins` and closed last. Pins are BCM numbers (GPIO17 is 17).
gpiozero calls back on lgpio's single thread, and an exception there makes every button of the process deaf for good without a word:
so the callbacks here hand over two values and catch everything. They may run late, when the processor is busy: the time of an edge is the
kernel's, or a finger's press could come out as short as a bounce. An edge can be lost all the same; `GpioButton.pressed` re-reads the pin
and reports what was missed, so calling it a few times a second is enough to never leave a press hanging.
"""

from __future__ import annotations

import fcntl
import importlib
import logging
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import gpiozero
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from .ports import DeviceError

_log = logging.getLogger(__name__)

Pull = Literal["up", "down", "off"]

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chip that carries the 40-pin header: Pi 5, Pi 4, older ones. Its number differs between kernels, its label does not."""

_LATEST_S = 10.0  # a callback that runs later than that is not believed

_GET_CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL of linux/gpio.h: char name[32], char label[32], u32 lines


def chip_label(device: Path) -> str:
    """The label of a GPIO character device such as /dev/gpiochip0. Raises OSError when it may not be opened or is none."""
    handle = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    try:
        answer = fcntl.ioctl(handle, _GET_CHIP_INFO, bytes(68))
    finally:
        os.close(handle)
    return answer[32:64].split(b"\0", 1)[0].decode("utf-8", "replace")


def find_chip(
    labels: tuple[str, ...] = HEADER_LABELS, *, folder: Path = Path("/dev"), label_of: Callable[[Path], str] = chip_label
) -> int:
    """The number of the chip with the first of `labels` that exists. Raises DeviceError, saying what there is instead."""
    seen: dict[str, int] = {}
    refused = False
    for device in sorted(folder.glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
        number = re.fullmatch(r"gpiochip(\d+)", device.name)
        if number is None or device.is_symlink():  # Pi OS links the number the header had before kernel 6.6 to the one it has now
            continue
        try:
            seen.setdefault(label_of(device), int(number[1]))
        except PermissionError:
            refused = True
        except OSError as error:
            _log.debug("%s is passed over: %s", device, error)
    for label in labels:
        if label in seen:
            return seen[label]
    if refused:
        raise DeviceError(f"the pins in {folder} may not be used: sudo usermod -aG gpio USER, and log in again")
    found = ", ".join(seen) or "none"
    raise DeviceError(f"no GPIO chip called {' or '.join(labels)} in {folder} (found: {found}): is this a Raspberry Pi?")


def import_lgpio() -> ModuleType:
    """The real lgpio module. Raises DeviceError when it is missing or PyPI's empty stub.

    Importing it makes a pipe `.lgd-nfy0` in the folder LG_WD and changes into that folder. Here the pipe lies in a folder that is gone
    again when the import is over (both ends are open by then), and the process stays where it was.
    """
    here, wanted = os.getcwd(), os.environ.get("LG_WD")
    with tempfile.TemporaryDirectory(prefix="ludo-lgpio-") as pipes:
        os.environ["LG_WD"] = pipes
        try:
            lgpio = importlib.import_module("lgpio")
        except ImportError as error:
            raise DeviceError(f"lgpio is missing ({error}): sudo apt install python3-lgpio") from error
        finally:
            os.environ.pop("LG_WD")
            if wanted is not None:
                os.environ["LG_WD"] = wanted
            os.chdir(here)
    if not hasattr(lgpio, "gpiochip_open"):
        where = getattr(lgpio, "__file__", None)
        raise DeviceError(f"lgpio at {where} is an empty stub: pip uninstall lgpio, then sudo apt install python3-lgpio")
    return lgpio


def open_pins(
    factory: Literal["lgpio", "mock"] = "lgpio", *, labels: tuple[str, ...] = HEADER_LABELS, folder: Path = Path("/dev")
) -> Factory:
    """The pin factory all devices here are given; close it after them. "mock" are gpiozero's pins without hardware.

    Raises DeviceError when there is no such chip, no right to it or no lgpio.
    """
    if factory == "mock":
        return MockFactory(pin_class=MockPWMPin)
    chip = find_chip(labels, folder=folder)
    import_lgpio()
    from gpiozero.pins.lgpio import LGPIOFactory

    try:
        return LGPIOFactory(chip=chip)
    except Exception as error:  # lgpio.error is a bare Exception
        raise DeviceError(f"GPIO chip {chip} cannot be opened ({error}): is the user in the group gpio?") from error


def _release(device: Any) -> None:
    """Close a gpiozero device for good.

    lgpio claims a pin anew as an input to let go of it, which the kernel refuses ("busy") for the moment that lgpio's own thread still
    waits for edges on it. So it is tried again; a pin that stays busy goes with its factory.
    """
    for _ in range(20):
        try:
            device.close()
        except Exception as error:
            trouble = error
            time.sleep(0.01)
        else:
            return
    _log.warning("a pin could not be given back: %s", trouble)


@contextmanager
def _claiming(pin: int, purpose: str) -> Iterator[None]:
    """Any way gpiozero or lgpio may refuse a pin becomes one DeviceError that names it."""
    try:
        yield
    except gpiozero.GPIOPinInUse as error:
        raise DeviceError(f"GPIO{pin} is to serve as {purpose} but has another task already: give each device its own pin") from error
    except Exception as error:
        if "busy" in str(error).lower():
            raise DeviceError(
                f"GPIO{pin} ({purpose}) is used by another program or driver: stop it (gpioinfo names it) or choose another pin"
            ) from error
        raise DeviceError(f"GPIO{pin} ({purpose}) cannot be used: {error}") from error


class GpioButton:
    """A push button on a pin: the port `Button`.

    `pull` "up" is a button between pin and ground, pressed when "low"; "down" one between pin and 3.3 V, pressed when "high"; "off" leaves
    the level to a resistor of its own. Edges are not debounced. The level at the moment of `listen` is where it starts from: a button held
    down or stuck then is no edge, and `pressed` tells. `clock` (seconds) runs as fast as time.monotonic, by which the kernel stamps edges.
    """

    def __init__(
        self,
        factory: Factory,
        pin: int,
        *,
        pull: Pull = "up",
        pressed: Literal["low", "high"] = "low",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._edge: Callable[[float, bool], None] | None = None
        self._reported, self._reported_t = False, 0.0
        self._lock = threading.Lock()
        # gpiozero calls "active" what differs from the pull, or high without one
        polarity = {"pull_up": None, "active_state": True} if pull == "off" else {"pull_up": pull == "up"}
        self._pressed_when_active = (pressed == "low") == (pull == "up")
        with _claiming(pin, "button"):
            self._device = gpiozero.DigitalInputDevice(pin, bounce_time=None, pin_factory=factory, **polarity)

    def listen(self, edge: Callable[[float, bool], None]) -> None:
        self._edge = edge
        self._reported = self._level()
        self._device.when_activated = lambda: self._report(self._pressed_when_active)
        self._device.when_deactivated = lambda: self._report(not self._pressed_when_active)

    def pressed(self) -> bool:
        """The level now; when it is not the one last reported, an edge was lost and is reported first. Raises DeviceError."""
        with self._lock:  # an edge that comes between reading and reporting must not be taken back
            level = self._level()
            self._hand_over(self._clock(), level)
            return level

    def _level(self) -> bool:
        try:
            return bool(self._device.value) == self._pressed_when_active
        except Exception as error:
            raise DeviceError(f"the button cannot be read: {error}") from error

    def _report(self, level: bool) -> None:
        try:
            age = self._device.active_time or self._device.inactive_time or 0.0
            # A pin library that stamps edges by another clock tells nonsense: then it is now.
            t = self._clock() - (age if 0 <= age < _LATEST_S else 0.0)
        except Exception:  # the device is being closed
            return
        with self._lock:
            self._hand_over(t, level)

    def _hand_over(self, t: float, level: bool) -> None:
        if self._edge is None or level == self._reported:
            return
        self._reported, self._reported_t = level, max(t, self._reported_t)
        try:
            self._edge(self._reported_t, level)
        except Exception:
            _log.exception("the button's edge could not be handed over")

    def close(self) -> None:
        self._edge = None
        _release(self._device)


_DUTY = (0.0, 0.02, 0.06, 0.18, 0.5)
"""Share of a period a passive buzzer is driven at each level: the fundamental goes with sin(π · share), so −24, −15, −5 and 0 dB."""


class GpioBuzzer:
    """A buzzer on a pin: the port `Buzzer`. A passive one (piezo disc) plays the frequencies; an active one knows only on and off.

    `level` 0 (mute) to 4 (loud) may be set at any time and holds from the next note; an active buzzer only knows mute.
    """

    def __init__(self, factory: Factory, pin: int, *, level: int = 4, passive: bool = True, active_high: bool = True) -> None:
        self.level = level
        self._passive = passive
        self._changed = threading.Condition()
        self._tune: tuple[tuple[float, float], ...] = ()
        self._number = self._played = 0  # of the newest tune, and of the one begun last
        self._closed = False
        self._device: Any
        with _claiming(pin, "buzzer"):
            if passive:
                self._device = gpiozero.PWMOutputDevice(pin, active_high=active_high, frequency=440, pin_factory=factory)
            else:
                self._device = gpiozero.DigitalOutputDevice(pin, active_high=active_high, pin_factory=factory)
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, notes: tuple[tuple[float, float], ...]) -> None:
        with self._changed:
            self._tune, self._number = notes, self._number + 1
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._interrupted)
                if self._closed:
                    return
                tune, self._played = self._tune, self._number
            try:
                self._play(tune)
            except Exception as error:
                _log.warning("the buzzer is silent from now on: %s", error)
                return

    def _interrupted(self) -> bool:
        return self._closed or self._number != self._played

    def _play(self, tune: tuple[tuple[float, float], ...]) -> None:
        for frequency, duration_s in tune:
            self._sound(frequency)
            with self._changed:
                if self._changed.wait_for(self._interrupted, timeout=duration_s):
                    break
        self._sound(0.0)

    def _sound(self, frequency: float) -> None:
        if frequency <= 0 or self.level <= 0:
            self._device.value = 0
        elif self._passive:
            self._device.frequency = round(frequency)
            self._device.value = _DUTY[min(self.level, 4)]
        else:
            self._device.value = 1

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        _release(self._device)


class GpioLamps:
    """One LED a seat: the port `Lamps`. `pins` are those of seats 0, 1, …; None for a seat without a lamp."""

    def __init__(self, factory: Factory, pins: tuple[int | None, ...], *, active_high: bool = True) -> None:
        self._lamps: list[Any] = []
        for seat, pin in enumerate(pins):
            if pin is None:
                self._lamps.append(None)
                continue
            try:
                with _claiming(pin, f"lamp of seat {'ABCD'[seat]}"):
                    self._lamps.append(gpiozero.LED(pin, active_high=active_high, pin_factory=factory))
            except DeviceError:
                self.close()
                raise

    def light(self, seat: int | None) -> None:
        for number, lamp in enumerate(self._lamps):
            if lamp is not None:
                lamp.value = int(number == seat)

    def close(self) -> None:
        for lamp in self._lamps:
            if lamp is not None:
                _release(lamp)
