"""Boards of many makes, drawn and seen by a tilted camera: the hard cases for finding a board.

Nothing here comes from the program's own drawing, so that one mistake cannot hide in both. Board coordinates are squares, x to the
right, y down; a canvas has `SCALE` pixels a square and the make's margin around the grid.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from ludo_vision.plan import Plan, Spot

SCALE = 32
RED, GREEN, YELLOW, BLUE = (208, 38, 40), (30, 140, 60), (246, 202, 36), (34, 84, 180)
INKS = {"red": RED, "green": GREEN, "yellow": YELLOW, "blue": BLUE}
_ARMS15 = [(r, c) for r in range(15) for c in range(15) if (6 <= r <= 8) != (6 <= c <= 8)]
_HOME15 = [[(7, c) for c in range(1, 6)], [(r, 7) for r in range(1, 6)],
           [(7, c) for c in range(13, 8, -1)], [(r, 7) for r in range(13, 8, -1)]]
_START15 = [(6, 1), (1, 8), (8, 13), (13, 6)]
_STARS15 = [(2, 6), (6, 12), (12, 8), (8, 2)]
_ENTRY15 = [(7, 0), (0, 7), (7, 14), (14, 7)]
_RING11 = [(r, c) for r in range(11) for c in range(11)
           if (4 <= r <= 6 or 4 <= c <= 6) and not (r == 5 and 0 < c < 10) and not (c == 5 and 0 < r < 10)]
_HOME11 = [[(5, c) for c in range(1, 5)], [(r, 5) for r in range(1, 5)],
           [(5, c) for c in range(9, 5, -1)], [(r, 5) for r in range(9, 5, -1)]]
_START11 = [(4, 0), (0, 6), (6, 10), (10, 4)]


@dataclass(frozen=True)
class Make:
    """How one manufacturer prints the game. Colours are RGB."""

    ground: tuple[int, int, int] = (250, 248, 240)  # between cells and around the grid
    plain: tuple[tuple[int, int, int], ...] = ((255, 255, 255),)  # tones of the plain cells, alternating
    line: tuple[int, int, int] = (30, 30, 30)
    line_width: float = 0.05  # squares; 0: no lines
    cell: float = 1.0  # side or diameter of a cell in squares
    shape: str = "square"  # square, rounded, round
    home: str = "filled"  # filled, dot, outlined
    start: str = "filled"  # filled, plain, dot
    yard: str = "framed"  # framed, solid, round, plain, picture, outlined
    yard_fills: float = 1.0  # side of the yard's print in yards
    centre: str = "triangles"  # triangles, plain, cross, disc
    margin: float = 0.4
    frame: tuple[tuple[int, int, int], float] | None = None  # a border of that colour and width around the grid
    marks: bool = True  # stars, arrows
    clutter: str = ""  # numbers, grain
    middle: float = 1.0  # width of the middle row in squares (the others narrower)
    arm_tint: float = 0.0  # plain cells take so much of the seat's colour
    inks: dict[str, tuple[int, int, int]] = field(default_factory=lambda: INKS, hash=False)
    size: int = 15
    markers: float = 0.0  # side of the ArUco markers in the margin, squares; 0: none


def faded(share: float, towards: tuple[int, int, int] = (235, 228, 210)) -> dict[str, tuple[int, int, int]]:
    """The four inks mixed with paper."""
    return {name: tuple(int(a * (1 - share) + b * share) for a, b in zip(ink, towards, strict=True)) for name, ink in INKS.items()}  # type: ignore[misc]


MAKES: dict[str, Make] = {
    "classic": Make(),
    "thin grey lines, no margin": Make(line=(120, 120, 120), line_width=0.03, margin=0.05, yard="solid"),
    "light lines": Make(line=(205, 205, 205), line_width=0.06, ground=(255, 255, 255), margin=0.6),
    "two tones, no lines": Make(plain=((250, 244, 226), (226, 206, 170)), line_width=0, ground=(240, 230, 205), marks=False),
    "dark, bright outlines": Make(ground=(38, 38, 44), plain=((46, 46, 52),), line=(190, 190, 200), line_width=0.04, cell=0.88,
                                 shape="rounded", yard="outlined", start="filled"),
    "black with white lines": Make(ground=(20, 20, 20), plain=((20, 20, 20),), line=(240, 240, 240), line_width=0.06, yard="solid"),
    "wood, burnt lines": Make(ground=(196, 148, 92), plain=((200, 152, 96),), line=(70, 40, 20), line_width=0.06, home="dot", start="dot",
                              yard="round", centre="cross", margin=0.8, clutter="grain"),
    "round spots": Make(ground=(244, 214, 120), plain=((255, 255, 255),), shape="round", cell=0.82, line_width=0.05, yard="solid",
                        yard_fills=0.8, centre="disc"),
    "rings only": Make(ground=(250, 250, 246), plain=((250, 250, 246),), shape="round", cell=0.84, line_width=0.07, home="filled",
                       yard="round", yard_fills=0.85),
    "pastel tiles": Make(ground=(255, 255, 255), plain=((250, 200, 180), (170, 200, 230)), line_width=0, cell=0.88, shape="rounded",
                         yard="picture", yard_fills=0.95, inks=faded(0.3), margin=1.4, frame=((90, 190, 200), 1.3)),
    "picture yards": Make(yard="picture", clutter="", frame=((120, 60, 30), 0.3), margin=0.5),
    "thick black lines": Make(line_width=0.14, yard="framed", frame=((20, 20, 20), 0.35)),
    "white gaps": Make(ground=(255, 255, 255), plain=((214, 222, 226),), line_width=0, cell=0.9, shape="square"),
    "tinted arms": Make(arm_tint=0.35, line=(255, 255, 255), line_width=0.06),
    "numbered": Make(clutter="numbers", line=(90, 90, 90), line_width=0.04),
    "wide middle": Make(middle=1.16),
    "faded": Make(inks=faded(0.5), line=(150, 140, 130), line_width=0.04, ground=(232, 224, 205), plain=((240, 234, 218),)),
    "outlined homes": Make(home="outlined", start="plain", yard="outlined"),
    "coloured ground": Make(ground=(40, 120, 190), plain=((250, 250, 250),), cell=0.9, line_width=0, yard="framed", yard_fills=0.95),
    "rounded yards": Make(yard="round", yard_fills=0.95, line_width=0.04),
    "madn yellow": Make(size=11, ground=(246, 206, 70), plain=((255, 255, 255),), shape="round", cell=0.78, yard="nests", centre="plain",
                        frame=((200, 40, 30), 0.35), margin=0.5),
    "madn white": Make(size=11, ground=(248, 246, 240), plain=((255, 255, 255),), shape="round", cell=0.7, line_width=0.07, yard="nests",
                       centre="plain", margin=0.3),
    "madn wood": Make(size=11, ground=(206, 160, 104), plain=((120, 80, 40),), shape="round", cell=0.42, line_width=0, yard="nests",
                      centre="plain", margin=0.6, clutter="grain", home="filled"),
    "madn big spots": Make(size=11, ground=(60, 130, 90), plain=((244, 238, 220),), shape="round", cell=0.94, line_width=0.03,
                           yard="nests", centre="plain", margin=0.4),
    "madn dark": Make(size=11, ground=(30, 34, 48), plain=((220, 220, 225),), shape="round", cell=0.74, line_width=0, yard="nests",
                      centre="plain"),
}
PLAIN_TURN = ("green", "yellow", "blue", "red")


def plan(make: Make, colours: tuple[str, ...] = PLAIN_TURN) -> Plan:
    """The make's board as vision is told of it: every square where a plain make has it."""
    n = make.size
    ring = _RING11 if n == 11 else [cell for cell in _ARMS15 if not any(cell in home for home in _HOME15)]
    homes, starts = (_HOME11, _START11) if n == 11 else (_HOME15, _START15)
    spots = [_square(cell, starts.index(cell) if cell in starts else None, make) for cell in ring]
    spots += [_square(cell, seat, make) for seat, home in enumerate(homes) for cell in home]
    side = 2 if n == 11 else 6
    yards = tuple(len(spots) + seat for seat in range(4))
    for x, y in ((0, 0), (n - side, 0), (n - side, n - side), (0, n - side)):
        outline = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
        spots.append(Spot("yard", outline, (x + side / 2, y + side / 2), yards.index(len(spots))))
    return Plan(n, tuple(spots), colours, yards, (None,) * 4)


def _square(cell: tuple[int, int], seat: int | None, make: Make) -> Spot:
    y, x = cell
    return Spot("square", ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), (x + 0.5, y + 0.5), seat, make.shape == "round")


def _at(make: Make, x: float, y: float) -> tuple[int, int]:
    """Canvas pixels (in 1/16) of a board point, middle rows widened."""
    if make.middle != 1.0:
        middle, half = make.middle, make.size / 2
        narrow = (make.size - middle) / (make.size - 1)

        def widen(v: float) -> float:
            away = v - half
            return half + np.sign(away) * (min(abs(away), 0.5) * middle + max(abs(away) - 0.5, 0) * narrow)

        x, y = widen(x), widen(y)
    margin = make.margin + (make.frame[1] if make.frame else 0)
    return round((x + margin) * SCALE * 16), round((y + margin) * SCALE * 16)


def _fill(canvas: np.ndarray, make: Make, outline: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
    points = np.array([_at(make, x, y) for x, y in outline], dtype=np.int32)
    cv2.fillPoly(canvas, [points], colour[::-1], cv2.LINE_AA, 4)


def _stroke(canvas: np.ndarray, make: Make, outline: list[tuple[float, float]], colour: tuple[int, int, int], width: float) -> None:
    points = np.array([_at(make, x, y) for x, y in outline], dtype=np.int32)
    cv2.polylines(canvas, [points], True, colour[::-1], max(1, round(width * SCALE)), cv2.LINE_AA, 4)


def _rounded(x0: float, y0: float, x1: float, y1: float, radius: float) -> list[tuple[float, float]]:
    """A rectangle's outline with rounded corners; a circle when the radius is half its side."""
    if radius <= 0:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    points = []
    for cx, cy, first in ((x1 - radius, y1 - radius, 0), (x0 + radius, y1 - radius, 90), (x0 + radius, y0 + radius, 180),
                          (x1 - radius, y0 + radius, 270)):
        for angle in np.radians(np.arange(first, first + 91, 10)):
            points.append((cx + radius * float(np.cos(angle)), cy + radius * float(np.sin(angle))))
    return points


def canvas_of(make: Make, colours: tuple[str, ...] = PLAIN_TURN, seed: int = 0) -> np.ndarray:
    """The board's print, (h, w, 3) uint8 BGR, `SCALE` pixels a square."""
    rng = np.random.default_rng(seed)
    n, inks = make.size, [make.inks[name] for name in colours]
    margin = make.margin + (make.frame[1] if make.frame else 0)
    side = round((n + 2 * margin) * SCALE)
    canvas = np.full((side, side, 3), make.ground[::-1], dtype=np.uint8)
    if make.frame:
        colour, width = make.frame
        cv2.rectangle(canvas, (0, 0), (side - 1, side - 1), colour[::-1], round(2 * width * SCALE))
    if make.clutter == "grain":
        rows = cv2.GaussianBlur(rng.normal(0, 60, (side, side)), (0, 0), 25, sigmaY=1.2)
        canvas = np.clip(canvas + rows[..., None], 0, 255).astype(np.uint8)
    _yards(canvas, make, inks, rng)
    homes, starts = (_HOME11, _START11) if n == 11 else (_HOME15, _START15)
    home_of = {cell: seat for seat, home in enumerate(homes) for cell in home}
    for index, (row, column) in enumerate([*_RING11, *home_of] if n == 11 else _ARMS15):
        cell = (row, column)
        ink = make.plain[(row + column) % len(make.plain)]
        if make.arm_tint:
            arm = int((np.degrees(np.arctan2(row - n // 2, column - n // 2)) + 225) // 90) % 4
            ink = tuple(int(a * (1 - make.arm_tint) + b * make.arm_tint) for a, b in zip(ink, inks[arm], strict=True))
        dot = outline_only = None
        if cell in home_of:
            ink, dot, outline_only = _coloured(make.home, ink, inks[home_of[cell]])
        elif cell in starts:
            ink, dot, outline_only = _coloured(make.start, ink, inks[starts.index(cell)])
        _cell(canvas, make, row, column, ink, dot, outline_only)
        if make.clutter == "numbers":
            x, y = _at(make, column + 0.25, row + 0.65)
            cv2.putText(canvas, str(index), (x // 16, y // 16), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (60, 60, 60), 1, cv2.LINE_AA)
    if make.marks and n == 15:
        for row, column in _STARS15:
            star = [(column + 0.5 + r * np.sin(a), row + 0.5 - r * np.cos(a))
                    for a, r in zip(np.arange(10) * np.pi / 5, [0.35, 0.15] * 5, strict=True)]
            _stroke(canvas, make, star, make.line, 0.05)
        for seat, (row, column) in enumerate(_ENTRY15):
            ray = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]][seat])
            across = ray[::-1]
            centre = np.array([column + 0.5, row + 0.5])
            wings = [tuple(centre - 0.2 * ray + side * 0.25 * across) for side in (1, -1)]
            _fill(canvas, make, [tuple(centre + 0.3 * ray), *wings], inks[seat])
    _centre(canvas, make, inks)
    if make.markers:
        _markers(canvas, make)
    return canvas


def _markers(canvas: np.ndarray, make: Make) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    draw = getattr(cv2.aruco, "generateImageMarker", None) or cv2.aruco.drawMarker
    side = round(make.markers * SCALE)
    low, high = -make.margin / 2, make.size + make.margin / 2
    for number, (x, y) in enumerate([(low, low), (high, low), (high, high), (low, high)]):
        left, top = (round(v / 16 - side / 2) for v in _at(make, x, y))
        canvas[top - 6 : top + side + 6, left - 6 : left + side + 6] = 255
        canvas[top : top + side, left : left + side] = draw(dictionary, number, side)[..., None]


def _coloured(style, ink, colour):
    if style == "filled":
        return colour, None, None
    if style == "dot":
        return ink, colour, None
    return (ink, None, colour) if style == "outlined" else (ink, None, None)


def _cell(canvas, make, row, column, ink, dot, outline_only) -> None:
    half = make.cell / 2
    radius = {"square": 0.0, "rounded": 0.15, "round": half}[make.shape]
    x, y = column + 0.5, row + 0.5
    outline = _rounded(x - half, y - half, x + half, y + half, radius)
    _fill(canvas, make, outline, ink)
    if dot:
        _fill(canvas, make, _rounded(x - 0.28, y - 0.28, x + 0.28, y + 0.28, 0.28), dot)
    if outline_only:
        inner = half - 0.12
        _stroke(canvas, make, _rounded(x - inner, y - inner, x + inner, y + inner, min(radius, inner)), outline_only, 0.14)
    if make.line_width:
        _stroke(canvas, make, outline, make.line, make.line_width)


def _yards(canvas, make, inks, rng) -> None:
    n = make.size
    side = 2 if n == 11 else 6
    for seat, (x, y) in enumerate(((0, 0), (n - side, 0), (n - side, n - side), (0, n - side))):
        cx, cy, half = x + side / 2, y + side / 2, side / 2 * make.yard_fills
        ink = inks[seat]
        box = _rounded(cx - half, cy - half, cx + half, cy + half, 0)
        nest, nest_ink = 0.42, ink
        apart = 0.5 if n == 11 else 0.95
        if make.yard == "framed":
            _fill(canvas, make, box, ink)
            _fill(canvas, make, _rounded(cx - 0.66 * half, cy - 0.66 * half, cx + 0.66 * half, cy + 0.66 * half, 0), make.plain[0])
            _stroke(canvas, make, box, make.line, 0.06)
        elif make.yard == "solid":
            _fill(canvas, make, box, ink)
            nest_ink = make.plain[0]
            _stroke(canvas, make, box, make.line, 0.06)
        elif make.yard == "round":
            circle = _rounded(cx - half, cy - half, cx + half, cy + half, half)
            _fill(canvas, make, circle, ink)
            nest_ink = make.plain[0]
        elif make.yard == "outlined":
            _stroke(canvas, make, _rounded(cx - 0.9 * half, cy - 0.9 * half, cx + 0.9 * half, cy + 0.9 * half, 0.4), ink, 0.15)
        elif make.yard == "picture":
            _fill(canvas, make, _rounded(cx - half, cy - half, cx + half, cy + half, 0.7), ink)
            for _ in range(60):
                px, py, r = cx + rng.uniform(-0.8, 0.8) * half, cy + rng.uniform(-0.8, 0.8) * half, rng.uniform(0.08, 0.5)
                tone = tuple(int(np.clip(v + rng.normal(0, 40), 0, 255)) for v in ink)
                _fill(canvas, make, _rounded(px - r, py - r, px + r, py + r, r * rng.uniform(0, 1)), tone)
            nest_ink = make.plain[0]
        elif make.yard == "nests":
            nest = make.cell / 2
        for dx in (-apart, apart):
            for dy in (-apart, apart):
                spot = _rounded(cx + dx - nest, cy + dy - nest, cx + dx + nest, cy + dy + nest, nest)
                _fill(canvas, make, spot, nest_ink)
                if make.line_width:
                    _stroke(canvas, make, spot, make.line, 0.05)


def _centre(canvas, make, inks) -> None:
    if make.size == 11 or make.centre == "plain":
        if make.size == 11:
            _fill(canvas, make, _rounded(5.3, 5.3, 5.7, 5.7, 0.2), (30, 30, 30))
        return
    corners = [(6, 9), (6, 6), (9, 6), (9, 9)]
    if make.centre == "triangles":
        for seat in range(4):
            _fill(canvas, make, [corners[seat], corners[(seat + 1) % 4], (7.5, 7.5)], inks[seat])
        _stroke(canvas, make, corners, make.line, max(make.line_width, 0.02))
    elif make.centre == "cross":
        _stroke(canvas, make, corners, make.line, 0.08)
        _stroke(canvas, make, [(6.3, 6.3), (8.7, 8.7)], make.line, 0.3)
        _stroke(canvas, make, [(8.7, 6.3), (6.3, 8.7)], make.line, 0.3)
    else:
        _fill(canvas, make, _rounded(6.2, 6.2, 8.8, 8.8, 1.3), inks[0])


@dataclass(frozen=True)
class View:
    """A camera over a table: tilt from the vertical and turn in degrees, the board's share of the picture's height, and what spoils."""

    tilt: float = 15.0
    turn: float = 20.0
    share: float = 0.62
    table: str = "wood"  # wood, checked, flowered, grey, white, dark
    size: tuple[int, int] = (960, 720)
    k1: float = -0.018
    noise: float = 2.0
    blur: float = 0.7
    light: tuple[float, float, float] = (1.0, 1.0, 1.0)  # gains of red, green, blue
    gradient: float = 0.25
    offset: tuple[float, float] = (0.0, 0.0)  # of the board's middle from the picture's, in picture heights
    tokens: int = 0
    seed: int = 0


def random_view(seed: int, **fixed: object) -> View:
    """A view drawn by chance; what is named stays fixed."""
    rng = np.random.default_rng(seed)
    tables = ["wood", "checked", "flowered", "grey", "white", "dark"]
    warm = rng.uniform(-0.25, 0.35)
    view = View(tilt=float(rng.uniform(0, 45)), turn=float(rng.uniform(0, 360)), share=float(rng.uniform(0.46, 0.66)),
                table=tables[int(rng.integers(len(tables)))], k1=float(rng.uniform(-0.03, 0.0)), noise=float(rng.uniform(0.5, 4)),
                blur=float(rng.uniform(0.4, 1.0)), light=(1 + warm / 2, 1.0, 1 - warm), gradient=float(rng.uniform(0, 0.5)),
                offset=(float(rng.uniform(-0.06, 0.06)), float(rng.uniform(-0.03, 0.03))), tokens=int(rng.integers(0, 17)), seed=seed)
    return replace(view, **fixed)  # type: ignore[arg-type]


def seen(make: Make, view: View, colours: tuple[str, ...] = PLAIN_TURN) -> tuple[np.ndarray, np.ndarray]:
    """A picture (h, w, 3) uint8 BGR of the make's board on a table, and the grid's corners (4, 2) in its pixels, seats' order."""
    rng = np.random.default_rng(view.seed)
    width, height = view.size
    board = canvas_of(make, colours, view.seed)
    homography = _camera(make, view)
    fine = 2
    ys, xs = np.mgrid[0 : height * fine, 0 : width * fine].astype(np.float32)
    xs, ys = (xs + 0.5) / fine - 0.5, (ys + 0.5) / fine - 0.5
    centre = np.array([(width - 1) / 2, (height - 1) / 2], dtype=np.float32)
    unit = max(width, height) / 2
    ray_x, ray_y = xs - centre[0], ys - centre[1]
    ideal_x, ideal_y = ray_x, ray_y
    for _ in range(5):
        bend = 1 + view.k1 * (ideal_x**2 + ideal_y**2) / unit**2
        ideal_x, ideal_y = ray_x / bend, ray_y / bend
    back = np.linalg.inv(homography)
    px, py = ideal_x + centre[0], ideal_y + centre[1]
    depth = back[2, 0] * px + back[2, 1] * py + back[2, 2]
    bx = ((back[0, 0] * px + back[0, 1] * py + back[0, 2]) / depth).astype(np.float32)
    by = ((back[1, 0] * px + back[1, 1] * py + back[1, 2]) / depth).astype(np.float32)
    picture = _table(view.table, bx, by, rng)
    margin = make.margin + (make.frame[1] if make.frame else 0)
    on_board = cv2.remap(board, (bx + margin) * SCALE - 0.5, (by + margin) * SCALE - 0.5, cv2.INTER_LINEAR)
    inside = (bx > -margin) & (by > -margin) & (bx < make.size + margin) & (by < make.size + margin)
    shadow = (bx > -margin) & (by > -margin) & (bx < make.size + margin + 0.25) & (by < make.size + margin + 0.25)
    picture = np.where(inside[..., None], on_board, np.where(shadow[..., None], picture * 0.6, picture)).astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    slope = (np.cos(angle) * (xs - centre[0]) + np.sin(angle) * (ys - centre[1])) / unit
    gains = np.array(view.light[::-1], dtype=np.float32) * 0.88
    picture = picture * (1 + view.gradient * slope)[..., None].astype(np.float32) * gains
    picture = cv2.resize(np.clip(picture, 0, 255), view.size, interpolation=cv2.INTER_AREA)
    for token in range(view.tokens):
        _token(picture, make, view, homography, rng, tuple(reversed(INKS[colours[token % 4]])))
    picture = cv2.GaussianBlur(picture, (0, 0), view.blur)
    picture = np.clip(picture + rng.normal(0, view.noise, picture.shape), 0, 255).astype(np.uint8)
    n = float(make.size)
    return picture, _pixels(view, homography, np.array([(0, 0), (n, 0), (n, n), (0, n)]))


def _pixels(view: View, homography: np.ndarray, places: np.ndarray) -> np.ndarray:
    ideal = np.hstack([places, np.ones((len(places), 1))]) @ homography.T
    centre = (np.array(view.size) - 1) / 2
    ray = ideal[:, :2] / ideal[:, 2:] - centre
    return centre + ray * (1 + view.k1 * (ray**2).sum(axis=1, keepdims=True) / (max(view.size) / 2) ** 2)


def _camera(make: Make, view: View) -> np.ndarray:
    """Board squares to ideal pixels: a pinhole of focal length 1.1 picture widths looking at the board's middle."""
    width, height = view.size
    focal = 1.1 * width
    tilt, turn = np.radians(view.tilt), np.radians(view.turn)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = lean @ spin
    outer = make.size + 2 * (make.margin + (make.frame[1] if make.frame else 0))
    distance = focal * outer / (view.share * height)
    centred = np.array([[1, 0, -make.size / 2], [0, 1, -make.size / 2], [0, 0, 1]])
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    x, y = (width - 1) / 2 + view.offset[0] * height, (height - 1) / 2 + view.offset[1] * height
    return np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]]) @ pose @ centred


def _token(picture, make, view, homography, rng, colour) -> None:
    """A little pawn: a foot, and a head leaning away from the camera by the tilt."""
    place = rng.uniform(0.5, make.size - 0.5, 2)
    foot, beside = _pixels(view, homography, np.array([place, place + np.array([0.3, 0])]))
    radius = float(np.hypot(*(beside - foot)))
    up = np.array([0.0, -1.0]) * radius * (1 + 4 * np.sin(np.radians(view.tilt)))
    outward = (foot - np.array(view.size) / 2) * 0.04
    head = foot + up + outward
    ends = [tuple(np.round(end).astype(int).tolist()) for end in (foot, head)]
    cv2.line(picture, *ends, tuple(0.8 * c for c in colour), max(1, int(radius * 1.4)), cv2.LINE_AA)
    for at, r, tone in ((foot, radius, 0.7), (head, 0.7 * radius, 1.0)):
        cv2.circle(picture, tuple(np.round(at).astype(int).tolist()), max(1, int(r)), tuple(tone * c for c in colour), -1, cv2.LINE_AA)


def _table(kind: str, x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The table's colour (h, w, 3) BGR at board points."""
    if kind == "checked":
        a, b = (np.floor((x + 0.3 * y + 40) / 1.35) % 2), (np.floor((y - 0.3 * x + 40) / 1.35) % 2)
        red, white = np.array([40, 30, 190.0]), np.array([240, 240, 240.0])
        share = ((a + b) / 2)[..., None]
        return red * share + white * (1 - share)
    base = {"wood": (90, 130, 170), "flowered": (70, 90, 50), "grey": (150, 150, 150), "white": (225, 225, 222), "dark": (45, 40, 40)}[kind]
    table = np.full((*x.shape, 3), base, dtype=np.float32)
    if kind == "wood":
        table += (14 * np.sin(y * 2.2 + 0.6 * np.sin(x * 0.4)) + 7 * np.sin(y * 7.1 + np.sin(x * 0.9)))[..., None]
        table[np.abs((y % 6.5) - 0.05) < 0.05] *= 0.5
    elif kind == "flowered":
        cloth = _flowers(rng)
        at = cv2.remap(cloth, ((x + 14) % 44).astype(np.float32) * 16, ((y + 14) % 44).astype(np.float32) * 16, cv2.INTER_LINEAR)
        table = at.astype(np.float32)
    return np.clip(table, 0, 255)


def _flowers(rng: np.random.Generator) -> np.ndarray:
    """A cloth of 44 by 44 squares, 16 pixels each."""
    cloth = np.full((44 * 16, 44 * 16, 3), (70, 90, 50), dtype=np.uint8)
    for _ in range(90):
        middle, radius, ink = rng.uniform(1, 43, 2), rng.uniform(0.4, 1.1), rng.uniform(60, 255, 3)
        for petal in range(5):
            away = radius * 0.6 * np.array([np.cos(petal * 1.2566), np.sin(petal * 1.2566)])
            cv2.circle(cloth, tuple(np.round((middle + away) * 16).astype(int).tolist()), int(radius * 8), ink.tolist(), -1, cv2.LINE_AA)
        cv2.circle(cloth, tuple(np.round(middle * 16).astype(int).tolist()), int(radius * 5), (60, 210, 240), -1, cv2.LINE_AA)
    return cloth
