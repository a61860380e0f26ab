"""The tables of the journal. `user_version` in the file is the number of migrations it has been through."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x4C55444F  # "LUDO"

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE games (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        key     TEXT NOT NULL UNIQUE,  -- the same in the copy of the running game
        began   TEXT NOT NULL,  -- the clock on the wall, UTC; for people only: it may jump
        ended   TEXT,
        outcome TEXT CHECK (outcome IN ('over', 'left')),  -- NULL: still running
        program TEXT NOT NULL,  -- the version that wrote it
        opening TEXT NOT NULL   -- JSON: board, colours, rules, players, start, options
    ) STRICT;
    CREATE TABLE entries (
        game     INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        number   INTEGER NOT NULL,  -- 0, 1, 2 … within the game
        t        REAL NOT NULL,     -- seconds of the game's own clock
        entry    TEXT NOT NULL,     -- JSON: the event, or the opening after a break
        notices  TEXT NOT NULL,     -- JSON: what the referee said to it
        standing TEXT NOT NULL,     -- JSON: game, players and rules since this entry; '' where they did not change
        checksum INTEGER NOT NULL,  -- CRC-32 over this row and the checksum of the row before
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW notices AS
        SELECT game, number, entries.t, json_extract(value, '$.type') AS kind, value AS notice FROM entries, json_each(entries.notices);
    CREATE VIEW throws AS
        SELECT game, number, t, notice ->> 'seat' AS seat, notice ->> 'value' AS value FROM notices WHERE kind = 'Roll';
    CREATE VIEW moves AS
        SELECT game, number, t, notice ->> 'seat' AS seat, notice ->> 'origin' AS origin, notice ->> 'destination' AS destination,
            notice ->> 'tokens' AS tokens, notice -> 'captures' AS captures FROM notices WHERE kind = 'Move';
    CREATE VIEW wrong_moves AS
        SELECT game, number, t, notice ->> 'reason' AS reason, notice -> 'seen' AS seen FROM notices WHERE kind = 'Illegal';
    CREATE VIEW overrides AS
        SELECT game, number, t, notice -> 'position' AS position FROM notices WHERE kind = 'Override';
    CREATE VIEW places AS
        SELECT game, seats.value AS seat, seats.key + 1 AS place
            FROM notices, json_each(notice, '$.order') AS seats WHERE kind = 'GameOver';
    """,
)


class NewerSchema(Exception):
    """The file was written by a later version of the program."""


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring the file to the newest schema, each step in one transaction. Raises NewerSchema, sqlite3.Error."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(migrations):
        raise NewerSchema(f"schema {version}, this program knows {len(migrations)}")
    for number, script in enumerate(migrations[version:], start=version + 1):
        # executescript commits what is open before it; so the transaction has to be inside the script.
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        connection.executescript(f"BEGIN IMMEDIATE; {script} {marks} COMMIT;")
