"""The rule that a wrong move breaks, in a few words for the display and the page, where it says more than the move's reason does."""

from __future__ import annotations

from . import Words, message

RULES = {
    "off_way": message("{colour} cannot go beyond home"),
    "at_rest": message("{colour} is home and stays there"),
    "overshoot": message("The roll is too high for home"),
    "entry_value": message("This roll brings no token out"),
    "bonus_entry": message("A reward brings no token out"),
    "enter_on_start": message("{colour} comes out onto the start"),
    "square_full": message("The square is full"),
    "block_landing": message("A block stands there"),
    "block_hop": message("A 1 hops over the block"),
    "home_jump": message("No jumping in the home column"),
    "safe_landing": message("Another colour is safe there"),
    "pair": message("These two may not move together"),
    "force_entry": message("A token must leave the yard"),
    "clear_start": message("The start must be cleared first"),
    "open_block_on_six": message("A block must be opened first"),
    "must_capture": message("{colour} must capture"),
    "earn_anew": message("The last roll must be earned again"),
}
"""By the rules' own key (`rules.why_not.SENTENCES`)."""


def broken_rule(rule: str, colour: str | None, words: Words) -> str | None:
    """The rule in a language, without a full stop; None where the reason says it all."""
    return words(RULES[rule], colour=words.colour(colour)) if rule in RULES else None
