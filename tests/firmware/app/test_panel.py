"""What the display shows besides the referee's views."""

from __future__ import annotations

from ludo_referee.app.panel import NOTICE_EVERY_S, NOTICE_S, READ_S, interrupted
from ludo_referee.referee.views import NotKept, ToRoll

VIEW = ToRoll(0, "red")


def test_a_full_disk_is_said_again_and_again_once_the_view_was_read() -> None:
    assert interrupted(VIEW, READ_S - 0.1) == (VIEW, READ_S - 0.1)
    assert interrupted(VIEW, READ_S + 1) == (NotKept(), 1)
    assert interrupted(VIEW, READ_S + NOTICE_S) == (VIEW, READ_S + NOTICE_S)
    assert interrupted(VIEW, READ_S + NOTICE_EVERY_S + 1)[0] == NotKept()
