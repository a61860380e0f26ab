"""What is known of a table outlasts a break: then a token that moved is told, and the table as it was is known again."""

from __future__ import annotations

import json

import numpy as np
import pytest
from table_drawn import OVERHEAD, PLAN, RED, START, TILTED, YELLOW, Table, after, at

from ludo_vision.errors import VisionError
from ludo_vision.plan import Candidate, Shift
from ludo_vision.reader import TableReader
from ludo_vision.sightings import Ranking

MOVES = {
    "as it was": (),
    "one square on": (Shift(0, at(6, 3), at(6, 4)),),
    "far": (Shift(2, at(4, 6), at(0, 7)),),
    "out of the yard": (Shift(1, YELLOW, at(4, 8)),),
    "back to the yard": (Shift(3, at(14, 7), RED),),
    "exchanged": (Shift(0, at(9, 8), at(12, 6)), Shift(3, at(12, 6), at(9, 8))),
}


def everything() -> list[tuple[Shift, ...]]:
    """Nothing, each token anywhere, each two exchanged."""
    ends = [index for index, spot in enumerate(PLAN.spots) if spot.kind == "square"]
    singles = [(Shift(seat, place, end),) for seat, places in enumerate(START) for place in sorted(set(places))
               for end in (*ends, PLAN.yards[seat]) if end != place]
    out = [(seat, place) for seat, places in enumerate(START) for place in places if place not in PLAN.yards]
    swaps = [(Shift(a, here, there), Shift(b, there, here)) for a, here in out for b, there in out if a < b]
    return [(), *singles, *swaps]


EVERYTHING = everything()


class Before:
    """A reader before a drawn table, on a clock of its own."""

    def __init__(self, table: Table) -> None:
        self.reader, self.t = TableReader(PLAN, corners=table.corners()), 0.0

    def show(self, picture: np.ndarray) -> list[object]:
        said: list[object] = []
        for _ in range(4):
            said += self.reader.see(self.t, picture)
            self.t += 0.5
        return said

    def ranked(self, picture: np.ndarray, options: list[tuple[Shift, ...]]) -> tuple[tuple[Shift, ...], Ranking]:
        self.reader.ask(1, [Candidate(number, shifts, 0.5 * len(shifts)) for number, shifts in enumerate(options)])
        (ranking,) = [said for said in self.show(picture) if isinstance(said, Ranking)]
        return options[ranking.order[0]], ranking


def learned(table: Table) -> str:
    """What a reader knows of a table that showed the start, and then a move and back."""
    before, there = Before(table), Shift(3, at(14, 7), at(13, 6))
    before.show(table.picture(START, seed=1))
    assert before.reader.memory() is None
    before.reader.start(START)
    for shift, seed in ((there, 2), (Shift(3, there.destination, there.origin), 3)):
        before.ranked(table.picture(after(START, there) if shift is there else START, seed=seed), [(), (shift,)])
        before.reader.accept(1)
    memory = before.reader.memory()
    assert memory is not None
    return memory


@pytest.fixture(scope="module", params=[OVERHEAD, TILTED], ids=["overhead", "tilted"])
def known(request: pytest.FixtureRequest) -> tuple[Table, str]:
    return request.param, learned(request.param)


def in_the_morning(picture: np.ndarray) -> np.ndarray:
    """The same in another light."""
    return np.clip(picture * np.array((0.92, 0.86, 0.8)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("moved", MOVES.values(), ids=MOVES)
def test_after_a_break_the_table_is_told_from_any_other(known: tuple[Table, str], moved: tuple[Shift, ...]) -> None:
    table, memory = known
    again = Before(table)
    again.reader.remember(memory)
    again.reader.suppose(START)
    shown = after(START, *moved)
    best, ranking = again.ranked(in_the_morning(table.picture(shown, seed=8)), EVERYTHING)
    assert best == moved
    assert ranking.lead > 1
    again.reader.start(shown)
    step = (Shift(2, at(8, 12), at(8, 10)),)
    best, ranking = again.ranked(in_the_morning(table.picture(after(shown, *step), seed=9)), [(), step, (Shift(2, at(8, 12), at(8, 9)),)])
    assert best == step, "what is learned then reads on"
    assert ranking.lead > 1


def test_a_camera_that_stands_elsewhere_after_the_break_knows_the_table_again() -> None:
    again = Before(TILTED)
    again.reader.remember(learned(OVERHEAD))
    again.reader.suppose(START)
    for moved in (MOVES["as it was"], MOVES["far"]):
        best, ranking = again.ranked(TILTED.picture(after(START, *moved), seed=8), EVERYTHING)
        assert best == moved
        assert ranking.lead > 1


def test_a_reader_that_goes_on_knows_what_it_knew() -> None:
    """The game is broken off and taken up again while the program runs."""
    before = Before(OVERHEAD)
    before.show(OVERHEAD.picture(START, seed=1))
    before.reader.start(START)
    before.reader.suppose(START)
    best, ranking = before.ranked(OVERHEAD.picture(after(START, *MOVES["one square on"]), seed=8), EVERYTHING)
    assert best == MOVES["one square on"]
    assert ranking.lead > 1


def test_what_is_remembered_is_numbers_and_few_of_them(known: tuple[Table, str]) -> None:
    _, memory = known
    assert len(memory) < 100_000

    def leaves(value: object) -> list[object]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return [value] if inner is None else [leaf for part in inner for leaf in leaves(part)]

    assert all(isinstance(leaf, int | float) for leaf in leaves(json.loads(memory)))


@pytest.mark.parametrize(("spoil", "said"), [
    (lambda memory: "", "cannot be read"),
    (lambda memory: memory[:-20], "cannot be read"),
    (lambda memory: "[1, 2]", "cannot be read"),
    (lambda memory: memory.replace('"version":1', '"version":7'), "version 7"),
    (lambda memory: memory.replace('"board":', '"board":1'), "another board"),
    (lambda memory: memory.replace('"prints":[[', '"prints":[[-1,5,'), "damaged"),
    (lambda memory: memory.replace('"seen":', '"seen":-'), "damaged"),
    (lambda memory: memory.replace('"eye":[', '"eye":["x",'), "damaged"),
    (lambda memory: json.dumps({**json.loads(memory), "prints": []}), "damaged"),
    (lambda memory: json.dumps({**json.loads(memory), "shape": [[0.3, 0.0]]}), "damaged"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused(known: tuple[Table, str], spoil, said: str) -> None:
    table, memory = known
    reader = TableReader(PLAN, corners=table.corners())
    with pytest.raises(VisionError, match=said):
        reader.remember(spoil(memory))
