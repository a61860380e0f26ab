"""What the OLED shows, as values: the referee decides them, `screens` draws them. No text here but data for texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """Base of all views."""


@dataclass(frozen=True, slots=True)
class Looking(View):
    """The board is being looked for; `hint` (a key such as too_dark, corner_outside, camera_up) or None."""

    hint: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceTokens(View):
    """Set-up: tokens to their yards, with the live count a seat; None: cannot tell, −1: seat not playing."""

    colours: tuple[str, ...]
    counts: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ToRoll(View):
    """This seat is to press the button. why: turn, six, captured, finished_token, try_again, opening, tie."""

    seat: int
    colour: str
    why: str = "turn"


@dataclass(frozen=True, slots=True)
class Rolled(View):
    """The rolling animation (at most 1.2 s), then the face large with the seat."""

    seat: int
    colour: str
    value: int
    opening: bool = False


@dataclass(frozen=True, slots=True)
class ToMove(View):
    """The seat is to move `value`; `origins` are the steps of movable tokens (beginner help)."""

    seat: int
    colour: str
    value: int
    bonus: bool = False
    origins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NoMove(View):
    """Nothing can be played with this roll; reason as in the notice Pass."""

    seat: int
    colour: str
    value: int
    reason: str


@dataclass(frozen=True, slots=True)
class Captured(View):
    """A capture alert, flashing: `by` took tokens of `colours`; their tokens go to their yards."""

    by: int
    by_colour: str
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrong(View):
    """A wrong move with the way out. `seat`, `start`, `end`: the token that moved and where, as far as can be told;
    `moved` squares against `rolled`."""

    reason: str
    seat: int | None
    colour: str | None
    start: int | None
    end: int | None
    rolled: int | None
    moved: int | None


@dataclass(frozen=True, slots=True)
class CannotSee(View):
    """It cannot tell: covered, light, blur, glare, token_between, camera_lost, board_moved."""

    what: str


@dataclass(frozen=True, slots=True)
class FinishedSeat(View):
    """A seat has brought all its tokens home."""

    seat: int
    colour: str
    place: int


@dataclass(frozen=True, slots=True)
class Over(View):
    """The game is over; (seat, colour) from first to last."""

    order: tuple[tuple[int, str], ...]
