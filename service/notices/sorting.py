"""Decides about notices that are due, in the transaction that leases them, before any attempt:
which are sent, which wait, which are covered, and which are told by a later one.

1. Who wants no more mail from here gets none, and what is held by a limit (``service.events.gate``)
   waits.
2. Mails that somebody asked for are sent: to sign in, answers, those that are sent again.
3. What has nothing to tell any more is covered, by the column ``covered_when`` of its kind.
4. The preferences of the player for the match cover a notice, or have it wait for the digest: one
   mail a day, at a local hour, with what the player would have been mailed at once.

Of the notices of one player and match that no attempt has been made for, the latest tells
everything since the first: it is sent now, even where it was to wait, and the others are superseded
by it. So turns in quick succession are one mail, and nobody waits longer for being quick. A verdict
that refuses something is told by a later verdict only. The answer to a mail (lane ``FIRST``) is
never merged, and neither are mails to somebody who wants single ones.

The first notice that is due for a digest gathers the others of the player that are due as well.
Where all are about one match they are sent, and merged, as they would be at once; otherwise a
notice of the kind ``digest`` covers all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from sqlalchemy import Connection, select

from service import addresses
from service.events import gate
from service.kinds import FIRST, MAILINGS, where
from service.loop import isolated
from service.notices import material
from service.notices.material import since_last_turn
from service.payloads import AGAIN, TOLD_SINCE, TURNS, Gathered, Place, TurnJudged, read_as
from service.players.local_time import next_at
from service.players.preferences import Preferences, effective
from service.store import covering, mails, matches, outbox, players
from service.store.covering import Because, ByNotice, Reason
from service.store.outbox import NewNotice, Notice
from service.store.tables import matches as match_table
from service.store.tables import seats


def sort_out(connection: Connection, found: Sequence[Notice], now: datetime) -> tuple[tuple[Notice, ...], int]:
    """Sorts the notices ``found``, which are due and locked by this transaction. Returns those to
    send, in order and with what their mails tell besides, and how many were covered.
    """
    covered, due = 0, list[Notice]()
    for notice in found:
        match decide(connection, notice, now):
            case Send():
                due.append(notice)
            case Wait(until):
                outbox.wait(connection, notice.id, until)
            case Cover(reason):
                covered += covering.cover(connection, [notice.id], reason)
    merged, superseded = _merged(connection, due, now)
    send, told_already = material.complete(connection, merged)
    return send, covered + superseded + told_already


def _merged(connection: Connection, due: Sequence[Notice], now: datetime) -> tuple[Sequence[Notice], int]:
    """The notices that are left of those to send, and how many are superseded."""
    pairs = {pair for notice in due if (pair := _pair(notice)) is not None}
    pairs = {pair for pair in pairs if _wants_merged(effective(connection, *pair))}
    if not pairs:
        return due, 0
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
    return tuple(send.values()), len(covered)


def _is_sent(connection: Connection, notice: Notice, now: datetime) -> bool:
    """Whether another notice would be sent; one that cannot be sorted is left to itself."""
    return isinstance(isolated(connection, lambda: decide(connection, notice, now)), Send)


def _wants_merged(wanted: Preferences) -> bool:
    return wanted.merged or wanted.mails == "digest"


def _pair(notice: Notice) -> tuple[str, str] | None:
    """The player and match of a notice that may be merged."""
    if notice.kind not in where(merges=True) or notice.lane == FIRST or notice.attempts or notice.channel != "mail":
        return None
    return None if notice.player_id is None or notice.match_id is None else (notice.player_id, notice.match_id)


def _groups(notices: Iterable[Notice]) -> list[list[Notice]]:
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


MOST_MATCHES: Final = 20
"""A digest tells of so many matches; the rest is told by the next one, which follows at once."""


@dataclass(frozen=True, slots=True)
class Send:
    """The notice is sent now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The notice is not due before ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Cover:
    """The notice is not sent."""

    reason: Reason


Decision: TypeAlias = Send | Wait | Cover


def decide(connection: Connection, notice: Notice, now: datetime) -> Decision:
    """What becomes of a notice that is due at ``now``."""
    if _is_forbidden(connection, notice):
        return Cover(Because.NEVER)
    if notice.held_until is not None and now < notice.held_until:
        return Wait(notice.held_until)
    if notice.player_id is None:
        return Send()
    player = players.find(connection, notice.player_id)
    if player is not None and (player.owner_id is not None or player.is_guest or player.left_at is not None):
        return Cover(Because.NOBODY)  # a bot, a guest or somebody who has left has no mailbox
    if player is not None and player.suspended_at is not None and notice.kind not in where(stopped_by="nothing"):
        return Cover(Because.SUSPENDED)
    if notice.lane == FIRST or AGAIN in notice.payload or _is_sent_anyway(notice):
        return Send()
    return _by_preference(connection, notice, notice.player_id, now)


def _by_preference(connection: Connection, notice: Notice, player_id: str, now: datetime) -> Decision:
    row, wanted = MAILINGS[notice.kind], effective(connection, player_id, notice.match_id)
    if row.covered_when == "played" and not _still_awaited(connection, notice):
        return Cover(Because.PLAYED)
    if row.covered_when != "said" and _is_blocked(connection, notice, player_id):
        return Cover(Because.BLOCKED)
    if row.stopped_by == "chat" and not wanted.chat:
        return Cover(Because.CHAT)
    if row.covered_when == "said" and (told := material.told_already(connection, notice)) is not None:
        return Cover(told)
    if wanted.mails == "off":
        return Cover(Because.OFF)
    if notice.kind in wanted.without:
        return Cover(Because.WITHOUT)
    if row.covered_when == "started" and "match_started" not in wanted.without:
        start = mails.written_beside(connection, notice, "match_started")
        if start is not None:  # its mail is that of the player's first turn, too
            return Cover(ByNotice(start))
    if wanted.mails == "digest":
        return _by_digest(connection, notice, player_id, wanted, now)
    return Send()


def _is_sent_anyway(notice: Notice) -> bool:
    """Whether a notice is sent whatever its player wants; one of an unknown kind is given up by
    whoever composes it.
    """
    return notice.kind not in MAILINGS or MAILINGS[notice.kind].stopped_by in ("nothing", "digest")


def _is_forbidden(connection: Connection, notice: Notice) -> bool:
    """Whether the owner of an address that may be nobody's here wants no more mail."""
    if notice.player_id is not None and notice.kind not in where(to_strangers=True):
        return False
    player = None if notice.player_id is None else players.find(connection, notice.player_id)
    address = notice.address or (None if player is None else player.email)
    return address is not None and players.is_mail_forbidden(connection, addresses.folded(address))


def _still_awaited(connection: Connection, notice: Notice) -> bool:
    """Whether the match of a reminder still waits for what it reminds of."""
    mine = (seats.c.match_id == notice.match_id) & (seats.c.player_id == notice.player_id) & seats.c.to_act
    at = select(match_table.c.ply).join(seats, seats.c.match_id == match_table.c.id).where(mine)
    return bool(connection.execute(at).scalar() == notice.ply)


def _is_blocked(connection: Connection, notice: Notice, player_id: str) -> bool:
    """Whether the player has blocked whoever caused it; of what is said only theirs is left out."""
    return notice.sender_id is not None and notice.sender_id in players.ids_blocked_by(connection, player_id)


def _by_digest(connection: Connection, notice: Notice, player_id: str, wanted: Preferences, now: datetime) -> Decision:
    """What becomes of a notice to a player who wants a digest."""
    due = _due(notice, wanted)
    if now < due:
        return Wait(due)
    if not MAILINGS[notice.kind].in_digest:
        return Send()
    row = mails.find(connection, notice.id)
    if row is not None and row.covered_by is not None:  # by one that was asked about before
        return Cover(row.covered_by)
    gathered = _gathered(connection, notice, player_id, now)
    of_matches = dict.fromkeys(other.match_id for other in gathered if other.match_id is not None)
    if len(of_matches) <= 1:
        return Send()
    told = tuple(of_matches)[:MOST_MATCHES]
    payload = Gathered(tuple(_place(connection, match_id) for match_id in told))
    digest_id = gate.write(connection, [NewNotice("digest", player_id, None, payload)], now)[0]
    reason = ByNotice(digest_id)
    covering.cover(connection, [other.id for other in gathered if other.match_id in told], reason)
    return Cover(reason)


def _gathered(connection: Connection, notice: Notice, player_id: str, now: datetime) -> list[Notice]:
    """The notice, and the others to the player that a digest at ``now`` tells, oldest first."""
    found = mails.waiting(connection, player_id, where(in_digest=True), notice.leased_by, now)
    waiting = [other for other in found if other.id != notice.id]
    of_matches = {other.match_id for other in waiting if other.match_id is not None}
    wanted = {match_id: effective(connection, player_id, match_id) for match_id in of_matches}
    due = [
        other
        for other in waiting
        if (wants := wanted.get(other.match_id or "")) is not None
        and wants.mails == "digest"
        and other.kind not in wants.without
        and (MAILINGS[other.kind].stopped_by != "chat" or wants.chat)
        and _due(other, wants) <= now
    ]
    # The match of the notice itself is told in any case, even of many.
    return [notice, *sorted(due, key=lambda other: (other.created_at, other.id))]


def _place(connection: Connection, match_id: str) -> Place:
    match = matches.find(connection, match_id)
    return Place(match_id, 0 if match is None else match.ply)


def _due(notice: Notice, wanted: Preferences) -> datetime:
    return next_at(notice.created_at, wanted.digest_hour, wanted.time_zone)
