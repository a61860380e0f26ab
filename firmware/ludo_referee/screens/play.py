"""The screens of a turn: roll, the face, move, nothing to move, capture."""

from __future__ import annotations

from ..locale import Words, message
from ..referee.views import Captured, DieEntry, NoMove, ReturnToken, Rolled, TakenBack, ToMove, ToRoll, Where
from .canvas import BLACK, Canvas
from .registry import screen
from .shapes import blank_die, die_face, seat_shape

WHY_ROLL = {
    "turn": message("Press to roll"),
    "six": message("Six! Roll again"),
    "captured": message("Captured! Again"),
    "finished_token": message("Home! Roll again"),
    "try_again": message("Try again for a six"),
    "opening": message("Roll for the start"),
    "tie": message("A tie: roll again"),
}

WHY_NOT = {
    "no_move": message("No move"),
    "three_sixes": message("Three sixes: turn over"),
    "no_try_left": message("No luck: turn over"),
}
ROLL_AGAIN = message("No move: roll again")

# The die tumbles ever more slowly and stands still after 1.2 s: (second, turn in degrees, pixels above the table).
TUMBLE = (
    (0.0, 10, 3), (0.08, 40, 1), (0.16, 65, 4), (0.25, 20, 2), (0.35, 50, 0),
    (0.46, 75, 2), (0.58, 25, 1), (0.72, 45, 0), (0.87, 70, 1), (1.03, 12, 0),
)  # fmt: skip
STANDS_S = 1.2
FLASH_S = 0.25  # a change every quarter second is 2 Hz, under the 3 Hz that can trouble people
FLASHES = 12


@screen(ToRoll)
def to_roll(canvas: Canvas, view: ToRoll, words: Words, t: float) -> None:
    """Whose turn: shape and name as large as they go, and below what to do."""
    prompt = words("The robot rolls") if view.robot else words(WHY_ROLL[view.why])
    foot = canvas.foot(prompt)
    side = foot - (2 if canvas.low else 4)
    canvas.paste(seat_shape(view.seat, side), 0, 1)
    canvas.text((side + 5, 0, canvas.width, foot - 2), str(words.colour(view.colour)), weight=BLACK)


@screen(DieEntry)
def die_entry(canvas: Canvas, view: DieEntry, words: Words, t: float) -> None:
    """The face tapped so far, and that one taps."""
    side = canvas.height
    canvas.paste(die_face(view.value, side) if view.value else blank_die(side), 0, 0)
    _beside(canvas, view.seat, str(words.colour(view.colour)), words("Tap what your die shows"))


@screen(Rolled, changes=(*(step[0] for step in TUMBLE[1:]), STANDS_S))
def rolled(canvas: Canvas, view: Rolled, words: Words, t: float) -> None:
    """The tumbling die, then its face over the full height."""
    side = canvas.height
    if t >= STANDS_S:
        canvas.paste(die_face(view.value, side), 0, 0)
    else:
        index = max(i for i, step in enumerate(TUMBLE) if step[0] <= t)
        _, angle, up = TUMBLE[index]
        face = (view.value + 2 + index * 5) % 6 + 1
        canvas.paste(die_face(face, side, angle), 0, -up)
    _beside(canvas, view.seat, str(words.colour(view.colour)), None)


@screen(ToMove)
def to_move(canvas: Canvas, view: ToMove, words: Words, t: float) -> None:
    """The face stays over the full height; beside it who is to move, and from where."""
    if view.bonus:
        canvas.text((0, 0, canvas.height, canvas.height), f"+{view.value}", weight=BLACK)
    else:
        canvas.paste(die_face(view.value, canvas.height), 0, 0)
    _beside(canvas, view.seat, str(words.colour(view.colour)), _what_to_move(view, words))


def _what_to_move(view: ToMove, words: Words) -> str:
    if view.only is not None:
        start, end = (words.place(where.kind, where.number) for where in view.only)
        if view.robot:
            return words("Move me {start:from} {end:to}", start=start, end=end)
        return words("{start:from} {end:to}", start=start, end=end)
    if not view.origins:
        return words("Move")
    return any_of(view.origins, words)


def any_of(origins: tuple[Where, ...], words: Words) -> str:
    """"from the yard or from 12": each place once, in order."""
    names = list(dict.fromkeys(f"{words.place(where.kind, where.number):from}" for where in origins))
    text = names[0]
    for name in names[1:]:
        text = words("{one} or {other}", one=text, other=name)
    return text


def _beside(canvas: Canvas, seat: int, name: str, hint: str | None) -> None:
    """Shape, name and hint in the room at the right of a die."""
    left = canvas.height + 3
    if canvas.low:
        canvas.paste(seat_shape(seat, 14), left, 0)
        canvas.text((left + 16, 0, canvas.width, 14 if hint else 32), name, weight=BLACK)
        if hint:
            canvas.text((left, 15, canvas.width, 32), hint, largest=14)
        return
    if hint is None:
        canvas.paste(seat_shape(seat, 34), left + (canvas.width - left - 34) // 2, 1)
        canvas.text((left, 38, canvas.width, 64), name, weight=BLACK)
    else:
        canvas.paste(seat_shape(seat, 14), left, 0)
        canvas.text((left + 16, 0, canvas.width, 15), name, weight=BLACK)
        canvas.text((left, 17, canvas.width, 64), hint, largest=20)


@screen(NoMove)
def no_move(canvas: Canvas, view: NoMove, words: Words, t: float) -> None:
    """The roll that cannot be played, small, and why."""
    side = canvas.height if canvas.low else 40
    canvas.paste(die_face(view.value, side), 0, (canvas.height - side) // 2)
    left = side + 5
    top = 13 if canvas.low else 24
    _head(canvas, view.seat, str(words.colour(view.colour)), (left, 0, canvas.width, top - 2))
    canvas.text((left, top, canvas.width, canvas.height), words(ROLL_AGAIN if view.again else WHY_NOT[view.reason]), largest=20)


def _head(canvas: Canvas, seat: int, name: str, box: tuple[int, int, int, int]) -> None:
    """The seat's shape and name in one line."""
    left, top, right, bottom = box
    side = bottom - top
    canvas.paste(seat_shape(seat, side), left, top)
    canvas.text((left + side + 3, top, right, bottom), name, weight=BLACK)


@screen(TakenBack)
def taken_back(canvas: Canvas, view: TakenBack, words: Words, t: float) -> None:
    """The roll is to be played anew."""
    canvas.paste(die_face(view.value, canvas.height), 0, 0)
    _beside(canvas, view.seat, str(words.colour(view.colour)), words("Taken back. Play it again"))


@screen(Captured, changes=tuple(FLASH_S * step for step in range(1, FLASHES)))
def captured(canvas: Canvas, view: Captured, words: Words, t: float) -> None:
    """Who took whom, flashing inverse for three seconds; then it stays until the token is in its yard."""
    taken = words.colour(view.colours[0])
    text = words("{by} takes {taken:whom}!", by=words.colour(view.by_colour), taken=taken)
    todo = words.count("{taken:whose} token to its yard", "{n} {taken:whose} tokens to their yard", len(view.colours), taken=taken)
    foot = canvas.height // 2
    canvas.text((0, 0, canvas.width, foot), text, weight=BLACK)
    canvas.text((0, foot + 2, canvas.width, canvas.height), todo, largest=18)
    if int(t / FLASH_S) % 2 == 0 and t < FLASH_S * FLASHES - FLASH_S:
        canvas.invert()


@screen(ReturnToken)
def return_token(canvas: Canvas, view: ReturnToken, words: Words, t: float) -> None:
    """Whose captured tokens are still to go to their yards: a row a seat."""
    seats = list(dict.fromkeys(view.tokens))
    foot = canvas.foot(words("To the yard, please"))
    for row, (seat, colour) in enumerate(seats):
        top, bottom = foot * row // len(seats), foot * (row + 1) // len(seats)
        count = view.tokens.count((seat, colour))
        name = str(words.colour(colour))
        _head(canvas, seat, name if count == 1 else f"{count} × {name}", (0, top + 1, canvas.width, bottom - 2))
