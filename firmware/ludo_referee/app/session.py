"""One evening at one table: events go into the referee, its effects go out to vision, die and sinks.

The table, a replay and the demo differ only in who calls `happen` and `sighted`, and in the clock that gave `t`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from ludo_vision.plan import Candidate, Scene
from ludo_vision.sightings import Counts, Found, Moving, NotFound, Ranking, Sighting, Unclear

from ..referee.effects import (
    Accept,
    AskRobot,
    Effect,
    Lamp,
    PowerOff,
    Prepare,
    Record,
    RollDie,
    SetLanguage,
    Show,
    Sound,
    Start,
    Suppose,
    Tell,
    Watch,
)
from ..referee.events import (
    BoardFound,
    BoardMissing,
    BoardMoved,
    Event,
    Ranked,
    RobotChose,
    TableCounts,
    TableMoving,
    TableReady,
    Throw,
    Unreadable,
)
from ..referee.notices import Notice
from ..referee.referee import Referee
from ..referee.state import State
from ..referee.views import View
from ..robot import choose
from .table import candidates_of, scene_of

LISTED = 6.0
"""Silhouettes: what is ranked farther behind the best decides nothing, and would make up most of the journal."""


class Vision(Protocol):
    """What a session asks of vision; `ludo_vision.reader.TableReader`, or the door to it in the camera's process."""

    def prepare(self, scene: Scene) -> None: ...

    def suppose(self, scene: Scene) -> None: ...

    def start(self, scene: Scene) -> None: ...

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None: ...

    def accept(self, index: int) -> None: ...


class Sink:
    """Somebody who is told what the referee decides. Subclasses take what they need."""

    def accepted(self, event: Event, notices: Sequence[Notice], state: State) -> None:
        """An event that led to `state`, before anybody is shown anything: the place of the journal."""

    def notice(self, notice: Notice) -> None:
        """Something was decided."""

    def view(self, t: float, view: View) -> None:
        """The display shows this from now on."""

    def sound(self, tune: str) -> None:
        """A tune is to be played."""

    def lamp(self, seat: int | None) -> None:
        """This seat's lamp alone is lit."""

    def new_game(self, state: State) -> None:
        """Another game is set up at the same table; `state` is its first."""

    def language(self, code: str) -> None:
        """The people chose this language."""

    def record(self) -> None:
        """The people ask for a recording of the last minutes."""

    def power_off(self) -> None:
        """The people switched the box off."""


class Session:
    """Owns the referee's state. Not thread-safe: one loop calls it."""

    def __init__(self, referee: Referee, vision: Vision, draw_die: Callable[[], int], sinks: Sequence[Sink], *, t: float = 0.0) -> None:
        self._referee = referee
        self._vision = vision
        self._draw_die = draw_die
        self._sinks = tuple(sinks)
        self._waiting: deque[Event] = deque()
        self.state, effects = referee.begin(t)
        self._carry_out(t, effects)

    def happen(self, event: Event) -> None:
        """Let one event happen, and what follows from it at the same instant."""
        self._waiting.append(event)
        while self._waiting:
            now = self._waiting.popleft()
            before = self.state
            self.state, effects = self._referee.reduce(before, now)
            notices = [effect.notice for effect in effects if isinstance(effect, Tell)]
            if notices or replace(self.state, t=before.t) != before:  # time alone is no change
                for sink in self._sinks:
                    sink.accepted(now, notices, self.state)
            self._carry_out(now.t, effects)

    def shaken(self, t: float) -> View | None:
        """What is to be shown as soon as the button goes down."""
        return self._referee.shaken(self.state, t)

    def sighted(self, sighting: Sighting) -> None:
        """Let the referee know what vision saw."""
        for event in events_of(sighting, started=self.state.started):
            self.happen(event)

    def _carry_out(self, t: float, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Tell(notice):
                    for sink in self._sinks:
                        sink.notice(notice)
                case Show(view):
                    for sink in self._sinks:
                        sink.view(t, view)
                case Sound(tune):
                    for sink in self._sinks:
                        sink.sound(tune)
                case Lamp(seat):
                    for sink in self._sinks:
                        sink.lamp(seat)
                case RollDie():
                    self._waiting.append(Throw(t, self._draw_die()))
                case AskRobot(_, strength):
                    move = choose(self._referee.house.game(self.state), self.state.game, strength)
                    self._waiting.append(RobotChose(t, move.origin, move.destination, move.tokens))
                case Prepare():
                    for sink in self._sinks:
                        sink.new_game(self.state)
                    self._vision.prepare(scene_of(self._referee.board, self.state.game.steps))
                case Start(steps):
                    self._vision.start(scene_of(self._referee.board, steps))
                case Suppose(steps):
                    self._vision.suppose(scene_of(self._referee.board, steps))
                case Accept(index):
                    self._vision.accept(index)
                case Watch():
                    self._vision.ask(self.state.question, candidates_of(self._referee.board, self._referee.candidates(self.state)))
                case SetLanguage(code):
                    for sink in self._sinks:
                        sink.language(code)
                case Record():
                    for sink in self._sinks:
                        sink.record()
                case PowerOff():
                    for sink in self._sinks:
                        sink.power_off()


def events_of(sighting: Sighting, *, started: bool) -> tuple[Event, ...]:
    """A sighting in the referee's terms; `started`: the game is under way, so that a board not found is a board that moved."""
    match sighting:
        case Found(t, corners, how):
            return (BoardFound(t, corners, how),)
        case NotFound(t, hint):
            return (BoardMoved(t),) if started else (BoardMissing(t, hint),)
        case Counts(t, in_yard, ready, strangers):
            return (TableCounts(t, in_yard, strangers), *((TableReady(t),) if ready else ()))
        case Ranking(t, question, order, scores, lead, unexplained, gone):
            listed = tuple((index, score) for index, score in zip(order, scores, strict=True) if score >= scores[0] - LISTED)
            return (Ranked(t, question, order[0], lead, unexplained, listed, gone),)
        case Unclear(t, what, near):
            return (Unreadable(t, what, near),)
        case Moving(t):
            return (TableMoving(t),)
