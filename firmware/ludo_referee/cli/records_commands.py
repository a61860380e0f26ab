"""`ludo-referee games`, `export` and `stats`: the games that the journal keeps; `record`: what the camera saw of the last minutes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..journal import Archive

FORMATS = ("txt", "json", "csv", "svg")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands."""
    games = subparsers.add_parser("games", help="list the games that were played")
    games.add_argument("--json", action="store_true", help="one JSON object a line")
    games.set_defaults(run=run_games)

    export = subparsers.add_parser("export", help="a game as transcript, data, table of throws or picture")
    export.add_argument("game", metavar="GAME", help="its number in `ludo-referee games`, or `last`")
    export.add_argument("--format", choices=FORMATS, default="txt", help="default: %(default)s")
    export.add_argument("--language", default="en", help="of txt and svg: en, id, ru, de, es")
    export.add_argument("--out", type=Path, metavar="FILE", help="write there instead of standard output")
    export.set_defaults(run=run_export)

    stats = subparsers.add_parser("stats", help="sixes, captures, places and the fairness of the die over all games")
    stats.add_argument("--json", action="store_true", help="one JSON object a player")
    stats.set_defaults(run=run_stats)

    record = subparsers.add_parser("record", help="write the last minutes at the running table as a recording, for a bug report")
    record.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="copy it there too; it must not be there yet")
    record.set_defaults(run=run_record)

    for parser in (games, export, stats, record):
        parser.add_argument("--config", type=Path, metavar="FILE", help="default: /etc/ludo-referee/config.toml, where it exists")
        if parser is not record:
            parser.add_argument("--journal", type=Path, metavar="FOLDER", help="where the games are kept (default: as configured)")


def run_games(arguments: argparse.Namespace) -> int:
    import json

    with _archive(arguments) as archive:
        for summary in archive.games():
            opening = summary.opening
            players = [opening.colours[seat] for seat in summary.players]
            order = [opening.colours[seat] for seat in summary.order]
            if arguments.json:
                print(json.dumps({
                    "game": summary.game, "began": summary.began, "outcome": summary.outcome or "running", "board": opening.board,
                    "players": players, "order": order, "throws": summary.throws,
                    "seconds": round(summary.seconds, 1),
                }))  # fmt: skip
            else:
                result = " > ".join(order) if order else f"{', '.join(players)} ({summary.outcome or 'running'})"
                when, minutes = summary.began[:16].replace("T", " "), f"{summary.seconds / 60:.0f} min"
                print(f"{summary.game:5d}  {when}  {opening.board:13s} {summary.throws:4d} throws {minutes:>8s}  {result}")
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    from ..errors import LudoError
    from ..records import drawing, transcript

    if arguments.game != "last" and not arguments.game.isdigit():
        raise LudoError(f"export {arguments.game}: give a game's number, or last; `ludo-referee games` lists them")
    with _archive(arguments) as archive:
        game = archive.game(None if arguments.game == "last" else int(arguments.game))
    match arguments.format:
        case "txt":
            text = transcript.as_text(game, arguments.language)
        case "json":
            text = transcript.as_json(game)
        case "csv":
            text = transcript.as_csv(game)
        case _:
            text = drawing.as_svg(game, arguments.language)
    if arguments.out is None:
        print(text, end="")
    else:
        try:
            arguments.out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise LudoError(f"{arguments.out}: cannot be written: {error.strerror}") from error
    return 0


def run_stats(arguments: argparse.Namespace) -> int:
    import json

    from ..records.statistics import as_table, statistics

    with _archive(arguments) as archive:
        figures = statistics((summary.opening.colours, archive.told(summary.game)) for summary in archive.games())
    if arguments.json:
        for one in figures:
            print(json.dumps({
                "player": one.colour or "all", "games": one.games, "faces": one.faces, "sixes": round(one.sixes_share, 4), "fair": one.fair,
                "moves": one.moves, "captures": one.captures, "captured": one.captured, "wrong_moves": one.wrong_moves,
                "take_backs": one.take_backs, "places": one.places,
            }))  # fmt: skip
    else:
        print(as_table(figures), end="")
    return 0


def run_record(arguments: argparse.Namespace) -> int:
    import shutil

    from ..config import read_config, recordings_folder
    from ..errors import LudoError
    from ..record_desk import ask

    if arguments.folder is not None and arguments.folder.exists():
        raise LudoError(f"{arguments.folder}: is there already; name a new folder for the recording")
    made = ask(recordings_folder(read_config(arguments.config), running=True))
    if arguments.folder is not None:
        try:
            shutil.copytree(made, arguments.folder)
        except (OSError, shutil.Error) as error:
            raise LudoError(f"{arguments.folder}: cannot copy the recording there ({error}); it lies in {made}") from error
        made = arguments.folder
    print(made)
    return 0


def _archive(arguments: argparse.Namespace) -> Archive:
    from ..config import journal_folder, read_config
    from ..journal import Archive

    return Archive(arguments.journal or journal_folder(read_config(arguments.config), running=True))
