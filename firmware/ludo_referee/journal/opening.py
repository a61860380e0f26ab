"""From what a stretch of play began, and how the game stands: a game is resumed and drawn from these."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from ..referee.events import Event
from ..referee.referee import Referee
from ..referee.state import Options, State
from ..rules.board import Board, load_board
from ..rules.board_file import board_from_text
from ..rules.game import Game, GameState, Turn
from ..rules.ruleset import Rules, differences, rules_from


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """All that the referee starts from: a new game, or one that goes on after a break.

    `colours`: printed colour by seat. `board_text`: the board's file where it is not built in, so that the game can be told again
    when the file has changed or gone. `t`: second of the game's clock.
    """

    t: float
    board: str
    colours: tuple[str, ...]
    rules: Rules
    players: tuple[int, ...]
    start: GameState
    options: Options
    board_text: str = ""

    @classmethod
    def of(cls, referee: Referee, state: State, board_text: str = "") -> Opening:
        """The opening of a stretch that begins with a referee's state. `board_text`: for a board that is not built in."""
        board = referee.board
        colours = tuple(seat.colour for seat in board.seats)
        return cls(
            t=state.t, board=board.name, colours=colours, rules=state.rules, players=state.players, start=state.game,
            options=referee.house.options, board_text=board_text,
        )  # fmt: skip

    def going_on(self, t: float, standing: Standing) -> Opening:
        """The opening of a stretch that goes on from there: the game with its throw, sixes and take-backs. Raises RulesError."""
        rules = rules_from(standing.rules)
        return msgspec.structs.replace(self, t=t, rules=rules, players=standing.players, start=standing.game)

    def printed_board(self) -> Board:
        """The board in the seats' colours. Raises LudoError."""
        board = board_from_text(self.board_text, self.board) if self.board_text else load_board(self.board)
        return board.with_colours({seat.name: colour for seat, colour in zip(board.seats, self.colours, strict=True)})

    def referee(self) -> Referee:
        """The referee of this stretch. Raises LudoError."""
        board = self.printed_board()
        return Referee(Game(board, self.rules, self.players), board, self.start, self.options)


class Standing(msgspec.Struct, frozen=True, array_like=True):
    """How a game stands after an entry: all that must survive a power cut. `rules`: how they differ from `classic`."""

    game: GameState
    players: tuple[int, ...]
    rules: dict[str, Any]

    @classmethod
    def of(cls, state: State) -> Standing:
        return cls(state.game, state.players, rules_mapping(state.rules))


Entry = Opening | Event
"""What the journal keeps in order: events, and an opening at each break."""


def rules_mapping(rules: Rules) -> dict[str, Any]:
    """The rules as a configuration or a recording names them: what differs from `classic`."""
    values = {"preset": "classic", **{name: value for name, (value, _) in differences(rules, Rules()).items()}}
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in values.items()}


def folded(game: GameState) -> GameState:
    """The game without the turn logs inside its turn log, which as text would double with each move of a long turn."""
    log = game.turn_log
    if any(turn.before.turn_log != log[:number] for number, turn in enumerate(log)):
        return game
    return game._replace(turn_log=tuple(replace(turn, before=turn.before._replace(turn_log=())) for turn in log))


def unfolded(game: GameState) -> GameState:
    """What was folded, whole again."""
    log: tuple[Turn, ...] = ()
    for turn in game.turn_log:
        log = (*log, replace(turn, before=turn.before._replace(turn_log=turn.before.turn_log or log)))
    return game._replace(turn_log=log)
