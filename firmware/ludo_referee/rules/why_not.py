"""Why a change on the table is not a legal move, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import YARD
from .errors import IllegalMove

if TYPE_CHECKING:
    from .game import Game, GameState

SENTENCES: dict[str, str] = {
    "wrong_token": "It is not {seat}'s turn; put the token of {seat} back on {origin}.",
    "no_token": "{seat} has no token on {origin}; put everything back as it was.",
    "off_board": "{seat} cannot stand on {destination}; put the token back on {origin}.",
    "backwards": "{seat} moved back from {origin} to {destination}; tokens go forward. Put it back on {origin}.",
    "wrong_count": "{seat} moved {moved}, but {rolled} is to be played. Put the token back on {origin} and count {rolled}.",
    "unclear_change": "{seat} cannot go from {origin} to {destination}; put the token back on {origin}.",
}


def explain(game: Game, state: GameState, seat: int, origin: int, destination: int, tokens: int) -> IllegalMove:
    """See `Game.why_not`."""
    facts: dict[str, object] = {"seat": game.board.seats[seat].name, "origin": origin, "destination": destination}
    distance = game.roll(state).distance
    if seat != state.turn:
        reason = "wrong_token"
    elif state.steps[seat].count(origin) < tokens:
        return IllegalMove("unclear_change", "no_token", SENTENCES["no_token"].format(**facts), facts)
    elif not YARD <= destination <= game.board.last:
        reason = "off_board"
    elif destination < origin:
        reason = "backwards"
    elif origin != YARD and destination != origin + distance:
        reason = "wrong_count"
        facts |= {"moved": destination - origin, "rolled": distance}
    else:
        reason = "unclear_change"
    return IllegalMove(reason, reason, SENTENCES[reason].format(**facts), facts)
