"""The screens of the end: a seat at home, the ranking, the throws, good night."""

from __future__ import annotations

from ..locale import Words
from ..referee.views import FinishedSeat, Goodbye, Over, ThrowCounts
from .canvas import BLACK, Canvas
from .registry import screen
from .shapes import seat_shape


@screen(FinishedSeat)
def finished_seat(canvas: Canvas, view: FinishedSeat, words: Words, t: float) -> None:
    """The rank over the full height, and whose it is."""
    side = canvas.height
    canvas.bar((0, 0, side, side))
    canvas.text((2, 2, side - 2, side - 2), words.rank(view.place), weight=BLACK, ink=0)
    left = side + 3
    half = canvas.height // 2
    canvas.paste(seat_shape(view.seat, half - 3), left + (canvas.width - left - half + 3) // 2, 1)
    canvas.text((left, half, canvas.width, canvas.height), str(words.colour(view.colour)), weight=BLACK)


@screen(Over)
def over(canvas: Canvas, view: Over, words: Words, t: float) -> None:
    """The ranking, first to last: rows on a high display, two columns on a low one."""
    columns = 2 if canvas.low and len(view.order) > 2 else 1
    rows = -(-len(view.order) // columns)
    for index, (seat, colour) in enumerate(view.order):
        column, row = divmod(index, rows)
        left, right = canvas.width * column // columns, canvas.width * (column + 1) // columns
        top, bottom = canvas.height * row // rows, canvas.height * (row + 1) // rows
        side = min(bottom - top - 2, 28)
        canvas.text((left, top + 1, left + side // 2 + 4, bottom - 1), str(index + 1), weight=BLACK, largest=26)
        canvas.paste(seat_shape(seat, side), left + side // 2 + 6, top + (bottom - top - side) // 2)
        canvas.text(
            (left + side * 3 // 2 + 9, top + 1, right - 1, bottom - 1), str(words.colour(colour)), weight=BLACK, align="left"
        )


@screen(ThrowCounts)
def throw_counts(canvas: Canvas, view: ThrowCounts, words: Words, t: float) -> None:
    """A row a player, a column a face, and what chance says to it."""
    rows = len(view.rows) + 1
    foot = canvas.height if canvas.low else canvas.height - 12
    for row in range(rows):
        top, bottom = foot * row // rows, foot * (row + 1) // rows
        if row:
            canvas.paste(seat_shape(view.rows[row - 1][0], min(bottom - top, 14)), 0, top)
        for face in range(6):
            left, right = 16 + (canvas.width - 16) * face // 6, 16 + (canvas.width - 16) * (face + 1) // 6
            text = str(view.rows[row - 1][2][face] if row else face + 1)
            canvas.text((left, top, right, bottom), text, largest=14, weight=BLACK if row == 0 else "RobotoBold")
    if not canvas.low:
        canvas.text((0, foot, canvas.width, canvas.height), _verdict(view, words), largest=12)


def _verdict(view: ThrowCounts, words: Words) -> str:
    if view.probability is None:
        return words("Too few throws to judge")
    return words("χ² {chi:.1f}: {percent:.0f} % by chance", chi=view.chi_square, percent=view.probability * 100)


@screen(Goodbye)
def goodbye(canvas: Canvas, view: Goodbye, words: Words, t: float) -> None:
    """The last picture."""
    canvas.text((0, 0, canvas.width, canvas.height), words("Good night"), weight=BLACK)
