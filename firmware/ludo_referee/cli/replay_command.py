"""`ludo-referee replay`: what the referee would have said about a recording."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    replay = commands.add_parser("replay", help="play a recording through the referee")
    replay.add_argument("folder", type=Path, help="the recording's folder")
    replay.add_argument("--auto", action="store_true", help="ignore the recorded corners: find the board in the picture")
    replay.add_argument("--json", action="store_true", help="one JSON object a line instead of sentences")
    replay.add_argument("--screens", type=Path, metavar="DIR", help="write each picture of the OLED to this folder as PNG")
    replay.add_argument("--language", default="en", help="of the sentences and screens: en, id, ru, de, es")
    replay.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..app import replay
    from ..app.sinks import JsonLines, ScreenFolder, Story
    from ..recording import read_recording

    recording = read_recording(arguments.folder)
    board = replay.board_of(recording)
    sinks: list[Any] = [JsonLines(sys.stdout) if arguments.json else Story(sys.stdout, board, arguments.language)]
    if arguments.screens:
        sinks.append(ScreenFolder(arguments.screens, arguments.language))
    with _progress(recording.end, wanted=not arguments.json and sys.stderr.isatty()) as progress:
        replay.play(recording, sinks, auto=arguments.auto, progress=progress)
    return 0


@contextlib.contextmanager
def _progress(end: float, wanted: bool) -> Iterator[Callable[[float], None]]:
    """A bar on the terminal's last line; nothing when the output is not a terminal."""
    width, shown = 40, [-1]

    def show(t: float) -> None:
        done = min(width, int(width * t / end)) if end else width
        if done != shown[0]:
            shown[0] = done
            print(f"\r\x1b[K[{'#' * done}{'.' * (width - done)}] {t:.0f} of {end:.0f} s\r", end="", file=sys.stderr, flush=True)

    if not wanted:
        yield lambda t: None
        return
    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
