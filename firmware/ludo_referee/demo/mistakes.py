"""Wrong moves as people make them: a square too many, another's token, out of the yard without the right throw."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.board import YARD, Board
from ..rules.game import Game, GameState
from .tabletop import Piece, Steps

REACH = 6


@dataclass(slots=True)
class Mistake:
    """A token of `seat` goes from step to step against the rules. `piece` is the token once it was moved."""

    seat: int
    origin: int
    destination: int
    piece: Piece | None = None
    put_right: bool = False


def mistakes(game: Game, state: GameState, board: Board) -> list[Mistake]:
    """Every wrong move of one token to a free place that leaves a table which no legal move, and no take-back, would leave."""
    fair = _fair_tables(game, state)
    taken = {board.place(seat, step) for seat, own in enumerate(state.steps) for step in own}
    found = []
    for seat, own in enumerate(state.steps):
        for origin in sorted(set(own)):
            for destination in range(origin + 1, min(origin + REACH, board.last) + 1) if origin != YARD else (0,):
                after = _after(state.steps, seat, origin, destination)
                if board.place(seat, destination) not in taken and after not in fair:
                    found.append(Mistake(seat, origin, destination))
    return found


def _fair_tables(game: Game, state: GameState) -> set[Steps]:
    """The tables that are legal now, or half of a legal move of two tokens."""
    tables: set[Steps] = set()
    for start in (state, *game.take_backs(state)):
        tables.add(start.steps)
        for move in game.legal(start):
            one = _after(start.steps, start.turn, move.origin, move.destination)
            tables.add(one)
            tables.add(game.play(start, move)[0].steps)
    return tables


def _after(steps: Steps, seat: int, origin: int, destination: int) -> Steps:
    moved = list(steps[seat])
    moved.remove(origin)
    moved.append(destination)
    return (*steps[:seat], tuple(sorted(moved)), *steps[seat + 1:])
