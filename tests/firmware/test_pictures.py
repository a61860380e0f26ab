"""Pictures of a recording: a damaged file is an error, never a half-grey picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from ludo_referee.pictures import load_picture, video_frames
from ludo_referee.recording import RecordingError


def painted() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 255, (48, 64, 3), dtype=np.uint8)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_whole_picture_is_loaded(tmp_path: Path, suffix: str) -> None:
    cv2.imwrite(str(tmp_path / f"p{suffix}"), painted())
    picture = load_picture(tmp_path / f"p{suffix}")
    assert picture.shape == (48, 64, 3)
    if suffix == ".png":
        assert np.array_equal(picture, painted())


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_truncated_picture_is_refused(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"p{suffix}"
    cv2.imwrite(str(path), painted())
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(RecordingError, match="truncated"):
        load_picture(path)


def test_picture_padded_by_the_camera_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "p.jpg"
    cv2.imwrite(str(path), painted())
    path.write_bytes(path.read_bytes() + bytes(500))
    assert load_picture(path).shape == (48, 64, 3)


@pytest.mark.parametrize(("data", "said"), [(b"", "empty"), (b"hello", "not a picture"), (b"\xff\xd8 nonsense \xff\xd9", "damaged")])
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "p.jpg").write_bytes(data)
    with pytest.raises(RecordingError, match=said):
        load_picture(tmp_path / "p.jpg")


def test_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"gone\.jpg: the picture is missing"):
        load_picture(tmp_path / "gone.jpg")


def test_video_gives_pictures_with_their_times(tmp_path: Path) -> None:
    path = str(tmp_path / "clip.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for _ in range(5):
        writer.write(painted())
    writer.release()
    frames = list(video_frames(Path(path)))
    assert [round(t, 2) for t, _ in frames] == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert frames[0][1].shape == (48, 64, 3)


def test_video_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_text("hello")
    with pytest.raises(RecordingError, match="not a video"):
        list(video_frames(tmp_path / "clip.mp4"))
    with pytest.raises(RecordingError, match="missing"):
        list(video_frames(tmp_path / "gone.mp4"))
