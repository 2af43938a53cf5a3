"""Checks the log of events: numbers without gaps, and an event for everything that is told."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, func, select

from service.kinds import MAILINGS
from service.ledger.case import Case, WrittenEvent, WrittenNotice
from service.ledger.findings import Findings
from service.ledger.history import History
from service.store.events import event_id
from service.store.tables import events, players


def check_events(case: Case, history: History | None, findings: Findings) -> None:
    """Checks the events of a match, and that each of its notices tells of one."""
    match_id, numbers = case.match.id, [event.number for event in case.events]
    findings.events += len(numbers)
    if numbers != list(range(1, case.counted + 1)):
        sentence = (
            f"Match {match_id} counts {case.counted} events; there are {len(numbers)}, up to {max(numbers, default=0)}."
        )
        findings.breach("events_differ", match_id, sentence)
    known = {event_id(match_id, event.number): event for event in case.events}
    for notice in case.notices:
        if notice.kind in MAILINGS and MAILINGS[notice.kind].tells_of is not None:
            _check_told(case, notice, known.get(notice.event_id or ""), findings)
    if history is not None:
        _check_played(case, history, findings)


def check_players(connection: Connection, findings: Findings) -> None:
    """Checks that the events of every player are numbered without gaps."""
    number = func.coalesce(func.max(events.c.player_number), 0)
    counted = (
        select(players.c.id, players.c.events, func.count(events.c.number).label("rows"), number.label("last"))
        .join(events, events.c.player_id == players.c.id, isouter=True)
        .group_by(players.c.id, players.c.events)
    )
    for row in connection.execute(counted):
        if not row.events == row.rows == row.last:
            sentence = f"Player {row.id} counts {row.events} events; there are {row.rows}, up to {row.last}."
            findings.breach("events_differ", row.id, sentence)


def _check_told(case: Case, notice: WrittenNotice, event: WrittenEvent | None, findings: Findings) -> None:
    if event is None:
        findings.breach("event_missing", notice.id, f"Notice {notice.id} ({notice.kind}) tells of no event.")
    elif event.kind != MAILINGS[notice.kind].tells_of or event.player_id not in (None, notice.player_id):
        sentence = f"Notice {notice.id} ({notice.kind}) tells of the event {notice.event_id}, which is another."
        findings.breach("event_differs", notice.id, sentence)


def _check_played(case: Case, history: History, findings: Findings) -> None:
    """Compares the turns in the log with the events that tell of them."""
    judged = {turn.id: turn.judged_at for turn in case.turns if turn.kind == "turn"}
    told = Counter(event.ply for event in case.events if event.kind == "turn_played")
    for span in history.spans:
        if span.turn_id not in judged or span.start == span.stop:
            continue
        if not told[span.stop]:
            sentence = f"Match {case.match.id}: no event tells of the turn that ends before ply {span.stop}."
            findings.breach("event_missing", case.match.id, sentence)
        told[span.stop] = max(0, told[span.stop] - 1)
    for ply, number in told.items():
        if number:
            sentence = (
                f"Match {case.match.id}: {number} events tell of a turn that ends before ply {ply}; there is none."
            )
            findings.breach("event_without_cause", case.match.id, sentence)
