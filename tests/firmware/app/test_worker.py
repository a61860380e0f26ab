"""The camera's process from inside: what it tells the parent while it works, and which pictures it keeps."""

from __future__ import annotations

import itertools
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from ludo_referee.app import worker
from ludo_referee.app.table import plan_of, scene_of
from ludo_referee.app.worker import Alive, Call, Kept, Learned, Pulse, RemoteVision
from ludo_referee.rules.board import load_board
from ludo_vision import reader
from ludo_vision.errors import VisionError
from ludo_vision.sightings import Found, Moving, Sighting

CORNERS = ((10.0, 10.0), (110.0, 10.0), (110.0, 110.0), (10.0, 110.0))


def test_long_work_is_no_silence_but_a_hang_is() -> None:
    now, told = [0.0], list[float]()
    pulse = Pulse(lambda message: told.append(now[0]), clock=lambda: now[0])

    def beat(*seconds: float) -> None:
        for second in seconds:
            now[0] = second
            pulse.beat()

    beat(0.0, 50.0)
    assert not told, "nothing is at work"
    with pulse.working():
        beat(50.5, 51.0, 52.0, 110.0, 110.5, 500.0)
    beat(501.0)
    assert told == [51.0, 52.0, 110.0]


class Camera:
    """Gives so many pictures, and then fails as one that was unplugged."""

    def __init__(self, pictures: int) -> None:
        self.left = pictures

    def capture(self, timeout_s: float) -> np.ndarray:
        self.left -= 1
        if self.left < 0:
            raise OSError("unplugged")
        return np.zeros((120, 120, 3), np.uint8)

    def glance(self, timeout_s: float) -> np.ndarray:
        return self.capture(timeout_s)[..., 0]

    def close(self) -> None:
        pass


class Clock:
    """A clock of its own: sleeping lets it run."""

    def __init__(self) -> None:
        self.t = 0.0

    def monotonic(self) -> float:
        return self.t

    def sleep(self, seconds: float) -> None:
        self.t += seconds


class Watcher:
    """A reader with nothing to say, that wants to see whole pictures only."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def see(self, t: float, picture: np.ndarray) -> tuple[Sighting, ...]:
        return ()

    def glance(self, small: np.ndarray) -> bool:
        return False

    def memory(self) -> str | None: ...


def kept(monkeypatch: pytest.MonkeyPatch, moving: tuple[float, float]) -> list[float]:
    """The seconds of the pictures kept of 200 in which something moves over the board between two of them."""

    class Reader(Watcher):
        def see(self, t: float, picture: np.ndarray) -> tuple[Sighting, ...]:
            if t == 0:
                return (Found(t, CORNERS, "given", 0.0),)
            return (Moving(t),) if moving[0] <= t < moving[1] else ()

    return [round(message.t, 1) for message in told(monkeypatch, Reader, 200) if isinstance(message, Kept)]


def told(monkeypatch: pytest.MonkeyPatch, kind: type, pictures: int, *calls: Call) -> list[Any]:
    """What the camera's process says with such a reader, until the camera is unplugged."""
    monkeypatch.setattr(worker, "time", Clock())
    monkeypatch.setattr(worker, "_opened", lambda options: Camera(pictures))
    monkeypatch.setattr(reader, "TableReader", kind)
    board = load_board("ludo15")
    ours, theirs = Pipe()
    for call in calls:
        ours.send(call)
    heard: list[Any] = []
    listener = threading.Thread(target=_listen, args=(ours, heard))
    listener.start()
    with theirs, pytest.raises(OSError, match="unplugged"):
        worker.work(theirs, {}, 10.0, plan_of(board), scene_of(board, ((-1,) * 4,) * 4), 0.8, True)
    listener.join()
    return heard


def _listen(connection: Connection, heard: list[Any]) -> None:
    with connection:
        try:
            while True:
                heard.append(connection.recv())
        except EOFError:
            return


def test_pictures_are_kept_closely_while_something_moves_and_rarely_while_nothing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = kept(monkeypatch, (6.0, 8.0))
    still = [t for t in seconds if 1.5 < t < 6.0 or t > 9.5]  # in the first second somebody may still move
    assert max(b - a for a, b in itertools.pairwise(seconds)) <= 10.6
    assert len(still) <= 5
    busy = [t for t in seconds if 6.0 <= t <= 9.3]
    assert max(b - a for a, b in itertools.pairwise(busy)) <= 0.65
    assert busy[0] <= 6.1, "the hand that comes is seen"
    assert busy[-1] >= 8.8, "the still picture that is judged is kept"


def test_fewer_pictures_are_taken_while_nobody_is_there_and_all_again_with_the_first_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    class Reader(Watcher):
        def see(self, t: float, picture: np.ndarray) -> tuple[Sighting, ...]:
            taken.append(t)
            return (Moving(t),) if 30.0 <= t < 31.0 else ()

    told(monkeypatch, Reader, 300)

    def gaps(a: float, b: float) -> set[float]:
        return {round(later - t, 3) for t, later in itertools.pairwise(taken) if a <= t < b}

    assert gaps(0.0, 4.5) == {0.1}, "somebody has just switched it on"
    assert gaps(6.0, 25.0) == {0.5}
    assert gaps(30.5, 35.0) == {0.1}


def test_whole_pictures_are_taken_at_rest_only_for_the_ring_and_when_a_glance_shows_something(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    class Reader(Watcher):
        def __init__(self, *_: object, **__: object) -> None:
            self.glances = 0

        def see(self, t: float, picture: np.ndarray) -> tuple[Sighting, ...]:
            taken.append(t)
            return (Found(t, CORNERS, "given", 0.0),) if t == 0 else ()

        def glance(self, small: np.ndarray) -> bool:
            self.glances += 1
            return self.glances != 40  # two a second, from the fifth second on

    heard = told(monkeypatch, Reader, 200)
    resting = [t for t in taken if t > 5.5]
    rings = [message.t for message in heard if isinstance(message, Kept) and message.t > 5.5]
    assert [t for t in resting if t not in rings] == [pytest.approx(5.1 + 39 * 0.5, abs=0.3)]
    assert {round(b - a, 1) for a, b in itertools.pairwise(rings)} <= {10.0, 10.5}
    spoke = [message for message in heard if isinstance(message, Alive)]
    assert len(spoke) >= 0.9 * taken[-1], "the parent hears each second that the camera is well"


class Learner(Watcher):
    """A reader that knows something from the third second on, and something else ten seconds later."""

    supposed: tuple[object, ...] = ()

    def __init__(self, *_: object, **__: object) -> None:
        self.t = 0.0

    def see(self, t: float, picture: np.ndarray) -> tuple[Sighting, ...]:
        self.t = t
        return ()

    def memory(self) -> str | None:
        return None if self.t < 3 else "red" if self.t < 13 else "green"

    def remember(self, memory: str) -> None:
        raise VisionError("what was remembered of the table is of version 7, this program knows 1")

    def suppose(self, scene: object) -> None:
        Learner.supposed = (scene,)


def test_what_is_known_of_the_table_is_told_at_once_and_then_each_minute_if_it_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = told(monkeypatch, Learner, 2000)
    assert [message.table for message in heard if isinstance(message, Learned)] == ["red", "green"]


def test_what_cannot_be_remembered_is_said_and_the_table_is_compared_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told(monkeypatch, Learner, 3, Call("remember", ("?",)), Call("suppose", ("scene",)))
    assert caplog.messages == ["what was remembered of the table is of version 7, this program knows 1; it is learned anew"]
    assert Learner.supposed == ("scene",)


@pytest.mark.parametrize(("known", "first"), [("red", [Call("remember", ("red",))]), (None, [])])
def test_a_new_process_is_told_what_was_known_before_it_compares(known: str | None, first: list[Call]) -> None:
    sent: list[Call] = []
    RemoteVision(sent.append, lambda: known).suppose(())
    assert sent == [*first, Call("suppose", ((),))]
