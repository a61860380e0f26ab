"""The whole of vision behind one door: pictures and expectations in, sightings out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .counts import YardCounter, as_expected
from .errors import BoardNotFound, VisionError
from .gate import Gate
from .learning import accept, learn, learn_again, recall
from .light import Mask
from .memory import Memory
from .nudge import Follower, is_a_nudge
from .placing import Placer
from .plan import OFF_TABLE, Candidate, Plan, Point, Scene
from .pose import View
from .reading import Look
from .register import check_colours, find_board, from_corners
from .registration import Registration
from .sightings import Counts, Found, Moving, NotFound, Ranking, Sighting, Unclear
from .steady import Steady
from .table import Table
from .verdict import Verdict, rank, tokens_after

Picture = NDArray[np.uint8]
Prepared = tuple[Picture, NDArray[np.bool_]]

STILL_S = 0.8
STEADY_S = 0.45  # before the decision: the pictures of a noisy camera are added up for so long, when what was set down no longer rocks
NOISY = 2.0  # levels of noise in a camera's picture of 320 pixels: more is worth some work
AS_ACCEPTED = 4.0  # silhouettes: the lead of "nothing moved" in the accepted picture itself, about what a token's absence brings
SEEK_SOONEST_S, SEEK_LATEST_S = 3.0, 30.0  # a board that is not found is sought again after that, and only in another picture
UNREADABLE = {"too_dark": "light", "too_bright": "light", "blurred": "blur"}  # hints that say nothing of the board
REMEMBERED = 4  # still pictures before the start: they may show places bare


class TableReader:
    """Watches one table. All calls come from one thread; time is the caller's. Same calls, same answers, bit for bit.

    The order of calls: `see` pictures (the board is found, before the start the tokens in yards are counted); `start(scene)` when the
    first die is thrown: the last still picture shows that scene, palette and references are learned from it; then `ask` whenever the
    question changes, and `accept` when the referee accepted a candidate of the last ranking. After a break `suppose` and `ask` come before
    `start`: how the table differs from what it should show; a new reader is first told (`remember`) what the one before knew (`memory`).
    """

    def __init__(
        self, plan: Plan, *, corners: Sequence[Point] | None = None, expected: Scene | None = None, still_s: float = STILL_S
    ) -> None:
        self._plan, self._corners, self._still_s = plan, corners, still_s
        self._expected = expected
        self._gate = Gate()
        self._steady = Steady()  # of the pictures since the last motion
        self._added = False  # the newest picture is in it
        self._once_more_t = math.inf  # when a still picture that had to be judged alone is judged again, together with those after it
        self._picture: Picture | None = None
        self._moved_t = 0.0
        self._judged = False  # this still picture, for this question
        self._as_accepted = False  # this still picture is the one that was accepted
        self._awaited: Scene | None = None  # the scene to start from, when a still picture has come
        self._supposed: Scene | None = None  # the scene that the table should show after a break
        self._memory: Memory | None = None  # what was known of the table before the break
        self._registration: Registration | None = None  # of the still picture seen last
        self._located: Picture | None = None  # the picture that `registration` is of
        self._follower: Follower | None = None  # from the picture in which the board was found last
        self._view: View | None = None
        self._before: list[Prepared] = []
        self._brought: Picture | None = None  # the picture that the last of these is of
        self._sight: tuple[Placer, Mask] | None = None  # what it says, when it is compared with what it should show
        self._counter: YardCounter | None = None  # before the start
        self._bare: Prepared | None = None  # the yards without tokens, if they were seen so
        self._told_counts: tuple[tuple[int | None, ...], tuple[int, ...]] = (None,) * len(plan.yards), ()
        self._table: Table | None = None
        self._question = 0
        self._candidates: tuple[Candidate, ...] = ()
        self._verdict: tuple[Look, Placer, Verdict] | None = None
        self._missing: str | None = None  # the hint told last while the board is not found
        self._lost = False  # it was told that the board is not found
        self._sought_t = 0.0  # when it was sought last

    def see(self, t: float, picture: Picture) -> tuple[Sighting, ...]:
        """What can be said after this picture; () when nothing new. Raises VisionError for a picture that is no picture."""
        if picture is not self._picture:
            if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
                raise VisionError(f"a picture must be (height, width, 3) uint8, this is {picture.shape} {picture.dtype}")
            self._picture, self._added = picture, False
            if self._gate.moved(picture):
                self._moved(t)
                return (Moving(t),)
            if self._missing is not None and t - self._sought_t >= self._seek_s():
                self._judged = False
            if self._judged and self._gate.changed():
                self._moved(t)
            if t - self._moved_t >= self._still_s - STEADY_S and not (self._judged and self._once_more_t == math.inf):
                self._add(picture)
        if t >= self._once_more_t:
            self._judged, self._once_more_t = self._steady.count < 2, math.inf
        if self._judged or t - self._moved_t < self._still_s:
            return ()
        self._judged = True
        said = self._judge(t, picture)
        self._gate.mark()
        return said

    def glance(self, small: Picture) -> bool:
        """Whether a small grey picture (h, about 320) of the camera's own says that no whole one need be seen: nothing is to be judged, and
        it shows what the glance just before the last whole picture did."""
        return self._gate.glance(small) and self._judged and self._missing is None and self._once_more_t == math.inf

    def _moved(self, t: float) -> None:
        self._moved_t, self._judged, self._as_accepted = t, False, False
        self._steady.forget()
        self._once_more_t = math.inf

    def _add(self, picture: Picture) -> None:
        """Add a still picture to those that the next decision looks at together, where there is noise worth it."""
        if self._follower is None or self._view is None or self._registration is None or self._gate.noise() <= NOISY:
            return
        if not self._steady:  # all are brought by the board's place in the first of them
            registration = self._follower.follow(_grey(picture))
            if registration is None:  # as `_locate` will find
                return
            self._registration = registration
        self._steady.add(self._view.bring(picture, self._registration)[0], self._view.square)
        self._added = True

    def prepare(self, expected: Scene) -> None:
        """A new game is set up at this table: count the tokens in the yards again, until `start`. What was learned of the board stays."""
        self._expected, self._table, self._verdict, self._candidates = expected, None, None, ()
        self._before, self._judged, self._as_accepted, self._awaited, self._supposed = [], False, False, None, None
        self._memory = self._brought = self._sight = None

    def memory(self) -> str | None:
        """What is known of the table, numbers as JSON for `remember` after a break; None before the start."""
        return None if self._table is None else self._table.memory().to_text(self._plan)

    def remember(self, memory: str) -> None:
        """Before `suppose`: what `memory` said of this table. Raises VisionError for what is of another version or board, or damaged."""
        self._memory = Memory.from_text(memory, self._plan)

    def suppose(self, scene: Scene) -> None:
        """After a break the table should show this scene: still pictures are weighed by sight alone, until `start`."""
        if self._table is not None:
            self._memory = self._table.memory()
        self._supposed, self._table, self._verdict, self._judged, self._as_accepted = scene, None, None, False, False
        self._brought = self._sight = None

    def start(self, scene: Scene) -> None:
        """The last still picture shows this scene; where there was none yet, the next one will."""
        self._awaited, self._supposed, self._judged = scene, None, False
        if self._view is not None and self._before:
            self._learn()

    def _learn(self) -> None:
        assert self._view is not None
        assert self._awaited is not None
        if self._memory is not None and self._memory.knows(self._awaited):
            self._table = learn_again(self._plan, self._view, self._awaited, self._before[-1], self._memory)
        else:
            self._table = learn(self._plan, self._view, self._awaited, self._before)
        if self._counter is not None:  # it takes room: the next game begins with another
            self._bare, self._counter = self._counter.bare, None
        self._memory = self._sight = None
        self._before, self._awaited, self._as_accepted, self._once_more_t = [], None, True, math.inf

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        """From now on weigh still pictures against these; the present still picture is weighed again at the next `see`."""
        self._question, self._candidates, self._judged = question, tuple(candidates), False

    def accept(self, index: int) -> None:
        """Candidate `index` of the question weighed last is what the last still picture shows: it is the new accepted scene."""
        candidate = self._candidates[index]
        if self._table is None or (self._verdict is None and candidate.shifts):
            raise VisionError("nothing was weighed yet that could be accepted")
        if self._verdict is None:
            return  # nothing moved, and the picture is the accepted one
        look, placer, verdict = self._verdict
        accept(self._table, look, _scene_after(self._table.scene, candidate), tokens_after(placer, verdict, candidate))
        self._verdict, self._as_accepted, self._once_more_t = None, True, math.inf

    # --- still pictures ------------------------------------------------------------------------------------------------------

    def _judge(self, t: float, picture: Picture) -> tuple[Sighting, ...]:
        unmoved = next((index for index, candidate in enumerate(self._candidates) if not candidate.shifts), None)
        if self._as_accepted and unmoved is not None:  # the very picture that everything is compared with
            return (Ranking(t, self._question, (unmoved,), (0.0,), AS_ACCEPTED, 0.0),)
        found = self._locate(t, picture)
        if self._registration is None or self._view is None:
            return found
        prepared = self._prepared(t, picture)
        if self._table is None:
            if picture is not self._brought:
                self._brought, self._sight = picture, None
                self._before = [*self._before, prepared][-REMEMBERED:]
            if self._supposed is not None and self._candidates:
                return (*found, self._compared(t, self._supposed))
            if self._awaited is None:
                return (*found, *self._counted(t, prepared))
            self._learn()
            return found
        if not self._candidates:
            return found
        self._verdict = None  # it holds a whole picture's evidence: no room for two
        look = self._table.ready(*prepared)
        placer = Placer(self._table.standing, self._table.evidence(look), self._table.feet)
        verdict = rank(placer, self._candidates, self._table.board)
        self._verdict = (look, placer, verdict)
        return (*found, Ranking(t, self._question, verdict.order, verdict.scores, verdict.lead, verdict.unexplained, verdict.gone))

    def _prepared(self, t: float, picture: Picture) -> Prepared:
        """The working picture, with what of it is not seen; where there is noise, the mean of those since the last motion."""
        assert self._view is not None
        assert self._registration is not None
        working, unseen = self._view.bring(picture, self._registration)
        if self._added:
            return self._steady.mean, unseen
        if not self._steady:
            if self._gate.noise() <= NOISY:
                return working, unseen
            self._once_more_t = t + STEADY_S
        self._added = True
        return self._steady.add(working, self._view.square), unseen

    def _compared(self, t: float, scene: Scene) -> Ranking:
        """What the table shows by sight alone. Where nothing is remembered of it, colours are learned as if it showed the scene: wrongly
        so if a token stands elsewhere, and then in favour of the scene; what leads against it leads all the more."""
        if self._sight is None:
            assert self._view is not None
            if self._memory is not None and self._memory.knows(scene):
                table = recall(self._plan, self._view, scene, self._before[-1], self._memory)
            else:
                table = learn(self._plan, self._view, scene, self._before)
            self._sight = Placer(table.standing, table.evidence_by_sight(table.accepted), table.feet), table.board
        verdict = rank(self._sight[0], self._candidates, self._sight[1], by_sight=True)
        return Ranking(t, self._question, verdict.order, verdict.scores, verdict.lead, 0.0)

    def _counted(self, t: float, prepared: Prepared) -> tuple[Counts, ...]:
        """The tokens in the yards; () while nothing is known of them, and in a game that goes on."""
        expected = self._expected or tuple((yard,) for yard in self._plan.yards)
        if any(set(places) - {yard} for places, yard in zip(expected, self._plan.yards, strict=True)):
            return ()
        if self._counter is None:
            assert self._view is not None
            self._counter = YardCounter(self._plan, self._view)
            if self._bare is not None:
                self._counter.count(*self._bare)
        counts, strangers = self._counter.count(*prepared), self._counter.strangers
        if (counts, strangers) == self._told_counts:
            return ()
        self._told_counts = counts, strangers
        return (Counts(t, counts, not strangers and as_expected(self._plan, expected, counts), strangers),)

    def _locate(self, t: float, picture: Picture) -> tuple[Sighting, ...]:
        """Find the board at first, follow its nudges later; told when it is found, not found, or elsewhere."""
        if picture is self._located:
            return ()
        if self._steady.count > 1:  # found since the last motion, and nothing is otherwise since
            self._located = picture
            return ()
        self._steady.forget()
        self._added = False
        grey = _grey(picture)
        registration = None if self._follower is None else self._follower.follow(grey)
        if registration is None:
            try:
                registration = self._found(picture)
            except BoardNotFound as missing:
                return self._not_found(t, missing.hint)
            near = self._follower is not None and is_a_nudge(self._follower.registration, registration)
            self._follower = Follower(grey, registration)
            self._gate.watch(registration)
        else:
            near = True
        silent, self._lost, self._missing = near and not self._lost, False, None
        self._registration, self._located = registration, picture
        if self._view is None:
            self._view = View.of(registration)
        if silent:
            return ()
        corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in registration.corners(self._plan))
        a, b, c, d = corners
        return (Found(t, (a, b, c, d), registration.how, registration.residual_squares),)

    def _found(self, picture: Picture) -> Registration:
        """The board sought in a picture. Raises BoardNotFound."""
        if self._follower is None and self._corners is not None:
            registration = from_corners(picture, self._plan, self._corners)
            check_colours(picture, registration, self._plan)
            return registration
        return find_board(picture, self._plan)

    def _seek_s(self) -> float:
        """After how long a missing board is sought again: that takes long, so more and more seldom while nothing moves."""
        return min(max(SEEK_SOONEST_S, self._sought_t - self._moved_t), SEEK_LATEST_S)

    def _not_found(self, t: float, hint: str) -> tuple[Sighting, ...]:
        """Told once: in a game a picture that shows nothing does not say that the board is gone."""
        self._registration, self._sought_t, self._located = None, t, None
        told, self._missing = self._missing, hint
        if told == hint:
            return ()
        if self._table is not None and hint in UNREADABLE:
            return (Unclear(t, UNREADABLE[hint]),)
        self._lost = True
        return (NotFound(t, hint),)


def _grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _scene_after(scene: Scene, candidate: Candidate) -> Scene:
    seats = [list(places) for places in scene]
    for shift in candidate.shifts:
        if shift.origin != OFF_TABLE:
            seats[shift.seat].remove(shift.origin)
        if shift.destination != OFF_TABLE:
            seats[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(places)) for places in seats)
