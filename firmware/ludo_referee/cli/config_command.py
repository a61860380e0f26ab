"""`ludo-referee config [FILE]`: print the commented defaults, or check a configuration file."""

from __future__ import annotations

import argparse
from pathlib import Path


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("config", help="print every option with its default, or check a configuration file")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="check this file instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..app.beginning import new_opening
    from ..config import defaults_text, read_config

    if arguments.file is None:
        print(defaults_text(), end="")
    else:
        new_opening(read_config(arguments.file))  # the board and the house rules, too
        print(f"{arguments.file}: good")
    return 0
