"""What the referee says, as values; `record` gives the JSON object of RECORDINGS.md.

Seats are indices 0 … 3 here and names A … D in a record; steps are the seat's own (−1 yard, 0 start …).
"""

from __future__ import annotations

from dataclasses import dataclass

SEAT_NAMES = "ABCD"

Seen = tuple[int, int, int | None]
"""A token seen elsewhere: seat, from, to (None: off the board)."""


def seat_name(seat: int) -> str:
    """A to D."""
    return SEAT_NAMES[seat]


def in_words(name: str) -> str:
    """A class name in lower case with underscores: GameOver → game_over."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


@dataclass(frozen=True, slots=True)
class Notice:
    """Base of all notices; `t` is the second at which it was decided. Subclasses are named after the event they print."""

    t: float

    def record(self) -> dict[str, object]:
        """The JSON object, `t` and `event` first."""
        return {"t": round(self.t, 2), "event": self.event(), **self.body()}

    @classmethod
    def event(cls) -> str:
        """The event's name as printed: the class name in lower case with underscores."""
        return in_words(cls.__name__)

    def body(self) -> dict[str, object]:
        """What follows `t` and `event`."""
        return {}


@dataclass(frozen=True, slots=True)
class Board(Notice):
    """The board was found, or found again after it was moved. how: given, markers, print."""

    corners: tuple[tuple[float, float], ...]
    how: str

    def body(self) -> dict[str, object]:
        return {"corners": [[round(x, 1), round(y, 1)] for x, y in self.corners], "how": self.how}


@dataclass(frozen=True, slots=True)
class BoardMoved(Notice):
    """The board is no longer where it was."""


@dataclass(frozen=True, slots=True)
class Camera(Notice):
    """state: none, lost or back."""

    state: str

    def body(self) -> dict[str, object]:
        return {"state": self.state}


@dataclass(frozen=True, slots=True)
class Turn(Notice):
    """This seat is to throw. why: as in the view ToRoll."""

    seat: int
    why: str

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat), "why": self.why}


@dataclass(frozen=True, slots=True)
class Roll(Notice):
    """The die showed `value`, also in the opening rolls."""

    seat: int
    value: int

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat), "value": self.value}


@dataclass(frozen=True, slots=True)
class Pass(Notice):
    """The roll cannot be played. reason: no_move, three_sixes, no_try_left."""

    seat: int
    reason: str

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat), "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Move(Notice):
    """The table shows the finished move, captured tokens back in their yards."""

    seat: int
    origin: int
    destination: int
    tokens: int
    captures: tuple[tuple[int, int], ...]

    def body(self) -> dict[str, object]:
        captures = [[seat_name(seat), step] for seat, step in self.captures]
        return {"seat": seat_name(self.seat), "from": self.origin, "to": self.destination, "tokens": self.tokens, "captures": captures}


@dataclass(frozen=True, slots=True)
class ReturnToken(Notice):
    """A capture was seen and this captured token is not yet in its yard."""

    seat: int
    origin: int

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat), "from": self.origin}


@dataclass(frozen=True, slots=True)
class Illegal(Notice):
    """The table shows something that no rule allows now; reasons as in RECORDINGS.md. `rule`: the finer rule, as in the view Wrong,
    or its reason where that is not_rolled or not_asked."""

    reason: str
    seen: tuple[Seen, ...]
    rule: str = ""

    def body(self) -> dict[str, object]:
        return {"reason": self.reason, "seen": [[seat_name(seat), start, end] for seat, start, end in self.seen]}


@dataclass(frozen=True, slots=True)
class Restored(Notice):
    """The table is back as it was before the wrong move."""


@dataclass(frozen=True, slots=True)
class Unclear(Notice):
    """It cannot tell. what: token_between, covered, light, blur, glare; near (row, column) where it matters."""

    what: str
    near: tuple[int, int] | None = None

    def body(self) -> dict[str, object]:
        return {"what": self.what} | ({"near": list(self.near)} if self.near is not None else {})


@dataclass(frozen=True, slots=True)
class TakeBack(Notice):
    """This seat put its move back, or it was undone by agreement: the same roll is to be played again."""

    seat: int

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat)}


@dataclass(frozen=True, slots=True)
class Override(Notice):
    """The people decided: this is the position from now on (steps by seat), whatever the rules say. `put_back`: the position that is
    recorded, though the table showed another after a break."""

    position: tuple[tuple[int, ...], ...]
    put_back: bool = False

    def body(self) -> dict[str, object]:
        return {"position": {seat_name(seat): list(steps) for seat, steps in enumerate(self.position) if steps}}


@dataclass(frozen=True, slots=True)
class Finish(Notice):
    """A seat brought all its tokens home."""

    seat: int
    place: int

    def body(self) -> dict[str, object]:
        return {"seat": seat_name(self.seat), "place": self.place}


@dataclass(frozen=True, slots=True)
class GameOver(Notice):
    """The game ended; seats from first to last."""

    order: tuple[int, ...]

    def body(self) -> dict[str, object]:
        return {"order": [seat_name(seat) for seat in self.order]}
