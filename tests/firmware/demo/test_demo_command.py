"""`ludo-referee demo` at the command line."""

from __future__ import annotations

import json

import pytest

from ludo_referee.cli import main


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--headless"], "--headless needs --autoplay"),
        (["--headless", "--autoplay", "--games", "0"], "--games 0: give 1 or more"),
        (["--headless", "--autoplay", "--moves", "0"], "--moves 0: give 1 or more"),
        (["--headless", "--autoplay", "--board", "chess"], "there is no board 'chess'"),
        (["--headless", "--autoplay", "--rules", "chess"], "chess"),
        (["--headless", "--autoplay", "--tilt", "80"], "--tilt 80: give 0"),
        (["--headless", "--autoplay", "--width", "9"], "--width 9: give 320"),
        (["--headless", "--autoplay", "--mistakes", "2"], "--mistakes 2: give a share"),
        (["--headless", "--autoplay", "--middle", "-3"], "--middle -3: give 0 or more"),
        (["--record", "x"], "--record needs --headless"),
        (["--port", "99999"], "port 99999 is no port"),
    ],
)
def test_bad_option_is_one_clear_line(options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *options]) == 2
    shown = capsys.readouterr()
    assert complaint in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_table_plays_by_itself_and_every_move_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Through real vision: gate, reading and verdict on drawn pictures."""
    assert main(["demo", "--autoplay", "--headless", "--json", "--seed", "7", "--moves", "3", "--middle", "40", "--width", "640"]) == 0
    shown = capsys.readouterr()
    events = [json.loads(line) for line in shown.out.splitlines()]
    assert [event["event"] for event in events].count("move") == 3
    assert events[0]["event"] == "board"
    assert "moves made 3: told right 3" in shown.err
