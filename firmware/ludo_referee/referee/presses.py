"""The button, the clock and the devices: what a press means in each phase, and what happens when nobody does anything."""

from __future__ import annotations

from ..rules.game import Phase as GamePhase
from . import choosing, notices, setup, sight, turns
from .draft import Draft
from .effects import RollDie, Show
from .events import BoardMoved, CameraState, Gesture, PageAt, Pledged, Recorded, RobotChose, Throw, Tick
from .present import locked, to_move
from .state import Phase
from .views import Address, RecordingMade

RECORDED_S = 5.0  # whoever asked for a recording is told so long
HELP_S = 8.0  # the answer to "what now?" stands so long
DIE_PATIENCE_S = 3.0  # no answer from the die: press again
ENTRY_S = 2.0  # no further tap: the family's die shows that many
WITHOUT = {"none": "no_camera", "lost": "camera_lost"}  # by the camera's state: as what a table is blind


# --- before the game --------------------------------------------------------------------------------------------------


def tap_looking(draft: Draft, event: Gesture) -> None:
    """Without a camera the game can be played by button alone."""
    if draft.state.blind is not None:
        setup.set_up(draft)
    else:
        setup.ask_without_sight(draft)


def tap_to_begin(draft: Draft, event: Gesture) -> None:
    """The press that begins the game is also the first throw; one that goes on with a game only goes on."""
    restoring = draft.state.restoring
    if restoring and setup.ask_how_to_go_on(draft):
        return
    if setup.press_to_begin(draft) and not restoring:
        turns.ask_die(draft)


def throw_to_begin(draft: Draft, event: Throw) -> None:
    """A throw in set-up: the tokens are in place, the game is on."""
    setup.begin(draft)
    if draft.state.phase in (Phase.OPENING, Phase.TO_ROLL):
        turns.throw(draft, event.value)


# --- throwing ---------------------------------------------------------------------------------------------------------


def tap_to_roll(draft: Draft, event: Gesture) -> None:
    """Throw, unless the press came while the last throw still rolls or right after the turn changed."""
    if locked(draft.house.options, draft.state, event.t):
        draft.refuse()
        return
    turns.ask_die(draft)
    if draft.house.options.die == "taps":
        draft.set(entry=1)


def throw(draft: Draft, event: Throw) -> None:
    """The die shows a value that was waited for."""
    turns.throw(draft, event.value)


def tap_own_die(draft: Draft, event: Gesture) -> None:
    """One more eye of the family's own die."""
    if draft.house.options.die != "taps":
        draft.refuse()
        return
    draft.acted()
    draft.set(entry=(draft.state.entry or 0) % turns.FACES + 1)


def clear_own_die(draft: Draft, event: Gesture) -> None:
    """Counting the eyes starts anew."""
    draft.acted()
    draft.set(entry=None)


# --- moving -----------------------------------------------------------------------------------------------------------


def tap_to_move(draft: Draft, event: Gesture) -> None:
    """The press says that the move is done: nearly sure, it is accepted and the press throws; if it cannot be seen, it is asked which,
    or what is to be done about what was wrong."""
    hidden = draft.state.doubt is not None and draft.state.doubt.told
    if not sight.settle_by_press(draft):
        if draft.state.phase is Phase.TO_MOVE and (hidden or draft.state.blind is not None):
            choosing.which_move(draft)
        elif hidden:
            choosing.dispute(draft)
        else:
            draft.refuse()
    elif draft.state.phase is Phase.TO_ROLL:
        turns.ask_die(draft)


def throw_while_moving(draft: Draft, event: Throw) -> None:
    """A throw before the move was seen: as a press, it says that the move is done; otherwise the first throw stays. Where a throw is
    waited for, an alarm does not stop it."""
    waits = draft.state.game.phase in (GamePhase.ROLL, GamePhase.START) and draft.state.phase is Phase.WRONG
    if not waits and not sight.settle_by_press(draft):
        draft.refuse()
    elif draft.state.phase is Phase.TO_ROLL or waits:
        turns.throw(draft, event.value)


def tap_wrong(draft: Draft, event: Gesture) -> None:
    """While tokens are put back one by one: the next; otherwise first mend."""
    if draft.state.stepwise is not None:
        draft.acted()
        draft.set(stepwise=draft.state.stepwise + 1)
    else:
        tap_to_move(draft, event)


def tap_mending(draft: Draft, event: Gesture) -> None:
    """Nobody sees the table: the people's word counts. It cannot be read just now: they are asked. Otherwise the tokens first."""
    if draft.state.blind is not None:
        draft.acted()
        draft.settle()
    elif not sight.settle_by_press(draft):
        if draft.state.doubt is not None and draft.state.doubt.told:
            choosing.dispute(draft)
        else:
            draft.refuse()


def robot_chose(draft: Draft, event: RobotChose) -> None:
    """The box asks the people for this move."""
    if draft.state.game.phase is not GamePhase.MOVE or draft.house.robot(draft.state.game.turn) is None:
        return
    wanted = (event.origin, event.destination, event.tokens)
    for move in draft.game.legal(draft.state.game):
        if (move.origin, move.destination, move.tokens) == wanted:
            draft.set(asked=move)


# --- questions --------------------------------------------------------------------------------------------------------


def tap_choosing(draft: Draft, event: Gesture) -> None:
    """The next choice; a single one is taken."""
    choosing.offer_next(draft)
    _show_again(draft)


def hold_choosing(draft: Draft, event: Gesture) -> None:
    """The choice that is offered."""
    choosing.choose(draft)
    _show_again(draft)


def _show_again(draft: Draft) -> None:
    """A camera that came anew during the question has still to be shown the table."""
    if not draft.state.learned:
        setup.see_again(draft)


# --- at any time ------------------------------------------------------------------------------------------------------


def what_now(draft: Draft, event: Gesture) -> None:
    """Who is to do what, with the places of the movable tokens; in set-up the page's address."""
    draft.acted()
    state = draft.state
    if state.phase is Phase.SETTING_UP and state.url is not None:
        draft.play_reel((Address(state.url), HELP_S))
        return
    draft.set(reel=())
    if state.phase is Phase.TO_MOVE:
        draft.play_reel((to_move(draft.house, draft.state, help_wanted=True), HELP_S))
    draft.do(Show(draft.standing()))


def tick(draft: Draft, event: Tick) -> None:
    """Time passes: views follow each other, wrong pictures and doubts ripen, reminders come."""
    _next_view(draft)
    options, state = draft.house.options, draft.state
    if state.suspect is not None and draft.t - state.suspect_t >= options.settle_s:
        sight.call_wrong(draft)
    elif sight.settle_by_patience(draft):
        pass
    elif state.doubt is not None and not state.doubt.told and draft.t - state.doubt.since >= options.unclear_s:
        sight.tell_doubt(draft)
    _time_out(draft)
    _robot_throws(draft)
    if draft.state.started and draft.t - draft.state.acted_t >= options.remind_s and draft.state.reminded < options.reminders:
        draft.set(acted_t=draft.t, reminded=draft.state.reminded + 1)
        draft.sound("turn")
        draft.do(Show(draft.standing()))


def _next_view(draft: Draft) -> None:
    reel, since = draft.state.reel, draft.state.reel_t
    while reel and draft.t - since >= reel[0][1]:
        since += reel[0][1]
        reel = reel[1:]
    draft.set(reel=reel, reel_t=since)


def _time_out(draft: Draft) -> None:
    state, options = draft.state, draft.house.options
    quiet_s = draft.t - state.acted_t
    if state.choosing is not None and draft.t - state.choosing.since >= options.choose_s:
        choosing.leave(draft)
        _show_again(draft)
    elif state.phase is Phase.AGREEING and quiet_s >= options.agree_s:
        draft.resume()
    elif state.phase is Phase.ROLLING and state.entry is not None and quiet_s >= ENTRY_S:
        turns.throw(draft, state.entry)
    elif state.phase is Phase.ROLLING and options.die == "box" and quiet_s >= DIE_PATIENCE_S:
        draft.settle()


def _robot_throws(draft: Draft) -> None:
    state, options = draft.state, draft.house.options
    if state.phase not in (Phase.OPENING, Phase.TO_ROLL) or state.reel:
        return
    if draft.house.robot(state.game.turn) is not None and draft.t - max(state.changed_t, state.acted_t) >= options.robot_s:
        turns.ask_die(draft)
        if options.die != "box":
            draft.do(RollDie())


def camera_state(draft: Draft, event: CameraState) -> None:
    """Lost, or none: the game goes on by button. Back: the table is compared, or shown to vision anew."""
    without = WITHOUT.get(event.state)
    if without == (draft.state.blind if draft.state.blind in WITHOUT.values() else None):
        return
    draft.tell(notices.Camera(draft.t, event.state if without else "back"))
    if event.state == "fresh":
        draft.set(learned=False)
    if without:
        _go_blind(draft, without)
    else:
        draft.set(blind=None)
        setup.see_again(draft)


def _go_blind(draft: Draft, what: str) -> None:
    """What was seen last counts for nothing; the button goes on."""
    draft.set(blind=what, suspect=None, doubt=None, sighting=None)
    if draft.state.phase in (Phase.WRONG, Phase.RETURNING, Phase.MENDING):
        draft.settle()


def board_moved(draft: Draft, event: BoardMoved) -> None:
    """The board is no longer where it was: nothing is decided until it is found again."""
    if draft.state.blind is None and draft.state.phase is not Phase.LOOKING:
        draft.tell(notices.BoardMoved(draft.t))
        _go_blind(draft, "board_moved")


def pledged(draft: Draft, event: Pledged) -> None:
    draft.set(pledge=event.digest)


def page_at(draft: Draft, event: PageAt) -> None:
    draft.set(url=event.url)


def recorded(draft: Draft, event: Recorded) -> None:
    """Say so; a question that is asked meanwhile stays."""
    if draft.state.choosing is None:
        draft.play_reel((RecordingMade(event.how), RECORDED_S))
