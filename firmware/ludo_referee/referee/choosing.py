"""Questions answered with one button: a tap offers the next choice, a hold chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..rules.board import YARD
from ..rules.errors import LudoError, PositionError
from ..rules.game import GameState
from ..rules.game import Phase as GamePhase
from . import claims, fairness
from .draft import Draft
from .effects import PowerOff, Record, SetLanguage
from .places import where
from .present import playable
from .state import Choosing, Phase
from .turns import force_table, override, play, take_back_and_move
from .views import Choice, Goodbye, ThrowCounts

HIDDEN = "covered"
"""Why nothing is seen, when people say what was moved on a table that cannot be read."""


def ask(draft: Draft, question: str, choices: tuple[Choice, ...], index: int = 0) -> None:
    """Put a question; what was under way waits, and what ripens meanwhile is looked at again afterwards."""
    draft.acted()
    back = draft.state.choosing.back if draft.state.choosing is not None else draft.state.phase
    doubt = draft.state.doubt
    asked = Choosing(question, choices, index, back, draft.t, _seen_wrong(draft), doubt is not None and doubt.told)
    draft.set(choosing=asked, reel=(), suspect=None, doubt=None)
    draft.go(Phase.CHOOSING)


def offer_next(draft: Draft) -> None:
    """The next choice; with a single one the tap chooses it."""
    choosing = draft.state.choosing
    if choosing is None:
        return
    draft.acted()
    if len(choosing.choices) == 1:
        choose(draft)
        return
    draft.set(choosing=replace(choosing, index=(choosing.index + 1) % len(choosing.choices), since=draft.t))


def choose(draft: Draft) -> None:
    """The offered choice is taken."""
    choosing = draft.state.choosing
    if choosing is None:
        return
    draft.acted()
    leave(draft)
    choice = choosing.choices[choosing.index]
    ANSWERS[choosing.question.partition(":")[0]](draft, choosing, choice)


def leave(draft: Draft) -> None:
    """The question is dropped; the table is looked at afresh."""
    choosing = draft.state.choosing
    draft.set(choosing=None)
    draft.resume()
    if choosing is not None and choosing.back is Phase.LOOKING:
        draft.go(Phase.LOOKING)


# --- the questions ----------------------------------------------------------------------------------------------------


def dispute(draft: Draft) -> None:
    """The people disagree with the referee: what may be done about it now."""
    state = draft.state
    choices = [Choice("done" if state.phase in (Phase.MENDING, Phase.RETURNING) else "go_on")]
    if _seen_wrong(draft) is not None:
        choices += [Choice("as_it_stands"), Choice("put_back")]
    if state.before is not None and state.phase is not Phase.MENDING:
        choices.append(Choice("undo", state.before.turn, draft.house.colour(state.before.turn)))
    if draft.house.options.records:
        choices.append(Choice("record"))
    ask(draft, "dispute", tuple(choices))


def _seen_wrong(draft: Draft) -> claims.Wrong | None:
    """The wrong picture that is called, or that vision favours without being sure."""
    if draft.state.wrong is not None:
        return draft.state.wrong
    seen = draft.state.sighting
    claim = draft.claims[seen.index].claim if seen is not None and seen.index < len(draft.claims) else None
    return claim if isinstance(claim, claims.Wrong) else None


def _dispute(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    wrong = choosing.subject
    match choice.key:
        case "go_on" if wrong is not None:
            draft.set(dismissed=(*draft.state.dismissed, wrong))
        case "done":
            _done(draft, choosing.hidden)
        case "as_it_stands":
            _as_it_stands(draft)
        case "put_back" if wrong is not None:
            draft.set(wrong=wrong, stepwise=0)
            draft.go(Phase.WRONG)
        case "undo":
            draft.go(Phase.AGREEING)
        case "record":
            draft.do(Record())
            if wrong is not None and choosing.back is Phase.WRONG:
                draft.set(wrong=wrong)
                draft.go(Phase.WRONG)


def _done(draft: Draft, hidden: bool) -> None:
    """What had to be put somewhere by hand is there, though vision is not sure of it. Where the table cannot be read, the people's word
    counts until it can; where it can and shows nothing of the kind: no."""
    for index, claimed in enumerate(draft.claims if draft.state.sighting is not None else ()):
        claim = claimed.claim
        if isinstance(claim, claims.Mended) and not claim.left:
            force_table(draft, index)
            return
        if isinstance(claim, claims.Legal) and claim.move == draft.state.half_told:
            play(draft, claim.move, index)
            return
    if not hidden:
        draft.refuse()
        return
    draft.set(blind=HIDDEN)
    if draft.state.half_told is not None:
        play(draft, draft.state.half_told, None)
    else:
        draft.settle()


def _as_it_stands(draft: Draft) -> None:
    """The table as vision sees it now, if that is a table at all."""
    seen = draft.state.sighting
    claim = draft.claims[seen.index].claim if seen is not None else None
    if seen is None or not isinstance(claim, claims.Wrong) or any(end < YARD for _, _, end in claim.shifts):
        draft.refuse()
        return
    try:
        after = after_override(draft, claim)
    except LudoError:
        draft.refuse()
        return
    override(draft, after, seen.index)


def after_override(draft: Draft, wrong: claims.Wrong) -> GameState:
    """The game with the tokens where they stand: a pending roll counts as played. Raises LudoError for a position that cannot be."""
    game, state = draft.game, draft.state.game
    steps = claims.shifted(state.steps, wrong.shifts)
    if _clash(draft, wrong, steps):
        raise PositionError("two seats stand on one square; put one of the tokens in its yard")
    turn = state.turn
    if state.phase is GamePhase.MOVE and state.pending != 6:
        turn = following(draft, steps, turn)
    return game.resume({seat: row for seat, row in enumerate(steps) if row}, turn)


def _clash(draft: Draft, wrong: claims.Wrong, steps: claims.Steps) -> bool:
    """Whether a token that moved stands on another seat's square where nobody is safe."""
    board, rules = draft.house.board, draft.state.rules
    safe = {"none": frozenset[int](), "stars": board.stars, "board": board.safe}.get(
        rules.safe, board.stars | {seat.start for seat in board.seats}
    )
    spots = {board.place(seat, end) for seat, _, end in wrong.shifts if end >= 0} - safe
    standing = {(board.place(seat, step), seat) for seat, row in enumerate(steps) for step in row}
    return any(len({seat for place, seat in standing if place == spot}) > 1 for spot in spots)


def following(draft: Draft, steps: claims.Steps, turn: int) -> int:
    """The next seat that still has tokens to bring home."""
    players = draft.state.players
    order = [*players[players.index(turn) + 1 :], *players[: players.index(turn) + 1]]
    done = draft.state.game.finish_order
    return next((seat for seat in order if seat not in done), turn)


def choose_reading(draft: Draft, claim: claims.Either) -> None:
    """The table fits a move with the newer roll, and a take-back with the older roll played differently."""
    seat, board, colour = draft.state.game.turn, draft.house.board, draft.house.colour(draft.state.game.turn)
    choices = tuple(
        Choice(key, seat, colour, where(board, seat, move.origin), where(board, seat, move.destination))
        for key, move in (("move", claim.move), ("take_back", claim.instead))
    )
    ask(draft, "reading", choices)


def _reading(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    index, claim = next(((i, c.claim) for i, c in enumerate(draft.claims) if isinstance(c.claim, claims.Either)), (0, None))
    if isinstance(claim, claims.Either):
        if choice.key == "move":
            play(draft, claim.move, index)
        else:
            take_back_and_move(draft, claim.state, claim.instead, index)


def which_move(draft: Draft) -> None:
    """It cannot be seen which move was made: which was it?"""
    seat, board, colour = draft.state.game.turn, draft.house.board, draft.house.colour(draft.state.game.turn)
    choices = [
        Choice("move", seat, colour, where(board, seat, move.origin), where(board, seat, move.destination))
        for move in playable(draft.house, draft.state)
    ]
    ask(draft, "moved", (*choices, Choice("none")))


def _moved(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    """The people's word for the move. A picture that shows it, however unsurely, is what vision goes on from; without one nothing is
    seen until pictures can be read again."""
    if choice.key != "move" or draft.state.game.phase is not GamePhase.MOVE:
        return
    move = playable(draft.house, draft.state)[choosing.index]
    seen = draft.state.sighting
    readable = seen is not None and draft.state.blind is None and seen.unexplained <= draft.house.options.unexplained_limit
    index = next((i for i, claimed in enumerate(draft.claims) if claimed.claim == claims.Legal(move)), None) if readable else None
    if index is None:
        draft.set(blind=draft.state.blind or HIDDEN)
    play(draft, move, index)


def power(draft: Draft) -> None:
    """Switch off?"""
    ask(draft, "power", (Choice("stay"), Choice("off")))


def _power(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    if choice.key == "off":
        switch_off(draft)


def switch_off(draft: Draft) -> None:
    """The box goes off; what was decided is in the journal."""
    draft.do(PowerOff())
    draft.play_reel((Goodbye(), 60.0))


def again(draft: Draft) -> None:
    """After the game."""
    ask(draft, "again", (Choice("again"), Choice("throws"), Choice("off")))


def throw_counts(draft: Draft) -> ThrowCounts:
    """How the faces fell, and whether a fair die does that."""
    rows = tuple((seat, draft.house.colour(seat), row) for seat, row in enumerate(draft.state.throws) if seat in draft.state.players)
    total = [sum(column) for column in zip(*draft.state.throws, strict=True)] or [0] * 6
    return ThrowCounts(rows, round(fairness.chi_square(total), 2), fairness.probability(total))


def _language(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    draft.do(SetLanguage(choice.key))


Answer = Callable[[Draft, Choosing, Choice], None]
ANSWERS: dict[str, Answer] = {
    "dispute": _dispute,
    "reading": _reading,
    "moved": _moved,
    "power": _power,
    "language": _language,
}
"""What a chosen answer does, by question; `setup` adds its own."""
