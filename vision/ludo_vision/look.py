"""Reads one picture of a table without any history: where tokens stand, how many wait in the yards, and what cannot be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import ground
from .light import Floats, Mask, linear_of, prepared
from .look_drawing import draw_overlay
from .look_print import against_empty, believed, by_likeness, by_shade, inks, print_palettes, without_shadows
from .look_search import Found, Search
from .look_shades import count, log_density, mixed, named, shades
from .look_yards import in_yard, probability
from .plan import Plan, Point
from .pose import Picture, View
from .reading import CHANGED, as_look
from .reading import Look as ReadyLook
from .register import check_colours, find_board, from_corners
from .registration import Registration
from .shape import Feet, Shape, Silhouettes, family, foot_at

__all__ = ["Look", "Stand", "draw_overlay", "look", "nothing_waits"]

Brought = tuple[Picture, Mask]
"""A working picture and what of it cannot be seen, as `View.bring` gives it."""

ORDINARY = Shape(((0.22, 0.0), (0.22, 0.1), (0.16, 0.35)))  # until the picture shows the tokens' own shape: inside most
MOST = 4.0  # what one pixel may say, for or against
STRANGE, OWN = 5.0, 2.5  # log likelihood less than its commonest shade's: a shade that a token hardly has, and one of its own
LITTLE = -1.5
LEAST = 0.0  # per pixel of a silhouette: what a token must be worth to be looked at
CLEAR = 1.2  # tokens worth so much teach colour and shape
INNER = 0.85
FOREIGN = CHANGED + 2.5  # log likelihood of print: less likely pixels belong to something else
NAMED = 0.6  # silhouettes: what the colour's name is worth beside what is seen
DOUBT = 0.75  # less probable readings are told as unclear
FAINT = 0.13  # print is seldom taken for a token that is so probable, and of full yards some token is
IN_SHADOW = 1.0  # log likelihood: what a shadow that explains print costs
GLARE, HIDDEN = 0.5, 0.4  # of a token's outline: less to be seen tells nothing


@dataclass(frozen=True, slots=True)
class Stand:
    """`count` tokens of a seat on a spot, with probability `p`."""

    spot: int
    seat: int
    count: int
    p: float


@dataclass(frozen=True, slots=True)
class Look:
    """What one picture shows. `stands`: on squares and finishes; `in_yard[seat]`: tokens, None when it cannot be told; `unclear`:
    (row, column) and why: glare, hidden, doubtful."""

    registration: Registration
    stands: tuple[Stand, ...]
    in_yard: tuple[int | None, ...]
    unclear: tuple[tuple[tuple[int, int], str], ...]


def look(picture: Picture, plan: Plan, corners: Sequence[Point] | None = None, empty: Picture | None = None) -> Look:
    """Read a picture (h, w, 3) uint8 BGR of a plan's board. `corners`: the grid's outer corners in pixels, in the order of the seats;
    without them the board is found. `empty`: the same board without tokens, seen from the same place.

    Raises BoardNotFound, also for a board in other colours than the plan's; VisionError for corners that cannot be.
    """
    if corners is None:
        registration = find_board(picture, plan)
    else:
        registration = from_corners(picture, plan, corners)
        check_colours(picture, registration, plan)
    view = View.of(registration)
    without = None if empty is None else view.bring(empty, registration)
    search = _Sight(plan, view, view.bring(picture, registration), without).read()
    return _told(plan, registration, search, empty is not None)


def nothing_waits(plan: Plan, view: View, picture: Brought) -> bool:
    """Whether a working picture shows yards without any token, as far as can be told: when all are full that is little."""
    search = _Sight(plan, view, picture, None).read()
    found = (one for one in search.found if one.token.place in plan.yards and one.seen >= GLARE)
    left = (search.left(yard) for yard in plan.yards)  # also where four of a seat seem to stand elsewhere
    return all(probability(one) < FAINT for one in found) and all(worth < LEAST or seen < GLARE for worth, _, seen in left)


class _Sight:
    """One picture on its way to be read."""

    def __init__(self, plan: Plan, view: View, picture: Brought, empty: Brought | None) -> None:
        self.plan, self.view = plan, view
        light, self.blind = prepared(*picture)
        self.white = ground.white_of(light, plan, self.view, ~self.blind, set())
        self.look = as_look(light, self.blind, self.white)
        self.ground = ground.ground_of(plan, self.view)
        self.feet = Feet(plan)
        self.shades = shades(self.look.lab)
        bare = self._print(self.look)
        if empty is None:
            bare = self._even_in_shadow(bare)
        self.bare = believed(plan, self.view, bare)
        if empty is not None:
            without, unseen = prepared(*empty)
            reference = as_look(without, unseen, ground.white_of(without, plan, self.view, ~unseen, set()))
            known = ~reference.blind
            self.bare[known] = against_empty(self.look, reference)[known]
        self.supposed = [named(colour, ink) for colour, ink in zip(plan.colours, inks(plan, self.view, self.look), strict=True)]
        self.counts = list(self.supposed)

    def _print(self, look: ReadyLook) -> Floats:
        """How likely every pixel of a look is bare print."""
        fine = shades(look.lab)
        prints = print_palettes(self.plan, self.view, self.ground, fine, self.blind)
        return by_likeness(self.plan, self.view, self.ground, look, by_shade(self.ground, fine, prints))

    def _even_in_shadow(self, bare: Floats) -> Floats:
        """How likely every pixel is bare print, given how likely it is as it shows: also when what may lie in shadow is lit again.

        Lit again, the white is another, and so are the places that the others are like: this is believed beyond the shadows too, as
        far as it explains the board no worse; as many pixels as squares bear witness of their own.
        """
        lab, shaded = without_shadows(self.plan, self.view, self.ground, self.look)
        if not shaded.any():
            return bare
        lit = linear_of(lab)
        again = self._print(as_look(lit, self.blind, ground.white_of(lit, self.plan, self.view, ~self.blind, set())))
        board = (self.ground.kinds > ground.OUTSIDE) & ~self.blind
        worse = max(0.0, float((bare - again)[board].mean())) * self.view.registration.size**2
        return np.maximum(bare, again - np.where(shaded, np.float32(IN_SHADOW), np.float32(IN_SHADOW + worse)))

    def read(self) -> Search:
        """All tokens: first as the colours' names have it, then as the clear ones taught."""
        silhouettes = Silhouettes(self.view, ORDINARY)
        search = self._search(silhouettes, CLEAR)
        clear = [found for found in search.found if self._is_clear(found, search)]
        for _ in range(2):
            silhouettes = self._shape(clear, family(), silhouettes)
            self._learn(clear, silhouettes)
        return self._search(silhouettes, LEAST)

    def _search(self, silhouettes: Silhouettes, least: float) -> Search:
        search = Search(self.plan, silhouettes, self.feet, self._evidence(), self.blind.ravel())
        search.run(least)
        return search

    def _evidence(self) -> dict[int, Floats]:
        """For every seat, how much better its token explains each pixel (flat) than bare print does."""
        strange = np.float32(CHANGED - 4)
        bare = np.maximum(self.bare, strange)
        result = {}
        for seat, counts in enumerate(self.counts):
            density = log_density(counts, 2)
            token = density[self.shades]
            # A shade that the token may have as well speaks little against it: on print of its own colour its rim must tell.
            least = np.interp(token - density.max(), (-STRANGE, -OWN), (-MOST, LITTLE))
            value = np.clip(token - bare, least, MOST).ravel()
            value[self.blind.ravel()] = 0
            result[seat] = value.astype(np.float32)
        return result

    def _is_clear(self, found: Found, search: Search) -> bool:
        """Does a token stand out so clearly that the others may be known by it?"""
        pixels = search.silhouettes.at(found.token.foot)
        foreign = float((self.bare.ravel()[pixels] < FOREIGN).mean())
        return found.worth - max(found.rival, 0) > CLEAR and found.seen > 0.8 and foreign > 0.7

    def _learn(self, clear: Sequence[Found], silhouettes: Silhouettes) -> None:
        """The seats' colours from the tokens that are clear."""
        inner = Silhouettes(self.view, silhouettes.shape.slimmer(INNER))
        cells = self.shades.ravel()
        foreign = (~self.blind & (self.bare < FOREIGN)).ravel()
        for seat, supposed in enumerate(self.supposed):
            own = [inner.at(found.token.foot) for found in clear if found.token.seat == seat]
            if not own:
                continue
            pixels = np.concatenate(own)
            pixels = pixels[foreign[pixels]]
            amount = len(pixels) / silhouettes.area
            self.counts[seat] = mixed([(NAMED, supposed), (amount, count(cells[pixels]))])

    def _shape(self, clear: Sequence[Found], shapes: Sequence[Shape], before: Silhouettes) -> Silhouettes:
        """The silhouettes of the shape that parts the clear tokens best from the print around them."""
        judges = sorted(clear, key=lambda found: -found.worth)[:8]
        if not judges:
            return before
        evidence = self._evidence()
        best: tuple[float, Silhouettes] | None = None
        for shape in shapes:
            silhouettes = Silhouettes(self.view, shape)
            total = 0.0
            for found in judges:
                x, y, _ = found.token.foot
                total += max(float(evidence[found.token.seat][silhouettes.at((x + dx, y + dy, 0))].sum())
                             for dx in (-3, 0, 3) for dy in (-3, 0, 3))
            if best is None or total > best[0] * 1.01:
                best = total, silhouettes
        return before if best is None else best[1]


def _told(plan: Plan, registration: Registration, search: Search, empty_known: bool) -> Look:
    stands, unclear = [], []
    for index, spot in enumerate(plan.spots):
        if spot.kind == "yard":
            continue
        here = [found for found in search.found if found.token.place == index]
        square = (int(spot.centre[1]), int(spot.centre[0]))
        doubtful = False
        for seat in sorted({found.token.seat for found in here}):
            own = [found for found in here if found.token.seat == seat]
            sure = [found for found in own if probability(found) >= 0.5]
            doubtful = doubtful or any(abs(probability(found) - 0.5) < DOUBT - 0.5 for found in own)
            if sure:
                stands.append(Stand(index, seat, len(sure), min(probability(found) for found in sure)))
        worth, _, seen = search.left(index)
        outline = search.silhouettes.at(foot_at(spot.centre))
        if doubtful:
            unclear.append((square, "doubtful"))
        elif not here and search.seen[outline].mean() < GLARE:
            unclear.append((square, "glare"))
        elif not here and seen < HIDDEN and worth > -1:
            unclear.append((square, "hidden"))
    yards = tuple(in_yard(search, plan, seat, empty_known) for seat in range(len(plan.yards)))
    return Look(registration, tuple(stands), yards, tuple(unclear))
