"""The die: even, bound by its pledge, and checkable."""

from __future__ import annotations

import argparse
import json

import msgspec
import pytest

from ludo_referee.app.devices import open_devices
from ludo_referee.cli import die_command
from ludo_referee.cli.die_box import DiceBox
from ludo_referee.config import Button, Config, Display, Sound
from ludo_referee.die import Die, PledgeBroken, faces_of, pledge, verify
from ludo_referee.errors import LudoError
from ludo_referee.referee.fairness import chi_square, probability, upper_tail

SECRET = bytes(range(32))


def command(*words):
    """Run `ludo-referee die …`."""
    parser = argparse.ArgumentParser()
    die_command.add(parser.add_subparsers())
    arguments = parser.parse_args(["die", *map(str, words)])
    return arguments.run(arguments)


def test_throws_follow_from_the_secret_and_their_number_alone():
    die, again = Die(secret=SECRET), Die(secret=SECRET)
    assert [die.throw() for _ in range(5)] == [again.throw() for _ in range(5)] == [faces_of(SECRET, n) for n in range(5)]


def test_two_dice_are_never_alike_by_chance():
    assert Die().pledge != Die().pledge


@pytest.mark.parametrize("words", [("--throws", 0), ("--throws", -1), ("--throws", 3, "--box")])
def test_a_number_of_throws_that_cannot_be_is_refused(words, capsys):
    with pytest.raises(LudoError, match="--throws is at least 1"):
        command(*words)
    assert not capsys.readouterr().out


@pytest.mark.parametrize("faces", [4, 6, 7, 20])
def test_faces_fall_evenly(faces):
    counts = [0] * faces
    for number in range(6000):
        counts[faces_of(SECRET, number, faces)[0] - 1] += 1
    assert probability(counts) > 0.001


def test_a_revealed_game_can_be_checked():
    die = Die(dice=2, secret=SECRET)
    noted = die.pledge
    for _ in range(20):
        die.throw()
    verify(die.reveal())
    assert die.reveal().pledge == noted == pledge(SECRET)


def test_a_chosen_throw_is_found_out():
    die = Die(secret=SECRET)
    die.throw()
    die.thrown[0] = (die.thrown[0][0] % 6 + 1,)
    with pytest.raises(PledgeBroken, match="throw 1 showed"):
        verify(die.reveal())


@pytest.mark.parametrize(("faces", "dice"), [(3, 1), (21, 1), (6, 0), (6, 5)])
def test_impossible_dice_are_refused(faces, dice):
    with pytest.raises(LudoError):
        Die(faces, dice)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"), [(11.07, 5, 0.05), (3.841, 1, 0.05), (18.307, 10, 0.05), (15.086, 5, 0.01), (0, 5, 1.0)]
)
def test_chi_square_agrees_with_the_printed_tables(value, freedom, tail):
    assert upper_tail(value, freedom) == pytest.approx(tail, abs=2e-4)


def test_too_few_throws_are_not_judged():
    assert probability([1, 0, 0, 2, 0, 1]) is None
    assert chi_square([0] * 6) == 0.0
    assert chi_square([10] * 6) == 0.0


def test_the_command_throws_and_its_output_verifies(tmp_path, capsys):
    assert command("--dice", 2, "--faces", 10, "--throws", 4, "--json") == 0
    out = capsys.readouterr().out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [len(line["shown"]) for line in lines[1:5]] == [2] * 4
    file = tmp_path / "game.jsonl"
    file.write_text(out)
    assert command("verify", file, "--pledge", lines[0]["pledge"][:8]) == 0
    assert "all 4 throws" in capsys.readouterr().out
    assert command("verify", file, "--pledge", f"{lines[0]['pledge'][:16]} {lines[0]['pledge'][16:32].upper()}\n") == 0  # as displayed
    assert command("verify", file, "--pledge", "0" * 64) == 1


def test_the_die_of_a_noted_pledge_is_found_among_an_evening_of_dice(tmp_path, capsys):
    dice = [Die(secret=bytes([number]) * 32) for number in range(3)]
    for number, die in enumerate(dice):
        for _ in range(number + 1):
            die.throw()
    file = tmp_path / "dice.jsonl"
    file.write_bytes(b"\n".join(msgspec.json.encode(die.reveal()) for die in dice))
    assert command("verify", file, "--pledge", dice[1].pledge[:16]) == 0
    assert "all 2 throws" in capsys.readouterr().out
    assert command("verify", file) == 0
    assert "all 3 throws" in capsys.readouterr().out


def test_a_game_written_differently_does_not_verify(tmp_path):
    die = Die(secret=SECRET)
    shown = die.throw()[0]
    file = tmp_path / "game.jsonl"
    told = {"pledge": die.pledge, "secret": SECRET.hex(), "faces": 6, "throws": [[shown % 6 + 1]]}
    file.write_text(json.dumps(told))
    with pytest.raises(PledgeBroken):
        command("verify", file)


@pytest.mark.parametrize("words", [["--faces", "3", "--throws", "1"], ["verify", "nowhere.jsonl"], ["verify", __file__]])
def test_bad_input_is_one_clear_error(words):
    with pytest.raises(LudoError):
        command(*words)


def test_throws_for_people_end_with_how_the_faces_fell(capsys):
    assert command("--throws", 40) == 0
    assert "a fair die gives more in" in capsys.readouterr().out


@pytest.fixture
def box():
    """Dice on simulated devices, on a clock that the test moves."""
    config = Config(button=Button(kind="simulated"), display=Display(driver="simulated"), sound=Sound(kind="simulated"))
    clock = Clock()
    devices = open_devices(config)
    made = DiceBox(Die(secret=SECRET), devices, config, clock)
    made.press = lambda length: press(made, devices.button, clock, length)
    let_pass(made, clock)  # the button is seen up first
    yield made
    made.stop()
    made.run()
    devices.close()


class Clock:
    t = 100.0

    def __call__(self):
        return self.t


def press(box, button, clock, length):
    """One press of the box's button, and time enough to understand it."""
    for end in (clock.t, clock.t + length):
        clock.t = end
        (button.press if not button.pressed() else button.release)(clock.t)
        box.listen()
    let_pass(box, clock)


def let_pass(box, clock):
    """More than half a second."""
    for _ in range(12):
        clock.t += 0.05
        box.listen()


def test_on_the_box_a_tap_throws_and_a_hold_takes_one_die_more(box):
    box.press(0.1)
    assert box.die.thrown == [faces_of(SECRET, 0)]
    box.press(0.1)  # the dice still tumble
    assert len(box.die.thrown) == 1
    box.press(2.5)
    box.press(0.1)
    assert box.die.thrown[1] == faces_of(SECRET, 1, dice=2)
    verify(box.die.reveal())


def test_on_the_box_a_long_hold_ends_the_dice(box):
    box.press(7)
    assert box.stopped
    assert box.die.thrown == []
