"""Messages are handled once each, whatever happens while one is handled."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.guard import Died, Raised, Waited
from service.inbox.conversation import key_of
from service.inbox.handling import handle_due
from service.inbox.mail import Result
from service.loop import LEASE, SLOW_EVERY, TERMS, Leases, Loop, pause_after
from service.store import messages
from service.store.leasing import Charged
from service.store.messages import LEASING, Message, NewMessage
from service.store.tables import messages as table
from tests.service.fakes import Here, Timer, later
from tools.memory_queue import MemoryQueue

MAIL = b"From: ada@example.org\r\nMessage-ID: <one@example.org>\r\n\r\n17\r\n"
DONE = Result("handled", "played")
MOST_ATTEMPTS = TERMS[Loop.MESSAGES].most_attempts
MOST_CRASHES = TERMS[Loop.MESSAGES].most_crashes


def arrived(context: Context, raw: bytes = MAIL, recipient: str = "overland@example.org", author: str = "") -> str:
    key = key_of(raw)
    new = NewMessage("192.0.2.1", "ada@example.org", recipient, raw, key.message_id, key.digest, author)
    with context.database.write() as connection:
        return messages.add_all(connection, [new], context.clock())[0]


def found(context: Context, message_id: str) -> Message:
    with context.database.read() as connection:
        message = messages.find(connection, message_id)
    assert message is not None
    return message


def leased(context: Context, connection: Connection, holder: str, slow: bool = False) -> tuple[Charged, ...]:
    return LEASING.lease(connection, holder, context.clock(), context.clock() + LEASE, 1, slow)


def test_a_message_is_handled_once(context: Context) -> None:
    arrived(context)
    seen: list[bytes | None] = []

    def act(message: Message) -> Any:
        seen.append(message.raw)
        return DONE

    assert handle_due(context, Here(act)) == {"handled": 1}
    assert handle_due(context, Here(act)) == {}
    assert seen == [MAIL]


def test_messages_are_handled_in_the_order_of_their_arrival(context: Context) -> None:
    ids = []
    for number in range(5):
        ids.append(arrived(context, MAIL + str(number).encode()))
        later(context, seconds=1)
    seen: list[str] = []

    def act(message: Message) -> Any:
        seen.append(message.id)
        return DONE

    handle_due(context, Here(act))
    assert seen == ids


@pytest.mark.parametrize("status", ["handled", "ignored", "kept"])
def test_what_became_of_it_is_recorded(context: Context, status: str) -> None:
    message_id = arrived(context)
    handle_due(context, Here(lambda _: Result(status, "word", "A sentence.")))  # type: ignore[arg-type]
    message = found(context, message_id)
    assert (message.status, message.reason, message.settled_at) == (status, "word: A sentence.", context.clock())
    assert message.leased_by is None


def test_what_cannot_be_acted_on_yet_is_tried_when_it_says(context: Context) -> None:
    message_id = arrived(context)
    assert handle_due(context, Here(lambda _: Result("later", "waits", retry_seconds=30))) == {"later": 1}
    later(context, seconds=29)
    assert handle_due(context, Here(lambda _: DONE)) == {}
    later(context, seconds=1)
    assert handle_due(context, Here(lambda _: DONE)) == {"handled": 1}
    assert found(context, message_id).attempts == 1


def test_an_exception_postpones_it_longer_each_time_and_keeps_it_in_the_end(context: Context) -> None:
    message_id = arrived(context)

    def act(_: Message) -> Any:
        return Raised("ValueError: no such seat", "")

    for attempt in range(1, MOST_ATTEMPTS):
        assert handle_due(context, Here(act)) == {"postponed": 1}
        assert found(context, message_id).next_attempt_at == context.clock() + pause_after(Loop.MESSAGES, attempt)
        later(context, seconds=pause_after(Loop.MESSAGES, attempt).total_seconds())
    assert handle_due(context, Here(act)) == {"kept": 1}
    message = found(context, message_id)
    assert (message.status, message.raw) == ("kept", MAIL)
    assert "ValueError: no such seat" in message.reason


def test_pauses_double_up_to_half_an_hour() -> None:
    assert [pause_after(Loop.MESSAGES, attempts).total_seconds() for attempts in (1, 2, 3, 12)] == [4, 8, 16, 1800]


def test_one_that_crashes_does_not_hold_up_the_next(context: Context) -> None:
    bad = arrived(context, MAIL + b"bad")
    later(context, seconds=1)
    good = arrived(context, MAIL + b"good")

    def act(message: Message) -> Any:
        if message.id == bad:
            return Died("killed by SIGSEGV")
        return DONE

    assert handle_due(context, Here(act)) == {"crashed": 1, "handled": 1}
    assert found(context, good).status == "handled"
    for _ in range(MOST_CRASHES - 1):
        later(context, minutes=1)
        handle_due(context, Here(act))
    message = found(context, bad)
    assert (message.status, message.attempts) == ("kept", MOST_CRASHES)
    assert "SIGSEGV" in message.reason


def test_a_message_whose_worker_dies_each_time_is_kept(context: Context) -> None:
    message_id = arrived(context)

    def dies(_: Message) -> Result:
        raise KeyboardInterrupt  # as SIGKILL: nothing is recorded afterwards

    for _ in range(MOST_CRASHES):
        with pytest.raises(KeyboardInterrupt):
            handle_due(context, Here(dies))
        later(context, seconds=LEASE.total_seconds())
    assert handle_due(context, Here(lambda _: DONE)) == {"kept": 1}
    assert found(context, message_id).status == "kept"


@pytest.mark.parametrize(
    "error", [Waited("it was kept waiting for longer than 20 s"), OperationalError("SELECT", {}, Exception("away"))]
)
def test_waiting_for_the_database_is_not_counted(context: Context, error: Waited | Exception) -> None:
    message_id = arrived(context)

    def act(_: Message) -> Any:
        if isinstance(error, Waited):
            return error
        raise error

    for _ in range(2 * MOST_ATTEMPTS):
        assert handle_due(context, Here(act)) == {"postponed": 1}
        later(context, seconds=4)
    message = found(context, message_id)
    assert (message.status, message.attempts, message.crashes) == ("queued", 0, 0)


def test_whoever_has_lost_the_lease_records_nothing(context: Context) -> None:
    message_id = arrived(context)

    def act(_: Message) -> Any:
        later(context, seconds=LEASE.total_seconds() + 1)
        with context.database.write() as connection:
            assert leased(context, connection, "another", slow=True)
        return DONE

    assert handle_due(context, Here(act)) == {"lost": 1}
    assert found(context, message_id).leased_by == "another"


def test_a_heartbeat_extends_the_lease(context: Context) -> None:
    arrived(context)
    with context.database.write() as connection:
        (message,) = leased(context, connection, "me")
    later(context, seconds=5)
    Leases(context.database, context.clock, LEASING, "me", [message.id]).extend()
    later(context, seconds=5)
    with context.database.write() as connection:
        assert not leased(context, connection, "another")


def test_another_worker_is_woken_when_the_time_is_used_up(context: Context) -> None:
    for number in range(10):
        arrived(context, MAIL + str(number).encode())
    assert isinstance(context.timer, Timer)
    context.timer.step = 1.5
    assert handle_due(context, Here(lambda _: DONE)).total() < 10
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.messages == 1


def test_the_same_mail_to_the_same_recipient_has_one_key(context: Context) -> None:
    first, again = found(context, arrived(context)), found(context, arrived(context))
    elsewhere = found(context, arrived(context, recipient="overland+join@example.org"))
    assert first.key == again.key != elsewhere.key
    assert len(first.key) == 64


def test_only_the_key_is_kept_of_what_was_settled_long_ago(context: Context) -> None:
    old, waiting = arrived(context), arrived(context)
    with context.database.write() as connection:
        (first,) = leased(context, connection, "me")
        old, waiting = (old, waiting) if first.id == old else (waiting, old)
        key = found(context, old).key
        LEASING.settle(connection, "me", old, status="handled", reason="played", settled_at=context.clock())
    later(context, days=31)
    with context.database.write() as connection:
        rows = messages.reduce(connection, context.clock() - timedelta(days=30), 100)
    assert [row["id"] for row in rows] == [old]
    reduced = found(context, old)
    assert (reduced.raw, reduced.envelope_from, reduced.peer, reduced.reason) == (None, "", "", "")
    assert reduced.key == key
    assert found(context, waiting).raw == MAIL


def test_the_slow_lane_waits_for_all_others_and_takes_one_at_a_time(context: Context) -> None:
    bad = [arrived(context, MAIL + str(number).encode()) for number in range(3)]
    for message_id in bad:
        with context.database.write() as connection:
            connection.execute(table.update().where(table.c.id == message_id).values(crashes=1, attempts=1))
    later(context, seconds=1)
    good = [arrived(context, MAIL + b"good" + str(number).encode()) for number in range(2)]
    seen: list[str] = []

    def act(message: Message) -> Any:
        seen.append(message.id)
        if message.id in bad:
            with context.database.write() as connection:
                assert not leased(context, connection, "another worker", slow=True), "one is leased already"
        return DONE

    assert handle_due(context, Here(act)) == {"handled": 5}
    assert seen == [*sorted(good), *sorted(bad)]


def test_while_others_go_on_coming_every_eighth_is_one_of_the_slow_lane(context: Context) -> None:
    bad = arrived(context)
    with context.database.write() as connection:
        connection.execute(table.update().values(crashes=1, attempts=1))
    seen: list[str] = []

    def act(message: Message) -> Any:
        seen.append(message.id)
        if len(seen) < 30:
            arrived(context, MAIL + str(len(seen)).encode())
        return DONE

    arrived(context, MAIL + b"first")
    handle_due(context, Here(act))
    assert seen.index(bad) == SLOW_EVERY


def of_authors(context: Context, *authors: str) -> list[str]:
    """Messages that came one after the other."""
    ids = []
    for number, author in enumerate(authors):
        ids.append(arrived(context, MAIL + str(number).encode(), author=author))
        later(context, seconds=1)
    return ids


def test_mails_of_one_author_are_handled_one_after_the_other_by_any_number_of_workers(context: Context) -> None:
    first, second, other, nobody, nobody_else = of_authors(context, "ada", "ada", "bela", "", "")
    with context.database.write() as connection:
        found = [leased(context, connection, holder) for holder in ("one", "two", "three", "four", "five")]
        assert [[each.id for each in charged] for charged in found] == [[first], [other], [nobody], [nobody_else], []]
        assert not LEASING.any_due(connection, context.clock())
        LEASING.settle(connection, "one", first, status="handled")
        assert [each.id for each in leased(context, connection, "five")] == [second]


def test_a_mail_of_an_author_whose_worker_was_killed_does_not_wait_for_ever(context: Context) -> None:
    first, second = of_authors(context, "ada", "ada")
    with context.database.write() as connection:
        assert [each.id for each in leased(context, connection, "killed")] == [first]
    later(context, seconds=LEASE.total_seconds() + 1)
    with context.database.write() as connection:
        assert [each.id for each in leased(context, connection, "another")] == [second]


def test_two_workers_that_lease_at_once_do_not_get_mails_of_one_author(context: Context) -> None:
    first, _, other = of_authors(context, "ada", "ada", "bela")
    found: list[str] = []

    def lease() -> None:
        with context.database.write() as connection:
            found.extend(each.id for each in leased(context, connection, "two"))

    worker = threading.Thread(target=lease)
    with context.database.write() as connection:
        assert [each.id for each in leased(context, connection, "one")] == [first]
        worker.start()
        worker.join(0.2)  # it waits for this transaction; if it does not, it leases too early
    worker.join()
    assert found == [other]
