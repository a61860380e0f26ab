"""What is known of the table: palettes, token shape, the accepted tokens, and how every place looks when it is bare."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from . import ground, palette
from .light import Floats, Mask, prepared
from .memory import Memory
from .placing import Standing, Token
from .plan import Plan, Scene
from .pose import Picture, View
from .reading import (
    CHANGED,
    MOST,
    NOISE,
    Evidence,
    Look,
    Palettes,
    changed_for_sure,
    noise_between,
    relit,
    roughness,
    sameness,
    veiled,
    weigh,
)
from .shape import Feet, Indices, Shape, Silhouettes

_MEMORY = 20.0  # silhouettes: what is remembered of a palette, so that it follows slow changes of light
_UNLIKE = 5.0  # what a shade that the seat's tokens do not have says at most against one having been there
_RECALLED = 4.0  # silhouettes: of what is known after a break, so that it follows the light of now
_INNER = 0.85  # of a token's radius: its colours are learned from inside the outline


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
        self.age = 0  # accepted pictures since the start

    # --- pictures ------------------------------------------------------------------------------------------------------

    def ready(self, picture: Picture, unseen: Mask) -> Look:
        """A working picture brought to the light of the accepted one."""
        light, blind = prepared(picture, unseen)
        return relit(light, blind, self.white, self.accepted, self.board & ~blind & ~self.accepted.blind, self.blocks)

    def evidence(self, look: Look) -> Evidence:
        """What a still picture says about every pixel."""
        usable = self.board & ~look.blind & ~self.accepted.blind
        noise = noise_between(look.lab, self.accepted.lab, usable)
        same = sameness(look.lab, self.accepted.lab, self.rough, noise, self.blocks)
        bare = same.copy()
        bare.ravel()[self.kept] = sameness(look.lab, self.bare, self.bare_rough, noise, self.kept)
        bare[~self.bare_known] = CHANGED - MOST
        blind = look.blind | self.accepted.blind
        changed = changed_for_sure(same, look.lab, self.accepted.lab) & ~blind
        where = np.flatnonzero(changed)
        changed.ravel()[where] = ~veiled(look.lab, self.accepted.lab, where)
        palettes = Palettes(self.prints, self.kind_starts, {seat: self.palettes[seat] for seat in self.seats})
        of_bare, of_token = weigh(same, bare, look.cells, palettes, self.standing.owners.reshape(same.shape), blind,
                                  self.blocks)
        unlike = {seat: np.asarray(np.clip(self.palettes[seat] - CHANGED, -_UNLIKE, 0)) for seat in self.seats}
        return Evidence(of_bare, of_token, changed.ravel(), same.ravel() < CHANGED + 3, self.accepted.cells.ravel(), unlike)

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

    def compare_with(self, look: Look, scene: Scene, tokens: Sequence[Token]) -> None:
        """From now on pictures are compared with this one, which shows this scene, its tokens standing there."""
        self.scene, self.accepted, self.rough = scene, look, roughness(look.lab)
        self.standing = Standing(tokens, self.silhouettes)
        self.age += 1

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
