"""What stands on the screen in a state: one view a state, so there is always one that says what to do."""

from __future__ import annotations

from ..rules.board import TOKENS, YARD
from ..rules.game import Move
from ..rules.game import Phase as GamePhase
from ..rules.ruleset import PRESETS, Rules
from . import claims
from .claims import difference
from .in_force import in_force
from .places import where
from .state import House, Options, Phase, State, rest
from .views import (
    AgreeUndo,
    CannotSee,
    Choose,
    DieEntry,
    Displaced,
    Looking,
    MoveByHand,
    Over,
    PlaceTokens,
    Ready,
    RestoreTable,
    ReturnToken,
    Shaken,
    ToMove,
    ToRoll,
    View,
    Where,
    Wrong,
)

OWN = "own"


def preset_name(rules: Rules) -> str:
    """The preset that these rules are, or `own` for a family's own."""
    return next((name for name, switches in PRESETS.items() if Rules(**switches) == rules), OWN)


def present(house: House, state: State) -> View:
    """The standing view of a state."""
    match state.phase:
        case Phase.LOOKING:
            return CannotSee(state.blind) if state.blind else Looking(state.hint)
        case Phase.SETTING_UP:
            return _setting_up(house, state)
        case Phase.CHOOSING if state.choosing is not None:
            return Choose(state.choosing.question, state.choosing.choices, state.choosing.index)
        case Phase.AGREEING if state.before is not None:
            return AgreeUndo(state.before.turn, house.colour(state.before.turn))
        case Phase.OVER:
            return Over(tuple((seat, house.colour(seat)) for seat in state.game.finish_order))
        case Phase.RETURNING if state.half is not None:
            return ReturnToken(tuple((seat, house.colour(seat)) for seat, _ in state.half.out))
        case Phase.WRONG if state.wrong is not None:
            return _wrong(house, state, state.wrong)
        case _:
            return _turn(house, state)


def _setting_up(house: House, state: State) -> View:
    seat = state.game.turn
    if state.restoring:
        return _after_break(house, state)
    problem, problem_seat = setup_problem(house, state)
    nothing_to_count = state.blind is not None and not house.options.free_players
    if state.anyway or (problem is None and (state.ready or complete(state) or nothing_to_count)):
        opening = state.game.phase is GamePhase.START
        return Ready(seat, house.colour(seat), preset_name(state.rules), state.pledge, in_force(state.rules), opening)
    seats = range(len(house.colours))
    counts = tuple(-1 if not plays(house, state, seat) else state.counts[seat] if state.counts else None for seat in seats)
    return PlaceTokens(house.colours, counts, problem, problem_seat)


def _after_break(house: House, state: State) -> RestoreTable:
    seat, seen = state.game.turn, state.compared
    rolled = state.game.pending if state.game.phase is GamePhase.MOVE else None
    moved = tuple(
        Displaced(other, house.colour(other), where(house.board, other, start), where(house.board, other, end))
        for other, start, end in (seen.shifts if seen is not None else ())
    )
    return RestoreTable(seat, house.colour(seat), rolled, seen is not None and not moved, moved)


def plays(house: House, state: State, seat: int) -> bool:
    """Whether a seat may take part."""
    return house.options.free_players or seat in state.players


def complete(state: State) -> bool:
    """All tokens of the players were counted in their yards."""
    return bool(state.counts) and all(state.counts[seat] == TOKENS for seat in state.players)


def setup_problem(house: House, state: State) -> tuple[str | None, int | None]:
    """What is wrong with the tokens set up so far (stranger, missing, too_many, one_seat) and at which seat."""
    counted = [(seat, count) for seat, count in enumerate(state.counts) if count and plays(house, state, seat)]
    for seat in state.strangers:
        if plays(house, state, seat):
            return "stranger", seat
    for seat, count in counted:
        if count != TOKENS:
            return ("missing" if count < TOKENS else "too_many"), seat
    if len(counted) == 1 and None not in state.counts:
        return "one_seat", counted[0][0]
    return None, None


def _turn(house: House, state: State) -> View:
    """The view while tokens are thrown for, moved or put right."""
    seat = state.game.turn
    colour = house.colour(seat)
    if state.phase is Phase.MENDING:
        return _by_hand(house, state)  # what to do stays on the screen, also where nothing can be seen of it
    if state.doubt is not None and state.doubt.told and state.phase is not Phase.ROLLING:
        return _hidden(house, state, state.doubt.what)
    if state.phase is Phase.ROLLING and house.options.die != "box":
        return DieEntry(seat, colour, state.entry)
    if state.blind is not None:
        return _hidden(house, state, state.blind)
    if state.game.phase is GamePhase.MOVE:
        return to_move(house, state)
    return ToRoll(seat, colour, state.why, house.robot(seat) is not None)


def shaken(house: House, state: State, t: float) -> Shaken | None:
    """The die in the hand of who presses now; None where a tap would not throw the box's die."""
    if state.phase not in (Phase.OPENING, Phase.TO_ROLL) or house.options.die != "box" or locked(house.options, state, t):
        return None
    return Shaken(state.game.turn, house.colour(state.game.turn))


def locked(options: Options, state: State, t: float) -> bool:
    """Whether a press counts for nothing: the last throw still rolls, or the turn has only just changed."""
    return t - state.thrown_t < options.rolling_s or t - state.changed_t < options.lockout_s


def _hidden(house: House, state: State, what: str) -> CannotSee:
    """What hides the table, and who is to do what meanwhile."""
    seat, doing = state.game.turn, _doing(house, state)
    asked = to_move(house, state).only if doing == "move" and house.robot(seat) is not None else None
    return CannotSee(what, seat, house.colour(seat), doing, asked)


def _doing(house: House, state: State) -> str:
    match rest(state):
        case Phase.TO_MOVE:
            return "move"
        case Phase.TO_ROLL | Phase.OPENING:
            return state.why if house.robot(state.game.turn) is None else "robot_rolls"
        case _:
            return "wait"


def to_move(house: House, state: State, help_wanted: bool = False) -> ToMove:
    """Whose tokens may move: with beginner help, or asked for, from where; the only move where there is one."""
    seat, game = state.game.turn, house.game(state)
    legal = game.legal(state.game)
    robot = house.robot(seat) is not None

    def place(step: int) -> Where:
        return where(house.board, seat, step)

    only = state.asked if robot else legal[0] if len(legal) == 1 else None
    helping = help_wanted or house.options.beginner_help
    origins = tuple(place(step) for step in sorted({move.origin for move in legal})) if helping and not robot else ()
    route: tuple[Where, Where] | None = (place(only.origin), place(only.destination)) if only and (helping or robot) else None
    return ToMove(seat, house.colour(seat), state.game.pending or 0, state.game.pending_is_bonus, origins, route, robot)


def _by_hand(house: House, state: State) -> View:
    due = difference(state.table, state.game.steps)
    if not due:
        return ToRoll(state.game.turn, house.colour(state.game.turn), state.why)
    seat, start, end = due[0]
    return MoveByHand(seat, house.colour(seat), where(house.board, seat, start), where(house.board, seat, end), len(due), state.mending)


def _wrong(house: House, state: State, wrong: claims.Wrong) -> View:
    seat, start, end = wrong.shifts[0]
    spot = where(house.board, seat, start)
    target = where(house.board, seat, end) if end >= YARD else None
    if state.stepwise is not None and target is not None:
        seat, start, end = wrong.shifts[state.stepwise % len(wrong.shifts)]
        return MoveByHand(
            seat, house.colour(seat), where(house.board, seat, end), where(house.board, seat, start), len(wrong.shifts), "put_back"
        )
    moved = end - start if start > YARD and end > YARD else None
    ends = [move.destination for move in playable(house, state) if (move.origin, move.tokens) == (start, 1) and start < end]
    due = ends[0] if ends and seat == state.game.turn and len(wrong.shifts) == 1 else None
    return Wrong(
        why_wrong(state, wrong), seat, house.colour(seat), spot, target, wrong.rolled, moved, len(wrong.shifts),
        broken_rule(house, state, wrong), where(house.board, seat, due) if due is not None else None,
    )  # fmt: skip


def why_wrong(state: State, wrong: claims.Wrong) -> str:
    """The claim's reason; not_rolled or not_asked where the seat on turn moved a token of its own that it could not mean."""
    if wrong.shifts[0][0] != state.game.turn or wrong.reason != "wrong_token":
        return wrong.reason
    return "not_rolled" if wrong.rolled is None else "not_asked"


def playable(house: House, state: State) -> tuple[Move, ...]:
    """The moves that may be made now: of a robot's the one it asked for."""
    if house.robot(state.game.turn) is not None:
        return (state.asked,) if state.asked is not None else ()
    return house.game(state).legal(state.game)


def broken_rule(house: House, state: State, wrong: claims.Wrong) -> str:
    """The finer rule that stands against a wrong move of one token, a key of the rules' own reasons; "" for anything else."""
    seat, start, end = wrong.shifts[0]
    if len(wrong.shifts) > 1 or seat != state.game.turn or state.game.phase is not GamePhase.MOVE or end < YARD:
        return ""
    return house.game(state).why_not(state.game, seat, start, end).detail
