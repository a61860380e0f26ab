"""The base of every error the program raises on purpose."""

from __future__ import annotations

from .rules.errors import LudoError

__all__ = ["LudoError"]
