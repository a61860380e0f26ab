"""Every notice prints as the recordings' format has it: keys, order, seats by name, hundredths of seconds."""

from __future__ import annotations

import json

import pytest

from ludo_referee.referee import notices

PRINTED = [
    (notices.Board(2.104, ((1.04, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.06)), "print"),
     '{"t": 2.1, "event": "board", "corners": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.1]], "how": "print"}'),
    (notices.Roll(9.0, 2, 6), '{"t": 9.0, "event": "roll", "seat": "C", "value": 6}'),
    (notices.Pass(9.0, 0, "no_move"), '{"t": 9.0, "event": "pass", "seat": "A", "reason": "no_move"}'),
    (notices.Move(10.0, 2, -1, 0, 1, ((0, 26),)),
     '{"t": 10.0, "event": "move", "seat": "C", "from": -1, "to": 0, "tokens": 1, "captures": [["A", 26]]}'),
    (notices.ReturnToken(9.456, 0, 26), '{"t": 9.46, "event": "return_token", "seat": "A", "from": 26}'),
    (notices.Illegal(9.0, "wrong_count", ((2, 0, 3), (1, 4, None))),
     '{"t": 9.0, "event": "illegal", "reason": "wrong_count", "seen": [["C", 0, 3], ["B", 4, null]]}'),
    (notices.Restored(9.0), '{"t": 9.0, "event": "restored"}'),
    (notices.Unclear(9.0, "token_between", (6, 1)), '{"t": 9.0, "event": "unclear", "what": "token_between", "near": [6, 1]}'),
    (notices.Unclear(9.0, "light"), '{"t": 9.0, "event": "unclear", "what": "light"}'),
    (notices.TakeBack(9.0, 2), '{"t": 9.0, "event": "take_back", "seat": "C"}'),
    (notices.Finish(9.0, 2, 1), '{"t": 9.0, "event": "finish", "seat": "C", "place": 1}'),
    (notices.GameOver(9.0, (2, 0)), '{"t": 9.0, "event": "game_over", "order": ["C", "A"]}'),
    (notices.Camera(9.0, "lost"), '{"t": 9.0, "event": "camera", "state": "lost"}'),
    (notices.BoardMoved(9.0), '{"t": 9.0, "event": "board_moved"}'),
    (notices.Turn(9.0, 3, "six"), '{"t": 9.0, "event": "turn", "seat": "D", "why": "six"}'),
    (notices.Override(9.0, ((1, 2, 3, 4), (), (-1, -1, -1, 5), ())),
     '{"t": 9.0, "event": "override", "position": {"A": [1, 2, 3, 4], "C": [-1, -1, -1, 5]}}'),
]  # fmt: skip


@pytest.mark.parametrize(("notice", "line"), PRINTED, ids=lambda value: value.event() if isinstance(value, notices.Notice) else "")
def test_a_notice_prints_as_documented(notice, line):
    assert json.dumps(notice.record()) == line


def test_every_notice_is_printed_here():
    assert {notice.event() for notice, _ in PRINTED} == {kind.event() for kind in notices.Notice.__subclasses__()}
