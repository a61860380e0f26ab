"""The base of every error the program raises on purpose."""

from __future__ import annotations


class LudoError(Exception):
    """Something the reader of the message can mend; its text names the thing and the way out."""
