"""The journal's database: opening it durably, what is written in one transaction, and telling damage from a disk that will not write."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .copy import Row, Running
from .place import DATABASE
from .schema import NewerSchema, migrate

WAIT_S = 2.0  # for a reader that checkpoints; writers are kept out by the lock
DAMAGE_CODES = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_SCHEMA)
CHECKED_WHOLE_BYTES = 8_000_000  # a larger file would cost the first screen its two seconds on an SD card

ROWS = "SELECT number, t, entry, notices, standing, checksum FROM entries WHERE game = ? ORDER BY number"


class Damaged(Exception):
    """The database contradicts itself."""


def connect(folder: Path) -> sqlite3.Connection:
    """The database, created or migrated where needed. Raises sqlite3.Error, Damaged, NewerSchema."""
    path = folder / DATABASE
    connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    try:
        # FULL: one sync a commit. NORMAL would lose the last commits of a WAL when the power fails.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)
        if path.stat().st_size <= CHECKED_WHOLE_BYTES:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise Damaged(" ".join(verdict.split()))
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A database that is only read, also from a folder that cannot be written. Raises sqlite3.Error."""
    # Where no log is left over, SQLite need not (and in a read-only folder cannot) make its side files.
    at_rest = not path.with_name(path.name + "-wal").exists() and not os.access(path.parent, os.W_OK)
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if at_rest else ''}", uri=True, timeout=WAIT_S)


def is_damage(error: Exception, folder: Path) -> bool:
    """Whether another, fresh database would work where this one does not."""
    if isinstance(error, Damaged | NewerSchema | sqlite3.IntegrityError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        return isinstance(error, sqlite3.Error)  # text that cannot be decoded, and the like
    if code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return True
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_READONLY:  # the file's own header can say so, when a byte of it is wrong
        return os.access(folder, os.W_OK) and os.access(folder / DATABASE, os.W_OK)
    return primary in DAMAGE_CODES


def write_game(connection: sqlite3.Connection, running: Running, saved: int, over: str | None, keep: int) -> int:
    """Write the game where it is not there yet, and its rows from number `saved` on, in one transaction; the game's id.

    over: the clock on the wall where the game ended with these rows. keep: older games than the newest so many are deleted.
    Raises sqlite3.Error, and then nothing was written.
    """
    with _transaction(connection):
        game = running.game if running.game is not None else _insert_game(connection, running, keep)
        before = running.checksum() if saved == 0 else _checksum_at(connection, game, saved - 1)
        _insert_rows(connection, game, saved, running.rows[saved:], before)
        if over is not None:
            connection.execute("UPDATE games SET ended = ?, outcome = 'over' WHERE id = ?", (over, game))
    return game


def _insert_game(connection: sqlite3.Connection, running: Running, keep: int) -> int:
    # A game that was never thrown in is no game to remember.
    connection.execute("DELETE FROM games WHERE outcome IS NULL AND NOT EXISTS (SELECT 1 FROM throws WHERE game = games.id)")
    connection.execute("UPDATE games SET outcome = 'left', ended = ? WHERE outcome IS NULL", (running.began,))
    columns = (running.key, running.began, running.program, running.opening)
    found = connection.execute("INSERT INTO games (key, began, program, opening) VALUES (?, ?, ?, ?)", columns)
    connection.execute("DELETE FROM games WHERE id NOT IN (SELECT id FROM games ORDER BY id DESC LIMIT ?)", (keep,))
    assert found.lastrowid is not None
    return found.lastrowid


def leave_game(connection: sqlite3.Connection, game: int, when: str) -> None:
    """The game will not be played on. Raises sqlite3.Error."""
    with _transaction(connection):
        connection.execute("UPDATE games SET ended = ?, outcome = 'left' WHERE id = ? AND outcome IS NULL", (when, game))


def read_running(connection: sqlite3.Connection) -> Running | None:
    """The newest game if it is still running. Raises Damaged, sqlite3.Error."""
    newest = "SELECT id, key, began, program, opening FROM games WHERE outcome IS NULL ORDER BY id DESC LIMIT 1"
    found = connection.execute(newest).fetchone()
    if found is None:
        return None
    game, key, began, program, opening = found
    running = Running(game=game, key=key, began=began, program=program, opening=opening)
    if not read_rows(connection, running):
        raise Damaged(f"game {game} is damaged after {len(running.rows)} entries")
    return running


def read_rows(connection: sqlite3.Connection, running: Running) -> bool:
    """Fill in the game's entries up to the first damaged one, and tell whether none is. Raises sqlite3.Error."""
    before = running.checksum()
    for number, t, entry, notices, standing, checksum in connection.execute(ROWS, (running.game,)):
        row = Row(t, entry, notices, standing)
        before = row.checksum(before)
        if number != len(running.rows) or before != checksum:
            return False
        running.rows.append(row)
    return True


def read_running_only(folder: Path) -> Running | None:
    """The running game of a database that cannot be opened for writing; None: it cannot be read either, or there is none."""
    try:
        connection = connect_to_read(folder / DATABASE)
    except sqlite3.Error:
        return None
    try:
        return read_running(connection)
    except (sqlite3.Error, Damaged):
        return None
    finally:
        connection.close()


def forget_rows(connection: sqlite3.Connection, running: Running, count: int) -> None:
    """Delete the game's rows from number `count` on. Raises sqlite3.Error."""
    with _transaction(connection):
        connection.execute("DELETE FROM entries WHERE game = ? AND number >= ?", (running.game, count))


def has_game(connection: sqlite3.Connection, running: Running) -> bool:
    """Whether this game is in the database, ended or not. Raises sqlite3.Error."""
    return connection.execute("SELECT 1 FROM games WHERE key = ?", (running.key,)).fetchone() is not None


def salvage(broken: Path, connection: sqlite3.Connection) -> int:
    """Copy what can still be read of every game from a broken database; how many games came over, whole or in part."""
    try:
        source = connect_to_read(broken)
    except sqlite3.Error:
        return 0
    try:
        games = source.execute("SELECT id, key, began, ended, outcome, program, opening FROM games ORDER BY id")
        return sum(_salvage_game(source, connection, game) for game in _readable(games))
    except sqlite3.Error:
        return 0
    finally:
        source.close()


def _salvage_game(source: sqlite3.Connection, connection: sqlite3.Connection, columns: tuple[Any, ...]) -> bool:
    game, key, began, _, _, program, opening = columns
    running = Running(game=game, key=key, began=began, program=program, opening=opening)
    with contextlib.suppress(sqlite3.Error):  # what was read before the damage is kept
        read_rows(source, running)
    if not running.rows:
        return False  # nothing vouches for the rest
    try:
        with _transaction(connection):
            connection.execute("INSERT INTO games (id, key, began, ended, outcome, program, opening) VALUES (?, ?, ?, ?, ?, ?, ?)", columns)
            _insert_rows(connection, game, 0, running.rows, running.checksum())
    except sqlite3.Error:
        return False
    return True


def _readable(cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
    """The rows of a cursor up to the first that cannot be read."""
    with contextlib.suppress(sqlite3.Error):
        yield from cursor


def _checksum_at(connection: sqlite3.Connection, game: int, number: int) -> int:
    found = connection.execute("SELECT checksum FROM entries WHERE game = ? AND number = ?", (game, number)).fetchone()
    if found is None:
        raise Damaged(f"entry {number} of game {game} is gone")
    checksum: int = found[0]
    return checksum


def _insert_rows(connection: sqlite3.Connection, game: int, first: int, rows: Sequence[Row], before: int) -> None:
    for number, row in enumerate(rows, start=first):
        before = row.checksum(before)
        columns = (game, number, row.t, row.entry, row.notices, row.standing, before)
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", columns)


class _transaction:  # noqa: N801  reads as a statement
    """BEGIN IMMEDIATE … COMMIT; anything raised inside, or by the commit itself, rolls back."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            try:
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
                raise
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
