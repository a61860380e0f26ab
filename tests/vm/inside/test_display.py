"""The OLED on a real bus: luma, smbus2 and the kernel, and what came out at the other end."""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from machine import Bus, SpiBus
from PIL import Image

from ludo_hardware.oled import GpioLines, open_oled, open_spi_oled
from ludo_hardware.ports import DeviceError
from ludo_hardware.probe import i2c_answers

sys.path.insert(0, "/project/tests/hardware")
sys.path.insert(0, "/project/tests/firmware/screens")
import oled_decode

from ludo_referee import screens
from ludo_referee.screens.examples import EXAMPLES


@pytest.fixture(autouse=True)
def plugged(bus: Bus) -> Bus:
    bus.set(present=1, khz=0, failn=0)
    bus.forget()
    return bus


def shown(bus: Bus, panel: Any) -> Image.Image:
    """What the panel shows after everything that was written."""
    for message in bus.messages():
        (panel.data if message[0] == 0x40 else panel.commands)(message[1:])
    picture: Image.Image = panel.picture()
    return picture


@pytest.mark.parametrize(("driver", "height"), [("ssd1306", 64), ("ssd1306", 32), ("ssd1309", 64), ("sh1106", 64)])
def test_screens_arrive_as_drawn(bus: Bus, driver: str, height: int) -> None:
    oled, panel = open_oled(driver, height=height), oled_decode.panel(driver, height)
    for name, view in list(EXAMPLES.items())[::9]:  # all of them arrive in tests/hardware; here every one takes a second
        picture = screens.draw(view, oled.size)
        oled.show(picture)
        assert shown(bus, panel).tobytes() == picture.tobytes(), name
    oled.close()


def test_whole_picture_takes_as_long_as_the_wire(bus: Bus) -> None:
    bus.set(khz=400)
    oled = open_oled("ssd1306")
    times = []
    for number in range(6):
        begun = time.monotonic()
        oled.show(Image.new("1", (128, 64), number % 2))
        times.append(time.monotonic() - begun)
    oled.close()
    assert 0.023 <= min(times[1:]) < 0.2, times


@pytest.mark.parametrize("fault", [errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.ETIMEDOUT])
def test_bus_error_is_told_and_made_good(bus: Bus, fault: int) -> None:
    oled, panel = open_oled("ssd1306"), oled_decode.panel("ssd1306", 64)
    first, second = Image.new("1", (128, 64), 0), Image.new("1", (128, 64), 1)
    oled.show(first)
    bus.set(fail=fault, failn=1)
    with pytest.raises(DeviceError, match=r"display at 0x3C on /dev/i2c-1"):
        oled.show(second)
    oled.show(second)
    assert shown(bus, panel).tobytes() == second.tobytes()
    oled.close()


def test_pulled_plug_and_hundred_reconnections_leak_nothing(bus: Bus) -> None:
    oled, picture = open_oled("ssd1306"), Image.new("1", (128, 64), 1)
    oled.show(picture)
    handles = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        bus.set(fail=errno.EREMOTEIO, failn=1)
        with pytest.raises(DeviceError):
            oled.contrast(90)
        oled.contrast(91)
    assert len(os.listdir("/proc/self/fd")) == handles
    oled.close()


def test_missing_display_and_bus_are_told(bus: Bus) -> None:
    bus.set(present=0)
    assert not i2c_answers(Path("/dev/i2c-1"), 0x3C)
    with pytest.raises(DeviceError, match="does not answer"):
        open_oled("ssd1306").show(Image.new("1", (128, 64)))
    with pytest.raises(DeviceError, match="the bus does not exist"):
        open_oled("ssd1306", bus=9).show(Image.new("1", (128, 64)))
    bus.set(present=1)
    assert i2c_answers(Path("/dev/i2c-1"), 0x3C)
    assert not i2c_answers(Path("/dev/i2c-1"), 0x3D)


@pytest.mark.parametrize(("driver", "height"), [("ssd1306", 64), ("ssd1309", 64), ("sh1106", 64)])
def test_screens_arrive_over_spi_as_drawn(spi_bus: SpiBus, pins: Any, driver: str, height: int) -> None:
    spi_bus.forget()
    lines = GpioLines(pins)
    oled, panel = open_spi_oled(driver, lines, dc_pin=24, reset_pin=25, height=height), oled_decode.panel(driver, height)
    for name, view in list(EXAMPLES.items())[::20]:
        picture = screens.draw(view, oled.size)
        oled.show(picture)
        for is_data, message in spi_bus.messages():
            (panel.data if is_data else panel.commands)(message)
        assert panel.picture().tobytes() == picture.tobytes(), name
    oled.close()
    lines.close()


def test_missing_spi_is_told(pins: Any) -> None:
    pytest.importorskip("spidev")
    lines = GpioLines(pins)
    with pytest.raises(DeviceError, match="the bus does not exist"):
        open_spi_oled("ssd1306", lines, port=7).show(Image.new("1", (128, 64)))
    lines.close()
