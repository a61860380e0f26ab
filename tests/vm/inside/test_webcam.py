"""A camera through V4L2, OpenCV and the camera's process, on the kernel's test camera."""

from __future__ import annotations

import os

import numpy as np
import pytest
from machine import Webcam, until

from ludo_hardware.camera_process import Back, CameraProcess, Lost
from ludo_hardware.camera_v4l2 import V4l2Camera
from ludo_hardware.ports import DeviceError

cv2 = pytest.importorskip("cv2")


def test_pictures_come_and_are_new(webcam: Webcam) -> None:
    camera = V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
    first, second = camera.capture(10.0), camera.capture(10.0)
    assert first.shape == (480, 640, 3)
    assert first.dtype == np.uint8
    assert (first != second).any(), "vivid writes the time into its pictures"
    assert camera.glance(10.0).shape == (240, 320)
    camera.close()


def test_device_is_given_back(webcam: Webcam) -> None:
    for _ in range(3):
        camera = V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
        camera.capture(10.0)
        camera.close()
    assert not [one for one in os.listdir("/proc/self/fd") if os.path.realpath(f"/proc/self/fd/{one}") == "/dev/video0"]


def test_second_user_is_refused(webcam: Webcam) -> None:
    camera = V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
    with pytest.raises(DeviceError, match="used by another program"):
        V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
    camera.close()


def test_unplugged_camera_is_told_and_comes_back(webcam: Webcam) -> None:
    camera = V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
    camera.capture(10.0)
    webcam.unplug()
    assert camera._thread is not None
    camera._thread.join(15)
    with pytest.raises(DeviceError, match="was it unplugged"):
        camera.capture(1.0)
    camera.close()
    camera = V4l2Camera("/dev/video0", size=(640, 480), rate_hz=25.0, warm_up_s=0.0)
    assert camera.capture(10.0).shape == (480, 640, 3)
    camera.close()


def test_camera_works_in_its_process(webcam: Webcam) -> None:
    process = CameraProcess("ludo_hardware.probe:look", ({"kind": "v4l2", "size": (640, 480), "rate_hz": 25.0},), start_s=60.0)
    messages: list[object] = []
    process.start()
    assert until(lambda: messages.extend(process.poll()) or any(isinstance(one, dict | Lost) for one in messages), 60.0)
    process.close()
    assert messages[0] == Back()
    assert isinstance(messages[1], dict)
    assert messages[1]["size"] == (640, 480)
    assert messages[1]["sharpness"] > 4
