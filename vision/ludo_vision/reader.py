"""The whole of vision behind one door: pictures and expectations in, sightings out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .plan import Candidate, Plan, Point, Scene
from .sightings import Sighting

Picture = NDArray[np.uint8]


class TableReader:
    """Watches one table. All calls come from one thread; time is the caller's. Same calls, same answers, bit for bit.

    The order of calls: `see` pictures (the board is found, before the start the tokens in yards are counted); `start(scene)` when the
    first die is thrown: the last still picture shows that scene, palette and references are learned from it; then `ask` whenever the
    question changes, and `accept` when the referee accepted a candidate of the last ranking.
    """

    def __init__(self, plan: Plan, *, corners: Sequence[Point] | None = None, expected: Scene | None = None) -> None:
        raise NotImplementedError

    def see(self, t: float, picture: Picture) -> tuple[Sighting, ...]:
        """What can be said after this picture; () when nothing new. Raises VisionError for a picture that is no picture."""
        raise NotImplementedError

    def prepare(self, expected: Scene) -> None:
        """A new game is set up at this table: count the tokens in the yards again, until `start`. What was learned of the board stays."""
        raise NotImplementedError

    def start(self, scene: Scene) -> None:
        """The last still picture shows this scene. Raises VisionError when there was none yet."""
        raise NotImplementedError

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        """From now on weigh still pictures against these; the present still picture is weighed again at the next `see`."""
        raise NotImplementedError

    def accept(self, index: int) -> None:
        """Candidate `index` of the current question is what the last still picture shows: it is the new accepted scene."""
        raise NotImplementedError
