"""The OLED's own thread: it alone talks to the display, and the latest view wins."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from ludo_hardware.ports import DeviceError, Display

from .. import screens
from ..config import Config
from ..referee.views import NotKept, View
from ..screens.burn_in import Rest, rest
from .session import Sink

_log = logging.getLogger(__name__)

RETRY_S = 2.0
"""A display that did not answer is tried again so often."""

REST_S, ALERT_S = 5.0, 1.0
"""A display dims, wanders and goes dark so many seconds late at most; what interrupts a view comes and goes sooner."""

LAST_S = 0.7
"""The last view has so long to be shown: a whole picture takes 0.1 s at the slowest bus."""

READ_S, NOTICE_S, NOTICE_EVERY_S = 8.0, 4.0, 60.0
"""While games are not being kept, that is said so long and so often, once what stands on the display could be read."""


class Panel(Sink):
    """Shows views as films, dims and rests when nobody acts, and outlives a display that is pulled off and put back."""

    def __init__(self, display: Display, config: Config, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._display, self._options, self._clock = display, config.display, clock
        self._language: str = config.table.language
        self._changed = threading.Condition()
        self._view: View | None = None
        self._cover: View | None = None
        self._since = self._covered = self._acted = clock()
        self._lost, self._kept = False, True
        self._level: int | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    def view(self, t: float, view: View) -> None:
        with self._changed:
            if view != self._view:  # the same view shown again is no new film
                self._view, self._since = view, self._clock()
            self._acted = self._clock()
            self._changed.notify()

    def cover(self, view: View | None) -> None:
        """Show this instead of what is to be shown, until `cover(None)`."""
        with self._changed:
            if view != self._cover:
                self._cover, self._covered = view, self._clock()
                self._changed.notify()

    def language(self, code: str) -> None:
        self._language = code

    def kept(self, yes: bool) -> None:
        """Whether games are being written down just now."""
        with self._changed:
            if yes != self._kept:
                self._kept = yes
                self._changed.notify()

    def awake(self) -> bool:
        """Whether the display can be read now; somebody acted, so it can from now on."""
        with self._changed:
            was = self._rest(self._clock() - self._acted).level > 0
            self._acted = self._clock()
            self._changed.notify()
            return was

    def close(self, last: View | None = None) -> None:
        """Show the last view, and stop. Returns within `LAST_S` whatever the display does."""
        with self._changed:
            if last is not None:
                self._view, self._since, self._acted = last, self._clock(), self._clock()
            self._closing = True
            self._changed.notify()
        self._thread.join(timeout=LAST_S)

    def _rest(self, idle_s: float) -> Rest:
        return rest(idle_s, self._options.dim_after_s, self._options.off_after_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                view, since, acted, closing = due = self._due()
            wait = self._show(view, self._clock() - since, self._clock() - acted) if view is not None else None
            if closing:
                return
            with self._changed:
                if self._due() == due:
                    self._changed.wait(wait)

    def _due(self) -> tuple[View | None, float, float, bool]:
        view, since = (self._view, self._since) if self._cover is None else (self._cover, self._covered)
        return view, since, self._acted, self._closing

    def _show(self, view: View, shown: float, idle: float) -> float:
        """Show what is due; the seconds until something else may be."""
        if not self._kept:
            view, shown = interrupted(view, shown)
        spared = self._rest(idle)
        level = round(self._options.contrast * spared.level)
        try:
            if level != self._level:
                self._display.contrast(level)
            self._level = level
            if level:
                self._display.show(screens.draw(view, self._display.size, screens.began(view, shown), self._language, spared.shift))
        except DeviceError as error:
            self._level = None
            if not self._lost:
                _log.warning("the display does not answer: %s", error)
            self._lost = True
            return RETRY_S
        if self._lost:
            _log.info("the display answers again")
            self._lost = False
        change = screens.next_change(view, shown)
        longest = REST_S if self._kept else ALERT_S
        return longest if change is None else min(longest, max(0.01, change - shown))


def interrupted(view: View, shown: float) -> tuple[View, float]:
    """What stands after `shown` seconds of a view while games are not being kept, and since when."""
    into = (shown - READ_S) % NOTICE_EVERY_S
    return (NotKept(), into) if shown >= READ_S and into < NOTICE_S else (view, shown)
