"""What a run of the table begins with, as configured: the game, its options, the camera's worker, the button's timing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ludo_hardware.camera_process import CameraProcess, Lost

from ..config import Config, journal_folder
from ..errors import LudoError
from ..gestures import Timing
from ..journal import Journal, Opening
from ..recording import SEATS
from ..referee.referee import Referee
from ..referee.state import Options
from ..rules.board import Board, load_board
from ..rules.game import Game
from ..rules.ruleset import rules_from
from .table import plan_of, scene_of

_log = logging.getLogger(__name__)

WORKER = "ludo_referee.app.worker:work"


LANGUAGE = "language"  # in the journal's folder: what people chose last


def as_spoken(config: Config) -> Config:
    """The configuration in the language that people chose last, if it is one of those that are offered: it is offered first now."""
    table = config.table
    try:
        chosen = (journal_folder(config) / LANGUAGE).read_text("utf-8", errors="replace").strip()
    except OSError:
        return config
    offered = tuple(sorted(table.languages, key=lambda code: code != chosen))
    if chosen not in offered:
        return config
    return msgspec.structs.replace(config, table=msgspec.structs.replace(table, language=offered[0], languages=offered))


def opening_of(config: Config, journal: Journal) -> tuple[Opening, bool]:
    """Where the evening begins: at the game that was under way, or at a new one. True: resumed."""
    options = options_of(config)
    unfinished = journal.unfinished()
    if unfinished is not None:
        try:
            return msgspec.structs.replace(unfinished.goes_on(), options=options), True
        except LudoError as error:
            _log.warning("the game that was under way cannot go on: %s", error)
            journal.leave_game()
    return new_opening(config), False


def new_opening(config: Config) -> Opening:
    """The beginning of a new game. Raises LudoError for a board or rules that cannot be used."""
    table = config.table
    rules = rules_from(({"board": table.board} if table.board else {}) | table.rules)
    board = load_board(rules.board).with_colours({str(seat): colour for seat, colour in table.seats.items()})
    players = tuple(SEATS.index(seat) for seat in table.players) or tuple(range(len(board.seats)))
    referee = Referee(Game(board, rules, players), board, options=options_of(config))
    path = Path(table.board)
    text = path.read_text("utf-8") if path.suffix == ".toml" and path.is_file() else ""
    return Opening.of(referee, referee.begin()[0], text)


def options_of(config: Config) -> Options:
    table = config.table
    return Options(
        margin=config.vision.accept_lead, free_players=not table.players, languages=table.languages, die=table.die,
        compare=True, beginner_help=table.beginner_help, records=config.recording.on,
        robots=tuple((SEATS.index(seat), strength) for seat, strength in table.robots.items()),
    )  # fmt: skip


class NoCamera:
    """In place of a camera's process at a table that has none: lost from the start, so that the game goes by button."""

    def __init__(self) -> None:
        self._news: list[Any] = [Lost("no camera is wanted")]

    def start(self) -> None: ...

    def send(self, message: object) -> bool:
        return False

    def poll(self) -> list[Any]:
        news, self._news = self._news, []
        return news

    def close(self) -> None: ...


def camera_of(config: Config, board: Board, opening: Opening, wake: Callable[[], None]) -> CameraProcess | NoCamera:
    """The camera's process as configured, not yet started."""
    camera = config.camera
    if camera.kind == "none":
        return NoCamera()
    steps = opening.start.steps
    options: dict[str, Any] = {"kind": camera.kind, "size": (camera.width_px, camera.height_px)}
    if camera.kind == "simulated":
        options |= {"board": board, "steps": steps}
    else:
        options |= {"number": camera.number, "device": camera.device, "folder": camera.folder}
        options |= {"rate_hz": camera.rate_hz, "mains_hz": camera.mains_hz}
    arguments = options, camera.rate_hz, plan_of(board), scene_of(board, steps), config.vision.still_s, config.recording.on
    return CameraProcess(WORKER, arguments, silence_s=camera.lost_after_s, wake=wake)


def timing_of(config: Config) -> Timing:
    button = config.button
    return Timing(button.bounce_s, button.double_tap_s, button.hold_s, button.long_hold_s)
