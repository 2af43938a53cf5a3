"""Checks every match in one transaction, and compares with reports of clients and a mail server."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select

from service.ledger.case import MatchCase, match_ids, read_case
from service.ledger.findings import Findings
from service.ledger.history import replay
from service.ledger.notices import check_covered, check_events, check_notices, check_players, check_sign_ups
from service.ledger.turns import check_clocks, check_standing, check_turns
from service.store import component_sets
from service.store.database import Database
from service.store.pruning import NOT_MAILED
from service.store.tables import outbox, pruned_notices, turns

AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class ReportedTurn:
    """A turn that was answered to a client, and the last status it was shown, if not queued."""

    turn_id: str
    status: str | None = None


class UnreadableReport(ValueError):
    """A line of a client's file has no turn in it; the message names the line."""


def check_ledger(
    database: Database, seen: Sequence[ReportedTurn] = (), received: Sequence[str] | None = None
) -> Findings:
    """Checks everything that is stored, against the turns that clients have ``seen``, and the ids
    of the notices that a receiver has ``received``, repeats included.
    """
    with database.read() as connection:
        findings = check_rows(connection)
        _check_seen(connection, seen, findings)
        if received is not None:
            _check_received(connection, received, findings)
    return findings


def check_rows(connection: Connection) -> Findings:
    """Checks everything that is stored, as this transaction sees it."""
    findings = Findings()
    for match_id in match_ids(connection):
        _check_match(connection, read_case(connection, match_id), findings)
    check_sign_ups(connection, findings)
    check_players(connection, findings)
    _check_component_sets(connection, findings)
    return findings


def read_seen(lines: Iterable[str]) -> tuple[ReportedTurn, ...]:
    """Parses a client's record: per line an id, or ``{"id": ..., "status": ...}``. Raises
    ``UnreadableReport``.
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
            raise UnreadableReport(f"Line {number} has no turn in it: {error}.") from None
    return tuple(seen)


def _check_match(connection: Connection, case: MatchCase, findings: Findings) -> None:
    findings.matches += 1
    findings.plies += len(case.log)
    started = case.match.started_at is not None
    if not started and (case.log or case.turns):
        sentence = f"Match {case.match.id} has never started, and yet it has a log or turns."
        findings.breach("not_started", case.match.id, sentence)
    history = replay(connection, case, findings) if started else None
    check_turns(case, history, findings)
    check_notices(case, history, findings)
    check_covered(case, findings)
    check_events(case, history, findings)
    if history is not None:
        check_standing(case, history, findings)
        check_clocks(connection, case, history, findings)


def _check_component_sets(connection: Connection, findings: Findings) -> None:
    """Checks every stored set, and that every match has one."""
    for digest in component_sets.mismatched(connection):
        sentence = f"The component set {digest} is not the one that has this digest: it was changed."
        findings.breach("components_differ", digest, sentence)
    for match_id in component_sets.missing(connection):
        findings.of_match("components_missing", match_id, "its component set is not stored.")


def _check_seen(connection: Connection, seen: Sequence[ReportedTurn], findings: Findings) -> None:
    """Checks that every reported turn is stored and every reported verdict has stayed the same."""
    found: dict[str, str] = {}
    ids = sorted({turn.turn_id for turn in seen})
    for start in range(0, len(ids), AT_ONCE):
        wanted = select(turns.c.id, turns.c.status).where(turns.c.id.in_(ids[start : start + AT_ONCE]))
        found |= {row.id: row.status for row in connection.execute(wanted)}
    for turn in seen:
        if turn.turn_id not in found:
            sentence = f"Turn {turn.turn_id} was answered to a client and is not in the database: it is lost."
            findings.breach("turn_lost", turn.turn_id, sentence)
        elif turn.status is not None and turn.status != found[turn.turn_id]:
            sentence = f"Turn {turn.turn_id} was shown to a client as {turn.status} and is now {found[turn.turn_id]}."
            findings.breach("verdict_changed", turn.turn_id, sentence)


def _check_received(connection: Connection, received: Sequence[str], findings: Findings) -> None:
    """Checks that every notice that was sent was received, and nothing else but pruned ones."""
    status = {row.id: row.status for row in connection.execute(select(outbox.c.id, outbox.c.status))}
    counts = Counter(received)
    findings.repeated_deliveries = counts.total() - len(counts)
    unknown = counts.keys() - status.keys()
    numbers = select(pruned_notices.c.subject, pruned_notices.c.kind, pruned_notices.c.number)
    pruned = sum(-row.number if row[:2] == NOT_MAILED else row.number for row in connection.execute(numbers))
    for notice_id in sorted(unknown) if len(unknown) > pruned else ():
        sentence = f"Notice {notice_id} was received, but no committed transaction wrote it."
        findings.breach("delivery_unknown", notice_id, sentence)
    sent = {notice_id for notice_id, said in status.items() if said == "sent"}
    for notice_id in sorted(sent - counts.keys()):
        sentence = f"Notice {notice_id} is said to be sent, but its receiver never got it."
        findings.breach("delivery_missing", notice_id, sentence)
