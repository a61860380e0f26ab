"""Everything the service touches, in the service's sandbox: a stand-in for `ludo-referee run` that tells what it could open.

GET / on the page's port answers a JSON object. `/run/ludo-referee/hang` makes it hang, for the watchdog.
"""

from __future__ import annotations

import http.server
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from ludo_hardware.camera_process import CameraProcess, Lost
from ludo_hardware.gpio import GpioButton, GpioBuzzer, GpioLamps, open_pins
from ludo_hardware.oled import open_oled
from ludo_referee.notify import Notifier

report: dict[str, Any] = {"presses": 0}
devices: list[Any] = []


def attempt(name: str, action: Callable[[], object]) -> None:
    try:
        report[name] = action() or "good"
    except Exception as error:
        report[name] = f"{type(error).__name__}: {error}"


def pins() -> None:
    def edge(t: float, pressed: bool) -> None:
        report["presses"] += pressed

    factory = open_pins()
    button, buzzer, lamps = GpioButton(factory, 17), GpioBuzzer(factory, 18), GpioLamps(factory, (5, 6))
    button.listen(edge)
    buzzer.play(((440.0, 0.05),))
    lamps.light(1)
    devices.extend([factory, button, buzzer, lamps])


def display() -> None:
    oled = open_oled("ssd1306")
    oled.show(Image.new("1", (128, 64), 1))
    devices.append(oled)


def camera() -> str | None:
    process = CameraProcess("ludo_hardware.probe:look", ({"kind": "v4l2", "size": (640, 480), "rate_hz": 25.0},), start_s=60.0)
    process.start()
    while True:
        for message in process.poll():
            if isinstance(message, dict | Lost):
                process.close()
                return message.reason if isinstance(message, Lost) else None
        time.sleep(0.02)


def records() -> None:
    Path(os.environ["STATE_DIRECTORY"], "kept").write_text("a game")


def opened(path: str) -> Callable[[], None]:
    return lambda: os.close(os.open(path, os.O_RDWR))


def written(path: str) -> Callable[[], object]:
    return lambda: Path(path, "x").write_text("")


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(report).encode())

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    notifier = Notifier()
    for name, action in (
        ("pins", pins),
        ("display", display),
        ("camera", camera),
        ("records", records),
        ("refused disk", opened("/dev/vda")),
        ("refused memory", opened("/dev/mem")),
        ("refused system", written("/usr")),
        ("refused home", written("/root")),
    ):
        attempt(name, action)
    if Path("/dev/dma_heap/system").exists():
        attempt("buffers", opened("/dev/dma_heap/system"))
    report["watchdog_s"] = notifier.watchdog_s
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    notifier.status("everything was tried")
    notifier.ready()
    while not stop.wait(0.2):
        if not Path("/run/ludo-referee/hang").exists():
            notifier.alive()
    notifier.stopping()


main()
