"""The QR code on the display leads to the page."""

from __future__ import annotations

import pytest
from PIL import Image

from ludo_referee import screens
from ludo_referee.referee.views import Address

cv2 = pytest.importorskip("cv2")
np = pytest.importorskip("numpy")


def scanned(picture: Image.Image) -> str:
    """What OpenCV reads from the left of a display photographed six times as large, with the dark panel around it."""
    code = np.array(picture.convert("L"))[:, :64]
    code = cv2.resize(code, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    code = cv2.copyMakeBorder(code, 40, 40, 40, 40, cv2.BORDER_CONSTANT)
    return str(cv2.QRCodeDetector().detectAndDecode(code)[0])


@pytest.mark.parametrize("url", ["http://192.168.178.123:8080", "http://ludo.local:8080", "http://10.0.0.2:80/table/Küche"])
@pytest.mark.parametrize("size", [(128, 64), (132, 64)])
def test_a_scanner_reads_the_address(size: tuple[int, int], url: str) -> None:
    assert scanned(screens.draw(Address(url), size)).lower() == url.lower()


def test_an_address_with_a_path_keeps_its_letters() -> None:
    assert scanned(screens.draw(Address("http://10.0.0.2/Tisch"))) == "http://10.0.0.2/Tisch"


def test_low_display_shows_the_address_alone() -> None:
    canvas = screens.canvas_of(Address("http://192.168.178.123:8080"), (128, 32))
    assert canvas.cut == []
