"""Which function draws which view, and when its picture changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ..locale import Words
from ..referee.views import View
from .canvas import Canvas

V = TypeVar("V", bound=View)
Drawing = Callable[[Canvas, V, Words, float], None]  # canvas, view, words, seconds since the view was shown


@dataclass(frozen=True, slots=True)
class Screen:
    """`changes`: the seconds after which the picture is another; `loop_s`: from there it begins anew (None: it stays)."""

    draw: Drawing[Any]
    changes: tuple[float, ...]
    loop_s: float | None


SCREENS: dict[type[View], Screen] = {}


def screen(view: type[V], changes: tuple[float, ...] = (), loop_s: float | None = None) -> Callable[[Drawing[V]], Drawing[V]]:
    """Registers the decorated function as the one that draws views of this class."""

    def register(draw: Drawing[V]) -> Drawing[V]:
        SCREENS[view] = Screen(draw, changes, loop_s)
        return draw

    return register
