"""A game as text to read, as JSON for programs, and its throws as a table."""

from __future__ import annotations

import csv
import io
import json

from .. import words
from ..journal.archive import StoredGame
from ..journal.opening import rules_mapping
from ..locale import words as words_of
from ..referee.notices import Board, Roll
from ..referee.present import preset_name

FORMAT = 1


def as_text(game: StoredGame, language: str) -> str:
    """The game in sentences of a language, each with minutes and seconds of play. Raises LanguageError, LudoError."""
    summary = game.summary
    board = summary.opening.printed_board()
    spoken = words_of(language)
    colours = ", ".join(str(spoken.colour(summary.opening.colours[seat])) for seat in summary.players)
    lines = [f"{summary.game} · {summary.began} · {board.name} · {preset_name(game.rules)} · {colours}", ""]
    for notice in game.notices:
        if not isinstance(notice, Board):  # where the camera found the board is nothing to read after the game
            lines.append(f"{clock(notice.t)}  {words.tell(notice, board, language)}")
    return "\n".join(lines) + "\n"


def as_json(game: StoredGame) -> str:
    """The game as one JSON object: how it began, and everything that was said, in the form of a replay's lines."""
    summary = game.summary
    opening = summary.opening
    rules = game.rules
    names = [seat.name for seat in opening.printed_board().seats]
    return json.dumps({
        "format": FORMAT,
        "game": summary.game,
        "began": summary.began,
        "ended": summary.ended,
        "outcome": summary.outcome,
        "board": opening.board,
        "preset": preset_name(rules),
        "rules": rules_mapping(rules),
        "seats": dict(zip(names, opening.colours, strict=True)),
        "players": [names[seat] for seat in summary.players],
        "start": {names[seat]: list(opening.start.steps[seat]) for seat in summary.players},
        "said": [notice.record() for notice in game.notices],
    }, indent=1, ensure_ascii=False) + "\n"  # fmt: skip


def as_csv(game: StoredGame) -> str:
    """Every throw: its number, the second of play, seat, colour and value."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("number", "t_s", "seat", "colour", "value"))
    opening = game.summary.opening
    names = [seat.name for seat in opening.printed_board().seats]
    rolls = (notice for notice in game.notices if isinstance(notice, Roll))
    for number, roll in enumerate(rolls, 1):
        table.writerow((number, round(roll.t, 2), names[roll.seat], opening.colours[roll.seat], roll.value))
    return out.getvalue()


def clock(t: float) -> str:
    """Minutes and seconds, right-aligned: "  4:05"."""
    minutes, seconds = divmod(int(t), 60)
    return f"{minutes:3d}:{seconds:02d}"
