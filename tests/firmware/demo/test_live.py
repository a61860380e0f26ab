"""The table behind the page: what a visitor's presses and drags do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from ludo_hardware.simulated_table import Pinhole, TableLook, Token
from ludo_referee.demo.evening import TICKS_A_SECOND, DemoOptions, Evening
from ludo_referee.demo.live import LiveTable
from ludo_referee.die import Revealed, verify
from ludo_referee.web.feed import Feed, Request

LOOK = TableLook(Pinhole(240, 180))


class Visitor:
    """A page without a browser: asks, lets time pass, and reads what the feed has."""

    def __init__(self, table: LiveTable, feed: Feed) -> None:
        self.table, self.feed, self.tick = table, feed, 0
        self.told: dict[str, Any] = {}
        self.lines: list[Any] = []
        publish, log = feed.publish, feed.log
        feed.publish = lambda event, data: (self.told.__setitem__(event, data), publish(event, data))[1]  # type: ignore[method-assign]
        feed.log = lambda line: (self.lines.append(line), log(line))[1]  # type: ignore[method-assign]

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * TICKS_A_SECOND)):
            self.tick += 1
            self.table.step(self.tick / TICKS_A_SECOND)

    def ask(self, name: str, **values: object) -> None:
        self.feed.requests.put(Request(name, values, self.table.begun + self.tick / TICKS_A_SECOND))

    def tap(self) -> None:
        self.ask("button", pressed=True)
        self.wait(0.2)
        self.ask("button", pressed=False)
        self.wait(2.0)

    def token(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self.told["state"]["tokens"][number]
        return found

    @property
    def kinds(self) -> list[str]:
        return [line["kind"] for line in self.lines]


@pytest.fixture
def visitor(seer: Callable[[Evening], Any]) -> Visitor:
    feed = Feed()
    visitor = Visitor(LiveTable(DemoOptions(look=LOOK, seed=3), feed, who="none", reader=seer), feed)
    visitor.wait(2.0)
    return visitor


def pixel(visitor: Visitor, seat: int, step: int) -> tuple[float, float]:
    """Where a token at this step would stand in the picture."""
    board = visitor.table._evening.board
    return visitor.table._evening.table.marks([Token("red", *board.places[board.place(seat, step)].centre)])[0].foot


def until_a_six(visitor: Visitor) -> int:
    """Throw until somebody may enter a token: the seat."""
    for _ in range(80):
        visitor.tap()
        said = visitor.lines[-1]
        if said["kind"] == "roll" and visitor.table._evening.session.state.game.pending == 6:
            return visitor.table._evening.session.state.game.turn
    raise AssertionError("no six in eighty throws")


def test_page_shows_players_tokens_and_picture(visitor: Visitor) -> None:
    assert [seat["name"] for seat in visitor.told["game"]["seats"]] == ["Green", "Yellow", "Blue", "Red"]
    assert len(visitor.told["state"]["tokens"]) == 16
    assert visitor.token(0)["where"] == "yard"
    assert visitor.feed.picture.startswith(b"\xff\xd8")
    assert visitor.told["screen"]["png"].startswith("data:image/png")


def test_a_press_throws_the_die(visitor: Visitor) -> None:
    visitor.tap()
    assert visitor.kinds == ["board", "roll"]


def test_a_seeded_die_is_said_to_be_one(visitor: Visitor) -> None:
    assert "seed" in visitor.told["die"]


def test_a_pledged_die_is_shown_before_and_checked_after_the_game(seer: Callable[[Evening], Any]) -> None:
    feed, revealed = Feed(), list[Revealed]()
    visitor = Visitor(LiveTable(DemoOptions(look=LOOK, pledged=True), feed, who="none", reader=seer, reveal=revealed.append), feed)
    visitor.wait(2.0)
    pledge = visitor.told["die"].split()[-1]
    visitor.tap()
    visitor.ask("new")
    visitor.wait(0.1)
    assert revealed[0].pledge == pledge
    assert len(revealed[0].throws) == 1
    verify(revealed[0])


def test_display_shows_the_page_s_address_on_a_double_tap(visitor: Visitor) -> None:
    visitor.table.url = "http://127.0.0.1:8080"
    visitor.wait(0.2)
    for pressed in (True, False, True, False):
        visitor.ask("button", pressed=pressed)
        visitor.wait(0.1)
    visitor.wait(0.3)
    assert visitor.told["screen"]["text"] == "127.0.0.1:8080"


def test_dragged_token_is_seen_and_told(visitor: Visitor) -> None:
    seat = until_a_six(visitor)
    x, y = pixel(visitor, seat, 0)
    visitor.ask("take", id=seat * 4)
    visitor.wait(0.2)
    assert not visitor.token(seat * 4)["free"]
    visitor.ask("carry", x=x + 20, y=y)
    visitor.wait(0.2)
    visitor.ask("put", x=x, y=y)
    visitor.wait(2.5)
    assert visitor.kinds[-1] == "move"
    assert visitor.token(seat * 4)["where"] == "start"


def test_wrong_drag_is_called_and_mended(visitor: Visitor) -> None:
    seat = until_a_six(visitor)
    other = (seat + 1) % 4
    foot, (x, y) = visitor.token(other * 4)["foot"], pixel(visitor, other, 0)
    visitor.ask("take", id=other * 4)
    visitor.ask("put", x=x, y=y)
    visitor.wait(3.0)
    assert visitor.kinds[-1] == "illegal"
    visitor.ask("take", id=other * 4)
    visitor.ask("put", x=foot[0], y=foot[1])
    visitor.wait(3.0)
    assert visitor.kinds[-1] == "restored"


def test_token_put_back_with_escape_stands_where_it_stood(visitor: Visitor) -> None:
    before = visitor.token(0)["foot"]
    visitor.ask("take", id=0)
    visitor.ask("carry", x=100, y=100)
    visitor.wait(0.2)
    visitor.ask("back")
    visitor.wait(0.2)
    assert visitor.token(0)["foot"] == before


@pytest.mark.parametrize(
    ("name", "values"),
    [("take", {"id": 99}), ("take", {"id": "x"}), ("take", {}), ("carry", {"x": 1, "y": 1}), ("put", {}), ("who", {"who": "me"}),
     ("button", {}), ("back", {})],
)  # fmt: skip
def test_request_that_makes_no_sense_changes_nothing(visitor: Visitor, name: str, values: dict[str, object]) -> None:
    before = visitor.told["state"]
    visitor.ask(name, **values)
    visitor.wait(0.3)
    assert visitor.told["state"] == before


def test_pixel_outside_the_picture_is_no_place(visitor: Visitor) -> None:
    visitor.ask("take", id=0)
    visitor.ask("put", x=-5000, y=1e9)
    visitor.wait(0.2)
    assert not visitor.token(0)["free"]


def test_table_takes_over_and_tidies_up(visitor: Visitor) -> None:
    visitor.tap()
    visitor.ask("take", id=0)
    visitor.ask("put", x=100, y=100)
    visitor.wait(0.3)
    assert visitor.token(0)["where"] != "yard"
    visitor.ask("who", who="all")
    visitor.wait(3.0)
    assert visitor.token(0)["where"] == "yard"
    visitor.wait(15.0)
    assert visitor.kinds.count("roll") > 3


def test_visitor_plays_one_colour_and_the_table_the_others(visitor: Visitor) -> None:
    visitor.ask("who", who="others")
    visitor.wait(10.0)
    assert visitor.kinds.count("roll") == 0, "the first throw is the visitor's"
    visitor.tap()
    visitor.wait(12.0)
    assert visitor.kinds.count("roll") >= 4


def test_new_game_on_another_board(visitor: Visitor) -> None:
    visitor.tap()
    visitor.ask("new", board="madn11")
    visitor.tick = 0
    visitor.wait(2.0)
    assert visitor.told["state"]["board"] == "madn11"
    assert visitor.lines[-1]["kind"] == "board"
    assert visitor.lines[-1]["t"] < 2.0


def test_table_runs_ten_times_a_second_until_stopped(seer: Callable[[Evening], Any]) -> None:
    import threading

    stop = threading.Event()
    table = LiveTable(DemoOptions(look=LOOK, seed=3), Feed(), reader=seer)
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    table.run(stop)
    assert time.monotonic() - began < 5


def test_table_that_plays_by_itself_gets_over_a_visitor_s_mischief(visitor: Visitor) -> None:
    visitor.ask("who", who="all")
    for _ in range(60):
        visitor.wait(2.0)
        if "move" in visitor.kinds:
            break
    visitor.ask("take", id=0)
    visitor.ask("put", x=100, y=100)
    told = visitor.kinds.count("roll")
    visitor.wait(90.0)
    assert visitor.kinds.count("roll") > told + 4
    assert visitor.token(0)["where"] != ""
