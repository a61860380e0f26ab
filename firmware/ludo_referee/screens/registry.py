"""Which function draws which view, and when its picture changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ..locale import Words
from ..referee.views import View
from .canvas import Canvas

V = TypeVar("V", bound=View)
Drawing = Callable[[Canvas, V, Words, float], None]  # canvas, view, words, seconds since the view was shown or its loop began

PAGE_S = 2.5
"""How long a page stays where a low display shows one thing after the other."""


@dataclass(frozen=True, slots=True)
class Screen:
    """`changes`: the seconds after which the picture is another; `loop_s`: from there it begins anew (None: it stays)."""

    draw: Drawing[Any]
    changes: tuple[float, ...]
    loop_s: float | None


SCREENS: dict[type[View], Screen] = {}


def pages(count: int) -> tuple[float, ...]:
    """The changes of a screen of so many pages; its loop is `count * PAGE_S`."""
    return tuple(PAGE_S * page for page in range(1, count))


def page(t: float) -> int:
    """The page shown at a time."""
    return int(t / PAGE_S + 1e-6)


def screen(view: type[V], changes: tuple[float, ...] = (), loop_s: float | None = None) -> Callable[[Drawing[V]], Drawing[V]]:
    """Registers the decorated function as the one that draws views of this class."""

    def register(draw: Drawing[V]) -> Drawing[V]:
        SCREENS[view] = Screen(draw, changes, loop_s)
        return draw

    return register
