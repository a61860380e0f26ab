"""The chances of 0 ... 4 tokens in one yard, by all pictures of it: a huddle tells badly how many it is, better how it grew.

A token that comes can be seen, if only in part. So what there is to explain in a yard tells how many came since the picture before it, and
that together with what each picture tells by itself says how many there are.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from .yard_sight import Matrix
from .yard_tokens import TOKENS

_NUMBERS = np.arange(TOKENS + 1)
_CAME = np.arange(-TOKENS, TOKENS + 1)
_COMES = np.array([0.02, 0.02, 0.04, 0.12, 0.3, 0.6, 0.2, 0.1, 0.1])  # how likely so many come between two pictures, or go
_APART = 0.6  # how likely one comes apart from the others
_WHOLE, _PARTLY = (1.0, 0.1), (0.5, 0.25)  # how much of a token is then to be explained, apart and beside others; how that varies
_STIRRED = 0.12  # of a token: how what is explained varies while none comes
_FAINT = 0.3  # silhouettes: no token explains less
_SURPRISE, _SLIP = 1e-3, 0.02  # how likely anything happens, and that what was seen before is worth nothing
_MORE = 0.15  # silhouettes by which one number of tokens explains more than another and is e times as likely


class Tally:
    """One yard's chances (shapes, 5), for tokens of each shape; without any picture the yard is bare."""

    def __init__(self, shapes: int) -> None:
        self.chances: Matrix = np.tile(np.eye(TOKENS + 1)[0], (shapes, 1))
        self._explained: NDArray[np.float64] = np.zeros(shapes)  # by the best number of tokens in the picture before, silhouettes

    def begin(self, worth: Matrix) -> None:
        """Judge by one picture alone, from what every number of tokens is worth (shapes, 5): silhouettes explained, less a cost."""
        self.chances = _likely(worth)

    def follow(self, worth: Matrix, cost: float) -> None:
        """Judge by one picture more, after all that were seen; `cost` of each token in silhouettes."""
        raw = worth + cost * _NUMBERS
        explained = raw.max(axis=1)
        more = (explained - self._explained) / np.maximum(raw[:, 1], _FAINT)
        fits = _COMES * np.stack([_density(more, int(came)) for came in _CAME], axis=1) + _SURPRISE
        steps = fits[:, _NUMBERS - _NUMBERS[:, None] + TOKENS]  # (shapes, 5 before, 5 now)
        alone = _likely(worth)
        chances = (self.chances[:, :, None] * steps).sum(axis=1) * alone
        self.chances = (1 - _SLIP) * chances / chances.sum(axis=1, keepdims=True) + _SLIP * alone
        self._explained = explained


def _density(more: NDArray[np.float64], came: int) -> NDArray[np.float64]:
    """How likely so many tokens (fewer than none: that go) make so much more to explain, in tokens."""
    number, total = abs(came), np.zeros_like(more)
    for apart in range(number + 1):
        beside = number - apart
        middle = np.sign(came) * (apart * _WHOLE[0] + beside * _PARTLY[0])
        spread = np.sqrt(_STIRRED**2 + apart * _WHOLE[1] ** 2 + beside * _PARTLY[1] ** 2)
        chance = comb(number, apart) * _APART**apart * (1 - _APART) ** beside
        total += chance * np.exp(-0.5 * ((more - middle) / spread) ** 2) / spread
    return total


def _likely(worth: Matrix) -> Matrix:
    """The chances of every number by what it explains."""
    likely = np.exp((worth - worth.max(axis=1, keepdims=True)) / _MORE)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True), dtype=np.float64)
