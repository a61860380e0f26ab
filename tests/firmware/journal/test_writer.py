"""The journal: what was accepted is there again after any end of the program, and trouble with the disk is said, not raised."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from ludo_referee.errors import LudoError
from ludo_referee.journal import Journal, JournalBusy, Opening
from ludo_referee.journal.copy import COPY, Row
from ludo_referee.journal.opening import Entry
from ludo_referee.journal.place import DATABASE, forgetful
from ludo_referee.journal.schema import MIGRATIONS, migrate
from ludo_referee.journal.values import entry_from
from ludo_referee.referee.events import Event, Gesture, Ranked, Throw, Tick
from ludo_referee.referee.notices import GameOver, Illegal, Move, Notice, Roll
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules

BOARD = load_board("ludo15")
REFEREE = Referee(Game(BOARD, Rules(), (0, 2)), BOARD)
STATE = REFEREE.begin()[0]
OPENING = Opening.of(REFEREE, STATE)
Step = tuple[Event, list[Notice]]


def evening(turns: int) -> list[Step]:
    """Throws and moves in turn, as the referee accepts them."""
    steps: list[Step] = []
    for turn in range(turns):
        t, seat = 10.0 * turn, 2 * (turn % 2)
        steps.append((Throw(t, turn % 6 + 1), [Roll(t, seat, turn % 6 + 1)]))
        steps.append((Ranked(t + 5, turn, 1, 2.5), [Move(t + 5, seat, -1, 0, 1, ((2 - seat, 3),))]))
    return steps


@pytest.fixture
def folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Path:
    """An empty folder for games; `caplog` holds what the journal said."""
    caplog.set_level(logging.WARNING, "ludo_referee.journal")
    return tmp_path / "games"


def write(folder: Path, steps: list[Step], wall: str = "2026-01-01T20:00:00+00:00") -> None:
    journal = Journal.open(folder, wall=lambda: wall)
    journal.begin_game(OPENING)
    for event, notices in steps:
        journal.append(event, notices, STATE)
    journal.close()


def events_found(folder: Path) -> list[Entry] | None:
    """The events of the game that is to be resumed."""
    journal = Journal.open(folder)
    found = None if journal.unfinished() is None else events_of(journal)
    journal.close()
    return found


def events_of(journal: Journal) -> list[Entry]:
    """What the running game holds."""
    assert journal._running is not None
    return [entry_from(row.entry) for row in journal._running.rows]


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the journal said, without the warning that tests may run in memory or on an overlay."""
    return [message for message in caplog.messages if "loses the games" not in message]


def test_empty_journal_has_nothing_to_resume(folder: Path) -> None:
    assert events_found(folder) is None


def test_game_is_resumed_with_every_event(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    steps = evening(5)
    write(folder, steps)
    journal = Journal.open(folder)
    unfinished = journal.unfinished()
    assert unfinished is not None
    assert unfinished.goes_on() == msgspec.structs.replace(OPENING, t=45.0)
    assert events_of(journal) == [event for event, _ in steps]
    journal.append(Throw(50, 6), [Roll(50, 0, 6)], STATE)
    journal.close()
    assert events_found(folder) == [*(event for event, _ in steps), Throw(50, 6)]
    assert said(caplog) == []


def test_game_that_is_over_is_not_resumed(folder: Path) -> None:
    write(folder, [*evening(2), (Ranked(30, 9, 1, 2.0), [GameOver(30, (0, 2))])])
    assert events_found(folder) is None


def test_game_that_was_left_is_not_resumed(folder: Path) -> None:
    write(folder, evening(2))
    journal = Journal.open(folder)
    journal.leave_game()
    journal.close()
    assert events_found(folder) is None


def test_silent_events_go_along_with_the_next_decision(folder: Path) -> None:
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    journal.append(Tick(1), [], STATE)
    reader = sqlite3.connect(folder / DATABASE)
    assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)  # how the game stands was new
    journal.append(Tick(2), [], replace(STATE, hint="too_dark"))
    journal.append(Tick(2.5), [], replace(STATE, hint="too_dark", t=2.5))  # time passed, that is all
    assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    journal.append(Gesture(3, "tap"), [], replace(STATE, hint="too_dark"))
    assert reader.execute("SELECT count(*) FROM entries").fetchone() == (3,)
    reader.close()
    journal.close()
    journal = Journal.open(folder)
    assert events_of(journal) == [Tick(1), Tick(2), Gesture(3, "tap")]
    journal.close()


def test_every_decision_is_one_synced_commit(folder: Path) -> None:
    journal = Journal.open(folder)
    connection = journal._connection
    assert connection is not None
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    journal.begin_game(OPENING)
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    journal.append(Throw(1, 6), [Roll(1, 0, 6), Illegal(1, "wrong_count", ())], STATE)
    assert [statement for statement in statements if statement.startswith(("BEGIN", "COMMIT"))] == ["BEGIN IMMEDIATE", "COMMIT"]
    journal.close()


def test_only_the_newest_two_hundred_games_are_kept(folder: Path) -> None:
    journal = Journal.open(folder)
    for number in range(203):
        journal.begin_game(OPENING)
        journal.append(Throw(number, 1), [Roll(number, 0, 1)], STATE)
    journal.close()
    with sqlite3.connect(folder / DATABASE) as reader:
        outcomes = [(number, "left") for number in range(4, 203)]
        assert reader.execute("SELECT id, outcome FROM games").fetchall() == [*outcomes, (203, None)]
        assert reader.execute("SELECT count(*), count(DISTINCT game) FROM entries").fetchone() == (200, 200)
    reader.close()


def test_game_without_a_throw_is_forgotten(folder: Path) -> None:
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    journal.begin_game(OPENING)
    journal.append(Throw(1, 1), [Roll(1, 0, 1)], STATE)
    journal.close()
    with sqlite3.connect(folder / DATABASE) as reader:
        assert reader.execute("SELECT id FROM games").fetchall() == [(2,)]
    reader.close()


def test_views_show_throws_moves_and_places(folder: Path) -> None:
    write(folder, [*evening(1), (Ranked(9, 1, 0, 2.0), [Illegal(9, "backwards", ((0, 5, 3),)), GameOver(9, (2, 0))])])
    reader = sqlite3.connect(folder / DATABASE)
    assert reader.execute("SELECT seat, value FROM throws").fetchall() == [(0, 1)]
    assert reader.execute("SELECT seat, origin, destination, captures FROM moves").fetchall() == [(0, -1, 0, "[[2,3]]")]
    assert reader.execute("SELECT reason, seen FROM wrong_moves").fetchall() == [("backwards", "[[0,5,3]]")]
    assert reader.execute("SELECT seat, place FROM places").fetchall() == [(2, 1), (0, 2)]
    reader.close()


@pytest.mark.parametrize(("before", "after"), [("2026-01-22", "2026-01-01"), ("2026-01-01", "2026-01-22")])
def test_clock_that_jumps_three_weeks_changes_nothing(folder: Path, before: str, after: str) -> None:
    write(folder, evening(2), wall=f"{before}T20:00:00+00:00")
    journal = Journal.open(folder, wall=lambda: f"{after}T20:00:00+00:00")
    assert journal.unfinished() is not None
    journal.append(Throw(99, 2), [Roll(99, 0, 2)], STATE)
    journal.begin_game(OPENING)
    journal.append(Throw(1, 3), [Roll(1, 0, 3)], STATE)
    journal.close()
    assert events_found(folder) == [Throw(1, 3)]


# --- the schema ------------------------------------------------------------------------------------------------------


def test_older_schema_is_migrated_and_keeps_its_games(folder: Path) -> None:
    write(folder, evening(1))
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
    migrate(connection, (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT;", "UPDATE games SET place = 'kitchen';"))
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 2,)
    assert connection.execute("SELECT place FROM games").fetchall() == [("kitchen",)]
    assert connection.execute("SELECT count(*) FROM entries").fetchone() == (2,)
    connection.close()


def test_migration_that_fails_changes_nothing(folder: Path) -> None:
    write(folder, evening(1))
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*MIGRATIONS, "ALTER TABLE games ADD COLUMN place TEXT; DROP TABLE nothing;"))
    connection.rollback()
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert "place" not in [row[1] for row in connection.execute("PRAGMA table_info(games)")]
    connection.close()


def test_file_of_a_newer_program_is_set_aside(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(folder, evening(1))
    connection = sqlite3.connect(folder / DATABASE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert events_found(folder) == [event for event, _ in evening(1)]
    assert (folder / "journal.broken-1.db").exists()
    assert "set aside as journal.broken-1.db" in said(caplog)[0]


# --- trouble with the disk -------------------------------------------------------------------------------------------


def test_full_disk_is_said_once_and_made_up_for_later(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    steps = evening(150)
    assert journal._connection is not None
    (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
    journal._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    for event, notices in steps:
        journal.append(event, notices, STATE)
    assert journal.trouble is not None
    assert "full" in journal.trouble
    assert len(said(caplog)) == 1
    journal._connection.execute("PRAGMA max_page_count = 100000")
    journal.append(Throw(9999, 1), [Roll(9999, 0, 1)], STATE)
    assert journal.trouble is None
    assert said(caplog)[1:] == [f"{folder}: games are kept again"]
    journal.close()
    assert events_found(folder) == [*(event for event, _ in steps), Throw(9999, 1)]


def test_place_that_is_a_file_is_trouble_and_no_error(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("not a folder")
    journal = Journal.open(folder)
    assert journal.unfinished() is None
    journal.begin_game(OPENING)
    journal.append(Throw(1, 2), [Roll(1, 0, 2)], STATE)
    journal.close()
    assert journal.trouble is not None
    assert len(said(caplog)) == 1


def test_second_writer_is_refused_and_says_so(folder: Path) -> None:
    journal = Journal.open(folder)
    code = (
        "import sys; from pathlib import Path; from ludo_referee.journal import Journal, JournalBusy\n"
        "try: Journal.open(Path(sys.argv[1]))\n"
        "except JournalBusy as busy: print(busy); sys.exit(busy.exit_status)"
    )
    second = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    assert second.returncode == 75
    assert second.stdout.count("\n") == 1
    assert "another Ludo Referee (process " in second.stdout
    journal.close()
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    assert issubclass(JournalBusy, OSError)


@pytest.mark.parametrize(("mounts", "folder", "kind"), [
    ("22 1 0:1 / / rw - overlay overlay rw", "/var/lib/ludo", "an overlay that forgets everything when the power goes"),
    ("22 1 0:1 / / rw - ext4 /dev/sda rw\n23 22 0:2 / /var rw - tmpfs tmpfs rw", "/var/lib/ludo", "memory, not a disk"),
    ("22 1 0:1 / / rw - overlay overlay rw\n23 22 0:2 / /var/lib rw - ext4 /dev/sda rw", "/var/lib/ludo", None),
    ("22 1 0:1 / / rw - ext4 /dev/sda rw\n23 22 0:2 / /va rw - tmpfs tmpfs rw", "/var/lib/ludo", None),
    ("22 1 0:1 / / rw - ext4 a rw\n23 22 0:2 / /my\\040disk rw - tmpfs tmpfs rw", "/my disk/x", "memory, not a disk"),
    ("22 1 0:1 / / rw shared:1 - ext4 a rw\n23 22 0:2 / /v rw shared:2 master:1 - tmpfs t rw\n24 23 0:3 / /v rw - ext4 b rw", "/v/x", None),
])
def test_folder_that_forgets_is_recognised(mounts: str, folder: str, kind: str | None) -> None:
    assert forgetful(Path(folder), mounts) == kind


# --- damage ----------------------------------------------------------------------------------------------------------


def test_garbage_for_a_database_is_set_aside_and_the_copy_goes_on(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    steps = evening(20)
    write(folder, steps)
    (folder / DATABASE).write_bytes(b"garbage" * 1000)
    assert events_found(folder) == [event for event, _ in steps]
    assert (folder / "journal.broken-1.db").read_bytes().startswith(b"garbage")
    assert len(said(caplog)) == 2
    assert "set aside as journal.broken-1.db" in said(caplog)[0]
    assert said(caplog)[1].endswith("40 events were read from the copy")


def test_older_games_are_read_from_a_damaged_database(folder: Path) -> None:
    for _ in range(3):
        write(folder, evening(40))
    data = bytearray((folder / DATABASE).read_bytes())
    size = 4096
    data[-3 * size : -2 * size] = bytes(reversed(data[-3 * size : -2 * size]))
    (folder / DATABASE).write_bytes(data)
    assert events_found(folder) == [event for event, _ in evening(40)]
    reader = sqlite3.connect(folder / DATABASE)
    assert reader.execute("SELECT id FROM games ORDER BY id").fetchall() == [(1,), (2,), (3,)]
    (count,) = reader.execute("SELECT count(*) FROM entries").fetchone()
    assert count >= 160
    reader.close()


def test_changed_row_is_noticed(folder: Path) -> None:
    steps = evening(3)
    write(folder, steps)
    connection = sqlite3.connect(folder / DATABASE)
    connection.execute("UPDATE entries SET entry = replace(entry, '\"value\":2', '\"value\":6')")
    connection.commit()
    connection.close()
    assert events_found(folder) == [event for event, _ in steps]
    assert (folder / "journal.broken-1.db").exists()


def test_damage_in_the_middle_of_a_game_is_mended_from_memory(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal.open(folder)
    journal.begin_game(OPENING)
    for event, notices in evening(3):
        journal.append(event, notices, STATE)
    connection = journal._connection
    assert connection is not None
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DROP TABLE entries")
    journal.append(Throw(99, 1), [Roll(99, 0, 1)], STATE)
    assert journal.trouble is None
    journal.close()
    assert events_found(folder) == [*(event for event, _ in evening(3)), Throw(99, 1)]
    assert len(said(caplog)) == 1


def test_damaged_copy_harms_nothing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(folder, evening(3))
    (folder / COPY).write_bytes(b"\0" * 100)
    assert events_found(folder) == [event for event, _ in evening(3)]
    assert said(caplog) == []


def test_copy_of_an_older_game_is_not_resumed(folder: Path) -> None:
    write(folder, evening(3))
    old = (folder / COPY).read_bytes()
    write(folder, [*evening(1), (Ranked(30, 9, 1, 2.0), [GameOver(30, (0, 2))])], wall="2026-01-02T20:00:00+00:00")
    (folder / COPY).write_bytes(old)
    assert events_found(folder) is None


def test_game_of_another_version_is_kept_but_not_resumed(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(folder, evening(2))
    journal = Journal.open(folder)
    assert journal._running is not None
    first = journal._running.rows[0]
    journal._running.rows[0] = Row(first.t, first.entry, first.notices, first.standing.replace("start", "levitating"))
    assert journal.unfinished() is None
    assert "another version of the program" in said(caplog)[0]
    journal.close()


def test_game_on_a_board_that_is_no_longer_good_is_refused_before_it_goes_on(folder: Path) -> None:
    journal = Journal.open(folder)
    journal.begin_game(msgspec.structs.replace(OPENING, board="ours", board_text="name = 'ours'"))
    journal.append(Throw(1, 6), [Roll(1, 0, 6)], STATE)
    unfinished = journal.unfinished()
    assert unfinished is not None
    with pytest.raises(LudoError, match="ours"):
        unfinished.goes_on()
    journal.close()
