"""A game of two in the middle, for tests of single rules."""

from __future__ import annotations

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

YARD = [-1, -1, -1, -1]


def yard_and(*steps: int) -> list[int]:
    """Four tokens, the rest in the yard."""
    return [*steps, *YARD[len(steps) :]]


class Table:
    """A plays against C; every method goes on with the game and remembers what came of it."""

    def __init__(self, rules, a=YARD, c=YARD, turn=0, sixes=0):
        rules = rules_from(rules)
        self.game = Game(load_board(rules.board), rules, (0, 2))
        self.state = self.game.resume({0: a, 2: c}, turn, sixes)
        self.outcomes = ()

    def throw(self, value):
        self.state, self.outcomes = self.game.throw(self.state, value)
        return self

    def play(self, origin, destination):
        move = next(move for move in self.game.legal(self.state) if (move.origin, move.destination) == (origin, destination))
        self.state, self.outcomes = self.game.play(self.state, move)
        return self

    def take_back(self, level=0):
        self.state = self.game.take_backs(self.state)[level]
        return self

    @property
    def waits(self):
        """Whose turn it is and for what."""
        return self.state.turn, self.state.phase

    @property
    def backs(self):
        return len(self.game.take_backs(self.state))

    @property
    def moves(self):
        return [(move.origin, move.destination) for move in self.game.legal(self.state)]
