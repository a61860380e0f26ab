"""Three starts that came to nothing make the next a safe one; a good one forgets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_referee.config import Config
from ludo_referee.starts import FILE, UNKNOWN, Starts, safe_config


def test_fourth_start_is_safe_and_stays_so_until_one_is_complete(tmp_path: Path) -> None:
    assert [Starts(tmp_path).begin() for _ in range(5)] == [None, None, None, UNKNOWN, UNKNOWN]
    Starts(tmp_path).complete()
    assert Starts(tmp_path).begin() is None


def test_reason_of_the_last_failure_is_told(tmp_path: Path) -> None:
    for number in range(3):
        starts = Starts(tmp_path)
        starts.begin()
        starts.failed(f"config.toml: fault {number}")
    assert Starts(tmp_path).begin() == "config.toml: fault 2"


def test_failure_counts_once(tmp_path: Path) -> None:
    for _ in range(2):
        starts = Starts(tmp_path)
        starts.begin()
        starts.failed("a fault")
    assert Starts(tmp_path).begin() is None


def test_count_cut_off_by_a_power_cut_is_none(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"starts": 3, "rea')
    assert Starts(tmp_path).begin() is None


def test_where_nothing_can_be_written_every_start_is_a_usual_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    starts = Starts(tmp_path / "file" / "below")
    assert starts.begin() is None
    starts.complete()
    assert "no safe start when the next starts fail" in caplog.text


def test_safe_configuration_keeps_the_wiring_and_drops_what_may_fail(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        '[table]\nlanguage = "de"\nboard = "gone.toml"\n[camera]\nkind = "v4l2"\n[button]\npin = 22\n[display]\ndriver = "sh1106"\n'
        '[page]\nhost = "0.0.0.0"\nport = 8083\n[lamps]\npins = { A = 5 }\n'
    )
    config = safe_config(file)
    assert (config.table.language, config.table.board, config.camera.kind) == ("de", "", "none")
    assert (config.button.pin, config.display.driver, config.lamps.pins) == (22, "sh1106", {})
    assert (config.page.host, config.page.port) == ("127.0.0.1", 8083)


@pytest.mark.parametrize("text", ['[button]\npin = 99\n[display]\ncontrast = "much"\n[table]\nlanguage = 3\n', "[button\n", "table = 1\n"])
def test_safe_configuration_does_without_what_cannot_be_read(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    config, usual = safe_config(file), Config()
    assert (config.table, config.button, config.display) == (usual.table, usual.button, usual.display)
    assert safe_config(tmp_path / "none").button == usual.button
