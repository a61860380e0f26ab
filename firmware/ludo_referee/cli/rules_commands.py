"""`ludo-referee legal | turn | perft | rules | board`: the rules without a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import errors  # noqa: F401  main knows our errors by this module

if TYPE_CHECKING:
    from ..rules.ruleset import Rules



def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the five commands."""
    legal = subparsers.add_parser("legal", help="answer questions about legal moves: one JSON object a line in, one out")
    legal.set_defaults(run=run_legal)
    turn = subparsers.add_parser("turn", help="play scripted turns: one JSON object a line in, one out")
    turn.set_defaults(run=run_turn)
    count = subparsers.add_parser("perft", help="count the outcomes of so many rolls from a position")
    count.add_argument("--rules", default="classic", metavar="PRESET", help="preset, with changes as in classic,own_landing=stack")
    count.add_argument("--board", metavar="BOARD", help="another board than the rules name: built in, or a TOML file")
    count.add_argument("--position", metavar="LINE", help="such as 'A:y,y,0,10 C:5,y,y,y A' (default: all in the yards, A to roll)")
    count.add_argument("--depth", type=int, default=2, metavar="N", help="how many rolls (default 2)")
    count.set_defaults(run=run_perft)
    _add_rules(subparsers.add_parser("rules", help="presets and house rules in plain words"))
    _add_board(subparsers.add_parser("board", help="check or draw a board"))


def _add_rules(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    every = actions.add_parser("list", help="all presets and switches")
    every.set_defaults(run=run_rules_list)
    show = actions.add_parser("show", help="what a preset changes against classic")
    show.add_argument("preset", metavar="PRESET")
    show.set_defaults(run=run_rules_show)


def _add_board(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser("check", help="name everything that is wrong with a board file")
    check.add_argument("board", metavar="FILE", help="a TOML file, or a built-in board")
    check.set_defaults(run=run_board_check)
    show = actions.add_parser("show", help="draw a board with its indices")
    show.add_argument("board", metavar="FILE", help="a TOML file, or a built-in board")
    show.add_argument("--out", required=True, type=Path, metavar="PICTURE", help="the picture to write, .svg or .png")
    show.set_defaults(run=run_board_show)


def run_legal(arguments: argparse.Namespace) -> int:
    from ..rules.questions import answer_legal

    return _answer_all(answer_legal)


def run_turn(arguments: argparse.Namespace) -> int:
    from ..rules.questions import answer_turn

    return _answer_all(answer_turn)


def _answer_all(answer: Callable[[Any], dict[str, Any]]) -> int:
    """Answers standard input line by line; each answer is out before the next question is read."""
    from ..rules.questions import answer_line

    for line in sys.stdin.buffer:
        print(answer_line(line, answer), flush=True)
    return 0


def run_perft(arguments: argparse.Namespace) -> int:
    from ..rules.board import load_board
    from ..rules.errors import RulesError
    from ..rules.game import Game
    from ..rules.notation import game_from
    from ..rules.perft import perft

    if not 0 <= arguments.depth <= 9:
        raise RulesError(f"--depth {arguments.depth} is out of reach; take 0 to 9")
    rules = _rules_argument(arguments.rules)
    board = load_board(arguments.board or rules.board)
    if arguments.position is None:
        game = Game(board, rules, range(len(board.seats)))
        state = game.begin(0)
    else:
        game, state = game_from(arguments.position, board, rules)
    print(f"{'rolls':>5} {'outcomes':>12} {'positions':>12}")
    for depth in range(arguments.depth + 1):
        count = perft(game, state, depth)
        print(f"{depth:>5} {count.outcomes:>12} {count.positions:>12}", flush=True)
    return 0


def _rules_argument(text: str) -> Rules:
    """Rules as one word: a preset, then changes in TOML values, as in parchis,own_landing=stack,entry=[5,6]."""
    import re
    import tomllib

    from ..rules.errors import RulesError
    from ..rules.ruleset import rules_from

    preset, *changes = re.split(r",(?=\w+=)", text)
    mapping: dict[str, Any] = {"preset": preset}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            mapping[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            mapping[name] = value
    if "=" in preset:
        raise RulesError(f"--rules {text!r} begins with a preset, as in classic,own_landing=stack")
    return rules_from(mapping)


def run_rules_list(arguments: argparse.Namespace) -> int:
    from ..rules.ruleset import PRESET_SENTENCES, SWITCHES, Rules, values_of, word

    print("Presets")
    for name, sentence in PRESET_SENTENCES.items():
        print(f"  {name:13} {sentence}")
    print("\nSwitches (the value of classic in brackets)")
    for switch in SWITCHES.values():
        print(f"  {switch.name} = {values_of(switch)}  [{word(getattr(Rules(), switch.name))}]")
        print(f"      {switch.sentence}")
    return 0


def run_rules_show(arguments: argparse.Namespace) -> int:
    from ..rules.ruleset import PRESET_SENTENCES, SWITCHES, Rules, differences, rules_from, word

    rules = rules_from({"preset": arguments.preset})
    print(PRESET_SENTENCES[arguments.preset])
    changed = differences(rules, Rules())
    if not changed:
        print("classic is the base; `ludo-referee rules list` shows every switch")
    for name, (here, there) in changed.items():
        print(f"  {name} = {word(here)}  [classic: {word(there)}]")
        print(f"      {SWITCHES[name].sentence}")
    return 0


def run_board_check(arguments: argparse.Namespace) -> int:
    from ..rules.board import load_board
    from ..rules.errors import BoardError

    try:
        board = load_board(arguments.board)
    except BoardError as error:
        print(f"{arguments.board}: {len(error.faults)} fault{'s' if len(error.faults) > 1 else ''}")
        for fault in error.faults:
            print(f"  {fault}")
        return 1
    way = f"{board.first_home} ring squares, {board.home_length} home squares, {'a' if board.has_finish else 'no'} finish"
    print(f"{arguments.board}: good. {len(board.ring)} squares round, {len(board.seats)} seats; a token's way: {way}")
    return 0


def run_board_show(arguments: argparse.Namespace) -> int:
    from ..rules.board import load_board
    from ..rules.board_picture import board_svg
    from ..rules.errors import RulesError

    board = load_board(arguments.board)
    out: Path = arguments.out
    if out.suffix.lower() == ".svg":
        out.write_text(board_svg(board), encoding="utf-8")
    elif out.suffix.lower() == ".png":
        from .board_png import board_png

        board_png(board).save(out)
    else:
        raise RulesError(f"--out {out} is neither .svg nor .png; those two can be written")
    print(f"{out}: {board.name} drawn")
    return 0
