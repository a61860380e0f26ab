"""The turn machine (RULES 1.3, 1.4, 1.9). A `Game` is a board with rules and players; what goes in and comes out are values.

Where rule sheets leave room, this is how they are read here: bonus moves are earned for each token captured or brought to its end.
Under `three_sixes` = no_bonus the third six earns no roll for any reason. `last_home` sends home what moved last in this turn, a bonus
move included. After a take-back the newer rolls are played as they fell; one that only a bonus earned restricts the new move to those
that earn it again, and where that cannot be promised (a move in between earned it) there is no take-back so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .board import TOKENS, YARD, Board
from .errors import IllegalMove, PhaseError, PositionError, RulesError
from .moves import Move, MoveMaker, Roll, Steps, moved, shifted, shifts
from .ruleset import DIE, Rules, check
from .state import (
    Arrivals,
    Begins,
    Finished,
    GameOver,
    GameState,
    Moved,
    OpeningTie,
    Outcome,
    Passed,
    Penalty,
    Phase,
    Reasons,
    Step,
    Thrown,
    Turn,
    TurnOf,
)
from .why_not import explain

__all__ = [
    "Begins", "Finished", "Game", "GameOver", "GameState", "Move", "Moved", "OpeningTie", "Outcome", "Passed", "Penalty", "Phase",
    "Step", "Turn", "TurnOf",
]

ROLL, MOVE = Phase.ROLL, Phase.MOVE
_new = tuple.__new__  # all fields in order, without defaults: half the price of GameState(…), paid at every roll and every move
PENALTIES = ("forfeit", "undo_turn", "last_home")


class Game:
    """The rules at work on one board for the seats that play. Immutable; every method is a pure function of its arguments."""

    def __init__(self, board: Board, rules: Rules, players: Sequence[int]) -> None:
        check(rules)
        if not players or len(set(players)) != len(players) or not all(0 <= seat < len(board.seats) for seat in players):
            seats = ", ".join(seat.name for seat in board.seats)
            raise RulesError(f"players {list(players)} cannot play on {board.name}: name different seats of {seats}")
        self.board = board
        self.rules = rules
        self.players = tuple(sorted(players))
        self._first = players[0]
        self.moves = MoveMaker(board, rules, self.players)
        self._at_end = board.last if board.has_finish else board.first_home  # a seat is finished when all its steps are this or more
        self._starts = [seat.start for seat in board.seats]
        self._queues = [  # the steps of each seat on start squares, where the order of arrival matters
            {step for step, place in enumerate(plan.path[: board.first_home]) if place in self._starts} for plan in board.seats
        ] if rules.full_start_sends_home else []
        self._rewarding = rules.capture_bonus != "none" or rules.home_bonus != "none"
        self._passed = {seat: ((Passed(seat, "no_move", False),), (Passed(seat, "no_try_left", False),)) for seat in self.players}
        self._rolls = [(Roll(die, die, die in rules.entry), Roll(rules.six_value_all_out if die == 6 else die, die)) for die in (0, *DIE)]
        self._special_rolls = rules.fast_entry != "off" or rules.bonus_passes_block or rules.full_start_sends_home
        self._turn_of = {seat: (TurnOf(seat),) for seat in self.players}
        self._after = {seat: self.players[(number + 1) % len(self.players)] for number, seat in enumerate(self.players)}
        self._last_asked: tuple[GameState | None, tuple[Move, ...]] = (None, ())

    # --- starting -------------------------------------------------------------------------------------------------------------

    def begin(self, turn: int | None = None) -> GameState:
        """All tokens set up; the opening rolls if no seat is given (and rules.start_order is highest)."""
        on_start = self.rules.initial_on_start
        tokens = (YARD,) * (TOKENS - on_start) + (0,) * on_start
        position = dict.fromkeys(self.players, tokens)
        if turn is None and self.rules.start_order == "highest":
            opening: tuple[tuple[int, int | None], ...] = tuple((seat, None) for seat in self.players)
            return self.resume(position, self.players[0])._replace(phase=Phase.START, opening=opening)
        return self.resume(position, self._first if turn is None else turn)

    def resume(self, position: Mapping[int, Sequence[int]], turn: int, sixes: int = 0) -> GameState:
        """A game already running: that seat is to roll. A playing seat that is not named has its tokens in the yard.

        Seats whose tokens are all home count as finished in the order of play. Raises PositionError.
        """
        if len(self.players) < 2:
            raise PositionError(f"seat {self._name(self.players[0])} plays alone; a game needs at least two seats")
        steps = self.checked_position(position)
        finished = tuple(seat for seat in self.players if self._finished(steps[seat]))
        if turn not in self.players or turn in finished:
            raise PositionError(f"seat {self._name(turn)} cannot be to roll: it {'is finished' if turn in finished else 'does not play'}")
        if len(finished) > (len(self.players) - 2 if self.rules.play_on else 0):
            raise PositionError(f"the game is over: {', '.join(self._name(seat) for seat in finished)} finished; set the tokens up anew")
        return self.standing(steps, turn, sixes)

    def standing(self, steps: Steps, turn: int, sixes: int = 0) -> GameState:
        """These tokens with that seat to roll, unchecked; the seats on a start square are taken to have come in seat order."""
        return GameState(
            steps=steps,
            turn=turn,
            phase=ROLL,
            sixes=sixes,
            tries_left=self._tries(steps[turn]),
            ever_entered=tuple(any(step != YARD for step in own) for own in steps),
            finish_order=tuple(seat for seat in self.players if self._finished(steps[seat])),
            arrivals=self._arrivals((), steps),
            earned=("six",) if sixes else (),
        )

    def checked_position(self, position: Mapping[int, Sequence[int]]) -> Steps:
        """The position as sorted steps a seat. Raises PositionError naming the seat and what is wrong with its tokens."""
        for seat in position:
            if seat not in self.players:
                raise PositionError(f"seat {self._name(seat)} has tokens but does not play; name it among the players or leave it out")
        steps = []
        for seat in range(len(self.board.seats)):
            own = tuple(sorted(position.get(seat, (YARD,) * TOKENS))) if seat in self.players else ()
            if seat in self.players:
                self._check_seat(seat, own)
            steps.append(own)
        return tuple(steps)

    def _check_seat(self, seat: int, own: tuple[int, ...]) -> None:
        name, last = self._name(seat), self.board.last
        if len(own) != TOKENS:
            raise PositionError(f"seat {name} has {len(own)} tokens, not {TOKENS}")
        for step in own:
            if not YARD <= step <= last:
                raise PositionError(f"seat {name} has a token on step {step}; steps go from {YARD} (yard) to {last}")
        home = [step for step in own if step >= self.board.first_home]
        if not self.board.has_finish and len(set(home)) != len(home):
            raise PositionError(f"seat {name} has two tokens on one home space ({home}); each space holds one")

    def _name(self, seat: int) -> str:
        return self.board.seats[seat].name if 0 <= seat < len(self.board.seats) else str(seat)

    # --- rolling --------------------------------------------------------------------------------------------------------------

    def throw(self, state: GameState, value: int) -> Step:
        """The state after the die showed a value (phase START or ROLL). With no legal move the roll is passed at once."""
        if value not in DIE:
            raise PhaseError(f"a die does not show {value!r}; it shows 1 to 6")
        if state.phase is not ROLL:
            return self._throw_opening(state, value)
        steps, seat, _, sixes, tries, _, _, _, entered, finished, log, arrivals, _, earned, thrown, held, _ = state
        sixes = sixes + 1 if value == 6 else 0
        if sixes == 3 and self.rules.three_sixes in PENALTIES:
            return self._third_six(state)
        roll = self._roll_of(state, value, earned) if self._special_rolls else self._rolls[value][steps[seat][0] != YARD]
        moves = self.moves.moves(steps, seat, roll)
        thrown = (*thrown, (value, earned))
        if not moves:
            return self._unplayable(state, value, sixes, thrown)
        after = _new(GameState, (
            steps, seat, MOVE, sixes, tries, value, False, (), entered, finished, log, arrivals, (), (), thrown, held, False,
        ))
        self._last_asked = (after, moves)
        return after, ()

    def _unplayable(self, state: GameState, value: int, sixes: int, thrown: tuple[Thrown, ...]) -> Step:
        """No move for the roll: another roll for a six or as a further try, else the turn ends."""
        rules, seat = self.rules, state.turn
        endless = sixes < 3 or rules.three_sixes != "no_bonus"
        idle = rules.tries > 1 and not self.in_play(state.steps[seat])
        if value == 6 and endless and rules.six_bonus and rules.six_bonus_if_no_move:
            again = state._replace(sixes=sixes, thrown=thrown, earned=("six",))
        elif idle and endless and state.tries_left > 1:
            again = state._replace(sixes=sixes, thrown=thrown, earned=("try",), tries_left=state.tries_left - 1)
        else:
            passed = self._passed[seat][1 if idle else 0]
            return self._end(state, state.steps, state.ever_entered, state.arrivals, passed)
        rolling, after = self._roll_again(again)
        return rolling, (Passed(seat, "no_move", True), *after)

    def _roll_again(self, state: GameState) -> Step:
        """The seat rolls once more; after a take-back the roll that already fell is used."""
        if state.held:
            return self.throw(state._replace(held=state.held[1:]), state.held[0][0])
        return state, ()

    def _third_six(self, state: GameState) -> Step:
        """The third six in a row: lost, and on the table whatever the rules add (RULES 1.4)."""
        seat, log, penalty = state.turn, state.turn_log, self.rules.three_sixes
        after = state
        if penalty == "undo_turn" and log:
            first = log[0].before
            after = state._replace(steps=first.steps, ever_entered=first.ever_entered, arrivals=first.arrivals)
        elif penalty == "last_home" and log and log[-1].move.destination < self.board.first_home:
            move = log[-1].move
            own = shifted(state.steps[seat], move.destination, YARD, move.tokens)
            steps = (*state.steps[:seat], own, *state.steps[seat + 1 :])
            after = state._replace(steps=steps, arrivals=self._arrivals(state.arrivals, steps))
        by_hand = shifts(state.steps, after.steps)
        passed = Passed(seat, "three_sixes", False)
        outcomes = (passed, Penalty(seat, by_hand)) if by_hand else (passed,)
        return self._end(after, after.steps, after.ever_entered, after.arrivals, outcomes)

    def _end(
        self, state: GameState, steps: Steps, entered: tuple[bool, ...], arrivals: Arrivals, outcomes: tuple[Outcome, ...]
    ) -> Step:
        """The turn goes to the next seat that is not finished."""
        seat = self._after[state.turn]
        while seat in state.finish_order:
            seat = self._after[seat]
        tries = self._tries(steps[seat]) if self.rules.tries > 1 else 1
        after = _new(GameState, (
            steps, seat, ROLL, 0, tries, None, False, (), entered, state.finish_order, (), arrivals, (), (), (), (), False,
        ))
        return after, outcomes + self._turn_of[seat]

    def _throw_opening(self, state: GameState, value: int) -> Step:
        if state.phase is not Phase.START:
            raise PhaseError(f"seat {self._name(state.turn)} cannot roll now: the game waits for {_waits_for(state)}")
        opening = tuple((seat, value if seat == state.turn else rolled) for seat, rolled in state.opening)
        waiting = [seat for seat, rolled in opening if rolled is None]
        if waiting:
            return state._replace(opening=opening, turn=waiting[0]), ()
        highest = max(rolled or 0 for _, rolled in opening)
        tied = tuple(seat for seat, rolled in opening if rolled == highest)
        if len(tied) > 1:
            return state._replace(opening=tuple((seat, None) for seat in tied), turn=tied[0]), (OpeningTie(tied),)
        begins = state._replace(phase=Phase.ROLL, turn=tied[0], opening=(), tries_left=self._tries(state.steps[tied[0]]))
        return begins, (Begins(tied[0]),)

    def _tries(self, own: tuple[int, ...]) -> int:
        tries = self.rules.tries
        return tries if tries > 1 and not self.in_play(own) else 1

    def in_play(self, own: tuple[int, ...]) -> bool:
        """Whether a seat has a token on the ring, or one in its home column that can still advance (RULES 1.2)."""
        return any(step != YARD and not self.moves.at_rest(own, step) for step in own)

    # --- moving ---------------------------------------------------------------------------------------------------------------

    def legal(self, state: GameState) -> tuple[Move, ...]:
        """The moves open to `state.turn` for `state.pending`, sorted by (origin, destination, tokens); () outside phase MOVE."""
        asked, moves = self._last_asked
        if asked is state:
            return moves
        if state.phase is not MOVE:
            return ()
        moves = self._moves(state)
        self._last_asked = (state, moves)
        return moves

    def _moves(self, state: GameState) -> tuple[Move, ...]:
        seat = state.turn
        moves = self.moves.moves(state.steps, seat, self.roll(state))
        if state.replaying and state.held and not state.earned and _only_bonus(state.held[0][1]):
            return tuple(move for move in moves if self._earned(state.steps, seat, move))  # RULES 1.9 c: the newer roll is earned anew
        return moves

    def roll(self, state: GameState) -> Roll:
        """What `state.pending` lets the tokens do."""
        if state.pending_is_bonus:
            return Roll(state.pending or 0, None, False, self.rules.bonus_passes_block)
        return self._roll_of(state, state.pending or 0, state.thrown[-1][1] if state.thrown else ())

    def _roll_of(self, state: GameState, value: int, earned: Reasons) -> Roll:
        """What a die showing `value`, given for the reasons `earned`, lets the tokens do."""
        seat = state.turn
        rules = self.rules
        out = state.steps[seat][0] != YARD
        plain = self._rolls[value][out]
        if not self._special_rolls or (out and not rules.bonus_passes_block):
            return plain
        enters = plain.enters or (not state.ever_entered[seat] and (
            rules.fast_entry == "any" or (rules.fast_entry == "one_or_six" and value in (1, 6))
        ))
        passes = rules.bonus_passes_block and any(reason in ("capture", "home") for reason in earned)
        arrivals = next((seats for place, seats in state.arrivals if place == self._starts[seat]), ())
        return Roll(plain.distance, value, enters, passes, arrivals)

    def play(self, state: GameState, move: Move) -> Step:
        """The state after a legal move. Raises IllegalMove."""
        if move not in self.legal(state):
            raise self._refusal(state, move)
        before, seat, _, sixes, _, pending, is_bonus, queue, entered, finished, log, arrivals, _, earned, thrown, held, _ = state
        origin, destination, _, captures = move
        steps = moved(before, seat, move)
        if origin == YARD and not entered[seat]:
            entered = (*entered[:seat], True, *entered[seat + 1 :])
        if self._queues and (origin in self._queues[seat] or destination in self._queues[seat]):
            arrivals = self._arrivals(arrivals, steps)
        if steps[seat][0] >= self._at_end:
            return self._finish(state._replace(steps=steps, ever_entered=entered, arrivals=arrivals), move)
        if self._rewarding and (captures or destination >= self.board.first_home):
            earned, queue = self._rewards(state, move)
        if pending == 6 and self.rules.six_bonus and not is_bonus:
            earned = (*earned, "six")
        if sixes >= 3 and self.rules.three_sixes == "no_bonus":
            earned = ()
        if not earned and not queue:
            return self._end(state, steps, entered, arrivals, (_new(Moved, (seat, move, False, ())),))
        log = (*log, Turn(seat, pending or 0, is_bonus, move, state))
        after = GameState(steps, seat, ROLL, sixes, 1, None, False, (), entered, finished, log, arrivals, (), earned, thrown, held)
        if queue:
            return self._next_bonus(after, queue, move)
        rolling, outcomes = self._roll_again(after)
        return rolling, (Moved(seat, move, True), *outcomes)

    def _next_bonus(self, state: GameState, queue: tuple[int, ...], move: Move) -> Step:
        """The first bonus of the queue that can be played; without one the next roll if it was earned, else the end of the turn."""
        for number, bonus in enumerate(queue):
            offered = state._replace(phase=MOVE, pending=bonus, pending_is_bonus=True, bonus_queue=queue[number + 1 :])
            if self._moves(offered):
                return offered, (Moved(state.turn, move, True, queue[:number]),)
        if not state.earned:
            return self._end(state, state.steps, state.ever_entered, state.arrivals, (Moved(state.turn, move, False, queue),))
        rolling, outcomes = self._roll_again(state)
        return rolling, (Moved(state.turn, move, True, queue), *outcomes)

    def _rewards(self, state: GameState, move: Move) -> tuple[Reasons, tuple[int, ...]]:
        """What has been earned with a move: reasons for another roll, and bonus moves, one for each token captured or at its end."""
        rules, seat, earned, queue = self.rules, state.turn, state.earned, state.bonus_queue
        earned += tuple(reason for reason in self._earned(state.steps, seat, move) if reason not in earned)
        if rules.capture_bonus == "move":
            queue += (rules.capture_n,) * len(move.captures)
        if rules.home_bonus == "move" and self.moves.ends_at(state.steps[seat], move):
            queue += (rules.home_n,) * move.tokens
        return earned, queue

    def _earned(self, steps: Steps, seat: int, move: Move) -> Reasons:
        """The reasons for another roll that the move itself brings."""
        captured = ("capture",) if move.captures and self.rules.capture_bonus == "roll" else ()
        return (*captured, "home") if self.rules.home_bonus == "roll" and self.moves.ends_at(steps[seat], move) else captured

    def _finish(self, state: GameState, move: Move) -> Step:
        """All tokens of the seat are home: its turn ends, and with it perhaps the game."""
        seat = state.turn
        order = (*state.finish_order, seat)
        outcomes: tuple[Outcome, ...] = (Moved(seat, move, False), Finished(seat, len(order)))
        left = tuple(player for player in self.players if player not in order)
        state = state._replace(finish_order=order)
        if len(left) > 1 and self.rules.play_on:
            return self._end(state, state.steps, state.ever_entered, state.arrivals, outcomes)
        if self.rules.play_on:
            order += left
        over = GameState(state.steps, seat, Phase.OVER, ever_entered=state.ever_entered, finish_order=order, arrivals=state.arrivals)
        return over, (*outcomes, GameOver(order))

    def _finished(self, own: tuple[int, ...]) -> bool:
        return own[0] >= self._at_end

    def _refusal(self, state: GameState, move: Move) -> Exception:
        if state.phase is not MOVE:
            return PhaseError(f"seat {self._name(state.turn)} cannot move now: the game waits for {_waits_for(state)}")
        return self.why_not(state, state.turn, move.origin, move.destination, move.tokens)

    def why_not(self, state: GameState, seat: int, origin: int, destination: int, tokens: int = 1) -> IllegalMove:
        """Why `tokens` of a seat may not go from `origin` to `destination` in phase MOVE: the error that `play` would raise."""
        return explain(self, state, seat, origin, destination, tokens)

    # --- tokens on start squares, in order of arrival -------------------------------------------------------------------------

    def _arrivals(self, before: Arrivals, steps: Steps) -> Arrivals:
        """Keeps those who stay in their order and puts newcomers last."""
        if not self.rules.full_start_sends_home:
            return ()
        known = dict(before)
        after = []
        for owner in self.players:
            present = [owner] * steps[owner].count(0)
            for foe, step in self.moves.foes_at(owner, 0):
                present += [foe] * steps[foe].count(step)
            order: list[int] = []
            for seat in (*known.get(self._starts[owner], ()), *present):
                if order.count(seat) < present.count(seat):
                    order.append(seat)
            if order:
                after.append((self._starts[owner], tuple(order)))
        return tuple(after)

    # --- taking back ----------------------------------------------------------------------------------------------------------

    def take_backs(self, state: GameState) -> tuple[GameState, ...]:
        """The states that a take-back may return to now, newest move first (RULES 1.9): phase MOVE with the old value pending."""
        form = self.rules.take_back
        if form == "off" or state.phase not in (Phase.ROLL, Phase.MOVE) or (form == "previous" and state.replaying):
            return ()
        found: list[GameState] = []
        log = state.turn_log if form == "whole_turn" else state.turn_log[-1:]
        for number in range(len(log) - 1, -1, -1):
            before = log[number].before
            held = state.thrown[len(before.thrown) :] + state.held
            bonus_follows = number + 1 < len(log) and log[number + 1].bonus
            if any(_only_bonus(reasons) for _, reasons in held[1:]) or (held and bonus_follows and _only_bonus(held[0][1])):
                break  # a newer roll hangs on a move in between, which cannot be promised again
            found.append(before._replace(held=held, replaying=True))
        return tuple(found)


def _only_bonus(reasons: Reasons) -> bool:
    """Whether a roll was given for a capture or a token at its end alone; a roll for a six or a try stays whatever is taken back."""
    return bool(reasons) and all(reason in ("capture", "home") for reason in reasons)


def _waits_for(state: GameState) -> str:
    return {Phase.START: "the opening rolls", Phase.ROLL: "a roll", Phase.MOVE: "a move", Phase.OVER: "a new game"}[state.phase]


