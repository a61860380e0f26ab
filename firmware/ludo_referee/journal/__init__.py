"""The journal: every accepted event is on the disk before anything is shown, and games are kept.

One process writes (`Journal`); any number read (`Archive`). At the start:

    journal = Journal.open(folder)                      # JournalBusy: exit 75
    unfinished = journal.unfinished()
    if unfinished is None:
        opening = Opening.of(referee, referee.begin(t)[0])
        journal.begin_game(opening)
    else:
        opening = unfinished.goes_on()
        journal.resume_game(opening)
    referee, clock_starts_at = opening.referee(), opening.t
    ...
    journal.append(event, notices, state)               # before anything is shown
"""

from .archive import Archive, ArchiveError
from .opening import Opening
from .place import JournalBusy
from .writer import Journal, Unfinished

__all__ = ["Archive", "ArchiveError", "Journal", "JournalBusy", "Opening", "Unfinished"]
