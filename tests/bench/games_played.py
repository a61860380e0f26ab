"""One game on a hard case of the simulated table, watched by somebody who sees where the tokens really stand."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ludo_referee.rules.board import YARD

if TYPE_CHECKING:
    from ludo_referee.demo.evening import Evening
    from ludo_referee.rules.game import GameState, Move
    from ludo_vision.sightings import Sighting

# Boards and rules by seed: round and round.
TABLES = (
    ("ludo15", "classic"), ("madn11", "madn"), ("ludo15", "indian"), ("ludo15", "family"), ("ludo15-home4", "classic"),
    ("ludo15", "classic"), ("parchis68", "parchis"), ("ludo15", "indian_block"), ("madn11", "madn"), ("ludo15", "family"),
)
PLAYERS = (None, None, None, (0, 2), None, (0, 1, 2))
SIZES = ((960, 720), (960, 720), (1280, 960), (640, 480))
MIDDLE = (0, 60, 140, 220)  # a short piece of a game begins after so many throws
LOOK_EVERY = 40  # moves: then one picture is read without any history
SILENCE_S = 180.0  # simulated seconds in which nothing is told, thrown or said: the game is stuck
RESUMED = 3  # so often the players put the table back and go on, before they give up
COUNTS = ("rolls", "moves", "told_right", "told_wrong", "not_told", "planted", "called", "false_alarms", "unclear", "straightened",
          "games_over")  # of the players' tally
MOVE_S = 60.0  # simulated seconds a move at most

Scene = tuple[tuple[int, ...], ...]


@dataclass
class Error:
    """Something the referee got wrong: its kind, what was going on, and the players' words."""

    kind: str
    cause: str
    words: str


@dataclass
class Result:
    """One game: what was drawn, what was counted, what went wrong; how far each ranking of vision led and whether it was true;
    how probable each stand read without history was held to be, and whether it was true."""

    seed: int
    names: dict[str, str]
    counts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)  # moves by what was going on
    errors: list[Error] = field(default_factory=list)
    rankings: list[tuple[float, bool]] = field(default_factory=list)
    stands: list[tuple[float, bool]] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)  # from the last motion to the word, seconds
    stuck: str = ""
    seconds: float = 0.0


class TookTooLong(Exception):
    """The game used up its processor time."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """At most so much processor time. Raises TookTooLong that names where it was spent."""

    def over(number: int, frame: FrameType | None) -> None:
        where = " < ".join(f"{line.name}" for line in reversed(traceback.extract_stack(frame)[-6:]))
        raise TookTooLong(f"{seconds:.0f} s of processor time are used up, in {where}")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Witness:
    """A reader that also notes, for every ranking, whether the best candidate is what stands on the table."""

    def __init__(self, reader: object, standing: Callable[[], Scene], notes: list[tuple[float, bool]]) -> None:
        self._reader, self._standing, self._notes = reader, standing, notes
        self._scene: Scene | None = None
        self._candidates: tuple = ()
        self.last = "nothing was seen"
        self._picture: object = None
        self._shown: Scene | None = None  # what the picture shows: a frugal hand is ahead of it

    def see(self, t: float, picture: object) -> Sequence[Sighting]:
        from ludo_vision.sightings import Moving, Ranking

        if picture is not self._picture:
            self._picture, self._shown = picture, self._standing()
        sightings = self._reader.see(t, picture)
        for sighting in sightings:
            if isinstance(sighting, Ranking) and sighting.order and self._scene is not None:
                best = self._candidates[sighting.order[0]]
                self._notes.append((sighting.lead, after(self._scene, best) == self._shown))
                self.last = f"lead {sighting.lead:.2f}, unexplained {sighting.unexplained:.2f}, best {best.shifts}"
            elif not isinstance(sighting, Moving):
                self.last = str(sighting)
        return sightings

    def prepare(self, scene: Scene) -> None:
        self._reader.prepare(scene)

    def start(self, scene: Scene) -> None:
        self._scene = scene
        self._reader.start(scene)

    def ask(self, question: int, candidates: Sequence) -> None:
        self._candidates = tuple(candidates)
        self._reader.ask(question, candidates)

    def accept(self, index: int) -> None:
        self._scene = after(self._scene, self._candidates[index])
        self._reader.accept(index)


def after(scene: Scene | None, candidate: object) -> Scene | None:
    """The scene when a candidate has happened."""
    seats = [list(spots) for spots in scene or ()]
    for shift in candidate.shifts:
        if shift.origin not in seats[shift.seat]:
            return None
        seats[shift.seat].remove(shift.origin)
        seats[shift.seat].append(shift.destination)
    return tuple(tuple(sorted(spots)) for spots in seats)


def standing(evening: Evening) -> Scene:
    """Where every token really is."""
    from ludo_vision.plan import OFF_TABLE

    own: list[list[int]] = [[] for _ in evening.board.seats]
    for piece in evening.tabletop.pieces:
        own[piece.seat].append(OFF_TABLE if piece.place is None else piece.place)
    return tuple(tuple(sorted(spots)) for spots in own)


def cause_of(evening: Evening, state: GameState, move: Move) -> str:
    """What makes a move hard to see, in a few words; the hardest first."""
    board, seat = evening.board, state.turn
    place = board.places[board.place(seat, move.destination)]
    there = sum(board.place(other, step) == board.place(seat, move.destination) for other, own in enumerate(state.steps)
                for step in own if step != YARD)
    if move.captures:
        return "captures"
    if board.has_finish and move.destination == board.last:
        return "to the finish"
    if move.tokens > 1:
        return "two tokens at once"
    if there:
        return "shares a square"
    if move.origin == YARD:
        return "out of the yard"
    if place.seat == seat:
        return "onto its own colour"
    return "a step"


class Game:
    """Plays the game of a seed, or the first `moves` of it, and writes down what the referee made of it."""

    def __init__(self, seed: int, moves: int | None, find_board: bool) -> None:
        from ludo_hardware.simulated_table import hard_case
        from ludo_referee.app.table import plan_of, scene_of
        from ludo_referee.demo.evening import DemoOptions, Evening
        from ludo_vision.reader import TableReader

        board, preset = TABLES[seed % len(TABLES)]
        size = SIZES[seed // 3 % len(SIZES)]
        case = hard_case(seed, round_spots=board == "madn11", size=size)
        disturbed = {"knocked": case.knocks, "flickering": case.flicker, "drifting": case.drift}
        self.result = Result(seed, {
            "board": board, "rules": preset, "view": case.view_name, "print": case.print_name, "light": case.light_name,
            "shape": case.look.tokens.shape, "paint": "as print" if case.matched else "own", "surface": case.look.surface,
            "width": str(size[0]), "disturbed": next((name for name, by in disturbed.items() if by), "calm"),
        })  # fmt: skip
        self.moves, self.wanted = 0, moves
        options = DemoOptions(
            board=board, preset=preset, seed=seed, look=case.look, drift=case.drift, knocks=case.knocks, flicker=case.flicker, frugal=True,
            players=PLAYERS[seed % len(PLAYERS)], moves=moves, middle=0 if moves is None else MIDDLE[seed // 4 % len(MIDDLE)])
        self.plan = None

        def witness(evening: Evening) -> Witness:
            self.plan = plan_of(evening.board)
            corners = None if find_board else evening.table.corners
            reader = TableReader(self.plan, corners=corners, expected=scene_of(evening.board, evening.start.steps))
            self.witness = Witness(reader, lambda: standing(evening), self.result.rankings)
            return self.witness

        self.evening = Evening(options, [], reader=witness)
        self._cause = "before the first move"
        self._told = self._resumed = 0
        self._noted: Counter[str] = Counter()  # errors by kind
        self._progress: tuple[int, ...] = ()
        self._progress_t = self._still_t = 0.0

    def play(self, limit_s: float, say: Callable[[str], None]) -> Result:
        """To the end, or until nothing goes on."""
        from ludo_referee.demo.evening import TICKS_A_SECOND

        began, tick, result = time.process_time(), 0, self.result
        try:
            with limited(limit_s):
                while not result.stuck and not self._over(tick / TICKS_A_SECOND):
                    self.evening.advance(tick / TICKS_A_SECOND)
                    self._watch(tick / TICKS_A_SECOND, say)
                    tick += 1
        except TookTooLong as limit:
            result.stuck = str(limit)
        except Exception as error:  # a fault ends this game, and the others go on
            where = traceback.extract_tb(error.__traceback__)[-1]
            result.stuck = f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})"
        tally = self.evening.autoplayer.tally
        if tally.rolls == 0 and "NotFound" in self.witness.last:
            result.errors.append(Error("board not found", "before the first move", self.witness.last))
        elif result.stuck:
            result.errors.append(Error("stuck", self._cause, result.stuck))
        for name in COUNTS:
            result.counts[name] = getattr(tally, name)
        result.counts["pictures"] = self.evening.pictures
        result.seconds = time.process_time() - began
        return result

    def _over(self, t: float) -> bool:
        player = self.evening.autoplayer
        tally = player.tally
        if player.over or self.wanted is None:
            return player.over
        return tally.told_right + tally.told_wrong >= self.wanted or t > MOVE_S * (self.wanted + 1)

    def _watch(self, t: float, say: Callable[[str], None]) -> None:
        """After an instant: what was told, and is it still a game?"""
        player = self.evening.autoplayer
        tally = player.tally
        if player.made is not None and tally.moves > self.moves:
            self.moves = tally.moves
            self._cause = cause_of(self.evening, player.state, player.made)
            self.result.causes[self._cause] += 1
        if self.evening.hands.busy:
            self._still_t = t
        self._note_errors()
        if tally.told_right > self._told:
            self._told, self._resumed = tally.told_right, 0
            self.result.delays.append(t - self._still_t)
            if self._told % LOOK_EVERY == 0:
                self._look()
            if self._told % 100 == 0:
                say(f"{self._told} moves")
        if player.stuck:
            self._take_back(player.state)
        progress = (tally.rolls, tally.told_right, tally.told_wrong, tally.called, tally.false_alarms, tally.unclear, tally.straightened)
        if progress != self._progress:
            self._progress, self._progress_t = progress, t
        elif t - self._progress_t > SILENCE_S:
            self.result.stuck = f"nothing happens since {self._progress_t:.0f} s; {self._present()}"

    def _note_errors(self) -> None:
        tally = self.evening.autoplayer.tally
        words = tally.trouble[-1] if tally.trouble else ""
        uncalled = sum("not called" in line for line in tally.trouble)
        for kind, count in (("told wrong", tally.told_wrong), ("not told", tally.not_told), ("false alarm", tally.false_alarms),
                            ("mistake not called", uncalled)):
            # What is not understood again after it was taken back is the same error.
            if count > self._noted[kind] and not (kind == "not told" and self._resumed):
                self.result.errors.append(Error(kind, self._cause, f"{words} ({self.witness.last})"))
            self._noted[kind] = count

    def _take_back(self, state: GameState) -> None:
        """The players gave up: they put all tokens where the game has them, and try another move."""
        self._resumed += 1
        same = self.evening.session.state.game.steps == state.steps
        if same and self._resumed <= RESUMED:
            self.evening.autoplayer.resume(state)
        else:
            self.result.stuck = f"the players gave up; {self._present()}"

    def _present(self) -> str:
        return f"shown: {self.evening.session.state.shown}; {self.witness.last}"

    def _look(self) -> None:
        """Read the present picture without history, and compare."""
        from ludo_vision.errors import BoardNotFound
        from ludo_vision.look import look

        truth = Counter((place, seat) for seat, places in enumerate(standing(self.evening)) for place in places)
        self.result.counts["looks"] += 1
        try:
            seen = look(self.evening.picture, self.plan)
        except BoardNotFound:
            self.result.counts["looks_not_found"] += 1
            return
        self.result.stands += [(stand.p, truth[stand.spot, stand.seat] == stand.count) for stand in seen.stands]


def play(seed: int, moves: int | None, find_board: bool, limit_s: float) -> Result:
    """Play the game of a seed."""
    import cv2

    cv2.setNumThreads(1)
    return Game(seed, moves, find_board).play(limit_s, lambda words: print(f"{seed:4} … {words}", file=sys.stderr, flush=True))
