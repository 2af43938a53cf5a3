"""Spans, against counting every second."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.clocks.spans import Span, moment_after, running, stopped, union

LAST = 60
spans = st.lists(
    st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(lambda pair: Span(*sorted(pair))), max_size=6
)


def covered(found: list[Span]) -> set[int]:
    return {second for span in found for second in range(*span)}


@given(spans)
def test_a_union_covers_the_same_by_spans_apart_from_each_other(found: list[Span]) -> None:
    joined = union(found)
    assert covered(list(joined)) == covered(found)
    assert all(one.end < other.start for one, other in pairwise(joined))
    assert all(span.start < span.end for span in joined)


@given(spans, st.integers(0, LAST), st.integers(0, LAST))
def test_wall_time_is_what_ran_and_what_was_stopped(found: list[Span], start: int, more: int) -> None:
    end = start + more
    ran = len(set(range(start, end)) - covered(found))
    assert running(found, start, end) == ran
    assert ran + stopped(found, start, end) == end - start


@given(spans, st.integers(0, LAST), st.integers(0, LAST))
def test_splitting_an_interval_or_a_span_changes_nothing(found: list[Span], start: int, at: int) -> None:
    end = LAST + 10
    middle = max(start, at)
    assert running(found, start, end) == running(found, start, middle) + running(found, middle, end)
    split = [
        part
        for span in found
        for part in (
            Span(span.start, max(span.start, min(at, span.end))),
            Span(max(span.start, min(at, span.end)), span.end),
        )
    ]
    assert running(split, start, end) == running(found, start, end)
    assert moment_after(split, start, 7) == moment_after(found, start, 7)
    assert moment_after([*found, *found], start, 7) == moment_after(found, start, 7)


@given(spans, st.integers(0, LAST), st.integers(0, LAST))
def test_a_deadline_is_the_latest_moment_up_to_which_no_more_has_run(
    found: list[Span], start: int, seconds: int
) -> None:
    at = moment_after(found, start, seconds)
    assert running(found, start, at) == seconds
    assert running(found, start, at + 1) == seconds + 1


@given(spans, st.integers(0, LAST), st.integers(0, LAST), st.integers(0, LAST))
def test_what_is_used_can_be_settled_at_any_time_between(
    found: list[Span], start: int, seconds: int, more: int
) -> None:
    at = moment_after(found, start, seconds)
    between = min(at, start + more)
    assert moment_after(found, between, seconds - running(found, start, between)) == at
