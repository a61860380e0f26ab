"""Throws and moves: what the rules say becomes what the people hear and see."""

from __future__ import annotations

from ..rules import game as rules
from ..rules.game import GameState, Move, Outcome
from . import notices
from .draft import Draft
from .effects import Accept, AskRobot, RollDie
from .state import Phase, rest
from .views import Captured, FinishedSeat, NoMove, Rolled, TakenBack, View

FACES = 6


# --- throwing ---------------------------------------------------------------------------------------------------------


def ask_die(draft: Draft) -> None:
    """The seat on turn throws: the box's die is asked, or the family's own is waited for."""
    draft.acted()
    draft.set(entry=None, reel=(), suspect=None, doubt=None)
    draft.go(Phase.ROLLING)
    if draft.house.options.die == "box":
        draft.do(RollDie())


def throw(draft: Draft, value: int) -> None:
    """The die shows a value for the seat on turn."""
    if not 1 <= value <= FACES:
        draft.refuse()
        return
    before = draft.state.game
    seat, opening = before.turn, before.phase is rules.Phase.START
    after, outcomes = draft.game.throw(before, value)
    draft.acted()
    draft.tell(notices.Roll(draft.t, seat, value))
    draft.sound("roll")
    _count(draft, seat, value)
    draft.set(game=after, thrown_t=draft.t, entry=None, doubt=None, sighting=None, suspect=None, wrong=None, stepwise=None)
    if opening and not outcomes:
        turn_of(draft, after.turn, draft.state.why)
    options = draft.house.options
    face: tuple[View, float] = (Rolled(seat, draft.house.colour(seat), value, opening), options.rolling_s + options.face_s)
    reel = [face, *follow(draft, outcomes, value)]
    if len(reel) > 1:
        reel[0] = (face[0], options.rolling_s + options.face_s / 2)
    draft.play_reel(*reel)
    enter(draft)


def _count(draft: Draft, seat: int, value: int) -> None:
    rows = [list(row) for row in draft.state.throws] or [[0] * FACES for _ in draft.house.colours]
    rows[seat][value - 1] += 1
    draft.set(throws=tuple(tuple(row) for row in rows))


def enter(draft: Draft) -> None:
    """Go on where the game now stands; a robot on turn is asked for its move."""
    draft.go(rest(draft.state))
    draft.set(asked=None)
    game = draft.state.game
    strength = draft.house.robot(game.turn)
    if game.phase is not rules.Phase.MOVE or strength is None:
        return
    legal = draft.game.legal(game)
    if len(legal) == 1:
        draft.set(asked=legal[0])
    else:
        draft.do(AskRobot(game.turn, strength))


# --- moving -----------------------------------------------------------------------------------------------------------


def play(draft: Draft, move: Move, index: int | None) -> None:
    """A legal move is finished; `index` is the candidate that shows it, None if nobody sees the table."""
    before = draft.state.game
    seat, value = before.turn, before.pending or 0
    after, outcomes = draft.game.play(before, move)
    draft.acted()
    draft.tell(notices.Move(draft.t, seat, move.origin, move.destination, move.tokens, move.captures))
    table = draft.state.table
    if index is not None:
        draft.do(Accept(index))
        table = moved(before, move)
    alerted = draft.state.half_told == move
    draft.set(game=after, table=table, before=before, told=(), dismissed=(), half_told=None, sighting=None)
    views: list[tuple[View, float]] = []
    if move.captures and not alerted:
        draft.sound("capture")
        views.append((captured_view(draft, seat, move), draft.house.options.alert_s))
    elif after.steps[seat].count(draft.house.board.last) > before.steps[seat].count(draft.house.board.last):
        draft.sound("home")
    draft.play_reel(*views, *follow(draft, outcomes, value, move))
    draft.settle()
    enter(draft)


def moved(before: GameState, move: Move) -> tuple[tuple[int, ...], ...]:
    """The table right after a move, before any penalty of the rules."""
    seats = [list(steps) for steps in before.steps]
    for _ in range(move.tokens):
        seats[before.turn].remove(move.origin)
        seats[before.turn].append(move.destination)
    for seat, step in move.captures:
        seats[seat].remove(step)
        seats[seat].append(-1)
    return tuple(tuple(sorted(steps)) for steps in seats)


def captured_view(draft: Draft, seat: int, move: Move) -> Captured:
    """Who took whom."""
    return Captured(seat, draft.house.colour(seat), tuple((foe, draft.house.colour(foe)) for foe, _ in move.captures))


def follow(draft: Draft, outcomes: tuple[Outcome, ...], value: int, move: Move | None = None) -> list[tuple[View, float]]:
    """Tell the rules' outcomes in order; the views that are to be shown for a while."""
    alert = draft.house.options.alert_s
    views: list[tuple[View, float]] = []
    for outcome in outcomes:
        match outcome:
            case rules.OpeningTie():
                turn_of(draft, draft.state.game.turn, "tie")
            case rules.Begins(seat=seat):
                turn_of(draft, seat, "begins")
            case rules.TurnOf(seat=seat):
                turn_of(draft, seat)
            case rules.Passed(seat=seat, reason=reason, again=again):
                draft.tell(notices.Pass(draft.t, seat, reason))
                views.append((NoMove(seat, draft.house.colour(seat), value, reason, again), alert))
                if again:
                    draft.set(why="six" if value == FACES else "try_again", changed_t=draft.t)
            case rules.Penalty():
                draft.set(mending="three_sixes")
            case rules.Moved(again=True):
                draft.set(why=_why_again(draft, value, move), changed_t=draft.t)
            case rules.Finished(seat=seat, place=place):
                draft.tell(notices.Finish(draft.t, seat, place))
                draft.sound("win")
                views.append((FinishedSeat(seat, draft.house.colour(seat), place), alert))
            case rules.GameOver(order=order):
                draft.tell(notices.GameOver(draft.t, order))
    return views


def turn_of(draft: Draft, seat: int, why: str | None = None) -> None:
    """It is this seat's turn to throw; its tune comes when the screen says so."""
    opening = draft.state.game.phase is rules.Phase.START
    draft.set(why=why or ("opening" if opening else "turn"), changed_t=draft.t, tune_due=True)
    draft.tell(notices.Turn(draft.t, seat, draft.state.why))


def _why_again(draft: Draft, value: int, move: Move | None) -> str:
    if value == FACES:
        return "six"
    return "captured" if move is not None and move.captures else "finished_token"


# --- taking back ------------------------------------------------------------------------------------------------------


def take_back(draft: Draft, state: GameState, index: int) -> None:
    """The table shows the position before a move of this turn: its roll is to be played again."""
    draft.acted()
    draft.tell(notices.TakeBack(draft.t, state.turn))
    draft.do(Accept(index))
    _restart_move(draft, state)
    draft.set(table=state.steps)
    draft.settle()
    enter(draft)


def take_back_and_move(draft: Draft, state: GameState, move: Move, index: int) -> None:
    """A move of this turn was put back and its roll played differently in one go."""
    draft.tell(notices.TakeBack(draft.t, state.turn))
    draft.set(game=state)
    play(draft, move, index)


def undo(draft: Draft) -> None:
    """The last accepted move is undone by agreement: the people put its tokens back, then its roll is played again."""
    before = draft.state.before
    if before is None:
        return
    draft.acted()
    draft.tell(notices.TakeBack(draft.t, before.turn))
    _restart_move(draft, before)
    draft.set(mending="undo")
    draft.settle()
    enter(draft)


def _restart_move(draft: Draft, state: GameState) -> None:
    draft.set(game=state, before=None, told=(), dismissed=(), half_told=None, sighting=None, changed_t=draft.t)
    view = TakenBack(state.turn, draft.house.colour(state.turn), state.pending or 0)
    draft.play_reel((view, draft.house.options.alert_s))


def override(draft: Draft, after: GameState, index: int) -> None:
    """The people take the table as it stands in candidate `index`; `after` is the game from there."""
    draft.acted()
    draft.tell(notices.Override(draft.t, after.steps))
    draft.do(Accept(index))
    draft.set(game=after, table=after.steps, before=None, told=(), dismissed=(), sighting=None, reel=())
    if after.phase is rules.Phase.ROLL:
        turn_of(draft, after.turn)
    draft.settle()
    enter(draft)


def force_table(draft: Draft, index: int) -> None:
    """The people say that the tokens stand as they should."""
    draft.do(Accept(index))
    draft.set(table=draft.state.game.steps, sighting=None)
    draft.settle()
    enter(draft)


