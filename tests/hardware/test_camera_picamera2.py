"""The Pi's camera: the real picamera2 on a pretend libcamera. Skipped where picamera2 is not installed (that wants libcap-dev)."""

# ruff: noqa: E402
from __future__ import annotations

import gc
import importlib.util
import itertools
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludo_hardware import probe
from ludo_hardware.camera import open_camera
from ludo_hardware.ports import DeviceError

pytestmark = pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")  # picamera2's

if importlib.util.find_spec("picamera2") is None:
    pytest.skip("picamera2 is not installed", allow_module_level=True)
sys.path.insert(0, str(Path(__file__).parent / "pretend_libcamera"))

import libcamera
import picamera2.allocators.dmaallocator
import picamera2.dma_heap

from ludo_hardware.camera_picamera2 import Picamera2Camera

RED, GREEN = (200, 30, 10), (20, 90, 20)
TIMEOUT_S = 30.0  # of a busy machine


def scene(_: int) -> np.ndarray:
    """A red square right of the middle on green, RGB, brightest channels far from the limit."""
    picture = np.full((480, 640, 3), GREEN, np.uint8)
    picture[140:340, 320:520] = RED
    return picture


class MemoryHeap:
    """In place of /dev/dma_heap, which only a Pi's kernel has."""

    isValid = True  # noqa: N815

    def alloc(self, name: str, size: int) -> Any:
        handle = os.memfd_create(name)
        os.ftruncate(handle, size)
        return picamera2.dma_heap.UniqueFD(handle)

    def close(self) -> None:
        pass


class NoSync:
    @staticmethod
    def ioctl(*_: object) -> int:
        return 0


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Puts a pretend camera on the cable; at the end all pictures' buffers must have been given back."""
    monkeypatch.setattr(picamera2.allocators.dmaallocator, "DmaHeap", MemoryHeap)
    monkeypatch.setattr(picamera2.allocators.dmaallocator, "fcntl", NoSync)
    logging.getLogger("picamera2").setLevel(logging.CRITICAL)

    def plug_one(**options: Any) -> Any:
        camera = libcamera.Camera(scene, **options)
        libcamera.plug(camera)
        return camera

    yield plug_one
    libcamera.plug()


@pytest.fixture
def opened() -> Iterator[Callable[..., Picamera2Camera]]:
    cameras: list[Picamera2Camera] = []

    def open_one(**options: Any) -> Picamera2Camera:
        cameras.append(Picamera2Camera(size=(640, 480), rate_hz=20.0, **{"settle_s": TIMEOUT_S, **options}))
        return cameras[-1]

    yield open_one
    for camera in cameras:
        camera.close()


def test_picture_is_bgr_and_of_the_size_asked_for(plug: Any, opened: Any) -> None:
    plug()
    camera = opened()
    picture = camera.capture(TIMEOUT_S)
    assert picture.shape == (480, 640, 3)
    assert picture.dtype == np.uint8
    np.testing.assert_allclose(picture[240, 420], RED[::-1], atol=4)
    np.testing.assert_allclose(picture[240, 100], GREEN[::-1], atol=4)


def test_cameras_on_the_cables_are_listed_by_name(plug: Any) -> None:
    ours, theirs = Pipe()
    with ours, theirs:
        probe.cameras(theirs)
        assert ours.recv() == []
        plug()
        probe.cameras(theirs)
        assert ours.recv() == ["imx219"]


def test_glance_is_grey_and_without_the_padding_of_its_rows(plug: Any, opened: Any) -> None:
    plug()
    camera = opened()
    grey = camera.glance(TIMEOUT_S)
    assert grey.shape == (240, 320)
    assert grey[120, 210] == pytest.approx(0.299 * 200 + 0.587 * 30 + 0.114 * 10, abs=3)


def test_light_is_measured_and_held_in_whole_half_mains_periods(plug: Any, opened: Any) -> None:
    cable = plug(room=libcamera.Room(exposure_us=17_400, gain=1.5, colour_gains=(1.6, 1.8)))
    opened()
    assert cable.applied["ExposureTime"] == 20_000
    assert cable.applied["AnalogueGain"] == pytest.approx(17_400 * 1.5 / 20_000, rel=0.02)
    assert cable.applied["ColourGains"] == pytest.approx((1.6, 1.8), rel=0.02)
    assert not cable.applied["AeEnable"]
    assert not cable.applied["AwbEnable"]


def test_sixty_hertz_mains_have_their_own_periods(plug: Any, opened: Any) -> None:
    cable = plug()
    opened(mains_hz=60)
    assert cable.applied["ExposureTime"] == 25_000


def test_pictures_stay_as_they_are_when_the_room_changes_until_measured_again(plug: Any, opened: Any) -> None:
    cable = plug()
    camera = opened()
    before = camera.capture(TIMEOUT_S)
    cable.room = libcamera.Room(exposure_us=34_800)  # the lamp is dimmed to a half
    darker = camera.capture(TIMEOUT_S)
    assert darker[240, 420, 2] == pytest.approx(before[240, 420, 2] / 2, abs=4)
    camera.measure_light()
    np.testing.assert_allclose(camera.capture(TIMEOUT_S)[240, 420], before[240, 420], atol=4)


def test_automatics_put_on_by_somebody_else_are_put_off_again(plug: Any, opened: Any) -> None:
    cable = plug()
    camera = opened()
    cable.room = libcamera.Room(exposure_us=5_000)
    cable.applied["AeEnable"] = True
    time.sleep(0.1)  # a few frames for the automatics to act
    picture = camera.capture(TIMEOUT_S)
    assert not cable.applied["AeEnable"]
    assert cable.applied["ExposureTime"] == 20_000
    np.testing.assert_allclose(picture[240, 420, 2], 255, atol=4)  # as bright as the brighter room makes it


def test_picture_was_begun_after_the_call(plug: Any, opened: Any) -> None:
    shown: list[tuple[float, int]] = []
    cable = plug()
    camera = opened()

    def numbered(n: int) -> np.ndarray:
        shown.append((time.monotonic(), n))
        return np.full((480, 640, 3), n % 200, np.uint8)

    cable.scene = numbered
    camera.capture(TIMEOUT_S)
    time.sleep(0.15)
    called = time.monotonic()
    value = int(camera.capture(TIMEOUT_S)[0, 0, 1])
    taken = max(t for t, n in shown if abs(n % 200 - value) <= 2)
    assert taken >= called


def test_lens_is_focused_once_and_fixed(plug: Any, opened: Any) -> None:
    cable = plug(lens=True, room=libcamera.Room(distance_dioptres=2.5))
    opened()
    assert cable.applied["LensPosition"] == 2.5
    assert cable.applied["AfMode"] == 0


def test_lens_that_finds_nothing_stays_and_is_told(plug: Any, opened: Any, caplog: pytest.LogCaptureFixture) -> None:
    cable = plug(lens=True, room=libcamera.Room(distance_dioptres=20.0))
    with caplog.at_level(logging.WARNING):
        opened()
    assert "found no focus" in caplog.text
    assert cable.applied["AfMode"] == 0


def test_frozen_camera_is_given_up_after_the_timeout_and_can_be_closed(plug: Any, opened: Any) -> None:
    cable = plug()
    camera = opened()
    cable.frozen = True
    time.sleep(0.05)
    for _ in range(2):
        with pytest.raises(DeviceError, match=r"gave no picture for 0\.2 s: is its cable loose"):
            camera.capture(0.2)
    closing = threading.Thread(target=camera.close)
    closing.start()
    closing.join(TIMEOUT_S)
    assert not closing.is_alive()
    cable.frozen = False
    opened().capture(TIMEOUT_S)  # and opened again


def test_camera_that_thaws_goes_on(plug: Any, opened: Any) -> None:
    cable = plug()
    camera = opened()
    cable.frozen = True
    time.sleep(0.05)
    with pytest.raises(DeviceError):
        camera.capture(0.2)
    cable.frozen = False
    assert camera.capture(TIMEOUT_S).shape == (480, 640, 3)


def test_camera_frozen_from_the_start_is_no_camera(plug: Any, opened: Any) -> None:
    plug().frozen = True
    with pytest.raises(DeviceError, match="gave no picture"):
        opened(settle_s=0.3)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # picamera2 leaves a pipe open when it fails
def test_no_camera_names_the_cable(plug: Any, opened: Any) -> None:
    with pytest.raises(DeviceError, match="no camera was found: check both ends of the ribbon cable"):
        opened()
    gc.collect()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_camera_in_use_is_told(plug: Any, opened: Any) -> None:
    plug()
    opened()
    with pytest.raises(DeviceError, match="used by another program"):
        opened()
    gc.collect()


def test_unsteady_light_is_held_where_it_is(plug: Any, opened: Any, caplog: pytest.LogCaptureFixture) -> None:
    cable = plug()

    def flickering(n: int) -> np.ndarray:
        cable.room = libcamera.Room(exposure_us=10_000 + n * 7_919 % 20_000)
        return scene(n)

    cable.scene = flickering
    with caplog.at_level(logging.WARNING):
        opened(settle_s=TIMEOUT_S, clock=map(float, itertools.count(0, 2)).__next__)  # each look takes two seconds
    assert "do not settle" in caplog.text


def test_hundred_pictures_give_their_buffers_back(plug: Any, opened: Any) -> None:
    plug(fps=1000.0, room=libcamera.Room(exposure_us=500, gain=1.0))
    camera = opened()
    handles = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        camera.capture(TIMEOUT_S)
    assert len(os.listdir("/proc/self/fd")) <= handles  # an earlier camera's may be collected meanwhile


def test_configured_camera_is_this_one(plug: Any) -> None:
    plug()
    camera = open_camera("picamera", size=(640, 480), rate_hz=20.0)
    assert isinstance(camera, Picamera2Camera)
    camera.close()
