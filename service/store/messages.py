"""The mails that came in, in the database: a row for each recipient, written before the mail is
acknowledged; how far the folders of mailboxes have been looked through, by the UIDs of their mails;
and which mails were dealt with and answered.

A message is queued until a process that holds a lease on it (``LEASING``) settles it as handled,
ignored or kept. What was done with a mail is written in the transaction that writes the answer, so
that a mail that arrives twice, or is handled again after a crash, is answered once.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, LargeBinary, delete, func, insert, null, or_, select, update

from service.statuses import MessageStatus
from service.store.leasing import Leasing
from service.store.outbox import NOTICES, Notice
from service.store.statements import Rows, any_row, count, insert_into, insert_new
from service.store.tables import answered_mails, messages, outbox
from service.store.tables import mailbox_folders as folders

LONGEST_PAUSE: Final = timedelta(minutes=40)
"""After any number of attempts, the longest time until the next is due."""
AWAITED_ATTEMPTS: Final = 3
_EMPTIED: Final = {"raw": None, "peer": "", "envelope_from": "", "author": "", "reason": ""}
"""The columns of a message of which only the key is kept."""
_QUEUED: Final = messages.c.status == "queued"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A mail for one recipient as it came in, from the host with the address ``peer``;
    ``message_id`` is empty where it has none, ``digest`` that of its body, ``author`` who it says
    wrote it (``service.inbox.conversation``).
    """

    peer: str
    envelope_from: str
    recipient: str
    raw: bytes
    message_id: str
    digest: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A mail for one recipient. ``raw`` is ``None`` in lists, and once only the key is kept.
    ``reason`` says what became of it, or what went wrong at the latest attempt. ``attempts`` have
    begun, the latest ``crashes`` of them ended or stopped a process.
    """

    id: str
    received_at: datetime
    peer: str
    envelope_from: str
    recipient: str
    size: int
    raw: bytes | None
    message_id: str
    digest: str
    status: MessageStatus
    reason: str
    attempts: int
    crashes: int
    next_attempt_at: datetime
    settled_at: datetime | None
    leased_until: datetime | None
    leased_by: str | None

    @property
    def key(self) -> str:
        """The same for the same mail to the same recipient, however often it arrives: 64
        hexadecimal digits of Message-ID, body and recipient.
        """
        return sha256("\n".join((self.message_id, self.digest, self.recipient.casefold())).encode()).hexdigest()


_MESSAGES: Final = Rows(Message, messages)
_LISTED: Final = Rows(Message, messages, {"raw": null()})
find: Final = _MESSAGES.by(messages.c.id)


def add_all(
    connection: Connection, new: Sequence[NewMessage], now: datetime, received: datetime | None = None
) -> tuple[str, ...]:
    """Adds messages that are due at once, received at that time or now. Returns their ids."""
    rows = [
        {
            "id": uuid.uuid4().hex,
            **{name: getattr(each, name) for name in NewMessage.__dataclass_fields__},
            "size": len(each.raw),
            "received_at": received or now,
            "status": "queued",
            "next_attempt_at": now,
        }
        for each in new
    ]
    if rows:
        connection.execute(insert(messages), rows)
    return tuple(str(row["id"]) for row in rows)


def oldest_queued(connection: Connection) -> datetime | None:
    """When the oldest message that may carry a turn was received; those that have failed several
    times are not waited for.
    """
    wanted = select(func.min(messages.c.received_at)).where(_QUEUED, messages.c.attempts <= AWAITED_ATTEMPTS)
    return connection.execute(wanted).scalar()


def listed(connection: Connection, status: MessageStatus, limit: int) -> tuple[Message, ...]:
    """Up to ``limit`` messages of that status without their text: queued ones by due time, others
    newest first.
    """
    at = messages.c.next_attempt_at if status == "queued" else messages.c.settled_at.desc()
    return _LISTED.all(connection, messages.c.status == status, order=[at, messages.c.id], limit=limit)


def since(connection: Connection, moment: datetime, known: Collection[str]) -> tuple[Message, ...]:
    """The messages stored since a moment, with their text, without those of ``known`` ids."""
    new = (messages.c.next_attempt_at >= moment, messages.c.id.not_in(known))
    return _MESSAGES.all(connection, *new, order=[messages.c.received_at, messages.c.id])


def latest_headers(connection: Connection, limit: int, most_bytes: int) -> tuple[bytes, ...]:
    """The beginnings of the latest messages that have their text and did not come back."""
    beginning = func.substr(messages.c.raw, 1, most_bytes, type_=LargeBinary)
    wanted = select(beginning).where(messages.c.raw.is_not(None), messages.c.envelope_from != "")
    newest = wanted.order_by(messages.c.received_at.desc(), messages.c.id).limit(limit)
    return tuple(connection.scalars(newest))


def numbers(connection: Connection) -> tuple[int, int, datetime | None]:
    """How many messages are queued, and kept with their text; since when the oldest is queued."""
    queued = connection.execute(select(func.count(), func.min(messages.c.received_at)).where(_QUEUED)).one()
    kept = count(connection, messages, messages.c.status == "kept", messages.c.raw.is_not(None))
    return queued[0], kept, queued[1]


def queue_again(connection: Connection, ids: Collection[str] | None, now: datetime) -> tuple[str, ...]:
    """Makes kept messages that have their text due again as if untried: those of ``ids``, or all
    where that is ``None``. Returns their ids.
    """
    wanted = (messages.c.status == "kept") & messages.c.raw.is_not(None)
    if ids is not None:
        wanted &= messages.c.id.in_(ids)
    order = (messages.c.received_at, messages.c.id)
    found = tuple(connection.scalars(select(messages.c.id).where(wanted).order_by(*order).with_for_update()))
    values = {"status": "queued", "attempts": 0, "crashes": 0, "next_attempt_at": now, "settled_at": None}
    connection.execute(update(messages).where(messages.c.id.in_(found)).values(values))
    return found


def remove(connection: Connection, ids: Collection[str]) -> tuple[str, ...]:
    """Deletes messages that are not queued, with their keys. Returns the ids of those deleted."""
    wanted = messages.c.id.in_(ids) & ~_QUEUED
    found = tuple(connection.scalars(select(messages.c.id).where(wanted).with_for_update()))
    connection.execute(delete(messages).where(messages.c.id.in_(found)))
    return found


def reduce(connection: Connection, before: datetime, limit: int) -> list[dict[str, Any]]:
    """Deletes all but the key of up to ``limit`` messages that were settled before a time, oldest
    first. Returns their rows as they were.
    """
    at = messages.c.settled_at
    old = select(messages).where(messages.c.raw.is_not(None), at.is_not(None), at < before).order_by(at, messages.c.id)
    rows = [row._asdict() for row in connection.execute(old.limit(limit).with_for_update(skip_locked=True))]
    if rows:
        connection.execute(update(messages).where(messages.c.id.in_([row["id"] for row in rows])).values(_EMPTIED))
    return rows


def forget(connection: Connection, known: Collection[str], sender: str) -> None:
    """Deletes what messages from these addresses that are not queued say, and their keys. What is
    known of them is known of ``sender`` instead.
    """
    theirs = or_(messages.c.author.in_(known), func.lower(messages.c.envelope_from).in_(known))
    connection.execute(update(messages).where(theirs, ~_QUEUED).values(_EMPTIED | {"message_id": ""}))
    connection.execute(update(answered_mails).where(answered_mails.c.sender.in_(known)).values(sender=sender))


def _due(now: Any) -> ColumnElement[bool]:
    """Also one due so far ahead that the clock must have been set back."""
    at = messages.c.next_attempt_at
    return or_(at <= now, at > now + LONGEST_PAUSE)


LEASING: Final = Leasing(
    messages, "reason", _QUEUED, _due, (messages.c.next_attempt_at, messages.c.id), messages.c.author
)
"""Those of one author are handled one after the other."""


def add_answered(connection: Connection, key: str, sender: str, did: str, notice_id: str | None, now: datetime) -> None:
    """Records what was done with the mail of ``key``, and its answer, if there is one. Raises
    ``IntegrityError`` where that was recorded before.
    """
    connection.execute(insert(answered_mails).values(key=key, sender=sender, at=now, did=did, notice_id=notice_id))


def set_answer(connection: Connection, key: str, notice_id: str) -> None:
    connection.execute(update(answered_mails).where(answered_mails.c.key == key).values(notice_id=notice_id))


def is_known(connection: Connection, key: str) -> bool:
    """Whether the mail of ``key`` was dealt with."""
    return any_row(connection, answered_mails.c.key, answered_mails.c.key == key)


def answers_since(connection: Connection, sender: str, since: datetime) -> int:
    """How many answers were written to ``sender`` after ``since``."""
    mine = (answered_mails.c.sender == sender) & (answered_mails.c.at > since)
    return count(connection, answered_mails, mine, answered_mails.c.notice_id.is_not(None))


def latest_done(
    connection: Connection, sender: str, unread: Collection[str], limit: int, since: datetime
) -> tuple[str, ...]:
    """What the latest mails of ``sender`` after ``since`` did, latest first, without those that did
    one of ``unread`` and were not answered.
    """
    mine = (answered_mails.c.sender == sender) & (answered_mails.c.at > since)
    counting = answered_mails.c.notice_id.is_not(None) | answered_mails.c.did.not_in(unread)
    order = (answered_mails.c.at.desc(), answered_mails.c.key)
    return tuple(connection.scalars(select(answered_mails.c.did).where(mine, counting).order_by(*order).limit(limit)))


def waiting_answer(connection: Connection, sender: str, match_id: str | None, now: datetime) -> Notice | None:
    """An answer to ``sender`` about that match, or about none, that waits for its time; locked."""
    answers = select(answered_mails.c.notice_id).where(answered_mails.c.sender == sender)
    mine = outbox.c.id.in_(answers.where(answered_mails.c.notice_id.is_not(None)))
    about = outbox.c.match_id.is_(None) if match_id is None else outbox.c.match_id == match_id
    waiting = (outbox.c.status == "pending") & (outbox.c.not_before > now) & (outbox.c.kind == "answer")
    wanted = NOTICES.wanted.where(mine, about, waiting).limit(1).with_for_update()
    return next(iter(NOTICES.every(connection, wanted)), None)


FOLDER_LEASE: Final = timedelta(minutes=5)
"""Longer than a server may take to move a group of mails."""


def next_uid(connection: Connection, mailbox: str, folder: str, uidvalidity: int) -> int:
    """The UID of the first mail of the folder that was not looked at yet: the first of all where
    the folder is new, or its UIDs are (RFC 3501, section 2.3.1.1).
    """
    insert_new(connection, folders, {"mailbox": mailbox, "folder": folder, "uidvalidity": uidvalidity, "next_uid": 1})
    its = (folders.c.mailbox == mailbox) & (folders.c.folder == folder)
    return connection.scalar(select(folders.c.next_uid).where(its, folders.c.uidvalidity == uidvalidity)) or 1


def lease_folder(connection: Connection, mailbox: str, folder: str, holder: str, now: datetime) -> bool:
    """Has the holder alone move mails from a folder. Returns ``False`` where another does."""
    free = or_(folders.c.leased_by.is_(None), folders.c.leased_by == holder, folders.c.leased_until < now)
    taken = update(folders).where(folders.c.mailbox == mailbox, folders.c.folder == folder, free)
    return connection.execute(taken.values(leased_by=holder, leased_until=now + FOLDER_LEASE)).rowcount == 1


def release_folder(connection: Connection, mailbox: str, folder: str, holder: str) -> None:
    mine = (folders.c.mailbox == mailbox, folders.c.folder == folder, folders.c.leased_by == holder)
    connection.execute(update(folders).where(*mine).values(leased_by=None, leased_until=None))


def advance_folder(connection: Connection, mailbox: str, folder: str, uidvalidity: int, next_uid: int) -> None:
    """Records that all mails before ``next_uid`` were looked at; never fewer than before."""
    new = insert_into(connection, folders)
    new = new.values(mailbox=mailbox, folder=folder, uidvalidity=uidvalidity, next_uid=next_uid)
    further = or_(folders.c.uidvalidity != uidvalidity, folders.c.next_uid < next_uid)
    values = {"uidvalidity": uidvalidity, "next_uid": next_uid}
    connection.execute(new.on_conflict_do_update(index_elements=list(folders.primary_key), set_=values, where=further))


def add_unknown(
    connection: Connection, mailbox: str, found: Sequence[NewMessage], now: datetime, received: datetime
) -> Sequence[NewMessage]:
    """Adds those mails that are not in the database yet, by Message-ID, body and recipient. Returns
    them. Others who add mails of this mailbox wait until the end of the transaction.
    """
    its = select(folders.c.folder).where(folders.c.mailbox == mailbox).order_by(folders.c.folder)
    connection.execute(its.with_for_update())
    stored = select(messages.c.message_id, messages.c.digest, messages.c.recipient)
    wanted = stored.where(messages.c.digest.in_([each.digest for each in found]))
    known = {(row.message_id, row.digest, row.recipient.casefold()) for row in connection.execute(wanted)}
    new = [each for each in found if (each.message_id, each.digest, each.recipient.casefold()) not in known]
    add_all(connection, new, now, received)
    return new
