"""The page is served when it can be, at the address that the box has."""

from __future__ import annotations

import pytest

from ludo_referee.app.page_door import LOOK_EVERY_S, PageDoor
from ludo_referee.config import Page
from ludo_referee.errors import LudoError
from ludo_referee.web import page as web_page
from ludo_referee.web.feed import Feed


class Served:
    """A page that is served as long as the network is there, at the network's address."""

    network: str | None = None

    def __init__(self, *_: object, **__: object) -> None:
        if self.network is None:
            raise LudoError("no such address")

    @property
    def url(self) -> str:
        return f"http://{self.network}:8080"


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> PageDoor:
    monkeypatch.setattr(web_page, "BackgroundPage", Served)
    monkeypatch.setattr(Served, "network", None)
    return PageDoor(Feed(), Page(host="192.168.1.5"), frozenset())


def test_network_that_comes_late_is_noticed_and_complained_of_once(
    door: PageDoor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert [door.look(LOOK_EVERY_S * turn) for turn in range(3)] == [None] * 3
    monkeypatch.setattr(Served, "network", "192.168.1.5")
    assert door.look(LOOK_EVERY_S * 2 + 1) is None, "not tried so soon again"
    assert door.look(LOOK_EVERY_S * 3) == "http://192.168.1.5:8080"
    assert [record.getMessage() for record in caplog.records] == ["no such address; it is tried again"]


def test_address_is_told_when_it_is_another(door: PageDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Served, "network", "localhost")
    told = [door.look(0.0), door.look(LOOK_EVERY_S)]
    monkeypatch.setattr(Served, "network", "192.168.1.5")
    assert [*told, door.look(2 * LOOK_EVERY_S)] == ["http://localhost:8080", None, "http://192.168.1.5:8080"]


def test_page_that_is_not_wanted_is_not_served() -> None:
    assert PageDoor(Feed(), Page(on=False), frozenset()).look(0.0) is None
