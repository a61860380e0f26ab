"""What a panel shows after the bytes that were sent to it: SSD1306, SSD1309 and SH1106, from their data sheets.

The usual modules are glued so that segment remap A1 and COM scan C8 read upright; that is taken as neutral.
"""

from __future__ import annotations

from PIL import Image

SSD_ONLY = {0x20, 0x21, 0x22, 0x8D, 0x14}  # memory mode, windows and charge pump: the SH1106 has none of them
ARGUMENTS = {  # bytes that follow a command byte
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
IGNORED = {0xD5, 0xD9, 0xDA, 0xDB, 0xA4, 0xE3}  # clock, precharge, pins, VCOMH, "follow the memory", nothing


class Panel:
    """A controller with its memory. `columns` of memory; the first of the 128 that have pixels is `first_column`."""

    def __init__(self, height: int = 64, *, columns: int = 128, first_column: int = 0, windowed: bool = True, offset: int = 0) -> None:
        self.height, self.columns, self.first_column = height, columns, first_column
        self.windowed = windowed  # knows windows (SSD13xx) or single pages only (SH1106)
        self.wired_offset = offset  # the display offset at which this panel's rows are in place
        self.power_off()

    def power_off(self) -> None:
        """Forget everything; the memory of a real one is then noise."""
        self.memory = [bytearray(b"\xa5" * self.columns) for _ in range(8)]
        self.horizontal = False
        self.window = (0, self.columns - 1, 0, 7)
        self.column = self.page = self.start_line = self.offset = self.multiplex = 0
        self.on = self.inverse = self.remapped = self.flipped = False
        self.level = 0x7F
        self._command: list[int] = []
        self.data_bytes = 0

    def commands(self, data: bytes) -> None:
        """Bytes sent as commands; arguments may come in a later message."""
        for byte in data:
            self._command.append(byte)
            wanted = ARGUMENTS.get(self._command[0], 0)
            if not self.windowed and self._command[0] in SSD_ONLY:
                wanted = 0
            if len(self._command) > wanted:
                command, self._command = self._command, []
                self._obey(command[0], command[1:])

    def _obey(self, command: int, arguments: list[int]) -> None:
        if command <= 0x0F:
            self.column = self.column & 0xF0 | command
        elif command <= 0x1F:
            self.column = self.column & 0x0F | (command & 0x0F) << 4
        elif command == 0x20 and self.windowed:
            self.horizontal = arguments[0] == 0
        elif command == 0x21 and self.windowed:
            self.window = (*arguments, *self.window[2:])  # type: ignore[assignment]
            self.column = arguments[0]
        elif command == 0x22 and self.windowed:
            self.window = (*self.window[:2], *arguments)  # type: ignore[assignment]
            self.page = arguments[0]
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif command == 0x81:
            self.level = arguments[0]
        elif command in (0xA0, 0xA1):
            self.remapped = command == 0xA1
        elif command in (0xA6, 0xA7):
            self.inverse = command == 0xA7
        elif command == 0xA8:
            self.multiplex = arguments[0]
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command in (0xC0, 0xC8):
            self.flipped = command == 0xC8
        elif command == 0xD3:
            self.offset = arguments[0]
        elif command not in (IGNORED | {0x8D} if self.windowed else IGNORED | SSD_ONLY):
            raise ValueError(f"command 0x{command:02X} is not known")

    def data(self, data: bytes) -> None:
        """Bytes sent to the memory."""
        self.data_bytes += len(data)
        for byte in data:
            self.memory[self.page][self.column] = byte
            self.column += 1
            if self.horizontal and self.column > self.window[1]:
                self.column = self.window[0]
                self.page = self.window[2] if self.page >= self.window[3] else self.page + 1
            self.column %= self.columns

    def picture(self) -> Image.Image:
        """What a person sees."""
        if not self.on:
            return Image.new("1", (128, self.height))
        rows = []
        for y in range(self.height):
            down = y if self.flipped else self.height - 1 - y
            line = (down + self.start_line + self.offset - self.wired_offset) % 64
            row = bytes(255 * (byte >> line % 8 & 1 ^ self.inverse) for byte in self.memory[line // 8][self.first_column :][:128])
            rows.append(row if self.remapped else row[::-1])
        return Image.frombytes("L", (128, self.height), b"".join(rows)).convert("1")


def panel(driver: str, height: int) -> Panel:
    """A panel as sold with this controller."""
    if driver == "sh1106":
        return Panel(height, columns=132, first_column=2, windowed=False, offset=0x0F if height == 32 else 0)
    return Panel(height)
