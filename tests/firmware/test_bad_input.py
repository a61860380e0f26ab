"""Input that cannot be used: one clear line on stderr, exit status 2, no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

HEADER: dict[str, Any] = {
    "format": 1,
    "board": "ludo15",
    "rules": {"preset": "classic"},
    "seats": {"A": "green", "B": "yellow", "C": "blue", "D": "red"},
    "players": ["A", "B", "C", "D"],
    "start": {"turn": "A"},
    "corners": [[20, 20], [300, 20], [300, 220], [20, 220]],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small recording in which nothing is wrong but that there is no board to see."""
    made = tmp_path / "game"
    made.mkdir()
    Image.new("RGB", (320, 240), (90, 120, 90)).save(made / "f0.jpg")
    write(made, HEADER, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 3.0, "end": True}])
    return made


def write(folder: Path, header: dict[str, Any], timeline: list[dict[str, Any]]) -> None:
    (folder / "recording.json").write_text(json.dumps(header))
    (folder / "timeline.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in timeline))


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ludo_referee", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    refused(command("replay", tmp_path / "nowhere"), "nowhere")


def test_a_missing_picture_is_named_with_its_line(folder: Path) -> None:
    write(folder, HEADER, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 1.0, "frame": "f1.jpg"}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "f1.jpg", "line 2", "missing")


def test_a_truncated_jpeg_is_named(folder: Path) -> None:
    whole = (folder / "f0.jpg").read_bytes()
    (folder / "f0.jpg").write_bytes(whole[: len(whole) * 2 // 3])
    refused(command("replay", folder), "f0.jpg", "truncated")


def test_an_unknown_key_is_named(folder: Path) -> None:
    write(folder, {**HEADER, "colour": "red"}, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "recording.json", "colour")


def test_an_unknown_rule_is_named(folder: Path) -> None:
    write(folder, {**HEADER, "rules": {"preset": "classic", "triple": 1}}, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "triple")


def test_a_timeline_that_goes_back_in_time_is_named_with_its_line(folder: Path) -> None:
    write(folder, HEADER, [{"t": 2.0, "frame": "f0.jpg"}, {"t": 1.0, "die": 3}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "timeline.jsonl", "line 2", "back")


def test_corners_outside_the_picture_are_named(folder: Path) -> None:
    corners = [[20, 20], [900, 20], [900, 220], [20, 220]]
    write(folder, {**HEADER, "corners": corners}, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "corner", "outside")


def test_a_board_file_with_a_broken_ring_is_named(folder: Path) -> None:
    from importlib.resources import files

    text = files("ludo_referee.rules.boards").joinpath("ludo15.toml").read_text()
    broken = text.replace('w5 n2"', 'w5"', 1)
    assert broken != text
    (folder / "mine.toml").write_text(broken)
    write(folder, {**HEADER, "board": "mine.toml"}, [{"t": 0.0, "frame": "f0.jpg"}, {"t": 3.0, "end": True}])
    refused(command("replay", folder), "mine.toml", "ring")


def test_a_picture_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.jpg").write_text("not a picture")
    refused(command("look", tmp_path / "table.jpg", "--board", "ludo15"), "table.jpg")


def test_corners_that_are_no_corners_are_named(folder: Path) -> None:
    refused(command("look", folder / "f0.jpg", "--corners", "1,2 3,4 x"), "corners")
