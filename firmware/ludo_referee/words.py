"""What the referee says, as sentences: for a replay on the console and for the page's log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .locale import Colour, PlaceName, Words, message, words
from .locale.broken_rules import broken_rule
from .referee import notices
from .referee.notices import Notice
from .referee.places import where
from .rules.board import YARD, Board

WHY_TURN = {
    "turn": message("{colour} is to roll."),
    "six": message("{colour} rolls again: a six."),
    "captured": message("{colour} rolls again: a capture."),
    "finished_token": message("{colour} rolls again: a token is home."),
    "try_again": message("{colour} tries again for a six."),
    "opening": message("{colour} rolls for the start."),
    "tie": message("A tie: {colour} rolls again for the start."),
    "begins": message("{colour} begins."),
}
WHY_PASS = {
    "no_move": message("{colour} cannot move."),
    "three_sixes": message("{colour} has rolled three sixes: turn over."),
    "no_try_left": message("{colour} has no try left: turn over."),
}
WHAT_IS_WRONG = {
    "wrong_count": message("Wrong move: not the number that was rolled."),
    "wrong_token": message("Wrong move: another colour's token."),
    "several_moved": message("Wrong move: more than one token."),
    "blocked": message("Wrong move: a block is in the way."),
    "own_square": message("Wrong move: an own token stands there."),
    "must_enter": message("Wrong move: a token must leave the yard."),
    "backwards": message("Wrong move: tokens move forwards."),
    "off_board": message("A token is off the board."),
    "unclear_change": message("The table has changed."),
    "not_rolled": message("Wrong move: roll first."),
    "not_asked": message("Wrong move: not what the robot asked for."),
}
WHAT_HIDES = {
    "covered": message("Something covers the board."),
    "light": message("It is too dark."),
    "blur": message("The picture is blurred."),
    "glare": message("A lamp shines on the board."),
    "token_between": message("A token stands between two squares."),
}
HOW_FOUND = {
    "given": message("Board: corners as given."),
    "markers": message("Board found by its markers."),
    "print": message("Board found by its print."),
}


def tell(notice: Notice, board: Board, language: str = "en") -> str:
    """The notice as a sentence of a language; seats by the board's colours, places by their names.

    Raises LanguageError, and LookupError for a notice without a sentence.
    """
    try:
        sentence = SENTENCES[type(notice)]
    except KeyError:
        raise LookupError(f"No sentence tells {type(notice).__name__}. Add one to SENTENCES.") from None
    return sentence(notice, _Table(board, words(language))).replace("\u00a0", " ")


class _Table:
    """A board and a language: names seats and places."""

    def __init__(self, board: Board, spoken: Words) -> None:
        self.board, self.words = board, spoken

    def colour(self, seat: int) -> Colour:
        return self.words.colour(self.board.seats[seat].colour)

    def place(self, seat: int, step: int) -> PlaceName:
        place = where(self.board, seat, step)
        return self.words.place(place.kind, place.number)

    def listed(self, parts: list[str]) -> str:
        return ", ".join(parts)


def _board(notice: notices.Board, table: _Table) -> str:
    return table.words(HOW_FOUND[notice.how])


def _board_moved(notice: notices.BoardMoved, table: _Table) -> str:
    return table.words("The board has moved.")


def _camera(notice: notices.Camera, table: _Table) -> str:
    if notice.state == "none":
        return table.words("There is no camera.")
    if notice.state == "lost":
        return table.words("The camera is lost.")
    return table.words("The camera is back.")


def _turn(notice: notices.Turn, table: _Table) -> str:
    return table.words(WHY_TURN[notice.why], colour=table.colour(notice.seat))


def _roll(notice: notices.Roll, table: _Table) -> str:
    return table.words("{colour} rolls {value}.", colour=table.colour(notice.seat), value=notice.value)


def _pass(notice: notices.Pass, table: _Table) -> str:
    return table.words(WHY_PASS[notice.reason], colour=table.colour(notice.seat))


def _move(notice: notices.Move, table: _Table) -> str:
    start, end = table.place(notice.seat, notice.origin), table.place(notice.seat, notice.destination)
    values = {"colour": table.colour(notice.seat), "start": start, "end": end}
    if not notice.captures:
        if notice.tokens > 1:
            return table.words("{colour}: {n} tokens {start} → {end}.", n=notice.tokens, **values)
        return table.words("{colour}: {start} → {end}.", **values)
    taken = table.listed([f"{table.colour(seat):whom}" for seat, _ in notice.captures])
    return table.words("{colour}: {start} → {end}, takes {taken}.", taken=taken, **values)


def _return_token(notice: notices.ReturnToken, table: _Table) -> str:
    return table.words("{colour} token goes to its yard.", colour=table.colour(notice.seat))


def _illegal(notice: notices.Illegal, table: _Table) -> str:
    colour = table.board.seats[notice.seen[0][0]].colour if notice.seen else None
    rule = broken_rule(notice.rule, colour, table.words)
    text = table.words(WHAT_IS_WRONG.get(notice.rule, WHAT_IS_WRONG[notice.reason])) if rule is None else f"{rule}."
    seen = [_seen(seat, start, end, table) for seat, start, end in notice.seen]
    return f"{text} ({table.listed(seen)})" if seen else text


def _seen(seat: int, start: int, end: int | None, table: _Table) -> str:
    colour, origin = table.colour(seat), table.place(seat, start)
    if end is None:
        return table.words("{colour} gone {start:from}", colour=colour, start=origin)
    if end == YARD and start == YARD:
        return str(colour)
    return table.words("{colour} {start:from} {end:to}", colour=colour, start=origin, end=table.place(seat, end))


def _restored(notice: notices.Restored, table: _Table) -> str:
    return table.words("The table is as before.")


def _unclear(notice: notices.Unclear, table: _Table) -> str:
    return table.words(WHAT_HIDES[notice.what])


def _take_back(notice: notices.TakeBack, table: _Table) -> str:
    return table.words("{colour} takes the move back and plays the roll again.", colour=table.colour(notice.seat))


def _override(notice: notices.Override, table: _Table) -> str:
    if notice.put_back:
        return table.words("The tokens are put back as they stood.")
    return table.words("The table is taken as it stands.")


def _finish(notice: notices.Finish, table: _Table) -> str:
    return table.words("{colour} is home: {rank}.", colour=table.colour(notice.seat), rank=table.words.rank(notice.place))


def _game_over(notice: notices.GameOver, table: _Table) -> str:
    order = table.listed([f"{table.words.rank(place)} {table.colour(seat)}" for place, seat in enumerate(notice.order, 1)])
    return table.words("Game over. {order}.", order=order)


SENTENCES: dict[type[Notice], Callable[[Any, _Table], str]] = {
    notices.Board: _board,
    notices.BoardMoved: _board_moved,
    notices.Camera: _camera,
    notices.Turn: _turn,
    notices.Roll: _roll,
    notices.Pass: _pass,
    notices.Move: _move,
    notices.ReturnToken: _return_token,
    notices.Illegal: _illegal,
    notices.Restored: _restored,
    notices.Unclear: _unclear,
    notices.TakeBack: _take_back,
    notices.Override: _override,
    notices.Finish: _finish,
    notices.GameOver: _game_over,
}
