"""Where the tokens of a known scene stand, and of what shape they are, by colour alone: nothing was seen to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .light import Floats
from .placing import Placer, Standing, Token
from .reading import CHANGED, NOISE, Evidence, Look, sameness
from .shape import Foot, Shape, Silhouettes, foot_at
from .table import Table

_STANDS_OUT, _STANDS_OUT_OF_BARE = -1.0, 0.0  # mean log odds of a silhouette's pixels, without and with a picture of the bare place
_CLEARER = 0.7  # and that much more than the next best
_AS_GOOD, _BAD_SHAPE = 0.01, 0.15  # parts of the evidence: shapes that lose no more are as good, that lose more are bad
_JUDGES = 6  # tokens by which the shape is judged


def stand(table: Table, look: Look, doubting: bool = True) -> list[Token]:
    """Where each token of the scene stands, by colour alone: nothing is known yet of the picture before."""
    placer = _placer(table, look)
    standing: dict[int, tuple[Token, ...]] = {}
    for last in (False, doubting):
        for place in sorted({place for places in table.scene for place in places}):
            seats = tuple(seat for seat in table.seats for _ in range(table.scene[seat].count(place)))
            others = tuple(t for other, there in standing.items() if other != place for t in there if t.sure)
            standing[place] = _found(table, placer, others, place, seats, last)
    return [token for place in sorted(standing) for token in standing[place]]


def stand_again(table: Table, look: Look, moved: bool) -> list[Token]:
    """The accepted tokens once more: unknown feet are looked for anywhere on their place, known ones, when another shape has
    `moved` them, near where they were."""
    placer = _placer(table, look)
    tokens = [token for token in table.standing.tokens if token.sure]
    for index, token in enumerate(tokens if moved else ()):
        if token.foot[2] == 0:
            others = (*tokens[:index], *tokens[index + 1 :])
            tokens[index] = placer.again(token, others, _near(token.foot, 3, 1))
    for place in sorted({token.place for token in table.standing.tokens if not token.sure}):
        seats = tuple(token.seat for token in table.standing.tokens if not token.sure and token.place == place)
        tokens += _found(table, placer, tuple(tokens), place, seats, True)
    return tokens


def best_shape(table: Table, look: Look, shapes: Sequence[Shape]) -> Silhouettes:
    """The silhouettes of the likeliest shape: the one that parts token from print best where tokens are known to stand."""
    spots = [(token.seat, _near(token.foot, 3, 3)) for token in table.standing.tokens if token.sure]
    if not spots:
        spots = [(seat, _near(foot_at(table.plan.spots[place].centre), 3, 3)) for seat in table.seats for place in alone(table, seat)]
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


def alone(table: Table, seat: int) -> list[int]:
    """Squares on which a single token stands, one of this seat: its foot is known."""
    return [place for place in sorted(set(table.scene[seat]))
            if table.plan.spots[place].kind == "square" and sum(places.count(place) for places in table.scene) == 1]


def _placer(table: Table, look: Look) -> Placer:
    """Of tokens on an empty board, by colour."""
    nothing, everywhere = np.zeros(table.kinds.size, dtype=np.float32), np.ones(table.kinds.size, dtype=bool)
    evidence = Evidence(nothing, _preference(table, look), ~everywhere, everywhere, look.cells.ravel(), {})
    return Placer(Standing((), table.silhouettes), evidence, table.feet)


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


def _near(foot: Foot, reach: int, step: int) -> list[Foot]:
    return [(foot[0] + dx, foot[1] + dy, foot[2]) for dx in range(-reach, reach + 1, step) for dy in range(-reach, reach + 1, step)]
