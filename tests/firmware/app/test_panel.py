"""The display's thread: films, covers, and a display that is pulled off and put back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from ludo_hardware.simulated import SimulatedDisplay
from ludo_referee import screens
from ludo_referee.app.panel import NOTICE_EVERY_S, NOTICE_S, READ_S, Panel, interrupted
from ludo_referee.config import Config
from ludo_referee.referee.views import Goodbye, NotKept, SafeStart, Shaken, ToRoll, View

PATIENCE_S = 20.0
VIEW = ToRoll(0, "red")


class Watched(SimulatedDisplay):
    """A display that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = threading.Condition()

    def show(self, picture: Image.Image) -> None:
        with self.changed:
            super().show(picture)
            self.changed.notify()

    def shows(self, view: View) -> bool:
        """Wait for this view's first picture."""
        wanted = screens.draw(view).tobytes()
        with self.changed:
            return self.changed.wait_for(lambda: self.picture is not None and self.picture.tobytes() == wanted, PATIENCE_S)


@pytest.fixture
def display() -> Watched:
    return Watched()


@pytest.fixture
def panel(display: Watched) -> Iterator[Panel]:
    clock: Callable[[], float] = lambda: 0.0  # noqa: E731  every film stands at its first picture
    made = Panel(display, Config(), clock=clock)
    yield made
    made.close()


def test_cover_stands_in_front_until_it_is_taken_away(panel: Panel, display: Watched) -> None:
    panel.view(0.0, ToRoll(0, "red"))
    assert display.shows(ToRoll(0, "red"))
    panel.cover(Shaken(0, "red"))
    assert display.shows(Shaken(0, "red"))
    panel.view(0.0, ToRoll(1, "green"))
    panel.cover(None)
    assert display.shows(ToRoll(1, "green"))


def test_cover_is_shown_before_there_is_any_view(panel: Panel, display: Watched) -> None:
    panel.cover(SafeStart())
    assert display.shows(SafeStart())


def test_last_view_is_shown_at_the_end(panel: Panel, display: Watched) -> None:
    panel.view(0.0, ToRoll(0, "red"))
    panel.close(Goodbye())
    assert display.shows(Goodbye())


def test_display_that_is_put_back_shows_what_is_due(panel: Panel, display: Watched, caplog: pytest.LogCaptureFixture) -> None:
    panel.view(0.0, ToRoll(0, "red"))
    assert display.shows(ToRoll(0, "red"))
    display.lose()
    panel.view(0.0, ToRoll(1, "green"))
    panel.view(0.0, ToRoll(2, "yellow"))
    display.connect()
    panel.view(0.0, ToRoll(3, "blue"))
    assert display.shows(ToRoll(3, "blue"))
    assert sum(record.levelname == "WARNING" for record in caplog.records) <= 1


def test_a_full_disk_is_said_again_and_again_once_the_view_was_read() -> None:
    assert interrupted(VIEW, READ_S - 0.1) == (VIEW, READ_S - 0.1)
    assert interrupted(VIEW, READ_S + 1) == (NotKept(), 1)
    assert interrupted(VIEW, READ_S + NOTICE_S) == (VIEW, READ_S + NOTICE_S)
    assert interrupted(VIEW, READ_S + NOTICE_EVERY_S + 1)[0] == NotKept()
