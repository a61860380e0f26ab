"""The referee: who is next, what the table should look like, what to say. A pure reducer over one transition table."""

from __future__ import annotations

from dataclasses import replace

from ..rules.board import Board
from ..rules.game import Game, GameState
from .claims import Claimed
from .draft import Draft, claims_of, watched
from .effects import Effect, Lamp, Show, Sound, Watch
from .events import Event, Gesture, Throw
from .notices import in_words
from .present import present, shaken
from .state import House, Options, Phase, State
from .transitions import TABLE
from .views import Shaken

Effects = tuple[Effect, ...]


class Referee:
    """Bound to a game, its board (printed in the seats' colours) and options; holds nothing that changes.

    `start`: the game as it begins (`game.begin(turn)` or `game.resume(…)`), by default with the opening rolls."""

    def __init__(self, game: Game, board: Board, start: GameState | None = None, options: Options | None = None) -> None:
        self.game = game
        self.board = board
        self.house = House(board, options or Options())
        self._start = start or game.begin()

    def begin(self, t: float = 0.0) -> tuple[State, Effects]:
        """The first state, looking for the board, and what to do at once."""
        position = self._start
        state = State(
            Phase.LOOKING, self.game.rules, tuple(self.game.players), position, position.steps,
            restoring=position not in (self.game.begin(), self.game.begin(position.turn)), t=t, acted_t=t,
        )  # fmt: skip
        state = replace(state, shown=present(self.house, state))
        return state, (Show(state.shown), Lamp(None))

    def reduce(self, state: State, event: Event) -> tuple[State, Effects]:
        """The state after an event, and the effects in the order in which they are to be carried out. Pure.

        An event without an entry in the transition table changes nothing; a press or throw among them is answered with the tune
        "no" and the present view."""
        t = max(event.t, state.t)  # a gesture is known a moment after it was made
        draft = Draft(self.house, replace(state, t=t), t)
        transition = TABLE.get((state.phase, trigger(event)))
        if transition is not None:
            transition.handler(draft, event)
        elif isinstance(event, Gesture | Throw):
            draft.refuse()
        _finish(draft, state)
        return draft.state, tuple(draft.effects)

    def shaken(self, state: State, t: float) -> Shaken | None:
        """What a press shows at once, before it is known which gesture it will be: the die in the hand, where a tap would throw it."""
        return shaken(self.house, state, t)

    def candidates(self, state: State) -> tuple[Claimed, ...]:
        """What vision weighs for `state.question`; () while there is nothing to ask."""
        return claims_of(self.house, state)


def trigger(event: Event) -> str:
    """The name of an event in the transition table: a gesture's kind, else the class name in words."""
    return event.kind if isinstance(event, Gesture) else in_words(type(event).__name__)


def _finish(draft: Draft, before: State) -> None:
    """What follows from the new state: a new question to vision, the lamp of the seat to act, the view."""
    if watched(draft.state) != watched(before):
        draft.set(question=before.question + 1, sighting=None, suspect=None)
        if draft.claims:
            draft.do(Watch())
    lamp = draft.state.game.turn if draft.state.started and draft.state.phase is not Phase.OVER else None
    if lamp != before.lamp:
        draft.set(lamp=lamp)
        draft.do(Lamp(lamp))
    _sound_once(draft)
    view = draft.standing()
    if view != before.shown:
        draft.effects[:] = [effect for effect in draft.effects if not isinstance(effect, Show)]
        draft.set(shown=view)
        draft.do(Show(view))


def _sound_once(draft: Draft) -> None:
    """One event, one tune: the last one, which tells the most. The tune of a new turn waits for its screen."""
    if draft.state.tune_due and not draft.state.reel and draft.state.phase in (Phase.OPENING, Phase.TO_ROLL):
        draft.set(tune_due=False)
        draft.sound("turn")
    tunes = [effect for effect in draft.effects if isinstance(effect, Sound)]
    draft.effects[:] = [effect for effect in draft.effects if not isinstance(effect, Sound) or effect is tunes[-1]]
