"""What is likely, but not sure, is acted on when the table is left alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ludo_referee.referee import claims, notices
from ludo_referee.referee.effects import Tell
from ludo_referee.referee.events import BoardFound, Ranked, TableMoving, Throw, Tick
from ludo_referee.referee.referee import Referee
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from

POSITION = {0: (11, 45, -1, -1), 1: (-1,) * 4, 2: (-1,) * 4, 3: (20, -1, -1, -1)}
CORNERS = ((0.0, 0.0), (600.0, 0.0), (600.0, 600.0), (0.0, 600.0))


class Watched:
    """A referee that waits for A to move 2, and what it told."""

    def __init__(self, position: Mapping[int, tuple[int, ...]] = POSITION) -> None:
        board = load_board("ludo15")
        game = Game(board, rules_from({"preset": "classic"}), (0, 1, 2, 3))
        start = game.resume(position, 0)
        self.referee = Referee(game, board, start)
        self.state, _ = self.referee.begin()
        self.told: list[notices.Notice] = []
        for event in (BoardFound(1.0, CORNERS, "given"), Throw(2.0, 2)):
            self.happen(event)

    def happen(self, event: object) -> None:
        self.state, effects = self.referee.reduce(self.state, event)
        self.told += [effect.notice for effect in effects if isinstance(effect, Tell)]

    def seen(self, t: float, kind: type, lead: float) -> None:
        """The first claim of a kind is ranked before "nothing moved" by so much."""
        found = [claimed.claim for claimed in self.referee.candidates(self.state)]
        best = next(index for index, claim in enumerate(found) if isinstance(claim, kind))
        nothing = next(index for index, claim in enumerate(found) if isinstance(claim, claims.Unchanged))
        self.happen(Ranked(t, self.state.question, best, lead, 0.0, ((best, lead), (nothing, 0.0))))

    def until(self, t: float) -> None:
        while self.state.t < t:
            self.happen(Tick(self.state.t + 0.25))

    def names(self) -> list[str]:
        return [notice.event() for notice in self.told]


@pytest.mark.parametrize(("kind", "event"), [(claims.Legal, "move"), (claims.Wrong, "illegal")])
def test_what_is_likely_is_said_when_the_table_is_left_alone(kind: type, event: str) -> None:
    table = Watched()
    table.seen(3.0, kind, 0.9 if kind is claims.Legal else 1.5)
    table.until(3.5)
    assert event not in table.names()
    table.until(9.0)
    assert table.names().count(event) == 1
    assert "unclear" not in table.names()


def test_a_captured_token_that_is_likely_home_is_home_when_the_table_is_left_alone() -> None:
    table = Watched({0: (11, 45, -1, -1), 1: (0, -1, -1, -1), 2: (-1,) * 4, 3: (-1,) * 4})  # A's 11 takes B's token on 13 with a two
    table.seen(3.0, claims.HalfCapture, 3.0)
    table.until(5.0)
    assert table.names()[-1] == "return_token"
    table.seen(6.0, claims.Legal, 0.8)
    table.until(7.0)
    assert "move" not in table.names()
    table.until(9.0)
    (move,) = (notice for notice in table.told if isinstance(notice, notices.Move))
    assert move.captures == ((1, 0),)


def test_a_hand_over_the_board_ends_the_waiting() -> None:
    table = Watched()
    table.seen(3.0, claims.Wrong, 1.5)
    table.until(4.0)
    table.happen(TableMoving(4.5))
    table.until(12.0)
    assert "illegal" not in table.names()


def test_a_faint_suspicion_accuses_nobody() -> None:
    table = Watched()
    table.seen(3.0, claims.Wrong, 0.6)
    table.until(12.0)
    assert "illegal" not in table.names()
    assert "unclear" in table.names()
