"""The players at the simulated table: they play by the rules, err now and then, and count fairly."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from ludo_hardware.simulated_table import Pinhole, TableLook
from ludo_referee.app.session import Sink
from ludo_referee.demo.evening import TICKS_A_SECOND, DemoOptions, Evening, play_headless
from ludo_referee.demo.mistakes import mistakes
from ludo_referee.referee import notices
from ludo_referee.referee.notices import Notice
from ludo_referee.rules.board import YARD, load_board
from ludo_referee.rules.game import Game
from ludo_referee.rules.ruleset import rules_from
from ludo_referee.rules.state import Phase

SMALL = TableLook(Pinhole(64, 48))  # the seer looks at the tokens, not at the picture


class Heard(Sink):
    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def notice(self, notice: Notice) -> None:
        self.notices.append(notice)


@pytest.mark.parametrize("board", ["ludo15", "madn11"])
def test_whole_game_is_told_right_and_mistakes_are_called(board: str, seer: Callable[[Evening], Any]) -> None:
    heard = Heard()
    tally = play_headless(DemoOptions(board=board, look=SMALL, seed=4, players=(0, 2), blunders=0.08), 1, [heard], reader=seer)
    assert tally.games_over == 1
    assert tally.flawless, str(tally)
    assert tally.planted > 3
    assert isinstance(heard.notices[-1], notices.GameOver)


def test_same_seed_is_the_same_evening(seer: Callable[[Evening], Any]) -> None:
    def lines() -> list[dict[str, object]]:
        heard = Heard()
        evening = Evening(DemoOptions(look=SMALL, seed=3), [heard], reader=seer)
        for tick in range(600):
            evening.advance(tick / TICKS_A_SECOND)
        return [notice.record() for notice in heard.notices]

    assert lines() == lines()


def test_captured_token_goes_home_in_a_movement_of_its_own(seer: Callable[[Evening], Any]) -> None:
    heard = Heard()
    play_headless(DemoOptions(look=SMALL, seed=1, middle=80, moves=80, blunders=0.0), 1, [heard], reader=seer)
    captures = [notice for notice in heard.notices if isinstance(notice, notices.Move) and notice.captures]
    asked = [notice for notice in heard.notices if isinstance(notice, notices.ReturnToken)]
    assert captures
    assert asked, "some players are slow enough to be asked"
    assert len(asked) <= len(captures)


def test_players_give_up_when_nobody_says_a_word(seer: Callable[[Evening], Any]) -> None:
    evening = Evening(DemoOptions(look=SMALL, seed=2, blunders=0.0), [], reader=seer)
    tick = 0
    while evening.autoplayer.tally.moves == 0:
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    evening.reader.weigh = lambda t: ()  # type: ignore[attr-defined]
    for _ in range(600):
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    assert evening.autoplayer.stuck
    assert evening.autoplayer.tally.not_told == 1
    assert "no word about" in str(evening.autoplayer.tally)


def test_players_first_put_back_what_somebody_else_moved(seer: Callable[[Evening], Any]) -> None:
    evening = Evening(DemoOptions(look=SMALL, seed=2, middle=120, moves=3, blunders=0.0), [], reader=seer)
    player, tick, shoved = evening.autoplayer, 0, False
    while not evening.over and tick < 3000:
        if player.state.phase is Phase.MOVE and player.tally.moves == 0 and not shoved:
            shoved = True
            evening.tabletop.set_up(tuple((YARD,) * len(own) for own in player.state.steps))
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    assert shoved
    assert player.tally.told_right == 3


def test_mistake_that_nobody_calls_is_put_right_and_counted(seer: Callable[[Evening], Any]) -> None:
    evening = Evening(DemoOptions(look=SMALL, seed=2, middle=60, moves=3, blunders=1.0), [], reader=seer)
    player, weigh, tick = evening.autoplayer, evening.reader.weigh, 0  # type: ignore[attr-defined]
    evening.reader.weigh = lambda t: () if player.tally.planted == 1 and not player.tally.trouble else weigh(t)  # type: ignore[attr-defined]
    while not evening.over and tick < 3000:
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    tally = player.tally
    assert "not called" in tally.trouble[0]
    assert (tally.told_right, tally.planted - tally.called) == (3, 1)
    assert not tally.flawless


def test_knocks_move_the_picture_and_not_the_game(seer: Callable[[Evening], Any]) -> None:
    evening = Evening(DemoOptions(look=SMALL, seed=2, middle=60, moves=4, knocks=1.0), [], reader=seer)
    before, tick = evening.table.corners, 0
    while not evening.over:
        evening.advance(tick / TICKS_A_SECOND)
        tick += 1
    evening.advance(tick / TICKS_A_SECOND)
    assert evening.table.corners != before
    assert evening.autoplayer.tally.flawless


def test_frugal_hands_play_the_same_game_in_fewer_pictures(seer: Callable[[Evening], Any]) -> None:
    def played(frugal: bool) -> tuple[list[dict[str, object]], int]:
        heard = Heard()
        evening = Evening(DemoOptions(look=SMALL, seed=3, middle=60, frugal=frugal), [heard], reader=seer)
        for tick in range(600):
            evening.advance(tick / TICKS_A_SECOND)
        return [notice.record() for notice in heard.notices], evening.pictures

    (generous, many), (frugal, few) = played(False), played(True)
    assert [record["event"] for record in frugal] == [record["event"] for record in generous]
    assert few < 0.6 * many


def test_board_whose_seats_go_the_other_way_round_is_where_it_is_drawn() -> None:
    heard = Heard()
    evening = Evening(DemoOptions(board="parchis68", look=TableLook(Pinhole(320, 240))), [heard])
    for tick in range(20):
        evening.advance(tick / TICKS_A_SECOND)
    (board,) = [notice for notice in heard.notices if isinstance(notice, notices.Board)]
    for corner, seat in zip(board.corners, evening.board.seats, strict=True):
        under = evening.table.under(corner)
        yard = evening.board.places[seat.yard].centre
        assert max(abs(under[0] - yard[0]), abs(under[1] - yard[1])) < evening.board.size / 3


def test_mistakes_never_look_like_legal_moves() -> None:
    board = load_board("ludo15")
    game = Game(board, rules_from({"preset": "classic"}), range(4))
    chance, state = random.Random(5), game.begin(0)
    for _ in range(150):
        state, _ = game.throw(state, chance.randint(1, 6))
        legal = game.legal(state)
        if not legal:
            continue
        fair = {game.play(state, move)[0].steps for move in legal}
        for mistake in mistakes(game, state, board):
            steps = [list(own) for own in state.steps]
            steps[mistake.seat].remove(mistake.origin)
            steps[mistake.seat].append(mistake.destination)
            assert tuple(tuple(sorted(own)) for own in steps) not in fair
        state, _ = game.play(state, chance.choice(legal))
