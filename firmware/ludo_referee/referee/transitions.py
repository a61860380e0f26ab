"""The transition table: what an event does in a phase. It is data; the diagram in firmware/README.md is drawn from it.

An event that is not in the table for the present phase changes nothing; a press or throw at the wrong moment is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import choosing, comparing, house_rules, presses, setup, sight, turns
from .draft import Draft
from .state import Phase

Handler = Callable[[Draft, Any], None]


@dataclass(frozen=True, slots=True)
class Transition:
    """What is done, in words for the diagram, by which handler, and the phases it may lead to besides staying."""

    what: str
    handler: Handler
    leads: tuple[Phase, ...] = ()


P = Phase
PLAY = (P.OPENING, P.TO_ROLL, P.ROLLING, P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING)
THROWN = (P.OPENING, P.TO_ROLL, P.TO_MOVE, P.MENDING)
PLAYED = (P.TO_ROLL, P.TO_MOVE, P.MENDING, P.OVER)
TABLE: dict[tuple[Phase, str], Transition] = {}


def _in(phases: tuple[Phase, ...], trigger: str, what: str, handler: Handler, leads: tuple[Phase, ...] = ()) -> None:
    for phase in phases:
        TABLE[phase, trigger] = Transition(what, handler, leads)


def _plain(act: Callable[[Draft], None]) -> Handler:
    """A handler that needs nothing of the event."""
    return lambda draft, event: act(draft)


# the board, and setting up
_in((P.LOOKING,), "board_missing", "say what would help", setup.board_missing)
_in((P.LOOKING,), "tap", "play without sight?", presses.tap_looking, (P.SETTING_UP, P.CHOOSING))
_in((P.SETTING_UP,), "table_counts", "count the tokens", setup.counted)
_in((P.SETTING_UP,), "table_ready", "all in place", setup.table_ready)
_in((P.SETTING_UP,), "ranked", "is it as it was before a break?", comparing.compared)
_in((P.SETTING_UP,), "table_moving", "a hand over the board", _plain(comparing.moving))
_in((P.SETTING_UP,), "hold", "house rules", _plain(house_rules.walk), (P.CHOOSING,))
_in((P.SETTING_UP,), "tap", "begin", presses.tap_to_begin, (P.ROLLING, P.CHOOSING, P.OPENING, P.TO_ROLL, P.TO_MOVE))
_in((P.SETTING_UP,), "throw", "begin with this throw", presses.throw_to_begin, THROWN)

# throwing
_in((P.OPENING, P.TO_ROLL), "tap", "throw the die", presses.tap_to_roll, (P.ROLLING,))
_in((P.OPENING,), "throw", "the die shows", presses.throw, (P.TO_ROLL,))
_in((P.TO_ROLL,), "throw", "the die shows", presses.throw, (P.TO_MOVE, P.MENDING))
_in((P.ROLLING,), "throw", "the die shows", presses.throw, THROWN)
_in((P.ROLLING,), "tap", "count the family's die", presses.tap_own_die)
_in((P.ROLLING,), "hold", "count anew", presses.clear_own_die)

# the table
_in((P.OPENING,), "ranked", "what the table shows", sight.ranked)
_in((P.TO_ROLL,), "ranked", "what the table shows", sight.ranked, (P.TO_MOVE, P.MENDING))
_in((P.TO_MOVE,), "ranked", "what the table shows", sight.ranked, (*PLAYED, P.RETURNING, P.CHOOSING))
_in((P.RETURNING,), "ranked", "what the table shows", sight.ranked, (*PLAYED, P.CHOOSING))
_in((P.WRONG,), "ranked", "what the table shows", sight.ranked, (P.OPENING, *PLAYED, P.RETURNING, P.CHOOSING))
_in((P.MENDING,), "ranked", "what the table shows", sight.ranked, (P.OPENING, P.TO_ROLL, P.TO_MOVE))
_in((P.CHOOSING, P.AGREEING), "ranked", "remember what the table shows", sight.note)
_in(PLAY, "unreadable", "cannot see", sight.unreadable)
_in(PLAY, "table_moving", "a hand over the board", _plain(sight.hand_over_board))
_in((P.TO_MOVE, P.RETURNING), "tap", "the move is done", presses.tap_to_move, (*PLAYED, P.ROLLING, P.CHOOSING))
_in((P.WRONG,), "tap", "it is right now; the next difference", presses.tap_wrong, (*PLAYED, P.ROLLING, P.CHOOSING))
_in((P.MENDING,), "tap", "it is right now", presses.tap_mending, (P.OPENING, P.TO_ROLL, P.TO_MOVE, P.CHOOSING))
_in((P.TO_MOVE, P.RETURNING), "throw", "the move is done, the die shows", presses.throw_while_moving, PLAYED)
_in((P.WRONG, P.MENDING), "throw", "it is right now, the die shows", presses.throw_while_moving, (P.OPENING, *PLAYED))
_in((P.TO_MOVE, P.MENDING), "robot_chose", "the robot's move", presses.robot_chose)

# questions
_in((P.TO_ROLL, P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING), "hold", "dispute", _plain(choosing.dispute), (P.CHOOSING,))
_in((P.CHOOSING,), "tap", "next choice", presses.tap_choosing, tuple(P))
_in((P.CHOOSING,), "hold", "choose", presses.hold_choosing, tuple(P))
_in((P.AGREEING,), "tap", "agree: undo", _plain(turns.undo), (P.MENDING, P.TO_MOVE))
_in((P.AGREEING,), "hold", "do not agree", _plain(Draft.resume), (P.TO_ROLL, P.TO_MOVE))
_in((P.OVER,), "tap", "again?", _plain(choosing.again), (P.CHOOSING,))
_in((P.OVER,), "hold", "again?", _plain(choosing.again), (P.CHOOSING,))

# time
_in((P.LOOKING, P.SETTING_UP, P.WRONG, P.MENDING, P.OVER), "tick", "time passes", presses.tick)
_in((P.TO_MOVE, P.RETURNING), "tick", "wrong, or left alone, for long enough", presses.tick, (*PLAYED, P.WRONG))
_in((P.OPENING, P.TO_ROLL), "tick", "wrong for long enough; a robot throws", presses.tick, (P.WRONG, P.ROLLING))
_in((P.ROLLING,), "tick", "the die does not answer; the family's is counted", presses.tick, THROWN)
_in((P.CHOOSING,), "tick", "nobody answers", presses.tick, tuple(P))
_in((P.AGREEING,), "tick", "nobody agrees", presses.tick, (P.TO_ROLL, P.TO_MOVE))

# in every phase
_in(tuple(P), "board_found", "the board is found", setup.board_found, (P.SETTING_UP, P.CHOOSING, P.OPENING, *PLAYED))
_in(tuple(P), "double_tap", "what now?", presses.what_now)
_in(tuple(phase for phase in P if phase is not P.CHOOSING), "long_hold", "switch off?", _plain(choosing.power), (P.CHOOSING,))
_in(tuple(P), "camera_state", "the camera is lost, or back", presses.camera_state, (P.SETTING_UP, P.OPENING, *PLAYED))
_in(tuple(P), "board_moved", "the board moved", presses.board_moved, (P.OPENING, *PLAYED))
_in(tuple(P), "pledged", "the die commits itself", presses.pledged)
_in(tuple(P), "page_at", "the page's address", presses.page_at)
_in(tuple(P), "recorded", "the last minutes are recorded, or not", presses.recorded)

EVERYWHERE = ("board_found", "double_tap", "long_hold", "camera_state", "board_moved", "pledged", "page_at", "recorded")
