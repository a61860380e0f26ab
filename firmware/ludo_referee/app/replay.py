"""A recording played through the code of the table, on a simulated clock as fast as the machine can."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..pictures import load_picture, video_frames
from ..recording import SEATS, Recording
from ..referee.events import Gesture, Throw, Tick
from ..referee.referee import Referee
from ..rules.board import Board, load_board
from ..rules.game import Game
from ..rules.ruleset import rules_from
from .session import Session, Sink
from .table import plan_of, scene_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

TICKS_A_SECOND = 10
"""The simulated camera gives ten pictures a second, as at the table."""


def board_of(recording: Recording) -> Board:
    """The recording's board with the recording's colours on its seats. Raises LudoError."""
    header = recording.header
    board = load_board(str(recording.board_file or header.board))
    return board.with_colours({SEATS[seat]: colour for seat, colour in enumerate(header.colours) if colour})


def play(recording: Recording, sinks: Sequence[Sink], *, auto: bool = False, progress: Callable[[float], None] = lambda t: None) -> None:
    """Play a recording to its end; what the referee says goes to the sinks.

    auto: ignore the recorded corners and find the board in the picture. progress is called with the simulated second.
    Raises RecordingError, LudoError, VisionError.
    """
    from ludo_vision.reader import TableReader  # numpy and OpenCV: only where pictures are read

    header = recording.header
    board = board_of(recording)
    game = Game(board, rules_from(header.rules), header.player_seats)
    if header.position is None:
        start = game.begin(header.first_turn)
    else:
        assert header.first_turn is not None  # the recording's reader saw to it
        start = game.resume(header.position, header.first_turn, header.start.sixes if header.start else 0)
    reader = TableReader(plan_of(board), corners=None if auto else header.corners, expected=scene_of(board, start.steps))
    chance = random.Random(0)  # taps without a scripted face: the same faces in every replay
    session = Session(Referee(game, board, start), reader, lambda: chance.randint(1, 6), sinks)
    picture: Picture | None = None
    for t, what in _clockwork(recording):
        if what is None:
            if picture is not None:
                for sighting in reader.see(t, picture):
                    session.sighted(sighting)
            session.happen(Tick(t))
            progress(t)
        elif isinstance(what, (Throw, Gesture)):
            session.happen(what)
        else:
            picture = what


def _clockwork(recording: Recording) -> Iterator[tuple[float, Throw | Gesture | Picture | None]]:
    """Everything that happens, in time order: events, new pictures, and None ten times a second for the camera's tick."""
    tick = 0
    for t, what in _entries(recording):
        while tick / TICKS_A_SECOND < t:
            yield tick / TICKS_A_SECOND, None
            tick += 1
        if what is not None:
            yield t, what


def _entries(recording: Recording) -> Iterator[tuple[float, Throw | Gesture | Picture | None]]:
    """The timeline with videos unrolled; a video ends where the next picture or video begins."""
    return heapq.merge(_events(recording), _pictures(recording), key=lambda entry: entry[0])


def _events(recording: Recording) -> Iterator[tuple[float, Throw | Gesture | None]]:
    for entry in recording.timeline:
        if entry.die is not None:
            yield entry.t, Throw(entry.t, entry.die)
        elif entry.button is not None:
            yield entry.t, Gesture(entry.t, entry.button)
        elif entry.end:
            yield entry.t, None


def _pictures(recording: Recording) -> Iterator[tuple[float, Picture]]:
    shown = [entry for entry in recording.timeline if entry.picture is not None]
    for entry, following in zip(shown, [*shown[1:], None], strict=True):
        until = following.t if following else recording.end
        if entry.frame is not None:
            yield entry.t, load_picture(recording.path(entry.frame))
        elif entry.video is not None:
            for t, picture in video_frames(recording.path(entry.video)):
                if entry.t + t >= until:
                    break
                yield entry.t + t, picture
