"""Messages are handled once each, whatever happens while one is handled."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from service.children import ChildDied, ChildTimedOut, ChildWaited, Failed, ForkServerDied
from service.context import Context
from service.inbox.child import acting_in, handler
from service.inbox.errors import HandlingCrashed, HandlingFailed, HandlingWaited
from service.inbox.handling import MOST_ATTEMPTS, MOST_CRASHES, handle_due, pause_after
from service.inbox.keys import key_of
from service.inbox.leases import LEASE, Heartbeat
from service.inbox.results import Result
from service.queue import MemoryQueue
from service.store import messages
from service.store.messages import Message, NewMessage
from tests.service.fakes import Clock, Timer

MAIL = b"From: ada@example.org\r\nMessage-ID: <one@example.org>\r\n\r\n17\r\n"
DONE = Result("handled", "played")


def arrived(context: Context, raw: bytes = MAIL, recipient: str = "overland@example.org") -> str:
    key = key_of(raw)
    new = NewMessage("192.0.2.1", "ada@example.org", recipient, raw, key.message_id, key.digest)
    with context.database.write() as connection:
        return messages.add_all(connection, [new], context.clock())[0]


def found(context: Context, message_id: str) -> Message:
    with context.database.read() as connection:
        message = messages.find(connection, message_id)
    assert message is not None
    return message


def later(context: Context, **time: float) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(**time)


def test_a_message_is_handled_once(context: Context) -> None:
    arrived(context)
    seen: list[bytes | None] = []

    def act(_: Context, message: Message) -> Result:
        seen.append(message.raw)
        return DONE

    assert handle_due(context, act) == {"handled": 1}
    assert handle_due(context, act) == {}
    assert seen == [MAIL]


def test_messages_are_handled_in_the_order_of_their_arrival(context: Context) -> None:
    ids = []
    for number in range(5):
        ids.append(arrived(context, MAIL + str(number).encode()))
        later(context, seconds=1)
    seen: list[str] = []

    def act(_: Context, message: Message) -> Result:
        seen.append(message.id)
        return DONE

    handle_due(context, act)
    assert seen == ids


@pytest.mark.parametrize("status", ["handled", "ignored", "kept"])
def test_what_became_of_it_is_recorded(context: Context, status: str) -> None:
    message_id = arrived(context)
    handle_due(context, lambda *_: Result(status, "word", "A sentence."))  # type: ignore[arg-type]
    message = found(context, message_id)
    assert (message.status, message.reason, message.settled_at) == (status, "word: A sentence.", context.clock())
    assert message.leased_by is None


def test_what_cannot_be_acted_on_yet_is_tried_when_it_says(context: Context) -> None:
    message_id = arrived(context)
    assert handle_due(context, lambda *_: Result("later", "waits", retry_seconds=30)) == {"later": 1}
    later(context, seconds=29)
    assert handle_due(context, lambda *_: DONE) == {}
    later(context, seconds=1)
    assert handle_due(context, lambda *_: DONE) == {"handled": 1}
    assert found(context, message_id).attempts == 1


def test_an_exception_postpones_it_longer_each_time_and_keeps_it_in_the_end(context: Context) -> None:
    message_id = arrived(context)

    def act(*_: object) -> Result:
        raise HandlingFailed("ValueError: no such seat")

    for attempt in range(1, MOST_ATTEMPTS):
        assert handle_due(context, act) == {"postponed": 1}
        assert found(context, message_id).next_attempt_at == context.clock() + pause_after(attempt)
        later(context, seconds=pause_after(attempt).total_seconds())
    assert handle_due(context, act) == {"kept": 1}
    message = found(context, message_id)
    assert (message.status, message.raw) == ("kept", MAIL)
    assert "ValueError: no such seat" in message.reason


def test_pauses_double_up_to_half_an_hour() -> None:
    assert [pause_after(attempts).total_seconds() for attempts in (1, 2, 3, 12)] == [4, 8, 16, 1800]


def test_one_that_crashes_does_not_hold_up_the_next(context: Context) -> None:
    bad = arrived(context, MAIL + b"bad")
    later(context, seconds=1)
    good = arrived(context, MAIL + b"good")

    def act(_: Context, message: Message) -> Result:
        if message.id == bad:
            raise HandlingCrashed("The process that handled it died: killed by SIGSEGV.")
        return DONE

    assert handle_due(context, act) == {"crashed": 1, "handled": 1}
    assert found(context, good).status == "handled"
    for _ in range(MOST_CRASHES - 1):
        later(context, minutes=1)
        handle_due(context, act)
    message = found(context, bad)
    assert (message.status, message.attempts) == ("kept", MOST_CRASHES)
    assert "SIGSEGV" in message.reason


def test_a_message_whose_worker_dies_each_time_is_kept(context: Context) -> None:
    message_id = arrived(context)

    def dies(*_: object) -> Result:
        raise KeyboardInterrupt  # as SIGKILL: nothing is recorded afterwards

    for _ in range(MOST_CRASHES):
        with pytest.raises(KeyboardInterrupt):
            handle_due(context, dies)
        later(context, seconds=LEASE.total_seconds())
    assert handle_due(context, lambda *_: DONE) == {"kept": 1}
    assert found(context, message_id).status == "kept"


@pytest.mark.parametrize(
    "error", [HandlingWaited("The database did not answer in time."), OperationalError("SELECT", {}, Exception("away"))]
)
def test_waiting_for_the_database_is_not_counted(context: Context, error: Exception) -> None:
    message_id = arrived(context)

    def act(*_: object) -> Result:
        raise error

    for _ in range(2 * MOST_ATTEMPTS):
        assert handle_due(context, act) == {"postponed": 1}
        later(context, seconds=4)
    message = found(context, message_id)
    assert (message.status, message.attempts, message.crashes) == ("queued", 0, 0)


def test_whoever_has_lost_the_lease_records_nothing(context: Context) -> None:
    message_id = arrived(context)

    def act(*_: object) -> Result:
        later(context, seconds=LEASE.total_seconds() + 1)
        with context.database.write() as connection:
            assert messages.lease(connection, "another", context.clock(), context.clock() + LEASE) is not None
        return DONE

    assert handle_due(context, act) == {"lost": 1}
    assert found(context, message_id).leased_by == "another"


def test_a_heartbeat_extends_the_lease(context: Context) -> None:
    arrived(context)
    with context.database.write() as connection:
        message = messages.lease(connection, "me", context.clock(), context.clock() + LEASE)
    assert message is not None
    later(context, seconds=5)
    Heartbeat(context, "me", message).extend()
    later(context, seconds=5)
    with context.database.write() as connection:
        assert messages.lease(connection, "another", context.clock(), context.clock() + LEASE) is None


def test_another_worker_is_woken_when_the_time_is_used_up(context: Context) -> None:
    for number in range(10):
        arrived(context, MAIL + str(number).encode())
    assert isinstance(context.timer, Timer)
    context.timer.step = 1.5
    assert handle_due(context, lambda *_: DONE).total() < 10
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.messages == 1


class Child:
    """A child that gives the answer, or raises it."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def ask(self, requests: object, seconds: float) -> list[object]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return [self.answer]

    def close(self) -> None:
        """Does nothing."""


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (ChildDied(0, "killed by SIGKILL"), HandlingCrashed),
        (ChildTimedOut(0, "It took longer."), HandlingCrashed),
        (ChildWaited(0, "It has waited."), HandlingWaited),
        (ForkServerDied("gone"), HandlingWaited),
        (Failed("ValueError: no", "trace"), HandlingFailed),
    ],
)
def test_what_the_child_does_is_told_apart(context: Context, answer: object, error: type[Exception]) -> None:
    message = found(context, arrived(context))
    with pytest.raises(error):
        acting_in(Child(answer))(context, message)


def test_the_child_gives_the_result_of_the_function(context: Context) -> None:
    message = found(context, arrived(context))
    answer = handler(context, lambda *_: DONE)
    assert answer(None) is None
    assert acting_in(Child(answer(message)))(context, message) == DONE


def test_the_same_mail_to_the_same_recipient_has_one_key(context: Context) -> None:
    first, again = found(context, arrived(context)), found(context, arrived(context))
    elsewhere = found(context, arrived(context, recipient="overland+join@example.org"))
    assert first.key == again.key != elsewhere.key
    assert len(first.key) == 64


def test_only_the_key_is_kept_of_what_was_settled_long_ago(context: Context) -> None:
    old, waiting = arrived(context), arrived(context)
    with context.database.write() as connection:
        leased = messages.lease(connection, "me", context.clock(), context.clock() + LEASE)
        assert leased is not None
        old, waiting = (old, waiting) if leased.id == old else (waiting, old)
        messages.settle(connection, "me", leased, "handled", "played", context.clock())
    later(context, days=31)
    with context.database.write() as connection:
        rows = messages.reduce(connection, context.clock() - timedelta(days=30), 100)
    assert [row["id"] for row in rows] == [old]
    reduced = found(context, old)
    assert (reduced.raw, reduced.envelope_from, reduced.peer, reduced.reason) == (None, "", "", "")
    assert reduced.key == leased.key
    assert found(context, waiting).raw == MAIL
