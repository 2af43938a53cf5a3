"""The outbox: due, leased by one, sent, postponed, given up."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from service.context import Context
from service.store import outbox
from service.store.tables import outbox as table
from tests.service.fakes import Clock, add_notice, notices, person
from tools.waiting import LIMIT_SECONDS

LEASE = timedelta(seconds=8)


def added(context: Context, **payload: object) -> str:
    with context.database.write() as connection:
        return add_notice(connection, "your_turn", None, None, payload, context.clock(), address="ada@example.org")


def due(context: Context) -> tuple[str, ...]:
    with context.database.read() as connection:
        return outbox.due(connection, context.clock(), 10)


def leased(context: Context, holder: str = "worker") -> outbox.Notice | None:
    """The most overdue notice, leased."""
    with context.database.write() as connection:
        return next(iter(outbox.lease(connection, holder, context.clock(), context.clock() + LEASE, 1).notices), None)


def found(context: Context, notice_id: str) -> outbox.Notice:
    return next(notice for notice in notices(context) if notice.id == notice_id)


def test_a_new_notice_is_due_at_once(context: Context) -> None:
    notice_id = added(context)
    assert due(context) == (notice_id,)


def test_a_notice_is_leased_by_one_until_the_lease_ends(context: Context) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    first = leased(context)
    assert first is not None
    assert (first.attempts, first.status) == (1, "pending")
    assert leased(context) is None
    assert due(context) == ()
    clock.advance(minutes=2)
    assert due(context) == (notice_id,)
    again = leased(context)
    assert again is not None
    assert again.attempts == 2


def test_of_many_who_want_the_same_notice_one_gets_it(context: Context) -> None:
    got: list[outbox.Notice | None] = []
    added(context)
    threads = [threading.Thread(target=lambda: got.append(leased(context))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_SECONDS)
    assert len(got) == 8
    assert sum(notice is not None for notice in got) == 1


def test_a_sent_notice_is_never_due_again_and_forgets_its_one_time_token(context: Context) -> None:
    added(context, token="secret", ply=3)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert outbox.mark_sent(connection, "worker", notice, context.clock())
        assert not outbox.postpone(connection, "worker", notice, "too late", context.clock())
    sent = found(context, notice.id)
    assert (sent.status, sent.sent_at, sent.payload, sent.leased_by) == ("sent", context.clock(), {"ply": 3}, None)
    assert due(context) == ()
    assert leased(context) is None


def test_a_postponed_notice_waits_for_its_time_and_says_why(context: Context) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert outbox.postpone(connection, "worker", notice, "no route to host", clock.now + timedelta(seconds=5))
    assert due(context) == ()
    assert leased(context) is None
    clock.advance(seconds=5)
    assert due(context) == (notice_id,)
    again = leased(context)
    assert again is not None
    assert (again.last_error, again.attempts) == ("no route to host", 2)


@pytest.mark.parametrize("how", ["postponed", "released"])
def test_an_attempt_that_did_not_take_place_is_not_counted(context: Context, how: str) -> None:
    notice_id = added(context)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        if how == "postponed":
            assert outbox.postpone(connection, "worker", notice, "nobody answers", context.clock(), counted=False)
        else:
            outbox.release(connection, "worker", [], begun=[notice_id])
    assert (found(context, notice_id).attempts, found(context, notice_id).leased_by) == (0, None)
    assert due(context) == (notice_id,)


def test_a_dead_notice_is_left_alone_until_it_is_revived(context: Context) -> None:
    added(context)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert outbox.give_up(connection, "worker", notice, "nobody there")
    assert (found(context, notice.id).status, found(context, notice.id).last_error) == ("dead", "nobody there")
    assert due(context) == ()
    with context.database.write() as connection:
        assert outbox.revive(connection, ["another"], context.clock()) == ()
        assert outbox.revive(connection, None, context.clock()) == (notice.id,)
    assert due(context) == (notice.id,)
    assert found(context, notice.id).attempts == 0


def test_only_the_holder_of_a_notice_records_its_result(context: Context) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    slow = leased(context, "slow")
    clock.advance(seconds=9)
    quick = leased(context, "quick")
    assert slow is not None
    assert quick is not None
    with context.database.write() as connection:
        assert outbox.extend(connection, "slow", [notice_id], clock.now + LEASE) == frozenset()
        assert not outbox.mark_sent(connection, "slow", slow, clock.now)
        assert not outbox.give_up(connection, "slow", slow, "no")
        outbox.release(connection, "slow", [notice_id])
        assert outbox.extend(connection, "quick", [notice_id], clock.now + LEASE) == {notice_id}
    assert (found(context, notice_id).status, found(context, notice_id).leased_by) == ("pending", "quick")
    with context.database.write() as connection:
        assert outbox.mark_sent(connection, "quick", quick, clock.now)


def test_workers_that_take_at_once_never_take_the_same(context: Context) -> None:
    ids, taken = {added(context) for _ in range(12)}, list[str]()

    def take(holder: str) -> None:
        with context.database.write() as connection:
            leased = outbox.lease(connection, holder, context.clock(), context.clock() + LEASE, 3)
            taken.extend(notice.id for notice in leased.notices)

    threads = [threading.Thread(target=take, args=(f"worker {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_SECONDS)
    assert len(taken) == len(set(taken)) > 0
    assert set(taken) <= ids


@pytest.mark.parametrize(
    "step", [timedelta(hours=-1), timedelta(minutes=-20), timedelta(hours=1), timedelta(days=-400)]
)
@pytest.mark.parametrize("attempts", [0, 3])
def test_a_clock_that_is_set_neither_loses_nor_holds_up_a_notice(
    context: Context, step: timedelta, attempts: int
) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    for _ in range(attempts):
        notice = leased(context)
        assert notice is not None
        with context.database.write() as connection:
            outbox.postpone(connection, "worker", notice, "450", clock.now + timedelta(seconds=5))
        clock.advance(seconds=5)
    clock.now += step
    assert due(context) == (notice_id,)
    assert leased(context) is not None


def test_a_lease_from_before_the_clock_was_set_back_has_ended(context: Context) -> None:
    added(context)
    clock = context.clock
    assert isinstance(clock, Clock)
    leased(context, "killed")
    clock.now -= timedelta(hours=1)
    assert leased(context) is not None


def test_a_long_pause_is_kept_but_none_exceeds_the_longest_possible_one(context: Context) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    for _ in range(outbox.QUICK_ATTEMPTS + 1):
        notice = leased(context)
        assert notice is not None
        with context.database.write() as connection:
            outbox.postpone(connection, "worker", notice, "450", clock.now)
    with context.database.write() as connection:
        connection.execute(table.update().values(next_attempt_at=clock.now + timedelta(minutes=30)))
    assert due(context) == ()
    clock.now -= timedelta(minutes=11)
    assert due(context) == (notice_id,)


def test_notices_are_listed_by_what_became_of_them(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    first = added(context)
    clock.advance(minutes=1)
    second = added(context)
    clock.advance(minutes=1)
    third = added(context)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        outbox.give_up(connection, "worker", notice, "no")
    with context.database.read() as connection:
        listed = {
            status: [row.id for row in outbox.listed(connection, status, 10)] for status in ("pending", "dead", "sent")
        }
        assert [row.id for row in outbox.listed(connection, "pending", 1)] == [second]
    assert listed == {"pending": [second, third], "dead": [first], "sent": []}


def test_the_most_overdue_notices_come_first(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    person(context, "Ada")
    first = due(context)
    clock.advance(minutes=1)
    second = added(context)
    assert due(context) == (*first, second)


def test_the_attempt_of_the_first_begins_when_it_is_leased_and_that_of_the_others_later(context: Context) -> None:
    ids = sorted(added(context) for _ in range(3))
    with context.database.write() as connection:
        leased = outbox.lease(connection, "worker", context.clock(), context.clock() + LEASE, 2)
        assert outbox.begin(connection, "worker", leased.notices[1]).attempts == 1
        assert outbox.begin(connection, "another", leased.notices[0]).attempts == 2, "is said, but not written"
    assert ([notice.id for notice in leased.notices], leased.more) == (ids[:2], True)
    assert [notice.attempts for notice in leased.notices] == [1, 0]
    assert [(found(context, each).attempts, found(context, each).crashes) for each in ids] == [(1, 1), (1, 1), (0, 0)]
    with context.database.write() as connection:
        outbox.release(connection, "worker", [], begun=ids)
    assert [(found(context, each).attempts, found(context, each).crashes) for each in ids] == [(0, 0)] * 3


def test_a_notice_whose_process_died_is_leased_alone(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    poison = added(context)
    assert leased(context) is not None  # and this worker dies
    clock.advance(seconds=1)
    others = {added(context), added(context)}
    with context.database.write() as connection:
        rest = outbox.lease(connection, "second", clock.now, clock.now + LEASE, 5)
    assert ({notice.id for notice in rest.notices}, rest.more) == (others, False)
    clock.advance(seconds=60)
    with context.database.write() as connection:
        alone = outbox.lease(connection, "third", clock.now, clock.now + LEASE, 5)
        after = outbox.lease(connection, "fourth", clock.now, clock.now + LEASE, 5)
    assert ([notice.id for notice in alone.notices], alone.more) == ([poison], True)
    assert alone.notices[0].crashes == 2
    assert len(after.notices) == 1, "the first of the others had begun, too"


def test_a_notice_that_is_set_aside_has_ended_no_process(context: Context) -> None:
    notice_id = added(context)
    assert leased(context) is not None
    with context.database.write() as connection:
        outbox.set_aside(connection, "another", [notice_id])
    assert found(context, notice_id).crashes == 1
    with context.database.write() as connection:
        outbox.set_aside(connection, "worker", [notice_id])
    assert (found(context, notice_id).crashes, found(context, notice_id).attempts) == (0, 1)
