"""A contact sheet of every screen in every language: `python -m ludo_referee.screens.sheet [FOLDER]`, or `make screens`."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageDraw

from ..locale import LANGUAGES
from . import draw, frames
from .canvas import BOLD, font
from .examples import EXAMPLES

SCALE, MARGIN, CAPTION = 3, 8, 14


def sheet(language: str, size: tuple[int, int], columns: int = 4) -> Image.Image:
    """All example views as people see them (the last picture of a film), enlarged, each with its name: mode "L"."""
    width, height = size[0] * SCALE + MARGIN, size[1] * SCALE + MARGIN + CAPTION
    rows = -(-len(EXAMPLES) // columns)
    page = Image.new("L", (width * columns + MARGIN, height * rows + MARGIN), 90)
    pen = ImageDraw.Draw(page)
    for index, (name, view) in enumerate(EXAMPLES.items()):
        x, y = MARGIN + index % columns * width, MARGIN + index // columns * height
        pen.text((x, y), name, font=font(BOLD, 12), fill=230)
        still = sum(seconds for seconds, _ in frames(view, size, language)) if type(view).__name__ != "Looking" else 1.2
        picture = draw(view, size, still, language)
        page.paste(picture.convert("L").resize((size[0] * SCALE, size[1] * SCALE), Image.Resampling.NEAREST), (x, y + CAPTION))
    return page


def main(arguments: list[str] | None = None) -> int:
    """Writes screens-LANGUAGE-WIDTHxHEIGHT.png for every language and display."""
    parser = argparse.ArgumentParser(prog="python -m ludo_referee.screens.sheet", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/screens"))
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for language in options.language or LANGUAGES:
        for size in ((128, 64), (128, 32)):
            path = options.folder / f"screens-{language}-{size[0]}x{size[1]}.png"
            sheet(language, size).save(path)
            print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
