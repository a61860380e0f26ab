"""A sitting at a drawn table with the real referee and the real reader: pictures in, words out, on a clock of its own."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ludo_hardware.simulated_table import Hand, Pinhole, SimulatedTable, TableLook, TokenStyle
from ludo_referee.app.session import Session, Sink
from ludo_referee.app.table import plan_of, scene_of
from ludo_referee.demo.drawn_board import drawing_of
from ludo_referee.demo.tabletop import Piece, Tabletop
from ludo_referee.referee import notices
from ludo_referee.referee.events import Gesture, Tick
from ludo_referee.referee.notices import Notice
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from
from ludo_vision.reader import TableReader

TICK_S = 0.1
LOOK = TableLook(Pinhole(480, 360, tilt_deg=14.0, turn_deg=25.0), tokens=TokenStyle(radius=0.3, height=1.0), seed=3)
STEPS = ((-1, -1, 4, 20), (-1, -1, 9, 30), (-1, -1, 2, 18), (-1, -1, 12, 40))
"""Seat A's tokens stand on squares 4 and 20, B's on 22 and 43, C's on 28 and 44, D's on 51 and 27."""

Spoil = Callable[[np.ndarray], np.ndarray]


class Sitting(Sink):
    """Seat A is on turn in the middle of a game, its throw comes from `faces`; everything said since the start is in `heard`."""

    def __init__(self, *faces: int, corners: bool = True) -> None:
        self.t, self.heard, self.hand, self.gain = 0.0, list[Notice](), None, 1.0
        self.spoil: Spoil = lambda picture: picture
        self.board = load_board("ludo15")
        game = Game(self.board, rules_from({"preset": "classic"}), range(4))
        start = game.resume(dict(enumerate(STEPS)), 0)
        self.table = SimulatedTable(drawing_of(self.board), LOOK)
        self.top = Tabletop(self.board, self.table, start.steps, random.Random(2))
        self.reader = TableReader(plan_of(self.board), corners=self.table.corners if corners else None,
                                  expected=scene_of(self.board, start.steps))
        self._faces = list(faces)
        self.session = Session(Referee(game, self.board, start), self.reader, self._throw, (self,))
        self.wait(2.0)
        self.press()  # the tokens stand as the game has them
        self.wait(1.0)
        self.press()  # the throw
        self.wait(3.0)
        self.heard.clear()

    def notice(self, notice: Notice) -> None:
        self.heard.append(notice)

    def _throw(self) -> int:  # a method, not a closure: a copied sitting has its own throws
        return self._faces.pop(0)

    def press(self) -> None:
        self.session.happen(Gesture(self.t, "tap"))

    def wait(self, seconds: float, every: float | None = None) -> None:
        """The same picture for so long, or a new one, with new noise, every so many seconds."""
        picture, drawn_t = self.picture(), self.t
        for _ in range(round(seconds / TICK_S)):
            self.t = round(self.t + TICK_S, 3)
            if every is not None and self.t - drawn_t >= every - 1e-6:
                picture, drawn_t = self.picture(), self.t
            for sighting in self.reader.see(self.t, picture):
                self.session.sighted(sighting)
            self.session.happen(Tick(self.t))

    def picture(self) -> np.ndarray:
        return self.spoil(self.table.picture(self.top.tokens(), self.hand, gain=self.gain))

    def glimpse(self, spoil: Spoil) -> None:
        """One spoilt picture."""
        self.spoil, before = spoil, self.spoil
        self.wait(TICK_S)
        self.spoil = before

    def move(self, seat: int, origin: int, destination: int) -> Piece:
        """Somebody's hand moves a token, in a second or so, and is gone."""
        piece = self.top.at(seat, origin)
        self.hand = Hand(piece.x, piece.y, 1.2)
        self.wait(0.3)
        self.top.put(piece, self.board.place(seat, destination))
        self.hand = Hand(piece.x, piece.y, 1.2)
        self.wait(0.3)
        self.hand = None
        return piece

    @property
    def moves(self) -> list[tuple[int, int, int, tuple[tuple[int, int], ...]]]:
        """The moves told: seat, from, to, captures."""
        return [(n.seat, n.origin, n.destination, n.captures) for n in self.heard if isinstance(n, notices.Move)]

    @property
    def alarms(self) -> list[Notice]:
        """What was said of wrong or unclear tables."""
        return [n for n in self.heard if isinstance(n, notices.Illegal | notices.Unclear | notices.BoardMoved | notices.TakeBack)]
