"""What the OLED shows, as values: the referee decides them, `screens` draws them. No text here but data for texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Where:
    """A place as people name it. kind: yard, start, star, square, home (its column), finish.

    `number`: squares from the seat's own start (square), or the space of the home column counted from outside (home), both from 1;
    0 for the others. `step` is the seat's own step (−1 yard)."""

    kind: str
    number: int
    step: int


@dataclass(frozen=True, slots=True)
class View:
    """Base of all views."""


# --- before the game --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Looking(View):
    """The board is being looked for; `hint` (a key such as too_dark, corner_outside, camera_up) or None."""

    hint: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceTokens(View):
    """Set-up: tokens to their yards, with the live count a seat; None: cannot tell, −1: seat not playing.

    `problem`, with `problem_seat` where it concerns one: missing (1 to 3 tokens), too_many (5 or more), stranger (one of another
    colour), one_seat (only one seat has tokens); None: nothing wrong, or nothing yet."""

    colours: tuple[str, ...]
    counts: tuple[int | None, ...]
    problem: str | None = None
    problem_seat: int | None = None


@dataclass(frozen=True, slots=True)
class Displaced:
    """A token that stood at `start` before a break, and stands at `end` after it."""

    seat: int
    colour: str
    start: Where
    end: Where


@dataclass(frozen=True, slots=True)
class RestoreTable(View):
    """A running game goes on after a break: the tokens are to stand as they stood; then press. `turn` is the seat to act, `rolled` what
    it has to move (None: it is to throw). `same`: the table is seen to be as it was; `moved`: what is seen not to be."""

    turn: int
    colour: str
    rolled: int | None = None
    same: bool = False
    moved: tuple[Displaced, ...] = ()


@dataclass(frozen=True, slots=True)
class Ready(View):
    """The table is set: press to begin; `seat` throws first, for the start if `opening` rolls decide who begins. `preset` names the house
    rules in force (own: a family's own), `pledge` is the first half of the die's commitment (hexadecimal), None if the die makes none;
    `rules` says what the house rules are, as pairs of a switch and its value (keys as in Choose). A hold leads to the house rules."""

    seat: int
    colour: str
    preset: str
    pledge: str | None = None
    rules: tuple[tuple[str, str], ...] = ()
    opening: bool = False


@dataclass(frozen=True, slots=True)
class SafeStart(View):
    """The box could not start three times in a row, and now starts without camera and with the standard rules; until somebody presses."""


@dataclass(frozen=True, slots=True)
class Address(View):
    """The page of this table, as text and QR code."""

    url: str


# --- a turn -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToRoll(View):
    """This seat is to press the button. why: turn, six, captured, finished_token, try_again, opening, tie, begins.
    `robot`: the box plays this seat and throws by itself."""

    seat: int
    colour: str
    why: str = "turn"
    robot: bool = False


@dataclass(frozen=True, slots=True)
class DieEntry(View):
    """The family's own die: tap as often as it shows; `value` so far, None: none yet."""

    seat: int
    colour: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Shaken(View):
    """The button is down: the die is in this seat's hand, and shaken until it is known what the press means."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class Rolled(View):
    """The rolling animation (at most 1.2 s), then the face large with the seat."""

    seat: int
    colour: str
    value: int
    opening: bool = False


@dataclass(frozen=True, slots=True)
class ToMove(View):
    """The seat is to move `value`; `origins` are the places of movable tokens (beginner help; () when it is off), `only` the one
    move there is, from and to. `robot`: the box plays this seat and asks the people to move its token as `only` says."""

    seat: int
    colour: str
    value: int
    bonus: bool = False
    origins: tuple[Where, ...] = ()
    only: tuple[Where, Where] | None = None
    robot: bool = False


@dataclass(frozen=True, slots=True)
class NoMove(View):
    """Nothing can be played with this roll; reason: no_move, three_sixes, no_try_left. `again`: the seat throws once more."""

    seat: int
    colour: str
    value: int
    reason: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Captured(View):
    """A capture alert, flashing: `by` took these tokens (seat, colour), one entry a token; they go to their yards."""

    by: int
    by_colour: str
    tokens: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ReturnToken(View):
    """These captured tokens (seat, colour), one entry a token, are still to go to their yards."""

    tokens: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class TakenBack(View):
    """A take-back was recognised: the seat plays `value` again."""

    seat: int
    colour: str
    value: int


@dataclass(frozen=True, slots=True)
class FinishedSeat(View):
    """A seat has brought all its tokens home."""

    seat: int
    colour: str
    place: int


# --- when something is not as it should be ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wrong(View):
    """A wrong move with the way out. reason: as in RECORDINGS (wrong_count, wrong_token, several_moved, blocked, own_square,
    must_enter, backwards, off_board, unclear_change), or not_rolled (a token of the seat to roll was moved before the roll), or
    not_asked (a robot's token went another way than the robot asked).

    `seat`, `start`, `end`: the token that moved and where, as far as can be told (`end` None with off_board);
    `moved` squares against `rolled`; back is negative, None: cannot be counted. `tokens`: how many tokens moved.
    `rule`: the finer rule that stands against it, a key of the rules' own reasons (`rules.why_not`), "" if none says more than the reason;
    `due`: where this token, which went too far or not far enough, may go with the roll; None: nowhere, or it is not so simple."""

    reason: str
    seat: int | None
    colour: str | None
    start: Where | None
    end: Where | None
    rolled: int | None
    moved: int | None
    tokens: int = 1
    rule: str = ""
    due: Where | None = None


@dataclass(frozen=True, slots=True)
class MoveByHand(View):
    """People are to move this token so that the table is right again, then the next; `left` counts the tokens still to be moved.

    why: three_sixes (the rule's penalty), undo (agreed), put_back (a dispute), compare (the camera was away)."""

    seat: int
    colour: str
    start: Where
    end: Where
    left: int
    why: str


@dataclass(frozen=True, slots=True)
class AgreeUndo(View):
    """The last move is to be undone if `seat`, whose move it was, agrees by a tap; a hold says no."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class CannotSee(View):
    """It cannot tell: covered, light, blur, glare, token_between, no_camera, camera_lost, board_moved. `seat` and what it is to do
    meanwhile where play goes on by button (`doing`: wait, move, robot_rolls, or to roll: why, as in ToRoll); `asked`: the move, from and
    to, that a robot asks for."""

    what: str
    seat: int | None = None
    colour: str | None = None
    doing: str = "wait"
    asked: tuple[Where, Where] | None = None


@dataclass(frozen=True, slots=True)
class RecordingMade(View):
    """The answer to people who asked for a recording. how: made, too_early (nothing to begin from yet), failed."""

    how: str


@dataclass(frozen=True, slots=True)
class NotKept(View):
    """Games are not being written down just now: they go on, but a power cut would lose this one."""


# --- choosing with one button: tap = next, hold = choose --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: `key` names it within its question; the rest fills the sentence."""

    key: str
    seat: int | None = None
    colour: str | None = None
    start: Where | None = None
    end: Where | None = None


@dataclass(frozen=True, slots=True)
class Choose(View):
    """A question with one of its choices offered. Questions and their keys:

    language: en, id, ru, de, es
    preset: names of rule presets, or own
    rules: play (with these), change (one by one)
    rule:NAME (an option of RULES 1.12): its values as words (yes, no for switches; entry: 6, 1_6, 5; numbers as digits)
    blind (the board is not found): wait, play (by button alone)
    start (the yards do not look complete): wait, anyway
    players (who has tokens cannot be seen): the digits of the seats, such as 02
    dispute: go_on (play on, the alarm was false), done (the tokens that were to be put somewhere are there), as_it_stands, put_back,
        undo (the last move; with the seat whose move it was), record (keep the last minutes for whoever can mend it)
    moved (no camera: which move was made): move (with seat, start, end), none (back)
    reading (two readings fit the table): move, take_back, each with seat, start, end
    again: again, throws, off
    power: stay, off

    With a single choice a tap chooses it too."""

    question: str
    choices: tuple[Choice, ...]
    index: int


# --- after the game ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Over(View):
    """The game is over; (seat, colour) from first to last."""

    order: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ThrowCounts(View):
    """How often each face fell: (seat, colour, (ones, …, sixes)) a player, and the χ² of all throws against a fair die with its
    probability (how often a fair die gives a larger one), None with too few throws."""

    rows: tuple[tuple[int, str, tuple[int, ...]], ...]
    chi_square: float
    probability: float | None


@dataclass(frozen=True, slots=True)
class Goodbye(View):
    """The box switches off."""


# --- the die alone (`ludo-referee die`) ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dice(View):
    """One to four dice of `faces` faces: they roll for at most 1.2 s, then show `values`; (): press to throw. `pledge` as in Ready."""

    values: tuple[int, ...]
    faces: int
    pledge: str | None = None
