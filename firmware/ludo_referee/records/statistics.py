"""What many games together say about each player: throws, sixes, fairness, captures, places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..referee import fairness
from ..referee.notices import GameOver, Illegal, Move, Notice, Roll, TakeBack


class PlayerStatistics(msgspec.Struct):
    """One colour over the games it played. `faces[i]`: how often the die showed i + 1; `places[i]`: how often it came in at place i + 1."""

    colour: str
    games: int = 0
    faces: list[int] = msgspec.field(default_factory=lambda: [0] * 6)
    moves: int = 0
    captures: int = 0
    captured: int = 0
    wrong_moves: int = 0
    take_backs: int = 0
    places: list[int] = msgspec.field(default_factory=lambda: [0] * 4)

    @property
    def throws(self) -> int:
        return sum(self.faces)

    @property
    def sixes_share(self) -> float:
        """The share of sixes among the throws; a fair die gives 0.167."""
        return self.faces[5] / self.throws if self.throws else 0.0

    @property
    def fair(self) -> float | None:
        """How often a fair die gives throws at least as uneven as these, 0 … 1; None: too few throws to say."""
        return fairness.probability(self.faces)


def statistics(games: Iterable[tuple[Sequence[str], Iterable[Notice]]]) -> list[PlayerStatistics]:
    """Each colour's figures, in alphabetical order, and those of all throws together under the colour "" at the end.

    `games`: of each the seats' colours, and what was said."""
    players: dict[str, PlayerStatistics] = {}
    for colours, told in games:
        thrown: set[int] = set()
        for notice in told:
            _count(notice, colours, players)
            thrown |= {notice.seat} if isinstance(notice, Roll) else set()
        for seat in thrown:
            players[colours[seat]].games += 1
    whole = PlayerStatistics("", faces=[sum(faces) for faces in zip(*(one.faces for one in players.values()), strict=True)] or [0] * 6)
    return [*(players[colour] for colour in sorted(players)), whole]


def _count(notice: Notice, colours: Sequence[str], players: dict[str, PlayerStatistics]) -> None:
    def player(seat: int) -> PlayerStatistics:
        return players.setdefault(colours[seat], PlayerStatistics(colours[seat]))

    match notice:
        case Roll(_, seat, value) if 1 <= value <= 6:
            player(seat).faces[value - 1] += 1
        case Move(_, seat, _, _, _, captures):
            player(seat).moves += 1
            player(seat).captures += len(captures)
            for other, _ in captures:
                player(other).captured += 1
        case Illegal(_, _, seen):
            for seat in {seat for seat, _, _ in seen}:
                player(seat).wrong_moves += 1
        case TakeBack(_, seat):
            player(seat).take_backs += 1
        case GameOver(_, order):
            for place, seat in enumerate(order[:4]):
                player(seat).places[place] += 1


def as_table(figures: Sequence[PlayerStatistics]) -> str:
    """The figures as a table of plain text."""
    head = ("player", "games", "1st 2nd 3rd 4th", "throws", "sixes", "fair", "moves", "takes", "lost", "wrong", "back")
    rows = [head, *(_row(one) for one in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [[cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return "".join("  ".join(cells).rstrip() + "\n" for cells in lines)


def _row(one: PlayerStatistics) -> tuple[str, ...]:
    fair = "-" if one.fair is None else f"p {one.fair:.2f}"
    throws = (str(one.throws), f"{100 * one.sixes_share:.1f} %", fair)
    if not one.colour:
        return ("all", "", "", *throws, "", "", "", "", "")
    places = " ".join(f"{count:3d}" for count in one.places)
    counts = (one.moves, one.captures, one.captured, one.wrong_moves, one.take_backs)
    return (one.colour, str(one.games), places, *throws, *map(str, counts))
