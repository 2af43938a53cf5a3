"""The mails of one player, as they were written to the outbox and what became of them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, literal, select, tuple_, update

from service.errors import UnknownCursor
from service.kinds import FIRST, NoticeKind
from service.payloads import ADDED, AGAIN
from service.store.outbox import NOTICES, UNTRIED, Notice
from service.store.statements import Old, insert_new
from service.store.tables import outbox, sent_texts

LONGEST_SHORT_WAIT: Final = timedelta(minutes=15)
"""A notice that waits longer waits for a digest."""


find: Final = NOTICES.by(outbox.c.id)
"""The notice with that id, whosever it is."""


def of_player(connection: Connection, player_id: str, limit: int, after: str | None) -> tuple[Notice, ...]:
    """Up to ``limit`` notices to a player, newest first, after the notice with the id ``after``.
    Raises ``UnknownCursor`` where that is not one of theirs.
    """
    wanted = NOTICES.wanted.where(outbox.c.player_id == player_id)
    at, key = outbox.c.created_at, outbox.c.id
    if after is not None:
        last = connection.scalar(select(at).where(key == after, outbox.c.player_id == player_id))
        if last is None:
            raise UnknownCursor(after)
        wanted = wanted.where(tuple_(at, key) < tuple_(literal(last, at.type), literal(after, key.type)))
    return NOTICES.every(connection, wanted.order_by(at.desc(), key.desc()).limit(limit))


def lock(connection: Connection, player_id: str, notice_id: str) -> Notice | None:
    """A notice to that player, locked."""
    return NOTICES.find(connection, outbox.c.id == notice_id, outbox.c.player_id == player_id, lock=True)


def latest_sent(
    connection: Connection, player_id: str, match_id: str | None, without: Collection[NoticeKind]
) -> str | None:
    """The latest notice that was sent to a player, about that match where one is named, of other
    kinds than ``without``, by id.
    """
    wanted = (outbox.c.player_id == player_id) & (outbox.c.status == "sent") & outbox.c.kind.not_in(without)
    if match_id is not None:
        wanted &= outbox.c.match_id == match_id
    newest = select(outbox.c.id).where(wanted).order_by(outbox.c.sent_at.desc(), outbox.c.id)
    return connection.scalar(newest.limit(1))


def written_beside(connection: Connection, notice: Notice, kind: NoticeKind) -> str | None:
    """The notice of that kind to the same player, written with ``notice`` and about the same ply,
    which is sent or will be.
    """
    beside = (
        select(outbox.c.id)
        .where(outbox.c.player_id == notice.player_id, outbox.c.created_at == notice.created_at)
        .where(outbox.c.match_id == notice.match_id, outbox.c.kind == kind)
        .where(outbox.c.payload["ply"].as_integer() == notice.ply, outbox.c.status.in_(("pending", "sent")))
    )
    return connection.scalar(beside)


def waiting(
    connection: Connection, player_id: str, kinds: Sequence[NoticeKind], holder: str | None, now: datetime
) -> tuple[Notice, ...]:
    """The pending notices of those kinds to a player that no process but ``holder`` holds or is
    leasing, and that nobody waits for (lane ``FIRST``), oldest first.
    """
    free = outbox.c.leased_by.is_(None) | (outbox.c.leased_until <= now) | (outbox.c.leased_by == holder)
    mine = (outbox.c.player_id == player_id) & (outbox.c.status == "pending") & (outbox.c.lane != FIRST) & free
    found = NOTICES.wanted.where(mine, outbox.c.kind.in_(kinds)).order_by(outbox.c.created_at, outbox.c.id)
    return NOTICES.every(connection, found.with_for_update(skip_locked=True))


def awaiting(connection: Connection, match_id: str, kind: NoticeKind, sender_id: str) -> frozenset[str]:
    """The players to whom a notice of that kind about that match waits, whose content is still
    open: no process holds it, nothing was added to it, and it is not put off to another day for
    what another than the sender has sent.
    """
    mine = (outbox.c.match_id == match_id) & (outbox.c.kind == kind) & (outbox.c.status == "pending")
    mine &= outbox.c.held_until.is_(None) | (outbox.c.sender_id == sender_id)
    still_open = outbox.c.leased_by.is_(None) & outbox.c.payload[ADDED].as_string().is_(None)
    waiting = select(outbox.c.player_id).where(mine, still_open)
    return frozenset(connection.scalars(waiting.with_for_update(skip_locked=True)))


def hasten(connection: Connection, player_id: str, now: datetime) -> None:
    """Makes the notices due that wait for the digest of a player: they are asked about anew."""
    mine = (outbox.c.player_id == player_id) & (outbox.c.status == "pending") & (outbox.c.lane != FIRST)
    held = update(outbox).where(mine, outbox.c.not_before > now + LONGEST_SHORT_WAIT)
    connection.execute(held.values(not_before=None, next_attempt_at=now))


def send_again(connection: Connection, notice_id: str, payload: Mapping[str, Any], now: datetime) -> None:
    """Makes a locked notice that does not wait due at once, whatever became of it before."""
    marked = {**payload, AGAIN: payload.get(AGAIN, 0) + 1}
    forgotten = ("sent_at", "last_error", "superseded_by", "covered_by", "bounced_at", "bounce_reason")
    untried = UNTRIED | {"payload": marked, "lane": FIRST, "next_attempt_at": now} | dict.fromkeys(forgotten)
    its = (outbox.c.id == notice_id) & (outbox.c.status != "pending")
    connection.execute(update(outbox).where(its).values(untried))


KEPT_TEXTS: Final = 30
"""How many mails are kept of each match to each recipient."""
OLD_TEXTS: Final = Old(sent_texts.c.sent_at)


def keep_texts(
    connection: Connection, notice_id: str, match_id: str | None, recipient: str, texts: Sequence[str], now: datetime
) -> None:
    """Keeps the texts of a mail that was sent to a player, by id, or to an address, folded; and
    deletes those of the oldest beyond ``KEPT_TEXTS``. Keeping them again changes nothing.
    """
    packed = zlib.compress(json.dumps(list(texts), ensure_ascii=False).encode("utf-8", "replace"))
    row = {"notice_id": notice_id, "match_id": match_id, "recipient": recipient}
    insert_new(connection, sent_texts, row | {"texts": packed, "sent_at": now})
    last = select(sent_texts.c.sent_at).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    oldest = last.offset(KEPT_TEXTS - 1).limit(1).scalar_subquery()
    connection.execute(delete(sent_texts).where(*_to(recipient, match_id), sent_texts.c.sent_at < oldest))


def texts_of(connection: Connection, match_id: str | None, recipient: str, newest: int) -> tuple[str, ...]:
    """The texts of the ``newest`` mails about a match, or about none, to a player, by id, or to an
    address that belonged to no player, folded; newest first: of each its plain text, and the words
    of its HTML.
    """
    found = select(sent_texts.c.texts).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    rows = connection.scalars(found.limit(newest))
    return tuple(text for packed in rows for text in json.loads(zlib.decompress(packed)))


def _to(recipient: str, match_id: str | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    match = sent_texts.c.match_id
    return sent_texts.c.recipient == recipient, match.is_(None) if match_id is None else match == match_id
