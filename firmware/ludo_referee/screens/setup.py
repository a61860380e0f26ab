"""The screens before the game: looking for the board, tokens to their yards, ready, the page's address."""

from __future__ import annotations

from PIL import Image

from ..locale import Words, message
from ..locale.house_rules import preset_name, switch_name, value_name
from ..referee.in_force import ALWAYS
from ..referee.views import Address, Looking, PlaceTokens, Ready, RestoreTable
from .canvas import BLACK, BOLD, LIT, MAY_BREAK, Box, Canvas, pledge_lines
from .icons import icon
from .registry import PAGE_S, page, pages, screen
from .shapes import seat_shape

HINTS = {  # as vision's BoardNotFound has them: what to say, and the sign
    "too_dark": (message("Too dark. More light, please"), "light"),
    "too_bright": (message("Too bright. Less light, please"), "glare"),
    "blurred": (message("Blurred. Is the camera steady?"), "blur"),
    "corner_outside": (message("A corner is out of sight. Move the board"), "board_moved"),
    "too_small": (message("Bring the camera nearer"), "blur"),
    "other_board": (message("I expect another kind of board"), "board_moved"),
    "other_colours": (message("Check the seats' colours in my settings"), "board_moved"),
    "channels_swapped": (message("The camera swaps red and blue"), "blur"),
    "unsure": (message("Show me the whole board"), "looking"),
}
PROBLEMS = {
    "missing": message("{colour} needs 4 tokens"),
    "too_many": message("{colour} has too many"),
    "stranger": message("Another colour at {colour}"),
    "one_seat": message("Who plays with {colour}?"),
}


@screen(Looking, changes=(0.4, 0.8, 1.2), loop_s=1.6)
def looking(canvas: Canvas, view: Looking, words: Words, t: float) -> None:
    """An eye, and three dots that run while the board is looked for; a hint when that takes long."""
    text, sign = HINTS[view.hint] if view.hint else (message("Looking for the board"), "looking")
    side = 24 if canvas.low else 34
    canvas.paste(icon(sign, side), 0, (canvas.height - side) // 2 - 4)
    canvas.text((side + 3, 0, canvas.width, canvas.height), words(text), largest=24)
    for dot in range(int(t / 0.4 + 1e-6) % 4):
        x = side // 2 - 10 + dot * 8
        canvas.pen.rectangle((x, canvas.height - 4, x + 2, canvas.height - 2), fill=LIT)


REQUEST_S, COUNTS_S = 2.0, 4.0


@screen(PlaceTokens, changes=(COUNTS_S,), loop_s=COUNTS_S + REQUEST_S)
def place_tokens(canvas: Canvas, view: PlaceTokens, words: Words, t: float) -> None:
    """A column a seat: its shape and how many tokens lie in its yard. A low display says what is wanted now and then.
    Where a yard cannot be counted a press leads on, and that is said in turn with what is wanted."""
    head, request = 0, _request(view, words)
    leads_on = view.problem is None and None in view.counts
    if not canvas.low:
        head = canvas.head(words("Then press") if leads_on and t >= COUNTS_S else request)
    elif t >= COUNTS_S:
        foot = canvas.foot(words("Then press")) if leads_on else canvas.height
        canvas.text((0, 0, canvas.width, foot - 1), request)
        return
    seats = len(view.counts)
    for seat, count in enumerate(view.counts):
        box = (canvas.width * seat // seats, head + 1, canvas.width * (seat + 1) // seats, canvas.height)
        _yard(canvas, box, seat, count)


def _yard(canvas: Canvas, box: Box, seat: int, count: int | None) -> None:
    """A seat's column; lit behind the number when its four tokens are there."""
    left, top, right, bottom = box
    side = (bottom - top) * 2 // 5
    number = "?" if count is None else "–" if count < 0 else str(count)
    if count == 4:
        canvas.bar((left + 3, top + side + 2, right - 3, bottom))
    canvas.paste(seat_shape(seat, side), (left + right - side) // 2, top)
    canvas.text((left, top + side + 3, right, bottom - 1), number, weight=BLACK, ink=0 if count == 4 else LIT)


def _request(view: PlaceTokens, words: Words) -> str:
    if view.problem is None:
        return words("Tokens to the yards")
    colour = words.colour(view.colours[view.problem_seat] if view.problem_seat is not None else None)
    return words(PROBLEMS[view.problem], colour=colour)


@screen(RestoreTable, changes=pages(4), loop_s=4 * PAGE_S)
def restore_table(canvas: Canvas, view: RestoreTable, words: Words, t: float) -> None:
    """After a break: whose turn it is, and whether the table is as it was; where it is not, in turn which tokens stand elsewhere."""
    if view.moved:
        _displaced(canvas, view, page(t), words)
        return
    foot = canvas.foot(words("Press to go on") if view.same else words("Then press"))
    colour = words.colour(view.colour)
    turn = words("{colour} is next", colour=colour) if view.rolled is None else words("{colour} rolled {n}", colour=colour, n=view.rolled)
    request = words("Tokens as they stood")
    if view.same:
        canvas.seat((0, 0, canvas.width, foot - 1), view.turn, turn)
    elif canvas.low:
        canvas.seat((0, 0, canvas.width, foot - 1), view.turn, request)
    else:
        canvas.seat((0, 0, canvas.width, 18), view.turn, turn)
        canvas.text((0, 20, canvas.width, foot - 1), request, largest=24)


def _displaced(canvas: Canvas, view: RestoreTable, shown: int, words: Words) -> None:
    """One of the tokens that stand elsewhere; a low display says in between what it is about."""
    title, top, bottom = words("Not as it stood"), 0, canvas.height
    if canvas.low and shown % 2 == 0:
        canvas.text((0, 0, canvas.width, bottom), title)
        return
    if not canvas.low:
        top, bottom = canvas.head(title) + 1, canvas.foot(words("Press to choose")) - 1
    token = view.moved[(shown // 2 if canvas.low else shown) % len(view.moved)]
    start, end = (words.place(where.kind, where.number) for where in (token.start, token.end))
    canvas.seat((0, top, canvas.width, bottom), token.seat, words("{start:from} {end:to}", start=start, end=end))


BESIDES = 3  # pages besides the rules: who begins, the rules' name, how to change them


@screen(Ready, changes=pages(BESIDES + len(ALWAYS)), loop_s=(BESIDES + len(ALWAYS)) * PAGE_S)
def ready(canvas: Canvas, view: Ready, words: Words, t: float) -> None:
    """In turn who begins, by which rules in plain words, and how to change them with the die's pledge."""
    shown = page(t) % (BESIDES + len(view.rules))
    title, rules = preset_name(view.preset, words), view.rules
    if canvas.low and 1 <= shown <= 1 + len(rules):
        switch, value = rules[shown - 2] if shown > 1 else ("", "")
        said = f"{switch_name(switch, words)}: {value_name(switch, value, words)}" if switch else title
        canvas.text((0, 0, canvas.width, canvas.height), said, weight=BOLD if switch else BLACK)
        return
    if canvas.low and shown > 0 and view.pledge is not None:
        canvas.text((0, 0, canvas.width, 11), words("Hold: house rules"))
        canvas.text((0, 12, canvas.width, canvas.height), pledge_lines(view.pledge))
        return
    foot = canvas.foot(words("Press to begin"))
    room = (0, 0, canvas.width, foot - 1)
    if shown == 0:
        first = words("Roll for the start") if view.opening else words("{colour} begins", colour=words.colour(view.colour))
        canvas.seat(room, view.seat, first)
    elif shown == 1:
        canvas.text(room, title, weight=BLACK)
    elif shown < 2 + len(rules):
        switch, value = rules[shown - 2]
        canvas.text((0, 0, canvas.width, 20), switch_name(switch, words), largest=16)
        canvas.text((0, 21, canvas.width, foot - 1), value_name(switch, value, words), weight=BLACK, largest=24)
    elif view.pledge is None:
        canvas.text(room, words("Hold: house rules"), largest=24)
    else:
        canvas.text((0, 0, canvas.width, 19), words("Hold: house rules"), largest=20)
        canvas.text((0, 20, canvas.width, foot - 1), pledge_lines(view.pledge), largest=12)


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
    canvas.text((left, 0, canvas.width, canvas.height), plain.replace(":", f"{MAY_BREAK}:").replace(".", f".{MAY_BREAK}"), largest=18)


def qr_code(url: str, room: int) -> Image.Image:
    """The code's dark modules, as large as leaves a quiet zone in a square of `room` pixels."""
    import segno  # 2 MB that most evenings do not need

    code = segno.make(url.upper() if url.lower().startswith("http://") and url.count("/") == 2 else url, error="l", micro=False)
    rows = [bytes(255 * bit for bit in row) for row in code.matrix]
    side = len(rows)
    picture = Image.frombytes("L", (side, side), b"".join(rows)).convert("1")
    scale = max(1, room // (side + 4))
    return picture.resize((side * scale, side * scale), Image.Resampling.NEAREST)
