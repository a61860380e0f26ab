"""The pictures on the OLED: a view and a time in, a 1-bit image out.

`draw` gives the picture at a time, `next_change` says when it will be another, `frames` gives the whole film of a view.
One function a screen; the modules import themselves into the registry.

Seen from two metres a small OLED shows about two words, so a screen says one thing: whose turn as a shape and a name, the die's face
over the full height, the way out of a wrong move. A seat is a shape (disc, square, triangle, star) because the display has no colours and
not everybody sees them. What is to be done stands in a lit bar. Texts take the largest size their box allows in their language; where a
low display has no room for two things, they take turns as pages. Nothing flashes faster than 2 Hz.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from ..locale import words
from ..referee.views import View
from . import choosing, dice, ending, play, setup, trouble
from .burn_in import Rest, rest
from .canvas import Canvas
from .registry import SCREENS, Screen

__all__ = ["Rest", "began", "choosing", "dice", "draw", "ending", "frames", "next_change", "play", "rest", "setup", "trouble"]

Size = tuple[int, int]

SIZE: Size = (128, 64)
_CLOSE = 1e-6  # seconds: a picture asked for at its change is the new one


def draw(view: View, size: Size = SIZE, t: float = 0.0, language: str = "en", shift: tuple[int, int] = (0, 0)) -> Image.Image:
    """The picture of a view, `t` seconds after it was first shown: mode "1" of that size, 1 is lit; not to be drawn on.

    `shift` moves it by pixels to the right and down (see `rest`); what leaves the edge is lost.
    Raises LanguageError, and LookupError for a view that no screen draws.
    """
    picture = canvas_of(view, size, t, language).picture
    if shift == (0, 0):
        return picture
    moved = Image.new("1", size)
    moved.paste(picture, shift)
    return moved


@lru_cache(maxsize=32)  # more than the longest loop's pages, on the display and on the page: 1 KB each, drawing one takes 3 ms
def canvas_of(view: View, size: Size = SIZE, t: float = 0.0, language: str = "en") -> Canvas:
    """The canvas of `draw`, which also knows what did not fit."""
    canvas = Canvas(size)
    screen = _screen(view)
    screen.draw(canvas, view, words(language), t if screen.loop_s is None else t % screen.loop_s)
    return canvas


def began(view: View, t: float) -> float:
    """The second of the film, or of its loop, from which on the picture stands that is shown after `t`: drawn for that second it has
    been drawn before, if it was shown before."""
    screen = _screen(view)
    into = t if screen.loop_s is None else t % screen.loop_s
    return max((change for change in screen.changes if change <= into + _CLOSE), default=0.0)


def next_change(view: View, t: float) -> float | None:
    """The second, counted from when the view was shown, at which its picture next changes after `t`; None: never."""
    screen = _screen(view)
    begun = 0.0
    if screen.loop_s is not None:
        begun = t // screen.loop_s * screen.loop_s
    later = [begun + change for change in screen.changes if begun + change > t + _CLOSE]
    if later:
        return later[0]
    return None if screen.loop_s is None else begun + screen.loop_s


def frames(view: View, size: Size = SIZE, language: str = "en") -> tuple[tuple[float, Image.Image], ...]:
    """The film of a view: (seconds, picture) in order, once through its loop; the last picture of a film without a loop
    stays and has 0 seconds."""
    screen = _screen(view)
    times = (0.0, *screen.changes)
    ends = (*screen.changes, times[-1] if screen.loop_s is None else screen.loop_s)
    return tuple((end - time, draw(view, size, time, language)) for time, end in zip(times, ends, strict=True))


def _screen(view: View) -> Screen:
    try:
        return SCREENS[type(view)]
    except KeyError:
        raise LookupError(f"No screen draws {type(view).__name__}. Write one and register it with @screen.") from None
