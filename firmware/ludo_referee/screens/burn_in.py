"""How an OLED is spared: it dims, wanders by some pixels and goes out when nobody plays. Its pixels age with the light they gave."""

from __future__ import annotations

from dataclasses import dataclass

SHIFT_EVERY_S = 60.0
DIMMED = 0.05

# Where the picture stands in units of the reach: neighbours in time are neighbours in space, and every pixel has its rest.
WANDER = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
READ_PX, DIMMED_PX = 1, 3
"""While people may still read it a picture that fills the display loses no more than a pixel at an edge."""


@dataclass(frozen=True, slots=True)
class Rest:
    """How the display is to be driven: `level` 0 (off) … 1 (as configured), `shift` for `draw` in pixels right and down."""

    level: float
    shift: tuple[int, int]


def rest(idle_s: float, dim_after_s: float = 120.0, off_after_s: float = 600.0) -> Rest:
    """How to drive the display so many seconds after the last press or change at the table.

    A dimmed display can be read, so a press acts; one that is off is only woken up by the press.
    """
    if idle_s >= off_after_s:
        return Rest(0.0, (0, 0))
    across, down = WANDER[int(idle_s // SHIFT_EVERY_S) % len(WANDER)]
    reach = READ_PX if idle_s < dim_after_s else DIMMED_PX
    return Rest(1.0 if idle_s < dim_after_s else DIMMED, (across * reach, down * reach))
