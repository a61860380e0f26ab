"""The words of five languages: whole messages, looked up first and formatted after.

A new language is a .po file and a line in LANGUAGES; the tests say what is missing or does not fit.
The English text in the program is the key; `de.po` and its like hold the others. Colours and places are values that know
their grammatical case: a translation writes `{taken:whom}` where its language needs the accusative, and the program does not know.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from importlib import resources

from ..errors import LudoError
from .catalogue import translations

LANGUAGES: Mapping[str, str] = {"en": "English", "id": "Bahasa Indonesia", "ru": "Русский", "de": "Deutsch", "es": "Español"}

COLOURS = ("red", "green", "yellow", "blue", "black", "white", "orange", "purple", "pink", "brown", "grey")
COLOUR_CASES = ("", "whose", "whom", "to")  # nominative, genitive, accusative, dative

PLACE_NAMES: Mapping[str, Mapping[str, str]] = {  # English is where a case is spelt out; elsewhere it is the key
    "": {"yard": "yard", "start": "start", "star": "star", "square": "{n}", "home": "home {n}", "finish": "finish"},
    "from": {
        "yard": "from the yard",
        "start": "from the start",
        "star": "from the star",
        "square": "from {n}",
        "home": "from home {n}",
        "finish": "from the finish",
    },
    "to": {
        "yard": "to the yard",
        "start": "to the start",
        "star": "to the star",
        "square": "to {n}",
        "home": "to home {n}",
        "finish": "to the finish",
    },
}

PLACES = ("1st", "2nd", "3rd", "4th")


class LanguageError(LudoError, ValueError):
    """A language that the program does not speak."""


def message(text: str) -> str:
    """The text itself; marks a message that stands in a table and is looked up later."""
    return text


class Colour:
    """A colour's name in one language: `{c}` gives RED, `{c:whose}`, `{c:whom}`, `{c:to}` the other cases.

    A colour the catalogue does not know is shown as the configuration writes it.
    """

    def __init__(self, name: str, words: Words) -> None:
        self._name = name
        self._words = words

    def __str__(self) -> str:
        return format(self)

    def __format__(self, case: str) -> str:
        if case not in COLOUR_CASES:
            raise ValueError(f"{{…:{case}}}: a colour has the cases {', '.join(COLOUR_CASES[1:])}.")
        return self._words.in_context(f"colour {case}".strip(), self._name).upper()


class PlaceName:
    """A place's name in one language: `{p}` gives star, `{p:from}` from the star, `{p:to}` to the star."""

    def __init__(self, kind: str, number: int, words: Words) -> None:
        self._kind, self._number, self._words = kind, number, words

    def __str__(self) -> str:
        return format(self)

    def __format__(self, case: str) -> str:
        name = self._words.in_context(f"place {case}".strip(), PLACE_NAMES[case][self._kind])
        return name.replace(" {n}", "\u00a0{n}").format(n=self._number)  # no line ends between a word and its number


class Words:
    """One language's messages. Call it with an English message and its values."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str, /, **values: object) -> str:
        """The message in this language, values filled in."""
        return self._catalogue.gettext(text).format(**values)

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """The message in the plural form that `n` asks for; `{n}` in it is the number."""
        return self._catalogue.ngettext(one, many, n).format(n=n, **values)

    def in_context(self, context: str, text: str) -> str:
        """The message of that context, unformatted."""
        return self._catalogue.pgettext(context, text)

    def colour(self, name: str | None) -> Colour:
        """A colour's name, to be put into messages; None: a token whose colour cannot be told."""
        return Colour(name or "?", self)

    def place(self, kind: str, number: int) -> PlaceName:
        """The name of a yard, start, star, square, home or finish, to be put into messages."""
        return PlaceName(kind, number, self)

    def rank(self, place: int) -> str:
        """1st, 2nd, 3rd, 4th in this language's short form."""
        return self.in_context("rank", PLACES[place - 1])


@cache
def words(language: str = "en") -> Words:
    """The words of a language. Raises LanguageError."""
    if language not in LANGUAGES:
        raise LanguageError(f"The referee does not speak {language!r}. Choose one of: {', '.join(LANGUAGES)}.")
    if language == "en":
        return Words(language, gettext.NullTranslations())
    name = f"{language}.po"
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return Words(language, translations(text, name))
