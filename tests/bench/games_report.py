"""What whole games came to, as a Markdown table and a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .games_played import Result

COUNTED = ("moves", "told_right", "told_wrong", "not_told", "false_alarms", "planted", "called", "unclear", "straightened")
KINDS = ("told wrong", "not told", "false alarm", "mistake not called", "stuck", "board not found")
LEADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)
CHANCES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
RED, GREEN, GREY, BLUE = "#c22828", "#2a8a4a", "#999999", "#3a6ea8"

Bin = tuple[float, int, float, float]


def report(results: Sequence[Result], wanted: int, folder: Path) -> None:
    """Write the table and the plot."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.md").write_text(table(results, wanted), encoding="utf-8")
    plot(results, folder / "games.png")


def table(results: Sequence[Result], wanted: int) -> str:
    """The results as Markdown: totals, errors by cause, a line a game, errors by what was drawn, calibration, every error in words."""
    moves = sum(result.counts["moves"] for result in results)
    delays = sorted(delay for result in results for delay in result.delays)
    names = list(results[0].names) if results else []
    looks, lost = (sum(result.counts[name] for result in results) for name in ("looks", "looks_not_found"))
    parts = [
        f"# Whole games on drawn tables\n\n{len(results)} of {wanted} games played"
        f" ({sum(result.counts['games_over'] for result in results)} to their end), {moves} moves,"
        f" {sum(result.counts['pictures'] for result in results)} pictures, {sum(result.seconds for result in results) / 60:.0f} minutes"
        f" of one processor.",
        _totals(results, moves),
        "## Errors a move by cause\n\nWhat was going on when it went wrong; a hundred moves of that sort.",
        rows(("cause", "moves", *KINDS, "a hundred moves"), _by_cause(results)),
        f"From the last motion until the move is told: half of the moves within {_quantile(delays, 0.5):.1f} s,"
        f" 95 % within {_quantile(delays, 0.95):.1f} s, the slowest {_quantile(delays, 1.0):.1f} s.",
        "## Games",
        rows(("seed", *names, *(name.replace("_", " ") for name in COUNTED), "s"),
             [(r.seed, *r.names.values(), *(r.counts[name] for name in COUNTED), round(r.seconds)) for r in results]),
        "## Errors by what was drawn",
        rows(("", "games", "moves", "errors", "a hundred moves"),
             [(name, games, made, wrong, f"{100 * wrong / max(made, 1):.2f}") for name, games, made, wrong in by_factor(results)]),
        "## Calibration\n\nHow often the best-ranked explanation of a picture was the truth, by its lead over the next in silhouettes"
        " of a token (a move is accepted at a lead of 1):",
        rows(("lead from", "to", "rankings", "true"),
             [(f"{low:g}", f"{high:g}", n, f"{share:.1%}") for low, n, share, high in leads(results)]),
        f"How often a stand read from one picture without history was true, by its reported probability ({looks} pictures, the board"
        f" not found in {lost}):",
        rows(("p from", "to", "stands", "mean p", "true"),
             [(f"{low:g}", f"{high:g}", n, f"{_mean_p(results, low, high):.1%}", f"{share:.1%}")
              for low, n, share, high in chances(results)]),
    ]
    words = [f"- {r.seed}, {error.kind} ({error.cause}): {error.words}" for r in results for error in r.errors]
    return "\n\n".join([*parts, "## Every error in words", "\n".join(words) if words else "None."]) + "\n"


def _totals(results: Sequence[Result], moves: int) -> str:
    kinds = Counter(error.kind for result in results for error in result.errors)
    counts = sum((result.counts for result in results), Counter())
    lines = [(kind, kinds[kind], f"one in {moves / kinds[kind]:.0f}" if kinds[kind] else "none") for kind in KINDS]
    lines += [("mistakes called", f"{counts['called']} of {counts['planted']}", ""),
              ("asked for help", counts["unclear"], f"one in {moves / counts['unclear']:.0f}" if counts["unclear"] else "none")]
    return rows(("", "", "of all moves"), lines)


def _by_cause(results: Sequence[Result]) -> list[tuple[object, ...]]:
    moves = sum((result.causes for result in results), Counter())
    wrong = Counter((error.cause, error.kind) for result in results for error in result.errors)
    lines: list[tuple[object, ...]] = []
    for cause in sorted(moves | Counter({cause for cause, _ in wrong}), key=lambda cause: -moves[cause]):
        errors = [wrong[cause, kind] for kind in KINDS]
        lines.append((cause, moves[cause], *errors, f"{100 * sum(errors) / moves[cause]:.2f}" if moves[cause] else ""))
    return lines


def rows(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    return "\n".join(["| " + " | ".join(map(str, line)) + " |" for line in (head, ["---"] * len(head), *lines)])


def by_factor(results: Sequence[Result]) -> list[tuple[str, int, int, int]]:
    """(factor and value, games, moves, errors)."""
    found = []
    for factor in results[0].names if results else ():
        for value in sorted({result.names[factor] for result in results}):
            some = [result for result in results if result.names[factor] == value]
            found.append((f"{factor}: {value}", len(some), sum(r.counts["moves"] for r in some), sum(len(r.errors) for r in some)))
    return found


def leads(results: Iterable[Result]) -> list[Bin]:
    """(lowest lead of the bin, rankings in it, share that was true, highest lead)."""
    return _binned([ranking for result in results for ranking in result.rankings], LEADS, float("inf"))


def chances(results: Iterable[Result]) -> list[Bin]:
    """(lowest probability of the bin, stands in it, share that was true, highest probability)."""
    return _binned([stand for result in results for stand in result.stands], CHANCES, 1.0)


def _binned(pairs: Sequence[tuple[float, bool]], lows: Sequence[float], top: float) -> list[Bin]:
    bins = []
    for low, high in zip(lows, (*lows[1:], top), strict=True):
        inside = [true for value, true in pairs if low <= value and (value < high or high == top)]
        if inside:
            bins.append((low, len(inside), sum(inside) / len(inside), high))
    return bins


def _mean_p(results: Iterable[Result], low: float, high: float) -> float:
    inside = [p for result in results for p, _ in result.stands if low <= p and (p < high or high == 1.0)]
    return sum(inside) / max(1, len(inside))


def _quantile(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def plot(results: Sequence[Result], path: Path) -> None:
    """Four panels: games, errors by what was drawn, calibration of leads, reliability of probabilities."""
    from PIL import Image, ImageDraw

    factors = by_factor(results)
    picture = Image.new("RGB", (1440, max(840, 90 + 20 * max(len(results), len(factors)))), "white")
    pen = ImageDraw.Draw(picture)
    _plot_games(pen, results)
    pen.text((480, 14), "errors a hundred moves, by what was drawn", fill="black")
    shares = [100 * wrong / max(made, 1) for _, _, made, wrong in factors]
    most = max([*shares, 1.0])
    for row, ((name, _, _, wrong), share) in enumerate(zip(factors, shares, strict=True)):
        y, x = 44 + 20 * row, 620 + 200 * share / most
        pen.text((480, y), name, fill="black")
        pen.rectangle((620, y, x, y + 12), fill=RED if wrong else None)
        pen.text((x + 6, y), f"{share:.2f}", fill="black")
    _plot_shares(pen, (960, 60), "share of rankings that were true, by lead in silhouettes", leads(results))
    _plot_reliability(pen, (960, 470), "reliability: stands true, by reported probability", results)
    picture.save(path)


def _plot_games(pen: object, results: Sequence[Result]) -> None:
    pen.text((20, 14), "moves a game: told right, not told, told wrong", fill="black")
    widest = max([result.counts["moves"] for result in results] or [1]) or 1
    for row, result in enumerate(results):
        x, y, c = 210.0, 44 + 20 * row, result.counts
        pen.text((20, y), f"{result.seed} {result.names['board']} {result.names['view']} {result.names['light']}", fill="black")
        for count, colour in ((c["told_right"], GREEN), (c["not_told"], GREY), (c["told_wrong"], RED)):
            if count:
                pen.rectangle((x, y, x + max(1.0, 230 * count / widest), y + 12), fill=colour)
            x += 230 * count / widest


def _frame(pen: object, corner: tuple[int, int], title: str, side: int) -> None:
    left, top = corner
    pen.text((left, top - 20), title, fill="black")
    pen.rectangle((left, top, left + side, top + side), outline="black")
    for step in range(11):
        pen.text((left - 28, top + side * (1 - step / 10) - 6), f"{step / 10:.1f}", fill="black")


def _plot_shares(pen: object, corner: tuple[int, int], title: str, bins: Sequence[Bin], side: int = 320) -> None:
    _frame(pen, corner, title, side)
    left, top = corner
    width = side / max(1, len(bins))
    for number, (low, count, share, _) in enumerate(bins):
        x = left + number * width
        pen.rectangle((x + 4, top + side * (1 - share), x + width - 4, top + side), fill=BLUE)
        pen.text((x + 4, top + side + 4), f"{low:g}+", fill="black")
        pen.text((x + 4, top + side + 16), str(count), fill=GREY)


def _plot_reliability(pen: object, corner: tuple[int, int], title: str, results: Sequence[Result], side: int = 320) -> None:
    _frame(pen, corner, title, side)
    left, top = corner
    pen.line((left, top + side, left + side, top), fill=GREY)
    points = []
    for low, count, share, high in chances(results):
        x, y = left + side * _mean_p(results, low, high), top + side * (1 - share)
        points.append((x, y))
        pen.ellipse((x - 4, y - 4, x + 4, y + 4), fill=BLUE)
        pen.text((x - 30, y + 4), str(count), fill=GREY)
    if len(points) > 1:
        pen.line(points, fill=BLUE)
