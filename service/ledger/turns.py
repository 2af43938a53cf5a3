"""Every turn has one verdict, and the log has of it exactly what the verdict says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.documents import to_document
from engine.play import still_fresh
from engine.record import read_action
from service.ledger.case import Case, SubmittedTurn
from service.ledger.findings import Findings
from service.ledger.history import History, Step, describe
from service.matches import replays

STANDS = ("accepted", "partly_accepted")
JUDGED = (*STANDS, "rejected")


def check_turns(case: Case, history: History | None, findings: Findings) -> None:
    """Holds the turns of a match against its history; without one only against themselves."""
    known = {turn.id for turn in case.turns}
    steps = {step.turn_id: step for step in history.steps if step.turn_id is not None} if history is not None else {}
    for turn_id in sorted(steps.keys() - known):
        findings.breach(
            "entry_of_no_turn",
            turn_id,
            f"Match {case.match.id}: its log has entries of turn {turn_id}, which nobody submitted to it.",
        )
    for turn in case.turns:
        findings.turns[turn.status] += 1
        if turn.status == "queued":
            _check_queued(turn, steps.get(turn.id), findings)
        elif _has_verdict(turn, findings) and history is not None:
            _check_judged(case, turn, steps.get(turn.id), history, findings)


def check_standing(case: Case, history: History, findings: Findings) -> None:
    """Status, outcome and awaited seats of a match are those that follow from its log."""
    match, last = case.match, history.steps[-1]
    status = "finished" if last.over else "running"
    if match.status != status:
        findings.breach(
            "status_differs", match.id, f"Match {match.id} is said to be {match.status}; by its log it is {status}."
        )
    if match.outcome != describe(history.outcome if last.over else None):
        findings.breach(
            "outcome_differs",
            match.id,
            f"Match {match.id}: the stored outcome is not the one that follows from its log.",
        )
    awaited = tuple(seat.seat for seat in match.seats if seat.to_act)
    if awaited != tuple(sorted(last.awaited)):
        findings.breach(
            "awaited_differ",
            match.id,
            f"Match {match.id} waits for the seats {list(awaited)}; by its log it is {sorted(last.awaited)}.",
        )


def _check_queued(turn: SubmittedTurn, step: Step | None, findings: Findings) -> None:
    findings.pending_turns.append(turn.id)
    if turn.verdict is not None or turn.judged_at is not None:
        findings.breach("queued_with_verdict", turn.id, f"Turn {turn.id} is queued, and yet it has a verdict.")
    if step is not None:
        findings.breach(
            "queued_in_log",
            turn.id,
            f"Turn {turn.id} is queued, and yet the log has entries of it from ply {step.start} on.",
        )


def _has_verdict(turn: SubmittedTurn, findings: Findings) -> bool:
    if turn.status not in JUDGED:
        findings.breach(
            "status_unknown", turn.id, f"Turn {turn.id} has the status {turn.status!r}, which does not exist."
        )
        return False
    if turn.verdict is None or turn.judged_at is None:
        findings.breach("verdict_missing", turn.id, f"Turn {turn.id} is {turn.status}, but its verdict is missing.")
        return False
    if turn.verdict.get("status") != turn.status:
        findings.breach(
            "verdict_differs",
            turn.id,
            f"Turn {turn.id} is {turn.status}; its verdict says {turn.verdict.get('status')}.",
        )
        return False
    return True


def _check_judged(case: Case, turn: SubmittedTurn, step: Step | None, history: History, findings: Findings) -> None:
    assert turn.verdict is not None
    span = (turn.verdict.get("ply_before"), turn.verdict.get("ply_after"))
    if turn.status not in STANDS:
        if step is not None:
            findings.breach(
                "rejected_in_log",
                turn.id,
                f"Turn {turn.id} was rejected, and yet the log has entries of it from ply {step.start} on.",
            )
        if span[0] != span[1]:
            findings.breach(
                "verdict_differs",
                turn.id,
                f"Turn {turn.id} was rejected, and yet its verdict spans the plies {span[0]} to {span[1]}.",
            )
        return
    if step is None:
        findings.breach(
            "accepted_not_in_log", turn.id, f"Turn {turn.id} is {turn.status}, but the log has no entry of it."
        )
    elif span != (step.start, step.stop) or not _was_fresh(case, turn, step, history):
        sentence = (
            f"Turn {turn.id} answered ply {turn.ply} and its verdict spans {span[0]} to {span[1]}; in the log it spans"
            f" {step.start} to {step.stop}."
        )
        findings.breach("span_differs", turn.id, sentence)
    elif not _says_the_same(case, turn, turn.verdict, step):
        findings.breach(
            "actions_differ", turn.id, f"Turn {turn.id}: the log has other actions than were submitted and accepted."
        )


def _was_fresh(case: Case, turn: SubmittedTurn, step: Step, history: History) -> bool:
    """Whether the turn was still fresh where it was judged: between the ply that it answers and its
    first entry, nothing has happened that its seat could notice.
    """
    between = history.walked[turn.ply : step.start]
    return turn.ply <= step.start and still_fresh(replays.game_of(case.match), between, turn.seat)


def _says_the_same(case: Case, turn: SubmittedTurn, verdict: Mapping[str, Any], step: Step) -> bool:
    """Whether the accepted actions of the turn are its seat's entries in the log, in this order.

    The house plays other seats.
    """
    game = replays.game_of(case.match)
    logged = [entry.action for entry in case.log[step.start : step.stop] if entry.seat == turn.seat]
    accepted = list(turn.document["actions"])[: verdict.get("accepted", 0)]
    return [to_document(read_action(game, turn.seat, action)) for action in accepted] == logged
