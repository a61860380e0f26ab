"""`ludo-referee doctor`: check everything a table needs, one line each."""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..config import Config
    from ..doctor import Finding, System

SERVICE_RECORDS = Path("/var/lib/ludo-referee")
CAMERA_TIMEOUT_S = 40.0
DARK, BRIGHT, BLURRED = 30.0, 225.0, 4.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("doctor", help="check the system and every device, and say what would mend it")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the devices of this configuration (default: the system's)")
    parser.add_argument("--no-devices", action="store_true", help="ask no device, only the system")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of lines")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Exit 1 on any fault."""
    from ..config import journal_folder
    from ..doctor import System, Verdict, as_json, of_the_system

    system = System()
    config, of_the_file = configuration(arguments.config)
    records = SERVICE_RECORDS if SERVICE_RECORDS.exists() and not config.journal.folder else journal_folder(config)
    findings: list[Finding] = []
    checks = [iter([of_the_file]), of_the_system(system, records)]
    if not arguments.no_devices:
        checks += [pins(system, config), display(system, config), camera(system, config)]
    for finding in (finding for check in checks for finding in check):
        findings.append(finding)
        if not arguments.json:
            print(finding.line(), flush=True)
    faults = sum(finding.verdict is Verdict.FAULT for finding in findings)
    if arguments.json:
        print(as_json(findings))
    else:
        print(f"{faults} fault{'s' * (faults != 1)}" if faults else "nothing is at fault")
    return 1 if faults else 0


def configuration(file: Path | None) -> tuple[Config, Finding]:
    """The configuration; of one that cannot be used the wiring, as far as it can be read: the devices can be checked all the same."""
    from ..app.beginning import new_opening
    from ..config import SYSTEM_FILE, read_config
    from ..doctor import fault, good
    from ..errors import LudoError
    from ..starts import safe_config

    read = file or SYSTEM_FILE
    try:
        config = read_config(file)
        new_opening(config)
    except LudoError as error:
        mend = "mend that line; `ludo-referee config` explains every option"
        return safe_config(read), fault("configuration", str(error), "one without faults", mend)
    return config, good("configuration", str(read) if read.exists() else "none, everything as it comes")


def _service_runs(system: System) -> bool:
    return (system.run("systemctl", "is-active", "ludo-referee.service") or "").strip() == "active"


def pins(system: System, config: Config) -> Iterator[Finding]:
    """The chip, and whether each configured pin is there for us."""
    from ludo_hardware.gpio import find_chip, open_pins
    from ludo_hardware.ports import DeviceError
    from ludo_hardware.probe import line_user

    from ..doctor import fault, good

    tasks = [(f"lamp {seat}", pin) for seat, pin in sorted(config.lamps.pins.items())]
    if config.sound.kind == "gpio":
        tasks.insert(0, ("buzzer", config.sound.pin))
    if config.button.kind == "gpio":
        tasks.insert(0, ("button", config.button.pin))
    if not tasks:
        return
    try:
        chip = Path(f"/dev/gpiochip{find_chip()}")
        factory = open_pins()
        factory.close()
    except DeviceError as error:
        yield fault("pins", str(error), "the chip of the 40-pin header")
        return
    yield good("pins", f"{chip}, by {type(factory).__name__}")
    for task, pin in tasks:
        try:
            user = line_user(chip, pin)
        except OSError as error:
            yield fault(task, f"GPIO{pin}: {error.strerror}", "a pin of the header", "choose another in the configuration")
            continue
        if user is not None and not _service_runs(system):
            yield fault(task, f"GPIO{pin} is used by {user}", "free", "stop that program or choose another pin in the configuration")
        elif user is not None:
            yield good(task, f"GPIO{pin}, used by the service")
        elif task == "button":
            yield _button(config, pin)
        else:
            yield good(task, f"GPIO{pin} is free")


def _button(config: Config, pin: int) -> Finding:
    from ludo_hardware.gpio import GpioButton, open_pins
    from ludo_hardware.ports import DeviceError

    from ..doctor import fault, good, note

    try:
        factory = open_pins()
        try:
            button = GpioButton(factory, pin, pull=config.button.pull, pressed=config.button.pressed)
            pressed = button.pressed()
            button.close()
        finally:
            factory.close()
    except DeviceError as error:
        return fault("button", str(error), "a button")
    if pressed:
        return note("button", f"GPIO{pin} is pressed", "let go", "if nobody presses it: check the wiring, and pull and pressed in [button]")
    return good("button", f"GPIO{pin}, not pressed")


def display(system: System, config: Config) -> Iterator[Finding]:
    """The bus, whether the display answers on it, and a picture on it."""
    from ..doctor import Verdict, bus, good, wire

    wanted = config.display
    if wanted.driver == "simulated":
        return
    on_bus = bus(system, wanted.bus) if wanted.wire == "i2c" else wire(system, wanted.spi_port, wanted.spi_device)
    yield on_bus
    if on_bus.verdict is Verdict.FAULT:
        return
    missing = _no_answer(config) if wanted.wire == "i2c" else None  # on SPI nothing answers
    if missing is not None:
        yield missing
    elif _service_runs(system):
        yield good("display", "there, used by the service")
    else:
        yield _shown(config)


def _no_answer(config: Config) -> Finding | None:
    """What is wrong when nothing answers at the display's address."""
    from ludo_hardware.probe import i2c_answers

    from ..doctor import fault

    wanted = config.display
    device = Path(f"/dev/i2c-{wanted.bus}")
    try:
        if i2c_answers(device, wanted.address):
            return None
        others = [f"0x{address:02X}" for address in (0x3C, 0x3D) if address != wanted.address and i2c_answers(device, address)]
    except OSError as error:
        return fault("display", f"the bus is stuck: {error.strerror}", "an answer", "check SDA and SCL for a short circuit, then restart")
    if others:
        mend = f"address = {others[0]} in [display]"
        return fault("display", f"nothing at 0x{wanted.address:02X}, but something at {others[0]}", "the display there", mend)
    return fault("display", f"nothing at 0x{wanted.address:02X}", "an answer", "check VCC, GND, SDA (pin 3) and SCL (pin 5)")


def _shown(config: Config) -> Finding:
    """Show the test picture; it stays until something else is shown."""
    from ludo_hardware.ports import DeviceError

    from ..app.devices import Pins, open_display
    from ..doctor import fault, good
    from ..screens.shapes import edge_card

    pins = Pins()
    try:
        shown = open_display(config.display, pins.factory)
        try:
            shown.show(edge_card(shown.size))
        finally:
            shown.close()
    except DeviceError as error:
        return fault("display", str(error), "a picture")
    finally:
        pins.close()
    look = "look: a five in a frame that touches all four edges? If not, try another driver in [display]"
    where = f"at 0x{config.display.address:02X}" if config.display.wire == "i2c" else "on SPI, where nothing answers"
    return good("display", f"{where}, {config.display.driver}; {look}")


def camera(system: System, config: Config) -> Iterator[Finding]:
    """Which camera there is, who has it, and one picture of it."""
    from ..doctor import camera_users, fault, good, video_devices

    wanted = config.camera
    if wanted.kind in ("simulated", "none"):
        return
    if wanted.kind == "v4l2":
        devices = video_devices(system)
        listed = ", ".join(f"{device} {name}" for device, name in devices.items()) or "none"
        if wanted.device in devices or wanted.device.startswith("/dev/v4l/"):
            yield good("cameras", listed)
        else:
            yield fault("cameras", f"no {wanted.device} (there: {listed})", "the camera", "plug it in, or name another device in [camera]")
            return
    users = camera_users(system) if wanted.kind != "folder" else {}
    if users and _service_runs(system):
        yield good("camera", "used by the service")
        return
    if wanted.kind == "picamera":
        listed_by = _child("ludo_hardware.probe:cameras", ())
        if isinstance(listed_by, str):
            yield fault("cameras", listed_by, "picamera2", "sudo apt install python3-picamera2")
            return
        if wanted.number >= len(listed_by):
            mend = "check both ends of the ribbon cable: contacts towards the contacts, then restart"
            yield fault("cameras", f"number {wanted.number} is not there (there: {_numbered(listed_by)})", "the camera", mend)
            return
        yield good("cameras", _numbered(listed_by))
    report = _look(
        {
            "kind": wanted.kind,
            "number": wanted.number,
            "device": wanted.device,
            "folder": wanted.folder,
            "size": (wanted.width_px, wanted.height_px),
            "rate_hz": wanted.rate_hz,
            "mains_hz": wanted.mains_hz,
        }
    )
    if isinstance(report, str):
        held_by = ", ".join(f"{name} ({number})" for number, name in users.items())
        yield fault("camera", report + (f"; open in {held_by}" if held_by else ""), "a picture")
    else:
        yield _picture(report)


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(names)) or "none"


def _look(options: dict[str, Any]) -> dict[str, Any] | str:
    """What `probe.look` saw, or why it saw nothing."""
    seen: dict[str, Any] | str = _child("ludo_hardware.probe:look", (options,))
    return seen


def _child(worker: str, arguments: tuple[Any, ...]) -> Any:
    """What a worker of `probe` sends, in a process of its own, since cameras may hang; or, as text, why nothing came."""
    from ludo_hardware.camera_process import Back, CameraProcess, Lost

    log = logging.getLogger("ludo_hardware")
    level = log.level
    log.setLevel(logging.ERROR)  # what is amiss is a finding here, not a warning
    process = CameraProcess(worker, arguments, start_s=CAMERA_TIMEOUT_S)
    process.start()
    try:
        while True:
            for message in process.poll():
                if isinstance(message, Lost):
                    return message.reason
                if not isinstance(message, Back):
                    return message
            time.sleep(0.02)
    finally:
        process.close()
        log.setLevel(level)


def _picture(seen: dict[str, Any]) -> Finding:
    from ..doctor import good, note

    width, height = seen["size"]
    found = (
        f"{width} x {height}, sharpness {seen['sharpness']:.0f}, light {seen['light']:.0f} of 255, "
        f"red {seen['red']:.0f} green {seen['green']:.0f} blue {seen['blue']:.0f}"
    )
    if seen["light"] < DARK:
        return note("camera", found, "more light", "switch a lamp on; take the lens cap off")
    if seen["light"] > BRIGHT:
        return note("camera", found, "less light", "turn the lamp away from the board")
    if seen["sharpness"] < BLURRED:
        return note("camera", found, "a sharp picture", "focus the lens on the board and wipe it")
    if seen["blue"] > 1.5 * seen["red"] or seen["red"] > 2.0 * seen["blue"]:
        return note("camera", found, "colours as they are", "switch coloured lamps off; or red and blue are swapped, by a driver")
    return good("camera", found)
