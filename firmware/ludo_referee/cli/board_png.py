"""A board's drawing as a picture."""

from __future__ import annotations

from PIL import Image, ImageColor, ImageDraw, ImageFont

from ..rules.board import Board
from ..rules.board_picture import INK, LINE, SQUARE_PX, Shape, shapes

PAPER = (246, 241, 228)
FINER = 3  # drawn so much larger, then reduced: smooth edges


def board_png(board: Board) -> Image.Image:
    """The board with its indices, (size × 44) pixels square, RGB."""
    scale = SQUARE_PX * FINER
    picture = Image.new("RGB", (board.size * scale, board.size * scale), PAPER)
    draw = ImageDraw.Draw(picture)
    for shape in shapes(board):
        _fill(draw, shape, scale)
    picture = picture.resize((board.size * SQUARE_PX, board.size * SQUARE_PX), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default()
    for shape in shapes(board):
        x, y = shape.centre[0] * SQUARE_PX, shape.centre[1] * SQUARE_PX
        draw.text((x, y), shape.label, fill=INK, font=font, anchor="mm", stroke_width=1, stroke_fill="white")
    return picture


def _fill(draw: ImageDraw.ImageDraw, shape: Shape, scale: int) -> None:
    colour = _mixed(shape.fill, 0.35 if shape.faint else 0.8)
    corners = [(x * scale, y * scale) for x, y in shape.outline]
    if shape.round:
        (left, top), (right, bottom) = corners[0], corners[2]
        inset = (right - left) * 0.05
        draw.ellipse((left + inset, top + inset, right - inset, bottom - inset), fill=colour, outline=LINE, width=FINER)
    else:
        draw.polygon(corners, fill=colour, outline=LINE, width=FINER)


def _mixed(colour: str, share: float) -> tuple[int, int, int]:
    """The colour laid thinly over the paper; a name Pillow does not know is drawn grey."""
    try:
        red, green, blue = ImageColor.getrgb(colour)[:3]
    except ValueError:
        red, green, blue = ImageColor.getrgb("grey")[:3]
    mixed = [round(share * top + (1 - share) * below) for top, below in zip((red, green, blue), PAPER, strict=True)]
    return mixed[0], mixed[1], mixed[2]
