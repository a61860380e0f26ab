"""Where tokens stand: the best feet for tokens that came to or left a place, and what any set of changes explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats
from .reading import Evidence
from .shape import COARSE, LONE_REACH, PITCH, Box, Feet, Foot, Indices, Silhouettes, Spread

_REFIT = 0.15  # silhouettes: moving the tokens that stay must explain so much more, each
_STILL_THERE = 1.0  # silhouettes: a token said to have been pushed must show so much better than its absence
_UNSEEN = 0.25  # silhouettes: a token leaving an unknown foot explains itself a little too easily
_PUSH_REACH = 2 * COARSE  # pitches (.48 square) a token may have been pushed
_NUDGE = 0.35  # squares: a push so far is charged one silhouette, one twice as far four
_SET_ANEW = 1.6  # silhouettes charged for a token set down elsewhere in its yard: almost as seldom as a wrong move
_BESIDE = 2.5  # radii: so near to where it stood its shadow and the print that comes to light could be taken for it
_HOPELESS = 1.0  # silhouettes: a foot that explains so much less than nothing is not looked at more finely
_INVISIBLE, _VISIBLE_SHARE = 0.6, 0.15  # silhouettes charged for an arrival that changed nothing; the part of it that must change
_SHOWS, _BARED = 1.0, 0.3  # silhouettes by which a token shows that is said to be gone, and the print that it left
_SEEN_SHARE = 0.3  # the part of it that must be seen
_GONE, _SURELY = 3.0, 0.5  # silhouettes: a token that nobody moved shows so clearly that it is gone; the part of it that surely changed
APART = 1.35  # radii: tokens nearer than that would stand in one another


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a seat standing at a foot on a place; not `sure`: somewhere on that place, nobody knows where."""

    seat: int
    place: int
    foot: Foot
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Fit:
    """A way to explain a change: these accepted tokens (indices) are gone, these have come; `score` in silhouettes.

    `bared`: the feet that tokens left of which it was not known where they stood. `charged`: what of the evidence the score does not
    count, because the change is far-fetched.
    """

    gone: tuple[int, ...]
    come: tuple[Token, ...]
    score: float
    bared: tuple[Foot, ...] = ()
    charged: float = 0.0

    def but_with(self, come: tuple[Token, ...]) -> Fit:
        """The same, with other tokens come; not scored yet."""
        return Fit(self.gone, come, self.score, self.bared, self.charged)


NO_FIT = Fit((), (), -100.0)


class Standing:
    """The accepted tokens as the camera sees them: who covers which pixel."""

    def __init__(self, tokens: Sequence[Token], silhouettes: Silhouettes) -> None:
        self.tokens, self.silhouettes = tuple(tokens), silhouettes
        nowhere = np.zeros(0, dtype=np.int32)
        self.outlines = [silhouettes.at(token.foot) if token.sure else nowhere for token in tokens]
        self.boxes = [silhouettes.box(token.foot) if token.sure else (0, 0, -1, -1) for token in tokens]
        self.distances = [silhouettes.distance(token.foot) for token in tokens]
        pixels = silhouettes.view.size[0] * silhouettes.view.size[1]
        self.labels: NDArray[np.int16] = np.full(pixels, -1, dtype=np.int16)
        self.nearest: Floats = np.full(pixels, np.inf, dtype=np.float32)  # squares from the camera to the token each pixel shows
        for index in sorted(range(len(tokens)), key=lambda i: (-self.distances[i], i)):
            self.labels[self.outlines[index]] = index
            self.nearest[self.outlines[index]] = self.distances[index]
        self.owners = np.array([*(token.seat for token in tokens), -1], dtype=np.int16)[self.labels]  # whose token each pixel shows
        self.visible = [outline[self.labels[outline] == index] for index, outline in enumerate(self.outlines)]
        self.behind = [[other for other in self.touching(box) if self.distances[other] > distance]
                       for box, distance in zip(self.boxes, self.distances, strict=True)]
        self._on: dict[int, list[int]] = {}
        for index, token in enumerate(tokens):
            self._on.setdefault(token.place, []).append(index)
        self._hidden: dict[Spread, NDArray[np.bool_]] = {}

    def on(self, place: int) -> Sequence[int]:
        """The tokens on a place."""
        return self._on.get(place, ())

    def hides(self, spread: Spread) -> NDArray[np.bool_]:
        """Which pixels of a spread (N,) show a token nearer than the foot they belong to."""
        known = self._hidden.get(spread)
        if known is None:
            known = np.asarray(self.nearest.take(spread.pixels) < np.repeat(spread.distances, spread.lengths))
            if spread.lasting:
                self._hidden[spread] = known
        return known

    def touching(self, box: Box) -> list[int]:
        """Tokens whose outline may share pixels with a box."""
        return [i for i, other in enumerate(self.boxes)
                if box[0] <= other[2] and other[0] <= box[2] and box[1] <= other[3] and other[1] <= box[3]]


class Placer:
    """Explains one picture's evidence by tokens that go and come. Work on a place is kept and shared by all candidates."""

    def __init__(self, standing: Standing, evidence: Evidence, feet: Feet) -> None:
        self.standing, self.evidence, self.feet = standing, evidence, feet
        self.silhouettes = standing.silhouettes
        self._apart = APART * self.silhouettes.shape.radius / PITCH
        self._claim: Floats = np.zeros(len(evidence.bare), dtype=np.float32)
        self._touched: list[Indices] = []
        self._fits: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Fit] = {}
        self._most: dict[int, float] = {}
        self._claims: Floats | None = None  # the integral of what speaks most for any change, pixel by pixel
        self._gone: dict[int, float] = {}

    # --- what a set of changes explains ---------------------------------------------------------------------------

    def explain(self, fits: Sequence[Fit]) -> float:
        """The evidence, in silhouettes, for all these changes together; hidden pixels are not counted."""
        self._paint(fits)
        total = 0.0
        for touched in self._touched:
            total += float(self._claim[touched].sum())
            self._claim[touched] = 0  # counted
        self._touched.clear()
        return total / self.silhouettes.area

    def denied(self, fits: Sequence[Fit]) -> bool:
        """Whether it does not show that a token is gone that is said to be, as far as nothing that came hides that: on a square print must
        have come to light; in a yard, whose print may be the token's colour, the token must at least not show."""
        self._paint(fits)
        standing = self.standing
        came = [self.silhouettes.at(token.foot) for fit in fits for token in fit.come]
        hidden = np.unique(np.concatenate(came)) if came else np.zeros(0, dtype=np.int32)
        left = {i: np.setdiff1d(standing.visible[i], hidden, assume_unique=True) for fit in fits for i in fit.gone}
        spots = self.feet.plan.spots
        denied = any(
            float(self._claim[pixels].mean()) < (_BARED if spots[standing.tokens[index].place].kind == "square" else -_SHOWS)
            for index, pixels in left.items() if len(pixels) > _SEEN_SHARE * len(standing.outlines[index]))
        self._wipe()
        return denied

    def explained(self, fits: Sequence[Fit]) -> list[Indices]:
        """The pixels such changes speak about."""
        self._paint(fits)
        touched = list(self._touched)
        self._wipe()
        return touched

    def _paint(self, fits: Sequence[Fit]) -> None:
        standing, claim = self.standing, self._claim
        gone = {index for fit in fits for index in fit.gone}
        for foot in (foot for fit in fits for foot in fit.bared):
            outline = self.silhouettes.at(foot)
            seen = outline[standing.labels[outline] < 0]
            claim[seen] = self.evidence.bare[seen]
            self._touched.append(seen)
        for index in sorted(gone):
            seen = standing.visible[index]
            claim[seen] = self.evidence.bare[seen]
            self._touched.append(seen)
            for other in standing.behind[index]:
                if other not in gone:
                    self._claim_overlap(seen, other)
        for token in sorted((t for fit in fits for t in fit.come), key=lambda t: -self.silhouettes.distance(t.foot)):
            outline = self.silhouettes.at(token.foot)
            claim[outline] = self.evidence.token[token.seat][outline]
            self._touched.append(outline)
            distance = self.silhouettes.distance(token.foot)
            for other in standing.touching(self.silhouettes.box(token.foot)):
                if other not in gone and standing.distances[other] < distance:
                    claim[_shared(outline, standing.outlines[other])] = 0

    def _claim_overlap(self, seen: Indices, behind: int) -> None:
        shared = _shared(seen, self.standing.outlines[behind])
        self._claim[shared] = self.evidence.token[self.standing.tokens[behind].seat][shared]

    def _wipe(self) -> None:
        for touched in self._touched:
            self._claim[touched] = 0
        self._touched.clear()

    # --- the best way to explain a change of one place --------------------------------------------------------------

    def fit(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> Fit:
        """The best explanation of tokens of these seats leaving and entering a place."""
        key = (place, leave, enter)
        known = self._fits.get(key)
        if known is None:
            known = self._fits[key] = self._lone(place, leave, enter) or self._fit(place, leave, enter)
        return known

    def most(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> float:
        """What a fit of a place cannot score more than, at little cost: tokens' going, or all that speaks for any change there."""
        if not enter or (place, leave, enter) in self._fits:  # going is seldom asked about: from few places
            return self.fit(place, leave, enter).score
        here = len(self.standing.on(place))
        if place not in self._most:
            self._most[place] = self._claimed(self.silhouettes.around(self.feet, place, 1 + here if self._may_stack(place) else 1))
        return self._most[place]

    def _claimed(self, box: Box) -> float:
        """All that speaks for any change in a box (right and bottom outside), in silhouettes."""
        if self._claims is None:
            best = np.maximum(self.evidence.bare, 0)
            for gain in self.evidence.token.values():
                np.maximum(best, gain, out=best)
            self._claims = np.asarray(cv2.integral(best.reshape(self.silhouettes.view.size[::-1]), sdepth=cv2.CV_32F), dtype=np.float32)
        (left, top, right, bottom), sums = box, self._claims
        return float(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]) / self.silhouettes.area

    def among(self, others: tuple[Token, ...], place: int, seats: tuple[int, ...]) -> Fit:
        """The best feet for tokens of these seats on a place while others stand where they do; `come` holds the others first."""
        return self._settle(place, Fit((), others, 0.0), seats)

    def again(self, token: Token, others: tuple[Token, ...], feet: Sequence[Foot]) -> Token:
        """A known token at the best of these feet while others stand where they do."""
        inside = [foot for foot in feet if self.feet.within(token.place, foot)]
        if not inside:
            return token
        spread = self.silhouettes.spread(inside)
        return self._place(token.seat, token.place, spread, Fit((), others, 0.0), [t.foot for t in others]) or token

    def one_more(self, place: int, fit: Fit, seat: int) -> float:
        """What one more token of a seat on a place would explain beyond a fit, at its best foot, in silhouettes."""
        taken = [t.foot for t in (*self.standing.tokens, *fit.come) if t.place == place]
        token = self._place(seat, place, self.silhouettes.spread_over(self.feet.of(place)), fit, taken)
        return -100.0 if token is None else self.explain([fit.but_with((*fit.come, token))]) - self.explain([fit])

    def pushed(self, index: int) -> Fit:
        """The best explanation of an accepted token having been pushed about inside its place.

        Sleeves push tokens a little, seldom far: the charge grows with the square of the way (a normal distribution's). A lone token
        ends no farther from its square's centre than one that is put there would, else most moves to the next square could be pushes.
        """
        token = self.standing.tokens[index]
        if not token.sure or self._departure(index) < -1.0:
            return Fit((), (), 0.0)
        there = [self.standing.tokens[i] for i in self.standing.on(token.place) if i != index]
        others = [other.foot for other in there if other.sure]
        steps = range(-_PUSH_REACH, _PUSH_REACH + 1, COARSE)
        near = [(token.foot[0] + dx, token.foot[1] + dy, token.foot[2]) for dx in steps for dy in steps]
        near = [foot for foot in near if self.feet.within(token.place, foot)]
        if not others and self.feet.plan.spots[token.place].kind == "square":
            reach = max(LONE_REACH, self.feet.off_centre(token.place, token.foot))
            near = [foot for foot in near if self.feet.off_centre(token.place, foot) <= reach]
        if not near:
            return Fit((), (), 0.0)
        come = self._place(token.seat, token.place, self.silhouettes.spread(near), Fit((index,), (), 0.0), others, start=token.foot)
        if come is None:
            return Fit((), (), 0.0)
        pushed = self._scored(Fit((index,), (come,), 0.0), _far_fetched(token.foot, come.foot))
        # That it is still there must show: better than that it is gone by a part of what a token's coming brings.
        return pushed if pushed.score > max(0.0, self._departure(index) + _STILL_THERE) else Fit((), (), 0.0)

    def set_anew(self, place: int, seat: int) -> Fit:
        """The best explanation of a seat's token having been taken up from its yard or finish and set down there again, anywhere."""
        left = self.fit(place, (seat,), ())
        if left.score <= 0:
            return Fit((), (), 0.0)
        # Where the others stand may not be known: only what changed counts, and not the print that came to light, which may be the seat's.
        gain = np.where(self.evidence.touched, self.evidence.token[seat], np.float32(0))
        for pixels in self.explained([left]):
            gain[pixels] = 0
        taken = [*left.bared, *(self.standing.tokens[index].foot for index in left.gone if self.standing.tokens[index].sure)]
        spread = self.silhouettes.spread_over(self.feet.of(place))
        free = spread.apart(taken, _BESIDE * self.silhouettes.shape.radius / PITCH)
        sums = np.where(free, spread.sums(gain.take(spread.pixels)), -np.inf) / self.silhouettes.area
        best = int(sums.argmax())
        if sums[best] < _STILL_THERE:
            return Fit((), (), 0.0)
        score = left.score + float(sums[best]) - _SET_ANEW
        return replace(left, come=(Token(seat, place, spread.feet[best]),), score=score, charged=left.charged + _SET_ANEW)

    def departed(self, fits: Sequence[Fit]) -> list[tuple[Token, float]]:
        """The tokens that no fit speaks about and that are clearly gone from where they stood, with what says so, in silhouettes."""
        told = {index for fit in fits for index in fit.gone}
        alone = [(i, self._departure(i)) for i, token in enumerate(self.standing.tokens) if token.sure and i not in told]
        return [(self.standing.tokens[i], evidence) for i, evidence in alone
                if evidence > _GONE and self.evidence.changed[self.standing.visible[i]].mean() > _SURELY]

    def _departure(self, index: int) -> float:
        if index not in self._gone:
            self._gone[index] = self.explain([Fit((index,), (), 0.0)])
        return self._gone[index]

    def _scored(self, fit: Fit, charged: float = 0.0) -> Fit:
        charged += self._unseen_arrivals(fit)
        return Fit(fit.gone, fit.come, self.explain([fit]) - charged, fit.bared, charged)

    def _unseen_arrivals(self, fit: Fit) -> float:
        """What is charged for tokens that are said to have come where next to nothing changed: even on print of its own colour a token
        shows its rim and shadow. On top of another it may not."""
        if fit.gone:
            return 0.0
        shares = [float(self.evidence.touched[self.silhouettes.at(token.foot)].mean()) for token in fit.come if token.foot[2] == 0]
        return sum(_INVISIBLE * max(0.0, 1 - share / _VISIBLE_SHARE) for share in shares)

    def _lone(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> Fit | None:
        """The explanation of a lone token's going from a place, or coming to one where none stands; None: it is not that simple."""
        here = self.standing.on(place)
        if not enter and len(here) == len(leave) == 1 and self.standing.tokens[here[0]].sure:
            return Fit((here[0],), (), self._departure(here[0])) if self.standing.tokens[here[0]].seat == leave[0] else NO_FIT
        if here or leave or len(enter) > 1:
            return None
        best = self._sought(place, enter[0], self.silhouettes.spread_over(self.feet.lone(place)), Fit((), (), 0.0), ())
        if best is None:
            return NO_FIT
        come = Fit((), (Token(enter[0], place, best[1]),), 0.0)
        charged = self._unseen_arrivals(come)
        return replace(come, score=best[0] / self.silhouettes.area - charged, charged=charged)

    def _fit(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> Fit:
        here = self.standing.on(place)
        gone = Fit((), (), 0.0)
        unseen = 0
        for seat in leave:
            able = [i for i in here if self.standing.tokens[i].seat == seat and i not in gone.gone]
            sure = [i for i in able if self.standing.tokens[i].sure]
            unsure = [i for i in able if not self.standing.tokens[i].sure]
            foot = self._bared(place, seat, gone) if unsure else None
            best = max(sure, key=lambda i: (self._departure(i), -i)) if sure else None
            if foot is not None and (best is None or foot[0] >= self._departure(best)):
                gone = replace(gone, gone=(*gone.gone, unsure[0]), bared=(*gone.bared, foot[1]))
                unseen += 1
            elif best is not None:
                gone = replace(gone, gone=(*gone.gone, best))
            else:
                return NO_FIT
        settled = self._settle(place, gone, enter)
        stay = [i for i in here if i not in gone.gone]
        if stay and self.feet.plan.spots[place].kind == "square":
            seats = tuple(self.standing.tokens[i].seat for i in stay)
            anew = self._settle(place, replace(gone, gone=tuple(here)), tuple(sorted(seats + enter)))
            if anew.score > settled.score + _REFIT * len(stay):
                settled = anew
        return replace(settled, score=settled.score - _UNSEEN * unseen, charged=settled.charged + _UNSEEN * unseen)

    def _bared(self, place: int, seat: int, gone: Fit) -> tuple[float, Foot]:
        """Where on a place print has come to light that a token of the seat may have covered: its foot, and the evidence for it."""
        spread, evidence = self.silhouettes.spread_over(self.feet.of(place)), self.evidence
        self._paint([gone])
        free = (self.standing.labels.take(spread.pixels) < 0) & (self._claim.take(spread.pixels) == 0)
        self._wipe()
        bare = evidence.bare.take(spread.pixels)
        bare += np.where(bare > 0, evidence.unlike[seat].take(evidence.before.take(spread.pixels)), 0)
        sums = spread.sums(np.where(free, bare, 0))
        best = int(sums.argmax())
        return float(sums[best]) / self.silhouettes.area, spread.feet[best]

    def _settle(self, place: int, given: Fit, enter: tuple[int, ...]) -> Fit:
        """Tokens of the seats `enter` put on a place one after another, each where the picture wants it, then each once more."""
        staying = [self.standing.tokens[i].foot for i in self.standing.on(place)
                   if self.standing.tokens[i].sure and i not in given.gone]
        spread = self.silhouettes.spread_over(self.feet.lone(place) if not staying and len(enter) == 1 else self.feet.of(place))
        fit = given
        for seat in enter:
            taken = staying + [t.foot for t in fit.come]
            token = self._place(seat, place, spread, fit, taken)
            beside = [] if token is None else [token]
            below = staying + [t.foot for t in fit.come if t.place == place]
            on_top = [Token(seat, place, (x, y, level + 1)) for x, y, level in below
                      if self._may_stack(place) and (x, y, level + 1) not in taken]
            ways = [self._scored(fit.but_with((*fit.come, token))) for token in beside + on_top]
            if not ways:
                return replace(fit, score=NO_FIT.score)
            fit = max(ways, key=lambda way: way.score)
        if not enter:
            fit = self._scored(fit)
        own = range(len(given.come), len(fit.come))
        for index in own if len(own) > 1 and not any(fit.come[i].foot[2] for i in own) else ():
            rest = fit.but_with(fit.come[:index] + fit.come[index + 1 :])
            token = self._place(fit.come[index].seat, place, spread, rest, staying + [t.foot for t in rest.come])
            if token is not None:
                moved = (*fit.come[:index], token, *fit.come[index + 1 :])
                fit = max(fit, self._scored(rest.but_with(moved)), key=lambda f: f.score)
        return fit

    def _may_stack(self, place: int) -> bool:
        return self.silhouettes.shape.stacks and self.feet.plan.spots[place].kind == "square"

    def _place(
        self, seat: int, place: int, spread: Spread, given: Fit, taken: Sequence[Foot], start: Foot | None = None
    ) -> Token | None:
        """One more token at its best foot, other changes given. From `start` it was pushed."""
        best = self._sought(place, seat, spread, given, taken, start)
        return None if best is None else Token(seat, place, best[1])

    def _sought(
        self, place: int, seat: int, spread: Spread, given: Fit, taken: Sequence[Foot], start: Foot | None = None
    ) -> tuple[float, Foot] | None:
        """That foot and what it explains (pixels), tried coarsely, then finely round the best."""
        self._paint([given])
        best = self._best(seat, spread, given.gone, taken, start)
        if best is not None and best[0] > -_HOPELESS * self.silhouettes.area:
            x, y, _ = best[1]
            around = [(x + dx, y + dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
            around = [foot for foot in around if self.feet.within(place, foot)]
            finer = self._best(seat, self.silhouettes.spread(around), given.gone, taken, start) if around else None
            if finer is not None and finer[0] > best[0]:
                best = finer
        self._wipe()
        return best

    def _best(
        self, seat: int, spread: Spread, gone: tuple[int, ...], taken: Sequence[Foot], start: Foot | None
    ) -> tuple[float, Foot] | None:
        """The foot, clear of those taken, at which a token would explain most beyond what is painted now, less what a push from `start`
        is charged; and how much."""
        values = self.evidence.token[seat].take(spread.pixels)
        if self._touched:
            values -= self._claim.take(spread.pixels)
        hidden = self.standing.hides(spread)  # nothing is said about these pixels, but where the tokens that hide them are gone
        for index in gone if hidden.any() else ():
            hidden = hidden & (self.standing.labels.take(spread.pixels) != index)
        values[hidden] = 0
        sums = spread.sums(values).astype(np.float64)
        if start is not None:
            sums -= [_far_fetched(start, foot) * self.silhouettes.area for foot in spread.feet]
        if taken:
            sums[~spread.apart(taken, self._apart)] = -np.inf
        best = int(sums.argmax())
        return (float(sums[best]), spread.feet[best]) if sums[best] > -np.inf else None


def _far_fetched(start: Foot, end: Foot) -> float:
    """What a push is charged, in silhouettes."""
    return float((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) * (PITCH / _NUDGE) ** 2


def _shared(one: Indices, other: Indices) -> Indices:
    """Pixels in both outlines (each ascending)."""
    at = np.searchsorted(other, one)
    at[at == len(other)] = 0
    return one[other[at] == one] if len(other) else one[:0]
