"""Where recordings are asked for and handed out: the page and the button ask the running program itself, the command line by a file.

A request is a file in the folder of recordings; the program looks for it once a second, writes the recording and leaves an answer.
"""

from __future__ import annotations

import datetime
import json
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from .errors import LudoError
from .ring import PictureRing

log = logging.getLogger("ludo_referee.record")

REQUEST = "request-*"
LOOK_EVERY_S = 1.0
PATIENCE_S = 10.0


class NoAnswer(LudoError, TimeoutError):
    """Nobody made the recording that was asked for."""


def now_on_the_wall() -> datetime.datetime:
    return datetime.datetime.now()


class RecordDesk:
    """The running program's end."""

    def __init__(self, folder: Path, ring: PictureRing, wall: Callable[[], datetime.datetime] = now_on_the_wall) -> None:
        self._folder, self._ring, self._wall = folder, ring, wall
        self._looked = float("-inf")

    def record(self) -> Path:
        """Write the last minutes as a recording into a new folder named after date and time. Raises LudoError."""
        name = self._wall().strftime("%Y-%m-%d_%H-%M-%S")
        number = 1
        while (folder := self._folder / (name if number == 1 else f"{name}_{number}")).exists():  # the clock may have been set back
            number += 1
        self._ring.save(folder)
        log.info("recorded the last minutes in %s", folder)
        return folder

    def serve(self, t: float) -> None:
        """Answer the requests that lie there; call it as often as you like, `t` in seconds of any steady clock."""
        if t - self._looked < LOOK_EVERY_S:
            return
        self._looked = t
        for request in sorted(self._folder.glob(REQUEST)):
            try:
                answer = {"folder": str(self.record())}
            except LudoError as error:
                answer = {"error": str(error)}
            try:
                request.unlink()
                _put(self._folder / request.name.replace("request", "answer"), json.dumps(answer))
            except OSError as error:
                log.warning("%s: cannot answer: %s", request, error.strerror)


def ask(folder: Path, patience_s: float = PATIENCE_S, sleep: Callable[[float], None] = time.sleep) -> Path:
    """Ask the program that keeps recordings in `folder` for one of the last minutes; where it lies. Raises LudoError."""
    token = secrets.token_hex(8)
    request, answer = folder / f"request-{token}", folder / f"answer-{token}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _put(request, "")
    except OSError as error:
        raise NoAnswer(f"{folder}: cannot ask for a recording: {error.strerror}; become the user that runs the service, or root") from error
    waited = 0.0
    while not answer.exists():
        if waited >= patience_s:
            request.unlink(missing_ok=True)
            raise NoAnswer(f"{folder}: nobody answers; start the service (`ludo-referee run`), with [recording] on = true")
        sleep(0.1)
        waited += 0.1
    told = json.loads(answer.read_text())
    answer.unlink(missing_ok=True)
    if "error" in told:
        raise NoAnswer(told["error"])
    return Path(told["folder"])


def _put(path: Path, text: str) -> None:
    """Write a file that is whole as soon as it is there."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text)
    fresh.replace(path)
