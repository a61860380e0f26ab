"""The scripted evening, for tests that play it in this process."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def drive() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drive", Path(__file__).with_name("drive.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
