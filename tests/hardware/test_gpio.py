"""Button, buzzer and lamps on gpiozero's pins without hardware, and what is said when the real ones cannot be had."""

from __future__ import annotations

import logging
import queue
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from ludo_hardware import gpio
from ludo_hardware.ports import DeviceError


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = gpio.open_pins("mock")
    assert isinstance(factory, MockFactory)
    yield factory
    factory.close()


class Edges(list[tuple[float, bool]]):
    def __call__(self, t: float, pressed: bool) -> None:
        self.append((t, pressed))

    @property
    def levels(self) -> list[bool]:
        return [pressed for _, pressed in self]


def test_button_to_ground_reports_press_and_release(pins: MockFactory) -> None:
    now = [1.0]
    button, edges = gpio.GpioButton(pins, 17, pull="up", clock=lambda: now[0]), Edges()
    button.listen(edges)
    pins.pin(17).drive_low()
    assert button.pressed()
    now[0] = 2.5
    pins.pin(17).drive_high()
    assert not button.pressed()
    assert edges.levels == [True, False]
    assert [t for t, _ in edges] == pytest.approx([1.0, 2.5], abs=0.2)
    assert pins.pin(17).pull == "up"
    button.close()


@pytest.mark.parametrize(
    ("pull", "pressed", "pin_pull"),
    [("down", "high", "down"), ("off", "high", "floating"), ("up", "high", "up")],  # the last is a contact that opens
)
def test_button_pressed_when_high(pins: MockFactory, pull: gpio.Pull, pressed: Literal["low", "high"], pin_pull: str) -> None:
    button, edges = gpio.GpioButton(pins, 17, pull=pull, pressed=pressed), Edges()
    assert pins.pin(17).pull == pin_pull
    pins.pin(17).drive_low()
    button.listen(edges)
    pins.pin(17).drive_high()
    assert button.pressed()
    pins.pin(17).drive_low()
    assert not button.pressed()
    assert edges.levels == [True, False]
    button.close()


@pytest.mark.parametrize("pull", ["up", "down", "off"])
def test_button_pressed_when_low(pins: MockFactory, pull: gpio.Pull) -> None:
    button, edges = gpio.GpioButton(pins, 17, pull=pull, pressed="low"), Edges()
    pins.pin(17).drive_high()
    button.listen(edges)
    pins.pin(17).drive_low()
    assert button.pressed()
    assert edges.levels == [True]
    button.close()


def test_bounces_are_all_reported(pins: MockFactory) -> None:
    button, edges = gpio.GpioButton(pins, 17), Edges()
    button.listen(edges)
    for _ in range(3):
        pins.pin(17).drive_low()
        pins.pin(17).drive_high()
    assert edges.levels == [True, False] * 3
    button.close()


def test_edge_has_the_time_it_came_however_late_it_is_told(pins: MockFactory) -> None:
    button, edges = gpio.GpioButton(pins, 17, clock=lambda: 100.0), Edges()
    button.listen(edges)
    told = pins.pin(17).when_changed
    assert told is not None
    told(pins.ticks() - 0.7, False)  # gpiozero hands over the kernel's time and the pin's state
    told(pins.ticks() - 0.6, True)
    assert edges.levels == [True, False]
    assert [t for t, _ in edges] == pytest.approx([99.3, 99.4], abs=0.05)
    button.close()


@pytest.mark.parametrize("ahead", [1.7e9, -1.7e9], ids=["ahead", "behind"])
def test_edge_stamped_by_another_clock_came_now(pins: MockFactory, ahead: float) -> None:
    button, edges = gpio.GpioButton(pins, 17, clock=lambda: 100.0), Edges()
    button.listen(edges)
    told = pins.pin(17).when_changed
    assert told is not None
    told(pins.ticks() + ahead, False)
    assert edges == [(100.0, True)]
    button.close()


def test_times_of_edges_never_run_backwards(pins: MockFactory) -> None:
    now = [100.0]
    button, edges = gpio.GpioButton(pins, 17, clock=lambda: now[0]), Edges()
    button.listen(edges)
    told, pins.pin(17).when_changed = pins.pin(17).when_changed, None
    pins.pin(17).drive_low()
    assert button.pressed()  # found by reading, before the late callback for it
    assert told is not None
    told(pins.ticks() - 0.4, False)
    told(pins.ticks() - 0.3, True)
    assert edges == [(100.0, True), (100.0, False)]
    button.close()


def test_button_held_at_the_start_is_no_edge_but_can_be_read(pins: MockFactory) -> None:
    button, edges = gpio.GpioButton(pins, 17), Edges()
    pins.pin(17).drive_low()
    button.listen(edges)
    assert button.pressed()
    assert edges == []
    pins.pin(17).drive_high()
    assert edges.levels == [False]
    button.close()


def test_lost_release_is_reported_when_the_level_is_read(pins: MockFactory) -> None:
    button, edges = gpio.GpioButton(pins, 17), Edges()
    button.listen(edges)
    pins.pin(17).drive_low()
    callback, pins.pin(17).when_changed = pins.pin(17).when_changed, None  # lgpio's thread has died
    pins.pin(17).drive_high()
    assert edges.levels == [True]
    assert not button.pressed()
    assert edges.levels == [True, False]
    assert callback is not None
    button.close()


def test_listener_that_fails_does_not_reach_the_callback_thread(pins: MockFactory, caplog: pytest.LogCaptureFixture) -> None:
    full: queue.Queue[tuple[float, bool]] = queue.Queue(maxsize=1)
    button = gpio.GpioButton(pins, 17)
    button.listen(lambda t, pressed: full.put_nowait((t, pressed)))
    with caplog.at_level(logging.CRITICAL):
        pins.pin(17).drive_low()
        pins.pin(17).drive_high()  # MockFactory runs callbacks here: an exception would come out of this line
    assert full.qsize() == 1
    button.close()


def test_nothing_is_reported_after_close(pins: MockFactory) -> None:
    button, edges = gpio.GpioButton(pins, 17), Edges()
    button.listen(edges)
    button.close()
    pins.pin(17).drive_low()
    assert edges == []


def test_pin_that_is_busy_for_a_moment_is_given_back_all_the_same(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    button = gpio.GpioButton(pins, 17)
    answers = iter([Exception("GPIO busy"), Exception("GPIO busy")])
    close = pins.pin(17).close

    def busy_at_first() -> None:
        for error in answers:
            raise error
        close()

    monkeypatch.setattr(pins.pin(17), "close", busy_at_first)
    button.close()
    gpio.GpioButton(pins, 17).close()


def test_two_devices_on_one_pin_are_refused_by_name(pins: MockFactory) -> None:
    button = gpio.GpioButton(pins, 17)
    with pytest.raises(DeviceError, match="GPIO17 is to serve as lamp of seat B but has another task"):
        gpio.GpioLamps(pins, (5, 17))
    gpio.GpioLamps(pins, (5,)).close()  # the lamp opened before the refusal was given back
    button.close()


def test_pin_of_another_program_is_refused_by_name(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise Exception("GPIO busy")  # what lgpio raises: its error class is a bare Exception

    monkeypatch.setattr(pins, "pin", busy)
    with pytest.raises(DeviceError, match=r"GPIO17 \(button\) is used by another program or driver: stop it"):
        gpio.GpioButton(pins, 17)


def test_pin_that_does_not_exist_is_refused_by_name(pins: MockFactory) -> None:
    with pytest.raises(DeviceError, match=r"GPIO99 \(button\) cannot be used"):
        gpio.GpioButton(pins, 99)


class SoundPin(MockPWMPin):
    """Notes down each (frequency, duty) that it is given."""

    def __init__(self, factory: MockFactory, info: object) -> None:
        super().__init__(factory, info)
        self.heard: queue.SimpleQueue[tuple[float, float]] = queue.SimpleQueue()

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        self.heard.put((self._frequency or 0, value))

    def until(self, last: tuple[float, float]) -> list[tuple[float, float]]:
        """What is heard up to and with `last`, each change once."""
        heard = [self.heard.get(timeout=5)]
        while heard[-1] != last:
            sound = self.heard.get(timeout=5)
            heard += [sound] if sound != heard[-1] else []
        return heard


@pytest.fixture
def sound_pin() -> Iterator[SoundPin]:
    factory = MockFactory(pin_class=SoundPin)
    yield factory.pin(18)
    factory.close()


def test_passive_buzzer_plays_to_the_end_and_falls_silent(sound_pin: SoundPin) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18)
    buzzer.play(((440.0, 0.001), (0.0, 0.001), (880.4, 0.001)))
    assert sound_pin.until((880, 0.0))[-4:] == [(440, 0.5), (440, 0.0), (880, 0.5), (880, 0.0)]
    buzzer.close()


def test_new_tune_replaces_the_old(sound_pin: SoundPin) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18)
    buzzer.play(((440.0, 3600.0),))
    sound_pin.until((440, 0.5))
    buzzer.play(((880.0, 0.001),))
    sound_pin.until((880, 0.5))
    sound_pin.until((880, 0.0))
    buzzer.close()


@pytest.mark.parametrize(("level", "duty"), [(0, 0), (1, 0.02), (4, 0.5)])
def test_level_is_the_share_of_each_period(sound_pin: SoundPin, level: int, duty: float) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18, level=level)
    buzzer.play(((523.0, 0.001), (880.0, 0.001)))
    assert all(share in (0, duty) for _, share in sound_pin.until((880, duty) if duty else (440, 0)))
    buzzer.close()


def test_closing_ends_a_long_tune_at_once(sound_pin: SoundPin) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18)
    buzzer.play(((440.0, 3600.0),))
    sound_pin.until((440, 0.5))
    buzzer.close()
    assert sound_pin.state == 0


def test_active_buzzer_only_goes_on_and_off(sound_pin: SoundPin) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18, passive=False)
    buzzer.play(((440.0, 0.001), (880.0, 3600.0)))
    assert sound_pin.until((0, 1)) == [(0, 0), (0, 1)]
    buzzer.close()
    assert sound_pin.state == 0


def test_buzzer_without_its_pin_is_silent_and_harms_nobody(sound_pin: SoundPin, caplog: pytest.LogCaptureFixture) -> None:
    buzzer = gpio.GpioBuzzer(sound_pin.factory, 18)
    buzzer._device.close()
    with caplog.at_level(logging.WARNING):
        buzzer.play(((440.0, 0.001),))
        buzzer._thread.join(5)
    assert "the buzzer is silent from now on" in caplog.text
    buzzer.play(((440.0, 0.001),))
    buzzer.close()


def test_one_lamp_at_a_time(pins: MockFactory) -> None:
    lamps = gpio.GpioLamps(pins, (5, 6, None, 13))
    shining = []
    for seat in (0, 1, 2, 3, None):
        lamps.light(seat)
        shining.append([pins.pin(pin).state for pin in (5, 6, 13)])
    assert shining == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    lamps.close()


def test_lamps_that_shine_when_low(pins: MockFactory) -> None:
    lamps = gpio.GpioLamps(pins, (5, 6), active_high=False)
    assert [pins.pin(5).state, pins.pin(6).state] == [1, 1]
    lamps.light(1)
    assert [pins.pin(5).state, pins.pin(6).state] == [1, 0]
    lamps.close()


def chips(folder: Path, **labels: str) -> dict[str, str]:
    for name in labels:
        (folder / name).touch()
    return labels


def test_chip_is_found_by_its_label_wherever_it_is(tmp_path: Path) -> None:
    labels = chips(tmp_path, gpiochip0="gpio-brcmstb@107d508500", gpiochip4="pinctrl-rp1", gpiochip10="raspberrypi-exp-gpio")
    assert gpio.find_chip(folder=tmp_path, label_of=lambda path: labels[path.name]) == 4


def test_link_to_the_chip_is_passed_over(tmp_path: Path) -> None:
    labels = chips(tmp_path, gpiochip0="pinctrl-rp1")
    (tmp_path / "gpiochip4").symlink_to("gpiochip0")
    assert gpio.find_chip(folder=tmp_path, label_of=lambda path: labels[path.name]) == 0


def test_missing_chip_names_those_that_are_there(tmp_path: Path) -> None:
    labels = chips(tmp_path, gpiochip0="intel-gpio")
    with pytest.raises(DeviceError, match=r"found: intel-gpio\): is this a Raspberry Pi"):
        gpio.find_chip(folder=tmp_path, label_of=lambda path: labels[path.name])


def test_what_is_no_chip_is_none(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(DeviceError, match="found: none"):
        gpio.open_pins(folder=tmp_path)


def test_refused_chip_names_the_group(tmp_path: Path) -> None:
    def refuse(_: Path) -> str:
        raise PermissionError(13, "Permission denied")

    chips(tmp_path, gpiochip0="pinctrl-bcm2711")
    with pytest.raises(DeviceError, match="usermod -aG gpio"):
        gpio.find_chip(folder=tmp_path, label_of=refuse)


def test_empty_stub_of_lgpio_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    with pytest.raises(DeviceError, match="empty stub"):
        gpio.import_lgpio()


def test_missing_lgpio_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(DeviceError, match="apt install python3-lgpio"):
        gpio.import_lgpio()


def test_importing_lgpio_leaves_the_working_folder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one, where it is installed: no pipe is left in the folder and the process does not move."""
    monkeypatch.chdir(tmp_path)
    script = "import os; from ludo_hardware import gpio; gpio.import_lgpio(); print(os.getcwd(), os.listdir('.'), os.environ.get('LG_WD'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    if "apt install python3-lgpio" in done.stderr:
        pytest.skip("lgpio is not installed")
    assert done.stdout.split() == [str(tmp_path), "[]", "None"], done.stderr
