"""Checks every match in one read transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from service.ledger.case import Case, match_ids, read_case
from service.ledger.clocks import check_clocks
from service.ledger.component_sets import check_component_sets
from service.ledger.covered import check_covered
from service.ledger.events import check_events, check_players
from service.ledger.findings import Findings
from service.ledger.history import replay
from service.ledger.notices import check_notices, check_sign_ups
from service.ledger.turns import check_standing, check_turns
from service.ledger.witnesses import ReportedTurn, check_received, check_seen
from service.store.database import Database


def check_ledger(
    database: Database, seen: Sequence[ReportedTurn] = (), received: Sequence[str] | None = None
) -> Findings:
    """Checks everything that is stored.

    ``seen`` are turns that clients were shown, ``received`` the ids of the notices that a receiver
    got, repeats included.
    """
    with database.read() as connection:
        findings = check_rows(connection)
        check_seen(connection, seen, findings)
        if received is not None:
            check_received(connection, received, findings)
    return findings


def check_rows(connection: Connection) -> Findings:
    """Checks everything that is stored, as this transaction sees it."""
    findings = Findings()
    for match_id in match_ids(connection):
        _check_match(connection, read_case(connection, match_id), findings)
    check_sign_ups(connection, findings)
    check_players(connection, findings)
    check_component_sets(connection, findings)
    return findings


def unsettled(findings: Findings) -> tuple[str, ...]:
    """Sentences about what is still pending: normal while the service runs, a breach once it is
    idle.
    """
    about = (
        ("turns have no verdict yet", findings.pending_turns),
        ("notices are not delivered yet", findings.pending_notices),
        ("notices were given up", findings.dead_notices),
    )
    return tuple(
        f"{len(ids)} {what}: {', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}." for what, ids in about if ids
    )


def as_document(findings: Findings) -> dict[str, Any]:
    """The findings as a JSON document."""
    return {
        "matches": findings.matches,
        "plies": findings.plies,
        "events": findings.events,
        "turns": {"submitted": findings.submitted, **dict(sorted(findings.turns.items()))},
        "notices": {
            "owed": findings.owed,
            "repeated_deliveries": findings.repeated_deliveries,
            **dict(sorted(findings.notices.items())),
        },
        "pruned": {"notices": findings.pruned_notices, "turns": findings.pruned_turns},
        "pending_turns": findings.pending_turns,
        "pending_notices": findings.pending_notices,
        "dead_notices": findings.dead_notices,
        "breaches": [
            {"code": breach.code, "subject": breach.subject, "sentence": breach.sentence}
            for breach in findings.breaches
        ],
    }


def _check_match(connection: Connection, case: Case, findings: Findings) -> None:
    findings.matches += 1
    findings.plies += len(case.log)
    started = case.match.started_at is not None
    if not started and (case.log or case.turns):
        findings.breach(
            "not_started", case.match.id, f"Match {case.match.id} has never started, and yet it has a log or turns."
        )
    history = replay(connection, case, findings) if started else None
    check_turns(case, history, findings)
    check_notices(case, history, findings)
    check_covered(case, findings)
    check_events(case, history, findings)
    if history is not None:
        check_standing(case, history, findings)
        check_clocks(connection, case, history, findings)
