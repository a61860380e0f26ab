"""Button, buzzer and lamps on a real kernel: the real lgpio and gpiozero, pins that a test pulls."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest
from machine import Header, until

from ludo_hardware.gpio import GpioButton, GpioBuzzer, GpioLamps, find_chip
from ludo_hardware.probe import line_user
from ludo_referee.gestures import Finger, Timing, feel


class Edges(list[tuple[float, bool]]):
    def __call__(self, t: float, pressed: bool) -> None:
        self.append((t, pressed))

    @property
    def levels(self) -> list[bool]:
        return [pressed for _, pressed in self]


def test_header_is_found_by_its_label(header: Header) -> None:
    assert find_chip() == int(header.device.name.removeprefix("gpiochip")) > 0
    with pytest.raises(OSError, match=r"found: .*gpio-brcmstb, pinctrl-bcm2711"):
        find_chip(("pinctrl-rp1",))


def test_press_and_release_are_reported(header: Header, pins: Any) -> None:
    header.drive(17, high=True)
    button, edges = GpioButton(pins, 17), Edges()
    button.listen(edges)
    assert not button.pressed()
    begun = time.monotonic()
    header.drive(17, high=False)
    assert until(lambda: edges)
    assert edges[0][0] - begun < 0.2
    header.drive(17, high=True)
    assert until(lambda: len(edges) == 2)
    assert edges.levels == [True, False]
    button.close()


def test_press_keeps_its_length_when_it_is_told_late(header: Header, pins: Any) -> None:
    header.drive(16, high=True)
    button, edges = GpioButton(pins, 16), Edges()

    def busy(t: float, pressed: bool) -> None:
        edges(t, pressed)
        time.sleep(1.5)  # as long as another thread might keep the processor

    button.listen(busy)
    header.drive(16, high=False)
    down = time.monotonic()
    time.sleep(0.5)
    header.drive(16, high=True)
    up = time.monotonic()
    assert until(lambda: len(edges) == 2)
    assert time.monotonic() > up + 0.6
    assert edges[1][0] - edges[0][0] == pytest.approx(up - down, abs=0.2)
    assert edges[0][0] == pytest.approx(down, abs=0.2)
    button.close()


def test_pull_of_the_pin_is_set(header: Header, pins: Any) -> None:
    button = GpioButton(pins, 22, pull="up")
    assert header.level(22)
    button.close()
    button = GpioButton(pins, 22, pull="down", pressed="high")
    assert not header.level(22)
    button.close()


def test_bounces_become_one_tap(header: Header, pins: Any) -> None:
    header.drive(23, high=True)
    button, edges = GpioButton(pins, 23), Edges()
    button.listen(edges)
    slow = Timing(bounce_s=0.3, double_tap_s=0.6, hold_s=20.0, long_hold_s=40.0, stuck_s=60.0)  # an emulated processor may stumble
    finger, gestures, seen = Finger(), [], 0

    def listen(seconds: float) -> None:
        nonlocal finger, seen
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            level = button.pressed()
            for t, pressed in (*edges[seen:], (time.monotonic(), level)):
                finger, heard = feel(finger, t, pressed, slow)
                gestures.extend(heard)
            seen = len(edges)
            time.sleep(0.02)

    listen(0.5)
    for last in (False, True):  # down, then up, each with five bounces
        for bounce in range(11):
            header.drive(23, high=last if bounce % 2 == 0 else not last)
            time.sleep(0.001)
        listen(1.5)
    assert len(edges) > 4
    assert [name for _, name in gestures] == ["tap"]
    button.close()


def test_button_stuck_at_the_start_is_no_press(header: Header, pins: Any) -> None:
    button, edges = GpioButton(pins, 24), Edges()
    header.drive(24, high=False)
    assert until(button.pressed)
    button.listen(edges)
    assert button.pressed()
    assert edges == []
    assert Finger().stuck(time.monotonic())
    header.drive(24, high=True)
    assert until(lambda: edges.levels == [False])
    button.close()


def test_thousand_presses_are_all_seen(header: Header, pins: Any) -> None:
    header.drive(25, high=True)
    button, edges = GpioButton(pins, 25), Edges()
    button.listen(edges)
    for number in range(1, 1001):
        header.drive(25, high=False)
        assert until(lambda: len(edges) == 2 * number - 1), f"press {number} was lost"  # noqa: B023
        header.drive(25, high=True)
        assert until(lambda: len(edges) == 2 * number), f"release {number} was lost"  # noqa: B023
    assert edges.levels == [True, False] * 1000
    assert [t for t, _ in edges] == sorted(t for t, _ in edges)
    button.close()


def test_more_edges_than_the_kernel_keeps_end_in_the_right_level(header: Header, pins: Any) -> None:
    """The kernel keeps 16 edges; what it drops must not leave a press hanging."""
    header.drive(19, high=True)
    button, edges = GpioButton(pins, 19), Edges()
    button.listen(edges)
    for last in (False, True):
        for number in range(401):
            header.drive(19, high=last if number % 2 == 0 else not last)
        time.sleep(0.3)
        assert button.pressed() is not last
        assert edges.levels[-1] is not last
    assert all(before != after for before, after in zip(edges.levels, edges.levels[1:], strict=False))
    button.close()


def test_pins_can_be_closed_and_opened_again_at_once(header: Header, pins: Any) -> None:
    header.drive(20, high=True)
    for _ in range(100):
        button, edges = GpioButton(pins, 20), Edges()
        button.listen(edges)
        header.drive(20, high=False)
        header.drive(20, high=True)
        button.close()


def test_listener_that_fails_does_not_make_the_buttons_deaf(header: Header, pins: Any) -> None:
    def fail(t: float, pressed: bool) -> None:
        raise RuntimeError("full")

    header.drive(5, high=True)
    header.drive(6, high=True)
    faulty, other, edges = GpioButton(pins, 5), GpioButton(pins, 6), Edges()
    faulty.listen(fail)
    other.listen(edges)
    header.drive(5, high=False)
    assert until(faulty.pressed)
    header.drive(6, high=False)
    assert until(lambda: edges)
    faulty.close()
    other.close()


def test_second_program_is_refused_in_one_clear_line(header: Header, pins: Any) -> None:
    button = GpioButton(pins, 12)
    assert line_user(header.device, 12) == "lg"
    assert line_user(header.device, 13) is None
    script = (
        "from ludo_hardware import gpio\n"
        "try: gpio.GpioButton(gpio.open_pins(), 12)\n"
        "except gpio.DeviceError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("GPIO12 (button) is used by another program or driver: stop it")
    button.close()


def test_no_pipe_is_left_in_the_working_folder(pins: Any) -> None:
    assert not [name for name in os.listdir(".") if name.startswith(".lgd")]


def test_lamps_shine_one_at_a_time(header: Header, pins: Any) -> None:
    lamps = GpioLamps(pins, (26, 27, None, 16))
    for seat, shining in ((0, [True, False, False]), (3, [False, False, True]), (2, [False] * 3), (None, [False] * 3)):
        lamps.light(seat)
        assert [header.level(pin) for pin in (26, 27, 16)] == shining
    lamps.close()


def test_buzzer_sounds_and_falls_silent(header: Header, pins: Any) -> None:
    buzzer = GpioBuzzer(pins, 18)
    buzzer.play(((200.0, 60.0),))
    seen = set()
    assert until(lambda: seen.add(header.level(18)) or len(seen) == 2)
    buzzer.play(((0.0, 0.01),))
    time.sleep(0.3)
    assert {header.level(18) for _ in range(200)} == {False}
    buzzer.close()
