"""People who play by themselves on the simulated table, and keep count of what the referee makes of it.

They know the rules and see their own tokens; of the referee they know only what it says and shows, as people at the table do.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from ..app.session import Sink
from ..referee import notices
from ..referee.notices import Notice
from ..referee.views import Choose, Looking, MoveByHand, PlaceTokens, View
from ..rules.board import YARD
from ..rules.game import Game, GameState, Move, Phase
from .hands import Hands
from .mistakes import Mistake, mistakes
from .tabletop import Piece, Tabletop

PAUSE_S = (1.6, 2.4)  # between a thing said and the next press; a press while the die rolls would count for nothing
THINK_S = (0.3, 1.0)
LOOK_S = 2.0  # the referee has looked by then
PATIENCE_S = 5.0  # so long without a word, and the token is set anew
PATIENCE = 4  # so often


@dataclass(slots=True)
class Tally:
    """What happened, by the players' own count."""

    rolls: int = 0
    moves: int = 0
    told_right: int = 0
    told_wrong: int = 0
    not_told: int = 0
    planted: int = 0
    called: int = 0
    false_alarms: int = 0
    unclear: int = 0
    straightened: int = 0
    games_over: int = 0
    trouble: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count the other's as well."""
        for name in ("rolls", "moves", "told_right", "told_wrong", "not_told", "planted", "called", "false_alarms", "unclear",
                     "straightened", "games_over"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.trouble += other.trouble

    @property
    def flawless(self) -> bool:
        """Every move told right, every planted mistake called, nothing else."""
        return self.told_right == self.moves and self.called == self.planted and not self.told_wrong and not self.false_alarms

    def __str__(self) -> str:
        lines = [
            f"games to the end {self.games_over}, throws {self.rolls}",
            f"moves made {self.moves}: told right {self.told_right}, told wrong {self.told_wrong}, not told {self.not_told}",
            f"wrong moves planted {self.planted}, called {self.called}; false alarms {self.false_alarms}",
            f"told to be unclear {self.unclear}, tokens set anew {self.straightened}",
        ]
        return "\n".join([*lines, *self.trouble])


class Autoplayer(Sink):
    """Presses the button and moves tokens for its `seats`; `act` is called again and again. `blunders` is the share of moves that
    begin with a mistake. What people do with the other seats it follows."""

    def __init__(self, game: Game, start: GameState, tabletop: Tabletop, hands: Hands, press: Callable[[str], None], chance: random.Random,
                 *, blunders: float = 0.04) -> None:
        self.state = start
        self.seats = frozenset(range(len(start.steps)))
        self.tally = Tally()
        self.over = False
        self.stuck = False
        self._hands_t = -LOOK_S  # when a hand was at the table last
        self._game, self._tabletop, self._hands, self._press = game, tabletop, hands, press
        self._chance, self._blunders = chance, blunders
        self._next_t = 0.0  # not before this second
        self._move: Move | None = None  # carried out, and not yet told
        self._mistake: Mistake | None = None  # made, and not yet put right
        self._last: Piece | None = None
        self._tries = 0
        self._quiet_since: float | None = None
        self._blundered = False  # on this roll
        self._view: View = Looking()
        self._view_t = 0.0

    @property
    def made(self) -> Move | None:
        """The move that was made and is not told yet."""
        return self._move

    # --- what the referee says -----------------------------------------------------------------------------------------

    def notice(self, notice: Notice) -> None:
        """Something was said."""
        self._quiet_since = None
        if self._others_move(notice):
            return
        match notice:
            case notices.Roll(value=value, t=t):
                self.tally.rolls += 1
                self.state, _ = self._game.throw(self.state, value)
                self._blundered = False
                self._pause(t, PAUSE_S)
            case notices.Move(t=t):
                self._told(notice)
                self._pause(t, PAUSE_S)
            case notices.Illegal(t=t):
                self._called(notice)
                self._pause(t, THINK_S)
            case notices.Restored(t=t):
                if self._mistake is not None and self._mistake.put_right and self._move is None:
                    self._mistake = None
                self._pause(t, THINK_S)
            case notices.Unclear(t=t):
                self.tally.unclear += 1
                self._set_anew_or_give_up(t)
            case notices.TakeBack(t=t):
                self.tally.told_wrong += 1
                self._give_up(f"{t:.1f} s: a take-back was seen where there was none")
            case notices.GameOver():
                self.over = True
                self.tally.games_over += 1

    def resume(self, state: GameState) -> None:
        """Go on from here, after people have played or the thread was lost: first every token to where the game has it."""
        self.state, self.stuck = state, False
        self._move = self._mistake = self._last = self._quiet_since = None
        self._tries = 0
        for seat, own in enumerate(state.steps):
            wanted = sorted(self._tabletop.board.place(seat, step) for step in own)
            astray = [piece for piece in self._tabletop.pieces if piece.seat == seat]
            for piece in list(astray):
                if piece.place in wanted:
                    wanted.remove(piece.place)
                    astray.remove(piece)
            for piece, place in zip(astray, wanted, strict=True):
                self._hands.move(piece, place)

    def _others_move(self, notice: Notice) -> bool:
        """Follow what was said about people's own doing; False: it is about this player's."""
        if self.state.turn in self.seats or self._move is not None or self._mistake is not None:
            return False
        if isinstance(notice, notices.Move):
            self.state, _ = self._game.play(self.state, Move(notice.origin, notice.destination, notice.tokens, notice.captures))
            self._pause(notice.t, PAUSE_S)
        return isinstance(notice, notices.Move | notices.Illegal | notices.Restored | notices.Unclear)

    def view(self, t: float, view: View) -> None:
        """The screen shows something else."""
        self._view, self._view_t = view, t

    def _told(self, told: notices.Move) -> None:
        claimed = Move(told.origin, told.destination, told.tokens, told.captures)
        made, self._move, self._mistake = self._move, None, None
        self.tally.told_right += claimed == made and told.seat == self.state.turn
        if claimed == made and told.seat == self.state.turn:
            self.state, _ = self._game.play(self.state, claimed)
        elif claimed in self._game.legal(self.state):
            self.tally.told_wrong += 1
            self.tally.trouble.append(f"{told.t:.1f} s: told {claimed}, made {made}")
            self.state, _ = self._game.play(self.state, claimed)
            self.resume(self.state)  # the players give in, so that the game can go on
        else:
            self.tally.told_wrong += 1
            self._give_up(f"{told.t:.1f} s: told {claimed}, which no rule allows")

    def _called(self, told: notices.Illegal) -> None:
        if self._mistake is None or self._mistake.put_right:
            self.tally.false_alarms += 1
            self.tally.trouble.append(f"{told.t:.1f} s: false alarm {told.reason} {told.seen}; made {self._move}")
            self._straighten()
            return
        self.tally.called += 1
        self._put_right(self._mistake)

    # --- what the players do -------------------------------------------------------------------------------------------

    def act(self, t: float) -> None:
        """Do what is next, if it is time."""
        if self._hands.busy:
            self._hands_t = t
        if self._hands.busy or self.over or self.stuck or t < self._next_t or self.state.turn not in self.seats:
            return
        if self._move is not None or self._mistake is not None:
            self._wait_for_a_word(t)
        elif isinstance(self._view, Choose):
            self._next_t = t + PAUSE_S[0]
            self._press("tap" if self._view.choices[self._view.index].key == "wait" else "hold")
        elif isinstance(self._view, MoveByHand) and t - self._hands_t < LOOK_S:
            return  # a token was just moved: perhaps this one
        elif isinstance(self._view, MoveByHand):
            self._next_t = t + PATIENCE_S
            self._move_by_hand(self._view)
        elif isinstance(self._view, Looking) or (isinstance(self._view, PlaceTokens) and t - self._view_t < PATIENCE_S):
            return
        elif self.state.phase in (Phase.START, Phase.ROLL):
            self._next_t = t + PAUSE_S[1]
            self._press("tap")
        elif self.state.phase is Phase.MOVE:
            self._make_move()

    def _make_move(self) -> None:
        if not self._blundered and self._chance.random() < self._blunders:
            self._blundered = True
            possible = mistakes(self._game, self.state, self._tabletop.board)
            if possible:
                self._blunder(self._chance.choice(possible))
                return
        legal = self._game.legal(self.state)
        weights = [1.0 + 4 * len(move.captures) + 2 * (move.origin == YARD) + 2 * (move.destination == self._tabletop.board.last)
                   for move in legal]
        self._carry_out(self._chance.choices(legal, weights)[0])

    def _carry_out(self, move: Move) -> None:
        seat, board = self.state.turn, self._tabletop.board
        moved: list[Piece] = []
        taken: list[Piece] = []
        try:
            for _ in range(move.tokens):
                moved.append(self._tabletop.at(seat, move.origin, moved))
            for foe, step in move.captures:
                taken.append(self._tabletop.at(foe, step, taken))
        except LookupError:  # somebody has moved a token meanwhile
            self.resume(self.state)
            return
        self.tally.moves += 1
        self._move, self._last = move, moved[-1]
        for piece in moved:
            self._hands.move(piece, board.place(seat, move.destination))
        for piece in taken:
            self._hands.wait(self._chance.choice((0.2, 0.6, 2.5)))
            self._hands.move(piece, board.place(piece.seat, YARD))

    def _move_by_hand(self, wanted: MoveByHand) -> None:
        """The screen asks for a token to be moved; it is there already when the hand was quicker than the screen."""
        board = self._tabletop.board
        try:
            self._last = self._tabletop.at(wanted.seat, wanted.start.step)
        except LookupError:
            return
        self._hands.move(self._last, board.place(wanted.seat, wanted.end.step))

    def _blunder(self, mistake: Mistake) -> None:
        self.tally.planted += 1
        self._mistake = mistake
        self._last = mistake.piece = self._tabletop.at(mistake.seat, mistake.origin)
        self._hands.move(self._last, self._tabletop.board.place(mistake.seat, mistake.destination))

    def _put_right(self, mistake: Mistake) -> None:
        """Back to where it was; or, sometimes, straight to where it may go."""
        assert mistake.piece is not None
        board = self._tabletop.board
        mended = [move for move in self._game.legal(self.state)
                  if mistake.seat == self.state.turn and move.origin == mistake.origin and not move.captures and move.tokens == 1]
        if mended and self._chance.random() < 0.3:
            self._move = mended[0]
            self.tally.moves += 1
            self._hands.move(mistake.piece, board.place(mistake.seat, mended[0].destination))
        else:
            self._hands.move(mistake.piece, board.place(mistake.seat, mistake.origin))
        mistake.put_right = True

    def _wait_for_a_word(self, t: float) -> None:
        """The referee says nothing for long: set the token anew; in the end, put a mistake right unasked, or give up."""
        if self._quiet_since is None:
            self._quiet_since = t
        if t - self._quiet_since >= PATIENCE_S:
            self._set_anew_or_give_up(t)

    def _set_anew_or_give_up(self, t: float) -> None:
        self._tries += 1
        if self._tries <= PATIENCE:
            self._straighten()
        elif self._mistake is not None and self._move is None and not self._mistake.put_right:
            self.tally.trouble.append(f"{t:.1f} s: not called: {self._mistake}")
            self._put_right(self._mistake)
            self._mistake, self._tries, self._quiet_since = None, 0, None  # what was not called is not told to be restored
        else:
            self.tally.not_told += self._move is not None
            self._give_up(f"{t:.1f} s: no word about {self._move or self._mistake}")

    def _straighten(self) -> None:
        self._quiet_since = None
        if self._last is not None and not self._hands.busy:
            self.tally.straightened += 1
            self._hands.straighten(self._last)

    def _give_up(self, why: str) -> None:
        self.stuck = True
        self.tally.trouble.append(why)

    def _pause(self, t: float, seconds: tuple[float, float]) -> None:
        self._tries = 0
        self._next_t = t + self._chance.uniform(*seconds)
