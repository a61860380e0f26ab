"""A game for the virtual machine: `python -m tests.vm.game FOLDER` draws what the camera is to see, and writes down what people do when.

Drawing takes too long on an emulated processor, and what the die shows must be known beforehand: so the game is told here. It is played
through the referee and the real vision while it is drawn; a story that they understand otherwise is an error, here and not only there.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from ludo_hardware.simulated_table import Pinhole, SimulatedTable
from ludo_referee.app.session import Session, Sink
from ludo_referee.app.table import plan_of, scene_of
from ludo_referee.demo.drawn_board import drawing_of
from ludo_referee.demo.evening import look_of
from ludo_referee.demo.hands import Hands
from ludo_referee.demo.tabletop import Tabletop
from ludo_referee.referee.events import Throw, Tick
from ludo_referee.referee.notices import Notice
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.state import Options
from ludo_referee.rules.board import YARD, load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from
from ludo_vision.reader import TableReader

SIZE = (480, 360)
PLAYERS = (0, 1)
STORY: tuple[tuple[Any, ...], ...] = (
    ("told", "board"),
    ("throw", 6), ("throw", 2),  # who begins
    ("throw", 6), ("carry", 0, YARD, 0), ("told", "move"),
    ("throw", 6), ("carry", 0, 0, 6), ("told", "move"),
    ("upgrade",),
    ("throw", 3), ("carry", 0, 6, 10), ("told", "illegal"),  # one too far
    ("carry", 0, 10, 9), ("told", "move"),
    ("throw", 6), ("carry", 1, YARD, 0), ("told", "move"),
    ("throw", 2), ("carry", 1, 0, 2), ("told", "move"),
    ("throw", 6), ("carry", 0, 9, 15), ("carry", 1, 2, YARD), ("told", "move"),  # captured
)  # fmt: skip
PATIENCE_S = 20.0
SHOWN = 3  # pictures of the same, each with noise of its own


class Telling(Sink):
    """Plays the story and keeps what is to be done again in the machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.script: list[dict[str, Any]] = []
        self._heard: list[str] = []
        board = load_board("ludo15")
        game = Game(board, rules_from({"preset": "classic"}), PLAYERS)
        look = replace(look_of(board, 3), camera=Pinhole(*SIZE, tilt_deg=18, turn_deg=20))
        self._table = SimulatedTable(drawing_of(board), look)
        self._tabletop = Tabletop(board, self._table, game.begin().steps, random.Random(1))
        self._hands = Hands(self._tabletop, random.Random(1))
        self._reader = TableReader(plan_of(board), expected=scene_of(board, game.begin().steps))
        self._session = Session(Referee(game, board, options=Options(die="taps")), self._reader, lambda: 1, (self,))
        self._t = 0.0
        self._show()

    def notice(self, notice: Notice) -> None:
        self._heard.append(notice.event())

    def throw(self, value: int) -> None:
        self._rest(1.5)
        self.script.append({"do": "throw", "value": value})
        self._heard.clear()
        self._session.happen(Throw(self._t, value))
        assert {"roll", "opening_roll"} & set(self._heard), f"a throw of {value} makes {self._heard}"
        self._rest(1.5)
        self._heard.clear()

    def carry(self, seat: int, start: int, end: int) -> None:
        board = self._tabletop.board
        self._hands.move(self._tabletop.at(seat, start), board.place(seat, end))
        reaching = False
        while self._hands.busy:
            self._t += 0.1
            if self._hands.advance(self._t) and not (reaching and self._hands.hand is not None):
                reaching = self._hands.hand is not None
                self._show()
            self._see()

    def told(self, kind: str) -> None:
        self._until(lambda: kind in self._heard, kind)
        self.script.append({"do": "told", "kind": kind})
        self._heard.clear()

    def upgrade(self) -> None:
        """The machine installs another version meanwhile; here nothing happens."""
        self.script.append({"do": "upgrade"})

    def _until(self, true: Callable[[], object], what: str) -> None:
        end = self._t + PATIENCE_S
        while not true():
            self._rest(0.1)
            assert self._t < end, f"no word of {what}; {self._session.state.phase}, heard: {self._heard}"

    def _rest(self, seconds: float) -> None:
        end = self._t + seconds
        while self._t < end:
            self._t += 0.1
            self._see()

    def _see(self) -> None:
        for sighting in self._reader.see(self._t, self._pictures[int(self._t * 10) % SHOWN]):
            self._session.sighted(sighting)
        self._session.happen(Tick(self._t))

    def _show(self) -> None:
        self._pictures = [self._table.picture(self._tabletop.tokens(), self._hands.hand) for _ in range(SHOWN)]
        names = []
        for picture in self._pictures:
            name = f"{len(self.script):02}{chr(97 + len(names))}.jpg"
            cv2.imwrite(str(self._folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
            names.append(name)
        self.script.append({"do": "show", "pictures": names})


def tell(folder: Path, story: Sequence[tuple[Any, ...]] = STORY) -> None:
    """Draw the story into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    telling = Telling(folder)
    for verb, *words in story:
        getattr(telling, verb)(*words)
    (folder / "script.json").write_text(json.dumps({"size": SIZE, "script": telling.script}, indent=1))


if __name__ == "__main__":
    tell(Path(sys.argv[1]))
