"""Prunes the database: deletes notices that were sent or told otherwise, and the details of judged
turns. Several processes may do so at once.

What was deleted is counted in the same transaction, so that the ledger can tell it from what was
lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, or_, select, update

from service.statuses import VERDICT_STATUSES
from service.store.statements import Changes, add_numbers, insert_new
from service.store.tables import outbox, pruned_notices, prunings, turns

PRUNED: Final = "pruned"
"""In the document of a turn whose details were deleted."""
NOT_MAILED: Final = ("", "covered")
"""Under this subject and kind stands how many of the deleted notices were told otherwise."""
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
_REDUCE: Final = Changes(turns, "document", "verdict", idempotency_key=None, fingerprint="")


def prune_notices(connection: Connection, before: datetime, limit: int) -> list[dict[str, Any]]:
    """Deletes up to ``limit`` notices that were sent, or told otherwise, before a time, oldest
    first, never pending or dead ones. Returns their rows.
    """
    at, sent = outbox.c.next_attempt_at, outbox.c.sent_at
    old = (
        select(outbox)
        .where(outbox.c.status.in_(["sent", "covered"]), at < before, or_(sent.is_(None), sent < before))
        .order_by(at, outbox.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    rows = [row._asdict() for row in connection.execute(old)]
    if rows:
        connection.execute(delete(outbox).where(outbox.c.id.in_([row["id"] for row in rows])))
        deleted = Counter((row["match_id"] or row["player_id"] or "", _kind(row)) for row in rows)
        covered = sum(1 for row in rows if row["status"] == "covered")
        numbers = sorted((deleted + Counter({NOT_MAILED: covered})).items())
        counted = [{"subject": subject, "kind": kind, "number": number} for (subject, kind), number in numbers]
        add_numbers(connection, pruned_notices, counted)
    return rows


def prune_turns(connection: Connection, before: datetime, limit: int) -> list[dict[str, Any]]:
    """Deletes the details of about ``limit`` turns that were judged before a time, oldest first.
    Returns their rows as they were.

    Kept is what the log, the ledger and the list of a player's turns need: seat, ply, status,
    times, the plies of the verdict, and the codes of a refusal; and everything of those that could
    not be judged.
    """
    since = _since(connection)
    if since is None:
        return []
    judged = turns.c.judged_at
    until = connection.execute(
        select(judged).where(judged > since, judged <= before).order_by(judged).offset(limit - 1).limit(1)
    ).scalar()
    wanted = select(turns).where(judged > since, judged <= (until or before), turns.c.status.in_(VERDICT_STATUSES))
    rows = [row._asdict() for row in connection.execute(wanted.order_by(judged, turns.c.id))]
    reduced = [row for row in rows if not _failed(row)]
    document = {"actions": [], PRUNED: True}
    _REDUCE.make(
        connection, [{"id": row["id"], "document": document, "verdict": _verdict(row["verdict"])} for row in reduced]
    )
    if rows:
        mark = update(prunings).where(prunings.c.what == "turns")
        connection.execute(mark.values(until=until or rows[-1]["judged_at"]))
    return reduced


def pruned_until(connection: Connection) -> datetime:
    """The time up to which the details of turns may have been deleted."""
    return connection.scalar(_MARK) or _NEVER


def pruned_of(connection: Connection, subject: str) -> Counter[str]:
    """The numbers of deleted notices by kind, of a match, or of a player where they have none."""
    mine = select(pruned_notices.c.kind, pruned_notices.c.number).where(pruned_notices.c.subject == subject)
    return Counter({row.kind: row.number for row in connection.execute(mine)})


_MARK: Final = select(prunings.c.until).where(prunings.c.what == "turns")


def _since(connection: Connection) -> datetime | None:
    """The time up to which turns were pruned, locked; ``None`` while another process prunes."""
    if connection.scalar(_MARK) is None:
        insert_new(connection, prunings, {"what": "turns", "until": _NEVER})
    return connection.scalar(_MARK.with_for_update(skip_locked=True))


def _kind(row: Mapping[str, Any]) -> str:
    """The kind by which a deleted notice is counted: what is not mailed owes nothing to the log."""
    return str(row["kind"]) if row["channel"] == "mail" else "webhook"


def _failed(row: Mapping[str, Any]) -> bool:
    """Whether the turn could not be judged: its actions are still needed."""
    refused = (row["verdict"] or {}).get("violation") or {}
    return "judge_failed" in [each["code"] for each in refused.get("problems", ())]


def _verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict without what would have been legal."""
    refused = verdict.get("violation")
    return dict(verdict) | ({"violation": {**refused, "legal": [], "legal_total": 0}} if refused else {})
