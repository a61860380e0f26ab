"""`ludo-referee doctor`: what a table needs, looked at one thing after the other, each answer with what would mend it.

Here is what can be read from the system's files, from under any root, and what other programs say; asking live devices is the command's.
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

ACCOUNT = "ludo-referee"
UNIT = "ludo-referee.service"
GROUPS = ("gpio", "i2c", "video")
LITTLE_SPACE_MB, NO_SPACE_MB = 200, 20
WARM_C, HOT_C = 70.0, 80.0  # the Pi slows down at 80
DISPLAY_HZ = 400_000


class Verdict(StrEnum):
    GOOD = "good"
    NOTE = "note"  # works, but could be better
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    what: str
    verdict: Verdict
    found: str
    wanted: str = ""
    mend: str = ""

    def line(self) -> str:
        """`fault  display: nothing at 0x3C (wanted: …): how to mend it`."""
        wanted = f" (wanted: {self.wanted})" if self.wanted and self.verdict is not Verdict.GOOD else ""
        mend = f": {self.mend}" if self.mend and self.verdict is not Verdict.GOOD else ""
        return f"{self.verdict:5}  {self.what}: {self.found}{wanted}{mend}"


def good(what: str, found: str) -> Finding:
    return Finding(what, Verdict.GOOD, found)


def note(what: str, found: str, wanted: str, mend: str = "") -> Finding:
    return Finding(what, Verdict.NOTE, found, wanted, mend)


def fault(what: str, found: str, wanted: str, mend: str = "") -> Finding:
    return Finding(what, Verdict.FAULT, found, wanted, mend)


def run_program(*command: str) -> str | None:
    """What a program prints, faults included; None when there is no such program or it hangs."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout


@dataclass(frozen=True)
class System:
    """The machine as the checks see it; a test gives a folder for `root` and its own answers for the rest."""

    root: Path = Path("/")
    run: Callable[..., str | None] = run_program
    version: tuple[int, ...] = sys.version_info[:3]
    bits: int = struct.calcsize("P") * 8
    user: str = field(default_factory=lambda: _user_name())
    space_mb: Callable[[Path], float] = field(default=lambda folder: _space_mb(folder))

    def path(self, absolute: str | Path) -> Path:
        return self.root / str(absolute).lstrip("/")

    def text(self, absolute: str) -> str | None:
        """A file's text; None when it is not there or may not be read."""
        try:
            return self.path(absolute).read_bytes().decode("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None


def board(system: System) -> Finding:
    model = system.text("/proc/device-tree/model")
    if model is None:
        return note("machine", "no Raspberry Pi", "a Raspberry Pi", "the demo runs anywhere: ludo-referee demo")
    return good("machine", model)


def python(system: System) -> Finding:
    found = f"{'.'.join(map(str, system.version))}, {system.bits} bit"
    if system.version < (3, 11) or system.bits != 64:
        return fault("python", found, "3.11 or newer, 64 bit", "install the 64-bit Raspberry Pi OS, Bookworm or Trixie")
    return good("python", found)


# Imports in a process of its own: a broken pair of libraries may end it, and the doctor must not carry OpenCV around.
_IMPORT = """
import importlib, json, os, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    os.environ["LG_WD"] = folder  # lgpio makes a pipe
    module = importlib.import_module(sys.argv[1])
    os.chdir("/")
print("\\n" + json.dumps({"version": getattr(module, "__version__", ""), "file": module.__file__ or "", "names": dir(module)}))
"""


def _imported(system: System, module: str) -> dict[str, Any] | str:
    """Version, file and names of a module as the program would get it, or what importing it says."""
    said = system.run(sys.executable, "-c", _IMPORT, module)
    if said is None:
        return "importing it hangs"
    lines = [line for line in said.strip().splitlines() if line]
    try:
        answer: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):
        return "\n".join(lines) or "importing it ends the process"
    return answer


def _last_line(said: str) -> str:
    return said.splitlines()[-1]


def _origin(file: str) -> str:
    return "apt" if "/dist-packages/" in file else "PyPI"


def libraries(system: System) -> Iterator[Finding]:
    """numpy, OpenCV and lgpio: there, fitting each other, and real."""
    numpy, opencv = _imported(system, "numpy"), _imported(system, "cv2")
    apt = "sudo apt install python3-numpy python3-opencv"
    if isinstance(numpy, str):
        yield fault("numpy", _last_line(numpy), "numpy", apt)
    else:
        yield good("numpy", f"{numpy['version']} from {_origin(numpy['file'])}, {numpy['file']}")
    if isinstance(opencv, str):
        mixed = re.search(r"_ARRAY_API not found|compiled using NumPy|multiarray failed to import|numpy\.dtype size changed", opencv)
        if mixed and isinstance(numpy, dict):
            yield fault(
                "opencv",
                f"it was built for another numpy than {numpy['version']} at {numpy['file']}",
                "both from apt or both from PyPI",
                f"{sys.prefix}/bin/pip uninstall -y numpy opencv-python opencv-python-headless; {apt}",
            )
        else:
            yield fault("opencv", _last_line(opencv), "OpenCV", apt)
    elif isinstance(numpy, dict) and _origin(numpy["file"]) != _origin(opencv["file"]):
        yield note(
            "opencv",
            f"{opencv['version']} from {_origin(opencv['file'])} on numpy from {_origin(numpy['file'])}",
            "both from apt or both from PyPI",
            f"{sys.prefix}/bin/pip uninstall -y numpy opencv-python opencv-python-headless; {apt}",
        )
    else:
        yield good("opencv", f"{opencv['version']} from {_origin(opencv['file'])}, {opencv['file']}")
    yield _lgpio(_imported(system, "lgpio"))


def _lgpio(lgpio: dict[str, Any] | str) -> Finding:
    mend = "sudo apt install python3-lgpio"
    if isinstance(lgpio, str):
        return fault("lgpio", _last_line(lgpio), "the library for the pins", mend)
    if "gpiochip_open" not in lgpio["names"]:
        stub = f"{lgpio['file'] or 'a package'} is an empty stub"
        return fault("lgpio", stub, "the real library", f"{sys.prefix}/bin/pip uninstall -y lgpio; {mend}")
    return good("lgpio", lgpio["file"])


def groups(system: System) -> Finding:
    """The account of the service, or without the service the user, may use the devices."""
    members: dict[str, list[str]] = {}
    for line in (system.text("/etc/group") or "").splitlines():
        parts = line.split(":")
        if len(parts) == 4:
            members[parts[0]] = parts[3].split(",")
    accounts = [line.split(":")[0] for line in (system.text("/etc/passwd") or "").splitlines()]
    who = ACCOUNT if ACCOUNT in accounts else system.user
    missing = [group for group in GROUPS if who not in members.get(group, [])]
    if who == "root" or not missing:
        return good("groups", f"{who} may use pins, bus and camera")
    return fault("groups", f"{who} is not in {', '.join(missing)}", ", ".join(GROUPS), f"sudo usermod -aG {','.join(missing)} {who}")


def service(system: System) -> Iterator[Finding]:
    """The unit and its watchdog."""
    said = system.run("systemctl", "show", UNIT, "-p", "LoadState,ActiveState,SubState,UnitFileState,NRestarts,WatchdogUSec,StatusText")
    state = dict(line.split("=", 1) for line in (said or "").splitlines() if "=" in line)
    if state.get("LoadState") != "loaded":
        yield note("service", "not installed", "started at every power-on", "sudo systemd/install.sh")
        return
    restarts = int(state.get("NRestarts") or 0)
    found = f"{state.get('ActiveState')}, {state.get('UnitFileState')}, restarted {restarts} times. {state.get('StatusText', '')}".strip()
    if "safe start" in state.get("StatusText", ""):
        yield fault("service", found, "a usual start", f"mend what it names, then: sudo systemctl reload {ACCOUNT}")
    elif state.get("ActiveState") != "active":
        yield fault("service", found, "active", f"journalctl -u {ACCOUNT} -e tells why")
    elif state.get("UnitFileState") != "enabled" or restarts > 3:
        yield note("service", found, "enabled, without restarts", f"sudo systemctl enable {ACCOUNT}; journalctl -u {ACCOUNT}")
    else:
        yield good("service", found)
    watchdog = state.get("WatchdogUSec", "0")
    if watchdog in ("0", "infinity", ""):
        yield note("watchdog", "off", "a service that hangs is restarted", "WatchdogSec=20 in the unit")
    else:
        yield good("watchdog", f"restarts the service after {watchdog} without a sign of life")


def storage(system: System, folder: Path) -> Finding:
    """Where games are kept survives the next power cut and has room."""
    kind, mount = _mount_of(system, folder)
    space = system.space_mb(_existing(system.path(folder)))
    found = f"{folder} on {kind}, {f'{space / 1000:.1f} GB' if space >= 1000 else f'{space:.0f} MB'} free"
    if kind in ("overlay", "tmpfs", "ramfs", "overlayroot"):
        mend = "sudo raspi-config nonint disable_overlayfs, or a folder on another medium in [journal] folder"
        return fault("storage", f"{found}: games are lost at power-off", "a real file system", mend)
    if space < NO_SPACE_MB:
        return fault("storage", found, f"{LITTLE_SPACE_MB} MB free", f"make room on {mount}")
    if space < LITTLE_SPACE_MB:
        return note("storage", found, f"{LITTLE_SPACE_MB} MB free", f"make room on {mount}")
    return good("storage", found)


def _mount_of(system: System, folder: Path) -> tuple[str, str]:
    """Kind and place of the file system a folder is on: the longest mount point above it, the last one of equals."""
    best = ("unknown", "/")
    for line in (system.text("/proc/mounts") or "").splitlines():
        _, place, kind, *_ = line.split(" ")
        place = place.replace("\\040", " ")
        if folder.is_relative_to(place) and len(place) >= len(best[1]):
            best = (kind, place)
    return best


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def clock(system: System) -> Finding:
    if system.path("/run/systemd/timesync/synchronized").exists():
        return good("clock", "set by the network")
    if any(system.path("/dev").glob("rtc*")):
        return good("clock", "kept by a real-time clock")
    return note("clock", "neither set by the network nor kept", "right dates on games", "none needed: turns and time limits do not use it")


def power(system: System) -> Finding:
    """Undervoltage now or since power-on, from the firmware's bits or the kernel's alarm."""
    said = system.text("/sys/devices/platform/soc/soc:firmware/get_throttled") or (system.run("vcgencmd", "get_throttled") or "").strip()
    bits = re.fullmatch(r"(?:throttled=)?(?:0x)?([0-9a-fA-F]+)", said)
    mend = "use the Pi's own power supply, and a short thick cable"
    if bits is not None:
        value = int(bits[1], 16)
        if value & 1:
            return fault("power", "the voltage is too low now", "5 V", mend)
        return note("power", "the voltage was too low since power-on", "5 V", mend) if value & 0x10000 else good("power", "steady")
    for sensor in system.path("/sys/class/hwmon").glob("hwmon*"):
        if (sensor / "name").read_text().strip() == "rpi_volt":
            alarm = (sensor / "in0_lcrit_alarm").read_text().strip()
            return fault("power", "the voltage is too low", "5 V", mend) if alarm != "0" else good("power", "steady")
    return note("power", "this machine does not tell", "a Raspberry Pi's alarm")


def temperature(system: System) -> Finding:
    text = system.text("/sys/class/thermal/thermal_zone0/temp")
    if text is None or not text.isdecimal():
        return note("temperature", "this machine does not tell", f"less than {WARM_C:.0f} °C")
    degrees = int(text) / 1000
    found = f"{degrees:.0f} °C"
    if degrees >= HOT_C:
        return fault("temperature", found, f"less than {WARM_C:.0f} °C", "the processor slows down: give it air or a heat sink")
    if degrees >= WARM_C:
        return note("temperature", found, f"less than {WARM_C:.0f} °C", "give it air or a heat sink")
    return good("temperature", found)


def bus(system: System, number: int) -> Finding:
    """The I2C bus of the display: there, ours to use, and quick."""
    device = system.path(f"/dev/i2c-{number}")
    if not device.exists():
        others = ", ".join(sorted(path.name for path in system.path("/dev").glob("i2c-*"))) or "none"
        mend = "sudo raspi-config nonint do_i2c 0, then restart"
        return fault("bus", f"no /dev/i2c-{number} (there: {others})", "the display's bus", mend)
    if not os.access(device, os.R_OK | os.W_OK):
        return fault("bus", f"/dev/i2c-{number} may not be used", "the group i2c", f"sudo usermod -aG i2c {system.user}, and log in again")
    try:
        clock_hz = int.from_bytes(system.path(f"/sys/class/i2c-adapter/i2c-{number}/of_node/clock-frequency").read_bytes(), "big")
    except OSError:
        return good("bus", f"/dev/i2c-{number}")
    if clock_hz < DISPLAY_HZ:
        mend = "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt, then restart"
        return note("bus", f"/dev/i2c-{number} at {clock_hz // 1000} kHz", "400 kHz: a picture takes 23 ms, at 100 kHz 93", mend)
    return good("bus", f"/dev/i2c-{number} at {clock_hz // 1000} kHz")


def wire(system: System, port: int, device: int) -> Finding:
    """The SPI wire of the display: there, and ours to use."""
    path = f"/dev/spidev{port}.{device}"
    if not system.path(path).exists():
        return fault("wire", f"no {path}", "the display's wire", "sudo raspi-config nonint do_spi 0, then restart")
    if not os.access(system.path(path), os.R_OK | os.W_OK):
        return fault("wire", f"{path} may not be used", "the group spi", f"sudo usermod -aG spi {system.user}, and log in again")
    return good("wire", path)


def camera_users(system: System) -> dict[int, str]:
    """Processes that have a camera open, by number, with their names; only root sees those of others."""
    users: dict[int, str] = {}
    for link in system.path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = os.readlink(link)
        except OSError:
            continue
        if re.match(r"/dev/(video|media|v4l-subdev)\d", target):
            number = int(link.parts[-3])
            users[number] = system.text(f"/proc/{number}/comm") or "?"
    return users


def video_devices(system: System) -> dict[str, str]:
    """V4L2 devices with the names they go by."""
    found = sorted(system.path("/sys/class/video4linux").glob("video*"), key=lambda path: (len(path.name), path.name))
    return {f"/dev/{path.name}": (path / "name").read_text().strip() for path in found if (path / "name").exists()}


def of_the_system(system: System, journal: Path) -> Iterator[Finding]:
    """Every check that touches no device."""
    yield board(system)
    yield python(system)
    yield from libraries(system)
    yield groups(system)
    yield from service(system)
    yield storage(system, journal)
    yield clock(system)
    yield power(system)
    yield temperature(system)


def as_json(findings: Sequence[Finding]) -> str:
    return json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=1)


def _user_name() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _space_mb(folder: Path) -> float:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize / 1e6
