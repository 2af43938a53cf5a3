"""How far the folders of a mailbox have been looked through, by the UIDs of their mails; the mails
that were taken from them, and who moves these.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, or_, select, update

from service.store.messages import NewMessage, add_all
from service.store.statements import insert_into, insert_new
from service.store.tables import mailbox_folders as rows
from service.store.tables import messages

LEASE: Final = timedelta(minutes=5)
"""Longer than a server may take to move a group of mails."""


def position(connection: Connection, mailbox: str, folder: str, uidvalidity: int) -> int:
    """The UID of the first mail of the folder that was not looked at yet: the first of all where
    the folder is new, or its UIDs are (RFC 3501, section 2.3.1.1).
    """
    insert_new(connection, rows, {"mailbox": mailbox, "folder": folder, "uidvalidity": uidvalidity, "next_uid": 1})
    wanted = select(rows.c.next_uid).where(
        rows.c.mailbox == mailbox, rows.c.folder == folder, rows.c.uidvalidity == uidvalidity
    )
    return int(connection.scalar(wanted) or 1)


def lease(connection: Connection, mailbox: str, folder: str, holder: str, now: datetime) -> bool:
    """Leases a folder, from which the holder alone may move mails for ``LEASE``. Returns whether
    nobody else holds it.
    """
    free = or_(rows.c.leased_by.is_(None), rows.c.leased_by == holder, rows.c.leased_until < now)
    taken = update(rows).where(rows.c.mailbox == mailbox, rows.c.folder == folder, free)
    return connection.execute(taken.values(leased_by=holder, leased_until=now + LEASE)).rowcount == 1


def release(connection: Connection, mailbox: str, folder: str, holder: str) -> None:
    """Ends the lease of a folder."""
    mine = (rows.c.mailbox == mailbox, rows.c.folder == folder, rows.c.leased_by == holder)
    connection.execute(update(rows).where(*mine).values(leased_by=None, leased_until=None))


def advance(connection: Connection, mailbox: str, folder: str, uidvalidity: int, next_uid: int) -> None:
    """Records that all mails before ``next_uid`` were looked at; never fewer than before."""
    new = insert_into(connection, rows)
    new = new.values(mailbox=mailbox, folder=folder, uidvalidity=uidvalidity, next_uid=next_uid)
    further = or_(rows.c.uidvalidity != uidvalidity, rows.c.next_uid < next_uid)
    values = {"uidvalidity": uidvalidity, "next_uid": next_uid}
    connection.execute(new.on_conflict_do_update(index_elements=list(rows.primary_key), set_=values, where=further))


def add_unknown(
    connection: Connection, mailbox: str, found: Sequence[NewMessage], now: datetime, received: datetime
) -> Sequence[NewMessage]:
    """Adds those mails that are not in the database yet, by Message-ID, body and recipient. Returns
    them. Others who add mails of this mailbox wait until the end of the transaction.
    """
    _lock(connection, mailbox)
    stored = select(messages.c.message_id, messages.c.digest, messages.c.recipient)
    wanted = stored.where(messages.c.digest.in_([each.digest for each in found]))
    known = {(row.message_id, row.digest, row.recipient.casefold()) for row in connection.execute(wanted)}
    new = [each for each in found if (each.message_id, each.digest, each.recipient.casefold()) not in known]
    add_all(connection, new, now, received)
    return new


def _lock(connection: Connection, mailbox: str) -> None:
    wanted = select(rows.c.folder).where(rows.c.mailbox == mailbox).order_by(rows.c.folder)
    connection.execute(wanted.with_for_update())
