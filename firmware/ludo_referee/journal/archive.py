"""The journal as readers see it: any number of them, while the writer writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from ..errors import LudoError
from ..referee.notices import Notice
from ..rules.game import GameState
from ..rules.ruleset import Rules, rules_from
from . import store
from .copy import Running
from .opening import Entry, Opening, Standing
from .place import DATABASE
from .values import UnknownValue, entry_from, notices_from, standing_from

SUMMARY = """
    SELECT id, began, ended, outcome, opening,
        (SELECT group_concat(seat) FROM (SELECT DISTINCT seat FROM throws WHERE game = games.id ORDER BY seat)),
        (SELECT count(*) FROM throws WHERE game = games.id),
        (SELECT max(t) - min(t) FROM entries WHERE game = games.id),
        (SELECT group_concat(seat) FROM (SELECT seat FROM places WHERE game = games.id ORDER BY place))
    FROM games
"""


class ArchiveError(LudoError, LookupError):
    """A journal or a game that cannot be read; the text names it and the way out."""


class Summary(msgspec.Struct, frozen=True):
    """A game in one line. `began` and `ended` are the clock on the wall (UTC text); `outcome` over, left, or None while it runs;
    `players` the seats that threw; `seconds` by the game's own clock, breaks left out; `order` the seats from first to last, () where
    it did not come to that."""

    game: int
    began: str
    ended: str | None
    outcome: str | None
    opening: Opening
    players: tuple[int, ...]
    throws: int
    seconds: float
    order: tuple[int, ...]


class Kept(msgspec.Struct, frozen=True):
    """One entry, what was said to it, and how the game stands since (None: as before)."""

    t: float
    entry: Entry
    notices: Sequence[Notice]
    standing: Standing | None


class StoredGame(msgspec.Struct, frozen=True):
    """A whole game: what happened and what was said, in order."""

    summary: Summary
    kept: tuple[Kept, ...]

    @property
    def notices(self) -> Iterator[Notice]:
        return (notice for one in self.kept for notice in one.notices)

    @property
    def standings(self) -> Iterator[tuple[float, GameState]]:
        """The game at its start and after each change, with the second of play."""
        yield self.summary.opening.t, self.summary.opening.start
        yield from ((one.t, one.standing.game) for one in self.kept if one.standing is not None)

    @property
    def rules(self) -> Rules:
        """The rules in force when the game stopped: people may have chosen them in set-up. Raises RulesError."""
        standings = [one.standing for one in self.kept if one.standing is not None]
        return rules_from(standings[-1].rules) if standings else self.summary.opening.rules


class Archive:
    """Reads the games of a folder; a context manager. Raises ArchiveError where there is no journal or it cannot be read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / DATABASE
        try:
            path.stat()
        except PermissionError:
            raise ArchiveError(f"{folder}: may not be read; become the user that runs the service, or root") from None
        except OSError:
            raise ArchiveError(f"{folder}: no games are kept there; name the folder of the journal with --journal") from None
        try:
            self._connection = store.connect_to_read(path)
            self._connection.execute("SELECT 1 FROM games")
        except sqlite3.Error as error:
            raise ArchiveError(f"{path}: cannot be read: {error}") from error

    def games(self) -> tuple[Summary, ...]:
        """All games that this version understands, oldest first."""
        rows = self._rows(f"{SUMMARY} ORDER BY id")
        return tuple(summary for row in rows if (summary := _summary(row)) is not None)

    def game(self, number: int | None = None) -> StoredGame:
        """A game by its number, by default the newest. Damaged or unknown entries end it early."""
        if number is None:
            rows = self._rows(f"{SUMMARY} ORDER BY id DESC LIMIT 1")
        else:
            rows = self._rows(f"{SUMMARY} WHERE id = {int(number)}")
        if not rows:
            known = [summary.game for summary in self.games()]
            there = f"it has games {known[0]} to {known[-1]}" if known else "it has none yet"
            raise ArchiveError(f"{self._folder}: there is no game {number if number is not None else 'to show'}; {there}")
        summary = _summary(rows[0])
        if summary is None:
            raise ArchiveError(f"game {rows[0][0]} was written by another version of the program; update this one")
        return StoredGame(summary, tuple(self._kept(rows[0])))

    def told(self, number: int) -> Iterator[Notice]:
        """What was said in a game, in order; a quarter of the work of reading all of it. Damaged or unknown entries end it early."""
        for (text,) in self._rows(f"SELECT notices FROM entries WHERE game = {int(number)} AND notices != '[]' ORDER BY number"):
            try:
                yield from notices_from(str(text))
            except UnknownValue:
                return

    def _kept(self, row: tuple[object, ...]) -> Iterator[Kept]:
        ((key, program),) = self._rows(f"SELECT key, program FROM games WHERE id = {row[0]}")
        running = Running(game=int(str(row[0])), key=str(key), began=str(row[1]), program=str(program), opening=str(row[4]))
        try:
            store.read_rows(self._connection, running)
        except sqlite3.Error as error:
            raise ArchiveError(f"{self._folder / DATABASE}: game {row[0]} cannot be read: {error}") from error
        for stored in running.rows:
            try:
                standing = standing_from(stored.standing) if stored.standing else None
                yield Kept(stored.t, entry_from(stored.entry), notices_from(stored.notices), standing)
            except UnknownValue:
                return

    def _rows(self, query: str) -> list[tuple[object, ...]]:
        try:
            return self._connection.execute(query).fetchall()
        except sqlite3.Error as error:
            raise ArchiveError(f"{self._folder / DATABASE}: cannot be read: {error}") from error

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _summary(row: tuple[object, ...]) -> Summary | None:
    game, began, ended, outcome, text, players, throws, seconds, order = row
    try:
        opening = entry_from(str(text))
    except UnknownValue:
        return None
    columns = (game, began, ended, outcome, opening, _seats(players), throws, seconds or 0.0, _seats(order))
    return msgspec.convert(dict(zip(Summary.__struct_fields__, columns, strict=True)), Summary) if isinstance(opening, Opening) else None


def _seats(listed: object) -> tuple[int, ...]:
    return () if listed is None else tuple(map(int, str(listed).split(",")))
