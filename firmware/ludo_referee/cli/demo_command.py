"""`ludo-referee demo`: the referee on the simulated table, on a page or headless."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..demo.evening import DemoOptions


SEED = 7


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    demo = commands.add_parser("demo", help="the referee on a simulated table, in the browser or headless")
    demo.add_argument("--autoplay", action="store_true", help="the table plays by itself")
    demo.add_argument("--headless", action="store_true", help="no page: play whole games on a simulated clock at full speed")
    demo.add_argument("--seed", type=int, help=f"of everything that is chance (default: {SEED} headless, none on the page)")
    demo.add_argument("--games", type=int, default=1, metavar="N", help="how many games, headless (default: %(default)s)")
    demo.add_argument("--json", action="store_true", help="headless: one JSON object a line instead of sentences")
    demo.add_argument("--rules", metavar="PRESET", help="house rules: classic, family, indian, … (default: the board's own)")
    demo.add_argument("--board", default="ludo15", help="a built-in board or a TOML file (default: %(default)s)")
    demo.add_argument("--moves", type=int, metavar="N", help="headless: stop each game after so many moves")
    demo.add_argument("--middle", type=int, default=0, metavar="N", help="headless: begin each game after N throws that nobody saw")
    demo.add_argument("--mistakes", type=float, default=0.04, metavar="SHARE", help="of moves made wrong first (default: %(default)s)")
    demo.add_argument("--tilt", type=float, default=24.0, metavar="DEG", help="of the camera, 0 looks straight down (default: %(default)s)")
    demo.add_argument("--turn", type=float, default=0.0, metavar="DEG", help="of the board in the picture (default: %(default)s)")
    demo.add_argument("--width", type=int, default=960, metavar="PX", help="of the camera picture (default: %(default)s)")
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


def _options(arguments: argparse.Namespace) -> DemoOptions:
    """The table that was asked for. Raises LudoError."""
    import secrets
    from dataclasses import replace

    from ludo_hardware.simulated_table import Pinhole

    from ..demo.drawn_board import look_of
    from ..demo.evening import DemoOptions
    from ..errors import LudoError
    from ..rules.board import load_board

    if not 0 <= arguments.tilt <= 60:
        raise LudoError(f"--tilt {arguments.tilt:g}: give 0 (straight down) to 60 degrees")
    if arguments.middle < 0:
        raise LudoError(f"--middle {arguments.middle}: give 0 or more")
    if not 0 <= arguments.mistakes <= 1:
        raise LudoError(f"--mistakes {arguments.mistakes:g}: give a share from 0 to 1")
    if not 320 <= arguments.width <= 1920:
        raise LudoError(f"--width {arguments.width}: give 320 to 1920 pixels")
    seed = arguments.seed
    if seed is None:
        seed = SEED if arguments.headless else secrets.randbelow(1_000_000)
    camera = Pinhole(arguments.width, arguments.width * 3 // 4, tilt_deg=arguments.tilt, turn_deg=arguments.turn)
    look = replace(look_of(load_board(arguments.board), seed), camera=camera)
    return DemoOptions(
        board=arguments.board, preset=arguments.rules, seed=seed, look=look, find_board=arguments.find_board,
        middle=arguments.middle, moves=arguments.moves, blunders=arguments.mistakes,
        pledged=arguments.seed is None and not arguments.headless,
    )  # fmt: skip


def _headless(arguments: argparse.Namespace) -> int:
    import time

    from ..app.sinks import JsonLines, Story
    from ..demo.evening import play_headless
    from ..rules.board import load_board

    options = _options(arguments)
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
    from dataclasses import replace

    from ..demo.live import serve_demo

    def ready(url: str) -> None:
        print(f"The simulated table is at {url} (Ctrl-C ends it)", flush=True)

    options = replace(_options(arguments), glide=4)
    who = "all" if arguments.autoplay else "none"
    serve_demo(options, arguments.host, arguments.port, language=arguments.language, who=who, ready=ready)
    return 0
