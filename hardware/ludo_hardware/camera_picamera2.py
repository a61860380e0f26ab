"""The Raspberry Pi's camera on the ribbon cable, through picamera2 (apt: python3-picamera2), to be used in a process of its own.

One configuration for good: the picture in BGR (picamera2 calls that order "RGB888") and a small YUV one for the gate, on buffers of their
own. Everything that waits has a time limit: without one, picamera2 waits for ever on a camera that has stopped, and so does `stop()` while
a request is still queued, hence `cancel_all_and_flush()` whenever one ran out. New controls show several frames late, so the metadata of
every picture is compared with what the camera is held to.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from .camera import SMALL_WIDTH, Light, Picture, flicker_free
from .ports import DeviceError

_log = logging.getLogger(__name__)

BUFFERS = 4
STEADY_FRAMES = 6  # so many in a row within the tolerances below: the automatics have settled
FRAMES_TO_SHOW = 80  # controls have been seen to take that many frames
_TOLERANCE = 0.03  # of exposure, gain and colour gains: the sensor counts exposure in lines and gain in steps
_LINE_US = 30  # the time a sensor takes for one line


class Picamera2Camera:
    """A camera held to one light. The constructor takes seconds: it waits until exposure and white balance have settled."""

    def __init__(
        self,
        number: int = 0,
        *,
        size: tuple[int, int] = (1280, 960),
        rate_hz: float = 10.0,
        mains_hz: int = 50,
        settle_s: float = 8.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size, self._rate_hz, self._mains_hz, self._settle_s, self._clock = size, rate_hz, mains_hz, settle_s, clock
        self._light: Light | None = None
        self._camera = _open(number)
        try:
            self._configure()
            self.measure_light()
        except BaseException:
            self.close()
            raise

    def _configure(self) -> None:
        small = (SMALL_WIDTH, round(self._size[1] * SMALL_WIDTH / self._size[0] / 2) * 2)
        frame_us = round(1e6 / self._rate_hz)
        with _refusals(f"the camera does not give pictures of {self._size[0]} x {self._size[1]}"):
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": self._size, "format": "RGB888"},
                    lores={"size": small, "format": "YUV420"},
                    raw=None,
                    buffer_count=BUFFERS,
                    queue=False,
                    display=None,
                    encode=None,
                    controls={"FrameDurationLimits": (frame_us, frame_us)},
                )
            )
            self._camera.start()

    def measure_light(self) -> None:
        """Let exposure, gain, white balance and focus settle, then hold them. Raises DeviceError when no pictures come."""
        self._light = None
        with _refusals("the camera refuses its controls"):
            self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
        self._focus()
        found = self._settled_light()
        exposure_us, gain = flicker_free(
            found.exposure_us,
            found.gain,
            mains_hz=self._mains_hz,
            longest_us=min(40_000.0, 1e6 / self._rate_hz),
            highest_gain=self._camera.camera_controls["AnalogueGain"][1],
        )
        self._light = Light(exposure_us, gain, found.colour_gains)
        _log.info("the camera is held at %s", self._light)
        self._hold()
        for _ in range(FRAMES_TO_SHOW):
            if self._holds(self._metadata()):
                return
        raise DeviceError(f"the camera does not take an exposure of {exposure_us} us: another program may be changing it")

    def _focus(self) -> None:
        if "AfMode" not in self._camera.camera_controls:
            return
        from libcamera import controls

        job = self._camera.autofocus_cycle(wait=False)
        try:
            found = self._camera.wait(job, timeout=self._settle_s)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            found = False
        if not found:
            _log.warning("the camera found no focus; the lens stays where it is")
        position = self._metadata().get("LensPosition")
        fixed = {"AfMode": controls.AfModeEnum.Manual}
        self._camera.set_controls(fixed if position is None else {**fixed, "LensPosition": position})

    def _settled_light(self) -> Light:
        """The light once it stayed alike for some frames, or when that took too long."""
        deadline = self._clock() + self._settle_s
        last, alike = _light_of(self._metadata()), 0
        while alike < STEADY_FRAMES:
            if self._clock() > deadline:
                _log.warning("exposure and white balance do not settle; the camera is held where they are")
                break
            now = _light_of(self._metadata())
            alike = alike + 1 if _alike(now, last) else 0
            last = now
        if last is None:
            raise DeviceError("the camera does not tell its exposure and white balance: only the Pi's own colour cameras do")
        return last

    def _hold(self) -> None:
        assert self._light is not None
        with _refusals("the camera refuses its controls"):
            self._camera.set_controls(
                {
                    "AeEnable": False,
                    "AwbEnable": False,  # alone it keeps nothing: the gains must be given
                    "ExposureTime": self._light.exposure_us,
                    "AnalogueGain": self._light.gain,
                    "ColourGains": self._light.colour_gains,
                }
            )

    def _holds(self, metadata: dict[str, Any]) -> bool:
        return _alike(_light_of(metadata), self._light)

    def _metadata(self) -> dict[str, Any]:
        return self._request(self._settle_s, lambda request: None)[1]

    def capture(self, timeout_s: float) -> Picture:
        picture, _ = self._held_request(timeout_s, lambda request: np.asarray(request.make_array("main"), np.uint8))
        return picture

    def glance(self, timeout_s: float) -> Picture:
        grey, _ = self._held_request(timeout_s, self._small_grey)
        return grey

    def _small_grey(self, request: Any) -> Picture:
        width, height = self._camera.camera_configuration()["lores"]["size"]
        planes = request.make_array("lores")  # Y, then U and V; rows are padded to the stride
        return np.ascontiguousarray(planes[:height, :width])

    def _held_request(self, timeout_s: float, make: Callable[[Any], Picture]) -> tuple[Picture, dict[str, Any]]:
        """What `make` makes of the first frame begun after the call that was taken in the light the camera is held to."""
        deadline = self._clock() + timeout_s
        while True:
            result, metadata = self._request(max(deadline - self._clock(), 0.001), make)
            if self._holds(metadata):
                return result, metadata
            self._hold()  # something put the automatics back on
            if self._clock() >= deadline:
                raise DeviceError("the camera does not keep the exposure it was given: another program may be changing it")

    def _request(self, timeout_s: float, make: Callable[[Any], Any]) -> tuple[Any, dict[str, Any]]:
        try:
            request = self._camera.capture_request(wait=timeout_s, flush=True)
        except TimeoutError as error:
            self._camera.cancel_all_and_flush()
            raise DeviceError(f"the camera gave no picture for {timeout_s:.1f} s: is its cable loose?") from error
        try:
            return make(request), request.get_metadata()
        finally:
            request.release()

    def close(self) -> None:
        """Give the camera back, even a frozen one."""
        for step in (self._camera.cancel_all_and_flush, self._camera.stop, self._camera.close):
            with suppress(Exception):
                step()


def _open(number: int) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError(f"picamera2 cannot be imported ({error}): sudo apt install python3-picamera2") from error
    with _refusals("the camera cannot be opened"):
        return Picamera2(number)


@contextmanager
def _refusals(what: str) -> Iterator[None]:
    """picamera2 says no with RuntimeErrors, the reason often further down the chain of causes: make one DeviceError of it."""
    try:
        yield
    except (RuntimeError, ValueError, IndexError, OSError) as error:
        reasons: list[str] = []
        cause: BaseException | None = error
        while cause is not None:
            reasons.append(str(cause))
            cause = cause.__cause__ or cause.__context__
        text = " · ".join(dict.fromkeys(reasons))
        if "no camera" in text.lower() or "not found" in text.lower():
            raise DeviceError("no camera was found: check both ends of the ribbon cable, then `rpicam-hello --list-cameras`") from error
        if "busy" in text.lower():
            raise DeviceError("the camera is used by another program: stop that (`sudo fuser -v /dev/media*` names it)") from error
        raise DeviceError(f"{what}: {text}") from error


def _light_of(metadata: dict[str, Any]) -> Light | None:
    try:
        gain = metadata["AnalogueGain"] * metadata.get("DigitalGain", 1.0)
        red, blue = metadata["ColourGains"]
        return Light(metadata["ExposureTime"], gain, (red, blue))
    except KeyError:
        return None


def _alike(one: Light | None, other: Light | None) -> bool:
    if one is None or other is None:
        return one is other
    near_exposure = abs(one.exposure_us - other.exposure_us) <= max(_TOLERANCE * other.exposure_us, 2 * _LINE_US)
    factors = [(one.gain, other.gain), *zip(one.colour_gains, other.colour_gains, strict=True)]
    return near_exposure and all(abs(a - b) <= _TOLERANCE * max(abs(a), abs(b)) for a, b in factors)
