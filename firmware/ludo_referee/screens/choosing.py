"""The screen of every question answered with one button: tap for the next answer, hold to choose it."""

from __future__ import annotations

from ..locale import LANGUAGES, Words, message
from ..locale.house_rules import preset_name, switch_name, value_name
from ..referee.views import Choice, Choose
from .canvas import BLACK, LIT, NO_BREAK, Box, Canvas
from .registry import screen
from .shapes import seat_shape

QUESTIONS = {
    "language": message("Language"),
    "preset": message("House rules"),
    "rules": message("House rules"),
    "blind": message("I cannot find the board"),
    "start": message("Begin like this?"),
    "players": message("Who plays?"),
    "restore": message("Not as it stood"),
    "dispute": message("What now?"),
    "moved": message("Which move?"),
    "reading": message("What was that?"),
    "again": message("Again?"),
    "power": message("Switch off?"),
}

ANSWERS = {
    "rules play": message("Play with these"),
    "rules change": message("Change the rules"),
    "blind wait": message("Look again"),
    "blind play": message("Play by button"),
    "start wait": message("Look again"),
    "start anyway": message("Begin anyway"),
    "restore put_back": message("Put it back as it was"),
    "restore as_it_stands": message("Take the table as it stands"),
    "dispute go_on": message("Go on"),
    "dispute done": message("It is done"),
    "dispute as_it_stands": message("Take the table as it stands"),
    "dispute put_back": message("Put it back as it was"),
    "dispute undo": message("Undo the last move"),
    "dispute record": message("Record what went wrong"),
    "moved none": message("Back"),
    "reading move": message("A move"),
    "reading take_back": message("Taking back"),
    "again again": message("Play again"),
    "again throws": message("See all throws"),
    "again off": message("Switch off"),
    "power stay": message("Stay on"),
    "power off": message("Switch off"),
}


ANSWER_S, QUESTION_S, HELP_S = 5.0, 2.0, 2.0


@screen(Choose, changes=(ANSWER_S, ANSWER_S + QUESTION_S), loop_s=ANSWER_S + QUESTION_S + HELP_S)
def choose(canvas: Canvas, view: Choose, words: Words, t: float) -> None:
    """The question in a lit bar, one answer large, a dot an answer, and what tap and hold do.

    On a low display the answer has it alone; the question and what tap and hold do show now and then."""
    choice = view.choices[view.index]
    asked = question(view.question, words)
    help_text = words("Tap: next · Hold: OK") if len(view.choices) > 1 else words("Tap: OK")
    if canvas.low and t >= ANSWER_S:
        canvas.text((0, 0, canvas.width, canvas.height), asked if t < ANSWER_S + QUESTION_S else _two_lines(help_text))
        return
    top, foot = 0, canvas.height
    if not canvas.low:
        top = canvas.head(asked) + 2
        foot = canvas.height - 13
        canvas.text((0, foot, canvas.width, canvas.height), help_text, largest=12)
    left, right = 0, canvas.width - 6
    if view.question == "players":
        _party(canvas, (left, top, right, foot - 1), [int(seat) for seat in choice.key])
        _dots(canvas, len(view.choices), view.index, (right + 1, top, canvas.width, foot - 1))
        return
    if choice.seat is not None:
        side = min(26, foot - top - 2)
        canvas.paste(seat_shape(choice.seat, side), 1, (top + foot - side) // 2)
        left = side + 4
    canvas.text((left, top, right, foot - 1), answer(view.question, choice, words), weight=BLACK, largest=28)
    _dots(canvas, len(view.choices), view.index, (right + 1, top, canvas.width, foot - 1))


def _two_lines(help_text: str) -> str:
    """What tap does on one line, what hold does on the other."""
    return " ".join(half.replace(" ", NO_BREAK) for half in help_text.split(" · "))


def _party(canvas: Canvas, box: Box, seats: list[int]) -> None:
    """The shapes of several seats in a row: no word is needed."""
    left, top, right, bottom = box
    side = min(bottom - top - 2, (right - left) // 4 - 3)
    first = (left + right - len(seats) * (side + 3)) // 2
    for number, seat in enumerate(seats):
        canvas.paste(seat_shape(seat, side), first + number * (side + 3), (top + bottom - side) // 2)


def _dots(canvas: Canvas, count: int, index: int, box: Box) -> None:
    """A column of dots, a larger one for the answer offered; only that one where there are too many."""
    _, top, right, bottom = box
    if count < 2:
        return
    pitch = min(8.0, (bottom - top) / count)
    first = (top + bottom - pitch * count) / 2
    for dot in range(count):
        middle = round(first + pitch * (dot + 0.5))
        if dot == index:
            canvas.pen.rectangle((right - 4, middle - 2, right - 1, middle + 1), fill=LIT)
        elif pitch >= 3:
            canvas.pen.point((right - 2, middle), fill=LIT)


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
