"""Every screen fits every display in every language with the longest names, and no letter is missing."""

from __future__ import annotations

import dataclasses
from importlib import resources
from typing import Any

import pytest

from ludo_referee import locale, screens
from ludo_referee.locale import COLOURS, LANGUAGES, catalogue, words
from ludo_referee.referee.views import Address, View
from ludo_referee.screens import canvas
from ludo_referee.screens.canvas import BLACK, BOLD, Canvas, Layout, font, lay_out
from ludo_referee.screens.examples import EXAMPLES, FOUR
from ludo_referee.screens.registry import SCREENS

SIZES = [(128, 64), (128, 32), (132, 64)]


def unhandy_colours(language: str) -> set[str]:
    """The longest name, and the longest of the highest: dots above a capital may cost a text one of its lines."""

    def extent(colour: str) -> tuple[float, float]:
        left, top, right, bottom = font(BLACK, 20).getbbox(str(words(language).colour(colour)))
        return bottom - top, right - left

    return {max(COLOURS, key=extent), max(COLOURS, key=lambda colour: extent(colour)[1])}


def with_colour(value: Any, colour: str) -> Any:
    """The view with every colour replaced."""
    if isinstance(value, str):
        return colour if value in FOUR else value
    if isinstance(value, tuple):
        return tuple(with_colour(item, colour) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value)(**{field.name: with_colour(getattr(value, field.name), colour) for field in dataclasses.fields(value)})
    return value


def moments(view: View) -> tuple[float, ...]:
    """When a view shows another page; what only flashes or tumbles in the first second has the same words."""
    return (0.0, *(change for change in SCREENS[type(view)].changes if change > 2.0))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(128, 64), (128, 32)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_screen_fits(size: tuple[int, int], language: str) -> None:
    assert not cut(size, language)


def test_every_screen_fits_a_wider_display() -> None:
    assert not cut((132, 64), "ru")


def cut(size: tuple[int, int], language: str) -> set[str]:
    """What did not fit, of all examples with the unhandiest colours."""
    return {
        f"{name}: {text}"
        for colour in unhandy_colours(language)
        for name, view in EXAMPLES.items()
        for t in moments(view)
        for text in screens.canvas_of(with_colour(view, colour), size, t, language).cut
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(128, 64), (128, 32)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_line_begins_with_a_sign_that_belongs_to_the_line_before(
    size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []

    def noted(*arguments: Any) -> Layout:
        layout = lay_out(*arguments)
        lines.extend(line.text for line in layout.lines[1:])
        return layout

    monkeypatch.setattr(canvas, "lay_out", noted)
    for view in EXAMPLES.values():
        if not isinstance(view, Address):
            for t in moments(view):
                screens.canvas_of(view, size, t, language)
    assert lines
    assert [line for line in lines if line[0] in "%·–,.:;!?)"] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("weight", [BOLD, BLACK])
def test_no_letter_is_missing(weight: str, language: str) -> None:
    def drawn(letter: str) -> bytes:
        return bytes(font(weight, 16).getmask(letter, mode="1"))

    letters = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .:/?!-–+×χ²…") | set("".join(LANGUAGES.values()))
    letters |= {letter for colour in COLOURS for letter in str(words(language).colour(colour))}
    if language != "en":
        letters |= set("".join(catalogue.parse(resources.files(locale).joinpath(f"{language}.po").read_text("utf-8")).values()))
    letters -= set(" \n\0→")  # the arrow stands in sentences for the console only
    assert len(letters) > 70
    assert {letter for letter in letters if drawn(letter) == drawn("\uffff")} == set()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_pictures_have_the_display_size_and_one_bit(size: tuple[int, int]) -> None:
    for view in EXAMPLES.values():
        picture = screens.draw(view, size)
        assert (picture.mode, picture.size) == ("1", size)
        assert picture.getbbox() is not None


def test_text_that_cannot_fit_is_cut_with_an_ellipsis_and_noted() -> None:
    narrow = Canvas((40, 20))
    narrow.text((0, 0, 40, 12), "a sentence that is far too long")
    assert narrow.cut == ["a sentence that is far too long"]
    assert narrow.picture.getbbox() is not None
