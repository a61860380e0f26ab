"""Finding the board: how many makes, how exactly, how soon.

Drawn boards of every make under chance cameras of 1280x960, and, when the environment variable LUDO_RECORDINGS names a folder of
recordings with truth, their pictures. Time is told as a ratio to a floor measured in turn with it, so that a busy machine slows both:
one full-frame BGR->Lab and one 600x600 warpPerspective. Aims: corners within 0.15 squares, 60 floors. The floor uses every core there is
(see bench_vision), so the clock's ratio is told beside the processor's.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
import boards_drawn as drawn

from ludo_referee.app.table import plan_of
from ludo_referee.rules.board import load_board
from ludo_vision.errors import BoardNotFound
from ludo_vision.plan import Plan
from ludo_vision.register import find_board
from ludo_vision.registration import Registration

Found = TypeVar("Found")

ACCURATE = 0.15
AIM = 60.0
VIEWS = 3


def floor(picture: np.ndarray) -> None:
    """The two steps that no reading of a picture can do without."""
    bend = np.array([[0.9, 0.1, 20], [-0.1, 0.9, 60], [1e-5, 2e-5, 1.0]])
    cv2.cvtColor(picture, cv2.COLOR_BGR2Lab)
    cv2.warpPerspective(picture, bend, (600, 600))


def timed(work: Callable[[], Found]) -> tuple[Found, tuple[float, float]]:
    """What some work found, and its seconds: the processor's, and the clock's."""
    used, began = time.process_time(), time.perf_counter()
    found = work()
    return found, (time.process_time() - used, time.perf_counter() - began)


class Tally:
    """What was found of how many, how far off the farthest corners were, and the times in floors."""

    def __init__(self) -> None:
        self.asked, self.wrong_turns = 0, 0
        self.errors: list[float] = []
        self.ratios: list[np.ndarray] = []  # the processor's and the clock's

    def take(self, picture: np.ndarray, plan: Plan, corners: np.ndarray) -> None:
        def sought() -> Registration | None:
            try:
                return find_board(picture, plan)
            except BoardNotFound:
                return None

        floors = [timed(lambda: floor(picture))[1] for _ in range(3)]
        found, took = timed(sought)
        floors += [timed(lambda: floor(picture))[1] for _ in range(3)]
        self.asked += 1
        self.ratios.append(np.array(took) / np.median(floors, axis=0))
        if found is not None:
            off = [np.linalg.norm(np.roll(found.corners(plan), turn, axis=0) - corners, axis=1).max() for turn in range(4)]
            self.wrong_turns += int(np.argmin(off)) != 0
            self.errors.append(float(min(off)) / found.square_pixels())

    def add(self, other: Tally) -> None:
        self.asked += other.asked
        self.wrong_turns += other.wrong_turns
        self.errors += other.errors
        self.ratios += other.ratios

    def __str__(self) -> str:
        errors = np.array(self.errors or [np.nan])
        return (f"found {len(self.errors):4d} of {self.asked:4d}  within {ACCURATE}: {int((errors <= ACCURATE).sum()):4d}  "
                f"corners off by {np.median(errors):.3f}, at most {errors.max():.3f}  wrong turns {self.wrong_turns}  "
                f"floors {self.time}")

    @property
    def time(self) -> str:
        """In floors."""
        (used, waited), (most_used, most_waited) = np.median(self.ratios, axis=0), np.max(self.ratios, axis=0)
        return f"{used:.1f} of the processor's time (at most {most_used:.1f}), {waited:.1f} by the clock (at most {most_waited:.1f})"


def bench_makes() -> Tally:
    whole = Tally()
    for number, (name, make) in enumerate(drawn.MAKES.items()):
        tally = Tally()
        for view in range(VIEWS):
            picture, corners = drawn.seen(make, drawn.random_view(500 * number + view, size=(1280, 960)))
            tally.take(picture, drawn.plan(make), corners)
        print(f"{name:28} {tally}", flush=True)
        whole.add(tally)
    return whole


def bench_recordings(folder: Path) -> Tally:
    whole = Tally()
    for truth_file in sorted(folder.glob("*/truth.json")):
        truth = json.loads(truth_file.read_text())
        recording = json.loads((truth_file.parent / "recording.json").read_text())
        board = plan_of(load_board(recording["board"], truth_file.parent))
        plan = Plan(board.size, board.spots, tuple(recording["seats"][seat] for seat in "ABCD"), board.yards, board.finishes)
        tally = Tally()
        for frame in truth["frames"]:
            picture = cv2.imread(str(truth_file.parent / frame["file"])) if (truth_file.parent / frame["file"]).exists() else None
            if picture is not None:
                tally.take(picture, plan, np.array(frame["grid_corners_px"]) - 0.5)
        if tally.asked:
            print(f"{truth_file.parent.name:28.28} {tally}", flush=True)
            whole.add(tally)
    return whole


def main() -> None:
    whole = bench_makes()
    print(f"{'all makes':28} {whole}")
    print(f"floors to find a board on 1280x960: {whole.time}, aim {AIM:.0f}")
    folder = os.environ.get("LUDO_RECORDINGS")
    if folder:
        print(f"{'all recordings':28} {bench_recordings(Path(folder))}")


if __name__ == "__main__":
    main()
