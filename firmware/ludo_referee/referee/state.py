"""The state of the conversation at the table: frozen values, enough to go on after a power cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from ..rules import game as rules_game
from ..rules.board import Board
from ..rules.game import Game, GameState, Move
from ..rules.ruleset import Rules
from .claims import Claimed, HalfCapture, Steps, Wrong
from .views import Choice, Looking, View


class Phase(Enum):
    """What the referee waits for."""

    LOOKING = "looking"  # the board is to be found
    SETTING_UP = "setting up"  # tokens go to the yards, or where they stood
    OPENING = "opening"  # a seat throws for the start
    TO_ROLL = "to roll"
    ROLLING = "rolling"  # the die is asked
    TO_MOVE = "to move"
    RETURNING = "returning"  # a captured token is on its way home
    WRONG = "wrong"  # the table shows what no rule allows
    MENDING = "mending"  # people move tokens by hand: a penalty, an undo, after a time without camera
    CHOOSING = "choosing"  # a question is answered with the button
    AGREEING = "agreeing"  # an undo waits for the other's tap
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Options:
    """How patient, how sure and how talkative the referee is. Seconds end in `_s`; margins are in silhouettes of one token."""

    margin: float = 1.0  # a claim is accepted when it leads by so much (SEEING B.9)
    accuse_margin: float = 2.0  # a wrong picture has to lead every innocent one by so much
    press_margin: float = 0.4  # … and when a press says that the move is done
    patient_margin: float = 0.5  # … and when nobody has touched the table for `patience_s`
    patience_s: float = 1.5
    unexplained_limit: float = 3.0  # more change than this that no candidate explains: accept nothing
    settle_s: float = 0.5  # a wrong picture is called when it lasted so long
    unclear_s: float = 4.0  # so long in doubt before saying what would help
    rolling_s: float = 1.2  # the die rolls on the screen; presses count for nothing
    face_s: float = 3.0  # then its face fills the screen
    alert_s: float = 2.5  # captures, passes, places
    lockout_s: float = 0.3  # presses so soon after a turn change count for nothing
    remind_s: float = 60.0
    reminders: int = 3
    choose_s: float = 60.0  # a question that nobody answers is dropped
    agree_s: float = 30.0
    robot_s: float = 1.5  # a robot waits so long before it throws
    die: str = "box"  # box: the box's own; taps, typed: the family's
    beginner_help: bool = True
    robots: tuple[tuple[int, str], ...] = ()  # (seat, strength)
    free_players: bool = False  # who has tokens in the yard plays
    languages: tuple[str, ...] = ()  # ask for one at the start if there are several
    compare: bool = False  # after a break look whether the table is as it was
    records: bool = False  # people may ask for a recording of the last minutes


@dataclass(frozen=True, slots=True)
class Choosing:
    """A question under way; `back` is the phase that it interrupted, `subject` the wrong picture that a dispute is about; `hidden`: people
    had been told that the table cannot be read."""

    question: str
    choices: tuple[Choice, ...]
    index: int
    back: Phase
    since: float
    subject: Wrong | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """It could not tell since `since`; `told` when people were told."""

    what: str
    near: tuple[int, int] | None
    since: float
    told: bool = False
    hunch: Wrong | None = None  # what is likely wrong


@dataclass(frozen=True, slots=True)
class Sighting:
    """The newest ranking of the present question."""

    index: int
    lead: float
    unexplained: float


@dataclass(frozen=True, slots=True)
class State:
    """Everything the referee knows. `table` is what vision accepted last; it differs from `game.steps` only while MENDING or blind."""

    phase: Phase
    rules: Rules
    players: tuple[int, ...]
    game: GameState
    table: Steps
    restoring: bool = False  # a running game goes on after a break
    comparing: bool = False  # the table is compared with how it stood
    found: Claimed | None = None  # what the comparison has found so far; there may be more
    compared: Claimed | None = None  # what it shows, if it is clear
    started: bool = False
    learned: bool = False  # vision was shown the table of this game
    question: int = 0
    glance: int = 0  # counts fresh looks that are wanted at an unchanged table
    t: float = 0.0
    acted_t: float = 0.0
    changed_t: float = -1.0  # when somebody else's turn, or throw, came
    thrown_t: float = -9.0
    reminded: int = 0
    # what is shown
    shown: View = field(default_factory=Looking)
    reel: tuple[tuple[View, float], ...] = ()  # views to be shown before the standing one, with seconds
    reel_t: float = 0.0
    lamp: int | None = None
    why: str = "turn"
    tune_due: bool = False  # the tune of a new turn is still to be played
    # setting up
    hint: str | None = None
    counts: tuple[int | None, ...] = ()
    strangers: tuple[int, ...] = ()  # seats with whose tokens one of another colour is
    ready: bool = False
    anyway: bool = False  # people want to begin with the yards as they are
    pledge: str | None = None
    url: str | None = None
    # the table
    sighting: Sighting | None = None
    suspect: Wrong | None = None
    suspect_t: float = 0.0
    wrong: Wrong | None = None
    told: tuple[Wrong, ...] = ()  # wrong pictures already called at this table
    dismissed: tuple[Wrong, ...] = ()  # and those that people said are none
    stepwise: int | None = None  # putting back one by one: how many were shown
    half: HalfCapture | None = None
    half_told: Move | None = None
    doubt: Doubt | None = None
    blind: str | None = None  # no_camera, camera_lost or board_moved
    mending: str = ""  # why tokens are moved by hand
    # turns
    asked: Move | None = None  # the move a robot asked for
    entry: int | None = None  # taps so far of the family's own die
    before: GameState | None = None  # before the last accepted move
    throws: tuple[tuple[int, ...], ...] = ()  # faces by seat
    choosing: Choosing | None = None


@dataclass(frozen=True, slots=True)
class House:
    """What a referee is bound to: the board with the colours of its seats, and the options."""

    board: Board
    options: Options

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(seat.colour for seat in self.board.seats)

    def game(self, state: State) -> Game:
        """The rules at work for the players of a state."""
        return _game(self.board, state.rules, state.players)

    def colour(self, seat: int) -> str:
        return self.board.seats[seat].colour

    def robot(self, seat: int) -> str | None:
        """The strength at which the box plays a seat; None: a person plays it."""
        return dict(self.options.robots).get(seat)


@lru_cache(maxsize=16)
def _game(board: Board, rules: Rules, players: tuple[int, ...]) -> Game:
    return Game(board, rules, players)


RESTING = {
    rules_game.Phase.START: Phase.OPENING,
    rules_game.Phase.ROLL: Phase.TO_ROLL,
    rules_game.Phase.MOVE: Phase.TO_MOVE,
    rules_game.Phase.OVER: Phase.OVER,
}


def rest(state: State) -> Phase:
    """Where the game stands when nothing is wrong: derived from the rules' own phase, so that the two cannot disagree."""
    if not state.started:
        return Phase.SETTING_UP
    if state.table != state.game.steps and state.blind is None and state.game.phase is not rules_game.Phase.OVER:
        return Phase.MENDING
    return RESTING[state.game.phase]
