"""What every backend of a port must do, run over the real adapters (on pins and files without hardware) and the simulated ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from ludo_hardware import gpio
from ludo_hardware.camera import open_camera
from ludo_hardware.ports import Button, Buzzer, Camera, DeviceError, Display, Lamps
from ludo_hardware.simulated import SimulatedButton, SimulatedBuzzer, SimulatedCamera, SimulatedDisplay, SimulatedLamps


@dataclass
class Pushed:
    button: Button
    press: Callable[[], None]
    release: Callable[[], None]


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = gpio.open_pins("mock")
    assert isinstance(factory, MockFactory)
    yield factory
    factory.close()


@pytest.fixture(params=["gpio", "simulated"])
def pushed(request: pytest.FixtureRequest, pins: MockFactory) -> Iterator[Pushed]:
    if request.param == "gpio":
        real = gpio.GpioButton(pins, 17)
        yield Pushed(real, pins.pin(17).drive_low, pins.pin(17).drive_high)
        real.close()
    else:
        twin = SimulatedButton(clock=time.monotonic)
        yield Pushed(twin, twin.press, twin.release)
        twin.close()


def test_button_reports_each_edge_with_its_time(pushed: Pushed) -> None:
    edges: list[tuple[float, bool]] = []
    pushed.button.listen(lambda t, level: edges.append((t, level)))
    times = [time.monotonic()]
    pushed.press()
    assert pushed.button.pressed()
    times.append(time.monotonic())
    pushed.release()
    assert not pushed.button.pressed()
    times.append(time.monotonic())
    assert [level for _, level in edges] == [True, False]
    assert times[0] <= edges[0][0] <= times[1] <= edges[1][0] <= times[2]


def test_button_pressed_twice_is_one_edge(pushed: Pushed) -> None:
    edges: list[bool] = []
    pushed.button.listen(lambda t, level: edges.append(level))
    pushed.press()
    pushed.press()
    assert edges == [True]


def test_button_nobody_listens_to_still_tells_its_level(pushed: Pushed) -> None:
    pushed.press()
    assert pushed.button.pressed()


def test_closed_button_reports_nothing(pushed: Pushed) -> None:
    edges: list[bool] = []
    pushed.button.listen(lambda t, level: edges.append(level))
    pushed.button.close()
    pushed.press()
    assert edges == []


@pytest.fixture(params=["gpio", "simulated"])
def buzzer(request: pytest.FixtureRequest, pins: MockFactory) -> Iterator[Buzzer]:
    made: Buzzer = gpio.GpioBuzzer(pins, 18) if request.param == "gpio" else SimulatedBuzzer()
    yield made
    made.close()


def test_buzzer_takes_a_new_tune_at_once(buzzer: Buzzer) -> None:
    buzzer.play(((440.0, 30.0), (0.0, 30.0)))
    buzzer.play(((660.0, 0.0),))
    buzzer.play(())


@pytest.fixture(params=["gpio", "simulated"])
def lamps(request: pytest.FixtureRequest, pins: MockFactory) -> Iterator[tuple[Lamps, Callable[[], list[int]]]]:
    """Lamps and what tells which of them shine."""
    if request.param == "gpio":
        numbers = (5, 6, 13, 19)
        made: Lamps = gpio.GpioLamps(pins, numbers)
        yield made, lambda: [seat for seat, number in enumerate(numbers) if pins.pin(number).state]
    else:
        twin = made = SimulatedLamps()
        yield made, lambda: [] if twin.lit is None else [twin.lit]
    made.close()


def test_one_lamp_alone_is_lit(lamps: tuple[Lamps, Callable[[], list[int]]]) -> None:
    device, shining = lamps
    assert shining() == []
    device.light(2)
    assert shining() == [2]
    device.light(0)
    assert shining() == [0]
    device.light(None)
    assert shining() == []


@pytest.fixture(params=["folder", "simulated"])
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Camera]:
    scene = np.full((48, 64, 3), (10, 120, 200), np.uint8)
    if request.param == "folder":
        cv2.imwrite(str(tmp_path / "0.png"), scene)
        made: Camera = open_camera("folder", folder=str(tmp_path))
    else:
        made = SimulatedCamera(lambda: scene)
    yield made
    made.close()


def test_camera_gives_a_colour_picture(camera: Camera) -> None:
    picture: Any = camera.capture(1.0)
    assert picture.shape == (48, 64, 3)
    assert picture.dtype == np.uint8
    assert picture[24, 32].tolist() == [10, 120, 200]


def test_camera_gives_a_small_grey_picture(camera: Camera) -> None:
    small: Any = camera.glance(1.0)
    assert small.shape == (240, 320)
    assert small.dtype == np.uint8
    assert abs(int(small[120, 160]) - 131) <= 2, "0.114 x 10 + 0.587 x 120 + 0.299 x 200"


def test_lost_simulated_camera_says_so_and_comes_back() -> None:
    camera = SimulatedCamera(lambda: np.zeros((2, 2, 3), np.uint8))
    camera.lose()
    for take in (camera.capture, camera.glance):
        with pytest.raises(DeviceError, match="no picture within 2 s"):
            take(2.0)
    camera.connect()
    assert camera.capture(2.0).shape == (2, 2, 3)


@pytest.fixture
def display() -> Display:
    return SimulatedDisplay()


def test_display_shows_a_whole_picture(display: Display) -> None:
    display.contrast(0)
    display.show(Image.new("1", display.size, 1))
    display.contrast(255)


def test_simulated_display_keeps_what_it_showed() -> None:
    display = SimulatedDisplay()
    assert display.picture is None
    first, second = Image.new("1", (128, 64), 0), Image.new("1", (128, 64), 1)
    display.show(first)
    display.show(second)
    first.paste(1, (0, 0, 128, 64))
    assert [picture.getpixel((0, 0)) for picture in display.history] == [0, 1]


@pytest.mark.parametrize("picture", [Image.new("L", (128, 64)), Image.new("1", (128, 32))], ids=["grey", "small"])
def test_display_refuses_a_picture_that_does_not_fit(display: Display, picture: Image.Image) -> None:
    with pytest.raises(ValueError, match="mode"):
        display.show(picture)


def test_unplugged_simulated_display_says_so() -> None:
    display = SimulatedDisplay()
    display.lose()
    with pytest.raises(DeviceError, match="does not answer"):
        display.show(Image.new("1", (128, 64)))
    display.connect()
    display.show(Image.new("1", (128, 64)))


def test_simulated_display_writes_what_it_shows_to_a_file(tmp_path: Path) -> None:
    display = SimulatedDisplay(file=tmp_path / "display.png")
    lit = Image.new("1", (128, 64), 1)
    display.show(lit)
    assert Image.open(tmp_path / "display.png").convert("1").tobytes() == lit.tobytes()
    display.contrast(0)
    assert not any(Image.open(tmp_path / "display.png").convert("L").tobytes())


def test_simulated_display_that_cannot_write_says_so() -> None:
    with pytest.raises(DeviceError, match=r"/nowhere/display\.png: No such file or directory"):
        SimulatedDisplay(file=Path("/nowhere/display.png")).show(Image.new("1", (128, 64)))
