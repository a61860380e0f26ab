"""The screens look as they did when somebody last looked at them.

A golden picture holds all examples of one view class, each film's pictures side by side. To renew them after a change that was
looked at: `LUDO_GOLDEN=renew pytest tests/firmware/screens`, look at them, and run again without; the renewing run fails on purpose.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops, features

from ludo_referee import screens
from ludo_referee.referee.views import View
from ludo_referee.screens.examples import EXAMPLES
from ludo_referee.screens.registry import SCREENS

GOLDEN = Path(__file__).with_name("golden")
FREETYPE = "2.14.3"  # drew the letters of the golden pictures; another release may set some pixels otherwise
SETS = [("en", (128, 64)), ("en", (128, 32)), ("ru", (128, 64))]
GAP = 2


def strip(kind: type[View], language: str, size: tuple[int, int]) -> Image.Image:
    """A row an example, a column a picture of its film; grey where there is none."""
    rows = []
    for name, view in EXAMPLES.items():
        if type(view) is kind and not name.startswith("rule:"):
            film = [picture for _, picture in screens.frames(view, size, language)]
            rows.append([picture for number, picture in enumerate(film) if number == 0 or picture.tobytes() != film[number - 1].tobytes()])
    width, height = size[0] + GAP, size[1] + GAP
    whole = Image.new("L", (width * max(map(len, rows)), height * len(rows)), 128)
    for y, row in enumerate(rows):
        for x, picture in enumerate(row):
            whole.paste(picture.convert("L"), (x * width, y * height))
    return whole


@pytest.mark.parametrize(("language", "size"), SETS, ids=lambda value: value if isinstance(value, str) else f"{value[0]}x{value[1]}")
@pytest.mark.parametrize("kind", SCREENS, ids=lambda kind: kind.__name__)
def test_screen_looks_as_it_did(kind: type[View], language: str, size: tuple[int, int]) -> None:
    path = GOLDEN / f"{kind.__name__}-{language}-{size[0]}x{size[1]}.png"
    now = strip(kind, language, size)
    if os.environ.get("LUDO_GOLDEN") == "renew":
        GOLDEN.mkdir(exist_ok=True)
        now.quantize(3).save(path, optimize=True)
        pytest.fail(f"{path.name} was renewed: look at it, then run without LUDO_GOLDEN")
    before = Image.open(path).convert("L")
    assert before.size == now.size
    different = sum(ImageChops.difference(before, now).histogram()[1:])
    allowed = 0 if features.version("freetype2") == FREETYPE else now.width * now.height // 50
    assert different <= allowed, f"{different} pixels of {path.name} differ"
