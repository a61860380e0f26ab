"""An evening at a pretended table: events go in with a clock of their own, and vision answers what the test says it sees."""

from __future__ import annotations

import pytest

from ludo_referee.referee import claims, effects, events
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.state import Options
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

CORNERS = ((0.0, 0.0), (600.0, 0.0), (600.0, 600.0), (0.0, 600.0))


class Evening:
    """Drives one referee. `effects` and `notices` hold everything so far, `events` the journal."""

    def __init__(self, rules=None, players=(0, 2), position=None, turn=0, sixes=0, opening=False, **options):
        rules = rules_from(rules or {})
        self.board = load_board(rules.board)
        self.game = Game(self.board, rules, players)
        if position is not None:
            start = self.game.resume(position, turn, sixes)
        else:
            start = self.game.begin(None if opening else turn)
        self.referee = Referee(self.game, self.board, start, Options(**options))
        self.t = 0.0
        self.state, shown = self.referee.begin()
        self.effects = list(shown)
        self.last = list(shown)
        self.events = []

    # --- what happens -------------------------------------------------------------------------------------------------

    def happen(self, event):
        self.events.append(event)
        self.state, done = self.referee.reduce(self.state, event)
        self.effects += done
        self.last = list(done)
        return done

    def wait(self, seconds):
        """The clock runs, four ticks a second; `last` holds everything that came of it."""
        end, came = self.t + seconds, []
        while self.t < end - 1e-9:
            self.t = min(self.t + 0.25, end)
            came += self.happen(events.Tick(self.t))
        self.last = came
        return self

    def begin(self):
        """The board is found; a game in its middle goes on by a press, a new one begins with the first press or throw."""
        self.happen(events.BoardFound(self.t, CORNERS, "given"))
        if self.state.restoring:
            self.press()
        return self.wait(1)

    def press(self, kind="tap"):
        self.happen(events.Gesture(self.t, kind))
        return self

    def throw(self, value):
        """The die shows a value; the rolling animation passes."""
        self.happen(events.Throw(self.t, value))
        came = self.last
        self.wait(2)
        self.last = came + self.last
        return self

    def find(self, kind, **wanted):
        """The index of the candidate with such a claim."""
        for index, claimed in enumerate(self.referee.candidates(self.state)):
            claim = claimed.claim
            if isinstance(claim, kind) and all(getattr(claim, name) == value for name, value in wanted.items()):
                return index
        raise LookupError(f"no candidate {kind.__name__} {wanted}")

    def see(self, kind, lead=3.0, unexplained=0.0, settle=0.75, **wanted):
        """Vision ranks that candidate first, and the picture stays still for a while."""
        index = self.find(kind, **wanted)
        self.happen(events.Ranked(self.t, self.state.question, index, lead, unexplained))
        came = self.last
        self.wait(settle)
        self.last = came + self.last
        return self

    def see_move(self, origin, destination, **more):
        move = next(m for m in self.game.legal(self.state.game) if (m.origin, m.destination) == (origin, destination))
        return self.see(claims.Legal, move=move, **more)

    # --- what came of it ----------------------------------------------------------------------------------------------

    @property
    def game_now(self):
        """The rules at work, which the walk through the house rules may have changed."""
        return self.referee.house.game(self.state)

    @property
    def notices(self):
        return [effect.notice for effect in self.effects if isinstance(effect, effects.Tell)]

    def said(self, last=False):
        """The JSON objects without their times, `turn` left out."""
        told = [e.notice for e in (self.last if last else self.effects) if isinstance(e, effects.Tell)]
        records = [notice.record() for notice in told if notice.event() not in ("turn", "board")]
        return [{key: value for key, value in record.items() if key != "t"} for record in records]

    @property
    def tunes(self):
        return [effect.tune for effect in self.last if isinstance(effect, effects.Sound)]

    @property
    def view(self):
        return self.state.shown

    def views(self):
        return [effect.view for effect in self.effects if isinstance(effect, effects.Show)]


@pytest.fixture
def evening():
    """Makes evenings."""
    return Evening
