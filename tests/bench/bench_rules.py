"""How many random games a CPU-second plays, against two engines from PyPI (the extra `bench`).

Every engine plays full four-player games by its own common rules to the first finisher, every move drawn at random from the legal
ones, driven through its public methods in the leanest way it offers. The engines take turns in short slices, so that a busy machine
slows all of them alike. Aims: 6 × ludopy 1.5.0 and 4.5 × ludo-king-engine 0.1.3.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.metadata import version

from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Finished, Game, Phase
from ludo_referee.rules.ruleset import PRESETS, rules_from

SLICE_S = 0.5
SLICES = 6
AIMS = {"ludopy": 6.0, "ludo-king-engine": 4.5}


def ours(preset: str) -> Callable[[], None]:
    """A function that plays one random game by a preset."""
    rules = rules_from({"preset": preset})
    game = Game(load_board(rules.board), rules, (0, 1, 2, 3))
    throw, legal, play, move_phase, draw = game.throw, game.legal, game.play, Phase.MOVE, random.random

    def one() -> None:
        state = game.begin(0)
        while True:
            if state.phase is move_phase:
                moves = legal(state)
                state, outcomes = play(state, moves[int(draw() * len(moves))])
                if len(outcomes) > 1 and isinstance(outcomes[1], Finished):
                    return
            else:
                state, outcomes = throw(state, int(draw() * 6) + 1)

    return one


def ludopy() -> Callable[[], None]:
    """A function that plays one random game of ludopy."""
    import ludopy as engine

    def one() -> None:
        game = engine.Game()
        won = False
        while not won:
            (_, pieces, *_), _ = game.get_observation()
            piece = pieces[int(random.random() * len(pieces))] if len(pieces) else -1
            won = game.answer_observation(piece)[-1]

    return one


def ludo_king_engine() -> Callable[[], None]:
    """A function that plays one random game of ludo-king-engine."""
    from ludo_engine import LudoGame, PlayerColor

    colours = [PlayerColor.RED, PlayerColor.GREEN, PlayerColor.YELLOW, PlayerColor.BLUE]

    def one() -> None:
        game = LudoGame(colours)
        while not game.game_over:
            player = game.get_current_player()
            die = game.roll_dice()
            moves = game.get_valid_moves(player, die)
            if moves:
                chosen = moves[int(random.random() * len(moves))]
                again = game.execute_move(player, chosen.token_id, die).extra_turn
            else:
                again = die == 6
            if not again:
                game.next_turn()

    return one


def rates(players: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Games per CPU-second of each, played in turns."""
    games = dict.fromkeys(players, 0)
    seconds = dict.fromkeys(players, 0.0)
    for _ in range(SLICES):
        for name, one in players.items():
            begun = time.process_time()
            while (spent := time.process_time() - begun) < SLICE_S:
                one()
                games[name] += 1
            seconds[name] += spent
    return {name: games[name] / seconds[name] for name in players}


def main() -> None:
    """Prints a table of ratios; peers that are not installed are named, not guessed."""
    random.seed(20)
    players = {f"ludo-referee {preset}": ours(preset) for preset in PRESETS}
    for name, make in (("ludopy", ludopy), ("ludo-king-engine", ludo_king_engine)):
        try:
            players[name] = make()
        except ImportError:
            print(f"{name} is not installed: pip install -e '.[bench]'")
    measured = rates(players)
    print(f"{'random games to the first finisher':36} {'games/CPU-s':>12}")
    for name, rate in measured.items():
        print(f"{name + ' ' + version(name) if name in AIMS else name:36} {rate:12.1f}")
    for name, aim in AIMS.items():
        if name in measured:
            print(f"classic / {name}: {measured['ludo-referee classic'] / measured[name]:.2f} (aim {aim})")


if __name__ == "__main__":
    main()
