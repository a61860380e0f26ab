"""Asking the running program for a recording."""

from __future__ import annotations

import datetime
import logging
from pathlib import Path

import pytest

from ludo_referee.cli import main
from ludo_referee.record_desk import NoAnswer, RecordDesk, ask
from ludo_referee.ring import NothingToRecord, PictureRing
from ludo_referee.rules.board import load_board


class FullRing(PictureRing):
    """Always has something to record."""

    def __init__(self) -> None:
        super().__init__(load_board("ludo15"), 1, 1000)

    def save(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        (folder / "recording.json").write_text("{}")
        return folder


def desk(folder: Path, ring: PictureRing | None = None) -> RecordDesk:
    return RecordDesk(folder, ring or FullRing(), wall=lambda: datetime.datetime(2026, 2, 3, 19, 30, 5))


class Sleeper:
    """A sleep in which the running program has its turn."""

    def __init__(self, desk: RecordDesk) -> None:
        self._desk, self._t = desk, 0.0

    def __call__(self, seconds: float) -> None:
        self._t += seconds
        self._desk.serve(self._t)


def test_recording_is_named_after_date_and_time_and_never_overwritten(tmp_path: Path) -> None:
    table = desk(tmp_path)
    assert [table.record().name for _ in range(3)] == ["2026-02-03_19-30-05", "2026-02-03_19-30-05_2", "2026-02-03_19-30-05_3"]


def test_request_is_answered_with_the_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    made = ask(tmp_path / "recordings", sleep=Sleeper(desk(tmp_path / "recordings")))
    assert made == tmp_path / "recordings" / "2026-02-03_19-30-05"
    assert (made / "recording.json").exists()
    assert [path.name for path in (tmp_path / "recordings").iterdir()] == [made.name]
    assert str(made) in caplog.text


def test_refusal_comes_back_to_who_asked(tmp_path: Path) -> None:
    table = desk(tmp_path, PictureRing(load_board("ludo15"), 1, 1000))
    with pytest.raises(NothingToRecord):
        table.record()
    with pytest.raises(NoAnswer, match="nothing to record yet"):
        ask(tmp_path, sleep=Sleeper(table))
    assert list(tmp_path.iterdir()) == []


def test_without_a_running_program_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer, match="nobody answers; start the service"):
        ask(tmp_path, sleep=lambda seconds: None)
    assert list(tmp_path.iterdir()) == []


def test_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoAnswer, match="cannot ask for a recording"):
        ask(tmp_path / "file", sleep=lambda seconds: None)


def test_command_refuses_a_folder_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
