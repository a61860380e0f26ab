"""What can happen to the referee. `t` is seconds on the game's monotonic (or simulated) clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gesture:
    """The button: tap, double_tap, hold (2 s), long_hold (6 s)."""

    t: float
    kind: str


@dataclass(frozen=True, slots=True)
class Throw:
    """The die shows a value (drawn after the effect RollDie, scripted in a recording, or a family's own die typed in)."""

    t: float
    value: int


@dataclass(frozen=True, slots=True)
class Pledged:
    """The die committed itself: `digest` (hexadecimal) lets anyone check its throws after the game."""

    t: float
    digest: str


@dataclass(frozen=True, slots=True)
class TableReady:
    """Vision says that the table shows the position the game starts from, or goes on from after a break."""

    t: float


@dataclass(frozen=True, slots=True)
class TableCounts:
    """In set-up: how many tokens stand in each seat's yard (None: cannot tell); `strangers`: seats with another
    colour's token among theirs."""

    t: float
    counts: tuple[int | None, ...]
    strangers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableMoving:
    """A hand is over the board, or something moves: nothing that was seen before need still be so."""

    t: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A still picture was weighed against the candidates of `question`.

    `best` indexes the candidates given to vision; `lead` is the best score less the best score of a candidate with another
    message, in silhouettes; `unexplained` the change that no candidate explains, in silhouettes. `ranking`: (index, score) best first,
    but for those far behind the best; with it a wrong picture is called even where it cannot be told which of several wrong ones it is.
    `gone`: tokens that are clearly missing though the best candidate says nothing of them: seat, place, and their part of `unexplained`.
    """

    t: float
    question: int
    best: int
    lead: float
    unexplained: float = 0.0
    ranking: tuple[tuple[int, float], ...] = ()
    gone: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A still picture cannot be read: covered, light, blur, glare, token_between; `near` (row, column) where it matters."""

    t: float
    what: str
    near: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class BoardFound:
    """Corners in pixels in the order A, B, C, D; how: given, markers, print."""

    t: float
    corners: tuple[tuple[float, float], ...]
    how: str


@dataclass(frozen=True, slots=True)
class BoardMissing:
    """At the start the board was not found in a still picture; hint as vision's BoardNotFound has it."""

    t: float
    hint: str


@dataclass(frozen=True, slots=True)
class BoardMoved:
    """The board is no longer where it was, and not yet found again."""

    t: float


@dataclass(frozen=True, slots=True)
class CameraState:
    """state: none (this box has no camera), lost, back, or fresh: back in a new process that knows nothing of the table and has to be
    shown it."""

    t: float
    state: str


@dataclass(frozen=True, slots=True)
class RobotChose:
    """The answer to the effect AskRobot: the box's move."""

    t: float
    origin: int
    destination: int
    tokens: int = 1


@dataclass(frozen=True, slots=True)
class PageAt:
    """The table's page has this address now."""

    t: float
    url: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recording that people asked for was made, or not: how as in the view RecordingMade."""

    t: float
    how: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes (about four a second)."""

    t: float


Event = (
    Gesture
    | Throw
    | Pledged
    | TableReady
    | TableCounts
    | TableMoving
    | Ranked
    | Unreadable
    | BoardFound
    | BoardMissing
    | BoardMoved
    | CameraState
    | RobotChose
    | PageAt
    | Recorded
    | Tick
)
