"""Whole random evenings with people who do anything at any time."""

from __future__ import annotations

import random

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from ludo_referee.journal.values import entry_from, entry_text
from ludo_referee.referee import claims, effects, events, views
from ludo_referee.referee.claims import OFF, shifted
from ludo_referee.referee.state import Phase
from ludo_referee.referee.transitions import TABLE
from ludo_referee.rules import game as rules_game

from .conftest import CORNERS, Evening

GESTURES = ["tap", "double_tap", "hold", "long_hold"]
PRESETS = [
    {},
    {"three_sixes": "undo_turn", "take_back": "whole_turn"},
    {"preset": "indian", "three_sixes": "last_home"},
    {"preset": "madn"},
    {"preset": "parchis"},
]

VISITED: set[Phase] = set()


def under_way(rules, players, throws, chance):
    """The tokens and the turn after so many throws and moves by chance, and then as soon as something can be captured; sooner where
    the game would end."""
    evening = Evening(rules, players)
    state = stood = evening.state.game
    while (throws > 0 or not what_captures(evening.game, stood)) and state.phase is not rules_game.Phase.OVER:
        throws -= 1
        if state.phase is rules_game.Phase.ROLL:
            stood = state
            state, _ = evening.game.throw(state, chance.randint(1, 6))
        else:
            state, _ = evening.game.play(state, chance.choice(evening.game.legal(state)))
    return {seat: stood.steps[seat] for seat in players}, stood.turn


def what_captures(game, state):
    """Throws of the seat on turn with a move that captures."""
    if state.phase is not rules_game.Phase.ROLL:
        return []
    thrown = [(value, game.throw(state, value)[0]) for value in range(1, 7)]
    return [(value, move) for value, after in thrown for move in game.legal(after) if move.captures]


class People(RuleBasedStateMachine):
    """The tokens as they really stand, and hands, buttons, cameras that do what they like."""

    @initialize(rules=st.sampled_from(PRESETS), players=st.sampled_from([(0, 2), (0, 1, 3), (0, 1, 2, 3)]), data=st.data())
    def sit_down(self, rules, players, data):
        options = {"robots": ((players[1], "strong"),)} if data.draw(st.booleans(), "robot") else {"records": True, "free_players": True}
        self.die = random.Random(data.draw(st.integers(0, 9999), "die"))
        throws = data.draw(st.sampled_from([0, 60, 200, 3000]), "throws before")
        if throws:
            position, turn = under_way(rules, players, throws, self.die)
            self.evening = Evening(rules, players, position, turn, **options)
        else:
            self.evening = Evening(rules, players, opening=data.draw(st.booleans(), "opening"), **options)
        self.tokens = [list(steps) for steps in self.evening.state.game.steps]
        if throws or data.draw(st.booleans(), "board seen"):
            self.happen(events.BoardFound(0.0, CORNERS, "print"))
        if throws:
            self.press("tap")

    def happen(self, event):
        before = self.evening.state
        done = self.evening.happen(event)
        self.check_step(before, event)
        for effect in done:
            if isinstance(effect, effects.RollDie):
                self.happen(events.Throw(self.evening.t, self.die.randint(1, 6)))
            elif isinstance(effect, effects.AskRobot):
                move = self.evening.game_now.legal(self.evening.state.game)[0]
                self.happen(events.RobotChose(self.evening.t, move.origin, move.destination, move.tokens))
            elif isinstance(effect, effects.Record):
                self.happen(events.Recorded(self.evening.t, "made"))

    def check_step(self, before, event):
        """The step is one of the transition table's."""
        after = self.evening.state
        VISITED.add(after.phase)
        if before.phase is not after.phase:
            from ludo_referee.referee.referee import trigger

            assert after.phase in TABLE[before.phase, trigger(event)].leads, (before.phase, event, after.phase)

    # --- people -------------------------------------------------------------------------------------------------------

    @rule(kind=st.sampled_from(GESTURES))
    def press(self, kind):
        self.happen(events.Gesture(self.evening.t, kind))

    @rule(value=st.integers(0, 7))
    def throw(self, value):
        self.happen(events.Throw(self.evening.t, value))

    @rule(seconds=st.sampled_from([0.25, 1.0, 6.0, 70.0]))
    def wait(self, seconds):
        end = self.evening.t + seconds
        while self.evening.t < end:
            self.evening.t += 0.25 if seconds < 10 else 5
            self.happen(events.Tick(self.evening.t))

    @rule(data=st.data())
    def move_right(self, data):
        moves = self.evening.game_now.legal(self.evening.state.game)
        if moves and self.in_place():
            captures = tuple(move for move in moves if move.captures)
            move = data.draw(st.sampled_from((*moves, *3 * captures)), "move")
            self.tokens = [list(row) for row in self.after(move, data.draw(st.booleans(), "captured stays"))]

    @rule(data=st.data())
    def move_anything(self, data):
        seat = data.draw(st.sampled_from(self.evening.state.players), "seat")
        token = data.draw(st.integers(0, 3), "token")
        to = data.draw(st.integers(OFF, self.evening.board.last), "to")
        if self.tokens[seat]:  # who was just said to play may not have put tokens there yet
            self.tokens[seat][token] = to

    @precondition(lambda self: self.evening.state.phase in (Phase.OPENING, Phase.TO_ROLL))
    @rule()
    def throw_in_turn(self):
        self.evening.t += 5
        self.happen(events.Tick(self.evening.t))
        self.press("tap")

    @precondition(lambda self: self.evening.state.phase is Phase.TO_MOVE)
    @rule(data=st.data())
    def move_in_turn(self, data):
        self.put_back()
        self.move_right(data)
        self.look(3.0)

    @precondition(lambda self: self.evening.state.phase is Phase.TO_ROLL)
    @rule()
    def capture_and_forget_the_token(self):
        for value, move in what_captures(self.evening.game_now, self.evening.state.game)[:1]:
            self.happen(events.Throw(self.evening.t, value))
            self.tokens = [list(row) for row in self.after(move, captured_stays=True)]
            self.look(3.0)

    @precondition(lambda self: self.evening.state.before is not None and self.evening.state.phase in (Phase.TO_ROLL, Phase.TO_MOVE))
    @rule(then=st.sampled_from(["tap", "hold", "wait"]))
    def undo(self, then):
        self.press("hold")
        while self.evening.state.choosing.choices[self.evening.state.choosing.index].key != "undo":
            self.press("tap")
        self.press("hold")
        if then == "wait":
            self.wait(70.0)
        else:
            self.press(then)

    @precondition(lambda self: self.evening.state.phase is Phase.TO_MOVE)
    @rule(data=st.data())
    def move_wrongly(self, data):
        found = self.evening.referee.candidates(self.evening.state)
        wrong = [claimed.shifts for claimed in found if isinstance(claimed.claim, claims.Wrong)]
        if wrong:
            self.tokens = [list(row) for row in shifted(self.evening.state.table, data.draw(st.sampled_from(wrong), "how"))]
            self.look(3.0)
            self.wait(1.0)

    @precondition(lambda self: self.evening.state.phase in (Phase.WRONG, Phase.RETURNING, Phase.MENDING))
    @rule(how=st.sampled_from(["as the game has it", "as it was", "hold"]))
    def mend(self, how):
        if how == "hold":
            self.press("hold")
        else:
            scene = self.evening.state.game.steps if how == "as the game has it" else self.evening.state.table
            self.tokens = [list(steps) for steps in scene]
            self.look(3.0)

    @precondition(lambda self: self.evening.state.phase in (Phase.CHOOSING, Phase.AGREEING))
    @rule(taps=st.integers(0, 4), then=st.sampled_from(["hold", "wait"]))
    def answer(self, taps, then):
        for _ in range(taps):
            self.press("tap")
        if then == "hold":
            self.press("hold")
        else:
            self.wait(70.0)

    @rule()
    def put_back(self):
        self.tokens = [list(steps) for steps in self.evening.state.table]

    @rule()
    def put_as_the_game_has_it(self):
        self.tokens = [list(steps) for steps in self.evening.state.game.steps]

    # --- vision -------------------------------------------------------------------------------------------------------

    @rule(lead=st.sampled_from([3.0, 3.0, 3.0, 0.6, 0.1]))
    def look(self, lead):
        picture = tuple(tuple(sorted(steps)) for steps in self.tokens)
        found = self.evening.referee.candidates(self.evening.state)
        for index, claimed in enumerate(found):
            if shifted(self.evening.state.table, claimed.shifts) == picture:
                self.happen(events.Ranked(self.evening.t, self.evening.state.question, index, lead))
                return
        if found:
            self.happen(events.Ranked(self.evening.t, self.evening.state.question, 0, 0.2, 3.0))

    @rule(question=st.integers(0, 40), best=st.integers(-1, 60), lead=st.floats(0, 4), unexplained=st.floats(0, 4))
    def see_ghosts(self, question, best, lead, unexplained):
        """An old answer, or one about another question, is none."""
        if question != self.evening.state.question:
            self.happen(events.Ranked(self.evening.t, question, best, lead, unexplained))

    @rule(what=st.sampled_from(["covered", "light", "blur", "glare"]))
    def cover(self, what):
        self.happen(events.Unreadable(self.evening.t, what, (3, 4)))

    @rule(event=st.sampled_from([
        events.BoardMoved(0.0), events.BoardFound(0.0, CORNERS, "print"), events.CameraState(0.0, "lost"), events.CameraState(0.0, "back"),
        events.CameraState(0.0, "fresh"), events.TableMoving(0.0), events.TableReady(0.0), events.BoardMissing(0.0, "too_dark"),
        events.TableCounts(0.0, (4, None, 3, 0), (1,)), events.TableCounts(0.0, (4, 4, 4, 4)), events.Pledged(0.0, "ab" * 32),
        events.PageAt(0.0, "http://ludo.local"), events.RobotChose(0.0, 3, 4), events.Recorded(0.0, "failed"),
    ]))  # fmt: skip
    def nudge(self, event):
        self.happen(type(event)(self.evening.t, *(getattr(event, name) for name in list(event.__slots__)[1:])))

    # --- what always holds --------------------------------------------------------------------------------------------

    def in_place(self):
        return [sorted(row) for row in self.tokens] == [list(row) for row in self.evening.state.game.steps]

    def after(self, move, captured_stays):
        game = self.evening.state.game
        home = () if captured_stays else tuple((seat, step, -1) for seat, step in move.captures)
        return shifted(game.steps, ((game.turn, move.origin, move.destination),) * move.tokens + home)

    @invariant()
    def tokens_are_conserved(self):
        state = self.evening.state
        for scene in (state.game.steps, state.table):
            assert all(len(scene[seat]) == (4 if seat in state.players else 0) for seat in range(4))

    @invariant()
    def no_plain_square_holds_two_seats(self):
        board, state = self.evening.board, self.evening.state
        safe = {} if state.rules.safe == "none" else board.stars | board.safe | {seat.start for seat in board.seats}
        standing = {}
        for seat, steps in enumerate(state.game.steps):
            for step in steps:
                place = board.place(seat, step) if step >= 0 else None
                if place is not None and place not in safe:
                    assert standing.setdefault(place, seat) == seat

    @invariant()
    def the_screen_says_what_to_do(self):
        view = self.evening.state.shown
        assert type(view) is not views.View
        if isinstance(view, views.Choose):
            assert view.choices
            assert 0 <= view.index < len(view.choices)

    def teardown(self):
        """From wherever they got, sensible people get on: the board in sight, questions answered, tokens put right."""
        if not hasattr(self, "evening"):
            return
        if self.die.random() < 0.5:
            self.get_on_in_the_dark()
        state = lambda: self.evening.state  # noqa: E731
        self.nudge(events.CameraState(0.0, "back"))
        self.nudge(events.BoardFound(0.0, CORNERS, "print"))
        for _ in range(12):
            self.wait(6.0)
            if state().phase in (Phase.CHOOSING, Phase.AGREEING):
                self.wait(70.0)
            if state().phase is Phase.SETTING_UP:
                self.nudge(events.TableCounts(0.0, tuple(4 if seat in state().players else 0 for seat in range(4))))
                self.nudge(events.TableReady(0.0))
                self.press("tap")
            if state().phase in (Phase.TO_ROLL, Phase.TO_MOVE, Phase.OVER):
                break
            self.put_as_the_game_has_it()
            self.look(3.0)
            if state().phase is Phase.OPENING:
                self.press("tap")
        assert state().phase in (Phase.TO_ROLL, Phase.TO_MOVE, Phase.OVER, Phase.OPENING)
        self.the_journal_replays_to_the_same_state()

    def get_on_in_the_dark(self):
        """From wherever they got, the button alone leads on: three throws, or the end."""
        answers = {"start": "anyway", "blind": "play", "moved": "move", "restore": "as_it_stands", "reading": "move"}
        throws = 0
        for _ in range(60):
            state = self.evening.state
            if state.phase is Phase.OVER or throws == 3:
                return
            if state.phase is Phase.CHOOSING:
                wanted = answers.get(state.choosing.question, state.choosing.choices[0].key)
                while self.evening.state.choosing.choices[self.evening.state.choosing.index].key != wanted:
                    self.press("tap")
                self.press("hold")
            elif state.phase is Phase.AGREEING:
                self.press("hold")
            else:
                self.cover("light")
                self.wait(6.0)
                throws += self.evening.state.phase in (Phase.OPENING, Phase.TO_ROLL)
                self.press("tap")
        raise AssertionError(f"stuck in {self.evening.state.phase}: {self.evening.state.shown}")

    def the_journal_replays_to_the_same_state(self):
        state, _ = self.evening.referee.begin()
        for event in self.evening.events:
            state, _ = self.evening.referee.reduce(state, entry_from(entry_text(event)))
        assert state == self.evening.state


TestPeople = People.TestCase
TestPeople.settings = settings(max_examples=80, stateful_step_count=100, deadline=None)


def test_people_get_everywhere():
    """What the machine above never does it cannot show to be harmless."""
    VISITED.clear()
    run_state_machine_as_test(People, settings=settings(TestPeople.settings, max_examples=320, derandomize=True, database=None))
    assert set(Phase) == VISITED


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_a_whole_game_ends_with_places(rules):
    """Everybody plays right, vision sees all: from the first roll to the last place."""
    chance = random.Random(5)
    evening = Evening(rules, (0, 1, 2), opening=True).begin()
    for _ in range(6000):
        evening.t += 5
        evening.happen(events.Tick(evening.t))
        if evening.state.phase is Phase.OVER:
            break
        if evening.state.phase is Phase.MENDING:
            evening.see(claims.Mended, left=(), settle=0)
        elif evening.state.phase is Phase.TO_MOVE:
            evening.see(claims.Legal, move=chance.choice(evening.game.legal(evening.state.game)), settle=0)
        else:
            evening.happen(events.Throw(evening.t, chance.randint(1, 6)))
    said = evening.said()
    assert said[-1]["event"] == "game_over"
    assert sorted(said[-1]["order"]) == ["A", "B", "C"]
    assert not [record for record in said if record["event"] in ("illegal", "unclear", "restored")]
