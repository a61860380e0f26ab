"""What the referee wants done. The app carries effects out in order; a simulated table and the real one get the same."""

from __future__ import annotations

from dataclasses import dataclass

from .notices import Notice
from .views import View


@dataclass(frozen=True, slots=True)
class Tell:
    """Something was decided: journal it, print it as a JSON line, show it on the page. Always before the screen shows it."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class Show:
    """The OLED shows this from now on; `screens` turns the view into pictures."""

    view: View


@dataclass(frozen=True, slots=True)
class Sound:
    """One of: turn, roll, wrong, capture, home, win, no."""

    tune: str


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light this seat's lamp alone; None: all off."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class RollDie:
    """Draw a value and send it back as `Throw`."""


@dataclass(frozen=True, slots=True)
class AskRobot:
    """The box plays `seat`: choose among the legal moves of `state.game` and send the choice back as `RobotChose`."""

    seat: int
    strength: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """A new game is set up: vision counts the tokens in the yards again."""


@dataclass(frozen=True, slots=True)
class Start:
    """The game begins: the table shows `steps` (seat by seat, −1 in the yard); vision learns colours and references from it now."""

    steps: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Suppose:
    """After a break the table should show `steps`: vision weighs the candidates by sight alone, until it is told to start."""

    steps: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Watch:
    """The question to vision changed: take `referee.candidates(state)` and ask."""


@dataclass(frozen=True, slots=True)
class Accept:
    """The table as candidate `index` of the question asked last is now the accepted table (vision renews its reference)."""

    index: int


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """The people chose this language: en, id, ru, de, es."""

    code: str


@dataclass(frozen=True, slots=True)
class Record:
    """The people ask for a recording of the last minutes; the answer comes as `Recorded`."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """The people switched the box off."""


Effect = Tell | Show | Sound | Lamp | RollDie | AskRobot | Prepare | Start | Suppose | Watch | Accept | SetLanguage | Record | PowerOff
