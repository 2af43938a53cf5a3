"""Rules of clocks and durations: what is read is written the same, and mistakes are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.clocks.rule import (
    NAMES,
    POLICIES,
    PRESETS,
    ClockRule,
    RuleError,
    document_of,
    policy_words,
    preset_of,
    read_rule,
    rule_words,
)
from service.clocks.spans import DAY, HOUR, DurationError, duration_words, read_duration, write_duration


@given(st.integers(0, 10**6).map(lambda minutes: minutes * 60))
def test_a_duration_is_read_as_it_is_written(seconds: int) -> None:
    assert read_duration(write_duration(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "seconds", "normal"),
    [
        ("P3D", 3 * DAY, "P3D"),
        ("PT36H", 36 * HOUR, "P1DT12H"),
        ("P1W", 7 * DAY, "P7D"),
        ("P1DT4H30M", DAY + 4 * HOUR + 1800, "P1DT4H30M"),
        ("PT0M", 0, "PT0M"),
    ],
)
def test_durations_have_one_normal_form(text: str, seconds: int, normal: str) -> None:
    assert (read_duration(text), write_duration(seconds)) == (seconds, normal)


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "P1DT", "3D", "P1Y", "P1M", "PT1S", "P-1D", "P1.5D", "P1D ", "p1d", "P1W2D", "P٣D"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(DurationError, match="such as P3D"):
        read_duration(text)


def test_of_a_long_text_that_is_no_duration_20_characters_are_quoted() -> None:
    for text, quoted in (("P" * 20, "P" * 20), ("P" * 21, "P" * 19 + "…")):
        with pytest.raises(DurationError, match=f"^'{quoted}' is no duration"):
            read_duration(text)


def test_durations_in_words() -> None:
    words = [duration_words(seconds) for seconds in (0, 59, 60, HOUR, 90 * 60, DAY)]
    assert words == [
        "less than a minute",
        "less than a minute",
        "1 minute",
        "1 hour",
        "1 hour 30 minutes",
        "1 day",
    ]
    longer = (36 * HOUR, 36 * HOUR + 30 * 60, DAY + 30 * 60, 3 * DAY + 59)
    assert [duration_words(seconds) for seconds in longer] == ["1 day 12 hours", "1 day 12 hours", "1 day", "3 days"]


def test_the_presets_are_those_of_the_rules() -> None:
    assert {name: rule_words(rule) for name, rule in PRESETS.items()} == {
        "brisk": "1 day, 4 hours more for each turn, never more than 3 days",
        "relaxed": "3 days, 12 hours more for each turn, never more than 5 days",
        "slow": "7 days, 1 day 12 hours more for each turn, never more than 10 days",
        "total": "10 days for the whole match",
    }
    assert rule_words(None) == "no clock"


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_read_by_its_name(name: str) -> None:
    rule = read_rule({"preset": name})
    assert (None if rule is None else preset_of(rule)) == (None if name == "none" else name)


@given(
    st.builds(
        lambda base, increment, more, bank, late, weekends, days_off: ClockRule(
            base, 0 if bank else min(base, increment), base if bank else base + more, bank, late, weekends, days_off
        ),
        st.integers(60, 20_000).map(lambda minutes: minutes * 60),
        st.integers(0, 20_000).map(lambda minutes: minutes * 60),
        st.integers(0, 20_000).map(lambda minutes: minutes * 60),
        st.booleans(),
        st.sampled_from(POLICIES),
        st.sampled_from([None, "Europe/Zurich", "Pacific/Apia"]),
        st.booleans(),
    )
)
def test_a_rule_is_read_as_it_is_written(rule: ClockRule) -> None:
    assert read_rule(document_of(rule)) == rule


def test_what_follows_in_words() -> None:
    assert {late: policy_words(replace(PRESETS["brisk"], if_late=late)) for late in POLICIES} == {
        "bot_turn": "If time and reserve are used up, a bot plays this turn; after two in a row it holds the seat until"
        " its player is back.",
        "bot_seat": "If time and reserve are used up, a bot takes the seat for good.",
        "resign": "If time and reserve are used up, the seat resigns.",
    }


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, ""),
        ({"preset": "relaxed", "total": "P3D"}, ""),
        ({"preset": "fast"}, "preset"),
        ({"preset": 3}, "preset"),
        ({"preset": "none", "if_late": "resign"}, ""),
        ({"preset": "relaxed", "most": "P9D"}, "most"),
        ({"base": "P3D", "increments": "PT1H"}, "increments"),
        ({"base": "PT59M"}, "base"),
        ({"base": "P61D"}, "base"),
        ({"base": 3}, "base"),
        ({"base": "P1D", "increment": "P2D"}, "increment"),
        ({"base": "P3D", "most": "P2D"}, "most"),
        ({"total": "P10D", "increment": "PT1H"}, "increment"),
        ({"preset": "slow", "if_late": "shout"}, "if_late"),
        ({"preset": "slow", "if_late": ["resign"]}, "if_late"),
        ({"preset": "slow", "weekends": "Mars/Olympus"}, "weekends"),
        ({"preset": "slow", "weekends": "../etc/passwd"}, "weekends"),
        ({"preset": "slow", "weekends": "posix/Europe/Zurich"}, "weekends"),
        ({"preset": "slow", "weekends": "right/UTC"}, "weekends"),
        ({"preset": "slow", "weekends": "localtime"}, "weekends"),
        ({"preset": "slow", "weekends": ["UTC"]}, "weekends"),
        ({"preset": "slow", "days_off": "yes"}, "days_off"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_field(document: dict[str, Any], field: str) -> None:
    with pytest.raises(RuleError) as error:
        read_rule(document)
    assert error.value.field == field
