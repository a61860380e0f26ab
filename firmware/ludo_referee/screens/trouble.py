"""The screens of what is not as it should be: a wrong move with the way out, tokens to move by hand, what the camera cannot see."""

from __future__ import annotations

from ..locale import Words, message
from ..locale.broken_rules import broken_rule
from ..referee.views import AgreeUndo, CannotSee, MoveByHand, NotKept, RecordingMade, SafeStart, Wrong
from .canvas import BLACK, Canvas
from .icons import icon
from .play import ROBOT_ROLLS, WHY_ROLL
from .registry import PAGE_S, page, pages, screen
from .shapes import seat_shape

WHAT_IS_WRONG = {
    "wrong_count": message("{colour} moved wrongly"),
    "wrong_token": message("Not {colour}'s turn"),
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
    "no_camera": message("No camera. Play with the button"),
    "camera_lost": message("I cannot see. Play on with the button"),
    "board_moved": message("The board has moved. One moment"),
}
MEANWHILE = {**WHY_ROLL, "robot_rolls": ROBOT_ROLLS, "move": message("Move, then press")}

RECORDED = {
    "made": message("The last minutes are recorded"),
    "too_early": message("Nothing to record yet"),
    "failed": message("Not recorded. Disk full?"),
}

NOT_KEPT = message("This game is not being saved. Disk full?")

WHY_BY_HAND = {
    "three_sixes": message("Three sixes!"),
    "undo": message("Undo"),
    "put_back": message("Put back"),
    "compare": message("As it was"),
}


@screen(Wrong, changes=pages(2), loop_s=2 * PAGE_S)
def wrong(canvas: Canvas, view: Wrong, words: Words, t: float) -> None:
    """What is wrong in a lit bar; below, large, the way out: an arrow before the words. A low display shows them in turn."""
    what, way_out, arrow = _sentences(view, words)
    if canvas.low:
        if page(t) == 0:
            _bar(canvas, canvas.height, view.seat, what)
        else:
            _arrow(canvas, 0, arrow, way_out)
    else:
        _bar(canvas, 28, view.seat, what)
        _arrow(canvas, 29, arrow, way_out)


def _bar(canvas: Canvas, height: int, seat: int | None, text: str) -> None:
    canvas.bar((0, 0, canvas.width, height))
    left = 2
    if seat is not None:
        canvas.paste(seat_shape(seat, height - 4), 2, 2, ink=0)
        left += height
    canvas.text((left, 1, canvas.width - 2, height - 1), text, largest=18, ink=0)


def _arrow(canvas: Canvas, top: int, arrow: str, text: str) -> None:
    side = canvas.height - top
    canvas.paste(icon(arrow, side), 0, top)
    canvas.text((side + 3, top + 1, canvas.width, canvas.height), text, weight=BLACK, largest=30)


def _sentences(view: Wrong, words: Words) -> tuple[str, str, str]:
    """What is wrong, the way out, and its arrow: back or on."""
    colour = words.colour(view.colour)
    what = broken_rule(view.rule, view.colour, words) or words(WHAT_IS_WRONG[view.reason], colour=colour)
    if view.reason == "wrong_count" and view.rule in ("", "counted") and view.moved is not None and view.rolled is not None:
        what = words("{colour} moved {moved}, rolled {rolled}", colour=colour, moved=view.moved, rolled=view.rolled)
    excess = view.end.step - view.due.step if view.end is not None and view.due is not None else 0
    if excess > 0:
        return what, words.count("One square back", "{n} squares back", excess), "back"
    if excess < 0:
        return what, words.count("One square on", "{n} squares on", -excess), "on"
    return what, _way_back(view, words), "back"


def _way_back(view: Wrong, words: Words) -> str:
    if view.start is None or view.tokens > 1:
        return words.count("Put it back", "Put them back", view.tokens)
    return words("Back {start:to}", start=words.place(view.start.kind, view.start.number))


@screen(SafeStart, changes=pages(2), loop_s=2 * PAGE_S)
def safe_start(canvas: Canvas, view: SafeStart, words: Words, t: float) -> None:
    """What the box is without, and how to have it again."""
    head = 0 if canvas.low else canvas.head(words("Safe start"))
    said = words("No camera, standard rules") if page(t) == 0 else words("Mended? Switch off and on again")
    canvas.text((0, head + 2, canvas.width, canvas.height), said, largest=24)


@screen(MoveByHand, changes=pages(2), loop_s=2 * PAGE_S)
def move_by_hand(canvas: Canvas, view: MoveByHand, words: Words, t: float) -> None:
    """One token to be moved, from and to; how many are left."""
    start, end = (words.place(where.kind, where.number) for where in (view.start, view.end))
    why = words(WHY_BY_HAND[view.why])
    if view.left > 1:
        why = words("{why} ({n} tokens)", why=why, n=view.left)
    way = words("{start:from} {end:to}", start=start, end=end)
    if canvas.low:
        canvas.seat((0, 0, canvas.width, canvas.height), view.seat, way if page(t) == 0 else why)
    else:
        bar = canvas.head(why)
        canvas.seat((0, bar + 2, canvas.width, bar + 24), view.seat, str(words.colour(view.colour)))
        canvas.text((0, bar + 26, canvas.width, canvas.height), way)


@screen(RecordingMade)
def recording_made(canvas: Canvas, view: RecordingMade, words: Words, t: float) -> None:
    """Whether the last minutes were recorded."""
    _signed(canvas, "blur" if view.how == "made" else "not_kept", words(RECORDED[view.how]))


@screen(NotKept)
def not_kept(canvas: Canvas, view: NotKept, words: Words, t: float) -> None:
    """That a power cut would lose the game."""
    _signed(canvas, "not_kept", words(NOT_KEPT))


def _signed(canvas: Canvas, sign: str, text: str) -> None:
    side = 24 if canvas.low else 34
    canvas.paste(icon(sign, side), 0, (canvas.height - side) // 2)
    canvas.text((side + 3, 0, canvas.width, canvas.height), text)


@screen(AgreeUndo)
def agree_undo(canvas: Canvas, view: AgreeUndo, words: Words, t: float) -> None:
    """The seat whose move it was is asked."""
    foot = canvas.foot(words("Tap: yes · Hold: no"))
    question = words("Undo your move?")
    if canvas.low:
        canvas.seat((0, 0, canvas.width, foot - 1), view.seat, question)
    else:
        canvas.seat((0, 0, canvas.width, 23), view.seat, str(words.colour(view.colour)))
        canvas.text((0, 24, canvas.width, foot - 1), question, largest=20)


TURN_S, HIDDEN_S = 4.0, 3.0


@screen(CannotSee, changes=(TURN_S,), loop_s=TURN_S + HIDDEN_S)
def cannot_see(canvas: Canvas, view: CannotSee, words: Words, t: float) -> None:
    """What hides the table and what would help; where play goes on by button, in turn with who is to do what, or that
    alone where it is never otherwise."""
    if view.seat is not None and view.doing in MEANWHILE and (t < TURN_S or view.what == "no_camera"):
        said, bottom = str(words.colour(view.colour)), canvas.height
        if view.asked is not None:
            start, end = (words.place(where.kind, where.number) for where in view.asked)
            said = words("Move me {start:from} {end:to}", start=start, end=end)
        if view.asked is None or not canvas.low:  # the robot's sentence fills a low display
            bottom = canvas.foot(words(MEANWHILE[view.doing]), sign=view.what) - 2
        canvas.seat((0, 1, canvas.width, bottom), view.seat, said)
        return
    _signed(canvas, view.what, words(WHAT_HIDES[view.what]))
