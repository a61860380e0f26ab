"""The screens before the game: looking for the board, tokens to their yards, ready, the page's address."""

from __future__ import annotations

import segno
from PIL import Image

from ..locale import Words, message
from ..locale.house_rules import preset_name
from ..referee.views import Address, Looking, PlaceTokens, Ready, RestoreTable
from .canvas import BLACK, Canvas
from .registry import screen
from .shapes import seat_shape

HINTS = {
    "too_dark": message("Too dark. More light, please"),
    "corner_outside": message("A corner is out of sight. Move the board"),
    "camera_up": message("Lift the camera a little"),
}
PROBLEMS = {
    "missing": message("{colour} needs 4 tokens"),
    "too_many": message("{colour} has too many"),
    "one_seat": message("Who plays with {colour:whom}?"),
}


@screen(Looking, changes=(0.4, 0.8, 1.2), loop_s=1.6)
def looking(canvas: Canvas, view: Looking, words: Words, t: float) -> None:
    """Three dots run while the board is looked for; a hint when that takes long."""
    foot = 8 if canvas.low else 12
    text = words(HINTS[view.hint]) if view.hint else words("Looking for the board")
    canvas.text((0, 0, canvas.width, canvas.height - foot), text, largest=24)
    for dot in range(int(t / 0.4) % 4):
        x = canvas.width // 2 - 22 + dot * 20
        canvas.pen.rectangle((x, canvas.height - 6, x + 4, canvas.height - 2), fill=1)


@screen(PlaceTokens)
def place_tokens(canvas: Canvas, view: PlaceTokens, words: Words, t: float) -> None:
    """A column a seat: its shape and how many tokens lie in its yard."""
    head = 0 if canvas.low else 16
    if head:
        canvas.text((0, 0, canvas.width, head), _request(view, words), largest=15)
    seats = len(view.counts)
    for seat, count in enumerate(view.counts):
        left, right = canvas.width * seat // seats, canvas.width * (seat + 1) // seats
        side = 14 if canvas.low else 20
        canvas.paste(seat_shape(seat, side), (left + right - side) // 2, head + 2)
        number = "?" if count is None else "–" if count < 0 else str(count)
        box = (left, head + side + 4, right, canvas.height)
        if count == 4:
            canvas.bar((left + 4, box[1] - 1, right - 4, canvas.height))
        canvas.text(box, number, weight=BLACK, ink=0 if count == 4 else 1)


def _request(view: PlaceTokens, words: Words) -> str:
    if view.problem is None:
        return words("Tokens to the yards")
    colour = words.colour(view.colours[view.problem_seat] if view.problem_seat is not None else None)
    return words(PROBLEMS[view.problem], colour=colour)


@screen(RestoreTable)
def restore_table(canvas: Canvas, view: RestoreTable, words: Words, t: float) -> None:
    """After a break: tokens as they stood, whose turn it is, then press."""
    foot = canvas.foot(words("Then press"))
    if not canvas.low:
        canvas.paste(seat_shape(view.turn, 16), 0, 0)
        canvas.text((19, 0, canvas.width, 17), words("{colour} is next", colour=words.colour(view.colour)), weight=BLACK, largest=18)
    canvas.text((0, 0 if canvas.low else 18, canvas.width, foot - 1), words("Tokens as they stood"), largest=24)


@screen(Ready, changes=(4.0,), loop_s=8.0)
def ready(canvas: Canvas, view: Ready, words: Words, t: float) -> None:
    """Who begins and by which rules; in turn with the way to the rules and the die's pledge."""
    foot = canvas.foot(words("Press to begin"))
    if t % 8.0 < 4.0:
        half = foot // 2
        canvas.paste(seat_shape(view.seat, half - 2), 0, 0)
        canvas.text((half + 1, 0, canvas.width, half - 1), words("{colour} begins", colour=words.colour(view.colour)), weight=BLACK)
        canvas.text((0, half, canvas.width, foot - 2), preset_name(view.preset, words), largest=20)
    elif view.pledge is None:
        canvas.text((0, 0, canvas.width, foot - 2), words("Hold: house rules"), largest=24)
    else:
        canvas.text((0, 0, canvas.width, 0 if canvas.low else 18), words("Hold: house rules"), largest=18)
        middle = len(view.pledge) // 2
        spaced = f"{view.pledge[:middle]} {view.pledge[middle:]}"
        canvas.text((0, 0 if canvas.low else 19, canvas.width, foot - 1), spaced, largest=12)


@screen(Address)
def address(canvas: Canvas, view: Address, words: Words, t: float) -> None:
    """The page's QR code, dark on lit as scanners want it, and its address to type."""
    left = 0
    if not canvas.low:
        code = qr_code(view.url, canvas.height)
        canvas.bar((0, 0, canvas.height, canvas.height))
        canvas.paste(code, (canvas.height - code.width) // 2, (canvas.height - code.height) // 2, ink=0)
        left = canvas.height + 3
    plain = view.url.removeprefix("http://").rstrip("/")
    canvas.text((left, 0, canvas.width, canvas.height), plain.replace(":", " :").replace(".", ". "), largest=16)


def qr_code(url: str, room: int) -> Image.Image:
    """The code's dark modules, as large as leaves a quiet zone in a square of `room` pixels."""
    code = segno.make(url.upper() if url.lower().startswith("http://") and url.count("/") == 2 else url, error="l", micro=False)
    rows = [bytes(255 * bit for bit in row) for row in code.matrix]
    side = len(rows)
    picture = Image.frombytes("L", (side, side), b"".join(rows)).convert("1")
    scale = max(1, room // (side + 4))
    return picture.resize((side * scale, side * scale), Image.Resampling.NEAREST)
