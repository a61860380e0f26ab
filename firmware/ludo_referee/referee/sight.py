"""What a ranking of vision means: accept, wait, ask, or say what is wrong. It never guesses."""

from __future__ import annotations

import math
from dataclasses import replace

from . import claims, notices
from .choosing import choose_reading
from .draft import Draft
from .effects import Accept
from .events import Ranked, Unreadable
from .places import square
from .present import broken_rule, why_wrong
from .setup import see_again
from .state import Doubt, Phase, Sighting, rest
from .turns import captured_view, enter, play, take_back, take_back_and_move

_MISSING = 5.0  # silhouettes: a token of which people are told that it is missing shows so clearly that it is gone. Bare print in its
# stead brings seven or eight; a token set down a little aside on print of its own colour brought three.

LOST = ("no_camera", "camera_lost", "board_moved")
"""Blindness that ends with an event of its own; any other ends with a picture that can be read."""


def ranked(draft: Draft, event: Ranked) -> None:
    """A still picture was weighed: act on it when it is sure, else remember the doubt."""
    state, options = draft.state, draft.house.options
    if event.question != state.question or not 0 <= event.best < len(draft.claims):
        return
    if state.blind is not None:
        if state.blind not in LOST and event.unexplained <= options.unexplained_limit:
            draft.set(blind=None)
            see_again(draft)
        return
    draft.set(sighting=Sighting(event.best, event.lead, event.unexplained))
    best = draft.claims[event.best].claim
    if event.unexplained > options.unexplained_limit:
        stray = _stray(draft, event)
        if stray is None:
            _unsure(draft, event)
        else:
            draft.set(doubt=None)
            _suspect(draft, stray)
    elif isinstance(best, claims.Wrong):
        accused = accusation(draft, event, best, options.accuse_margin)
        if accused is None:
            _unsure(draft, event)
            _keep_hunch(draft, accusation(draft, event, best, options.margin))
        else:
            draft.set(doubt=None)
            _suspect(draft, accused)
    elif event.lead >= options.margin:
        draft.set(doubt=None)
        act(draft, event.best)
    else:
        _unsure(draft, event)


def note(draft: Draft, event: Ranked) -> None:
    """While people answer a question the newest ranking is only remembered."""
    if event.question == draft.state.question and 0 <= event.best < len(draft.claims):
        draft.set(sighting=Sighting(event.best, event.lead, event.unexplained))


def accusation(draft: Draft, event: Ranked, best: claims.Wrong, accuse_margin: float) -> claims.Wrong | None:
    """What is surely wrong, or None. An alarm accuses people: it has to lead every innocent claim by more than a move has to lead.
    Where it cannot be told which of several wrong pictures it is, what is common to them."""
    options = draft.house.options
    if not event.ranking:
        return best if event.lead >= options.margin else None
    weighed = draft.claims
    found = [(weighed[index].claim, score) for index, score in event.ranking if index < len(weighed)]
    top = found[0][1]
    innocent = max((score for claim, score in found if not isinstance(claim, claims.Wrong)), default=-math.inf)
    if top - innocent < accuse_margin:
        return None
    if event.lead >= options.margin:
        return best
    near = [claim for claim, score in found if isinstance(claim, claims.Wrong) and top - score < options.margin]
    reasons = {wrong.reason for wrong in near}
    common = [shift for shift in best.shifts if all(shift in wrong.shifts for wrong in near)]
    tokens = {wrong.shifts[0][:2] for wrong in near}
    if not common and len(tokens) == 1:
        common = [(*tokens.pop(), claims.SOMEWHERE)]
    if not common and len({(seat, end) for wrong in near for seat, _, end in wrong.shifts}) == 1:
        common = list(best.shifts)  # a token stands where none may: the likeliest is named
    if not common:
        return None
    return claims.Wrong(reasons.pop() if len(reasons) == 1 else "unclear_change", tuple(common), best.rolled)


def _stray(draft: Draft, event: Ranked) -> claims.Wrong | None:
    """A token that moved beside what the best claim says of others: it is gone from where it stood, wherever it went. None where
    more has changed than that."""
    state, options, best = draft.state, draft.house.options, draft.claims[event.best]
    if len(event.gone) != 1:
        return None
    seat, place, worth = event.gone[0]
    if worth < _MISSING or event.unexplained - worth > options.unexplained_limit:
        return None
    step = next((step for step in state.table[seat] if claims.place_of(draft.house.board, seat, step) == place), None)
    if step is None:  # vision is a question behind
        return None
    shift = (seat, step, claims.SOMEWHERE)
    if seat != state.game.turn and not isinstance(best.claim, claims.Wrong):
        return claims.Wrong("wrong_token", (shift,), state.game.pending)
    if event.lead >= options.margin and best.shifts:
        return claims.Wrong("several_moved", (*best.shifts, shift), state.game.pending)
    near = [draft.claims[index].shifts[:1] for index, score in event.ranking if event.ranking[0][1] - score < options.margin]
    tokens = {moved[:2] for shifts in near for moved in shifts} | {shift[:2]}
    if () in near or len(tokens) != 2:
        return None
    return claims.Wrong("several_moved", tuple((*token, claims.SOMEWHERE) for token in sorted(tokens)), state.game.pending)


def _keep_hunch(draft: Draft, hunch: claims.Wrong | None) -> None:
    """What is likely wrong is said instead of "I cannot tell" when the table is left like that."""
    doubt = draft.state.doubt
    if doubt is not None and draft.state.phase in (Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE, Phase.RETURNING):
        draft.set(doubt=replace(doubt, hunch=hunch))


def act(draft: Draft, index: int) -> None:
    """Candidate `index`, no wrong one, is what the table shows."""
    draft.set(suspect=None)
    match draft.claims[index].claim:
        case claims.Unchanged():
            _unchanged(draft)
        case claims.Legal(move=move):
            play(draft, move, index)
        case claims.HalfCapture() as half:
            _half_capture(draft, half)
        case claims.Halfway():
            draft.settle()
        case claims.TakenBack(state=before):
            take_back(draft, before, index)
        case claims.TakenBackAndMoved(state=before, move=move):
            take_back_and_move(draft, before, move, index)
        case claims.Either() as either:
            choose_reading(draft, either)
        case claims.Mended(left=left):
            _mended(draft, left, index)


def _unchanged(draft: Draft) -> None:
    if draft.state.phase is Phase.WRONG:
        draft.acted()
        draft.tell(notices.Restored(draft.t))
    draft.settle()


def _half_capture(draft: Draft, claim: claims.HalfCapture) -> None:
    """The captured token is still to go home: said once a move, shown until it is done."""
    draft.set(wrong=None, half=claim)
    draft.go(Phase.RETURNING)
    if draft.state.half_told == claim.move:
        return
    draft.acted()
    draft.set(half_told=claim.move)
    for seat, step in claim.out:
        draft.tell(notices.ReturnToken(draft.t, seat, step))
    draft.sound("capture")
    draft.play_reel((captured_view(draft, draft.state.game.turn, claim.move), draft.house.options.alert_s))


def _mended(draft: Draft, left: tuple[claims.Shift, ...], index: int) -> None:
    """Some or all of the tokens that had to be moved by hand stand where they should."""
    draft.acted()
    done = draft.claims[index].shifts
    draft.do(Accept(index))
    draft.set(table=claims.shifted(draft.state.table, done), sighting=None)
    if not left:
        draft.settle()
        enter(draft)


def _suspect(draft: Draft, claim: claims.Wrong) -> None:
    """A wrong picture; it is called when it lasts (a token may still be on its way)."""
    if claim in draft.state.dismissed or (draft.state.phase is Phase.WRONG and draft.state.wrong == claim):
        return
    if draft.state.suspect != claim:
        draft.set(suspect=claim, suspect_t=draft.t)


def call_wrong(draft: Draft) -> None:
    """The suspected picture lasted: say what is wrong."""
    claim = draft.state.suspect
    if claim is None:
        return
    draft.acted()
    draft.set(wrong=claim, suspect=None, half=None, stepwise=None, reel=())
    draft.go(Phase.WRONG)
    if claim not in draft.state.told:
        draft.set(told=(*draft.state.told, claim))
        why = why_wrong(draft.state, claim)
        rule = broken_rule(draft.house, draft.state, claim) if why == claim.reason else why
        draft.tell(notices.Illegal(draft.t, claim.reason, claim.seen, rule))
    draft.sound("wrong")


# --- doubt ------------------------------------------------------------------------------------------------------------


def _unsure(draft: Draft, event: Ranked) -> None:
    draft.set(suspect=None)
    best = draft.claims[event.best]
    options = draft.house.options
    if event.unexplained > options.unexplained_limit:
        doubt(draft, "covered", None)
    elif not isinstance(best.claim, claims.Unchanged):
        seat, start, end = best.shifts[0]
        board = draft.house.board
        place = claims.place_of(board, seat, end)
        doubt(draft, "token_between", square(board, board.place(seat, start) if place is None else place))
    elif rest(draft.state) is Phase.TO_MOVE and event.lead < options.margin / 2:
        doubt(draft, "token_between", None)


def unreadable(draft: Draft, event: Unreadable) -> None:
    """A still picture says nothing."""
    draft.set(suspect=None)
    doubt(draft, event.what, event.near)


def doubt(draft: Draft, what: str, near: tuple[int, int] | None) -> None:
    """It cannot tell, since now if it could tell before."""
    old = draft.state.doubt
    since, told = (draft.t, False) if old is None else (old.since, old.told and old.what == what)
    draft.set(doubt=Doubt(what, near, since, told))


def tell_doubt(draft: Draft) -> None:
    """It has been in doubt for long: say what would help."""
    old = draft.state.doubt
    if old is None:
        return
    if old.hunch is not None:
        draft.set(doubt=None, suspect=old.hunch)
        call_wrong(draft)
        return
    draft.set(doubt=Doubt(old.what, old.near, old.since, True))
    draft.tell(notices.Unclear(draft.t, old.what, old.near))


def hand_over_board(draft: Draft) -> None:
    """Something moves: what was suspected need not be so, and people are at it."""
    draft.set(suspect=None, doubt=None, acted_t=draft.t)


# --- a press as a witness ---------------------------------------------------------------------------------------------


def settle_by_press(draft: Draft) -> bool:
    """A press says that the move is over: with it a smaller lead is enough to accept the legal move that vision favours (or the
    tokens put right by hand). True: accepted."""
    return _settle(draft, draft.house.options.press_margin)


def settle_by_patience(draft: Draft) -> bool:
    """Nobody has touched the table for a while: whoever moved is content, so a smaller lead is enough for a legal move. True: accepted."""
    doubt, options = draft.state.doubt, draft.house.options
    if doubt is None or draft.state.phase not in (Phase.TO_MOVE, Phase.RETURNING) or draft.t - doubt.since < options.patience_s:
        return False
    return _settle(draft, options.patient_margin)


def _settle(draft: Draft, margin: float) -> bool:
    seen = draft.state.sighting
    if seen is None or seen.lead < margin or seen.unexplained > draft.house.options.unexplained_limit:
        return False
    claim = draft.claims[seen.index].claim
    if isinstance(claim, claims.Legal) or (isinstance(claim, claims.Mended) and not claim.left):
        act(draft, seen.index)
        return True
    still = next((move for move in draft.game.legal(draft.state.game) if move.origin == move.destination), None)
    if isinstance(claim, claims.Unchanged) and still is not None:
        play(draft, still, seen.index)  # bounced back to where it stood: nothing to be seen
        return True
    return False
