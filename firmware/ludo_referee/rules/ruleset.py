"""Every house rule as one strict record (RULES 1.12), and the presets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """All switches; see `from_mapping` for how a configuration or recording names them."""

    board: str = "ludo15"
