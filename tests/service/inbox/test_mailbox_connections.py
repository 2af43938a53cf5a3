"""The connection to a mailbox: news come at once, or are asked for; it dies, is cut and comes back;
there are two of it, or it leads to another provider.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise

import pytest
import structlog

from service import parts
from service.context import Context
from service.inbox import imap
from service.inbox.mailbox import take_until
from service.readiness import Check, findings
from service.rowless import records_of_parts
from service.store import heartbeats, maintenance
from service.store.maintenance import Maintenance
from tests.service.fakes import Timer, later, wired
from tests.service.inbox.mailboxes import OTHER, OWN, Ends, Mailbox, mailbox
from tools.dovecot import EVERY_RIGHT, EVERYTHING, IDLE
from tools.waiting import until

pytestmark = pytest.mark.deep


@pytest.fixture
def box(context: Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """A mailbox whose server has everything."""
    with mailbox(context, monkeypatch) as made:
        yield made


@pytest.fixture
def told(context: Context) -> Iterator[None]:
    """What is told of parts is recorded."""
    parts.tell(records_of_parts(context))
    yield
    parts.tell(None)


def outcome(context: Context) -> str:
    """What `/readyz` says of the mailbox."""
    return next(each.outcome for each in findings(context) if each.check is Check.MAILBOX)


def test_a_new_mail_is_taken_as_soon_as_the_server_tells_of_it(box: Mailbox) -> None:
    with box.taking():  # in which no time passes while it waits for news
        until(box.looked, "the mailbox was looked at")
        for number in (1, 2, 3):
            box.reply()
            until(lambda number=number: len(box.stored()) == number, "the mail is stored")  # type: ignore[misc]
    assert len(box.folder("Overland")) == 3


def test_a_server_that_tells_nothing_is_asked_every_half_minute(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mailbox(context, monkeypatch, capabilities=EVERYTHING - {IDLE}) as box:
        timer = Timer()

        def waited(seconds: float) -> bool:
            if seconds and not timer.seconds:
                box.reply()
            if box.stored():
                return True
            timer.advance(seconds)
            return False

        take_until(replace(box.context, timer=timer), waited)
        assert timer.seconds == 30


@pytest.mark.usefixtures("told")
def test_a_connection_that_is_cut_is_noticed_and_made_again(box: Mailbox) -> None:
    with structlog.testing.capture_logs() as logged, box.taking():
        until(box.looked, "the mailbox was looked at")
        box.dovecot.kill()
        until(lambda: outcome(box.context) == "does not answer as it should", "the outage is told")
        box.dovecot.start()
        box.reply()
        until(box.stored, "the mail is stored")
        until(lambda: outcome(box.context) == "ok", "the end of the outage is told")
    events = [each["event"] for each in logged]
    assert [events.count(f"mailbox.{name}") for name in ("connection_ended", "well_again")] == [1, 1]
    reasons = [each["reason"] for each in logged if each["event"] == "mailbox.troubled"]
    assert "cannot be reached: Connection refused" in reasons[0]
    assert all(one != other for one, other in pairwise(reasons)), "it is said again only where the reason is another"


def test_while_the_mailbox_is_away_its_heart_does_not_beat_and_nobodys_time_is_up(box: Mailbox) -> None:
    box.take()
    later(box.context, minutes=5)
    box.dovecot.stop()
    timer, now = Timer(), box.context.clock()

    def waited(seconds: float) -> bool:
        timer.advance(seconds)
        return timer.seconds > 300

    take_until(replace(box.context, timer=timer), waited)
    with box.context.database.read() as connection:
        assert heartbeats.parts_out(connection, now) == {"mailbox"}
    box.dovecot.start()
    box.take()
    with box.context.database.read() as connection:
        assert heartbeats.parts_out(connection, box.context.clock()) == set()


def test_during_a_maintenance_all_mails_stay_where_they_are(box: Mailbox) -> None:
    box.reply()
    with box.context.database.write() as connection:
        maintenance.begin(connection, Maintenance(box.context.clock(), None, "Soon."))
    looked = count()
    take_until(box.context, Ends(lambda: next(looked) > 5))
    assert (box.stored(), len(box.folder())) == ([], 1)


@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_two_processes_at_one_mailbox_take_each_mail_once(box: Mailbox, database_url: str) -> None:
    other = wired(box.context.settings.data_dir, database_url)
    second = replace(box, context=replace(other, settings=box.context.settings))
    box.dovecot.put(OWN, [*box.foreign(20), *(box.mail(box.signed()) for _ in range(20))])
    with structlog.testing.capture_logs() as logged, box.taking(5.0), second.taking(5.0):
        for _ in range(10):
            box.reply()
        until(lambda: len(box.folder("Overland")) == 30, "all mails are moved")
    assert len(box.stored()) == len(set(box.stored())) == 30
    assert len(box.folder()) == 20
    assert [each for each in logged if each["log_level"] in ("warning", "error")] == []
    other.close()


def test_at_another_provider_mails_that_were_taken_are_not_taken_again(box: Mailbox) -> None:
    flagging = box.at(box.context.settings.mail_in, done="flag")
    mails = [box.mail(box.signed()) for _ in range(3)]
    box.dovecot.put(OWN, [*mails, *box.foreign(2)])
    flagging.take()
    moved = box.at(box.dovecot.url(OTHER))
    box.dovecot.put(OTHER, [*mails, box.mail(box.signed()), *box.foreign(2)])
    moved.take()
    assert len(box.stored()) == len(set(box.stored())) == 4
    assert (len(moved.folder()), len(moved.folder("Overland"))) == (2, 4)


@pytest.mark.usefixtures("told")
def test_mails_that_cannot_be_moved_are_taken_and_moved_once_they_can(box: Mailbox) -> None:
    stuck = box.at(box.context.settings.mail_in, done="folder:/nowhere//")
    box.reply()
    stuck.take()
    box.reply()
    stuck.take()
    assert (len(box.stored()), len(box.folder())) == (2, 2)
    assert outcome(box.context) == "does not let mails be moved"
    box.take()
    assert (len(box.stored()), len(box.folder()), len(box.folder("Overland"))) == (2, 0, 2)
    assert outcome(box.context) == "ok"


@pytest.mark.usefixtures("told")
def test_all_mails_of_a_mailbox_that_can_only_be_read_are_taken(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "FETCHED_AT_ONCE", 1)
    for _ in range(3):
        box.reply()
    box.dovecot.allow(OWN, "lr")
    box.take()
    assert (len(box.stored()), len(box.folder())) == (3, 3)
    assert outcome(box.context) == "does not let mails be moved"
    box.dovecot.allow(OWN, EVERY_RIGHT)
    box.take()
    assert (len(box.stored()), len(box.folder()), len(box.folder("Overland"))) == (3, 0, 3)
    assert outcome(box.context) == "ok"
