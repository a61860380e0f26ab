"""The demo's page in a real browser. Skipped where Playwright or the system's Chromium is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs the system's Chromium")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A demo that waits for its visitor."""
    command = [sys.executable, "-m", "ludo_referee", "demo", "--port", "0", "--seed", "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        line = demo.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http"))
        demo.terminate()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, chromium: Any, address: str) -> Iterator[Any]:
    """The page, which must neither throw nor complain."""
    context = chromium.new_context(viewport={"width": request.param[0], "height": request.param[1]})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    opened.goto(address)
    until(opened, "state !== null && game !== null && picture !== null")
    yield opened
    context.close()
    assert complaints == []


def until(page: Any, condition: str) -> None:
    """Wait for an expression of the page to come true. (Playwright's own waiting uses eval, which the page's policy forbids.)"""
    for _ in range(PATIENCE_MS // 100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within {PATIENCE_MS / 1000:.0f} s: {condition}")


def press(page: Any) -> None:
    button = page.locator("#button")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(80)
    page.mouse.up()


def test_camera_screen_and_players_are_shown(page: Any) -> None:
    assert page.locator("#seats li").count() == 4
    assert page.evaluate("document.getElementById('screen').naturalWidth") == 128
    assert page.evaluate("pen.getImageData(0, 0, 960, 720).data.some((value, at) => at % 4 < 3 && value > 200)")


def test_everything_is_written_in_the_table_s_language(page: Any) -> None:
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.locator("#new").inner_text() == "New game"
    assert page.evaluate("[...document.querySelectorAll('[data-text]')].every((element) => element.textContent)")
    assert page.evaluate("[...document.querySelectorAll('[data-label]')].every((element) => element.getAttribute('aria-label'))")


def test_nothing_sticks_out_to_the_side(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pressing_the_button_throws(page: Any) -> None:
    before = page.locator("#log .roll").count()
    page.wait_for_timeout(1500)
    press(page)
    until(page, f"document.querySelectorAll('#log .roll').length > {before}")


def test_dragging_a_token_lifts_it_and_puts_it_down(page: Any) -> None:
    page.locator("#camera").scroll_into_view_if_needed()
    box = page.locator("#camera").bounding_box()
    scale = box["width"] / 960
    token = page.evaluate("state.tokens.find((token) => token.free)")
    x, y = box["x"] + token["foot"][0] * scale, box["y"] + token["foot"][1] * scale
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60 * scale, y + 40 * scale, steps=4)
    until(page, f"!state.tokens[{token['id']}].free")
    page.mouse.move(x, y, steps=4)
    page.mouse.up()
    until(page, f"state.tokens[{token['id']}].free")
    there = page.evaluate(f"state.tokens[{token['id']}].foot")
    assert abs(there[0] - token["foot"][0]) < 4
    assert abs(there[1] - token["foot"][1]) < 4


def test_keyboard_moves_a_token(page: Any) -> None:
    page.locator("#camera").focus()
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate("chosen")
    assert page.locator("#hint").inner_text() != ""
    before = page.evaluate(f"state.tokens[{chosen}].foot")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    until(page, f"state.tokens[{chosen}].free && Math.abs(state.tokens[{chosen}].foot[1] - {before[1]}) < 2")
