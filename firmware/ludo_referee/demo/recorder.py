"""A recording of the simulated table, with what the referee must say about it: for tests, and to show what a recording is.

What must be said is what the players did. It is taken from what the referee said only when the players' own count agrees with every
word of it; otherwise there is no recording.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from ..app.session import Sink
from ..errors import LudoError
from ..recording import SEATS, Header, RecordingWriter, Start
from ..referee import notices
from ..referee.notices import Notice
from .evening import PRESETS, TICKS_A_SECOND, DemoOptions, Evening, Reader

EXPECTED = "expected.jsonl"
STAY_S = 3.0  # the last picture stays so long
QUALITY = 75


class _Minutes(Sink):
    """Notes throws, and what must be said, each with the second of the picture that shows it."""

    def __init__(self) -> None:
        self.throws: list[tuple[float, int]] = []
        self.expected: list[dict[str, Any]] = []
        self.shown_t = 0.0
        self._open: dict[str, Any] | None = None

    def notice(self, notice: Notice) -> None:
        match notice:
            case notices.Roll(t=t, value=value):
                self.throws.append((t, value))
            case notices.Move():
                self.expected.append(self._line(notice))
            case notices.Illegal() | notices.ReturnToken():
                self._open = self._line(notice)
                self.expected.append(self._open)

    def changed(self, t: float) -> None:
        """Another picture: what was wrong with the last one must have been said by now."""
        self.shown_t = t
        if self._open is not None:
            self._open["until"] = round(t, 2)
            self._open = None

    def _line(self, notice: Notice) -> dict[str, Any]:
        return {**notice.record(), "t": round(self.shown_t, 2)}


def record(options: DemoOptions, folder: Path, *, reader: Callable[[Evening], Reader] | None = None) -> Evening:
    """Play `options.moves` moves and write them to a new folder, with one picture of the hand in every movement.

    Raises RecordingError when the folder cannot be written, LudoError when the referee did not get every move right."""
    minutes = _Minutes()
    evening = Evening(options, [minutes], reader=reader)
    with RecordingWriter(folder, _header(evening)) as writer:  # refuses a folder with anything in it
        _play(evening, minutes, writer)
    tally = evening.autoplayer.tally
    if not tally.flawless or tally.unclear:
        shutil.rmtree(folder)
        raise LudoError(f"no recording: of {tally.moves} moves {tally.told_right} were told right; try another --seed\n{tally}")
    lines = [json.dumps(line) + "\n" for line in minutes.expected]
    (folder / EXPECTED).write_text("".join(lines), encoding="utf-8")
    return evening


def _play(evening: Evening, minutes: _Minutes, writer: RecordingWriter) -> None:
    drawn, thrown, tick, reaching = 0, 0, 0, False
    while not evening.over:
        t = tick / TICKS_A_SECOND
        evening.advance(t)
        another = evening.pictures != drawn
        drawn = evening.pictures
        if another and not (reaching and evening.hands.hand is not None):
            reaching = evening.hands.hand is not None
            minutes.changed(t)
            _, jpeg = cv2.imencode(".jpg", evening.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            writer.frame(t, jpeg.tobytes())
        for when, value in minutes.throws[thrown:]:
            writer.die(when, value)
        thrown = len(minutes.throws)
        tick += 1
    writer.end(tick / TICKS_A_SECOND + STAY_S)


def _header(evening: Evening) -> Header:
    board, start, options = evening.board, evening.start, evening.options
    names = {seat: SEATS[seat] for seat in evening.game.players}
    begun = None
    if options.middle:
        begun = Start(position={name: tuple(start.steps[seat]) for seat, name in names.items()}, turn=names[start.turn])
    return Header(
        format=1, board=options.board, rules={"preset": options.preset or PRESETS.get(board.name, "classic"), **options.switches},
        seats={SEATS[seat]: plan.colour for seat, plan in enumerate(board.seats)}, players=tuple(names.values()),
        start=begun, corners=tuple((round(x, 2), round(y, 2)) for x, y in evening.table.corners),
    )  # fmt: skip
