"""What is decided is told in sentences, in every language."""

from __future__ import annotations

import pytest

from ludo_referee import words
from ludo_referee.locale import LANGUAGES
from ludo_referee.locale.broken_rules import RULES
from ludo_referee.referee import notices
from ludo_referee.referee.notices import Notice
from ludo_referee.rules import why_not
from ludo_referee.rules.board import load_board
from ludo_referee.screens.play import WHY_NOT, WHY_ROLL
from ludo_referee.screens.trouble import WHAT_HIDES, WHAT_IS_WRONG

BOARD = load_board("ludo15")
COLOURS = [seat.colour.upper() for seat in BOARD.seats]

EXAMPLES: tuple[Notice, ...] = (
    *(notices.Board(0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), how) for how in ("given", "markers", "print")),
    notices.BoardMoved(1.0),
    notices.Camera(1.0, "lost"),
    notices.Camera(1.0, "back"),
    *(notices.Turn(2.0, 0, why) for why in WHY_ROLL),
    notices.Roll(3.0, 1, 6),
    *(notices.Pass(4.0, 2, reason) for reason in WHY_NOT),
    notices.Move(5.0, 0, -1, 0, 1, ()),
    notices.Move(5.0, 0, 8, 12, 2, ()),
    notices.Move(5.0, 0, 4, 8, 1, ((1, 47),)),
    notices.Move(5.0, 0, 52, 56, 1, ()),
    notices.ReturnToken(6.0, 3, 10),
    *(notices.Illegal(7.0, reason, ((1, 5, 9),)) for reason in WHAT_IS_WRONG),
    notices.Illegal(7.0, "off_board", ((1, 5, None),)),
    notices.Illegal(7.0, "unclear_change", ()),
    notices.Restored(8.0),
    *(notices.Unclear(9.0, what) for what in ("covered", "light", "blur", "glare", "token_between")),
    notices.TakeBack(10.0, 0),
    notices.Override(11.0, ((0, 0, 0, 0), (), (), ())),
    notices.Finish(12.0, 2, 1),
    notices.GameOver(13.0, (2, 0, 1, 3)),
)


def test_every_notice_class_has_a_sentence_and_an_example() -> None:
    classes = {kind for kind in vars(notices).values() if isinstance(kind, type) and issubclass(kind, Notice) and kind is not Notice}
    assert classes == set(words.SENTENCES) == {type(notice) for notice in EXAMPLES}


def test_a_notice_without_a_sentence_is_refused() -> None:
    with pytest.raises(LookupError, match="Notice"):
        words.tell(Notice(0.0), BOARD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_is_a_whole_sentence(language: str) -> None:
    for notice in EXAMPLES:
        sentence = words.tell(notice, BOARD, language)
        assert sentence[-1] in ".)", sentence
        assert ".." not in sentence, sentence
        assert not set("{}?_") & set(sentence), sentence


def test_a_move_names_colour_places_and_who_is_taken() -> None:
    first, second = COLOURS[:2]
    assert words.tell(notices.Move(0.0, 0, -1, 0, 1, ()), BOARD) == f"{first}: yard → start."
    assert words.tell(notices.Move(0.0, 0, 4, 8, 1, ((1, 47),)), BOARD) == f"{first}: 4 → star, takes {second}."
    assert words.tell(notices.Move(0.0, 0, 52, 56, 1, ()), BOARD) == f"{first}: home 2 → finish."


def test_what_was_seen_follows_in_brackets() -> None:
    sentence = words.tell(notices.Illegal(0.0, "wrong_count", ((0, 5, 9),)), BOARD)
    assert sentence == f"Wrong move: not the number that was rolled. ({COLOURS[0]} from 5 to 9)"


def test_russian_puts_colours_into_their_cases() -> None:
    colours = {"red": "КРАСНЫХ", "green": "ЗЕЛЁНЫХ", "yellow": "ЖЁЛТЫХ", "blue": "СИНИХ"}
    sentence = words.tell(notices.Pass(0.0, 0, "no_move"), BOARD, "ru")
    assert sentence == f"У {colours[BOARD.seats[0].colour]} нет хода."


def test_game_over_lists_the_places() -> None:
    order = ", ".join(f"{place} {COLOURS[seat]}" for place, seat in zip(("1st", "2nd", "3rd", "4th"), (2, 0, 1, 3), strict=True))
    assert words.tell(notices.GameOver(0.0, (2, 0, 1, 3)), BOARD) == f"Game over. {order}."


def test_console_and_display_know_the_same_reasons() -> None:
    assert set(words.WHY_TURN) == set(WHY_ROLL)
    assert set(words.WHY_PASS) == set(WHY_NOT)
    assert set(words.WHAT_IS_WRONG) == set(WHAT_IS_WRONG)
    assert set(words.WHAT_HIDES) <= set(WHAT_HIDES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finer_rule_is_said_instead_of_the_reason(language: str) -> None:
    for rule in RULES:
        sentence = words.tell(notices.Illegal(0.0, "blocked", ((0, 5, 9),), rule), BOARD, language)
        assert sentence != words.tell(notices.Illegal(0.0, "blocked", ((0, 5, 9),)), BOARD, language)
        assert not set("{}?_") & set(sentence), sentence


def test_finer_rules_are_the_rules_own() -> None:
    assert set(RULES) <= set(why_not.SENTENCES)
