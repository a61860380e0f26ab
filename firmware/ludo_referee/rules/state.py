"""What a game is between two events, and what can happen in it. All values.

Everything that must survive a power cut is in `GameState` (RULES 1.2). States and moves are named tuples: a game makes thousands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from .moves import Move, Steps

Reasons = tuple[str, ...]  # why a roll was given: six, capture, home, try; () for the first of a turn
Thrown = tuple[int, Reasons]
Arrivals = tuple[tuple[int, tuple[int, ...]], ...]  # (ring index, the seats there in order of arrival)


class Phase(Enum):
    """What the game waits for."""

    START = "start"  # opening rolls: `turn` is to roll for the start
    ROLL = "roll"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of the open turn, with the state before it (for take-back)."""

    seat: int
    value: int
    bonus: bool
    move: Move
    before: GameState


class GameState(NamedTuple):
    """A game between two events. `steps[seat]` is sorted; a seat that does not play has ()."""

    steps: Steps
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
    arrivals: Arrivals = ()             # where it matters
    opening: tuple[tuple[int, int | None], ...] = ()        # (seat, roll or None) of the opening round under way
    earned: Reasons = ()                # phase ROLL: why this roll is given; MOVE: what the moves of this roll have earned so far
    thrown: tuple[Thrown, ...] = ()     # every roll of this turn with why it was given
    held: tuple[Thrown, ...] = ()       # after a take-back: the newer rolls, to be played again as they fell
    replaying: bool = False             # a move was taken back and not yet made anew


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


class Moved(NamedTuple):
    """A move was made. `again`: the seat rolls once more, or has a bonus to play. `lost`: bonuses that no token can play."""

    seat: int
    move: Move
    again: bool
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The seat has brought all its tokens home."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnOf:
    """The turn went to this seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is over; the seats from first to last, as far as the rules have them play."""

    order: tuple[int, ...]


Outcome = OpeningTie | Begins | Passed | Penalty | Moved | Finished | TurnOf | GameOver
Step = tuple[GameState, tuple[Outcome, ...]]
