"""What was measured of a candidate, and the table of all candidates."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.documents import to_document
from tools.search.criteria import Criterion, MeasuredCriterion, measured
from tools.search.space import Candidate
from tools.simulate.play import Played


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The measures of a candidate, by number of seats and criterion, and their mean fitness."""

    name: str
    candidate: Candidate
    matches: int
    labels: tuple[str, ...]
    measures: tuple[MeasuredCriterion, ...]
    fitness: float


def judged(
    name: str,
    candidate: Candidate,
    matches: int,
    criteria: Sequence[Criterion],
    by_seats: Mapping[int, Sequence[Played]],
) -> SearchResult:
    """The candidate judged by matches of each number of seats."""
    pairs = [
        (f"{criterion.label}, {seats}", measured(criterion, played))
        for criterion in criteria
        for seats, played in by_seats.items()
    ]
    return SearchResult(
        name,
        candidate,
        matches,
        tuple(label for label, _ in pairs),
        tuple(found for _, found in pairs),
        statistics.fmean(found.fitness for _, found in pairs),
    )


def table(results: Sequence[SearchResult]) -> str:
    """A table in Markdown: what meets its criterion is bold. Below it the candidates as documents,
    as they can be written into a space.
    """
    heads = ("candidate", "matches", *results[0].labels, "met", "fitness")
    lines = [heads, ("---",) * len(heads), *(_row(each) for each in results)]
    shown = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    documents = "\n".join(f"{json.dumps(each.name)}: {json.dumps(to_document(each.candidate))}" for each in results)
    return f"{shown}\n\n{documents}"


def line(result: SearchResult) -> str:
    """The candidate and what was measured of it, on one line."""
    return f"{' | '.join(_row(result))} | {json.dumps(to_document(result.candidate))}"


def _row(result: SearchResult) -> tuple[str, ...]:
    met = sum(each.met for each in result.measures)
    return (
        result.name,
        f"{result.matches}",
        *(_cell(each) for each in result.measures),
        f"{met} of {len(result.measures)}",
        f"{result.fitness:.3f}",
    )


def _cell(found: MeasuredCriterion) -> str:
    value = f"**{found.value:.2f}**" if found.met else f"{found.value:.2f}"
    return f"{value} ({found.shown})" if found.shown else value
