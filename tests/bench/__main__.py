"""Runs every benchmark beside this file but whole games (`make bench-vision`), in the order of their names: `python -m tests.bench`."""

from __future__ import annotations

import importlib
from pathlib import Path

for module in sorted(Path(__file__).parent.glob("bench_*.py")):
    if module.stem == "bench_games":
        continue
    print(f"\n== {module.stem.removeprefix('bench_')}")
    importlib.import_module(f"{__package__}.{module.stem}").main()
