"""What vision says: values that cross from the camera's process to the referee's. `t` is the picture's time in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import Point


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves over the board, or a hand covers it: decide nothing."""

    t: float


@dataclass(frozen=True, slots=True)
class Found:
    """The board is at these corners (pixels of this picture, order of the seats). how: given, markers, print."""

    t: float
    corners: tuple[Point, Point, Point, Point]
    how: str
    residual_squares: float


@dataclass(frozen=True, slots=True)
class NotFound:
    """The board is not found (at the start), or no longer (later); hint as in BoardNotFound."""

    t: float
    hint: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Before the start: tokens in each seat's yard (None: cannot tell); `ready`: the table shows the expected scene; `strangers`: seats
    in whose yards a token of another colour stands."""

    t: float
    in_yard: tuple[int | None, ...]
    ready: bool
    strangers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """A still picture weighed against the candidates of `question`: `order` candidate indices best first with `scores` in silhouettes;
    `lead`: best score less the best of another message; `unexplained`: change that the best one does not explain, in silhouettes;
    `gone`: tokens that are clearly missing though the best one says nothing of them: seat, place, and their part of `unexplained`."""

    t: float
    question: int
    order: tuple[int, ...]
    scores: tuple[float, ...]
    lead: float
    unexplained: float
    gone: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Unclear:
    """A still picture cannot be read. what: covered, light, blur, glare, token_between; near: (row, column)."""

    t: float
    what: str
    near: tuple[int, int] | None = None


Sighting = Moving | Found | NotFound | Counts | Ranking | Unclear
