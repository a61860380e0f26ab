"""A long run on the simulated table with everything going wrong now and then: `make soak`, or `python -m tests.soak --games 20`.

Whole games are played through session, journal, display and button while the camera is lost, the display is pulled off, the button
bounces, the board is nudged and the box is switched off and on. Vision is told the truth by the table, so that a game takes seconds; a few
games are seen by the real vision. Then the box idles for a day. Memory, file handles and threads must not grow.
"""

from __future__ import annotations

import argparse
import collections
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from ludo_hardware.simulated import SimulatedButton, SimulatedDisplay
from ludo_hardware.simulated_table import Pinhole, TableLook
from ludo_referee import screens
from ludo_referee.app.panel import Panel
from ludo_referee.app.session import Session, Sink
from ludo_referee.app.table import scene_of
from ludo_referee.config import Config
from ludo_referee.demo.autoplayer import Tally
from ludo_referee.demo.evening import DemoOptions, Evening, play_headless
from ludo_referee.gestures import Finger, feel
from ludo_referee.journal import Journal, Opening
from ludo_referee.referee.events import BoardMoved, CameraState, Gesture, Tick
from ludo_referee.referee.state import Options, Phase
from ludo_referee.screens.burn_in import rest
from ludo_referee.web.feed import Feed
from ludo_referee.web.sink import PageSink
from ludo_vision.plan import OFF_TABLE, Candidate, Scene
from ludo_vision.sightings import Counts, Found, Moving, Ranking, Sighting

STEP_S = 0.1
STILL_S = 0.8
STUCK_S = 400.0  # of simulated time without an event in the journal's sense: the game is stuck
PLAYED = (("ludo15", "classic"), ("ludo15", "indian"), ("ludo15", "family"), ("madn11", "madn"), ("parchis68", "parchis"))
COLUMNS = ("games", "throws", "cuts", "cameras", "displays", "nudges", "memory MB", "handles", "threads", "journal MB", "seconds")
MOST_GROWTH_MB = 8.0
CORNERS = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))


class Truth:
    """Vision that knows where the tokens stand: it ranks the candidate first that is true, and sees nothing while a hand is there."""

    def __init__(self, evening: SoakEvening, expected: Scene) -> None:
        self._evening, self._accepted = evening, expected
        self._question: int | None = None
        self._candidates: Sequence[Candidate] = ()
        self._started = self._supposed = False
        self._found = False
        self._seen: tuple[object, ...] | None = None
        self._still_since = 0.0
        self._told: tuple[object, ...] | None = None
        self._scene: Scene | None = None
        self.blind = False

    def prepare(self, scene: Scene) -> None:
        self._accepted, self._started = scene, False

    def suppose(self, scene: Scene) -> None:
        self._accepted, self._started, self._supposed, self._told = scene, False, True, None

    def start(self, scene: Scene) -> None:
        self._accepted, self._started, self._supposed = scene, True, False

    def ask(self, question: int, candidates: Sequence[Candidate]) -> None:
        self._question, self._candidates = question, tuple(candidates)

    def accept(self, index: int) -> None:
        self._accepted = shifted(self._accepted, self._candidates[index])

    def lose_board(self) -> None:
        """The board is to be found again."""
        self._found = False

    def see(self, t: float, moved: object) -> tuple[Sighting, ...]:
        """As the real reader; `moved` (for a picture): whether anything did since the last call."""
        if self.blind:
            return ()
        if moved or self._scene is None:
            self._scene = self._evening.scene()
        scene = self._scene
        shown = (scene, self._evening.hands.hand is not None)
        if shown != self._seen:
            self._seen, self._still_since, self._told = shown, t, None
            return (Moving(t),)
        if shown[1] or t - self._still_since < STILL_S:
            return ()
        if not self._found:
            self._found = True
            return (Found(t, CORNERS, "print", 0.02),)
        told = (self._question, scene, self._accepted, self._started)
        if told == self._told:
            return ()
        self._told = told
        if not self._started and not self._supposed:
            return (Counts(t, tuple(len(own) for own in scene), scene == self._accepted),)
        return self._rank(t, scene)

    def _rank(self, t: float, scene: Scene) -> tuple[Sighting, ...]:
        fitting = [index for index, one in enumerate(self._candidates) if may_be(scene, one) and shifted(self._accepted, one) == scene]
        if not self._candidates or self._question is None:
            return ()
        order = (*fitting, *(index for index in range(len(self._candidates)) if index not in fitting))
        scores = tuple(3.0 if index in fitting else -9.0 for index in order)
        return (Ranking(t, self._question, order, scores, 3.0 if fitting else 0.0, 0.0 if fitting else 3.0),)


def may_be(scene: Scene, candidate: Candidate) -> bool:
    """Whether tokens stand where the candidate takes them; most candidates are out of the question that soon."""
    return all(shift.destination == OFF_TABLE or shift.destination in scene[shift.seat] for shift in candidate.shifts)


def shifted(scene: Scene, candidate: Candidate) -> Scene:
    """The scene after a candidate; tokens off the table are left out."""
    spots = [list(own) for own in scene]
    for shift in candidate.shifts:
        if shift.origin in spots[shift.seat]:
            spots[shift.seat].remove(shift.origin)
        if shift.destination != OFF_TABLE:
            spots[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(own)) for own in spots)


class SoakEvening(Evening):
    """The demo's table and players without pictures, at a box that can be switched off."""

    box: Box

    def scene(self) -> Scene:
        """Where the tokens stand."""
        own: list[list[int]] = [[] for _ in self.board.seats]
        for piece in self.tabletop.pieces:
            if piece.place is not None:
                own[piece.seat].append(piece.place)
        return tuple(tuple(sorted(places)) for places in own)

    def press(self, gesture: str) -> None:
        self.box.press(gesture)

    def _drawn(self) -> np.ndarray:
        return np.zeros((1, 1, 3), dtype=np.uint8)


class Keeper(Sink):
    """The journal's place among the sinks."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.last_t = 0.0

    def accepted(self, event, notices, state):  # type: ignore[no-untyped-def]
        self._journal.append(event, notices, state)
        if notices or isinstance(event, Gesture):
            self.last_t = event.t


class Box:
    """Everything that is lost when the power is cut: made anew at each start, from the journal."""

    def __init__(self, folder: Path, evening: SoakEvening, chance: random.Random, first: bool) -> None:
        self._evening, self._chance = evening, chance
        self.journal = Journal.open(folder)
        unfinished = None if first else self.journal.unfinished()
        if unfinished is None:
            referee = evening.session._referee
            opening = Opening.of(referee, referee.begin(evening.t)[0])
            self.journal.begin_game(opening)
        else:
            opening = msgspec.structs.replace(unfinished.goes_on(), options=Options(compare=True))
            self.journal.resume_game(opening)
        self.display = SimulatedDisplay()
        self.panel = Panel(self.display, Config())
        self.button = SimulatedButton()
        self._edges: collections.deque[tuple[float, bool]] = collections.deque()
        self._due: collections.deque[tuple[float, bool]] = collections.deque()
        self.button.listen(lambda t, pressed: self._edges.append((t, pressed)))
        self._finger = Finger()
        self.keeper = Keeper(self.journal)
        self.keeper.last_t = evening.t
        page = PageSink(Feed(), evening.board, "en")
        referee = opening.referee()
        self.reader = evening.reader = Truth(evening, scene_of(referee.board, opening.start.steps))
        sinks = (self.keeper, evening.autoplayer, self.panel, page)
        evening.session = Session(referee, self.reader, lambda: chance.randint(1, 6), sinks, t=evening.t)
        evening.autoplayer.resume(opening.start)

    def press(self, gesture: str) -> None:
        """A press with contacts that bounce at both ends."""
        t, held = self._evening.t, {"tap": 0.08, "hold": 2.2}[gesture]
        for begin, level in ((t, True), (t + held, False)):
            bounces = sorted(self._chance.uniform(0, 0.012) for _ in range(2 * self._chance.randint(0, 3)))
            self._due.append((begin, level))
            self._due.extend((begin + 0.001 + bounce, level ^ (number % 2 == 0)) for number, bounce in enumerate(bounces))

    def hear(self, t: float) -> None:
        """What the button did until now becomes gestures, as in the service."""
        while self._due and self._due[0][0] <= t:
            edge_t, level = self._due.popleft()
            (self.button.press if level else self.button.release)(edge_t)
        for edge_t, level in [*self._edges, (t, self.button.pressed())]:
            self._finger, heard = feel(self._finger, edge_t, level)
            for _, kind in heard:
                self._evening.session.happen(Gesture(t, kind))
        self._edges.clear()

    def decide(self) -> None:
        """The table is not as it was: the next answer is looked at, or this one taken, and the tokens are put as it says."""
        if self._chance.random() < 0.3:
            self._evening.press("tap")
            return
        self._evening.session.happen(Gesture(self._evening.t, "hold"))
        self._evening.autoplayer.resume(self._evening.session.state.game)

    def switch_off(self) -> None:
        self.panel.close()
        self.button.close()
        self.display.close()
        self.journal.close()


class Troubles:
    """What goes wrong, when: drawn for each game."""

    def __init__(self, chance: random.Random, counts: collections.Counter[str]) -> None:
        self._chance, self._counts = chance, counts
        self._ends: list[tuple[float, str]] = []

    def come(self, evening: SoakEvening, folder: Path, t: float) -> None:
        """Perhaps something goes wrong at this instant; what went wrong ends."""
        box = evening.box
        for end, what in [one for one in self._ends if one[0] <= t]:
            self._ends.remove((end, what))
            self._end(evening, what, t)
        if self._ends or self._chance.random() > 0.001 or not evening.session.state.started:
            return
        what = self._chance.choice(("camera", "display", "nudge", "power"))
        self._counts[what] += 1
        match what:
            case "camera":
                box.reader.blind = True
                evening.session.happen(CameraState(t, "lost"))
                self._ends.append((t + self._chance.uniform(2, 15), what))
            case "display":
                box.display.lose()
                self._ends.append((t + self._chance.uniform(2, 30), what))
            case "nudge":
                evening.session.happen(BoardMoved(t))
                box.reader.lose_board()
            case "power":
                box.switch_off()
                evening.box = Box(folder, evening, self._chance, first=False)

    def _end(self, evening: SoakEvening, what: str, t: float) -> None:
        if what == "camera":
            evening.box.reader.blind = False
            evening.session.happen(CameraState(t, "back"))
        else:
            evening.box.display.connect()


def play(number: int, folder: Path, counts: collections.Counter[str], until_s: float = float("inf")) -> SoakEvening:
    """One whole game with its troubles, or so many simulated seconds of it. Raises SystemExit when it gets stuck."""
    board, preset = PLAYED[number % len(PLAYED)]
    chance = random.Random(f"soak {number}")
    unseen = TableLook(camera=Pinhole(width=16, height=12))  # nobody looks at the pictures
    evening = SoakEvening(DemoOptions(board=board, preset=preset, seed=number, look=unseen), [], reader=lambda evening: Truth(evening, ()))  # type: ignore[arg-type]
    evening.box = Box(folder, evening, chance, first=True)
    troubles = Troubles(chance, counts)
    step = 0
    while not evening.autoplayer.over and step * STEP_S < until_s:
        t = evening.t = step * STEP_S
        moved = evening.hands.advance(t)
        for sighting in evening.reader.see(t, moved):  # type: ignore[arg-type]
            evening.session.sighted(sighting)
        evening.box.hear(t)
        if step % 3 == 0:
            evening.session.happen(Tick(t))
        troubles.come(evening, folder, t)
        act(evening, t)
        if t - evening.box.keeper.last_t > STUCK_S:
            state = evening.session.state
            sys.exit(f"game {number} ({board}, {preset}) is stuck at {t:.0f} s: {state.phase}, {state.shown}")
        step += 1
    counts["throws"] += evening.autoplayer.tally.rolls
    return evening


def act(evening: SoakEvening, t: float) -> None:
    """The players act; after a break they set the table up again and press."""
    state = evening.session.state
    if evening.autoplayer.stuck:
        evening.autoplayer.resume(state.game)
    if state.started:
        evening.autoplayer.act(t)
    elif state.choosing is not None and state.choosing.question == "restore":
        if round(t / STEP_S) % 30 == 0:
            evening.box.decide()
    elif state.phase is Phase.SETTING_UP and not evening.hands.busy and round(t / STEP_S) % 30 == 0:
        if state.ready or state.compared is not None:
            evening.press("tap")
        elif evening.scene() != scene_of(evening.board, state.game.steps):  # a hand went on after the power was cut
            evening.autoplayer.resume(state.game)


def idle(evening: SoakEvening, hours: float) -> None:
    """Nobody comes for so long: ticks, and the display as it rests."""
    display = Config().display
    begin = evening.t
    for number in range(int(hours * 3600 * 4)):
        t = evening.t = begin + number / 4
        evening.session.happen(Tick(t))
        if number % 240 == 0:
            spared = rest(t - begin, display.dim_after_s, display.off_after_s)
            screens.draw(evening.session.state.shown, (128, 64), t - begin, "en", spared.shift)


def usage() -> tuple[float, int, int]:
    """Resident memory in MB, open file handles, threads."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(os.listdir("/proc/self/fd")), threading.active_count()


def main(argv: Sequence[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=200, help="told the truth by the table (default: %(default)s)")
    arguments.add_argument("--seen", type=int, default=2, help="seen by the real vision (default: %(default)s)")
    arguments.add_argument("--hours", type=float, default=24.0, help="of idling (default: %(default)s)")
    wanted = arguments.parse_args(argv)
    counts: collections.Counter[str] = collections.Counter()
    began, figures = time.monotonic(), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("".join(f"  {title}" for title in COLUMNS), flush=True)
        for number in range(wanted.games):
            evening = play(number, folder, counts)
            if (number + 1) % 10 == 0 or number + 1 == wanted.games:
                figures.append(usage())
                memory, handles, threads = figures[-1]
                size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
                row = (number + 1, counts["throws"], counts["power"], counts["camera"], counts["display"], counts["nudge"],
                       f"{memory:.1f}", handles, threads, f"{size:.1f}", f"{time.monotonic() - began:.0f}")  # fmt: skip
                print("".join(f"{cell:>{len(title) + 2}}" for cell, title in zip(row, COLUMNS, strict=True)), flush=True)
            if number + 1 < wanted.games:
                evening.box.switch_off()
        before = usage()
        idle(evening, wanted.hours)
        after = usage()
        print(f"{wanted.hours:g} hours of idling: memory {before[0]:.1f} → {after[0]:.1f} MB, handles {before[1]} → {after[1]},"
              f" threads {before[2]} → {after[2]}", flush=True)
        evening.box.switch_off()
    if wanted.seen:
        tally: Tally = play_headless(DemoOptions(seed=1), wanted.seen, [])
        print(f"seen by the real vision:\n{tally}")
    return verdict([*figures, before, after])


def verdict(figures: Sequence[tuple[float, int, int]]) -> int:
    """0 when nothing grew after the first quarter, which fills caches."""
    first, last = figures[len(figures) // 4], figures[-1]
    grown = [f"{what} grew from {a:g} to {b:g}" for what, a, b, most in zip(
        ("memory (MB)", "file handles", "threads"), first, last, (MOST_GROWTH_MB, 0, 0), strict=True) if b - a > most]  # fmt: skip
    print("\n".join(grown) or "nothing grew")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
