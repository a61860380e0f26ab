"""From switch-on to the first throw, without a manual."""

from __future__ import annotations

import pytest

from ludo_referee.referee import effects, events, views
from ludo_referee.referee.state import Phase

from .conftest import CORNERS

PLAIN = (("entry", "6"), ("three_sixes", "forfeit"), ("own_landing", "forbidden"), ("safe", "none"), ("capture_bonus", "none"))


def found(table):
    table.happen(events.BoardFound(table.t, CORNERS, "print"))
    return table


def count(table, *counts):
    table.happen(events.TableCounts(table.t, counts))
    return table


def choose(table, key):
    """Tap to a choice and hold on it."""
    for _ in range(20):
        view = table.view
        if view.choices[view.index].key == key:
            return table.press("hold")
        table.press("tap")
    raise LookupError(key)


def test_while_the_board_is_not_found_the_screen_says_what_would_help(evening):
    table = evening()
    assert table.view == views.Looking(None)
    table.happen(events.BoardMissing(1.0, "too_dark"))
    assert table.view == views.Looking("too_dark")


def test_the_found_board_is_told_with_its_corners(evening):
    table = found(evening())
    assert table.last[0].notice.record() == {"t": 0.0, "event": "board", "corners": [list(point) for point in CORNERS], "how": "print"}
    assert isinstance(table.view, views.PlaceTokens)


def test_tokens_are_counted_live_and_a_full_table_is_ready(evening):
    table = count(found(evening()), 2, None, 4, None)
    assert table.view.counts == (2, -1, 4, -1)
    assert (table.view.problem, table.view.problem_seat) == ("missing", 0)
    count(table, 4, 0, 4, 0)
    assert table.view == views.Ready(0, "green", "classic", None, PLAIN)


def test_the_ready_screen_carries_the_pledge_of_the_die(evening):
    table = found(evening())
    table.happen(events.Pledged(0.0, "c0ffee"))
    assert count(table, 4, 0, 4, 0).view.pledge == "c0ffee"


def test_one_press_begins_and_throws(evening):
    table = count(found(evening(opening=True)), 4, 0, 4, 0).press()
    kinds = [type(effect) for effect in table.last]
    assert kinds.index(effects.Start) < kinds.index(effects.RollDie) < kinds.index(effects.Watch)
    assert table.state.phase is Phase.ROLLING


def test_a_throw_in_set_up_begins_the_game_with_it(evening):
    table = found(evening()).throw(6)
    assert effects.Start(((-1,) * 4, (), (-1,) * 4, ())) in table.effects
    assert table.state.phase is Phase.TO_MOVE


def test_beginning_with_a_token_missing_is_asked_back(evening):
    table = count(found(evening()), 3, 0, 4, 0).press()
    assert table.view.question == "start"
    choose(table, "wait")
    assert table.state.phase is Phase.SETTING_UP
    choose(table.press(), "anyway")
    assert table.view == views.Ready(0, "green", "classic", None, PLAIN)  # what is played by is shown before it begins
    assert table.press().state.started


def test_who_has_tokens_plays(evening):
    table = count(found(evening(players=(0, 1, 2, 3), free_players=True)), 0, 4, 0, 4)
    assert table.state.players == (1, 3)
    assert table.view == views.Ready(1, "yellow", "classic", None, PLAIN, opening=True)


def test_who_plays_is_asked_where_it_cannot_be_seen(evening):
    table = found(evening(players=(0, 1, 2, 3), free_players=True)).press()
    assert table.view.question == "players"
    assert [choice.key for choice in table.view.choices][:4] == ["0123", "02", "13", "012"]
    choose(table, "02")
    assert table.state.players == (0, 2)
    assert table.view == views.Ready(0, "green", "classic", None, PLAIN, opening=True)  # what is played by is shown before it begins
    table.press()
    assert table.state.started
    assert effects.Start(((-1,) * 4, (), (-1,) * 4, ())) in table.effects


@pytest.mark.parametrize("counts", [(), (4, 0, None, 0)])
def test_what_is_played_by_is_shown_first_though_a_yard_cannot_be_counted(evening, counts):
    table = found(evening())
    if counts:
        count(table, *counts)
    assert isinstance(table.view, views.PlaceTokens)
    assert table.press().view == views.Ready(0, "green", "classic", None, PLAIN)
    assert effects.RollDie() not in table.effects
    table.press()
    assert effects.RollDie() in table.effects


def test_who_plays_is_asked_beginning_with_what_the_counted_yards_say(evening):
    table = count(found(evening(players=(0, 1, 2, 3), free_players=True)), 4, None, 4, 0)
    assert table.view.counts == (4, None, 4, 0)
    table.press()
    assert [choice.key for choice in table.view.choices][:2] == ["02", "012"]
    assert len(table.view.choices) == 11


def test_nobody_is_asked_who_plays_once_all_yards_are_counted(evening):
    table = count(found(evening(players=(0, 1, 2, 3), free_players=True)), 4, 4, 4, None)
    count(table, 4, 4, 4, 0).press()
    assert table.state.players == (0, 1, 2)
    assert table.state.started


def test_one_seat_alone_is_no_game(evening):
    table = count(found(evening(players=(0, 1, 2, 3), free_players=True)), 0, 4, 0, 0)
    assert (table.view.problem, table.view.problem_seat) == ("one_seat", 1)


def test_a_token_of_another_colour_is_said_and_asked_back(evening):
    table = found(evening())
    table.happen(events.TableCounts(table.t, (4, 0, 4, 0), (2,)))
    assert (table.view.problem, table.view.problem_seat) == ("stranger", 2)
    assert table.press().view.question == "start"


@pytest.mark.parametrize(
    ("counts", "strangers", "said"), [((3, None, 4, None), (), ("missing", 0)), ((4, None, 4, None), (2,), ("stranger", 2))]
)
def test_what_is_wrong_in_one_yard_is_said_though_others_cannot_be_counted(evening, counts, strangers, said):
    table = found(evening(players=(0, 1, 2, 3), free_players=True))
    table.happen(events.TableCounts(table.t, counts, strangers))
    assert (table.view.problem, table.view.problem_seat) == said


def test_the_language_is_asked_where_it_is_not_configured(evening):
    table = found(evening(languages=("en", "id", "ru", "de", "es")))
    assert table.view.question == "language"
    choose(table, "ru")
    assert effects.SetLanguage("ru") in table.effects
    assert isinstance(table.view, views.PlaceTokens)


def test_the_language_is_asked_also_where_nothing_is_seen(evening):
    table = evening(languages=("en", "ru"))
    table.happen(events.CameraState(0.0, "lost"))
    assert table.press().view.question == "language"
    table = evening(languages=("en", "ru")).press()
    assert choose(table, "play").view.question == "language"


def test_the_language_is_asked_when_the_board_is_found_during_the_question_about_it(evening):
    table = evening(languages=("en", "ru")).press()
    assert table.view.question == "blind"
    assert found(table).view.question == "language"


def test_house_rules_are_chosen_as_a_preset(evening):
    table = found(evening()).press("hold")
    assert [choice.key for choice in table.view.choices] == ["classic", "family", "indian", "indian_block"]
    choose(choose(table, "indian"), "play")
    assert table.state.rules.own_landing == "stack"
    assert count(table, 4, 0, 4, 0).view.preset == "indian"


def test_house_rules_are_changed_one_by_one(evening):
    table = choose(choose(found(evening()).press("hold"), "classic"), "change")
    asked = []
    while isinstance(table.view, views.Choose):
        asked.append(table.view.question)
        if table.view.question == "rule:own_landing":
            choose(table, "block")
        else:
            table.press("hold")
    assert asked[:5] == ["rule:entry", "rule:tries", "rule:six_bonus", "rule:three_sixes", "rule:own_landing"]
    assert "rule:block_pass" in asked  # asked only once there are blocks
    assert count(table, 4, 0, 4, 0).view.preset == "family"
    assert ("own_landing", "block") in table.view.rules
    table.throw(6)
    assert table.game_now.rules.own_landing == "block"


def test_a_switch_with_one_sensible_value_is_not_asked(evening):
    table = choose(choose(found(evening()).press("hold"), "classic"), "change")
    asked = []
    while isinstance(table.view, views.Choose):
        asked.append(table.view.question)
        table.press("hold")
    assert "rule:block_pass" not in asked


def test_a_game_that_goes_on_asks_for_its_table_and_keeps_its_turn(evening):
    table = found(evening(position={0: [10, 3, -1, -1]}, turn=2))
    assert table.view == views.RestoreTable(2, "blue")
    table.press()
    assert effects.Start(((-1, -1, 3, 10), (), (-1,) * 4, ())) in table.last
    assert table.view == views.ToRoll(2, "blue", "turn")


def test_double_tap_in_set_up_shows_the_pages_address(evening):
    table = found(evening())
    table.happen(events.PageAt(0.0, "http://192.168.1.7:8080"))
    assert table.press("double_tap").view == views.Address("http://192.168.1.7:8080")
    assert isinstance(table.wait(9).view, views.PlaceTokens)


def test_without_any_camera_the_game_is_played_by_button_alone(evening):
    table = evening()
    table.happen(events.CameraState(0.0, "lost"))
    table.happen(events.Pledged(0.0, "c0ffee"))
    assert table.view == views.CannotSee("camera_lost")
    assert table.press().view == views.Ready(0, "green", "classic", "c0ffee", PLAIN)
    table.press()
    assert table.state.phase is Phase.ROLLING
    assert not [effect for effect in table.effects if isinstance(effect, effects.Start)]


def test_a_board_that_is_never_found_stops_nobody(evening):
    table = choose(evening().press(), "play")
    table.press()
    assert table.state.phase is Phase.ROLLING
