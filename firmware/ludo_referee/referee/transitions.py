"""The transition table: what an event does in a phase. It is data; the diagram in firmware/README.md is drawn from it.

An event that is not in the table for the present phase changes nothing; a press or throw at the wrong moment is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import choosing, house_rules, presses, setup, sight, turns
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
TURN = (P.OPENING, P.TO_ROLL, P.TO_MOVE, P.MENDING, P.OVER)
PLAY = (P.OPENING, P.TO_ROLL, P.ROLLING, P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING)
TABLE: dict[tuple[Phase, str], Transition] = {}


def _in(phases: tuple[Phase, ...], trigger: str, what: str, handler: Handler, leads: tuple[Phase, ...] = ()) -> None:
    for phase in phases:
        TABLE[phase, trigger] = Transition(what, handler, leads)


# the board, and setting up
_in(tuple(P), "board_found", "board found", setup.board_found, (P.SETTING_UP, P.CHOOSING, *TURN))
_in((P.LOOKING,), "board_missing", "say what would help", setup.board_missing)
_in((P.LOOKING,), "tap", "play without sight?", presses.tap_looking, (P.SETTING_UP, P.CHOOSING))
_in((P.SETTING_UP,), "hold", "house rules", lambda draft, event: house_rules.walk(draft), (P.CHOOSING,))
_in((P.SETTING_UP,), "table_counts", "count tokens", setup.counted)
_in((P.SETTING_UP, *PLAY), "table_ready", "table as expected", lambda draft, event: setup.table_ready(draft), TURN)
_in((P.SETTING_UP,), "tap", "begin", presses.tap_to_begin, (P.ROLLING, P.CHOOSING, *TURN))
_in((P.SETTING_UP,), "throw", "begin with this throw", presses.throw_to_begin, TURN)

# throwing
_in((P.OPENING, P.TO_ROLL), "tap", "throw the die", presses.tap_to_roll, (P.ROLLING,))
_in((P.OPENING, P.TO_ROLL), "throw", "the die shows", lambda draft, event: turns.throw(draft, event.value), TURN)
_in((P.ROLLING,), "throw", "the die shows", lambda draft, event: turns.throw(draft, event.value), TURN)
_in((P.ROLLING,), "tap", "count the family's die", presses.tap_own_die)
_in((P.ROLLING,), "hold", "count anew", presses.clear_own_die)

# the table
_in((P.TO_ROLL, P.OPENING, P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING), "ranked", "what the table shows", sight.ranked,
    (*TURN, P.RETURNING, P.WRONG, P.CHOOSING))  # fmt: skip
_in(PLAY, "unreadable", "cannot see", sight.unreadable)
_in(PLAY, "table_moving", "a hand over the board", lambda draft, event: sight.hand_over_board(draft))
_in((P.TO_MOVE, P.RETURNING), "tap", "the move is done", presses.tap_to_move, (*TURN, P.ROLLING, P.CHOOSING))
_in((P.WRONG,), "tap", "next difference", presses.tap_wrong, (*TURN, P.ROLLING, P.CHOOSING))
_in((P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING), "throw", "the move is done, the die shows", presses.throw_while_moving, TURN)
_in((P.MENDING,), "tap", "done, when nobody sees", presses.tap_mending, TURN)
_in((P.TO_MOVE, P.TO_ROLL), "robot_chose", "the robot's move", presses.robot_chose)

# questions
_in((P.TO_ROLL, P.TO_MOVE, P.RETURNING, P.WRONG, P.MENDING), "hold", "dispute", lambda draft, event: choosing.dispute(draft), (P.CHOOSING,))
_in((P.CHOOSING,), "tap", "next choice", lambda draft, event: choosing.offer_next(draft), tuple(P))
_in((P.CHOOSING,), "hold", "choose", lambda draft, event: choosing.choose(draft), tuple(P))
_in((P.AGREEING,), "tap", "agree: undo", lambda draft, event: turns.undo(draft), TURN)
_in((P.AGREEING,), "hold", "do not agree", lambda draft, event: draft.resume(), TURN)
_in((P.OVER,), "tap", "again?", lambda draft, event: choosing.again(draft), (P.CHOOSING,))
_in((P.OVER,), "hold", "again?", lambda draft, event: choosing.again(draft), (P.CHOOSING,))

# always
_in(tuple(P), "double_tap", "what now?", presses.what_now)
_in(tuple(phase for phase in P if phase is not P.CHOOSING), "long_hold", "power", lambda draft, event: choosing.power(draft), (P.CHOOSING,))
_in(tuple(P), "tick", "time passes", presses.tick, (P.WRONG, P.ROLLING, *TURN, P.SETTING_UP, P.LOOKING))
_in(tuple(P), "camera_state", "camera lost or back", presses.camera_state, (P.SETTING_UP, *TURN))
_in(tuple(P), "board_moved", "board moved", presses.board_moved, TURN)
_in(tuple(P), "pledged", "the die commits itself", presses.pledged)
_in(tuple(P), "page_at", "the page's address", presses.page_at)

