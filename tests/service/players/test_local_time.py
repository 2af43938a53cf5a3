"""Local hours in time zones, on the days when clocks are set forward and back, too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import Invalid
from service.players.local_time import next_at, read_hours, read_zone

ZONES = ("Europe/Zurich", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "UTC")


def utc(year: int, month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "hour", "zone", "expected"),
    [
        (utc(2026, 11, 21, 12), 19, "Europe/Zurich", utc(2026, 11, 21, 18)),
        (utc(2026, 7, 21, 12), 19, "Europe/Zurich", utc(2026, 7, 21, 17)),
        (utc(2026, 11, 21, 18), 19, "Europe/Zurich", utc(2026, 11, 22, 18)),
        (utc(2026, 11, 21, 23, 30), 0, "America/New_York", utc(2026, 11, 22, 5)),
        (utc(2026, 11, 21, 12), 8, "Asia/Kolkata", utc(2026, 11, 22, 2, 30)),
    ],
)
def test_the_hour_is_that_of_the_zone(moment: datetime, hour: int, zone: str, expected: datetime) -> None:
    assert next_at(moment, hour, zone) == expected


def test_an_hour_that_does_not_exist_begins_when_the_clocks_are_set_forward() -> None:
    assert next_at(utc(2026, 3, 28, 12), 2, "Europe/Zurich") == utc(2026, 3, 29, 1)
    assert next_at(utc(2026, 3, 29, 1), 2, "Europe/Zurich") == utc(2026, 3, 30, 0)


def test_an_hour_that_comes_twice_counts_once() -> None:
    assert next_at(utc(2026, 10, 24, 12), 2, "Europe/Zurich") == utc(2026, 10, 25, 0)
    assert next_at(utc(2026, 10, 25, 0), 2, "Europe/Zurich") == utc(2026, 10, 26, 1)


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
    st.integers(0, 23),
    st.sampled_from(ZONES),
)
def test_the_next_hour_comes_within_two_days_and_shows_on_the_local_clock(
    moment: datetime, hour: int, zone: str
) -> None:
    found = next_at(moment, hour, zone)
    assert moment < found <= moment + timedelta(hours=49)
    there = found.astimezone(ZoneInfo(zone))
    assert there.hour == hour or (found - timedelta(minutes=1)).astimezone(ZoneInfo(zone)).hour == (hour - 1) % 24


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("22:00-07:00", "22:00-07:00"),
        (" 7:05 to 9:50 ", "07:05-09:50"),
        ("23:59 - 8:58", "23:59-08:58"),
        ("0:00-0:01", "00:00-00:01"),
    ],
)
def test_quiet_hours_have_one_normal_form(text: str, normal: str) -> None:
    assert read_hours(text) == normal


@pytest.mark.parametrize("text", ["22:00-07:01", "07:00-22:00", "22:00-22:00", "0:00-9:01"])
def test_quiet_hours_are_at_most_nine_and_at_least_a_minute(text: str) -> None:
    with pytest.raises(Invalid, match="at most nine hours a day"):
        read_hours(text)


@pytest.mark.parametrize("text", ["", "22-7", "24:00-07:00", "22:60-07:00", "22:00", None, 22])
def test_what_are_no_quiet_hours_is_refused(text: object) -> None:
    with pytest.raises(Invalid, match="are no quiet hours such as 22:00-07:00"):
        read_hours(text)


@pytest.mark.parametrize("text", ["Europe/Zurich", "europe/zurich", " EUROPE/ZURICH ", "america/new york"])
def test_a_zone_is_found_whatever_its_case(text: str) -> None:
    assert read_zone(text).lower() == "_".join(text.lower().split())


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Zurich", "Europe/Zurich"),
        ("Europe/Zurch", "Europe/Zurich"),
        ("CET+1", "such as"),
        ("../../etc/passwd", "no time zone"),
    ],
)
def test_an_unknown_zone_is_refused_with_one_that_is_close(text: str, offered: str) -> None:
    with pytest.raises(Invalid, match=offered) as raised:
        read_zone(text)
    assert raised.value.problems[0][0] == "/time_zone"
