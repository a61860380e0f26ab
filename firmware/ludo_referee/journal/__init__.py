"""The journal: every accepted event is on the disk before anything is shown, and games are kept.

One process writes (`Journal`); any number read (`Archive`). A game is kept as the
events that the referee accepted: its state is what they make of it.
"""

from .opening import Opening
from .place import JournalBusy
from .writer import Journal, Unfinished

__all__ = ["Journal", "JournalBusy", "Opening", "Unfinished"]
