"""The outbox: due, leased by one, sent, postponed, given up."""

from __future__ import annotations

import threading
from datetime import timedelta

from service.store import outbox
from service.wiring import Overland
from tests.service.fakes import Clock, person

MINUTE = timedelta(minutes=1)


def added(overland: Overland, **payload: object) -> str:
    with overland.database.write() as connection:
        return outbox.add(connection, "your_turn", None, None, payload, overland.clock(), address="ada@example.org")


def due(overland: Overland) -> tuple[str, ...]:
    with overland.database.read() as connection:
        return outbox.due(connection, overland.clock(), 10)


def leased(overland: Overland, notice_id: str) -> outbox.Notice | None:
    with overland.database.write() as connection:
        return outbox.lease(connection, notice_id, overland.clock(), overland.clock() + MINUTE)


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
        outbox.mark_sent(connection, notice, overland.clock())
        outbox.postpone(connection, notice.id, "too late", overland.clock())
        sent = outbox.find(connection, notice.id)
    assert sent is not None
    assert (sent.status, sent.sent_at, sent.payload) == ("sent", overland.clock(), {"ply": 3})
    assert due(overland) == ()
    assert leased(overland, notice.id) is None


def test_a_postponed_notice_waits_for_its_time_and_says_why(overland: Overland) -> None:
    notice_id, clock = added(overland), overland.clock
    assert isinstance(clock, Clock)
    leased(overland, notice_id)
    with overland.database.write() as connection:
        outbox.postpone(connection, notice_id, "no route to host", clock.now + 5 * MINUTE)
    assert due(overland) == ()
    assert leased(overland, notice_id) is None
    clock.pass_(minutes=5)
    assert due(overland) == (notice_id,)
    notice = leased(overland, notice_id)
    assert notice is not None
    assert notice.last_error == "no route to host"


def test_a_dead_notice_is_left_alone(overland: Overland) -> None:
    notice_id = added(overland)
    with overland.database.write() as connection:
        outbox.give_up(connection, notice_id, "nobody there")
        found = outbox.find(connection, notice_id)
    assert found is not None
    assert (found.status, found.last_error) == ("dead", "nobody there")
    assert due(overland) == ()


def test_the_most_overdue_notices_come_first(overland: Overland) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    person(overland, "Ada")
    first = due(overland)
    clock.pass_(minutes=1)
    second = added(overland)
    assert due(overland) == (*first, second)
