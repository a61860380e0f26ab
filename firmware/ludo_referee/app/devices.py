"""The devices as configured. One that cannot be had is a warning and its silent twin: the table stays playable by button or page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ludo_hardware.ports import Button, Buzzer, DeviceError, Display, Lamps
from ludo_hardware.simulated import SimulatedButton, SimulatedBuzzer, SimulatedDisplay, SimulatedLamps

from ..config import Config
from ..config import Display as DisplayConfig
from ..recording import SEATS

_log = logging.getLogger(__name__)

Device = TypeVar("Device")


@dataclass(slots=True)
class Devices:
    """What a table has but for its camera. `missing` names what was configured and is not there, with the reason."""

    button: Button
    display: Display
    buzzer: Buzzer
    lamps: Lamps
    missing: dict[str, str]
    _close_pins: Callable[[], None]

    def close(self) -> None:
        """Let go of everything; a device that fails at that is let go all the same."""
        for close in (self.button.close, self.buzzer.close, self.lamps.close, self.display.close, self._close_pins):
            with suppress(OSError):
                close()


def open_devices(config: Config) -> Devices:
    """Open everything that is configured."""
    missing: dict[str, str] = {}

    def opened(name: str, real: Callable[[], Device], twin: Callable[[], Device], wanted: bool) -> Device:
        if not wanted:
            return twin()
        try:
            return real()
        except DeviceError as error:
            missing[name] = str(error)
            _log.warning("no %s: %s", name, error)
            return twin()

    pins = Pins()
    button, sound, display = config.button, config.sound, config.display
    lamps = {str(seat): pin for seat, pin in config.lamps.pins.items()}
    lamp_pins = tuple(lamps.get(seat) for seat in SEATS)

    def real_button() -> Button:
        from ludo_hardware.gpio import GpioButton

        return GpioButton(pins.factory(), button.pin, pull=button.pull, pressed=button.pressed)

    def real_buzzer() -> Buzzer:
        from ludo_hardware.gpio import GpioBuzzer

        return GpioBuzzer(pins.factory(), sound.pin, level=sound.level)

    def real_lamps() -> Lamps:
        from ludo_hardware.gpio import GpioLamps

        return GpioLamps(pins.factory(), lamp_pins)

    def simulated_display() -> Display:
        picture = Path(display.picture) if display.picture and display.driver == "simulated" else None
        return SimulatedDisplay((128, display.height_px), picture)

    return Devices(
        opened("button", real_button, SimulatedButton, button.kind == "gpio"),
        opened("display", lambda: open_display(display, pins.factory), simulated_display, display.driver != "simulated"),
        opened("buzzer", real_buzzer, SimulatedBuzzer, sound.kind == "gpio"),
        opened("lamps", real_lamps, SimulatedLamps, any(pin is not None for pin in lamp_pins)),
        missing,
        pins.close,
    )


def open_display(display: DisplayConfig, pins: Callable[[], Any]) -> Display:
    """The real display as configured; `pins` gives gpiozero's factory, for one on SPI. Raises DeviceError."""
    from ludo_hardware.oled import GpioLines, open_oled, open_spi_oled

    if display.wire == "spi":
        return open_spi_oled(
            display.driver, GpioLines(pins()), port=display.spi_port, device=display.spi_device, dc_pin=display.dc_pin,
            reset_pin=display.reset_pin, height=display.height_px, rotation=display.rotation_deg,
        )  # fmt: skip
    return open_oled(display.driver, bus=display.bus, address=display.address, height=display.height_px, rotation=display.rotation_deg)


class Pins:
    """The pin factory, opened when the first device wants it. A failure is remembered: it would only be the same again."""

    def __init__(self) -> None:
        self._factory: Any = None  # gpiozero is untyped
        self._error: DeviceError | None = None

    def factory(self) -> Any:
        """The one factory. Raises DeviceError."""
        if self._error is not None:
            raise self._error
        if self._factory is None:
            from ludo_hardware.gpio import open_pins

            try:
                self._factory = open_pins()
            except DeviceError as error:
                self._error = error
                raise
        return self._factory

    def close(self) -> None:
        if self._factory is not None:
            self._factory.close()
