"""From what a stretch of play began, and what its events make of it: a game is resumed, told again and drawn from these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ..referee.events import Event
from ..referee.notices import Notice
from ..referee.referee import Referee
from ..referee.state import Options, State
from ..rules.board import Board, load_board
from ..rules.board_file import board_from_text
from ..rules.game import Game, GameState
from ..rules.ruleset import Rules


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
        """The opening of a stretch that goes on from a referee's state: its game with throw, sixes and take-backs."""
        board = referee.board
        colours = tuple(seat.colour for seat in board.seats)
        return cls(
            t=state.t, board=board.name, colours=colours, rules=state.rules, players=state.players, start=state.game,
            options=referee.house.options, board_text=board_text,
        )  # fmt: skip

    def printed_board(self) -> Board:
        """The board in the seats' colours. Raises LudoError."""
        board = board_from_text(self.board_text, self.board) if self.board_text else load_board(self.board)
        return board.with_colours({seat.name: colour for seat, colour in zip(board.seats, self.colours, strict=True)})

    def referee(self) -> Referee:
        """The referee of this stretch. Raises LudoError."""
        board = self.printed_board()
        return Referee(Game(board, self.rules, self.players), board, self.start, self.options)


Entry = Opening | Event
"""What the journal keeps in order: events, and an opening at each break."""


@dataclass(frozen=True, slots=True)
class Told:
    """One entry, what the referee said to it, and its state afterwards."""

    entry: Entry
    notices: Sequence[Notice]
    state: State
    referee: Referee


def retell(opening: Opening, entries: Iterable[tuple[Entry, Sequence[Notice]]]) -> Iterator[Told]:
    """Play the entries again: the state after each. Raises LudoError."""
    referee = opening.referee()
    state, _ = referee.begin(opening.t)
    for entry, notices in entries:
        if isinstance(entry, Opening):
            referee = entry.referee()
            state, _ = referee.begin(entry.t)
        else:
            state, _ = referee.reduce(state, entry)
        yield Told(entry, notices, state, referee)
