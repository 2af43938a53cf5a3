"""Quiet hours and weekends by the clocks of places where these do odd things."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from service.clocks.rule import ClockRule
from service.clocks.seat import Ground, SeatClock, Stop, stops_ahead, stops_within
from service.clocks.spans import DAY, HOUR, LONGEST_QUIET, LocalHours, Span, instant, moment, quiet_spans, weekend_spans


def at(*parts: int) -> int:
    return instant(datetime(*parts, tzinfo=UTC))  # type: ignore[arg-type, misc]


def night(zone: str, begin: str, end: str) -> LocalHours:
    def minutes(text: str) -> int:
        return int(text[:2]) * 60 + int(text[3:])

    return LocalHours(zone, minutes(begin), minutes(end))


def written(spans: tuple[Span, ...]) -> list[str]:
    return [f"{moment(span.start):%d %H:%M}-{moment(span.end):%d %H:%M}" for span in spans]


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", ["03 22:00-04 07:00"]),
        ("Asia/Kathmandu", ["03 16:15-04 01:15"]),
        ("America/St_Johns", ["04 01:30-04 10:30"]),
    ],
)
def test_a_night_in_utc(zone: str, expected: list[str]) -> None:
    found = quiet_spans(night(zone, "22:00", "07:00"), at(2026, 12, 3, 16), at(2026, 12, 4, 10))
    assert written(found)[-1:] == expected


def test_half_an_hour_of_lord_howe_in_both_directions() -> None:
    hours = night("Australia/Lord_Howe", "22:00", "06:00")
    shorter = quiet_spans(hours, at(2026, 10, 3, 12), at(2026, 10, 3, 18))
    longer = quiet_spans(hours, at(2027, 4, 3, 12), at(2027, 4, 3, 18))
    assert [(span.end - span.start) / HOUR for span in (*shorter, *longer)] == [7.5, 8.5]


def test_a_night_that_is_longer_than_nine_hours_is_cut() -> None:
    hours = night("Europe/Berlin", "22:00", "07:00")
    [span] = quiet_spans(hours, at(2026, 10, 24, 21), at(2026, 10, 25, 4))
    assert span.end - span.start == LONGEST_QUIET
    [span] = quiet_spans(hours, at(2026, 3, 28, 22), at(2026, 3, 29, 4))
    assert span.end - span.start == 8 * HOUR


def test_the_day_that_apia_never_had() -> None:
    """30 December 2011 was left out; the nights of 29 and 31 stay, and none is counted twice."""
    found = quiet_spans(night("Pacific/Apia", "22:00", "06:00"), at(2011, 12, 29), at(2012, 1, 1))
    assert all(one.end < other.start for one, other in pairwise(found))
    assert all(span.end - span.start <= LONGEST_QUIET for span in found)
    assert written(found)[:2] == ["29 08:00-29 16:00", "30 08:00-30 16:00"]
    weekend = weekend_spans("Pacific/Apia", at(2011, 12, 29), at(2012, 1, 3))
    assert written(weekend) == ["30 10:00-01 10:00"]


def test_a_weekend_has_48_hours_but_where_the_clocks_change() -> None:
    def hours(*day: int) -> list[float]:
        return [(s.end - s.start) / HOUR for s in weekend_spans("Europe/Berlin", at(*day), at(*day) + DAY)]

    assert (hours(2026, 11, 28), hours(2026, 3, 28), hours(2026, 10, 24)) == ([48], [47], [49])


@pytest.fixture
def other_database(tmp_path: Path) -> Iterator[None]:
    """A time zone database in which Berlin is where Kathmandu was."""
    (tmp_path / "Europe").mkdir()
    places = [Path(path) / "Asia/Kathmandu" for path in zoneinfo.TZPATH]
    here = next((path for path in places if path.exists()), None)
    known = (here or files("tzdata.zoneinfo").joinpath("Asia", "Kathmandu")).read_bytes()
    (tmp_path / "Europe/Berlin").write_bytes(known)
    zoneinfo.reset_tzpath([tmp_path])
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


def test_a_new_database_changes_the_future_and_nothing_that_has_happened(other_database: None) -> None:
    ground = Ground(night("Europe/Berlin", "22:00", "07:00"))
    clock = SeatClock(2 * DAY, since=at(2026, 12, 3, 12))
    rule = ClockRule(DAY, 0, 2 * DAY)
    recorded = (Stop("quiet", at(2026, 12, 3, 21), at(2026, 12, 4, 6)),)
    assert stops_ahead(rule, clock, ground)[0] == Stop("quiet", at(2026, 12, 3, 16, 15), at(2026, 12, 4, 1, 15))
    assert stops_within(recorded, at(2026, 12, 3, 12), at(2026, 12, 5)) == recorded
