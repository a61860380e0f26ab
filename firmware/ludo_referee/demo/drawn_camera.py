"""A camera that looks at a drawn table where nobody moves anything: in place of a camera where there is none."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ludo_hardware.camera import small_grey
from ludo_hardware.simulated import SimulatedCamera
from ludo_hardware.simulated_table import Pinhole, SimulatedTable

from ..rules.board import Board
from .drawn_board import drawing_of, look_of
from .tabletop import Tabletop

DIFFERENT = 3
"""So many pictures, each with noise of its own, are drawn at the start and shown in turn: drawing takes longer than a camera would."""


def drawn_camera(board: Board, steps: Sequence[Sequence[int]], size: tuple[int, int]) -> SimulatedCamera:
    """Pictures `(h, w, 3) uint8` BGR of the board with its tokens at these steps of each seat."""
    table = SimulatedTable(drawing_of(board), replace(look_of(board, seed=1), camera=Pinhole(*size)))
    tokens = Tabletop(board, table, tuple(map(tuple, steps)), random.Random(1)).tokens()
    pictures = np.stack([table.picture(tokens) for _ in range(DIFFERENT)])
    pictures.flags.writeable = False  # they are shown again
    small = [small_grey(picture) for picture in pictures]
    return SimulatedCamera(itertools.cycle(pictures).__next__, itertools.cycle(small).__next__)
