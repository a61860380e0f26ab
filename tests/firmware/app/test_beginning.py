"""What a start remembers of the last one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludo_referee.app.beginning import as_spoken
from ludo_referee.app.table_sinks import Tongue
from ludo_referee.config import Config, read_config


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "games").mkdir()
    file = tmp_path / "config.toml"
    file.write_text(f'[table]\nlanguages = ["en", "id", "de"]\n[journal]\nfolder = "{tmp_path / "games"}"\n')
    return read_config(file)


def test_the_language_that_was_chosen_is_spoken_after_a_power_cut_and_offered_first(config: Config) -> None:
    assert as_spoken(config) == config
    Tongue(config).language("de")
    table = as_spoken(config).table
    assert (table.language, table.languages) == ("de", ("de", "en", "id"))


def test_a_language_that_is_no_longer_offered_is_not_spoken(config: Config) -> None:
    Tongue(config).language("ru")
    assert as_spoken(config) == config
