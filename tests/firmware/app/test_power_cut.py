"""The power fails between a throw and its move: the table's program, started anew, compares the table and goes on."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops

from ludo_hardware.simulated_table import SimulatedTable
from ludo_referee import screens
from ludo_referee.app.session import Session, Sink, Vision
from ludo_referee.app.table import plan_of, scene_of
from ludo_referee.demo.drawn_board import drawing_of
from ludo_referee.demo.evening import look_of
from ludo_referee.demo.tabletop import Tabletop
from ludo_referee.journal import Archive, Journal, Opening
from ludo_referee.referee import events, notices, views
from ludo_referee.referee.places import where
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules
from ludo_vision.reader import TableReader

PATIENCE_S = 120.0
BOARD = load_board("ludo15")
STOOD = ((-1, -1, 3, 10), (-1, -1, -1, 20), (-1, -1, 6, 30), (-1, -1, -1, 15))
CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))



class Keeper(Sink):
    """The journal's place."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def accepted(self, event, notices, state):
        self.journal.append(event, notices, state)


def drawn(table: SimulatedTable, steps: tuple[tuple[int, ...], ...]) -> np.ndarray:
    return table.picture(Tabletop(BOARD, table, steps, random.Random(3)).tokens())


def known(table: SimulatedTable) -> str:
    """What vision knew of the table when the power failed."""
    reader = TableReader(plan_of(BOARD), corners=table.corners)
    picture = drawn(table, STOOD)
    for t in (0.0, 1.0):
        reader.see(t, picture)
    reader.start(scene_of(BOARD, STOOD))
    memory = reader.memory()
    assert memory is not None
    return memory


def broken_off(folder: Path, memory: str | None) -> None:
    """A game in which A has just thrown a 4, and then the power failed."""
    game = Game(BOARD, Rules(), range(4))
    referee = Referee(game, BOARD, game.resume(dict(enumerate(STOOD)), 0))
    journal = Journal.open(folder)
    journal.begin_game(Opening.of(referee, referee.begin()[0]))
    session = Session(referee, Mock(spec=Vision), lambda: 4, (Keeper(journal),))
    session.happen(events.BoardFound(1.0, CORNERS, "given"))
    for t in (2.0, 4.0):
        session.happen(events.Gesture(t, "tap"))
    assert session.state.game.pending == 4
    if memory is not None:
        journal.remember(memory)
    journal.close()


class Box:
    """The program at a camera that sees the simulated table."""

    def __init__(self, folder: Path, steps: tuple[tuple[int, ...], ...], memory: Callable[[SimulatedTable], str | None]) -> None:
        self.games = folder / "games"
        table = SimulatedTable(drawing_of(BOARD), look_of(BOARD, 1))
        broken_off(self.games, memory(table))
        (folder / "pictures").mkdir()
        cv2.imwrite(str(folder / "pictures" / "table.png"), drawn(table, steps))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = folder / "config.toml"
        config.write_text(
            f'[camera]\nkind = "folder"\nfolder = "{folder / "pictures"}"\nrate_hz = 4.0\nlost_after_s = 60.0\n'
            '[button]\nkind = "simulated"\n[display]\ndriver = "simulated"\n[sound]\nkind = "none"\n'
            f'[page]\nport = {self.url.rpartition(":")[2]}\n[journal]\nfolder = "{self.games}"\n[recording]\non = false\n'
        )
        call = [sys.executable, "-m", "ludo_referee", "run", "--config", str(config)]
        self.process = subprocess.Popen(call, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, stderr=subprocess.PIPE, text=True)
        self._stream = self._open()

    def _open(self):
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return urllib.request.urlopen(f"{self.url}/events", timeout=PATIENCE_S)
            except OSError:
                assert time.monotonic() < deadline, "the page never came"
                time.sleep(0.2)

    def shows(self, view: views.View) -> None:
        """Wait until the display shows a view's first picture."""
        wanted, name = screens.draw(view).convert("1"), b""
        for line in self._stream:
            kind, _, data = line.rstrip(b"\n").partition(b": ")
            name = data if kind == b"event" else name
            if kind == b"data" and name == b"screen":
                png = base64.b64decode(json.loads(data)["png"].partition(",")[2])
                if ImageChops.difference(Image.open(io.BytesIO(png)).convert("1"), wanted).getbbox() is None:
                    return
        raise AssertionError(f"{view} was never shown")

    def press(self, kind: str) -> None:
        body, headers = json.dumps({"kind": kind}).encode(), {"Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/ask/press", body, headers, method="POST"), timeout=PATIENCE_S):
            pass

    def end(self) -> list[notices.Notice]:
        """Everything that was said in this game, before and after the cut."""
        self.process.send_signal(signal.SIGTERM)
        _, self.errors = self.process.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in self.errors
        with Archive(self.games) as archive:
            return list(archive.game().notices)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[object]:
    boxes: list[Box] = []

    def start(steps: tuple[tuple[int, ...], ...], memory: Callable[[SimulatedTable], str | None] = known) -> Box:
        boxes.append(Box(tmp_path, steps, memory))
        return boxes[-1]

    yield start
    for box in boxes:
        box._stream.close()
        if box.process.poll() is None:
            box.process.kill()
            box.process.communicate()


def rolls(said: list[notices.Notice]) -> list[int]:
    return [notice.value for notice in said if isinstance(notice, notices.Roll)]


def moved(*shifts: tuple[int, int, int]) -> views.RestoreTable:
    tokens = (views.Displaced(seat, BOARD.seats[seat].colour, where(BOARD, seat, start), where(BOARD, seat, end))
              for seat, start, end in shifts)
    return views.RestoreTable(0, "green", 4, moved=tuple(tokens))


ASKED = (views.Choice("put_back"), views.Choice("as_it_stands"))
ELSEWHERE = (STOOD[0], STOOD[1], (-1, -1, 6, 33), STOOD[3])


def test_a_table_as_it_was_goes_on_with_the_throw_that_was_shown(started) -> None:
    box = started(STOOD)
    box.shows(views.RestoreTable(0, "green", 4, same=True))
    box.press("tap")
    to_move = views.ToMove(0, "green", 4, origins=tuple(where(BOARD, 0, step) for step in (3, 10)))
    box.shows(to_move)
    box.press("tap")  # a press now throws nothing
    said = box.end()
    assert rolls(said) == [4]
    assert not any(isinstance(notice, notices.Override) for notice in said)


def test_another_table_is_shown_and_put_back_as_it_was(started) -> None:
    box = started(ELSEWHERE)
    box.shows(moved((2, 30, 33)))
    box.press("tap")
    box.shows(views.Choose("restore", ASKED, 0))
    box.press("hold")
    box.shows(views.MoveByHand(2, "blue", where(BOARD, 2, 33), where(BOARD, 2, 30), 1, "compare"))
    said = box.end()
    assert rolls(said) == [4]
    (override,) = [notice for notice in said if isinstance(notice, notices.Override)]
    assert (override.position, override.put_back) == (STOOD, True)


def test_another_table_is_shown_and_taken_as_it_stands(started) -> None:
    box = started(ELSEWHERE)
    box.shows(moved((2, 30, 33)))
    box.press("tap")
    box.press("tap")
    box.shows(views.Choose("restore", ASKED, 1))
    box.press("hold")
    box.shows(views.ToRoll(1, "yellow"))
    said = box.end()
    assert rolls(said) == [4]
    (override,) = [notice for notice in said if isinstance(notice, notices.Override)]
    assert (override.position, override.put_back) == (ELSEWHERE, False)


def test_two_exchanged_tokens_are_both_shown(started) -> None:
    box = started(((-1, -1, 2, 3), STOOD[1], STOOD[2], (-1, -1, -1, 23)))  # A's 10 is D's 23, and D's 15 A's 2
    box.shows(moved((0, 10, 2), (3, 15, 23)))


def other_version(table: SimulatedTable) -> str:
    return json.dumps({**json.loads(known(table)), "version": 99})


@pytest.mark.parametrize("memory", [lambda table: None, other_version], ids=["nothing known", "of another version"])
def test_a_table_of_which_nothing_is_known_is_compared_all_the_same(started, memory) -> None:
    box = started(ELSEWHERE, memory)
    box.shows(moved((2, 30, 33)))
    box.end()
    assert box.errors.count("it is learned anew") == (memory is other_version)
