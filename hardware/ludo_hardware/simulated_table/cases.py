"""Hard cases for vision, drawn from a seed: makes of boards, cameras, lights, tables, tokens."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import numpy as np

from .lighting import LIGHTS, Colour, Light
from .pinhole import Pinhole
from .printing import INKS, PRINTS, Print
from .surfaces import SURFACES
from .table import TableLook
from .tokens import ALBEDO, TokenStyle

# Feet and heights in squares as tokens of families have them: German pawns, Staunton-like pawns, cones, domes, chips.
_TOKENS: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "pawn": ((0.26, 0.33), (0.95, 1.35)), "collar": ((0.27, 0.33), (1.0, 1.3)), "cone": ((0.25, 0.31), (0.8, 1.2)),
    "dome": ((0.29, 0.35), (0.3, 0.45)), "disc": ((0.3, 0.38), (0.16, 0.26)),
}  # fmt: skip
ROUND_PRINTS, SQUARE_PRINTS = ("spots", "wooden", "dark"), ("classic", "rounded", "ring", "wooden", "dark", "pastel")
OVERHEAD_DEG = 8.0


@dataclass(frozen=True, slots=True)
class Case:
    """A table to be read. `drift`: how far the exposure wanders, as a share; `flicker`: how far it jumps from picture to picture;
    `knocks`: after which share of the moves camera or board is knocked; `matched`: tokens painted in the very inks of the print; the
    names say what was drawn, for reports."""

    seed: int
    look: TableLook
    drift: float
    flicker: float
    knocks: float
    matched: bool
    print_name: str
    light_name: str

    @property
    def view_name(self) -> str:
        """overhead, or oblique with the tilt."""
        tilt = self.look.camera.tilt_deg
        return "overhead" if tilt < OVERHEAD_DEG else "oblique" if tilt < 30 else "steep"


def hard_case(seed: int, *, round_spots: bool = False, size: tuple[int, int] = (960, 720)) -> Case:
    """The case of a seed; `round_spots`: for boards of round spots, which are printed differently. Same seed, same case."""
    random = np.random.default_rng([20261129, seed])
    name = str(random.choice(ROUND_PRINTS if round_spots else SQUARE_PRINTS))
    light_name = str(random.choice(sorted(LIGHTS)))
    shape = str(random.choice(sorted(_TOKENS)))
    radii, heights = _TOKENS[shape]
    camera = Pinhole(
        width=size[0], height=size[1], focal=float(random.uniform(0.85, 1.2)), tilt_deg=_tilt(random),
        turn_deg=float(random.uniform(-180, 180)), fill=float(random.uniform(0.72, 0.94)), distortion=float(random.uniform(-0.06, 0.01)),
        shift=(float(random.uniform(-0.015, 0.015)), float(random.uniform(-0.01, 0.01))),
    )  # fmt: skip
    radius, height, gloss = float(random.uniform(*radii)), float(random.uniform(*heights)), float(random.uniform(0.1, 0.8))
    paints = {colour: _shifted(random, value, 0.012, 0.12) for colour, value in ALBEDO.items()}
    light, style = _light(random, LIGHTS[light_name]), _print(random, PRINTS[name])
    matched = bool(random.random() < 0.25)
    tokens = TokenStyle(shape, radius, height, gloss, dict(style.inks) if matched else paints)
    look = TableLook(camera, light, style, tokens, str(random.choice(sorted(SURFACES))), float(random.uniform(0.4, 0.9)), seed)
    drift, flicker = float(random.choice([0.0, 0.02, 0.05])), float(random.choice([0.0, 0.0, 0.04]))
    knocks = float(random.choice([0.0, 0.0, 0.1]))
    return Case(seed, look, drift, flicker, knocks, matched, name, light_name)


def _tilt(random: np.random.Generator) -> float:
    """A third from straight above, the others from the side, up to 45 degrees."""
    return float(random.uniform(0, 6) if random.random() < 1 / 3 else random.uniform(12, 45))


def _light(random: np.random.Generator, light: Light) -> Light:
    """The named light from anywhere, a little warmer or colder, brighter or darker."""
    red, green, blue = light.tint
    warmth = float(random.uniform(-0.06, 0.06))
    return replace(
        light, azimuth_deg=float(random.uniform(0, 360)), height_deg=light.height_deg + float(random.uniform(-8, 8)),
        tint=(red * (1 + warmth), green, blue * (1 - warmth)), exposure=light.exposure * float(random.uniform(0.85, 1.1)),
        noise=light.noise * float(random.uniform(0.7, 1.6)),
    )  # fmt: skip


def _print(random: np.random.Generator, style: Print) -> Print:
    """The named make in other inks, with thicker or thinner lines."""
    inks = {name: _shifted(random, style.inks.get(name, ink), 0.012, 0.1) for name, ink in INKS.items()}
    return replace(style, inks=inks, line_width=style.line_width * float(random.uniform(0.6, 1.3)))


def _shifted(random: np.random.Generator, colour: Colour, hue: float, share: float) -> Colour:
    """Another shade of a colour: `hue` and `share` of saturation and brightness at most."""
    turn, strength, value = colorsys.rgb_to_hsv(*(part / 255 for part in colour))
    turn = (turn + float(random.uniform(-hue, hue))) % 1.0
    strength = min(1.0, strength * (1 + float(random.uniform(-share, share))))
    value = min(1.0, value * (1 + float(random.uniform(-share, share))))
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(turn, strength, value))
    return red, green, blue
