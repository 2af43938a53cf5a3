"""A simulated year: the service agrees with a referee that shares no code with it, and the referee
finds what is wrong.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.record import write_record
from service.ledger.check import check_ledger
from service.turns import time_up
from service.views.record import match_record
from tests.service.clocks.outsider import Outsider
from tools.year.command import refereed
from tools.year.play import START, Year
from tools.year.referee import (
    DAY,
    HOUR,
    Asked,
    Noted,
    RefereeFindings,
    Rule,
    Truth,
    due_of,
    judge,
    nights,
    ran,
    weekends,
)
from tools.year.world import world

pytestmark = pytest.mark.deep

RULE = Rule(DAY, 4 * HOUR, 3 * DAY)


@pytest.fixture
def year() -> Iterator[Year]:
    """Some weeks with a few matches."""
    with world(START, random.Random("weeks")) as its:
        yield Year(its, random.Random("weeks"), "ozeanien", 5, 70)


def test_a_referee_finds_nothing_wrong_in_some_weeks(year: Year) -> None:
    year.run()
    found, credited = refereed(year)
    assert found.is_clean, found
    assert found.expired > 5
    assert {"outage", "quiet", "weekend"} <= set(credited)
    assert year.done["outages"] > 0
    assert year.done["unseen"] > 0
    assert check_ledger(year.world.context.database).breaches == []


def test_a_referee_finds_a_sweeper_that_acts_late(year: Year, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_up, "MARGIN", timedelta(minutes=5))
    year.run()
    found, _ = refereed(year)
    assert found.late
    assert not found.early


def test_a_referee_finds_a_sweeper_that_knows_of_no_outage(year: Year) -> None:
    year.run()
    assert refereed(year)[0].is_clean
    year.world.outages.append((year.world.outages[0][0] - 30 * DAY, year.world.outages[0][0] + 30 * DAY))
    found, _ = refereed(year)
    assert found.early or found.late


def steps(*more: Noted) -> list[Noted]:
    return [Noted("begun", None, 0, 0, 0, (Asked(frozenset({0})),)), *more]


def judged(*more: Noted, now: int, outages: tuple[tuple[int, int], ...] = ()) -> RefereeFindings:
    found = RefereeFindings()
    judge("m", RULE, 2, steps(*more), Truth({}, outages), now, found)
    return found


def test_a_referee_follows_the_first_turn_and_the_reserve() -> None:
    bot = Noted("time_up_bot_turn", 0, 5 * DAY, 5 * DAY + 20, 0, (Asked(frozenset({1})),))
    assert judged(bot, now=6 * DAY).is_clean
    assert judged(replace(bot, counts_at=5 * DAY - 1), now=5 * DAY).early
    assert judged(replace(bot, at=5 * DAY + 61), now=5 * DAY + 61).late
    assert judged(bot, bot, now=5 * DAY + 61).twice
    assert judged(now=5 * DAY + 61).missed
    assert not judged(now=5 * DAY + 60).missed


def test_a_referee_leaves_two_hours_after_an_outage() -> None:
    bot = Noted("time_up_bot_turn", 0, 5 * DAY + 2 * HOUR, 5 * DAY + 2 * HOUR, 0, (Asked(frozenset({1})),))
    for began in (5 * DAY - HOUR // 2, 5 * DAY - HOUR):
        assert judged(bot, now=5 * DAY + 2 * HOUR, outages=((began, 5 * DAY),)).is_clean
        earlier = replace(bot, counts_at=5 * DAY + HOUR)
        assert judged(earlier, now=5 * DAY + 2 * HOUR, outages=((began, 5 * DAY),)).early


def test_a_referee_lends_those_who_are_asked_within_a_turn_a_share_of_one_base() -> None:
    asked = Asked(frozenset({1, 2}), turn_of=0)
    opened = [Noted("begun", None, 0, 0, 0, (Asked(frozenset({0}), 0),)), Noted("turn", 0, HOUR, HOUR, 0, (asked,))]
    up = Noted("time_up_bot_turn", 1, 61 * HOUR, 61 * HOUR, 0, (Asked(frozenset({2}), 0),))
    for step, clean in ((up, True), (replace(up, counts_at=60 * HOUR), False)):
        found = RefereeFindings()
        judge("m", RULE, 3, [*opened, step], Truth({}, ()), 61 * HOUR, found)
        assert found.is_clean == clean, found


def test_time_that_runs_is_what_nothing_stops() -> None:
    stopped = [(10, 20), (15, 30), (40, 50)]
    assert ran(0, 60, stopped) == 30
    assert ran(12, 18, stopped) == 0
    assert due_of(0, 15, stopped) == 35
    assert due_of(0, 10, stopped) == 30  # something stops the clock just then
    assert due_of(60, 5, stopped) == 65


def test_nights_and_weekends_follow_the_local_clock() -> None:
    june, march = 1_781_000_000, 1_774_700_000
    for start, end in nights("Asia/Kathmandu", 22, 6, june, june):
        assert end - start == 8 * HOUR
        assert start % HOUR == 15 * 60  # Nepal is 5 h 45 min ahead
    lengths = {end - start for start, end in nights("Europe/Zurich", 22, 6, march, march + 3 * DAY)}
    assert lengths == {7 * HOUR, 8 * HOUR}  # the clocks go forward
    assert all(end - start in (23 * HOUR, DAY, 25 * HOUR) for start, end in weekends("Europe/Zurich", march, june))


def test_a_verifier_that_was_written_from_the_document_alone_agrees_with_every_record(year: Year) -> None:
    year.run()
    counted = Counter[str]()
    for match_id in year.played:
        outsider = Outsider(write_record(match_record(year.world.context, None, match_id)))
        assert outsider.follow() == [], match_id
        counted.update(outsider.counted)
    assert {"turn", "time_up_bot_turn", "time_up_bot_hold", "back", "outage", "quiet", "weekend"} <= set(counted)
