"""Streams, their pixel formats and how a picture lies in their buffers."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .values import ColorSpace, Orientation, PixelFormat, SensorConfiguration, Size

# bytes a pixel, and which of R, G, B comes first in memory: libcamera's names read from the last byte to the first
RGB_ORDERS = {"RGB888": (3, (2, 1, 0)), "BGR888": (3, (0, 1, 2)), "XRGB8888": (4, (2, 1, 0)), "XBGR8888": (4, (0, 1, 2))}
YUV_FORMATS = ("YUV420", "YVU420")
RAW_FORMATS = ("SRGGB10_CSI2P", "SRGGB10", "SRGGB8")


class StreamRole(Enum):
    Raw = 0
    StillCapture = 1
    VideoRecording = 2
    Viewfinder = 3


def layout(pixel_format: str, width: int, height: int) -> tuple[int, int]:
    """Bytes a row, padded to 64, and bytes a frame."""
    if pixel_format in YUV_FORMATS:
        stride = -(-width // 64) * 64
        return stride, stride * height * 3 // 2
    bits = RGB_ORDERS[pixel_format][0] * 8 if pixel_format in RGB_ORDERS else {"SRGGB10_CSI2P": 10, "SRGGB10": 16}.get(pixel_format, 8)
    stride = -(-width * bits // 8 // 64) * 64
    return stride, stride * height


def packed(rgb: NDArray[np.uint8], pixel_format: str, stride: int, frame_size: int) -> bytes:
    """A picture `(h, w, 3)` RGB as it lies in a buffer."""
    height, width = rgb.shape[:2]
    out = np.zeros(frame_size, np.uint8)
    if pixel_format in RGB_ORDERS:
        size, order = RGB_ORDERS[pixel_format]
        pixels = np.full((height, width, size), 255, np.uint8)
        pixels[..., :3] = rgb[..., order]
        out.reshape(height, stride)[:, : width * size] = pixels.reshape(height, -1)
    elif pixel_format in YUV_FORMATS:
        red, green, blue = (rgb[..., channel].astype(np.float32) for channel in range(3))
        luma = 0.299 * red + 0.587 * green + 0.114 * blue
        chroma = [(blue - luma) * 0.564 + 128, (red - luma) * 0.713 + 128]
        out[: stride * height].reshape(height, stride)[:, :width] = luma.round()
        quarter = stride * height // 4
        for place, plane in enumerate(chroma if pixel_format == "YUV420" else chroma[::-1]):
            rows = out[stride * height + place * quarter :][:quarter].reshape(height // 2, stride // 2)
            rows[:, : width // 2] = np.clip(plane[::2, ::2], 0, 255).round()
    return out.tobytes()


class StreamFormats:
    def __init__(self, sizes: dict[str, list[tuple[int, int]]]) -> None:
        self._sizes = {PixelFormat(name): each for name, each in sizes.items()}

    @property
    def pixel_formats(self) -> list[PixelFormat]:
        return list(self._sizes)

    def sizes(self, pixel_format: PixelFormat) -> list[Size]:
        return [Size(*each) for each in self._sizes[pixel_format]]


class Stream:
    configuration: StreamConfiguration


class StreamConfiguration:
    def __init__(self, pixel_format: str, size: tuple[int, int], formats: StreamFormats) -> None:
        self.pixel_format, self.size, self.formats = PixelFormat(pixel_format), Size(*size), formats
        self.stride = self.frame_size = 0
        self.buffer_count, self.color_space, self.stream = 4, ColorSpace.Sycc(), Stream()


class CameraConfiguration:
    Status = Enum("Status", ["Valid", "Adjusted", "Invalid"])

    def __init__(self, streams: list[StreamConfiguration], roles: list[StreamRole]) -> None:
        self._streams, self._roles = streams, roles
        self.orientation = Orientation.Rotate0
        self.sensor_config: SensorConfiguration | None = None

    def at(self, index: int) -> StreamConfiguration:
        return self._streams[index]

    def __iter__(self) -> Any:
        return iter(self._streams)

    def __len__(self) -> int:
        return len(self._streams)

    def validate(self) -> Any:
        status = self.Status.Valid
        for stream, role in zip(self._streams, self._roles, strict=True):
            known = RAW_FORMATS if role is StreamRole.Raw else (*RGB_ORDERS, *YUV_FORMATS)
            if str(stream.pixel_format) not in known:
                stream.pixel_format, status = PixelFormat("SRGGB10_CSI2P" if role is StreamRole.Raw else "YUV420"), self.Status.Adjusted
            width, height = stream.size.to_tuple()
            if width <= 0 or height <= 0:
                return self.Status.Invalid
            stream.stride, stream.frame_size = layout(str(stream.pixel_format), width, height)
            stream.stream.configuration = stream
        return status


class FrameMetadata:
    Status = Enum("Status", ["Success", "Error", "Cancelled"])

    class Plane:
        def __init__(self, bytes_used: int) -> None:
            self.bytes_used = bytes_used

    def __init__(self, length: int) -> None:
        self.status, self.planes, self.sequence, self.timestamp = self.Status.Success, [self.Plane(length)], 0, 0


class FrameBuffer:
    class Plane:
        fd = -1
        offset = 0
        length = 0

    def __init__(self, planes: list[Plane]) -> None:
        self.planes, self.metadata = planes, FrameMetadata(planes[0].length)
