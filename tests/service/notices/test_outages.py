"""Failures between the service and a mail server, and what becomes of the notices: nothing is lost,
and no notice is blamed for a server that is down.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import partial

import pytest
from structlog.testing import capture_logs

from service import loop
from service.context import Context
from service.loop import LEASE, TERMS, Loop
from service.notices import delivery
from service.notices.delivery import deliver_due
from service.notices.mail.errors import PermanentlyRefused, TransportDown, TransportError
from service.notices.mail.transport import SmtpTransport
from service.store import outbox
from service.store.leasing import Charged, Leasing
from tests.service.fakes import Timer
from tests.service.notices.batches import working
from tests.service.notices.fakes import Hand, notice, notify
from tests.service.notices.postbox import Postbox
from tools.memory_queue import MemoryQueue
from tools.waiting import until

MOST_ATTEMPTS = TERMS[Loop.NOTICES].most_attempts


@dataclass
class Line:
    """A transport that does to each mail what the test says, by the notice's id; by default it
    takes it.
    """

    fates: dict[str, list[Exception]] = field(default_factory=dict)
    down: TransportDown | None = None
    tried: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)

    def check(self) -> str:
        return "250 Mails could be sent"

    def send(self, message: EmailMessage) -> str:
        notice_id = str(message["X-Overland-Notice"])
        self.tried.append(notice_id)
        if self.down is not None:
            raise self.down
        if self.fates.get(notice_id):
            raise self.fates[notice_id].pop(0)
        self.taken.append(notice_id)
        return "250 Taken"


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def transport(line: Line) -> Line:
    return line


def owed(service: Context, count: int) -> list[str]:
    """So many notices, each due a moment after the one before."""
    ids = []
    for _ in range(count):
        ids.append(notify(service, "confirm_address", match_id=None, token="t0ken"))
        clock = service.clock
        assert isinstance(clock, Hand)
        clock.advance(timedelta(milliseconds=1))
    return ids


REFUSED = TransportDown("The mail server mail.example could not be used: ConnectionRefusedError")
BROKEN = TransportDown("The mail server mail.example could not be used: SMTPServerDisconnected", during_transfer=True)


def test_a_mail_server_that_is_down_is_probed_once_and_no_notice_is_blamed(service: Context, line: Line) -> None:
    ids = owed(service, 5)
    line.down = REFUSED
    with capture_logs() as logs:
        assert deliver_due(service) == {"waiting": 1}
    assert [(entry["event"], entry["notice"], entry["error"]) for entry in logs] == [
        ("mail_server.down", ids[0], str(REFUSED))
    ]
    assert line.tried == ids[:1]
    assert [
        (notice(service, each).status, notice(service, each).attempts, notice(service, each).leased_by) for each in ids
    ] == [("pending", 0, None)] * 5


def test_the_next_probe_is_another_notice(service: Context, line: Line) -> None:
    ids = owed(service, 3)
    line.down = REFUSED
    for _ in range(3):
        deliver_due(service)
    assert line.tried == ids


def test_however_long_the_server_was_down_everything_is_sent_within_seconds_of_its_return(
    service: Context, line: Line, clock: Hand
) -> None:
    ids = owed(service, 4)
    line.down = REFUSED
    for _ in range(MOST_ATTEMPTS + 6):
        deliver_due(service)
        clock.advance(timedelta(minutes=10))
    deliver_due(service)
    line.down = None
    clock.advance(outbox.LONGEST_QUICK_PAUSE)
    assert deliver_due(service) == {"sent": 4}
    assert sorted(line.taken) == sorted(ids)


def test_a_mail_that_breaks_the_connection_is_identified_once_the_next_goes_through(
    service: Context, line: Line
) -> None:
    ids = owed(service, 3)
    line.fates[ids[0]] = [BROKEN]
    assert deliver_due(service) == {"postponed": 1, "sent": 2}
    assert notice(service, ids[0]).attempts == 1


def test_a_server_that_fails_for_two_mails_in_a_row_is_down_for_all(service: Context, line: Line) -> None:
    ids = owed(service, 4)
    line.down = BROKEN
    assert deliver_due(service) == {"waiting": 2}
    assert line.tried == ids[:2]
    assert [notice(service, each).attempts for each in ids] == [0, 0, 0, 0]


def test_a_single_mail_is_not_blamed_for_a_broken_connection(service: Context, line: Line, clock: Hand) -> None:
    (only,) = owed(service, 1)
    line.down = BROKEN
    for _ in range(2 * MOST_ATTEMPTS):
        assert deliver_due(service) == {"waiting": 1}
        clock.advance(outbox.LONGEST_QUICK_PAUSE)
    assert (notice(service, only).status, notice(service, only).attempts) == ("pending", 0)


def test_a_mail_that_always_breaks_the_connection_is_given_up_in_the_end_and_holds_up_no_other(
    service: Context, line: Line, clock: Hand
) -> None:
    (poison,) = owed(service, 1)
    line.fates[poison] = [BROKEN] * 99
    for _ in range(MOST_ATTEMPTS):
        (good,) = owed(service, 1)
        deliver_due(service)
        assert notice(service, good).status == "sent"
        clock.now = max(clock.now, notice(service, poison).next_attempt_at)
    assert (notice(service, poison).status, notice(service, poison).attempts) == ("dead", MOST_ATTEMPTS)


def test_a_mail_that_is_refused_for_good_is_dead_at_once_and_the_others_go(service: Context, line: Line) -> None:
    ids = owed(service, 3)
    line.fates[ids[1]] = [PermanentlyRefused("The mail server mail.example refused: 550 No such player")]
    assert deliver_due(service) == {"sent": 2, "dead": 1}
    assert notice(service, ids[1]).last_error == "The mail server mail.example refused: 550 No such player"


def test_a_mail_that_is_refused_for_now_is_postponed_and_the_others_go(service: Context, line: Line) -> None:
    ids = owed(service, 3)
    line.fates[ids[0]] = [TransportError("450 Come again")]
    assert deliver_due(service) == {"sent": 2, "postponed": 1}
    assert notice(service, ids[0]).attempts == 1


def test_more_than_a_batch_is_delivered_and_other_workers_are_asked_to_help(service: Context, line: Line) -> None:
    ids = owed(service, delivery.AT_ONCE + 3)
    queue = service.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.notices
    assert deliver_due(service) == {"sent": len(ids)}
    assert line.taken == ids
    assert queue.notices > woken


def test_a_worker_whose_time_is_up_releases_what_it_has_not_tried_and_wakes_another(
    service: Context, line: Line
) -> None:
    ids = owed(service, 3)
    queue = service.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.notices
    hurried = replace(service, timer=Timer(step=delivery.LONGEST_SECONDS / 2.5))  # time for one mail
    assert deliver_due(hurried) == {"sent": 1}
    assert queue.notices == woken + 1
    assert [notice(service, each).attempts for each in ids] == [1, 0, 0]
    assert deliver_due(service) == {"sent": 2}


def test_a_worker_without_any_time_takes_nothing_and_wakes_another(service: Context) -> None:
    (only,) = owed(service, 1)
    queue = service.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.notices
    assert deliver_due(replace(service, timer=Timer(step=delivery.LONGEST_SECONDS))) == {}
    assert queue.notices == woken + 1
    assert notice(service, only).attempts == 0


def test_a_killed_workers_notices_are_free_when_its_lease_has_run_out(
    service: Context, line: Line, clock: Hand
) -> None:
    ids = owed(service, 2)
    with service.database.write() as connection:  # who took these is killed before it says anything
        outbox.LEASING.lease(connection, "killed", clock.now, clock.now + LEASE, 5, slow=False)
    assert deliver_due(service) == {}
    clock.advance(LEASE)
    assert deliver_due(service) == {"sent": 2}
    assert line.taken == ids


def leased_until(service: Context, notice_id: str, end: datetime) -> bool:
    return notice(service, notice_id).leased_until == end


def test_the_heartbeat_holds_a_lease_as_long_as_a_slow_mail_takes(
    service: Context, line: Line, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "HEARTBEAT_SECONDS", 0.02)
    (slow,) = owed(service, 1)
    beaten: list[bool] = []

    def send(message: EmailMessage) -> None:
        for _ in range(3):  # three leases long
            clock.advance(LEASE / 2)
            expected = clock.now + LEASE
            until(partial(leased_until, service, slow, expected), "the lease is extended")
            beaten.append(deliver_due(replace(service, transport=Line())) == {})

    monkeypatch.setattr(line, "send", send)
    assert deliver_due(service) == {"sent": 1}
    assert beaten == [True, True, True]


def test_a_worker_that_lost_its_lease_does_not_record_a_result_for_its_successor(
    service: Context, line: Line, clock: Hand
) -> None:
    (only,) = owed(service, 1)
    with working(service) as slow:
        clock.advance(LEASE)
        with working(service) as quick:
            assert slow.do(Charged(only, 1, 1)) == "lost"
            assert notice(service, only).status == "pending"
            assert quick.do(Charged(only, 2, 2)) == "sent"
    assert line.taken == [only, only]  # at least once, with the same id


def test_a_worker_that_knows_it_lost_its_lease_leaves_the_notice_alone(
    service: Context, line: Line, clock: Hand
) -> None:
    (only,) = owed(service, 1)
    with working(service) as slow:
        clock.advance(LEASE)
        with working(service):
            slow.leases.extend()
            assert slow.do(Charged(only, 1, 1)) == "lost"
    assert line.tried == []


def test_a_database_that_is_unavailable_at_a_heartbeat_costs_no_lease(
    service: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    (only,) = owed(service, 1)
    with working(service) as work:
        with monkeypatch.context() as patch:
            patch.setattr(Leasing, "extend", lambda *_: 1 / 0)
            work.leases.extend()
        assert work.do(Charged(only, 1, 1)) == "sent"


# Against real servers.


def smtp(port: int, **changes: float) -> SmtpTransport:
    patient = SmtpTransport("smtp", "127.0.0.1", port, None, timeout=10.0, patience=10.0)
    return replace(patient, **changes)  # type: ignore[arg-type]


@pytest.fixture
def silent_server() -> Iterator[int]:
    """The port of a server that accepts connections and never sends anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        yield server.getsockname()[1]


@pytest.fixture
def dropping() -> Iterator[int]:
    """The port of a server that closes the connection after the message, without an answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        thread = threading.Thread(target=_drop, args=(server,), daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)  # closing it would not wake a thread that waits for the next connection
    thread.join()


def _drop(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection, connection.makefile("rwb") as stream:
            stream.write(b"220 here\r\n")
            stream.flush()
            for command in stream:
                if command.strip() == b".":
                    break
                if not command.upper().startswith((b"EHLO", b"MAIL", b"RCPT", b"DATA")):
                    continue  # the message itself
                stream.write(b"354 go\r\n" if command.upper().startswith(b"DATA") else b"250 ok\r\n")
                stream.flush()
            connection.shutdown(socket.SHUT_RDWR)


def test_a_server_that_refuses_connections_holds_up_nothing_and_is_found_again_by_the_first_probe(
    service: Context, clock: Hand, mail_server: Callable[..., Postbox]
) -> None:
    ids = owed(service, 3)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    assert deliver_due(replace(service, transport=smtp(free))) == {"waiting": 1}
    clock.advance(outbox.LONGEST_QUICK_PAUSE)
    postbox = mail_server()
    assert deliver_due(replace(service, transport=smtp(postbox.port))) == {"sent": 3}
    assert (
        sorted(
            b"".join(str(envelope.content).encode() for envelope in postbox.envelopes).count(each.encode()) > 0
            for each in ids
        )
        == [True] * 3
    )


def test_a_server_that_hangs_is_down(service: Context, silent_server: int) -> None:
    owed(service, 3)
    assert deliver_due(replace(service, transport=smtp(silent_server, timeout=0.2))) == {"waiting": 1}


def test_a_server_that_hangs_up_after_data_is_down_and_the_same_mail_is_sent_again(
    service: Context, clock: Hand, dropping: int, mail_server: Callable[..., Postbox]
) -> None:
    (only,) = owed(service, 1)
    assert deliver_due(replace(service, transport=smtp(dropping))) == {"waiting": 1}
    assert "SMTPServerDisconnected" in str(notice(service, only).last_error)
    clock.advance(outbox.LONGEST_QUICK_PAUSE)
    postbox = mail_server()
    assert deliver_due(replace(service, transport=smtp(postbox.port))) == {"sent": 1}
    content = postbox.envelopes[0].content
    assert isinstance(content, bytes)
    assert f"X-Overland-Notice: {only}".encode() in content


@pytest.mark.parametrize(
    ("answers", "results"),
    [
        ({"refuse_sender": "550 5.1.0 Unknown sender"}, {"waiting": 1}),
        ({"refuse_recipient": "450 4.2.1 Mailbox busy"}, {"postponed": 2}),
        ({"refuse_recipient": "550 5.1.1 No such player"}, {"dead": 2}),
        ({"refuse_message": "554 5.7.1 Looks like spam"}, {"dead": 2}),
        ({"refuse_message": "452 4.3.1 No room"}, {"postponed": 2}),
        ({"refuse_recipient": "421 4.3.2 Closing"}, {"waiting": 1}),
        ({"refuse_recipient": "554 5.7.1 Relay access denied"}, {"waiting": 1}),
        ({"refuse_recipient": "554 5.7.1 <ada@relay.example>: Relay access denied"}, {"waiting": 1}),
        ({"refuse_recipient": "550 5.7.54 Unable to relay recipient in non-accepted domain"}, {"waiting": 1}),
        ({"refuse_recipient": "550 5.1.1 <ada@relay.example>: No such player"}, {"dead": 2}),
        ({"refuse_recipient": "550 5.1.1 <ada@players.example>: Unknown in relay recipient table"}, {"dead": 2}),
        ({"refuse_recipient": "451 4.7.1 <relay@players.example>: Greylisted"}, {"postponed": 2}),
        ({"refuse_message": "554 No such host as privaterelay.example: looks like spam"}, {"dead": 2}),
        ({"refuse_recipient": "530 5.7.0 Authentication required"}, {"waiting": 1}),
    ],
)
def test_the_answer_of_a_server_decides_between_later_never_and_server_down(
    service: Context, mail_server: Callable[..., Postbox], answers: dict[str, str], results: dict[str, int]
) -> None:
    owed(service, 2)
    postbox = mail_server(**answers)
    assert deliver_due(replace(service, transport=smtp(postbox.port))) == results
