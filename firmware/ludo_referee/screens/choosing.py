"""The screen of every question answered with one button: tap for the next answer, hold to choose it."""

from __future__ import annotations

from ..locale import LANGUAGES, Words, message
from ..locale.house_rules import preset_name, switch_name, value_name
from ..referee.views import Choice, Choose
from .canvas import BLACK, Canvas
from .registry import screen
from .shapes import seat_shape

QUESTIONS = {
    "language": message("Language"),
    "preset": message("House rules"),
    "dispute": message("What now?"),
    "moved": message("Which move?"),
    "reading": message("What was that?"),
    "again": message("Again?"),
    "power": message("Switch off?"),
}

ANSWERS = {
    "dispute go_on": message("Go on"),
    "dispute as_it_stands": message("Take the table as it stands"),
    "dispute put_back": message("Put it back as it was"),
    "dispute undo": message("Undo the last move"),
    "moved none": message("Back"),
    "reading move": message("A move"),
    "reading take_back": message("Taking back"),
    "again again": message("Play again"),
    "again rules": message("Change the rules"),
    "again throws": message("See all throws"),
    "again off": message("Switch off"),
    "power stay": message("Stay on"),
    "power off": message("Switch off"),
}


@screen(Choose)
def choose(canvas: Canvas, view: Choose, words: Words, t: float) -> None:
    """The question in a lit bar, one answer large, a dot an answer, and what tap and hold do."""
    choice = view.choices[view.index]
    bar = 11 if canvas.low else 14
    canvas.bar((0, 0, canvas.width, bar))
    canvas.text((2, 1, canvas.width - 2, bar - 1), question(view.question, words), largest=13, ink=0)
    foot = canvas.height if canvas.low else canvas.height - 13
    if not canvas.low:
        if len(view.choices) > 1:
            canvas.text((0, foot, canvas.width, canvas.height), words("Tap: next · Hold: OK"), largest=12)
        else:
            canvas.text((0, foot, canvas.width, canvas.height), words("Tap: OK"), largest=12)
    left = 0
    if choice.seat is not None:
        left = 24 if canvas.low else 34
        canvas.paste(seat_shape(choice.seat, left - 6), 2, bar + (foot - bar - left + 6) // 2)
    right = canvas.width - 6
    canvas.text((left, bar + 2, right, foot - 2), answer(view.question, choice, words), weight=BLACK, largest=28)
    _dots(canvas, len(view.choices), view.index, (right + 1, bar + 2, canvas.width, foot - 1))


def _dots(canvas: Canvas, count: int, index: int, box: tuple[int, int, int, int]) -> None:
    """A column of dots, the offered one larger; a bar's position where there are too many."""
    _, top, right, bottom = box
    if count < 2:
        return
    pitch = min(8.0, (bottom - top) / count)
    first = (top + bottom - pitch * count) / 2
    for dot in range(count):
        middle = round(first + pitch * (dot + 0.5))
        if dot == index:
            canvas.pen.rectangle((right - 4, middle - 2, right - 1, middle + 1), fill=1)
        elif pitch >= 3:
            canvas.pen.point((right - 2, middle), fill=1)


def question(key: str, words: Words) -> str:
    """What is asked."""
    if key.startswith("rule:"):
        return switch_name(key.removeprefix("rule:"), words)
    return words(QUESTIONS[key])


def answer(key: str, choice: Choice, words: Words) -> str:
    """One answer in words."""
    if key == "language":
        return LANGUAGES[choice.key]
    if key == "preset":
        return preset_name(choice.key, words)
    if key.startswith("rule:"):
        return value_name(key.removeprefix("rule:"), choice.key, words)
    if choice.start is not None and choice.end is not None:
        start, end = (words.place(where.kind, where.number) for where in (choice.start, choice.end))
        return words("{start:from} {end:to}", start=start, end=end)
    return words(ANSWERS[f"{key} {choice.key}"])
