"""A USB camera for the virtual machine: the kernel's USB/IP plugs it in, this is the camera's side of the cable.

The kernel's own uvcvideo and V4L2 work it as they work a webcam: MJPEG over a bulk pipe (Universal Serial Bus Device Class Definition for
Video Devices 1.0), with the knobs of a cheap camera. The messages on the cable are described in the kernel's
Documentation/usb/usbip_protocol.rst.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from machine import load, until

VHCI = Path("/sys/devices/platform/vhci_hcd.0")
SUBMIT, UNLINK, ANSWER, UNLINKED = 1, 2, 3, 4
STALL, RESET = -32, -104
HIGH_SPEED = 3
PAYLOAD = 16384  # bytes of a picture that go into one transfer, with a header of 2

SET, GET, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = 0x01, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87
EXPOSURE_MODE, EXPOSURE, POWER_LINE, WHITE_KELVIN, AUTO_WHITE = (1, 0x02), (1, 0x04), (2, 0x05), (2, 0x0A), (2, 0x0B)
BY_HAND, BY_APERTURE = 1, 8
KNOBS = {  # (unit, selector): bytes, least, most, step, as it comes
    EXPOSURE_MODE: (1, 1, 8, BY_HAND | BY_APERTURE, BY_APERTURE),
    EXPOSURE: (4, 1, 5000, 1, 157),
    POWER_LINE: (1, 0, 2, 1, 2),
    WHITE_KELVIN: (2, 2800, 6500, 10, 4600),
    AUTO_WHITE: (1, 0, 1, 1, 1),
}


class UsbCamera:
    """A camera with pictures of one size. `show` sets what it sees; several pictures come in turn. Plugged in from the beginning."""

    def __init__(self, pictures: Sequence[bytes], *, size: tuple[int, int], rate_hz: float = 10.0) -> None:
        """`pictures` are JPEG files' contents."""
        load("usb-camera")
        self._size, self._rate_hz = size, rate_hz
        self._pictures, self._number = tuple(pictures), 0
        self.knobs = {knob: come for knob, (*_, come) in KNOBS.items()}
        self.plug_in()

    def show(self, pictures: Sequence[bytes]) -> None:
        """What the camera sees from now on."""
        self._pictures = tuple(pictures)

    def plug_in(self) -> None:
        """Put the plug in; back when the system has made a device of it."""
        self._cable, plug = socket.socketpair()
        self._waiting: deque[tuple[int, int]] = deque()  # transfers of the kernel's that want a part of a picture
        self._parts: deque[bytes] = deque()
        self._due = time.monotonic()
        with plug:
            (VHCI / "attach").write_text(f"0 {plug.fileno()} 1 {HIGH_SPEED}")
        self._thread = threading.Thread(target=self._serve, name="usb camera", daemon=True)
        self._thread.start()
        assert until(lambda: self.device is not None, 60.0), "the kernel made no camera of it"

    def unplug(self) -> None:
        """Pull the plug out."""
        self._cable.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._cable.close()
        assert until(lambda: self.device is None, 60.0)

    @property
    def device(self) -> str | None:
        """The name of its node in /dev; None while there is none."""
        found = VHCI.glob("usb*/*-1/*/video4linux/video*")
        return min((f"/dev/{one.name}" for one in found if Path("/dev", one.name).exists()), default=None)

    # --- the cable -----------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        while True:
            wait = max(0.0, self._due - time.monotonic()) if self._waiting else None
            if select.select([self._cable], [], [], wait)[0]:
                message = self._read(48)
                if not message:
                    return
                self._hear(message)
            self._stream()

    def _read(self, length: int) -> bytes:
        """So many bytes; none when the plug is out."""
        got = b""
        while len(got) < length:
            try:
                more = self._cable.recv(length - len(got))
            except OSError:
                more = b""
            if not more:
                return b""
            got += more
        return got

    def _hear(self, message: bytes) -> None:
        command, number, _, inwards, endpoint = struct.unpack_from(">5I", message)
        if command == UNLINK:
            other = struct.unpack_from(">I", message, 20)[0]
            waiting = [one for one in self._waiting if one[0] == other]
            for one in waiting:
                self._waiting.remove(one)
            self._send(struct.pack(">5Ii24x", UNLINKED, number, 0, 0, 0, RESET if waiting else 0))
            return
        length = struct.unpack_from(">i", message, 24)[0]
        if endpoint == 1:
            self._waiting.append((number, length))
            return
        data = b"" if inwards else self._read(length)
        answer = self._control(message[40:48], data)
        if answer is None:
            self._answer(number, b"", STALL)
        else:
            self._answer(number, answer[:length], 0, taken=len(data))

    def _answer(self, number: int, data: bytes, status: int = 0, taken: int = 0) -> None:
        self._send(struct.pack(">5Iiiiii8x", ANSWER, number, 0, 0, 0, status, len(data) or taken, 0, 0, 0) + data)

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):  # the plug is out; reading will tell
            self._cable.sendall(message)

    def _stream(self) -> None:
        """Give the kernel the parts of pictures that it waits for."""
        now = time.monotonic()
        if self._waiting and not self._parts and now >= self._due:
            self._due = now + 1 / self._rate_hz
            self._number += 1
            jpeg, room = self._pictures[self._number % len(self._pictures)], PAYLOAD - 2
            for start in range(0, len(jpeg), room):
                last = start + room >= len(jpeg)
                self._parts.append(bytes([2, 0x80 | last << 1 | self._number & 1]) + jpeg[start : start + room])
        while self._waiting and self._parts:
            self._answer(self._waiting.popleft()[0], self._parts.popleft())

    # --- what the kernel asks ------------------------------------------------------------------------------------------

    def _control(self, setup: bytes, data: bytes) -> bytes | None:
        """The answer to a request on the control pipe; None: refused."""
        kind, request, value, index, _ = struct.unpack("<BBHHH", setup)
        if kind & 0x60 == 0x20:
            unit, selector = index >> 8, value >> 8
            return self._probe(request) if unit == 0 else self._knob((unit, selector), request, data)
        if request == 6:  # GET_DESCRIPTOR
            return self._descriptor(value >> 8, value & 0xFF)
        return {0: b"\0\0", 8: b"\1", 10: b"\0"}.get(request, b"") if request in (0, 1, 8, 9, 10, 11) else None

    def _probe(self, request: int) -> bytes | None:
        """The one format there is, whatever was proposed."""
        if request == SET:
            return b""
        if request == GET_LEN:
            return b"\x1a\0"
        if request == GET_INFO:
            return b"\3"
        return struct.pack("<HBBI5HII", 1, 1, 1, self._interval, 0, 0, 0, 0, 0, self._room, PAYLOAD)

    def _knob(self, knob: tuple[int, int], request: int, data: bytes) -> bytes | None:
        if knob not in KNOBS:
            return None
        size, least, most, step, come = KNOBS[knob]
        if request == SET:
            if knob == EXPOSURE and self.knobs[EXPOSURE_MODE] != BY_HAND:
                return None
            self.knobs[knob] = int.from_bytes(data, "little")
            return b""
        if request == GET_INFO:
            return b"\3"
        if request == GET_LEN:
            return size.to_bytes(2, "little")
        answers = {GET: self.knobs[knob], GET_MIN: least, GET_MAX: most, GET_RES: step, GET_DEF: come}
        return answers[request].to_bytes(size, "little") if request in answers else None

    # --- what it says of itself ----------------------------------------------------------------------------------------

    @property
    def _interval(self) -> int:
        return round(1e7 / self._rate_hz)

    @property
    def _room(self) -> int:
        return 2 * self._size[0] * self._size[1]

    def _descriptor(self, kind: int, number: int) -> bytes | None:
        if kind == 1:
            return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0xEF, 2, 1, 64, 0x1209, 0x0001, 0x0100, 1, 2, 3, 1)
        if kind == 2:
            return self._configuration()
        if kind == 3:
            text = ("\u0409", "Pretend", "Webcam", "0001")[number].encode("utf-16-le") if number < 4 else b""
            return bytes([2 + len(text), 3]) + text
        return None

    def _configuration(self) -> bytes:
        terminal = struct.pack("<BBBBHBBHHHB3s", 18, 0x24, 2, 1, 0x0201, 0, 0, 0, 0, 0, 3, b"\x0a\0\0")  # mode and time of exposure
        unit = struct.pack("<BBBBBHBHB", 11, 0x24, 5, 2, 1, 0, 2, 0x1440, 0)  # white balance, power line
        output = struct.pack("<BBBBHBBB", 9, 0x24, 3, 3, 0x0101, 0, 2, 0)
        inner = terminal + unit + output
        control = struct.pack("<BBBHHIBB", 13, 0x24, 1, 0x0100, 13 + len(inner), 48_000_000, 1, 1) + inner
        wide, high = self._size
        rate = self._room * 8 * round(self._rate_hz)
        picture = struct.pack("<BBBBBHHIIIIBI", 30, 0x24, 7, 1, 0, wide, high, rate, rate, self._room, self._interval, 1, self._interval)
        inner = struct.pack("<11B", 11, 0x24, 6, 1, 1, 1, 1, 0, 0, 0, 0) + picture + bytes([6, 0x24, 0x0D, 1, 1, 4])
        stream = struct.pack("<BBBBHBBBBBBBB", 14, 0x24, 1, 1, 14 + len(inner), 0x81, 0, 3, 0, 0, 0, 1, 0) + inner
        whole = (
            bytes([8, 0x0B, 0, 2, 0x0E, 3, 0, 2]) + bytes([9, 4, 0, 0, 0, 0x0E, 1, 0, 2]) + control
            + bytes([9, 4, 1, 0, 1, 0x0E, 2, 0, 0]) + stream + struct.pack("<BBBBHB", 7, 5, 0x81, 2, 512, 0)
        )  # fmt: skip
        return struct.pack("<BBHBBBBB", 9, 2, 9 + len(whole), 2, 1, 0, 0x80, 250) + whole
