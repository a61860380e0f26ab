"""What the referee says and shows, turned into the page's log and screen."""

from __future__ import annotations

import base64
import io

from .. import screens, words
from ..app.session import Sink
from ..referee.notices import Notice
from ..referee.views import Looking, View
from ..rules.board import Board
from .feed import Feed

QUIET = ("turn",)
"""Notices that the page's log leaves out: the screen and the players' list say them."""


class PageSink(Sink):
    """Feeds a page. `refresh` is called again and again: screens are films."""

    def __init__(self, feed: Feed, board: Board, language: str) -> None:
        self._feed, self._board, self._language = feed, board, language
        self._view: View = Looking()
        self._since = 0.0
        self._next: float | None = 0.0

    def notice(self, notice: Notice) -> None:
        """One more line, unless the page shows it otherwise."""
        if notice.event() not in QUIET:
            self._feed.log({"t": round(notice.t, 1), "kind": notice.event(), "text": words.tell(notice, self._board, self._language)})

    def view(self, t: float, view: View) -> None:
        """The display shows something else."""
        self._view, self._since, self._next = view, t, 0.0
        self.refresh(t)

    def refresh(self, t: float) -> None:
        """Show the film's picture of this second, if it is another."""
        shown = t - self._since
        if self._next is None or shown < self._next:
            return
        self._next = screens.next_change(self._view, shown)
        data = io.BytesIO()
        screens.draw(self._view, t=shown, language=self._language).save(data, "PNG")
        png = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
        self._feed.publish("screen", {"png": png, "text": type(self._view).__name__})
