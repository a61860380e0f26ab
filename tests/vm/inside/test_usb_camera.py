"""A USB camera: the kernel's uvcvideo, OpenCV and the adapter, on a camera that this program plugs in and pulls out."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import usb_camera
from machine import until
from PIL import Image
from usb_camera import UsbCamera

from ludo_hardware.camera_v4l2 import V4l2Camera
from ludo_hardware.ports import DeviceError

pytest.importorskip("cv2")
SIZE = (640, 480)


def seen(colour: tuple[int, int, int]) -> Image.Image:
    """A bright square on a darker field."""
    picture = Image.new("RGB", SIZE, colour)
    picture.paste((230, 230, 200), (200, 100, 400, 300))
    return picture


def jpeg(picture: Image.Image) -> bytes:
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=90)
    return data.getvalue()


@pytest.fixture(scope="module")
def plugged() -> Iterator[UsbCamera]:
    camera = UsbCamera([jpeg(seen((90, 60, 40)))], size=SIZE)
    yield camera
    camera.unplug()


def opened(plugged: UsbCamera) -> V4l2Camera:
    assert plugged.device is not None
    return V4l2Camera(plugged.device, size=SIZE, rate_hz=10.0, warm_up_s=0.0)


def test_pictures_arrive_as_the_camera_sees_them(plugged: UsbCamera) -> None:
    camera = opened(plugged)
    for colour in ((90, 60, 40), (20, 120, 60)):
        plugged.show([jpeg(seen(colour))])
        wanted = np.asarray(seen(colour))[:, :, ::-1].astype(int)
        assert until(lambda: abs(camera.capture(20.0).astype(int) - wanted).mean() < 3, 60.0)  # noqa: B023
    camera.close()


def test_light_is_held_by_the_cameras_knobs(plugged: UsbCamera) -> None:
    opened(plugged).close()
    knobs = plugged.knobs
    assert knobs[usb_camera.POWER_LINE] == 1, "50 Hz"
    assert knobs[usb_camera.EXPOSURE_MODE] == usb_camera.BY_HAND
    assert knobs[usb_camera.EXPOSURE] % 100 == 0, "whole half periods of 10 ms"
    assert knobs[usb_camera.AUTO_WHITE] == 0


def test_pulled_plug_is_told_and_put_back_it_works(plugged: UsbCamera) -> None:
    camera = opened(plugged)
    camera.capture(20.0)
    plugged.unplug()
    assert camera._thread is not None
    camera._thread.join(60.0)
    with pytest.raises(DeviceError, match="was it unplugged"):
        camera.capture(20.0)
    camera.close()
    plugged.plug_in()
    camera = opened(plugged)
    assert camera.capture(20.0).shape == (480, 640, 3)
    camera.close()


@pytest.mark.skipif(not Path("/run/udev").exists(), reason="names are udev's")
def test_name_by_what_it_is_stays(plugged: UsbCamera) -> None:
    name = Path("/dev/v4l/by-id/usb-Pretend_Webcam_0001-video-index0")
    assert until(name.exists, 30.0)
    assert plugged.device is not None
    assert os.path.realpath(name) == plugged.device
    V4l2Camera(str(name), size=SIZE, rate_hz=10.0, warm_up_s=0.0).close()
