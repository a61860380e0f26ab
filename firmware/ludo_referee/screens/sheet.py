"""A contact sheet of every screen in every language: `python -m ludo_referee.screens.sheet [FOLDER]`, or `make screens`."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageDraw

from ..locale import LANGUAGES
from ..referee.views import View
from . import frames
from .canvas import BOLD, font
from .examples import EXAMPLES

SCALE, MARGIN, CAPTION = 3, 8, 14
PAGE_S = 1.0  # a picture that stays this long is read, a shorter one is only seen


def pages(view: View, size: tuple[int, int], language: str) -> list[Image.Image]:
    """The different pictures of a view that people read: those of a loop that stay, and the last of every film."""
    film = frames(view, size, language)
    read: list[Image.Image] = []
    for seconds, picture in film:
        if (seconds >= PAGE_S or picture is film[-1][1]) and picture.tobytes() not in [other.tobytes() for other in read]:
            read.append(picture)
    return read


def sheet(language: str, size: tuple[int, int], columns: int = 4) -> Image.Image:
    """All pages of the example views, enlarged, each with its name: mode "L"."""
    named = [(name, page) for name, view in EXAMPLES.items() for page in pages(view, size, language)]
    width, height = size[0] * SCALE + MARGIN, size[1] * SCALE + MARGIN + CAPTION
    rows = -(-len(named) // columns)
    whole = Image.new("L", (width * columns + MARGIN, height * rows + MARGIN), 90)
    pen = ImageDraw.Draw(whole)
    for index, (name, page) in enumerate(named):
        x, y = MARGIN + index % columns * width, MARGIN + index // columns * height
        pen.text((x, y), name, font=font(BOLD, 12), fill=230)
        whole.paste(page.convert("L").resize((size[0] * SCALE, size[1] * SCALE), Image.Resampling.NEAREST), (x, y + CAPTION))
    return whole


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
