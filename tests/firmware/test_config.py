"""The configuration: the shipped file is documentation, schema and defaults at once; a mistake is named with its file and path."""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from ludo_referee import config
from ludo_referee.cli import main
from ludo_referee.config import Config, ConfigError, defaults_text, journal_folder, read_config, recordings_folder


def read(tmp_path: Path, text: str) -> Config:
    (tmp_path / "c.toml").write_text(text)
    return read_config(tmp_path / "c.toml")


def test_defaults_file_equals_the_defaults(tmp_path: Path) -> None:
    assert read(tmp_path, defaults_text()) == Config()


def test_defaults_file_names_every_option() -> None:
    written = tomllib.loads(re.sub(r"^# (\w+ = )", r"\1", defaults_text(), flags=re.MULTILINE))
    for section in msgspec.structs.fields(Config):
        options = {option.name for option in msgspec.structs.fields(section.type)}
        assert set(written[section.name]) == options, section.name


def test_options_are_taken_and_the_rest_keeps_its_default(tmp_path: Path) -> None:
    found = read(tmp_path, """
        [table]
        players = ["A", "C"]
        [table.rules]
        preset = "family"
        block_pass = "six"
        [display]
        address = 0x3D
        [sound]
        quiet_from = 21:30:00
        quiet_until = 07:00:00
        """)
    assert found.table.players == ("A", "C")
    assert found.table.rules == {"preset": "family", "block_pass": "six"}
    assert found.display.address == 0x3D
    assert found.sound.quiet_from == datetime.time(21, 30)
    assert found.camera == Config().camera


@pytest.mark.parametrize(("text", "said"), [
    ("[tabel]", "unknown key 'tabel'; keys are table, camera"),
    ("[button]\npinn = 4", "button: unknown key 'pinn'; keys are kind, pin, pull"),
    ("[button]\npin = 28", "button.pin: Expected `int` <= 27"),
    ("[button]\npin = '17'", "button.pin: Expected `int`, got `str`"),
    ("[button]\npull = 'sideways'", "button.pull: 'sideways' is not one of its values: up, down, off"),
    ("[button]\nhold_s = 0.2", "button: bounce_s, double_tap_s, hold_s and long_hold_s must grow"),
    ("[table]\nplayers = ['A', 'E']", "table.players[1]: 'E' is not one of its values: A, B, C, D"),
    ("[table]\nplayers = ['A']", "table: players are A; name two to four"),
    ("[table]\nseats = { A = 'red', B = 'red' }", "table: seats: two seats have the same colour"),
    ("[table]\nseats = { E = 'red' }", "table.seats: 'E' is not one of its values: A, B, C, D"),
    ("[table]\nplayers = ['A', 'B']\nrobots = { C = 'fair' }", "table: robots: seat C is not among the players A, B"),
    ("[table]\nrobots = { A = 'evil' }", "table.robots[...]: 'evil' is not one of its values: gentle, fair, strong"),
    ("[page]\nport = 70000", "page.port: Expected `int` <= 65535"),
    ("[sound]\nquiet_from = 21:00:00", "sound: quiet hours need both"),
    ("[table\n", "not TOML: "),
])
def test_mistake_is_named_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'c.toml'}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_file_that_is_not_text_or_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_config(tmp_path / "c.toml")
    with pytest.raises(ConfigError, match="no such file"):
        read_config(tmp_path / "gone.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(tmp_path)


def test_without_a_system_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "config.toml")
    assert read_config() == Config()
    (tmp_path / "config.toml").write_text("[page]\non = false\n")
    assert not read_config().page.on


def test_games_are_kept_where_systemd_or_the_user_keeps_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert journal_folder(Config()) == tmp_path / "ludo-referee"
    monkeypatch.setattr(config, "SERVICE_FOLDER", tmp_path)
    assert journal_folder(Config(), running=True) == tmp_path
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/ludo-referee:/var/lib/other")
    assert journal_folder(Config()) == Path("/var/lib/ludo-referee")
    assert recordings_folder(Config()) == Path("/var/lib/ludo-referee/recordings")
    assert journal_folder(Config(journal=config.Journal(folder="/data"))) == Path("/data")


@pytest.mark.parametrize(("written", "said"), [
    ("[table.rules]\nentry = [9]", "entry cannot be [9]"),
    ("[table.rules]\nthree_sixes = 'never'", "three_sixes"),
    ("[table]\nboard = 'chess8'", "there is no board 'chess8'"),
])  # fmt: skip
def test_checking_a_file_finds_rules_and_boards_that_cannot_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str, said: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(written)
    assert main(["config", str(file)]) == 2
    assert said in capsys.readouterr().err
    file.write_text("[table]\nboard = 'madn11'\n[table.rules]\nentry = [1, 6]\n")
    assert main(["config", str(file)]) == 0
