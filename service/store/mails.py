"""The mails of one player, as they were written to the outbox and what became of them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, literal, select, tuple_, update

from service.errors import UnknownCursor
from service.kinds import FIRST, NoticeKind
from service.payloads import ADDED, AGAIN
from service.statuses import NoticeStatus
from service.store.covering import Reason
from service.store.outbox import NOTICES, UNTRIED, Notice, reason_of
from service.store.statements import Old, Rows, insert_new
from service.store.tables import outbox, sent_texts

LONGEST_SHORT_WAIT: Final = timedelta(minutes=15)
"""A notice that waits longer waits for a digest."""


@dataclass(frozen=True, slots=True)
class Written:
    """A notice to a player, without its content."""

    id: str
    kind: NoticeKind
    match_id: str | None
    created_at: datetime
    status: NoticeStatus
    attempts: int
    next_attempt_at: datetime
    not_before: datetime | None
    sent_at: datetime | None
    last_error: str | None
    superseded_by: str | None
    covered_by: Reason | None
    bounced_at: datetime | None
    bounce_reason: str | None


_WRITTEN: Final = Rows(Written, outbox, read={"covered_by": reason_of})


def of_player(connection: Connection, player_id: str, limit: int, after: str | None) -> tuple[Written, ...]:
    """Up to ``limit`` notices to a player, newest first, after the notice with the id ``after``.
    Raises ``UnknownCursor`` where that is not one of theirs.
    """
    wanted = _WRITTEN.wanted.where(outbox.c.player_id == player_id)
    if after is not None:
        place = select(outbox.c.created_at, outbox.c.id).where(outbox.c.id == after, outbox.c.player_id == player_id)
        last = connection.execute(place).one_or_none()
        if last is None:
            raise UnknownCursor(after)
        wanted = wanted.where(tuple_(outbox.c.created_at, outbox.c.id) < tuple_(*_bound(last)))
    return _WRITTEN.every(connection, wanted.order_by(outbox.c.created_at.desc(), outbox.c.id.desc()).limit(limit))


def lock(connection: Connection, player_id: str, notice_id: str) -> tuple[Written, Mapping[str, Any]] | None:
    """A notice to that player and its payload, locked until the end of the transaction."""
    mine = _WRITTEN.wanted.add_columns(outbox.c.payload).where(
        outbox.c.id == notice_id, outbox.c.player_id == player_id
    )
    row = connection.execute(mine.with_for_update()).one_or_none()
    return None if row is None else (_WRITTEN.of(row), row.payload)


def latest_sent(
    connection: Connection, player_id: str, match_id: str | None, without: Collection[NoticeKind]
) -> str | None:
    """The id of the latest notice that was sent to a player, about that match where one is named,
    of other kinds than ``without``.
    """
    wanted = (outbox.c.player_id == player_id) & (outbox.c.status == "sent") & outbox.c.kind.not_in(without)
    if match_id is not None:
        wanted &= outbox.c.match_id == match_id
    newest = select(outbox.c.id).where(wanted).order_by(outbox.c.sent_at.desc(), outbox.c.id).limit(1)
    return connection.execute(newest).scalar_one_or_none()


def find(connection: Connection, notice_id: str) -> Written | None:
    """The notice with that id, whosever it is."""
    return _WRITTEN.find(connection, outbox.c.id == notice_id)


def written_beside(connection: Connection, notice: Notice, kind: NoticeKind) -> str | None:
    """The notice of that kind to the same player, written with ``notice`` and about the same ply,
    which is sent or will be; ``None`` where there is none.
    """
    beside = (
        select(outbox.c.id)
        .where(outbox.c.player_id == notice.player_id, outbox.c.created_at == notice.created_at)
        .where(outbox.c.match_id == notice.match_id, outbox.c.kind == kind)
        .where(outbox.c.payload["ply"].as_integer() == notice.ply, outbox.c.status.in_(("pending", "sent")))
    )
    return connection.execute(beside).scalar()


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


def awaiting(connection: Connection, match_id: str, kind: NoticeKind) -> frozenset[str]:
    """The players to whom a notice of that kind about that match waits, whose content is still
    open: no process holds it, and nothing was added to it.
    """
    mine = (outbox.c.match_id == match_id) & (outbox.c.kind == kind) & (outbox.c.status == "pending")
    waiting = select(outbox.c.player_id).where(
        mine, outbox.c.leased_by.is_(None), outbox.c.payload[ADDED].as_string().is_(None)
    )
    return frozenset(connection.execute(waiting.with_for_update(skip_locked=True)).scalars())


def hasten(connection: Connection, player_id: str, now: datetime) -> None:
    """Makes the notices due that wait for the digest of a player, so that what the player wants now
    is asked about them.
    """
    held = outbox.c.not_before > now + LONGEST_SHORT_WAIT
    connection.execute(
        update(outbox)
        .where(outbox.c.player_id == player_id, outbox.c.status == "pending", outbox.c.lane != FIRST, held)
        .values(not_before=None, next_attempt_at=now)
    )


def send_again(connection: Connection, notice_id: str, payload: Mapping[str, Any], now: datetime) -> None:
    """Makes a locked notice that does not wait due at once, whatever became of it before."""
    marked = {**payload, AGAIN: payload.get(AGAIN, 0) + 1}
    forgotten = ("sent_at", "last_error", "superseded_by", "covered_by", "bounced_at", "bounce_reason")
    untried = UNTRIED | {"payload": marked, "lane": FIRST, "next_attempt_at": now} | dict.fromkeys(forgotten)
    its = (outbox.c.id == notice_id) & (outbox.c.status != "pending")
    connection.execute(update(outbox).where(its).values(untried))


def _bound(row: Any) -> tuple[Any, Any]:
    """The values of a place in the list, with the types of their columns."""
    return literal(row.created_at, outbox.c.created_at.type), literal(row.id, outbox.c.id.type)


KEPT_TEXTS: Final = 30
"""How many mails are kept of each match to each recipient."""


OLD_TEXTS: Final = Old(sent_texts.c.sent_at)


def keep_texts(
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
    insert_new(connection, sent_texts, row)
    last = select(sent_texts.c.sent_at).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    oldest = last.offset(KEPT_TEXTS - 1).limit(1).scalar_subquery()
    connection.execute(delete(sent_texts).where(*_to(recipient, match_id), sent_texts.c.sent_at < oldest))


def texts_of(connection: Connection, match_id: str | None, player_id: str, newest: int) -> tuple[str, ...]:
    """The texts of the ``newest`` mails about a match, or about none, to a player, newest first: of
    each its plain text, and the words of its HTML.
    """
    return _texts(connection, player_id, match_id, newest)


def texts_to(connection: Connection, match_id: str | None, folded: str, newest: int) -> tuple[str, ...]:
    """The same for an address that belonged to no player, folded."""
    return _texts(connection, folded, match_id, newest)


def _texts(connection: Connection, recipient: str, match_id: str | None, newest: int) -> tuple[str, ...]:
    found = select(sent_texts.c.texts).where(*_to(recipient, match_id)).order_by(sent_texts.c.sent_at.desc())
    rows = connection.execute(found.limit(newest)).scalars()
    return tuple(text for packed in rows for text in json.loads(zlib.decompress(packed)))


def _to(recipient: str, match_id: str | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    match = sent_texts.c.match_id
    return sent_texts.c.recipient == recipient, match.is_(None) if match_id is None else match == match_id
