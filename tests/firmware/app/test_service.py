"""The table's service as a real process: it starts without devices, tells systemd, serves the page, obeys signals, resumes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

PATIENCE_S = 40.0


class Table:
    """One running service and what it told systemd."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        pictures = folder / "pictures"
        pictures.mkdir(exist_ok=True)
        Image.new("RGB", (640, 480), (80, 90, 100)).save(pictures / "table.jpg")
        self.config = folder / "config.toml"
        self.config.write_text(
            f'[camera]\nkind = "folder"\nfolder = "{pictures}"\nrate_hz = 4.0\nlost_after_s = 20.0\n'
            '[button]\nkind = "simulated"\n[display]\ndriver = "simulated"\n[sound]\nkind = "none"\n'
            f'[page]\nport = {self.port}\n[journal]\nfolder = "{folder / "games"}"\n'
        )
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(folder / "notify"))
        self._line.settimeout(PATIENCE_S)
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify")}
        call = [sys.executable, "-m", "ludo_referee", "run", "--config", str(self.config)]
        return subprocess.Popen(call, env=environment, stderr=subprocess.PIPE, text=True)

    def told(self, wanted: str) -> str:
        """Wait until systemd is told something that holds `wanted`."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            message = self._line.recv(4096).decode()
            if wanted in message:
                return message
        raise AssertionError(f"{wanted} was never told")

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Its exit status and what it logged."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, errors

    def close(self) -> None:
        self._line.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def test_it_tells_systemd_serves_the_page_and_ends_when_told(table: Table) -> None:
    table.told("READY=1")
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=PATIENCE_S) as answer:
        assert b"<html" in answer.read()
    status, errors = table.end()
    assert status == 0
    assert "Traceback" not in errors


def test_a_second_one_says_so_and_exits_75(table: Table) -> None:
    table.told("READY=1")
    second = table.start()
    _, errors = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 75
    assert "Traceback" not in errors
    assert errors.count("\n") == 1


def test_a_new_configuration_is_taken_and_a_broken_one_is_refused(table: Table) -> None:
    table.told("READY=1")
    good = table.config.read_text()
    table.config.write_text(good + "[vision]\nsharpness = 3\n")
    table.process.send_signal(signal.SIGHUP)
    table.told("RELOADING=1")
    table.told("READY=1")
    table.config.write_text(good.replace("[page]\n", "[page]\non = false\n"))
    table.process.send_signal(signal.SIGHUP)
    table.told("RELOADING=1")
    table.told("READY=1")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=PATIENCE_S)
    status, errors = table.end()
    assert status == 0
    assert "sharpness" in errors


def test_no_device_leaves_a_playable_table(table: Table) -> None:
    table.told("READY=1")
    table.end()
    text = table.config.read_text().replace('kind = "simulated"', 'kind = "gpio"').replace('driver = "simulated"', "bus = 77")
    table.config.write_text(text)
    table.process = table.start()
    table.told("READY=1")
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=PATIENCE_S) as answer:
        assert answer.status == 200
    status, errors = table.end()
    assert status == 0
    assert "no button" in errors
    assert "Traceback" not in errors


def test_the_game_goes_on_after_the_power_failed(table: Table) -> None:
    table.told("READY=1")
    for _ in range(2):
        _ask(table, "press", '{"kind": "tap"}')
    table.end(signal.SIGKILL)
    table.process = table.start()
    table.told("READY=1")
    status, errors = table.end()
    assert status == 0
    assert "Traceback" not in errors


def _ask(table: Table, name: str, body: str) -> None:
    request = urllib.request.Request(
        f"http://127.0.0.1:{table.port}/ask/{name}", body.encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 204
