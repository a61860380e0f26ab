"""Plays a drawn game at the installed table: the USB camera sees it, the button is pressed, display and page are read.

`python3 play.py FOLDER` makes the devices and touches /run/table/ready; when /run/table/play exists it plays what `tests/vm/game.py` wrote
to the folder, and leaves 0 in /run/table/played when everything was understood. At the step "upgrade" it touches /run/table/upgrade and
waits until that is gone. /run/table/end ends it.
"""

from __future__ import annotations

import base64
import http.client
import io
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from machine import Bus, Header, be_a_pi, until
from PIL import Image
from usb_camera import AUTO_WHITE, BY_HAND, EXPOSURE, EXPOSURE_MODE, UsbCamera

sys.path.insert(0, "/project/tests/hardware")
import oled_decode

SIGNS = Path("/run/table")
PATIENCE_S = 900.0  # an emulated processor finds a board in half a minute, on a busy machine in minutes
BUTTON, LAMPS = 17, (5, 6)


class Page(threading.Thread):
    """A visitor of the table's page, who comes again when the table was restarted."""

    def __init__(self) -> None:
        super().__init__(name="visitor", daemon=True)
        self.lines: list[dict[str, Any]] = []
        self.screen = Image.new("1", (128, 64))
        self.visits = 0
        self.start()

    def run(self) -> None:
        while True:
            line = http.client.HTTPConnection("127.0.0.1", 8080, timeout=600)
            try:
                line.request("GET", "/events")
                self._listen(line.getresponse())
            except (OSError, http.client.HTTPException):
                time.sleep(0.5)
            finally:
                line.close()

    def _listen(self, stream: http.client.HTTPResponse) -> None:
        self.lines = []
        self.visits += 1
        event = ""
        for raw in stream:
            name, _, value = raw.decode().strip().partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "log":
                self.lines.append(json.loads(value))
            elif name == "data" and event == "screen":
                png = base64.b64decode(json.loads(value)["png"].partition(",")[2])
                self.screen = Image.open(io.BytesIO(png)).convert("1")


class Table:
    """The people at the table."""

    def __init__(self, folder: Path) -> None:
        told = json.loads((folder / "script.json").read_text())
        self._folder, self._script = folder, told["script"]
        self._header, self._bus = Header(), Bus()
        self._header.drive(BUTTON, high=True)
        self._camera = UsbCamera(self._pictures(self._script[0]), size=tuple(told["size"]), rate_hz=5.0)
        self._panel = oled_decode.panel("ssd1306", 64)
        self._started = False
        self._seen = 0  # lines of the page's log

    def _pictures(self, step: dict[str, Any]) -> list[bytes]:
        return [(self._folder / name).read_bytes() for name in step["pictures"]]

    def play(self) -> None:
        """The whole story. Raises AssertionError."""
        self._page = Page()
        for step in self._script:
            getattr(self, step["do"])(step)
        good("exposure and white balance are held", self._camera.knobs[EXPOSURE_MODE] == BY_HAND and not self._camera.knobs[AUTO_WHITE])
        exposure = self._camera.knobs[EXPOSURE]
        good(f"exposure in whole half periods of the lamps: {exposure / 10} ms", exposure % 100 == 0)
        lit = [self._header.level(lamp) for lamp in LAMPS]
        good(f"one lamp shines: {lit}", sum(lit) == 1)

    def show(self, step: dict[str, Any]) -> None:
        self._camera.show(self._pictures(step))
        time.sleep(2.0)

    def throw(self, step: dict[str, Any]) -> None:
        """Tap as often as the die shows; the first tap of all begins the game."""
        if not self._started:
            self._tap()
            self._started = True
            time.sleep(1.0)
        seen = len(self._page.lines)
        for _ in range(step["value"]):
            self._tap()
        line = self._heard(seen, ("roll", "opening_roll"))
        good(f"thrown {step['value']}: {line['text']}", str(step["value"]) in line["text"])
        time.sleep(3.0)

    def told(self, step: dict[str, Any]) -> None:
        line = self._heard(self._seen, (step["kind"],))
        self._display(line["text"])

    def upgrade(self, step: dict[str, Any]) -> None:
        """Somebody installs the new version in the middle of the game."""
        visits = self._page.visits
        (SIGNS / "upgrade").touch()
        until(lambda: not (SIGNS / "upgrade").exists(), PATIENCE_S)
        good("the page is there again", until(lambda: self._page.visits > visits, PATIENCE_S))
        self._seen = 0
        self._display(self._heard(0, ("board",))["text"])
        self._tap()  # the tokens stand as they stood
        time.sleep(10.0)  # vision learns the table: work for both processors
        self._seen = len(self._page.lines)

    def _heard(self, seen: int, kinds: tuple[str, ...]) -> dict[str, Any]:
        """The first line of these kinds after those seen."""
        found: list[dict[str, Any]] = []

        def heard() -> bool:
            found[:] = [line for line in self._page.lines[seen:] if line["kind"] in kinds]
            return bool(found)

        if not until(heard, PATIENCE_S, every_s=0.1):
            good(f"no word of {' or '.join(kinds)}; the page says {self._page.lines[seen:]}", False)
        self._seen = self._page.lines.index(found[0]) + 1
        return found[0]

    def _tap(self) -> None:
        """At the pace of somebody in no hurry, far from bounces, double taps and the 2 s that end a throw: edges come late here."""
        self._header.drive(BUTTON, high=False)
        time.sleep(0.3)
        self._header.drive(BUTTON, high=True)
        time.sleep(0.9)

    def _display(self, text: str) -> None:
        """The display shows what the page shows, but for its wandering."""

        def same() -> bool:
            for message in self._bus.messages():
                (self._panel.data if message[0] == 0x40 else self._panel.commands)(message[1:])
            shown, wanted = self._panel.picture(), self._page.screen
            inner = wanted.crop((4, 4, 124, 60)).tobytes()
            return any(shown.crop((4 + x, 4 + y, 124 + x, 60 + y)).tobytes() == inner for x in range(-2, 3) for y in range(-2, 3))

        good(f"page and display: {text}", until(same, 60.0, every_s=0.2))


def good(what: str, true: bool) -> None:
    """Say it; raises AssertionError when it is not so."""
    print("good  " if true else "fault ", what, flush=True)
    assert true, what


def main() -> None:
    SIGNS.mkdir(exist_ok=True)
    be_a_pi()
    table = Table(Path(sys.argv[1]))
    (SIGNS / "ready").touch()
    until(lambda: (SIGNS / "play").exists(), 1e6)
    try:
        table.play()
        (SIGNS / "played").write_text("0")
    except AssertionError:
        (SIGNS / "played").write_text("1")
    until(lambda: (SIGNS / "end").exists(), 1e6)


main()
