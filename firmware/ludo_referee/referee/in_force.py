"""The house rules in force, as pairs of a switch and its value: what families differ in, and what of it is worth saying."""

from __future__ import annotations

from typing import Any

from ..rules.ruleset import Rules

WALK = (
    "entry", "tries", "six_bonus", "three_sixes", "own_landing", "block_pass", "safe", "capture_bonus", "home_bonus", "force_entry",
    "must_capture", "overshoot", "take_back", "play_on",
)  # fmt: skip
"""The switches that families differ in, in the order in which they are asked; all others by configuration."""

ALWAYS = ("entry", "own_landing", "safe", "three_sixes", "capture_bonus")
"""What people ask first; said where nothing more unusual has to be."""


def in_force(rules: Rules) -> tuple[tuple[str, str], ...]:
    """As many (switch, value) as ALWAYS has, first what differs from plain Ludo, in the order of the walk."""
    unusual = [name for name in WALK if getattr(rules, name) != getattr(Rules(), name)]
    said = [*unusual, *(name for name in ALWAYS if name not in unusual)][: len(ALWAYS)]
    return tuple((name, key_of(getattr(rules, name))) for name in WALK if name in said)


def key_of(value: Any) -> str:
    """A switch's value as a choice's key: yes, no, a word, or die values joined by _ (1_6)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "_".join(map(str, sorted(value))) if isinstance(value, frozenset) else str(value)
