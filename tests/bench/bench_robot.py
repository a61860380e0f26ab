"""How strong the box plays, and how long it thinks.

Two-player games, seeded, seats and first throws shared evenly: the strong robot against chance, and against what most programs play
(capture first, else enter, else run with the foremost). Then whole four-player games by every preset, each decision timed by itself.
Aims: 75 % against chance, 55 % against greed, 50 ms a decision.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from ludo_referee import robot
from ludo_referee.rules.board import YARD, load_board
from ludo_referee.rules.game import Game, GameState, Move, Phase
from ludo_referee.rules.ruleset import rules_from

GAMES = 400
PRESETS = ("classic", "family", "indian", "madn", "parchis")
Player = Callable[[Game, GameState, random.Random], Move]


def strong(table: Game, state: GameState, chance: random.Random) -> Move:
    return robot.choose(table, state, "strong")


def by_chance(table: Game, state: GameState, chance: random.Random) -> Move:
    return chance.choice(table.legal(state))


def greedy(table: Game, state: GameState, chance: random.Random) -> Move:
    return max(table.legal(state), key=lambda move: (bool(move.captures), move.origin == YARD, move.origin))


def game(preset: str, players: tuple[int, ...]) -> Game:
    rules = rules_from({"preset": preset})
    return Game(load_board(rules.board), rules, players)


def wins(mine: Player, theirs: Player, games: int = GAMES) -> float:
    """The share of two-player games by the classic rules that `mine` wins."""
    table, won = game("classic", (0, 2)), 0
    for number in range(games):
        chance = random.Random(number)
        state = table.begin((0, 2)[number % 2])
        my_seat = (0, 2)[number // 2 % 2]
        while state.phase is not Phase.OVER:
            if state.phase is Phase.ROLL:
                state, _ = table.throw(state, chance.randint(1, 6))
            else:
                player = mine if state.turn == my_seat else theirs
                state, _ = table.play(state, player(table, state, chance))
        won += state.finish_order[0] == my_seat
    return won / games


def decisions(preset: str, strength: str) -> list[float]:
    """The CPU seconds of every decision of a four-player game played to its end."""
    table, chance, took = game(preset, (0, 1, 2, 3)), random.Random(7), []
    state = table.begin(0)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROLL:
            state, _ = table.throw(state, chance.randint(1, 6))
            continue
        began = time.thread_time()
        move = robot.choose(table, state, strength, seed=3)
        took.append(time.thread_time() - began)
        state, _ = table.play(state, move)
    return took


def main() -> None:
    for name, other, aim in (("chance", by_chance, 75), ("greed", greedy, 55)):
        print(f"strong against {name}: {100 * wins(strong, other):.0f} % of {GAMES} games (aim {aim} %)")
    for preset in PRESETS:
        took = decisions(preset, "strong")
        middle, slowest = 1000 * statistics.median(took), 1000 * max(took)
        print(f"{preset}: {len(took)} decisions, median {middle:.2f} ms, slowest {slowest:.1f} ms (aim 50 ms)")


if __name__ == "__main__":
    main()
