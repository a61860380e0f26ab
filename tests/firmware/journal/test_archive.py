"""Games that were kept: their events make the very states again, and readers see them while the writer writes."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import pytest

from ludo_referee.journal import Archive, ArchiveError, Journal, Opening
from ludo_referee.journal.archive import StoredGame
from ludo_referee.journal.opening import Standing
from ludo_referee.journal.place import DATABASE
from ludo_referee.referee.events import BoardFound, Gesture
from ludo_referee.referee.notices import Roll
from ludo_referee.referee.state import Phase


def play(drive: ModuleType, folder: Path, steps: int, breaks: int = 0, seed: int = 1, **rules: object) -> None:
    """An evening of so many steps, with the box switched off and on again in between."""
    chance = random.Random(seed)
    for stretch in range(breaks + 1):
        journal = Journal.open(folder)
        unfinished = journal.unfinished()
        if unfinished is None:
            assert stretch == 0
            opening = drive.first_opening(players=(0, 1, 3), **rules)
            journal.begin_game(opening)
        else:
            opening = unfinished.goes_on()
            journal.resume_game(opening)
        evening = drive.Evening(opening, chance, (drive.Keeper(journal),))
        for _ in range(steps // (breaks + 1)):
            evening.step()
        journal.close()


def stored(folder: Path, number: int | None = None) -> StoredGame:
    with Archive(folder) as archive:
        return archive.game(number)


@pytest.mark.parametrize(("seed", "rules"), [
    (1, {}),
    (2, {"preset": "indian", "take_back": "whole_turn"}),
    (3, {"preset": "family", "block_pass": "six"}),
    (4, {"preset": "madn"}),
    (5, {"preset": "parchis"}),
])
def test_events_replayed_make_the_very_states(drive: ModuleType, tmp_path: Path, seed: int, rules: dict[str, object]) -> None:
    play(drive, tmp_path, steps=450, breaks=2, seed=seed, **rules)
    game = stored(tmp_path)
    referee = game.summary.opening.referee()
    state, _ = referee.begin(game.summary.opening.t)
    compared = 0
    for kept in game.kept:
        if isinstance(kept.entry, Opening):
            assert kept.entry.start == state.game  # it went on from the very game
            assert (kept.entry.rules, kept.entry.players) == (state.rules, state.players)
            referee = kept.entry.referee()
            state, _ = referee.begin(kept.entry.t)
        else:
            state, _ = referee.reduce(state, kept.entry)
        if kept.standing is not None:
            assert Standing.of(state) == kept.standing
            compared += 1
    assert compared > 60


def test_archive_reads_while_the_writer_writes(drive: ModuleType, tmp_path: Path) -> None:
    play(drive, tmp_path, steps=100)
    journal = Journal.open(tmp_path)
    unfinished = journal.unfinished()
    assert unfinished is not None
    opening = unfinished.goes_on()
    with Archive(tmp_path) as archive:
        before = archive.games()[0].throws
        journal.resume_game(opening)
        evening = drive.Evening(opening, random.Random(2), (drive.Keeper(journal),))
        for _ in range(100):
            evening.step()
        assert archive.games()[0].throws > before
    journal.close()


def test_summary_tells_players_throws_and_time(drive: ModuleType, tmp_path: Path) -> None:
    play(drive, tmp_path, steps=300)
    with Archive(tmp_path) as archive:
        (summary,) = archive.games()
        game = archive.game(summary.game)
    assert summary.players == (0, 1, 3)
    assert summary.outcome is None
    assert summary.order == ()
    assert 140 < summary.seconds <= 150  # half a second a step
    assert summary.throws == sum(isinstance(notice, Roll) for notice in game.notices)


def test_what_is_not_there_is_named(drive: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no games are kept there"):
        Archive(tmp_path)
    Journal.open(tmp_path).close()
    with Archive(tmp_path) as archive, pytest.raises(ArchiveError, match="no game to show; it has none yet"):
        archive.game()
    play(drive, tmp_path, steps=100)
    with Archive(tmp_path) as archive, pytest.raises(ArchiveError, match="there is no game 7; it has games 1 to 1"):
        archive.game(7)


def test_damaged_journal_is_named_and_not_raised(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database" * 99)
    with pytest.raises(ArchiveError, match="cannot be read"):
        Archive(tmp_path)


def test_throw_shown_before_any_token_left_its_yard_is_not_thrown_again(drive: ModuleType, tmp_path: Path) -> None:
    opening = drive.first_opening()
    game = opening.referee().game
    thrown, _ = game.throw(game.begin(0), 6)
    again = opening.going_on(30.0, Standing(thrown, (0, 1, 2, 3), {"preset": "classic"}))
    evening = drive.Evening(again, random.Random(1))
    evening.session.happen(BoardFound(31.0, drive.CORNERS, "given"))
    evening.session.happen(Gesture(32.0, "tap"))
    assert evening.state.phase is Phase.TO_MOVE
    assert evening.state.game.pending == 6
