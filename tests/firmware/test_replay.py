"""Whole recordings through the whole program: what people did is what the referee says, the same each time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

RECORDINGS = Path(__file__).parent.parent / "recordings"
NAMES = ("ludo15_overhead", "madn11_oblique")


def replay(folder: Path, *options: object) -> str:
    call = [sys.executable, "-m", "ludo_referee", "replay", str(folder), *map(str, options)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def moves(said: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(e["seat"], e["from"], e["to"], e["tokens"], e["captures"]) for e in said if e["event"] == "move"]


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What the referee says of each recording, its board found in the picture."""
    return {name: replay(RECORDINGS / name, "--json", "--auto") for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_told_as_it_was_made(name: str, said: dict[str, str]) -> None:
    expected = events((RECORDINGS / name / "expected.jsonl").read_text())
    assert moves(events(said[name])) == moves(expected)


@pytest.mark.parametrize("name", NAMES)
def test_every_wrong_picture_is_called_while_it_lasts_and_nothing_else_is(name: str, said: dict[str, str]) -> None:
    wrong = [e for e in events((RECORDINGS / name / "expected.jsonl").read_text()) if e["event"] in ("illegal", "return_token")]
    called = [e for e in events(said[name]) if e["event"] in ("illegal", "return_token")]
    assert wrong
    assert [e["event"] for e in called] == [e["event"] for e in wrong]
    for told, truth in zip(called, wrong, strict=True):
        assert truth["t"] <= told["t"] <= truth["until"] + 1.0
        assert told.get("seen") == truth.get("seen")


def test_the_same_recording_gives_the_same_output(said: dict[str, str]) -> None:
    assert replay(RECORDINGS / NAMES[0], "--json", "--auto") == said[NAMES[0]]


def test_given_corners_tell_the_same_game(said: dict[str, str], tmp_path: Path) -> None:
    given = events(replay(RECORDINGS / NAMES[0], "--json", "--screens", tmp_path))
    assert [e["how"] for e in given if e["event"] == "board"] == ["given"]
    assert moves(given) == moves(events(said[NAMES[0]]))
    screens = sorted(tmp_path.glob("*.png"))
    assert len(screens) > 20
    with Image.open(screens[0]) as first:
        assert (first.mode, first.size) == ("1", (128, 64))


def test_sentences_tell_the_game_in_words() -> None:
    told = replay(RECORDINGS / NAMES[1], "--language", "de")
    assert len(told.splitlines()) > 15
    assert "{" not in told


@pytest.mark.skipif("LUDO_RECORDINGS" not in os.environ, reason="LUDO_RECORDINGS names no folder of recordings")
def test_no_recording_hears_a_move_that_was_not_made() -> None:
    for folder in sorted(Path(os.environ["LUDO_RECORDINGS"]).glob("*/expected.jsonl")):
        made = {move[:3] for move in moves_of(folder)}
        for move in moves(events(replay(folder.parent, "--json"))):
            assert move[:3] in made, f"{folder.parent.name}: {move}"


def moves_of(expected: Path) -> list[tuple[Any, ...]]:
    return [(e["seat"], e["from"], e["to"]) for e in events(expected.read_text()) if e["event"] == "move"]
