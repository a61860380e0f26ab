"""The screens of what is not as it should be: a wrong move with the way out, tokens to move by hand, what the camera cannot see."""

from __future__ import annotations

from ..locale import Words, message
from ..referee.views import AgreeUndo, CannotSee, MoveByHand, Wrong
from .canvas import BLACK, Canvas
from .registry import screen
from .shapes import seat_shape

WHAT_IS_WRONG = {
    "wrong_count": message("{colour} moved wrongly"),
    "wrong_token": message("Not {colour:whose} turn"),
    "several_moved": message("More than one token moved"),
    "blocked": message("A block is in the way"),
    "own_square": message("{colour} stands there already"),
    "must_enter": message("A token must leave the yard"),
    "backwards": message("{colour} moved backwards"),
    "off_board": message("A token is off the board"),
    "unclear_change": message("The table has changed"),
    "not_rolled": message("{colour}: roll first"),
    "not_asked": message("{colour} asked for another move"),
}

WHAT_HIDES = {
    "covered": message("Hands off the board, please"),
    "light": message("Too dark. More light, please"),
    "blur": message("Blurred. Is the camera steady?"),
    "glare": message("A lamp dazzles me. Turn it away"),
    "token_between": message("A token stands between two squares"),
    "camera_lost": message("I cannot see. Play on with the button"),
    "board_moved": message("The board has moved. One moment"),
}
MEANWHILE = {"roll": message("{colour}: press to roll"), "move": message("{colour}: move, then press"), "wait": message("Please wait")}

WHY_BY_HAND = {
    "three_sixes": message("Three sixes!"),
    "undo": message("Undo"),
    "put_back": message("Put back"),
    "compare": message("As it was"),
}


@screen(Wrong)
def wrong(canvas: Canvas, view: Wrong, words: Words, t: float) -> None:
    """What is wrong in the lit bar, the way out large below."""
    what, way_out = _sentences(view, words)
    bar = 15 if canvas.low else 28
    canvas.bar((0, 0, canvas.width, bar))
    left = 2
    if view.seat is not None:
        canvas.paste(seat_shape(view.seat, bar - 4), 2, 2, ink=0)
        left += bar
    canvas.text((left, 1, canvas.width - 2, bar - 1), what, largest=18, ink=0)
    canvas.text((0, bar + 2, canvas.width, canvas.height), way_out, weight=BLACK)


def _sentences(view: Wrong, words: Words) -> tuple[str, str]:
    """What is wrong, and the way out."""
    colour = words.colour(view.colour)
    if view.reason == "wrong_count" and view.moved is not None and view.rolled is not None and view.moved > 0:
        what = words("{colour} moved {moved}, rolled {rolled}", colour=colour, moved=view.moved, rolled=view.rolled)
        excess = view.moved - view.rolled
        if excess > 0:
            return what, words.count("One square back", "{n} squares back", excess)
        return what, words.count("One square on", "{n} squares on", -excess)
    return words(WHAT_IS_WRONG[view.reason], colour=colour), _way_back(view, words)


def _way_back(view: Wrong, words: Words) -> str:
    if view.start is None or view.tokens > 1:
        return words.count("Put it back", "Put them back", view.tokens)
    return words("Back {start:to}", start=words.place(view.start.kind, view.start.number))


@screen(MoveByHand)
def move_by_hand(canvas: Canvas, view: MoveByHand, words: Words, t: float) -> None:
    """One token to be moved, from and to; how many are left."""
    start, end = (words.place(where.kind, where.number) for where in (view.start, view.end))
    why = words(WHY_BY_HAND[view.why])
    if view.left > 1:
        why = words("{why} ({n} tokens)", why=why, n=view.left)
    bar = 11 if canvas.low else 16
    canvas.bar((0, 0, canvas.width, bar))
    canvas.text((2, 1, canvas.width - 2, bar - 1), why, largest=15, ink=0)
    side = canvas.height - bar - 2 if canvas.low else 20
    canvas.paste(seat_shape(view.seat, side), 0, bar + 2)
    if canvas.low:
        canvas.text((side + 3, bar + 1, canvas.width, 32), words("{start:from} {end:to}", start=start, end=end))
    else:
        canvas.text((side + 4, bar + 2, canvas.width, bar + side + 2), str(words.colour(view.colour)), weight=BLACK)
        canvas.text((0, bar + side + 4, canvas.width, 64), words("{start:from} {end:to}", start=start, end=end))


@screen(AgreeUndo)
def agree_undo(canvas: Canvas, view: AgreeUndo, words: Words, t: float) -> None:
    """The seat whose move it was is asked."""
    foot = canvas.foot(words("Tap: yes · Hold: no"))
    head = foot // 2
    canvas.paste(seat_shape(view.seat, head - 2), 0, 0)
    canvas.text((head + 2, 0, canvas.width, head - 1), str(words.colour(view.colour)), weight=BLACK)
    canvas.text((0, head, canvas.width, foot - 1), words("Undo your move?"), largest=20)


@screen(CannotSee)
def cannot_see(canvas: Canvas, view: CannotSee, words: Words, t: float) -> None:
    """What hides the table and what would help; where play goes on by button, who is to do what."""
    foot = canvas.height
    if view.seat is not None and view.colour is not None and view.doing != "wait":
        foot = canvas.foot(words(MEANWHILE[view.doing], colour=words.colour(view.colour)))
    canvas.text((0, 0, canvas.width, foot), words(WHAT_HIDES[view.what]))
