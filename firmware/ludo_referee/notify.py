"""Talking to systemd (sd_notify(3)): ready, alive, what is going on, reloading, stopping. Standard library only.

Without systemd every call does nothing, so the same program runs from a terminal.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

_log = logging.getLogger(__name__)


class Notifier:
    """The service's line to systemd, taken out of the environment so that no child of ours finds it."""

    def __init__(
        self, environment: Mapping[str, str] | None = None, *, clock: Callable[[], float] = time.monotonic, pid: int | None = None
    ) -> None:
        """`environment` None: the process's own, from which the variables are removed."""
        found = {name: (os.environ.pop(name, "") if environment is None else environment.get(name, "")) for name in _VARIABLES}
        self._clock = clock
        self._address = _address(found["NOTIFY_SOCKET"])
        self._status = ""
        ours = found["WATCHDOG_PID"] in ("", str(os.getpid() if pid is None else pid))
        self.watchdog_s = int(found["WATCHDOG_USEC"]) / 1e6 if ours and found["WATCHDOG_USEC"].isdecimal() else None
        """How long systemd waits for a sign of life before it kills and restarts us; None: it does not."""
        self._next_alive = 0.0

    @property
    def listening(self) -> bool:
        """Whether systemd started us and wants to be told."""
        return self._address is not None

    def ready(self) -> None:
        """The service has started, or has read its configuration anew."""
        self._send("READY=1")

    def reloading(self) -> None:
        """The configuration is being read again; `ready` must follow."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """One line that `systemctl status` shows; told only when it changed."""
        text = " ".join(text.split())
        if text != self._status and self._send(f"STATUS={text}", wait=False):
            self._status = text

    def alive(self) -> None:
        """A sign of life: to be called by the loop that does the work, and nothing else, as often as it turns."""
        now = self._clock()
        if self.watchdog_s is not None and now >= self._next_alive and self._send("WATCHDOG=1", wait=False):
            self._next_alive = now + self.watchdog_s / 3

    def _send(self, message: str, *, wait: bool = True) -> bool:
        """Whether that is done with; not when systemd is busy and we do not wait for it: tell it again."""
        if self._address is None:
            return True
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1.0 if wait else 0.0)
                line.connect(self._address)
                line.sendall(message.encode())
        except BlockingIOError:
            return False
        except OSError as error:  # systemd's trouble must not become the table's
            _log.warning("systemd was not told %r: %s", message.split("\n")[0], error)
        return True


_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


def _address(name: str) -> str | None:
    """The socket's address: a path, or a name in the abstract namespace, which is written with @ in front."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else None
