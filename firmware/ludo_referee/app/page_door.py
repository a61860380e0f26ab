"""The page's door to the house: opened as soon as it can be, with the address that the box has now."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..config import Page
from ..errors import LudoError
from ..web.feed import Feed

if TYPE_CHECKING:
    from ..web.page import BackgroundPage

_log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
"""A network that comes late, or another address, is noticed so soon."""


class PageDoor:
    """Serves the page if one is wanted. What fails is said once and tried again: the table needs neither page nor network."""

    def __init__(self, feed: Feed, page: Page, may_ask: frozenset[str]) -> None:
        self._feed, self._page, self._may_ask = feed, page, may_ask
        self._served: BackgroundPage | None = None
        self._url: str | None = None
        self._complaint = ""
        self._next = 0.0

    def look(self, now: float) -> str | None:
        """Open the door if it is shut; the page's address when it is another than before. To be called again and again."""
        if not self._page.on or now < self._next:
            return None
        self._next = now + LOOK_EVERY_S
        if self._served is None and not self._open():
            return None
        assert self._served is not None
        before, self._url = self._url, self._served.url
        return self._url if self._url != before else None

    def _open(self) -> bool:
        from ..web.page import BackgroundPage  # the web server's libraries: only for those who want a page

        try:
            self._served = BackgroundPage(self._feed, self._page.host, self._page.port, may_ask=self._may_ask)
        except LudoError as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                _log.warning("%s; it is tried again", error)
            return False
        return True

    def shut(self) -> None:
        """Let the visitors go."""
        if self._served is not None:
            self._served.stop()
