"""The camera's process: takes pictures, reads the table, sends sightings. The parent's requests are the calls of `session.Vision`.

Runs inside `ludo_hardware.camera_process`; nothing here is imported by the parent but the message types.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from ludo_hardware.ports import Camera
from ludo_vision.plan import Candidate, Plan, Scene
from ludo_vision.sightings import Found, Moving, Sighting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludo_vision.reader import TableReader

_log = logging.getLogger(__name__)

KEEP_EVERY_S = 0.5
"""While something moves: often enough for a replay to decide as the table did, which waits for 0.8 s of stillness."""

LEARNED_EVERY_S = 60.0
"""What is known of the table changes little from move to move; a power cut loses a minute of it."""

BEAT_S, LONGEST_WORK_S = 1.0, 60.0

KEEP_STILL_EVERY_S = 10.0
"""While nothing moves one picture is as good as the next."""

REST_AFTER_S, REST_EVERY_S = 5.0, 0.5
"""When nothing has moved for so long, the camera is looked through only so often, and a whole picture taken only when a small one shows
something else: a hand is over the board for longer, and the first picture that shows it brings the full rate back."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of `session.Vision`, on its way to the camera's process."""

    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alive:
    """Pictures are taken, or one is being read; with nothing to say about them."""


class Pulse:
    """Tells the parent that vision is at work: finding a board takes seconds, and that silence is not the camera's."""

    def __init__(self, send: Callable[[object], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._send, self._clock = send, clock
        self._end = threading.Event()
        self._began: float | None = None

    def start(self) -> None:
        """Beat in a thread of its own until `stop`."""
        threading.Thread(target=self._run, name="pulse", daemon=True).start()

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Around the work."""
        self._began = self._clock()
        try:
            yield
        finally:
            self._began = None

    def beat(self) -> None:
        """Tell the parent, if there is work that takes long but not so long that it hangs."""
        began = self._began
        if began is not None and BEAT_S <= self._clock() - began <= LONGEST_WORK_S:
            self._send(Alive())

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # the parent is gone
            while not self._end.wait(BEAT_S):
                self.beat()

    def stop(self) -> None:
        self._end.set()


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture for the ring of the last minutes: JPEG, with everything outside the board masked."""

    t: float
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Learned:
    """What vision knows of the table now, for `TableReader.remember`: text that nobody else reads."""

    table: str


class RemoteVision:
    """`session.Vision` at the parent's end: every call is a message. `remembered` says what was known of the table before a break: a new
    camera's process knows nothing."""

    def __init__(self, send: Any, remembered: Callable[[], str | None] = lambda: None) -> None:
        self._send, self._remembered = send, remembered

    def prepare(self, scene: Scene) -> None:
        self._send(Call("prepare", (scene,)))

    def suppose(self, scene: Scene) -> None:
        table = self._remembered()
        if table is not None:
            self._send(Call("remember", (table,)))
        self._send(Call("suppose", (scene,)))

    def start(self, scene: Scene) -> None:
        self._send(Call("start", (scene,)))

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        self._send(Call("ask", (question, tuple(candidates))))

    def accept(self, index: int) -> None:
        self._send(Call("accept", (index,)))


def _opened(options: dict[str, Any]) -> Camera:
    """The camera as configured. Raises DeviceError."""
    if options["kind"] == "simulated":
        from ..demo.drawn_camera import drawn_camera

        return drawn_camera(options["board"], options["steps"], options["size"])
    from ludo_hardware.camera import open_camera

    return open_camera(**options)


def give_back() -> None:
    """Give the system back what reading a picture took: some 40 MB for a moment, which the C library would keep for the next."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def work(
    connection: Connection, camera_options: dict[str, Any], rate_hz: float, plan: Plan, expected: Scene, still_s: float, keep: bool
) -> None:
    """Take `rate_hz` pictures a second, fewer while nobody is there, until the parent lets go; `keep`: send some of them for the ring.
    Raises DeviceError when the camera fails: the parent says so and starts anew."""
    from ludo_vision.reader import TableReader

    camera = _opened(camera_options)
    sending = threading.Lock()

    def send(message: object) -> None:
        with sending:
            connection.send(message)

    pulse = Pulse(send)
    pulse.start()
    try:
        watch = _Watch(camera, TableReader(plan, expected=expected, still_s=still_s), send, pulse, still_s, plan.size if keep else None)
        while True:
            began = time.monotonic()
            calls = []
            while connection.poll():
                calls.append(connection.recv())
            watch.turn(began, calls)
            pause = max(1 / rate_hz, REST_EVERY_S) if watch.resting(began) else 1 / rate_hz
            time.sleep(max(0.0, pause - (time.monotonic() - began)))
    finally:
        pulse.stop()
        camera.close()


class _Watch:
    """One camera looked through by one reader: turn by turn, what there is to say goes to the parent."""

    def __init__(
        self, camera: Camera, reader: TableReader, send: Callable[[object], None], pulse: Pulse, still_s: float, size: int | None
    ) -> None:
        """`size`: of the board whose pictures are kept, in squares; None: none are."""
        self._camera, self._reader, self._send, self._pulse, self._still_s, self._size = camera, reader, send, pulse, still_s, size
        self._moved = time.monotonic()
        self._spoke = self._learned = -math.inf
        self._kept = 0.0
        self._known = ""
        self._found: Found | None = None
        self._untidy = False  # there was more than a look at a picture since memory was given back

    def resting(self, now: float) -> bool:
        """Whether nothing has moved for so long that nobody seems to be there."""
        return now - self._moved > REST_AFTER_S

    def turn(self, now: float, calls: Sequence[Call]) -> None:
        """Answer the parent's calls, and look at the table."""
        for call in calls:
            with self._pulse.working():
                self._answer(call)
        picture = self._picture(now)
        sightings: Sequence[Sighting] = ()
        if picture is not None:
            with self._pulse.working():
                sightings = self._reader.see(now, picture)
        self._tell(now, sightings)
        self._tell_learned(now)
        packed = picture is not None and self._keep(now, picture)
        busy = bool(calls) or packed
        if any(not isinstance(sighting, Moving) for sighting in sightings) or (self._untidy and not busy):
            give_back()
        self._untidy = busy

    def _answer(self, call: Call) -> None:
        from ludo_vision.errors import VisionError

        try:
            getattr(self._reader, call.method)(*call.arguments)
        except VisionError as error:  # else: asked of a picture that a fresh child has not seen yet
            if call.method == "remember":
                _log.warning("%s; it is learned anew", error)

    def _picture(self, now: float) -> NDArray[np.uint8] | None:
        """A whole picture, unless nobody is there, a small one shows nothing new, and the ring wants none."""
        glanced = self.resting(now) and self._reader.glance(self._camera.glance(timeout_s=2.0))
        wanted = self._size is not None and now - self._kept >= KEEP_STILL_EVERY_S
        return self._camera.capture(timeout_s=2.0) if wanted or not glanced else None

    def _tell(self, now: float, sightings: Sequence[Sighting]) -> None:
        """What was seen; that all is well, now and then: each message wakes the parent."""
        for sighting in sightings:
            self._send(sighting)
            if isinstance(sighting, Found):
                self._found = sighting
            elif isinstance(sighting, Moving):
                self._moved = now
        if not sightings and now - self._spoke < BEAT_S:
            return
        if not sightings:
            self._send(Alive())
        self._spoke = now

    def _tell_learned(self, now: float) -> None:
        if now - self._learned >= LEARNED_EVERY_S and (known := self._reader.memory()) is not None:
            self._learned = now
            if known != self._known:
                self._known = known
                self._send(Learned(known))

    def _keep(self, now: float, picture: NDArray[np.uint8]) -> bool:
        """Send a picture for the ring, if one is due; whether that was one of a table at which nothing moves."""
        still = now - self._moved > self._still_s + KEEP_EVERY_S
        if self._size is None or self._found is None or now - self._kept < (KEEP_STILL_EVERY_S if still else KEEP_EVERY_S):
            return False
        from ..pictures import board_jpeg

        self._kept = now
        self._send(Kept(now, board_jpeg(picture, self._found.corners, self._size)))
        return still
