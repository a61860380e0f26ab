"""The line to systemd, over a real socket."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludo_referee.notify import Notifier


class Systemd:
    """The other end of the line."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.setblocking(False)

    def told(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return messages


@pytest.fixture(params=["path", "abstract"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Systemd, str]]:
    address = str(tmp_path / "notify") if request.param == "path" else f"@ludo-referee-test-{os.getpid()}"
    systemd = Systemd(address)
    yield systemd, address
    systemd.socket.close()


Line = tuple[Systemd, str]


def test_life_of_a_service(line: Line) -> None:
    systemd, address = line
    service = Notifier({"NOTIFY_SOCKET": address})
    service.status("looking for\nthe board")
    service.ready()
    service.stopping()
    assert systemd.told() == ["STATUS=looking for the board", "READY=1", "STOPPING=1"]


def test_reloading_tells_the_monotonic_time(line: Line) -> None:
    systemd, address = line
    service = Notifier({"NOTIFY_SOCKET": address})
    service.reloading()
    service.ready()
    reloading, ready = systemd.told()
    first, second = reloading.split("\n")
    assert first == "RELOADING=1"
    assert second.removeprefix("MONOTONIC_USEC=").isdecimal()
    assert ready == "READY=1"


def test_status_is_told_once_until_it_changes(line: Line) -> None:
    systemd, address = line
    service = Notifier({"NOTIFY_SOCKET": address})
    for text in ("red's turn", "red's turn", "green's turn"):
        service.status(text)
    assert systemd.told() == ["STATUS=red's turn", "STATUS=green's turn"]


def test_sign_of_life_is_given_every_third_of_the_time(line: Line) -> None:
    systemd, address = line
    now = [0.0]
    service = Notifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}, clock=lambda: now[0])
    assert service.watchdog_s == 30.0
    for turn in range(61):  # a loop that turns twice a second for half a minute
        now[0] = turn / 2
        service.alive()
    assert systemd.told() == ["WATCHDOG=1"] * 4


@pytest.mark.parametrize(
    ("environment", "watchdog_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "42"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "43"}, None),  # meant for another process
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_watchdog_is_read_from_the_environment(environment: dict[str, str], watchdog_s: float | None) -> None:
    assert Notifier(environment, pid=42).watchdog_s == watchdog_s


def test_without_a_watchdog_there_is_no_sign_of_life(line: Line) -> None:
    systemd, address = line
    Notifier({"NOTIFY_SOCKET": address}).alive()
    assert systemd.told() == []


def all_calls(service: Notifier) -> list[Callable[[], None]]:
    return [service.ready, service.reloading, service.stopping, service.alive, lambda: service.status("text")]


def test_without_systemd_nothing_happens() -> None:
    for call in all_calls(Notifier({})):
        call()


def test_line_that_is_dead_is_a_warning_and_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for call in all_calls(Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000000"})):
        call()
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 5
    assert "systemd was not told 'READY=1'" in caplog.text


def test_children_do_not_inherit_the_line(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    systemd, address = line
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.setenv("WATCHDOG_USEC", "5000000")
    service = Notifier()
    service.ready()
    assert systemd.told() == ["READY=1"]
    assert service.watchdog_s == 5.0
    assert not {"NOTIFY_SOCKET", "WATCHDOG_USEC"} & set(os.environ)


def test_busy_systemd_does_not_keep_the_table_waiting_and_is_told_later(line: Line) -> None:
    systemd, address = line
    service = Notifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "3000000"}, clock=lambda: 0.0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as others:
        others.connect("\0" + address[1:] if address.startswith("@") else address)
        others.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:  # until systemd's queue is full
                others.send(b"of another service")
    service.status("red's turn")
    service.alive()
    assert set(systemd.told()) == {"of another service"}
    service.status("red's turn")
    service.alive()
    assert systemd.told() == ["STATUS=red's turn", "WATCHDOG=1"]
