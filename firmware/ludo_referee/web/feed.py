"""What the page shows, handed from the table's thread to the web server's, and what visitors ask for, handed back."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

LOG_LINES = 200


@dataclass(frozen=True, slots=True)
class Request:
    """Something a visitor of the page asks of the table; `t` is the second at which it came, on the monotonic clock."""

    name: str
    values: dict[str, object]
    t: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Message:
    """One server-sent event: its name and its data as a JSON-ready value."""

    event: str
    data: object


class Feed:
    """The newest state, screen and picture, and the log; any number of pages listen. Thread-safe."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        """`wake` is called, from the server's thread, when a visitor has asked for something."""
        self.requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._wake = wake
        self._lock = threading.RLock()  # a signal that closes the feed may come in the midst of anything
        self._newest: dict[str, Message] = {}
        self._log: deque[Message] = deque(maxlen=LOG_LINES)
        self._picture = b""
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Queue[Message | None]]] = set()
        self._closed = False

    @property
    def picture(self) -> bytes:
        """The newest camera picture as JPEG; empty before the first."""
        with self._lock:
            return self._picture

    def ask(self, request: Request) -> None:
        """A visitor asks for something."""
        self.requests.put(request)
        self._wake()

    def publish(self, event: str, data: object) -> None:
        """A new value of `event`, unless it is the same as before."""
        message = Message(event, data)
        with self._lock:
            if self._newest.get(event) == message:
                return
            self._newest[event] = message
            self._send(message)

    def publish_picture(self, jpeg: bytes, number: int) -> None:
        """A new camera picture; pages are told its number and fetch it."""
        with self._lock:
            self._picture = jpeg
        self.publish("picture", number)

    def log(self, line: object) -> None:
        """One more line of what was said."""
        message = Message("log", line)
        with self._lock:
            self._log.append(message)
            self._send(message)

    def clear_log(self) -> None:
        """A new game: the log begins anew."""
        with self._lock:
            self._log.clear()
            self._send(Message("clear", None))

    def close(self) -> None:
        """No more: pages are let go."""
        with self._lock:
            self._closed = True
            self._send(None)

    async def listen(self) -> AsyncIterator[Message]:
        """Everything there is now, then everything new, until the feed closes."""
        inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        listener = (asyncio.get_running_loop(), inbox)
        with self._lock:
            if self._closed:
                return
            for known in (*self._newest.values(), Message("clear", None), *self._log):
                inbox.put_nowait(known)
            self._listeners.add(listener)
        try:
            while (message := await inbox.get()) is not None:
                yield message
        finally:
            with self._lock:
                self._listeners.discard(listener)

    def _send(self, message: Message | None) -> None:
        for loop, inbox in self._listeners:
            with contextlib.suppress(RuntimeError):  # that page's loop has ended
                loop.call_soon_threadsafe(inbox.put_nowait, message)
