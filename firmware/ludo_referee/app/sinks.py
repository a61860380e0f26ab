"""Those who are told what the referee decides: lines for programs, sentences for people, pictures of the OLED."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from .. import screens, words
from ..errors import LudoError
from ..referee.notices import Notice
from ..referee.views import View
from ..rules.board import Board
from .session import Sink


class JsonLines(Sink):
    """Writes each notice as one JSON object a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def notice(self, notice: Notice) -> None:
        self._out.write(json.dumps(notice.record()) + "\n")
        self._out.flush()


class Story(Sink):
    """Tells the game in sentences, each with its time."""

    def __init__(self, out: TextIO, board: Board, language: str) -> None:
        self._out, self._board, self._language = out, board, language

    def notice(self, notice: Notice) -> None:
        minutes, seconds = divmod(notice.t, 60)
        # Clears a progress bar that may stand on the terminal's line.
        clear = "\r\x1b[K" if self._out.isatty() else ""
        self._out.write(f"{clear}{minutes:3.0f}:{seconds:04.1f}  {words.tell(notice, self._board, self._language)}\n")
        self._out.flush()


class ScreenFolder(Sink):
    """Writes each picture of the OLED as PNG, numbered, with the second at which it was shown."""

    def __init__(self, folder: Path, language: str) -> None:
        self._folder, self._language, self._count = folder, language, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LudoError(f"{folder}: cannot write screens there: {error.strerror}") from error

    def view(self, t: float, view: View) -> None:
        for seconds, picture in screens.frames(view, language=self._language):
            picture.save(self._folder / f"{self._count:05d}_{t:08.2f}s_{type(view).__name__}.png")
            self._count += 1
            t += seconds
