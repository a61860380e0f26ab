"""The journal: every accepted event is on the disk before anything is shown, and games are kept.

One process writes (`Journal`); any number read (`Archive`). The state of a game is what its events make of it.
"""

from .place import JournalBusy
from .writer import Journal, Unfinished

__all__ = ["Journal", "JournalBusy", "Unfinished"]
