"""Those at the real table who are told what the referee decides: the journal with the ring of pictures, buzzer and lamps, the language."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Sequence

from ludo_hardware.ports import DeviceError

from .. import tunes
from ..config import Config, journal_folder
from ..journal import Journal, Opening
from ..referee.events import Event
from ..referee.notices import Notice
from ..referee.referee import Referee
from ..referee.state import State
from ..ring import PictureRing
from .beginning import LANGUAGE
from .devices import Devices
from .session import Sink

_log = logging.getLogger(__name__)


class Keeper(Sink):
    """Keeps every accepted event in the journal, before anybody else hears of it, and in the ring of the last minutes."""

    def __init__(self, journal: Journal, ring: PictureRing, referee: Referee, opening: Opening) -> None:
        self._journal, self._ring, self._referee, self._board_text = journal, ring, referee, opening.board_text

    def accepted(self, event: Event, notices: Sequence[Notice], state: State) -> None:
        self._journal.append(event, notices, state)
        self._ring.accepted(event, notices, state)

    def new_game(self, state: State) -> None:
        self._journal.begin_game(Opening.of(self._referee, state, self._board_text))
        self._ring.new_game()


class Tongue(Sink):
    """Remembers the language that people choose, for the next start."""

    def __init__(self, config: Config) -> None:
        self._file = journal_folder(config) / LANGUAGE

    def language(self, code: str) -> None:
        try:
            self._file.write_text(code, "utf-8")
        except OSError as error:
            _log.warning("%s: the language is not remembered: %s", self._file, error.strerror)


class Sounds(Sink):
    """The buzzer and the seats' lamps."""

    def __init__(self, devices: Devices, config: Config) -> None:
        self._devices, self._sound = devices, config.sound

    def sound(self, tune: str) -> None:
        wall = datetime.datetime.now().time()
        if tunes.audible(self._sound.level, wall, self._sound.quiet_from, self._sound.quiet_until):
            self._devices.buzzer.play(tunes.notes(tune))

    def lamp(self, seat: int | None) -> None:
        try:
            self._devices.lamps.light(seat)
        except DeviceError as error:
            _log.warning("%s", error)
