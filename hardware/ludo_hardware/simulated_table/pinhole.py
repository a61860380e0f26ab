"""A pinhole camera with mild radial distortion, placed so that the board fills its picture.

World frame: board squares, x to the right, y down as printed, z up from the board. Pixels are OpenCV's: the centre of the first is (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pinhole:
    """Where the camera stands. `focal` in picture widths (1.0: 53° across); `tilt_deg` 0 looks straight down; `turn_deg` turns the
    board in the picture; `fill` is the share of the picture's height or width that the board takes; `distortion` is the first radial
    coefficient over the focal length (negative: barrel); `shift` moves the board in the picture, in widths."""

    width: int = 960
    height: int = 720
    focal: float = 1.03
    tilt_deg: float = 24.0
    turn_deg: float = 0.0
    fill: float = 0.86
    distortion: float = -0.03
    shift: tuple[float, float] = (0.0, 0.0)


class Viewpoint:
    """The camera in its place over a board of `size` squares with a margin of `margin` squares."""

    def __init__(self, camera: Pinhole, size: int, margin: float = 0.4) -> None:
        self.camera = camera
        self.focal_px = camera.focal * camera.width
        self.centre = np.array([(camera.width - 1) / 2, (camera.height - 1) / 2])
        tilt, turn = np.radians(camera.tilt_deg), np.radians(90.0 + camera.turn_deg)
        towards = np.array([np.cos(turn), np.sin(turn), 0.0])
        self.forward = np.array([-np.sin(tilt) * towards[0], -np.sin(tilt) * towards[1], np.cos(tilt)])  # third axis points down
        down = towards - (towards @ self.forward) * self.forward
        down /= np.linalg.norm(down)
        self.rotation = np.stack([np.cross(down, self.forward), down, self.forward])
        low, high = -margin, size + margin
        rim = np.array([[low, low, 0.0], [high, low, 0.0], [high, high, 0.0], [low, high, 0.0]])
        self.position = self._placed(rim, size)

    def _placed(self, rim: Floats, size: int) -> Floats:
        """The position from which the rim fills the picture: distance and aim found by iteration."""
        aim, distance = np.array([size / 2, size / 2, 0.0]), 2.0 * size
        half = np.array([self.camera.width, self.camera.height]) / 2
        wanted = np.array(self.camera.shift) * self.camera.width
        for _ in range(12):
            self.position = aim - distance * self.forward
            seen = self.project(rim) - self.centre
            low, high = seen.min(axis=0), seen.max(axis=0)
            distance *= float(((high - low) / 2 / half).max() / self.camera.fill)
            offset = ((low + high) / 2 - wanted) / self.focal_px * distance
            ground = self.rotation[0] * offset[0] + self.rotation[1] * offset[1]
            aim = aim + np.array([ground[0], ground[1], 0.0])
        return aim - distance * self.forward

    def project(self, points: Floats) -> Floats:
        """Pixels `(n, 2)` of world points `(n, 3)`, z up."""
        world = points * np.array([1.0, 1.0, -1.0]) - self.position
        camera = world @ self.rotation.T
        flat = camera[:, :2] / camera[:, 2:3]
        bend = 1.0 + self.camera.distortion * np.sum(flat * flat, axis=1, keepdims=True)
        return np.asarray(flat * bend * self.focal_px + self.centre)

    def ground(self, pixels: Floats, z: float = 0.0) -> Floats:
        """Board points `(n, 2)` where the rays through pixels `(n, 2)` meet the height z."""
        bent = (pixels - self.centre) / self.focal_px
        flat = bent.copy()
        for _ in range(6):
            flat = bent / (1.0 + self.camera.distortion * np.sum(flat * flat, axis=1, keepdims=True))
        rays = flat @ self.rotation[:2] + self.rotation[2]
        reach = (-z - self.position[2]) / rays[:, 2:3]
        return np.asarray(self.position[:2] + reach * rays[:, :2])

    def towards(self, x: float, y: float, z: float) -> Floats:
        """The unit vector (x, y, up) from a world point to the camera."""
        line = np.array([self.position[0] - x, self.position[1] - y, -self.position[2] - z])
        return np.asarray(line / np.linalg.norm(line))

    def depth(self, x: float, y: float, lift: float = 0.0) -> float:
        """How far a foot, so many squares above the board, is from the camera along its axis, in squares."""
        return float(self.forward @ (np.array([x, y, -lift]) - self.position))

    def scale(self, x: float, y: float) -> float:
        """Pixels a square at a board point."""
        return self.focal_px / self.depth(x, y)
