"""Spans of time, half-open, and how much time passes outside of them. Instants are
whole seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """From ``start`` to before ``end``."""

    start: int
    end: int


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """What the spans cover together: in order, apart from each other, none empty."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


def stopped(spans: Iterable[Span], start: int, end: int) -> int:
    """How many seconds from ``start`` to ``end`` the spans cover together."""
    return sum(span.end - span.start for span in union(Span(max(start, s), min(end, e)) for s, e in spans))


def running(spans: Iterable[Span], start: int, end: int) -> int:
    """How many seconds from ``start`` to ``end`` no span covers."""
    return end - start - stopped(spans, start, end)


def moment_after(spans: Iterable[Span], start: int, seconds: int) -> int:
    """The latest instant up to which no more than ``seconds`` since ``start`` are uncovered: where
    the time is used up as a span begins, it is the end of that span.
    """
    at, left = start, seconds
    for span in union(spans):
        if span.end <= at:
            continue
        if span.start - at > left:
            break
        left -= max(0, span.start - at)
        at = span.end
    return at + left
