"""The state of a game and its turn machine. A `Game` is a board with rules and players; states are values.

Everything that must survive a power cut is in `GameState` (RULES 1.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from .board import Board
from .ruleset import Rules


class Phase(Enum):
    """What the game waits for."""

    START = "start"  # opening rolls: `turn` is to roll for the start
    ROLL = "roll"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """`tokens` (1, or 2 for a pair step) go from `origin` to `destination`; `captures` lists (seat, step) sent to their yards."""

    origin: int
    destination: int
    tokens: int = 1
    captures: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of the open turn, with the state before it (for take-back)."""

    seat: int
    value: int
    bonus: bool
    move: Move
    before: "GameState"


@dataclass(frozen=True, slots=True)
class GameState:
    """A game between two events. `steps[seat]` is sorted; a seat that does not play has ()."""

    steps: tuple[tuple[int, ...], ...]
    turn: int
    phase: Phase
    sixes: int = 0
    tries_left: int = 1
    pending: int | None = None          # the die value, or the bonus, to be played now
    pending_is_bonus: bool = False
    bonus_queue: tuple[int, ...] = ()
    ever_entered: tuple[bool, ...] = ()
    finish_order: tuple[int, ...] = ()
    turn_log: tuple[Turn, ...] = ()
    arrivals: tuple[tuple[int, tuple[int, ...]], ...] = ()  # (ring index, seats in order of arrival) where it matters
    opening: tuple[tuple[int, int | None], ...] = ()        # (seat, roll or None) of the opening round under way


# --- what happened: outcomes of `throw` and `play`, in order ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpeningTie:
    """The highest opening rolls are equal: these seats roll again."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Begins:
    """The opening is decided: this seat has the first turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """The roll cannot be played. reason: no_move, three_sixes, no_try_left. `again`: the seat rolls once more all the same."""

    seat: int
    reason: str
    again: bool


@dataclass(frozen=True, slots=True)
class Penalty:
    """A third six changed the table: these (seat, from, to) tokens must be moved by hand (undo_turn, last_home)."""

    seat: int
    shifts: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was made. `again`: the seat rolls once more, or has a bonus to play."""

    seat: int
    move: Move
    again: bool


@dataclass(frozen=True, slots=True)
class Finished:
    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnOf:
    """The turn went to this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    order: tuple[int, ...]


Outcome = OpeningTie | Begins | Passed | Penalty | Moved | Finished | TurnOf | GameOver
Step = tuple[GameState, tuple[Outcome, ...]]


class Game:
    """The rules at work on one board for the seats that play. Immutable; every method is a pure function of its arguments."""

    def __init__(self, board: Board, rules: Rules, players: Sequence[int]) -> None:
        raise NotImplementedError

    def begin(self, turn: int | None = None) -> GameState:
        """All tokens set up; the opening rolls if no seat is given (and rules.start_order is highest)."""
        raise NotImplementedError

    def resume(self, position: Mapping[int, Sequence[int]], turn: int, sixes: int = 0) -> GameState:
        """A game already running: that seat is to roll. Raises PositionError."""
        raise NotImplementedError

    def throw(self, state: GameState, value: int) -> Step:
        """The state after the die showed a value (phase START or ROLL). With no legal move the roll is passed at once."""
        raise NotImplementedError

    def legal(self, state: GameState) -> tuple[Move, ...]:
        """The moves open to `state.turn` for `state.pending`, sorted by (origin, destination, tokens); () outside phase MOVE."""
        raise NotImplementedError

    def play(self, state: GameState, move: Move) -> Step:
        """The state after a legal move. Raises IllegalMove."""
        raise NotImplementedError

    def take_backs(self, state: GameState) -> tuple[GameState, ...]:
        """The states that a take-back may return to now, newest move first (RULES 1.9): phase MOVE with the old value pending."""
        raise NotImplementedError
