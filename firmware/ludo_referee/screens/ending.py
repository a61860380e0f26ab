"""The screens of the end: a seat at home, the ranking, the throws, good night."""

from __future__ import annotations

from ..locale import Words
from ..referee.views import FinishedSeat, Goodbye, Over, ThrowCounts
from .canvas import BLACK, BOLD, NO_BREAK, SMALLEST, Canvas, lay_out
from .registry import PAGE_S, page, pages, screen
from .shapes import seat_shape


@screen(FinishedSeat, changes=(0.4, 0.8, 1.2, 1.6))
def finished_seat(canvas: Canvas, view: FinishedSeat, words: Words, t: float) -> None:
    """The rank over the full height, and whose it is; it blinks twice for joy."""
    side = canvas.height
    canvas.bar((0, 0, side, side))
    canvas.text((2, 2, side - 2, side - 2), words.rank(view.place), weight=BLACK, ink=0)
    left = side + 3
    half = canvas.height // 2
    canvas.paste(seat_shape(view.seat, half - 3), left + (canvas.width - left - half + 3) // 2, 1)
    canvas.text((left, half, canvas.width, canvas.height), str(words.colour(view.colour)), weight=BLACK)
    if int(t / 0.4 + 1e-6) in (1, 3):
        canvas.invert()


@screen(Over, changes=pages(2), loop_s=2 * PAGE_S)
def over(canvas: Canvas, view: Over, words: Words, t: float) -> None:
    """The ranking, first to last; two at a time on a low display."""
    ranked = list(enumerate(view.order, 1))
    if canvas.low and len(ranked) > 2:
        ranked = ranked[:2] if page(t) == 0 else ranked[2:]
    for row, (place, (seat, colour)) in enumerate(ranked):
        top, bottom = canvas.height * row // len(ranked) + 1, canvas.height * (row + 1) // len(ranked) - 1
        side = min(bottom - top, 28)
        middle = (top + bottom - side) // 2
        canvas.text((0, top, side // 2 + 4, bottom), str(place), weight=BLACK, largest=26)
        canvas.seat((side // 2 + 6, middle, canvas.width, middle + side), seat, str(words.colour(colour)), align="left")


PLAYERS = 4
LABEL = 14  # pixels at the left for the seat's shape
GAP = 3  # pixels between two columns; those between two digits are one or two


@screen(ThrowCounts, changes=pages(PLAYERS + 1), loop_s=(PLAYERS + 1) * PAGE_S)
def throw_counts(canvas: Canvas, view: ThrowCounts, words: Words, t: float) -> None:
    """A row a player, a column a face, and what chance says to it; on a low display one after the other."""
    rows = view.rows
    foot = canvas.height
    if canvas.low:
        shown = page(t) % (len(rows) + 1)
        if shown == len(rows):
            canvas.text((0, 0, canvas.width, canvas.height), _verdict(view, words), largest=16)
            return
        rows = rows[shown : shown + 1]
    else:
        foot -= 12
        canvas.text((0, foot, canvas.width, canvas.height), _verdict(view, words), largest=12)
    lines = [(None, range(1, 7)), *((seat, counts) for seat, _, counts in rows)]
    widest = max((str(number) for _, _, counts in rows for number in counts), key=len)
    size = lay_out(widest, (canvas.width - LABEL) // 6 - GAP, foot // len(lines), 14, BOLD, "centre").size
    for line, (seat, numbers) in enumerate(lines):
        top, bottom = foot * line // len(lines), foot * (line + 1) // len(lines)
        if seat is not None:
            side = min(bottom - top - 1, LABEL - 2)
            canvas.paste(seat_shape(seat, side), 0, (top + bottom - side) // 2)
        for face, number in enumerate(numbers):
            left, right = (LABEL + (canvas.width - LABEL) * edge // 6 for edge in (face, face + 1))
            largest, weight = (max(size, SMALLEST), BLACK) if seat is None else (size, BOLD)
            canvas.text((left, top, right, bottom), str(number), largest, weight)


def _verdict(view: ThrowCounts, words: Words) -> str:
    if view.probability is None:
        return words("Too few throws to judge")
    verdict = words("χ² {chi:.1f}: {percent:.0f} % by chance", chi=view.chi_square, percent=view.probability * 100)
    return verdict.replace(" %", f"{NO_BREAK}%")


@screen(Goodbye)
def goodbye(canvas: Canvas, view: Goodbye, words: Words, t: float) -> None:
    """The last picture."""
    canvas.text((0, 0, canvas.width, canvas.height), words("Good night"), weight=BLACK)
