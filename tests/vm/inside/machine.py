"""The virtual machine's pretend devices, and how a test works them."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

MODULES = Path("/run/modules")
CONFIGFS = Path("/sys/kernel/config")
DEBUGFS = Path("/sys/kernel/debug")
PI_4B = "c03115"


def until(true: Callable[[], object], seconds: float = 5.0, every_s: float = 0.002) -> bool:
    """Whether it becomes true in time. Real devices have no clock that a test could move."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(every_s)
    return True


def load(name: str, **parameters: object) -> None:
    """Load a module with those it needs."""
    names = (MODULES / name).read_text().split()
    for module in names:
        if not (Path("/sys/module") / module.removesuffix(".ko").replace("-", "_")).exists():
            own = [f"{key}={value}" for key, value in parameters.items()] if module == names[-1] else []
            subprocess.run(["insmod", MODULES / module, *own], check=True)


def mounted(place: Path, kind: str) -> None:
    if not os.path.ismount(place):
        subprocess.run(["mount", "-t", kind, kind, place])  # refused when systemd, which does it as well, was quicker
    assert until(lambda: os.path.ismount(place)), f"{place} is not mounted"


def be_a_pi() -> None:
    """gpiozero asks /proc for the board: an x86 machine says it is a Pi 4B; the arm64 one has it in its device tree."""
    if Path("/proc/device-tree/system/linux,revision").exists():
        return
    told = Path("/run/cpuinfo")
    if not told.exists():
        told.write_text(Path("/proc/cpuinfo").read_text() + f"\nHardware\t: BCM2835\nRevision\t: {PI_4B}\n")
        subprocess.run(["mount", "--bind", told, "/proc/cpuinfo"], check=True)


class Header:
    """The 40-pin header: a chip with the Pi 4's label, behind another one so that its number is not the usual."""

    def __init__(self) -> None:
        load("gpio-sim")
        mounted(CONFIGFS, "configfs")
        self._chip("other", "gpio-brcmstb", 8)
        self._pins = self._chip("header", "pinctrl-bcm2711", 54)
        self.device = Path("/dev", self._pins.name)

    @staticmethod
    def _chip(name: str, label: str, lines: int) -> Path:
        """Make a chip; the folder that has its lines."""
        device = CONFIGFS / "gpio-sim" / name
        bank = device / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        (device / "live").write_text("1")
        chip = (bank / "chip_name").read_text().strip()
        assert until(Path("/dev", chip).exists)
        return Path("/sys/devices/platform", (device / "dev_name").read_text().strip(), chip)

    def drive(self, pin: int, high: bool) -> None:
        """What hangs on the pin pulls it up or down."""
        (self._pins / f"sim_gpio{pin}/pull").write_text("pull-up" if high else "pull-down")

    def level(self, pin: int) -> bool:
        return (self._pins / f"sim_gpio{pin}/value").read_text().strip() == "1"


class Recorder:
    """A bus that writes everything down; see modules/recorder.h."""

    def __init__(self, module: str, **parameters: object) -> None:
        mounted(DEBUGFS, "debugfs")
        load(module, **parameters)
        self._log = DEBUGFS / module / "log"

    def forget(self) -> None:
        """What was written so far is not told."""
        self._entries()

    def _entries(self) -> list[bytes]:
        """What was written since the last time; nothing that comes meanwhile is lost."""
        log, out, at = self._log.read_bytes(), [], 0
        self._log.write_text(str(len(log)))
        while at < len(log):
            (length,) = struct.unpack_from("<H", log, at)
            out.append(log[at + 2 : at + 2 + length])
            at += 2 + length
        return out


class Bus(Recorder):
    """/dev/i2c-1 with a display on it."""

    def __init__(self) -> None:
        super().__init__("i2c-recorder")
        assert until(Path("/dev/i2c-1").exists)

    def set(self, **parameters: int) -> None:
        """present, khz, addr, fail, failn: see modules/i2c-recorder.c."""
        for name, value in parameters.items():
            Path("/sys/module/i2c_recorder/parameters", name).write_text(str(value))

    def messages(self) -> list[bytes]:
        """The writes since the last time, each as it was on the wire after the address."""
        return self._entries()


class SpiBus(Recorder):
    """/dev/spidev0.0 with a display on it; its line DC is pin 24 of the header."""

    def __init__(self) -> None:
        super().__init__("spi-recorder", dc=24)
        assert until(Path("/dev/spidev0.0").exists)

    def messages(self) -> list[tuple[bool, bytes]]:
        """The transfers since the last time: whether DC said data, and the bytes."""
        entries = self._entries()
        assert all(entry[0] in (0, 1) for entry in entries), "DC was not found"
        return [(entry[0] == 1, entry[1:]) for entry in entries]


class Webcam:
    """/dev/video0, the kernel's test camera."""

    _QUERY, _SET = 0xC0445624, 0xC008561C
    _NEXT = 0x80000000

    def __init__(self) -> None:
        load("vivid", n_devs=1, node_types="0x1")
        assert until(Path("/dev/video0").exists)

    def unplug(self) -> None:
        """Every call to the device fails from now on until it is closed and opened again, as with a USB camera pulled out."""
        handle = os.open("/dev/video0", os.O_RDWR)
        control = self._NEXT
        try:
            while True:
                answer = fcntl.ioctl(handle, self._QUERY, struct.pack("II32s6i", control, 0, b"", 0, 0, 0, 0, 0, 0))
                number, _, name, *_ = struct.unpack("II32s6i", answer)
                if name.startswith(b"Disconnect"):
                    fcntl.ioctl(handle, self._SET, struct.pack("Ii", number, 1))
                    return
                control = number | self._NEXT
        finally:
            os.close(handle)
