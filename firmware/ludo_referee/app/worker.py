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

if TYPE_CHECKING:
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


def _answer(reader: TableReader, call: Call) -> None:
    from ludo_vision.errors import VisionError

    try:
        getattr(reader, call.method)(*call.arguments)
    except VisionError as error:  # else: asked of a picture that a fresh child has not seen yet
        if call.method == "remember":
            _log.warning("%s; it is learned anew", error)


def work(
    connection: Connection, camera_options: dict[str, Any], rate_hz: float, plan: Plan, expected: Scene, still_s: float, keep: bool
) -> None:
    """Take `rate_hz` pictures a second, fewer while nobody is there, until the parent lets go; `keep`: send some of them for the ring.
    Raises DeviceError when the camera fails: the parent says so and starts anew."""
    from ludo_vision.reader import TableReader
    from ludo_vision.sightings import Found, Moving, Sighting

    from ..pictures import board_jpeg

    camera = _opened(camera_options)
    sending = threading.Lock()

    def send(message: object) -> None:
        with sending:
            connection.send(message)

    pulse = Pulse(send)
    pulse.start()
    try:
        reader = TableReader(plan, expected=expected, still_s=still_s)
        corners, kept, moved = None, 0.0, time.monotonic()
        learned, told, spoke = -math.inf, "", -math.inf
        untidy = False  # there was more than a look at a picture since memory was given back
        while True:
            began = time.monotonic()
            busy = False
            while connection.poll():
                busy = True
                with pulse.working():
                    _answer(reader, connection.recv())
            resting = began - moved > REST_AFTER_S
            whole = not (resting and reader.glance(camera.glance(timeout_s=2.0))) or (keep and began - kept >= KEEP_STILL_EVERY_S)
            sightings: Sequence[Sighting] = ()
            if whole:
                picture = camera.capture(timeout_s=2.0)
                with pulse.working():
                    sightings = reader.see(began, picture)
            if not sightings and began - spoke >= BEAT_S:  # not after every picture: each message wakes the parent
                send(Alive())
                spoke = began
            for sighting in sightings:
                send(sighting)
                spoke = began
                corners = sighting.corners if isinstance(sighting, Found) else corners
                moved = began if isinstance(sighting, Moving) else moved
            judged = any(not isinstance(sighting, Moving) for sighting in sightings)
            if began - learned >= LEARNED_EVERY_S and (known := reader.memory()) is not None:
                learned = began
                if known != told:
                    told = known
                    send(Learned(known))
            still = began - moved > still_s + KEEP_EVERY_S
            if keep and whole and corners is not None and began - kept >= (KEEP_STILL_EVERY_S if still else KEEP_EVERY_S):
                kept = began
                send(Kept(began, board_jpeg(picture, corners, plan.size)))
                busy = busy or still
            if judged or (untidy and not busy):
                give_back()
            untidy = busy
            pause = max(1 / rate_hz, REST_EVERY_S) if began - moved > REST_AFTER_S else 1 / rate_hz
            time.sleep(max(0.0, pause - (time.monotonic() - began)))
    finally:
        pulse.stop()
        camera.close()
