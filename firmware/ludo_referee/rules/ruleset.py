"""Every house rule as one strict record (RULES 1.12), and the presets.

`SWITCHES` is the one table of names, values and plain sentences; configuration, recordings, questions and the command line read it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from .errors import RulesError

DIE = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Rules:
    """All switches; the defaults are the preset `classic`. See `rules_from` for how a configuration or recording names them."""

    board: str = "ludo15"
    entry: frozenset[int] = frozenset({6})
    fast_entry: str = "off"
    tries: int = 1
    own_landing: str = "forbidden"
    stack_max: int | None = None
    block_pass: str = "never"
    block_stops_owner: bool = False
    blocks_on_safe: bool = True
    pair_half: bool = False
    pair_captures_pair: bool = False
    safe: str = "none"
    safe_landing: str = "coexist"
    enter_captures_on_safe: bool = False
    full_start_sends_home: bool = False
    overshoot: str = "illegal"
    home_jump: bool = False
    force_entry: bool = False
    clear_start: bool = False
    open_block_on_six: bool = False
    six_value_all_out: int = 6
    six_bonus: bool = True
    six_bonus_if_no_move: bool = True
    three_sixes: str = "forfeit"
    capture_bonus: str = "none"
    home_bonus: str = "none"
    capture_n: int = 20
    home_n: int = 10
    bonus_passes_block: bool = False
    must_capture: bool = False
    take_back: str = "previous"
    initial_on_start: int = 0
    play_on: bool = True
    start_order: str = "highest"


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: `choices` for a word or number out of a few, `low`/`high` for a number; `sentence` says what it does."""

    name: str
    sentence: str
    choices: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 0


SWITCHES: dict[str, Switch] = {
    switch.name: switch
    for switch in (
        Switch("board", "The board: a built-in one, or a TOML file of your own."),
        Switch("entry", "The die values that bring a token out of the yard."),
        Switch("fast_entry", "Your very first token may also come out on any roll, or on a 1 or 6.", ("off", "any", "one_or_six")),
        Switch("tries", "How many rolls you have for a way out while you have no token in play.", low=1, high=9),
        Switch("own_landing", "Ending on your own token: not allowed, stops on the square behind it, stacks freely, or forms a block.",
               ("forbidden", "preceding", "stack", "block")),
        Switch("stack_max", "How many tokens may share a square; none: no limit.", low=1, high=16),
        Switch("block_pass", "Who may pass a block: nobody, a 6, a 6 or by a hop a 1, or everybody.",
               ("never", "six", "six_or_one", "always")),
        Switch("block_stops_owner", "A block stops its owner's tokens too."),
        Switch("blocks_on_safe", "Two tokens of a colour on a safe square are a block as well."),
        Switch("pair_half", "A block may move as a pair by half of an even roll."),
        Switch("pair_captures_pair", "A pair that moves together captures a block of two."),
        Switch("safe", "Safe squares: none, the stars, the stars and the starts, or the board's own.",
               ("none", "stars", "stars_starts", "board")),
        Switch("safe_landing", "Ending on another colour on a safe square: they share it, or it is not allowed.",
               ("coexist", "forbidden")),
        Switch("enter_captures_on_safe", "A token that comes out captures on its start even where that is safe."),
        Switch("full_start_sends_home", "If your start is full, coming out sends the other colour that came last to its yard."),
        Switch("overshoot", "A roll beyond the end: not allowed, or the token bounces back.", ("illegal", "bounce")),
        Switch("home_jump", "In a home row of single spaces tokens may jump over their own."),
        Switch("force_entry", "You must bring a token out when the roll allows it."),
        Switch("clear_start", "While tokens wait in your yard you must clear your start square first."),
        Switch("open_block_on_six", "On a 6 you must open a block of yours."),
        Switch("six_value_all_out", "How far a 6 counts when your yard is empty.", low=6, high=12),
        Switch("six_bonus", "A 6 gives another roll."),
        Switch("six_bonus_if_no_move", "A 6 gives another roll even if it could not be played."),
        Switch("three_sixes", "The third 6 in a row: is lost, undoes the turn, sends the last moved token to its yard, "
               "is played without another roll, or is like any other.", ("forfeit", "undo_turn", "last_home", "no_bonus", "off")),
        Switch("capture_bonus", "A capture earns nothing, a roll, or a bonus move.", ("none", "roll", "move")),
        Switch("home_bonus", "A token that reaches its end earns nothing, a roll, or a bonus move.", ("none", "roll", "move")),
        Switch("capture_n", "How far the bonus move for a capture goes.", low=1, high=99),
        Switch("home_n", "How far the bonus move for a token at its end goes.", low=1, high=99),
        Switch("bonus_passes_block", "A move earned by a capture or a token at its end may pass blocks."),
        Switch("must_capture", "If you can capture, you must."),
        Switch("take_back", "While your turn lasts you may put back: nothing, your last move, or every move.",
               ("off", "previous", "whole_turn")),
        Switch("initial_on_start", "How many tokens of each colour begin on the start square.", (0, 1)),
        Switch("play_on", "The others play on for second, third and fourth place."),
        Switch("start_order", "Who begins: the highest roll, or always the first seat.", ("highest", "fixed")),
    )
}

PRESETS: dict[str, dict[str, Any]] = {
    "classic": {},
    "family": {"own_landing": "block"},
    "indian": {"own_landing": "stack", "safe": "stars_starts", "capture_bonus": "roll", "home_bonus": "roll"},
    "indian_block": {
        "own_landing": "block", "blocks_on_safe": False, "safe": "stars_starts", "capture_bonus": "roll", "home_bonus": "roll",
    },
    "madn": {"board": "madn11", "tries": 3, "force_entry": True, "clear_start": True, "three_sixes": "off", "home_jump": True},
    "parchis": {
        "board": "parchis68", "entry": frozenset({5}), "own_landing": "block", "stack_max": 2, "block_stops_owner": True,
        "safe": "board", "full_start_sends_home": True, "force_entry": True, "open_block_on_six": True, "six_value_all_out": 7,
        "capture_bonus": "move", "home_bonus": "move", "three_sixes": "last_home",
    },
}

PRESET_SENTENCES = {
    "classic": "The common rules: out on a 6, a 6 rolls again, the third 6 is lost, no sharing of squares, no safe squares.",
    "family": "Classic, but two tokens of a colour on a square are a block that nobody passes.",
    "indian": "Own tokens stack, stars and starts are safe, a capture or a token at the finish rolls again.",
    "indian_block": "Indian, but two tokens of a colour off the safe squares are a block.",
    "madn": "Mensch ärgere dich nicht: three tries, out on a 6 is a duty, clear your start, no end to sixes.",
    "parchis": "Spanish Parchís: out on a 5, barriers of two, bonus moves of 20 and 10, a 6 counts 7 with an empty yard.",
}


@dataclass(frozen=True, slots=True)
class Need:
    """`switch` in one of `values` makes sense only with `other` in one of `grounds`; without it means `neutral`."""

    switch: str
    values: tuple[Any, ...]
    other: str
    grounds: tuple[Any, ...]
    neutral: Any


_LIMITS = tuple(range(2, 17))
_SAFE = ("stars", "stars_starts", "board")

NEEDS = (
    Need("block_pass", ("six", "six_or_one", "always"), "own_landing", ("block",), "never"),
    Need("block_stops_owner", (True,), "own_landing", ("block",), False),
    Need("open_block_on_six", (True,), "own_landing", ("block",), False),
    Need("bonus_passes_block", (True,), "own_landing", ("block",), False),
    Need("pair_half", (True,), "own_landing", ("block",), False),
    Need("pair_captures_pair", (True,), "pair_half", (True,), False),
    Need("stack_max", (1,), "own_landing", ("forbidden", "preceding"), None),
    Need("safe_landing", ("forbidden",), "safe", _SAFE, "coexist"),
    Need("enter_captures_on_safe", (True,), "safe", _SAFE, False),
    Need("full_start_sends_home", (True,), "safe", _SAFE, False),
    Need("full_start_sends_home", (True,), "stack_max", _LIMITS, False),
    Need("six_bonus_if_no_move", (True,), "six_bonus", (True,), False),
)


def rules_from(mapping: Mapping[str, Any]) -> Rules:
    """The rules of a mapping such as {"preset": "classic", "own_landing": "stack"}; without a preset it starts from classic.

    Strict: an unknown name, a value a switch does not have, or a switch that contradicts another raises RulesError naming it.
    A switch that only the preset set, and that loses its ground by one set here, is off (parchis without blocks opens no block).
    """
    named = dict(mapping)
    preset = named.pop("preset", "classic")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise RulesError(f"there is no preset {preset!r}{_near(preset, PRESETS)}; the presets are {', '.join(PRESETS)}")
    for name, value in named.items():
        if name not in SWITCHES:
            raise RulesError(f"there is no house rule {name!r}{_near(name, SWITCHES)}; `ludo-referee rules list` shows them all")
        named[name] = _checked(SWITCHES[name], value)
    rules = Rules(**{**PRESETS[preset], **named})
    for need in NEEDS:
        if need.switch not in named and _violates(rules, need):
            rules = replace(rules, **{need.switch: need.neutral})
    check(rules)
    return rules


def check(rules: Rules) -> None:
    """Raises RulesError if two switches contradict each other."""
    for need in NEEDS:
        if _violates(rules, need):
            grounds = " or ".join(word(value) for value in need.grounds[:4])
            raise RulesError(
                f"{need.switch} = {word(getattr(rules, need.switch))} contradicts {need.other} = {word(getattr(rules, need.other))}; "
                f"set {need.other} to {grounds}, or leave {need.switch} out"
            )
    if rules.bonus_passes_block and rules.capture_bonus == rules.home_bonus == "none":
        raise RulesError(
            "bonus_passes_block = true contradicts capture_bonus = none and home_bonus = none; "
            "set one of them to roll or move, or leave bonus_passes_block out"
        )


def differences(rules: Rules, other: Rules) -> dict[str, tuple[Any, Any]]:
    """The switches in which two rules differ: name → (value here, value there)."""
    pairs = {switch.name: (getattr(rules, switch.name), getattr(other, switch.name)) for switch in fields(Rules)}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def values_of(switch: Switch) -> str:
    """The values a switch can have, for people."""
    if switch.choices:
        return " | ".join(str(choice) for choice in switch.choices)
    if switch.high:
        return f"{switch.low} … {switch.high}" + (" | none" if switch.name == "stack_max" else "")
    return {"board": "name", "entry": "list of 1 … 6"}.get(switch.name, "true | false")


def _violates(rules: Rules, need: Need) -> bool:
    return getattr(rules, need.switch) in need.values and getattr(rules, need.other) not in need.grounds


def _checked(switch: Switch, value: object) -> Any:
    """The value as the record holds it. Raises RulesError."""
    name = switch.name
    if name == "board":
        if isinstance(value, str) and value:
            return value
    elif name == "entry":
        if isinstance(value, (list, tuple, set, frozenset)) and value and all(type(item) is int and item in DIE for item in value):
            return frozenset(value)
    elif name == "stack_max" and value in (None, "none"):
        return None
    elif switch.choices:
        if type(value) in (str, int) and value in switch.choices:
            return value
    elif switch.high:
        if type(value) is int and switch.low <= value <= switch.high:
            return value
    elif isinstance(value, bool):
        return value
    raise RulesError(f"{name} cannot be {word(value)}; it is {values_of(switch)}")


def word(value: object) -> str:
    """A value as a file would write it."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, frozenset):
        return str(sorted(value))
    return str(value) if isinstance(value, str) else repr(value)


def _near(name: object, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(str(name), known, 1)
    return f" (did you mean {close[0]}?)" if close else ""
