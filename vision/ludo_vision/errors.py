"""Errors of vision: each names what is wrong with a picture and what would help."""

from __future__ import annotations


class VisionError(Exception):
    """A picture or a request that vision cannot use."""


class BoardNotFound(VisionError, LookupError):
    """The board was not found; `hint` is one of too_dark, too_bright, blurred, corner_outside, too_small, other_board, other_colours,
    channels_swapped, unsure."""

    def __init__(self, message: str, hint: str = "unsure") -> None:
        super().__init__(message)
        self.hint = hint
