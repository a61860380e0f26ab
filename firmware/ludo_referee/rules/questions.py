"""Questions about moves and turns as JSON objects (RULES 1.13), so that a program in any language can check the engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .board import Board, load_board
from .errors import LudoError
from .game import Game
from .moves import Move
from .ruleset import rules_from
from .state import Arrivals, Finished, GameOver, GameState, Moved, Outcome, Passed, Penalty, Phase

LEGAL_KEYS = {"rules", "position", "seat", "roll", "bonus", "arrivals", "ever_entered", "earned"}
TURN_KEYS = {"rules", "position", "seat", "script", "sixes", "arrivals", "ever_entered"}


class QuestionError(LudoError, ValueError):
    """A question that cannot be answered; the message names the field."""


def answer_line(line: str | bytes, answer: Callable[[Mapping[str, Any]], dict[str, Any]]) -> str:
    """The answer to one line of JSON as one line of JSON; {"error": …} for a line that is no good question."""
    try:
        question = json.loads(line)
        if not isinstance(question, dict):
            raise QuestionError("a question is a JSON object, one a line")
        answered = answer(question)
    except RecursionError:
        answered = {"error": "the line is nested too deeply"}
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        answered = {"error": f"this line is not JSON ({error})"}
    except (LudoError, ValueError) as error:
        answered = {"error": str(error)}
    return json.dumps(answered, ensure_ascii=False)


def answer_legal(question: Mapping[str, Any]) -> dict[str, Any]:
    """{"moves": [{"from", "to", "tokens", "captures"}]} for a position, seat and roll (or bonus). Raises LudoError."""
    _known(question, LEGAL_KEYS)
    if ("roll" in question) == ("bonus" in question):
        raise QuestionError("give either a roll or a bonus")
    game, state = _asked(question)
    if "roll" in question:
        value = _number(question, "roll", 1, 6)
        given = ("capture",) if _flag(question, "earned", False) else ()
        state = state._replace(phase=Phase.MOVE, pending=value, thrown=((value, given),))
    else:
        state = state._replace(phase=Phase.MOVE, pending=_number(question, "bonus", 1, 99), pending_is_bonus=True)
    return {"moves": [_move_record(game.board, move) for move in game.legal(state)]}


def answer_turn(question: Mapping[str, Any]) -> dict[str, Any]:
    """{"position", "log", "next", "phase", "sixes"} after the script of a turn. Raises LudoError.

    `script` is [[die, [from, to]], …]; a null move takes the only one or none, and a bonus move stands as [bonus, [from, to]].
    """
    _known(question, TURN_KEYS)
    game, state = _asked(question)
    seat = state.turn
    game.resume({player: state.steps[player] for player in game.players}, seat)  # refuses a finished seat and a finished game
    script = question.get("script")
    if not isinstance(script, list):
        raise QuestionError("script is a list of [die, [from, to]]")
    log: list[dict[str, Any]] = []
    lost: list[int] = []
    for number, entry in enumerate(script, 1):
        if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int:
            raise QuestionError(f"script entry {number} is {json.dumps(entry)}; it is [die, [from, to]] or [die, null]")
        value, wanted = entry
        if wanted is None and value in lost:
            lost.remove(value)  # a bonus that nobody could play was lost by itself
            continue
        if state.turn != seat or state.phase is Phase.OVER:
            raise QuestionError(f"script entry {number} comes after the turn's end")
        state = _rolled(game, state, value, number, log)
        if state.phase is Phase.MOVE and not (state.pending_is_bonus and state.pending != value):
            state, outcomes = game.play(state, _wanted(game, state, wanted, number))
            lost += [bonus for outcome in outcomes if isinstance(outcome, Moved) for bonus in outcome.lost]
            log += _log(game.board, outcomes)
        elif wanted is not None:
            raise QuestionError(f"script entry {number}: there is no move for {value}; write null")
    names = [seat.name for seat in game.board.seats]
    return {
        "position": {names[seat]: list(state.steps[seat]) for seat in game.players},
        "log": log,
        "next": None if state.phase is Phase.OVER else names[state.turn],
        "phase": state.phase.value,
        "sixes": state.sixes,
    }


def _rolled(game: Game, state: GameState, value: int, number: int, log: list[dict[str, Any]]) -> GameState:
    """The state in which an entry's value is to be played, or was passed."""
    seat = game.board.seats[state.turn].name
    if state.phase is Phase.MOVE:
        if value != state.pending:
            raise QuestionError(f"script entry {number} plays {value}, but a bonus of {state.pending} is to be played first")
        log.append({"event": "bonus", "seat": seat, "value": value})
        return state
    log.append({"event": "roll", "seat": seat, "value": value})
    after, outcomes = game.throw(state, value)
    log += _log(game.board, outcomes)
    return after


def _wanted(game: Game, state: GameState, wanted: object, number: int) -> Move:
    """The legal move that a script entry names. Raises QuestionError, IllegalMove."""
    moves = game.legal(state)
    if wanted is None:
        if len(moves) == 1:
            return moves[0]
        several = ", ".join(f"[{move.origin}, {move.destination}]" for move in moves)
        raise QuestionError(f"script entry {number}: {state.pending} can be played in several ways ({several}); name one")
    if not isinstance(wanted, list) or len(wanted) not in (2, 3) or any(type(step) is not int for step in wanted):
        raise QuestionError(f"script entry {number}: a move is [from, to], or [from, to, tokens], or null")
    found = [move for move in moves if list(move[: len(wanted)]) == wanted]
    if not found:
        raise game.why_not(state, state.turn, *wanted)
    return found[0]


def _log(board: Board, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Outcomes as the objects that a recording prints."""
    log: list[dict[str, Any]] = []
    for outcome in outcomes:
        name = board.seats[outcome.seat].name if isinstance(outcome, (Moved, Passed, Penalty, Finished)) else ""
        if isinstance(outcome, Moved):
            moved = _move_record(board, outcome.move)
            log.append({"event": "move", "seat": name, **moved, **({"lost": list(outcome.lost)} if outcome.lost else {})})
        elif isinstance(outcome, Passed):
            log.append({"event": "pass", "seat": name, "reason": outcome.reason})
        elif isinstance(outcome, Penalty):
            shifts = [[board.seats[seat].name, origin, destination] for seat, origin, destination in outcome.shifts]
            log.append({"event": "penalty", "seat": name, "shifts": shifts})
        elif isinstance(outcome, Finished):
            log.append({"event": "finish", "seat": name, "place": outcome.place})
        elif isinstance(outcome, GameOver):
            log.append({"event": "game_over", "order": [board.seats[seat].name for seat in outcome.order]})
    return log


def _asked(question: Mapping[str, Any]) -> tuple[Game, GameState]:
    """The game a question is about, with its seat to roll."""
    rules = question.get("rules", {})
    if not isinstance(rules, dict):
        raise QuestionError("rules is an object such as {\"preset\": \"classic\"}")
    position = question.get("position")
    if not isinstance(position, dict) or not position:
        raise QuestionError("position is an object: seat → its four steps, −1 in the yard")
    game = _game(json.dumps(rules, sort_keys=True), tuple(position))
    board = game.board
    for name, steps in position.items():
        if not isinstance(steps, list) or any(type(step) is not int for step in steps):
            raise QuestionError(f"position of seat {name} is a list of four whole numbers")
    steps = game.checked_position({board.seat(name): own for name, own in position.items()})
    if question.get("seat") not in list(position):
        raise QuestionError(f"seat is {json.dumps(question.get('seat'))}; it is one of the seats of the position: {', '.join(position)}")
    seat = board.seat(question["seat"])
    state = game.standing(steps, seat, _number(question, "sixes", 0, 99) if "sixes" in question else 0)
    entered = _flag(question, "ever_entered", state.ever_entered[seat])
    return game, state._replace(
        ever_entered=(*state.ever_entered[:seat], entered, *state.ever_entered[seat + 1 :]),
        arrivals=_arrivals(question, board, seat, state),
    )


def _arrivals(question: Mapping[str, Any], board: Board, seat: int, state: GameState) -> Arrivals:
    """The order of arrival on the asking seat's start square as the question gives it; on others the order of the seats."""
    names = question.get("arrivals")
    if names is None:
        return state.arrivals
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise QuestionError("arrivals is a list of seats, the first to come first")
    start = board.seats[seat].start
    others = tuple(entry for entry in state.arrivals if entry[0] != start)
    return (*others, (start, tuple(board.seat(name) for name in names)))


@lru_cache(maxsize=256)
def _game(rules_text: str, players: tuple[str, ...]) -> Game:
    """The game of a question's rules and seats; many questions share one."""
    rules = rules_from(json.loads(rules_text))
    board = _board(rules.board)
    return Game(board, rules, tuple(board.seat(name) for name in players))


@lru_cache(maxsize=16)
def _board(name: str) -> Board:
    return load_board(name)


def _move_record(board: Board, move: Move) -> dict[str, Any]:
    return {
        "from": move.origin,
        "to": move.destination,
        "tokens": move.tokens,
        "captures": [[board.seats[seat].name, step] for seat, step in move.captures],
    }


def _known(question: Mapping[str, Any], keys: set[str]) -> None:
    for key in question:
        if key not in keys:
            raise QuestionError(f"a question has no field {key!r}; it may have {', '.join(sorted(keys))}")


def _number(question: Mapping[str, Any], key: str, low: int, high: int) -> int:
    value = question[key]
    if type(value) is not int or not low <= value <= high:
        raise QuestionError(f"{key} is {json.dumps(value)}; it is a whole number from {low} to {high}")
    return value


def _flag(question: Mapping[str, Any], key: str, default: bool) -> bool:
    value = question.get(key, default)
    if not isinstance(value, bool):
        raise QuestionError(f"{key} is {json.dumps(value)}; it is true or false")
    return value
