"""The screen of dice alone: an electronic die for any game."""

from __future__ import annotations

from ..locale import Words
from ..referee.views import Dice
from .canvas import BLACK, Canvas, lay_out, pledge_lines
from .play import STANDS_S, TUMBLE, tumbling
from .registry import screen
from .shapes import solid_die

PIPPED = 6  # dice of other faces show numbers


@screen(Dice, changes=(*(step[0] for step in TUMBLE[1:]), STANDS_S))
def dice(canvas: Canvas, view: Dice, words: Words, t: float) -> None:
    """One to four dice as large as they go, three and four with their sum; before the first throw what to press and the pledge, for which
    a low display leaves the name out."""
    if not view.values:
        foot = canvas.foot(words("Press to roll"))
        name = words("Die with {n} faces", n=view.faces)
        if view.pledge is None:
            canvas.text((0, 0, canvas.width, foot - 1), name, largest=24)
            return
        top = 0
        if not canvas.low:
            canvas.text((0, 0, canvas.width, 19), name, largest=18)
            top = 20
        canvas.text((0, top, canvas.width, foot - 1), pledge_lines(view.pledge), largest=12)
        return
    count = len(view.values)
    columns = count if canvas.low or count < 3 else 2
    side = min(canvas.height // -(-count // columns), canvas.width // columns) - (count > 1)
    sums = count > 2 and (columns + 1) * side <= canvas.width
    left = 0 if sums else (canvas.width - columns * side - (columns - 1)) // 2
    for index, value in enumerate(view.values):
        row, column = divmod(index, columns)
        _die(canvas, (left + column * (side + 1), row * (side + 1)), side, value, view.faces, t, index)
    if sums and t >= STANDS_S:
        canvas.text((columns * (side + 1) + 2, 0, canvas.width, canvas.height), str(sum(view.values)), weight=BLACK)


def _die(canvas: Canvas, corner: tuple[int, int], side: int, value: int, faces: int, t: float, index: int) -> None:
    x, y = corner
    angle = 0
    if t < STANDS_S:
        value, angle = tumbling(value + index, faces, t)
    if faces == PIPPED:
        canvas.die(value, side, x, y, angle)
    else:
        canvas.paste(solid_die(side, angle), x, y)
        edge = side // 4 if angle else side // 8
        room = side - 2 * edge
        same = lay_out(str(faces), room, room, room, BLACK, "centre").size  # as large as the largest number may be
        canvas.text((x + edge, y + edge, x + side - edge, y + side - edge), str(value), same, BLACK, ink=0)
