"""The table's service as a real process: it starts without devices, tells systemd, serves the page, obeys signals, resumes."""

from __future__ import annotations

import contextlib
import os
import shutil
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

from ludo_referee import screens
from ludo_referee.referee.views import CannotSee, Goodbye, Looking, SafeStart, View

PATIENCE_S = 90.0


class Table:
    """One running service and what it told systemd."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder = folder
        self.port = port or _free_port()
        pictures = folder / "pictures"
        pictures.mkdir(exist_ok=True)
        Image.new("RGB", (640, 480), (80, 90, 100)).save(pictures / "table.jpg")
        self.config = folder / "config.toml"
        self.config.write_text(
            f'[camera]\nkind = "folder"\nfolder = "{pictures}"\nrate_hz = 4.0\nlost_after_s = 20.0\n'
            f'[button]\nkind = "simulated"\n[display]\ndriver = "simulated"\npicture = "{folder / "display.png"}"\n[sound]\nkind = "none"\n'
            f'[page]\nport = {self.port}\n[journal]\nfolder = "{folder / "games"}"\n'
        )
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(folder / "notify"))
        self._line.settimeout(PATIENCE_S)
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify"), "STATE_DIRECTORY": str(self.folder / "state"),
                       "WATCHDOG_USEC": "600000"}  # fmt: skip
        call = [sys.executable, "-m", "ludo_referee", "run", "--config", str(self.config)]
        return subprocess.Popen(call, env=environment, stderr=subprocess.PIPE, text=True)

    def told(self, wanted: str) -> list[str]:
        """Wait until systemd is told something that holds `wanted`: that, after all that was told before."""
        deadline = time.monotonic() + PATIENCE_S
        messages: list[str] = []
        while time.monotonic() < deadline:
            messages.append(self._line.recv(4096).decode())
            if wanted in messages[-1]:
                return messages
        raise AssertionError(f"{wanted} was never told, but {messages}")

    def quiet(self, seconds: float) -> bool:
        """Whether systemd is told nothing for so long."""
        self._line.settimeout(seconds)
        try:
            return not self._line.recv(4096)
        except TimeoutError:
            return True
        finally:
            self._line.settimeout(PATIENCE_S)

    @property
    def camera_process(self) -> int:
        """The camera's process."""
        (child,) = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(child)

    def shows(self, view: View) -> None:
        """Wait until the display shows this view."""
        film = {picture.tobytes() for _, picture in screens.frames(view)}
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(FileNotFoundError):
                if Image.open(self.folder / "display.png").convert("1").tobytes() in film:
                    return
            time.sleep(0.02)
        raise AssertionError(f"{view} was never shown")

    def again(self) -> None:
        """Start another, after the first has ended."""
        self.process = self.start()

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


def test_it_tells_systemd_serves_the_page_and_says_good_night(table: Table) -> None:
    table.told("STATUS=looking")
    table.told("READY=1")
    assert _page(table) == 200
    status, errors = table.end()
    assert status == 0
    assert "Traceback" not in errors
    table.told("STOPPING=1")
    table.shows(Goodbye())


def test_it_ends_though_the_camera_process_hangs(table: Table) -> None:
    table.told("READY=1")
    child = table.camera_process
    os.kill(child, signal.SIGSTOP)
    status, _ = table.end()
    assert status == 0
    assert not Path(f"/proc/{child}/exe").exists()


def test_the_watchdog_is_fed_by_the_loop_alone(table: Table) -> None:
    """A loop that hangs, here in reading its configuration from a pipe that nobody fills, gives no more signs of life."""
    table.told("WATCHDOG=1")
    text = table.config.read_text()
    table.config.unlink()
    os.mkfifo(table.config)
    table.process.send_signal(signal.SIGHUP)
    table.told("RELOADING=1")
    assert table.quiet(1.5)
    table.config.write_text(text)
    table.told("WATCHDOG=1")


def test_a_second_one_says_so_and_exits_75(table: Table) -> None:
    table.told("READY=1")
    second = table.start()
    _, errors = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 75
    assert "Traceback" not in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(("fault", "named"), [("[vision]\nsharpness = 3\n", "sharpness"), ('[table]\nboard = "halma"\n', "halma")])
def test_a_broken_configuration_is_refused_in_one_line(table: Table, fault: str, named: str) -> None:
    table.told("READY=1")
    table.config.write_text(table.config.read_text() + fault)
    table.process.send_signal(signal.SIGHUP)
    told = table.told("RELOADING=1") + table.told("READY=1")
    assert "STOPPING=1" not in told, "systemd would wait for the end"
    assert _page(table) == 200
    status, errors = table.end()
    assert status == 0
    assert [line for line in errors.splitlines() if line.startswith("WARNING")] == [line for line in errors.splitlines() if named in line]


def test_a_new_configuration_is_taken(table: Table) -> None:
    table.told("READY=1")
    table.config.write_text(table.config.read_text().replace("[page]\n", "[page]\non = false\n"))
    table.process.send_signal(signal.SIGHUP)
    told = table.told("RELOADING=1") + table.told("READY=1")
    assert "STOPPING=1" not in told, "systemd would wait for the end"
    with pytest.raises(OSError, match="refused"):
        _page(table)


def test_no_device_leaves_a_playable_table(table: Table) -> None:
    table.told("READY=1")
    table.end()
    text = table.config.read_text().replace('kind = "simulated"', 'kind = "gpio"').replace('driver = "simulated"', "bus = 77")
    table.config.write_text(text.replace('kind = "folder"', 'kind = "v4l2"\ndevice = "/dev/video77"'))
    table.again()
    table.told("STATUS=looking; camera lost")
    for kind in ("tap", "tap", "hold", "tap"):  # without sight, who plays, all four, and begin with a throw
        _ask(table, "press", f'{{"kind": "{kind}"}}')
    table.told("STATUS=opening, yellow's turn; camera lost")
    status, errors = table.end()
    assert status == 0
    assert "no button" in errors
    assert "the display" in errors
    assert "Traceback" not in errors


def test_a_table_without_a_camera_is_played_by_button(table: Table) -> None:
    table.told("READY=1")
    table.end()
    table.config.write_text(table.config.read_text().replace('kind = "folder"', 'kind = "none"'))
    table.again()
    table.told("READY=1")
    table.shows(CannotSee("no_camera"))
    for seconds in (0.1, 0.1, 2.5, 0.1):  # without sight, who plays, a hold: all four, and begin with a throw
        _ask(table, "button", '{"pressed": true}')
        time.sleep(seconds)
        _ask(table, "button", '{"pressed": false}')
        time.sleep(0.5)  # of a person: two presses are no double tap
    table.told("STATUS=opening, yellow's turn; no camera")


def test_a_camera_process_that_died_is_replaced(table: Table) -> None:
    table.told("READY=1")
    table.shows(Looking("blurred"))
    os.kill(table.camera_process, signal.SIGKILL)
    table.told("STATUS=looking; camera lost")
    table.told("STATUS=looking")


def test_the_page_comes_when_its_port_is_free(tmp_path: Path) -> None:
    """As when the network comes later than the box: an address that is not there yet is tried again."""
    port = _free_port()
    with socket.create_server(("127.0.0.1", port)):
        table = Table(tmp_path, port)
        table.told("READY=1")
    try:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                assert _page(table) == 200
                break
        _, errors = table.end()
        assert errors.count("it is tried again") == 1
    finally:
        table.close()


def test_three_starts_that_came_to_nothing_are_followed_by_a_safe_one(table: Table) -> None:
    table.told("READY=1")
    table.end()
    good = table.config.read_text()
    table.config.write_text(good + "[vision]\nsharpness = 3\n")
    for _ in range(3):
        table.again()
        _, errors = table.process.communicate(timeout=PATIENCE_S)
        assert table.process.returncode == 2
        assert "sharpness" in errors
    table.again()
    assert "sharpness" in table.told("safe start")[-1]
    table.told("READY=1")
    table.shows(SafeStart())
    _ask(table, "press", '{"kind": "tap"}')  # which only puts the notice away
    table.shows(CannotSee("no_camera"))
    table.config.write_text(good)
    table.process.send_signal(signal.SIGHUP)
    table.told("RELOADING=1")
    table.told("STATUS=looking")
    _, errors = table.end()
    assert errors.count("safe start, without camera and with the standard rules") == 1
    table.again()
    table.told("STATUS=looking")


def test_the_game_goes_on_after_the_power_failed(table: Table) -> None:
    table.told("READY=1")
    for _ in range(2):
        _ask(table, "press", '{"kind": "tap"}')
    table.end(signal.SIGKILL)
    table.again()
    table.told("READY=1")
    status, errors = table.end()
    assert status == 0
    assert "Traceback" not in errors


def _page(table: Table) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=PATIENCE_S) as answer:
        return int(answer.status)


def _ask(table: Table, name: str, body: str) -> None:
    request = urllib.request.Request(
        f"http://127.0.0.1:{table.port}/ask/{name}", body.encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 204


@pytest.mark.parametrize("damage", ["garbage for a database", "a file for a folder"])
def test_a_broken_journal_is_said_in_a_line_and_the_table_serves(table: Table, damage: str) -> None:
    table.told("READY=1")
    table.end()
    games = table.folder / "games"
    if damage == "a file for a folder":
        shutil.rmtree(games)
        games.write_text("not a folder")
    else:
        (games / "journal.db").write_bytes(b"garbage" * 1000)
    table.process = table.start()
    table.told("READY=1")
    status, errors = table.end()
    assert status == 0
    assert "Traceback" not in errors
    said = [line for line in errors.splitlines() if str(games) in line and "loses the games" not in line]
    assert len(said) == 1
    assert ("games are not being kept" if damage == "a file for a folder" else "set aside as journal.broken-1.db") in said[0]
