"""Every check of the doctor, on machines that are folders."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from ludo_referee import doctor
from ludo_referee.doctor import Finding, System, Verdict

RECORDS = Path("/var/lib/ludo-referee")


class Machine:
    """A folder that looks like a machine's root, and the answers of its programs by the first words of the call."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.answers: dict[str, str] = {}
        self.space_mb = 5000.0

    def write(self, path: str, content: str | bytes = "") -> None:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *command: str) -> str | None:
        words = " ".join(Path(command[0]).name.replace(Path(sys.executable).name, "python") if n == 0 else c for n, c in enumerate(command))
        if words.startswith("python -c"):
            words = f"import {command[-1]}"
        return next((answer for start, answer in self.answers.items() if words.startswith(start)), None)

    def system(self, **changes: Any) -> System:
        return System(root=self.root, run=self.run, user="pi", space_mb=lambda folder: self.space_mb, **changes)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def verdict_of(finding: Finding, *, found: str = "", mend: str = "") -> Verdict:
    """The verdict, once the line says what it should."""
    assert found in finding.found, finding
    assert mend in finding.mend, finding
    assert finding.verdict is Verdict.GOOD or finding.wanted, "says what is wanted"
    return finding.verdict


def test_pi_is_named(machine: Machine) -> None:
    machine.write("/proc/device-tree/model", b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert verdict_of(doctor.board(machine.system()), found="Raspberry Pi 5 Model B Rev 1.0") is Verdict.GOOD


def test_other_machine_is_a_note(machine: Machine) -> None:
    assert verdict_of(doctor.board(machine.system()), mend="ludo-referee demo") is Verdict.NOTE


@pytest.mark.parametrize(
    ("version", "bits", "verdict"),
    [((3, 11, 2), 64, Verdict.GOOD), ((3, 13, 0), 64, Verdict.GOOD), ((3, 9, 2), 64, Verdict.FAULT), ((3, 11, 2), 32, Verdict.FAULT)],
)
def test_python(machine: Machine, version: tuple[int, ...], bits: int, verdict: Verdict) -> None:
    found = ".".join(map(str, version))
    assert verdict_of(doctor.python(machine.system(version=version, bits=bits)), found=f"{found}, {bits} bit") is verdict


def module(file: str, version: str = "1.24.2", names: tuple[str, ...] = ()) -> str:
    return "a warning of a library\n\n" + json.dumps({"version": version, "file": file, "names": names})


APT, PYPI = "/usr/lib/python3/dist-packages/", "/opt/ludo-referee/lib/python3.11/site-packages/"
LGPIO = module(APT + "lgpio.py", names=("gpiochip_open",))


def libraries(machine: Machine, **answers: str) -> dict[str, Finding]:
    machine.answers = {f"import {name}": answer for name, answer in {"lgpio": LGPIO, **answers}.items()}
    return {finding.what: finding for finding in doctor.libraries(machine.system())}


@pytest.mark.parametrize(("place", "origin"), [(APT, "apt"), (PYPI, "PyPI")])
def test_libraries_of_one_origin_fit(machine: Machine, place: str, origin: str) -> None:
    found = libraries(machine, numpy=module(place + "numpy/__init__.py"), cv2=module(place + "cv2.so", "4.6.0"))
    assert verdict_of(found["opencv"], found=f"4.6.0 from {origin}") is Verdict.GOOD
    assert verdict_of(found["numpy"], found=place) is Verdict.GOOD
    assert found["lgpio"].verdict is Verdict.GOOD


@pytest.mark.parametrize(
    "said",
    [
        "AttributeError: _ARRAY_API not found\nImportError: numpy.core.multiarray failed to import",
        "A module that was compiled using NumPy 1.x cannot be run in NumPy 2.4.6",
        "ValueError: numpy.dtype size changed, may indicate binary incompatibility",
    ],
)
def test_opencv_built_for_another_numpy_is_named(machine: Machine, said: str) -> None:
    found = libraries(machine, numpy=module(PYPI + "numpy/__init__.py", "2.4.6"), cv2=said)
    assert verdict_of(found["opencv"], found=f"another numpy than 2.4.6 at {PYPI}", mend="pip uninstall -y numpy") is Verdict.FAULT


def test_libraries_of_two_origins_are_a_note(machine: Machine) -> None:
    found = libraries(machine, numpy=module(PYPI + "numpy/__init__.py", "2.4.6"), cv2=module(APT + "cv2.so", "4.10.0"))
    assert verdict_of(found["opencv"], found="4.10.0 from apt on numpy from PyPI") is Verdict.NOTE


def test_missing_libraries_are_named_with_their_packages(machine: Machine) -> None:
    missing = "Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'it'"
    found = libraries(machine, numpy=missing, cv2=missing, lgpio=missing)
    for what, package in (("numpy", "python3-numpy"), ("opencv", "python3-opencv"), ("lgpio", "python3-lgpio")):
        assert verdict_of(found[what], found="ModuleNotFoundError: No module named 'it'", mend=package) is Verdict.FAULT


def test_library_that_ends_the_process_is_named(machine: Machine) -> None:
    found = libraries(machine, numpy=module(APT + "numpy/__init__.py"), cv2="")
    assert verdict_of(found["opencv"], found="ends the process") is Verdict.FAULT


def test_empty_stub_of_lgpio_is_named(machine: Machine) -> None:
    found = libraries(machine, lgpio=module(PYPI + "lgpio/__init__.py"))
    assert verdict_of(found["lgpio"], found="is an empty stub", mend="apt install python3-lgpio") is Verdict.FAULT


@pytest.mark.parametrize(
    ("passwd", "members", "verdict", "found"),
    [
        ("root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/home/pi:/bin/sh", "pi", Verdict.GOOD, "pi may use"),
        ("pi:x:1000:1000::/home/pi:/bin/sh", "", Verdict.FAULT, "pi is not in gpio, i2c, video"),
        ("ludo-referee:x:990:990::/:/bin/false", "pi", Verdict.FAULT, "ludo-referee is not in gpio"),
        ("ludo-referee:x:990:990::/:/bin/false", "ludo-referee,pi", Verdict.GOOD, "ludo-referee may use"),
    ],
)
def test_groups_of_the_account(machine: Machine, passwd: str, members: str, verdict: Verdict, found: str) -> None:
    machine.write("/etc/passwd", passwd)
    machine.write("/etc/group", "".join(f"{group}:x:44:{members}\n" for group in ("gpio", "i2c", "video", "audio")))
    assert verdict_of(doctor.groups(machine.system()), found=found) is verdict


def unit(**state: str) -> str:
    usual = {"LoadState": "loaded", "ActiveState": "active", "UnitFileState": "enabled", "NRestarts": "0", "WatchdogUSec": "20s"}
    return "\n".join(f"{key}={value}" for key, value in {**usual, "StatusText": "red's turn", **state}.items())


@pytest.mark.parametrize(
    ("state", "service", "watchdog", "found"),
    [
        ({}, Verdict.GOOD, Verdict.GOOD, "active, enabled, restarted 0 times. red's turn"),
        ({"ActiveState": "failed"}, Verdict.FAULT, Verdict.GOOD, "failed"),
        ({"UnitFileState": "disabled"}, Verdict.NOTE, Verdict.GOOD, "disabled"),
        ({"NRestarts": "17"}, Verdict.NOTE, Verdict.GOOD, "restarted 17 times"),
        ({"WatchdogUSec": "0"}, Verdict.GOOD, Verdict.NOTE, "active"),
        ({"StatusText": "looking; safe start (config.toml: a fault)"}, Verdict.FAULT, Verdict.GOOD, "config.toml: a fault"),
    ],
)
def test_service_and_watchdog(machine: Machine, state: dict[str, str], service: Verdict, watchdog: Verdict, found: str) -> None:
    machine.answers = {"systemctl show": unit(**state)}
    first, second = doctor.service(machine.system())
    assert verdict_of(first, found=found) is service
    assert verdict_of(second) is watchdog


@pytest.mark.parametrize("answer", [None, "LoadState=not-found\nActiveState=inactive"])
def test_service_that_is_not_installed_is_a_note(machine: Machine, answer: str | None) -> None:
    machine.answers = {} if answer is None else {"systemctl show": answer}
    (finding,) = doctor.service(machine.system())
    assert verdict_of(finding, found="not installed", mend="install.sh") is Verdict.NOTE


@pytest.mark.parametrize(
    ("mounts", "space_mb", "verdict", "found"),
    [
        ("/dev/mmcblk0p2 / ext4 rw 0 0", 5000.0, Verdict.GOOD, "on ext4, 5.0 GB free"),
        ("overlay / overlay rw 0 0", 5000.0, Verdict.FAULT, "games are lost at power-off"),
        ("/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /var/lib tmpfs rw 0 0", 5000.0, Verdict.FAULT, "on tmpfs"),
        ("overlay / overlay rw 0 0\n/dev/sda1 /var/lib/ludo-referee ext4 rw 0 0", 5000.0, Verdict.GOOD, "on ext4"),
        ("/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /var/lib/ludo tmpfs rw 0 0", 5000.0, Verdict.GOOD, "on ext4"),
        ("/dev/mmcblk0p2 / ext4 rw 0 0", 150.0, Verdict.NOTE, "150 MB free"),
        ("/dev/mmcblk0p2 / ext4 rw 0 0", 5.0, Verdict.FAULT, "5 MB free"),
    ],
)
def test_storage_of_the_records(machine: Machine, mounts: str, space_mb: float, verdict: Verdict, found: str) -> None:
    machine.write("/proc/mounts", mounts)
    machine.space_mb = space_mb
    assert verdict_of(doctor.storage(machine.system(), RECORDS), found=found) is verdict


@pytest.mark.parametrize(
    ("file", "verdict"), [("/run/systemd/timesync/synchronized", Verdict.GOOD), ("/dev/rtc0", Verdict.GOOD), ("/dev/null", Verdict.NOTE)]
)
def test_clock(machine: Machine, file: str, verdict: Verdict) -> None:
    machine.write(file)
    assert verdict_of(doctor.clock(machine.system())) is verdict


@pytest.mark.parametrize(
    ("bits", "verdict", "found"),
    [("0", Verdict.GOOD, "steady"), ("50000", Verdict.NOTE, "since power-on"), ("50005", Verdict.FAULT, "too low now")],
)
def test_power_from_the_firmware(machine: Machine, bits: str, verdict: Verdict, found: str) -> None:
    machine.answers = {"vcgencmd": f"throttled=0x{bits}\n"}
    assert verdict_of(doctor.power(machine.system()), found=found) is verdict
    machine.answers = {}
    machine.write("/sys/devices/platform/soc/soc:firmware/get_throttled", f"{bits}\n")
    assert verdict_of(doctor.power(machine.system()), found=found) is verdict


@pytest.mark.parametrize(("alarm", "verdict"), [("0", Verdict.GOOD), ("1", Verdict.FAULT)])
def test_power_from_the_kernels_alarm(machine: Machine, alarm: str, verdict: Verdict) -> None:
    machine.write("/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    machine.write("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    machine.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")
    assert verdict_of(doctor.power(machine.system())) is verdict


def test_power_that_is_not_told_is_a_note(machine: Machine) -> None:
    machine.answers = {"vcgencmd": "VCHI initialization failed"}
    assert verdict_of(doctor.power(machine.system()), found="does not tell") is Verdict.NOTE


@pytest.mark.parametrize(("text", "verdict"), [("48200", Verdict.GOOD), ("72000", Verdict.NOTE), ("81000", Verdict.FAULT)])
def test_temperature(machine: Machine, text: str, verdict: Verdict) -> None:
    machine.write("/sys/class/thermal/thermal_zone0/temp", f"{text}\n")
    assert verdict_of(doctor.temperature(machine.system()), found=f"{int(text) / 1000:.0f} °C") is verdict


def test_temperature_that_is_not_told_is_a_note(machine: Machine) -> None:
    assert doctor.temperature(machine.system()).verdict is Verdict.NOTE


CLOCK = "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"


@pytest.mark.parametrize(("clock_hz", "verdict", "found"), [(400_000, Verdict.GOOD, "400 kHz"), (100_000, Verdict.NOTE, "100 kHz")])
def test_bus_and_its_speed(machine: Machine, clock_hz: int, verdict: Verdict, found: str) -> None:
    machine.write("/dev/i2c-1")
    machine.write(CLOCK, clock_hz.to_bytes(4, "big"))
    assert verdict_of(doctor.bus(machine.system(), 1), found=found) is verdict


def test_missing_bus_names_the_others(machine: Machine) -> None:
    machine.write("/dev/i2c-20")
    assert verdict_of(doctor.bus(machine.system(), 1), found="(there: i2c-20)", mend="do_i2c") is Verdict.FAULT


def test_refused_bus_names_the_group(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.write("/dev/i2c-1")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert verdict_of(doctor.bus(machine.system(), 1), mend="usermod -aG i2c pi") is Verdict.FAULT


def test_processes_that_have_a_camera_are_found(machine: Machine) -> None:
    for number, name, target in ((41, "motion", "/dev/video0"), (42, "bash", "/dev/pts/0"), (43, "rpicam-hello", "/dev/media2")):
        machine.write(f"/proc/{number}/comm", f"{name}\n")
        (machine.root / f"proc/{number}/fd").mkdir()
        (machine.root / f"proc/{number}/fd/3").symlink_to(target)
    assert doctor.camera_users(machine.system()) == {41: "motion", 43: "rpicam-hello"}


def test_video_devices_are_listed_by_number(machine: Machine) -> None:
    for number, name in ((10, "bcm2835-codec"), (0, "HD Webcam")):
        machine.write(f"/sys/class/video4linux/video{number}/name", f"{name}\n")
    assert list(doctor.video_devices(machine.system()).items()) == [("/dev/video0", "HD Webcam"), ("/dev/video10", "bcm2835-codec")]


def test_line_says_what_would_mend_it_only_when_it_is_broken() -> None:
    assert doctor.good("power", "steady").line() == "good   power: steady"
    assert doctor.fault("bus", "none", "one", "plug it in").line() == "fault  bus: none (wanted: one): plug it in"


def test_empty_machine_is_examined_to_the_end(machine: Machine) -> None:
    """No file is there and no program answers: every check has something to say all the same."""
    findings = list(doctor.of_the_system(machine.system(), RECORDS))
    assert {finding.what for finding in findings} >= {"machine", "python", "numpy", "opencv", "lgpio", "service", "storage", "power"}
    assert json.loads(doctor.as_json(findings))[0]["verdict"] == "note"


def test_program_is_heard_with_its_faults_and_a_missing_one_is_none() -> None:
    assert doctor.run_program("/no/such/program") is None
    said = doctor.run_program(sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr)")
    assert said is not None
    assert set(said.split()) == {"out", "err"}
