"""The tokens on the simulated table: where each stands, to the hundredth of a square, and which place that is."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ludo_hardware.simulated_table import Point, SimulatedTable, Token

from ..rules.board import YARD, Board, PlaceKind
from .drawn_board import nests_of

Steps = tuple[tuple[int, ...], ...]


@dataclass(slots=True, eq=False)
class Piece:
    """One token: `place` is the place index where it stands, None while it is in a hand or beside all places."""

    seat: int
    place: int | None
    x: float
    y: float
    lift: float = 0.0


class Tabletop:
    """All tokens of a game on one simulated table. People are not exact: `random` decides by how much (seeded)."""

    def __init__(self, board: Board, table: SimulatedTable, steps: Steps, chance: random.Random, *, wobble: float = 0.08) -> None:
        self.board, self.table = board, table
        self._chance, self._wobble = chance, wobble
        self._radius = table.look.tokens.radius
        self._stack = table.look.tokens.height if table.look.tokens.shape == "disc" else 0.0
        self.pieces = [Piece(seat, None, 0.0, 0.0) for seat, own in enumerate(steps) for _ in own]
        self.set_up(steps)

    def set_up(self, steps: Steps) -> None:
        """Put every token where a position says."""
        free = list(self.pieces)
        for piece in free:
            piece.place = None
        for seat, own in enumerate(steps):
            for step in own:
                piece = next(piece for piece in free if piece.seat == seat)
                free.remove(piece)
                self.put(piece, self.board.place(seat, step))

    @property
    def steps(self) -> list[list[int | None]]:
        """Each seat's steps as the tokens stand; None for a token that is on no place of its seat."""
        found: list[list[int | None]] = [[] for _ in self.board.seats]
        for piece in self.pieces:
            found[piece.seat].append(self.step_of(piece))
        return found

    def step_of(self, piece: Piece) -> int | None:
        """The step at which a token stands, of its own seat's path; None in a hand or on a place that is not on its path."""
        plan = self.board.seats[piece.seat]
        if piece.place is None:
            return None
        if piece.place == plan.yard:
            return YARD
        return plan.path.index(piece.place) if piece.place in plan.path else None

    def at(self, seat: int, step: int, but: Sequence[Piece] = ()) -> Piece:
        """A token of the seat that stands at the step, none of `but`; the one placed last. Raises LookupError."""
        place = self.board.place(seat, step)
        for piece in reversed(self.pieces):
            if piece.seat == seat and piece.place == place and piece not in but:
                return piece
        raise LookupError(f"no token of seat {seat} stands at step {step}")

    def tokens(self) -> list[Token]:
        """What the table draws."""
        return [Token(self.board.seats[p.seat].colour, round(p.x, 3), round(p.y, 3), round(p.lift, 3)) for p in self.pieces]

    def lift(self, piece: Piece, height: float) -> None:
        """A token is taken up."""
        piece.place = None
        piece.lift = height
        self._to_the_end(piece)

    def carry(self, piece: Piece, x: float, y: float, height: float) -> None:
        """A token in a hand is over this point."""
        piece.x, piece.y, piece.lift = x, y, height

    def put(self, piece: Piece, place: int) -> None:
        """A token is put on a place; tokens that stand there already are pushed aside to make room."""
        piece.place, piece.lift = place, 0.0
        self._to_the_end(piece)
        kind = self.board.places[place].kind
        if kind is PlaceKind.YARD:
            self._put_in_nest(piece, place)
        elif kind is PlaceKind.FINISH:
            self._put_in_finish(piece, place)
        else:
            self._share(place)

    def put_at(self, piece: Piece, point: Point) -> None:
        """A token is put down at a point, whatever place that is."""
        piece.x, piece.y, piece.lift = point[0], point[1], 0.0
        piece.place = self.place_at(point)
        self._to_the_end(piece)

    def put_down(self, piece: Piece, point: Point) -> None:
        """A token is put down at a point, beside what stands there already."""
        self.put_at(piece, point)
        crowded = any(other is not piece and math.dist((other.x, other.y), point) < 1.8 * self._radius for other in self.pieces)
        if crowded and piece.place is not None:
            self.put(piece, piece.place)

    def straighten(self, piece: Piece) -> None:
        """A token is set anew, more exactly, where it stands."""
        if piece.place is not None:
            wobble, self._wobble = self._wobble, self._wobble / 3
            self.put(piece, piece.place)
            self._wobble = wobble

    def place_at(self, point: Point) -> int | None:
        """The place in whose outline a point lies."""
        for index, place in enumerate(self.board.places):
            if _inside(point, place.outline):
                return index
        return None

    def _to_the_end(self, piece: Piece) -> None:
        """Tokens are kept in the order in which they were put down."""
        self.pieces.remove(piece)
        self.pieces.append(piece)

    def _near(self, x: float, y: float) -> Point:
        return x + self._chance.uniform(-1, 1) * self._wobble, y + self._chance.uniform(-1, 1) * self._wobble

    def _share(self, place: int) -> None:
        """One token in the middle; more side by side, or discs on top of one another."""
        here = [piece for piece in self.pieces if piece.place == place]
        x, y = self.board.places[place].centre
        if self._stack:
            for height, piece in enumerate(here):
                if height == 0:
                    if piece is here[-1]:
                        piece.x, piece.y = self._near(x, y)
                else:
                    piece.x, piece.y = here[0].x + self._chance.uniform(-0.03, 0.03), here[0].y + self._chance.uniform(-0.03, 0.03)
                piece.lift = height * self._stack
            return
        if len(here) == 1:
            here[0].x, here[0].y = self._near(x, y)
            return
        ring = self._radius * {2: 1.0, 3: 1.17, 4: 1.43}.get(len(here), 1.6)
        first = self._chance.uniform(0, 2 * math.pi)
        for number, piece in enumerate(here):
            angle = first + 2 * math.pi * number / len(here)
            piece.x, piece.y = x + ring * math.cos(angle), y + ring * math.sin(angle)

    def _put_in_nest(self, piece: Piece, place: int) -> None:
        seat = next(index for index, plan in enumerate(self.board.seats) if plan.yard == place)
        others = [other for other in self.pieces if other is not piece and other.place == place]
        free = [nest for nest in nests_of(self.board, seat) if all(math.dist(nest, (o.x, o.y)) > 2 * self._radius for o in others)]
        if free:
            piece.x, piece.y = self._near(*free[0])
        else:
            self._put_beside(piece, place, others)

    def _put_beside(self, piece: Piece, place: int, others: Sequence[Piece]) -> None:
        """Every nest is taken or blocked: anywhere in the yard that is far from the other tokens."""
        outline = self.board.places[place].outline
        low, high = (min(x for x, _ in outline), min(y for _, y in outline)), (max(x for x, _ in outline), max(y for _, y in outline))
        edge = self._radius + 0.1
        across, down = (low[0] + edge, high[0] - edge), (low[1] + edge, high[1] - edge)
        spots = [(self._chance.uniform(*across), self._chance.uniform(*down)) for _ in range(60)]
        piece.x, piece.y = max(spots, key=lambda spot: min((math.dist(spot, (o.x, o.y)) for o in others), default=1.0))

    def _put_in_finish(self, piece: Piece, place: int) -> None:
        others = [other for other in self.pieces if other is not piece and other.place == place]
        spots = _finish_spots(self.board.places[place].outline, self._radius)
        free = [spot for spot in spots if all(math.dist(spot, (o.x, o.y)) > self._radius for o in others)]
        piece.x, piece.y = free[0] if free else self.board.places[place].centre


def _finish_spots(outline: Sequence[Point], radius: float) -> list[Point]:
    """Where four tokens find room in a finish: three along the longest edge and one behind, or two by two in a square."""
    edges = [(outline[i], outline[(i + 1) % len(outline)]) for i in range(len(outline))]
    (ax, ay), (bx, by) = max(edges, key=lambda edge: math.dist(*edge))
    centre = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    if len(outline) != 3:
        return [(centre[0] + dx * radius, centre[1] + dy * radius) for dx in (-1, 1) for dy in (-1, 1)]
    along = ((bx - ax) / math.dist((ax, ay), (bx, by)), (by - ay) / math.dist((ax, ay), (bx, by)))
    inward = (-along[1], along[0])
    middle = ((ax + bx) / 2, (ay + by) / 2)
    if (centre[0] - middle[0]) * inward[0] + (centre[1] - middle[1]) * inward[1] < 0:
        inward = (along[1], -along[0])
    spread = 2.25 * radius
    return [(middle[0] + a * along[0] + d * inward[0], middle[1] + a * along[1] + d * inward[1])
            for a, d in ((0.0, radius * 1.3), (-spread, radius * 1.3), (spread, radius * 1.3), (0.0, radius * 3.4))]


def _inside(point: Point, outline: Sequence[Point]) -> bool:
    """Even-odd rule."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside
