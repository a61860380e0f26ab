"""One simulated table with its referee: the code of the real table, a drawn camera picture, a clock that the caller owns."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ludo_hardware.simulated_table import Picture, SimulatedTable, TableLook
from ludo_vision.reader import TableReader
from ludo_vision.sightings import Sighting

from ..app.session import Session, Sink, Vision
from ..app.table import plan_of, scene_of
from ..die import Die
from ..errors import LudoError
from ..referee.events import Gesture, Pledged, Tick
from ..referee.referee import Referee
from ..rules.board import load_board
from ..rules.game import Game, GameState, Phase
from ..rules.ruleset import rules_from
from .autoplayer import Autoplayer, Tally
from .drawn_board import drawing_of, look_of
from .hands import Hands
from .tabletop import Tabletop

TICKS_A_SECOND = 10
"""As the cameras of the table: ten pictures a second."""

PRESETS = {"ludo15": "classic", "ludo15-home4": "classic", "madn11": "madn", "parchis68": "parchis"}
DRIFT_S = 90.0  # the exposure's wandering comes round in so many seconds
LONGEST_S = 4 * 3600.0  # of simulated time a game


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What is played, and on what table. `find_board`: the board is looked for in the picture instead of given by its corners.
    `middle`: so many throws were played before anybody looks; `moves`: stop after so many; `drift`: how far the exposure wanders,
    as a share; `flicker`: how far it jumps from picture to picture; `knocks`: after which share of the moves the camera is knocked;
    `blunders`: the share of moves that begin with a mistake. `pledged`: the die is the table's own, which nobody can foretell and anybody
    can check, instead of one that follows the seed; `frugal`: one picture of a hand on its way, for those who play in a hurry."""

    board: str = "ludo15"
    preset: str | None = None
    seed: int = 1
    players: tuple[int, ...] | None = None
    look: TableLook | None = None
    blunders: float = 0.04
    glide: int = 1
    find_board: bool = False
    switches: dict[str, object] = field(default_factory=dict)
    middle: int = 0
    moves: int | None = None
    drift: float = 0.0
    knocks: float = 0.0
    pledged: bool = False
    flicker: float = 0.0
    frugal: bool = False


class Reader(Vision, Protocol):
    """What an evening asks of vision: `ludo_vision.reader.TableReader`."""

    def see(self, t: float, picture: Picture) -> tuple[Sighting, ...]: ...


class Evening:
    """A table where one game is played. `advance` moves everything on to a second; nothing happens in between. `reader` makes
    what sees the table: the real vision, unless a test puts another in its place."""

    def __init__(
        self, options: DemoOptions, sinks: Sequence[Sink], *, number: int = 0, reader: Callable[[Evening], Reader] | None = None
    ) -> None:
        self.options = options
        self.board = load_board(options.board)
        preset = options.preset or PRESETS.get(self.board.name, "classic")
        self.game = Game(self.board, rules_from({"preset": preset, **options.switches}), options.players or range(len(self.board.seats)))
        seed = f"{options.seed}/{number}"
        self.start = self._start(random.Random(f"middle {seed}"))
        start = self.start
        self.table = SimulatedTable(drawing_of(self.board), options.look or look_of(self.board, options.seed))
        self._unmoved = self.table
        self.tabletop = Tabletop(self.board, self.table, start.steps, random.Random(f"places {seed}"))
        self.hands = Hands(self.tabletop, random.Random(f"hands {seed}"), glide=options.glide, frugal=options.frugal)
        self.autoplayer = Autoplayer(
            self.game, start, self.tabletop, self.hands, self.press, random.Random(f"players {seed}"), blunders=options.blunders
        )
        self._unsteady = random.Random(f"exposure {seed}")
        self.t = 0.0
        self.pictures = 0  # drawn so far
        self.picture: Picture = self._drawn()
        self.reader = reader(self) if reader is not None else self._real_reader()
        self._chance, self._told = random.Random(f"knocks {seed}"), 0
        self.die = Die() if options.pledged else None
        self._seeded = random.Random(f"die {seed}")
        self.session = Session(Referee(self.game, self.board, start), self.reader, self._throw, (self.autoplayer, *sinks))
        if self.die is not None:
            self.session.happen(Pledged(0.0, self.die.pledge))

    @property
    def over(self) -> bool:
        """Whether the game has ended, the players have given up, or all moves that were wanted are made."""
        player, wanted = self.autoplayer, self.options.moves
        return player.over or player.stuck or (wanted is not None and player.tally.told_right + player.tally.told_wrong >= wanted)

    def advance(self, t: float) -> None:
        """The next instant: hands move, the camera looks, the referee thinks, the players act."""
        self.t = t
        if self.hands.advance(t) or self._knocked():
            self.redraw()
        for sighting in self.reader.see(t, self.picture):
            self.session.sighted(sighting)
        self.session.happen(Tick(t))
        self.autoplayer.act(t)

    def press(self, gesture: str) -> None:
        """The button now: tap, double_tap, hold, long_hold."""
        self.session.happen(Gesture(self.t, gesture))

    def _throw(self) -> int:
        return self._seeded.randint(1, 6) if self.die is None else self.die.throw()[0]

    def _knocked(self) -> bool:
        """Whether somebody knocks against the table after a move: it stands less than a square off where it stood at first."""
        told, self._told = self._told, self.autoplayer.tally.told_right
        if told == self._told or self._chance.random() >= self.options.knocks:
            return False
        square = self.table.view.scale(self.board.size / 2, self.board.size / 2) / self.table.look.camera.width
        shift = (self._chance.uniform(-0.7, 0.7) * square, self._chance.uniform(-0.7, 0.7) * square)
        self.table = self.tabletop.table = self._unmoved.knocked(self._chance.uniform(-3, 3), shift)
        return True

    def redraw(self) -> None:
        """The camera's next picture: something on the table has changed."""
        self.picture = self._drawn()

    def _real_reader(self) -> Reader:
        corners = None if self.options.find_board else self.table.corners
        return TableReader(plan_of(self.board), corners=corners, expected=scene_of(self.board, self.start.steps))

    def _drawn(self) -> Picture:
        self.pictures += 1
        gain = 1.0 + self.options.drift * math.sin(2 * math.pi * self.t / DRIFT_S)
        gain *= 1.0 + self.options.flicker * self._unsteady.uniform(-1, 1)
        return self.table.picture(self.tabletop.tokens(), self.hands.hand, gain=gain)

    def _start(self, chance: random.Random) -> GameState:
        """The beginning, or a moment between two turns in the middle of a game."""
        state = self.game.begin()
        if not self.options.middle:
            return state
        state, throws = self.game.begin(self.game.players[0]), 0
        while throws < self.options.middle or state.phase is not Phase.ROLL or state.sixes or state.bonus_queue:
            if state.phase is Phase.OVER:
                raise LudoError(f"the game is over before {self.options.middle} throws: give fewer")
            if state.phase is Phase.ROLL:
                state, _ = self.game.throw(state, chance.randint(1, 6))
                throws += 1
            else:
                state, _ = self.game.play(state, chance.choice(self.game.legal(state)))
        return self.game.resume({seat: state.steps[seat] for seat in self.game.players}, state.turn)


def play_headless(
    options: DemoOptions, games: int, sinks: Sequence[Sink], *, reader: Callable[[Evening], Reader] | None = None
) -> Tally:
    """Whole games one after the other on a simulated clock at full speed; the players' count of what happened.

    Raises LudoError when a game does not come to an end.
    """
    total, tick = Tally(), 0
    for number in range(games):
        evening = Evening(options, sinks, number=number, reader=reader)
        last = tick + int(LONGEST_S * TICKS_A_SECOND)
        while not evening.over:
            if tick > last:
                raise LudoError(f"game {number + 1} is not over after {LONGEST_S / 3600:.0f} hours of simulated time")
            evening.advance(tick / TICKS_A_SECOND)
            tick += 1
        total.add(evening.autoplayer.tally)
    return total
