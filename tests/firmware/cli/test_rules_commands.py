"""The rules at the command line: questions, counts, presets, boards."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest
from PIL import Image

from ludo_referee.cli import main
from ludo_referee.rules.board_file import BUILT_IN
from ludo_referee.rules.ruleset import PRESETS, SWITCHES

QUESTION = {"position": {"A": [-1, -1, 0, 10], "C": [5, -1, -1, -1]}, "seat": "A", "roll": 6}


@pytest.fixture
def ask(monkeypatch, capsys):
    """Runs `legal` or `turn` on these lines and gives the lines it answered."""

    def run(command, *lines):
        text = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert main([command]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_legal_answers_a_line_a_question_and_goes_on_after_a_bad_one(ask):
    good = json.dumps(QUESTION)
    answers = ask("legal", good, "no question", "", good)
    assert answers[0] == answers[3]
    assert [list(answer) for answer in answers] == [["moves"], ["error"], ["error"], ["moves"]]


def test_turn_answers_position_log_and_next(ask):
    question = {"position": {"A": [-1, -1, -1, 10], "C": [-1] * 4}, "seat": "A", "script": [[3, None]]}
    (answer,) = ask("turn", json.dumps(question))
    assert (answer["position"]["A"], answer["next"]) == ([-1, -1, -1, 13], "C")


def test_ten_thousand_questions_take_a_few_seconds(ask):
    rules = [{"preset": preset, "board": "ludo15"} for preset in PRESETS]
    lines = [json.dumps({**QUESTION, "rules": one, "roll": roll}) for one in rules for roll in range(1, 7)]
    begun = time.process_time()
    answers = ask("legal", *(lines * 278))
    assert len(answers) >= 10_000
    assert time.process_time() - begun < 5


def test_an_answer_is_out_before_the_next_question_is_asked():
    command = [sys.executable, "-m", "ludo_referee", "legal"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for _ in range(2):
            program.stdin.write(json.dumps(QUESTION) + "\n")
            program.stdin.flush()
            assert len(json.loads(program.stdout.readline())["moves"]) == 2
        program.stdin.close()
        assert program.wait(10) == 0


def test_perft_counts_every_roll(capsys):
    assert main(["perft", "--depth", "3"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["0", "1", "1"], ["1", "6", "2"], ["2", "36", "8"], ["3", "216", "24"],
    ]
    assert main(["perft", "--rules", "parchis,own_landing=stack,entry=[5,6]", "--position", "A:y,y,0,10 C:5,y,y,y A", "--depth", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[1] == "10"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "--depth", "99"], "--depth 99"),
        (["perft", "--rules", "clasic"], "did you mean classic"),
        (["perft", "--rules", "classic,tires=3"], "did you mean tries"),
        (["perft", "--rules", "tries=3"], "begins with a preset"),
        (["perft", "--position", "A:1"], "is not like"),
        (["rules", "show", "clasic"], "did you mean classic"),
        (["board", "check", "atlantis"], "no board 'atlantis'"),
        (["board", "show", "ludo15", "--out", "board.gif"], "neither .svg nor .png"),
    ],
)
def test_bad_arguments_are_one_line_on_stderr(arguments, message, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_rules_list_names_every_preset_and_switch(capsys):
    assert main(["rules", "list"]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name}" in told for name in [*PRESETS, *SWITCHES])
    assert all(switch.sentence in told for switch in SWITCHES.values())


def test_rules_show_tells_what_differs_from_classic(capsys):
    assert main(["rules", "show", "family"]) == 0
    told = capsys.readouterr().out
    assert "own_landing = block  [classic: forbidden]" in told
    assert "tries" not in told


def test_board_check_names_every_fault(tmp_path, capsys):
    assert main(["board", "check", "parchis68"]) == 0
    assert "68 squares round" in capsys.readouterr().out
    broken = tmp_path / "mine.toml"
    broken.write_text('name = "mine"\nsize = 15\nring = [[0, 0], [0, 1], [5, 5]]\n')
    assert main(["board", "check", str(broken)]) == 1
    told = capsys.readouterr().out
    assert "the ring has 3 squares" in told
    assert "the board has 0 seats" in told


@pytest.mark.parametrize("board", BUILT_IN)
def test_board_show_draws_both_ways(board, tmp_path, capsys):
    for ending in ("svg", "png"):
        assert main(["board", "show", board, "--out", str(tmp_path / f"board.{ending}")]) == 0
    drawing = ElementTree.parse(tmp_path / "board.svg").getroot()
    labels = {element.text for element in drawing if element.tag.endswith("text")}
    assert {"A yellow" if board == "parchis68" else "A green"} < labels
    with Image.open(tmp_path / "board.png") as picture:
        assert f"{picture.width} {picture.height}" == f"{drawing.get('width')} {drawing.get('height')}"
