"""Power cuts and broken disks: whatever happens to the process or its files, the game goes on from the last or the last but one event."""

from __future__ import annotations

import json
import logging
import random
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ludo_referee.journal import Journal

DRIVE = Path(__file__).with_name("drive.py")


def drive(folder: Path, cuts: int, seed: int) -> dict[str, object]:
    """Lives cut short one after the other; what drive.py found."""
    run = subprocess.run([sys.executable, str(DRIVE), str(folder), str(cuts), str(seed)], capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(run.stdout)
    found["stderr"] = run.stderr
    return found


def test_two_hundred_power_cuts_lose_nothing_that_was_shown(tmp_path: Path) -> None:
    found = drive(tmp_path / "games", 210, seed=3)
    assert found["wrong"] == []
    assert found["lives"] == 210
    assert int(str(found["resumed"])) > 150
    assert "Traceback" not in str(found["stderr"])
    assert "set aside" not in str(found["stderr"])


# --- files damaged while nobody looked -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """A folder as a power cut leaves it, and the games that may be resumed from it."""
    folder = tmp_path_factory.mktemp("cut") / "games"
    found = drive(folder, 15, seed=5)
    return folder, set(found["last"])  # type: ignore[call-overload]


def truncate(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def flip_page(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    at = 4096 * chance.randrange(-(-len(data) // 4096))
    data[at : at + 4096] = chance.randbytes(len(data[at : at + 4096]))
    path.write_bytes(data)


def flip_bit(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def empty(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"")


def remove(path: Path, chance: random.Random) -> None:
    path.unlink()


@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal", "journal.db-shm", "running.jsonl"])
@pytest.mark.parametrize("damage", [truncate, flip_page, flip_bit, empty, remove])
def test_damaged_file_loses_nothing_that_was_shown(cut, name, damage, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    folder, allowed = cut
    for seed in range(8):
        caplog.clear()
        games = tmp_path / str(seed)
        shutil.copytree(folder, games)
        damage(games / name, random.Random(f"{name} {damage.__name__} {seed}"))
        journal = Journal.open(games)
        unfinished = journal.unfinished()
        assert unfinished is not None
        assert msgspec.json.encode(unfinished.goes_on().start).decode() in allowed
        assert journal.trouble is None
        journal.close()
        said = [message for message in caplog.messages if "loses the games" not in message]
        assert len(said) <= 2, said
        again = Journal.open(games)
        resumed = again.unfinished()
        assert resumed is not None
        assert resumed.goes_on() == unfinished.goes_on()
        again.close()


# --- disks that do not take it ---------------------------------------------------------------------------------------

LIFE = """
import logging, random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import drive
from ludo_referee.journal import Journal
logging.basicConfig(format="%(message)s")
journal = Journal.open(Path(sys.argv[1]))
unfinished = journal.unfinished()
if unfinished is None:
    opening = drive.first_opening()
    journal.begin_game(opening)
else:
    opening = unfinished.goes_on()
    journal.resume_game(opening)
evening = drive.Evening(opening, random.Random(1), (drive.Keeper(journal),))
for _ in range(int(sys.argv[3])):
    evening.step()
journal.close()
print(len(evening.state.game.steps), unfinished is not None, journal.trouble is None)
"""


def on_mount(commands: str, folder: Path, steps: int) -> subprocess.CompletedProcess[str]:
    """One life on a disk that these shell commands mount for it alone."""
    life = f'exec "{sys.executable}" -c \'{LIFE}\' "{folder}" "{DRIVE.parent}" {steps}'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", f"set -e\n{commands}\n{life}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in run.stderr or "mount:" in run.stderr:
        pytest.skip(f"no mounts here: {run.stderr.strip().splitlines()[-1]}")
    return run


def test_game_goes_on_when_the_disk_is_full(tmp_path: Path) -> None:
    run = on_mount(f'mount -t tmpfs -o size=120k none "{tmp_path}"', tmp_path / "games", 400)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split()[1:] == ["False", "False"]
    said = run.stderr.splitlines()
    assert len(said) == 2
    assert "is on memory, not a disk: a power cut loses the games" in said[0]
    assert "games are not being kept: " in said[1]
    assert "full" in said[1] or "I/O" in said[1]


def test_game_goes_on_in_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    games = tmp_path / "games"
    drive(games, 15, seed=5)
    mount = f'mount --bind "{tmp_path}" "{tmp_path}"\nmount -o remount,ro,bind "{tmp_path}"'
    run = on_mount(mount, games, 100)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split()[1:] == ["True", "False"]  # the game that was there is resumed, and not kept on
    said = [line for line in run.stderr.splitlines() if "loses the games" not in line]
    assert len(said) == 1
    assert "Read-only file system" in said[0]
    run = on_mount(mount, tmp_path / "new", 100)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split()[1:] == ["False", "False"]
