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

KEEP_EVERY_S = 0.5
"""Often enough for a replay to decide as the table did, which waits for 0.8 s of stillness."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of `session.Vision`, on its way to the camera's process."""

    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alive:
    """A picture was taken; with nothing to say about it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture for the ring of the last minutes: JPEG, with everything outside the board masked."""

    t: float
    jpeg: bytes


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


def work(
    connection: Connection, camera_options: dict[str, Any], rate_hz: float, plan: Plan, expected: Scene, still_s: float, keep: bool
) -> None:
    """Take pictures until the parent lets go; `keep`: send some of them for the ring. Raises DeviceError when the camera fails: the
    parent says so and starts anew."""
    from ludo_hardware.camera import open_camera
    from ludo_vision.errors import VisionError
    from ludo_vision.reader import TableReader
    from ludo_vision.sightings import Found

    from ..pictures import board_jpeg

    camera = open_camera(**camera_options)
    try:
        reader = TableReader(plan, expected=expected, still_s=still_s)
        corners, kept = None, 0.0
        while True:
            began = time.monotonic()
            while connection.poll():
                call = connection.recv()
                with contextlib.suppress(VisionError):  # asked of a picture that a fresh child has not seen yet
                    getattr(reader, call.method)(*call.arguments)
            picture = camera.capture(timeout_s=2.0)
            sightings = reader.see(began, picture)
            for sighting in sightings or (Alive(),):
                connection.send(sighting)
                corners = sighting.corners if isinstance(sighting, Found) else corners
            if keep and corners is not None and began - kept >= KEEP_EVERY_S:
                kept = began
                connection.send(Kept(began, board_jpeg(picture, corners, plan.size)))
            time.sleep(max(0.0, 1 / rate_hz - (time.monotonic() - began)))
    finally:
        camera.close()
