"""What is expected of a component set, measured in the matches that were played with it."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from engine.documents import About
from tools.simulate.play import Played


@dataclass(frozen=True, slots=True)
class Balanced:
    """The least frequent of some occurrences has to reach a share of the mean of the others."""

    type: ClassVar[str] = "balanced"
    label: str
    of: Annotated[tuple[str, ...], About("The labels of the occurrences.")]
    at_least: float


@dataclass(frozen=True, slots=True)
class Share:
    """An occurrence has to be a share of another one."""

    type: ClassVar[str] = "share"
    label: str
    part: str
    whole: str
    at_least: float


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a figure has to lie between two numbers."""

    type: ClassVar[str] = "figure"
    label: str
    figure: str
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Wins:
    """No seat may win more or less often than its share by more than ``within``."""

    type: ClassVar[str] = "wins"
    label: str
    within: float


Criterion: TypeAlias = Balanced | Share | Figure | Wins


@dataclass(frozen=True, slots=True)
class MeasuredCriterion:
    """``value`` is what was measured, ``fitness`` from 0 to 1 how near it comes to what is
    wanted; ``shown`` tells it with the single numbers behind it.
    """

    value: float
    met: bool
    fitness: float
    shown: str


def measured(criterion: Criterion, played: Sequence[Played]) -> MeasuredCriterion:
    """The criterion in finished matches of one number of seats."""
    over = [each for each in played if each.scores]
    match criterion:
        case Balanced():
            return _balanced(criterion, over)
        case Share():
            total = _counted(over)
            value = total[criterion.part] / total[criterion.whole] if total[criterion.whole] else 0.0
            return _at_least(value, criterion.at_least, "")
        case Figure():
            return _figure(criterion, over)
        case Wins():
            return _wins(criterion, over)


def win_shares(over: Sequence[Played]) -> list[float]:
    """The share of the matches that each seat won, shared ones in parts."""
    seats = len(over[0].scores)
    return [sum(1 / len(each.winners) for each in over if seat in each.winners) / len(over) for seat in range(seats)]


def standard_error(seats: int, matches: int) -> float:
    """Of the share of a seat, if all win equally often."""
    return math.sqrt((1 - 1 / seats) / seats / matches)


def _balanced(criterion: Balanced, over: Sequence[Played]) -> MeasuredCriterion:
    total = _counted(over)
    numbers = [total[label] for label in criterion.of]
    seats = sum(len(each.scores) for each in over) or 1
    ratios = [_ratio(number, (sum(numbers) - number) / (len(numbers) - 1)) for number in numbers]
    return _at_least(min(ratios), criterion.at_least, " ".join(f"{number / seats:.2f}" for number in numbers))


def _figure(criterion: Figure, over: Sequence[Played]) -> MeasuredCriterion:
    numbers = [number for each in over for label, number in each.figures if label == criterion.figure]
    if len(numbers) < 2:
        return MeasuredCriterion(0.0, False, 0.0, "")
    mean, limits = statistics.fmean(numbers), statistics.quantiles(numbers, n=10, method="inclusive")
    outside = max(criterion.least - mean, mean - criterion.most, 0.0)
    fitness = max(0.0, 1 - 4 * outside / (criterion.least + criterion.most))
    return MeasuredCriterion(mean, outside == 0, fitness, f"{limits[0]:.0f} to {limits[-1]:.0f}")


def _wins(criterion: Wins, over: Sequence[Played]) -> MeasuredCriterion:
    shares = win_shares(over)
    error = standard_error(len(shares), len(over))
    off = max(abs(share - 1 / len(shares)) for share in shares)
    # What chance alone may cause is not held against a candidate of few matches.
    fitness = max(0.0, 1 - 4 * max(0.0, off - criterion.within - error))
    shown = f"{' '.join(f'{100 * share:.1f}' for share in shares)} ± {196 * error:.1f}"
    return MeasuredCriterion(off, off <= criterion.within, fitness, shown)


def _at_least(value: float, wanted: float, shown: str) -> MeasuredCriterion:
    return MeasuredCriterion(value, value >= wanted, min(1.0, value / wanted) if wanted else 1.0, shown)


def _ratio(number: float, others: float) -> float:
    return number / others if others else 1.0


def _counted(over: Sequence[Played]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in over:
        total.update(each.occurred)
    return total
