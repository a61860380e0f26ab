"""The screens of a turn: roll, the face, move, nothing to move, capture."""

from __future__ import annotations

from ..locale import Words, message
from ..referee.views import Captured, DieEntry, NoMove, ReturnToken, Rolled, Shaken, TakenBack, ToMove, ToRoll, Where
from .canvas import BLACK, Canvas, beside_shape
from .registry import PAGE_S, page, pages, screen
from .shapes import blank_die, seat_shape

WHY_ROLL = {
    "turn": message("Press to roll"),
    "six": message("Six! Roll again"),
    "captured": message("Captured! Again"),
    "finished_token": message("Home! Roll again"),
    "try_again": message("Try again for a six"),
    "opening": message("Roll for the start"),
    "tie": message("A tie: roll again"),
    "begins": message("You begin! Roll"),
}

ROBOT_ROLLS = message("The robot rolls")

WHY_NOT = {
    "no_move": message("No move"),
    "three_sixes": message("Three sixes: turn over"),
    "no_try_left": message("No luck: turn over"),
}

# The die tumbles ever more slowly and stands still after 1.2 s: (second, turn in degrees).
TUMBLE = ((0.0, 10), (0.08, 40), (0.16, 65), (0.25, 20), (0.35, 50), (0.46, 75), (0.58, 25), (0.72, 45), (0.87, 70), (1.03, 12))
STANDS_S = 1.2
FLASH_S = 0.25  # a change every quarter second is 2 Hz, under the 3 Hz that can trouble people
FLASHES = 12


@screen(ToRoll)
def to_roll(canvas: Canvas, view: ToRoll, words: Words, t: float) -> None:
    """Whose turn: shape and name as large as they go, and below what to do."""
    foot = canvas.foot(words(ROBOT_ROLLS if view.robot else WHY_ROLL[view.why]))
    canvas.seat((0, 1, canvas.width, foot - 2), view.seat, str(words.colour(view.colour)))


@screen(DieEntry, changes=pages(2), loop_s=2 * PAGE_S)
def die_entry(canvas: Canvas, view: DieEntry, words: Words, t: float) -> None:
    """The face tapped so far, and that one taps."""
    side = canvas.height
    if view.value is None:
        canvas.paste(blank_die(side), 0, 0)
        canvas.text((4, 4, side - 4, side - 4), "?", weight=BLACK, largest=side)
    else:
        canvas.die(view.value, side)
    _beside(canvas, view.seat, str(words.colour(view.colour)), words("Tap what your die shows"), t)


# While the button is down the die is shaken: a turn in degrees every tenth of a second.
SHAKES = (10, 40, 75, 50, 20, 65)
SHAKE_S = 0.1


@screen(Shaken, changes=tuple(SHAKE_S * step for step in range(1, len(SHAKES))), loop_s=SHAKE_S * len(SHAKES))
def shaken(canvas: Canvas, view: Shaken, words: Words, t: float) -> None:
    """The die in the hand, and whose hand."""
    step = int(t / SHAKE_S + 1e-6) % len(SHAKES)
    canvas.die(step + 1, canvas.height, angle=SHAKES[step])
    _beside(canvas, view.seat, str(words.colour(view.colour)), None)


@screen(Rolled, changes=(*(step[0] for step in TUMBLE[1:]), STANDS_S))
def rolled(canvas: Canvas, view: Rolled, words: Words, t: float) -> None:
    """The tumbling die, then its face over the full height."""
    face, angle = (view.value, 0) if t >= STANDS_S else tumbling(view.value, 6, t)
    canvas.die(face, canvas.height, angle=angle)
    _beside(canvas, view.seat, str(words.colour(view.colour)), None)


def tumbling(value: int, faces: int, t: float) -> tuple[int, int]:
    """The face and turn (degrees) of a die that is to show `value`, while it tumbles; its last face is another one."""
    index = max(i for i, (second, _) in enumerate(TUMBLE) if second <= t)
    return (value + len(TUMBLE) - 1 - index + faces // 2) % faces + 1, TUMBLE[index][1]


@screen(ToMove, changes=pages(2), loop_s=2 * PAGE_S)
def to_move(canvas: Canvas, view: ToMove, words: Words, t: float) -> None:
    """The face stays over the full height; beside it who is to move, and from where."""
    if view.bonus:
        canvas.text((0, 0, canvas.height, canvas.height), f"+{view.value}", weight=BLACK)
    else:
        canvas.die(view.value, canvas.height)
    _beside(canvas, view.seat, str(words.colour(view.colour)), _what_to_move(view, words), t)


def _what_to_move(view: ToMove, words: Words) -> str:
    if view.only is not None:
        start, end = (words.place(where.kind, where.number) for where in view.only)
        if view.robot:
            return words("Move me {start:from} {end:to}", start=start, end=end)
        return words("{start:from} {end:to}", start=start, end=end)
    return _any_of(view.origins, words) if view.origins else words("Move")


def _any_of(origins: tuple[Where, ...], words: Words) -> str:
    """One or two places in a sentence; more as a bare list, which is sooner read."""
    places = [words.place(where.kind, where.number) for where in dict.fromkeys(origins)]
    if len(places) == 1:
        return f"{places[0]:from}"
    if len(places) == 2:
        return words("{one:from} or {other:from}", one=places[0], other=places[1])
    return ", ".join(str(place) for place in places)


def _beside(canvas: Canvas, seat: int, name: str, hint: str | None, t: float = 0.0) -> None:
    """Shape, name and hint in the room at the right of a die; name and hint in turn where they do not fit together."""
    left, line = canvas.height + 3, 14 if canvas.low else 16
    name_box, hint_box = (left, 0, canvas.width, line), (left, line + 1, canvas.width, canvas.height)
    if hint is not None and canvas.fits(beside_shape(name_box), name, BLACK) and canvas.fits(hint_box, hint):
        canvas.seat(name_box, seat, name)
        canvas.text(hint_box, hint, largest=20)
    elif hint is not None and page(t) == 1:
        canvas.text((left, 0, canvas.width, canvas.height), hint, largest=20)
    elif canvas.low:
        canvas.seat((left, 5, canvas.width, 27), seat, name)
    else:
        canvas.paste(seat_shape(seat, 34), left + (canvas.width - left - 34) // 2, 1)
        canvas.text((left, 38, canvas.width, 64), name, weight=BLACK)


@screen(NoMove, changes=pages(2), loop_s=2 * PAGE_S)
def no_move(canvas: Canvas, view: NoMove, words: Words, t: float) -> None:
    """The roll that cannot be played, small, and why."""
    why = words("No move: roll again") if view.again else words(WHY_NOT[view.reason])
    name = str(words.colour(view.colour))
    if canvas.low:
        canvas.die(view.value, canvas.height)
        _beside(canvas, view.seat, name, why, t)
    else:
        canvas.die(view.value, 40, y=12)
        canvas.seat((45, 0, canvas.width, 22), view.seat, name)
        canvas.text((45, 24, canvas.width, canvas.height), why, largest=20)


@screen(TakenBack, changes=pages(2), loop_s=2 * PAGE_S)
def taken_back(canvas: Canvas, view: TakenBack, words: Words, t: float) -> None:
    """The roll is to be played anew."""
    canvas.die(view.value, canvas.height)
    _beside(canvas, view.seat, str(words.colour(view.colour)), words("Taken back. Play it again"), t)


@screen(Captured, changes=tuple(FLASH_S * step for step in range(1, FLASHES + 1)))
def captured(canvas: Canvas, view: Captured, words: Words, t: float) -> None:
    """Who took whom, each with its shape, flashing inverse for three seconds; then what is to be done stays until it is done.
    Two seats that lose tokens at once are shown one after the other."""
    flash = int(t / FLASH_S + 1e-6)
    seats = list(dict.fromkeys(view.tokens))
    seat, colour = seats[min(flash * len(seats) // FLASHES, len(seats) - 1)]
    taken, count = words.colour(colour), view.tokens.count((seat, colour))
    text = words("{by} takes {taken}!", by=words.colour(view.by_colour), taken=taken)
    todo = words.count("{taken} token to its yard", "{n} {taken} tokens to their yard", count, taken=taken)
    half, whole = canvas.height // 2, (0, 1, canvas.width, canvas.height - 1)
    if not canvas.low:
        canvas.seat((0, 0, canvas.width, half - 1), view.by, text)
        canvas.seat((0, half + 1, canvas.width, canvas.height), seat, todo)
    elif flash < FLASHES:
        canvas.seat(whole, view.by, text)
    elif canvas.fits(beside_shape(whole), todo, BLACK):
        canvas.seat(whole, seat, todo)
    else:
        canvas.text(whole, todo)
    if flash < FLASHES and flash % 2 == 0:
        canvas.invert()


SEATS = 4


@screen(ReturnToken, changes=pages(SEATS), loop_s=SEATS * PAGE_S)
def return_token(canvas: Canvas, view: ReturnToken, words: Words, t: float) -> None:
    """Whose captured tokens are still to go to their yards: a row a seat, on a low display one after the other."""
    rows = list(dict.fromkeys(view.tokens))
    if canvas.low:
        shown = page(t) % len(rows)
        rows = rows[shown : shown + 1]
    foot = canvas.foot(words("To the yard, please"))
    for row, (seat, colour) in enumerate(rows):
        count, name = view.tokens.count((seat, colour)), str(words.colour(colour))
        box = (0, foot * row // len(rows) + 1, canvas.width, foot * (row + 1) // len(rows) - 1)
        canvas.seat(box, seat, name if count == 1 else f"{count} × {name}")
