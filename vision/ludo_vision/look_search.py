"""Finds the tokens of a picture of which nothing is known: the one that stands out most, then the next, nearer ones hiding farther."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .light import Floats
from .placing import APART, Token
from .plan import Plan
from .shape import PITCH, Box, Feet, Foot, Silhouettes, Spread

TOKENS = 4  # a seat has
LATER = 1.0  # a token elsewhere is believed before one that is worth so much more in a doubtful place


@dataclass(frozen=True, slots=True)
class Found:
    """A token, and by how much it explains its pixels better than its absence does, per pixel of a silhouette; `rival`: how much
    another seat's token there would, `seen`: the share of it that nothing hides or burns out."""

    token: Token
    worth: float
    rival: float
    seen: float


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """All feet a token may have on a place."""

    index: int
    seats: tuple[int, ...]
    spread: Spread
    box: Box
    central: NDArray[np.bool_]  # feet where a token would stand alone


class Search:
    """Explains one picture by tokens, one after another; `evidence[seat]` flat: how much better a token explains a pixel than print."""

    def __init__(self, plan: Plan, silhouettes: Silhouettes, feet: Feet, evidence: dict[int, Floats], blind: NDArray[np.bool_]) -> None:
        self.plan, self.silhouettes, self.feet, self.evidence = plan, silhouettes, feet, evidence
        self.seen = ~blind
        self._apart = APART * silhouettes.shape.radius / PITCH
        pixels = len(self.seen)
        self._claim: Floats = np.zeros(pixels, dtype=np.float32)
        self._depth: Floats = np.full(pixels, np.inf, dtype=np.float32)
        self._places = [self._place(index) for index in range(len(plan.spots))]
        self.found: list[Found] = []
        self._best: dict[int, dict[int, tuple[float, Foot]]] = {}

    def run(self, least: float) -> list[Found]:
        """Tokens that are worth at least so much, the clearest first."""
        for place in self._places:
            self._weigh(place)
        while True:
            offers = [(worth - self._later(place), place, seat, foot)
                      for place, by_seat in self._best.items() for seat, (worth, foot) in by_seat.items()
                      if worth >= least and self._may_come(place, seat)]
            if not offers:
                return self.found
            _, chosen, seat, foot = max(offers)
            worth, foot = self._refine(chosen, seat, foot)
            rival = max((w for other, (w, _) in self._best[chosen].items() if other != seat), default=-4.0)
            self._put(Found(Token(seat, chosen, foot), worth, rival, self._seen(foot)))

    def _later(self, place: int) -> float:
        """What seems to stand in a yard, whose print is busy, or beside another token, off a square's middle, is looked at later."""
        yard = self.plan.spots[place].kind == "yard"
        return LATER if yard or any(found.token.place == place for found in self.found) else 0.0

    def left(self, place: int) -> tuple[float, int | None, float]:
        """Of what is not explained yet: the best further token of a place: its worth, its seat, and the share of it that can be seen."""
        by_seat = {seat: offer for seat, offer in self._best[place].items() if self._may_come(place, seat, exhausted=True)}
        if not by_seat:
            return -4.0, None, 0.0
        seat = max(by_seat, key=lambda s: by_seat[s][0])
        return by_seat[seat][0], seat, self._seen(by_seat[seat][1])

    def left_for(self, seat: int) -> list[float]:
        """What the best further token of a seat would be worth on each square and finish where none of its own was found."""
        own = {found.token.place for found in self.found if found.token.seat == seat}
        return [by_seat[seat][0] for place, by_seat in self._best.items()
                if seat in by_seat and place not in own and self.plan.spots[place].kind != "yard"]

    def faint(self, place: int, seat: int, least: float) -> list[float]:
        """What further tokens of a seat on a place would be worth, one after another, down to `least`; they count as found from then on."""
        worths: list[float] = []
        while len(worths) < TOKENS and seat in self._best[place] and self._best[place][seat][0] >= least:
            worth, foot = self._refine(place, seat, self._best[place][seat][1])
            self._put(Found(Token(seat, place, foot), worth, 0.0, self._seen(foot)))
            worths.append(worth)
        return worths

    def _may_come(self, place: int, seat: int, exhausted: bool = False) -> bool:
        here = [f.token.seat for f in self.found if f.token.place == place]
        kind = self.plan.spots[place].kind
        if not exhausted and sum(f.token.seat == seat for f in self.found) >= TOKENS:
            return False
        return kind != "square" or len(here) < TOKENS

    def _place(self, index: int) -> _Place:
        spot = self.plan.spots[index]
        spread = self.silhouettes.spread_over(self.feet.of(index))
        width = self.silhouettes.view.size[0]
        columns = spread.pixels % width
        box = int(columns.min()), int(spread.pixels.min() // width), int(columns.max()), int(spread.pixels.max() // width)
        lone = set(self.feet.lone(index))
        central = np.array([foot in lone for foot in spread.feet])
        seats = tuple(range(len(self.plan.colours)))
        if spot.kind != "square" and spot.seat is not None:
            seats = (spot.seat,)
        return _Place(index, seats, spread, box, central)

    def _weigh(self, place: _Place) -> None:
        taken = [f.token.foot for f in self.found if f.token.place == place.index]
        self._best[place.index] = {}
        free = place.spread.apart(taken, self._apart) if taken else place.central
        if not free.any():
            return
        for seat in place.seats:
            worth = np.where(free, self._worth(seat, place.spread), -np.inf)
            best = int(worth.argmax())
            self._best[place.index][seat] = (float(worth[best]), place.spread.feet[best])

    def _worth(self, seat: int, spread: Spread) -> NDArray[np.float64]:
        """Evidence per pixel of whole outlines, for tokens of a seat beyond what is claimed."""
        value = self.evidence[seat][spread.pixels] - self._claim[spread.pixels]
        hidden = self._depth[spread.pixels] < np.repeat(spread.distances, spread.lengths)
        value[hidden] = 0
        return np.asarray(spread.sums(value) / np.maximum(spread.lengths, 1), dtype=np.float64)

    def _refine(self, place: int, seat: int, foot: Foot) -> tuple[float, Foot]:
        taken = [f.token.foot for f in self.found if f.token.place == place]
        around = [(foot[0] + dx, foot[1] + dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        spread = self.silhouettes.spread([near for near in around if near == foot or self.feet.within(place, near)])
        worth = self._worth(seat, spread)
        if taken:
            worth[~spread.apart(taken, self._apart) & np.array([near != foot for near in spread.feet])] = -np.inf
        best = int(worth.argmax())
        return float(worth[best]), spread.feet[best]

    def _put(self, found: Found) -> None:
        self.found.append(found)
        token = found.token
        outline = self.silhouettes.at(token.foot)
        distance = np.float32(self.silhouettes.distance(token.foot))
        shown = outline[self._depth[outline] > distance]
        self._claim[shown] = self.evidence[token.seat][shown]
        self._depth[shown] = distance
        left, top, right, bottom = self.silhouettes.box(token.foot)
        for place in self._places:
            box = place.box
            if place.index == token.place or (box[0] <= right and left <= box[2] and box[1] <= bottom and top <= box[3]):
                self._weigh(place)

    def _seen(self, foot: Foot) -> float:
        outline = self.silhouettes.at(foot)
        if not len(outline):
            return 0.0
        return float((self.seen[outline] & ~(self._depth[outline] < self.silhouettes.distance(foot))).mean())
