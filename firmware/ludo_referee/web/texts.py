"""What is written on the page, in the languages of the display."""

from __future__ import annotations

from ..locale import message, words

TEXTS = {
    "live": message("Live"),
    "lost": message("Not connected – trying again …"),
    "table": message("The table"),
    "keys": message(
        "The table. Arrow keys choose a token, Enter takes it up, arrow keys carry it, Enter puts it down, Escape puts it back."
    ),
    "print": message("The board as the referee knows it"),
    "how": message("Drag a token to move it. The referee watches this picture and nothing else."),
    "box": message("The referee"),
    "display": message("The referee's display"),
    "button": message("The die button: press to throw; press twice to ask what now; hold 2 seconds to choose or dispute"),
    "tip": message("Press: throw · twice: what now? · hold 2 s: choose, dispute"),
    "players": message("Players"),
    "own": message("We throw our own die"),
    "faces": message("What our die shows"),
    "who": message("Who moves the tokens?"),
    "who_all": message("The table plays by itself"),
    "who_others": message("I play the first colour, the table plays the others"),
    "who_none": message("I move all tokens"),
    "board": message("Board"),
    "new": message("New game"),
    "record": message("That was wrong! Record the last minutes"),
    "said": message("What the referee said"),
}
"""By the name that an element of the page carries: as its text (data-text) or as what a screen reader says (data-label)."""


def texts(language: str) -> dict[str, str]:
    """All of them in a language, and under `language` its code. Raises LanguageError."""
    spoken = words(language)
    return {"language": language, **{name: spoken(text) for name, text in TEXTS.items()}}
