"""What can be asked of devices without taking them away from whoever uses them, in the standard library; and a look through the camera."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

_GET_LINE_INFO = 0xC048B402  # GPIO_GET_LINEINFO_IOCTL of linux/gpio.h: u32 line, u32 flags, char name[32], char consumer[32]
_LINE_IN_USE = 1
_I2C_ADDRESS = 0x0703  # I2C_SLAVE of linux/i2c-dev.h


def line_user(chip: Path, line: int) -> str | None:
    """Who uses a line of a GPIO chip, as it calls itself; None when it is free. Raises OSError."""
    handle = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
    try:
        answer = fcntl.ioctl(handle, _GET_LINE_INFO, struct.pack("II64x", line, 0))
    finally:
        os.close(handle)
    _, flags, _, consumer = struct.unpack("II32s32s", answer)
    return (consumer.split(b"\0", 1)[0].decode("utf-8", "replace") or "somebody") if flags & _LINE_IN_USE else None


def i2c_answers(bus: Path, address: int) -> bool:
    """Whether anything answers at this address of an I2C bus. Raises OSError when the bus may not be used or is stuck."""
    handle = os.open(bus, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, _I2C_ADDRESS, address)
        os.read(handle, 1)
    except OSError as error:
        if error.errno in (errno.EREMOTEIO, errno.ENXIO, errno.EIO):
            return False
        if error.errno == errno.EBUSY:  # a driver of the kernel has the address, so something is there
            return True
        raise
    finally:
        os.close(handle)
    return True


def cameras(connection: Connection) -> None:
    """A worker for `camera_process`: sends the names of the cameras on the ribbon cables, as libcamera lists them."""
    from picamera2 import Picamera2

    connection.send([str(camera.get("Model", "?")) for camera in Picamera2.global_camera_info()])


def look(connection: Connection, camera_options: dict[str, Any]) -> None:
    """A worker for `camera_process`: takes a picture and sends `{"size", "sharpness", "light", "red", "green", "blue"}`.

    Sharpness is the deviation of the Laplacian of the grey picture, light and colours are means from 0 to 255.
    """
    import cv2
    import numpy as np

    from .camera import open_camera

    camera = open_camera(**camera_options)
    try:
        picture = camera.capture(5.0)
    finally:
        camera.close()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    blue, green, red = (float(mean) for mean in np.mean(picture.reshape(-1, 3), axis=0))
    connection.send(
        {
            "size": (picture.shape[1], picture.shape[0]),
            "sharpness": float(cv2.Laplacian(grey, cv2.CV_64F).std()),
            "light": float(grey.mean()),
            "red": red,
            "green": green,
            "blue": blue,
        }
    )
