"""Checks that there is a notice for all that is owed, a reason for each that was not mailed, and an
event for all that is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from service.kinds import MAILINGS, NoticeKind
from service.ledger.case import MatchCase, WrittenNotice, notices_of_no_match, teller_of
from service.ledger.findings import Findings
from service.ledger.history import History
from service.statuses import VERDICT_STATUSES
from service.store.covering import ByAnswer, parse_reason
from service.store.events import Event
from service.store.tables import confirmations, player_events, players, pruned_notices

DERIVED: Final[tuple[NoticeKind, ...]] = ("match_started", "your_turn", "match_over", "verdict", "invitation")
"""The kinds that follow from log, turns and seats; others are only counted."""
SIGN_UPS: Final[tuple[NoticeKind, ...]] = ("confirm_address", "sign_in")


@dataclass(frozen=True, slots=True)
class Owed:
    """A notice that must exist exactly once: kind, seat, and the ply or turn that caused it."""

    kind: NoticeKind
    seat: int
    cause: str

    def __str__(self) -> str:
        return f"the notice {self.kind} to seat {self.seat} ({self.cause})"


def check_notices(case: MatchCase, history: History | None, findings: Findings) -> None:
    """Compares notices with those that must exist; without a history by turns and seats alone."""
    for notice in (*case.notices, *case.calls):
        _count(notice, findings)
    _check_told_once(case, findings)
    kinds: tuple[NoticeKind, ...] = DERIVED if history is not None else ("verdict", "invitation")
    owed = Counter(item for item in _owed(case, history) if item.kind in kinds)
    findings.owed += owed.total()
    found = Counter(_claim(notice) for notice in case.notices if notice.kind in kinds)
    findings.pruned_notices += case.pruned.total()
    missing = [item for item in sorted(owed, key=str) if not found[item]]
    _check_missing(case, missing, kinds, findings)
    for item, count in sorted(owed.items(), key=str):
        if found[item] > count and item.kind != "invitation":  # a seat is kept for one after another
            findings.of_match("notice_twice", case.match.id, f"{item} was written {found[item]} times.")
    for item in sorted(found.keys() - owed.keys(), key=str):
        if item.kind != "invitation":  # a declined invitation is no longer recorded in the seat
            what = f"{item} was written, and nothing in its log caused it."
            findings.of_match("notice_without_cause", case.match.id, what)
    _check_receivers(case, findings)


def check_sign_ups(connection: Connection, findings: Findings) -> None:
    """Checks that every player has as many sign-up mails as one-time tokens."""
    written: Counter[str | None] = Counter()
    for notice in notices_of_no_match(connection):
        _count(notice, findings)
        if notice.kind in SIGN_UPS:
            written[notice.player_id] += 1
    for row in connection.execute(select(pruned_notices).where(pruned_notices.c.kind.in_(SIGN_UPS))):
        written[row.subject] += row.number
        findings.pruned_notices += row.number
    counted = select(confirmations.c.player_id, func.count()).group_by(confirmations.c.player_id)
    tokens = {row[0]: row[1] for row in connection.execute(counted)}
    findings.owed += sum(tokens.values())
    for player_id in sorted({*tokens, *(key for key in written if key is not None)}):
        if written[player_id] != tokens.get(player_id, 0):
            sentence = (
                f"Player {player_id} has {tokens.get(player_id, 0)} one-time tokens, but {written[player_id]} mails"
                " were written to carry them."
            )
            findings.breach("sign_up_mails_differ", player_id, sentence)


def check_covered(case: MatchCase, findings: Findings) -> None:
    """Checks that every covered notice has one reason, of the same player where it names one."""
    turns = {turn.id for turn in case.turns if turn.verdict is not None}
    for notice in case.notices:
        said = [reason for reason in (notice.superseded_by, notice.covered_by) if reason is not None]
        if len(said) != (1 if notice.status == "covered" else 0):
            sentence = f"Notice {notice.id} is {notice.status} and has {len(said)} reasons for not being sent."
            findings.breach("covering_unsaid", notice.id, sentence)
        elif notice.status == "covered":
            _check_reason(case, notice, turns, findings)


def check_events(case: MatchCase, history: History | None, findings: Findings) -> None:
    """Checks the events of a match, and that each of its notices tells of one."""
    match_id, numbers = case.match.id, [event.number for event in case.events]
    findings.events += len(numbers)
    if numbers != list(range(1, case.counted + 1)):
        sentence = (
            f"Match {match_id} counts {case.counted} events; there are {len(numbers)}, up to {max(numbers, default=0)}."
        )
        findings.breach("events_differ", match_id, sentence)
    known = {event.id: event for event in case.events}
    for notice in case.notices:
        if notice.kind in MAILINGS and MAILINGS[notice.kind].tells_of is not None:
            _check_told(case, notice, known.get(notice.event_id or ""), findings)
    if history is not None:
        _check_played(case, history, findings)


def check_players(connection: Connection, findings: Findings) -> None:
    """Checks that players' events have no gaps; the oldest may be forgotten (``upkeep``)."""
    number = player_events.c.number
    counted = (
        select(
            players.c.id,
            players.c.events,
            func.count(number).label("rows"),
            func.min(number).label("first"),
            func.max(number).label("last"),
        )
        .join(player_events, player_events.c.player_id == players.c.id, isouter=True)
        .group_by(players.c.id, players.c.events)
    )
    for row in connection.execute(counted):
        if row.rows and (row.events != row.last or row.rows != row.last - row.first + 1):
            sentence = (
                f"Player {row.id} counts {row.events} events; there are {row.rows}, from {row.first} to {row.last}."
            )
            findings.breach("events_differ", row.id, sentence)


def _check_told_once(case: MatchCase, findings: Findings) -> None:
    """Checks that no webhook is told of an event twice, and each of one that there is."""
    known = {event.id for event in case.events}
    told = Counter(
        (notice.address, notice.event_id)
        for notice in case.calls
        if notice.event_id is not None and notice.address is not None  # of who has left no address is kept
    )
    for (_, told_id), number in told.items():
        if number > 1:
            what = f"a webhook is told {number} times of the event {told_id}."
            findings.of_match("notice_twice", case.match.id, what)
        if told_id not in known:
            what = f"a webhook is told of the event {told_id}, which there is not."
            findings.of_match("event_missing", case.match.id, what)


def _check_missing(case: MatchCase, missing: Sequence[Owed], kinds: Sequence[NoticeKind], findings: Findings) -> None:
    """Compares the notices that are owed and not there with the numbers of deleted ones."""
    match_id = case.match.id
    for kind in kinds:
        gone, pruned = [item for item in missing if item.kind == kind], case.pruned[kind]
        if len(gone) > pruned:
            for item in gone:
                which = f"{item} is owed and was never written"
                others = f", or is one of {pruned} of its kind that were pruned, where {len(gone)} are missing"
                findings.of_match("notice_missing", match_id, f"{which}{others if pruned else ''}.")
        elif len(gone) < pruned and kind != "invitation":  # a declined one is no longer owed
            what = f"{pruned} notices {kind} were pruned, but only {len(gone)} are missing."
            findings.of_match("notice_twice", match_id, what)


def _owed(case: MatchCase, history: History | None) -> Iterator[Owed]:
    """The notices that players are owed; bots are told nothing."""
    return (owed for owed in _caused(case, history) if owed.seat not in case.match.bots)


def _caused(case: MatchCase, history: History | None) -> Iterator[Owed]:
    seats = [seat.seat for seat in case.match.seats]
    for seat in case.match.seats:
        if seat.invited_at is not None:
            yield Owed("invitation", seat.seat, "by its seat")
    for turn in case.turns:
        if turn.status in VERDICT_STATUSES and turn.kind == "turn":
            yield Owed("verdict", turn.seat, f"turn {turn.id}")
    if history is None:
        return
    for seat_number in seats:
        yield Owed("match_started", seat_number, f"ply {history.deal}")
    for handover in case.match.handovers:
        at = next((span for span in reversed(history.spans) if span.stop <= handover.ply and not span.over), None)
        if at is not None and handover.seat in at.awaited:
            yield Owed("your_turn", handover.seat, f"ply {handover.ply}")
    waited: set[int] = set()
    for span in history.spans:
        if span.over:
            for seat_number in seats:
                yield Owed("match_over", seat_number, f"ply {span.stop}")
            return
        for seat_number in span.awaited:
            if seat_number not in waited:
                yield Owed("your_turn", seat_number, f"ply {span.stop}")
        waited = set(span.awaited)


def _claim(notice: WrittenNotice) -> Owed:
    """The kind, seat and cause that a notice states."""
    seat, payload = int(notice.payload.get("seat", -1)), notice.payload
    if notice.kind == "invitation":
        return Owed(notice.kind, seat, "by its seat")
    cause = f"turn {payload.get('turn_id')}" if notice.kind == "verdict" else f"ply {payload.get('ply')}"
    return Owed(notice.kind, seat, cause)


def _check_receivers(case: MatchCase, findings: Findings) -> None:
    sitting = {seat.seat: case.match.holders(seat.seat) for seat in case.match.seats}
    for notice in case.notices:
        if (
            notice.kind in DERIVED
            and notice.kind != "invitation"
            and notice.player_id not in sitting.get(int(notice.payload.get("seat", -1)), ())
        ):
            sentence = f"Notice {notice.id} ({notice.kind}) goes to somebody who does not have its seat."
            findings.breach("notice_misaddressed", notice.id, sentence)


def _count(notice: WrittenNotice, findings: Findings) -> None:
    findings.notices[notice.status] += 1
    if notice.status == "pending":
        findings.pending_notices.append(notice.id)
    elif notice.status == "dead":
        findings.dead_notices.append(notice.id)
    elif notice.status != "covered" and (notice.status != "sent" or notice.sent_at is None):
        sentence = f"Notice {notice.id} is {notice.status!r} without a time at which it was sent."
        findings.breach("delivery_unsaid", notice.id, sentence)


def _check_reason(case: MatchCase, notice: WrittenNotice, turns: set[str], findings: Findings) -> None:
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


def _check_told(case: MatchCase, notice: WrittenNotice, event: Event | None, findings: Findings) -> None:
    if event is None:
        findings.breach("event_missing", notice.id, f"Notice {notice.id} ({notice.kind}) tells of no event.")
    elif event.kind != MAILINGS[notice.kind].tells_of or event.player_id not in (None, notice.player_id):
        sentence = f"Notice {notice.id} ({notice.kind}) tells of the event {notice.event_id}, which is another."
        findings.breach("event_differs", notice.id, sentence)


def _check_played(case: MatchCase, history: History, findings: Findings) -> None:
    """Compares the turns in the log with the events that tell of them."""
    judged = {turn.id: turn.judged_at for turn in case.turns if turn.kind == "turn"}
    told = Counter(event.ply for event in case.events if event.kind == "turn_played")
    for span in history.spans:
        if span.turn_id not in judged or span.start == span.stop:
            continue
        if not told[span.stop]:
            what = f"no event tells of the turn that ends before ply {span.stop}."
            findings.of_match("event_missing", case.match.id, what)
        told[span.stop] = max(0, told[span.stop] - 1)
    for ply, number in told.items():
        if number:
            what = f"{number} events tell of a turn that ends before ply {ply}; there is none."
            findings.of_match("event_without_cause", case.match.id, what)
