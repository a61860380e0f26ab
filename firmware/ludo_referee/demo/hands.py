"""Hands that carry tokens over simulated time."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from functools import partial

from ludo_hardware.simulated_table import Hand

from ..rules.board import Board
from .tabletop import Piece, Tabletop

REACH_S = 0.3  # from the hand's appearing until the token is up
CARRY_S = 0.4
PUT_S = 0.25  # from the token's standing until the hand is gone
SKINS = ("light", "brown", "tan", "dark")


class Hands:
    """One hand at a time moves one token at a time. `glide` is the number of pictures on the way; a `frugal` hand is shown on the
    way alone, not where it takes the token and puts it down."""

    def __init__(self, tabletop: Tabletop, chance: random.Random, *, glide: int = 1, frugal: bool = False) -> None:
        self._tabletop, self._chance, self._glide, self._shown = tabletop, chance, glide, not frugal
        self._tasks: deque[tuple[float, Callable[[], None], bool]] = deque()  # after so many seconds; whether it is to be seen
        self._due: float | None = None
        self.hand: Hand | None = None

    @property
    def busy(self) -> bool:
        """Whether a movement is under way."""
        return bool(self._tasks)

    def move(self, piece: Piece, place: int) -> None:
        """Carry a token to a place, after whatever is under way."""
        seat, last = piece.seat, self._tabletop.board.places[place].centre

        def reach() -> None:
            self.hand = self._reaching(seat, piece.x, piece.y)

        def take() -> None:
            start = piece.x, piece.y
            self._tabletop.lift(piece, 0.8)
            for part in range(self._glide, 0, -1):  # pushed in front of what follows, so the first is pushed last
                self._tasks.appendleft((CARRY_S / self._glide, partial(carry, start, part / (self._glide + 1)), True))

        def carry(start: tuple[float, float], share: float) -> None:
            x, y = start[0] + share * (last[0] - start[0]), start[1] + share * (last[1] - start[1])
            self._tabletop.carry(piece, x, y, 0.8 + 0.6 * math.sin(math.pi * share))
            self.hand = self._reaching(seat, x, y, lift=1.0)

        def put() -> None:
            self._tabletop.put(piece, place)
            self.hand = self._reaching(seat, piece.x, piece.y)

        shown = self._shown
        self._tasks += [(0.0, reach, shown), (REACH_S, take, shown), (0.1, put, shown), (PUT_S, self._withdraw, True)]

    def straighten(self, piece: Piece) -> None:
        """Set a token anew where it stands."""
        self._tasks += [
            (0.0, lambda: self._show(piece), True),
            (REACH_S, lambda: self._tabletop.straighten(piece), self._shown),
            (PUT_S, self._withdraw, True),
        ]

    def hold(self, piece: Piece) -> None:
        """Show the hand at a token that somebody else carries (the visitor of the page)."""
        self.hand = self._reaching(piece.seat, piece.x, piece.y, lift=0.3 + piece.lift)

    def let_go(self) -> None:
        """Take the hand away."""
        self.hand = None

    def wait(self, seconds: float) -> None:
        """Do nothing for a while before what comes next."""
        self._tasks.append((seconds, _nothing, False))

    def advance(self, t: float) -> bool:
        """Do what is due by `t`; whether anything on the table has changed."""
        changed = False
        while self._tasks:
            if self._due is None:
                self._due = t + self._tasks[0][0]
            if t < self._due - 1e-9:
                break
            _, task, shown = self._tasks.popleft()
            task()
            changed = changed or shown
            self._due = self._due + self._tasks[0][0] if self._tasks else None
        return changed

    def _show(self, piece: Piece) -> None:
        self.hand = self._reaching(piece.seat, piece.x, piece.y)

    def _withdraw(self) -> None:
        self.hand = None

    def _reaching(self, seat: int, x: float, y: float, lift: float = 0.3) -> Hand:
        """The hand of the person who sits behind the seat's yard."""
        place_x, place_y = chair(self._tabletop.board, seat)
        height = self._tabletop.table.look.tokens.height
        return Hand(x, y, height * 0.75 + lift, math.atan2(place_y - y, place_x - x), SKINS[seat % len(SKINS)])


def _nothing() -> None:
    """What a waiting hand does."""


def chair(board: Board, seat: int) -> tuple[float, float]:
    """Where the person of a seat sits, in board squares: a little aside from behind the yard, as people at a square table do."""
    middle = board.size / 2
    x, y = board.places[board.seats[seat].yard].centre
    away_x, away_y = x - middle, y - middle
    turn = math.radians(12)
    turned_x = away_x * math.cos(turn) - away_y * math.sin(turn)
    turned_y = away_x * math.sin(turn) + away_y * math.cos(turn)
    return middle + 3.4 * turned_x, middle + 3.4 * turned_y
