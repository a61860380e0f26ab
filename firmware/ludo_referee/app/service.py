"""The table at work: one loop that takes what button, camera and page say, and lets the session answer.

`Service.run` returns why it ended; a new configuration is a new `Service` over the same journal.
"""

from __future__ import annotations

import datetime
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path

import msgspec

from ludo_hardware.camera_process import Back, CameraProcess, Lost
from ludo_hardware.ports import Button, DeviceError

from .. import tunes
from ..config import Config, journal_folder, recordings_folder
from ..die import Die
from ..errors import LudoError
from ..gestures import Finger, Timing, feel
from ..journal import Journal, Opening
from ..notify import Notifier
from ..record_desk import RecordDesk
from ..recording import SEATS
from ..referee.events import CameraState, Event, Gesture, PageAt, Pledged, Recorded, Throw, Tick
from ..referee.notices import Notice
from ..referee.referee import Referee
from ..referee.state import Options, State
from ..referee.views import Goodbye
from ..ring import NothingToRecord, PictureRing
from ..rules.board import Board, load_board
from ..rules.game import Game
from ..rules.ruleset import rules_from
from ..web.feed import Feed, Request
from ..web.sink import PageSink
from .devices import Devices, open_devices
from .panel import Panel
from .session import Session, Sink
from .table import plan_of, scene_of
from .worker import Alive, Kept, RemoteVision

_log = logging.getLogger(__name__)

LOOP_S = 0.05
TICK_S = 0.25
DICE = "dice.jsonl"  # in the journal's folder
WORKER = "ludo_referee.app.worker:work"


class End(Enum):
    """Why the service ended."""

    STOPPED = "stopped"
    RELOAD = "reload"
    POWER_OFF = "power off"


class Service:
    """One run of the table with one configuration. `stop` may be called from a signal handler."""

    def __init__(self, config: Config, journal: Journal, notifier: Notifier, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._config, self._journal, self._notifier, self._clock = config, journal, notifier, clock
        self._wake = threading.Event()
        self._end: End | None = None
        self._edges: queue.SimpleQueue[tuple[float, bool]] = queue.SimpleQueue()
        self._finger, self._timing = Finger(), _timing(config)
        self._die = Die()
        self._die_is_old = self._recording_wanted = False
        self._ticked = 0.0

    def stop(self, why: End = End.STOPPED) -> None:
        """End the loop soon."""
        self._end = self._end or why
        self._wake.set()

    def run(self) -> End:
        """Serve the table until stopped. Raises LudoError for a configuration whose board or rules cannot be used."""
        config = self._config
        opening, resumed = _opening(config, self._journal)
        referee = opening.referee()
        self._begun = self._clock() - opening.t
        devices = open_devices(config)
        self._panel = Panel(devices.display, config, clock=self._clock)
        self._feed = Feed()
        self._page = PageSink(self._feed, referee.board, config.table.language)
        camera = CameraProcess(WORKER, _worker_arguments(config, referee.board, opening), silence_s=config.camera.lost_after_s,
                               wake=self._wake.set)
        if resumed:
            self._journal.resume_game(opening)
        else:
            self._journal.begin_game(opening)
        self._ring = PictureRing(referee.board, config.recording.minutes, config.recording.memory_mb * 1_000_000, opening.board_text)
        self._desk = RecordDesk(recordings_folder(config), self._ring) if config.recording.on else None
        keeper = _Keeper(self._journal, self._ring, referee, opening)
        sinks = (keeper, self._panel, self._page, _Sounds(devices, config), _Endings(self))
        self._session = Session(referee, RemoteVision(camera.send), self._throw, sinks, t=opening.t)
        devices.button.listen(self._edge)
        stop_page = self._serve_page()
        self._happen(Pledged(self._now(), self._die.pledge))
        camera.start()
        try:
            self._notifier.ready()
            while self._end is None:
                self._wake.wait(LOOP_S)
                self._wake.clear()
                self._turn(devices.button, camera)
            return self._end
        finally:
            self._notifier.stopping()
            self._reveal()
            self._panel.close(Goodbye())
            stop_page()
            camera.close()
            devices.close()

    def _edge(self, t: float, pressed: bool) -> None:
        """Called by a thread of the button's: hand over and return."""
        self._edges.put((t, pressed))
        self._wake.set()

    # --- one turn of the loop ----------------------------------------------------------------------------------------------

    def _turn(self, button: Button, camera: CameraProcess) -> None:
        self._hear(button)
        for message in camera.poll():
            match message:
                case Lost():
                    self._happen(CameraState(self._now(), "lost"))
                case Back():
                    self._happen(CameraState(self._now(), "fresh"))  # a new process knows nothing of the table
                case Alive():
                    pass
                case Kept(t, jpeg):
                    self._ring.picture(t - self._begun, jpeg)
                case sighting:
                    self._session.sighted(replace(sighting, t=sighting.t - self._begun))
        while not self._feed.requests.empty():
            self._answer(self._feed.requests.get())
        if self._die_is_old:
            self._change_die()
        if self._recording_wanted:
            self._record()
        now = self._now()
        if now - self._ticked >= TICK_S:
            self._ticked = now
            self._happen(Tick(now))
        if self._desk is not None:
            self._desk.serve(now)
        self._panel.kept(self._journal.trouble is None)
        self._page.kept(self._journal.trouble is None)
        self._page.refresh(now)
        self._page.show(self._session.state)
        self._notifier.status(_status(self._session.state, self._journal.trouble))
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
                if self._panel.awake():  # a gesture on a dark display only lights it
                    self._happen(Gesture(released - self._begun, kind))

    def _answer(self, request: Request) -> None:
        """What a visitor of the page asks; what makes no sense changes nothing."""
        match request.name, request.values.get("value", request.values.get("kind")):
            case "press", ("tap" | "double_tap" | "hold" | "long_hold") as kind:
                self._panel.awake()
                self._happen(Gesture(self._now(), kind))
            case "throw", int(value) if 1 <= value <= 6:
                self._happen(Throw(self._now(), value))
            case "record", _:
                self.want_recording()

    def _happen(self, event: Event) -> None:
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
            self._desk.record()
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

    # --- the page ------------------------------------------------------------------------------------------------------------

    def _serve_page(self) -> Callable[[], None]:
        """Serve the page in a thread of its own, if one is wanted; without it the table goes on. Gives the way to stop it."""
        page = self._config.page
        if not page.on:
            return lambda: None
        from ..web.page import BackgroundPage

        may_ask = frozenset({"press", "throw"} | ({"record"} if self._desk is not None else set()))
        try:
            served = BackgroundPage(self._feed, page.host, page.port, may_ask=may_ask)
        except LudoError as error:
            _log.warning("%s", error)
            return lambda: None
        self._happen(PageAt(self._now(), served.url))
        return served.stop


class _Keeper(Sink):
    """Keeps every accepted event in the journal, before anybody else hears of it, and in the ring of the last minutes."""

    def __init__(self, journal: Journal, ring: PictureRing, referee: Referee, opening: Opening) -> None:
        self._journal, self._ring, self._referee, self._board_text = journal, ring, referee, opening.board_text

    def accepted(self, event: Event, notices: Sequence[Notice], state: State) -> None:
        self._journal.append(event, notices, state)
        self._ring.accepted(event, state)

    def new_game(self, state: State) -> None:
        self._journal.begin_game(Opening.of(self._referee, state, self._board_text))
        self._ring.new_game()


class _Sounds(Sink):
    """The buzzer and the seats' lamps."""

    def __init__(self, devices: Devices, config: Config) -> None:
        self._devices, self._sound = devices, config.sound

    def sound(self, tune: str) -> None:
        wall = datetime.datetime.now().time()
        if tunes.audible(self._sound.level, wall, self._sound.quiet_from, self._sound.quiet_until):
            self._devices.buzzer.play(tunes.notes(tune))

    def lamp(self, seat: int | None) -> None:
        try:
            self._devices.lamps.light(seat)
        except DeviceError as error:
            _log.warning("%s", error)


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


def _opening(config: Config, journal: Journal) -> tuple[Opening, bool]:
    """Where the evening begins: at the game that was under way, or at a new one. True: resumed."""
    table, options = config.table, _options(config)
    unfinished = journal.unfinished()
    if unfinished is not None:
        try:
            return msgspec.structs.replace(unfinished.goes_on(), options=options), True
        except LudoError as error:
            _log.warning("the game that was under way cannot go on: %s", error)
            journal.leave_game()
    rules = rules_from(({"board": table.board} if table.board else {}) | table.rules)
    board = load_board(rules.board).with_colours({str(seat): colour for seat, colour in table.seats.items()})
    players = tuple(SEATS.index(seat) for seat in table.players) or tuple(range(len(board.seats)))
    referee = Referee(Game(board, rules, players), board, options=options)
    path = Path(table.board)
    text = path.read_text("utf-8") if path.suffix == ".toml" and path.is_file() else ""
    return Opening.of(referee, referee.begin()[0], text), False


def _options(config: Config) -> Options:
    table = config.table
    return Options(
        margin=config.vision.accept_lead, free_players=not table.players, languages=table.languages, die=table.die,
        beginner_help=table.beginner_help, records=config.recording.on,
        robots=tuple((SEATS.index(seat), strength) for seat, strength in table.robots.items()),
    )  # fmt: skip


def _worker_arguments(config: Config, board: Board, opening: Opening) -> tuple[object, ...]:
    camera = config.camera
    options = {
        "kind": camera.kind, "number": camera.number, "device": camera.device, "folder": camera.folder,
        "size": (camera.width_px, camera.height_px), "rate_hz": camera.rate_hz, "mains_hz": camera.mains_hz,
    }  # fmt: skip
    return options, camera.rate_hz, plan_of(board), scene_of(board, opening.start.steps), config.vision.still_s, config.recording.on


def _timing(config: Config) -> Timing:
    button = config.button
    return Timing(button.bounce_s, button.double_tap_s, button.hold_s, button.long_hold_s)


def _status(state: State, trouble: str | None) -> str:
    """The line that `systemctl status` shows."""
    said = "camera lost, by button" if state.blind == "camera_lost" else state.phase.value
    return f"{said}; {trouble}" if trouble else said
