"""`ludo-referee die`: the die alone, for any game, without camera and board; `ludo-referee die verify`: check throws afterwards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..die import Revealed


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "die",
        help="the die alone, for any game",
        description="Throws dice: Enter throws, q ends. The pledge shown first lets anyone check afterwards that no throw was chosen.",
    )
    parser.add_argument("--dice", type=int, default=1, metavar="N", help="dice thrown together, 1 to 4")
    parser.add_argument("--faces", type=int, default=6, metavar="N", help="faces of each, 4 to 20")
    parser.add_argument("--throws", type=int, metavar="N", help="throw so many times without asking, then end")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--box", action="store_true", help="use the box's button and display: tap throws, hold takes one die more")
    parser.add_argument("--config", type=Path, metavar="FILE", help="with --box: another configuration than the system's")
    parser.set_defaults(run=run)
    verbs = parser.add_subparsers(metavar="verify")
    checker = verbs.add_parser("verify", help="check the throws of a game against the pledge shown before it")
    checker.add_argument("file", type=Path, metavar="FILE", help="what `die --json` printed, or the table's dice.jsonl; - for stdin")
    checker.add_argument("--pledge", metavar="HEX", help="the pledge as you noted it before the game (its beginning is enough)")
    checker.set_defaults(run=run_verify)


def run(arguments: argparse.Namespace) -> int:
    """Throw until told to stop, then reveal the secret and say how the faces fell."""
    from msgspec.structs import asdict

    from ..die import Die
    from ..errors import LudoError

    if arguments.throws is not None and (arguments.throws < 1 or arguments.box):
        raise LudoError("--throws is at least 1, and not for --box, whose button throws")
    die = Die(arguments.faces, arguments.dice)
    _say(arguments.json, {"pledge": die.pledge}, f"Pledge: {die.pledge}\nNote its beginning; it binds the die for this game.")
    if arguments.box:
        from ..config import read_config
        from .die_box import run_box

        run_box(die, read_config(arguments.config))
    else:
        for _ in _wishes(arguments.throws):
            shown = die.throw()
            _say(arguments.json, {"throw": len(die.thrown), "shown": list(shown)}, "  ".join(map(str, shown)))
    revealed = die.reveal()
    _say(arguments.json, asdict(revealed), f"Secret: {revealed.secret}\n{fairness_line(die.thrown, die.faces)}")
    return 0


def _wishes(throws: int | None) -> Iterator[int]:
    """One item a throw that is wanted: so many, or one for every line on standard input until q or the end."""
    if throws is not None:
        yield from range(throws)
        return
    if sys.stdin.isatty():
        print("Enter: throw.  q Enter: end.")
    for number, line in enumerate(sys.stdin):
        if line.strip().lower() in ("q", "quit"):
            return
        yield number


def _say(as_json: bool, record: dict[str, object], text: str) -> None:
    import json

    print(json.dumps(record) if as_json else text, flush=True)


def fairness_line(thrown: list[tuple[int, ...]], faces: int) -> str:
    """How often each face fell, with χ² and what it means."""
    from ..referee.fairness import chi_square, probability

    counts = [sum(shown.count(face) for shown in thrown) for face in range(1, faces + 1)]
    counted = "  ".join(f"{face}: {count}" for face, count in enumerate(counts, 1))
    chance = probability(counts)
    if chance is None:
        return f"{counted}   (too few throws to judge)"
    return f"{counted}   χ² {chi_square(counts):.1f}; a fair die gives more in {100 * chance:.0f} of 100 games"


def run_verify(arguments: argparse.Namespace) -> int:
    """Check a revealed game. Exit 0: every throw follows from the pledge."""
    from ..die import verify

    noted = "".join((arguments.pledge or "").split()).lower()  # the display shows it in two halves
    revealed = _revealed(arguments.file, noted)
    if not revealed.pledge.startswith(noted):
        print(f"the pledge noted before the game ({noted}) is not the one of this file ({revealed.pledge[:16]}…)", file=sys.stderr)
        return 1
    verify(revealed)
    if not noted:
        print("note: without --pledge this shows only that the throws follow from the secret, not that it was fixed before the game")
    print(f"good: all {len(revealed.throws)} throws follow from the secret that the pledge {revealed.pledge[:16]}… bound")
    return 0


def _revealed(path: Path, noted: str) -> Revealed:
    """The die of the file whose pledge begins as noted, else the last: the table's file holds one line a die."""
    import msgspec

    from ..die import Revealed
    from ..errors import LudoError

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LudoError(f"{path}: cannot be read: {error}") from error
    lines = [line for line in text.splitlines() if '"secret"' in line]
    try:
        dice = [msgspec.json.decode(line, type=Revealed) for line in lines]
        return next((die for die in dice if noted and die.pledge.startswith(noted)), dice[-1])
    except IndexError:
        raise LudoError(f"{path}: holds no revealed die; give the file that `ludo-referee die --json` wrote to its end") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise LudoError(f"{path}: {error}") from error
