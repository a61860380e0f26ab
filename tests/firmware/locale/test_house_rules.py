"""Every rule that can be switched is said in plain words."""

from __future__ import annotations

import pytest

from ludo_referee.locale import LANGUAGES, words
from ludo_referee.locale.house_rules import PRESETS, SWITCHES, VALUES, preset_name, switch_name, value_name
from ludo_referee.rules import ruleset

NO_CHOICE = {"board"}


def test_every_switch_and_preset_has_words_and_no_other() -> None:
    assert set(SWITCHES) == set(ruleset.SWITCHES) - NO_CHOICE
    assert set(PRESETS) == {*ruleset.PRESETS, "own"}


def test_every_value_that_is_a_word_has_words_and_no_other() -> None:
    values = {
        f"{name} {choice}" for name, switch in ruleset.SWITCHES.items() for choice in switch.choices if isinstance(choice, str)
    }
    assert values == set(VALUES) - {"yes", "no"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_stay_and_words_are_translated(language: str) -> None:
    spoken = words(language)
    assert value_name("tries", "3", spoken) == "3"
    assert value_name("entry", "1_6", spoken) == "1, 6"
    assert value_name("six_bonus", "yes", spoken) == {"en": "yes", "id": "ya", "ru": "да", "de": "ja", "es": "sí"}[language]


def test_people_find_the_names_they_use() -> None:
    assert preset_name("madn", words("de")) == "Mensch ärgere dich nicht"
    assert preset_name("parchis", words("es")) == "Parchís"
    assert switch_name("must_capture", words("de")) == "Schlagzwang"


def test_a_preset_of_the_familys_own_keeps_its_name() -> None:
    assert preset_name("grandma", words("ru")) == "grandma"
