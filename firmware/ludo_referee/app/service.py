"""The table at work: one loop that takes what button, camera and page say, and lets the session answer.

`Service.run` returns why it ended; a new configuration is a new `Service` over the same journal.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

import msgspec

from ludo_hardware.camera_process import Back, Lost
from ludo_hardware.ports import Button, DeviceError
from ludo_hardware.simulated import SimulatedButton

from ..config import Config, journal_folder, recordings_folder
from ..die import Die
from ..errors import LudoError
from ..gestures import Finger, certain_at, feel, pressing
from ..journal import Journal
from ..notify import Notifier
from ..record_desk import RecordDesk
from ..referee.events import CameraState, Event, Gesture, PageAt, Pledged, Recorded, Throw, Tick
from ..referee.state import Phase, State
from ..referee.views import Goodbye, SafeStart, View
from ..ring import NothingToRecord, PictureRing
from ..rules.board import Board
from ..web.feed import Feed, Request
from ..web.sink import PageSink
from .beginning import NoCamera, as_spoken, camera_of, opening_of, timing_of
from .devices import open_devices
from .page_door import PageDoor
from .panel import Panel
from .session import Session, Sink
from .table_sinks import Keeper, Sounds, Tongue
from .worker import Alive, Kept, Learned, RemoteVision

_log = logging.getLogger(__name__)

TICK_S = 0.25
RESTING_AFTER_S, RESTING_TICK_S = 5.0, 1.5
"""When nothing has happened for so long, time is told more slowly: what is said soon has been said, a reminder may come a second late."""

PRESSED_S = 0.05
"""While the button is pressed its level is read so often: the edge that lets go may get lost."""

STEADY_S = 10.0  # a start that lasts so long was a good one
DICE = "dice.jsonl"  # in the journal's folder


class End(Enum):
    """Why the service ended."""

    STOPPED = "stopped"
    RELOAD = "reload"
    POWER_OFF = "power off"


class Service:
    """One run of the table with one configuration. `stop` may be called from a signal handler."""

    def __init__(
        self, config: Config, journal: Journal, notifier: Notifier, *, safe: str | None = None,
        steady: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """safe: this is a safe start, and why. steady: called once, when the table has been at work for `STEADY_S`."""
        self._config, self._journal, self._notifier, self._clock = config, journal, notifier, clock
        self._safe, self._steady = safe, steady
        self._wake = threading.Event()
        self._end: End | None = None
        self._edges: queue.SimpleQueue[tuple[float, bool]] = queue.SimpleQueue()
        self._finger, self._timing = Finger(), timing_of(config)
        self._notice: View | None = SafeStart() if safe is not None else None  # until somebody presses
        self._die = Die()
        self._die_is_old = self._recording_wanted = False
        self._ticked = self._stirred = -math.inf

    def stop(self, why: End = End.STOPPED) -> None:
        """End the loop soon."""
        self._end = self._end or why
        self._wake.set()

    def run(self) -> End:
        """Serve the table until stopped. Raises LudoError for a configuration whose board or rules cannot be used."""
        config = self._config = as_spoken(self._config)
        opening, resumed = opening_of(config, self._journal)
        referee = opening.referee()
        self._board = referee.board
        self._begun = self._clock() - opening.t
        self._devices = open_devices(config)
        self._panel = Panel(self._devices.display, config, clock=self._clock)
        self._panel.cover(self._notice)
        self._feed = Feed(wake=self._wake.set)
        self._page = PageSink(self._feed, referee.board, config.table.language)
        self._camera = camera_of(config, referee.board, opening, self._wake.set)
        if resumed:
            self._journal.resume_game(opening)
        else:
            self._journal.begin_game(opening)
        self._ring = PictureRing(referee.board, config.recording.minutes, config.recording.memory_mb * 1_000_000, opening.board_text)
        self._desk = RecordDesk(recordings_folder(config), self._ring) if config.recording.on else None
        self._door = PageDoor(self._feed, config.page, self._may_ask())
        keeper = Keeper(self._journal, self._ring, referee, opening)
        sinks = (keeper, self._panel, self._page, Sounds(self._devices, config), Tongue(config), _Endings(self))
        self._session = Session(referee, RemoteVision(self._camera.send, self._journal.remembered), self._throw, sinks, t=opening.t)
        self._devices.button.listen(self._edge)
        self._camera.start()
        self._happen(Pledged(self._now(), self._die.pledge))
        try:
            self._work()
            assert self._end is not None
            return self._end
        finally:
            self._leave()

    def _work(self) -> None:
        self._turn()
        self._notifier.ready()
        steady_at = self._clock() + STEADY_S
        while self._end is None:
            self._wake.wait(self._pause())
            self._wake.clear()
            self._turn()
            if self._clock() >= steady_at:
                steady_at = math.inf
                self._steady()

    def _leave(self) -> None:
        """Say good night first, and wait for nobody long: all of it takes less than two seconds."""
        goes_on = self._end is End.RELOAD
        if not goes_on:
            self._notifier.stopping()
        self._feed.close()  # the page's visitors leave meanwhile
        self._reveal()
        self._panel.cover(None)
        self._panel.close(None if goes_on else Goodbye())
        self._camera.close()
        self._door.shut()
        self._devices.close()

    def _pause(self) -> float:
        """Until something may be due: the next tick, the page's next picture, or the instant at which a press becomes certain. Edges,
        the camera and the page wake the loop themselves; each turn more costs a small computer power."""
        now = self._clock()
        resting = now - self._begun - self._stirred > RESTING_AFTER_S
        due = [self._ticked + (RESTING_TICK_S if resting else TICK_S) + self._begun, self._page.next_t + self._begun]
        if pressing(self._finger, now, self._timing):
            due.append(now + PRESSED_S)
        certain = certain_at(self._finger, self._timing)
        if certain is not None:
            due.append(certain)
        return max(0.0, min(due) - now) + 0.001

    def _edge(self, t: float, pressed: bool) -> None:
        """Called by a thread of the button's: hand over and return."""
        self._edges.put((t, pressed))
        self._wake.set()

    # --- one turn of the loop ----------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        now = self._now()  # what a tick says has passed must have been heard before: a turn may take long on a busy machine
        self._hear(self._devices.button)
        self._panel.cover(self._notice or self._shaken())
        for message in self._camera.poll():
            match message:
                case Lost():
                    self._happen(CameraState(self._now(), "none" if isinstance(self._camera, NoCamera) else "lost"))
                case Back():
                    self._happen(CameraState(self._now(), "fresh"))  # a new process knows nothing of the table
                case Alive():
                    pass
                case Kept(t, jpeg):
                    self._ring.picture(t - self._begun, jpeg)
                case Learned(table):
                    self._journal.remember(table)
                case sighting:
                    self._stirred = now
                    self._session.sighted(replace(sighting, t=sighting.t - self._begun))
        while not self._feed.requests.empty():
            self._answer(self._feed.requests.get())
        if self._die_is_old:
            self._change_die()
        if self._recording_wanted:
            self._record()
        if now - self._ticked >= TICK_S:
            self._ticked = now
            self._happen(Tick(now))
            url = self._door.look(now)
            if url is not None:
                self._happen(PageAt(now, url))
        if self._desk is not None:
            self._desk.serve(now)
        self._panel.kept(self._journal.trouble is None)
        self._page.kept(self._journal.trouble is None)
        self._page.refresh(now)
        self._page.show(self._session.state)
        self._notifier.status(_status(self._board, self._session.state, self._safe and f"safe start ({self._safe})", self._journal.trouble))
        self._notifier.alive()

    def _hear(self, button: Button) -> None:
        try:
            level = button.pressed()
        except DeviceError as error:
            _log.debug("%s", error)
            level = False
        edges = []
        while not self._edges.empty():
            edges.append(self._edges.get())
        for t, pressed in (*edges, (self._clock(), level)):
            self._finger, heard = feel(self._finger, t, pressed, self._timing)
            for released, kind in heard:
                self._pressed(released - self._begun, kind)

    def _pressed(self, t: float, kind: str) -> None:
        """A gesture; one on a dark display only lights it, and one on a notice puts that away."""
        awake, notice = self._panel.awake(), self._notice
        self._notice = None
        if awake and notice is None:
            self._happen(Gesture(t, kind))

    def _shaken(self) -> View | None:
        """What a press shows at once, before it is known what it means."""
        return self._session.shaken(self._now()) if pressing(self._finger, self._clock(), self._timing) else None

    def _answer(self, request: Request) -> None:
        """What a visitor of the page asks; what makes no sense changes nothing."""
        match request.name, request.values.get("value", request.values.get("kind")):
            case "press", ("tap" | "double_tap" | "hold" | "long_hold") as kind:
                self._panel.awake()
                self._pressed(self._now(), kind)
            case "button", _ if isinstance(self._devices.button, SimulatedButton):
                push = self._devices.button.press if request.values.get("pressed") else self._devices.button.release
                push(request.t)
            case "throw", int(value) if 1 <= value <= 6:
                self._happen(Throw(self._now(), value))
            case "record", _:
                self.want_recording()

    def _happen(self, event: Event) -> None:
        if not isinstance(event, Tick):
            self._stirred = self._now()
        self._session.happen(event)

    def _throw(self) -> int:
        return self._die.throw()[0]

    def want_recording(self) -> None:
        """Soon the last minutes are recorded."""
        self._recording_wanted = True

    def _record(self) -> None:
        self._recording_wanted = False
        if self._desk is None:
            return
        try:
            self._page.recorded(self._now(), self._desk.record())
            how = "made"
        except NothingToRecord:
            how = "too_early"
        except LudoError as error:
            _log.warning("%s", error)
            how = "failed"
        self._happen(Recorded(self._now(), how))

    def change_die(self) -> None:
        """Another game begins: soon the old die is revealed, and another pledges itself."""
        self._die_is_old = True

    def _change_die(self) -> None:
        self._die_is_old = False
        self._reveal()
        self._die = Die()
        self._happen(Pledged(self._now(), self._die.pledge))

    def _reveal(self) -> None:
        """Write the die's secret where `ludo-referee die verify` reads it: one line a die that was thrown."""
        if not self._die.thrown:
            return
        try:
            with (journal_folder(self._config) / DICE).open("a", encoding="utf-8") as dice:
                dice.write(msgspec.json.encode(self._die.reveal()).decode() + "\n")
        except OSError as error:
            _log.warning("the die's secret could not be written: %s", error)

    def _now(self) -> float:
        return self._clock() - self._begun

    def _may_ask(self) -> frozenset[str]:
        """What visitors of the page may ask; a simulated button is pressed there."""
        button = {"button"} if self._config.button.kind == "simulated" else set()
        return frozenset({"press", "throw"} | button | ({"record"} if self._desk is not None else set()))


class _Endings(Sink):
    """What ends with a game, and with the evening; and what people want kept of it."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def new_game(self, state: State) -> None:
        self._service.change_die()

    def record(self) -> None:
        self._service.want_recording()

    def power_off(self) -> None:
        self._service.stop(End.POWER_OFF)


def _status(board: Board, state: State, *troubles: str | None) -> str:
    """The line that `systemctl status` shows: what the table waits for, whose turn it is, and what is amiss."""
    turn = f", {board.seats[state.game.turn].colour}'s turn" if state.started and state.phase is not Phase.OVER else ""
    blind = state.blind and state.blind.replace("_", " ")
    return "; ".join(part for part in (state.phase.value + turn, blind, *troubles) if part)
