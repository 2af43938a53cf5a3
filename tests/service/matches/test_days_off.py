"""Days off and quiet hours stop clocks, and nobody gains time by declaring, ending or changing
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from service.context import Context
from service.errors import Conflict, Invalid, NotFound
from service.inbox.words_for_all import read_away
from service.ledger.check import check_ledger
from service.matches import days_off
from service.players import choosing
from service.players.settings import format_settings, meaning_of
from service.turns import time_up
from tests.service.fakes import notices, played, started
from tests.service.swept import act_on_due
from tests.service.turns.clocks import DAY, due, kinds, let_expire, moved_to, now_is, steps, times

pytestmark = pytest.mark.usefixtures("pearls")
QUIET = {"quiet": "22:00-07:00"}


@pytest.fixture(autouse=True)
def clean(context: Context, pearls: None) -> Iterator[None]:
    yield
    assert check_ledger(context.database).breaches == []


def test_days_off_stop_the_clocks_of_its_player(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    found = days_off.declare(context, ada, 3)
    assert (found.left, len(found.items)) == (4, 1)
    assert due(context, table) == before + 3 * DAY
    assert times(context, table)[0].stored.due_at == times(context, table)[0].due_at
    now_is(context, context.clock() + 2 * DAY)
    assert played(context, ada, table.match.id, "dive").status == "accepted", "moving stays allowed"
    assert [stop.kind for stop in steps(context, table)[-1].stops[0]] == ["days_off"]
    assert times(context, table)[0].stored.clock.off == 2 * 86_400


def test_those_that_are_ended_give_back_whole_unused_days_and_no_time(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    days_off.declare(context, ada, 5)
    now_is(context, context.clock() + timedelta(hours=30))
    assert days_off.end(context, ada).left == 5
    assert due(context, table) == before + timedelta(hours=30)
    with pytest.raises(NotFound):
        days_off.end(context, ada)


def test_loops_of_declaring_and_ending_gain_only_the_days_they_cost(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    for _ in range(6):
        days_off.declare(context, ada, 2)
        days_off.end(context, ada)
    assert due(context, table) == before
    assert days_off.of_player(context, ada).left == 7
    later = context.clock() + 10 * DAY
    taken = days_off.declare(context, ada, 7, later).items[0]
    assert days_off.end(context, ada, taken.id).left == 7


def test_the_first_days_off_are_ended_where_none_are_named_also_those_to_come(context: Context) -> None:
    ada, now = started(context, "pearls", clock="brisk").players[0], context.clock()
    last = days_off.declare(context, ada, 2, now + 9 * DAY).items[0]
    days_off.declare(context, ada, 3, now + 4 * DAY)
    days_off.declare(context, ada, 2)
    assert [each.start - now for each in days_off.end(context, ada).items] == [4 * DAY, 9 * DAY]
    assert days_off.end(context, ada).items == (last,)
    assert days_off.end(context, ada) == days_off.AllDaysOff((), 7)
    with pytest.raises(NotFound):
        days_off.end(context, ada)


def test_what_cannot_be_declared(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, now = table.players[0], context.clock()
    for days, start in ((1, None), (31, None), (3, now - timedelta(seconds=1)), (3, now + 366 * DAY)):
        with pytest.raises(Invalid):
            days_off.declare(context, ada, days, start)
    with pytest.raises(Conflict, match="You have 7 days off left"):
        days_off.declare(context, ada, 8)
    days_off.declare(context, ada, 2, now + DAY)
    with pytest.raises(Conflict, match="days off already"):
        days_off.declare(context, ada, 2)


def test_fifteen_days_in_a_match_at_most(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada = replace(table.players[0], created_at=context.clock() - 400 * DAY)
    before = due(context, table)
    days_off.declare(context, ada, 30)
    assert due(context, table) == before + 15 * DAY
    now_is(context, context.clock() + 14 * DAY)
    played(context, ada, table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    left = timedelta(seconds=times(context, table)[0].stored.clock.budget)
    assert due(context, table) == context.clock() + DAY + left


def test_a_match_may_allow_none(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "days_off": False})
    before = due(context, table)
    days_off.declare(context, table.players[0], 3)
    assert due(context, table) == before


def test_days_off_begin_by_themselves_only_for_who_asked_for_it_and_never_silently(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    choosing.choose(context, ada, {"automatic_days_off": True})
    now_is(context, before + timedelta(minutes=1))
    assert act_on_due(context).days_off == 1
    assert act_on_due(context).anything is False
    assert due(context, table) == before + 2 * DAY
    assert kinds(context, table) == ["begun"]
    [notice] = notices(context, "days_off_began")
    assert (notice.player_id, notice.payload["left"]) == (ada.id, 5)
    assert days_off.of_player(context, ada).items[0].automatic
    for expected in ("days_off", "days_off", "bot"):
        now_is(context, due(context, table) + timedelta(minutes=1))
        acted = act_on_due(context)
        assert (acted.days_off, acted.stored) == ((1, 0) if expected == "days_off" else (0, 1))


@pytest.mark.parametrize(("hours", "days"), [(1, 1), (24, 1), (25, 2), (47, 2), (48, 2), (60, 2)])
def test_days_off_begin_by_themselves_up_to_those_that_were_declared(context: Context, hours: int, days: int) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    choosing.choose(context, ada, {"automatic_days_off": True})
    planned = before + timedelta(hours=hours)
    left = days_off.declare(context, ada, 3, planned).left
    now_is(context, before + timedelta(minutes=1))
    assert act_on_due(context).days_off == 1
    found = days_off.of_player(context, ada)
    assert [each.start for each in found.items] == [before, planned]
    assert (found.items[0].days, found.items[0].end, found.left) == (days, min(planned, before + 2 * DAY), left - days)
    assert due(context, table) == (before + 2 * DAY if hours > 48 else planned + 3 * DAY)


def test_quiet_hours_stop_clocks_of_turns_that_begin_after_they_were_set(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, before = table.players[0], due(context, table)
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich", **QUIET})
    assert due(context, table) == before
    played(context, ada, table.match.id, "dive")
    played(context, table.players[1], table.match.id, "dive")
    left = timedelta(seconds=times(context, table)[0].stored.clock.budget)
    assert due(context, table) - context.clock() > left + 9 * timedelta(hours=1)
    now_is(context, context.clock() + timedelta(hours=12))
    stopped = times(context, table)[0].remaining(int(context.clock().timestamp())).stopped
    assert stopped is not None
    assert stopped.kind == "quiet"
    choosing.choose(context, ada, {"time_zone": "Asia/Kathmandu"})
    let_expire(context, table)
    spans = steps(context, table)[-1].stops[0]
    assert {datetime.fromtimestamp(stop.start, UTC).hour for stop in spans} == {21}


def test_loops_of_zones_and_hours_move_no_deadline(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, bela = table.players
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich", **QUIET})
    played(context, ada, table.match.id, "dive")
    played(context, bela, table.match.id, "dive")
    before = due(context, table)
    for zone in ("Asia/Kathmandu", "Pacific/Apia", "America/St_Johns", "Australia/Lord_Howe") * 5:
        now_is(context, context.clock() + timedelta(hours=1))
        choosing.choose(context, ada, {"time_zone": zone})
        assert due(context, table) == before
    now_is(context, context.clock() + timedelta(hours=3))
    choosing.choose(context, ada, {"quiet": None})
    assert due(context, table) == before


def test_quiet_hours_do_not_matter_where_a_turn_has_less_than_a_day(context: Context) -> None:
    table = started(context, "pearls", clock={"base": "PT23H"})
    choosing.choose(context, table.players[1], QUIET)
    played(context, table.players[0], table.match.id, "dive")
    assert due(context, table, 1) == context.clock() + 5 * DAY


def test_quiet_hours_are_set_once_in_a_week(context: Context) -> None:
    ada = started(context, "pearls", clock="brisk").players[0]
    choosing.choose(context, ada, QUIET)
    free = context.clock() + 7 * DAY
    for hours in ("23:00-07:00", "21:00-06:00", "20:00-05:00"):
        now_is(context, context.clock() + timedelta(hours=1))
        with pytest.raises(Invalid, match=r"once in a week; .* from Saturday, 28 November, 12:00"):
            choosing.choose(context, ada, {"quiet": hours})
    assert choosing.choose(context, ada, QUIET).quiet == "22:00-07:00", "they are the same"
    assert choosing.choose(context, ada, {"quiet": None}).quiet_zone is None
    with pytest.raises(Invalid, match="once in a week"):
        choosing.choose(context, ada, QUIET)
    now_is(context, free - timedelta(microseconds=1))
    with pytest.raises(Invalid, match="once in a week"):
        choosing.choose(context, ada, QUIET)
    now_is(context, free)
    assert choosing.choose(context, ada, QUIET).quiet == "22:00-07:00", "from the moment on that was named"


def test_quiet_hours_are_of_the_time_zone_in_which_they_are_set_and_say_which(context: Context) -> None:
    ada = started(context, "pearls", clock="brisk").players[0]
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich", **QUIET})
    assert choosing.choose(context, ada, {"time_zone": "Asia/Kathmandu"}).quiet_zone == "Europe/Zurich"
    with pytest.raises(Invalid, match="once in a week"):
        choosing.choose(context, ada, QUIET)
    now_is(context, context.clock() + 7 * DAY)
    wanted = choosing.choose(context, ada, QUIET)
    assert (wanted.quiet, wanted.quiet_zone) == ("22:00-07:00", "Asia/Kathmandu")
    assert any("(Asia/Kathmandu)" in meaning_of(line, wanted) for line in format_settings(wanted))
    with pytest.raises(Invalid, match="There is no preference quiet_zone"):
        choosing.choose(context, ada, {"quiet_zone": "UTC"})


def test_a_turn_keeps_its_quiet_hours_to_its_end(context: Context) -> None:
    table = started(context, "pearls", 3, clock="brisk")
    ada = table.players[0]
    before = due(context, table)
    choosing.choose(context, ada, QUIET)
    let_expire(context, table)  # a bot plays the turn
    assert not any(stop.kind == "quiet" for stop in steps(context, table)[-1].stops.get(0, ()))
    moved_to(context, table, 0)
    let_expire(context, table)  # it holds the seat
    assert any(stop.kind == "quiet" for stop in steps(context, table)[-1].stops[0])
    time_up.come_back(context, ada, table.match.id)
    choosing.choose(context, ada, {"quiet": None})
    moved_to(context, table, 0)
    assert due(context, table) == context.clock() + timedelta(hours=16)
    assert before < due(context, table)


@pytest.mark.parametrize("text", ["22-7", "22:00-07:01", "7:00-7:00", "24:00-06:00", "", "22:00", 22])
def test_what_are_no_quiet_hours(context: Context, text: object) -> None:
    ada = started(context, "pearls").players[0]
    with pytest.raises(Invalid) as error:
        choosing.choose(context, ada, {"quiet": text})
    assert error.value.problems[0][0] == "/quiet"


NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "away"),
    [
        ("3 days", (3, None)),
        ("for 2 days", (2, None)),
        ("until 2026-11-30", (6, None)),
        ("from 2026-12-23 for 10 days", (10, datetime(2026, 12, 22, 23, tzinfo=UTC))),
        ("From 2026-12-23 until 2027-01-06", (14, datetime(2026, 12, 22, 23, tzinfo=UTC))),
        ("3", None),
        ("until 2026-02-30", None),
        ("some 3 days", None),
    ],
)
def test_how_days_off_are_said_by_mail(said: str, away: tuple[int, datetime | None] | None) -> None:
    assert read_away(said, NOW, "Europe/Zurich") == away


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
@pytest.mark.parametrize("said", ["from {} for 3 days", "from {} for blah", "until {}", "from 2026-11-30 until {}"])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_that_is_at_the_end_of_time_is_read_or_refused(day: str, said: str, zone: str) -> None:
    read = read_away(said.format(day), NOW, zone)
    assert read is None or isinstance(read[0], int)
