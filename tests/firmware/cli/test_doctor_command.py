"""The doctor's command: live devices replaced by what they would answer, a folder of pictures as camera."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from ludo_hardware import gpio, probe
from ludo_hardware.ports import DeviceError
from ludo_hardware.simulated import SimulatedDisplay
from ludo_referee import doctor
from ludo_referee.app import devices
from ludo_referee.cli import doctor_command
from ludo_referee.config import Camera, Config, Display
from ludo_referee.doctor import Finding, System, Verdict


def system(root: Path, *, service: bool = False) -> System:
    def run(*command: str) -> str | None:
        return ("active" if service else "inactive") if command[:2] == ("systemctl", "is-active") else None

    return System(root=root, run=run, user="pi", space_mb=lambda folder: 5000.0)


@pytest.fixture
def users(monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """Who uses which line of a chip that is there; the button reads as not pressed."""
    found: dict[int, str] = {}
    monkeypatch.setattr(gpio, "find_chip", lambda: 0)
    monkeypatch.setattr(gpio, "open_pins", lambda: gpio.MockFactory(pin_class=gpio.MockPWMPin))
    monkeypatch.setattr(probe, "line_user", lambda chip, line: found.get(line))
    return found


def by_what(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.what: finding for finding in findings}


def test_free_pins_are_good(users: dict[int, str], tmp_path: Path) -> None:
    found = by_what(list(doctor_command.pins(system(tmp_path), Config())))
    assert [finding.verdict for finding in found.values()] == [Verdict.GOOD] * 3
    assert found["pins"].found == "/dev/gpiochip0, by MockFactory"
    assert found["button"].found == "GPIO17, not pressed"
    assert found["buzzer"].found == "GPIO18 is free"


def test_pin_of_another_program_is_a_fault_and_of_the_service_is_not(users: dict[int, str], tmp_path: Path) -> None:
    users[17] = "gpio_keys"
    assert by_what(list(doctor_command.pins(system(tmp_path), Config())))["button"].line() == (
        "fault  button: GPIO17 is used by gpio_keys (wanted: free): stop that program or choose another pin in the configuration"
    )
    assert by_what(list(doctor_command.pins(system(tmp_path, service=True), Config())))["button"].verdict is Verdict.GOOD


def test_missing_chip_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def none() -> int:
        raise DeviceError("no GPIO chip called pinctrl-rp1 in /dev")

    monkeypatch.setattr(gpio, "find_chip", none)
    (finding,) = doctor_command.pins(system(tmp_path), Config())
    assert finding.verdict is Verdict.FAULT


def test_pressed_button_is_a_note(users: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpio.GpioButton, "pressed", lambda _: True)
    found = by_what(list(doctor_command.pins(system(tmp_path), Config())))["button"]
    assert found.verdict is Verdict.NOTE
    assert "check the wiring" in found.mend


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> SimulatedDisplay:
    """The display that the doctor opens."""
    display = SimulatedDisplay()
    monkeypatch.setattr(devices, "open_display", lambda *_: display)
    return display


def with_device(root: Path, name: str) -> Path:
    (root / "dev").mkdir()
    (root / "dev" / name).touch()
    return root


@pytest.mark.parametrize(
    ("answering", "verdict", "says"),
    [
        ({0x3C}, Verdict.GOOD, "at 0x3C, ssd1306; look: a five in a frame"),
        ({0x3D}, Verdict.FAULT, "nothing at 0x3C, but something at 0x3D"),
        (set(), Verdict.FAULT, "nothing at 0x3C"),
    ],
)
def test_display_at_its_address(
    answering: set[int], verdict: Verdict, says: str, shown: SimulatedDisplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "i2c_answers", lambda bus, address: address in answering)
    found = by_what(list(doctor_command.display(system(with_device(tmp_path, "i2c-1")), Config())))
    assert found["display"].verdict is verdict
    assert says in found["display"].found
    assert (shown.picture is not None) == (verdict is Verdict.GOOD)


def test_picture_on_the_display_touches_every_edge(shown: SimulatedDisplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "i2c_answers", lambda *_: True)
    list(doctor_command.display(system(with_device(tmp_path, "i2c-1")), Config()))
    assert shown.picture is not None
    assert shown.picture.getbbox() == (0, 0, 128, 64)


def test_display_of_the_service_is_left_alone(shown: SimulatedDisplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "i2c_answers", lambda *_: True)
    found = by_what(list(doctor_command.display(system(with_device(tmp_path, "i2c-1"), service=True), Config())))
    assert found["display"].found == "there, used by the service"
    assert shown.picture is None


def test_display_that_takes_no_picture_is_a_fault(shown: SimulatedDisplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "i2c_answers", lambda *_: True)
    shown.lose()
    found = by_what(list(doctor_command.display(system(with_device(tmp_path, "i2c-1")), Config())))
    assert found["display"].verdict is Verdict.FAULT


SPI = Config(display=Display(wire="spi"))


def test_display_on_spi_is_shown_a_picture_for_it_cannot_answer(shown: SimulatedDisplay, tmp_path: Path) -> None:
    found = by_what(list(doctor_command.display(system(with_device(tmp_path, "spidev0.0")), SPI)))
    assert found["wire"].found == "/dev/spidev0.0"
    assert "on SPI, where nothing answers" in found["display"].found
    assert shown.picture is not None


def test_missing_wire_names_its_switch(tmp_path: Path) -> None:
    (finding,) = doctor_command.display(system(tmp_path), SPI)
    assert finding.verdict is Verdict.FAULT
    assert "do_spi 0" in finding.mend


def test_stuck_bus_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(*_: object) -> bool:
        raise OSError(110, "Connection timed out")

    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/i2c-1").touch()
    monkeypatch.setattr(probe, "i2c_answers", stuck)
    assert "stuck: Connection timed out" in by_what(list(doctor_command.display(system(tmp_path), Config())))["display"].found


def camera_of(folder: Path, picture: np.ndarray) -> Finding:
    cv2.imwrite(str(folder / "picture.png"), picture)
    config = Config(camera=Camera(kind="folder", folder=str(folder)))
    (finding,) = doctor_command.camera(system(folder), config)
    return finding


def noise(low: int, high: int) -> np.ndarray:
    return np.random.default_rng(7).integers(low, high, (240, 320, 3), np.uint8)


@pytest.mark.parametrize(
    ("picture", "verdict", "mend"),
    [
        (noise(60, 180), Verdict.GOOD, ""),
        (noise(0, 20), Verdict.NOTE, "switch a lamp on"),
        (noise(240, 255), Verdict.NOTE, "turn the lamp away"),
        (np.full((240, 320, 3), 120, np.uint8), Verdict.NOTE, "focus the lens"),
        (noise(60, 180) // np.array([1, 2, 4], np.uint8), Verdict.NOTE, "red and blue are swapped"),
    ],
)
def test_picture_of_the_camera_is_judged(picture: np.ndarray, verdict: Verdict, mend: str, tmp_path: Path) -> None:
    finding = camera_of(tmp_path, picture)
    assert finding.verdict is verdict, finding
    assert "320 x 240" in finding.found
    assert mend in finding.mend


def test_camera_without_pictures_says_why(tmp_path: Path) -> None:
    (finding,) = doctor_command.camera(system(tmp_path), Config(camera=Camera(kind="folder", folder=str(tmp_path))))
    assert finding.verdict is Verdict.FAULT
    assert "has no pictures" in finding.found


def test_usb_camera_that_is_not_plugged_in_names_those_that_are(tmp_path: Path) -> None:
    name = tmp_path / "sys/class/video4linux/video2/name"
    name.parent.mkdir(parents=True)
    name.write_text("HD Webcam\n")
    (finding,) = doctor_command.camera(system(tmp_path), Config(camera=Camera(kind="v4l2")))
    assert finding.found == "no /dev/video0 (there: /dev/video2 HD Webcam)"


@pytest.mark.parametrize(
    ("listed", "verdict", "says"),
    [
        (["imx708_wide"], Verdict.GOOD, "0 imx708_wide"),
        ([], Verdict.FAULT, "number 0 is not there (there: none)"),
        ("No module named 'picamera2'", Verdict.FAULT, "No module named 'picamera2'"),
    ],
)
def test_cameras_on_the_ribbon_cables_are_listed(
    listed: list[str] | str, verdict: Verdict, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_command, "_child", lambda worker, arguments: listed)
    monkeypatch.setattr(doctor_command, "_look", lambda options: "no picture")
    found = by_what(list(doctor_command.camera(system(tmp_path), Config())))
    assert found["cameras"].verdict is verdict
    assert found["cameras"].found == says
    assert ("camera" in found) == (verdict is Verdict.GOOD)


def test_table_without_a_camera_has_none_to_check(tmp_path: Path) -> None:
    assert not list(doctor_command.camera(system(tmp_path), Config(camera=Camera(kind="none"))))


def test_faulty_configuration_is_a_finding_and_its_wiring_is_checked_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[button]\npin = 22\n[vision]\nsharpness = 3\n")
    config, finding = doctor_command.configuration(file)
    assert finding.verdict is Verdict.FAULT
    assert "sharpness" in finding.found
    assert config.button.pin == 22
    file.write_text('[table]\nboard = "halma"\n')
    assert "halma" in doctor_command.configuration(file)[1].found
    file.write_text("[button]\npin = 22\n")
    assert doctor_command.configuration(file)[1].line() == f"good   configuration: {file}"


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor_command.add(parser.add_subparsers())
    return parser.parse_args(["doctor", *words])


@pytest.mark.parametrize(
    ("findings", "status"), [([doctor.good("a", "b")], 0), ([doctor.note("a", "b", "c"), doctor.fault("d", "e", "f")], 1)]
)
def test_status_tells_of_faults(
    findings: list[Finding], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "of_the_system", lambda *_: iter(findings))
    monkeypatch.setattr(doctor_command, "configuration", lambda file: (Config(), doctor.good("configuration", "none")))
    arguments = parsed("--no-devices", "--json")
    assert arguments.run(arguments) == status
    told = [finding["what"] for finding in json.loads(capsys.readouterr().out)]
    assert told == ["configuration", *(finding.what for finding in findings)]
    arguments = parsed("--no-devices")
    assert arguments.run(arguments) == status
    assert capsys.readouterr().out.splitlines() == [
        "good   configuration: none",
        *(finding.line() for finding in findings),
        "1 fault" if status else "nothing is at fault",
    ]
