"""The reader on drawn tables: what a family does, and what has fooled others."""

from __future__ import annotations

from dataclasses import replace

import boards_drawn as drawn
import cv2
import numpy as np
import pytest
from table_drawn import BLUE, GREEN, OVERHEAD, PAINT, PLAN, START, TILTED, YELLOW, Table, after, at

from ludo_hardware.camera import small_grey
from ludo_vision.errors import VisionError
from ludo_vision.light import linear
from ludo_vision.plan import OFF_TABLE, Candidate, Plan, Scene, Shift
from ludo_vision.reader import TableReader
from ludo_vision.register import find_board
from ludo_vision.registration import Registration
from ludo_vision.sightings import Found, Moving, Ranking

LIMIT = 3.0  # silhouettes of unexplained change: more, and the referee accepts nothing


class Watch:
    """A reader before a drawn table, on a clock of its own."""

    def __init__(self, table: Table, scene: Scene = START, before: tuple[np.ndarray, ...] = ()) -> None:
        self.table, self.t = table, 0.0
        self.reader = TableReader(table.plan(), corners=table.corners())
        for picture in (*before, table.picture(scene, seed=1)):
            self.show(picture)
        self.reader.start(scene)

    def show(self, picture: np.ndarray) -> list[object]:
        """Everything said while a picture is shown for two seconds."""
        said: list[object] = []
        for _ in range(5):
            said += self.reader.see(self.t, picture)
            self.t += 0.5
        return said

    def rank(self, picture: np.ndarray, *options: tuple[Shift, ...]) -> tuple[list[tuple[Shift, ...]], Ranking]:
        """The options (nothing moved is always one), best first, with the ranking."""
        every = list(dict.fromkeys([(), *options]))
        self.reader.ask(1, [Candidate(number, shifts, 0.25 * len(shifts), True) for number, shifts in enumerate(every)])
        (ranking,) = [said for said in self.show(picture) if isinstance(said, Ranking)]
        return [every[index] for index in ranking.order], ranking

    def accept(self, picture: np.ndarray, *options: tuple[Shift, ...]) -> tuple[Shift, ...]:
        ranked, ranking = self.rank(picture, *options)
        self.reader.accept(ranking.order[0])
        return ranked[0]


def around(scene: Scene) -> list[tuple[Shift, ...]]:
    """Every token one to four squares along the outer ring of squares, and off the table."""
    ring = [index for index, spot in enumerate(PLAN.spots[:52])]
    options = []
    for seat, places in enumerate(scene):
        for place in sorted(set(places)):
            near = sorted(ring, key=lambda p: np.hypot(*np.subtract(PLAN.spots[p].centre, PLAN.spots[place].centre)))
            options += [(Shift(seat, place, other),) for other in near[:12] if other != place]
            options.append((Shift(seat, place, OFF_TABLE),))
    return options


@pytest.fixture(scope="module")
def overhead() -> Table:
    return OVERHEAD


@pytest.mark.parametrize("table", [OVERHEAD, TILTED], ids=["overhead", "tilted"])
def test_reader_tells_steps_and_a_capture(table: Table) -> None:
    watch, scene = Watch(table), START
    for number, move in enumerate([
        (Shift(0, at(6, 3), at(6, 5)),),
        (Shift(2, at(4, 6), at(2, 8)), Shift(1, at(2, 8), YELLOW)),
        (Shift(3, at(14, 7), at(9, 6)),),
    ]):
        options = [move, *around(scene)]
        scene_after = after(scene, *move)
        ranked, ranking = watch.rank(table.picture(scene_after, seed=10 + number), *options)
        assert ranked[0] == move
        assert ranking.lead > 1, ranked[1]
        assert ranking.unexplained < LIMIT
        watch.reader.accept(ranking.order[0])
        scene = scene_after


@pytest.mark.parametrize("table", [OVERHEAD, TILTED], ids=["overhead", "tilted"])
def test_reader_sees_no_change_where_nothing_changed(table: Table) -> None:
    ranked, ranking = Watch(table).rank(table.picture(START, seed=5), *around(START))
    assert ranked[0] == ()
    assert ranking.lead > 1


@pytest.mark.parametrize("table", [OVERHEAD, TILTED], ids=["overhead", "tilted"])
@pytest.mark.parametrize("moved", [(), (Shift(0, at(6, 3), at(6, 5)),), (Shift(2, at(4, 6), at(0, 7)),)], ids=["as it was", "near", "far"])
def test_reader_compares_a_table_after_a_break_by_sight_alone(table: Table, moved: tuple[Shift, ...]) -> None:
    watch = Watch(table)
    watch.reader = TableReader(table.plan(), corners=table.corners())
    watch.reader.suppose(START)
    shown = after(START, *moved)
    ranked, ranking = watch.rank(table.picture(shown, seed=8), *dict.fromkeys([moved, *around(START)]))
    assert ranked[0] == moved
    assert ranking.lead > 0.3
    watch.reader.start(shown)
    step = (Shift(3, at(14, 7), at(13, 6)),)
    assert watch.accept(table.picture(after(shown, *step), seed=9), step, *around(shown)) == step


def test_reader_says_moving_at_once_and_decides_after_a_still_while(overhead: Table) -> None:
    watch = Watch(overhead)
    watch.reader.ask(7, [Candidate(0, ())])
    picture = overhead.picture(after(START, Shift(0, at(6, 3), at(6, 5))), seed=4)
    assert [type(said) for said in watch.reader.see(50.0, picture)] == [Moving]
    assert watch.reader.see(50.5, picture) == ()
    (ranking,) = watch.reader.see(50.9, picture)
    assert isinstance(ranking, Ranking)
    assert ranking.question == 7
    assert watch.reader.see(51.5, picture) == ()


def test_glance_says_whether_a_whole_picture_must_be_seen(overhead: Table) -> None:
    watch = Watch(overhead)
    watch.show(overhead.picture(START, seed=5))
    assert not watch.reader.glance(small_grey(overhead.picture(START, seed=5))), "there was no glance before"
    watch.show(overhead.picture(START, seed=6))
    assert watch.reader.glance(small_grey(overhead.picture(START, seed=7)))
    assert watch.reader.glance(small_grey((overhead.picture(START, seed=8) * 0.9).astype(np.uint8))), "a cloud before the sun"
    moved = overhead.picture(after(START, Shift(0, at(6, 3), at(6, 5))), seed=9)
    assert not watch.reader.glance(small_grey(moved))
    assert [type(said) for said in watch.reader.see(watch.t, moved)] == [Moving]


def test_glance_is_not_enough_while_something_is_to_be_judged(overhead: Table) -> None:
    watch, small = Watch(overhead), small_grey(overhead.picture(START, seed=5))
    watch.reader.glance(small)
    watch.show(overhead.picture(START, seed=6))
    assert watch.reader.glance(small)
    watch.reader.ask(7, [Candidate(0, ())])
    assert not watch.reader.glance(small), "a question waits for its answer"
    covered = np.zeros_like(overhead.empty())
    reader = TableReader(PLAN)
    reader.glance(small_grey(covered))
    reader.see(0.0, covered)
    reader.see(1.0, covered)
    assert not reader.glance(small_grey(covered)), "the board is still to be found"


def test_reader_tells_where_the_board_is(overhead: Table) -> None:
    reader = TableReader(PLAN, corners=overhead.corners())
    picture = overhead.empty()
    reader.see(0.0, picture)
    (found,) = reader.see(1.0, picture)
    assert isinstance(found, Found)
    np.testing.assert_allclose(found.corners, overhead.corners(), atol=0.02)


def test_missing_board_is_sought_more_and_more_seldom_and_at_once_when_something_moves(
    overhead: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sought: list[float] = []
    reader, t = TableReader(PLAN), 0.0

    def find(picture: np.ndarray, plan: Plan) -> Registration:
        sought.append(t)
        return find_board(picture, plan)

    monkeypatch.setattr("ludo_vision.reader.find_board", find)
    chance = np.random.default_rng(1)
    bare = np.full_like(overhead.empty(), 120)
    while t < 200:
        reader.see(t, bare + chance.integers(0, 3, bare.shape, dtype=np.uint8))
        t += 0.5
    assert 5 <= len(sought) <= 12
    assert max(np.diff(sought)) <= 31
    said: list[object] = []
    while t < 203:
        said += reader.see(t, overhead.empty())
        t += 0.5
    assert [type(one) for one in said] == [Moving, Found]


def test_reader_refuses_what_is_no_picture() -> None:
    reader = TableReader(PLAN, corners=OVERHEAD.corners())
    with pytest.raises(VisionError, match="picture"):
        reader.see(0.0, np.zeros((4, 4), dtype=np.uint8))  # type: ignore[arg-type]


# --- what has fooled others ------------------------------------------------------------------------------------------------------


def test_printed_home_squares_are_no_tokens(overhead: Table) -> None:
    """Fixed colour ranges call a fifth of the printed squares tokens."""
    homes = [(Shift(seat, PLAN.yards[seat], place),) for seat in range(4) for place, spot in enumerate(PLAN.spots)
             if spot.kind != "yard" and spot.seat == seat and place not in START[seat]]
    ranked, ranking = Watch(overhead).rank(overhead.picture(START, seed=5), *homes)
    assert ranked[0] == ()
    assert ranking.lead > 1


def test_white_square_in_blue_shadow_is_no_blue_token(overhead: Table) -> None:
    """A window's shadow makes white H 99, S 106, V 145."""
    picture = overhead.picture(START, seed=5)
    overhead.shade(picture, [(6.5, 0.5), (6.5, 5.5)], 0.8, tint=(0.75, 0.62, 0.5))
    options = [(Shift(2, BLUE, at(row, 6)),) for row in range(6) if at(row, 6) not in START[2]]
    ranked, ranking = Watch(overhead).rank(picture, *options)
    assert ranked[0] == ()
    assert ranking.lead > 1


def test_shadow_of_a_pawn_is_no_move(overhead: Table) -> None:
    """The lamp is moved: every shadow falls to another side."""
    picture = replace(overhead, light=(-0.5, 0.2)).picture(START, seed=5)
    ranked, _ = Watch(overhead).rank(picture, *around(START))
    assert ranked[0] == ()


def test_captured_token_in_the_hand_is_no_finished_capture(overhead: Table) -> None:
    mover, home, hand = Shift(2, at(4, 6), at(2, 8)), Shift(1, at(2, 8), YELLOW), Shift(1, at(2, 8), OFF_TABLE)
    watch = Watch(overhead)
    ranked, _ = watch.rank(overhead.picture(after(START, mover, hand), seed=5), (mover, home), (mover, hand), (mover,))
    assert ranked[0] == (mover, hand)
    ranked, ranking = watch.rank(overhead.picture(after(START, mover, home), seed=6), (mover, home), (mover, hand), (mover,))
    assert ranked[0] == (mover, home)
    assert ranking.lead > 1


@pytest.mark.parametrize("turn", [200.0, 110.0])
def test_tall_token_at_the_rim_is_not_counted_one_square_off(turn: float) -> None:
    table = replace(TILTED, view=replace(TILTED.view, turn=turn), height=1.4)
    for place, wrong in ((at(14, 6), at(13, 6)), (at(0, 8), at(1, 8)), (at(6, 0), at(6, 1)), (at(8, 14), at(8, 13))):
        move = Shift(0, at(6, 3), place)
        ranked, ranking = Watch(table).rank(table.picture(after(START, move), seed=5), (move,), (Shift(0, at(6, 3), wrong),))
        assert ranked[0] == (move,)
        assert ranking.lead > 1


def test_misread_token_is_not_kept_for_ever(overhead: Table) -> None:
    """A wrong acceptance is mended by the next picture that says so; afterwards moves are read as before."""
    watch, wrong, right = Watch(overhead), Shift(0, at(6, 3), at(6, 4)), Shift(0, at(6, 3), at(6, 5))
    scene = after(START, right)
    watch.accept(overhead.picture(scene, seed=4), (wrong,))
    mend = Shift(0, at(6, 4), at(6, 5))
    move = Shift(1, at(2, 8), at(4, 8))
    scene = after(scene, move)
    assert watch.accept(overhead.picture(scene, seed=6), (mend, move), (move,), (mend,)) == (mend, move)
    last = Shift(2, at(8, 12), at(8, 9))
    assert watch.accept(overhead.picture(after(scene, last), seed=8), *[(last,), *around(scene)]) == (last,)


def test_die_thrown_onto_the_board_is_no_move(overhead: Table) -> None:
    picture = overhead.picture(START, seed=5)
    overhead.block(picture, [(11.2, 4.1), (11.9, 4.3), (11.7, 5.0), (11.0, 4.8)], (235, 232, 225))
    ranked, ranking = Watch(overhead).rank(picture, *around(START))
    assert ranked[0] == ()
    assert ranking.unexplained < LIMIT


def mirrored_lamp(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    """The picture with a lamp's soft mirror image around a board point: light of the lamp's own on whatever is printed there."""
    light = linear(picture)
    (column, row), (across, _) = OVERHEAD.pixels([(x, y), (x + 2.2, y)])
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    light += 0.1 * np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / (2 * (across - column) ** 2))[..., None]
    return np.round(255 * np.where(light < 0.0031308, 12.92 * light, 1.055 * np.clip(light, 0, 1) ** (1 / 2.4) - 0.055)).astype(np.uint8)


def test_a_lamps_mirror_image_that_wandered_lies_not_on_the_board(overhead: Table) -> None:
    """The board was knocked, and what its lacquer mirrors stayed where it was."""
    move = Shift(0, at(6, 3), at(6, 5))
    ranked, ranking = Watch(overhead).rank(mirrored_lamp(overhead.picture(after(START, move), seed=5), 1.5, 13.0), (move,), *around(START))
    assert ranked[0] == (move,)
    assert ranking.unexplained < LIMIT


def test_hand_resting_over_the_board_is_never_overlooked(overhead: Table) -> None:
    picture = overhead.picture(START, seed=5)
    overhead.block(picture, [(16, 4), (9, 5), (8.2, 6), (9, 7.2), (16, 9)], (190, 140, 115))
    _, ranking = Watch(overhead).rank(picture, *around(START))
    assert ranking.unexplained > LIMIT


def test_pushed_token_is_no_move(overhead: Table) -> None:
    ranked, ranking = Watch(overhead).rank(overhead.picture(START, seed=5, off=(0.12, -0.12)), *around(START))
    assert ranked[0] == ()
    assert ranking.lead > 1


@pytest.mark.parametrize("table", [OVERHEAD, TILTED], ids=["overhead", "tilted"])
def test_short_step_into_the_finish_is_no_push(table: Table) -> None:
    """From the last home square it is less than a square's length: a token pushed over the line explains it nearly as well."""
    scene = after(START, Shift(0, GREEN, at(7, 5)))
    finish = PLAN.finishes[0]
    assert finish is not None
    step = Shift(0, at(7, 5), finish)
    picture = table.picture(after(scene, step), seed=5, off=(-0.2, 0.0), only=finish)
    ranked, ranking = Watch(table, scene).rank(picture, (step,), *around(scene))
    assert ranked[0] == (step,)
    assert ranking.lead > 1, ranked[1]


@pytest.mark.parametrize("gains", [(0.8, 0.8, 0.8), (1.15, 1.15, 1.15), (0.75, 0.95, 1.15), (1.1, 1.0, 0.8)])
def test_jump_of_exposure_or_white_balance_changes_nothing(overhead: Table, gains: tuple[float, float, float]) -> None:
    move = Shift(3, at(12, 6), at(9, 6))
    picture = np.clip(overhead.picture(after(START, move), seed=5) * np.array(gains), 0, 255).astype(np.uint8)
    ranked, ranking = Watch(overhead).rank(picture, (move,), *around(START))
    assert ranked[0] == (move,)
    assert ranking.lead > 1


def test_nudged_board_is_read_as_before(overhead: Table) -> None:
    move = Shift(3, at(12, 6), at(9, 6))
    picture = overhead.picture(after(START, move), seed=5)
    turn = cv2.getRotationMatrix2D((400.0, 300.0), 2.0, 1.0)
    turn[:, 2] += (14, -9)
    nudged = cv2.warpAffine(picture, turn, (800, 600), borderMode=cv2.BORDER_REPLICATE)
    ranked, ranking = Watch(overhead).rank(nudged, (move,), *around(START))
    assert ranked[0] == (move,)
    assert ranking.lead > 1


def test_yards_full_of_tokens_seen_empty_before_give_their_tokens(overhead: Table) -> None:
    """All tokens start in the yards, on nests of their own colour."""
    scene: Scene = tuple((yard,) * 4 for yard in PLAN.yards)  # type: ignore[assignment]
    watch = Watch(overhead, scene, before=(overhead.empty(),))
    for seat, start in enumerate((at(6, 1), at(1, 8), at(8, 13), at(13, 6))):
        move = Shift(seat, PLAN.yards[seat], start)
        scene = after(scene, move)
        others = [(Shift(s, PLAN.yards[s], p),) for s, p in enumerate((at(6, 1), at(1, 8), at(8, 13), at(13, 6))) if s != seat]
        assert watch.accept(overhead.picture(scene, seed=20 + seat), (move,), *others) == (move,)


def test_tokens_of_another_shade_than_the_print_are_known_from_the_start(overhead: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wine on red, petrol on green, orange on yellow, violet on blue: four that look alike in a yard tell their shade."""
    shades = {"red": (120, 10, 60), "green": (10, 80, 90), "yellow": (250, 140, 0), "blue": (70, 20, 130)}
    for colour, shade in shades.items():
        monkeypatch.setitem(PAINT, colour, shade)
    scene: Scene = tuple((yard,) * 4 for yard in PLAN.yards)  # type: ignore[assignment]
    watch, starts = Watch(overhead, scene), (at(6, 1), at(1, 8), at(8, 13), at(13, 6))
    out = [Shift(seat, PLAN.yards[seat], start) for seat, start in enumerate(starts)]
    for seat, move in enumerate(out):
        scene = after(scene, move)
        ranked, ranking = watch.rank(overhead.picture(scene, seed=20 + seat), *((other,) for other in out))
        assert ranked[0] == (move,)
        assert ranking.lead > 4
        watch.reader.accept(ranking.order[0])


def test_same_calls_give_the_same_answers(overhead: Table) -> None:
    picture = overhead.picture(after(START, Shift(0, at(6, 3), at(6, 5))), seed=4)
    one, other = (Watch(overhead).rank(picture, *around(START))[1] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("make", ["wood, burnt lines", "dark, bright outlines", "pastel tiles"])
def test_boards_that_are_not_white_are_read(make: str) -> None:
    table = replace(OVERHEAD, make=drawn.MAKES[make])
    watch, move = Watch(table), Shift(0, at(6, 3), at(6, 5))
    ranked, ranking = watch.rank(table.picture(after(START, move), seed=4), (move,), *around(START))
    assert ranked[0] == (move,)
    assert ranking.lead > 1
