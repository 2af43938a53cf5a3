"""The texts of the latest mails that were sent to somebody, in the database: what a reply quotes of
them is known and left out, whatever mail programs make of it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select

from service.store.rows import insert_new
from service.store.tables import sent_texts

KEPT: Final = 30
"""How many mails are kept of each match to each recipient."""


def keep(
    connection: Connection, notice_id: str, match_id: str | None, recipient: str, texts: Sequence[str], now: datetime
) -> None:
    """Keeps the texts of a mail that was sent to a player, by id, or to an address, folded; and
    deletes those of the oldest beyond ``KEPT``. Keeping them again changes nothing.
    """
    row = {
        "notice_id": notice_id,
        "match_id": match_id,
        "recipient": recipient,
        "texts": zlib.compress(json.dumps(list(texts), ensure_ascii=False).encode("utf-8", "replace")),
        "sent_at": now,
    }
    connection.execute(insert_new(connection, sent_texts), [row])
    last = select(sent_texts.c.sent_at).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    oldest = last.offset(KEPT - 1).limit(1).scalar_subquery()
    connection.execute(delete(sent_texts).where(*_to(recipient, match_id), sent_texts.c.sent_at < oldest))


def texts_of(connection: Connection, match_id: str | None, player_id: str, newest: int) -> tuple[str, ...]:
    """The texts of the ``newest`` mails about a match, or about none, to a player, newest first: of
    each its plain text, and the words of its HTML.
    """
    return _texts(connection, player_id, match_id, newest)


def texts_to(connection: Connection, match_id: str | None, folded: str, newest: int) -> tuple[str, ...]:
    """The same for an address that belonged to no player, folded."""
    return _texts(connection, folded, match_id, newest)


def any_before(connection: Connection, before: datetime) -> bool:
    """Whether there are texts of mails that were sent before a time."""
    old = select(sent_texts.c.notice_id).where(sent_texts.c.sent_at < before).limit(1)
    return connection.execute(old).one_or_none() is not None


def forget(connection: Connection, before: datetime, limit: int) -> int:
    """Deletes the texts of up to ``limit`` mails that were sent before a time. Returns their
    number.
    """
    old = select(sent_texts.c.notice_id).where(sent_texts.c.sent_at < before).limit(limit)
    ids = connection.execute(old).scalars().all()
    if ids:
        connection.execute(delete(sent_texts).where(sent_texts.c.notice_id.in_(ids)))
    return len(ids)


def _texts(connection: Connection, recipient: str, match_id: str | None, newest: int) -> tuple[str, ...]:
    found = select(sent_texts.c.texts).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    rows = connection.execute(found.limit(newest)).scalars()
    return tuple(text for packed in rows for text in json.loads(zlib.decompress(packed)))


def _to(recipient: str, match_id: str | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    match = sent_texts.c.match_id
    return sent_texts.c.recipient == recipient, match.is_(None) if match_id is None else match == match_id
