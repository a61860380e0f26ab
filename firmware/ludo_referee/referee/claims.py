"""What a picture of the table may mean: the claim behind each candidate that vision weighs."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.board import YARD, Board
from ..rules.game import GameState, Move
from .notices import Seen

OFF = -2
"""The step of a token that is off the table, in somebody's hand."""

SOMEWHERE = -3
"""The step of a token that went where it cannot be told; never in a candidate."""

_ASTRAY = -4

Shift = tuple[int, int, int]
"""One token of a seat goes from a step to a step (or OFF, or astray): (seat, from, to)."""

Steps = tuple[tuple[int, ...], ...]
"""Where all tokens stand, seat by seat, as sorted steps."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing has moved since the accepted table."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The table as it is after this legal move, captured tokens in their yards."""

    move: Move


@dataclass(frozen=True, slots=True)
class HalfCapture:
    """The capturer has moved; these captured tokens (seat, step they stood on) are not yet in their yards."""

    move: Move
    out: tuple[tuple[int, int], ...]
    in_hand: bool


@dataclass(frozen=True, slots=True)
class Halfway:
    """Part of this legal move is done and the rest may follow: nothing to say yet (captured first, or one token of a pair)."""

    move: Move


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The newest move was put back; `state` is the game before it (RULES 1.9)."""

    state: GameState


@dataclass(frozen=True, slots=True)
class TakenBackAndMoved:
    """The newest move was put back and its roll played with `move` at once."""

    state: GameState
    move: Move


@dataclass(frozen=True, slots=True)
class Either:
    """Two readings fit the same table: `move` with the newer roll, or the older roll played again with `instead`. Ask."""

    move: Move
    state: GameState
    instead: Move


@dataclass(frozen=True, slots=True)
class Mended:
    """Of the tokens to be moved by hand these are still to be moved; () when all is done."""

    left: tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """No rule allows this now. `reason` as in RECORDINGS; `shifts` is what is seen; `rolled` the value to be played, None before
    the roll."""

    reason: str
    shifts: tuple[Shift, ...]
    rolled: int | None

    @property
    def seen(self) -> tuple[Seen, ...]:
        """The shifts as the notice Illegal has them."""
        return tuple((seat, start, end if end >= YARD else None) for seat, start, end in self.shifts)


Claim = Unchanged | Legal | HalfCapture | Halfway | TakenBack | TakenBackAndMoved | Either | Mended | Wrong


@dataclass(frozen=True, slots=True)
class Claimed:
    """One candidate for vision (`message`, `shifts`, `penalty`, `certain`: as vision's Candidate has them) and what it means."""

    message: int
    shifts: tuple[Shift, ...]
    penalty: float
    certain: bool
    claim: Claim


def difference(old: Steps, new: Steps) -> tuple[Shift, ...]:
    """The fewest shifts that turn one table into another; tokens of a seat are identical, the rearmost pairs with the rearmost."""
    shifts: list[Shift] = []
    for seat, (before, after) in enumerate(zip(old, new, strict=True)):
        gone, come = list(before), list(after)
        for step in before:
            if step in come:
                come.remove(step)
                gone.remove(step)
        shifts += [(seat, start, end) for start, end in zip(sorted(gone), sorted(come), strict=True)]
    return tuple(shifts)


def shifted(table: Steps, shifts: tuple[Shift, ...]) -> Steps:
    """The table after the shifts. Raises ValueError when a token is not where a shift takes it from."""
    changed: dict[int, list[int]] = {}
    for seat, start, _ in shifts:
        changed.setdefault(seat, list(table[seat])).remove(start)
    for seat, _, end in shifts:
        changed[seat].append(end)
    return tuple(tuple(sorted(changed[seat])) if seat in changed else steps for seat, steps in enumerate(table))


def astray(place: int) -> int:
    """The step of a token on a place that is not on its seat's way: another's yard or home column."""
    return _ASTRAY - place


def place_of(board: Board, seat: int, step: int) -> int | None:
    """The place of a seat's step in a shift; None where it is on none (OFF, SOMEWHERE)."""
    return _ASTRAY - step if step <= _ASTRAY else board.place(seat, step) if step >= YARD else None
