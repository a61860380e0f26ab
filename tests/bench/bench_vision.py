"""Seeing: how long the gate and a whole reading take, on drawn pictures of 1280x960.

Time is told as a ratio to a floor measured in turn with it, so that a busy machine slows both. The gate's floor is one resize to
320x240 and one absdiff (aim 2); a reading's is one full-frame BGR->Lab and one 600x600 warpPerspective (aim 8). The floors use every
core there is, so the clock's ratio grows with the cores and says how long people wait; the processor's is the same on all machines and
says what the work costs. Each round's parts are told too, and the memory that ten thousand pictures leave behind.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
from table_drawn import SQUARES, Table

from ludo_vision.gate import Gate
from ludo_vision.learning import learn
from ludo_vision.nudge import Follower
from ludo_vision.placing import Placer
from ludo_vision.plan import OFF_TABLE, Candidate, Scene, Shift
from ludo_vision.pose import View
from ludo_vision.registration import Registration
from ludo_vision.verdict import rank

ROUNDS = 15
PICTURES = 10_000
GATE_AIM, READING_AIM, MEMORY_AIM_MB = 2.0, 8.0, 150


def main() -> None:
    table = Table()
    table = replace(table, view=replace(table.view, size=(1280, 960), tilt=20.0))
    plan = table.plan()
    green, yellow, blue, red = plan.yards
    scene: Scene = (
        (SQUARES[(6, 3)], SQUARES[(9, 8)], green, green), (SQUARES[(2, 8)], SQUARES[(7, 9)], yellow, yellow),
        (SQUARES[(8, 12)], SQUARES[(4, 6)], blue, blue), (SQUARES[(12, 6)], SQUARES[(14, 7)], red, red),
    )
    moved = ((SQUARES[(6, 5)], SQUARES[(9, 8)], green, green), *scene[1:])
    picture, later = table.picture(scene, seed=1), table.picture(moved, seed=2)
    _gate(picture, later)
    _reading(table, scene, moved, picture, later)
    _memory(table, scene, picture, later)


def _gate(picture: np.ndarray, later: np.ndarray) -> None:
    gate, small = Gate(), cv2.resize(picture, (320, 240))

    def floor() -> None:
        cv2.absdiff(cv2.resize(later, (320, 240)), small)

    print(f"gate: {_ratio(lambda: gate.moved(later), floor)} (resize to 320x240 + absdiff), aim {GATE_AIM:.0f}")
    tracemalloc.start()
    gate.moved(later)
    gate.moved(picture)
    before = tracemalloc.get_traced_memory()[0]
    for number in range(PICTURES):
        gate.moved(later if number % 2 else picture)
    print(f"gate: {(tracemalloc.get_traced_memory()[0] - before) / 1024:.1f} KB more after {PICTURES} pictures, aim 0")
    tracemalloc.stop()


def _reading(table: Table, scene: Scene, moved: Scene, picture: np.ndarray, later: np.ndarray) -> None:
    plan = table.plan()
    registration = Registration.from_corners(table.corners(), plan.size, (1280, 960))
    view = View.of(registration)
    began = time.perf_counter()
    known = learn(plan, view, scene, [view.bring(picture, registration)])
    print(f"learning the table at the start: {time.perf_counter() - began:.2f} s")
    options = _asked(scene, moved, len(plan.spots))
    follower = Follower(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), registration)
    bend = np.array([[0.9, 0.1, 20], [-0.1, 0.9, 60], [1e-5, 2e-5, 1.0]])

    def floor() -> None:
        cv2.cvtColor(later, cv2.COLOR_BGR2Lab)
        cv2.warpPerspective(later, bend, (600, 600))

    def located() -> Registration:
        return follower.follow(cv2.cvtColor(later, cv2.COLOR_BGR2GRAY)) or registration

    place = located()
    working = view.bring(later, place)
    look = known.ready(*working)
    evidence = known.evidence(look)
    parts: list[tuple[str, Callable[[], object]]] = [
        ("following the board", located), ("working picture", lambda: view.bring(later, place)),
        ("light and Lab", lambda: known.ready(*working)),
        ("evidence", lambda: known.evidence(look)),
        (f"verdict over {len(options)} candidates", lambda: rank(Placer(known.standing, evidence, known.feet), options, known.board)),
    ]

    def whole() -> None:
        seen = known.ready(*view.bring(later, located()))
        rank(Placer(known.standing, known.evidence(seen), known.feet), options, known.board)

    print(f"reading and verdict: {_ratio(whole, floor)} (BGR->Lab + warpPerspective 600x600), aim {READING_AIM:.0f}")
    for name, part in parts:
        print(f"  {name}: {_ratio(part, floor)}")


def _asked(scene: Scene, moved: Scene, spots: int) -> list[Candidate]:
    """What a game asks about, in number and kind: nothing moved; what the throw allows; the mover's tokens set down anywhere else;
    another's taken away."""
    gone, come = (min(set(one[0]) - set(other[0])) for one, other in ((scene, moved), (moved, scene)))
    shifts = [Shift(0, gone, come), *(Shift(0, origin, end) for origin in sorted(set(scene[0])) for end in range(spots)
                                      if end not in (origin, come) or origin not in (gone, end))]
    shifts += [Shift(seat, place, OFF_TABLE) for seat in range(1, len(scene)) for place in sorted(set(scene[seat]))]
    return [Candidate(0, (), 0.0, True), *(Candidate(number, (shift,), 0.25 if number < 3 else 1.95, number < 3)
                                           for number, shift in enumerate(shifts, 1))]


def _memory(table: Table, scene: Scene, picture: np.ndarray, later: np.ndarray) -> None:
    """The memory of a process that does nothing but see, and gives back what that took as the camera's process does (drawing takes more
    than seeing): one token goes and comes, again and again."""
    with tempfile.TemporaryDirectory() as folder:
        for name, shown in (("before", picture), ("after", later)):
            shown.tofile(f"{folder}/{name}")
        with open(f"{folder}/table.pickle", "wb") as file:
            pickle.dump((table.plan(), table.corners(), scene, picture.shape, PICTURES), file)
        told = subprocess.run([sys.executable, "-c", _SEE, folder], capture_output=True, text=True, check=True).stdout.split()
    moves, peak, grown = (int(word) for word in told)
    print(f"peak memory of a process that sees: {peak / 1024:.0f} MB, aim {MEMORY_AIM_MB}")
    print(f"  {grown / 1024:.1f} MB more after {PICTURES} pictures with {moves} accepted moves than after a tenth of them, aim 0")


_SEE = """
import pickle, sys
import numpy as np
from ludo_referee.app.worker import give_back
from ludo_vision.plan import Candidate, Shift
from ludo_vision.reader import TableReader
from ludo_vision.sightings import Moving, Ranking
folder = sys.argv[1]
plan, corners, scene, shape, pictures = pickle.load(open(folder + "/table.pickle", "rb"))
reader, t, moves = TableReader(plan, corners=corners), 0.0, 0
def memory(name):
    # not getrusage: its peak counts the parent's
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))
def show(name, number):
    global t
    said = []
    for _ in range(number):
        t += 0.1
        seen = reader.see(t, np.fromfile(f"{folder}/{name}", dtype=np.uint8).reshape(shape))
        if any(not isinstance(sighting, Moving) for sighting in seen):
            give_back()
        said += seen
    return said
def others(scene):
    return [(Shift(seat, place, end),) for seat, places in enumerate(scene) for place in set(places) for end in range(52) if end != place]
show("before", 15)
reader.start(scene)
give_back()
(origin,) = [place for place in scene[0] if plan.spots[place].centre == (3.5, 6.5)]
(goal,) = [place for place, spot in enumerate(plan.spots) if spot.centre == (5.5, 6.5)]
while (moves + 1) * 50 <= pictures:
    forward = moves % 2 == 0
    shifts = (Shift(0, origin, goal) if forward else Shift(0, goal, origin),)
    now = (tuple(goal if place == origin and not forward else place for place in scene[0]), *scene[1:])
    options = [(), shifts] + [other for other in others(now) if other != shifts]
    reader.ask(moves, [Candidate(number, option, 0.5 * len(option)) for number, option in enumerate(options)])
    ranking = [said for said in show("after" if forward else "before", 50) if isinstance(said, Ranking)][-1]
    assert ranking.order[0] == 1, (moves, ranking)
    reader.accept(1)
    give_back()
    moves += 1
    if moves * 50 == pictures // 10:
        early = memory("VmRSS")
print(moves, memory("VmHWM"), memory("VmRSS") - early)
"""


def _ratio(work: Callable[[], object], floor: Callable[[], object]) -> str:
    """The median time of a piece of work in medians of its floor, measured in turn: the processor's, and the clock's."""
    times: list[list[tuple[float, float]]] = [[], []]
    for _ in range(ROUNDS):
        for taken, step in zip(times, (floor, work), strict=True):
            used, began = time.process_time(), time.perf_counter()
            step()
            taken.append((time.process_time() - used, time.perf_counter() - began))
    used, waited = np.median(times[1], axis=0) / np.median(times[0], axis=0)
    return f"{used:.1f} x of the processor's time, {waited:.1f} x by the clock"


if __name__ == "__main__":
    main()
