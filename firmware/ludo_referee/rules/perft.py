"""Counting a game's tree: the oracle for every change of the rules."""

from __future__ import annotations

from typing import NamedTuple

from .game import Game
from .ruleset import DIE
from .state import GameState, Phase


class Count(NamedTuple):
    """`outcomes`: ways to get there (a roll and its move are one step, a roll without a move counts once, each bonus move that follows
    is part of the step); `positions`: different states among them."""

    outcomes: int
    positions: int


def perft(game: Game, state: GameState, depth: int) -> Count:
    """How many outcomes `depth` rolls have, over all faces of the die and all legal moves. A game that is over has no more."""
    level = {_bare(game, state): 1}
    for _ in range(depth):
        following: dict[GameState, int] = {}
        for before, ways in level.items():
            for after in outcomes(game, before):
                following[after] = following.get(after, 0) + ways
        level = following
    tables = {state._replace(turn_log=(), thrown=()) for state in level}
    return Count(sum(level.values()), len(tables))


def outcomes(game: Game, state: GameState) -> list[GameState]:
    """The states after one roll and the moves it asks for, each as often as it can come about."""
    if state.phase is Phase.MOVE:
        return _settled(game, state)
    if state.phase is Phase.OVER:
        return []
    return [after for value in DIE for after in _settled(game, game.throw(state, value)[0])]


def _settled(game: Game, state: GameState) -> list[GameState]:
    """Every way to play what is pending, bonus moves included."""
    if state.phase is not Phase.MOVE:
        return [_bare(game, state)]
    return [settled for move in game.legal(state) for settled in _settled(game, game.play(state, move)[0])]


def _bare(game: Game, state: GameState) -> GameState:
    """The state without its memory for take-backs, so that equal tables meet; some third sixes need what the turn has moved."""
    return state if game.rules.three_sixes in ("undo_turn", "last_home") else state._replace(turn_log=(), thrown=())
