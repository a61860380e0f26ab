"""Recordings: what is wrong in one is said in one line that names the file and the field or line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from ludo_referee.recording import (
    Header,
    RecordingError,
    RecordingWriter,
    Start,
    read_recording,
)

HEADER: dict[str, Any] = {
    "format": 1, "board": "ludo15", "rules": {"preset": "classic"},
    "seats": {"A": "green", "B": "yellow", "C": "blue", "D": "red"}, "players": ["A", "C"],
    "start": {"position": {"A": [-1, -1, 4, 10]}, "turn": "C"},
    "corners": [[10, 10], [50, 10], [50, 40], [10, 40]],
}
TIMELINE: list[dict[str, Any]] = [
    {"t": 0.0, "frame": "f0.jpg"}, {"t": 1.5, "die": 6}, {"t": 2, "frame": "f1.jpg"}, {"t": 3.0, "button": "tap"}, {"t": 4.0, "end": True},
]


def jpeg(grey: int = 90, size: tuple[int, int] = (64, 48)) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, (grey, grey, grey)).save(stream, "JPEG")
    return stream.getvalue()


def folder_with(path: Path, header: dict[str, Any] | str | None = None, timeline: list[Any] | None = None) -> Path:
    """A recording in `path`; `header` overrides keys of HEADER (or is the file's text), `timeline` replaces TIMELINE."""
    path.mkdir(exist_ok=True)
    text = header if isinstance(header, str) else json.dumps(HEADER | (header or {}))
    (path / "recording.json").write_text(text)
    lines = TIMELINE if timeline is None else timeline
    (path / "timeline.jsonl").write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    for name in ("f0.jpg", "f1.jpg"):
        (path / name).write_bytes(jpeg())
    return path


def test_recording_is_read_with_seats_as_indices(tmp_path: Path) -> None:
    recording = read_recording(folder_with(tmp_path / "r"))
    header = recording.header
    assert header.player_seats == (0, 2)
    assert header.colours == ("green", "yellow", "blue", "red")
    assert header.first_turn == 2
    assert header.position == {0: (-1, -1, 4, 10), 2: (-1, -1, -1, -1)}
    assert [entry.t for entry in recording.timeline] == [0.0, 1.5, 2.0, 3.0, 4.0]
    assert recording.end == 4.0


def test_recording_without_a_start_begins_with_opening_rolls(tmp_path: Path) -> None:
    header = {key: value for key, value in HEADER.items() if key not in ("start", "corners")}
    read = read_recording(folder_with(tmp_path / "r", json.dumps(header))).header
    assert (read.first_turn, read.position, read.corners) == (None, None, None)


def test_recording_finds_a_board_file_in_its_folder(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "r", {"board": "ours"})
    assert read_recording(folder).board_file is None
    (folder / "ours.toml").write_text("name = 'ours'\n")
    assert read_recording(folder).board_file == folder / "ours.toml"


@pytest.mark.parametrize(("header", "said"), [
    ({"formt": 1}, "unknown key 'formt'; keys are format, board"),
    ({"format": 2}, "format: "),
    ({"board": ""}, "board: empty"),
    ({"rules": "classic"}, "rules: Expected `object`"),
    ({"start": {"turn": "C", "sixs": 1}}, "start: unknown key 'sixs'; keys are position, turn, sixes"),
    ({"players": ["A", "E"]}, "players: there is no seat 'E'"),
    ({"players": ["A"]}, "players: A; name two to four"),
    ({"players": ["A", "A"]}, "players: A, A; name two to four different seats"),
    ({"seats": {"A": "red", "E": "blue"}}, "seats: there is no seat 'E'"),
    ({"seats": {"A": "red"}}, "players: seat C plays but has no colour"),
    ({"seats": {"A": "red", "C": "red"}}, "seats: the colour 'red' stands for more than one seat"),
    ({"start": {"turn": "B"}}, "start.turn: seat 'B' is not among the players A, C"),
    ({"start": {"position": {"A": [0, 0, 0, 0]}}}, "start: a running game needs turn"),
    ({"start": {"position": {"B": [0, 0, 0, 0]}, "turn": "A"}}, "start.position: seat B is not among the players"),
    ({"start": {"position": {"A": [0, 1, 2]}, "turn": "A"}}, "start.position.A: 3 tokens; a seat has 4"),
    ({"start": {"position": {"A": [0, 1, 2, -2]}, "turn": "A"}}, "start.position.A: step -2"),
    ({"start": {"turn": "A", "sixes": -1}}, "start.sixes: -1"),
    ({"corners": [[10, 10], [50, 10], [50, 40]]}, "corners: 3 points; four are needed"),
    ({"corners": [[10, 10], [50, 10], [50, 40], [10]]}, "corners"),
    ({"corners": [[10, 10], [10, 40], [50, 40], [50, 10]]}, "corners: they go round the board the wrong way"),
    ({"corners": [[10, 10], [50, 40], [50, 10], [10, 40]]}, "corners: not the corners of a square"),
    ({"corners": [[10, 10], [500, 10], [50, 40], [10, 40]]}, "corners: B's corner (500, 10) is outside the first picture of 64×48 pixels"),
    ('{"format": 1, "board": "lu', "Input data was truncated"),
    ("", "Input data was truncated"),
])
def test_wrong_header_is_named(tmp_path: Path, header: dict[str, Any] | str, said: str) -> None:
    with pytest.raises(RecordingError) as error:
        read_recording(folder_with(tmp_path / "r", header))
    assert said in str(error.value)
    assert "recording.json" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("timeline", "said"), [
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 5, "die": 1}, {"t": 4.5, "die": 2}], "line 3: t goes back from 5 to 4.5"),
    ([{"t": -1, "frame": "f0.jpg"}], "line 1: t is -1"),
    ([{"t": 0, "frame": "f0.jpg"}, '{"t": 5, "di'], "line 2: Input data was truncated"),
    ([{"t": 0, "frame": "nothere.jpg"}], "line 1: the picture 'nothere.jpg' is missing"),
    ([{"t": 0, "frame": "../r/f0.jpg"}], "line 1: '../r/f0.jpg' is not the name of a file in the folder"),
    ([{"t": 0, "video": "clip.mp4"}], "line 1: the picture 'clip.mp4' is missing"),
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 1, "die": 7}], "line 2: die is 7"),
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 1, "die": 0}], "line 2: die is 0"),
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 1, "die": "6"}], "line 2: die: Expected `int | null`, got `str`"),
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 1, "button": "push"}], "line 2: button: 'push' is not one of its values: tap"),
    ([{"t": 0, "frame": "f0.jpg", "die": 1}], "line 1: one of frame, video, die, button, end is needed, here frame and die"),
    ([{"t": 0}], "here none of them"),
    ([{"frame": "f0.jpg"}], "line 1: Object missing required field `t`"),
    ([{"t": 0, "frame": "f0.jpg", "note": "x"}], "line 1: unknown key 'note'"),
    ([{"t": 0, "frame": "f0.jpg"}, {"t": 1, "end": True}, {"t": 2, "die": 1}], "line 3: there is more after the end"),
    ([{"t": 1, "end": True}], "no frame and no video"),
    ([], "no frame and no video"),
])
def test_wrong_timeline_is_named(tmp_path: Path, timeline: list[Any], said: str) -> None:
    with pytest.raises(RecordingError) as error:
        read_recording(folder_with(tmp_path / "r", timeline=timeline))
    assert said in str(error.value)
    assert "timeline.jsonl" in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_folder_and_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no such folder"):
        read_recording(tmp_path / "nothing")
    folder = folder_with(tmp_path / "r")
    (folder / "timeline.jsonl").unlink()
    with pytest.raises(RecordingError, match=r"timeline\.jsonl: missing"):
        read_recording(folder)


def test_first_picture_that_is_none_is_named(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "r")
    (folder / "f0.jpg").write_text("hello")
    with pytest.raises(RecordingError, match=r"f0\.jpg: not a picture"):
        read_recording(folder)


def test_written_recording_is_read_back(tmp_path: Path) -> None:
    seats = {"A": "red", "C": "black"}
    header = Header(format=1, board="madn11", rules={"preset": "madn"}, seats=seats, players=("A", "C"), start=Start(turn="A"))
    with RecordingWriter(tmp_path / "new", header) as writer:
        writer.frame(0, jpeg(10))
        writer.frame(0.5, jpeg(10))
        writer.die(1.23456, 4)
        writer.frame(2, jpeg(20))
        writer.button(3, "hold")
    recording = read_recording(tmp_path / "new")
    assert recording.header.board == "madn11"
    assert recording.header.start == Start(turn="A")
    assert [(entry.t, entry.picture, entry.die, entry.button, entry.end) for entry in recording.timeline] == [
        (0, "f00000.jpg", None, None, None), (1.235, None, 4, None, None), (2, "f00001.jpg", None, None, None),
        (3, None, None, "hold", None), (3, None, None, None, True)]


def test_writer_refuses_a_used_folder_and_time_that_goes_back(tmp_path: Path) -> None:
    header = Header(format=1, board="ludo15", rules={}, seats={"A": "red", "C": "blue"}, players=("A", "C"))
    with RecordingWriter(tmp_path / "new", header) as writer:
        writer.frame(1, jpeg())
        with pytest.raises(RecordingError, match="goes back from 1 to 0"):
            writer.die(0, 3)
        with pytest.raises(RecordingError, match="JPEG or PNG"):
            writer.frame(2, b"BM")
    with pytest.raises(RecordingError, match="not empty"):
        RecordingWriter(tmp_path / "new", header)


def test_reading_a_recording_loads_neither_numpy_nor_opencv() -> None:
    code = "import sys, ludo_referee.recording; sys.exit(any(name in sys.modules for name in ('numpy', 'cv2')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif("LUDO_RECORDINGS" not in os.environ, reason="LUDO_RECORDINGS names no folder of recordings")
def test_recordings_at_hand_are_read() -> None:
    for path in sorted(Path(os.environ["LUDO_RECORDINGS"]).glob("*/recording.json")):
        assert read_recording(path.parent).timeline
