"""Where tokens stand: the best feet for tokens that came to or left a place, and what any set of changes explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Floats
from .reading import Evidence
from .shape import COARSE, PITCH, Feet, Foot, Indices, Silhouettes, box_of, point_of

LONE_REACH = 4.25 * PITCH  # squares that a lone token may stand off its square's centre
_REFIT = 0.15  # silhouettes: moving the tokens that stay must explain so much more, each
_STILL_THERE = 1.0  # silhouettes: a token said to have been pushed must show so much better than its absence
_UNSEEN = 0.25  # silhouettes: a token leaving an unknown foot explains itself a little too easily
_PUSH_REACH = 2 * COARSE  # pitches (.48 square) a token may have been pushed
_NUDGE = 0.35  # squares: a push so far is charged one silhouette, one twice as far four
_SET_ANEW = 0.5  # silhouettes charged for a token set down elsewhere in its yard: seldom done
_BESIDE = 2.5  # radii: so near to where it stood its shadow and the print that comes to light could be taken for it
_HOPELESS = 1.0  # silhouettes: a foot that explains so much less than nothing is not looked at more finely
_INVISIBLE, _VISIBLE_SHARE = 0.6, 0.15  # silhouettes charged for an arrival that changed nothing; the part of it that must change
_SHOWS, _BARED = 1.0, 0.3  # silhouettes by which a token shows that is said to be gone, and the print that it left
_SEEN_SHARE = 0.3  # the part of it that must be seen
_GONE = 3.0  # silhouettes: a token that nobody moved shows so clearly that it is gone
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


NO_FIT = Fit((), (), -100.0)


class Standing:
    """The accepted tokens as the camera sees them: who covers which pixel."""

    def __init__(self, tokens: Sequence[Token], silhouettes: Silhouettes) -> None:
        self.tokens, self.silhouettes = tuple(tokens), silhouettes
        nowhere = np.zeros(0, dtype=np.int32)
        self.outlines = [silhouettes.at(token.foot) if token.sure else nowhere for token in tokens]
        self.distances = [silhouettes.distance(token.foot) for token in tokens]
        pixels = silhouettes.view.size[0] * silhouettes.view.size[1]
        self.labels: NDArray[np.int16] = np.full(pixels, -1, dtype=np.int16)
        self.far_to_near = sorted(range(len(tokens)), key=lambda i: (-self.distances[i], i))
        for index in self.far_to_near:
            self.labels[self.outlines[index]] = index
        self.visible = [outline[self.labels[outline] == index] for index, outline in enumerate(self.outlines)]
        width = silhouettes.view.size[0]
        self.boxes = [box_of(outline, width) for outline in self.outlines]

    def touching(self, box: tuple[int, int, int, int]) -> list[int]:
        """Tokens whose outline may share pixels with a box (left, top, right, bottom)."""
        return [i for i, other in enumerate(self.boxes)
                if box[0] <= other[2] and other[0] <= box[2] and box[1] <= other[3] and other[1] <= box[3]]


class Placer:
    """Explains one picture's evidence by tokens that go and come. Work on a place is kept and shared by all candidates."""

    def __init__(self, standing: Standing, evidence: Evidence, feet: Feet) -> None:
        self.standing, self.evidence, self.feet = standing, evidence, feet
        self.silhouettes = standing.silhouettes
        self._apart = (APART * self.silhouettes.shape.radius / PITCH) ** 2
        self._claim: Floats = np.zeros(len(evidence.bare), dtype=np.float32)
        self._touched: list[Indices] = []
        self._fits: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Fit] = {}
        self._claims: Floats | None = None  # the integral of what speaks most for any change, pixel by pixel
        self._gone: dict[int, float] = {}

    # --- what a set of changes explains ---------------------------------------------------------------------------

    def explain(self, fits: Sequence[Fit]) -> float:
        """The evidence, in silhouettes, for all these changes together; hidden pixels are not counted."""
        self._paint(fits)
        return self._wipe() / self.silhouettes.area

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
            for other in standing.touching(standing.boxes[index]):
                if other not in gone and standing.distances[other] > standing.distances[index]:
                    self._claim_overlap(seen, other)
        for token in sorted((t for fit in fits for t in fit.come), key=lambda t: -self.silhouettes.distance(t.foot)):
            outline = self.silhouettes.at(token.foot)
            claim[outline] = self.evidence.token[token.seat][outline]
            self._touched.append(outline)
            distance = self.silhouettes.distance(token.foot)
            for other in standing.touching(box_of(outline, self.silhouettes.view.size[0])):
                if other not in gone and standing.distances[other] < distance:
                    claim[_shared(outline, standing.outlines[other])] = 0

    def _claim_overlap(self, seen: Indices, behind: int) -> None:
        shared = _shared(seen, self.standing.outlines[behind])
        self._claim[shared] = self.evidence.token[self.standing.tokens[behind].seat][shared]

    def _wipe(self) -> float:
        total = 0.0
        for touched in self._touched:
            total += float(self._claim[touched].sum())
            self._claim[touched] = 0
        self._touched.clear()
        return total

    # --- the best way to explain a change of one place --------------------------------------------------------------

    def fit(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> Fit:
        """The best explanation of tokens of these seats leaving and entering a place."""
        key = (place, leave, enter)
        known = self._fits.get(key)
        if known is None:
            known = self._fits[key] = self._fit(place, leave, enter)
        return known

    def most(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> float:
        """What a fit of a place cannot score more than, at little cost: a lone token's going, or all that speaks for any change there."""
        here = [token for token in self.standing.tokens if token.place == place]
        if (place, leave, enter) in self._fits or (len(here) == 1 and not enter):
            return self.fit(place, leave, enter).score
        if self._claims is None:
            best = np.maximum(self.evidence.bare, 0)
            for gain in self.evidence.token.values():
                np.maximum(best, gain, out=best)
            self._claims = np.asarray(cv2.integral(best.reshape(self.silhouettes.view.size[::-1]), sdepth=cv2.CV_32F), dtype=np.float32)
        left, top, right, bottom = self.silhouettes.around(self.feet, place, 1 + len(here) if self._may_stack(place) else 1)
        sums = self._claims
        return float(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]) / self.silhouettes.area

    def among(self, others: tuple[Token, ...], place: int, seats: tuple[int, ...]) -> Fit:
        """The best feet for tokens of these seats on a place while others stand where they do; `come` holds the others first."""
        return self._settle(place, Fit((), others, 0.0), seats)

    def again(self, token: Token, others: tuple[Token, ...], feet: Sequence[Foot]) -> Token:
        """A known token at the best of these feet while others stand where they do."""
        inside = [foot for foot in feet if self.feet.within(token.place, foot)]
        return self._place(token.seat, token.place, inside, Fit((), others, 0.0), [t.foot for t in others]) or token

    def one_more(self, place: int, fit: Fit, seat: int) -> float:
        """What one more token of a seat on a place would explain beyond a fit, at its best foot, in silhouettes."""
        taken = [t.foot for t in (*self.standing.tokens, *fit.come) if t.place == place]
        token = self._place(seat, place, self.feet.of(place), fit, taken)
        return -100.0 if token is None else self.explain([replace(fit, come=(*fit.come, token))]) - self.explain([fit])

    def pushed(self, index: int) -> Fit:
        """The best explanation of an accepted token having been pushed about inside its place.

        Sleeves push tokens a little, seldom far: the charge grows with the square of the way (a normal distribution's). A lone token
        ends no farther from its square's centre than one that is put there would, else most moves to the next square could be pushes.
        """
        token = self.standing.tokens[index]
        if not token.sure or self._departure(index) < -1.0:
            return Fit((), (), 0.0)
        others = [t.foot for i, t in enumerate(self.standing.tokens) if i != index and t.place == token.place and t.sure]
        steps = range(-_PUSH_REACH, _PUSH_REACH + 1, COARSE)
        near = [(token.foot[0] + dx, token.foot[1] + dy, token.foot[2]) for dx in steps for dy in steps]
        near = [foot for foot in near if self.feet.within(token.place, foot)]
        if not others and self.feet.plan.spots[token.place].kind == "square":
            reach = max(LONE_REACH, self._off_centre(token.place, token.foot))
            near = [foot for foot in near if self._off_centre(token.place, foot) <= reach]
        come = self._place(token.seat, token.place, near, Fit((index,), (), 0.0), others, start=token.foot)
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
        gain = np.where(self.evidence.touched, self.evidence.token[seat], 0)
        for pixels in self.explained([left]):
            gain[pixels] = 0
        taken = [*left.bared, *(self.standing.tokens[index].foot for index in left.gone if self.standing.tokens[index].sure)]
        apart = (_BESIDE * self.silhouettes.shape.radius / PITCH) ** 2
        free = (foot for foot in self.feet.of(place) if all((foot[0] - x) ** 2 + (foot[1] - y) ** 2 >= apart for x, y, _ in taken))
        come = max(((float(gain[self.silhouettes.at(foot)].sum()), foot) for foot in free), default=None)
        if come is None or come[0] < _STILL_THERE * self.silhouettes.area:
            return Fit((), (), 0.0)
        score = left.score + come[0] / self.silhouettes.area - _SET_ANEW
        return replace(left, come=(Token(seat, place, come[1]),), score=score, charged=left.charged + _SET_ANEW)

    def departed(self, fits: Sequence[Fit]) -> list[tuple[Token, float]]:
        """The tokens that no fit speaks about and that are clearly gone from where they stood, with what says so, in silhouettes."""
        told = {index for fit in fits for index in fit.gone}
        alone = [(token, self._departure(i)) for i, token in enumerate(self.standing.tokens) if token.sure and i not in told]
        return [(token, evidence) for token, evidence in alone if evidence > _GONE]

    def _departure(self, index: int) -> float:
        if index not in self._gone:
            self._gone[index] = self.explain([Fit((index,), (), 0.0)])
        return self._gone[index]

    def _scored(self, fit: Fit, charged: float = 0.0) -> Fit:
        charged += self._unseen_arrivals(fit)
        return replace(fit, score=self.explain([fit]) - charged, charged=charged)

    def _unseen_arrivals(self, fit: Fit) -> float:
        """What is charged for tokens that are said to have come where next to nothing changed: even on print of its own colour a token
        shows its rim and shadow. On top of another it may not."""
        if fit.gone:
            return 0.0
        shares = [float(self.evidence.touched[self.silhouettes.at(token.foot)].mean()) for token in fit.come if token.foot[2] == 0]
        return sum(_INVISIBLE * max(0.0, 1 - share / _VISIBLE_SHARE) for share in shares)

    def _fit(self, place: int, leave: tuple[int, ...], enter: tuple[int, ...]) -> Fit:
        here = [i for i, token in enumerate(self.standing.tokens) if token.place == place]
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

    def _bared(self, place: int, seat: int, gone: Fit) -> tuple[float, Foot] | None:
        """Where on a place print has come to light that a token of the seat may have covered: its foot, and the evidence for it."""
        unlike = self.evidence.unlike[seat]
        self._paint([gone])
        outlines = [self.silhouettes.at(foot) for foot in self.feet.of(place)]
        best: tuple[float, Foot] | None = None
        for foot, outline in zip(self.feet.of(place), outlines, strict=True):
            free = (self.standing.labels[outline] < 0) & (self._claim[outline] == 0)
            bare = self.evidence.bare[outline[free]]
            value = float((bare + np.where(bare > 0, unlike[self.evidence.before[outline[free]]], 0)).sum()) / self.silhouettes.area
            if best is None or value > best[0]:
                best = value, foot
        self._wipe()
        return best

    def _settle(self, place: int, given: Fit, enter: tuple[int, ...]) -> Fit:
        """Tokens of the seats `enter` put on a place one after another, each where the picture wants it, then each once more."""
        staying = [t.foot for i, t in enumerate(self.standing.tokens) if t.place == place and t.sure and i not in given.gone]
        lone = not staying and len(enter) == 1 and self.feet.plan.spots[place].kind == "square"
        feet = self._lone_feet(place) if lone else self.feet.of(place)
        fit = given
        for seat in enter:
            taken = staying + [t.foot for t in fit.come]
            token = self._place(seat, place, feet, fit, taken)
            beside = [] if token is None else [token]
            below = staying + [t.foot for t in fit.come if t.place == place]
            on_top = [Token(seat, place, (x, y, level + 1)) for x, y, level in below
                      if self._may_stack(place) and (x, y, level + 1) not in taken]
            ways = [self._scored(replace(fit, come=(*fit.come, token))) for token in beside + on_top]
            if not ways:
                return replace(fit, score=NO_FIT.score)
            fit = max(ways, key=lambda way: way.score)
        if not enter:
            fit = self._scored(fit)
        own = range(len(given.come), len(fit.come))
        for index in own if len(own) > 1 and not any(fit.come[i].foot[2] for i in own) else ():
            rest = replace(fit, come=fit.come[:index] + fit.come[index + 1 :])
            token = self._place(fit.come[index].seat, place, feet, rest, staying + [t.foot for t in rest.come])
            if token is not None:
                moved = (*fit.come[:index], token, *fit.come[index + 1 :])
                fit = max(fit, self._scored(replace(rest, come=moved)), key=lambda f: f.score)
        return fit

    def _may_stack(self, place: int) -> bool:
        return self.silhouettes.shape.stacks and self.feet.plan.spots[place].kind == "square"

    def _lone_feet(self, place: int) -> tuple[Foot, ...]:
        return tuple(foot for foot in self.feet.of(place) if self._off_centre(place, foot) <= LONE_REACH)

    def _off_centre(self, place: int, foot: Foot) -> float:
        """Squares between a foot and its place's centre, along the longer axis."""
        (x, y), centre = point_of(foot), self.feet.plan.spots[place].centre
        return max(abs(x - centre[0]), abs(y - centre[1]))

    def _place(
        self, seat: int, place: int, feet: Sequence[Foot], given: Fit, taken: Sequence[Foot], start: Foot | None = None
    ) -> Token | None:
        """The best foot for one more token, other changes given: tried coarsely, then finely round the best. From `start` it was pushed."""
        self._paint([given])
        gone = given.gone
        gain = self.evidence.token[seat]
        free = [foot for foot in feet if self._free(foot, taken)]
        best: tuple[float, Foot] | None = None
        if free:
            best = max(self._gains(free, gain, gone, start), key=lambda pair: pair[0])
        if best is not None and best[0] > -_HOPELESS * self.silhouettes.area:
            around = [(best[1][0] + dx, best[1][1] + dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
            around = [foot for foot in around if self.feet.within(place, foot) and self._free(foot, taken)]
            best = max([best, *self._gains(around, gain, gone, start)], key=lambda pair: pair[0])
        self._wipe()
        return None if best is None else Token(seat, place, best[1])

    def _gains(self, feet: Sequence[Foot], gain: Floats, gone: tuple[int, ...], start: Foot | None) -> list[tuple[float, Foot]]:
        """How much a token at each foot would explain beyond what is painted now, less what a push from `start` is charged."""
        outlines = [self.silhouettes.at(foot) for foot in feet]
        if not outlines:
            return []
        lengths = np.array([len(outline) for outline in outlines])
        joined = np.concatenate(outlines)
        values = gain[joined] - self._claim[joined]
        labels = self.standing.labels[joined]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        shown = labels >= 0
        if shown.any():
            # Tokens nearer than the foot hide it: nothing is said about their pixels.
            distances = np.array([self.silhouettes.distance(foot) for foot in feet])
            for other in sorted(set(labels[shown].tolist()) - set(gone)):
                if self.standing.distances[other] < distances.max():
                    nearer = np.repeat(self.standing.distances[other] < distances, lengths)
                    values[(labels == other) & nearer] = 0
        sums = np.add.reduceat(values, starts) if len(values) else np.zeros(len(feet))
        charges = [0.0 if start is None else _far_fetched(start, foot) * self.silhouettes.area for foot in feet]
        return [(float(value) - charge, foot) for value, charge, foot in zip(sums, charges, feet, strict=True)]

    def _free(self, foot: Foot, taken: Sequence[Foot]) -> bool:
        return all((foot[0] - other[0]) ** 2 + (foot[1] - other[1]) ** 2 >= self._apart for other in taken)


def _far_fetched(start: Foot, end: Foot) -> float:
    """What a push is charged, in silhouettes."""
    return float((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) * (PITCH / _NUDGE) ** 2


def _shared(one: Indices, other: Indices) -> Indices:
    """Pixels in both outlines (each ascending)."""
    at = np.searchsorted(other, one)
    at[at == len(other)] = 0
    return one[other[at] == one] if len(other) else one[:0]
