"""The small value types of libcamera, with the names it gives them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Orientation(Enum):
    Rotate0 = 1
    Rotate0Mirror = 2
    Rotate180 = 3
    Rotate180Mirror = 4
    Rotate90Mirror = 5
    Rotate270 = 6
    Rotate270Mirror = 7
    Rotate90 = 8


@dataclass
class Size:
    width: int = 0
    height: int = 0

    def to_tuple(self) -> tuple[int, int]:
        return self.width, self.height


@dataclass
class Rectangle:
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0

    def to_tuple(self) -> tuple[int, int, int, int]:
        return self.x, self.y, self.width, self.height


class Transform:
    """picamera2 puts its own == and repr on this class."""

    def __init__(self, other: Transform | None = None, hflip: bool = False, vflip: bool = False, transpose: bool = False) -> None:
        if other is not None:
            hflip, vflip, transpose = other.hflip, other.vflip, other.transpose
        self.hflip, self.vflip, self.transpose = bool(hflip), bool(vflip), bool(transpose)

    def __hash__(self) -> int:
        return hash((self.hflip, self.vflip, self.transpose))

    def __str__(self) -> str:
        return f"<libcamera.Transform {self.hflip, self.vflip, self.transpose}>"


class ColorSpace:
    """Likewise. The four parts are enumerations whose members' names are all that matters."""

    Primaries = Enum("Primaries", ["Raw", "Smpte170m", "Rec709", "Rec2020"])
    TransferFunction = Enum("TransferFunction", ["Linear", "Srgb", "Rec709"])
    YcbcrEncoding = Enum("YcbcrEncoding", ["Null", "Rec601", "Rec709", "Rec2020"])
    Range = Enum("Range", ["Full", "Limited"])

    def __init__(self, primaries: Any, transfer: Any = None, encoding: Any = None, value_range: Any = None) -> None:
        if isinstance(primaries, ColorSpace):
            other = primaries
            primaries, transfer, encoding, value_range = other.primaries, other.transferFunction, other.ycbcrEncoding, other.range
        self.primaries, self.transferFunction, self.ycbcrEncoding, self.range = primaries, transfer, encoding, value_range

    def __hash__(self) -> int:
        return hash((self.primaries, self.transferFunction))

    def __str__(self) -> str:
        return f"<libcamera.ColorSpace {self.primaries.name}/{self.transferFunction.name}>"

    @classmethod
    def _named(cls, primaries: str, transfer: str, encoding: str, value_range: str) -> ColorSpace:
        return cls(cls.Primaries[primaries], cls.TransferFunction[transfer], cls.YcbcrEncoding[encoding], cls.Range[value_range])

    @classmethod
    def Sycc(cls) -> ColorSpace:  # noqa: N802
        return cls._named("Rec709", "Srgb", "Rec601", "Full")

    @classmethod
    def Smpte170m(cls) -> ColorSpace:  # noqa: N802
        return cls._named("Smpte170m", "Rec709", "Rec601", "Limited")

    @classmethod
    def Rec709(cls) -> ColorSpace:  # noqa: N802
        return cls._named("Rec709", "Rec709", "Rec709", "Limited")

    @classmethod
    def Raw(cls) -> ColorSpace:  # noqa: N802
        return cls._named("Raw", "Linear", "Null", "Full")


class PixelFormat:
    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(self.name)


class SensorConfiguration:
    def __init__(self) -> None:
        self.bit_depth, self.output_size = 0, Size()
