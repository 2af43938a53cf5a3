"""Which incoming mails were dealt with, and which of them were answered, in the database.

A row is written in the transaction that writes the answer, so that a mail that arrives twice, or is
handled again after a crash, is answered once.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, exists, func, insert, select, update

from service.store.outbox import Notice, read_row
from service.store.tables import answered_mails, outbox


def add(connection: Connection, key: str, sender: str, did: str, notice_id: str | None, now: datetime) -> None:
    """Records that the mail of ``key`` was dealt with: ``did`` says what was done, ``notice_id`` is
    the answer, if there is one.

    Raises ``IntegrityError`` where it was recorded before.
    """
    connection.execute(insert(answered_mails).values(key=key, sender=sender, at=now, did=did, notice_id=notice_id))


def set_answer(connection: Connection, key: str, notice_id: str) -> None:
    """Records which notice is the answer to the mail of ``key``."""
    connection.execute(update(answered_mails).where(answered_mails.c.key == key).values(notice_id=notice_id))


def is_known(connection: Connection, key: str) -> bool:
    """Whether the mail of ``key`` was dealt with."""
    return bool(connection.execute(select(exists().where(answered_mails.c.key == key))).scalar_one())


def answers_since(connection: Connection, sender: str, since: datetime) -> int:
    """How many answers were written to ``sender`` after ``since``."""
    mine = (answered_mails.c.sender == sender) & (answered_mails.c.at > since)
    counted = select(func.count()).where(mine, answered_mails.c.notice_id.is_not(None)).select_from(answered_mails)
    return int(connection.execute(counted).scalar_one())


def latest(
    connection: Connection, sender: str, unread: Collection[str], limit: int, since: datetime
) -> tuple[str, ...]:
    """What the latest mails of ``sender`` after ``since`` did, latest first, without those that did
    one of ``unread`` and were not answered.
    """
    mine = (answered_mails.c.sender == sender) & (answered_mails.c.at > since)
    counting = answered_mails.c.notice_id.is_not(None) | answered_mails.c.did.not_in(unread)
    order = (answered_mails.c.at.desc(), answered_mails.c.key)
    return tuple(
        connection.execute(select(answered_mails.c.did).where(mine, counting).order_by(*order).limit(limit)).scalars()
    )


def waiting_answer(connection: Connection, sender: str, match_id: str | None, now: datetime) -> Notice | None:
    """An answer to ``sender`` about that match, or about none, that waits for its time; locked."""
    mine = outbox.c.id.in_(
        select(answered_mails.c.notice_id).where(
            answered_mails.c.sender == sender, answered_mails.c.notice_id.is_not(None)
        )
    )
    about = outbox.c.match_id.is_(None) if match_id is None else outbox.c.match_id == match_id
    waiting = (outbox.c.status == "pending") & (outbox.c.not_before > now) & (outbox.c.kind == "answer")
    found = connection.execute(select(outbox).where(mine, about, waiting).limit(1).with_for_update()).one_or_none()
    return None if found is None else read_row(found)
