"""Which moves a roll allows (RULES 1.5 to 1.8). Everything that depends only on the board and the rules is worked out once.

Where rule sheets leave room, this is how they are read here: `stack_max` counts the tokens of all colours on a square, so that a safe
square with two colours may be full. `home_jump` concerns home rows of single spaces; in a column that ends in a finish, single tokens
are always passed. A bounced token passes every square up to its end and back, and may come to stand where it began. A hop with a 1
takes the place of the ordinary step. A bonus move may be made by a pair, by half of it. Blocks exist only where own tokens form them
(`own_landing` = block); any other two tokens of a colour are captured together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .board import TOKENS, YARD, Board
from .ruleset import Rules

DUTIES = ("force_entry", "clear_start", "open_block_on_six", "must_capture")  # in the order in which they choose

Steps = tuple[tuple[int, ...], ...]
Capture = tuple[int, int]


class Move(NamedTuple):
    """`tokens` (1, or 2 for a pair step) go from `origin` to `destination`; `captures` lists (seat, step) sent to their yards, one
    entry a token."""

    origin: int
    destination: int
    tokens: int = 1
    captures: tuple[Capture, ...] = ()


class Roll(NamedTuple):
    """What is to be played: `distance` squares for a die showing `die` (None: a bonus). `enters`: it brings tokens out of the yard;
    `passes`: it was earned in a way that lets it pass blocks; `arrivals`: the seats on the mover's start square, first to last."""

    distance: int
    die: int | None
    enters: bool = False
    passes: bool = False
    arrivals: tuple[int, ...] = ()


class MoveMaker:
    """Makes the legal moves of any position on one board under one set of rules.

    Steps of several seats are compared through tables: `_foes[seat][step]` lists (foe, that foe's step) on the same square.
    """

    def __init__(self, board: Board, rules: Rules, players: Sequence[int]) -> None:
        self._rules = rules
        self.last = board.last
        self.home = board.first_home
        self.single_spaces = not board.has_finish
        self._shared_end = board.last if board.has_finish else None  # the one place in a home column where own tokens always share
        self._blocks = rules.own_landing == "block"
        self._ways: dict[int, tuple[Move | None, ...]] = {}
        starts = {seat.start for seat in board.seats}
        safe = {"none": set(), "stars": board.stars, "stars_starts": board.stars | starts, "board": board.safe}[rules.safe]
        self._safe = [frozenset(step for step, place in enumerate(plan.path[: self.home]) if place in safe) for plan in board.seats]
        self._foes = meetings(len(board.ring), self.home, tuple(seat.start for seat in board.seats), tuple(players))
        self._enter = Move(YARD, 0)
        self._bars = self._blocks or (self.single_spaces and not rules.home_jump)
        self.duties = tuple(duty for duty in DUTIES if getattr(rules, duty))

    def moves(self, steps: Steps, seat: int, roll: Roll, duties: bool = True) -> tuple[Move, ...]:
        """All legal moves, each once, sorted by (origin, destination, tokens); without the duties all moves they choose from."""
        own = steps[seat]
        home, shared_end, foes = self.home, self._shared_end, self._foes[seat]
        table = self._ways.get(roll.distance) or self._make_ways(roll.distance)
        barriers = self.barriers(steps, seat, roll) if self._bars else ()
        pairs = self._rules.pair_half and roll.distance % 2 == 0
        found: list[Move] = []
        before = YARD
        if roll.enters and own[0] == YARD:
            self._enter_into(found, steps, seat, roll)
        for origin in own:
            if origin == before:
                continue
            before = origin
            if pairs:
                self._pair_step_into(found, steps, seat, origin, roll, barriers)
            move = table[origin]
            if move is None:
                continue
            destination = move.destination
            if barriers or (destination in own and destination != shared_end):
                move = self._walked(steps, seat, origin, destination, roll, barriers)
            elif destination < home:
                for foe, step in foes[destination]:
                    if step in steps[foe]:
                        move = self._landed(steps, seat, origin, destination, 1)
                        break
            if move is not None:
                found.append(move)
        if pairs:
            found.sort()  # a bounced token may end below the pair
        if self.duties and duties and len(found) > 1:
            for duty in self.duties:
                found = self.dutiful(duty, own, seat, found, roll) or found
        return tuple(found)

    def at_rest(self, own: tuple[int, ...], step: int) -> bool:
        """Whether a token on this step is at its end: the finish, or in a row of single spaces with no empty one ahead."""
        if not self.single_spaces:
            return step == self.last
        return step >= self.home and sum(other > step for other in own) == self.last - step

    def ends_at(self, own: tuple[int, ...], move: Move) -> bool:
        """Whether a move brings its token, one of `own` before it, to its end."""
        if move.destination < self.home:
            return False
        others = list(own)
        others.remove(move.origin)
        return self.at_rest(tuple(others), move.destination)

    def foes_at(self, seat: int, step: int) -> tuple[Capture, ...]:
        """Each other seat that can stand on this ring square of the seat's way, with its own step there."""
        return self._foes[seat][step]

    def target(self, origin: int, distance: int) -> int | None:
        """Where a token would get to on an empty board; None if the roll is too much for it."""
        way = (self._ways.get(distance) or self._make_ways(distance))[origin]
        return None if way is None else way.destination

    # --- the way --------------------------------------------------------------------------------------------------------------

    def _make_ways(self, distance: int) -> tuple[Move | None, ...]:
        """For each origin the move by `distance` on an empty board, None where there is none."""
        self._ways[distance] = ways(self.last, distance, self._rules.overshoot == "bounce")
        return self._ways[distance]

    def barriers(self, steps: Steps, seat: int, roll: Roll) -> tuple[int, ...]:
        """The steps of this seat's way that may not be passed: blocks, and own tokens in a home row of single spaces."""
        own = steps[seat]
        rules = self._rules
        barriers: list[int] = []
        if self.single_spaces and not rules.home_jump and own[-1] >= self.home:
            barriers = [step for step in own if step >= self.home]
        passes = roll.passes or rules.block_pass == "always" or (roll.die == 6 and rules.block_pass in ("six", "six_or_one"))
        if self._blocks and not passes:
            for foe, foe_steps in enumerate(steps):
                if foe != seat or rules.block_stops_owner:
                    barriers += self._block_steps(seat, foe, foe_steps)
        return tuple(barriers)

    def _block_steps(self, seat: int, foe: int, foe_steps: tuple[int, ...]) -> list[int]:
        """Where blocks of `foe` stand, as steps of `seat`."""
        found = []
        previous = YARD
        for step in foe_steps:
            if step == previous and YARD < step < self.home:
                mine = step if foe == seat else self._step_there(foe, step, seat)
                if mine is not None and self.is_block(seat, mine) and mine not in found:
                    found.append(mine)
            previous = step
        return found

    def _step_there(self, seat: int, step: int, other: int) -> int | None:
        """The step at which `other` stands on the square where `seat` stands at `step`; None if its way does not lead there."""
        return next((there for foe, there in self._foes[seat][step] if foe == other), None)

    def is_block(self, seat: int, step: int) -> bool:
        """Whether two tokens of a colour on this square of the seat's way are a block."""
        return self._blocks and (self._rules.blocks_on_safe or step not in self._safe[seat])

    def _walked(self, steps: Steps, seat: int, origin: int, destination: int, roll: Roll, barriers: tuple[int, ...]) -> Move | None:
        """The move with barriers or own tokens in its way: barred, short of them, a hop over the block directly ahead, or as usual."""
        hops = roll.die == 1 and self._rules.block_pass == "six_or_one" and origin + 1 in barriers and origin + 1 < self.home
        settled = self._settled(steps[seat], origin, origin + 2 if hops else destination)
        if settled is None or (not hops and self.crosses(origin, settled, roll.distance, barriers)):
            return None
        return self._landed(steps, seat, origin, settled, 1)

    def crosses(self, origin: int, destination: int, distance: int, barriers: tuple[int, ...]) -> bool:
        """Whether a barrier stands strictly between; a bounced token passes everything up to the end."""
        if origin + distance > self.last:
            low = min(origin, destination)
            return any(step > low and step not in (origin, destination) for step in barriers)
        return any(origin < step < destination for step in barriers)

    def _pair_step_into(
        self, found: list[Move], steps: Steps, seat: int, origin: int, roll: Roll, barriers: tuple[int, ...]
    ) -> None:
        half = roll.distance // 2
        way = (self._ways.get(half) or self._make_ways(half))[origin]
        if way is None or not self.is_own_block(steps[seat], seat, origin) or self.crosses(origin, way.destination, half, barriers):
            return
        move = self._landed(steps, seat, origin, way.destination, 2)
        if move is not None:
            found.append(move)

    # --- the landing ----------------------------------------------------------------------------------------------------------

    def _settled(self, own: tuple[int, ...], origin: int, destination: int) -> int | None:
        """Where a token bound for `destination` ends among its own (RULES 1.6); None if it may not end there."""
        landing = self._rules.own_landing
        held = own.count(destination) - (1 if destination == origin else 0)
        if landing in ("stack", "block") or destination == self._shared_end or not held:
            return destination
        if landing == "forbidden":
            return None
        while destination in own and destination != origin:
            destination -= 1
        return None if destination in (origin, YARD) else destination

    def _enter_into(self, found: list[Move], steps: Steps, seat: int, roll: Roll) -> None:
        if 0 in steps[seat]:
            if self._rules.own_landing in ("forbidden", "preceding"):
                return
        elif not any(step in steps[foe] for foe, step in self._foes[seat][0]):
            found.append(self._enter)
            return
        move = self._landed(steps, seat, YARD, 0, 1, roll.arrivals)
        if move is not None:
            found.append(move)

    def _landed(
        self, steps: Steps, seat: int, origin: int, destination: int, tokens: int, arrivals: tuple[int, ...] = ()
    ) -> Move | None:
        """The move with its captures (RULES 1.7); None where it may not end."""
        stays = steps[seat].count(destination) - (tokens if origin == destination else 0)
        if destination >= self.home:
            room = 1 if self.single_spaces else TOKENS if destination == self.last else self._rules.stack_max
            return None if room is not None and stays + tokens > room else Move(origin, destination, tokens)
        captures = self._captures(steps, seat, origin, destination, tokens, stays, arrivals)
        return None if captures is None else Move(origin, destination, tokens, captures)

    def _captures(
        self, steps: Steps, seat: int, origin: int, destination: int, tokens: int, stays: int, arrivals: tuple[int, ...]
    ) -> tuple[Capture, ...] | None:
        """The tokens sent home by landing on this ring square; None if landing there is not allowed."""
        rules = self._rules
        is_safe = destination in self._safe[seat]
        present: list[Capture] = []
        for foe, step in self._foes[seat][destination]:
            count = steps[foe].count(step)
            if count > 1 and self.is_block(seat, destination):
                pair_wins = rules.pair_captures_pair and tokens == 2 and count == 2 and not is_safe
                if not pair_wins:
                    return None
            present += [(foe, step)] * count
        room = rules.stack_max
        if not is_safe or (origin == YARD and rules.enter_captures_on_safe):
            return None if room is not None and stays + tokens > room else tuple(present)
        if present and rules.safe_landing == "forbidden":
            return None
        if room is None or len(present) + stays + tokens <= room:
            return ()
        if origin == YARD and rules.full_start_sends_home and present and len(present) + stays == room:
            here = [foe for foe, _ in present]
            last = next((foe for foe in reversed(arrivals) if foe in here), here[-1])
            return (present[here.index(last)],)
        return None

    # --- the duties -----------------------------------------------------------------------------------------------------------

    def dutiful(self, duty: str, own: tuple[int, ...], seat: int, found: list[Move], roll: Roll) -> list[Move]:
        """The moves that fulfil a duty (RULES 1.5.5); none where there is no such duty now."""
        if duty == "force_entry":
            return [move for move in found if move.origin == YARD]
        if duty == "clear_start":
            return [move for move in found if move.origin == 0] if YARD in own else []
        if duty == "open_block_on_six":
            opens = roll.die == 6
            return [move for move in found if opens and move.tokens == 1 and self.is_own_block(own, seat, move.origin)]
        return [move for move in found if move.captures]

    def is_own_block(self, own: tuple[int, ...], seat: int, step: int) -> bool:
        """Whether the seat's tokens on this step are a block."""
        return YARD < step < self.home and own.count(step) > 1 and self.is_block(seat, step)

    def is_safe(self, seat: int, step: int) -> bool:
        """Whether this step of the seat's way is a safe square on the ring."""
        return step in self._safe[seat]


@lru_cache(maxsize=64)
def meetings(length: int, home: int, starts: tuple[int, ...], players: tuple[int, ...]) -> tuple[tuple[tuple[Capture, ...], ...], ...]:
    """For each seat and each ring step of its way: every other playing seat that comes to the same square, with its own step there."""
    return tuple(
        tuple(
            tuple((foe, step) for foe in players if foe != seat and (step := (start + own - starts[foe]) % length) < home)
            for own in range(home)
        )
        for seat, start in enumerate(starts)
    )


@lru_cache(maxsize=256)
def ways(last: int, distance: int, bounces: bool) -> tuple[Move | None, ...]:
    """For each step the move by `distance` on an empty board, None where there is none."""
    ends = [origin + distance if origin + distance <= last else 2 * last - origin - distance if bounces else YARD for origin in range(last)]
    return (*(Move(origin, end) if end > YARD else None for origin, end in enumerate(ends)), None)


def moved(steps: Steps, seat: int, move: Move) -> Steps:
    """The position after a move."""
    origin, destination, tokens, captures = move
    after = list(steps)
    own = list(steps[seat])
    own[own.index(origin)] = destination
    if tokens == 2:
        own[own.index(origin)] = destination
    own.sort()
    after[seat] = tuple(own)
    for foe, step in captures:
        after[foe] = shifted(after[foe], step, YARD, 1)
    return tuple(after)


def shifted(own: tuple[int, ...], origin: int, destination: int, tokens: int) -> tuple[int, ...]:
    left = list(own)
    for _ in range(tokens):
        left.remove(origin)
        left.append(destination)
    left.sort()
    return tuple(left)


def shifts(before: Steps, after: Steps) -> tuple[tuple[int, int, int], ...]:
    """The (seat, from, to) token shifts that turn one position into the other."""
    found: list[tuple[int, int, int]] = []
    for seat, (old, new) in enumerate(zip(before, after, strict=True)):
        gone, come = list(old), list(new)
        for step in old:
            if step in come:
                come.remove(step)
                gone.remove(step)
        found += [(seat, origin, destination) for origin, destination in zip(gone, come, strict=True)]
    return tuple(found)
