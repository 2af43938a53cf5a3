"""Lanes and due times of notices: which is taken first, and which not yet."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.context import Context
from service.kinds import FIRST, MAILINGS, REST, TURNS, NoticeKind
from service.store import outbox
from tests.service import fakes
from tests.service.fakes import add_notice, due, later

WAIT = timedelta(seconds=30)


def added(context: Context, kind: NoticeKind, **more: object) -> str:
    with context.database.write() as connection:
        return add_notice(connection, kind, None, None, {}, context.clock(), "ada@example.org", **more)


def taken(context: Context, limit: int = 10) -> list[str]:
    with context.database.write() as connection:
        now = context.clock()
        return [each.id for each in fakes.leased(connection, "worker", now, now + WAIT, limit)]


@pytest.mark.parametrize(
    ("kind", "lane"),
    [("sign_in", FIRST), ("confirm_address", FIRST), ("answer", FIRST), ("your_turn", TURNS), ("verdict", REST)],
)
def test_what_somebody_waits_for_comes_before_turns_and_those_before_the_rest(kind: NoticeKind, lane: int) -> None:
    assert MAILINGS[kind].lane == lane


def test_notices_are_taken_by_lane_then_most_overdue_first(context: Context) -> None:
    over = added(context, "match_over")
    later(context, seconds=1)
    turn = added(context, "your_turn")
    later(context, seconds=1)
    late_turn, sign_in = added(context, "your_turn"), added(context, "sign_in")
    assert due(context) == (sign_in, turn, late_turn, over)
    with context.database.read() as connection:
        assert outbox.first_waits(connection, context.clock())
    assert taken(context) == [sign_in, turn, late_turn, over]
    with context.database.read() as connection:
        assert not outbox.first_waits(connection, context.clock()), "it is leased"


def test_a_lane_can_be_given(context: Context) -> None:
    added(context, "your_turn")
    answer = added(context, "verdict", lane=FIRST)
    assert taken(context, 1) == [answer]


def test_nothing_is_taken_before_its_time_and_everything_then(context: Context) -> None:
    waiting = added(context, "verdict", not_before=context.clock() + WAIT)
    assert taken(context) == []
    later(context, seconds=29)
    assert taken(context) == []
    later(context, seconds=1)
    assert taken(context) == [waiting]


def test_a_time_of_weeks_ahead_is_honoured(context: Context) -> None:
    digest = added(context, "digest", not_before=context.clock() + timedelta(days=60))
    later(context, days=59)
    assert taken(context) == []
    later(context, days=1)
    assert taken(context) == [digest]


def test_a_time_that_nobody_waits_for_so_long_counts_as_past(context: Context) -> None:
    strange = added(context, "digest", not_before=context.clock() + timedelta(days=101))
    assert taken(context) == [strange]


def test_a_retry_is_due_when_the_clock_is_set_back_after_the_time_to_wait_for(context: Context) -> None:
    waiting = added(context, "verdict", not_before=context.clock() + WAIT)
    later(context, hours=3)
    with context.database.write() as connection:
        now = context.clock()
        [notice] = fakes.leased(connection, "worker", now, now + WAIT, 1)
        outbox.LEASING.postpone(connection, "worker", notice.id, "refused", now + timedelta(seconds=5))
    later(context, hours=-2)
    assert taken(context) == [waiting]


def test_one_whose_time_has_passed_is_due_at_once(context: Context) -> None:
    late = added(context, "verdict", not_before=context.clock() - WAIT)
    assert taken(context) == [late]
