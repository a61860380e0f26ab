"""What vision says, in the referee's terms."""

from __future__ import annotations

from ludo_referee.app.session import LISTED, events_of
from ludo_referee.referee.events import Ranked
from ludo_vision.sightings import Ranking


def test_candidates_far_behind_the_best_are_not_told() -> None:
    scores = (5.0, 4.0, 5.0 - LISTED, 4.9 - LISTED, -40.0)
    ranking = Ranking(7.0, 3, (12, 0, 4, 9, 2), scores, 1.0, 0.2)
    assert events_of(ranking, started=True) == (Ranked(7.0, 3, 12, 1.0, 0.2, ((12, 5.0), (0, 4.0), (4, -1.0))),)
