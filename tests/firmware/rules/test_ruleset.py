"""House rules are one strict record: unknown names, foreign values and contradictions are named with the way out."""

from __future__ import annotations

import dataclasses

import pytest

from ludo_referee.rules.board import load_board
from ludo_referee.rules.errors import RulesError
from ludo_referee.rules.ruleset import PRESET_SENTENCES, PRESETS, SWITCHES, Rules, differences, rules_from


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_stands_with_its_board(preset):
    assert load_board(rules_from({"preset": preset}).board).seats


def test_classic_is_the_base():
    assert rules_from({}) == rules_from({"preset": "classic"}) == Rules()


def test_every_switch_and_preset_has_its_sentence():
    assert set(SWITCHES) == {field.name for field in dataclasses.fields(Rules)}
    assert set(PRESET_SENTENCES) == set(PRESETS)
    assert all(switch.sentence.endswith(".") for switch in SWITCHES.values())


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_written_out_in_full_read_back(preset):
    rules = rules_from({"preset": preset})
    written = dataclasses.asdict(rules) | {"entry": sorted(rules.entry)}
    assert rules_from(written) == rules


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"preset": "clasic"}, r"no preset 'clasic' \(did you mean classic\?\)"),
        ({"preset": ["classic"]}, "no preset"),
        ({"own_landings": "stack"}, r"no house rule 'own_landings' \(did you mean own_landing\?\)"),
        ({"own_landing": "stak"}, r"own_landing cannot be stak; it is forbidden \| preceding \| stack \| block"),
        ({"six_bonus": 1}, r"six_bonus cannot be 1; it is true \| false"),
        ({"initial_on_start": True}, r"initial_on_start cannot be true; it is 0 \| 1"),
        ({"tries": 0}, "tries cannot be 0; it is 1 … 9"),
        ({"tries": True}, "tries cannot be true"),
        ({"entry": []}, r"entry cannot be \[\]; it is list of 1 … 6"),
        ({"entry": [7]}, r"entry cannot be \[7\]"),
        ({"entry": 6}, "entry cannot be 6"),
        ({"stack_max": 0}, r"stack_max cannot be 0; it is 1 … 16 \| none"),
        ({"board": ""}, "board cannot be"),
        ({"three_sixes": None}, "three_sixes cannot be none"),
    ],
)
def test_a_wrong_name_or_value_is_named(mapping, message):
    with pytest.raises(RulesError, match=message):
        rules_from(mapping)


@pytest.mark.parametrize(
    ("mapping", "first", "second"),
    [
        ({"pair_half": True}, "pair_half = true", "own_landing = forbidden"),
        ({"own_landing": "block", "pair_captures_pair": True}, "pair_captures_pair = true", "pair_half = false"),
        ({"own_landing": "stack", "block_stops_owner": True}, "block_stops_owner = true", "own_landing = stack"),
        ({"own_landing": "stack", "open_block_on_six": True}, "open_block_on_six = true", "own_landing = stack"),
        ({"own_landing": "stack", "block_pass": "six"}, "block_pass = six", "own_landing = stack"),
        ({"own_landing": "stack", "stack_max": 1}, "stack_max = 1", "own_landing = stack"),
        ({"safe_landing": "forbidden"}, "safe_landing = forbidden", "safe = none"),
        ({"enter_captures_on_safe": True}, "enter_captures_on_safe = true", "safe = none"),
        ({"safe": "stars_starts", "full_start_sends_home": True}, "full_start_sends_home = true", "stack_max = none"),
        ({"six_bonus": False, "six_bonus_if_no_move": True}, "six_bonus_if_no_move = true", "six_bonus = false"),
        ({"own_landing": "block", "bonus_passes_block": True}, "bonus_passes_block = true", "capture_bonus = none"),
    ],
)
def test_a_contradiction_names_both_switches(mapping, first, second):
    with pytest.raises(RulesError) as raised:
        rules_from(mapping)
    assert first in str(raised.value)
    assert second in str(raised.value)


def test_what_only_the_preset_said_gives_way():
    rules = rules_from({"preset": "parchis", "own_landing": "stack"})
    assert (rules.open_block_on_six, rules.block_stops_owner, rules.stack_max) == (False, False, 2)
    assert rules_from({"six_bonus": False}).six_bonus_if_no_move is False


def test_differences_are_what_a_preset_changes():
    assert differences(rules_from({"preset": "family"}), Rules()) == {"own_landing": ("block", "forbidden")}
