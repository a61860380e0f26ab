"""The configuration: one strict record. `defaults.toml` beside this file documents every option and equals the defaults here."""

from __future__ import annotations

import datetime
import os
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from .errors import LudoError
from .strict import StrictError, from_toml

SYSTEM_FILE = Path("/etc/ludo-referee/config.toml")
SERVICE_FOLDER = Path("/var/lib/ludo-referee")  # what StateDirectory= in the unit makes

Seat = Literal["A", "B", "C", "D"]
Language = Literal["en", "id", "ru", "de", "es"]
Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Seconds = Annotated[float, msgspec.Meta(gt=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class ConfigError(LudoError, ValueError):
    """A configuration that cannot be used; one line naming the file, the option and what is wrong."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game on the table. `board` empty: the one that the rules' preset is played on; `seats` empty: colours as the board's file
    says; `players` empty: who has tokens in the yard."""

    board: str = ""
    language: Language = "en"
    languages: tuple[Language, ...] = ()
    die: Literal["box", "taps", "typed"] = "box"
    beginner_help: bool = True
    robots: dict[Seat, Literal["gentle", "fair", "strong"]] = {}
    seats: dict[Seat, str] = {}
    players: tuple[Seat, ...] = ()
    rules: dict[str, Any] = msgspec.field(default_factory=lambda: {"preset": "classic"})

    def __post_init__(self) -> None:
        if self.players and (len(self.players) < 2 or len(set(self.players)) != len(self.players)):
            raise ValueError(f"players are {', '.join(self.players)}; name two to four different seats, or none")
        astray = [seat for seat in self.robots if self.players and seat not in self.players]
        if astray:
            raise ValueError(f"robots: seat {astray[0]} is not among the players {', '.join(self.players)}")
        colours = list(self.seats.values())
        if len(set(colours)) != len(colours):
            raise ValueError("seats: two seats have the same colour")


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where pictures come from."""

    kind: Literal["picamera", "v4l2", "folder", "simulated", "none"] = "picamera"
    number: Annotated[int, msgspec.Meta(ge=0)] = 0
    device: str = "/dev/video0"
    folder: str = ""
    width_px: Annotated[int, msgspec.Meta(ge=320, le=4608)] = 1280
    height_px: Annotated[int, msgspec.Meta(ge=240, le=2592)] = 960
    rate_hz: Annotated[float, msgspec.Meta(gt=0, le=60)] = 10.0
    mains_hz: Literal[50, 60] = 50
    lost_after_s: Annotated[float, msgspec.Meta(ge=2)] = 3.0  # a picture may take two


class Button(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The push button."""

    kind: Literal["gpio", "simulated"] = "gpio"
    pin: Pin = 17
    pull: Literal["up", "down", "off"] = "up"
    pressed: Literal["low", "high"] = "low"
    bounce_s: Seconds = 0.03
    double_tap_s: Seconds = 0.35
    hold_s: Seconds = 2.0
    long_hold_s: Seconds = 6.0

    def __post_init__(self) -> None:
        if not self.bounce_s < self.double_tap_s < self.hold_s < self.long_hold_s:
            raise ValueError("bounce_s, double_tap_s, hold_s and long_hold_s must grow in this order")


class Display(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The OLED."""

    driver: Literal["ssd1306", "ssd1309", "sh1106", "simulated"] = "ssd1306"
    picture: str = ""
    wire: Literal["i2c", "spi"] = "i2c"
    bus: Annotated[int, msgspec.Meta(ge=0)] = 1
    address: Annotated[int, msgspec.Meta(ge=0x08, le=0x77)] = 0x3C
    spi_port: Annotated[int, msgspec.Meta(ge=0)] = 0
    spi_device: Annotated[int, msgspec.Meta(ge=0)] = 0
    dc_pin: Pin = 24
    reset_pin: Pin = 25
    height_px: Literal[32, 64] = 64
    rotation_deg: Literal[0, 180] = 0
    contrast: Annotated[int, msgspec.Meta(ge=1, le=255)] = 200
    dim_after_s: Seconds = 120.0
    off_after_s: Seconds = 600.0


class Sound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buzzer."""

    kind: Literal["gpio", "none", "simulated"] = "gpio"
    pin: Pin = 18
    level: Annotated[int, msgspec.Meta(ge=0, le=4)] = 3
    quiet_from: datetime.time | None = None
    quiet_until: datetime.time | None = None

    def __post_init__(self) -> None:
        if (self.quiet_from is None) != (self.quiet_until is None):
            raise ValueError("quiet hours need both quiet_from and quiet_until")


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lamp a seat; a seat without a pin has none."""

    pins: dict[Seat, Pin] = {}


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The web page."""

    on: bool = True
    host: str = "127.0.0.1"
    port: Port = 8080


class Journal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where games are kept."""

    folder: str = ""
    keep_games: Count = 200


class Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last minutes of pictures, in memory until somebody asks for a recording."""

    on: bool = True
    minutes: Annotated[float, msgspec.Meta(gt=0, le=60)] = 5.0
    memory_mb: Annotated[int, msgspec.Meta(ge=1, le=512)] = 8
    folder: str = ""


class Vision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How sure and how patient the referee has to be with pictures."""

    accept_lead: Annotated[float, msgspec.Meta(ge=0.1, le=10)] = 1.0
    still_s: Annotated[float, msgspec.Meta(ge=0.2, le=5)] = 0.8


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be configured; `Config()` is the program as it comes."""

    table: Table = Table()
    camera: Camera = Camera()
    button: Button = Button()
    display: Display = Display()
    sound: Sound = Sound()
    lamps: Lamps = Lamps()
    page: Page = Page()
    journal: Journal = Journal()
    recording: Recording = Recording()
    vision: Vision = Vision()


def read_config(path: Path | None = None) -> Config:
    """The configuration in a file; without a path the system's file, or the defaults where there is none. Raises ConfigError."""
    if path is None:
        if not SYSTEM_FILE.exists():
            return Config()
        path = SYSTEM_FILE
    try:
        return from_toml(Path(path).read_bytes(), Config)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; `ludo-referee config` prints one to start from") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except StrictError as error:
        raise ConfigError(f"{path}: {error}") from None


def defaults_text() -> str:
    """The commented file of all options with their defaults."""
    return resources.files(__package__).joinpath("defaults.toml").read_text("utf-8")


def journal_folder(config: Config, *, running: bool = False) -> Path:
    """Where games are kept: as configured, else systemd's state directory, else the user's.

    running: asked from outside for the folder of the service, which is systemd's where there is one.
    """
    if config.journal.folder:
        return Path(config.journal.folder).expanduser()
    if given := os.environ.get("STATE_DIRECTORY"):  # systemd; several would be separated by colons
        return Path(given.split(":")[0])
    if running and SERVICE_FOLDER.exists():
        return SERVICE_FOLDER
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "ludo-referee"


def recordings_folder(config: Config, *, running: bool = False) -> Path:
    """Where recordings on request go: as configured, else beside the journal; `running` as for `journal_folder`."""
    if config.recording.folder:
        return Path(config.recording.folder).expanduser()
    return journal_folder(config, running=running) / "recordings"
