"""The last minutes of pictures and presses, in memory, until somebody asks for a recording of what went wrong.

Nothing else stores pictures. They come here encoded and with everything outside the board masked (`pictures.board_jpeg`). A robot's throw
is recorded as any other; its move is what people do for it, and so in the pictures.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from .errors import LudoError
from .journal.opening import rules_mapping
from .recording import Header as RecordingHeader
from .recording import RecordingError, RecordingWriter, Start
from .referee.events import BoardFound, Event, Gesture
from .referee.notices import Notice, Roll
from .referee.state import Phase as Waiting
from .referee.state import State
from .rules.board import Board
from .rules.game import Phase

Corners = tuple[tuple[float, float], ...]
SETTLED_S = 3.0  # the first and the last picture stand so long, for the referee to look at the table


class NothingToRecord(LudoError, LookupError):
    """There is no stretch of pictures yet from which a recording could begin."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment from which a recording can begin: the table showed the game, and a seat was to roll."""

    t: float
    start: Start
    state: State
    corners: Corners | None


class PictureRing:
    """Keeps so many minutes and bytes at most. One thread."""

    def __init__(self, board: Board, minutes: float, most_bytes: int, board_text: str = "") -> None:
        self._board, self._board_text = board, board_text
        self._seconds, self._most_bytes = 60 * minutes, most_bytes
        self._pictures: deque[tuple[float, bytes]] = deque()
        self._bytes = 0
        self._events: deque[tuple[float, Roll | Gesture]] = deque()
        self._marks: deque[Mark] = deque()
        self._corners: Corners | None = None

    def picture(self, t: float, jpeg: bytes) -> None:
        """The camera saw this, encoded and masked."""
        self._pictures.append((t, jpeg))
        self._bytes += len(jpeg)
        while self._bytes > self._most_bytes or t - self._pictures[0][0] > self._seconds:
            self._bytes -= len(self._pictures.popleft()[1])
        self._forget_before(self._pictures[0][0] if self._pictures else t)

    def accepted(self, event: Event, notices: Sequence[Notice], state: State) -> None:
        """What happened, what was said to it, and the state that followed."""
        if isinstance(event, BoardFound):
            self._corners = event.corners
        # A press that makes the die roll, or counts the family's own, is not recorded: what the die showed is.
        if isinstance(event, Gesture) and state.phase is not Waiting.ROLLING:
            self._events.append((event.t, event))
        self._events.extend((event.t, notice) for notice in notices if isinstance(notice, Roll))
        if _can_begin(state) and (not self._marks or self._marks[-1].state.game != state.game):
            self._marks.append(Mark(event.t, self._start(state), state, self._corners))

    def new_game(self) -> None:
        """Another game begins; a recording is of one game."""
        self._events.clear()
        self._marks.clear()

    def save(self, folder: Path) -> Path:
        """Write the newest stretch as a recording into a new folder, and give that folder. Raises NothingToRecord, RecordingError."""
        pictures = list(self._pictures)
        mark = next((mark for mark in self._marks if pictures and pictures[0][0] <= mark.t), None)
        if mark is None:
            raise NothingToRecord("nothing to record yet: a recording begins where a seat is to roll and the camera sees the board")
        first = max(number for number, (t, _) in enumerate(pictures) if t <= mark.t)
        begin = mark.t - SETTLED_S
        with RecordingWriter(folder, self._header(mark)) as writer:
            if self._board_text:
                _write_board(folder, self._board_text)
            events = [(t, event) for t, event in self._events if t > mark.t]
            writer.frame(0.0, pictures[first][1])
            for t, what in sorted([*pictures[first + 1 :], *events], key=itemgetter(0)):
                if isinstance(what, bytes):
                    writer.frame(t - begin, what)
                elif isinstance(what, Roll):
                    writer.die(t - begin, what.value)
                elif what.kind in ("tap", "double_tap", "hold", "long_hold"):
                    writer.button(t - begin, what.kind)  # type: ignore[arg-type]
            last = max([pictures[-1][0], *(t for t, _ in events)])
            writer.end(last - begin + SETTLED_S)
        return folder

    def _forget_before(self, t: float) -> None:
        while self._events and self._events[0][0] < t:
            self._events.popleft()
        while self._marks and self._marks[0].t < t:
            self._marks.popleft()

    def _header(self, mark: Mark) -> RecordingHeader:
        seats = {plan.name: plan.colour for plan in self._board.seats}
        return RecordingHeader(
            format=1, board="board.toml" if self._board_text else self._board.name, rules=rules_mapping(mark.state.rules), seats=seats,
            players=tuple(self._board.seats[seat].name for seat in mark.state.players), start=mark.start, corners=mark.corners,
        )  # fmt: skip

    def _start(self, state: State) -> Start:
        names = [plan.name for plan in self._board.seats]
        position = {names[seat]: steps for seat, steps in enumerate(state.game.steps) if steps}
        return Start(position=position, turn=names[state.game.turn], sixes=state.game.sixes)


def _can_begin(state: State) -> bool:
    """Whether `position`, `turn` and `sixes` say all that matters: no move that may be taken back, no order of arrival."""
    game = state.game
    return (
        state.started and game.phase is Phase.ROLL and state.table == game.steps and not game.turn_log and not game.held
        and not game.replaying and game.tries_left <= 1
    )  # fmt: skip


def _write_board(folder: Path, text: str) -> None:
    try:
        (folder / "board.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{folder}: cannot write the board's file: {error.strerror}") from error
