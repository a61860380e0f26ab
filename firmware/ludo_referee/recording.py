"""A recorded game on disk: a folder with `recording.json`, `timeline.jsonl` and the pictures.

Reading is strict and does not decode pictures (that is `pictures.py`, in the process that sees); writing gives what reading takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Literal

import msgspec

from .errors import LudoError
from .strict import Kind, StrictError, from_json

HEADER = "recording.json"
TIMELINE = "timeline.jsonl"
SEATS = ("A", "B", "C", "D")
TOKENS = 4
EXIF_ORIENTATION = 0x0112
OUTSIDE_PX = 2.0  # corners clicked at the very edge may fall this far outside the picture

GestureKind = Literal["tap", "double_tap", "hold", "long_hold"]
PixelPoint = tuple[float, float]


class RecordingError(LudoError, ValueError):
    """A recording that cannot be read or written; one line naming the file, the field or line, and what is wrong."""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game already running: `position[seat]` are the steps of its four tokens, `turn` is to roll after `sixes` sixes."""

    position: dict[str, tuple[int, ...]] | None = None
    turn: str | None = None
    sixes: int = 0


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What `recording.json` says; see the module's docs for the meaning of each field."""

    format: Literal[1]
    board: str
    rules: dict[str, Any]
    seats: dict[str, str]
    players: tuple[str, ...]
    start: Start | None = None
    corners: tuple[PixelPoint, ...] | None = None

    def __post_init__(self) -> None:
        problem = _seats_problem(self) or _start_problem(self) or _corners_problem(self)
        if problem:
            raise ValueError(problem)

    @property
    def player_seats(self) -> tuple[int, ...]:
        """The seats that play, as indices 0 … 3 in ascending order."""
        return tuple(sorted(SEATS.index(seat) for seat in self.players))

    @property
    def colours(self) -> tuple[str, ...]:
        """The printed colour of seats 0 … 3; "" where the recording does not name one."""
        return tuple(self.seats.get(seat, "") for seat in SEATS)

    @property
    def first_turn(self) -> int | None:
        """The seat index that is to roll first; None: the opening rolls decide."""
        return None if self.start is None or self.start.turn is None else SEATS.index(self.start.turn)

    @property
    def position_as_written(self) -> Mapping[str, tuple[int, ...]]:
        """The position by seat letter, as far as the file names it; {} for a new game."""
        return {} if self.start is None or self.start.position is None else self.start.position

    @property
    def position(self) -> dict[int, tuple[int, ...]] | None:
        """Steps of every playing seat where the game is already running (a seat left out has all tokens in its yard), else None."""
        if not self.position_as_written:
            return None
        named = {SEATS.index(seat): steps for seat, steps in self.position_as_written.items()}
        return {seat: named.get(seat, (-1,) * TOKENS) for seat in self.player_seats}


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the timeline: at `t` seconds exactly one of the others happens."""

    t: float
    frame: str | None = None
    video: str | None = None
    die: int | None = None
    button: GestureKind | None = None
    end: Literal[True] | None = None

    def __post_init__(self) -> None:
        if not self.t >= 0:
            raise ValueError(f"t is {self.t:g}; the timeline starts at 0")
        told = [name for name in ("frame", "video", "die", "button", "end") if getattr(self, name) is not None]
        if len(told) != 1:
            raise ValueError(f"one of frame, video, die, button, end is needed, here {' and '.join(told) if told else 'none of them'}")
        if self.die is not None and not 1 <= self.die <= 6:
            raise ValueError(f"die is {self.die}; it shows 1 to 6")

    @property
    def picture(self) -> str | None:
        """The name of the picture or video that is seen from now on, None for other entries."""
        return self.frame if self.frame is not None else self.video


class Recording(msgspec.Struct, frozen=True):
    """A recording that was read: its header, the timeline in time order, and the folder that holds the pictures."""

    header: Header
    timeline: tuple[Entry, ...]
    folder: Path

    @property
    def board_file(self) -> Path | None:
        """The board file in the folder that `board` names (with or without .toml), None: a built-in board."""
        for name in (self.header.board, self.header.board + ".toml"):
            path = self.folder / name
            if name.endswith(".toml") and _is_inside(name) and path.is_file():
                return path
        return None

    @property
    def end(self) -> float:
        """The second at which the recording ends."""
        return self.timeline[-1].t

    def path(self, name: str) -> Path:
        """Where a picture or video of the timeline lies."""
        return self.folder / name


def read_recording(folder: Path) -> Recording:
    """The recording in `folder`, complete and consistent but for the contents of its pictures. Raises RecordingError."""
    folder = Path(folder)
    if not folder.is_dir():
        raise RecordingError(f"{folder}: no such folder; a recording is a folder with {HEADER} and {TIMELINE}")
    header = _decode(_read(folder / HEADER), Header, str(folder / HEADER))
    recording = Recording(header, _read_timeline(folder), folder)
    first = next(entry for entry in recording.timeline if entry.picture is not None)
    if recording.header.corners is not None and first.frame is not None:
        check_corners(recording, _picture_size(folder / first.frame))
    return recording


def check_corners(recording: Recording, size: tuple[int, int]) -> None:
    """Nothing when the given corners lie in a first picture of `size` (width, height) pixels. Raises RecordingError."""
    width, height = size
    for seat, (x, y) in zip(SEATS, recording.header.corners or (), strict=False):
        if not (-OUTSIDE_PX <= x <= width + OUTSIDE_PX and -OUTSIDE_PX <= y <= height + OUTSIDE_PX):
            problem = f"{seat}'s corner ({x:g}, {y:g}) is outside the first picture of {width}×{height} pixels"
            raise RecordingError(f"{recording.folder / HEADER}: corners: {problem}")


class RecordingWriter:
    """Writes a recording entry by entry, so that what was written so far can be read whenever it ends.

    `frame` takes an encoded JPEG or PNG; the same picture again writes nothing, since a picture stays until the next one.
    Use as a context manager: leaving it ends the recording at the last time written. Raises RecordingError.
    """

    def __init__(self, folder: Path, header: Header) -> None:
        self.folder = Path(folder)
        self._count = 0
        self._last: bytes | None = None
        self._t = 0.0
        self._ended = False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if any(self.folder.iterdir()):
                raise RecordingError(f"{self.folder}: not empty; name a new folder for the recording")
            (self.folder / HEADER).write_bytes(msgspec.json.format(msgspec.json.encode(header), indent=1) + b"\n")
            self._timeline = (self.folder / TIMELINE).open("w", encoding="utf-8")
        except OSError as error:
            raise RecordingError(f"{self.folder}: cannot write the recording: {error.strerror}") from error

    def frame(self, t: float, picture: bytes) -> None:
        """The camera sees this encoded picture from `t` on."""
        if picture == self._last:
            return
        name = f"f{self._count:05d}{_suffix(picture)}"
        try:
            (self.folder / name).write_bytes(picture)
        except OSError as error:
            raise RecordingError(f"{self.folder / name}: cannot write the picture: {error.strerror}") from error
        self._count += 1
        self._last = picture
        self._write(t, frame=name)

    def die(self, t: float, value: int) -> None:
        """The button was tapped and the die shows this value."""
        self._write(t, die=value)

    def button(self, t: float, kind: GestureKind) -> None:
        """A gesture of the button without a scripted face."""
        self._write(t, button=kind)

    def end(self, t: float) -> None:
        """The recording ends; the last picture stays until then."""
        if not self._ended:
            self._write(t, end=True)
            self._ended = True
            self._timeline.close()

    def _write(self, t: float, **what: Any) -> None:
        if self._ended:
            raise RecordingError(f"{self.folder}: the recording has already ended")
        if t < self._t:
            raise RecordingError(f"{self.folder / TIMELINE}: t goes back from {self._t:g} to {t:g}")
        self._t = round(t, 3)
        entry = Entry(t=self._t, **what)
        try:
            self._timeline.write(msgspec.json.encode(entry).decode() + "\n")
            self._timeline.flush()
        except OSError as error:
            raise RecordingError(f"{self.folder / TIMELINE}: cannot write: {error.strerror}") from error

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.end(self._t)
        self._timeline.close()


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RecordingError(f"{path}: missing") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error


def _decode(data: bytes, kind: type[Kind], where: str) -> Kind:
    try:
        return from_json(data, kind)
    except StrictError as error:
        raise RecordingError(f"{where}: {error}") from None


def _read_timeline(folder: Path) -> tuple[Entry, ...]:
    path = folder / TIMELINE
    entries: list[Entry] = []
    for number, line in enumerate(_read(path).split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        entry = _decode(line, Entry, where)
        if entries and entry.t < entries[-1].t:
            raise RecordingError(f"{where}: t goes back from {entries[-1].t:g} to {entry.t:g}")
        if entries and entries[-1].end:
            raise RecordingError(f"{where}: there is more after the end")
        if entry.picture is not None:
            _check_picture(folder, entry.picture, where)
        entries.append(entry)
    if not any(entry.picture is not None for entry in entries):
        raise RecordingError(f"{path}: no frame and no video; there is nothing to see")
    return tuple(entries)


def _check_picture(folder: Path, name: str, where: str) -> None:
    if not _is_inside(name):
        raise RecordingError(f"{where}: {name!r} is not the name of a file in the folder")
    if not (folder / name).is_file():
        raise RecordingError(f"{where}: the picture {name!r} is missing from the folder")


def _is_inside(name: str) -> bool:
    """Whether a name stays in the recording's folder: recordings travel with bug reports and must not reach elsewhere."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _picture_size(path: Path) -> tuple[int, int]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            width, height = picture.size
            turned = picture.getexif().get(EXIF_ORIENTATION, 1) >= 5  # OpenCV turns such pictures by a quarter when it loads them
            return (height, width) if turned else (width, height)
    except UnidentifiedImageError:
        raise RecordingError(f"{path}: not a picture (JPEG or PNG)") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error}") from None


def _seats_problem(header: Header) -> str | None:
    named = {"seats": header.seats, "players": header.players, "start.position": header.position_as_written}
    for field, seats in named.items():
        for seat in seats:
            if seat not in SEATS:
                return f"{field}: there is no seat {seat!r}; seats are A, B, C, D"
    if not header.board:
        return "board: empty; name a built-in board or a board file in the folder"
    if len(header.players) < 2 or len(set(header.players)) != len(header.players):
        return f"players: {', '.join(header.players) or 'none'}; name two to four different seats"
    for seat in header.players:
        if seat not in header.seats:
            return f"players: seat {seat} plays but has no colour in seats"
    colours = list(header.seats.values())
    for colour in colours:
        if not colour or colours.count(colour) > 1:
            return f"seats: the colour {colour!r} stands for more than one seat" if colour else "seats: a seat has an empty colour"
    return None


def _start_problem(header: Header) -> str | None:
    start = header.start
    if start is None:
        return None
    if start.turn is not None and start.turn not in header.players:
        return f"start.turn: seat {start.turn!r} is not among the players {', '.join(header.players)}"
    if start.turn is None and (start.position is not None or start.sixes):
        return "start: a running game needs turn, the seat that is to roll"
    if start.sixes < 0:
        return f"start.sixes: {start.sixes}; it counts the sixes already thrown in this turn"
    for seat, steps in header.position_as_written.items():
        if seat not in header.players:
            return f"start.position: seat {seat} is not among the players {', '.join(header.players)}"
        if len(steps) != TOKENS:
            return f"start.position.{seat}: {len(steps)} tokens; a seat has {TOKENS}"
        if min(steps) < -1:
            return f"start.position.{seat}: step {min(steps)}; steps count from -1, the yard"
    return None


def _corners_problem(header: Header) -> str | None:
    corners = header.corners
    if corners is None:
        return None
    if len(corners) != len(SEATS):
        return f"corners: {len(corners)} points; four are needed, in the order of the yards A, B, C, D"
    turns = [_turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) for i in range(4)]
    if all(turn > 0 for turn in turns):
        return None
    if all(turn < 0 for turn in turns):
        return "corners: they go round the board the wrong way; the order is the yards A, B, C, D, clockwise seen from above"
    return "corners: not the corners of a square seen from above; the order is the yards A, B, C, D"


def _turn(a: PixelPoint, b: PixelPoint, c: PixelPoint) -> float:
    """Twice the signed area of the triangle; positive for a clockwise turn in a picture (y down)."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _suffix(picture: bytes) -> str:
    if picture.startswith(b"\xff\xd8"):
        return ".jpg"
    if picture.startswith(b"\x89PNG"):
        return ".png"
    raise RecordingError("a picture for a recording must be an encoded JPEG or PNG")
