"""The camera and vision in a process of their own, so that one that hangs, or dies, or cannot even be killed never stops the table.

`CameraProcess` starts a worker by name ("package.module:function") in a fresh interpreter and exchanges pickled messages with it. The
worker is called as `function(connection, *arguments)` with a `multiprocessing.connection.Connection`; it must send something at least
every `silence_s` and return when the connection ends (EOFError). An exception that leaves it is its last message, and the reason why the
camera is lost. The parent never waits: threads of their own read and write, `poll` takes what has come.

Not `multiprocessing.Process`: at exit it waits for its children for ever, and its spawning needs a third process.
"""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

_log = logging.getLogger(__name__)

BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
HEALTHY_S = 60.0  # a child that lived so long starts the back-off anew
_UNDEAD = 3  # so many killed children that do not go: a device hangs in the kernel, more would only hang with them
_WAITING_REQUESTS = 64  # a child that takes no requests while so many wait hangs


@dataclass(frozen=True, slots=True)
class Lost:
    """The child is gone, or has been given up; `reason` is a sentence for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class Back:
    """The first message of a new child has come."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """The worker's last words."""

    reason: str


class Child(Protocol):
    """What is needed of a `subprocess.Popen`."""

    pid: int

    def poll(self) -> int | None: ...

    def wait(self, timeout: float) -> int: ...

    def kill(self) -> None: ...


def launch(argv: Sequence[str], handle: int) -> Child:
    """Start the child; it inherits `handle`, its end of the connection."""
    return subprocess.Popen(argv, pass_fds=(handle,), stdin=subprocess.DEVNULL)


class _Run:
    """One child's life: its process, its end of the connection, and the two threads that wait in place of the parent."""

    def __init__(self, child: Child, ours: socket.socket, wake: Callable[[], None]) -> None:
        self.child = child
        self.received: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._socket = ours
        self._connection = Connection(os.dup(ours.fileno()))  # closed by itself when both threads have let go of it
        self._requests: queue.Queue[bytes] = queue.Queue(_WAITING_REQUESTS)
        self._wake = wake
        self._ended = False
        for step in (self._read, self._write):
            threading.Thread(target=step, name="camera link", daemon=True).start()

    def send(self, message: object) -> bool:
        try:
            self._requests.put_nowait(pickle.dumps(message))
        except queue.Full:
            return False
        return True

    def _read(self) -> None:
        try:
            while True:
                self.received.put(self._connection.recv())
                self._wake()
        except (EOFError, OSError):
            pass
        except Exception:
            _log.exception("a message of the camera's process cannot be read")
        if not self._ended:
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(1.0)  # so that the parent can tell what it died of
            self.received.put(EOFError)
            self._wake()

    def _write(self) -> None:
        with suppress(OSError):
            while message := self._requests.get():
                self._connection.send_bytes(message)

    def end(self) -> None:
        """Kill the child and let the threads go; waits for nobody."""
        self._ended = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads or writes
        self._socket.close()
        self.child.kill()
        with suppress(queue.Full):  # a writer that is behind finds the socket shut
            self._requests.put_nowait(b"")


class CameraProcess:
    """Keeps one child at work. All methods are called from one thread and return at once."""

    def __init__(
        self,
        worker: str,
        arguments: tuple[Any, ...] = (),
        *,
        silence_s: float = 3.0,
        start_s: float = 60.0,
        back_off_s: Sequence[float] = BACK_OFF_S,
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        launch: Callable[[Sequence[str], int], Child] = launch,
    ) -> None:
        """`silence_s` without a message and the child is lost; `start_s` is the time it has for its first. `wake` is called from a foreign
        thread whenever `poll` has something to give."""
        self._worker, self._arguments = worker, arguments
        self._silence_s, self._start_s, self._back_off_s = silence_s, start_s, tuple(back_off_s)
        self._wake, self._clock, self._launch = wake, clock, launch
        self._run: _Run | None = None
        self._undead: list[Child] = []  # killed, but not gone yet
        self._failures = 0
        self._began = self._heard = 0.0
        self._greeted = False
        self._next_start: float | None = None
        self._refusal: str | None = None

    def start(self) -> None:
        """Start the child. What goes wrong is told by `poll`."""
        self._next_start = None
        self._began = self._heard = self._clock()
        self._greeted = False
        ours, theirs = socket.socketpair()
        with theirs:
            handle = theirs.fileno()
            try:
                child = self._launch((sys.executable, "-m", __name__, str(handle), self._worker), handle)
            except OSError as error:
                ours.close()
                self._refusal = f"the camera's process cannot be started: {error}"
                return
        self._run = _Run(child, ours, self._wake)
        self._run.send(self._arguments)

    def send(self, message: object) -> bool:
        """Give the child a message; False when there is no child, or none that takes it: what matters must be sent again after `Back`."""
        return self._run is not None and self._run.send(message)

    def poll(self) -> list[Any]:
        """The messages since the last call, with `Lost` and `Back` where they belong; every start in vain is one more `Lost`.

        Also starts a lost child again when it is time: call it at least every half second.
        """
        self._undead = [child for child in self._undead if child.poll() is None]
        out: list[Any] = []
        if self._next_start is not None and self._clock() >= self._next_start and len(self._undead) < _UNDEAD:
            self.start()
        reason, self._refusal = self._refusal, None
        if self._run is not None:
            reason = self._receive(self._run, out)
        if reason is not None:
            out.append(self._lose(reason))
        return out

    def _receive(self, run: _Run, out: list[Any]) -> str | None:
        """Collect messages; the reason when the child must be given up."""
        now = self._clock()
        with suppress(queue.Empty):
            while True:
                message = run.received.get_nowait()
                if message is EOFError:
                    return self._cause_of_death(run)
                if isinstance(message, _Failure):
                    return message.reason
                self._heard = now
                if not self._greeted:
                    self._greeted = True
                    out.append(Back())
                out.append(message)
        limit = self._silence_s if self._greeted else self._start_s
        return f"the camera's process has been silent for {limit:.0f} s" if now - self._heard > limit else None

    def _cause_of_death(self, run: _Run) -> str:
        status = run.child.poll()
        if status is not None and status < 0:
            return f"the camera's process was ended by {signal.Signals(-status).name}"
        return "the camera's process ended"

    def _lose(self, reason: str) -> Lost:
        now = self._clock()
        if self._greeted and now - self._began >= HEALTHY_S:
            self._failures = 0
        delay = self._back_off_s[min(self._failures, len(self._back_off_s) - 1)]
        self._failures += 1
        self._next_start = now + delay
        self._drop()
        _log.warning("camera lost: %s; it is started again in %.1f s", reason, delay)
        return Lost(reason)

    def _drop(self) -> None:
        if self._run is not None:
            self._run.end()
            if self._run.child.poll() is None:
                self._undead.append(self._run.child)
            self._run = None

    def close(self) -> None:
        """End the child and start none again. One that cannot be killed is left to the system."""
        self._next_start = None
        self._drop()
        deadline = time.monotonic() + 0.5
        while self._undead and time.monotonic() < deadline:
            self._undead = [child for child in self._undead if child.poll() is None]
            time.sleep(0.005)
        for child in self._undead:
            _log.warning("the camera's process %d cannot be ended; the system will do it when its device answers", child.pid)


def main(handle: int, worker: str) -> None:
    """The child: get the arguments, run the worker, tell what it failed of."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent ends the child when it is ready
    connection = Connection(handle)
    try:
        arguments = connection.recv()
        module, _, function = worker.partition(":")
        getattr(importlib.import_module(module), function)(connection, *arguments)
    except EOFError:
        pass  # the parent is gone or has had enough
    except Exception as error:
        if not isinstance(error, OSError | ImportError):  # a device that fails, or a package that is missing, is no bug of ours
            _log.exception("the camera's worker failed")
        with suppress(OSError):
            connection.send(_Failure(str(error) or type(error).__name__))


if __name__ == "__main__":
    # under the name the parent knows it by, or its messages would be of classes of __main__
    importlib.import_module("ludo_hardware.camera_process").main(int(sys.argv[1]), sys.argv[2])
