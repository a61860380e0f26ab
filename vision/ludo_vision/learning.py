"""How a table is learned: at the start, after a break, and from each accepted picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from . import ground, palette
from .errors import VisionError
from .full_yards import full_yards
from .light import Mask, prepared
from .memory import Memory
from .placing import Standing, Token
from .plan import Plan, Scene
from .pose import Picture, View
from .reading import CHANGED, Look, as_look, noise_between, roughness, sameness
from .settling import alone, best_shape, stand, stand_again
from .shape import Shape, family, outline
from .table import Table
from .yard_tokens import TOKENS

_SAME_VIEW_DEG = 10.0  # from where the camera stands, tokens look the same so far around
_YOUTH = 8  # accepted pictures during which the start's guesses are looked at again
_ORDINARY = Shape(((0.3, 0.0), (0.3, 0.12), (0.22, 0.5)))  # until the tokens' own shape can be seen
_NAMED, _GUESSED = 1.0, 0.3  # silhouettes: how much a colour's name is worth, and where tokens seem to stand


def learn(plan: Plan, view: View, scene: Scene, pictures: Sequence[tuple[Picture, Mask]]) -> Table:
    """The table as the last picture shows it, `scene` being known; earlier pictures may show places bare.

    Raises VisionError for a scene that names no token.
    """
    table = _seen(plan, view, scene, pictures[-1], _ORDINARY)
    look = table.accepted
    barer = _barer_before(table, look, [table.ready(*picture) for picture in pictures[:-1]])
    _first_palettes(table, look)
    start_counts, start_seen = dict(table.counts), dict(table.seen)
    table.silhouettes = best_shape(table, look, family()[::3])
    for shapes in (family(), family(), ()):
        table.standing = Standing(stand(table, look), table.silhouettes)
        table.learn_prints(look, table.free(0.15))
        table.counts, table.seen = dict(start_counts), dict(start_seen)
        table.learn_tokens(look)
        _uncover(table, look, barer)
        if shapes:
            table.silhouettes = best_shape(table, look, shapes)
    table.standing = Standing(stand(table, look), table.silhouettes)
    _uncover(table, look, barer)
    return table


def recall(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], memory: Memory) -> Table:
    """The table as a picture shows it after a break, `scene` being supposed and all else remembered: nothing is learned of the picture,
    which may show another scene. Raises VisionError for a scene that names no token."""
    table = _seen(plan, view, scene, picture, memory.shape)
    table.take(memory)
    if _turned(view, memory.eye) > _SAME_VIEW_DEG:  # how high tokens are may not have shown from where the camera was
        table.standing = Standing(stand(table, table.accepted, doubting=False), table.silhouettes)
        table.silhouettes = best_shape(table, table.accepted, family())
    # Without doubts: of a token that stands nowhere any further one would explain what is seen of it.
    table.standing = Standing(stand(table, table.accepted, doubting=False), table.silhouettes)
    return table


def learn_again(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], memory: Memory) -> Table:
    """The table as a picture shows it after a break, `scene` being known, beside what is remembered. Raises as `recall`."""
    table = recall(plan, view, scene, picture, memory)
    table.standing = Standing(stand(table, table.accepted), table.silhouettes)
    table.learn_prints(table.accepted, table.free(0.15), memory)
    table.learn_tokens(table.accepted)
    table.remember_bare(table.accepted, table.rough)
    return table


def accept(table: Table, look: Look, scene: Scene, tokens: Sequence[Token]) -> None:
    """This picture shows this scene, its tokens standing there: it is what later pictures are compared with."""
    table.compare_with(look, scene, tokens)
    table.learn_tokens(look)
    if table.age <= _YOUTH:
        _grow_up(table, look)
    table.remember_bare(look, table.rough)


def _grow_up(table: Table, look: Look) -> None:
    """The first moves show more than the start did: the tokens' shape, and so where those stand that did not stand out."""
    shape = table.silhouettes.shape
    table.silhouettes = best_shape(table, look, family())
    moved = table.silhouettes.shape != shape
    if moved or any(not token.sure for token in table.standing.tokens):
        table.standing = Standing(stand_again(table, look, moved), table.silhouettes)


def _seen(plan: Plan, view: View, scene: Scene, picture: tuple[Picture, Mask], shape: Shape) -> Table:
    """A table of which nothing is learned but the light."""
    if not any(scene):
        raise VisionError("nobody plays: there is no token to learn from")
    light, blind = prepared(*picture)
    white = ground.white_of(light, plan, view, ~blind, {place for places in scene for place in places})
    return Table(plan, view, scene, shape, white, as_look(light, blind, white))


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
    """Print from the places nobody stands on; tokens from full yards, from small discs where one stands alone, or from the print of their
    colour."""
    plan, view = table.plan, table.view
    covered = np.zeros(table.kinds.shape, dtype=np.int16)
    for places in table.scene:
        for place in places:
            spot = plan.spots[place]
            if spot.kind != "yard":
                covered.ravel()[outline(view, Shape(((0.5, 0.0), (0.4, 1.0))), spot.centre)] = 1
    table.learn_prints(look, covered == 0)
    flat = look.cells.ravel()
    full = [places.count(yard) == TOKENS for places, yard in zip(table.scene, plan.yards, strict=True)]
    yards = full_yards(plan, view, look) if any(full) else ()
    for seat in table.seats:
        discs = [outline(view, Shape(((0.2, 0.0), (0.15, 0.2))), plan.spots[place].centre) for place in alone(table, seat)]
        table.seen[seat] = _NAMED if not discs else _GUESSED
        table.counts[seat] = ground.supposed_shades(plan, view, look.cells, ~look.blind, seat)
        if full[seat] and yards[seat].count == TOKENS:
            shades = flat[np.concatenate(yards[seat].tokens)]
            if not palette.is_foreign(plan.colours[seat], shades):  # plain print within a frame of the colour may look like tokens
                table.seen[seat], table.counts[seat] = _GUESSED, palette.count(shades)
        parts = [(0.5, table.counts[seat])]
        if discs:
            parts.append((0.25 * len(discs), palette.count(flat[np.concatenate(discs)])))
        table.palettes[seat] = palette.log_density(palette.mixed(parts))
