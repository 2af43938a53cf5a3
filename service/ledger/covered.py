"""Checks that what was not mailed is told otherwise, or is not wanted."""

from __future__ import annotations

from service.ledger.case import Case, WrittenNotice, teller_of
from service.ledger.findings import Findings
from service.store.covering import ByAnswer, parse_reason


def check_covered(case: Case, findings: Findings) -> None:
    """Checks every covered notice of a match: it has one reason, and what that names exists and is
    the same player's.
    """
    turns = {turn.id for turn in case.turns if turn.verdict is not None}
    for notice in case.notices:
        said = [reason for reason in (notice.superseded_by, notice.covered_by) if reason is not None]
        if len(said) != (1 if notice.status == "covered" else 0):
            sentence = f"Notice {notice.id} is {notice.status} and has {len(said)} reasons for not being sent."
            findings.breach("covering_unsaid", notice.id, sentence)
        elif notice.status == "covered":
            _check_reason(case, notice, turns, findings)


def _check_reason(case: Case, notice: WrittenNotice, turns: set[str], findings: Findings) -> None:
    teller = teller_of(notice)
    if teller is not None:
        if teller not in case.tellers:
            if not case.pruned:  # it may be one of those that were deleted
                sentence = f"Notice {notice.id} is said to be told by notice {teller}, which does not exist."
                findings.breach("covered_by_nothing", notice.id, sentence)
        elif case.tellers[teller] != notice.player_id:
            sentence = f"Notice {notice.id} is said to be told by notice {teller}, which goes to somebody else."
            findings.breach("covered_by_nothing", notice.id, sentence)
        return
    try:
        reason = parse_reason(notice.covered_by or "")
    except ValueError:
        sentence = f"Notice {notice.id} is covered by {notice.covered_by!r}, which says nothing."
        findings.breach("covered_by_nothing", notice.id, sentence)
        return
    if isinstance(reason, ByAnswer) and not (
        reason.turn_id in turns and notice.payload.get("turn_id") == reason.turn_id
    ):
        sentence = f"Notice {notice.id} is covered by the answer to turn {reason.turn_id}, which has no such verdict."
        findings.breach("covered_by_nothing", notice.id, sentence)
