"""Checks the clocks of a match: that its steps follow from each other, that the stored clocks are
what they lead to, and that each thing was told once.
"""

from __future__ import annotations

from sqlalchemy import Connection

from service.clocks.history import BY_BOT, ClockStep
from service.clocks.recorded import ClockError, check_marks, followed
from service.clocks.spans import moment
from service.ledger.case import Case
from service.ledger.findings import Findings
from service.ledger.history import History
from service.matches import replays, timekeeping
from service.store import clocks as rows
from service.store import heartbeats


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
        check_marks(replays.game_of(match), states, steps, history.spans[-1].over)
        clock = followed(rule, len(match.seats), match.bots, steps)
    except ClockError as error:
        findings.breach("clock_differs", match.id, f"Match {match.id}: {error}")
        return
    written = moment(steps[-1].at)
    now = max(written, heartbeats.latest(connection) or written)
    times = timekeeping.times_of(connection, [match], now).get(match.id, ())
    if tuple(own.stored.clock for own in times) != clock.seats:
        sentence = f"Match {match.id}: the clocks of its seats are not those that its steps lead to."
        findings.breach("clock_differs", match.id, sentence)
    if match.without_clock != clock.held:
        sentence = (
            f"Match {match.id}: bots play the seats {sorted(match.without_clock)}; by its steps it is"
            f" {sorted(clock.held)}."
        )
        findings.breach("clock_differs", match.id, sentence)
    for own in times if not heartbeats.parts_out(connection, now) else ():  # they move while a part is out
        stored = own.stored
        if own.due_at is not None and (stored.due_at is None or stored.due_at > own.due_at):
            sentence = f"Match {match.id}: nobody looks at seat {stored.seat} when its time is up."
            findings.breach("deadline_missing", match.id, sentence)
    _check_told(case, steps, findings)


def _check_told(case: Case, steps: tuple[ClockStep, ...], findings: Findings) -> None:
    """Each time that was up is told by one notice to whom it concerns."""
    owed = sum(step.kind in BY_BOT for step in steps)
    written = sum(notice.kind == "time_up" for notice in case.notices) + case.pruned["time_up"]
    findings.owed += owed
    if written != owed:
        code = "notice_missing" if written < owed else "notice_twice"
        sentence = f"Match {case.match.id}: {owed} notices time_up are owed, and {written} were written."
        findings.breach(code, case.match.id, sentence)
