"""Tables of the figures of many matches: length, scores, wins, actions, and speed."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table

from tools.simulate.play import Bot, Done, Played


def table_of_figures(
    title: str, played: Sequence[Played], seconds: float, below: Sequence[int], above: Sequence[int]
) -> Table:
    """The main figures, with the shares of scores below and above some thresholds."""
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column("figure", style="bold")
    table.add_column("value", justify="right")
    over = [each for each in played if each.scores]
    scores = sorted(score for each in over for score in each.scores)
    table.add_row("matches", f"{len(played)}")
    table.add_row("matches per second", f"{len(played) / seconds:.1f}")
    table.add_row("plies a match, mean (least to most)", _spread([each.plies for each in played]))
    if any(len(each.turns) > 1 for each in over):  # a solo player has one turn, with no other seat between
        table.add_row("turns a seat, set-up included", _spread([turns for each in over for turns in each.turns]))
    table.add_row("scores", _spread(scores))
    table.add_row("scores, the three limits between quarters", _limits(scores, 4))
    table.add_row("scores, the nine limits between tenths", _limits(scores, 10))
    for threshold in below:
        table.add_row(f"scores below {threshold}", _share(sum(score < threshold for score in scores), len(scores)))
    for threshold in above:
        table.add_row(f"scores above {threshold}", _share(sum(score > threshold for score in scores), len(scores)))
    table.add_row("winning scores", _spread([max(each.scores) for each in over]))
    seats = len(played[0].bots)
    table.add_row(
        "wins by seat (a shared one in parts)",
        "  ".join(_share(_wins(over, (seat,)), len(over)) for seat in range(seats)),
    )
    bots = sorted({bot for each in played for bot in each.bots})
    if len(bots) > 1:
        table.add_row(
            "wins by bot (a shared one in parts)",
            "  ".join(f"{bot} {_share(_wins_of(over, bot), len(over))}" for bot in bots),
        )
    table.add_row("standard error of the share of a seat", _standard_error(seats, len(over)))
    listing = sorted(value for each in played for value in each.listing)
    table.add_row("listing legal actions, mean", f"{1000 * statistics.fmean(listing or [0]):.3f} ms")
    table.add_row(
        "listing legal actions, 99th percentile",
        f"{1000 * (listing or [0])[max(0, -(-99 * len(listing) // 100) - 1)]:.3f} ms",
    )
    table.add_row(
        "applying an action, mean",
        f"{1000 * sum(each.applying for each in played) / max(1, sum(each.plies for each in played)):.3f} ms",
    )
    table.add_row("dead ends", f"{sum(each.dead_end is not None for each in played)}")
    table.add_row("broken invariants", f"{sum(bool(each.broken) for each in played)}")
    return table


def table_of_matches(played: Sequence[Played]) -> Table | None:
    """The game's own figures of finished matches; ``None`` where the game has none."""
    found: dict[str, list[float]] = {}
    for each in played:
        for label, number in each.figures:
            found.setdefault(label, []).append(number)
    if not found:
        return None
    table = Table(title="by match", title_justify="left")
    for heading in ("figure", "mean", "least", "quarter", "half", "three quarters", "most"):
        table.add_column(heading, justify="left" if heading == "figure" else "right")
    for label, numbers in found.items():
        limits = statistics.quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else numbers * 3
        table.add_row(
            label,
            f"{statistics.fmean(numbers):.2f}",
            *(f"{number:.1f}" for number in (min(numbers), *limits, max(numbers))),
        )
    return table


def table_of_actions(played: Sequence[Played]) -> Table:
    """How often each action was done, and each value in it: in all, per match and seat, and as a
    share of the actions of its type.
    """
    table = Table(title="what the seats did", title_justify="left")
    for heading in ("action", "naming", "times", "a match and seat", "share"):
        table.add_column(heading, justify="left" if heading in ("action", "naming") else "right")
    total: Counter[Done] = Counter()
    for each in played:
        total.update(each.done)
    seats = sum(len(each.bots) for each in played)
    of_all = sum(count for (_, name, _), count in total.items() if not name)
    for kind, naming, count, of in _lines(total, of_all):
        table.add_row(kind, naming, f"{count}", f"{count / seats:.2f}", _share(count, of))
    return table


def table_of_occurrences(played: Sequence[Played]) -> Table | None:
    """What else the game counts of the actions; ``None`` where that is nothing."""
    total: Counter[str] = Counter()
    for each in played:
        total.update(each.occurred)
    if not total:
        return None
    table = Table(title="what happened", title_justify="left")
    for heading in ("occurrence", "times", "a match and seat"):
        table.add_column(heading, justify="left" if heading == "occurrence" else "right")
    seats = sum(len(each.bots) for each in played)
    for label in sorted(total):
        table.add_row(label, f"{total[label]}", f"{total[label] / seats:.2f}")
    return table


def _lines(total: Counter[Done], of_all: int) -> Iterator[tuple[str, str, int, int]]:
    """Each type of action with its count, the most frequent first, followed by the values named in
    it, by field and in order.
    """
    types = sorted((each for each in total.items() if not each[0][1]), key=lambda each: (-each[1], each[0]))
    for (kind, _, _), count in types:
        yield kind, "", count, of_all
        named = sorted(
            (each for each in total.items() if each[0][0] == kind and each[0][1]),
            key=lambda each: (each[0][1], _in_order(each[0][2])),
        )
        for (_, name, value), times in named:
            yield "", f"{name} {value}", times, count


def _in_order(value: str) -> tuple[int, int, str]:
    return (0, int(value), "") if value.lstrip("-").isdecimal() else (1, 0, value)


def _standard_error(seats: int, matches: int) -> str:
    return f"{100 * math.sqrt((1 - 1 / seats) / seats / matches):.1f} %" if matches else "-"


def _wins(over: Sequence[Played], seats: Sequence[int]) -> float:
    return sum(1 / len(each.winners) for each in over for seat in each.winners if seat in seats)


def _wins_of(over: Sequence[Played], bot: Bot) -> float:
    return sum(1 / len(each.winners) for each in over for seat in each.winners if each.bots[seat] == bot)


def _share(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _spread(values: Sequence[int]) -> str:
    return f"{statistics.fmean(values):.1f} ({min(values)} to {max(values)})" if values else "-"


def _limits(values: Sequence[int], parts: int) -> str:
    return (
        " ".join(f"{value:.0f}" for value in statistics.quantiles(values, n=parts, method="inclusive"))
        if len(values) > 1
        else "-"
    )
