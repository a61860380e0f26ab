"""A scripted evening at a table without a camera, played through the real session and journal.

As a program (`drive.py FOLDER CUTS SEED`) it is killed again and again: each life resumes the journal, plays on, and is killed
midway; what each one resumed is compared with what the one before had shown: that, or what was accepted after it and not shown yet.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from unittest.mock import Mock

import msgspec

from ludo_referee.app.session import Session, Sink, Vision
from ludo_referee.journal import Journal, Opening
from ludo_referee.referee import claims
from ludo_referee.referee.events import BoardFound, Gesture, Ranked, TableReady, Tick
from ludo_referee.referee.referee import Referee
from ludo_referee.referee.state import Phase
from ludo_referee.rules.board import load_board
from ludo_referee.rules.game import Game, GameState
from ludo_referee.rules.ruleset import rules_from

CORNERS = ((0.0, 0.0), (600.0, 0.0), (600.0, 600.0), (0.0, 600.0))


class Keeper(Sink):
    """The place of the journal."""

    def __init__(self, journal):
        self.journal = journal

    def accepted(self, event, notices, state):
        self.journal.append(event, notices, state)


class Evening:
    """People at a table: they throw, move rightly, now and then wrongly, and take moves back."""

    def __init__(self, opening: Opening, chance: random.Random, sinks=()):
        self.chance = chance
        self.referee = opening.referee()
        self.t = opening.t
        self.session = Session(self.referee, Mock(spec=Vision), lambda: chance.choice((1, 2, 3, 4, 5, 6, 6)), sinks)
        self.session.state, _ = self.referee.begin(opening.t)
        for sink in sinks:
            sink.evening = self

    @property
    def state(self):
        return self.session.state

    @property
    def over(self):
        return self.state.game.finish_order != () and self.state.phase is Phase.OVER

    def step(self):
        """One thing happens."""
        self.t += 0.5
        event = self._next()
        self.session.happen(event)
        return event

    def _next(self):
        match self.state.phase:
            case Phase.LOOKING:
                return BoardFound(self.t, CORNERS, "given")
            case Phase.SETTING_UP if not self.state.ready:
                return TableReady(self.t)
            case Phase.SETTING_UP | Phase.OPENING | Phase.TO_ROLL if self.chance.random() < 0.4:
                return Gesture(self.t, "tap")
            case Phase.TO_MOVE | Phase.RETURNING | Phase.WRONG | Phase.MENDING if self.chance.random() < 0.6:
                return Ranked(self.t, self.state.question, self._seen(), 3.0)
            case Phase.CHOOSING | Phase.AGREEING:
                return Gesture(self.t, "hold")
            case _:
                return Tick(self.t)

    def _seen(self):
        candidates = [claimed.claim for claimed in self.referee.candidates(self.state)]
        likely = {claims.Legal: 8, claims.Wrong: 0.05, claims.TakenBack: 1, claims.HalfCapture: 1, claims.Mended: 4, claims.Unchanged: 2}
        if self.state.phase is Phase.WRONG:
            likely[claims.Wrong] = 0
        weights = [likely.get(type(claim), 0) for claim in candidates]
        return self.chance.choices(range(len(candidates)), weights)[0]


def first_opening(players=(0, 1, 2, 3), **rules) -> Opening:
    """A new game."""
    chosen = rules_from(rules)
    board = load_board(chosen.board)
    referee = Referee(Game(board, chosen, players), board)
    return Opening.of(referee, referee.begin()[0])


# --- lives that are cut short ----------------------------------------------------------------------------------------


class Witness(Sink):
    """Tells the parent what game was accepted and what was shown, and counts the instants at which a life may be cut."""

    def __init__(self, pipe: int, cut_at: int):
        self.pipe, self.left, self.evening = pipe, cut_at, None

    def tell(self, what: str, game: GameState) -> None:
        os.write(self.pipe, f"{what} {msgspec.json.encode(game).decode()}\n".encode())

    def instant(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def accepted(self, event, notices, state):  # asked before the journal
        if self.evening is not None:
            self.tell("accepted", self.evening.state.game)
        self.instant()

    def view(self, t, view):
        if self.evening is not None:
            self.tell("shown", self.evening.state.game)
        self.instant()

    def notice(self, notice):
        self.instant()


def live(folder: Path, pipe: int, cut_at: int, chance: random.Random) -> None:
    """One life: resume or begin, and play until killed."""
    journal = Journal.open(folder)
    witness = Witness(pipe, cut_at)
    unfinished = journal.unfinished()
    if unfinished is not None and chance.random() < 0.98:
        opening = unfinished.goes_on()
        witness.tell("resumed", opening.start)
        journal.resume_game(opening)
    else:
        opening = first_opening(three_sixes="off", take_back="whole_turn")
        witness.tell("began", opening.start)
        journal.begin_game(opening)
    # Every SQL statement and every line of the copy is an instant at which the power may go.
    journal._connection.set_trace_callback(witness.instant)
    add_to_copy = journal._add_to_copy
    journal._add_to_copy = lambda: (witness.instant(), add_to_copy())
    evening = Evening(opening, chance, (witness, Keeper(journal)))
    while not evening.over:
        before = evening.state.game
        evening.step()
        if evening.state.game != before:
            witness.tell("shown", evening.state.game)


def cut_short(folder: Path, number: int, seed: int) -> tuple[list[tuple[str, str]], int]:
    """One life in a process of its own; what it told, and how it ended."""
    chance = random.Random(f"{seed}/{number}")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        try:
            live(folder, writing, chance.randint(1, 70), chance)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    if number % 5 == 4:  # and some at any instant whatever
        time.sleep(chance.uniform(0.005, 0.05))
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        told = [tuple(line.rstrip("\n").split(" ", 1)) for line in pipe]
    _, status = os.waitpid(child, 0)
    return told, status


def main(folder: Path, cuts: int, seed: int) -> None:
    """Prints a JSON object: lives, games, what the last life had shown, and each resumption that was not what the life before had."""
    wrong, games, resumed = [], 0, 0
    allowed: set[str] = set()  # what was shown last, and what was accepted after it and may or may not be on the disk
    for number in range(cuts):
        told, status = cut_short(folder, number, seed)
        if not os.WIFSIGNALED(status):
            wrong.append(f"life {number} ended by itself with {status}")
        if told and told[0][0] == "resumed":
            resumed += 1
            if told[0][1] not in allowed:
                wrong.append(f"life {number} resumed {told[0][1]}, the one before had shown or accepted {allowed}")
        elif told:
            games += 1
        if told:
            shown = [index for index, (what, _) in enumerate(told) if what in ("shown", "resumed")]
            allowed = {game for _, game in told[shown[-1] :]} if shown else allowed | {game for _, game in told}
    print(json.dumps({"lives": cuts, "games": games, "resumed": resumed, "wrong": wrong, "last": sorted(allowed)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
