"""`ludo-referee demo`: the referee on the simulated table, on a page or headless."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    demo = commands.add_parser("demo", help="the referee on a simulated table, in the browser or headless")
    demo.add_argument("--autoplay", action="store_true", help="the table plays by itself")
    demo.add_argument("--headless", action="store_true", help="no page: play whole games on a simulated clock at full speed")
    demo.add_argument("--seed", type=int, default=7, help="of everything that is chance (default: %(default)s)")
    demo.add_argument("--games", type=int, default=1, metavar="N", help="how many games, headless (default: %(default)s)")
    demo.add_argument("--json", action="store_true", help="headless: one JSON object a line instead of sentences")
    demo.add_argument("--rules", metavar="PRESET", help="house rules: classic, family, indian, … (default: the board's own)")
    demo.add_argument("--board", default="ludo15", help="a built-in board or a TOML file (default: %(default)s)")
    demo.add_argument("--moves", type=int, metavar="N", help="headless: stop each game after so many moves")
    demo.add_argument("--record", type=Path, metavar="DIR", help="headless: write a recording, with what must be said about it")
    demo.add_argument("--find-board", action="store_true", help="look for the board in the picture instead of being given its corners")
    demo.add_argument("--host", default="127.0.0.1", help="of the page (default: %(default)s)")
    demo.add_argument("--port", type=int, default=8080, help="of the page (default: %(default)s)")
    demo.add_argument("--language", default="en", help="of the sentences and screens: en, id, ru, de, es")
    demo.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..errors import LudoError

    if arguments.games < 1:
        raise LudoError(f"--games {arguments.games}: give 1 or more")
    if arguments.moves is not None and arguments.moves < 1:
        raise LudoError(f"--moves {arguments.moves}: give 1 or more")
    if arguments.record is not None and not arguments.headless:
        raise LudoError("--record needs --headless --autoplay: a recording is made at full speed")
    if arguments.headless:
        if not arguments.autoplay:
            raise LudoError("--headless needs --autoplay: without a page nobody else can play")
        return _headless(arguments)
    return _page(arguments)


def _headless(arguments: argparse.Namespace) -> int:
    import time

    from ..app.sinks import JsonLines, Story
    from ..demo.evening import DemoOptions, play_headless
    from ..rules.board import load_board

    options = DemoOptions(
        board=arguments.board, preset=arguments.rules, seed=arguments.seed, find_board=arguments.find_board, moves=arguments.moves
    )
    begun = time.monotonic()
    if arguments.record is not None:
        from ..demo.recorder import record

        tally = record(options, arguments.record).autoplayer.tally
    else:
        sink: Any = JsonLines(sys.stdout) if arguments.json else Story(sys.stdout, load_board(arguments.board), arguments.language)
        tally = play_headless(options, arguments.games, [sink])
    print(f"{tally}\n{time.monotonic() - begun:.0f} s in all", file=sys.stderr)
    whole = arguments.moves is not None or arguments.record is not None or tally.games_over == arguments.games
    return 0 if tally.flawless and whole else 1


def _page(arguments: argparse.Namespace) -> int:
    from ..demo.evening import DemoOptions
    from ..demo.live import serve_demo

    def ready(url: str) -> None:
        print(f"The simulated table is at {url} (Ctrl-C ends it)", flush=True)

    options = DemoOptions(board=arguments.board, preset=arguments.rules, seed=arguments.seed, find_board=arguments.find_board, glide=4)
    who = "all" if arguments.autoplay else "none"
    serve_demo(options, arguments.host, arguments.port, language=arguments.language, who=who, ready=ready)
    return 0
