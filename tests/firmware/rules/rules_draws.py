"""Random rules and positions for comparing the engine with its oracle; the draws are seeded by whoever calls."""

from __future__ import annotations

from dataclasses import asdict

from ludo_referee.rules.errors import RulesError
from ludo_referee.rules.ruleset import PRESETS, SWITCHES, rules_from

BOARDS = ("ludo15", "ludo15-home4", "madn11", "parchis68")
NUMBERS = {"tries": (1, 2, 3), "stack_max": (None, 2, 3), "capture_n": (4, 20), "home_n": (3, 10), "six_value_all_out": (6, 7, 12)}


def switch_values(name):
    """The values of a switch that tests try."""
    if name == "board":
        return BOARDS
    if name == "entry":
        return ([6], [5], [1, 6], [1, 2, 3, 4, 5, 6])
    return NUMBERS.get(name) or SWITCHES[name].choices or (True, False)


def draw_rules(chance, changes):
    """Rules from a random preset with so many random switches changed; contradictions are drawn again."""
    while True:
        mapping = {"preset": chance.choice(sorted(PRESETS))}
        for name in chance.sample(sorted(SWITCHES), changes):
            mapping[name] = chance.choice(switch_values(name))
        try:
            return rules_from(mapping)
        except RulesError:
            continue


def plain(rules):
    """The rules as the dictionary that the oracle reads."""
    return asdict(rules)


def draw_position(chance, board, seats):
    """Tokens anywhere, crowded so that they meet; home spaces that hold one token hold one."""
    position = {}
    near = chance.randrange(len(board.ring))
    for seat in seats:
        own = []
        while len(own) < 4:
            kind = chance.random()
            if kind < 0.15:
                step = -1
            elif kind < 0.3 and own:
                step = chance.choice(own)
            elif kind < 0.6:
                step = (near + chance.randrange(9) - board.seats[seat].start) % len(board.ring)
                step = step if step < board.first_home else 0
            elif kind < 0.8:
                step = chance.randrange(board.first_home - 7, board.last + 1)
            else:
                step = chance.randrange(board.last + 1)
            if board.has_finish or step < board.first_home or step not in own:
                own.append(step)
        position[seat] = own
    return position
