"""Compares the database with external reports: of clients about turns and verdicts, of a mail
server about received notices.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from service.ledger.findings import Findings
from service.store.pruning import NOT_MAILED
from service.store.tables import outbox, pruned_notices, turns

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ReportedTurn:
    """A turn that a client got a ``202`` or ``200`` for, and the last status it was shown, if not
    queued.
    """

    turn_id: str
    status: str | None = None


class Unreadable(ValueError):
    """A line of a client's file is neither an id nor a JSON object with one; the message names the
    line.
    """


def read_seen(lines: Iterable[str]) -> tuple[ReportedTurn, ...]:
    """Parses a client's own record of turns: one per line, as an id alone or as ``{"id": ...,
    "status": ...}``. Raises ``Unreadable``.
    """
    seen = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        if not text.startswith("{"):
            seen.append(ReportedTurn(text))
            continue
        try:
            document = json.loads(text)
            status = document.get("status")
            seen.append(ReportedTurn(str(document["id"]), None if status == "queued" else status))
        except (ValueError, KeyError) as error:
            raise Unreadable(f"Line {number} has no turn in it: {error}.") from None
    return tuple(seen)


def check_seen(connection: Connection, seen: Sequence[ReportedTurn], findings: Findings) -> None:
    """Checks that every reported turn is stored and every reported verdict has stayed the same."""
    found: dict[str, str] = {}
    ids = sorted({turn.turn_id for turn in seen})
    for start in range(0, len(ids), AT_ONCE):
        rows = connection.execute(
            select(turns.c.id, turns.c.status).where(turns.c.id.in_(ids[start : start + AT_ONCE]))
        )
        found |= {row.id: row.status for row in rows}
    for turn in seen:
        if turn.turn_id not in found:
            findings.breach(
                "turn_lost",
                turn.turn_id,
                f"Turn {turn.turn_id} was answered to a client and is not in the database: it is lost.",
            )
        elif turn.status is not None and turn.status != found[turn.turn_id]:
            sentence = f"Turn {turn.turn_id} was shown to a client as {turn.status} and is now {found[turn.turn_id]}."
            findings.breach("verdict_changed", turn.turn_id, sentence)


def check_received(connection: Connection, received: Sequence[str], findings: Findings) -> None:
    """Checks that every notice marked as sent was received, and that nothing else was received but
    as many as were pruned. Repeats are counted.
    """
    status = {row.id: row.status for row in connection.execute(select(outbox.c.id, outbox.c.status))}
    counts = Counter(received)
    findings.repeated_deliveries = counts.total() - len(counts)
    unknown = counts.keys() - status.keys()
    numbers = select(pruned_notices.c.subject, pruned_notices.c.kind, pruned_notices.c.number)
    pruned = sum(-row.number if row[:2] == NOT_MAILED else row.number for row in connection.execute(numbers))
    for notice_id in sorted(unknown) if len(unknown) > pruned else ():
        findings.breach(
            "delivery_unknown", notice_id, f"Notice {notice_id} was received, but no committed transaction wrote it."
        )
    for notice_id in sorted(
        notice_id for notice_id, said in status.items() if said == "sent" and notice_id not in counts
    ):
        findings.breach(
            "delivery_missing", notice_id, f"Notice {notice_id} is said to be sent, but its receiver never got it."
        )
