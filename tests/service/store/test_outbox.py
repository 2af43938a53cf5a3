"""The outbox: due, leased by one, sent, postponed, given up."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from service.store import outbox
from service.store.tables import outbox as table
from service.wiring import Overland
from tests.service.fakes import Clock, person

LEASE = timedelta(seconds=8)


def added(overland: Overland, **payload: object) -> str:
    with overland.database.write() as connection:
        return outbox.add(connection, "your_turn", None, None, payload, overland.clock(), address="ada@example.org")


def due(overland: Overland) -> tuple[str, ...]:
    with overland.database.read() as connection:
        return outbox.due(connection, overland.clock(), 10)


def leased(overland: Overland, notice_id: str, holder: str = "worker") -> outbox.Notice | None:
    with overland.database.write() as connection:
        return next(
            iter(outbox.lease(connection, holder, overland.clock(), overland.clock() + LEASE, 1, notice_id)), None
        )


def found(overland: Overland, notice_id: str) -> outbox.Notice:
    with overland.database.read() as connection:
        notice = outbox.find(connection, notice_id)
    assert notice is not None
    return notice


def test_a_new_notice_is_due_at_once(overland: Overland) -> None:
    notice_id = added(overland)
    assert due(overland) == (notice_id,)


def test_a_notice_is_leased_by_one_until_the_lease_ends(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    first = leased(overland, notice_id)
    assert first is not None
    assert (first.attempts, first.status) == (1, "pending")
    assert leased(overland, notice_id) is None
    assert due(overland) == ()
    clock.pass_(minutes=2)
    assert due(overland) == (notice_id,)
    again = leased(overland, notice_id)
    assert again is not None
    assert again.attempts == 2


def test_of_many_who_want_the_same_notice_one_gets_it(overland: Overland) -> None:
    notice_id, got = added(overland), []
    threads = [threading.Thread(target=lambda: got.append(leased(overland, notice_id))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(got) == 8
    assert sum(notice is not None for notice in got) == 1


def test_a_sent_notice_is_never_due_again_and_forgets_its_one_time_token(overland: Overland) -> None:
    notice = leased(overland, added(overland, token="secret", ply=3))
    assert notice is not None
    with overland.database.write() as connection:
        assert outbox.mark_sent(connection, "worker", notice, overland.clock())
        assert not outbox.postpone(connection, "worker", notice, "too late", overland.clock())
    sent = found(overland, notice.id)
    assert (sent.status, sent.sent_at, sent.payload, sent.leased_by) == ("sent", overland.clock(), {"ply": 3}, None)
    assert due(overland) == ()
    assert leased(overland, notice.id) is None


def test_a_postponed_notice_waits_for_its_time_and_says_why(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    notice = leased(overland, notice_id)
    assert notice is not None
    with overland.database.write() as connection:
        assert outbox.postpone(connection, "worker", notice, "no route to host", clock.now + timedelta(seconds=5))
    assert due(overland) == ()
    assert leased(overland, notice_id) is None
    clock.pass_(seconds=5)
    assert due(overland) == (notice_id,)
    again = leased(overland, notice_id)
    assert again is not None
    assert (again.last_error, again.attempts) == ("no route to host", 2)


def test_an_attempt_that_was_none_is_not_counted(overland: Overland) -> None:
    first, second = added(overland), added(overland)
    for notice_id in (first, second):
        notice = leased(overland, notice_id)
        assert notice is not None
        with overland.database.write() as connection:
            if notice_id == first:
                assert outbox.postpone(connection, "worker", notice, "nobody answers", overland.clock(), counted=False)
            else:
                outbox.release(connection, "worker", [notice_id])
        assert (found(overland, notice_id).attempts, found(overland, notice_id).leased_by) == (0, None)
    assert set(due(overland)) == {first, second}


def test_a_dead_notice_is_left_alone_until_it_is_revived(overland: Overland) -> None:
    notice = leased(overland, added(overland))
    assert notice is not None
    with overland.database.write() as connection:
        assert outbox.give_up(connection, "worker", notice, "nobody there")
    assert (found(overland, notice.id).status, found(overland, notice.id).last_error) == ("dead", "nobody there")
    assert due(overland) == ()
    with overland.database.write() as connection:
        assert outbox.revive(connection, ["another"], overland.clock()) == ()
        assert outbox.revive(connection, None, overland.clock()) == (notice.id,)
    assert due(overland) == (notice.id,)
    assert found(overland, notice.id).attempts == 0


def test_only_who_holds_a_notice_says_what_became_of_it(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    slow = leased(overland, notice_id, "slow")
    clock.pass_(seconds=9)
    quick = leased(overland, notice_id, "quick")
    assert slow is not None
    assert quick is not None
    with overland.database.write() as connection:
        assert outbox.extend(connection, "slow", [notice_id], clock.now + LEASE) == frozenset()
        assert not outbox.mark_sent(connection, "slow", slow, clock.now)
        assert not outbox.give_up(connection, "slow", slow, "no")
        outbox.release(connection, "slow", [notice_id])
        assert outbox.extend(connection, "quick", [notice_id], clock.now + LEASE) == {notice_id}
    assert (found(overland, notice_id).status, found(overland, notice_id).leased_by) == ("pending", "quick")
    with overland.database.write() as connection:
        assert outbox.mark_sent(connection, "quick", quick, clock.now)


def test_workers_that_take_at_once_never_take_the_same(overland: Overland) -> None:
    ids, taken = {added(overland) for _ in range(12)}, []

    def take(holder: str) -> None:
        with overland.database.write() as connection:
            taken.extend(
                notice.id for notice in outbox.lease(connection, holder, overland.clock(), overland.clock() + LEASE, 3)
            )

    threads = [threading.Thread(target=take, args=(f"worker {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(taken) == len(set(taken)) > 0
    assert set(taken) <= ids


@pytest.mark.parametrize(
    "step", [timedelta(hours=-1), timedelta(minutes=-20), timedelta(hours=1), timedelta(days=-400)]
)
@pytest.mark.parametrize("attempts", [0, 3])
def test_a_clock_that_is_set_neither_loses_nor_holds_up_a_notice(
    overland: Overland, step: timedelta, attempts: int
) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    for _ in range(attempts):
        notice = leased(overland, notice_id)
        assert notice is not None
        with overland.database.write() as connection:
            outbox.postpone(connection, "worker", notice, "450", clock.now + timedelta(seconds=5))
        clock.pass_(seconds=5)
    clock.now += step
    assert due(overland) == (notice_id,)
    assert leased(overland, notice_id) is not None


def test_a_lease_from_before_the_clock_was_set_back_is_over(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    leased(overland, notice_id, "killed")
    clock.now -= timedelta(hours=1)
    assert leased(overland, notice_id) is not None


def test_a_long_pause_is_kept_and_no_longer_than_any_can_be(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    for _ in range(outbox.QUICK_ATTEMPTS + 1):
        notice = leased(overland, notice_id)
        assert notice is not None
        with overland.database.write() as connection:
            outbox.postpone(connection, "worker", notice, "450", clock.now)
    with overland.database.write() as connection:
        connection.execute(table.update().values(next_attempt_at=clock.now + timedelta(minutes=30)))
    assert due(overland) == ()
    clock.now -= timedelta(minutes=11)
    assert due(overland) == (notice_id,)


def test_notices_are_listed_by_what_became_of_them(overland: Overland) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    first = added(overland)
    clock.pass_(minutes=1)
    second, third = added(overland), added(overland)
    notice = leased(overland, third)
    assert notice is not None
    with overland.database.write() as connection:
        outbox.give_up(connection, "worker", notice, "no")
    with overland.database.read() as connection:
        listed = {
            status: [row.id for row in outbox.listed(connection, status, 10)] for status in ("pending", "dead", "sent")
        }
        assert [row.id for row in outbox.listed(connection, "pending", 1)] == [first]
    assert listed == {"pending": [first, second], "dead": [third], "sent": []}


def test_the_most_overdue_notices_come_first(overland: Overland) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    person(overland, "Ada")
    first = due(overland)
    clock.pass_(minutes=1)
    second = added(overland)
    assert due(overland) == (*first, second)
