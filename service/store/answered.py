"""Which incoming mails were dealt with, and which of them were answered, in the database.

A row is written in the transaction that writes the answer, so that a mail that arrives twice, or is
handled again after a crash, is answered once.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, exists, func, insert, select, update

from service.store.tables import answered_mails


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
