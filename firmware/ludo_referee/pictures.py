"""Pictures and videos of a recording, decoded. Imports OpenCV when called: only for the process that sees.

OpenCV fills the missing part of a truncated JPEG with grey and says nothing, so the end of the file is looked at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .recording import RecordingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
PNG_START, PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


def load_picture(path: Path) -> Picture:
    """The picture in a whole JPEG or PNG file, `(h, w, 3) uint8` BGR. Raises RecordingError."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise RecordingError(f"{path}: the picture is missing") from None
    except OSError as error:
        raise RecordingError(f"{path}: the picture cannot be read: {error.strerror}") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> Picture:
    """The picture in an encoded JPEG or PNG, `(h, w, 3) uint8` BGR; `name` names it in errors. Raises RecordingError."""
    if not data.startswith((JPEG_START, PNG_START)):
        raise RecordingError(f"{name}: not a picture (JPEG or PNG)" if data else f"{name}: the picture file is empty")
    if not _is_whole(data):
        raise RecordingError(f"{name}: the picture is truncated; copy it again")

    import cv2
    import numpy as np

    try:
        picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise RecordingError(f"{name}: the picture is damaged and cannot be decoded")
    return np.asarray(picture, dtype=np.uint8)


def save_picture(path: Path, picture: Picture) -> None:
    """Write a picture as its name's ending says (.png, .jpg). Raises RecordingError."""
    import cv2

    try:
        _, data = cv2.imencode(path.suffix or ".png", picture)
        path.write_bytes(data.tobytes())
    except cv2.error:
        raise RecordingError(f"{path}: pictures are written as .png or .jpg") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error


def video_frames(path: Path) -> Iterator[tuple[float, Picture]]:
    """Each picture of a video with its second from the video's start, not going back. Raises RecordingError."""
    import cv2
    import numpy as np

    if not Path(path).is_file():
        raise RecordingError(f"{path}: the video is missing")
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise RecordingError(f"{path}: not a video that OpenCV can play")
        t, count = 0.0, 0
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        while True:
            there, picture = capture.read()
            if not there:
                break
            # Some containers carry no times (always 0): count by the frame rate then.
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 or count / rate
            t = max(t, stamp)
            count += 1
            yield t, np.asarray(picture, dtype=np.uint8)
        if count == 0:
            raise RecordingError(f"{path}: the video has no picture that can be decoded")
    finally:
        capture.release()


def _is_whole(data: bytes) -> bool:
    """Whether the encoded picture reaches its end marker; zeros or a few bytes after it (some cameras pad) do no harm."""
    if data.startswith(PNG_START):
        return PNG_END in data[-64:]
    return JPEG_END in data.rstrip(b"\0")[-64:]


# --- pictures to be kept ---------------------------------------------------------------------------------------------

AROUND = 1.5  # squares around the board that stay: tall tokens at the rim lean over it
VEIL = 128  # grey level of what is masked
JPEG_QUALITY = 85


def board_jpeg(picture: Picture, corners: Sequence[tuple[float, float]], size: int) -> bytes:
    """The picture as JPEG with everything outside the board masked: no face, no hand, no room is kept.

    corners: the grid's outer corners in pixels, in the order of the seats from the top left clockwise; size: squares along a side.
    """
    import cv2
    import numpy as np

    around = AROUND / size
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
    wider = np.array([(-around, -around), (1 + around, -around), (1 + around, 1 + around), (-around, 1 + around)], dtype=np.float32)
    onto = cv2.getPerspectiveTransform(unit, np.array(corners, dtype=np.float32))
    outline = cv2.perspectiveTransform(wider[None], onto)[0]
    keep = np.zeros(picture.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(keep, np.round(outline).astype(np.int32), 255)
    masked = np.where(keep[:, :, None] > 0, picture, np.uint8(VEIL))
    return bytes(cv2.imencode(".jpg", masked, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])
