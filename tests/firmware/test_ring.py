"""A recording of the last minutes: of the board alone, and replayed it tells the same game."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from importlib.resources import files
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from PIL import Image

from ludo_referee.app import replay as replay_room
from ludo_referee.app.session import Session, Sink, Vision
from ludo_referee.app.sinks import JsonLines
from ludo_referee.demo.evening import DemoOptions, Evening
from ludo_referee.pictures import VEIL, board_jpeg, decode_picture
from ludo_referee.recording import read_recording
from ludo_referee.referee.events import BoardFound, Gesture, Throw, Tick
from ludo_referee.referee.notices import Roll
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.state import Options, Phase
from ludo_referee.ring import SETTLED_S, NothingToRecord, PictureRing
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules


def encoded(width: int, height: int) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height)).save(out, "JPEG")
    return out.getvalue()


JPEG = encoded(64, 48)
DECISIONS = ("roll", "pass", "move", "illegal", "restored", "return_token", "take_back")


class Watcher(Sink):
    """Keeps the ring, as the service does, and everything that was said."""

    def __init__(self) -> None:
        self.ring = PictureRing(load_board("ludo15"), minutes=5.0, most_bytes=24_000_000)
        self.said: list[dict[str, Any]] = []

    def accepted(self, event: Any, notices: Any, state: Any) -> None:
        self.ring.accepted(event, notices, state)

    def notice(self, notice: Any) -> None:
        self.said.append(notice.record())


def play(options: DemoOptions) -> tuple[Evening, Watcher]:
    """Play the demo with a ring; its pictures come twice a second, as the camera's process sends them."""
    watcher = Watcher()
    evening = Evening(options, [watcher])
    for tick in itertools.count():
        evening.advance(tick / 10)
        if tick % 5 == 0:
            watcher.ring.picture(tick / 10, board_jpeg(evening.picture, evening.table.corners, evening.board.size))
        if evening.over:
            return evening, watcher
    raise AssertionError


def decisions(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "t"} for line in said if line["event"] in DECISIONS]


def replayed(folder: Path) -> list[dict[str, Any]]:
    out = StringIO()
    replay_room.play(read_recording(folder), [JsonLines(out)])
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(scope="module")
def played() -> tuple[Evening, Watcher]:
    return play(DemoOptions(seed=1, middle=60, moves=2))


def test_recording_of_the_last_minutes_replays_to_the_same_decisions(played: tuple[Evening, Watcher], tmp_path: Path) -> None:
    _, watcher = played
    told, live = decisions(replayed(watcher.ring.save(tmp_path / "wrong"))), decisions(watcher.said)
    assert [line["event"] for line in told].count("move") == 2
    assert told == live


def test_pictures_hold_the_board_and_nothing_around_it(played: tuple[Evening, Watcher], tmp_path: Path) -> None:
    evening, watcher = played
    recording = read_recording(watcher.ring.save(tmp_path / "wrong"))
    names = [entry.frame for entry in recording.timeline if entry.frame]
    height, width = evening.picture.shape[:2]
    corners = np.array(evening.table.corners)
    centre = corners.mean(axis=0)
    far = np.zeros((height, width), dtype=np.uint8)
    cv2.fillConvexPoly(far, np.round(centre + (corners - centre) * 1.35).astype(np.int32), 255)
    for name in (names[0], names[-1]):
        picture = decode_picture((recording.folder / name).read_bytes(), name)
        outside = picture[far == 0].astype(int)
        assert outside.size > 1000
        assert np.abs(outside - VEIL).max() <= 12  # but for what JPEG makes of it


# --- without eyes ----------------------------------------------------------------------------------------------------


def turns(ring: PictureRing, count: int) -> None:
    """So many turns of ten seconds: a picture each half second, a throw that moves nothing, the turn goes on."""
    board = load_board("ludo15")
    game = Game(board, Rules(), (0, 2))
    state, _ = Referee(game, board, game.begin(0)).begin()
    state = replace(state, started=True)
    for turn in range(count):
        t = 10.0 * turn
        for half in range(20):
            ring.picture(t + half / 2, JPEG + f"{turn} {half}".encode())
        ring.accepted(Gesture(t + 9.6, "tap"), [], replace(state, phase=Phase.ROLLING))
        seat, (after, _) = state.game.turn, game.throw(state.game, 3)
        state = replace(state, game=after)
        ring.accepted(Throw(t + 9.6, 3), [Roll(t + 9.6, seat, 3)], state)


def ring_of(minutes: float = 5.0, most_bytes: int = 1_000_000) -> PictureRing:
    return PictureRing(load_board("ludo15"), minutes, most_bytes)


def test_ring_forgets_what_is_older_than_its_minutes(tmp_path: Path) -> None:
    ring = ring_of(minutes=0.5)
    turns(ring, 30)
    recording = read_recording(ring.save(tmp_path / "short"))
    assert 20 <= recording.end <= 30 + 2 * SETTLED_S
    assert [entry.die for entry in recording.timeline if entry.die] == [3, 3, 3]


def test_ring_forgets_what_is_too_much(tmp_path: Path) -> None:
    ring = ring_of(most_bytes=45 * (len(JPEG) + 5))
    turns(ring, 30)
    recording = read_recording(ring.save(tmp_path / "small"))
    assert sum(1 for entry in recording.timeline if entry.frame) <= 45


def test_recording_says_the_throw_and_not_the_tap_that_made_it(tmp_path: Path) -> None:
    ring = ring_of()
    turns(ring, 3)
    recording = read_recording(ring.save(tmp_path / "r"))
    assert recording.header.start is not None
    assert recording.header.start.turn == "A"
    assert recording.header.player_seats == (0, 2)
    assert [entry.button for entry in recording.timeline if entry.button] == []
    # The first mark is where the first throw was thrown; it passed, and C was to roll.
    assert [(entry.t, entry.die) for entry in recording.timeline if entry.die] == [(SETTLED_S + 10, 3), (SETTLED_S + 20, 3)]


def test_robots_throw_is_recorded_as_any_other(tmp_path: Path) -> None:
    board = load_board("ludo15")
    game = Game(board, Rules(), (0, 2))
    position = {0: (10, -1, -1, -1), 2: (20, -1, -1, -1)}
    watcher = Watcher()
    referee = Referee(game, board, game.resume(position, 0), Options(robots=((0, "fair"),)))
    session = Session(referee, Mock(spec=Vision), lambda: 3, (watcher,))
    session.happen(BoardFound(0.0, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), "given"))
    watcher.ring.picture(0.5, JPEG)
    session.happen(Gesture(1.0, "tap"))  # the game goes on
    for quarter in range(5, 40):
        session.happen(Tick(quarter / 4))
    watcher.ring.picture(10.0, JPEG + b"moved")
    recording = read_recording(watcher.ring.save(tmp_path / "r"))
    assert recording.header.start is not None
    assert (recording.header.start.turn, recording.header.start.position) == ("A", {"A": (-1, -1, -1, 10), "C": (-1, -1, -1, 20)})
    assert [entry.die for entry in recording.timeline if entry.die] == [3]


def test_presses_that_count_the_familys_own_die_are_not_recorded(tmp_path: Path) -> None:
    board = load_board("ludo15")
    game = Game(board, Rules(), (0, 2))
    watcher = Watcher()
    referee = Referee(game, board, game.resume({0: (10, -1, -1, -1)}, 0), Options(die="taps"))
    session = Session(referee, Mock(spec=Vision), lambda: 1, (watcher,))
    session.happen(BoardFound(0.0, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), "given"))
    watcher.ring.picture(0.5, JPEG)
    for t in (1.0, 3.0, 3.5, 4.0):  # go on, then a three
        session.happen(Gesture(t, "tap"))
    for quarter in range(16, 40):
        session.happen(Tick(quarter / 4))
    recording = read_recording(watcher.ring.save(tmp_path / "r"))
    assert [(entry.die, entry.button) for entry in recording.timeline if entry.frame is None and not entry.end] == [(3, None)]


def test_board_of_the_familys_own_travels_along(tmp_path: Path) -> None:
    text = (files("ludo_referee.rules") / "boards" / "ludo15.toml").read_text("utf-8")
    ring = PictureRing(load_board("ludo15"), 5.0, 1_000_000, board_text=text)
    turns(ring, 2)
    recording = read_recording(ring.save(tmp_path / "r"))
    assert recording.board_file is not None
    assert recording.board_file.read_text("utf-8") == text


def test_recording_is_of_one_game(tmp_path: Path) -> None:
    ring = ring_of()
    turns(ring, 3)
    ring.new_game()
    with pytest.raises(NothingToRecord):
        ring.save(tmp_path / "none")


def test_without_pictures_or_a_turn_there_is_nothing_to_record(tmp_path: Path) -> None:
    ring = ring_of()
    with pytest.raises(NothingToRecord):
        ring.save(tmp_path / "none")
    ring.picture(0.0, JPEG)
    with pytest.raises(NothingToRecord):
        ring.save(tmp_path / "none")
    assert not (tmp_path / "none").exists()
