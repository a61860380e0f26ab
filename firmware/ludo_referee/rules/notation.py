"""A game as one short line of text that reads back.

    A:y,y,0,10 C:5,y,y,y A r6 s1

First the seats that play with their tokens (`y` is the yard), then the seat on turn. What follows is there only where it says
something: `r6` or `b20` the roll or bonus to be played, `s` sixes in a row, `t` tries left, `e:` seats with every token in the yard
that have been out before, `f:` the seats finished in order, `a:` who stands on a start square in order of arrival (ring index = seats),
`g:` why the roll was given, `q:` bonus moves to come. Seats with names of several letters are joined by `+`.
The moves of the open turn are not written: they can no longer be taken back.
"""

from __future__ import annotations

from .board import YARD, Board
from .errors import PositionError
from .game import Game
from .ruleset import Rules
from .state import GameState, Phase

REASONS = ("six", "capture", "home", "try")


def position_text(game: Game, state: GameState) -> str:
    """The line for a state in phase ROLL or MOVE."""
    names = [seat.name for seat in game.board.seats]
    words = [f"{names[seat]}:{','.join('y' if step == YARD else str(step) for step in state.steps[seat])}" for seat in game.players]
    words.append(names[state.turn])
    if state.pending is not None:
        words.append(f"{'b' if state.pending_is_bonus else 'r'}{state.pending}")
    if state.sixes:
        words.append(f"s{state.sixes}")
    if state.tries_left > 1 or (game.rules.tries > 1 and not game.in_play(state.steps[state.turn])):
        words.append(f"t{state.tries_left}")
    back = [names[seat] for seat in game.players if state.ever_entered[seat] and state.steps[seat][-1] == YARD]
    if back:
        words.append("e:" + "+".join(back))
    if state.finish_order:
        words.append("f:" + "+".join(names[seat] for seat in state.finish_order))
    if state.arrivals:
        words.append("a:" + ";".join(f"{place}={'+'.join(names[seat] for seat in seats)}" for place, seats in state.arrivals))
    given = state.earned if state.pending is None or state.pending_is_bonus else state.thrown[-1][1] if state.thrown else ()
    if given:
        words.append("g:" + ",".join(given))
    if state.bonus_queue:
        words.append("q:" + ",".join(str(bonus) for bonus in state.bonus_queue))
    return " ".join(words)


def game_from(text: str, board: Board, rules: Rules) -> tuple[Game, GameState]:
    """The game and state of a line; its seats are the players. Raises PositionError."""
    words = text.split()
    position: dict[int, list[int]] = {}
    while words and ":" in words[0] and words[0].split(":")[0] in [seat.name for seat in board.seats]:
        name, _, steps = words.pop(0).partition(":")
        position[board.seat(name)] = [_step(step) for step in steps.split(",")]
    if not position or not words:
        raise PositionError(f"position {text!r} is not like 'A:y,y,0,10 C:5,y,y,y A': the seats with their tokens, then the seat on turn")
    game = Game(board, rules, tuple(position))
    state = game.resume(position, _seats(board, words.pop(0))[0])
    for word in words:
        state = _with_word(game, state, word)
    if state.pending is not None:
        given = (() if state.pending_is_bonus else state.earned)
        value = state.pending
        state = state._replace(phase=Phase.MOVE, thrown=((value, given),), earned=state.earned if state.pending_is_bonus else ())
    return game, state


def _with_word(game: Game, state: GameState, word: str) -> GameState:
    """The state with one of the words that follow the turn."""
    board = game.board
    key, value = (word[:2], word[2:]) if word[1:2] == ":" else (word[:1], word[1:])
    if key in ("r", "b") and value.isdecimal():
        number = int(value)
        if key == "r" and not 1 <= number <= 6:
            raise PositionError(f"{word!r} in a position: a roll is r1 to r6")
        return state._replace(pending=number, pending_is_bonus=key == "b")
    if key == "s" and value.isdecimal():
        return state._replace(sixes=int(value))
    if key == "t" and value.isdecimal():
        return state._replace(tries_left=int(value))
    if key == "e:":
        seats = _seats(board, value)
        return state._replace(ever_entered=tuple(been or seat in seats for seat, been in enumerate(state.ever_entered)))
    if key == "f:" and sorted(_seats(board, value)) == sorted(state.finish_order):
        return state._replace(finish_order=_seats(board, value))
    if key == "a:":
        places = [place.partition("=") for place in value.split(";")]
        return state._replace(arrivals=tuple((_number(place), _seats(board, seats)) for place, _, seats in places))
    if key == "g:" and all(reason in REASONS for reason in value.split(",")):
        return state._replace(earned=tuple(value.split(",")))
    if key == "q:":
        return state._replace(bonus_queue=tuple(_number(bonus) for bonus in value.split(",")))
    raise PositionError(f"{word!r} in a position is not understood; after the turn come r b s t e: f: a: g: q:")


def _seats(board: Board, text: str) -> tuple[int, ...]:
    return tuple(board.seat(name) for name in text.split("+"))


def _step(text: str) -> int:
    return YARD if text == "y" else _number(text)


def _number(text: str) -> int:
    if not text.isdecimal():
        raise PositionError(f"{text!r} in a position is not a number (or y for the yard)")
    return int(text)
