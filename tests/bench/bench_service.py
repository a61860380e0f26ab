"""The service as systemd starts it: memory, idle work, and how long people wait. `make bench-service`.

The real `ludo-referee run` in processes of its own, on simulated devices by its configuration alone: a drawn table or a picture file
as camera, the button on the page, the display's pictures in a file whose time stamp says when each was shown. What a real display's
bus adds is not in it (23 ms for a whole picture at 400 kHz). A wait is told as median and worst, with the processor's time that both
processes spent meanwhile, which does not grow with whatever else the machine does. A verdict's wait is also told as it would be on a
machine with nothing else to do: the stillness that is waited for, a picture's time, and the processor's time after that.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

import cv2
from PIL import Image

from ludo_hardware.simulated_table import Pinhole
from ludo_referee import screens
from ludo_referee.demo.drawn_board import look_of
from ludo_referee.demo.evening import DemoOptions, Evening
from ludo_referee.journal import Journal, Opening
from ludo_referee.referee.events import Throw
from ludo_referee.referee.notices import Roll
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.views import ToRoll
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import Rules

PATIENCE_S = 180.0
STARTS, THROWS, IDLE_S = 5, 4, 20.0
STILL_S, PICTURE_S = 0.8, 0.1  # so long the table must be still before it is read; so long until the camera looks again
SIZE = (1280, 960)
# (value, from, to) in steps of the seat on turn: A, A again, C, C again, then in turn.
MOVES = ((6, -1, 0), (3, 0, 3), (6, -1, 0), (2, 0, 2), (4, 3, 7), (5, 2, 7), (1, 7, 8), (3, 7, 10), (5, 8, 13), (4, 10, 14))

Shown = tuple[float, bytes]


class Table:
    """The service at work, what its display showed and when, and what its processes used."""

    def __init__(self, folder: Path, config: str) -> None:
        self.display, self.shown = folder / "display.png", list[Shown]()
        self._port, self._done = _free_port(), threading.Event()
        file = folder / "config.toml"
        file.write_text(
            config + f'[button]\nkind = "simulated"\n[display]\ndriver = "simulated"\npicture = "{self.display}"\n[sound]\nkind = "none"\n'
            f'[page]\nport = {self._port}\n[journal]\nfolder = "{folder / "games"}"\n'
        )
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(folder / "notify"))
        self._told: list[str] = []
        environment = {
            **os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "STATE_DIRECTORY": str(folder), "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        for step in (self._watch, self._listen):
            threading.Thread(target=step, daemon=True).start()
        self.began = time.time()
        self.process = subprocess.Popen([sys.executable, "-m", "ludo_referee", "run", "--config", str(file)], env=environment)

    def _watch(self) -> None:
        seen = 0
        while not self._done.wait(0.01):
            try:
                stamp = self.display.stat().st_mtime_ns
                if stamp != seen:
                    seen = stamp
                    self.shown.append((stamp / 1e9, Image.open(self.display).convert("1").tobytes()))
            except FileNotFoundError:
                continue

    def _listen(self) -> None:
        while message := self._line.recv(4096).decode():
            self._told.append(message)

    def until(self, found: Callable[[], Shown | None]) -> Shown:
        """Wait for the first picture that `found` finds among those shown."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if (picture := found()) is not None:
                return picture
            time.sleep(0.01)
        raise SystemExit("the display never showed what was waited for")

    def told(self, wanted: str) -> None:
        """Wait until systemd is told something that holds `wanted`."""
        deadline = time.monotonic() + PATIENCE_S
        while not any(wanted in message for message in self._told):
            if time.monotonic() > deadline:
                raise SystemExit(f"systemd was never told {wanted}")
            time.sleep(0.01)

    @property
    def status(self) -> str:
        """What systemd was told last of what the table waits for."""
        return next(message for message in reversed(self._told) if "STATUS=" in message)

    def ask(self, name: str, **values: object) -> None:
        """As a visitor of the page."""
        url = f"http://127.0.0.1:{self._port}/ask/{name}"
        request = urllib.request.Request(url, json.dumps(values).encode(), {"Content-Type": "application/json"}, method="POST")
        urllib.request.urlopen(request, timeout=PATIENCE_S).close()

    @property
    def processes(self) -> list[int]:
        """The service and its camera's process."""
        pid = self.process.pid
        children = (path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children"))
        return [pid, *(int(child) for some in children for child in some)]

    def cpu_s(self) -> float:
        """Processor time that both have used."""
        threads = (thread for pid in self.processes for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"))
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def end(self) -> float:
        """Stop it; the seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)
        self._done.set()
        self._line.shutdown(socket.SHUT_RDWR)
        return time.monotonic() - began


@contextmanager
def table(config: str, picture: bytes | None = None, *, cut: bool = False) -> Iterator[Table]:
    """A table in a folder of its own; `picture` is what its camera sees at first (`Table.display`'s folder / camera); `cut`: the power
    failed in its last game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if cut:
            broken_off(folder / "games")
        if picture is not None:
            (folder / "camera").mkdir()
            (folder / "camera" / "table.jpg").write_bytes(picture)
            config = f'[camera]\nkind = "folder"\nfolder = "{folder / "camera"}"\n' + config
        running = Table(folder, config)
        try:
            yield running
        finally:
            if running.process.poll() is None:
                running.end()


def main() -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; each line: found (aim)")
    starting()
    idle_and_presses()
    verdicts()


def broken_off(games: Path) -> None:
    """Twenty games in a journal; in the last the power failed after five hundred throws."""
    board, chance = load_board("ludo15"), random.Random(4)
    game, journal = Game(board, Rules(), range(4)), Journal.open(games)
    referee = Referee(game, board, game.begin(0))
    state, _ = referee.begin()
    for number in range(20):
        journal.begin_game(Opening.of(referee, state))
        now = game.begin(0)
        for t in range(500 if number == 19 else 50):
            value = chance.randint(1, 6)
            roll = Roll(t, now.turn, value)
            now, _ = game.throw(now, value)
            while legal := game.legal(now):
                now, _ = game.play(now, chance.choice(legal))
            journal.append(Throw(t, value), [roll], replace(state, game=now))
            if now.finish_order:
                break
    journal.close()


def starting() -> None:
    """From exec to the first picture, with a camera that looks at a table: a new evening, and one that goes on after a power cut."""
    for cut in (False, True):
        _start(cut)


def _start(cut: bool) -> None:
    waits, used, ends = [], [], []
    for _ in range(STARTS):
        with table('[camera]\nkind = "simulated"\n', cut=cut) as running:
            first = running.until(lambda running=running: next(iter(running.shown), None))
            used.append(running.cpu_s())
            waits.append(first[0] - running.began)
            running.told("READY=1")
            time.sleep(1.0)
            ends.append(running.end())
    print(f"first screen after {'a power cut' if cut else 'exec'}: {_seconds(waits)} (2 s); processor {median(used):.2f} s")
    print(f"ended after SIGTERM: {_seconds(ends)} (2 s)")


def idle_and_presses() -> None:
    """A table at which nobody does anything; then the opening throws, for which nothing need be moved."""
    with table('[table]\nplayers = ["A", "C"]\n[camera]\nkind = "simulated"\nrate_hz = 10.0\n') as running:
        running.told("STATUS=setting up")
        time.sleep(8.0)
        before, began = running.cpu_s(), time.monotonic()
        time.sleep(IDLE_S)
        share = (running.cpu_s() - before) / (time.monotonic() - began)
        print(f"idle, camera at 10 pictures a second: {100 * share:.1f} % of a core (6 %)")
        while "setting up" in running.status:  # a yard that cannot be counted takes one press more
            _press(running)
            time.sleep(2.0)
        waits, used = [], []
        for _ in range(THROWS):
            time.sleep(5.0)
            if "to move" in running.status:
                break  # a six: until a token has moved a press throws nothing
            before, pressed = running.cpu_s(), _press(running)
            waits.append(running.until(lambda pressed=pressed: _next_after(running, pressed))[0] - pressed)
            used.append(running.cpu_s() - before)
        shown = f"{_milliseconds(waits)} (50 ms); processor {1000 * median(used):.0f} ms"
        print(f"press to the first picture of the rolling die, {len(waits)} throws: {shown}")


def _press(running: Table) -> float:
    """A finger's press of 0.1 s; when it began."""
    began = time.time()
    running.ask("button", pressed=True)
    time.sleep(0.1)
    running.ask("button", pressed=False)
    return began


def verdicts() -> None:
    """Moves of a game, each from the last picture with a hand to the display's next request; and the memory after that."""
    board = load_board("ludo15")
    look = replace(look_of(board, 1), camera=Pinhole(*SIZE))
    evening = Evening(DemoOptions(players=(0, 2), look=look), [])
    game = evening.game
    waits, alone, used = [], [], []
    with table('[table]\ndie = "typed"\nplayers = ["A", "C"]\n', _jpeg(evening)) as running:
        camera = running.display.parent / "camera" / "table.jpg"
        running.told("STATUS=setting up")
        time.sleep(4.0)
        state = game.begin()
        for value in (6, 1):
            running.ask("throw", value=value)
            state, _ = game.throw(state, value)
            time.sleep(2.0)
        for value, origin, destination in MOVES:
            seat = state.turn
            running.ask("throw", value=value)
            state, _ = game.throw(state, value)
            state, _ = game.play(state, next(m for m in game.legal(state) if (m.origin, m.destination) == (origin, destination)))
            time.sleep(1.5)
            pictures = _moved(evening, seat, origin, destination)
            for wait, picture in pictures[:-1]:
                time.sleep(wait)
                _replace(camera, picture)
            time.sleep(pictures[-1][0])
            before, away = running.cpu_s(), time.time()
            _replace(camera, pictures[-1][1])
            time.sleep(STILL_S)
            still = running.cpu_s()
            wanted = {
                screens.draw(ToRoll(state.turn, board.seats[state.turn].colour, why)).tobytes() for why in ("turn", "six")
            }  # fmt: skip
            waits.append(running.until(lambda away=away, wanted=wanted: _next_after(running, away, wanted))[0] - away)
            alone.append(STILL_S + PICTURE_S + running.cpu_s() - still)
            used.append(running.cpu_s() - before)
        print(f"hand away to the verdict on the display, {len(waits)} moves: {_seconds(waits)} (1.2 s); processor {median(used):.2f} s")
        print(f"  on a machine with nothing else to do: {_seconds(alone)}")
        _memory(running)


def _memory(running: Table) -> None:
    parent, child = running.processes
    loaded = Path(f"/proc/{parent}/maps").read_text()
    libraries = [name for name in ("numpy", "cv2") if re.search(rf"/{name}/", loaded)]
    print(f"numpy or OpenCV in the service itself: {' and '.join(libraries) or 'neither'} (neither)")
    (rss, pss), (child_rss, child_pss) = _memory_mb(parent), _memory_mb(child)
    print(f"memory of the service: {rss:.0f} MB RSS, {pss:.0f} MB PSS (RSS 60 MB)")
    print(f"memory of both: {rss + child_rss:.0f} MB RSS, {pss + child_pss:.0f} MB PSS (RSS 190 MB)")


def _memory_mb(pid: int) -> tuple[float, float]:
    """RSS and PSS: what a process holds, and its share of that where it is shared."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    rss, pss = (int(re.search(rf"^{name}:\s+(\d+) kB", rollup, re.MULTILINE)[1]) / 1024 for name in ("Rss", "Pss"))
    return rss, pss


def _next_after(running: Table, when: float, wanted: set[bytes] | None = None) -> Shown | None:
    return next((shown for shown in running.shown if shown[0] > when and (wanted is None or shown[1] in wanted)), None)


def _moved(evening: Evening, seat: int, origin: int, destination: int) -> list[tuple[float, bytes]]:
    """What a hand that moves a token looks like: seconds to wait, and the picture that comes then; in the last the hand is gone."""
    evening.hands.move(evening.tabletop.at(seat, origin), evening.board.place(seat, destination))
    pictures, last, t = [], 0.0, 0.0
    while evening.hands.busy:
        if evening.hands.advance(t):
            evening.redraw()
            pictures.append((t - last, _jpeg(evening)))
            last = t
        t += 0.05
    return pictures


def _jpeg(evening: Evening) -> bytes:
    return cv2.imencode(".jpg", evening.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def _replace(path: Path, picture: bytes) -> None:
    new = path.with_name("new")
    new.write_bytes(picture)
    new.replace(path)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _seconds(waits: list[float]) -> str:
    return f"{median(waits):.2f} s, worst {max(waits):.2f} s"


def _milliseconds(waits: list[float]) -> str:
    return f"{1000 * median(waits):.0f} ms, worst {1000 * max(waits):.0f} ms"


if __name__ == "__main__":
    random.seed(1)
    main()
