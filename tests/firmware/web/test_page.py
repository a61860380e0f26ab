"""The page's server: what it gives, what it refuses, and that it stops when told."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludo_referee.errors import LudoError
from ludo_referee.locale import LANGUAGES
from ludo_referee.referee import notices
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.views import ToRoll
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from
from ludo_referee.web.feed import Feed, Message
from ludo_referee.web.page import BackgroundPage, page, serve
from ludo_referee.web.sink import PageSink
from ludo_referee.web.texts import TEXTS, texts

ASK = frozenset({"button"})


@pytest.fixture
def feed() -> Feed:
    return Feed()


@pytest.fixture
def client(feed: Feed) -> TestClient:
    return TestClient(page(feed, may_ask=ASK))


async def heard(feed: Feed) -> list[Message]:
    """What a page that comes now is told, until the feed closes."""
    told: list[Message] = []
    async for message in feed.listen():
        told.append(message)
        if message.data == "end":
            break
    return told


FILES = [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript"), ("/icon.svg", "image/svg")]


@pytest.mark.parametrize(("path", "kind"), FILES)
def test_page_is_served_with_nothing_from_elsewhere(client: TestClient, path: str, kind: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in answer.text


def test_picture_is_the_newest(client: TestClient, feed: Feed) -> None:
    assert client.get("/picture.jpg").status_code == 503
    feed.publish_picture(b"one", 1)
    feed.publish_picture(b"two", 2)
    assert client.get("/picture.jpg?n=2").content == b"two"


def test_request_reaches_the_table(client: TestClient, feed: Feed) -> None:
    assert client.post("/ask/button", json={"pressed": True}).status_code == 204
    request = feed.requests.get_nowait()
    assert (request.name, request.values) == ("button", {"pressed": True})


@pytest.mark.parametrize(
    ("name", "content", "kind", "status"),
    [
        ("shutdown", b"{}", "application/json", 404),
        ("button", b"{}", "text/plain", 415),
        ("button", b"{", "application/json", 400),
        ("button", b"[1]", "application/json", 400),
        ("button", b'{"a": "' + b"x" * 3000 + b'"}', "application/json", 400),
    ],
)  # fmt: skip
def test_bad_request_changes_nothing(client: TestClient, feed: Feed, name: str, content: bytes, kind: str, status: int) -> None:
    answer = client.post(f"/ask/{name}", content=content, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.json()["error"]
    assert feed.requests.empty()


def test_late_page_is_told_what_stands_and_what_was_said(feed: Feed) -> None:
    feed.publish("state", {"a": 1})
    feed.publish("state", {"a": 2})
    feed.log("end")
    told = asyncio.run(heard(feed))
    assert Message("state", {"a": 2}) in told
    assert Message("state", {"a": 1}) not in told


def test_same_value_is_not_sent_twice(feed: Feed) -> None:
    async def watch() -> list[Message]:
        listening = asyncio.create_task(heard(feed))
        await asyncio.sleep(0)
        for value in (1, 1, 2):
            feed.publish("state", value)
        feed.log("said")
        feed.close()
        return await listening

    assert [message for message in asyncio.run(watch()) if message.event == "state"] == [Message("state", 1), Message("state", 2)]


def test_sink_tells_in_words_and_shows_the_screen(feed: Feed) -> None:
    sink = PageSink(feed, load_board("ludo15"), "en")
    sink.view(1.0, ToRoll(0, "green"))
    sink.notice(notices.Roll(2.0, 0, 6))
    sink.notice(notices.Turn(2.0, 1, "turn"))
    feed.log("end")
    told = asyncio.run(heard(feed))
    screen = next(message.data for message in told if message.event == "screen")
    assert isinstance(screen, dict)
    assert screen["png"].startswith("data:image/png;base64,")
    assert [message.data for message in told if message.event == "log"] == [{"t": 2.0, "kind": "roll", "text": "GREEN rolls 6."}, "end"]


def test_port_in_use_is_one_clear_error(feed: Feed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LudoError, match=f"port {port} .*in use.*--port"):
            serve(feed, "127.0.0.1", port, may_ask=ASK)


def test_port_that_is_none_is_one_clear_error(feed: Feed) -> None:
    with pytest.raises(LudoError, match="port 70000 is no port"):
        serve(feed, "127.0.0.1", 70000, may_ask=ASK)


SERVER = """
from ludo_referee.web.feed import Feed
from ludo_referee.web.page import serve
feed = Feed()
feed.publish("state", {"hello": 1})
serve(feed, "127.0.0.1", 0, may_ask=frozenset(), ready=lambda url: print(url, flush=True))
print("ended", flush=True)
"""


def test_interrupt_ends_the_server_while_a_page_listens() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/events", timeout=10) as stream:
            assert stream.readline() == b"event: state\n"
            assert json.loads(stream.readline().removeprefix(b"data: ")) == {"hello": 1}
            os.kill(server.pid, signal.SIGINT)
            out, err = server.communicate(timeout=10)
    finally:
        server.kill()
        server.communicate()
    assert out.strip() == "ended"
    assert err == ""
    assert server.returncode == 0


def test_closing_the_feed_ends_the_server(feed: Feed) -> None:
    threading.Timer(0.2, feed.close).start()
    serve(feed, "127.0.0.1", 0, may_ask=ASK)


def test_page_in_the_background_serves_until_stopped(feed: Feed) -> None:
    served = BackgroundPage(feed, "127.0.0.1", 0, may_ask=ASK)
    with urllib.request.urlopen(f"{served.url}/", timeout=10) as answer:
        assert b"Ludo Referee" in answer.read()
    served.stop()
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{served.url}/", timeout=2).close()


def test_page_draws_board_and_players_as_the_referee_knows_them(feed: Feed) -> None:
    board = load_board("ludo15")
    game = Game(board, rules_from({"preset": "classic"}), range(4))
    start = game.resume({0: (-1, -1, 5, 56), 1: (-1, -1, -1, -1), 2: (3, 3, -1, -1), 3: (-1, -1, -1, -1)}, 2)
    sink = PageSink(feed, board, "en")
    sink.show(replace(Referee(game, board, start).begin()[0], started=True))
    feed.log("end")
    told = {message.event: message.data for message in asyncio.run(heard(feed))}
    assert told["board"]["size"] == 15  # type: ignore[index]
    seats = told["game"]["seats"]  # type: ignore[index]
    assert [seat["score"] for seat in seats] == ["1 of 4 home", "0 of 4 home", "0 of 4 home", "0 of 4 home"]
    assert [seat["name"] for seat in seats if seat["turn"]] == ["Blue"]
    places = [(x, y) for x, y, *_ in told["game"]["tokens"]]  # type: ignore[index]
    assert len(set(places)) == 16


def test_address_for_everybody_is_one_that_others_can_reach(feed: Feed) -> None:
    served = BackgroundPage(feed, "0.0.0.0", 0, may_ask=ASK)
    served.stop()
    assert "0.0.0.0" not in served.url


def test_everything_written_on_the_page_is_there_in_every_language(client: TestClient) -> None:
    page = client.get("/").text
    script = client.get("/page.js").text
    named = set(re.findall(r'data-(?:text|label)="(\w+)"', page)) | set(re.findall(r"texts\.(\w+)", script))
    assert named == {"language", *TEXTS}
    for language in LANGUAGES:
        assert all(texts(language).values())
    written = re.sub(r"<(script|style)[^>]*>.*?</\1>|<[^>]+>", " ", page)
    assert set(written.split()) <= {"Ludo", "Referee", "…"}


def test_page_speaks_the_language_that_is_chosen(feed: Feed) -> None:
    board = load_board("ludo15")
    game = Game(board, rules_from({}), range(4))
    sink = PageSink(feed, board, "en")
    sink.language("de")
    sink.show(Referee(game, board, game.begin(0)).begin()[0])
    sink.kept(False)
    feed.log("end")
    told = {message.event: message.data for message in asyncio.run(heard(feed))}
    assert told["texts"]["new"] == "Neues Spiel"  # type: ignore[index]
    assert told["game"]["seats"][0]["score"] == "0 von 4 im Ziel"  # type: ignore[index]
    assert told["trouble"].startswith("Das Spiel wird nicht gesichert")  # type: ignore[attr-defined]


def test_display_is_told_in_words_to_those_who_cannot_see_it(feed: Feed) -> None:
    PageSink(feed, load_board("ludo15"), "en").view(1.0, ToRoll(0, "green"))
    feed.log("end")
    screen = next(message.data for message in asyncio.run(heard(feed)) if message.event == "screen")
    assert isinstance(screen, dict)
    assert screen["text"] == "GREEN · Press to roll"


def test_the_page_says_where_a_recording_lies_in_its_language() -> None:
    feed = Feed()
    sink = PageSink(feed, load_board("ludo15"), "de")
    sink.recorded(61.04, Path("/var/lib/ludo/recordings/2026-11-30_20-15-00"))
    assert [line.data for line in feed._log] == [
        {"t": 61.0, "kind": "recorded", "text": "Aufgezeichnet in /var/lib/ludo/recordings/2026-11-30_20-15-00."}
    ]
