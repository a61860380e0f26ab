"""The simulated table: a camera picture of a printed board with tokens on it, as a photograph would show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .drawing import BoardDrawing, Hand, Point, Token
from .hand import hand_layers
from .lighting import Light, to_linear, to_picture
from .pinhole import Pinhole, Viewpoint
from .printing import PER_SQUARE, PRINTS, Print, print_board
from .surfaces import PER_SQUARE as SURFACE_PER_SQUARE
from .surfaces import SURFACES
from .tokens import Shade, Sprite, TokenPainter, TokenStyle

Picture = NDArray[np.uint8]

_THICKNESS = 0.12      # of the card, squares
_CACHED_TOKENS = 256
_NEAREST = 2.0         # a token nearer to the camera than this, in squares, is not on the table


@dataclass(frozen=True, slots=True)
class TableLook:
    """Everything that decides what a picture looks like but for the tokens. `sharpness` is the blur's sigma in pixels."""

    camera: Pinhole = field(default_factory=Pinhole)
    light: Light = field(default_factory=Light)
    style: Print = field(default_factory=lambda: PRINTS["classic"])
    tokens: TokenStyle = field(default_factory=TokenStyle)
    surface: str = "wood"
    blur: float = 0.55
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a token is in the picture: its foot and the top of its head, in pixels."""

    foot: Point
    head: Point


class SimulatedTable:
    """Draws pictures of one board under one camera in one light. The same calls give the same pictures, bit for bit."""

    def __init__(self, drawing: BoardDrawing, look: TableLook | None = None) -> None:
        self.drawing = drawing
        self.look = look if look is not None else TableLook()
        self.view = Viewpoint(self.look.camera, drawing.size, self.look.style.margin)
        self._painter = TokenPainter(self.view, self.look.light, self.look.tokens)
        self._random = np.random.default_rng(self.look.seed)
        self._brightness = self._light_field()
        self._empty = self._background()
        self._grain = self._random.normal(0, 1, (self.look.camera.height + 128, self.look.camera.width + 128, 3)).astype(np.float32)
        self._drawn: dict[Token, tuple[Sprite, Shade]] = {}

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The grid's outer corners in pixels, each beside a seat's nests in the order of four seats; of other boards clockwise."""
        n = float(self.drawing.size)
        corners = [(0.0, 0.0), (n, 0.0), (n, n), (0.0, n)]
        nests = {colour: [point for point, other in self.drawing.nests if other == colour] for _, colour in self.drawing.nests}
        if len(nests) == len(corners):
            middles = [np.mean(own, axis=0) for own in nests.values()]
            corners = [(n if x > n / 2 else 0.0, n if y > n / 2 else 0.0) for x, y in middles]
        pixels = self.view.project(np.array([(x, y, 0.0) for x, y in corners]))
        one, two, three, four = ((float(x), float(y)) for x, y in pixels)
        return one, two, three, four

    def picture(self, tokens: Sequence[Token], hand: Hand | None = None, *, gain: float = 1.0) -> Picture:
        """What the camera sees: `(h, w, 3) uint8` BGR. `gain` is the exposure's drift. Every call has noise of its own."""
        canvas = self._empty.copy()
        tokens = [token for token in tokens if self.view.depth(token.x, token.y) > _NEAREST]
        layers = [self._layers(token) for token in tokens]
        for _, shade in layers:
            _darken(canvas, shade)
        reaching = None if hand is None else hand_layers(self.view, self.look.light, hand, self.look.seed)
        if reaching is not None:
            _darken(canvas, reaching[1])
        order = sorted(range(len(tokens)), key=lambda i: -self.view.depth(tokens[i].x, tokens[i].y, tokens[i].lift))
        for index in order:
            _lay(canvas, layers[index][0])
        if reaching is not None:
            _lay(canvas, reaching[0])
        return self._developed(canvas, gain)

    def knocked(self, turn_deg: float, shift: Point) -> SimulatedTable:
        """The same table after the camera, or the board, was knocked: turned by degrees and shifted by picture widths."""
        camera = self.look.camera
        moved = (camera.shift[0] + shift[0], camera.shift[1] + shift[1])
        return SimulatedTable(self.drawing, replace(self.look, camera=replace(camera, turn_deg=camera.turn_deg + turn_deg, shift=moved)))

    def marks(self, tokens: Sequence[Token]) -> list[Mark]:
        """Foot and head of every token in the picture."""
        if not tokens:
            return []
        height = self.look.tokens.height
        feet = self.view.project(np.array([[token.x, token.y, token.lift] for token in tokens]))
        heads = self.view.project(np.array([[token.x, token.y, token.lift + height] for token in tokens]))
        return [Mark((float(f[0]), float(f[1])), (float(h[0]), float(h[1]))) for f, h in zip(feet, heads, strict=True)]

    def under(self, pixel: Point) -> Point:
        """The board point under a pixel."""
        x, y = self.view.ground(np.array([pixel], np.float64))[0]
        return float(x), float(y)

    def _layers(self, token: Token) -> tuple[Sprite, Shade]:
        known = self._drawn.get(token)
        if known is None:
            if len(self._drawn) >= _CACHED_TOKENS:
                self._drawn.clear()
            column, row = self.view.project(np.array([[token.x, token.y, 0.0]]))[0]
            height, width = self._brightness.shape
            here = float(self._brightness[min(max(round(row), 0), height - 1), min(max(round(column), 0), width - 1)])
            known = self._drawn[token] = self._painter.sprite(token, here), self._painter.shade(token)
        return known

    def _developed(self, canvas: NDArray[np.float32], gain: float) -> Picture:
        """Lens blur, the sensor's noise, whole numbers."""
        if self.look.blur > 0:
            canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), self.look.blur), np.float32)
        top, left = (int(offset) for offset in self._random.integers(0, 128, 2))
        height, width = canvas.shape[:2]
        grain = self._grain[top:top + height, left:left + width]
        exposed = canvas if gain == 1.0 else canvas * np.float32(gain ** (1 / 2.2))
        noisy = np.asarray(cv2.scaleAdd(grain, self.look.light.noise, exposed), np.float32)
        return np.asarray(cv2.convertScaleAbs(np.maximum(noisy, np.float32(0.0))), np.uint8)

    def _light_field(self) -> NDArray[np.float32]:
        """How bright the table is, pixel by pixel: less with distance from the lamp and in the picture's corners."""
        camera, light = self.look.camera, self.look.light
        ys, xs = np.mgrid[0:camera.height, 0:camera.width].astype(np.float32)
        u = (xs - camera.width / 2) / camera.width
        v = (ys - camera.height / 2) / camera.width
        centre = self.drawing.size / 2
        way = self.view.project(np.array([[centre, centre, 0], [centre + light.direction[0], centre + light.direction[1], 0]]))
        step = (way[1] - way[0]) / max(float(np.hypot(*(way[1] - way[0]))), 1e-6)
        lit = 1.0 + light.falloff * (u * step[0] + v * step[1]) - 0.35 * (u * u + v * v)
        return np.asarray(lit, np.float32)

    def _background(self) -> NDArray[np.float32]:
        """The table with the empty board, drawn at twice the size and averaged down, in sRGB values."""
        camera, n, margin = self.look.camera, self.drawing.size, self.look.style.margin
        fine = 2
        shape = (camera.height * fine, camera.width * fine)
        on_board = self._ground_map(shape, fine, 0.0)
        on_table = self._ground_map(shape, fine, -_THICKNESS)
        tile = SURFACES[self.look.surface](np.random.default_rng(self.look.seed + 1))
        grain = np.radians(17.0 + 40 * float(self._random.uniform(-1, 1)))
        turned = on_table.reshape(-1, 2) @ np.array([[np.cos(grain), -np.sin(grain)], [np.sin(grain), np.cos(grain)]], np.float32)
        where = (turned * SURFACE_PER_SQUARE).reshape(*shape, 2)
        scene = np.asarray(cv2.remap(tile, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8)
        light = to_linear(scene) * self._card_shadow(shape, fine)[..., None]
        card = print_board(self.drawing, self.look.style, self.look.seed)
        spot = (on_board + margin) * PER_SQUARE - 0.5
        printed = np.asarray(cv2.remap(card, spot[..., 0], spot[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        low, high = -margin, n + margin
        rim = np.array([[low, low], [high, low], [high, high], [low, high]], np.float64)
        top = self._polygon(rim, 0.0, shape, fine)
        side = np.maximum(self._polygon(rim, -_THICKNESS, shape, fine), top)
        edge = to_linear(np.array([168, 188, 196], np.float32)) * 0.45
        light = light * (1 - side[..., None]) + edge * side[..., None]
        light = light * (1 - top[..., None]) + to_linear(printed) * top[..., None]
        lit = light * np.asarray(cv2.resize(self._light_field(), shape[::-1]), np.float32)[..., None]
        if self.look.light.glare:
            lit += self._glare(on_board)[..., None] * top[..., None]
        gains = np.array(self.look.light.tint[::-1], np.float32) * self.look.light.exposure
        full = to_picture((lit * gains).astype(np.float32))
        return np.asarray(cv2.resize(full, (camera.width, camera.height), interpolation=cv2.INTER_AREA), np.float32)

    def _ground_map(self, shape: tuple[int, int], fine: int, z: float) -> NDArray[np.float32]:
        """The board point `(h, w, 2)` of every fine pixel, computed for every eighth and interpolated between."""
        block = 8
        tall, wide = -(-shape[0] // block) + 2, -(-shape[1] // block) + 2
        ys, xs = np.mgrid[0:tall, 0:wide]
        fine_x, fine_y = (xs.ravel() - 0.5) * block, (ys.ravel() - 0.5) * block
        coarse = self.view.ground(np.stack([fine_x / fine - 0.5, fine_y / fine - 0.5], axis=1), z).astype(np.float32)
        whole = cv2.resize(coarse.reshape(tall, wide, 2), (wide * block, tall * block), interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(whole[block:block + shape[0], block:block + shape[1]], np.float32)

    def _polygon(self, rim: NDArray[np.float64], z: float, shape: tuple[int, int], fine: int) -> NDArray[np.float32]:
        """Coverage 0 … 1 of a board-plane polygon, its edges cut fine so that the lens's bend shows."""
        parts = [rim[i] + (rim[(i + 1) % len(rim)] - rim[i]) * s for i in range(len(rim)) for s in np.linspace(0, 1, 24, endpoint=False)]
        points = self.view.project(np.column_stack([np.array(parts), np.full(len(parts), z)]))
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [np.round(((points + 0.5) * fine - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask.astype(np.float32) / np.float32(255)

    def _card_shadow(self, shape: tuple[int, int], fine: int) -> NDArray[np.float32]:
        light, n, margin = self.look.light, self.drawing.size, self.look.style.margin
        lean = -light.direction[:2] / light.direction[2] * _THICKNESS
        low, high = -margin - 0.03, n + margin + 0.03
        rim = np.array([[low, low], [high, low], [high, high], [low, high]]) + lean
        blur = fine * (1.0 + light.softness * 0.25 * self.view.scale(n / 2, n / 2))
        mask = np.asarray(cv2.GaussianBlur(self._polygon(rim, -_THICKNESS, shape, fine), (0, 0), blur), np.float32)
        return np.asarray(1.0 - light.shadow * mask, np.float32)

    def _glare(self, on_board: NDArray[np.float32]) -> NDArray[np.float32]:
        """The lamp mirrored in the card's lacquer (Phong)."""
        sun = self.look.light.direction
        eye = np.array([self.view.position[0], self.view.position[1], -self.view.position[2]], np.float32)
        line = eye - np.concatenate([on_board, np.zeros((*on_board.shape[:2], 1), np.float32)], axis=2)
        line /= np.linalg.norm(line, axis=2, keepdims=True)
        mirrored = np.array([-sun[0], -sun[1], sun[2]], np.float32)
        return np.asarray(self.look.light.glare * np.clip(line @ mirrored, 0, 1) ** 160, np.float32)


def _window(canvas: NDArray[np.float32], top: int, left: int, shape: tuple[int, ...]) -> tuple[slice, slice, slice, slice] | None:
    """The rows and columns of the canvas that a layer covers, and those of the layer; None when it is outside."""
    height, width = canvas.shape[:2]
    first_row, first_column = max(top, 0), max(left, 0)
    last_row, last_column = min(top + shape[0], height), min(left + shape[1], width)
    if first_row >= last_row or first_column >= last_column:
        return None
    return (slice(first_row, last_row), slice(first_column, last_column),
            slice(first_row - top, last_row - top), slice(first_column - left, last_column - left))


def _darken(canvas: NDArray[np.float32], shade: Shade) -> None:
    """Take light away: the left-over share is linear, the canvas sRGB (about a power of 2.2)."""
    window = _window(canvas, shade.top, shade.left, shade.left_over.shape)
    if window is not None:
        rows, columns, from_rows, from_columns = window
        canvas[rows, columns] *= np.power(shade.left_over[from_rows, from_columns], 1 / 2.2)[..., None]


def _lay(canvas: NDArray[np.float32], sprite: Sprite) -> None:
    window = _window(canvas, sprite.top, sprite.left, sprite.alpha.shape)
    if window is not None:
        rows, columns, from_rows, from_columns = window
        canvas[rows, columns] *= (1.0 - sprite.alpha[from_rows, from_columns])[..., None]
        canvas[rows, columns] += sprite.colour[from_rows, from_columns]
