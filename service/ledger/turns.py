"""Checks the verdict of every turn by the log, and what a match says of itself, and its clocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from engine.documents import to_document
from engine.play import Replayed, read_action, still_fresh
from engine.types import CHANCE
from service.clocks.history import BY_BOT, ClockStep
from service.clocks.recorded import ClockError, check_marks, followed
from service.clocks.spans import moment
from service.ledger.case import MatchCase
from service.ledger.findings import Findings
from service.ledger.history import History, LogSpan
from service.matches import replays, timekeeping
from service.statuses import VERDICT_STATUSES
from service.store import clocks as rows
from service.store import heartbeats
from service.store.pruning import PRUNED
from service.store.turns import StoredTurn


def check_turns(case: MatchCase, history: History | None, findings: Findings) -> None:
    """Compares the turns of a match with its history; without one only with their verdicts."""
    known = {turn.id for turn in case.turns}
    spans = {span.turn_id: span for span in history.spans if span.turn_id is not None} if history is not None else {}
    for turn_id in sorted(spans.keys() - known):
        sentence = f"Match {case.match.id}: its log has entries of turn {turn_id}, which nobody submitted to it."
        findings.breach("entry_of_no_turn", turn_id, sentence)
    for turn in case.turns:
        findings.turns[turn.status] += 1
        _check_pruned(case, turn, findings)
        if turn.status == "queued":
            _check_queued(turn, spans.get(turn.id), findings)
        elif _has_verdict(turn, findings) and history is not None:
            _check_judged(case, turn, spans.get(turn.id), history, findings)


def check_standing(case: MatchCase, history: History, findings: Findings) -> None:
    """Checks that status, outcome and awaited seats of a match follow from its log."""
    match, last = case.match, history.spans[-1]
    status = "running"
    if last.over:
        status = "cancelled" if history.outcome is None else "finished"
    if match.status != status and not (status == "running" and match.is_on):
        sentence = f"Match {match.id} is said to be {match.status}; by its log it is {status}."
        findings.breach("status_differs", match.id, sentence)
    outcome = history.outcome if last.over else None
    if match.outcome != (None if outcome is None else to_document(outcome)):
        findings.of_match("outcome_differs", match.id, "the stored outcome is not the one that follows from its log.")
    awaited = tuple(seat.seat for seat in match.seats if seat.to_act)
    if awaited != tuple(sorted(last.awaited)):
        sentence = f"Match {match.id} waits for the seats {list(awaited)}; by its log it is {sorted(last.awaited)}."
        findings.breach("awaited_differ", match.id, sentence)


def check_clocks(connection: Connection, case: MatchCase, history: History, findings: Findings) -> None:
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
        findings.of_match("clock_differs", match.id, str(error))
        return
    written = moment(steps[-1].at)
    now = max(written, heartbeats.latest(connection) or written)
    times = timekeeping.times_of(connection, [match], now).get(match.id, ())
    if tuple(own.stored.clock for own in times) != clock.seats:
        findings.of_match("clock_differs", match.id, "the clocks of its seats are not those that its steps lead to.")
    if match.without_clock != clock.held:
        what = f"bots play the seats {sorted(match.without_clock)}; by its steps it is {sorted(clock.held)}."
        findings.of_match("clock_differs", match.id, what)
    handed, handovers = [step.seat for step in steps if step.kind == "handed"], [each.seat for each in match.handovers]
    if handed != handovers:
        what = f"its steps say that the seats {handed} were handed over; the match says {handovers}."
        findings.of_match("clock_differs", match.id, what)
    for own in times if not heartbeats.parts_out(connection, now) else ():  # they move while a part is out
        stored = own.stored
        if own.due_at is not None and (stored.due_at is None or stored.due_at > own.due_at):
            findings.of_match("deadline_missing", match.id, f"nobody looks at seat {stored.seat} when its time is up.")
    _check_told(case, steps, findings)


def _check_pruned(case: MatchCase, turn: StoredTurn, findings: Findings) -> None:
    if not turn.document.get(PRUNED):
        return
    findings.pruned_turns += 1
    if turn.judged_at is None or turn.judged_at > case.pruned_until:
        sentence = f"Turn {turn.id} lost its actions, and they were not pruned: it was judged after what was."
        findings.breach("details_missing", turn.id, sentence)


def _check_queued(turn: StoredTurn, span: LogSpan | None, findings: Findings) -> None:
    findings.pending_turns.append(turn.id)
    if turn.verdict is not None or turn.judged_at is not None:
        findings.breach("queued_with_verdict", turn.id, f"Turn {turn.id} is queued, and yet it has a verdict.")
    if span is not None:
        sentence = f"Turn {turn.id} is queued, and yet the log has entries of it from ply {span.start} on."
        findings.breach("queued_in_log", turn.id, sentence)


def _has_verdict(turn: StoredTurn, findings: Findings) -> bool:
    if turn.status not in VERDICT_STATUSES:
        sentence = f"Turn {turn.id} has the status {turn.status!r}, which does not exist."
        findings.breach("status_unknown", turn.id, sentence)
        return False
    if turn.verdict is None or turn.judged_at is None:
        findings.breach("verdict_missing", turn.id, f"Turn {turn.id} is {turn.status}, but its verdict is missing.")
        return False
    if turn.verdict.get("status") != turn.status:
        sentence = f"Turn {turn.id} is {turn.status}; its verdict says {turn.verdict.get('status')}."
        findings.breach("verdict_differs", turn.id, sentence)
        return False
    return True


def _check_judged(
    case: MatchCase, turn: StoredTurn, span: LogSpan | None, history: History, findings: Findings
) -> None:
    assert turn.verdict is not None
    said = (turn.verdict.get("ply_before"), turn.verdict.get("ply_after"))
    if turn.status == "rejected":
        if span is not None:
            sentence = f"Turn {turn.id} was rejected, and yet the log has entries of it from ply {span.start} on."
            findings.breach("rejected_in_log", turn.id, sentence)
        if said[0] != said[1]:
            sentence = f"Turn {turn.id} was rejected, and yet its verdict spans the plies {said[0]} to {said[1]}."
            findings.breach("verdict_differs", turn.id, sentence)
        return
    if turn.kind != "turn":
        if said != ((span.start, span.stop) if span is not None else (said[0], said[0])):
            sentence = f"Turn {turn.id}, which nobody submitted, says that it spans the plies {said[0]} to {said[1]}."
            findings.breach("span_differs", turn.id, sentence)
    elif span is None:
        sentence = f"Turn {turn.id} is {turn.status}, but the log has no entry of it."
        findings.breach("accepted_not_in_log", turn.id, sentence)
    elif said != (span.start, span.stop) or not _was_fresh(case, turn, span, history):
        sentence = (
            f"Turn {turn.id} answered ply {turn.ply} and its verdict spans {said[0]} to {said[1]}; in the log it spans"
            f" {span.start} to {span.stop}."
        )
        findings.breach("span_differs", turn.id, sentence)
    elif not _says_the_same(case, turn, turn.verdict, history.walked[span.start : span.stop]):
        sentence = f"Turn {turn.id}: the log has other actions than were submitted and accepted."
        findings.breach("actions_differ", turn.id, sentence)


def _was_fresh(case: MatchCase, turn: StoredTurn, span: LogSpan, history: History) -> bool:
    """Whether its seat could know of nothing between the answered ply and its first entry."""
    between = history.walked[turn.ply : span.start]
    return turn.ply <= span.start and still_fresh(replays.game_of(case.match), between, turn.seat)


def _says_the_same(case: MatchCase, turn: StoredTurn, verdict: Mapping[str, Any], steps: Sequence[Replayed]) -> bool:
    """Whether the accepted actions of the turn are its seat's entries in the log, in this order; of
    a turn whose actions were pruned, whether it has at least as many actions as entries.

    Entries of other seats were played by a bot. Superfluous actions have no entry.
    """
    game, seat = replays.game_of(case.match), turn.seat
    own = [index for index, step in enumerate(steps) if step.entry.seat == seat]
    if turn.document.get(PRUNED):
        return bool(len(own) <= verdict.get("accepted", 0))
    found = 0
    for document in turn.document["actions"][: verdict.get("accepted", 0)]:
        action = read_action(game, seat, document)
        if found < len(own) and action == steps[own[found]].entry.action:
            found += 1
        elif not found or not game.superfluous(_after(steps, own[found - 1]), seat, action):
            return False
    return found == len(own)


def _after(steps: Sequence[Replayed], index: int) -> Any:
    """The state after the step with this index and the entries of chance that follow it."""
    while index + 1 < len(steps) and steps[index + 1].entry.seat == CHANCE:
        index += 1
    return steps[index].after


def _check_told(case: MatchCase, steps: tuple[ClockStep, ...], findings: Findings) -> None:
    """Each time that was up is told by one notice to whom it concerns."""
    owed = sum(step.kind in BY_BOT for step in steps)
    written = sum(notice.kind == "time_up" for notice in case.notices) + case.pruned["time_up"]
    findings.owed += owed
    if written != owed:
        code = "notice_missing" if written < owed else "notice_twice"
        sentence = f"Match {case.match.id}: {owed} notices time_up are owed, and {written} were written."
        findings.breach(code, case.match.id, sentence)
