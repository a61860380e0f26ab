"""Whole scripted evenings as people hear and read them, in two languages: every sentence, and every text on the display.

A transcript that changed is written beside its golden file when LUDO_RENEW is set; the test fails all the same, so that somebody reads it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludo_referee import screens, words
from ludo_referee.referee import claims, effects, events

from .conftest import CORNERS, Evening
from .test_setting_up import choose

FOLDER = Path(__file__).parent / "transcripts"
READ_S = 2.0  # the display is read so long after a view came


def first_evening():
    """Two families' children: a tie for the start, a way out, a miscount, a capture, a change of mind, a game that ends."""
    table = Evening(players=(0, 1, 2), opening=True)
    table.happen(events.BoardMissing(table.t, "too_dark"))
    table.wait(2).happen(events.BoardFound(table.t, CORNERS, "print"))
    table.happen(events.TableCounts(table.t, (4, 3, 4, 0)))
    table.wait(3).happen(events.TableCounts(table.t, (4, 4, 4, 0)))
    for value in (5, 2, 5):
        table.throw(value).wait(4)
    for value in (3, 4):
        table.throw(value).wait(4)
    table.throw(6).wait(3).see_move(-1, 0)  # C
    table.throw(4).wait(3).see(claims.Wrong, shifts=((2, 0, 5),)).wait(3).see(claims.Unchanged).wait(2).see_move(0, 4).wait(2)
    table.throw(2).wait(5).throw(6).wait(3).see_move(-1, 0)  # A passes, B is out
    table.throw(5).wait(2).press("double_tap").wait(3).see_move(0, 5).wait(2)
    return table


def second_evening():
    """A game that goes on: a capture whose token is forgotten, a hand, a take-back, a dispute, a lost camera, and the end."""
    table = Evening(position={0: [10, 56, 56, 56], 2: [42, 20, -1, -1]}).begin()  # C's 42 is A's 16
    table.throw(6).wait(3).see(claims.HalfCapture, in_hand=True).wait(4).see_move(10, 16).wait(4)
    table.throw(1).see(claims.TakenBack).wait(4)
    table.happen(events.TableMoving(table.t))
    table.see_move(10, 16).wait(2).see_move(16, 17).wait(2)
    table.throw(3).happen(events.Unreadable(table.t, "covered"))
    table.wait(5).see(claims.Wrong, shifts=((0, 17, 20),)).wait(2)
    choose(table.press("hold"), "put_back")
    table.wait(2).see(claims.Unchanged).wait(1).see_move(20, 23).wait(2)
    choose(table.press("hold"), "undo")
    table.press().wait(3).see(claims.Mended, left=()).wait(2).see_move(20, 23).wait(2)
    table.happen(events.CameraState(table.t, "lost"))
    table.throw(2).wait(4).press().press("hold").wait(2)
    table.happen(events.CameraState(table.t, "back"))
    table.wait(3).see(claims.Mended, left=()).wait(62)
    return table


def last_turns():
    """The last token comes home; the throws are looked at."""
    table = Evening(position={0: [56, 56, 56, 54], 2: [10, -1, -1, -1]}).begin()
    table.throw(2).wait(3).see_move(54, 56).wait(5)
    choose(table.press(), "throws")
    return table.wait(21)


def texts(view, language):
    """What can be read on the display, from top to bottom."""
    return screens.canvas_of(view, t=READ_S, language=language).said


def transcript(table, language):
    """One line a sentence, and one line a screen."""
    state, lines = table.referee.begin()[0], []
    for event in table.events:
        state, done = table.referee.reduce(state, event)
        for effect in done:
            match effect:
                case effects.Tell(notice):
                    lines.append(f"{notice.t:7.2f}  {words.tell(notice, table.board, language)}")
                case effects.Show(view):
                    lines.append(f"         {type(view).__name__}: {' / '.join(texts(view, language))}")
                case effects.Sound(tune):
                    lines.append(f"         ({tune})")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("evening", [first_evening, second_evening, last_turns])
def test_an_evening_reads_as_written_down(evening, language):
    file = FOLDER / f"{evening.__name__}.{language}.txt"
    told = transcript(evening(), language)
    if os.environ.get("LUDO_RENEW") and (not file.exists() or file.read_text("utf-8") != told):
        file.write_text(told, "utf-8")
        pytest.fail(f"{file.name} was written anew: read it")
    assert told == file.read_text("utf-8")
