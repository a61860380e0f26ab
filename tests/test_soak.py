"""The long run itself works: a minute of it, and its judgement."""

from __future__ import annotations

import collections
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def soak() -> ModuleType:
    spec = importlib.util.spec_from_file_location("soak", Path(__file__).with_name("soak.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_minute_of_the_long_run_is_played_and_idled_through(soak: ModuleType, tmp_path: Path) -> None:
    counts: collections.Counter[str] = collections.Counter()
    evening = soak.play(0, tmp_path, counts, until_s=60.0)
    assert counts["throws"] > 5
    assert evening.autoplayer.tally.told_right > 0
    assert evening.autoplayer.tally.told_wrong == 0
    soak.idle(evening, hours=0.02)
    evening.box.switch_off()


@pytest.mark.parametrize(("last", "status"), [
    ((150.0, 9, 2), 0), ((157.0, 9, 2), 0), ((170.0, 9, 2), 1), ((150.0, 10, 2), 1), ((150.0, 9, 3), 1),
])
def test_growth_is_a_failure(soak: ModuleType, last: tuple[float, int, int], status: int) -> None:
    warm = (150.0, 9, 2)
    assert soak.verdict([(100.0, 9, 2), warm, warm, last]) == status
