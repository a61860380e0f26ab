"""The one writer of the journal. It never stops a game: where the disk will not take an event, it says so and tries again later."""

from __future__ import annotations

import datetime
import importlib.metadata
import itertools
import logging
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from ..referee.events import Event, Gesture, Pledged, Throw
from ..referee.notices import GameOver, Notice, Roll
from ..referee.state import State
from . import store
from .copy import CopyWriter, Row, Running, read_copy
from .memory import Known, read_memory, write_memory
from .opening import Opening, Standing
from .place import JournalBusy, WriterLock, forgetful, set_aside
from .schema import NewerSchema
from .values import UnknownValue, entry_from, entry_text, notices_text, standing_from, standing_text

log = logging.getLogger("ludo_referee.journal")

KEEP_GAMES = 200
DECISIVE = Gesture | Throw | Pledged  # never lost, even where nothing was said to them: a throw that was shown is not thrown again


class Unfinished(msgspec.Struct, frozen=True):
    """A game that was under way when the power went: its newest opening, and how it stood at `t` seconds of its clock."""

    opening: Opening
    standing: Standing
    t: float

    def goes_on(self) -> Opening:
        """The opening from which to go on; it is sure to make a referee. Raises LudoError."""
        opening = self.opening.going_on(self.t, self.standing)
        opening.referee()  # a board of the family's own may no longer be good for this version
        return opening


def clock_on_the_wall() -> str:
    """Now, in UTC, as text. For people: it may jump, and nothing is decided by it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Journal:
    """Keeps the game under way; open it with `Journal.open`. Not thread-safe."""

    def __init__(self, folder: Path, keep_games: int, wall: Callable[[], str]) -> None:
        self._folder = folder
        self._keep_games = keep_games
        self._wall = wall
        self._lock: WriterLock | None = None
        self._connection: sqlite3.Connection | None = None
        self._copy: CopyWriter | None = None
        self._running: Running | None = None
        self._state: State | None = None  # after the newest event
        self._saved = 0  # so many rows of the running game are in the database
        self._known: Known | None = None  # what vision said of the table last
        self.trouble: str | None = None
        """Why events are not being kept just now, in one line; None: they are."""

    @classmethod
    def open(cls, folder: Path, keep_games: int = KEEP_GAMES, wall: Callable[[], str] = clock_on_the_wall) -> Journal:
        """The journal in a folder, made where it is missing. A damaged file is set aside; a folder that cannot be written
        is no error but `trouble`. Raises JournalBusy."""
        journal = cls(Path(folder), keep_games, wall)
        journal._find_running()
        if reason := forgetful(journal._folder):
            log.warning("%s is on %s: a power cut loses the games. Set [journal] folder to a place on a disk", folder, reason)
        return journal

    def unfinished(self) -> Unfinished | None:
        """The game to go on with, None: the last one ended, or nobody threw, or it is of another version of the program."""
        running = self._running
        if running is None or any(map(_is_over, running.rows)) or not any(map(_is_throw, running.rows)):
            return None
        openings = (row.entry for row in reversed(running.rows) if _is_opening(row))
        standings = (row.standing for row in reversed(running.rows) if row.standing)
        try:
            opening = entry_from(next(openings, running.opening))
            standing = standing_from(next(standings, ""))
        except UnknownValue as error:
            log.warning("%s: the last game cannot go on, it is of another version of the program (%s)", self._folder, error)
            return None
        return Unfinished(opening, standing, running.rows[-1].t) if isinstance(opening, Opening) else None

    def begin_game(self, opening: Opening) -> None:
        """A new game; one still running is left as it is."""
        program = importlib.metadata.version("ludo-referee")
        self._state = None
        self._running = Running(key=secrets.token_hex(8), began=self._wall(), program=program, opening=entry_text(opening))
        self._saved = 0
        self._close_copy()
        self._save()

    def resume_game(self, opening: Opening) -> None:
        """The unfinished game goes on from this opening."""
        self._state = None
        self._add(Row(opening.t, entry_text(opening), "[]"))
        self._save_all()

    def append(self, event: Event, notices: Sequence[Notice], state: State) -> None:
        """Keep an accepted event, what was said to it, and the state that followed. When the game changed, something was said or
        people acted, it is on the disk when this returns (or there is `trouble`); what the table showed meanwhile goes along with
        the next of those, so that the disk is not written ten times a second. What only let time pass is not kept."""
        before, self._state = self._state, state
        decisive = bool(notices) or isinstance(event, DECISIVE)
        if not decisive and before is not None and replace(state, t=before.t) == before:
            return
        stood = before is not None and (before.game, before.players, before.rules) == (state.game, state.players, state.rules)
        standing = "" if stood else standing_text(Standing.of(state))
        self._add(Row(float(event.t), entry_text(event), notices_text(notices), standing))
        if decisive or standing:
            self._save_all()

    def remember(self, table: str) -> None:
        """Keep what vision knows of the table in the running game; where the disk does not take it, as long as the program runs."""
        if self._running is None:
            return
        self._known = Known(self._running.key, table)
        try:
            if self._lock is not None:
                write_memory(self._folder, self._known)
        except OSError as error:  # a disk that is full or gone is told as `trouble`
            log.debug("what is known of the table is not kept: %s", error)

    def remembered(self) -> str | None:
        """What was known of the table in the running game, None: nothing."""
        if self._running is None:
            return None
        self._known = self._known or read_memory(self._folder)
        return self._known.table if self._known is not None and self._known.game == self._running.key else None

    def leave_game(self) -> None:
        """The running game will not be played on."""
        running, self._running = self._running, None
        self._close_copy()
        if running is not None and running.game is not None and self._connection is not None:
            try:
                store.leave_game(self._connection, running.game, self._wall())
            except sqlite3.Error as error:
                self._in_trouble(str(error))

    def close(self) -> None:
        """Let go of the files; the running game stays to be resumed."""
        self._close_copy()
        self._disconnect()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- saving ------------------------------------------------------------------------------------------------------

    def _add(self, row: Row) -> None:
        if self._running is None:
            raise RuntimeError("no game was begun")
        self._running.rows.append(row)

    def _save_all(self) -> None:
        self._save()
        self._add_to_copy()

    def _save(self) -> None:
        """Bring the database up to the running game."""
        try:
            self._write()
        except (sqlite3.Error, store.Damaged, NewerSchema, OSError) as error:
            if self._lock is None or not store.is_damage(error, self._folder):
                self._in_trouble(_cause(error))
                return
            try:
                self._start_anew(error)
                self._write()
            except (sqlite3.Error, store.Damaged, NewerSchema, OSError) as again:
                self._in_trouble(_cause(again))
                return
        if self.trouble is not None:
            log.warning("%s: games are kept again", self._folder)
            self.trouble = None

    def _write(self) -> None:
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = WriterLock(self._folder)
        if self._connection is None:
            self._connection = store.connect(self._folder)
        running = self._running
        if running is None:
            return
        over = self._wall() if any(map(_is_over, running.rows[self._saved:])) else None
        begins = running.game is None
        running.game = store.write_game(self._connection, running, self._saved, over, self._keep_games)
        self._saved = len(running.rows)
        if begins or over is not None:
            # The log's frames go into the file now: a log cut short later cannot take an ended game back.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _start_anew(self, error: Exception) -> None:
        """Set the broken database aside and take over what can be read of it."""
        self._disconnect()
        broken = set_aside(self._folder)
        self._connection = store.connect(self._folder)
        games = store.salvage(broken, self._connection)
        said = "%s: the journal was damaged (%s); it was set aside as %s, %d games were read from it"
        log.warning(said, self._folder, error, broken.name, games)
        self._saved = 0
        if self._running is not None and self._running.game is not None:
            self._saved = self._common_rows(self._connection, self._running)

    def _common_rows(self, connection: sqlite3.Connection, running: Running) -> int:
        """How many of the game's first rows are in the database; what follows there is another story and is removed."""
        if not store.has_game(connection, running):
            running.game = None
            return 0
        stored = msgspec.structs.replace(running, rows=[])
        store.read_rows(connection, stored)
        alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(stored.rows, running.rows, strict=False))
        common = sum(1 for _ in alike)
        store.forget_rows(connection, running, common)
        return common

    def _in_trouble(self, cause: str) -> None:
        trouble = f"{self._folder}: games are not being kept: {cause}. The game goes on, but a power cut would lose it"
        if trouble != self.trouble:
            log.warning("%s", trouble)
        self.trouble = trouble

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- the running game at the start -------------------------------------------------------------------------------

    def _find_running(self) -> None:
        """Take up the running game from database and copy, whichever knows more."""
        copy = read_copy(self._folder)
        try:
            self._write()
            assert self._connection is not None
            stored = store.read_running(self._connection)
        except JournalBusy:
            raise
        except (sqlite3.Error, store.Damaged, NewerSchema, OSError) as error:
            stored = self._read_despite(error)
        self._running, self._saved = stored, len(stored.rows) if stored else 0
        if copy is not None:
            self._compare(copy)
        if self._running is not None and self._saved < len(self._running.rows):
            log.warning("%s: %d events were read from the copy", self._folder, len(self._running.rows) - self._saved)
            self._save()

    def _read_despite(self, error: Exception) -> Running | None:
        """The running game of a database that is damaged or cannot be written."""
        try:
            if self._lock is not None and store.is_damage(error, self._folder):
                self._start_anew(error)
                assert self._connection is not None
                return store.read_running(self._connection)
        except (sqlite3.Error, store.Damaged, NewerSchema, OSError) as again:
            error = again
        if self.trouble is None:
            self._in_trouble(_cause(error))
        return store.read_running_only(self._folder)

    def _compare(self, copy: Running) -> None:
        running = self._running
        if running is not None and running.key == copy.key:
            if len(copy.rows) > len(running.rows) and copy.rows[: len(running.rows)] == running.rows:
                running.rows.extend(copy.rows[len(running.rows) :])
        elif any(map(_is_throw, copy.rows)) and not (self._connection is not None and store.has_game(self._connection, copy)):
            # The copy is always of the newest game: the database has lost it.
            copy.game = None
            self._running, self._saved = copy, 0

    # --- the copy ----------------------------------------------------------------------------------------------------

    def _add_to_copy(self) -> None:
        assert self._running is not None
        try:
            if self._copy is None:
                self._copy = CopyWriter(self._folder, self._running)
            else:
                self._copy.catch_up(self._running)
        except OSError:
            self._close_copy()  # written whole at the next event; the database has it all

    def _close_copy(self) -> None:
        if self._copy is not None:
            self._copy.close()
            self._copy = None


def _is_over(row: Row) -> bool:
    return f'"type":"{GameOver.__name__}"' in row.notices  # quotes inside JSON strings are escaped: this is no text of people


def _is_opening(row: Row) -> bool:
    return row.entry.startswith(f'{{"type":"{Opening.__name__}"')


def _is_throw(row: Row) -> bool:
    return f'"type":"{Roll.__name__}"' in row.notices


def _cause(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
