"""Before the first throw: the board is found, tokens go to their yards, the game begins."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from ..rules.errors import LudoError, PositionError
from ..rules.game import GameState, Move
from . import notices
from .choosing import ANSWERS, after_override, ask, leave, switch_off, throw_counts
from .claims import Claimed, Either, HalfCapture, Halfway, Legal, Steps, TakenBack, TakenBackAndMoved, Wrong, shifted
from .comparing import compare
from .draft import Draft
from .effects import Prepare, Start
from .events import BoardFound, BoardMissing, TableCounts, TableReady
from .house_rules import set_players
from .present import complete, setup_problem
from .state import Choosing, Phase
from .turns import enter, moved, play, turn_of
from .views import Choice

FEWEST = 2  # seats that make a game
THROWS_S = 20.0  # the counts of throws stand so long


def board_found(draft: Draft, event: BoardFound) -> None:
    """The board is there: at the start tokens are set up next, later the table is compared."""
    draft.tell(notices.Board(draft.t, event.corners, event.how))
    if draft.state.blind == "board_moved":
        draft.set(blind=None)
    choosing = draft.state.choosing
    if choosing is not None and choosing.back is Phase.LOOKING:
        draft.set(choosing=replace(choosing, back=Phase.SETTING_UP))
        if choosing.question == "blind":
            leave(draft)
            set_up(draft)
        return
    if draft.state.phase is not Phase.LOOKING:
        see_again(draft)
        return
    draft.acted()
    draft.set(hint=None)
    set_up(draft)


def set_up(draft: Draft) -> None:
    """Tokens go to their yards, or where they stood before a break; the language comes first, where there is a choice."""
    draft.go(Phase.SETTING_UP)
    languages = draft.house.options.languages
    if draft.state.restoring:
        compare(draft)
    elif len(languages) > 1:
        ask(draft, "language", tuple(Choice(code) for code in languages))


def board_missing(draft: Draft, event: BoardMissing) -> None:
    """Not found yet; `hint` says what would help."""
    draft.set(hint=event.hint)


def see_again(draft: Draft) -> None:
    """Sight is back: the table is looked at afresh; what moved by button meanwhile is compared."""
    state = draft.state
    if not state.started or state.blind is not None or state.phase in (Phase.CHOOSING, Phase.OVER):
        return
    if not state.learned:
        restore(draft)
        return
    if state.table != state.game.steps and state.phase is not Phase.MENDING:
        draft.set(mending="compare")
    draft.resume()


def restore(draft: Draft) -> None:
    """Vision knows nothing of this table: the tokens are to stand as the game has them, then a press shows them to vision."""
    draft.set(started=False, restoring=True, ready=False, table=draft.state.game.steps)
    draft.settle()
    compare(draft)


def ask_without_sight(draft: Draft) -> None:
    """The board is not found: wait on, or play by button alone?"""
    ask(draft, "blind", (Choice("wait"), Choice("play")))


def _blind(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    if choice.key == "play" and choosing.back is Phase.LOOKING:
        draft.set(blind=draft.state.blind or "board_moved")
        set_up(draft)


def counted(draft: Draft, event: TableCounts) -> None:
    """So many tokens stand in the yards; who has tokens plays, where the seats are free."""
    if (event.counts, event.strangers) != (draft.state.counts, draft.state.strangers):
        draft.acted()
    draft.set(counts=event.counts, strangers=event.strangers)
    if not draft.house.options.free_players or draft.state.restoring or None in event.counts:
        return
    players = tuple(seat for seat, count in enumerate(event.counts) if count)
    if len(players) >= FEWEST and players != draft.state.players:
        set_players(draft, players)


def table_ready(draft: Draft, event: TableReady) -> None:
    """Vision sees the expected table."""
    draft.set(ready=True)


def press_to_begin(draft: Draft) -> bool:
    """A press in set-up begins the game when the yards look complete, and asks when they do not, or who plays where that cannot be seen;
    where that is known, what is played by is shown first. True: it began."""
    state = draft.state
    problem, _ = setup_problem(draft.house, state)
    unseen = (not state.counts or None in state.counts) and not state.ready and not state.restoring
    if draft.house.options.free_players and unseen:
        ask(draft, "players", tuple(Choice("".join(map(str, party))) for party in _parties(draft)))
        return False
    if unseen and problem is None and state.blind is None and not state.anyway:
        draft.acted()
        draft.set(ready=True)
        return False
    short = problem is not None or (bool(draft.state.counts) and not complete(draft.state) and None not in draft.state.counts)
    if short and not (state.ready or state.anyway or state.restoring):
        ask(draft, "start", (Choice("wait"), Choice("anyway")))
        return False
    begin(draft)
    return True


def _parties(draft: Draft) -> list[tuple[int, ...]]:
    """Who may play together: first who agree with the yards that were counted; all, then two opposite each other, then three, then two
    neighbours."""
    seats, counts = len(draft.house.colours), draft.state.counts
    opposite = [pair for pair in combinations(range(seats), FEWEST) if 2 * (pair[1] - pair[0]) == seats]
    more = [party for size in range(seats - 1, FEWEST - 1, -1) for party in combinations(range(seats), size) if party not in opposite]
    seen = [(seat, count > 0) for seat, count in enumerate(counts) if count is not None]
    return sorted([tuple(range(seats)), *opposite, *more], key=lambda party: sum((seat in party) != plays for seat, plays in seen))


def _players(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    """The people's word on who plays is enough; what they play by is shown before they begin."""
    set_players(draft, tuple(map(int, choice.key)))
    draft.set(ready=True)


def begin(draft: Draft, table: Steps | None = None) -> None:
    """The table shows the start (after a break perhaps another `table`): vision learns it, and the game is on."""
    draft.acted()
    state = draft.state
    table = table or state.game.steps
    if state.blind is None:
        draft.do(Start(table))
    draft.set(started=True, learned=state.blind is None, table=table, restoring=False, comparing=False, found=None, compared=None)
    turn_of(draft, state.game.turn, state.why if state.restoring else None)
    draft.set(changed_t=-1.0)
    enter(draft)


def ask_how_to_go_on(draft: Draft) -> bool:
    """After a break, when the table is seen not to be as it was: the people decide. True: they are asked."""
    seen = draft.state.compared
    if seen is None or not seen.shifts:
        return False
    ask(draft, "restore", (Choice("put_back"), Choice("as_it_stands")))
    return True


def _restore(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    """The game goes on from the record, tokens put back one by one, or from the table as it stands."""
    seen, game = draft.state.compared, draft.state.game
    if seen is None:
        return
    table = shifted(game.steps, seen.shifts)
    if choice.key == "put_back":
        draft.tell(notices.Override(draft.t, game.steps, put_back=True))
        draft.set(mending="compare")
        begin(draft, table)
        return
    try:
        before, move, after = _as_if(draft, seen)
    except LudoError:
        draft.refuse()
        return
    draft.tell(notices.Override(draft.t, moved(before, move) if move else table))
    draft.set(game=before if move else after, before=None, mending="compare")  # what a half-done capture lacks is then asked for
    begin(draft, table)
    if move:
        play(draft, move, None)


def _as_if(draft: Draft, seen: Claimed) -> tuple[GameState, Move | None, GameState]:
    """The game, the move and the game after it by which the rules lead to a table; no move where only the people's word does.
    Raises LudoError for a table that cannot be."""
    game = draft.state.game
    match seen.claim:
        case Legal(move=move) | Either(move=move) | HalfCapture(move=move) | Halfway(move=move):
            return game, move, game
        case TakenBackAndMoved(state=before, move=move):
            return before, move, before
        case TakenBack(state=before):
            return before, None, before
        case Wrong() as wrong:
            return game, None, after_override(draft, wrong)
    raise PositionError("that is no table to go on from")


def anew(draft: Draft) -> None:
    """Another game with the same players and rules."""
    fresh: GameState = draft.game.begin()
    draft.do(Prepare())
    draft.set(
        game=fresh, table=fresh.steps, started=False, learned=False, restoring=False, ready=False, anyway=False, counts=(), strangers=(),
        before=None, throws=(), reel=(), told=(), dismissed=(), half_told=None, sighting=None, why="turn",
    )  # fmt: skip
    draft.settle()


def _start(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    """What they play by is shown before they begin."""
    draft.set(anyway=choice.key == "anyway")


def _again(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    match choice.key:
        case "again":
            anew(draft)
        case "throws":
            draft.play_reel((throw_counts(draft), THROWS_S))
        case "off":
            switch_off(draft)


ANSWERS["blind"] = _blind
ANSWERS["start"] = _start
ANSWERS["players"] = _players
ANSWERS["again"] = _again
ANSWERS["restore"] = _restore
