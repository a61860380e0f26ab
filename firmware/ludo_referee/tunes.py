"""What the buzzer plays: short tunes that tell apart what happened without a look at the display."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

Notes = tuple[tuple[float, float], ...]
"""(frequency in Hz, 0 for silence; duration in s)."""

# Equal temperament, A4 = 440 Hz. A small piezo is loudest around 2 to 4 kHz; these octaves are still clear and not shrill.
C5, E5, G5, A5 = 523.25, 659.26, 783.99, 880.0
C6, D6, E6, G6, C7 = 1046.5, 1174.66, 1318.51, 1567.98, 2093.0

TUNES: Mapping[str, Notes] = {
    "turn": ((G5, 0.09), (C6, 0.14)),
    "roll": ((C6, 0.03), (0, 0.05), (D6, 0.03), (0, 0.07), (C6, 0.03), (0, 0.1), (E6, 0.03), (0, 0.15), (G6, 0.1)),
    "wrong": ((E5, 0.18), (0, 0.04), (C5, 0.36)),
    "capture": ((G6, 0.08), (E6, 0.08), (C6, 0.08), (A5, 0.08), (G5, 0.08), (E5, 0.22)),
    "home": ((C6, 0.1), (E6, 0.1), (G6, 0.24)),
    "win": ((C6, 0.12), (C6, 0.12), (C6, 0.12), (E6, 0.24), (D6, 0.12), (E6, 0.12), (G6, 0.24), (C7, 0.5)),
    "no": ((C5, 0.12),),
}
"""By the name in the effect Sound. roll is as long as the die tumbles at most; no answers a press that does nothing."""

LEVELS = 5
"""0: mute; 1 to 4: quiet to loud (how loud is the buzzer's business)."""


def notes(name: str) -> Notes:
    """The notes of a tune. Raises LookupError, naming the tunes there are."""
    try:
        return TUNES[name]
    except KeyError:
        raise LookupError(f"No tune is called {name!r}; there are {', '.join(TUNES)}.") from None


def audible(level: int, now: datetime.time, quiet_from: datetime.time | None = None, quiet_until: datetime.time | None = None) -> bool:
    """Whether a tune may sound at this level and time of day: not when mute, not in the quiet hours. Raises ValueError."""
    if not 0 <= level < LEVELS:
        raise ValueError(f"A sound level is 0 to {LEVELS - 1}, not {level}.")
    if level == 0:
        return False
    return quiet_from is None or quiet_until is None or not is_quiet(now, quiet_from, quiet_until)


def is_quiet(now: datetime.time, begin: datetime.time, end: datetime.time) -> bool:
    """Whether a time of day lies in the hours from `begin` (included) until `end`, which may be on the next morning."""
    if begin <= end:
        return begin <= now < end
    return now >= begin or now < end
