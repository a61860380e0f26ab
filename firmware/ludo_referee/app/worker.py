"""The camera's process: takes pictures, reads the table, sends sightings. The parent's requests are the calls of `session.Vision`.

Runs inside `ludo_hardware.camera_process`; nothing here is imported by the parent but the message types.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ludo_vision.plan import Candidate, Plan, Scene


@dataclass(frozen=True, slots=True)
class Call:
    """One call of `session.Vision`, on its way to the camera's process."""

    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alive:
    """A picture was taken; with nothing to say about it."""


class RemoteVision:
    """`session.Vision` at the parent's end: every call is a message."""

    def __init__(self, send: Any) -> None:
        self._send = send

    def prepare(self, scene: Scene) -> None:
        self._send(Call("prepare", (scene,)))

    def start(self, scene: Scene) -> None:
        self._send(Call("start", (scene,)))

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        self._send(Call("ask", (question, tuple(candidates))))

    def accept(self, index: int) -> None:
        self._send(Call("accept", (index,)))


def work(connection: Connection, camera_options: dict[str, Any], rate_hz: float, plan: Plan, expected: Scene) -> None:
    """Take pictures until the parent lets go. Raises DeviceError when the camera fails: the parent says so and starts anew."""
    from ludo_hardware.camera import open_camera
    from ludo_vision.errors import VisionError
    from ludo_vision.reader import TableReader

    camera = open_camera(**camera_options)
    try:
        reader = TableReader(plan, expected=expected)
        while True:
            began = time.monotonic()
            while connection.poll():
                call = connection.recv()
                with contextlib.suppress(VisionError):  # asked of a picture that a fresh child has not seen yet
                    getattr(reader, call.method)(*call.arguments)
            sightings = reader.see(began, camera.capture(timeout_s=2.0))
            for sighting in sightings or (Alive(),):
                connection.send(sighting)
            time.sleep(max(0.0, 1 / rate_hz - (time.monotonic() - began)))
    finally:
        camera.close()
