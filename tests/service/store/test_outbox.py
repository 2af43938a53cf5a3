"""The outbox: due, leased by one, sent, postponed, given up."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from service.context import Context
from service.store import outbox
from service.store.outbox import LEASING
from service.store.tables import outbox as table
from tests.service import fakes
from tests.service.fakes import Clock, add_notice, due, notices, person
from tools.waiting import LIMIT_SECONDS

LEASE = timedelta(seconds=8)


def added(context: Context, **payload: object) -> str:
    with context.database.write() as connection:
        return add_notice(connection, "your_turn", None, None, payload, context.clock(), address="ada@example.org")


def leased(context: Context, holder: str = "worker") -> outbox.Notice | None:
    """The most overdue notice, leased."""
    with context.database.write() as connection:
        now = context.clock()
        found = fakes.leased(connection, holder, now, now + LEASE, 1)
        return next(iter(found or fakes.leased(connection, holder, now, now + LEASE, 1, slow=True)), None)


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
    with context.database.write() as connection:
        token = {"token": "secret", "expires_at": "tomorrow"}
        add_notice(connection, "sign_in", None, None, token, context.clock(), address="ada@example.org")
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert outbox.mark_sent(connection, "worker", notice, context.clock())
        assert not LEASING.postpone(connection, "worker", notice.id, "too late", context.clock())
    sent = found(context, notice.id)
    assert (sent.status, sent.sent_at, sent.leased_by) == ("sent", context.clock(), None)
    assert sent.payload == {"expires_at": "tomorrow"}
    assert due(context) == ()
    assert leased(context) is None


def test_a_postponed_notice_waits_for_its_time_and_says_why(context: Context) -> None:
    notice_id, clock = added(context), context.clock
    assert isinstance(clock, Clock)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert LEASING.postpone(connection, "worker", notice.id, "no route to host", clock.now + timedelta(seconds=5))
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
            assert LEASING.postpone(connection, "worker", notice.id, "nobody answers", context.clock(), counted=False)
        else:
            LEASING.charge(connection, "worker", [notice_id], -1)
            LEASING.release(connection, "worker", [notice_id])
    assert (found(context, notice_id).attempts, found(context, notice_id).leased_by) == (0, None)
    assert due(context) == (notice_id,)


def test_a_dead_notice_is_left_alone_until_it_is_revived(context: Context) -> None:
    added(context)
    notice = leased(context)
    assert notice is not None
    with context.database.write() as connection:
        assert outbox.give_up(connection, "worker", notice.id, "nobody there")
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
        assert LEASING.extend(connection, "slow", [notice_id], clock.now + LEASE) == frozenset()
        assert not outbox.mark_sent(connection, "slow", slow, clock.now)
        assert not outbox.give_up(connection, "slow", slow.id, "no")
        LEASING.release(connection, "slow", [notice_id])
        assert LEASING.extend(connection, "quick", [notice_id], clock.now + LEASE) == {notice_id}
    assert (found(context, notice_id).status, found(context, notice_id).leased_by) == ("pending", "quick")
    with context.database.write() as connection:
        assert outbox.mark_sent(connection, "quick", quick, clock.now)


def test_workers_that_take_at_once_never_take_the_same(context: Context) -> None:
    ids, taken = {added(context) for _ in range(12)}, list[str]()

    def take(holder: str) -> None:
        with context.database.write() as connection:
            leased = LEASING.lease(connection, holder, context.clock(), context.clock() + LEASE, 3, slow=False)
            taken.extend(each.id for each in leased)

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
            LEASING.postpone(connection, "worker", notice.id, "450", clock.now + timedelta(seconds=5))
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
            LEASING.postpone(connection, "worker", notice.id, "450", clock.now)
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
        outbox.give_up(connection, "worker", notice.id, "no")
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


def counts(context: Context, *ids: str) -> list[tuple[int, int]]:
    return [(found(context, each).attempts, found(context, each).crashes) for each in ids]


def test_all_are_charged_when_they_are_leased_and_when_they_are_sorted_only_the_first(context: Context) -> None:
    ids = sorted(added(context) for _ in range(3))
    with context.database.write() as connection:
        charged = LEASING.lease(connection, "worker", context.clock(), context.clock() + LEASE, 2, slow=False)
    assert [(each.id, each.attempts, each.crashes) for each in charged] == [(each, 1, 1) for each in ids[:2]]
    assert counts(context, *ids) == [(1, 1), (1, 1), (0, 0)]
    with context.database.write() as connection:
        kept = outbox.sort(connection, "worker", ids, context.clock() + LEASE)
    assert [(notice.id, notice.attempts) for notice in kept] == [(ids[0], 1), (ids[1], 0)]
    assert counts(context, *ids) == [(1, 1), (0, 0), (0, 0)]
    with context.database.write() as connection:
        assert outbox.begin(connection, "worker", kept[1]).attempts == 1
        assert outbox.begin(connection, "another", kept[0]).attempts == 2, "is said, but not written"
    assert counts(context, *ids) == [(1, 1), (1, 1), (0, 0)]


def test_what_is_sorted_out_is_free_and_not_charged(context: Context) -> None:
    first, second = sorted(added(context) for _ in range(2))
    with context.database.write() as connection:
        until = context.clock() + LEASE
        LEASING.lease(connection, "worker", context.clock(), until, 2, slow=False)
        kept = outbox.sort(connection, "worker", [first, second], until, lambda found: found[1:])
    assert [notice.id for notice in kept] == [second]
    assert counts(context, first, second) == [(0, 0), (1, 1)]
    assert (found(context, first).leased_by, found(context, second).leased_by) == (None, "worker")


def test_those_whose_process_died_are_the_slow_lane_and_leased_one_at_a_time(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    poison = {added(context), added(context)}
    with context.database.write() as connection:
        assert len(LEASING.lease(connection, "dies", clock.now, clock.now + LEASE, 5, slow=False)) == 2
    clock.advance(seconds=1)
    others = {added(context), added(context)}

    def lease(holder: str, slow: bool) -> set[str]:
        with context.database.write() as connection:
            leased = LEASING.lease(connection, holder, clock.now, clock.now + LEASE, 5, slow)
        return {each.id for each in leased}

    assert (lease("second", slow=False), lease("second", slow=True)) == (others, set())
    clock.advance(seconds=7)
    alone = lease("third", slow=True)
    assert len(alone & poison) == 1
    assert lease("fourth", slow=True) == set(), "another is tried"
    with context.database.write() as connection:
        assert LEASING.settle(connection, "third", alone.pop(), status="dead")
    assert len(lease("fourth", slow=True) & poison) == 1


def test_an_attempt_that_is_forgiven_has_ended_no_process(context: Context) -> None:
    notice_id = added(context)
    assert leased(context) is not None
    with context.database.write() as connection:
        LEASING.forgive(connection, "another", [notice_id])
    assert found(context, notice_id).crashes == 1
    with context.database.write() as connection:
        LEASING.forgive(connection, "worker", [notice_id])
    assert counts(context, notice_id) == [(1, 0)]
