"""How likely each pixel of a single picture is bare print: by its shade, and by the like places of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from . import palette, reading
from .ground import BOARD, Ground, draw
from .lacquer import under_mirrored_lamp
from .light import Floats
from .look_shades import CELLS, Counts, Indices, log_density, mixed
from .look_shadows import STEP, in_other_inks, is_ink, is_shaded, lit_again, log_roots, second_brightest, shadows
from .plan import Plan
from .pose import View
from .reading import CHANGED, NOISE, roughness, sameness

Points = NDArray[np.float32]
Exchange = list[tuple[Floats, Floats]]  # Lab of an ink there, and of the ink that stands for it here

_USUAL = 0.6  # of like places, by how little they show of a shade: what these show of it is print, not a token on one of them
_OWN, _LIKE, _BOARD = 0.7, 0.2, 0.1
_LOOSE = 2.0  # prints of like places agree to a part of a pixel: edges may differ by so many times what two pictures of one place do
_BY_SHADE = 1.5  # what print of a usual shade is held less likely for, where the like places look otherwise
_WHOLE = 0.25
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
_USUAL_PRINT = CHANGED + 5.0  # log likelihood of a yard's middle pixel (drawn and painted ones: 5 to 7; photographs: 0 to 1)
_PECULIAR, _COMMON = 1.0, 0.7  # of the logarithm: an ink's shades are shown so much more by its squares than by plain ones, and how often
_LEAST_INK = 0.05  # of its squares
_WHOLE_PICTURE = (slice(None), slice(None))
_BAND = 64  # rows looked at together, to save memory
_VEIL, _STRAY = 1.2, 8.0  # squares: light that differs stays alike so far around; Lab: more than that is no light
_ODD = 6.0
_GRAIN = 1.5  # a pixel differs so much more from a like one than from its neighbours
_UNLIKE = 2.5  # prints that are meant to be alike may differ by so much more than that
_LEAST_NOISE, _INKS_DIFFER = 1.5, 3.0  # times that of a good picture; one ink's texture is not quite the other's
_MOSTLY_LIT = 70  # per cent of what is printed in an ink are no brighter than it is in the light
_LIKELY = 0.5  # an ink, as `is_ink` tells it
_TRUST_IN_INKS = 0.05  # beside plain print: what stands for them elsewhere is only like them
_MIRRORED = 3.0  # log likelihood: what a mirrored lamp that explains print costs; a token on print of its own colour may be lighter too
_WIDE = 0.8  # squares: so far around, no one token makes all the ink darker
_GLINT = 0.1  # squares: less that is lighter than print is no lamp's mirror image
_INK = 18.0  # of Lab: how far print of an ink strays from it


def print_palettes(plan: Plan, view: View, ground: Ground, shades: Indices, blind: NDArray[np.bool_]) -> Iterator[Floats]:
    """Log densities (cells,) of every kind of print in turn, while nobody knows where tokens stand.

    Most places of a kind are empty: a shade counts by what the barer of the like places show of it.
    """
    canvas = np.full(ground.kinds.shape, -1, dtype=np.int16)
    squares = [index for index, spot in enumerate(plan.spots) if spot.kind == "square"]
    for index in squares:
        draw(canvas, view, plan.spots[index].outline, index)
    occurring, compact = np.unique(shades, return_inverse=True)
    compact = compact.reshape(shades.shape)
    places: dict[int, list[Counts]] = {}
    kind_of: dict[int, tuple[int, ...]] = {}
    for index in squares:
        seen = (canvas == index) & ~blind
        amount = int(seen.sum())
        if amount > 20:
            kind = int(np.bincount(ground.kinds[seen]).argmax())
            kind_of[index] = (kind,)
            places.setdefault(kind, []).append(np.bincount(compact[seen], minlength=len(occurring)) / amount)

    def usual(shares: list[Counts]) -> Counts:
        return np.asarray(np.sort(np.array(shares), axis=0)[: max(1, round(_USUAL * len(shares)))].mean(axis=0))

    def density(parts: list[tuple[float, Counts]], softness: int = 1) -> Floats:
        counts = np.zeros(CELLS)
        counts[occurring] = mixed(parts)
        return log_density(counts, softness)

    own = {kind: usual(shares) for kind, shares in places.items()}
    board = np.sum(list(own.values()), axis=0)
    inked = {spot.seat: kind for index, spot in enumerate(plan.spots) if spot.kind == "square" and spot.seat is not None
             for kind in kind_of.get(index, ())}
    alike_shades: dict[tuple[int, ...], Counts] = {}
    for kind, alike in enumerate(ground.alike):
        if kind not in own:
            # A yard may be full of tokens: that a shade shows there says little, the seat's squares say more.
            whole = np.bincount(compact[(ground.kinds == kind) & ~blind], minlength=len(occurring)).astype(np.float64)
            seat = next((spot.seat for spot in plan.spots if spot.kind != "square" and _kind_at(view, ground, spot.centre) == kind), None)
            ink = own.get(inked.get(seat, -1), board) if seat is not None else board
            yield density([(_WHOLE, whole), (0.8 - _WHOLE, ink), (0.2, board)], 2)
            continue
        if alike not in alike_shades:
            alike_shades[alike] = usual([share for other in alike for share in places.get(other, [])])
        yield density([(_OWN, own[kind]), (_LIKE, alike_shades[alike]), (_BOARD, board)])


def _kind_at(view: View, ground: Ground, point: tuple[float, float]) -> int:
    x, y = np.round(view.feet([point])[0]).astype(int)
    inside = 0 <= y < ground.kinds.shape[0] and 0 <= x < ground.kinds.shape[1]
    return int(ground.kinds[y, x]) if inside else -1


def by_shade(ground: Ground, shades: Indices, prints: Iterable[Floats]) -> Floats:
    """Log likelihood (h, w) of every pixel being print, by its shade alone."""
    result = np.full(shades.shape, CHANGED, dtype=np.float32)
    for kind, density in enumerate(prints):
        here = ground.kinds == kind
        result[here] = density[shades[here]]
    return result


def by_likeness(plan: Plan, view: View, ground: Ground, look: reading.Look, shade: Floats) -> Floats:
    """Log likelihood (h, w) of every pixel being bare print, as the like places of the board have it.

    Boards are printed with fourfold symmetry, apart from the seats' inks: a pixel should look like those that quarter turns bring it
    to, and like its neighbours' of the same print. It must agree with half of these; a shade that is merely usual there counts less.
    """
    seats = _seats(plan, view)
    printed = inks(plan, view, look)
    witness = np.where(_yards(plan, view), shade, 0)
    opinions = [_agreement(view, ground, seats, look, witness, points, exchange, mirrors=True)
                for points, exchange in _like_points(plan, view, printed)]
    alike = np.empty_like(shade)
    for top in range(0, len(shade), _BAND):
        rows = slice(top, top + _BAND)
        alike[rows] = _agreed_by_half([opinion[rows] for opinion in opinions], shade[rows])
    return np.asarray(np.maximum(alike, shade - _BY_SHADE), dtype=np.float32)


def without_shadows(plan: Plan, view: View, ground: Ground, look: reading.Look) -> tuple[Floats, NDArray[np.bool_]]:
    """The Lab picture (h, w, 3) as if no shadow lay on the board, and the pixels (h, w) where one does.

    Print is lit as at least two of four like places show it, a seat's print as most of its ink does: a shadow on the middle of the
    board lies on all the places that are alike there.
    """
    few = (slice(None, None, STEP), slice(None, None, STEP))
    shown, board, half = log_roots(look.lab), board_points(view)[few], view.registration.size / 2
    own, useful, seats = np.ascontiguousarray(shown[few]), (ground.kinds[few] > BOARD) & ~look.blind[few], _seats(plan, view)[few]
    printed = _lit_inks(log_roots(inks(plan, view, look)[None])[0], own, np.where(useful, seats, -1))
    prints = [own]
    for turns in (1, 2, 3):
        at = cv2.perspectiveTransform(turned(board, half, half, turns), view.homography)
        there = np.asarray(cv2.remap(shown, at[..., 0], at[..., 1], cv2.INTER_LINEAR), dtype=np.float32)
        useful &= cv2.remap(look.blind.astype(np.uint8), at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderValue=1) == 0
        prints.append(in_other_inks(own, there, exchange_of(plan, view, printed, turns)))
    lit, inked = second_brightest(prints), np.stack([is_ink(own, ink) for ink in printed])
    for seat, ink in enumerate(printed):
        dark = useful & (seats == seat) & (inked[seat] > _LIKELY) & (lit[..., 1] < ink[1])
        lit[dark] += (ink[1] - lit[dark][:, 1])[:, None]
    trust = np.where(inked.max(axis=0) > 0, np.float32(_TRUST_IN_INKS), np.float32(1)) * useful
    shade = shadows(view, own, lit, trust)
    return lit_again(look.lab, shade), is_shaded(shade, look.blind.shape)


def _lit_inks(inks: Floats, shown: Floats, seats: NDArray[np.int16]) -> Floats:
    """The inks (seats, 3) as bright as most of what is printed in them shows (all as `log_roots`)."""
    lit = inks.copy()
    for seat, ink in enumerate(inks):
        same = shown[seats == seat]
        same = same[is_ink(same[None], ink)[0] > _LIKELY]
        if len(same):
            lit[seat] += np.percentile(same[:, 1], _MOSTLY_LIT) - ink[1]
    return lit


def _agreed_by_half(opinions: Sequence[Floats], otherwise: Floats) -> Floats:
    """The upper median of the finite opinions (h, w) on each pixel; `otherwise` where there is none."""
    ranked = np.sort(np.stack(opinions), axis=0)
    amount = np.isfinite(ranked).sum(axis=0)
    middle = np.clip(len(ranked) - (amount + 1) // 2, 0, len(ranked) - 1)
    median = np.take_along_axis(ranked, middle[None], axis=0)[0]
    return np.where(amount > 0, median, otherwise)


def believed(plan: Plan, view: View, bare: Floats) -> Floats:
    """`bare` as far as it can be believed: most of a yard, and of the finishes together, is print.

    Where nothing tells what is printed (a photograph in each yard), it is raised until the middle pixel is as likely as print usually
    is: only what stands out there speaks for tokens.
    """
    result = bare.copy()
    for spots in [*([yard] for yard in plan.yards), [finish for finish in plan.finishes if finish is not None]]:
        canvas = np.zeros(bare.shape, dtype=np.int16)
        for index in spots:
            draw(canvas, view, plan.spots[index].outline, 1)
        here = canvas > 0
        if here.any():
            result[here] += max(0.0, _USUAL_PRINT - float(np.median(bare[here])))
    return result


def alike_when_turned(plan: Plan, view: View, look: reading.Look, seat: int, other: int) -> Floats:
    """How well each pixel (h, w) of a seat's yard agrees with another seat's, turned onto it; -inf elsewhere. The inks are exchanged."""
    middle = np.full(2, view.registration.size / 2)
    here, there = ((np.mean(plan.spots[plan.yards[s]].outline, axis=0) - middle).astype(np.float32) for s in (seat, other))
    turns = min((1, 2, 3), key=lambda turn: float(np.abs(turned(here[None], 0.0, 0.0, turn)[0] - there).max()))
    seats = _seats(plan, view)
    canvas = np.zeros(seats.shape, dtype=np.int16)
    draw(canvas, view, plan.spots[plan.yards[seat]].outline, 1)
    rows, columns = np.nonzero(canvas.any(axis=1))[0], np.nonzero(canvas.any(axis=0))[0]
    box = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    points = turned(board_points(view)[box], float(middle[0]), float(middle[1]), turns)
    anything = Ground(np.where(canvas > 0, BOARD + 1, BOARD).astype(np.int16), ())
    result = np.full(seats.shape, -np.inf, dtype=np.float32)
    exchange = exchange_of(plan, view, inks(plan, view, look), turns)
    result[box] = _agreement(view, anything, seats, look, np.zeros(seats.shape, np.float32), points, exchange, box, mirrors=False)
    return result


def against_empty(look: reading.Look, empty: reading.Look) -> Floats:
    """Log likelihood (h, w) of every pixel looking as in a picture of the empty board."""
    usable = ~look.blind & ~empty.blind
    noise = reading.noise_between(look.lab, empty.lab, usable)
    return sameness(look.lab, empty.lab, roughness(empty.lab) * np.float32(_LOOSE), noise)


def _seats(plan: Plan, view: View) -> NDArray[np.int16]:
    """Whose colour each pixel (h, w) is printed in (-1: nobody's)."""
    canvas = np.full((view.size[1], view.size[0]), -1, dtype=np.int16)
    order = {"yard": 0, "finish": 1, "square": 2}
    for spot in sorted(plan.spots, key=lambda s: order[s.kind]):
        draw(canvas, view, spot.outline, -1 if spot.seat is None else spot.seat)
    return canvas


def _yards(plan: Plan, view: View) -> NDArray[np.bool_]:
    canvas = np.zeros((view.size[1], view.size[0]), dtype=np.int16)
    for yard in plan.yards:
        draw(canvas, view, plan.spots[yard].outline, 1)
    for spot in plan.spots:
        if spot.kind != "yard":
            draw(canvas, view, spot.outline, 0)
    return np.asarray(canvas > 0)


def inks(plan: Plan, view: View, look: reading.Look) -> Floats:
    """The Lab of each seat's ink (seats, 3): the median of what its squares show and plain ones hardly do.

    A seat's squares may be filled, or show a dot, an outline, or a ring around a hole as deep as all others.
    """
    squares = [spot for spot in plan.spots if spot.kind == "square"]

    def shown(seat: int | None) -> Floats:
        canvas = np.zeros(look.blind.shape, dtype=np.int16)
        for spot in squares:
            if spot.seat == seat:
                draw(canvas, view, spot.outline, 1)
        return look.lab[(canvas > 0) & ~look.blind]

    plain = palette.log_density(palette.count(palette.cells(shown(None)[None])))
    result = []
    for seat in range(len(plan.colours)):
        own = shown(seat)
        cells = palette.cells(own[None])[0]
        density = palette.log_density(palette.count(cells))[cells]
        peculiar = density - plain[cells] > _PECULIAR
        if peculiar.sum() > _LEAST_INK * len(own):
            own = own[peculiar & (density > density[peculiar].max() - _COMMON)]  # edges are mixtures
        result.append(np.median(own, axis=0) if len(own) else np.zeros(3))
    return np.array(result, dtype=np.float32)


def _like_points(plan: Plan, view: View, inks: Floats) -> Iterator[tuple[Points, Exchange]]:
    """Board points (h, w, 2) whose print should look like each pixel's, and the inks that stand for others there."""
    board, half = board_points(view), view.registration.size / 2
    for turns in (1, 2, 3):
        yield turned(board, half, half, turns), exchange_of(plan, view, inks, turns)
    for step in _STEPS:
        yield board + np.array(step, dtype=np.float32), []


def exchange_of(plan: Plan, view: View, inks: Floats, turns: int) -> Exchange:
    """Whose ink stands, so many quarter turns on, where each seat's stands here."""
    half = view.registration.size / 2
    yards = np.array([np.mean(plan.spots[yard].outline, axis=0) for yard in plan.yards], dtype=np.float32)
    brought = turned(yards, half, half, turns)
    return [(inks[int(np.abs(yards - there).max(axis=1).argmin())], inks[seat]) for seat, there in enumerate(brought)]


def board_points(view: View) -> Points:
    """The board point (h, w, 2), in squares, of every working pixel."""
    x, y = np.meshgrid(np.arange(view.size[0], dtype=np.float32), np.arange(view.size[1], dtype=np.float32))
    pixels = np.stack([x, y], axis=-1)
    return np.asarray(cv2.perspectiveTransform(pixels, np.linalg.inv(view.homography)), dtype=np.float32)


def turned(points: Points, x: float, y: float, turns: int) -> Points:
    middle = np.array((x, y), dtype=np.float32)
    away = points - middle
    for _ in range(turns):
        away = np.stack([-away[..., 1], away[..., 0]], axis=-1)
    return away + middle


def _agreement(view: View, ground: Ground, seats: NDArray[np.int16], look: reading.Look, witness: Floats, points: Points,
               exchange: Exchange, box: tuple[slice, slice] = _WHOLE_PICTURE, *, mirrors: bool) -> Floats:
    """How well every pixel of a box agrees with what the picture shows at other board points; -inf where that is another print.

    Without an exchange of inks only a seat's own print counts. `witness`: how likely the other point is print itself. With
    `mirrors`, a lamp may be mirrored in either print.
    """
    at = cv2.perspectiveTransform(points, view.homography)
    lab, kinds, own = look.lab[box], ground.kinds[box], seats[box]
    alike = _same_or_lit if mirrors else _same

    def there(values: NDArray[Any], beyond: int) -> NDArray[Any]:
        return np.asarray(cv2.remap(values, at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=beyond))

    expected = np.asarray(cv2.remap(look.lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR), dtype=np.float32)
    useful = (there(look.blind.astype(np.uint8), 1) == 0) & (kinds > BOARD)
    if not exchange:
        useful &= (own >= 0) & (there(ground.kinds, 0) == kinds)
        return np.where(useful, alike(view, lab, expected, useful), np.float32(-np.inf))
    useful &= (there(seats, -1).astype(np.int16) < 0) == (own < 0)
    same = _same(view, lab, expected, useful)
    coloured = useful & ((own >= 0) | (same < CHANGED + 4))
    expected[coloured] = exchanged(expected[coloured], exchange)
    same = np.maximum(same, alike(view, lab, expected, useful, _INKS_DIFFER))
    if mirrors:
        same = _same_or_unlit(view, lab, expected, useful & (own >= 0), same)
    same = np.minimum(same, there(witness, 0) + np.float32(_ODD))  # what looks like no print bears no witness
    return np.where(useful, same, np.float32(-np.inf))


def exchanged(lab: Floats, exchange: Exchange) -> Floats:
    """Lab (..., 3) of print, what is near an ink moved to the ink that stands for it."""
    result = lab.copy()
    for ink, for_ink in exchange:
        off = lab - ink
        result += np.clip(2 - np.sqrt((off * off).sum(axis=-1)) / _INK, 0, 1)[..., None] * (for_ink - ink)
    return result


def surprise(view: View, lab: Floats, expected: Floats, useful: NDArray[np.bool_]) -> Floats:
    """How far every pixel is from what is expected, squared, in variances of all three channels together: 3 for the same print."""
    veiled, rough, noise = _comparable(view, lab, expected, useful, _LEAST_NOISE)
    noise = np.broadcast_to(noise, lab.shape)
    best = sameness(veiled, veiled, rough, noise)
    return np.asarray(2 * (best - sameness(lab, veiled, rough, noise)), dtype=np.float32)


def _same(view: View, lab: Floats, expected: Floats, useful: NDArray[np.bool_], least: float = _LEAST_NOISE) -> Floats:
    """How well every pixel agrees with what is expected, apart from a veil of light over whole squares of the picture."""
    veiled, rough, noise = _comparable(view, lab, expected, useful, least)
    return np.asarray(np.maximum(sameness(lab, veiled, rough, noise), CHANGED - 4), dtype=np.float32)


def _same_or_lit(view: View, lab: Floats, expected: Floats, useful: NDArray[np.bool_], least: float = _LEAST_NOISE) -> Floats:
    """How well every pixel agrees with what is expected, also with a lamp mirrored in it."""
    same = _same(view, lab, expected, useful, least)
    if not _some_lighter(view, lab, expected, useful, same):
        return same
    lit = under_mirrored_lamp(view, lab, expected, useful)
    return np.asarray(np.maximum(same, _same(view, lab, lit, useful, least) - np.float32(_MIRRORED)))


def _same_or_unlit(view: View, lab: Floats, expected: Floats, useful: NDArray[np.bool_], same: Floats) -> Floats:
    """`same`, or how well the `useful` pixels agree if a lamp is mirrored in what is expected: as a seat's ink shows where most of it lies
    under a lamp. So far around, no token looks like that."""
    if not _some_lighter(view, expected, lab, useful, same):
        return same
    lit = under_mirrored_lamp(view, expected, lab, useful, _WIDE)
    return np.where(useful, np.maximum(same, _same(view, expected, lit, useful, _INKS_DIFFER) - np.float32(_MIRRORED)), same)


def _some_lighter(view: View, lab: Floats, other: Floats, useful: NDArray[np.bool_], same: Floats) -> bool:
    """Is enough of what is unlike lighter than the other, so that a lamp may be mirrored there?"""
    lighter = useful & (same < CHANGED + 4) & (lab[..., 0] > other[..., 0])
    return bool(np.count_nonzero(lighter) > _GLINT * view.square**2)


def _comparable(view: View, lab: Floats, expected: Floats, useful: NDArray[np.bool_], least: float) -> tuple[Floats, Floats, Floats]:
    """What is expected under the veil of light that lies here, the roughness and the noise of the comparison."""
    reach = 2 * round(_VEIL * view.square) + 1
    weight = np.maximum(cv2.blur(useful.astype(np.float32), (reach, reach)), 1e-3)[..., None]
    off = np.where(useful[..., None], np.clip(lab - expected, -_STRAY, _STRAY), 0).astype(np.float32)
    veiled = np.asarray(expected + cv2.blur(off, (reach, reach)) / weight, dtype=np.float32)
    rough = np.asarray(np.maximum(roughness(veiled), roughness(lab)), dtype=np.float32) * np.float32(_LOOSE)
    soft = np.asarray(cv2.blur(lab, (3, 3)), dtype=np.float32)
    usual = np.maximum(_GRAIN * reading.by_lightness(reading.noise_between(lab, soft, useful), soft), least * NOISE)
    noise = reading.by_lightness(reading.noise_between(lab, veiled, useful), veiled)
    return veiled, rough, np.clip(noise, usual, _UNLIKE * usual)
