"""Shades of single pixels."""

from __future__ import annotations

import numpy as np
import pytest

from ludo_vision import palette


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (3, 3)])
def test_pixels_have_the_same_shade_in_any_shape_of_picture(shape: tuple[int, int]) -> None:
    """The rim of a turned board may leave a part of the picture that is a pixel wide."""
    lab = np.random.default_rng(1).uniform((0, -80, -80), (100, 80, 80), (12, 20, 3)).astype(np.float32)
    few = np.ascontiguousarray(lab[: shape[0], : shape[1]])
    assert (palette.cells(few) == palette.cells(lab)[: shape[0], : shape[1]]).all()


def test_shades_that_no_screen_shows_are_told_as_the_nearest() -> None:
    lab = np.array([[(140, 150, -150), (106, 108, -108)], [(-5, 0, 0), (0, 0, 0)]], dtype=np.float32)
    beyond, nearest = palette.cells(lab).T
    assert (beyond == nearest).all()


def test_white_is_foreign_among_blue_tokens_and_a_shadow_is_not() -> None:
    white, dark_blue = (palette.cells(np.full((1, 50, 3), shade, dtype=np.float32)).ravel() for shade in ((92, 0, 0), (16, 8, -22)))
    assert palette.is_foreign("blue", white)
    assert not palette.is_foreign("blue", dark_blue)
