"""What the referee says, as values; `record` gives the JSON object of RECORDINGS.md."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Base of all notices; `t` is the second at which it was decided. Subclasses are named after the event they print."""

    t: float

    def record(self) -> dict[str, object]:
        """The JSON object, `t` and `event` first."""
        raise NotImplementedError
