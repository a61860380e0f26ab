"""The box as a player: which of the legal moves it makes. Pure: the same table, roll and seed give the same move.

Three strengths. `gentle` moves by chance, so that a child may win. `fair` plays as most families do: capture, else bring a token out,
else run with the foremost. `strong` weighs every position one move ahead: how far the tokens are, what each may lose before its next turn,
and what it may capture then.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from .rules.board import YARD
from .rules.game import Game, GameState, Move

STRENGTHS = ("gentle", "fair", "strong")


def choose(game: Game, state: GameState, strength: str, seed: int = 0) -> Move:
    """The move of the seat on turn. `seed` decides where chance does. Raises ValueError when there is no move, KeyError for an unknown
    strength."""
    moves = game.legal(state)
    if not moves:
        raise ValueError("there is no move to choose from")
    return moves[0] if len(moves) == 1 else _PLAYERS[strength](game, state, moves, seed)


def _gentle(game: Game, state: GameState, moves: tuple[Move, ...], seed: int) -> Move:
    return random.Random(f"{seed}/{state.steps}/{state.turn}/{state.pending}").choice(moves)


def _fair(game: Game, state: GameState, moves: tuple[Move, ...], seed: int) -> Move:
    return max(moves, key=lambda move: (len(move.captures), move.origin == YARD, move.origin))


def _strong(game: Game, state: GameState, moves: tuple[Move, ...], seed: int) -> Move:
    seat = state.turn

    def worth(move: Move) -> float:
        after, _ = game.play(state, move)
        return Outlook(game, after).value(seat) + (AGAIN if after.turn == seat else 0.0)

    return max(moves, key=worth)


_PLAYERS: dict[str, Callable[[Game, GameState, tuple[Move, ...], int], Move]] = {"gentle": _gentle, "fair": _fair, "strong": _strong}


# --- weighing a position ----------------------------------------------------------------------------------------------

# Weights found by trial over some ten thousand games against `fair`; the play depends little on any of them.
OUT = 18.0  # steps that a token out of the yard is worth: about what the throws for the way out cost
AT_END = 4.0
FEAR = 0.6  # share of what may be lost before the next turn that counts
HOPE = 0.5  # share of what may be captured in it
AGAIN = 8.0  # another throw
HITS = dict.fromkeys(range(1, 7), 7) | dict.fromkeys(range(7, 13), 1)
"""Of 36 double throws, the second only after a six: how many bring a token so many squares ahead."""


class Outlook:
    """A position with the squares that tokens threaten."""

    def __init__(self, game: Game, state: GameState) -> None:
        self._game, self._board, self._steps = game, game.board, state.steps
        rules, board = game.rules, game.board
        starts = frozenset(seat.start for seat in board.seats)
        self._safe = {"none": frozenset[int](), "stars": board.stars, "stars_starts": board.stars | starts, "board": board.safe}[rules.safe]
        self._length = len(board.ring)
        self._blocks = rules.own_landing == "block"
        self._on_ring = [(seat, step) for seat in game.players for step in state.steps[seat] if YARD < step < board.first_home]

    def value(self, seat: int) -> float:
        """How good the position is for a seat, in steps."""
        foes = [foe for foe in self._game.players if foe != seat]
        own = self._standing(seat) - FEAR * self._at_risk(seat)
        theirs = sum(self._standing(foe) for foe in foes) / len(foes)
        return own - theirs + HOPE * sum(self._risk(foe, step, (seat,)) for foe, step in self._on_ring if foe != seat)

    def _standing(self, seat: int) -> float:
        board = self._board
        out = [step for step in self._steps[seat] if step != YARD]
        return sum(out) + OUT * len(out) + AT_END * out.count(board.last)

    def _at_risk(self, seat: int) -> float:
        foes = tuple(foe for foe in self._game.players if foe != seat)
        return sum(self._risk(seat, step, foes) for own, step in self._on_ring if own == seat)

    def _risk(self, seat: int, step: int, hunters: tuple[int, ...]) -> float:
        """The steps that a token may be expected to lose to hunters before its seat's next turn."""
        place = self._board.seats[seat].path[step]
        if place in self._safe or (self._blocks and self._steps[seat].count(step) > 1):
            return 0.0
        spared = 1.0
        for hunter in hunters:
            spared *= 1 - self._reach(hunter, place)
        return (1 - spared) * (step + OUT)

    def _reach(self, hunter: int, place: int) -> float:
        """The chance that a hunter's next turn hits a square (about: one token at a time, a six followed by another throw)."""
        board = self._board
        start = board.seats[hunter].start
        target = (place - start) % self._length
        missed = 1.0
        for step in self._steps[hunter]:
            if step == YARD:
                if target <= 6:
                    missed *= 1 - (1 / 6 if target == 0 else 1 / 36)
            elif step < target < board.first_home and target - step in HITS:
                missed *= 1 - HITS[target - step] / 36
        return 1 - missed
