"""Whole games on drawn tables of many kinds: how often the referee is right, and what it is wrong about.

`python -m tests.bench.bench_games` plays 20 games on hard cases of the simulated table, from straight above and from the side, and
writes a table (`games.md`) and a plot (`games.png`). Players, tables and dice come from seeds: the same numbers give the same games.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

GAMES = 20
MOVES = 60
MIDDLE = (0, 60, 140, 220)  # throws already played when the camera begins to look
FACTORS = ("board", "view", "print", "light", "shape", "surface", "disturbed")
LEADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)


@dataclass
class Result:
    """One game: what was drawn, what was counted, and how far each ranking of vision led and whether it was true."""

    seed: int
    names: dict[str, str]
    counts: dict[str, int]
    seconds: float
    trouble: list[str] = field(default_factory=list)
    rankings: list[tuple[float, bool]] = field(default_factory=list)

    @property
    def errors(self) -> dict[str, int]:
        """Errors by cause."""
        c = self.counts
        return {
            "told wrong": c["told_wrong"], "not told": c["not_told"], "false alarm": c["false_alarms"],
            "mistake not called": c["planted"] - c["called"], "board not found": c["not_found"],
        }  # fmt: skip


class Witness:
    """A reader that also notes, for every ranking, whether the best candidate is what stands on the table."""

    def __init__(self, reader: object, standing: Callable[[], object], notes: list[tuple[float, bool]]) -> None:
        self._reader, self._standing, self._notes = reader, standing, notes
        self._scene: tuple[tuple[int, ...], ...] | None = None
        self._candidates: tuple = ()

    def see(self, t: float, picture: object) -> object:
        from ludo_vision.sightings import Ranking

        sightings = self._reader.see(t, picture)
        for sighting in sightings:
            if isinstance(sighting, Ranking) and sighting.order and self._scene is not None:
                best = after(self._scene, self._candidates[sighting.order[0]])
                self._notes.append((sighting.lead, best == self._standing()))
        return sightings

    def prepare(self, scene: object) -> None:
        self._reader.prepare(scene)

    def start(self, scene: tuple[tuple[int, ...], ...]) -> None:
        self._scene = scene
        self._reader.start(scene)

    def ask(self, question: int, candidates: Sequence) -> None:
        self._candidates = tuple(candidates)
        self._reader.ask(question, candidates)

    def accept(self, index: int) -> None:
        self._scene = after(self._scene, self._candidates[index])
        self._reader.accept(index)


def after(scene: tuple[tuple[int, ...], ...], candidate: object) -> tuple[tuple[int, ...], ...] | None:
    """The scene when a candidate has happened."""
    seats = [list(spots) for spots in scene]
    for shift in candidate.shifts:
        if shift.origin not in seats[shift.seat]:
            return None
        seats[shift.seat].remove(shift.origin)
        seats[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(spots)) for spots in seats)


def play(seed: int, moves: int | None, find_board: bool) -> Result:
    """Play the game of a seed."""
    import cv2

    from ludo_hardware.simulated_table import hard_case
    from ludo_referee.app.table import plan_of, scene_of
    from ludo_referee.demo.evening import TICKS_A_SECOND, DemoOptions, Evening
    from ludo_vision.plan import OFF_TABLE
    from ludo_vision.reader import TableReader

    cv2.setNumThreads(1)
    board = "madn11" if seed % 4 == 3 else "ludo15"
    case = hard_case(seed, round_spots=board == "madn11")
    notes: list[tuple[float, bool]] = []

    def witness(evening: Evening) -> Witness:
        def standing() -> tuple[tuple[int, ...], ...]:
            own: list[list[int]] = [[] for _ in evening.board.seats]
            for piece in evening.tabletop.pieces:
                own[piece.seat].append(OFF_TABLE if piece.place is None else piece.place)
            return tuple(tuple(sorted(spots)) for spots in own)

        corners = None if find_board else evening.table.corners
        reader = TableReader(plan_of(evening.board), corners=corners, expected=scene_of(evening.board, evening.start.steps))
        return Witness(reader, standing, notes)

    middle = 0 if moves is None else MIDDLE[seed // 4 % len(MIDDLE)]
    options = DemoOptions(board=board, seed=seed, look=case.look, drift=case.drift, knocks=case.knocks, middle=middle, moves=moves)
    began, tick = time.monotonic(), 0
    evening = Evening(options, [], reader=witness)
    last = int((4 * 3600 if moves is None else 30 * moves + 60) * TICKS_A_SECOND)
    while not evening.over and tick < last:
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    tally = evening.autoplayer.tally
    names = {"board": board, "view": case.view_name, "print": case.print_name, "light": case.light_name,
             "shape": case.look.tokens.shape, "surface": case.look.surface,
             "disturbed": "knocked" if case.knocks else "drifting" if case.drift else "calm"}
    counts = {name: getattr(tally, name) for name in
              ("moves", "told_right", "told_wrong", "not_told", "planted", "called", "false_alarms", "unclear", "straightened")}
    counts["not_found"] = int(tally.rolls == 0)
    return Result(seed, names, counts, time.monotonic() - began, tally.trouble, notes)


# --- the report ------------------------------------------------------------------------------------------------------------


COUNTED = ("moves", "told_right", "told_wrong", "not_told", "planted", "called", "false_alarms", "unclear")


def table(results: Sequence[Result]) -> str:
    """The results as Markdown: a line a game, errors by cause, errors by what was drawn, calibration."""
    moves = sum(result.counts["moves"] for result in results)
    causes: Counter[str] = Counter()
    for result in results:
        causes.update(result.errors)
    parts = [
        rows(("seed", *FACTORS, *(name.replace("_", " ") for name in COUNTED), "s"),
             [(r.seed, *(r.names[f] for f in FACTORS), *(r.counts[name] for name in COUNTED), round(r.seconds)) for r in results]),
        f"{moves} moves in {len(results)} games. Errors by cause, and one in so many moves:",
        rows(("cause", "errors", "one in"), [(cause, n, round(moves / n) if n else "–") for cause, n in causes.items()]),
        "Errors by what was drawn:",
        rows(("", "games", "moves", "errors", "a hundred moves"),
             [(name, games, made, wrong, f"{100 * wrong / max(made, 1):.2f}") for name, games, made, wrong in by_factor(results)]),
        "How often the best-ranked explanation was the truth, by its lead over the next in silhouettes:",
        rows(("lead from", "rankings", "true"), [(f"{low:g}", n, f"{share:.1%}") for low, n, share in calibration(results) if n]),
    ]
    trouble = [f"- {result.seed}: {line}" for result in results for line in result.trouble]
    if trouble:
        parts += ["What went wrong:", "\n".join(trouble)]
    return "\n\n".join(parts) + "\n"


def rows(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    return "\n".join(["| " + " | ".join(map(str, line)) + " |" for line in (head, ["---"] * len(head), *lines)])


def by_factor(results: Sequence[Result]) -> list[tuple[str, int, int, int]]:
    """(factor and value, games, moves, errors)."""
    found = []
    for factor in FACTORS:
        for value in sorted({result.names[factor] for result in results}):
            some = [result for result in results if result.names[factor] == value]
            found.append((f"{factor} {value}", len(some), sum(r.counts["moves"] for r in some), sum(sum(r.errors.values()) for r in some)))
    return found


def calibration(results: Iterable[Result]) -> list[tuple[float, int, float]]:
    """(lowest lead of the bin, rankings in it, share that was true)."""
    rankings = [ranking for result in results for ranking in result.rankings]
    bins = []
    for low, high in zip(LEADS, (*LEADS[1:], float("inf")), strict=True):
        inside = [true for lead, true in rankings if low <= lead < high]
        bins.append((low, len(inside), sum(inside) / len(inside) if inside else 0.0))
    return bins


def plot(results: Sequence[Result], path: Path) -> None:
    """Three panels: games, errors by what was drawn, calibration."""
    from PIL import Image, ImageDraw

    factors, bins = by_factor(results), calibration(results)
    picture = Image.new("RGB", (1280, 120 + 22 * max(len(results), len(factors))), "white")
    pen = ImageDraw.Draw(picture)
    pen.text((20, 14), "moves a game: told right, not told, told wrong", fill="black")
    widest = max(result.counts["moves"] for result in results) or 1
    for row, result in enumerate(results):
        x, y, c = 150.0, 44 + 22 * row, result.counts
        pen.text((20, y), f"{result.seed} {result.names['view']} {result.names['light']}", fill="black")
        for count, colour in ((c["told_right"], "#2a8a4a"), (c["not_told"], "#999999"), (c["told_wrong"], "#c22828")):
            pen.rectangle((x, y, x + 230 * count / widest, y + 14), fill=colour if count else None)
            x += 230 * count / widest
    pen.text((430, 14), "errors a hundred moves, by what was drawn", fill="black")
    shares = [100 * wrong / max(made, 1) for _, _, made, wrong in factors]
    for row, ((name, _, _, wrong), share) in enumerate(zip(factors, shares, strict=True)):
        y = 44 + 22 * row
        pen.text((430, y), name, fill="black")
        pen.rectangle((570, y, 570 + 200 * share / max(*shares, 1.0), y + 14), fill="#c22828" if wrong else None)
        pen.text((576 + 200 * share / max(*shares, 1.0), y), f"{share:.2f}", fill="black")
    left, top, side = 880, 60, 340
    pen.text((left, 14), "share of rankings that were true, by lead", fill="black")
    pen.rectangle((left, top, left + side, top + side), outline="black")
    for step in range(11):
        pen.text((left - 32, top + side * (1 - step / 10) - 6), f"{step / 10:.1f}", fill="black")
    width = side / len(bins)
    for number, (low, count, share) in enumerate(bins):
        x = left + number * width
        pen.rectangle((x + 4, top + side * (1 - share), x + width - 4, top + side), fill="#3a6ea8" if count else None)
        pen.text((x + 6, top + side + 6), f"{low:g}", fill="black")
        pen.text((x + 6, top + side + 20), str(count), fill="#777777")
    picture.save(path)


def report(results: Sequence[Result], folder: Path) -> None:
    """Write the table and the plot."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.md").write_text(table(results), encoding="utf-8")
    plot(results, folder / "games.png")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, and say whether there was no error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--moves", type=int, default=MOVES, help="moves a game; 0: whole games from the start (default: %(default)s)")
    parser.add_argument("--find-board", action="store_true", help="the board is looked for in the picture")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), help="folder for games.md and games.png")
    chosen = parser.parse_args(arguments)
    seeds = range(chosen.first, chosen.first + chosen.games)
    moves = chosen.moves or None
    results = []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for result in pool.map(play, seeds, [moves] * len(seeds), [chosen.find_board] * len(seeds)):
            results.append(result)
            wrong = {cause: count for cause, count in result.errors.items() if count}
            print(f"{result.seed:4} {' '.join(result.names.values()):<52} {result.counts['told_right']}/{result.counts['moves']}"
                  f" {result.seconds:.0f} s {wrong or ''}", file=sys.stderr, flush=True)
            report(results, chosen.out)  # after every game: a run that is stopped leaves what it has
    print(table(results))
    return 0 if not any(sum(result.errors.values()) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
