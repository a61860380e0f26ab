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
class Watch:
    """The question to vision changed: take `referee.candidates(state)` and ask."""


@dataclass(frozen=True, slots=True)
class Accept:
    """The table as candidate `index` of the current question is now the accepted table (vision renews its reference)."""

    index: int


Effect = Tell | Show | Sound | Lamp | RollDie | Watch | Accept
