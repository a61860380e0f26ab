"""Recordings of the simulated table: whole, readable, and refused where the truth is in doubt."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludo_hardware.simulated_table import Pinhole, TableLook
from ludo_referee.demo.evening import DemoOptions, Evening
from ludo_referee.demo.recorder import record
from ludo_referee.errors import LudoError
from ludo_referee.recording import RecordingError, read_recording

OPTIONS = DemoOptions(look=TableLook(Pinhole(64, 48)), seed=12, middle=70, moves=8, blunders=0.12)


def test_recording_is_whole_and_says_what_must_be_said(tmp_path: Path, seer: Callable[[Evening], Any]) -> None:
    evening = record(OPTIONS, tmp_path / "made", reader=seer)
    recording = read_recording(tmp_path / "made")
    lines = [json.loads(line) for line in (tmp_path / "made" / "expected.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines].count("move") == 8
    assert {"illegal", "return_token"} <= {line["event"] for line in lines}
    assert all(line["t"] < line["until"] for line in lines if line["event"] != "move")
    assert recording.header.position == {seat: tuple(evening.start.steps[seat]) for seat in range(4)}
    assert sum(entry.die is not None for entry in recording.timeline) == evening.autoplayer.tally.rolls
    shown = [entry.t for entry in recording.timeline if entry.frame]
    assert all(any(t == pytest.approx(line["t"]) for t in shown) for line in lines)


def test_recording_never_overwrites(tmp_path: Path, seer: Callable[[Evening], Any]) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(RecordingError, match="not empty"):
        record(OPTIONS, tmp_path, reader=seer)
    assert (tmp_path / "kept.txt").read_text() == "mine"


def test_game_that_was_not_told_right_leaves_no_recording(tmp_path: Path, seer: Callable[[Evening], Any]) -> None:
    def forgetful(evening: Evening) -> Any:
        reader = seer(evening)
        reader.weigh = lambda t: ()
        return reader

    with pytest.raises(LudoError, match="try another --seed"):
        record(OPTIONS, tmp_path / "made", reader=forgetful)
    assert not (tmp_path / "made").exists()
