"""What the referee says, shows and knows, turned into the page's log, screen, players and board."""

from __future__ import annotations

import base64
import io
import math
from collections import Counter
from pathlib import Path

from .. import screens
from ..app.session import Sink
from ..locale import Words, message, words
from ..referee.notices import Notice
from ..referee.state import State
from ..referee.views import Looking, View
from ..rules.board import Board
from ..rules.game import GameState, Phase
from ..screens.trouble import NOT_KEPT
from ..words import tell
from .feed import Feed
from .texts import texts

QUIET = ("turn",)
"""Notices that the page's log leaves out: the screen and the players' list say them."""

HOME, FINISHED = message("{n} of {all} home"), message("finished: {rank}")
PLEDGE = message("The die's pledge: {pledge}")
RECORDED = message("Recorded in {folder}.")

ASIDE = ((0.0, 0.0), (0.24, 0.0), (0.12, 0.22), (-0.12, -0.22))
"""Where further tokens in one place are drawn, in squares."""


class PageSink(Sink):
    """Feeds a page. `refresh` is called again and again: screens are films; `show` when the state may have changed."""

    def __init__(self, feed: Feed, board: Board, language: str, die: str = "") -> None:
        """`die`: what is said of a die that makes no pledge."""
        self._feed, self._board, self._language, self._die = feed, board, language, die
        self._view: View = Looking()
        self._since = 0.0
        self._next: float | None = 0.0
        self._shown: GameState | None = None
        feed.publish("board", _print_of(board))
        feed.publish("texts", texts(language))

    @property
    def _words(self) -> Words:
        return words(self._language)

    def notice(self, notice: Notice) -> None:
        """One more line, unless the page shows it otherwise."""
        if notice.event() not in QUIET:
            self._feed.log({"t": round(notice.t, 1), "kind": notice.event(), "text": tell(notice, self._board, self._language)})

    def recorded(self, t: float, folder: Path) -> None:
        """Where the recording lies that somebody asked for."""
        text = words(self._language)(RECORDED, folder=folder)
        self._feed.log({"t": round(t, 1), "kind": "recorded", "text": text})

    def view(self, t: float, view: View) -> None:
        """The display shows something else."""
        if view != self._view:  # the same view shown again is no new film
            self._view, self._since, self._next = view, t, 0.0
        self.refresh(t)

    def language(self, code: str) -> None:
        """The people chose another language."""
        self._language, self._shown, self._next = code, None, 0.0
        self._feed.publish("texts", texts(code))

    def kept(self, yes: bool) -> None:
        """Whether games are being written down just now."""
        self._feed.publish("trouble", "" if yes else self._words(NOT_KEPT))

    @property
    def next_t(self) -> float:
        """The second from which `refresh` has something to show."""
        return math.inf if self._next is None else self._since + self._next

    def refresh(self, t: float) -> None:
        """Show the film's picture of this second, if it is another."""
        shown = t - self._since
        if self._next is None or shown < self._next:
            return
        self._next = screens.next_change(self._view, shown)
        canvas = screens.canvas_of(self._view, t=screens.began(self._view, shown), language=self._language)
        data = io.BytesIO()
        canvas.picture.save(data, "PNG")
        png = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
        self._feed.publish("screen", {"png": png, "text": " · ".join(canvas.said)})

    def show(self, state: State) -> None:
        """Players with their scores and whose turn it is, and where the tokens stand by the referee's account."""
        self._feed.publish("die", self._words(PLEDGE, pledge=state.pledge) if state.pledge else self._die)
        if state.game is self._shown:
            return
        self._shown = state.game
        seats = [self._seat(state, seat) for seat in state.players]
        self._feed.publish("game", {"seats": seats, "tokens": _tokens(self._board, state.game)})

    def _seat(self, state: State, seat: int) -> dict[str, object]:
        board, game, spoken = self._board, state.game, self._words
        home = sum(step == board.last if board.has_finish else step >= board.first_home for step in game.steps[seat])
        place = game.finish_order.index(seat) + 1 if seat in game.finish_order else None
        score = (spoken(HOME, n=home, all=len(game.steps[seat])) if place is None
                 else spoken(FINISHED, rank=spoken.rank(place)))
        return {
            "name": str(spoken.colour(board.seats[seat].colour)).capitalize(), "colour": board.seats[seat].colour, "shape": seat,
            "turn": state.started and seat == game.turn and game.phase is not Phase.OVER,
            "score": score,
        }  # fmt: skip


def _print_of(board: Board) -> dict[str, object]:
    """The board's print: size, places as [outline, colour or None, round], nests as [x, y, colour], stars as [x, y]."""
    places = [
        {"outline": place.outline, "colour": None if place.seat is None else board.seats[place.seat].colour, "round": place.round,
         "kind": place.kind.value}
        for place in board.places
    ]  # fmt: skip
    nests = [[x, y, plan.colour] for plan in board.seats for x, y in plan.nests]
    stars = [board.places[star].centre for star in sorted(board.stars)]
    return {"name": board.name, "size": board.size, "places": places, "nests": nests, "stars": stars}


def _tokens(board: Board, game: GameState) -> list[list[object]]:
    """Every token as [x, y, colour, shape], beside each other where they share a place."""
    standing: Counter[int] = Counter()
    found: list[list[object]] = []
    for seat, own in enumerate(game.steps):
        plan = board.seats[seat]
        for step in own:
            place = board.place(seat, step)
            number, (x, y) = standing[place], board.places[place].centre
            standing[place] += 1
            if place == plan.yard and plan.nests:
                x, y = plan.nests[number % len(plan.nests)]
            else:
                x, y = x + ASIDE[number % 4][0], y + ASIDE[number % 4][1]
            found.append([round(x, 2), round(y, 2), plan.colour, seat])
    return found
