"""What people do besides playing: ask, dispute, take back, walk away, cover the camera."""

from __future__ import annotations

import pytest

from ludo_referee import screens, words
from ludo_referee.referee import claims, effects, events, views
from ludo_referee.referee.state import Phase
from ludo_referee.referee.views import Where

from .conftest import CORNERS
from .test_setting_up import choose

TEN = {0: [10, -1, -1, -1]}
TWO = {0: [8, 20, -1, -1], 2: [3, -1, -1, -1]}


def spoken(table, event):
    """The sentence of the newest notice of a kind."""
    return words.tell(next(notice for notice in reversed(table.notices) if notice.event() == event), table.board, "en")


def test_what_now_names_the_movable_tokens(evening):
    table = evening(position=TWO, beginner_help=False).begin().throw(4).wait(5)
    assert table.view.origins == ()
    table.press("double_tap")
    assert table.view.origins == (Where("star", 0, 8), Where("square", 20, 20))


def test_the_only_move_is_shown(evening):
    table = evening(position=TEN).begin().throw(4).wait(5)
    assert table.view.only == (Where("square", 10, 10), Where("square", 14, 14))


def test_the_die_rolls_then_its_face_stays_then_the_move_is_explained(evening):
    table = evening(position=TEN).begin()
    table.happen(events.Throw(table.t, 4))
    assert table.view == views.Rolled(0, "green", 4)
    table.wait(4)
    assert isinstance(table.view, views.Rolled)
    assert isinstance(table.wait(0.5).view, views.ToMove)


def test_a_press_shakes_the_die_at_once_where_a_tap_would_throw_it(evening):
    def shaken(table):
        return table.referee.shaken(table.state, table.t)

    table = evening().begin()
    assert shaken(table) is None, "the press that begins may be asked back"
    table.happen(events.Throw(table.t, 3))  # passed: it is C's turn already
    assert shaken(table.wait(0.5)) is None, "the last throw still rolls"
    assert shaken(table.wait(1)) == views.Shaken(2, "blue")
    assert shaken(evening(die="typed").begin()) is None
    assert shaken(evening(position=TEN).begin().throw(4).wait(5)) is None, "it is to move"


def test_a_second_press_while_the_die_rolls_is_ignored_and_answered(evening):
    table = evening().begin()
    table.happen(events.Throw(table.t, 3))  # passed: it is C's turn already
    table.wait(0.5).press()
    assert table.tunes == ["no"]
    assert table.state.phase is Phase.TO_ROLL
    table.wait(1).press()
    assert table.state.phase is Phase.ROLLING


def test_a_press_right_after_the_turn_changed_is_ignored(evening):
    table = evening(position=TWO).begin().throw(4)
    table.see_move(8, 12, settle=0.25).press()
    assert table.tunes == ["no"]
    table.wait(0.25).press()
    assert table.state.phase is Phase.ROLLING


def test_a_gesture_counts_from_when_it_was_made_not_when_it_was_understood(evening):
    table = evening(position=TWO).begin().throw(4)
    table.see_move(8, 12, settle=0.5)
    table.happen(events.Gesture(table.t - 0.4, "tap"))
    assert table.tunes == ["no"]


def test_the_tune_of_a_turn_comes_with_its_screen(evening):
    table = evening().begin().throw(3)
    assert "turn" not in table.tunes
    table.wait(6)
    assert table.tunes == ["turn"]


def test_a_die_that_does_not_answer_may_be_pressed_again(evening):
    table = evening().begin().press().wait(1).press()
    assert table.state.phase is Phase.ROLLING
    assert table.wait(4).state.phase is Phase.TO_ROLL


def test_a_token_moved_before_the_roll_is_told_as_that(evening):
    table = evening(position=TEN).begin().see(claims.Wrong, shifts=((0, 10, 14),))
    assert table.view.reason == "not_rolled"
    assert spoken(table, "illegal") == "Wrong move: roll first. (GREEN from 10 to 14)"


def test_disputed_alarm_is_dropped_and_does_not_come_back(evening):
    table = evening(position=TEN).begin().throw(4).see(claims.Wrong, shifts=((0, 10, 15),))
    choose(table.press("hold"), "go_on")
    assert table.state.phase is Phase.TO_MOVE
    table.see(claims.Wrong, shifts=((0, 10, 15),))
    assert table.state.phase is Phase.TO_MOVE


def test_dispute_takes_the_table_as_it_stands(evening):
    table = evening(position=TEN).begin().throw(4).see(claims.Wrong, shifts=((0, 10, 15),))
    choose(table.press("hold"), "as_it_stands")
    said = table.said(last=True)
    assert said == [{"event": "override", "position": {"A": [-1, -1, -1, 15], "C": [-1, -1, -1, -1]}}]
    assert table.state.game.turn == 2
    assert any(isinstance(effect, effects.Accept) for effect in table.last)
    assert spoken(table, "turn") == "BLUE is to roll."
    assert table.tunes == ["turn"]


def test_a_table_that_cannot_stand_is_not_taken(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [41, -1, -1, -1]}).begin().throw(4)  # C's 41 is A's 15
    table.see(claims.Wrong, shifts=((0, 10, 15),))
    choose(table.press("hold"), "as_it_stands")
    assert table.tunes == ["no"]
    assert table.state.game.pending == 4


def test_dispute_shows_how_to_put_it_back_one_by_one(evening):
    table = evening(position=TWO).begin().throw(4).see(claims.Wrong, shifts=((0, 8, 9), (0, 20, 23)))
    choose(table.press("hold"), "put_back")
    assert (table.view.start.step, table.view.end.step, table.view.left) == (9, 8, 2)
    table.press()
    assert (table.view.start.step, table.view.end.step) == (23, 20)
    table.see(claims.Unchanged)
    assert table.said(last=True) == [{"event": "restored"}]


def test_the_last_move_is_undone_if_its_seat_agrees(evening):
    table = evening(position=TWO).begin().throw(4).see_move(8, 12).wait(4)
    choose(table.press("hold"), "undo")
    assert table.view == views.AgreeUndo(0, "green")
    table.press()
    assert table.said(last=True) == [{"event": "take_back", "seat": "A"}]
    table.wait(3)
    assert (table.view.start.step, table.view.end.step, table.view.why) == (12, 8, "undo")
    table.see(claims.Mended, left=())
    assert table.state.game.pending == 4
    assert table.state.phase is Phase.TO_MOVE


def test_people_ask_for_a_recording_of_what_went_wrong(evening):
    table = evening(position=TEN, records=True).begin().throw(4).see(claims.Wrong, shifts=((0, 10, 15),))
    choose(table.press("hold"), "record")
    assert effects.Record() in table.last
    table.happen(events.Recorded(table.t, "made"))
    assert table.view == views.RecordingMade("made")
    assert isinstance(table.wait(6).view, views.Wrong)


def test_a_table_that_keeps_no_pictures_offers_no_recording(evening):
    table = evening(position=TEN).begin().throw(4).press("hold")
    assert "record" not in [choice.key for choice in table.view.choices]


def test_a_recording_that_a_page_asked_for_leaves_the_question_on_the_display(evening):
    table = evening(position=TEN, records=True).begin().throw(4).press("hold")
    table.happen(events.Recorded(table.t, "made"))
    assert isinstance(table.view, views.Choose)


@pytest.mark.parametrize("how", ["hold", "silence"])
def test_an_undo_that_nobody_agrees_to_is_none(evening, how):
    table = evening(position=TWO).begin().throw(4).see_move(8, 12).wait(4)
    choose(table.press("hold"), "undo")
    if how == "hold":
        table.press("hold")
    else:
        table.wait(31)
    assert table.state.phase is Phase.TO_ROLL
    assert table.state.game.steps[0] == (-1, -1, 12, 20)


def test_a_captured_token_that_vision_does_not_see_home_is_settled_by_word(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}).begin().throw(6).see(claims.HalfCapture, in_hand=True)
    choose(table.press("hold"), "done")
    assert [said["event"] for said in table.said(last=True)] == ["move"]


def test_an_alarm_that_ripens_during_a_question_waits_for_its_answer(evening):
    table = evening(position=TEN).begin().throw(4).see(claims.Wrong, shifts=((0, 10, 15),), settle=0.25).press("hold")
    assert isinstance(table.wait(10).view, views.Choose)
    assert table.state.phase is Phase.CHOOSING


def test_a_question_nobody_answers_is_dropped(evening):
    table = evening(position=TEN).begin().throw(4).press("long_hold")
    assert table.view.question == "power"
    assert table.wait(61).state.phase is Phase.TO_MOVE


def test_the_box_is_switched_off_after_asking(evening):
    table = evening().begin()
    choose(table.press("long_hold"), "off")
    assert effects.PowerOff() in table.last
    assert table.view == views.Goodbye()


def test_nobody_acts_for_a_minute_and_is_reminded_gently_three_times(evening):
    table = evening(position=TEN).begin().throw(4).wait(60)
    assert table.tunes == ["turn"]
    assert isinstance(table.view, views.ToMove)
    assert table.wait(400).tunes == ["turn", "turn"]


def test_a_captured_token_that_is_forgotten_is_reminded_of(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}).begin().throw(6).see(claims.HalfCapture, in_hand=True)
    assert table.wait(70).tunes == ["turn"]
    assert table.view == views.ReturnToken(((2, "blue"),))


def test_hands_over_the_board_are_somebody_acting(evening):
    table = evening(position=TEN).begin().throw(4)
    for _ in range(6):
        assert table.wait(30).tunes == []
        table.happen(events.TableMoving(table.t))


def test_without_camera_the_only_move_is_confirmed_by_presses(evening):
    table = evening(position=TWO).begin()
    table.happen(events.CameraState(table.t, "lost"))
    table.throw(4).wait(3)
    assert table.view == views.CannotSee("camera_lost", 0, "green", "move")
    table.press()
    assert [choice.start and choice.start.step for choice in table.view.choices] == [8, 20, None]
    table.press().press("hold")
    assert table.said(last=True) == [{"event": "move", "seat": "A", "from": 20, "to": 24, "tokens": 1, "captures": []}]


def test_a_box_without_a_camera_is_not_told_of_one_that_was_lost(evening):
    table = evening(position=TWO).begin()
    table.happen(events.CameraState(table.t, "none"))
    assert [line["event"] for line in table.said(last=True)] == ["camera"]
    assert table.throw(4).wait(3).view == views.CannotSee("no_camera", 0, "green", "move")
    table.press()
    assert [choice.start and choice.start.step for choice in table.view.choices] == [8, 20, None]


def test_when_the_camera_is_back_the_table_is_compared(evening):
    table = evening(position=TWO).begin()
    table.happen(events.CameraState(table.t, "lost"))
    table.throw(4).press().press("hold")
    table.happen(events.CameraState(table.t, "back"))
    assert table.said(last=False)[-1] == {"event": "camera", "state": "back"}
    table.wait(5)
    assert (table.view.start.step, table.view.end.step, table.view.why) == (8, 12, "compare")
    table.see(claims.Mended, left=())
    assert table.view == views.ToRoll(2, "blue", "turn")


def test_a_new_camera_is_shown_the_table_before_it_judges(evening):
    table = evening(position=TWO).begin().throw(4)
    table.happen(events.CameraState(table.t, "lost"))
    table.happen(events.CameraState(table.t, "fresh"))
    table.wait(5)
    assert table.view == views.RestoreTable(0, "green", 4)
    table.press()
    assert effects.Start(table.state.game.steps) in table.last
    assert table.state.game.pending == 4


def test_a_moved_board_is_told_and_play_goes_on_when_it_is_found(evening):
    table = evening(position=TEN).begin().throw(4).wait(5)
    table.happen(events.BoardMoved(table.t))
    table.happen(events.BoardMoved(table.t))
    assert table.view == views.CannotSee("board_moved", 0, "green", "move")
    table.happen(events.BoardFound(table.t, CORNERS, "print"))
    assert [record["event"] for record in table.said()[-1:]] == ["board_moved"]
    assert isinstance(table.view, views.ToMove)


def test_a_covered_board_is_told_once_it_lasts(evening):
    table = evening(position=TEN).begin().throw(4)
    table.happen(events.Unreadable(table.t, "light", None))
    table.wait(2)
    assert table.said(last=True) == []
    table.wait(3)
    assert table.said(last=True) == [{"event": "unclear", "what": "light"}]
    assert table.view == views.CannotSee("light", 0, "green", "move")


def test_a_robot_throws_by_itself_and_asks_for_its_move(evening):
    table = evening(position=TWO, robots=((0, "strong"),)).begin().wait(2)
    assert effects.RollDie() in table.effects
    table.throw(4)
    assert effects.AskRobot(0, "strong") in table.effects
    table.happen(events.RobotChose(table.t, 20, 24))
    table.wait(5)
    assert (table.view.robot, table.view.only) == (True, (Where("square", 20, 20), Where("square", 24, 24)))
    table.see(claims.Wrong, shifts=((0, 8, 12),))
    assert table.view.reason == "not_asked"
    assert spoken(table, "illegal") == "Wrong move: not what the robot asked for. (GREEN from the star to 12)"
    table.see_move(20, 24)
    assert table.said(last=True)[0]["event"] == "move"


def test_without_sight_the_display_still_says_why_somebody_rolls(evening):
    def foot(table):
        return screens.canvas_of(table.view).said[-1]

    table = evening(opening=True, players=(0, 1, 2), robots=((2, "strong"),)).begin()
    table.happen(events.CameraState(table.t, "lost"))
    assert foot(table.throw(6).wait(3)) == "Roll for the start"
    assert foot(table.throw(6).wait(3)) == "The robot rolls"
    assert foot(table.throw(1).wait(3)) == "A tie: roll again"
    assert foot(table.throw(5).throw(2).wait(3)) == "You begin! Roll"
    assert foot(table.throw(3).wait(6)) == "Press to roll"


def test_a_robot_plays_on_by_button_and_only_the_move_it_asks_for_is_offered(evening):
    table = evening(position=TWO, robots=((0, "strong"),)).begin()
    table.happen(events.CameraState(table.t, "lost"))
    table.wait(2)
    assert effects.RollDie() in table.effects
    table.throw(4)
    table.happen(events.RobotChose(table.t, 20, 24))
    asked = (Where("square", 20, 20), Where("square", 24, 24))
    assert table.wait(5).view == views.CannotSee("camera_lost", 0, "green", "move", asked)
    table.press()
    assert [(choice.key, choice.start, choice.end) for choice in table.view.choices] == [("move", *asked), ("none", None, None)]
    table.press("hold")
    assert table.said(last=True)[0]["event"] == "move"
    assert table.state.game.steps[0].count(24) == 1


def test_a_robot_whose_move_is_undone_asks_again_also_where_nothing_is_seen(evening):
    table = evening(position=TWO, robots=((0, "strong"),)).begin().wait(2).throw(4)
    table.happen(events.RobotChose(table.t, 20, 24))
    table.see_move(20, 24)
    choose(table.wait(5).press("hold"), "undo")
    table.press()
    assert effects.AskRobot(0, "strong") in table.last
    table.happen(events.RobotChose(table.t, 20, 24))
    assert table.state.phase is Phase.MENDING
    table.happen(events.Unreadable(table.t, "light", None))
    table.wait(5).press()
    choose(table, "done")
    assert table.view.asked == (Where("square", 20, 20), Where("square", 24, 24))


def test_what_now_names_the_movable_tokens_also_where_nothing_is_seen(evening):
    table = evening(position=TWO, beginner_help=False).begin().throw(4)
    table.happen(events.CameraState(table.t, "lost"))
    table.wait(5).press("double_tap")
    assert table.view.origins == (Where("star", 0, 8), Where("square", 20, 20))


def test_the_familys_own_die_is_counted_by_taps(evening):
    table = evening(position=TEN, die="taps").begin().press().press().press()
    assert table.view == views.DieEntry(0, "green", 3)
    table.press("hold").press().press()
    assert table.wait(2.5).said()[0] == {"event": "roll", "seat": "A", "value": 2}


def test_a_typed_die_waits_for_its_value(evening):
    table = evening(position=TEN, die="typed").begin().press().wait(20)
    assert table.view == views.DieEntry(0, "green", None)
    assert table.throw(4).state.phase is Phase.TO_MOVE


def test_after_the_game_there_is_another(evening):
    table = evening(position={0: [56, 56, 56, 54], 2: [10, -1, -1, -1]}).begin().throw(2).see_move(54, 56).wait(5)
    choose(table.press(), "throws")
    assert table.view.rows[0] == (0, "green", (0, 1, 0, 0, 0, 0))
    assert isinstance(table.wait(21).view, views.Over)
    choose(table.press(), "again")
    assert effects.Prepare() in table.last
    assert table.state.game.steps[0] == (-1,) * 4
    assert isinstance(table.view, views.PlaceTokens)


BOUNCE = {"overshoot": "bounce", "take_back": "whole_turn"}
BY_THE_FINISH = {0: [53, 56, -1, -1]}


def test_a_move_that_bounces_back_to_its_square_is_confirmed_by_the_press(evening):
    table = evening(rules=BOUNCE, position=BY_THE_FINISH).begin().throw(6).see(claims.Unchanged).press()
    assert table.said(last=True) == [{"event": "move", "seat": "A", "from": 53, "to": 53, "tokens": 1, "captures": []}]
    assert table.state.phase is Phase.ROLLING


@pytest.mark.parametrize(("key", "events_told"), [("move", ["move"]), ("take_back", ["take_back", "move"])])
def test_a_table_with_two_readings_is_asked_about(evening, key, events_told):
    table = evening(rules=BOUNCE, position=BY_THE_FINISH).begin().throw(6).see(claims.Unchanged).press()
    table.throw(6).see(claims.Either)
    assert table.view.question == "reading"
    choose(table, key)
    assert [said["event"] for said in table.said(last=True)] == events_told


def test_in_the_dark_the_game_goes_on_by_button_until_pictures_can_be_read(evening):
    table = evening(position=TWO).begin().throw(4)
    table.happen(events.Unreadable(table.t, "light", None))
    table.wait(5).press().press("hold")
    assert [said["event"] for said in table.said()] == ["roll", "unclear", "move"]
    table.wait(3)
    assert table.view == views.CannotSee("covered", 2, "blue", "turn")
    table.see(claims.Unchanged)
    assert (table.view.start.step, table.view.end.step, table.view.why) == (8, 12, "compare")
    table.see(claims.Mended, left=())
    assert table.view == views.ToRoll(2, "blue", "turn")


def test_where_vision_cannot_decide_the_people_say_which_move_it_was(evening):
    table = evening(position=TWO).begin().throw(4).see_move(20, 24, lead=0.1).wait(5)
    table.press().press("hold")  # the first choice, though vision leaned to the other
    assert [said["event"] for said in table.said()] == ["roll", "unclear", "move"]
    assert table.said()[-1]["from"] == 8
    assert any(isinstance(effect, effects.Accept) for effect in table.last)
    assert table.state.phase is Phase.TO_ROLL


def in_the_dark(table):
    """Nothing can be read for so long that people are told."""
    table.happen(events.Unreadable(table.t, "light", None))
    return table.wait(5)


def test_tokens_put_right_in_the_dark_are_believed_until_there_is_light(evening):
    table = evening(rules={"three_sixes": "undo_turn"}, position={0: [10, 20, -1, -1]}).begin()
    in_the_dark(table.throw(6).see_move(10, 16).throw(6).see_move(16, 22).throw(6).wait(6))
    assert isinstance(table.view, views.MoveByHand)  # what to do, rather than that it is dark
    choose(table.press(), "done")
    assert table.state.phase is Phase.TO_ROLL
    table.see(claims.Unchanged)
    assert (table.view.start.step, table.view.end.step, table.view.why) == (22, 10, "compare")


def test_a_captured_token_that_went_home_in_the_dark_is_believed(evening):
    table = evening(position={0: [10, -1, -1, -1], 2: [42, -1, -1, -1]}).begin().throw(6).see(claims.HalfCapture, in_hand=True)
    choose(in_the_dark(table).press(), "done")
    assert [said["event"] for said in table.said(last=True)] == ["move"]


def test_a_wrong_move_that_cannot_be_seen_any_more_is_asked_about(evening):
    table = evening(position=TEN).begin().throw(4).see(claims.Wrong, shifts=((0, 10, 15),))
    choose(in_the_dark(table).press(), "go_on")
    assert table.state.phase is Phase.TO_MOVE


def test_a_camera_that_comes_anew_during_a_question_is_shown_the_table_afterwards(evening):
    table = evening(position=TEN).begin().throw(4).press("hold")
    table.happen(events.CameraState(table.t, "lost"))
    table.happen(events.CameraState(table.t, "fresh"))
    table.happen(events.BoardFound(table.t, CORNERS, "print"))
    assert isinstance(table.view, views.Choose)
    choose(table, "go_on")
    assert isinstance(table.view, views.RestoreTable)


def test_a_camera_that_comes_anew_after_the_game_asks_for_nothing(evening):
    table = evening(position={0: [56, 56, 56, 54], 2: [10, -1, -1, -1]}).begin().throw(2).see_move(54, 56).wait(5)
    table.happen(events.CameraState(table.t, "lost"))
    table.happen(events.CameraState(table.t, "fresh"))
    assert table.state.phase is Phase.OVER
