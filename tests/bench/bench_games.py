"""Whole games on drawn tables of many kinds: how often the referee is right, and what it is wrong about.

`python -m tests.bench.bench_games` plays 20 whole games on hard cases of the simulated table, from straight above and from the side,
and writes a table (`games.md`) and a plot (`games.png`) into `tests/bench/report`. Boards, rules, players, tables and dice come from
the seeds: the same numbers give the same games. What the report means and what still fails is in `tests/bench/README.md`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from .games_played import Result, play
from .games_report import report, table

GAMES = 20
LIMIT_S = 900.0  # of processor time a game: what takes longer hangs
OUT = Path(__file__).parent / "report"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, and say whether there was no error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES, help="so many seeds one after the other (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the first of them (default: %(default)s)")
    parser.add_argument("--moves", type=int, help="only so many moves a game, from somewhere in its middle (default: whole games)")
    parser.add_argument("--find-board", action="store_true", help="the board is looked for in the picture")
    parser.add_argument("--limit", type=float, default=LIMIT_S, metavar="SECONDS",
                        help="of processor time a game; a game that takes longer is stuck (default: %(default)g)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=OUT, help="folder for games.md and games.png (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    results: list[Result] = []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        games = [pool.submit(play, seed, chosen.moves, chosen.find_board, chosen.limit) for seed in seeds]
        for game in as_completed(games):
            results = sorted([*results, game.result()], key=lambda result: result.seed)
            print(line(game.result()), file=sys.stderr, flush=True)
            report(results, chosen.games, chosen.out)  # after every game: a run that is stopped leaves what it has
    print(table(results, chosen.games))
    return 0 if not any(result.errors for result in results) else 1


def line(result: Result) -> str:
    """One game, for those who watch."""
    words = [f"{result.seed:4} {' '.join(result.names.values())}: {result.counts['told_right']} of {result.counts['moves']} moves right"]
    words += [f"{result.counts['called']} of {result.counts['planted']} mistakes called, {result.seconds:.0f} s"]
    return ", ".join(words) + "".join(f"\n     {error.kind} ({error.cause}): {error.words}" for error in result.errors)


if __name__ == "__main__":
    sys.exit(main())
