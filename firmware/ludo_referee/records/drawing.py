"""A game as a picture: the table at its end, and the race over time (SVG)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from ..journal.archive import StoredGame
from ..locale import words
from ..rules.board import YARD, Board, PlaceKind
from ..rules.game import GameState
from .transcript import clock

SQUARE = 24  # of the drawn board, in the picture's units
MARGIN = 30
PLOT_WIDTH, PLOT_HEIGHT, LEGEND_HEIGHT = 480, 300, 52
PRINTED = {
    "red": "#d2322d", "green": "#2e8b46", "yellow": "#e8b917", "blue": "#2b62c0", "black": "#303030", "white": "#f4f4f4",
    "orange": "#e8791e", "purple": "#7d3fa8", "pink": "#e57ba5", "brown": "#80532d", "grey": "#8a8a8a",
}  # fmt: skip
OTHER = "#8a8a8a"
STYLE = "text{font-family:sans-serif;font-size:12px;fill:#222}.cell{fill:#fff;stroke:#555;stroke-width:.8}"


def as_svg(game: StoredGame, language: str) -> str:
    """The final table on the left, each seat's share of the way home over the time of play on the right. Raises LudoError."""
    opening = game.summary.opening
    board = opening.printed_board()
    race = _race(game)
    table = board.size * SQUARE
    width, height = MARGIN * 4 + table + PLOT_WIDTH, MARGIN * 2 + max(table, PLOT_HEIGHT + LEGEND_HEIGHT)
    spoken = words(language)
    names = {seat: str(spoken.colour(opening.colours[seat])) for seat in game.summary.players}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#faf8f4"/>',
        f'<g transform="translate({MARGIN},{MARGIN})">{_table(board, race[-1][1])}</g>',
        f'<g transform="translate({MARGIN * 3 + table},{MARGIN})">{_plot(board, race, game.summary.players, names)}</g>',
        "</svg>\n",
    ]
    return "\n".join(parts)


def _race(game: StoredGame) -> list[tuple[float, GameState]]:
    """The game after each change of the table, with its second, from the start to the end of play."""
    race: list[tuple[float, GameState]] = []
    for t, state in game.standings:
        if not race or state.steps != race[-1][1].steps:
            race.append((t, state))
    return [*race, (game.kept[-1].t if game.kept else race[0][0], race[-1][1])]


def _table(board: Board, state: GameState) -> str:
    shapes = []
    for place in board.places:
        colour = _printed(board.seats[place.seat].colour) if place.seat is not None else "#fff"
        opacity = 0.25 if place.kind is PlaceKind.YARD else 0.8
        fill = f'style="fill:{colour};fill-opacity:{opacity}"'
        if place.round and place.kind is PlaceKind.SQUARE:
            x, y = place.centre
            shapes.append(f'<circle class="cell" {fill} cx="{x * SQUARE:g}" cy="{y * SQUARE:g}" r="{0.42 * SQUARE:g}"/>')
        else:
            points = " ".join(f"{x * SQUARE:g},{y * SQUARE:g}" for x, y in place.outline)
            shapes.append(f'<polygon class="cell" {fill} points="{points}"/>')
    return "".join(shapes) + _tokens(board, state)


def _tokens(board: Board, state: GameState) -> str:
    """A disc a token; those that share a place stand around its centre, those in a yard on its nests."""
    standing: dict[int, list[int]] = {}
    for seat, steps in enumerate(state.steps):
        for step in steps:
            standing.setdefault(board.place(seat, step), []).append(seat)
    discs = []
    for place, seats in standing.items():
        nests = board.seats[seats[0]].nests if place == board.place(seats[0], YARD) else ()
        spread = 0.0 if len(seats) == 1 else 0.24
        for index, seat in enumerate(seats):
            x, y = nests[index] if index < len(nests) else board.places[place].centre
            if not nests:
                angle = 2 * math.pi * index / len(seats)
                x, y = x + spread * math.cos(angle), y + spread * math.sin(angle)
            centre = f'cx="{x * SQUARE:.1f}" cy="{y * SQUARE:.1f}" r="{(0.3 if spread == 0 or nests else 0.2) * SQUARE:.1f}"'
            discs.append(f'<circle {centre} fill="{_printed(board.seats[seat].colour)}" stroke="#111" stroke-width="1.5"/>')
    return "".join(discs)


def _plot(board: Board, race: Sequence[tuple[float, GameState]], players: Sequence[int], names: dict[int, str]) -> str:
    begin, end = race[0][0], max(race[-1][0], race[0][0] + 1)
    parts = [_axes(begin, end)]
    for seat in players:
        points: list[str] = []
        for t, state in race:
            x, y = PLOT_WIDTH * (t - begin) / (end - begin), PLOT_HEIGHT * (1 - _share(board, state, seat))
            if points:
                points.append(f"{x:.1f},{points[-1].split(',')[1]}")  # a step: the way home is gone by moves, not by time
            points.append(f"{x:.1f},{y:.1f}")
        colour = _printed(board.seats[seat].colour)
        line = "#999" if colour == PRINTED["white"] else colour
        parts.append(f'<polyline fill="none" stroke="{line}" stroke-width="2.5" points="{" ".join(points)}"/>')
        y = PLOT_HEIGHT * (1 - _share(board, race[-1][1], seat))
        parts.append(f'<circle cx="{PLOT_WIDTH}" cy="{y:.1f}" r="4" fill="{colour}" stroke="#111"/>')
    legend = "".join(
        f'<rect x="{index * 110}" y="{PLOT_HEIGHT + 38}" width="14" height="14" fill="{_printed(board.seats[seat].colour)}" stroke="#111"/>'
        f'<text x="{index * 110 + 20}" y="{PLOT_HEIGHT + 50}">{escape(names[seat])}</text>'
        for index, seat in enumerate(players)
    )
    return "".join(parts) + legend


def _axes(begin: float, end: float) -> str:
    """A frame with quarters of the way home, and the time of play in minutes and seconds."""
    lines = [f'<rect class="cell" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}"/>']
    for quarter in range(5):
        y = PLOT_HEIGHT * (1 - quarter / 4)
        lines.append(f'<path d="M0 {y:g}H{PLOT_WIDTH}" stroke="#ddd"/>')
        lines.append(f'<text x="-6" y="{y + 4:g}" text-anchor="end">{quarter * 25} %</text>')
        x = PLOT_WIDTH * quarter / 4
        lines.append(f'<text x="{x:g}" y="{PLOT_HEIGHT + 18}" text-anchor="middle">{clock((end - begin) * quarter / 4).strip()}</text>')
    return "".join(lines)


def _share(board: Board, state: GameState, seat: int) -> float:
    """How much of the way home a seat's tokens have gone, 0 … 1."""
    steps = state.steps[seat]
    goal = len(steps) * (board.last + 1) - (0 if board.has_finish else sum(range(len(steps))))  # home spaces: one token each
    return sum(step + 1 for step in steps) / goal if goal else 0.0


def _printed(colour: str) -> str:
    return PRINTED.get(colour, OTHER)
