"""Decides about notices that are due, in the transaction that leases them: which are sent, which
wait, and which are told by a later one.

Of the notices of one player and match that no attempt has been made for, the latest tells
everything since the first: it is sent now, even where it was to wait, and the others are superseded
by it. So turns in quick succession are one mail, and nobody waits longer for being quick. A verdict
that refuses something is told by a later verdict only. The answer to a mail (lane ``FIRST``) is
never merged, and neither are mails to somebody who wants single ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from service.kinds import FIRST, where
from service.loop import isolated
from service.notices import decisions
from service.notices.material import since_last_turn
from service.payloads import TOLD_SINCE, TURNS, TurnJudged, read_as
from service.players import preferences
from service.players.preferences import Preferences
from service.store import covering, matches, outbox
from service.store.outbox import Notice


@dataclass(frozen=True, slots=True)
class Sorted:
    """The notices to send, in order, and how many were covered instead."""

    send: tuple[Notice, ...]
    covered: int


def sort_out(connection: Connection, found: Sequence[Notice], now: datetime) -> Sorted:
    """Sorts the notices ``found``, which are due and locked by this transaction."""
    covered, due = 0, list[Notice]()
    for notice in found:
        match decisions.decide(connection, notice, now):
            case decisions.Send():
                due.append(notice)
            case decisions.Wait(until):
                outbox.wait(connection, notice.id, until)
            case decisions.Cover(reason):
                covered += covering.cover(connection, [notice.id], reason)
    merged = _merged(connection, due, now)
    return Sorted(merged.send, covered + merged.covered)


def _merged(connection: Connection, due: Sequence[Notice], now: datetime) -> Sorted:
    pairs = {pair for notice in due if (pair := _pair(notice)) is not None}
    pairs = {pair for pair in pairs if _wants_merged(preferences.effective(connection, *pair))}
    if not pairs:
        return Sorted(tuple(due), 0)
    mine, later = {notice.id for notice in due}, dict[str, Notice]()
    covered = set[str]()
    for group in _groups(outbox.untried(connection, where(merges=True), pairs, now)):
        wanted = [each for each in group if each.id in mine or _is_sent(connection, each, now)]
        for last, earlier in _tellers(wanted):
            told = _telling(connection, last, earlier)
            outbox.hasten(connection, told, now)
            covering.supersede(connection, [each.id for each in earlier], told.id)
            covered.update(each.id for each in earlier)
            later |= {each.id: told for each in (*earlier, last)}
    send = dict[str, Notice]()
    for notice in due:
        told = later.get(notice.id, notice)
        send.setdefault(told.id, told)
    return Sorted(tuple(send.values()), len(covered))


def _is_sent(connection: Connection, notice: Notice, now: datetime) -> bool:
    """Whether a notice that is not among those found would be sent; one that cannot be sorted is
    left to itself.
    """
    return isinstance(isolated(connection, lambda: decisions.decide(connection, notice, now)), decisions.Send)


def _wants_merged(wanted: Preferences) -> bool:
    """Whether a player wants one mail for what happens in quick succession."""
    return wanted.merged or wanted.mails == "digest"


def _pair(notice: Notice) -> tuple[str, str] | None:
    """The player and match of a notice that may be merged."""
    if notice.kind not in where(merges=True) or notice.lane == FIRST or notice.attempts or notice.channel != "mail":
        return None
    return None if notice.player_id is None or notice.match_id is None else (notice.player_id, notice.match_id)


def _groups(notices: Iterable[Notice]) -> Iterable[list[Notice]]:
    """The notices of each player and match, in the order of their events."""
    groups: dict[tuple[str, str], list[Notice]] = {}
    for notice in notices:
        pair = _pair(notice)
        if pair is not None:
            groups.setdefault(pair, []).append(notice)
    return [sorted(group, key=_number) for group in groups.values()]


def _number(notice: Notice) -> tuple[bool, int, datetime]:
    """What notices are ordered by. The end of a match comes last, though the verdict on the turn
    that ended it is written after it: only the mail of the end has the scores.
    """
    number = (notice.event_id or "").rpartition(".")[2]
    return (notice.kind == "match_over", int(number) if number else 0, notice.created_at)


def _tellers(group: Sequence[Notice]) -> Iterable[tuple[Notice, list[Notice]]]:
    """Each notice that tells what earlier ones would have told, with these."""
    if not group:
        return
    *before, last = group
    verdicts = [each for each in group if each.kind == "verdict"]
    refusal = verdicts[-1] if verdicts and _refuses(verdicts[-1]) else None
    if refusal is None or refusal is last:
        if before:
            yield last, before
        return
    others = [each for each in before if each.kind != "verdict"]
    if others:
        yield last, others
    if len(verdicts) > 1:
        yield refusal, verdicts[:-1]


def _refuses(verdict: Notice) -> bool:
    return read_as(TurnJudged, verdict.payload).status != "accepted"


def _telling(connection: Connection, last: Notice, earlier: Sequence[Notice]) -> Notice:
    """The last notice, which tells what the earlier ones would have told."""
    since = min(_since(connection, each) for each in (*earlier, last))
    turns = [turn for each in earlier for turn in _turns(each)]
    payload = {**last.payload, TOLD_SINCE: since} | ({TURNS: turns} if turns else {})
    return replace(last, payload=payload)


def _turns(notice: Notice) -> list[str]:
    """The turns whose verdicts a notice tells."""
    own = [read_as(TurnJudged, notice.payload).turn_id] if notice.kind == "verdict" else []
    return [*notice.payload.get(TURNS, ()), *own]


def _since(connection: Connection, notice: Notice) -> int:
    """The ply from which a notice narrates."""
    if TOLD_SINCE in notice.payload:
        return int(notice.payload[TOLD_SINCE])
    if notice.kind == "verdict":
        return read_as(TurnJudged, notice.payload).since
    assert notice.match_id is not None
    assert notice.ply is not None
    match = matches.find(connection, notice.match_id)
    assert match is not None
    return since_last_turn(connection, match, notice.player_id, notice.ply)
