"""The camera's process with real children, and one that nobody can kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ludo_hardware.camera_process import Back, CameraProcess, Child, Lost, launch


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Parent:
    """Polls a camera process as the program does, woken by it; the clock of the limits only moves when a test moves it."""

    def __init__(self, worker: str, *arguments: object, launch: Callable[[Sequence[str], int], Child] = launch, **options: Any) -> None:
        self.clock = Clock()
        self._woken = threading.Event()
        self.children: list[Child] = []

        def noted(argv: Sequence[str], handle: int) -> Child:
            self.children.append(launch(argv, handle))
            return self.children[-1]

        self.process = CameraProcess(
            f"camera_workers:{worker}", arguments, wake=self._woken.set, clock=self.clock, launch=noted, **options
        )
        self.process.start()

    def until(self, last: Callable[[object], bool]) -> list[Any]:
        """Everything that comes up to the first message that `last` is true of."""
        out: list[Any] = []
        deadline = time.monotonic() + 20
        while not (out and last(out[-1])):
            assert time.monotonic() < deadline, out
            self._woken.wait(0.05)
            self._woken.clear()
            out += self.process.poll()
        return out

    def until_lost(self) -> list[Any]:
        return self.until(lambda message: isinstance(message, Lost))


@pytest.fixture
def parent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Parent]]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    parents: list[Parent] = []

    def start(*arguments: Any, **options: Any) -> Parent:
        parents.append(Parent(*arguments, **options))
        return parents[-1]

    yield start
    for one in parents:
        one.process.close()
        assert all(child.poll() is not None for child in one.children), "a child was left behind"


def test_messages_go_both_ways(parent: Callable[..., Parent]) -> None:
    table = parent("echo", "hello")
    assert table.until(lambda message: message == "hello") == [Back(), "hello"]
    big = bytes(3_000_000)
    assert table.process.send({"big": big})
    assert table.until(lambda _: True) == [{"big": big}]


def test_child_is_a_bare_interpreter(parent: Callable[..., Parent]) -> None:
    assert parent("imported").until(lambda message: isinstance(message, list))[-1] == []


def test_worker_that_cannot_have_its_camera_says_why(parent: Callable[..., Parent]) -> None:
    assert parent("fail").until_lost() == [Lost("the camera is used by another program: stop that")]


def test_blunder_of_the_worker_is_told(parent: Callable[..., Parent]) -> None:
    assert parent("blunder").until_lost() == [Back(), "begun", Lost("'slot'")]


def test_worker_that_does_not_exist_is_told(parent: Callable[..., Parent]) -> None:
    (lost,) = parent("no_such_worker").until_lost()
    assert "no_such_worker" in lost.reason


def test_killed_child_is_told_with_its_signal(parent: Callable[..., Parent]) -> None:
    assert parent("killed").until_lost()[-1] == Lost("the camera's process was ended by SIGKILL")


def test_child_silent_from_the_start_is_given_up_after_the_long_limit(parent: Callable[..., Parent]) -> None:
    table = parent("mute", start_s=30.0)
    table.clock.now += 29.0
    assert table.process.poll() == []
    table.clock.now += 2.0
    assert table.process.poll() == [Lost("the camera's process has been silent for 30 s")]
    assert table.children[0].wait(10) == -signal.SIGKILL


def test_child_that_hangs_in_the_middle_of_a_message_is_given_up(parent: Callable[..., Parent]) -> None:
    table = parent("hang", silence_s=3.0)
    assert table.until(lambda message: message == "begun") == [Back(), "begun"]
    table.clock.now += 3.5
    assert table.process.poll() == [Lost("the camera's process has been silent for 3 s")]


def test_child_that_takes_no_requests_does_not_block_the_parent(parent: Callable[..., Parent]) -> None:
    table = parent("hang")
    table.until(lambda message: message == "begun")
    while table.process.send(bytes(100_000)):
        pass  # ends: neither the pipe nor the queue is without bounds
    table.clock.now += 60.0
    assert isinstance(table.process.poll()[-1], Lost)


def test_lost_child_is_started_again_with_growing_delays(parent: Callable[..., Parent]) -> None:
    table = parent("fail", back_off_s=(1.0, 5.0))
    for delay in (1.0, 5.0, 5.0):
        table.until_lost()
        started = len(table.children)
        table.clock.now += delay - 0.1
        assert table.process.poll() == []
        assert len(table.children) == started
        table.clock.now += 0.2
        table.process.poll()
        assert len(table.children) == started + 1


def test_back_off_begins_anew_after_a_healthy_time(parent: Callable[..., Parent]) -> None:
    table = parent("echo", "hello", back_off_s=(1.0, 50.0), silence_s=1e6)
    for _ in range(2):
        table.until(lambda message: message == "hello")
        table.clock.now += 61.0
        table.children[-1].kill()
        table.until_lost()
        table.clock.now += 1.1
    assert table.until(lambda message: message == "hello") == [Back(), "hello"]


def test_child_that_cannot_be_started_is_tried_again(parent: Callable[..., Parent]) -> None:
    answers = iter([OSError(12, "Cannot allocate memory")])

    def short_of_memory(argv: Sequence[str], handle: int) -> Child:
        for error in answers:
            raise error
        return launch(argv, handle)

    table = parent("echo", "hello", launch=short_of_memory)
    assert table.process.poll() == [Lost("the camera's process cannot be started: [Errno 12] Cannot allocate memory")]
    assert not table.process.send("anybody?")
    table.clock.now += 1.0
    assert table.until(lambda message: message == "hello") == [Back(), "hello"]


class Undead(subprocess.Popen[bytes]):
    """A child stuck in the kernel: it takes no signal."""

    def kill(self) -> None:
        pass


def test_child_that_cannot_be_killed_blocks_nobody(parent: Callable[..., Parent]) -> None:
    table = parent("mute", launch=lambda argv, handle: Undead(["sleep", "1000"]), back_off_s=(1.0,), start_s=5.0)
    for _ in range(10):  # ten times given up and due again
        table.clock.now += 5.5
        table.process.poll()
    assert len(table.children) == 3  # more would only hang with them
    begun = time.monotonic()
    table.process.close()
    assert time.monotonic() - begun < 5
    for child in table.children:
        super(Undead, child).kill()
        child.wait(10)


def test_closing_ends_the_child_and_starts_none_again(parent: Callable[..., Parent]) -> None:
    table = parent("echo", "hello")
    table.until(lambda message: message == "hello")
    table.process.close()
    assert table.children[0].poll() is not None
    table.clock.now += 1000.0
    assert table.process.poll() == []
    assert not table.process.send("anybody?")


def test_child_ends_when_the_parent_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    script = (
        "import os; from ludo_hardware.camera_process import CameraProcess\n"
        "p = CameraProcess('camera_workers:echo', ('hello',)); p.start()\n"
        "while not p.poll(): pass\n"
        "print(p._run.child.pid, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=20)  # waits for both
    child = Path("/proc", done.stdout.strip(), "stat")
    deadline = time.monotonic() + 20
    while child.exists() and child.read_text().split()[2] not in "ZX":
        assert time.monotonic() < deadline
