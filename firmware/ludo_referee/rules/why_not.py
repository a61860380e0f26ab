"""Why a change on the table is not a legal move, and the way out.

`SENTENCES` is the catalogue: one sentence for each detail, filled with the facts of the error. A detail belongs to one of the reasons
of a recording (`REASONS`), which is what the table shows at a glance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import YARD
from .errors import IllegalMove
from .moves import Move, Roll

if TYPE_CHECKING:
    from .game import Game
    from .state import GameState

SENTENCES: dict[str, str] = {
    "other_seat": "It is {mover}'s turn. Put the {colour} token back: {origin}.",
    "roll_first": "Roll first. Put the {colour} token back: {origin}.",
    "no_token": "There is no {colour} token to move: {origin}. Put the tokens back as they were.",
    "allowed": "The {colour} token may go there, but this is not what the table shows. Put it back ({origin}) and move it again.",
    "backwards": "The {colour} token went backwards. Put it back ({origin}) and count {rolled} forward.",
    "off_way": "The {colour} token cannot stand there; its way ends at the finish. Put it back: {origin}.",
    "at_rest": "The {colour} token is home and stays there. Put it back: {origin}.",
    "counted": "The {colour} token went {moved}, but it is {rolled} to play. Put it back ({origin}) and count {rolled}.",
    "overshoot": "The {colour} token needs an exact roll to get home; {rolled} is too much. Put it back ({origin}) and move another.",
    "entry_value": "A {colour} token comes out on {entry} only. Put it back: {origin}.",
    "bonus_entry": "A bonus move brings no token out. Put the {colour} token back: {origin}.",
    "enter_on_start": "A {colour} token comes out onto its start. Put it on its start square.",
    "own_token": "Your own token stands there ({destination}) and two may not share it. Put the {colour} token back: {origin}.",
    "own_token_behind": "Your own token stands there ({destination}). Put the {colour} token on the free square behind it: {instead}.",
    "own_token_no_room": "Your own token stands there ({destination}), nothing behind it is free. Put the {colour} token back: {origin}.",
    "home_space": "This home space is taken ({destination}); each holds one token. Put the {colour} token back: {origin}.",
    "square_full": "This square is full ({destination}). Put the {colour} token back: {origin}.",
    "block_between": "A block stands in the way ({at}) and may not be passed. Put the {colour} token back: {origin}.",
    "block_landing": "A block stands there ({destination}); nobody may land on it. Put the {colour} token back: {origin}.",
    "block_hop": "A 1 hops over the block ahead. Put the {colour} token on the square after it: {instead}.",
    "home_jump": "Your own token stands in the home row ({at}) and may not be jumped over. Put the {colour} token back: {origin}.",
    "safe_landing": "Another colour is safe there ({destination}); you may not land on it. Put the {colour} token back: {origin}.",
    "pair": "These two {colour} tokens may not move together. Put them back ({origin}) and move one.",
    "force_entry": "You must bring a token out first. Put the {colour} token back: {origin}.",
    "clear_start": "You must clear your start square first. Put the {colour} token back: {origin}.",
    "open_block_on_six": "On a 6 you must open your block first. Put the {colour} token back: {origin}.",
    "must_capture": "You can capture, so you must. Put the {colour} token back: {origin}.",
    "earn_anew": "After the take-back you may only make a move that earns your last roll again. Put the {colour} token back: {origin}.",
}

PLACES: dict[str, str] = {
    "yard": "its yard",
    "start": "its start square",
    "ring": "square {number}",
    "home": "home square {number}",
    "finish": "the finish",
    "nowhere": "beside the board",
}

REASONS: dict[str, str] = {
    "other_seat": "wrong_token",
    "backwards": "backwards",
    "off_way": "off_board",
    "at_rest": "backwards",
    "counted": "wrong_count",
    "overshoot": "wrong_count",
    "entry_value": "wrong_count",
    "bonus_entry": "wrong_count",
    "enter_on_start": "wrong_count",
    "own_token": "own_square",
    "own_token_behind": "own_square",
    "own_token_no_room": "own_square",
    "home_space": "own_square",
    "square_full": "own_square",
    "block_between": "blocked",
    "block_landing": "blocked",
    "block_hop": "wrong_count",
    "home_jump": "blocked",
    "safe_landing": "blocked",
    "pair": "several_moved",
    "force_entry": "must_enter",
    "clear_start": "must_enter",
    "open_block_on_six": "blocked",
}


def explain(game: Game, state: GameState, seat: int, origin: int, destination: int, tokens: int = 1) -> IllegalMove:
    """See `Game.why_not`."""
    roll = game.roll(state)
    detail, more = _detail(game, state, seat, roll, Move(origin, destination, tokens))
    facts: dict[str, object] = {
        "seat": game.board.seats[seat].name,
        "colour": game.board.seats[seat].colour,
        "mover": game.board.seats[state.turn].colour,
        "origin": place_name(game, origin),
        "destination": place_name(game, destination),
        "rolled": roll.distance,
        "moved": destination - origin,
        "entry": " or ".join(str(value) for value in sorted(game.rules.entry)),
        "rule": detail,
        **{key: place_name(game, step) for key, step in more.items()},
    }
    return IllegalMove(REASONS.get(detail, "unclear_change"), detail, SENTENCES[detail].format(**facts), facts)


def place_name(game: Game, step: int) -> str:
    """A step of a seat's way in words: squares are counted from the start square, home squares from 1."""
    board = game.board
    if step == YARD:
        kind, number = "yard", 0
    elif step == 0:
        kind, number = "start", 0
    elif step == board.last and board.has_finish:
        kind, number = "finish", 0
    elif not 0 <= step <= board.last:
        kind, number = "nowhere", 0
    elif step >= board.first_home:
        kind, number = "home", step - board.first_home + 1
    else:
        kind, number = "ring", step
    return PLACES[kind].format(number=number)


Detail = tuple[str, dict[str, int]]


def _detail(game: Game, state: GameState, seat: int, roll: Roll, asked: Move) -> Detail:
    """The rule that stands against a move, with the steps its sentence names: first who and what, then the way, the landing, the duties."""
    own = state.steps[seat]
    if own.count(asked.origin) < asked.tokens:
        return "no_token", {}
    if seat != state.turn:
        return "other_seat", {}
    if state.pending is None:
        return "roll_first", {}
    free = game.moves.moves(state.steps, seat, roll, duties=False)
    move = next((move for move in free if move[:3] == asked[:3]), None)
    if move is not None:
        return _duty(game, state, seat, roll, move), {}
    if asked.origin == YARD:
        return _entering(game, state, seat, roll, asked), {}
    if asked.tokens > 1:
        return "pair", {}
    if game.moves.at_rest(own, asked.origin):
        return "at_rest", {}
    return _going(game, state, seat, roll, asked)


def _entering(game: Game, state: GameState, seat: int, roll: Roll, asked: Move) -> str:
    if not roll.enters:
        return "bonus_entry" if roll.die is None else "entry_value"
    if asked.destination != 0 or asked.tokens > 1:
        return "enter_on_start"
    return _landing(game, state, seat, asked, 0)


def _going(game: Game, state: GameState, seat: int, roll: Roll, asked: Move) -> Detail:
    """A single token that stands on the board went somewhere it may not."""
    origin, destination = asked.origin, asked.destination
    moves, last = game.moves, game.board.last
    bounces = game.rules.overshoot == "bounce" and origin + roll.distance > last
    if destination == YARD or (destination < origin and not bounces):
        return "backwards", {}
    if not 0 <= destination <= last:
        return "off_way", {}
    better = next((move for move in moves.moves(state.steps, seat, roll, duties=False) if move.origin == origin and move.tokens == 1), None)
    if better is not None:
        if destination != origin + roll.distance:
            return "counted", {}
        return ("block_hop" if better.destination > destination else "own_token_behind"), {"instead": better.destination}
    aimed = moves.target(origin, roll.distance)
    if aimed is None:
        return "overshoot", {}
    if destination != aimed:
        return "counted", {}
    for barrier in moves.barriers(state.steps, seat, roll):
        if moves.crosses(origin, aimed, roll.distance, (barrier,)):
            return ("block_between" if barrier < moves.home else "home_jump"), {"at": barrier}
    return _landing(game, state, seat, asked, origin), {}


def _landing(game: Game, state: GameState, seat: int, asked: Move, origin: int) -> str:
    """Why a token that got there may not stay there."""
    moves, rules, step = game.moves, game.rules, asked.destination
    if step in state.steps[seat]:
        if moves.single_spaces and step >= moves.home:
            return "home_space"
        if rules.own_landing == "preceding":
            return "own_token" if asked.origin == YARD else "own_token_no_room"
        return "own_token" if rules.own_landing == "forbidden" else "square_full"
    if step < moves.home:
        counts = [state.steps[foe].count(there) for foe, there in moves.foes_at(seat, step)]
        if max(counts, default=0) > 1 and moves.is_block(seat, step):
            return "block_landing"
        if rules.safe_landing == "forbidden" and any(counts):
            return "safe_landing"
    return "square_full"


def _duty(game: Game, state: GameState, seat: int, roll: Roll, move: Move) -> str:
    """The duty that chose other moves."""
    found = list(game.moves.moves(state.steps, seat, roll, duties=False))
    for duty in game.moves.duties:
        chosen = game.moves.dutiful(duty, state.steps[seat], seat, found, roll)
        if chosen and move not in chosen:
            return duty
        found = chosen or found
    return "allowed" if move in game.legal(state) else "earn_anew"
