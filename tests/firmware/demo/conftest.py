"""A reader that sees where the tokens really stand, so that the players can be tested without vision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ludo_referee.app.table import scene_of
from ludo_referee.demo.evening import Evening
from ludo_vision.plan import OFF_TABLE, Candidate, Scene
from ludo_vision.sightings import Counts, Found, Moving, Ranking, Sighting

STILL_S = 0.75


class Seer:
    """Weighs candidates by the truth. `blind_to`: messages of moves it pretends not to see, for players who must be patient."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.scene: Scene | None = None
        self.question: tuple[int, tuple[Candidate, ...]] | None = None
        self.picture: object = None
        self.since = 0.0
        self.found = self.fresh = False

    def see(self, t: float, picture: object) -> tuple[Sighting, ...]:
        if picture is not self.picture:
            self.picture, self.since, self.fresh = picture, t, True
            return (Moving(t),)
        if t - self.since < STILL_S or self.evening.hands.hand is not None or not self.fresh:
            return ()
        self.fresh = False
        found: tuple[Sighting, ...] = ()
        if not self.found:
            self.found = True
            found = (Found(t, self.evening.table.corners, "given", 0.0),)
        if self.scene is None:
            start = scene_of(self.evening.board, self.evening.game.begin().steps)
            return (*found, Counts(t, tuple(len(own) for own in start), self.standing() == start))
        return (*found, *self.weigh(t))

    def weigh(self, t: float) -> tuple[Sighting, ...]:
        if self.question is None or self.scene is None:
            return ()
        number, candidates = self.question
        standing = self.standing()
        scores = [3.0 - 0.01 * c.penalty if shifted(self.scene, c) == standing else -c.penalty for c in candidates]
        order = tuple(sorted(range(len(candidates)), key=lambda index: -scores[index]))
        others = [scores[index] for index in order if candidates[index].message != candidates[order[0]].message]
        lead = scores[order[0]] - max(others, default=-9.0)
        return (Ranking(t, number, order, tuple(scores[i] for i in order), lead, 0.0 if scores[order[0]] > 1 else 9.0),)

    def standing(self) -> Scene:
        own: list[list[int]] = [[] for _ in self.evening.board.seats]
        for piece in self.evening.tabletop.pieces:
            own[piece.seat].append(OFF_TABLE if piece.place is None else piece.place)
        return tuple(tuple(sorted(spots)) for spots in own)

    def prepare(self, scene: Scene) -> None:
        self.scene, self.fresh = None, True

    def suppose(self, scene: Scene) -> None:
        raise AssertionError("a demo has no breaks")

    def start(self, scene: Scene) -> None:
        self.scene, self.fresh = scene, True

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        self.question, self.fresh = (question, tuple(candidates)), True

    def accept(self, index: int) -> None:
        assert self.question is not None
        assert self.scene is not None
        self.scene = shifted(self.scene, self.question[1][index])
        self.question = None


def shifted(scene: Scene, candidate: Candidate) -> Scene | None:
    own = [list(spots) for spots in scene]
    for shift in candidate.shifts:
        if shift.origin not in own[shift.seat]:
            return None
        own[shift.seat].remove(shift.origin)
        own[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(spots)) for spots in own)


@pytest.fixture
def seer() -> Callable[[Evening], Seer]:
    return Seer
