"""Checks the clocks of a match: that its steps follow from each other, that the stored clocks are
what they lead to, and that each thing was told once.
"""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection

from service.clocks.history import BY_BOT, ClockStep
from service.clocks.recorded import ClockError, followed, timeline
from service.ledger.case import Case
from service.ledger.findings import Findings
from service.ledger.history import History
from service.matches import replays, timekeeping
from service.store import clocks as rows


def check_clocks(connection: Connection, case: Case, history: History, findings: Findings) -> None:
    """Compares the clocks of a match that has started with its log and its notices."""
    match = case.match
    rule = timekeeping.rule_of(match)
    steps = rows.steps_of(connection, match.id)
    if rule is None:
        if steps:
            sentence = f"Match {match.id} has no clock, and yet there are {len(steps)} steps of one."
            findings.breach("clock_differs", match.id, sentence)
        return
    states = [history.walked[0].before, *(step.after for step in history.walked)] if history.walked else []
    states = states or [replays.game_of(match).setup(replays.setup_of(connection, match))]
    try:
        found = timeline(replays.game_of(match), states, steps, history.spans[-1].over)
        clock = followed(rule, len(match.seats), match.bots, found)
    except ClockError as error:
        findings.breach("clock_differs", match.id, f"Match {match.id}: {error}")
        return
    times = timekeeping.times_of(connection, [match]).get(match.id, ())
    if tuple(own.stored.clock for own in times) != clock.seats:
        sentence = f"Match {match.id}: the clocks of its seats are not those that its steps lead to."
        findings.breach("clock_differs", match.id, sentence)
    if match.without_clock != clock.held:
        sentence = (
            f"Match {match.id}: bots play the seats {sorted(match.without_clock)}; by its steps it is"
            f" {sorted(clock.held)}."
        )
        findings.breach("clock_differs", match.id, sentence)
    for own in times:
        stored = own.stored
        if own.due_at is not None and (stored.due_at is None or stored.due_at > own.due_at):
            sentence = f"Match {match.id}: nobody looks at seat {stored.seat} when its time is up."
            findings.breach("deadline_missing", match.id, sentence)
    _check_told(case, steps, findings)


def _check_told(case: Case, steps: tuple[ClockStep, ...], findings: Findings) -> None:
    """Each excuse, and each time that was up, is told by one notice to each whom it concerns."""
    owed = Counter({"excuse_used": 0, "time_up": 0})
    for step in steps:
        if step.kind == "excuse":
            owed["excuse_used"] += 1
        elif step.kind in BY_BOT:
            owed["time_up"] += 1
        elif step.kind == "time_up_ask":
            owed["time_up"] += len(case.match.seats) - len(case.match.bots)
    written = Counter(notice.kind for notice in case.notices) + case.pruned
    for kind, number in owed.items():
        findings.owed += number
        if written[kind] != number:
            code = "notice_missing" if written[kind] < number else "notice_twice"
            sentence = f"Match {case.match.id}: {number} notices {kind} are owed, and {written[kind]} were written."
            findings.breach(code, case.match.id, sentence)
