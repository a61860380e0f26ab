"""A recording is asked for at a running table that sees a board, and holds the board alone."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from ludo_referee.config import read_config
from ludo_referee.demo.evening import DemoOptions, Evening
from ludo_referee.pictures import VEIL, load_picture
from ludo_referee.recording import read_recording

PATIENCE_S = 180.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Path]:
    """The configuration of a running table whose camera sees the simulated one."""
    (tmp_path / "pictures").mkdir()
    evening = Evening(DemoOptions(seed=1, find_board=True), [])
    cv2.imwrite(str(tmp_path / "pictures" / "table.jpg"), evening.picture)
    config = tmp_path / "config.toml"
    config.write_text(
        f'[camera]\nkind = "folder"\nfolder = "{tmp_path / "pictures"}"\nrate_hz = 4.0\nlost_after_s = 60.0\n'
        '[button]\nkind = "simulated"\n[display]\ndriver = "simulated"\n[sound]\nkind = "none"\n'
        f'[page]\nport = {_free_port()}\n[table]\nplayers = ["A", "B", "C", "D"]\n[journal]\nfolder = "{tmp_path / "games"}"\n'
        f'[recording]\nfolder = "{tmp_path / "recordings"}"\n'
    )
    call = [sys.executable, "-m", "ludo_referee", "run", "--config", str(config)]
    (tmp_path / "temporary").mkdir()
    home = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path / "temporary"), "OPENBLAS_NUM_THREADS": "1"}
    running = subprocess.Popen(call, cwd=tmp_path, env={**os.environ, **home}, stderr=subprocess.DEVNULL)
    yield config
    running.kill()
    running.wait()


def ask(config: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "ludo_referee", "record", "--config", str(config), *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def press(config: Path) -> None:
    """A tap, by the page."""
    port = read_config(config).page.port
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/ask/press", b'{"kind": "tap"}', headers, method="POST")
    with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=10):
        pass


def pictures_in(folder: Path) -> list[Path]:
    """Files with a JPEG or PNG anywhere in them, but for the camera's own."""
    written = [path for path in folder.rglob("*") if path.is_file() and path.parent != folder / "pictures"]
    return [path for path in written if any(sign in path.read_bytes() for sign in (b"\xff\xd8\xff", b"\x89PNG"))]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def test_recording_is_refused_before_a_turn_and_said_why(table: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while "nobody answers" in (refused := ask(table)).stderr and time.monotonic() < deadline:
        pass  # it is starting
    assert refused.returncode == 2
    assert "nothing to record yet" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert list((table.parent / "recordings").iterdir()) == []


def test_recording_holds_the_last_minutes_of_the_board_alone(table: Path, tmp_path: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while (asked := ask(table, str(tmp_path / "wrong"))).returncode != 0 and time.monotonic() < deadline:
        press(table)  # the game begins, and is thrown for
        time.sleep(1.5)
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout == f"{tmp_path / 'wrong'}\n"
    recording = read_recording(tmp_path / "wrong")
    assert recording.header.corners is not None
    assert {path.parent.parent for path in pictures_in(tmp_path)} == {tmp_path / "recordings", tmp_path}
    assert recording.header.start is not None
    first = next(entry.frame for entry in recording.timeline if entry.frame)
    picture = load_picture(recording.path(first)).astype(int)
    for corner in (picture[:100, :60], picture[:100, -60:]):
        assert abs(corner - VEIL).max() <= 12
    shutil.rmtree(tmp_path / "recordings")
    shutil.rmtree(tmp_path / "wrong")
    assert pictures_in(tmp_path) == []  # nothing else ever stores pictures
