"""What all cameras share, pictures and films in place of a camera, and a USB camera's exposure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludo_hardware import camera_v4l2
from ludo_hardware.camera import flicker_free, open_camera, small_grey
from ludo_hardware.camera_files import FilmCamera, FolderCamera
from ludo_hardware.camera_v4l2 import V4l2Camera, hold_exposure
from ludo_hardware.ports import DeviceError


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "held"),
    [
        (17_400, 1.0, 50, (10_000, 1.74)),
        (17_400, 1.5, 50, (20_000, 1.305)),
        (17_400, 1.5, 60, (25_000, 1.044)),
        (33_000, 8.0, 50, (40_000, 6.6)),
        (2_000, 1.0, 50, (2_000, 1.0)),  # the sun does not flicker
        (2_000, 3.0, 50, (6_000, 1.0)),
        (40_000, 60.0, 50, (40_000, 16.0)),  # too dark: as bright as it gets
    ],
)
def test_exposure_becomes_whole_half_mains_periods(exposure_us: int, gain: float, mains_hz: int, held: tuple[int, float]) -> None:
    assert flicker_free(exposure_us, gain, mains_hz=mains_hz) == pytest.approx(held, rel=0.001)


@given(st.floats(100, 100_000), st.floats(1, 16), st.sampled_from([50, 60]))
def test_held_picture_is_as_bright_and_free_of_flicker(exposure_us: float, gain: float, mains_hz: int) -> None:
    held_us, held_gain = flicker_free(exposure_us, gain, mains_hz=mains_hz)
    assert 1 <= held_gain <= 16
    assert held_us <= 40_000
    if held_gain < 16:
        assert held_us * held_gain == pytest.approx(exposure_us * gain, rel=0.006)
    halves = held_us * 2 * mains_hz / 1e6
    assert halves < 1 or abs(halves - round(halves)) < 0.001


def test_small_grey_keeps_the_shape() -> None:
    picture = np.zeros((960, 1280, 3), np.uint8)
    picture[:, 640:] = (30, 60, 200)
    small = small_grey(picture)
    assert small.shape == (240, 320)
    assert small[0, 0] == 0
    assert small[0, 319] == pytest.approx(0.114 * 30 + 0.587 * 60 + 0.299 * 200, abs=1)


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def numbered(number: int) -> np.ndarray:
    return np.full((48, 64, 3), number * 40, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), numbered(number))
    (tmp_path / "notes.txt").touch()
    return tmp_path


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (64, 48))
    for number in range(5):
        writer.write(numbered(number))
    writer.release()
    return path


def test_folder_shows_its_pictures_in_their_time_and_keeps_the_last(folder: Path) -> None:
    time = Time()
    camera = FolderCamera(folder, rate_hz=2.0, clock=time, sleep=time.sleep)
    seen = [(int(camera.capture(5.0)[0, 0, 0]), time.now) for _ in range(4)]
    assert seen == [(0, 50.0), (40, 50.5), (80, 51.0), (80, 51.5)]


def test_pictures_that_nobody_looked_at_are_passed_over(folder: Path) -> None:
    time = Time()
    camera = FolderCamera(folder, rate_hz=2.0, clock=time, sleep=time.sleep)
    camera.capture(5.0)
    time.now += 1.2
    assert camera.capture(5.0)[0, 0, 0] == 80


def test_picture_that_is_not_due_in_time_is_a_timeout(folder: Path) -> None:
    time = Time()
    camera = FolderCamera(folder, rate_hz=0.1, clock=time, sleep=time.sleep)
    camera.capture(1.0)
    with pytest.raises(DeviceError, match=r"due in 10\.0 s"):
        camera.capture(1.0)


def test_damaged_picture_is_named(folder: Path) -> None:
    (folder / "f0.png").write_bytes(b"not a picture")
    with pytest.raises(DeviceError, match=r"f0\.png is no picture, or a damaged one"):
        FolderCamera(folder).capture(1.0)


def test_vanished_picture_is_named(folder: Path) -> None:
    camera = FolderCamera(folder)
    (folder / "f0.png").unlink()
    with pytest.raises(DeviceError, match=r"f0\.png cannot be read: No such file"):
        camera.capture(1.0)


@pytest.mark.parametrize("what", ["empty", "missing"])
def test_folder_without_pictures_is_named(tmp_path: Path, what: str) -> None:
    if what == "empty":
        (tmp_path / what).mkdir()
    with pytest.raises(DeviceError, match=what):
        FolderCamera(tmp_path / what)


def test_film_plays_at_its_own_speed_and_keeps_the_last_picture(film: Path) -> None:
    time = Time()
    camera = FilmCamera(film, clock=time, sleep=time.sleep)
    first = camera.capture(5.0)
    time.now += 0.4
    third = camera.capture(5.0)
    time.now += 60.0
    last = camera.capture(5.0)
    camera.close()
    np.testing.assert_allclose([picture[20, 20, 0] for picture in (first, third, last)], [0, 80, 160], atol=3)


def test_file_that_is_no_film_is_named(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"nothing")
    with pytest.raises(DeviceError, match=r"film\.mp4 is no film"):
        FilmCamera(tmp_path / "film.mp4")


def test_configuration_chooses_between_folder_and_film(folder: Path, film: Path) -> None:
    assert isinstance(open_camera("folder", folder=str(folder)), FolderCamera)
    camera = open_camera("folder", folder=str(film))
    assert isinstance(camera, FilmCamera)
    camera.close()


class UsbCamera:
    """The controls of a USB camera that looks at a table; `tells` is the exposure it claims its automatics chose."""

    def __init__(self, *, tells: int | None, automatic: int = 156, manual: bool = True) -> None:
        self.exposure = self.automatic = automatic
        self.tells, self.manual = tells, manual
        self.by_hand = False

    def get(self, control: int) -> int | None:
        return self.tells

    def set(self, control: int, value: int) -> bool:
        if control == camera_v4l2._AUTO_EXPOSURE:
            self.by_hand = value == camera_v4l2._BY_HAND and self.manual
            return self.manual
        if control == camera_v4l2._EXPOSURE:
            self.exposure = value
        return True

    def brightness(self) -> float:
        units = self.exposure if self.by_hand else self.automatic
        return float(np.clip(100 * (units / self.automatic) ** (1 / 2.2), 0, 255))


@pytest.mark.parametrize("tells", [156, 5, 2047])
def test_usb_exposure_is_held_as_bright_as_before_whatever_the_camera_tells(tells: int) -> None:
    camera = UsbCamera(tells=tells)
    assert hold_exposure(camera, camera.brightness, mains_hz=50, rate_hz=10.0)  # type: ignore[arg-type]
    assert camera.by_hand
    assert camera.exposure in (100, 200)
    assert 0.85 <= camera.brightness() / 100 <= 1.18


@pytest.mark.parametrize("camera", [UsbCamera(tells=None), UsbCamera(tells=156, manual=False)])
def test_usb_camera_without_the_knob_stays_automatic(camera: UsbCamera) -> None:
    assert not hold_exposure(camera, camera.brightness, mains_hz=50, rate_hz=10.0)  # type: ignore[arg-type]
    assert not camera.by_hand


def test_usb_exposure_that_does_nothing_is_given_back_to_the_automatics() -> None:
    camera = UsbCamera(tells=156)
    values = iter([100.0, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0])
    assert not hold_exposure(camera, lambda: next(values), mains_hz=50, rate_hz=10.0)  # type: ignore[arg-type]
    assert not camera.by_hand


class Video:
    """In place of cv2.VideoCapture: counts its pictures up, or gives none."""

    def __init__(self, pictures: int = 1_000_000, opened: bool = True) -> None:
        self.left, self.opened, self.count, self.released = pictures, opened, 0, False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def set(self, *_: Any) -> bool:
        return False

    def grab(self) -> bool:
        self.left -= 1
        self.count += 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, np.full((48, 64, 3), self.count % 200, np.uint8)

    def read(self) -> tuple[bool, np.ndarray]:
        return self.grab(), self.retrieve()[1]

    def release(self) -> None:
        self.released = True


@pytest.fixture
def usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Opens a V4l2Camera on a device that is no real one."""
    device = tmp_path / "video0"
    device.touch()
    cameras: list[V4l2Camera] = []

    def open_one(video: Video) -> V4l2Camera:
        monkeypatch.setattr(cv2, "VideoCapture", lambda *_: video)
        cameras.append(V4l2Camera(str(device), warm_up_s=0.0))
        return cameras[-1]

    yield open_one
    for camera in cameras:
        camera.close()


def test_usb_camera_gives_new_pictures(usb: Any) -> None:
    camera = usb(Video())
    assert camera.capture(5.0).shape == (48, 64, 3)
    assert camera.glance(5.0).shape == (240, 320)
    camera.measure_light()
    assert camera.capture(5.0).shape == (48, 64, 3)


def test_usb_camera_gives_its_device_back(usb: Any) -> None:
    video = Video()
    usb(video).close()
    assert video.released


def test_usb_camera_that_is_unplugged_says_so(usb: Any) -> None:
    camera = usb(Video(pictures=50))
    camera._thread.join(5)  # it takes every picture, asked for or not
    with pytest.raises(DeviceError, match="was it unplugged"):
        camera.capture(5.0)


def test_usb_camera_without_pictures_says_so(usb: Any) -> None:
    video = Video(pictures=0)
    with pytest.raises(DeviceError, match="gives no pictures"):
        usb(video)
    assert video.released


def test_usb_camera_in_use_says_so(usb: Any) -> None:
    with pytest.raises(DeviceError, match="used by another program"):
        usb(Video(opened=False))


def test_device_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"video7 does not exist"):
        open_camera("v4l2", device=str(tmp_path / "video7"))


def test_device_that_is_no_camera_is_named(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    with pytest.raises(DeviceError, match="ttyUSB0 is no video device"):
        V4l2Camera(str(tmp_path / "ttyUSB0"))
