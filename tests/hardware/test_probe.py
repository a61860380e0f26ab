"""What devices answer when they are only asked, on kernel calls that a test answers."""

from __future__ import annotations

import fcntl
import struct
from pathlib import Path

import pytest

from ludo_hardware import probe


@pytest.mark.parametrize(
    ("flags", "consumer", "user"), [(0, b"", None), (1, b"gpio_keys", "gpio_keys"), (1, b"", "somebody"), (2, b"", None)]
)
def test_user_of_a_line(flags: int, consumer: bytes, user: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(_: int, call: int, question: bytes) -> bytes:
        assert call >> 16 & 0x3FFF == len(question) == 72
        return struct.pack("II32s32s", struct.unpack_from("I", question)[0], flags, b"GPIO17", consumer)

    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(fcntl, "ioctl", kernel)
    assert probe.line_user(tmp_path / "gpiochip0", 17) == user


@pytest.mark.parametrize(("number", "answers"), [(0, True), (16, True), (121, False), (6, False), (5, False)])
def test_address_on_a_bus(number: int, answers: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(_: int, call: int, address: int) -> None:
        assert (call, address) == (0x0703, 0x3C)
        if number:
            raise OSError(number, "")

    (tmp_path / "i2c-1").touch()
    monkeypatch.setattr(fcntl, "ioctl", kernel)
    assert probe.i2c_answers(tmp_path / "i2c-1", 0x3C) is answers


def test_stuck_bus_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(*_: object) -> None:
        raise OSError(110, "Connection timed out")

    (tmp_path / "i2c-1").touch()
    monkeypatch.setattr(fcntl, "ioctl", kernel)
    with pytest.raises(OSError, match="timed out"):
        probe.i2c_answers(tmp_path / "i2c-1", 0x3C)
