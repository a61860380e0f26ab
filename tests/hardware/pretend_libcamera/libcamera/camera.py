"""The pretend camera itself, the room it looks into, and the manager picamera2 asks for both."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .controls import IDS, ControlId, controls, settable
from .formats import (
    RAW_FORMATS,
    RGB_ORDERS,
    CameraConfiguration,
    FrameBuffer,
    Stream,
    StreamConfiguration,
    StreamFormats,
    StreamRole,
    packed,
)
from .values import Orientation, Rectangle, Size

FRAMES_UNTIL_SHOWN = 3  # after the buffers already queued
_SETTLING = 0.5  # of the way that the automatics go in a frame
_SCAN = 5  # frames in which the lens looks for its focus


@dataclass
class Room:
    """The light: what the automatics would choose in the end, and how a scene looks at that."""

    exposure_us: int = 17_400
    gain: float = 1.5
    colour_gains: tuple[float, float] = (1.6, 1.8)
    distance_dioptres: float = 2.0


class Request:
    Status = Enum("Status", ["Pending", "Complete", "Cancelled"])

    def __init__(self, cookie: int, camera: Camera) -> None:
        self.cookie, self.buffers, self.metadata, self.status = cookie, {}, {}, self.Status.Pending
        self.controls: dict[str, Any] = {}
        self._camera = camera
        self.buffers: dict[Stream, FrameBuffer]
        self.metadata: dict[ControlId, Any]

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: Any) -> None:
        if control not in self._camera.controls:
            raise RuntimeError(f"control {control} cannot be set")
        self.controls[control.name] = value

    def reuse(self) -> None:
        self.status, self.metadata, self.controls = self.Status.Pending, {}, {}


class Camera:
    """A Camera Module 2 in front of `scene(n)`, n the number of the frame; with `lens` a Module 3."""

    def __init__(
        self, scene: Callable[[int], NDArray[np.uint8]], *, lens: bool = False, fps: float = 100.0, room: Room | None = None
    ) -> None:
        self.scene, self.fps, self.room = scene, fps, room or Room()
        self.id = "/base/soc/i2c0mux/i2c@1/imx219@10"
        self.sensor = (3280, 2464)
        self.frozen = False
        self.controls = settable(self.sensor, lens)
        self.properties = {
            IDS["Model"]: "imx708" if lens else "imx219",
            IDS["Location"]: 2,
            IDS["Rotation"]: 180,
            IDS["PixelArraySize"]: Size(*self.sensor),
            IDS["ColorFilterArrangement"]: 0,
            IDS["UnitCellSize"]: Size(1120, 1120),
            IDS["ScalerCropMaximum"]: Rectangle(0, 0, *self.sensor),
        }
        self.applied: dict[str, Any] = {
            "AeEnable": True, "AwbEnable": True, "ExposureTime": 5_000, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0),
            "LensPosition": 1.0, "AfMode": controls.AfModeEnum.Manual,
        }  # fmt: skip
        self.asked: list[dict[str, Any]] = []  # all that the program set, in order
        self._focus_state, self._scan_ends = controls.AfStateEnum.Idle, 0
        self._acquired = self._running = False
        self._queue: list[Request] = []
        self._late: list[tuple[int, dict[str, Any]]] = []
        self._count = 0
        self._changed = threading.Condition()
        self._configuration: CameraConfiguration
        self._thread: threading.Thread

    def acquire(self) -> None:
        if self._acquired:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self._acquired = True

    def release(self) -> None:
        self._acquired = False

    def generate_configuration(self, roles: list[StreamRole]) -> CameraConfiguration:
        raw = StreamFormats({name: [(640, 480), (1640, 1232), (1920, 1080), self.sensor] for name in RAW_FORMATS})
        plain = StreamFormats({name: [self.sensor] for name in (*RGB_ORDERS, "YUV420")})
        return CameraConfiguration(
            [
                StreamConfiguration("SRGGB10_CSI2P", self.sensor, raw)
                if role is StreamRole.Raw
                else StreamConfiguration("XBGR8888", (800, 600), plain)
                for role in roles
            ],
            list(roles),
        )

    def configure(self, configuration: CameraConfiguration) -> int:
        if self._running:
            raise RuntimeError("the camera is running")
        configuration.validate()
        self._configuration = configuration
        return 0

    def create_request(self, cookie: int = 0) -> Request:
        return Request(cookie, self)

    def start(self, first: dict[ControlId, Any] | None = None) -> None:
        self._running, self._queue, self._count, self._late = True, [], 0, []
        self._set({control.name: value for control, value in (first or {}).items()})
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._running = False
            self._changed.notify_all()
        self._thread.join()
        for request in self._queue:
            request.status = Request.Status.Cancelled
            CameraManager.singleton().complete(request)
        self._queue = []

    def queue_request(self, request: Request) -> None:
        with self._changed:
            self._queue.append(request)
            self._changed.notify_all()

    def _set(self, wanted: dict[str, Any]) -> None:
        if wanted:
            self.asked.append(dict(wanted))
        self.applied |= wanted
        if wanted.get("AfTrigger") == controls.AfTriggerEnum.Start:
            self._focus_state, self._scan_ends = controls.AfStateEnum.Scanning, self._count + _SCAN

    def _run(self) -> None:
        due = time.monotonic()
        while True:
            with self._changed:
                while self._running and (self.frozen or not self._queue):
                    self._changed.wait(0.02)  # `frozen` is set from outside
                if not self._running:
                    return
                request = self._queue.pop(0)
            due = max(due + 1 / self.fps, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))
            self._late.append((self._count + FRAMES_UNTIL_SHOWN, request.controls))
            while self._late and self._late[0][0] <= self._count:
                self._set(self._late.pop(0)[1])
            self._automatics()
            self._count += 1
            self._fill(request)

    def _automatics(self) -> None:
        """One frame's step of exposure, white balance and focus towards what the room wants."""
        now, room = self.applied, self.room
        if now["AeEnable"]:
            for name, wanted in (("ExposureTime", room.exposure_us), ("AnalogueGain", room.gain)):
                step = (wanted - now[name]) * _SETTLING
                now[name] = now[name] + step if abs(step) > 0.001 * wanted else wanted
            now["ExposureTime"] = round(now["ExposureTime"])
        if now["AwbEnable"]:
            now["ColourGains"] = tuple(a + (b - a) * _SETTLING for a, b in zip(now["ColourGains"], room.colour_gains, strict=True))
        if self._focus_state is controls.AfStateEnum.Scanning and self._count >= self._scan_ends:
            now["LensPosition"] = room.distance_dioptres
            self._focus_state = controls.AfStateEnum.Focused if room.distance_dioptres < 10 else controls.AfStateEnum.Failed

    def _fill(self, request: Request) -> None:
        taken_ns = time.monotonic_ns()
        picture = self._exposed(np.asarray(self.scene(self._count)))
        for stream, buffer in request.buffers.items():
            stream_format, plane = stream.configuration, buffer.planes[0]
            width, height = stream_format.size.to_tuple()
            rows, columns = np.arange(height) * picture.shape[0] // height, np.arange(width) * picture.shape[1] // width
            data = packed(picture[rows[:, None], columns], str(stream_format.pixel_format), stream_format.stride, stream_format.frame_size)
            os.pwrite(plane.fd, data, plane.offset)
        now = self.applied
        told = {
            "SensorTimestamp": taken_ns,
            "ExposureTime": int(now["ExposureTime"]),
            "AnalogueGain": float(now["AnalogueGain"]),
            "DigitalGain": 1.0,
            "ColourGains": tuple(now["ColourGains"]),
            "ColourTemperature": 4500,
            "FrameDuration": round(1e6 / self.fps),
            "ScalerCrop": Rectangle(0, 0, *self.sensor),
        }
        if IDS["AfMode"] in self.controls:
            told |= {"LensPosition": now["LensPosition"], "AfState": int(self._focus_state)}
        request.metadata = {IDS[name]: value for name, value in told.items()}
        request.status = Request.Status.Complete
        CameraManager.singleton().complete(request)

    def _exposed(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The scene in the present exposure; linear, which a real camera's pictures are not."""
        now, room = self.applied, self.room
        brightness = now["ExposureTime"] * now["AnalogueGain"] / (room.exposure_us * room.gain)
        red, blue = (a / b for a, b in zip(now["ColourGains"], room.colour_gains, strict=True))
        picture = np.clip(rgb * (brightness * np.array([red, 1.0, blue])), 0, 255).round().astype(np.uint8)
        if self._configuration.orientation in (Orientation.Rotate180, Orientation.Rotate180Mirror):
            picture = picture[::-1]
        if self._configuration.orientation in (Orientation.Rotate180, Orientation.Rotate0Mirror):
            picture = picture[:, ::-1]
        return picture


class CameraManager:
    _only: CameraManager | None = None
    version = "pretend"

    @staticmethod
    def singleton() -> CameraManager:
        if CameraManager._only is None:
            CameraManager._only = CameraManager()
        return CameraManager._only

    def __init__(self) -> None:
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.cameras: list[Camera] = []
        self._ready: list[Request] = []
        self._lock = threading.Lock()

    def get(self, name: str) -> Camera:
        return next(camera for camera in self.cameras if camera.id == name)

    def complete(self, request: Request) -> None:
        with self._lock:
            self._ready.append(request)
        os.eventfd_write(self.event_fd, 1)

    def get_ready_requests(self) -> list[Request]:
        with suppress(BlockingIOError):
            os.eventfd_read(self.event_fd)
        with self._lock:
            ready, self._ready = self._ready, []
        return ready


class FrameBufferAllocator:
    def __init__(self, camera: Camera) -> None:
        raise RuntimeError("picamera2 takes its buffers from a DMA heap, which a test replaces")


def plug(*cameras: Camera) -> None:
    """These cameras are on the cables from now on."""
    CameraManager.singleton().cameras = list(cameras)
