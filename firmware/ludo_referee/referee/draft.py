"""One event being answered: the state as it becomes and the effects so far. Lives only inside one `reduce`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..rules.game import Game, GameState, Move
from ..rules.game import Phase as GamePhase
from .candidates import candidates, displaced, mending
from .claims import Claimed, Steps, difference
from .effects import Effect, Show, Sound, Tell
from .notices import Notice
from .present import present
from .state import House, Phase, State, rest
from .views import View


@dataclass(slots=True)
class Draft:
    """Handlers change `state` through `set` and add to `effects`; `t` is the event's time."""

    house: House
    state: State
    t: float
    effects: list[Effect] = field(default_factory=list)

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    @property
    def game(self) -> Game:
        return self.house.game(self.state)

    @property
    def claims(self) -> tuple[Claimed, ...]:
        return claims_of(self.house, self.state)

    def do(self, effect: Effect) -> None:
        self.effects.append(effect)

    def tell(self, notice: Notice) -> None:
        self.effects.append(Tell(notice))

    def sound(self, tune: str) -> None:
        self.effects.append(Sound(tune))

    def refuse(self) -> None:
        """A press at the wrong moment: a tone, and the present view again."""
        self.sound("no")
        self.effects.append(Show(self.state.shown))

    def acted(self) -> None:
        """Somebody did something: reminders start anew."""
        self.set(acted_t=self.t, reminded=0)

    def go(self, phase: Phase) -> None:
        self.set(phase=phase)

    def settle(self) -> None:
        """Nothing is wrong (any more): back to where the game stands."""
        self.set(wrong=None, suspect=None, half=None, stepwise=None, doubt=None)
        self.go(rest(self.state))

    def resume(self) -> None:
        """An interruption is over: back to the game, with a fresh look at the table."""
        self.acted()
        self.settle()
        self.look_again()

    def play_reel(self, *views: tuple[View, float]) -> None:
        """Show these views in turn, each for some seconds, before the standing one."""
        self.set(reel=views, reel_t=self.t)

    def look_again(self) -> None:
        """Have the present picture weighed anew."""
        self.set(glance=self.state.glance + 1)

    def standing(self) -> View:
        """The view for this state: the reel's first, else what the phase asks for."""
        return self.state.reel[0][0] if self.state.reel else present(self.house, self.state)


def watched(state: State) -> tuple[object, ...]:
    """What the candidates depend on: when it changes there is a new question."""
    return (state.started, state.comparing, state.game, state.table, state.asked, state.glance, state.found)


def claims_of(house: House, state: State) -> tuple[Claimed, ...]:
    """The candidates of a state; () before the start, unless the table is compared after a break, and after the end."""
    if not (state.started or state.comparing) or state.game.phase is GamePhase.OVER:
        return ()
    if not state.started:
        return _displaced(house.game(state), state.game, state.found)
    return _claims(house, house.game(state), state.game, state.table, state.asked)


@lru_cache(maxsize=2)
def _displaced(game: Game, standing: GameState, found: Claimed | None) -> tuple[Claimed, ...]:
    return displaced(game, standing, found)


@lru_cache(maxsize=4)  # asked for again at each look at the table, and made anew only when the question is another
def _claims(house: House, game: Game, standing: GameState, table: Steps, asked: Move | None) -> tuple[Claimed, ...]:
    if table != standing.steps:
        return mending(house.board, table, difference(table, standing.steps))
    return candidates(game, standing, asked, house.robot(standing.turn) is not None)
