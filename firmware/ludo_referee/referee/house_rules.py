"""The house rules, walked through with one button before the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..rules.board import Board
from ..rules.game import Game
from ..rules.ruleset import NEEDS, PRESETS, SWITCHES, Rules
from .choosing import ANSWERS, ask
from .draft import Draft
from .in_force import WALK, key_of
from .present import OWN, preset_name
from .state import Choosing
from .views import Choice

FEW: dict[str, tuple[Any, ...]] = {
    "entry": (frozenset({6}), frozenset({1, 6}), frozenset({5})),
    "tries": (1, 3),
}
"""What is offered for switches with many values."""


def presets_for(board: Board) -> tuple[str, ...]:
    """The presets that are played on a board; all but their board where it is a family's own."""
    named = tuple(name for name, switches in PRESETS.items() if switches.get("board", Rules().board) == board.name)
    return named or tuple(PRESETS)


def changed(rules: Rules, **switches: Any) -> Rules:
    """The rules with switches set; a switch that loses its ground by it is off."""
    rules = replace(rules, **switches)
    for need in NEEDS:
        if getattr(rules, need.switch) in need.values and getattr(rules, need.other) not in need.grounds:
            rules = replace(rules, **{need.switch: need.neutral})
    return rules


def offered(rules: Rules, name: str) -> tuple[Any, ...]:
    """The values of a switch that can be chosen now; () when there is nothing to choose."""
    switch = SWITCHES[name]
    values: tuple[Any, ...] = FEW.get(name) or switch.choices or (True, False)
    if getattr(rules, name) not in values:
        values = (getattr(rules, name), *values)
    possible = tuple(value for value in values if getattr(changed(rules, **{name: value}), name) == value)
    return possible if len(possible) > 1 else ()


def walk(draft: Draft) -> None:
    """Begin with the presets."""
    if draft.state.restoring:
        draft.refuse()
        return
    names = presets_for(draft.house.board)
    present = preset_name(draft.state.rules)
    names = names if present in names else (present, *names)
    ask(draft, "preset", tuple(Choice(name) for name in names), names.index(present))


def _preset(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    if choice.key != OWN:
        set_rules(draft, Rules(**{**PRESETS[choice.key], "board": draft.state.rules.board}))
    ask(draft, "rules", (Choice("play"), Choice("change")))


def _rules(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    if choice.key == "change":
        _ask_from(draft, 0)


def _ask_from(draft: Draft, number: int) -> None:
    for name in WALK[number:]:
        values = offered(draft.state.rules, name)
        if values:
            present = values.index(getattr(draft.state.rules, name))
            ask(draft, f"rule:{name}", tuple(Choice(key_of(value)) for value in values), present)
            return


def _rule(draft: Draft, choosing: Choosing, choice: Choice) -> None:
    name = choosing.question.partition(":")[2]
    value = next(value for value in offered(draft.state.rules, name) if key_of(value) == choice.key)
    set_rules(draft, changed(draft.state.rules, **{name: value}))
    _ask_from(draft, WALK.index(name) + 1)


def set_rules(draft: Draft, rules: Rules) -> None:
    """Other rules from now on; the game has not begun."""
    fresh = Game(draft.house.board, rules, draft.state.players).begin()
    draft.set(rules=rules, game=fresh, table=fresh.steps)


def set_players(draft: Draft, players: tuple[int, ...]) -> None:
    """Other seats play; the game has not begun."""
    fresh = Game(draft.house.board, draft.state.rules, players).begin()
    draft.set(players=players, game=fresh, table=fresh.steps)


ANSWERS["preset"] = _preset
ANSWERS["rules"] = _rules
ANSWERS["rule"] = _rule
