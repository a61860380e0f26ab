"""The controls a Pi camera has, by name, and their ranges on a Camera Module 2 (and the lens of a Module 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Any

from .values import Rectangle


class ControlType(Enum):
    Null = 0
    Bool = 1
    Byte = 2
    Integer32 = 5
    Integer64 = 6
    Float = 7
    String = 8
    Rectangle = 9
    Size = 10
    Point = 11


@dataclass(frozen=True)
class ControlId:
    name: str
    type: ControlType


@dataclass
class ControlInfo:
    min: Any
    max: Any
    default: Any


_NAMES = {
    ControlType.Bool: "AeEnable AwbEnable CcmEnable",
    ControlType.Integer32: "AwbMode ColourTemperature ExposureTime ExposureTimeMode AnalogueGainMode AeMeteringMode AeExposureMode "
    "AeConstraintMode AeFlickerMode AeFlickerPeriod NoiseReductionMode AfMode AfTrigger AfState Location Rotation "
    "ColorFilterArrangement",
    ControlType.Integer64: "FrameDurationLimits FrameDuration SensorTimestamp",
    ControlType.Float: "ColourGains ExposureValue AnalogueGain DigitalGain Brightness Contrast Saturation Sharpness Lux LensPosition",
    ControlType.Rectangle: "ScalerCrop ScalerCrops ScalerCropMaximum",
    ControlType.Size: "PixelArraySize UnitCellSize",
    ControlType.String: "Model",
}
IDS = {name: ControlId(name, kind) for kind, names in _NAMES.items() for name in names.split()}

controls = SimpleNamespace(**IDS)
controls.draft = SimpleNamespace(
    NoiseReductionModeEnum=IntEnum("NoiseReductionModeEnum", {"Off": 0, "Fast": 1, "HighQuality": 2, "Minimal": 3, "ZSL": 4})
)
controls.AfModeEnum = IntEnum("AfModeEnum", {"Manual": 0, "Auto": 1, "Continuous": 2})
controls.AfTriggerEnum = IntEnum("AfTriggerEnum", {"Start": 0, "Cancel": 1})
controls.AfStateEnum = IntEnum("AfStateEnum", {"Idle": 0, "Scanning": 1, "Focused": 2, "Failed": 3})
properties = SimpleNamespace(**IDS)
properties.draft = SimpleNamespace(
    ColorFilterArrangementEnum=IntEnum("ColorFilterArrangementEnum", {"RGGB": 0, "GRBG": 1, "GBRG": 2, "BGGR": 3, "RGB": 4, "MONO": 5})
)


def settable(sensor: tuple[int, int], lens: bool) -> dict[ControlId, ControlInfo]:
    """What `camera.controls` of a camera lists."""
    whole = Rectangle(0, 0, *sensor)
    ranges: dict[str, tuple[Any, Any, Any]] = {
        "AeEnable": (False, True, True),
        "AwbEnable": (False, True, True),
        "AwbMode": (0, 7, 0),
        "ColourGains": (0.0, 32.0, 0.0),
        "ExposureTime": (75, 11766829, 20000),
        "ExposureTimeMode": (0, 1, 0),
        "ExposureValue": (-8.0, 8.0, 0.0),
        "AnalogueGain": (1.0, 10.666667, 1.0),
        "AnalogueGainMode": (0, 1, 0),
        "AeFlickerMode": (0, 1, 0),
        "AeFlickerPeriod": (100, 1000000, 100),
        "Brightness": (-1.0, 1.0, 0.0),
        "Contrast": (0.0, 32.0, 1.0),
        "Saturation": (0.0, 32.0, 1.0),
        "Sharpness": (0.0, 16.0, 1.0),
        "FrameDurationLimits": (33333, 11767556, 33333),
        "NoiseReductionMode": (0, 4, 0),
        "ScalerCrop": (Rectangle(0, 0, 128, 128), whole, whole),
    }
    if lens:
        ranges |= {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}
    return {IDS[name]: ControlInfo(*limits) for name, limits in ranges.items()}
