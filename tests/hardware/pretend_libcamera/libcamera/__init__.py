"""A pretend libcamera on which the real picamera2 runs, showing scenes that a test draws.

It answers as the Raspberry Pi's does wherever a program could notice: which controls exist and their ranges, main, small and raw streams,
pixel formats, padded rows, automatics that take frames to settle, controls that take frames to show, a lens, a camera in use, no camera, a
camera that stops giving frames. It has no image processor, no noise and no C++ errors.

    import libcamera                                  # this one, by sys.path
    libcamera.plug(libcamera.Camera(scene))           # scene(n) -> (h, w, 3) uint8 RGB, as it looks in the light of Room()
"""

import sys

from .camera import (
    Camera,
    CameraManager,
    FrameBufferAllocator,
    Request,
    Room,
    plug,
)
from .controls import ControlId, ControlInfo, ControlType, controls, properties
from .formats import CameraConfiguration, FrameBuffer, FrameMetadata, Stream, StreamConfiguration, StreamFormats, StreamRole
from .values import ColorSpace, Orientation, PixelFormat, Rectangle, SensorConfiguration, Size, Transform

__all__ = [
    "Camera",
    "CameraConfiguration",
    "CameraManager",
    "ColorSpace",
    "ControlId",
    "ControlInfo",
    "ControlType",
    "FrameBuffer",
    "FrameBufferAllocator",
    "FrameMetadata",
    "Orientation",
    "PixelFormat",
    "Rectangle",
    "Request",
    "Room",
    "SensorConfiguration",
    "Size",
    "Stream",
    "StreamConfiguration",
    "StreamFormats",
    "StreamRole",
    "Transform",
    "controls",
    "plug",
    "properties",
]

_libcamera = sys.modules[__name__]  # the real package's C++ part, by which picamera2 names some classes
