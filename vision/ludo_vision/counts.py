"""Counts the tokens in the yards before the start: by a picture of the bare board, or by what changes from one picture to the next."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground, palette, reading
from .light import Floats, Mask, change_of_light, coarse
from .look import in_yards, nothing_waits
from .look_print import alike_when_turned
from .plan import Plan, Scene
from .pose import Picture, View
from .reading import CHANGED, noise_between, roughness, sameness
from .table import as_look, prepared

Outline = NDArray[np.int32]

TOKENS = 4  # a seat has
_SURE = CHANGED + 1.5  # log likelihood of sameness: less likely pixels have changed
_ALIKE = CHANGED + 2.5  # prints that are held to be the same agree so well
_SPECK = 0.04  # squares: a smaller change is noise
_GAP = 0.1  # squares: a token's unchanged middle (it stands on print of its own colour) is closed over so far
_PART = 0.25  # of a token's area: a shadow's rim, a token that was pushed a little
_ONE, _TWO = (0.5, 1.6), (1.7, 2.6)  # token areas that one token has, leaning this way or that, and two that touch
_EDGES = 0.1  # of the logarithm: tokens bring edges and shadows; so much more to see speaks for their coming
_HIDDEN = 0.05  # of a yard: more burnt out or out of sight, and it is not counted
_LEAST, _MOST = 0.08, 2.5  # squares: what a token's area can be
_FOREIGN = 2.0  # log likelihood by which most of a token's pixels look more like another colour than like the seat's: on 24 drawn
# tables in all lights no token of the right colour came beyond 0.7, and those of another that stood apart began at 2
_NAMES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white")


class YardCounter:
    """Watches the yards in still pictures of one view. Where the first of them showed no tokens, all others are read by it as soon as
    some come. Otherwise a yard's count is known once all its four tokens were seen to come or go, or when it can be compared with another
    yard that is known to be empty. It never guesses: None until then."""

    def __init__(self, plan: Plan, view: View) -> None:
        self._plan, self._view = plan, view
        self._named = [palette.log_density(palette.named(colour)) for colour in plan.colours]
        self._others = {name: palette.log_density(palette.named(name)) for name in _NAMES}
        self._areas = [self._area(yard) for yard in plan.yards]
        self._barest: reading.Look | None = None  # every yard as it was with fewest tokens
        self._white: Floats | None = None
        self._empty = [False] * len(plan.yards)  # whether fewest was none
        self._token: float | None = None  # a token's area in pixels
        self.bare: tuple[Picture, Mask] | None = None
        """The first picture, if no token was seen in its yards."""
        self._came = False  # whether tokens came since: until then the yards may have been full
        self.strangers: tuple[int, ...] = ()
        """The seats in whose yards a token of another colour stood in the picture counted last, as far as it stands apart."""

    def count(self, picture: Picture, unseen: Mask) -> tuple[int | None, ...]:
        """Tokens in each seat's yard in a working picture, as `View.bring` gives it; None where it cannot be told."""
        light, blind = prepared(picture, unseen)
        if self._barest is None or self._white is None:
            self._white = ground.white_of(light, self._plan, self._view, ~blind, set())
            light *= self._white
            self._barest = as_look(light, blind)
            if nothing_waits(self._plan, self._view, (picture, unseen)):
                self.bare, self._empty = (picture, unseen), [True] * len(self._plan.yards)
            return (None,) * len(self._plan.yards)
        light *= self._white
        usable = ~blind & ~self._barest.blind
        light *= change_of_light(coarse(light), self._barest.light, usable)
        now, before = as_look(light, blind), self._barest
        rough_now, rough_before = roughness(now.lab), roughness(before.lab)
        same = sameness(now.lab, before.lab, rough_before, noise_between(now.lab, before.lab, usable))
        changed = (same < _SURE) & usable
        pieces = [self._pieces(changed & area) for area in self._areas]
        changes = [[_size(piece) for piece in found] for found in pieces]
        around = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._learn_token([size for sizes in changes for size in sizes])
        counts: list[int | None] = []
        for seat, area in enumerate(self._areas):
            hidden = float((blind & area).sum()) / max(1.0, float(area.sum()))
            came = _whole(changes[seat], self._token)
            if hidden > _HIDDEN or came is None:
                counts.append(None)
                continue
            where = area & around
            edges = np.log(max(1e-6, float(rough_now[where].sum())) / max(1e-6, float(rough_before[where].sum())))
            counts.append(self._judge(seat, came, edges / _EDGES + self._coloured(seat, now, before, area & changed), now))
        self._compare(now, counts)
        filled = [seat for seat, empty in enumerate(self._empty) if empty and counts[seat] != 0]
        self.strangers = tuple(seat for seat in filled if self._has_stranger(seat, pieces[seat], now, changed))
        if self.bare is None:
            return tuple(counts)
        waiting = in_yards(self._plan, self._view, (picture, unseen), self.bare)
        self._came = self._came or any(waiting)
        if not self._came:
            return (None,) * len(waiting)
        return tuple(seen if came is None else came for came, seen in zip(counts, waiting, strict=True))  # what came is counted best

    def _has_stranger(self, seat: int, pieces: list[Outline], now: reading.Look, changed: Mask) -> bool:
        """Whether most of what can be seen of one of the tokens that came looks clearly more like another colour than like the seat's."""
        own = self._plan.colours[seat]
        if own not in _NAMES or self._token is None:
            return False
        for piece in pieces:
            if _size(piece) < _ONE[0] * self._token:
                continue
            inside = np.zeros(changed.shape, dtype=np.uint8)
            cv2.drawContours(inside, [piece], -1, 1, cv2.FILLED)
            shades = now.cells[(inside > 0) & changed]
            other = max((name for name in _NAMES if name != own), key=lambda name: float(self._others[name][shades].mean()))
            if np.median(self._others[other][shades] - self._others[own][shades]) > _FOREIGN:
                return True
        return False

    def _learn_token(self, areas: list[float]) -> None:
        """A token's area is the middle one of what came or went: most tokens stand apart."""
        square = self._view.square**2
        sizes = [area for area in areas if _LEAST * square < area < _MOST * square]
        if len(sizes) >= (TOKENS if self._token is None else 2 * TOKENS):
            self._token = float(np.median(sizes))

    def _coloured(self, seat: int, now: reading.Look, before: reading.Look, changed: Mask) -> float:
        """How much more the changed pixels look like the seat's colour than they did, per pixel."""
        if not changed.any():
            return 0.0
        return float((self._named[seat][now.cells[changed]] - self._named[seat][before.cells[changed]]).mean())

    def _judge(self, seat: int, changed: int, more: float, now: reading.Look) -> int | None:
        """One yard's count, after so many tokens came to it, or went; `more`: the evidence that they came."""
        if changed == 0:
            return 0 if self._empty[seat] else None
        if self._empty[seat]:
            return changed if changed <= TOKENS else None
        if abs(more) < 1:
            return None
        if more > 0:
            self._empty[seat] = changed == TOKENS
            return TOKENS if self._empty[seat] else None
        self._empty[seat] = changed == TOKENS
        self._remember(seat, now)
        return 0 if self._empty[seat] else None

    def _remember(self, seat: int, now: reading.Look) -> None:
        """The yard was never seen barer."""
        assert self._barest is not None
        area = self._areas[seat]
        light, lab, cells = self._barest.light.copy(), self._barest.lab.copy(), self._barest.cells.copy()
        lab[area], cells[area] = now.lab[area], now.cells[area]
        part = cv2.resize(area.astype(np.uint8), light.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
        light[part] = now.light[part]
        self._barest = reading.Look(light, lab, cells, self._barest.blind | (now.blind & area))

    def _compare(self, now: reading.Look, counts: list[int | None]) -> None:
        """Yards nothing happened to are compared with yards known to be empty: print is alike, apart from the seats' inks."""
        known = [seat for seat, empty in enumerate(self._empty) if empty]
        unknown = [seat for seat, count in enumerate(counts) if count is None and not self._empty[seat]]
        if not known or not unknown or self._token is None:
            return
        assert self._barest is not None
        lab = now.lab.copy()
        for seat in known:
            lab[self._areas[seat]] = self._barest.lab[self._areas[seat]]
        mixed = reading.Look(now.light, lab, now.cells, now.blind)
        for seat in unknown:
            same = alike_when_turned(self._plan, self._view, mixed, seat, known[0])
            seen = np.isfinite(same) & self._areas[seat]
            counts[seat] = _whole([_size(piece) for piece in self._pieces((same < _ALIKE) & seen)], self._token)
            if counts[seat] == 0:
                self._empty[seat] = True
            else:
                counts[seat] = None  # it may be full of tokens, or printed otherwise

    def _area(self, yard: int) -> Mask:
        canvas = np.zeros((self._view.size[1], self._view.size[0]), dtype=np.int16)
        ground.draw(canvas, self._view, self._plan.spots[yard].outline, 1)
        return np.asarray(canvas > 0)

    def _pieces(self, changed: Mask) -> list[Outline]:
        """The outlines of the connected changes, holes and gaps closed."""
        square = self._view.square
        reach = 2 * max(1, round(_GAP * square)) + 1
        opened = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
        outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        found = [np.asarray(outline, dtype=np.int32) for outline in outlines]
        return [outline for outline in found if _size(outline) > _SPECK * square * square]


def _size(outline: Outline) -> float:
    """Its area in pixels, bays half closed."""
    return 0.5 * float(cv2.contourArea(outline) + cv2.contourArea(cv2.convexHull(outline)))


def as_expected(plan: Plan, expected: Scene, counts: Sequence[int | None]) -> bool:
    """Whether counts show a scene in which all tokens wait in their yards."""
    return any(expected) and all(
        not places or (set(places) == {yard} and counts[seat] == len(places))
        for seat, (places, yard) in enumerate(zip(expected, plan.yards, strict=True)))


def _whole(areas: list[float], token: float | None) -> int | None:
    """How many tokens have these areas; None when pieces are neither one nor two."""
    if not areas:
        return 0
    if token is None:
        return None
    total = 0
    for area in areas:
        share = area / token
        if _PART < share < _ONE[0] or _ONE[1] < share < _TWO[0] or share > _TWO[1]:
            return None
        total += 0 if share <= _PART else 1 if share <= _ONE[1] else 2
    return total
