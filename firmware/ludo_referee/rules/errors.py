"""What can be wrong with a board, a set of rules, a position or a move. Every message names the thing and the way out."""

from __future__ import annotations


class LudoError(Exception):
    """Something the reader of the message can mend; its text names the thing and the way out."""


class BoardError(LudoError, ValueError):
    """A board file that cannot be played on; `faults` lists everything wrong with it, one sentence each."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        super().__init__(f"board {name}: " + "; ".join(faults))
        self.name = name
        self.faults = faults


class UnknownBoard(LudoError, LookupError):
    """No built-in board and no file of that name."""


class RulesError(LudoError, ValueError):
    """An unknown switch, a value a switch does not have, or two switches that contradict each other."""


class PositionError(LudoError, ValueError):
    """A position that cannot stand on the board with these rules."""


class PhaseError(LudoError, RuntimeError):
    """The game does not wait for this now: a throw while a move is due, a move while a throw is due."""


class IllegalMove(LudoError, ValueError):
    """A change on the table that the rules do not allow.

    `reason` is one of RECORDINGS: wrong_count, wrong_token, several_moved, blocked, own_square, must_enter, backwards, off_board,
    unclear_change. `detail` is the finer rule (a key of `why_not.SENTENCES`), `facts` what its sentence is filled with.
    """

    def __init__(self, reason: str, detail: str, message: str, facts: dict[str, object]) -> None:
        super().__init__(message)
        self.reason = reason
        self.detail = detail
        self.facts = facts
