"""What players are told of their mails, and which they are sent again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from service.context import Context
from service.errors import Conflict, NotFound, TooMany, UnknownCursor
from service.kinds import NoticeKind
from service.notices import mails
from service.notices.delivery import deliver_due
from service.notices.mails import MailToPlayer
from service.store.covering import Because, format_reason
from service.store.players import Player
from service.store.tables import outbox as table
from tests.service.fakes import Postbag, add_notice, later, notices, person
from tools.memory_queue import MemoryQueue


def written(context: Context, player: Player, kind: NoticeKind = "your_turn", **columns: Any) -> str:
    """A notice to a player, with those columns."""
    with context.database.write() as connection:
        notice_id = add_notice(connection, kind, player.id, None, {}, context.clock())
        if columns:
            connection.execute(table.update().where(table.c.id == notice_id).values(columns))
    return notice_id


def only(context: Context, player: Player) -> MailToPlayer:
    """The newest of the player's mails."""
    return mails.mails_of(context, player, 1, None)[0]


@pytest.fixture
def ada(context: Context) -> Player:
    ada = person(context, "Ada")
    later(context, minutes=1)
    return ada


SERVER = "The mail server mx.example.org:25 refused: 452 4.2.2 The mailbox is full"


@pytest.mark.parametrize(
    ("columns", "status", "reason"),
    [
        ({}, "queued", "It is sent next."),
        (
            {"attempts": 1, "last_error": SERVER},
            "deferred",
            "It could not be sent yet, and is tried again. The mail server said: 452 4.2.2 The mailbox is full",
        ),
        (
            {"attempts": 1, "last_error": "TypeError: /srv/overland is broken"},
            "deferred",
            "It could not be sent yet, and is tried again.",
        ),
        ({"status": "sent"}, "handed_over", "The next mail server has accepted it."),
        (
            {"status": "dead", "last_error": SERVER.replace("452", "550")},
            "given_up",
            "It could not be sent. The mail server said: 550 4.2.2 The mailbox is full",
        ),
        ({"status": "covered", "superseded_by": "x"}, "covered", "A later mail tells it."),
        ({"status": "covered", "covered_by": "answer:t"}, "covered", "You were told it as the answer to your request."),
        ({"status": "covered", "covered_by": "notice:n"}, "covered", "Another mail tells it."),
    ],
)
def test_the_status_is_told_in_words(
    context: Context, ada: Player, columns: dict[str, Any], status: str, reason: str
) -> None:
    written(context, ada, **columns)
    assert (only(context, ada).status, only(context, ada).reason) == (status, reason)


def test_every_reason_why_nobody_has_to_be_told_is_told_in_words(context: Context, ada: Player) -> None:
    said = {}
    for because in Because:
        later(context, minutes=1)
        written(context, ada, status="covered", covered_by=format_reason(because))
        said[because] = only(context, ada).reason
    assert said == {
        Because.NEVER: "Your address wanted no more mails.",
        Because.OFF: "You want no mails.",
        Because.WITHOUT: "You want no mails of this kind.",
        Because.CHAT: "You want no mails of what is said.",
        Because.NOBODY: "You have no mailbox.",
        Because.BLOCKED: "You have blocked the player who caused it.",
        Because.HANDED_OVER: "You have no seat in the match any more.",
        Because.LIMITED: "One player may cause only so many mails to you in a day, and had caused them.",
        Because.SETTLED: "The offer that it tells of was settled before, or withdrawn.",
        Because.PLAYED: "The turn that it reminds of was played.",
        Because.SUSPENDED: "You were suspended when it was due.",
        Because.SWITCHED_OFF: "The webhook was switched off.",
    }


def test_a_mail_that_is_kept_or_came_back_says_so(context: Context, ada: Player) -> None:
    soon = context.clock() + timedelta(hours=3)
    written(context, ada, not_before=soon, next_attempt_at=soon)
    assert (only(context, ada).status, only(context, ada).due_at) == ("held", soon)
    later(context, hours=4)
    assert only(context, ada).status == "queued"
    written(context, ada, status="sent", sent_at=soon, bounced_at=soon, bounce_reason="No such mailbox.")
    assert (only(context, ada).status, only(context, ada).reason) == ("bounced", "It came back. No such mailbox.")
    assert (only(context, ada).due_at, only(context, ada).handed_over_at) == (None, soon)


def test_only_ones_own_mails_are_listed_newest_first_page_by_page(context: Context, ada: Player) -> None:
    bela = person(context, "Bela")
    mine = [written(context, ada) for _ in range(4)]
    theirs = written(context, bela)
    listed: list[str] = []
    after = None
    while found := mails.mails_of(context, ada, 2, after):
        listed += [mail.id for mail in found]
        after = found[-1].id
    assert sorted(listed[:4]) == sorted(mine)
    assert len(listed) == len(set(listed)) == 5  # with the mail that confirmed the address
    with pytest.raises(UnknownCursor):
        mails.mails_of(context, ada, 2, theirs)


def test_a_mail_that_tells_it_instead_is_named(context: Context, ada: Player) -> None:
    written(context, ada, status="covered", covered_by="notice:digest1")
    assert only(context, ada).told_by == "digest1"
    later(context, minutes=1)
    written(context, ada, status="covered", superseded_by="later1")
    assert only(context, ada).told_by == "later1"


@pytest.mark.parametrize("status", ["sent", "dead", "covered"])
def test_a_mail_is_sent_again_whatever_became_of_it(context: Context, ada: Player, status: str, pearls: None) -> None:
    mail = written(context, ada, kind="answer", status=status, covered_by="preference:off", last_error=SERVER)
    again = mails.send_again(context, ada, mail)
    assert (again.id, again.status) == (mail, "queued")
    (notice,) = [notice for notice in notices(context) if notice.id == mail]
    assert (notice.status, notice.lane, notice.covered_by, notice.payload["again"]) == ("pending", 0, None, 1)
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.notices > 0


def test_a_waiting_mail_is_not_sent_twice(context: Context, ada: Player) -> None:
    mail = written(context, ada)
    with pytest.raises(Conflict, match="waits") as raised:
        mails.send_again(context, ada, mail)
    assert raised.value.code == "mail_waits"


def test_a_mail_with_a_token_is_not_sent_again(context: Context, ada: Player) -> None:
    assert isinstance(context.transport, Postbag)
    deliver_due(context)
    with pytest.raises(Conflict, match="works once") as raised:
        mails.send_again(context, ada, only(context, ada).id)
    assert raised.value.code == "mail_not_kept"
    assert len(context.transport.messages) == 1


def test_the_mail_of_another_is_not_found(context: Context, ada: Player) -> None:
    mail = written(context, person(context, "Bela"), status="sent")
    with pytest.raises(NotFound, match="no mail"):
        mails.send_again(context, ada, mail)


def test_only_some_mails_a_day_are_sent_again(context: Context, ada: Player) -> None:
    sent = [written(context, ada, status="sent") for _ in range(mails.MOST_AGAIN + 1)]
    for mail in sent[:-1]:
        mails.send_again(context, ada, mail)
    with pytest.raises(TooMany, match="maximum"):
        mails.send_again(context, ada, sent[-1])
    later(context, days=1)
    mails.send_again(context, ada, sent[-1])
