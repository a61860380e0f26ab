"""Counts the tokens in the yards before the start: by a picture of the bare board, by four that look alike, and by what changes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground, palette, reading
from .arrivals import TOUCHED, Arrivals
from .beside_three import BEYOND
from .full_yards import full_yards
from .light import Floats, Mask, prepared
from .look import nothing_waits
from .look_print import alike_when_turned
from .plan import Plan, Scene
from .pose import Picture, View
from .reading import CHANGED, as_look, changed_for_sure, noise_between, roughness, sameness
from .yard_sight import Matrix
from .yard_tokens import colour_gap, colour_of

Outline = NDArray[np.int32]
Indices = NDArray[np.intp]

TOKENS = 4  # a seat has
_SURE = CHANGED + 1.5  # log likelihood of sameness: less likely pixels have changed
_ALIKE = CHANGED + 2.5  # prints that are held to be the same agree so well
_SPECK = 0.04  # squares: a smaller change is noise
_GAP = 0.1  # squares: a token's unchanged middle (it stands on print of its own colour) is closed over so far
_PART = 0.25  # of a token's area: a shadow's rim, a token that was pushed a little
_ONE, _TWO = (0.5, 1.6), (1.7, 2.6)  # token areas that one token has, leaning this way or that, and two that touch
_EDGES = 0.1  # of the logarithm: tokens bring edges and shadows; so much more to see speaks for their coming
_STAYED, _WENT = 0.2, 0.6  # of a token's pixels: when fewer have changed it is where it was, when more it went
_SHOWN = 0.2  # of the tokens of a full yard: when less is surely no print their colour is not judged (0.16 misled once in 77 yards)
_LEFT = 0.3  # of a change: so much of it where a token stood, and it is that token's going
_HIDDEN = 0.05  # of a yard: more burnt out or out of sight, and it is not counted
_LEAST, _MOST = 0.08, 2.5  # squares: what a token's area can be
_SHOWS = 0.7  # of a token's area: so much of it must have changed for its colour to be compared
_TOO_FEW = 2  # tokens: either may be the odd one, or the light
_OTHER_COLOUR = 15.0  # Lab at one lightness: own tokens differed by 11 at most, orange from red by 25, purple from blue by 14


class YardCounter:
    """Watches the yards in still pictures of one view. Where the first of them showed no tokens, all others are read by it as soon as
    some come. Otherwise a yard's count is known when it shows four tokens at once, or three and nothing else, when all four were seen to
    come or go, or when it can be compared with another yard that is known to be empty; from then on what comes and goes is counted. It
    never guesses: None until then."""

    def __init__(self, plan: Plan, view: View) -> None:
        self._plan, self._view = plan, view
        self._areas = [self._area(yard) for yard in plan.yards]
        self._boxes = [_box(area) for area in self._areas]
        self._barest: reading.Look | None = None  # every yard as it was with fewest tokens
        self._white: Floats | None = None
        self._fewest: list[int | None] = [None] * len(plan.yards)  # how many that was
        self._standing: list[list[Indices]] = [[] for _ in plan.yards]  # pixels of tokens that stood there from the first
        self._foreign: list[list[Indices]] = [[] for _ in plan.yards]  # those of them that are of another colour
        self._searched: reading.Look | None = None  # the picture in which full yards were looked for last
        self._token: float | None = None  # a token's area in pixels
        self.bare: tuple[Picture, Mask] | None = None
        """The first picture, if no token was seen in its yards."""
        self._came = False  # whether tokens came since: until then the yards may have been full
        self._arrivals = Arrivals(plan, view)
        self._weighed: dict[int, reading.Look] = {}  # the picture in which each bare yard was looked at last
        self.strangers: tuple[int, ...] = ()
        """The seats in whose yards a token of another colour stood in the picture counted last, as far as it stands apart."""

    def count(self, picture: Picture, unseen: Mask) -> tuple[int | None, ...]:
        """Tokens in each seat's yard in a working picture, as `View.bring` gives it; None where it cannot be told."""
        light, blind = prepared(picture, unseen)
        if self._barest is None or self._white is None:
            return self._first(light, blind, (picture, unseen))
        usable = ~blind & ~self._barest.blind
        now, before = reading.relit(light, blind, self._white, self._barest, usable), self._barest
        same = _likeness(now.lab, before.lab, usable)
        changed = (same < _SURE) & usable
        pieces = [self._pieces(changed & area) for area in self._areas]
        self._learn_token([_size(piece) for found in pieces for piece in found])
        counted = [self._counted(seat, pieces[seat], same, changed, now, before) for seat in range(len(pieces))]
        counts = [count for count, _ in counted]
        self._compare(now, counts)
        self._search(now, counts)
        self.strangers = tuple(seat for seat in range(len(pieces)) if self._has_stranger(seat, counted[seat][1], now, changed))
        self._came = self._came or self.bare is None or any(counts)
        return tuple(counts) if self._came else (None,) * len(counts)

    def _first(self, light: Floats, blind: Mask, picture: tuple[Picture, Mask]) -> tuple[int | None, ...]:
        """The counts of the first picture: full yards, or nothing yet; it is the reference of all others."""
        self._white = ground.white_of(light, self._plan, self._view, ~blind, set())
        look = self._barest = as_look(light, blind, self._white)
        counts: list[int | None] = [None] * len(self._areas)
        odd = self._search(look, counts)
        if not odd and counts == [None] * len(counts) and nothing_waits(self._plan, self._view, picture):
            self.bare, self._fewest = picture, [0] * len(counts)
        self.strangers = tuple(seat for seat in range(len(counts)) if self._foreign_stands(seat))
        return tuple(counts)

    def _search(self, now: reading.Look, counts: list[int | None]) -> bool:
        """Full yards among those whose count is not known, unless they were looked for when these looked the same. Whether something
        was found to stand in a yard."""
        unknown = [seat for seat, count in enumerate(counts) if count is None]
        if self.bare is not None or not unknown:
            return False
        if self._searched is not None:
            changed = _changed(now, self._searched, ~now.blind & ~self._searched.blind)
            if not any(self._pieces(changed & self._areas[seat]) for seat in unknown):
                return False
        self._searched = now
        yards = full_yards(self._plan, self._view, now)
        for seat in unknown:
            if self._fewest[seat] == 0:
                counts[seat] = yards[seat].count or None  # how it looks bare is known better
            elif yards[seat].count is not None:
                counts[seat] = self._fewest[seat] = yards[seat].count
                self._remember(seat, now)
                tokens, shown = list(yards[seat].tokens), yards[seat].shown
                self._standing[seat], self._foreign[seat] = tokens, tokens[-1:] if yards[seat].stranger else []
                if len(shown) > _SHOWN * sum(map(len, tokens)) and palette.is_foreign(self._plan.colours[seat], now.cells.ravel()[shown]):
                    self._foreign[seat] = tokens
        return any(yard.count or yard.odd for yard in yards)

    def _counted(self, seat: int, pieces: list[Outline], same: Floats, changed: Mask, now: reading.Look,
                 before: reading.Look) -> tuple[int | None, list[Outline]]:
        """One yard's count by what changed in it since it was barest, and what of that came."""
        area, fewest = self._areas[seat], self._fewest[seat]
        if float((now.blind & area).sum()) > _HIDDEN * max(1.0, float(area.sum())):
            return None, []
        if self._standing[seat]:
            return self._beside(seat, pieces, changed, now, before)
        if fewest == 0:
            return self._arrived(seat, same, changed, now, before), pieces
        number = _whole([_size(piece) for piece in pieces], self._token)
        if not number:
            return None, pieces
        return self._judge(seat, number, self._more(seat, area, changed, now, before), now), []

    def _arrived(self, seat: int, same: Floats, changed: Mask, now: reading.Look, bare: reading.Look) -> int | None:
        """The count of a yard that was seen bare; it is weighed anew when it looks otherwise than it did then."""
        if self._looks_otherwise(seat, now):
            surely = changed & changed_for_sure(same, now.lab, bare.lab)
            same = np.where(surely, same, np.maximum(same, np.float32(_SURE)))
            self._arrivals.see(seat, now, bare, same, surely, self._areas[seat], ~now.blind & ~bare.blind, follows=True)
        return self._arrivals.number(seat)

    def _looks_otherwise(self, seat: int, now: reading.Look) -> bool:
        """Whether a yard is to be weighed in this picture: it does not look as in the one in which it was weighed last."""
        last, box = self._weighed.get(seat), self._boxes[seat]
        if last is not None:
            seen = ~now.blind[box] & ~last.blind[box]
            if not self._pieces((_likeness(now.lab[box], last.lab[box], seen) < TOUCHED) & seen & self._areas[seat][box]):
                return False
        self._weighed[seat] = now
        return True

    def _beside(self, seat: int, pieces: list[Outline], changed: Mask, now: reading.Look,
                before: reading.Look) -> tuple[int | None, list[Outline]]:
        """The count of a yard in which tokens stood from the first, and what came: each of those is where it was, or it went."""
        shares = [float(changed.ravel()[token].mean()) for token in self._standing[seat]]
        if any(_STAYED < share < _WENT for share in shares):
            return None, []  # one was pushed aside
        gone = [token for token, share in zip(self._standing[seat], shares, strict=True) if share >= _WENT]
        left = np.zeros(changed.shape, dtype=bool)
        left.ravel()[np.concatenate([*gone, np.zeros(0, dtype=np.intp)])] = True
        went, came = list[Outline](), list[Outline]()
        for piece in pieces:
            within = _filled(piece, changed.shape)
            of_gone, more = left[within].mean() > _LEFT, self._more(seat, within & self._areas[seat], changed, now, before)
            if more > 1 if of_gone else more < 1:
                return None, []
            (went if of_gone else came).append(piece)
        number = _whole([_size(piece) for piece in came], self._token)
        partly = number is not None and number < len(came)  # a token on print like its shade may show a part alone
        if partly or (gone and (came or sum(map(_size, went)) > _TWO[1] * left.sum())):
            return None, []
        if gone:
            self._token = self._token or sum(map(_size, went)) / len(gone)
            self._standing[seat] = [token for token, share in zip(self._standing[seat], shares, strict=True) if share < _WENT]
            self._fewest[seat] = len(self._standing[seat])
            self._remember(seat, now)
        count = None if number is None else len(self._standing[seat]) + number
        return None if count is not None and count > TOKENS else count, came

    def _more(self, seat: int, where: Mask, changed: Mask, now: reading.Look, before: reading.Look) -> float:
        """The evidence that tokens came to a part of a yard rather than went: edges, and pixels of the seat's colour."""
        around = where & (cv2.dilate((changed & where).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)
        edges, before_edges = (max(1e-6, float(roughness(look.lab)[around].sum())) for look in (now, before))
        return float(np.log(edges / before_edges)) / _EDGES + self._coloured(seat, now, before, where & changed)

    def _has_stranger(self, seat: int, came: list[Outline], now: reading.Look, changed: Mask) -> bool:
        """Whether most of what can be seen of one of the tokens in a yard looks clearly more like another colour than like the seat's, or
        its colour is not that of the others."""
        if self._foreign_stands(seat) or self._token is None:
            return self._foreign_stands(seat)
        shown = [np.flatnonzero(_filled(piece, changed.shape) & changed) for piece in came]
        own = self._plan.colours[seat]
        if any(palette.is_foreign(own, now.cells.ravel()[token]) for token in shown if len(token) > _ONE[0] * self._token):
            return True
        tokens = [token for token in shown if _SHOWS < len(token) / self._token < _ONE[1]]
        return _one_differs([colour_of(now.lab.reshape(-1, 3)[token]) for token in (*tokens, *self._standing[seat])])

    def _foreign_stands(self, seat: int) -> bool:
        """Whether a token of another colour stands in a yard from the first."""
        return any(token is other for token in self._foreign[seat] for other in self._standing[seat])

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
        named = palette.named_density(self._plan.colours[seat])
        return float((named[now.cells[changed]] - named[before.cells[changed]]).mean())

    def _judge(self, seat: int, changed: int, more: float, now: reading.Look) -> int | None:
        """The count of a yard of which nothing was known, after so many tokens came to it, or went; `more`: the evidence that they came."""
        if abs(more) < 1:
            return None
        if changed == TOKENS:
            self._fewest[seat] = 0
        if more > 0:
            return TOKENS if changed == TOKENS else None
        self._remember(seat, now)
        return self._fewest[seat]

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
        known = [seat for seat, fewest in enumerate(self._fewest) if fewest == 0]
        unknown = [seat for seat, fewest in enumerate(self._fewest) if fewest is None and counts[seat] is None]
        if not known or not unknown:
            return
        assert self._barest is not None
        lab = now.lab.copy()
        for seat in known:
            lab[self._areas[seat]] = self._barest.lab[self._areas[seat]]
        mixed = reading.Look(now.light, lab, now.cells, now.blind)
        for seat in unknown:
            if self._looks_otherwise(seat, now):
                same = alike_when_turned(self._plan, self._view, mixed, seat, known[0])
                seen = np.isfinite(same) & self._areas[seat] & ~now.blind
                same, differs = np.where(seen, same, 0), (same < _ALIKE) & seen
                self._arrivals.see(seat, now, now, same, differs, self._areas[seat], seen, follows=False)
            counts[seat] = self._arrivals.number(seat)
            if counts[seat] == 0:
                self._fewest[seat] = 0
                self._remember(seat, now)

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


def _likeness(now: Floats, before: Floats, usable: Mask) -> Floats:
    """The log likelihood (h, w) that each pixel of a Lab picture (h, w, 3) looks as before."""
    return sameness(now, before, roughness(before), noise_between(now, before, usable))


def _changed(now: reading.Look, before: reading.Look, usable: Mask) -> Mask:
    """Pixels (h, w) that surely do not look as before."""
    return np.asarray((_likeness(now.lab, before.lab, usable) < _SURE) & usable)


def _box(area: Mask) -> tuple[slice, slice]:
    """The rows and columns of an area (h, w)."""
    x, y, width, height = cv2.boundingRect(area.astype(np.uint8))
    return slice(y, y + height), slice(x, x + width)


def _one_differs(colours: Sequence[Matrix]) -> bool:
    """Whether one of a yard's tokens is of another colour (3,) than the others, which tell how much tokens differ here anyway."""
    if len(colours) <= _TOO_FEW:
        return False
    gaps = min((sorted(colour_gap(colour, usual) for colour in colours) for usual in colours), key=sum)
    return gaps[-1] > max(_OTHER_COLOUR, BEYOND * gaps[-2])


def _filled(outline: Outline, shape: tuple[int, ...]) -> Mask:
    canvas = np.zeros(shape, dtype=np.uint8)
    cv2.drawContours(canvas, [outline], -1, 1, cv2.FILLED)
    return np.asarray(canvas > 0)


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
