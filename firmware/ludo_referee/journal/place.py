"""The folder that holds the journal: one writer, a disk that keeps what is written, names for broken files."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from ..errors import LudoError

DATABASE = "journal.db"
LOCK = "lock"
FORGETFUL = {
    "overlay": "an overlay that forgets everything when the power goes",
    "tmpfs": "memory, not a disk",
    "ramfs": "memory, not a disk",
}


class JournalBusy(LudoError, BlockingIOError):
    """Another Ludo Referee keeps its games in this folder."""

    exit_status = os.EX_TEMPFAIL  # 75: a second start is no fault of the first


class WriterLock:
    """Held by the one process that writes. The kernel frees it with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        """Raises JournalBusy, OSError."""
        self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # lockf, not flock: a camera process forked from this one must not keep the lock alive after us.
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            said = f"{folder}: another Ludo Referee (process {owner or 'unknown'}) keeps its games there; stop it first"
            raise JournalBusy(said) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._file)


def forgetful(folder: Path, mounts: str | None = None) -> str | None:
    """Why this folder loses its files when the power goes, None: it keeps them. `mounts`: text as in /proc/self/mountinfo."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text()
        except OSError:
            return None
    folder = folder.resolve()
    best, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        point = before.split()[4].encode().decode("unicode_escape")  # spaces are written \040
        # A later mount on the same point hides the earlier one.
        if folder.is_relative_to(point) and len(point) >= best:
            best, kind = len(point), after.split()[0]
    return FORGETFUL.get(kind)


def set_aside(folder: Path) -> Path:
    """Rename the database with its side files; the new name. Raises OSError."""
    number = 1
    while (target := folder / f"journal.broken-{number}.db").exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):  # the database last: killed in between, the next start finds it and does it again
        source = folder / (DATABASE + suffix)
        if source.exists():
            source.rename(target.with_name(target.name + suffix))
    return target
