"""What is known of the table: palettes, token shape, the accepted tokens, and how every place looks when it is bare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground, palette
from .errors import VisionError
from .light import BURNT, Floats, Mask, change_of_light, coarse, lab, linear
from .memory import Memory
from .placing import Placer, Standing, Token
from .plan import Plan, Scene
from .pose import Blocks, Picture, View
from .reading import CHANGED, MOST, NOISE, Evidence, Look, Palettes, changed_for_sure, noise_between, roughness, sameness, weigh
from .shape import Feet, Foot, Indices, Shape, Silhouettes, family, foot_at, outline

_MEMORY = 20.0  # silhouettes: what is remembered of a palette, so that it follows slow changes of light
_UNLIKE = 5.0  # what a shade that the seat's tokens do not have says at most against one having been there
_RECALLED = 4.0  # silhouettes: of what is known after a break, so that it follows the light of now
_SAME_VIEW_DEG = 10.0  # from where the camera stands, tokens look the same so far around
_YOUTH = 8  # accepted pictures during which the start's guesses are looked at again
_INNER = 0.85  # of a token's radius: its colours are learned from inside the outline
_NAMED = 1.0  # silhouettes: how much the colour's name is worth
_STANDS_OUT, _STANDS_OUT_OF_BARE = -1.0, 0.0  # mean log odds of a silhouette's pixels, without and with a picture of the bare place
_CLEARER = 0.7  # and that much more than the next best
_AS_GOOD, _BAD_SHAPE = 0.01, 0.15  # parts of the evidence: shapes that lose no more are as good, that lose more are bad
_JUDGES = 6  # tokens by which the shape is judged
ORDINARY = Shape(((0.3, 0.0), (0.3, 0.12), (0.22, 0.5)))  # until the tokens' own shape can be seen
_SOFT = 0.7  # pixels: smoothing that takes noise and keeps tokens


class Table:
    """One table in one view, from the scene of the start on."""

    def __init__(self, plan: Plan, view: View, scene: Scene, shape: Shape, white: Floats, look: Look) -> None:
        self.plan, self.view, self.scene = plan, view, scene
        self.white = white
        self.ground = ground.ground_of(plan, view)
        self.kinds = self.ground.kinds
        self.kind_starts = self.kinds.astype(np.int32) * palette.CELLS
        self.board = ground.board_mask(plan, view)
        self.blocks = view.blocks()
        self.feet = Feet(plan)
        self.silhouettes = Silhouettes(view, shape)
        self.seats = [seat for seat, places in enumerate(scene) if places]
        self.accepted = look
        self.rough = roughness(look.lab)
        self.bare = look.lab.copy()
        self.bare_rough = self.rough.copy()
        self.kept: Indices = np.zeros(0, dtype=np.int32)  # pixels whose bare print the accepted picture does not show
        self.bare_known: Mask = np.zeros(self.kinds.shape, dtype=bool)
        self.counts: dict[int, NDArray[np.float64]] = {}
        self.palettes: dict[int, Floats] = {}
        self.seen: dict[int, float] = {}
        self.prints: Floats = np.zeros((1, palette.CELLS), dtype=np.float32)
        self.standing = Standing((), self.silhouettes)
        self.youth = _YOUTH

    # --- pictures ------------------------------------------------------------------------------------------------------

    def ready(self, picture: Picture, unseen: Mask) -> Look:
        """A working picture brought to the light of the accepted one."""
        light, blind = prepared(picture, unseen)
        light *= self.white
        light *= change_of_light(coarse(light), self.accepted.light, self.board & ~blind & ~self.accepted.blind)
        return as_look(light, blind, self.blocks)

    def evidence(self, look: Look) -> Evidence:
        """What a still picture says about every pixel."""
        usable = self.board & ~look.blind & ~self.accepted.blind
        noise = noise_between(look.lab, self.accepted.lab, usable)
        same = sameness(look.lab, self.accepted.lab, self.rough, noise, self.blocks)
        bare = same.copy()
        bare.ravel()[self.kept] = sameness(look.lab, self.bare, self.bare_rough, noise, self.kept)
        bare[~self.bare_known] = CHANGED - MOST
        changed = changed_for_sure(same, look.lab, self.accepted.lab)
        blind = look.blind | self.accepted.blind
        palettes = Palettes(self.prints, self.kind_starts, {seat: self.palettes[seat] for seat in self.seats})
        of_bare, of_token = weigh(same, bare, look.cells, palettes, self.standing.labels.reshape(same.shape),
                                  [token.seat for token in self.standing.tokens], blind, self.blocks)
        unlike = {seat: np.asarray(np.clip(self.palettes[seat] - CHANGED, -_UNLIKE, 0)) for seat in self.seats}
        return Evidence(of_bare, of_token, (changed & ~blind).ravel(), same.ravel() < CHANGED + 3, self.accepted.cells.ravel(), unlike)

    def evidence_by_sight(self, look: Look) -> Evidence:
        """What the picture from which the table was learned says about every pixel, by its colours alone: nothing was seen to change."""
        by_print = self.prints.take(self.kind_starts + look.cells).ravel()
        tokens = {seat: self.palettes[seat].take(look.cells.ravel()) for seat in self.seats}
        supposed = by_print.copy()
        for label, token in enumerate(self.standing.tokens):
            shown = self.standing.labels == label
            supposed[shown] = tokens[token.seat][shown]
        seen = ~look.blind.ravel()

        def better(claim: Floats) -> Floats:
            return np.asarray(np.clip(claim - supposed, -MOST, MOST) * seen, dtype=np.float32)

        nothing: Mask = np.zeros(by_print.shape, dtype=bool)
        return Evidence(better(by_print), {seat: better(claim) for seat, claim in tokens.items()}, nothing, ~nothing, look.cells.ravel(),
                        dict.fromkeys(self.seats, np.zeros(palette.CELLS, dtype=np.float32)))

    def accept(self, look: Look, scene: Scene, tokens: Sequence[Token]) -> None:
        """This picture shows this scene, its tokens standing there: it is what later pictures are compared with."""
        self.scene, self.accepted, self.rough = scene, look, roughness(look.lab)
        self.standing = Standing(tokens, self.silhouettes)
        self.learn_tokens(look)
        if self.youth > 0:
            self._grow_up(look)
        self.remember_bare(look, self.rough)

    def _grow_up(self, look: Look) -> None:
        """The first moves show more than the start did: the tokens' shape, and so where those stand that did not stand out."""
        self.youth -= 1
        shape = self.silhouettes.shape
        self.silhouettes = _best_shape(self, look, family())
        moved = self.silhouettes.shape != shape
        if moved or any(not token.sure for token in self.standing.tokens):
            self.standing = Standing(_stand_again(self, look, moved), self.silhouettes)

    def like_bare(self, look: Look) -> Mask:
        """Pixels (h, w) that may well show the bare print as it is remembered, in the shadow of a token perhaps."""
        same = sameness(look.lab, self.bare, self.bare_rough, NOISE)
        return np.asarray(self.bare_known & ~changed_for_sure(same, look.lab, self.bare))

    def remember_bare(self, look: Look, rough: Floats) -> None:
        """Keep how the print looks wherever no token stands; what a token hides stays as it was last seen."""
        free = self.free(0.12) & ~look.blind
        for place in {token.place for token in self.standing.tokens if not token.sure}:
            free &= ~self.near(place)
        np.copyto(self.bare, look.lab, where=free[..., None])
        np.copyto(self.bare_rough, rough, where=free[..., None])
        self.bare_known |= free
        self.kept = np.flatnonzero(~free).astype(np.int32)

    def near(self, place: int) -> Mask:
        """Pixels (h, w) of a place and what stands on it."""
        canvas = np.zeros(self.kinds.shape, dtype=np.int16)
        ground.draw(canvas, self.view, self.plan.spots[place].outline, 1)
        reach = max(1, round(0.3 * self.view.square))
        return np.asarray(cv2.dilate(canvas, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0)

    def free(self, wider: float) -> Mask:
        """Pixels (h, w) that no accepted token covers, keeping `wider` squares away from them."""
        covered = (self.standing.labels >= 0).reshape(self.kinds.shape).astype(np.uint8)
        reach = max(1, round(wider * self.view.square))
        return np.asarray(cv2.dilate(covered, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) == 0)

    # --- learning ------------------------------------------------------------------------------------------------------

    def take(self, memory: Memory) -> None:
        """What was known before a break; what is seen now counts as much as a few tokens of then."""
        self.counts, self.seen = dict(memory.tokens), {seat: min(_RECALLED, seen) for seat, seen in memory.seen.items()}
        self.palettes = {seat: palette.log_density(counts) for seat, counts in self.counts.items()}
        self.prints = ground.print_palettes(self.ground, memory.prints)

    def memory(self) -> Memory:
        """What is known of this table, as numbers."""
        prints = ground.print_counts(self.ground, palette.cells(self.bare), self.bare_known)
        x, y, z = (float(part) for part in self.view.eye)
        return Memory(dict(self.counts), dict(self.seen), prints, self.silhouettes.shape, (x, y, z))

    def learn_prints(self, look: Look, free: Mask, before: Memory | None = None) -> None:
        """Learn the shades of print, as far as a picture shows it free, beside those of `before`."""
        own = ground.print_counts(self.ground, look.cells, free & ~look.blind)
        if before is not None:
            own = tuple(new + old for new, old in zip(own, before.prints, strict=True))
        self.prints = ground.print_palettes(self.ground, own)

    def learn_tokens(self, look: Look) -> None:
        """Learn the seats' colours from the tokens as they stand; the more was seen of them, the less one picture changes."""
        flat = look.cells.ravel()
        blind = (look.blind | self.like_bare(look)).ravel()
        inner = Silhouettes(self.view, self.silhouettes.shape.slimmer(_INNER))
        cores = [np.intersect1d(inner.at(token.foot), visible, assume_unique=True)
                 for token, visible in zip(self.standing.tokens, self.standing.visible, strict=True)]
        for seat in self.seats:
            seen = [cores[i] for i, token in enumerate(self.standing.tokens) if token.seat == seat]
            pixels = np.concatenate(seen) if seen else np.zeros(0, dtype=np.int32)
            pixels = pixels[~blind[pixels]]
            amount = len(pixels) / self.silhouettes.area
            if amount < 0.3:
                continue
            known = self.seen.get(seat, 0.0)
            share = amount / (amount + known)
            self.counts[seat] = palette.mixed([(1 - share, self.counts[seat]), (share, palette.count(flat[pixels]))])
            self.seen[seat] = min(_MEMORY, known + amount)
            self.palettes[seat] = palette.log_density(self.counts[seat])


def prepared(picture: Picture, unseen: Mask) -> tuple[Floats, Mask]:
    """Linear light of a working picture, a little smoothed, and the pixels that tell nothing: burnt out or not in the picture."""
    burnt = cv2.inRange(picture, (BURNT,) * 3, (255,) * 3)
    core = cv2.erode(burnt, np.ones((3, 3), np.uint8))  # a highlight on a token is smaller than glare
    glare = np.asarray(cv2.dilate(core, np.ones((5, 5), np.uint8))) > 0
    soft = np.asarray(cv2.GaussianBlur(picture, (3, 3), _SOFT), dtype=np.uint8)
    return linear(soft), np.asarray(unseen | glare)


def as_look(light: Floats, blind: Mask, blocks: Blocks = ((slice(None), slice(None)),)) -> Look:
    """What is seen in whitened light, in these parts of the picture."""
    shades, cells = np.zeros(light.shape, dtype=np.float32), np.zeros(blind.shape, dtype=np.int32)
    for block in blocks:
        shades[block] = lab(light[block])
        cells[block] = palette.cells(shades[block])
    return Look(coarse(light), shades, cells, blind)


# --- the start --------------------------------------------------------------------------------------------------------


def learn(plan: Plan, view: View, scene: Scene, pictures: Sequence[tuple[Picture, Mask]]) -> Table:
    """The table as the last picture shows it, `scene` being known; earlier pictures may show places bare.

    Raises VisionError for a scene that names no token.
    """
    table = _seen(plan, view, scene, pictures[-1], ORDINARY)
    look = table.accepted
    barer = _barer_before(table, look, [table.ready(*picture) for picture in pictures[:-1]])
    _first_palettes(table, look)
    start_counts, start_seen = dict(table.counts), dict(table.seen)
    table.silhouettes = _best_shape(table, look, family()[::3])
    for shapes in (family(), family(), ()):
        table.standing = Standing(_stand(table, look), table.silhouettes)
        table.learn_prints(look, table.free(0.15))
        table.counts, table.seen = dict(start_counts), dict(start_seen)
        table.learn_tokens(look)
        _uncover(table, look, barer)
        if shapes:
            table.silhouettes = _best_shape(table, look, shapes)
    table.standing = Standing(_stand(table, look), table.silhouettes)
    _uncover(table, look, barer)
    return table


def recall(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], memory: Memory) -> Table:
    """The table as a picture shows it after a break, `scene` being supposed and all else remembered: nothing is learned of the picture,
    which may show another scene. Raises VisionError for a scene that names no token."""
    table = _seen(plan, view, scene, picture, memory.shape)
    table.take(memory)
    if _turned(view, memory.eye) > _SAME_VIEW_DEG:  # how high tokens are may not have shown from where the camera was
        table.standing = Standing(_stand(table, table.accepted, doubting=False), table.silhouettes)
        table.silhouettes = _best_shape(table, table.accepted, family())
    # Without doubts: of a token that stands nowhere any further one would explain what is seen of it.
    table.standing = Standing(_stand(table, table.accepted, doubting=False), table.silhouettes)
    return table


def learn_again(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], memory: Memory) -> Table:
    """The table as a picture shows it after a break, `scene` being known, beside what is remembered. Raises as `recall`."""
    table = recall(plan, view, scene, picture, memory)
    table.standing = Standing(_stand(table, table.accepted), table.silhouettes)
    table.learn_prints(table.accepted, table.free(0.15), memory)
    table.learn_tokens(table.accepted)
    table.remember_bare(table.accepted, table.rough)
    return table


def _seen(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], shape: Shape) -> Table:
    """A table of which nothing is learned but the light."""
    if not any(scene):
        raise VisionError("nobody plays: there is no token to learn from")
    light, blind = prepared(*picture)
    white = ground.white_of(light, plan, view, ~blind, {place for places in scene for place in places})
    light *= white
    return Table(plan, view, scene, shape, white, as_look(light, blind))


def _turned(view: View, eye: tuple[float, float, float]) -> float:
    """Degrees, seen from the board's middle, between the camera and where it was."""
    middle = np.array([view.registration.size / 2, view.registration.size / 2, 0.0])
    one, other = view.eye - middle, np.array(eye) - middle
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return float(np.degrees(np.arccos(np.clip(one @ other / max(lengths, 1e-9), -1, 1))))


def _barer_before(table: Table, look: Look, earlier: Sequence[Look]) -> dict[int, Look]:
    """For each occupied place, the earliest picture in which it seems to have been empty: something changed there since, and
    there was less to see (tokens bring edges and shadows). The changed pixels are remembered as bare."""
    barer: dict[int, Look] = {}
    for before in earlier:
        noise = noise_between(before.lab, look.lab, table.board & ~before.blind & ~look.blind)
        changed = sameness(before.lab, look.lab, table.rough, noise) < CHANGED + 1.5
        changed &= ~before.blind & ~look.blind
        opened = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        rough_then = roughness(before.lab)[..., 0]
        for place in sorted({place for places in table.scene for place in places}):
            tokens = sum(places.count(place) for places in table.scene)
            seen = cv2.dilate(opened * table.near(place), np.ones((5, 5), np.uint8)) > 0
            if place in barer or seen.sum() < 0.2 * tokens * table.view.square**2 * 0.3:
                continue
            if rough_then[seen].sum() < 0.85 * table.rough[..., 0][seen].sum():
                barer[place] = before
                _take_bare(table, before, np.asarray(seen))
    return barer


def _take_bare(table: Table, before: Look, where: Mask) -> None:
    table.bare[where], table.bare_rough[where] = before.lab[where], roughness(before.lab)[where]
    table.bare_known |= where


def _uncover(table: Table, look: Look, barer: dict[int, Look]) -> None:
    """What is bare in this picture is remembered, and what earlier pictures show under the tokens of now."""
    table.remember_bare(look, table.rough)
    for index, token in enumerate(table.standing.tokens):
        if token.place in barer:
            covered = np.zeros(table.kinds.shape, dtype=np.uint8)
            covered.ravel()[table.standing.outlines[index]] = 1
            covered = np.asarray(cv2.dilate(covered, np.ones((7, 7), np.uint8)), dtype=np.uint8)
            before = barer[token.place]
            _take_bare(table, before, (covered > 0) & ~table.free(0.12) & ~before.blind)


def _first_palettes(table: Table, look: Look) -> None:
    """Print from the places nobody stands on; tokens from small discs where one stands alone, or from the colour's name."""
    plan, view = table.plan, table.view
    covered = np.zeros(table.kinds.shape, dtype=np.int16)
    for places in table.scene:
        for place in places:
            spot = plan.spots[place]
            if spot.kind != "yard":
                covered.ravel()[outline(view, Shape(((0.5, 0.0), (0.4, 1.0))), spot.centre)] = 1
    table.learn_prints(look, covered == 0)
    flat = look.cells.ravel()
    for seat in table.seats:
        discs = [outline(view, Shape(((0.2, 0.0), (0.15, 0.2))), plan.spots[place].centre) for place in _alone(table, seat)]
        table.seen[seat] = _NAMED if not discs else 0.3
        table.counts[seat] = _supposed(table, look, seat)
        parts = [(0.5, table.counts[seat])]
        if discs:
            parts.append((0.25 * len(discs), palette.count(flat[np.concatenate(discs)])))
        table.palettes[seat] = palette.log_density(palette.mixed(parts))


def _supposed(table: Table, look: Look, seat: int) -> NDArray[np.float64]:
    """The shades a seat's tokens are supposed to have before any was seen: those its colour's name covers, the seat's print foremost."""
    named = palette.named(table.plan.colours[seat])
    own = {spot.outline for spot in table.plan.spots if spot.seat == seat}
    canvas = np.zeros(table.kinds.shape, dtype=np.int16)
    for outline_of in sorted(own):
        ground.draw(canvas, table.view, outline_of, 1)
    printed = palette.count(look.cells[(canvas > 0) & ~look.blind])
    return palette.mixed([(0.5, named), (0.5, printed * (named > 0.1 * named.max()))])


def _alone(table: Table, seat: int) -> list[int]:
    """Squares on which a single token stands, one of this seat: its foot is known."""
    return [place for place in sorted(set(table.scene[seat]))
            if table.plan.spots[place].kind == "square" and sum(places.count(place) for places in table.scene) == 1]


def _preference(table: Table, look: Look) -> dict[int, Floats]:
    """For every seat, how much more each pixel (flat) looks like its token than like bare print."""
    bare = table.prints[table.kinds, look.cells].ravel()
    seen = sameness(look.lab, table.bare, table.bare_rough, NOISE).ravel()
    # Where the bare print is known, a pixel that looks otherwise is no longer held to be print of the same shade.
    bare = np.where(table.bare_known.ravel(), np.maximum(seen, np.minimum(bare, CHANGED)), bare)
    shadow = table.like_bare(look).ravel()
    result = {}
    for seat in table.seats:
        value = np.clip(table.palettes[seat][look.cells].ravel() - bare, -4, np.where(shadow, np.float32(0), np.float32(4)))
        value[look.blind.ravel()] = 0
        result[seat] = value.astype(np.float32)
    return result


def _stand(table: Table, look: Look, doubting: bool = True) -> list[Token]:
    """Where each token of the scene stands, by colour alone: nothing is known yet of the picture before."""
    nothing, everywhere = np.zeros(table.kinds.size, dtype=np.float32), np.ones(table.kinds.size, dtype=bool)
    evidence = Evidence(nothing, _preference(table, look), ~everywhere, everywhere, look.cells.ravel(), {})
    placer = Placer(Standing((), table.silhouettes), evidence, table.feet)
    standing: dict[int, tuple[Token, ...]] = {}
    for last in (False, doubting):
        for place in sorted({place for places in table.scene for place in places}):
            seats = tuple(seat for seat in table.seats for _ in range(table.scene[seat].count(place)))
            others = tuple(t for other, there in standing.items() if other != place for t in there if t.sure)
            standing[place] = _found(table, placer, others, place, seats, last)
    return [token for place in sorted(standing) for token in standing[place]]


def _stand_again(table: Table, look: Look, moved: bool) -> list[Token]:
    """The accepted tokens once more: unknown feet are looked for anywhere on their place, known ones, when another shape has
    `moved` them, near where they were."""
    nothing, everywhere = np.zeros(table.kinds.size, dtype=np.float32), np.ones(table.kinds.size, dtype=bool)
    evidence = Evidence(nothing, _preference(table, look), ~everywhere, everywhere, look.cells.ravel(), {})
    placer = Placer(Standing((), table.silhouettes), evidence, table.feet)
    tokens = [token for token in table.standing.tokens if token.sure]
    for index, token in enumerate(tokens if moved else ()):
        if token.foot[2] == 0:
            others = (*tokens[:index], *tokens[index + 1 :])
            tokens[index] = placer.again(token, others, _near(token.foot, 3, 1))
    for place in sorted({token.place for token in table.standing.tokens if not token.sure}):
        seats = tuple(token.seat for token in table.standing.tokens if not token.sure and token.place == place)
        tokens += _found(table, placer, tuple(tokens), place, seats, True)
    return tokens


def _found(
    table: Table, placer: Placer, others: tuple[Token, ...], place: int, seats: tuple[int, ...], doubting: bool
) -> tuple[Token, ...]:
    """The tokens of these seats somewhere on a place, others standing where they do.

    A lone token on a square is somewhere near its centre. Other feet are sure when each token stands out, and clearly more than
    anything else there that might be one more token (print of the tokens' own colour).
    """
    fit = placer.among(others, place, seats)
    come = list(fit.come[len(others):])
    for seat in seats[len(come):]:  # no room was found for it
        come.append(Token(seat, place, foot_at(table.plan.spots[place].centre), sure=False))
    if not doubting or (len(seats) == 1 and table.plan.spots[place].kind == "square"):
        return tuple(come)
    whole = placer.explain([fit])
    for seat in set(seats):
        own = [i for i, token in enumerate(come) if token.seat == seat and token.sure]
        without = [fit.come[: len(others) + i] + fit.come[len(others) + i + 1 :] for i in own]
        worth = [whole - placer.explain([replace(fit, come=rest)]) for rest in without]
        known = np.mean([table.bare_known.ravel()[table.silhouettes.at(come[i].foot)].mean() for i in own]) if own else 0.0
        sure = bool(worth) and min(worth) > (_STANDS_OUT if known < 0.7 else _STANDS_OUT_OF_BARE)
        sure = sure and (known >= 0.7 or min(worth) - placer.one_more(place, fit, seat) > _CLEARER)
        if not sure:
            come = [replace(token, sure=False) if token.seat == seat else token for token in come]
    return tuple(come)


def _best_shape(table: Table, look: Look, shapes: Sequence[Shape]) -> Silhouettes:
    """The silhouettes of the likeliest shape: the one that parts token from print best where tokens are known to stand."""
    spots = [(token.seat, _near(token.foot, 3, 3)) for token in table.standing.tokens if token.sure]
    if not spots:
        spots = [(seat, _near(foot_at(table.plan.spots[place].centre), 3, 3)) for seat in table.seats for place in _alone(table, seat)]
    if not spots:
        return table.silhouettes
    spots = spots[:: max(1, len(spots) // _JUDGES)][:_JUDGES]
    preference = _preference(table, look)
    worth = np.ones((len(shapes), len(spots)))
    for row, shape in zip(worth, shapes, strict=True):
        silhouettes = Silhouettes(table.view, shape)  # of one shape at a time: they are many, and take room
        row[:] = [max(1.0, *(float(preference[seat][silhouettes.at(foot)].sum()) for foot in feet)) for seat, feet in spots]
    # Each token has a vote, each seat as much as any other, and no vote says more than that a shape is a bad one: the shadows
    # of blue tokens look like tokens.
    loss = np.minimum(1 - worth / worth.max(axis=0), _BAD_SHAPE)
    owners = np.array([seat for seat, _ in spots])
    total = np.mean([loss[:, owners == seat].mean(axis=1) for seat in sorted(set(owners.tolist()))], axis=0)
    # From right above shapes look the same: the flattest that will do.
    good = [shape for shape, lost in zip(shapes, total, strict=True) if lost <= total.min() + _AS_GOOD]
    best = min(good, key=lambda shape: (shape.height, -shape.rings[-1][0]))
    return Silhouettes(table.view, best) if best != table.silhouettes.shape else table.silhouettes


def _near(foot: Foot, reach: int, step: int) -> list[Foot]:
    return [(foot[0] + dx, foot[1] + dy, foot[2]) for dx in range(-reach, reach + 1, step) for dy in range(-reach, reach + 1, step)]
