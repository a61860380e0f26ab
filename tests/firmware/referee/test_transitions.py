"""The transition table: complete in names, drawn in the README, and quiet about everything it does not list."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest

from ludo_referee.referee import diagram, effects, events
from ludo_referee.referee.referee import trigger
from ludo_referee.referee.state import Phase
from ludo_referee.referee.transitions import EVERYWHERE, TABLE

README = Path(__file__).parents[3] / "firmware" / "README.md"
GESTURES = ("tap", "double_tap", "hold", "long_hold")

EXAMPLES = [
    *(events.Gesture(9.0, kind) for kind in GESTURES),
    events.Throw(9.0, 4),
    events.Pledged(9.0, "00"),
    events.TableReady(9.0),
    events.TableCounts(9.0, (4, 4, 4, 4)),
    events.TableMoving(9.0),
    events.Ranked(9.0, 1, 0, 3.0),
    events.Unreadable(9.0, "blur"),
    events.BoardFound(9.0, ((0, 0), (1, 0), (1, 1), (0, 1)), "given"),
    events.BoardMissing(9.0, "unsure"),
    events.BoardMoved(9.0),
    events.CameraState(9.0, "lost"),
    events.RobotChose(9.0, 0, 4),
    events.PageAt(9.0, "http://x"),
    events.Recorded(9.0, "made"),
    events.Tick(9.0),
]


def test_every_event_has_its_place_in_the_table():
    assert {type(event) for event in EXAMPLES} == set(typing.get_args(events.Event))
    assert {trigger(event) for event in EXAMPLES} == {name for _, name in TABLE}


def test_what_happens_everywhere_is_in_every_phase():
    for name in EVERYWHERE:
        missing = {phase for phase in Phase if (phase, name) not in TABLE}
        assert missing <= {Phase.CHOOSING}


def test_time_passes_in_every_phase():
    assert all((phase, "tick") in TABLE for phase in Phase)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: trigger(event))
def test_an_event_without_an_entry_changes_nothing(event, evening):
    table = evening(position={0: [10, -1, -1, -1]}).begin().throw(4)
    for phase in (Phase.LOOKING, Phase.TO_MOVE):
        if (phase, trigger(event)) in TABLE:
            continue
        state = table.state if phase is Phase.TO_MOVE else table.referee.begin()[0]
        after, done = table.referee.reduce(state, event)
        assert (after.game, after.table, after.phase, after.shown) == (state.game, state.table, state.phase, state.shown)
        answered = [effects.Sound("no"), effects.Show(state.shown)]
        assert list(done) == (answered if isinstance(event, events.Gesture | events.Throw) else [])


def test_the_readme_shows_the_table_as_it_is():
    text = README.read_text("utf-8")
    assert diagram.renewed(text) == text, "run python -m ludo_referee.referee.diagram firmware/README.md"


def test_every_phase_is_reached():
    assert {to for transition in TABLE.values() for to in transition.leads} == set(Phase)
