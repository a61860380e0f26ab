"""The languages are whole: every message, every form, the same blanks to fill."""

from __future__ import annotations

import importlib.util
import re
import string
from importlib import resources
from pathlib import Path

import pytest

from ludo_referee import locale
from ludo_referee.locale import COLOURS, LANGUAGES, LanguageError, words
from ludo_referee.locale.catalogue import CatalogueError, compiled, parse

_spec = importlib.util.spec_from_file_location("messages", Path(__file__).with_name("messages.py"))
assert _spec is not None
assert _spec.loader is not None
_messages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_messages)
MESSAGES = _messages.everything()

OTHERS = [language for language in LANGUAGES if language != "en"]
FORMS = {"id": 1, "ru": 3, "de": 2, "es": 2}


def catalogue(language: str) -> dict[str, str]:
    return parse(resources.files(locale).joinpath(f"{language}.po").read_text(encoding="utf-8"), language)


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_source_has_messages_of_every_kind() -> None:
    assert "Press to roll" in MESSAGES
    assert "One square back\0{n} squares back" in MESSAGES
    assert "colour whom\x04red" in MESSAGES


@pytest.mark.parametrize("language", OTHERS)
def test_catalogue_has_every_message_and_no_other(language: str) -> None:
    there = set(catalogue(language)) - {""}
    assert there == set(MESSAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_translation_fills_the_same_blanks_in_every_plural_form(language: str) -> None:
    for key, text in catalogue(language).items():
        if not key:
            continue
        message = MESSAGES[key]
        forms = text.split("\0")
        assert len(forms) == (FORMS[language] if message.plural else 1), message
        allowed = blanks(message.text) | blanks(message.plural)
        for form in forms:
            needed = allowed - {"n"} if message.plural else allowed
            assert needed <= blanks(form) <= allowed, f"{message.text!r} → {form!r}"


@pytest.mark.parametrize("language", OTHERS)
def test_translation_ends_as_its_message_does(language: str) -> None:
    for key, text in catalogue(language).items():
        if key and MESSAGES[key].where == "words.py":
            wants_stop = MESSAGES[key].text.endswith(".")
            for form in text.split("\0"):
                stops = form.endswith((".", "{rank}"))  # German ranks bring their own full stop
                assert stops == wants_stop, form


@pytest.mark.parametrize(
    ("n", "sentence"),
    [(1, "1 клетка назад"), (2, "2 клетки назад"), (5, "5 клеток назад"), (11, "11 клеток назад"), (21, "21 клетка назад")],
)
def test_russian_counts_in_three_forms(n: int, sentence: str) -> None:
    assert words("ru").count("One square back", "{n} squares back", n) == sentence


def test_colours_take_the_case_their_sentence_needs() -> None:
    spoken = words("ru")
    assert spoken("{by} takes {taken}!", by=spoken.colour("red"), taken=spoken.colour("blue")) == "КРАСНЫЕ бьют СИНИХ!"
    spoken = words("de")
    assert spoken("{by} takes {taken}!", by=spoken.colour("red"), taken=spoken.colour("green")) == "ROT schlägt GRÜN!"


def test_a_colour_of_the_familys_own_is_shown_as_written() -> None:
    assert str(words("de").colour("bordeaux")) == "BORDEAUX"


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_colours_never_have_the_same_name(language: str) -> None:
    assert len({str(words(language).colour(colour)) for colour in COLOURS}) == len(COLOURS)


def test_place_keeps_its_number_on_the_line() -> None:
    assert f"{words('de').place('home', 2):to}" == "auf Ziel\u00a02"


def test_unknown_language_names_those_there_are() -> None:
    with pytest.raises(LanguageError, match=r"'fr'.*en, id, ru, de, es"):
        words("fr")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('msgid "a"\nmsgstr b\n', "line 2"),
        ('"lost"\n', "line 1"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "twice"),
    ],
)
def test_broken_catalogue_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(CatalogueError, match=complaint):
        parse(text)


def test_untranslated_fuzzy_and_obsolete_entries_are_left_out() -> None:
    text = 'msgid "a"\nmsgstr ""\n\n#, fuzzy\nmsgid "b"\nmsgstr "x"\n\n#~ msgid "c"\n#~ msgstr "y"\n\nmsgid "d"\nmsgstr ""\n"z"\n'
    assert parse(text) == {"d": "z"}


def test_compiled_form_is_what_gettext_reads() -> None:
    import gettext
    from io import BytesIO

    messages = {"": "Content-Type: text/plain; charset=UTF-8\n", "ä": "ö", "from\x04x": "y"}
    read = gettext.GNUTranslations(BytesIO(compiled(messages)))
    assert read.gettext("ä") == "ö"
    assert read.pgettext("from", "x") == "y"


@pytest.mark.parametrize("language", OTHERS)
def test_catalogue_line_is_no_longer_than_needed(language: str) -> None:
    """A translation that says the same as the English is there on purpose only where the languages agree."""
    same = [key for key, text in catalogue(language).items() if key and text == MESSAGES[key].text and re.search("[a-z]{3}", text)]
    same = [key for key in same if not re.fullmatch(r"[^a-zA-Z]*(\{[^}]*\}[^a-zA-Z]*)*", MESSAGES[key].text)]
    names = {"Ludo", "Mensch ärgere dich nicht", "Parchís", "orange", "pink", "start", "star"}
    assert {MESSAGES[key].text for key in same} <= names
