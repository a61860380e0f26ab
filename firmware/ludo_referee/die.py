"""The die: fair, unpredictable, and checkable afterwards by anyone.

At the start the die draws a secret of 32 bytes from the operating system and shows its SHA-256 hash, the pledge. Each throw is worked out
from the secret and the throw's number alone at the moment the button is released. After the game the secret is revealed: whoever noted
the pledge can check that the secret was there from the start, and that every throw followed from it. The box can neither choose a throw
(the pledge binds it) nor can anybody foretell one (the secret is unknown).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import msgspec

from .errors import LudoError

SECRET_BYTES = 32
FACES_FEWEST, FACES_MOST = 4, 20
DICE_MOST = 4


class PledgeBroken(LudoError, ValueError):
    """The secret does not fit the pledge, or a throw does not follow from it."""


def pledge(secret: bytes) -> str:
    """The hash that binds a die to its secret, 64 hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def faces_of(secret: bytes, number: int, faces: int = 6, dice: int = 1) -> tuple[int, ...]:
    """What the dice show at throw `number` (from 0): HMAC-SHA256 of "number/block" under the secret, bytes taken in order, those
    that would favour low faces skipped."""
    limit = 256 - 256 % faces
    drawn = (byte % faces + 1 for byte in _bytes(secret, number) if byte < limit)
    return tuple(next(drawn) for _ in range(dice))


def _bytes(secret: bytes, number: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(secret, f"{number}/{block}".encode(), "sha256")
        block += 1


class Revealed(msgspec.Struct, frozen=True):
    """A die after its game: with it anyone can check the throws."""

    pledge: str
    secret: str
    faces: Annotated[int, msgspec.Meta(ge=FACES_FEWEST, le=FACES_MOST)]
    throws: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class Die:
    """One die (or up to four together) for one game. `thrown` lists what it showed."""

    faces: int = 6
    dice: int = 1
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)
    thrown: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not FACES_FEWEST <= self.faces <= FACES_MOST:
            raise LudoError(f"a die cannot have {self.faces} faces; choose {FACES_FEWEST} to {FACES_MOST}")
        if not 1 <= self.dice <= DICE_MOST:
            raise LudoError(f"{self.dice} dice cannot be thrown together; choose 1 to {DICE_MOST}")

    @property
    def pledge(self) -> str:
        """To be shown before the first throw."""
        return pledge(self.secret)

    def throw(self) -> tuple[int, ...]:
        """The next throw; to be called once, when the button was released."""
        shown = faces_of(self.secret, len(self.thrown), self.faces, self.dice)
        self.thrown.append(shown)
        return shown

    def reveal(self) -> Revealed:
        """Everything needed to check the throws afterwards; the die must not be thrown any more."""
        return Revealed(self.pledge, self.secret.hex(), self.faces, tuple(self.thrown))


def verify(revealed: Revealed) -> None:
    """Check throws against the pledge. Raises PledgeBroken naming what does not fit."""
    try:
        secret = bytes.fromhex(revealed.secret)
    except ValueError:
        raise PledgeBroken("the secret is not hexadecimal; copy all of it") from None
    if pledge(secret) != revealed.pledge.lower():
        raise PledgeBroken(f"the secret's hash is {pledge(secret)}, not the pledge {revealed.pledge}: it was not fixed at the start")
    for number, shown in enumerate(revealed.throws):
        due = faces_of(secret, number, revealed.faces, len(shown))
        if shown != due:
            raise PledgeBroken(f"throw {number + 1} showed {_words(shown)}, but the secret gives {_words(due)}")


def _words(shown: Sequence[int]) -> str:
    return " ".join(map(str, shown))
