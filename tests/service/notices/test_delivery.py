"""A notice reaches its reader at least once, is given up only when it is refused for good or for
hours, and never holds the database while a mail goes.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from service.context import Context
from service.guard import Died, Failure, OutOfTime, Raised, Waited
from service.loop import LEASE, TERMS, Loop, pause_after
from service.notices.delivery import DeliveryResult, deliver_due
from service.notices.mail.compose import compose
from service.notices.mail.message import Draft
from service.signing import keys_of
from service.store import outbox, players
from service.store.database import Database
from service.store.leasing import Charged
from service.store.outbox import Notice
from tests.service.fakes import Here
from tests.service.notices.batches import working
from tests.service.notices.fakes import Hand, Mailbag, notice, notify

MOST_ATTEMPTS = TERMS[Loop.NOTICES].most_attempts
MOST_CRASHES = TERMS[Loop.NOTICES].most_crashes


def entrance(service: Context) -> str:
    return notify(service, "confirm_address", match_id=None, token="t0ken")


def test_a_notice_is_sent_and_marked(service: Context, mailbag: Mailbag) -> None:
    notice_id = entrance(service)
    assert deliver_due(service) == {"sent": 1}
    row = notice(service, notice_id)
    assert (row.status, row.attempts, row.sent_at, row.leased_until) == ("sent", 1, service.clock(), None)
    assert [message["To"] for message in mailbag.messages] == ["Anna <anna@players.example>"]


def test_a_sent_notice_is_not_sent_again(service: Context, mailbag: Mailbag) -> None:
    entrance(service)
    deliver_due(service)
    assert deliver_due(service) == {}
    assert len(mailbag.messages) == 1


def test_an_empty_outbox_gives_nothing(service: Context) -> None:
    assert deliver_due(service) == {}


def test_a_one_time_token_is_forgotten_once_it_is_sent(service: Context, mailbag: Mailbag) -> None:
    notice_id = entrance(service)
    deliver_due(service)
    assert "t0ken" in mailbag.messages[0].as_string()
    assert notice(service, notice_id).payload == {}


def test_a_refused_mail_is_tried_again_when_its_pause_is_over(service: Context, mailbag: Mailbag, clock: Hand) -> None:
    notice_id = entrance(service)
    mailbag.refusals = 1
    assert deliver_due(service) == {"postponed": 1}
    row = notice(service, notice_id)
    assert row.last_error == "The mail server mail.example refused: 450 Come again"
    assert (row.status, row.leased_until) == ("pending", None)
    assert deliver_due(service) == {}
    clock.now = row.next_attempt_at
    assert deliver_due(service) == {"sent": 1}
    assert notice(service, notice_id).last_error is None


def test_after_a_day_of_refusals_a_notice_is_dead_and_says_why(service: Context, mailbag: Mailbag, clock: Hand) -> None:
    notice_id = entrance(service)
    mailbag.refusals = 99
    results: list[DeliveryResult] = []
    for _ in range(MOST_ATTEMPTS):
        results.extend(deliver_due(service))
        clock.now = max(clock.now, notice(service, notice_id).next_attempt_at)
    assert results == ["postponed"] * (MOST_ATTEMPTS - 1) + ["dead"]
    row = notice(service, notice_id)
    assert (row.status, row.attempts) == ("dead", MOST_ATTEMPTS)
    assert "450 Come again" in str(row.last_error)
    assert deliver_due(service) == {}


@pytest.mark.parametrize("attempts", range(1, MOST_ATTEMPTS))
def test_pauses_are_short_at_first_then_double_and_vary_by_up_to_a_quarter(attempts: int) -> None:
    middle = min(
        TERMS[Loop.NOTICES].first_pause * 2 ** min(20, max(0, attempts - outbox.QUICK_ATTEMPTS)),
        TERMS[Loop.NOTICES].last_pause,
    )
    assert pause_after(Loop.NOTICES, attempts, 0) == 0.75 * middle
    assert pause_after(Loop.NOTICES, attempts, 1) == 1.25 * middle
    assert pause_after(Loop.NOTICES, attempts, 1) <= (
        outbox.LONGEST_QUICK_PAUSE if attempts <= outbox.QUICK_ATTEMPTS else outbox.LONGEST_PAUSE
    )


def test_the_longest_pause_is_half_an_hour_give_or_take_a_quarter() -> None:
    longest = [pause_after(Loop.NOTICES, MOST_ATTEMPTS - 1, luck) for luck in (0, 1)]
    assert longest == [timedelta(minutes=22.5), timedelta(minutes=37.5)]


def test_a_notice_is_given_up_after_the_better_part_of_a_day(service: Context) -> None:
    assert (
        timedelta(hours=18)
        < sum((pause_after(Loop.NOTICES, attempts) for attempts in range(1, MOST_ATTEMPTS)), timedelta())
        < timedelta(hours=24)
    )


def test_what_cannot_be_written_is_given_up_at_once(service: Context) -> None:
    notice_id = notify(service, "your_turn", match_id=None)
    assert deliver_due(service) == {"dead": 1}
    assert "names none" in str(notice(service, notice_id).last_error)


def test_an_unknown_kind_is_given_up(service: Context) -> None:
    notify(service, "../your_turn", match_id=None)
    assert deliver_due(service) == {"dead": 1}


def test_an_internal_error_is_logged_and_the_notice_tried_again(
    service: Context, mailbag: Mailbag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(message: EmailMessage) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(mailbag, "send", broken)
    notice_id = entrance(service)
    assert deliver_due(service) == {"postponed": 1}
    assert notice(service, notice_id).last_error == "ZeroDivisionError: by nothing"


def test_a_mail_is_repeated_to_the_byte_after_a_crash_between_sending_and_marking(
    service: Context, mailbag: Mailbag, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance(service)
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "mark_sent", interrupted)
        with pytest.raises(KeyboardInterrupt):
            deliver_due(service)
    assert deliver_due(service) == {}
    clock.advance(LEASE)
    assert deliver_due(service) == {"sent": 1}
    first, second = mailbag.messages
    assert first["Message-ID"] == second["Message-ID"]
    assert first.as_bytes() == second.as_bytes()


def interrupted(*_: object) -> None:
    """What a killed process leaves: nothing after this line is executed."""
    raise KeyboardInterrupt


def test_a_notice_that_kills_its_senders_is_given_up(
    service: Context, mailbag: Mailbag, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice_id = entrance(service)
    with monkeypatch.context() as patch:
        patch.setattr(mailbag, "send", interrupted)
        for _ in range(MOST_CRASHES):
            with pytest.raises(KeyboardInterrupt):
                deliver_due(service)
            clock.advance(LEASE)
    with capture_logs() as logs:
        assert deliver_due(service) == {"dead": 1}
    assert [(entry["event"], entry["notice"]) for entry in logs] == [("notice.given_up", notice_id)]
    assert "ended meanwhile" in str(notice(service, notice_id).last_error)
    with service.database.write() as connection:
        outbox.revive(connection, [notice_id], service.clock())
    assert deliver_due(service) == {"sent": 1}


def test_of_a_batch_only_the_notice_that_was_being_tried_is_charged(
    service: Context, mailbag: Mailbag, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [entrance(service)]
    for _ in range(4):
        clock.advance(timedelta(seconds=1))
        ids.append(entrance(service))
    send = mailbag.send

    def deadly(message: EmailMessage) -> None:
        if message["X-Overland-Notice"] == ids[1]:
            raise KeyboardInterrupt
        send(message)

    monkeypatch.setattr(mailbag, "send", deadly)
    with pytest.raises(KeyboardInterrupt):
        deliver_due(service)
    assert [(notice(service, each).attempts, notice(service, each).crashes) for each in ids] == [
        (1, 0),
        (1, 1),
        (0, 0),
        (0, 0),
        (0, 0),
    ]
    clock.advance(LEASE)
    monkeypatch.setattr(mailbag, "send", send)
    assert deliver_due(service) == {"sent": 4}
    assert [message["X-Overland-Notice"] for message in mailbag.messages] == [ids[0], *ids[2:], ids[1]], (
        "it is the last"
    )
    assert (notice(service, ids[1]).attempts, notice(service, ids[1]).crashes) == (2, 0)


def test_counting_attempts_one_by_one_costs_no_commit_more(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        entrance(service)
    keys_of(service)  # the first key is made with the first mail
    commits, write = [], Database.write

    @contextmanager
    def counted(database: Database) -> Iterator[Connection]:
        commits.append(1)
        with write(database) as connection:
            yield connection

    monkeypatch.setattr(Database, "write", counted)
    assert deliver_due(service) == {"sent": 3}
    assert len(commits) == 2 + 3, "one to lease them, one to sort them, and one for each mail"


def composing(service: Context, fates: dict[str, Failure]) -> Context:
    """The service with a composer that comes to these outcomes with the notices of these ids."""

    def answer(request: tuple[Notice, bool]) -> Draft | Failure:
        return fates.get(request[0].id) or compose(service, *request)

    return replace(service, composer=Here(answer))


def test_a_mail_that_ends_the_process_that_composes_it_is_tried_alone_and_then_given_up(
    service: Context, mailbag: Mailbag, clock: Hand
) -> None:
    poison, *others = [entrance(service) for _ in range(4)]
    composed = composing(service, {poison: Died("killed by SIGKILL")})
    with capture_logs() as logs:
        assert deliver_due(composed) == {"crashed": 1, "sent": 3}
    assert "notice.crashed_before" not in {entry["event"] for entry in logs}
    for crashes in range(2, MOST_CRASHES + 1):
        assert deliver_due(composed) == {}, "it waits"
        clock.now = notice(service, poison).next_attempt_at
        late = entrance(service)
        expected = {"crashed": 1} if crashes < MOST_CRASHES else {"dead": 1}
        with capture_logs() as logs:
            assert deliver_due(composed) == expected | {"sent": 1}
        assert [(entry["notice"], entry["crashes"]) for entry in logs if entry["event"] == "notice.crashed_before"] == [
            (poison, crashes - 1)
        ]
        assert notice(service, late).status == "sent"
    row = notice(service, poison)
    assert (row.status, row.attempts, row.crashes) == ("dead", MOST_CRASHES, MOST_CRASHES)
    assert str(row.last_error).startswith("The process that was at it ended: killed by SIGKILL.")
    assert [notice(service, each).attempts for each in others] == [1, 1, 1]


def test_a_refusal_between_two_crashes_begins_the_count_again(
    service: Context, mailbag: Mailbag, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice_id = entrance(service)
    composed = composing(service, {notice_id: OutOfTime("took longer than 10 s")})
    deliver_due(composed)
    clock.now = notice(service, notice_id).next_attempt_at
    mailbag.refusals = 1
    assert deliver_due(service) == {"postponed": 1}
    assert (notice(service, notice_id).attempts, notice(service, notice_id).crashes) == (2, 0)


def test_a_mail_that_could_not_be_composed_this_time_is_tried_again(service: Context) -> None:
    notice_id = entrance(service)
    failed = Raised("ZeroDivisionError: by nothing", "Traceback")
    assert deliver_due(composing(service, {notice_id: failed})) == {"postponed": 1}
    row = notice(service, notice_id)
    assert (row.last_error, row.attempts, row.crashes) == ("ZeroDivisionError: by nothing", 1, 0)


def test_a_mail_that_the_database_kept_waiting_is_tried_again_and_not_charged(service: Context) -> None:
    notice_id = entrance(service)
    waited = composing(service, {notice_id: Waited("it was kept waiting for longer than 20 s")})
    assert deliver_due(waited) == {"postponed": 1}
    row = notice(service, notice_id)
    assert (row.attempts, row.crashes) == (0, 0)
    assert "kept waiting" in str(row.last_error)


def test_two_workers_do_not_send_the_same_notice(service: Context, mailbag: Mailbag) -> None:
    entrance(service)
    results: list[Counter[DeliveryResult]] = []
    workers = [threading.Thread(target=lambda: results.append(deliver_due(service))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(results, Counter[DeliveryResult]()) == {"sent": 1}
    assert len(mailbag.messages) == 1


def test_the_database_is_free_while_a_mail_is_on_its_way(
    service: Context, mailbag: Mailbag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(message: EmailMessage) -> None:
        with service.database.write() as connection:
            players.rename(connection, "p-ben", "Benno", "benno")

    monkeypatch.setattr(mailbag, "send", slow)
    entrance(service)
    assert deliver_due(service) == {"sent": 1}
    with service.database.read() as connection:
        renamed = players.find(connection, "p-ben")
    assert renamed is not None
    assert renamed.name == "Benno"


def test_the_heartbeat_and_a_result_never_wait_for_each_other(service: Context) -> None:
    """One extends all leases, the other settles one notice and begins the next: in one transaction
    each, they would lock the same rows in different orders.
    """
    for number in range(40):
        notify(service, "confirm_address", match_id=None, token=f"t0ken{number}")
    over = threading.Event()
    with capture_logs() as logs, working(service) as work:

        def beat() -> None:
            while not over.is_set():
                work.leases.extend()

        heart = threading.Thread(target=beat)
        heart.start()
        try:
            for leased in reversed(work.notices):
                assert work.set_aside(Charged(leased, 1, 1), Raised("Come back later.", "")) == "postponed"
        finally:
            over.set()
            heart.join()
    assert {entry["event"] for entry in logs} == {"notice.postponed"}
