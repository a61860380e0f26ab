"""The simulated table: a board with tokens drawn as a camera would see it. Input is plain data; numpy and OpenCV draw."""

from .cases import Case, hard_case
from .drawing import BoardDrawing, DrawnPlace, Hand, Point, Token
from .lighting import LIGHTS, Light
from .pinhole import Pinhole, Viewpoint
from .printing import PRINTS, Print, print_board
from .surfaces import SURFACES
from .table import Mark, Picture, SimulatedTable, TableLook
from .tokens import PROFILES, TokenStyle

__all__ = [
    "LIGHTS", "PRINTS", "PROFILES", "SURFACES", "BoardDrawing", "Case", "DrawnPlace", "Hand", "Light", "Mark", "Picture", "Pinhole",
    "Point", "Print", "SimulatedTable", "TableLook", "Token", "TokenStyle", "Viewpoint", "hard_case", "print_board",
]
