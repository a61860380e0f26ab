"""What may have happened on the table since it was last accepted: the candidates that vision weighs.

Every physical picture occurs once; where several claims would look the same, the most innocent one stands for it. What is meant is
made here and never reaches vision, which sees shifts, penalties and messages alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ..rules.board import YARD, Board
from ..rules.game import Game, GameState, Move, Phase
from .claims import (
    OFF,
    Claim,
    Claimed,
    Either,
    HalfCapture,
    Halfway,
    Legal,
    Mended,
    Shift,
    Steps,
    TakenBack,
    TakenBackAndMoved,
    Unchanged,
    Wrong,
    astray,
    difference,
    shifted,
)

__all__ = ["OFF", "PENALTIES", "Claimed", "Penalties", "candidates", "displaced", "mending", "why_not"]


@dataclass(frozen=True, slots=True)
class Penalties:
    """How far-fetched a claim is, in silhouettes of one token (SEEING B.7): what people seldom do needs more evidence."""

    token: float = 0.25  # each token that moved
    illegal: float = 0.5  # what no rule allows
    other_seat: float = 1.2  # a token whose turn it is not
    several: float = 2.5  # two moves at once
    taken_back: float = 1.0  # a move put back: rare beside playing on
    replaced: float = 1.0  # a move put back and played differently
    half: float = 0.5  # half of a capture: soon there is more of it
    in_hand: float = 1.0  # a captured token off the table
    # What can be claimed on the strength of a token's absence alone, as its new place says little:
    vanished: float = 2.0  # a token gone from the table
    to_yard: float = 2.0  # back in its yard
    from_finish: float = 1.5  # one that was home already
    past_start: float = 1.0  # out of the yard, and not onto the start
    # People miscount by one or two:
    miscount: float = 0.2  # each square beyond
    miscount_most: float = 1.2
    capture_too: float = 0.75  # a wrong move that captures


PENALTIES = Penalties()
OTHERS_AHEAD, OTHERS_BACK = 6, 3  # squares that another seat's token may have gone wrong; the right seat's may be anywhere


@dataclass(slots=True)
class Collection:
    """Candidates in order of innocence; a picture that is already there is not added again."""

    board: Board
    table: Steps
    penalties: Penalties = PENALTIES
    found: list[Claimed] = field(default_factory=list)
    pictures: dict[Steps, int] = field(default_factory=dict)
    messages: dict[Hashable, int] = field(default_factory=dict)

    def add(self, claim: Claim, shifts: tuple[Shift, ...], extra: float = 0.0, *, certain: bool = False) -> None:
        """Add what the shifts would look like; `extra` penalty on top of the tokens' own."""
        after = shifted(self.table, shifts)
        known = self.pictures.setdefault(after, len(self.found))
        if known < len(self.found):
            self._second_reading(known, claim)
            return
        message = self.messages.setdefault(saying(claim), len(self.messages))
        penalty = round(self.penalties.token * len(shifts) + extra, 3)
        self.found.append(Claimed(message, shifts, penalty, certain, claim))

    def _second_reading(self, known: int, claim: Claim) -> None:
        first = self.found[known]
        if isinstance(first.claim, Legal) and isinstance(claim, TakenBackAndMoved):
            both = Either(first.claim.move, claim.state, claim.move)
            self.found[known] = Claimed(first.message, first.shifts, first.penalty, first.certain, both)


def saying(claim: Claim) -> Hashable:
    """What is said to the people about a claim: candidates that say the same need not be told apart."""
    match claim:
        case HalfCapture(move=move):
            return ("return", move)
        case Wrong(reason=reason, shifts=shifts):
            return ("wrong", reason, shifts)
        case _:
            return claim


def candidates(game: Game, state: GameState, asked: Move | None = None, robot: bool = False) -> tuple[Claimed, ...]:
    """Everything worth weighing while `state` is what the table showed last.

    `asked`: the one move that a robot asked for; with `robot` and none asked yet no move counts as legal."""
    collection = Collection(game.board, state.steps)
    collection.add(Unchanged(), (), certain=True)
    _add_what_rules_allow(collection, game, state, asked, robot)
    for claim, extra in _wrong(game, state):
        collection.add(claim, claim.shifts, extra + collection.penalties.illegal)
    return tuple(collection.found)


def mending(board: Board, table: Steps, due: tuple[Shift, ...]) -> tuple[Claimed, ...]:
    """The candidates while people move tokens by hand: any of them done, in any order; of many, the first ones or single ones."""
    collection = Collection(board, table)
    collection.add(Unchanged(), (), certain=True)
    sizes = range(len(due), 0, -1) if len(due) <= 4 else (len(due), 1)
    parts = [part for size in sizes for part in combinations(due, size)] + [due[:size] for size in range(2, len(due))]
    for part in parts:
        left = list(due)
        for shift in part:
            left.remove(shift)
        collection.add(Mended(tuple(left)), part, certain=True)
    return tuple(collection.found)


def displaced(game: Game, state: GameState, found: Claimed | None = None) -> tuple[Claimed, ...]:
    """What may stand elsewhere after a break; what was `found` already comes first, at first nothing. Then, one step from it, what would
    be more, less, or otherwise.

    Whoever moved a token while nobody looked need not have been on turn, nor a player: each token may be anywhere, and two may have been
    exchanged. Only what the rules lead to is likelier.
    """
    collection = Collection(game.board, state.steps)
    before, charged = ((), 0.0) if found is None else (found.shifts, found.penalty - PENALTIES.token * len(found.shifts))
    if found is None:
        collection.add(Unchanged(), (), certain=True)
        _add_what_rules_allow(collection, game, state)
    else:
        collection.add(found.claim, before, charged, certain=True)
    for shifts in _otherwise(game.board, state, before):
        collection.add(Wrong("wrong_token", shifts, None) if shifts else Unchanged(), shifts, sum(map(_strange, shifts)))
    for further in _displacements(game.board, state, before):
        collection.add(Wrong("wrong_token", before + further, None), before + further, charged + _strange(further[0]))
    return tuple(collection.found)


def _strange(shift: Shift) -> float:
    return PENALTIES.illegal + (PENALTIES.vanished if shift[2] == OFF else 0.0)


# --- what the rules allow ---------------------------------------------------------------------------------------------


def _add_what_rules_allow(
    collection: Collection, game: Game, state: GameState, asked: Move | None = None, robot: bool = False
) -> None:
    if state.phase is Phase.MOVE:
        for move in game.legal(state):
            if not robot or move == asked:
                _add_legal(collection, state, move)
    if state.phase in (Phase.MOVE, Phase.ROLL):
        _add_take_backs(collection, game, state)


def _add_legal(collection: Collection, state: GameState, move: Move) -> None:
    mover: tuple[Shift, ...] = ((state.turn, move.origin, move.destination),) * move.tokens
    home: tuple[Shift, ...] = tuple((seat, step, YARD) for seat, step in move.captures)
    hand: tuple[Shift, ...] = tuple((seat, step, OFF) for seat, step in move.captures)
    collection.add(Legal(move), mover + home, certain=True)
    for returned in range(len(home)):
        out = move.captures[returned:]
        collection.add(HalfCapture(move, out, False), mover + home[:returned], PENALTIES.half, certain=True)
        collection.add(HalfCapture(move, out, True), mover + home[:returned] + hand[returned:], PENALTIES.in_hand, certain=True)
    if home:
        collection.add(Halfway(move), home, PENALTIES.half, certain=True)
        collection.add(Halfway(move), hand, PENALTIES.in_hand, certain=True)
    if move.tokens == 2:
        collection.add(Halfway(move), mover[:1], PENALTIES.half, certain=True)


def _add_take_backs(collection: Collection, game: Game, state: GameState) -> None:
    snapshots = game.take_backs(state)
    for before in snapshots:
        collection.add(TakenBack(before), difference(state.steps, before.steps), collection.penalties.taken_back, certain=True)
    for before in snapshots:
        for move in game.legal(before):
            after, _ = game.play(before, move)
            shifts = difference(state.steps, after.steps)
            collection.add(TakenBackAndMoved(before, move), shifts, collection.penalties.replaced, certain=True)


# --- what people do wrong ---------------------------------------------------------------------------------------------


def _wrong(game: Game, state: GameState) -> Iterator[tuple[Wrong, float]]:
    """Plausible wrong pictures with the penalty beyond tokens and illegality, nearest at hand first."""
    rolled = state.pending if state.phase is Phase.MOVE else None
    if rolled is None:
        for seat in range(len(state.steps)):
            extra = 0.0 if seat == state.turn else PENALTIES.other_seat
            ways = _anywhere if seat == state.turn else _nearby
            for shift in ways(game.board, state.steps[seat], seat):
                yield Wrong("wrong_token", (shift,), None), extra + _far_fetched(game.board, shift, None)
        yield from _off_board(state, None)
        return
    yield from _own_token(game, state, rolled)
    yield from _other_seats(game.board, state, rolled)
    yield from _off_board(state, rolled)
    yield from _several(game, state, rolled)


def _nearby(board: Board, steps: Sequence[int], seat: int) -> Iterator[Shift]:
    """Each different token of a seat on each square of its way nearby, and back in the yard."""
    for start in sorted(set(steps)):
        if start == YARD:
            yield from ((seat, start, end) for end in range(OTHERS_AHEAD + 1))
            continue
        ends = [*range(start + 1, min(start + OTHERS_AHEAD, board.last) + 1), *range(start - 1, max(start - OTHERS_BACK, 0) - 1, -1), YARD]
        yield from ((seat, start, end) for end in ends)


def _displacements(board: Board, state: GameState, done: tuple[Shift, ...]) -> Iterator[tuple[Shift, ...]]:
    """Each token that is not among those `done` anywhere else or off the table, and each two of different seats in each other's places."""
    there = _left(state, done)
    for seat, steps in enumerate(there):
        yield from ((shift,) for start in sorted(set(steps)) for shift in (*_anywhere(board, (start,), seat), (seat, start, OFF)))
    out = [(seat, step) for seat, steps in enumerate(there) for step in sorted(set(steps)) if step != YARD]
    for (one, here), (other, yonder) in combinations(out, 2):
        ends = _step_on(board, one, board.place(other, yonder)), _step_on(board, other, board.place(one, here))
        if one != other and ends[0] is not None and ends[1] is not None and ends != (here, yonder):
            yield (one, here, ends[0]), (other, yonder, ends[1])


def _otherwise(board: Board, state: GameState, done: tuple[Shift, ...]) -> Iterator[tuple[Shift, ...]]:
    """What is done less one token, or with that token elsewhere, or with another of its seat in its stead."""
    for number, (seat, start, end) in enumerate(done):
        rest = done[:number] + done[number + 1 :]
        yield rest
        yield from ((*rest, shift) for shift in (*_anywhere(board, (start,), seat), (seat, start, OFF)) if shift[2] != end)
        yield from ((*rest, (seat, step, end)) for step in sorted(set(_left(state, rest)[seat])) if step not in (start, end))


def _left(state: GameState, done: tuple[Shift, ...]) -> list[list[int]]:
    """The steps of each seat's tokens that are not among those done."""
    there = [list(steps) for steps in state.steps]
    for seat, start, _ in done:
        there[seat].remove(start)
    return there


def _step_on(board: Board, seat: int, place: int) -> int | None:
    """The step at which a seat's token stands on a place; None where its way does not lead there."""
    path = board.seats[seat].path
    return path.index(place) if place in path else None


def _anywhere(board: Board, steps: Sequence[int], seat: int) -> Iterator[Shift]:
    """Each different token of a seat on every other place of the board: on its way, nearest first, or astray."""
    plan = board.seats[seat]
    others = [astray(place) for place in range(len(board.places)) if place != plan.yard and place not in plan.path]
    for start in sorted(set(steps)):
        ends = [*range(max(start, YARD) + 1, board.last + 1), *range(start - 1, YARD - 1, -1), *others]
        yield from ((seat, start, end) for end in ends)


def _far_fetched(board: Board, shift: Shift, distance: int | None) -> float:
    """The penalty of one token's stray, by where it comes from and goes to, and by how far it is off the roll (None: none to be off)."""
    _, start, end = shift
    penalty = PENALTIES.from_finish if _finished(board, start) else 0.0
    penalty += PENALTIES.past_start if start == YARD and end != 0 else 0.0
    if end == YARD:
        return penalty + PENALTIES.to_yard
    if end < YARD:
        return penalty + PENALTIES.miscount_most
    off = abs(end - max(start, 0) - (distance or 0)) if start != YARD else end + 1
    if distance is not None or start == YARD:
        penalty += min(PENALTIES.miscount_most, PENALTIES.miscount * max(0, off - 2))
    return penalty


def _own_token(game: Game, state: GameState, rolled: int) -> Iterator[tuple[Wrong, float]]:
    board = game.board
    distance = game.roll(state).distance
    for seat, start, end in _anywhere(board, state.steps[state.turn], state.turn):
        reason = why_not(game, state, start, end)
        extra = _far_fetched(board, (seat, start, end), distance)
        yield Wrong(reason, ((seat, start, end),), rolled), extra
        foes = _foes_at(board, state, seat, end)
        if foes:
            home = tuple((foe, step, YARD) for foe, step in foes)
            yield Wrong(reason, ((seat, start, end), *home), rolled), extra + PENALTIES.capture_too


def _foes_at(board: Board, state: GameState, seat: int, step: int) -> tuple[tuple[int, int], ...]:
    """The foe tokens (seat, step) on the square of a seat's step."""
    if step <= YARD:
        return ()
    place = board.place(seat, step)
    return tuple(
        (foe, foot)
        for foe, steps in enumerate(state.steps)
        if foe != seat
        for foot in steps
        if foot != YARD and board.place(foe, foot) == place
    )


def why_not(game: Game, state: GameState, start: int, end: int) -> str:
    """Why the seat on turn may not go from a step to a step (or astray), as a reason of RECORDINGS.md."""
    if end < YARD:
        return "wrong_count"
    if end < start:
        return "backwards"
    legal = game.legal(state)
    if any((move.origin, move.destination) == (start, end) for move in legal):
        return "wrong_token"  # a robot asked for another move
    roll = game.roll(state)
    enters = start == YARD and end == 0 and roll.enters
    if not enters and (start == YARD or end - start != roll.distance):
        return "wrong_count"
    if end in state.steps[state.turn] and not _finished(game.board, end):
        return "own_square"
    if legal and all(move.origin in (YARD, 0) for move in legal) and start > 0:
        return "must_enter"
    return "blocked"


def _finished(board: Board, step: int) -> bool:
    return board.has_finish and step == board.last


def _other_seats(board: Board, state: GameState, rolled: int) -> Iterator[tuple[Wrong, float]]:
    for seat in range(len(state.steps)):
        if seat != state.turn:
            for shift in _nearby(board, state.steps[seat], seat):
                yield Wrong("wrong_token", (shift,), rolled), PENALTIES.other_seat + _far_fetched(board, shift, None)


def _off_board(state: GameState, rolled: int | None) -> Iterator[tuple[Wrong, float]]:
    for seat, steps in enumerate(state.steps):
        extra = PENALTIES.vanished + (0.0 if seat == state.turn else PENALTIES.other_seat)
        for start in sorted(set(steps)):
            yield Wrong("off_board", ((seat, start, OFF),), rolled), extra


def _several(game: Game, state: GameState, rolled: int) -> Iterator[tuple[Wrong, float]]:
    """Two tokens moved: both by the roll, the roll split over two, or a legal move with a foe token sent home for nothing."""
    board, seat = game.board, state.turn
    out = [step for step in state.steps[seat] if step != YARD and not _finished(board, step)]
    distance = game.roll(state).distance
    for first, second in sorted(set(combinations(out, 2))):
        for part, rest in [(distance, distance), *((part, distance - part) for part in range(1, min(distance, 7)))]:
            if max(first + part, second + rest) <= board.last:
                shifts = ((seat, first, first + part), (seat, second, second + rest))
                yield Wrong("several_moved", shifts, rolled), PENALTIES.several
    for move in game.legal(state):
        if not move.captures and move.tokens == 1:
            for foe, step in _foes_at(board, state, seat, move.destination)[:1]:
                shifts = ((seat, move.origin, move.destination), (foe, step, YARD))
                yield Wrong("several_moved", shifts, rolled), 0.0
