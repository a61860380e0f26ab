"""The tokens in the yards before the start: counted when they come, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import boards_drawn as drawn
import numpy as np
import pytest
from table_drawn import PAWN_RADIUS, Table

from ludo_hardware.simulated_table import SimulatedTable, hard_case
from ludo_referee.app.table import plan_of
from ludo_referee.demo.drawn_board import drawing_of
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
    reader = TableReader(PLAN, corners=table.corners(), expected=expected)
    said: list[Counts] = []
    for t, picture in enumerate(pictures):
        for part in range(5):
            said += [s for s in reader.see(2.0 * t + 0.4 * part, picture) if isinstance(s, Counts)]
    return said


@dataclass(frozen=True)
class Huddled(Table):
    """A table on which tokens touch one another in the middle of their yards."""

    def feet(self, scene: Scene, off: tuple[float, float], only: int | None) -> list[tuple[float, float, str]]:
        plan, apart = self.plan(), 1.45 * PAWN_RADIUS
        middles = [plan.spots[yard].centre for yard in plan.yards]
        return [(middles[seat][0] + apart * x, middles[seat][1] + apart * y, plan.colours[seat])
                for seat, places in enumerate(scene) for (x, y), _ in zip(((-1, 0), (0, 1), (1, 0), (0, -1)), places, strict=False)]


def one_after_another(scene: Scene) -> list[Scene]:
    """All players' yards filled together, token by token."""
    return [tuple(places[:number] for places in scene) for number in range(1, 5)]


def test_counts_are_ready_when_all_tokens_came() -> None:
    (full,) = counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2))
    assert (full.in_yard, full.ready) == ((4, 4, 4, 4), True)


def test_counts_follow_tokens_that_come_one_after_another() -> None:
    two, more = (START[0][:2], (), (), ()), (START[0], (), START[2][:3], START[3][:1])
    said = counted(TABLE.empty(seed=1), TABLE.picture(two, seed=2), TABLE.picture(more, seed=3), TABLE.picture(START, seed=4))
    assert [counts.in_yard for counts in said] == [(2, 0, 0, 0), (4, 0, 3, 1), (4, 4, 4, 4)]


def test_tokens_that_touch_one_another_are_counted() -> None:
    """They make one patch, of which none can be told apart by its outline."""
    table = Huddled(make=drawn.MAKES["outlined homes"])
    steps = one_after_another(TWO_PLAY)
    said = counted(table.empty(seed=1), *(table.picture(scene, seed=seed) for seed, scene in enumerate(steps)), table=table)
    assert_never_wrong(said, steps)
    assert said[-1].in_yard == (4, 0, 4, 0)


def test_tokens_on_print_of_their_own_colour_are_never_counted_wrongly() -> None:
    table = Huddled(make=TABLE.make)
    steps = one_after_another(TWO_PLAY)
    said = counted(table.empty(seed=1), *(table.picture(scene, seed=seed) for seed, scene in enumerate(steps)), table=table)
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
    *_, last = counted(TABLE.empty(seed=1), lid)
    assert last.in_yard == (4, None, 4, 0)


def test_counts_see_a_missing_token() -> None:
    three: Scene = (START[0][:3], *START[1:])
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2), TABLE.picture(three, seed=3))
    assert (last.in_yard, last.ready) == ((3, 4, 4, 4), False)


@pytest.mark.parametrize("colour", ["black", "yellow"])
def test_a_token_of_another_colour_is_told_with_its_yard(colour: str) -> None:
    odd = TABLE.picture(START, seed=2, first=colour)
    *_, last = counted(TABLE.empty(seed=1), odd)
    assert (last.in_yard[1:], last.strangers, last.ready) == ((4, 4, 4), (0,), False)
    *_, last = counted(TABLE.empty(seed=1), odd, TABLE.picture(START, seed=3))
    assert (last.strangers, last.ready) == ((), True)


def test_a_token_of_a_near_colour_is_told_by_those_beside_it() -> None:
    """Teal is no stranger to green by its name, but the others in the yard are not teal."""
    said = counted(TABLE.empty(seed=1), *(TABLE.picture((START[0][:n], (), START[2], ()), seed=n + 1, first="teal") for n in (1, 2, 3, 4)))
    assert [(counts.in_yard, counts.strangers) for counts in said] == [
        ((1, 0, 4, 0), ()), ((2, 0, 4, 0), ()), ((3, 0, 4, 0), (0,)), ((4, 0, 4, 0), (0,))]  # of two either may be the odd one


def test_counts_know_the_yards_of_two_players() -> None:
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(TWO_PLAY, seed=2))
    assert last.in_yard == (4, 0, 4, 0)
    assert not last.ready
    *_, last = counted(TABLE.empty(seed=1), TABLE.picture(TWO_PLAY, seed=2), expected=TWO_PLAY)
    assert last.ready


@pytest.mark.parametrize("make", ["thin grey lines, no margin", "light lines"])
def test_yards_that_are_full_when_the_box_is_switched_on_are_counted(make: str) -> None:
    table = Table(make=drawn.MAKES[make])
    (full,) = counted(table.picture(START, seed=1), table.picture(START, seed=2), table=table)
    assert (full.t, full.in_yard, full.ready, full.strangers) == (0.8, (4, 4, 4, 4), True, ())


def test_what_comes_and_goes_in_a_yard_that_was_full_from_the_first_is_counted() -> None:
    three, two = (START[0][:3], *START[1:]), (START[0][:2], *START[1:])
    pictures = [TABLE.picture(scene, seed=seed) for seed, scene in enumerate((START, three, two, three, START))]
    assert [counts.in_yard[0] for counts in counted(*pictures)] == [4, 3, 2, 3, 4]


def test_a_yard_without_a_token_is_never_taken_for_a_full_one() -> None:
    said = counted(TABLE.picture(TWO_PLAY, seed=1), TABLE.picture(TWO_PLAY, seed=2))
    assert [counts.in_yard[::2] for counts in said] == [(4, 4)]
    assert set(said[0].in_yard[1::2]) <= {0, None}


def test_three_of_four_are_counted_when_the_box_is_switched_on() -> None:
    first, full = counted(LOW.picture(THREE, seed=1), LOW.picture(TWO_PLAY, seed=2), table=LOW, expected=TWO_PLAY)
    assert (first.in_yard[:3], first.strangers, first.ready) == ((3, 0, 4), (), False)
    assert (full.in_yard[:3], full.strangers) == ((4, 0, 4), ())


def test_three_of_four_are_never_taken_for_four() -> None:
    """Where each other yard is full nothing tells how a bare nest is printed."""
    three: Scene = (START[0][:3], *START[1:])
    (first, full) = counted(TABLE.picture(three, seed=1), TABLE.picture(START, seed=2))
    assert (first.in_yard, first.ready) == ((None, 4, 4, 4), False)
    assert full.ready


def test_two_of_four_are_never_taken_for_three() -> None:
    two: Scene = (START[0][:2], (), START[2], ())
    (first,) = counted(LOW.picture(two, seed=1), table=LOW)
    assert (first.in_yard[0], first.in_yard[2]) == (None, 4)


def test_a_token_of_another_colour_is_told_when_the_box_is_switched_on() -> None:
    pictures = [LOW.picture(TWO_PLAY, seed=1, first="teal"), LOW.picture(THREE, seed=2), LOW.picture(TWO_PLAY, seed=3)]
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


def test_a_lamp_mirrored_in_bare_yards_is_no_token() -> None:
    board = load_board("parchis68")
    table = SimulatedTable(drawing_of(board), hard_case(70024).look)
    plan, picture = plan_of(board), table.picture([], gain=1.02)
    registration = from_corners(picture, plan, table.corners)
    view = View.of(registration)
    assert set(YardCounter(plan, view).count(*view.bring(picture, registration))) <= {None, 0}


def test_tokens_in_the_yards_of_others_are_said() -> None:
    """The board was read a quarter turn off, or people set up wrongly."""
    turned: Scene = tuple((YARDS[(seat + 1) % 4],) * 4 for seat in range(4))
    *_, last = counted(TABLE.picture(turned, seed=1))
    assert last.strangers
    assert not last.ready


def test_deep_shadows_of_own_tokens_are_no_tokens_of_another_colour() -> None:
    """On nests of their own colour tokens show less than their shadows do, which are grey."""
    table = Table(make=drawn.MAKES["light lines"])
    picture = table.picture(START, seed=1)
    for x, y, _ in table.feet(START, (0.0, 0.0), None):
        table.shade(picture, [(x + 0.5, y + 0.3), (x + 0.75, y + 0.45)], 0.3, (0.9, 0.9, 0.9))
    (full,) = counted(picture, table=table)
    assert (full.in_yard, full.strangers) == ((4, 4, 4, 4), ())


def test_counts_take_no_shadow_for_tokens() -> None:
    shaded = TABLE.picture(START, seed=2)
    TABLE.shade(shaded, [(1.0, 1.0), (5.0, 5.0)], 0.8)
    said = counted(TABLE.empty(seed=1), TABLE.picture(START, seed=2), shaded)
    assert_never_wrong(said, [START, START])
    assert said[-1].in_yard[1:] == (4, 4, 4)


def test_counts_are_right_or_unknown_where_tokens_lean_over_one_another() -> None:
    tilted = replace(TABLE, view=replace(TABLE.view, turn=200.0, tilt=30.0))
    (full,) = counted(tilted.empty(seed=1), tilted.picture(START, seed=2), table=tilted)
    assert full.ready


def test_counts_of_a_game_under_way_are_never_ready() -> None:
    under_way: Scene = ((0, *START[0][:3]), *START[1:])
    assert not as_expected(PLAN, under_way, (3, 4, 4, 4))
    assert not as_expected(PLAN, ((), (), (), ()), (0, 0, 0, 0))
    assert as_expected(PLAN, START, (4, 4, 4, 4))
