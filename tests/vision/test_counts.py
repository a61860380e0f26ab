"""The tokens in the yards before the start: counted when they come, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache

import boards_drawn as drawn
import numpy as np
import pytest
from table_drawn import PAWN_RADIUS, Table

from ludo_hardware.simulated_table import SimulatedTable, Token, hard_case
from ludo_referee.app.table import plan_of
from ludo_referee.demo.drawn_board import drawing_of, nests_of
from ludo_referee.rules.board import load_board
from ludo_vision.counts import YardCounter, as_expected
from ludo_vision.plan import Scene
from ludo_vision.pose import View
from ludo_vision.reader import TableReader
from ludo_vision.register import from_corners
from ludo_vision.sightings import Counts

TABLE = Table(make=drawn.MAKES["thin grey lines, no margin"])  # nests are white in its yards
LOW = replace(TABLE, height=0.5)
PLAN = TABLE.plan()
YARDS = PLAN.yards
START: Scene = tuple((yard,) * 4 for yard in YARDS)
TWO_PLAY: Scene = (START[0], (), START[2], ())
THREE: Scene = (START[0][:3], (), START[2], ())


def counted(*pictures: np.ndarray, table: Table = TABLE, expected: Scene = START) -> list[Counts]:
    """What a reader counts in still pictures shown one after another."""
    return followed(TableReader(PLAN, corners=corners(table), expected=expected), pictures, first=0)


def arrived(*pictures: np.ndarray, table: Table = TABLE, expected: Scene = START) -> list[Counts]:
    """The same where the board was seen bare before the first of them."""
    reader = deepcopy(before_any_came(table))
    if expected != START:
        reader.prepare(expected)
    return followed(reader, pictures, first=1)


@cache
def before_any_came(table: Table) -> TableReader:
    """A reader that saw the bare board, and said nothing of it; to be copied."""
    reader = TableReader(PLAN, corners=corners(table), expected=START)
    assert followed(reader, [table.empty(seed=1)], first=0) == []
    return reader


def followed(reader: TableReader, pictures: Sequence[np.ndarray], first: int) -> list[Counts]:
    """What a reader counts in still pictures, two seconds each; `first`: how many it saw before."""
    said: list[Counts] = []
    for t, picture in enumerate(pictures, first):
        for part in range(5):
            said += [s for s in reader.see(2.0 * t + 0.4 * part, picture) if isinstance(s, Counts)]
    return said


@cache
def corners(table: Table) -> list[tuple[float, float]]:
    return table.corners()


@cache
def picture(scene: Scene, seed: int, table: Table = TABLE, first: str | None = None) -> np.ndarray:
    """A table with tokens, drawn once; a copy is to be painted on."""
    return table.picture(scene, seed=seed, first=first)


@dataclass(frozen=True)
class Huddled(Table):
    """A table on which tokens touch one another in the middle of their yards."""

    def feet(self, scene: Scene, off: tuple[float, float], only: int | None) -> list[tuple[float, float, str]]:
        plan, apart = self.plan(), 1.45 * PAWN_RADIUS
        middles = [plan.spots[yard].centre for yard in plan.yards]
        return [(middles[seat][0] + apart * x, middles[seat][1] + apart * y, plan.colours[seat])
                for seat, places in enumerate(scene) for (x, y), _ in zip(((-1, 0), (0, 1), (1, 0), (0, -1)), places, strict=False)]


@dataclass(frozen=True)
class DarkNests(Table):
    """A board on which every nest is printed black: no shadow is seen there."""

    def bare(self) -> np.ndarray:
        picture, turns = super().bare(), np.exp(2j * np.pi * np.arange(20) / 20)
        for x, y in ((x + across, y + down) for x, y in (PLAN.spots[yard].centre for yard in YARDS)
                     for across in (-0.95, 0.95) for down in (-0.95, 0.95)):
            self.block(picture, [(x + 0.6 * turn.real, y + 0.6 * turn.imag) for turn in turns], (12, 12, 14))
        return picture


def one_after_another(scene: Scene) -> list[Scene]:
    """All players' yards filled together, token by token."""
    return [tuple(places[:number] for places in scene) for number in range(1, 5)]


def test_counts_are_ready_when_all_tokens_came() -> None:
    (full,) = arrived(picture(START, 2))
    assert (full.in_yard, full.ready) == ((4, 4, 4, 4), True)


def test_counts_follow_tokens_that_come_one_after_another() -> None:
    two, more = (START[0][:2], (), (), ()), (START[0], (), START[2][:3], START[3][:1])
    said = arrived(picture(two, 2), picture(more, 3), picture(START, 4))
    assert [counts.in_yard for counts in said] == [(2, 0, 0, 0), (4, 0, 3, 1), (4, 4, 4, 4)]


def test_tokens_that_touch_one_another_are_counted() -> None:
    """They make one patch, of which none can be told apart by its outline."""
    table = Huddled(make=drawn.MAKES["outlined homes"])
    steps = one_after_another(TWO_PLAY)
    said = arrived(*(picture(scene, seed, table) for seed, scene in enumerate(steps)), table=table)
    assert_never_wrong(said, steps)
    assert said[-1].in_yard == (4, 0, 4, 0)


def test_tokens_on_print_of_their_own_colour_are_never_counted_wrongly() -> None:
    table = Huddled(make=TABLE.make)
    steps = one_after_another(TWO_PLAY)
    said = arrived(*(picture(scene, seed, table) for seed, scene in enumerate(steps)), table=table)
    assert_never_wrong(said, steps)


def assert_never_wrong(said: Sequence[Counts], steps: Sequence[Scene]) -> None:
    assert said
    for counts in said:
        scene = steps[int(counts.t / 2.0) - 1]
        assert all(number in (None, len(places)) for number, places in zip(counts.in_yard, scene, strict=True))


def test_a_lid_laid_in_a_yard_is_no_number_of_tokens() -> None:
    lid = TABLE.picture((START[0], (), START[2], ()), seed=2)
    x, y = PLAN.spots[YARDS[1]].centre
    TABLE.block(lid, [(x - 2, y - 1.5), (x + 1.8, y - 1.8), (x + 2, y + 1.5), (x - 1.8, y + 1.8)], (150, 120, 90))
    *_, last = arrived(lid)
    assert last.in_yard == (4, None, 4, 0)


def test_counts_see_a_missing_token() -> None:
    three: Scene = (START[0][:3], *START[1:])
    *_, last = arrived(picture(START, 2), picture(three, 3))
    assert (last.in_yard, last.ready) == ((3, 4, 4, 4), False)


@pytest.mark.parametrize("colour", ["black", "yellow"])
def test_a_token_of_another_colour_is_told_with_its_yard(colour: str) -> None:
    *_, odd, mended = arrived(picture(START, 2, first=colour), picture(START, 3))
    assert (odd.in_yard[1:], odd.strangers, odd.ready) == ((4, 4, 4), (0,), False)
    assert (mended.strangers, mended.ready) == ((), True)


def test_a_token_of_a_near_colour_is_told_by_those_beside_it() -> None:
    """Teal is no stranger to green by its name, but the others in the yard are not teal."""
    said = arrived(*(picture((START[0][:n], (), START[2], ()), n + 1, first="teal") for n in (1, 2, 3, 4)))
    assert [(counts.in_yard, counts.strangers) for counts in said] == [
        ((1, 0, 4, 0), ()), ((2, 0, 4, 0), ()), ((3, 0, 4, 0), (0,)), ((4, 0, 4, 0), (0,))]  # of two either may be the odd one


def test_counts_know_the_yards_of_two_players() -> None:
    *_, last = arrived(picture(TWO_PLAY, 2))
    assert last.in_yard == (4, 0, 4, 0)
    assert not last.ready
    *_, last = arrived(picture(TWO_PLAY, 2), expected=TWO_PLAY)
    assert last.ready


@pytest.mark.parametrize("make", ["thin grey lines, no margin", "light lines"])
def test_yards_that_are_full_when_the_box_is_switched_on_are_counted(make: str) -> None:
    table = Table(make=drawn.MAKES[make])
    (full,) = counted(picture(START, 1, table), picture(START, 2, table), table=table)
    assert (full.t, full.in_yard, full.ready, full.strangers) == (0.8, (4, 4, 4, 4), True, ())


def test_what_comes_and_goes_in_a_yard_that_was_full_from_the_first_is_counted() -> None:
    three, two = (START[0][:3], *START[1:]), (START[0][:2], *START[1:])
    pictures = [picture(scene, seed) for seed, scene in enumerate((START, three, two, three, START))]
    assert [counts.in_yard[0] for counts in counted(*pictures)] == [4, 3, 2, 3, 4]


def test_a_yard_without_a_token_is_never_taken_for_a_full_one() -> None:
    said = counted(picture(TWO_PLAY, 1), picture(TWO_PLAY, 2))
    assert [counts.in_yard[::2] for counts in said] == [(4, 4)]
    assert set(said[0].in_yard[1::2]) <= {0, None}


def test_three_of_four_are_counted_when_the_box_is_switched_on() -> None:
    first, full = counted(picture(THREE, 1, LOW), picture(TWO_PLAY, 2, LOW), table=LOW, expected=TWO_PLAY)
    assert (first.in_yard[:3], first.strangers, first.ready) == ((3, 0, 4), (), False)
    assert (full.in_yard[:3], full.strangers) == ((4, 0, 4), ())


def test_three_of_four_are_never_taken_for_four() -> None:
    """Where each other yard is full nothing tells how a bare nest is printed."""
    three: Scene = (START[0][:3], *START[1:])
    (first, full) = counted(picture(three, 1), picture(START, 2))
    assert (first.in_yard, first.ready) == ((None, 4, 4, 4), False)
    assert full.ready


def test_two_of_four_are_never_taken_for_three() -> None:
    two: Scene = (START[0][:2], (), START[2], ())
    (first,) = counted(picture(two, 1, LOW), table=LOW)
    assert (first.in_yard[0], first.in_yard[2]) == (None, 4)


def test_a_token_of_another_colour_is_told_when_the_box_is_switched_on() -> None:
    pictures = [picture(TWO_PLAY, 1, LOW, first="teal"), picture(THREE, 2, LOW), picture(TWO_PLAY, 3, LOW)]
    odd, *_, mended = counted(*pictures, table=LOW, expected=TWO_PLAY)
    assert (odd.in_yard[:3], odd.strangers, odd.ready) == ((4, 0, 4), (0,), False)
    assert (mended.in_yard[:3], mended.strangers) == ((4, 0, 4), ())


def test_what_is_printed_alike_in_each_nest_is_no_token() -> None:
    """Stars that all point one way: turned they look otherwise, and each looks like the others, as tokens do."""
    bare = TABLE.empty(seed=1)
    for x, y in (PLAN.spots[yard].centre for yard in YARDS):
        for across, down in ((-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)):
            rays = [(0.36, 0.15)[point % 2] * np.exp(2j * np.pi * (point / 10 - 0.25)) for point in range(10)]
            TABLE.block(bare, [(x + across + ray.real, y + down + ray.imag) for ray in rays], (40, 40, 120))
    assert counted(bare, bare.copy()) == []


@pytest.mark.parametrize("seed", [70024, 82012])
def test_a_lamp_mirrored_in_bare_yards_is_no_token(seed: int) -> None:
    """A small bright one; one as wide as the yard. What comes beside it is counted."""
    board = load_board("parchis68")
    table = SimulatedTable(drawing_of(board), hard_case(seed).look)
    plan, bare = plan_of(board), table.picture([], gain=1.02)
    full = table.picture([Token(plan.colours[2], x, y) for x, y in nests_of(board, 2)], gain=1.02)
    registration = from_corners(bare, plan, table.corners)
    view = View.of(registration)
    counter = YardCounter(plan, view)
    assert set(counter.count(*view.bring(bare, registration))) <= {None, 0}
    counts = counter.count(*view.bring(full, registration))
    assert counts[2] == 4
    assert {*counts[:2], *counts[3:]} <= {None, 0}


def test_tokens_in_the_yards_of_others_are_said() -> None:
    """The board was read a quarter turn off, or people set up wrongly."""
    turned: Scene = tuple((YARDS[(seat + 1) % 4],) * 4 for seat in range(4))
    *_, last = counted(picture(turned, 1))
    assert last.strangers
    assert not last.ready


def test_deep_shadows_of_own_tokens_are_no_tokens_of_another_colour() -> None:
    """On nests of their own colour tokens show less than their shadows do, which are grey."""
    table = Table(make=drawn.MAKES["light lines"])
    shaded = table.picture(START, seed=1)
    for x, y, _ in table.feet(START, (0.0, 0.0), None):
        table.shade(shaded, [(x + 0.5, y + 0.3), (x + 0.75, y + 0.45)], 0.3, (0.9, 0.9, 0.9))
    (full,) = counted(shaded, table=table)
    assert (full.in_yard, full.strangers) == ((4, 4, 4, 4), ())


def test_counts_take_no_shadow_for_tokens() -> None:
    shaded = picture(START, 2).copy()
    TABLE.shade(shaded, [(1.0, 1.0), (5.0, 5.0)], 0.8)
    said = arrived(picture(START, 2), shaded)
    assert_never_wrong(said, [START, START])
    assert said[-1].in_yard[1:] == (4, 4, 4)


def test_shadows_that_begin_on_black_print_are_no_tokens() -> None:
    """They are seen only beyond it, where they touch no token."""
    table = DarkNests(make=TABLE.make, light=(1.0, 0.6))
    *_, last = arrived(picture(TWO_PLAY, 2, table), table=table)
    assert last.in_yard == (4, 0, 4, 0)


def test_counts_are_right_or_unknown_where_tokens_lean_over_one_another() -> None:
    tilted = replace(TABLE, view=replace(TABLE.view, turn=200.0, tilt=30.0))
    (full,) = arrived(picture(START, 2, tilted), table=tilted)
    assert full.ready


def test_counts_of_a_game_under_way_are_never_ready() -> None:
    under_way: Scene = ((0, *START[0][:3]), *START[1:])
    assert not as_expected(PLAN, under_way, (3, 4, 4, 4))
    assert not as_expected(PLAN, ((), (), (), ()), (0, 0, 0, 0))
    assert as_expected(PLAN, START, (4, 4, 4, 4))
