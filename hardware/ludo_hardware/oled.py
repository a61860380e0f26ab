"""OLED displays with an SSD1306, SSD1309 or SH1106, on I²C or SPI, through luma.oled.

luma knows how to wake each controller up. Sending pictures is done here: luma sends every picture whole and by slow steps, here only
the pages (8 rows) that changed go over the wire, which at the Pi's 100 kHz is the difference between 93 ms and a few.
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import luma.core.device
import luma.core.error
import luma.core.interface.serial
import luma.oled.device
from PIL import Image

from .ports import DeviceError

WIDTH = 128
HEIGHTS = (64, 32)

_MEND = {
    errno.ENOENT: "the bus does not exist: switch it on (sudo raspi-config nonint do_i2c 0, do_spi 0)",
    errno.EACCES: "no permission: sudo usermod -aG i2c,spi USER, and log in again",
    errno.EPERM: "no permission: sudo usermod -aG i2c,spi USER, and log in again",
    errno.ETIMEDOUT: "the bus is stuck: check SDA and SCL for a short circuit",
}
_NO_ANSWER = "it does not answer: check the wiring and the address"


def pages_of(picture: Image.Image) -> tuple[bytes, ...]:
    """A mode "1" picture as the controllers keep it: per 8 rows one byte a column, the topmost row in the lowest bit."""
    rows = picture.height // 8
    columns = picture.transpose(Image.Transpose.ROTATE_270).tobytes()  # a column from bottom to top is now a line of bits
    return tuple(columns[rows - 1 - page :: rows] for page in range(rows))


class _WithoutExitHook(luma.core.device.device):  # type: ignore[misc]  # luma has no types
    """Stands in for luma's base class, whose constructor adds to `atexit` what nothing takes away: a leak a reconnection."""

    def __init__(self, const: Any, serial_interface: Any) -> None:
        self._const = const
        self._serial_interface = serial_interface


class _ChangedPages:
    """What our drivers have in common: they remember the pages they sent. Mixed in before luma's driver."""

    sent: tuple[bytes, ...] = ()

    def display(self: Any, image: Image.Image) -> bool:
        """Send the pages of a picture that differ from those sent before; whether there were any."""
        pages = pages_of(self.preprocess(image))
        changed = [page for page in range(len(pages)) if pages[page : page + 1] != self.sent[page : page + 1]]
        for first, last in _runs(changed):
            self.send_pages(first, pages[first : last + 1])
        self.sent = pages
        return bool(changed)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of consecutive numbers."""
    for number in numbers:
        if number - 1 not in numbers:
            last = number
            while last + 1 in numbers:
                last += 1
            yield number, last


class _WindowedPages(_ChangedPages):
    """The controllers that take a window of pages and then all its bytes."""

    def send_pages(self: Any, first: int, pages: tuple[bytes, ...]) -> None:
        self.command(
            self._const.COLUMNADDR, self._colstart, self._colend - 1, self._const.PAGEADDR, first, first + len(pages) - 1
        )  # fmt: skip
        self.data(list(b"".join(pages)))


class _Ssd1306(_WindowedPages, luma.oled.device.ssd1306, _WithoutExitHook):  # type: ignore[misc]
    pass


class _Ssd1309(_WindowedPages, luma.oled.device.ssd1309, _WithoutExitHook):  # type: ignore[misc]
    pass


class _Sh1106(_ChangedPages, luma.oled.device.sh1106, _WithoutExitHook):  # type: ignore[misc]
    """Has 132 columns, of which the 128 in the middle have pixels, and takes one page at a time."""

    def send_pages(self: Any, first: int, pages: tuple[bytes, ...]) -> None:
        offset = self._page_address_offset
        for page, data in enumerate(pages, first):
            self.command(0xB0 + page, offset & 0x0F, 0x10 | offset >> 4)
            self.data(list(data))


DRIVERS: dict[str, Callable[..., Any]] = {"ssd1306": _Ssd1306, "ssd1309": _Ssd1309, "sh1106": _Sh1106}

CHECK_S = 2.0
CLOSE_S = 0.5  # so long is waited for a picture on its way


class Oled:
    """A display on a wire. It is woken up by the first picture, and again by the next one after an error: a pulled plug needs no restart.

    A picture equal to the last sends nothing, but for a look every `CHECK_S` seconds whether the panel is still there: behind a plug that
    was pulled and put back it is dark and waits to be woken up. Not thread-safe, and a picture takes up to 0.1 s: one thread owns it.
    Closing lets go of the wire; the panel keeps what it shows.
    """

    def __init__(
        self, driver: str, connect: Callable[[], Any], name: str, height: int = 64, rotation: int = 0, level: int = 200,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`connect` gives luma's serial interface; `name` is what errors call the display; `rotation` is 0 or 180 degrees, `level`
        the contrast to begin with. Raises ValueError."""
        if driver not in DRIVERS:
            raise ValueError(f"no OLED driver is called {driver!r}: choose {', '.join(DRIVERS)}")
        if height not in HEIGHTS:
            raise ValueError(f"a display has 64 or 32 rows, not {height}")
        if rotation not in (0, 180):
            raise ValueError(f"a display is turned by 0 or 180 degrees, not {rotation}")
        self._driver, self._connect, self._name = DRIVERS[driver], connect, name
        self._size = (WIDTH, height)
        self._rotate = rotation // 90
        self._level = level
        self._clock = clock
        self._heard = clock()  # when the display last took something
        self._device: Any = None
        self._using = threading.RLock()  # the bus

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    def show(self, picture: Image.Image) -> None:
        """Show a mode "1" picture of exactly `size`. Raises DeviceError when the display does not answer."""
        if picture.mode != "1" or picture.size != self._size:
            raise ValueError(f'the display takes a mode "1" picture of {self._size}, not "{picture.mode}" of {picture.size}')
        now = self._clock()
        if self._do(lambda device: device.display(picture)):
            self._heard = now
        elif now - self._heard >= CHECK_S:
            self._do(lambda device: device.contrast(self._level))
            self._heard = now

    def contrast(self, level: int) -> None:
        """0 … 255; 0 is off. Raises DeviceError; the level then holds for the next time the display answers."""
        if not 0 <= level <= 255:
            raise ValueError(f"contrast is 0 to 255, not {level}")
        before, self._level = self._level, level
        if self._device is None:
            self._do(lambda device: None)
        elif level == 0:
            self._do(lambda device: device.hide())
        else:
            self._do(lambda device: device.contrast(level))
            if before == 0:
                self._do(lambda device: device.show())

    def close(self) -> None:
        """Let go of the wire, unless another thread has been writing to it for long. The display can be used again."""
        if not self._using.acquire(timeout=CLOSE_S):
            return
        try:
            if self._device is not None:
                device, self._device = self._device, None
                with suppress(OSError):
                    device._serial_interface.cleanup()
        finally:
            self._using.release()

    def _do(self, action: Callable[[Any], Any]) -> Any:
        with self._using:
            try:
                if self._device is None:
                    self._device = self._wake()
                return action(self._device)
            except DeviceError:
                raise
            except (OSError, luma.core.error.Error) as error:
                self.close()
                raise self._explained(error) from error

    def _wake(self) -> Any:
        serial = self._connect()
        try:
            device = self._driver(serial, width=WIDTH, height=self._size[1], rotate=self._rotate)
            if self._level == 0:
                device.hide()
            else:
                device.contrast(self._level)
        except BaseException:
            with suppress(OSError):
                serial.cleanup()
            raise
        return device

    def _explained(self, error: Exception) -> DeviceError:
        """luma turns some errors into its own and lets others through; all of them become one with a way out."""
        number = getattr(error, "errno", None) or getattr(error.__context__, "errno", None)
        return DeviceError(number, f"{self._name}: {_MEND.get(number or 0, _NO_ANSWER)}")


def open_oled(
    driver: str, *, bus: int = 1, address: int = 0x3C, height: int = 64, rotation: int = 0, level: int = 200,
    clock: Callable[[], float] = time.monotonic,
) -> Oled:  # fmt: skip
    """A display on I²C bus `bus` at `address`."""

    def connect() -> Any:
        return luma.core.interface.serial.i2c(port=bus, address=address)

    return Oled(driver, connect, f"display at 0x{address:02X} on /dev/i2c-{bus}", height, rotation, level, clock)


def open_spi_oled(
    driver: str, lines: Any, *, port: int = 0, device: int = 0, dc_pin: int = 24, reset_pin: int = 25, height: int = 64,
    rotation: int = 0, level: int = 200, spi: Callable[[], Any] | None = None,
) -> Oled:  # fmt: skip
    """A display on /dev/spidevPORT.DEVICE. `lines` sets the pins DC and RESET, see `GpioLines`; `spi` makes the bus (spidev's if None).

    SPI has no answer: a display that is not there is never noticed.
    """

    name = f"display on /dev/spidev{port}.{device}"

    def connect() -> Any:
        try:
            return luma.core.interface.serial.spi(
                spi=spi() if spi is not None else None, gpio=lines, port=port, device=device, gpio_DC=dc_pin, gpio_RST=reset_pin,
                reset_hold_time=0.001, reset_release_time=0.001,
            )  # fmt: skip
        except ImportError as error:
            raise DeviceError(f"{name}: the module spidev is missing: sudo apt install python3-spidev") from error

    return Oled(driver, connect, name, height, rotation, level)


class GpioLines:
    """Output pins of a gpiozero factory in the manner that luma asks for."""

    LOW, HIGH, OUT = 0, 1, "out"

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, direction: str) -> None:
        """Make a pin an output; again is no harm."""
        if pin not in self._pins:
            self._pins[pin] = self._factory.pin(pin)
        self._pins[pin].output_with_state(self.LOW)

    def output(self, pin: int, level: int) -> None:
        """Set a pin."""
        self._pins[pin].state = level

    def close(self) -> None:
        """Let go of the pins."""
        while self._pins:
            self._pins.popitem()[1].close()
