"""Displays on recording buses: what arrives, decoded, is the picture that was drawn, whatever happens to the plug in between."""

from __future__ import annotations

import atexit
import errno
import gc
import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import smbus2
from gpiozero.pins.mock import MockFactory
from PIL import Image

from ludo_hardware.oled import GpioLines, Oled, open_oled, open_spi_oled
from ludo_hardware.ports import DeviceError
from ludo_referee import screens
from ludo_referee.screens.examples import EXAMPLES

_spec = importlib.util.spec_from_file_location("oled_decode", Path(__file__).with_name("oled_decode.py"))
assert _spec is not None
assert _spec.loader is not None
oled_decode = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oled_decode)

DRIVERS = [("ssd1306", 64), ("ssd1306", 32), ("ssd1309", 64), ("sh1106", 64), ("sh1106", 32)]


class Wire:
    """An I²C bus with one display, in smbus2's place. `fault`: the errno of every transfer, while it is not None."""

    opened = 0

    def __init__(self, panel: Any) -> None:
        self.panel = panel
        self.fault: int | None = None
        self.messages: list[bytes] = []
        self.open_now = 0
        self.free = threading.Event()  # cleared: transfers hang
        self.free.set()

    def __call__(self, port: int) -> Wire:
        if self.fault in (errno.ENOENT, errno.EACCES):
            raise OSError(self.fault, os.strerror(self.fault), f"/dev/i2c-{port}")
        self.open_now += 1
        return self

    def close(self) -> None:
        self.open_now -= 1

    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        self._transfer(address, bytes([control, *data]))

    def i2c_rdwr(self, *messages: Any) -> None:
        for message in messages:
            self._transfer(message.addr, bytes(message))

    def _transfer(self, address: int, message: bytes) -> None:
        assert address == 0x3C
        assert self.open_now, "nothing is sent when the bus is closed"
        assert self.free.wait(10)
        if self.fault is not None:
            raise OSError(self.fault, os.strerror(self.fault))
        self.messages.append(message)
        (self.panel.data if message[0] == 0x40 else self.panel.commands)(message[1:])

    def sent(self) -> int:
        """Bytes on the wire since the last call."""
        count = sum(len(message) for message in self.messages)
        self.messages.clear()
        return count


Plug = Callable[..., tuple[Oled, Wire]]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Plug:
    def plugged(driver: str = "ssd1306", height: int = 64, **more: Any) -> tuple[Oled, Wire]:
        wire = Wire(oled_decode.panel(driver, height))
        monkeypatch.setattr(smbus2, "SMBus", wire)
        return open_oled(driver, height=height, **more), wire

    return plugged


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.tobytes() == other.tobytes()


def test_a_picture_on_its_way_is_not_cut_off_by_closing(plug: Plug) -> None:
    oled, wire = plug()
    oled.show(Image.new("1", oled.size))
    wire.free.clear()
    with ThreadPoolExecutor() as pool:
        shown = pool.submit(oled.show, Image.new("1", oled.size, 1))
        pool.submit(time.sleep, 0.05).result()
        closed = pool.submit(oled.close)
        closed.result(timeout=5)  # does not wait for a bus that hangs
        wire.free.set()
        shown.result(timeout=5)
    assert wire.panel.picture().getextrema() == (255, 255)
    oled.close()
    assert wire.open_now == 0


@pytest.mark.parametrize(("driver", "height"), DRIVERS)
def test_every_screen_arrives_as_drawn(plug: Plug, driver: str, height: int) -> None:
    oled, wire = plug(driver, height)
    seen = set()
    for name, view in EXAMPLES.items():
        if type(view) in seen and (driver, height) != ("ssd1306", 64):
            continue  # one of each class is enough for the other panels
        seen.add(type(view))
        picture = screens.draw(view, oled.size)
        oled.show(picture)
        assert same(wire.panel.picture(), picture), name
    oled.close()


@pytest.mark.parametrize(("driver", "height"), DRIVERS)
def test_an_equal_picture_sends_nothing(plug: Plug, driver: str, height: int) -> None:
    oled, wire = plug(driver, height)
    picture = screens.draw(EXAMPLES["roll turn"], oled.size)
    oled.show(picture)
    wire.sent()
    oled.show(picture.copy())
    assert wire.sent() == 0


@pytest.mark.parametrize(("driver", "height"), DRIVERS)
def test_only_changed_pages_are_sent(plug: Plug, driver: str, height: int) -> None:
    oled, wire = plug(driver, height)
    picture = Image.new("1", oled.size)
    oled.show(picture)
    wire.sent()
    picture.putpixel((77, 13), 255)
    picture.putpixel((3, 30), 255)
    oled.show(picture)
    assert 2 * 129 < wire.sent() < 2 * 140
    assert same(wire.panel.picture(), picture)


@pytest.mark.parametrize(("driver", "height"), DRIVERS)
def test_half_turn_shows_the_picture_upside_down(plug: Plug, driver: str, height: int) -> None:
    oled, wire = plug(driver, height, rotation=180)
    picture = screens.draw(EXAMPLES["rolled 3"], oled.size)
    oled.show(picture)
    assert same(wire.panel.picture(), picture.rotate(180))


@pytest.mark.parametrize("driver", ["ssd1306", "ssd1309", "sh1106"])
def test_contrast_dims_and_switches_off_and_on(plug: Plug, driver: str) -> None:
    oled, wire = plug(driver, level=180)
    picture = screens.draw(EXAMPLES["roll turn"])
    oled.show(picture)
    assert wire.panel.level == 180
    oled.contrast(10)
    assert (wire.panel.level, wire.panel.on) == (10, True)
    oled.contrast(0)
    assert not wire.panel.on
    oled.show(screens.draw(EXAMPLES["roll six"]))
    assert not wire.panel.on
    oled.contrast(200)
    assert (wire.panel.level, wire.panel.on) == (200, True)
    assert same(wire.panel.picture(), screens.draw(EXAMPLES["roll six"]))


@pytest.mark.parametrize(
    ("fault", "way_out"),
    [
        (errno.EREMOTEIO, "check the wiring and the address"),
        (errno.EIO, "check the wiring and the address"),
        (errno.ENXIO, "check the wiring and the address"),
        (errno.ETIMEDOUT, "check SDA and SCL"),
        (errno.ENOENT, "switch it on"),
        (errno.EACCES, "usermod"),
    ],
)
@pytest.mark.parametrize("when", ["at first", "later"])
def test_bus_error_names_display_and_way_out_and_the_display_comes_back(plug: Plug, fault: int, way_out: str, when: str) -> None:
    oled, wire = plug()
    first, second = screens.draw(EXAMPLES["roll turn"]), screens.draw(EXAMPLES["roll six"])
    if when == "later":
        oled.show(first)
        if fault in (errno.ENOENT, errno.EACCES):
            oled.close()
    wire.fault = fault
    with pytest.raises(DeviceError, match=f"0x3C on /dev/i2c-1.*{way_out}"):
        oled.show(second)
    assert wire.open_now == 0
    wire.fault = None
    wire.panel.power_off()
    oled.show(second)
    assert same(wire.panel.picture(), second)
    assert wire.open_now == 1


def test_a_pulled_plug_is_noticed_though_the_picture_stays(plug: Plug) -> None:
    now = 0.0
    oled, wire = plug(clock=lambda: now)
    picture = screens.draw(EXAMPLES["roll turn"])
    oled.show(picture)
    wire.fault = errno.EREMOTEIO
    now = 1.0
    oled.show(picture)  # nothing to send
    now = 4.0
    with pytest.raises(DeviceError):
        oled.show(picture)
    wire.fault = None
    wire.panel.power_off()
    oled.show(picture)
    assert same(wire.panel.picture(), picture)


def test_contrast_set_while_unplugged_holds_afterwards(plug: Plug) -> None:
    oled, wire = plug()
    wire.fault = errno.EREMOTEIO
    with pytest.raises(DeviceError):
        oled.contrast(20)
    wire.fault = None
    oled.show(screens.draw(EXAMPLES["roll turn"]))
    assert wire.panel.level == 20


def test_a_thousand_reconnections_leak_nothing(plug: Plug) -> None:
    oled, wire = plug()
    pictures = [Image.new("1", oled.size, colour) for colour in (0, 1)]

    def reconnect(times: int) -> None:
        for turn in range(times):
            wire.fault = (errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.ETIMEDOUT)[turn % 4]
            with pytest.raises(DeviceError):
                oled.show(pictures[turn % 2])
            wire.fault = None
            oled.show(pictures[1 - turn % 2])
            oled.show(pictures[turn % 2])
            wire.messages.clear()

    reconnect(10)
    gc.collect()
    hooks, objects = atexit._ncallbacks(), len(gc.get_objects())
    reconnect(1000)
    gc.collect()
    assert atexit._ncallbacks() == hooks
    assert len(gc.get_objects()) < objects + 100
    assert wire.open_now == 1


@pytest.mark.parametrize("picture", [Image.new("L", (128, 64)), Image.new("1", (128, 32))], ids=["grey", "small"])
def test_a_picture_that_does_not_fit_is_refused(plug: Plug, picture: Image.Image) -> None:
    oled, wire = plug()
    with pytest.raises(ValueError, match="mode"):
        oled.show(picture)
    assert wire.sent() == 0


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [({"height": 48}, "64 or 32"), ({"rotation": 90}, "0 or 180"), ({"driver": "ssd1351"}, "ssd1306, ssd1309, sh1106")],
)
def test_an_impossible_display_is_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        open_oled(**({"driver": "ssd1306"} | wrong))


class SpiBus:
    """spidev's place: a byte is a command or data by the level of the DC pin."""

    def __init__(self, panel: Any, pins: MockFactory) -> None:
        self.panel, self.pins, self.mode, self.max_speed_hz = panel, pins, 0, 0

    def open(self, port: int, device: int) -> None:
        assert (port, device) == (0, 0)

    def writebytes(self, data: Any) -> None:
        (self.panel.data if self.pins.pin(24).state else self.panel.commands)(bytes(data))

    def close(self) -> None:
        pass


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


@pytest.mark.parametrize(("driver", "height"), DRIVERS)
def test_a_screen_arrives_by_spi(pins: MockFactory, driver: str, height: int) -> None:
    panel = oled_decode.panel(driver, height)
    lines = GpioLines(pins)
    oled = open_spi_oled(driver, lines, height=height, spi=lambda: SpiBus(panel, pins))
    picture = screens.draw(EXAMPLES["captured"], oled.size)
    oled.show(picture)
    assert same(panel.picture(), picture)
    assert pins.pin(25).state  # out of reset
    oled.close()
    lines.close()
