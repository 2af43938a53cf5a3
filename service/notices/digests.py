"""The digest: one mail a day, at a local hour, with what a player would have been mailed at once.

Notices wait until the first such hour after their writing. The first that is due then gathers the
others of the player that are due as well. Where all are about one match they are sent, and merged,
as they would be at once (``service.notices.merging``); otherwise a notice of the kind ``digest``
covers all of them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from service.events import gate
from service.kinds import where
from service.notices.decisions import Cover, Decision, Send, Wait
from service.payloads import Gathered, Place
from service.players.local_time import next_at
from service.players.preferences import Preferences, effective
from service.store import covering, mails, matches
from service.store.covering import ByNotice
from service.store.outbox import NewNotice, Notice

MERGED: Final = where(in_digest=True)
"""The kinds of notices that a digest tells in place of their own mails. The others are kept by
players, or answered, and wait for the hour of the digest alone.
"""
MOST_MATCHES: Final = 20
"""A digest tells of so many matches; the rest is told by the next one, which follows at once."""


def decide(connection: Connection, notice: Notice, player_id: str, wanted: Preferences, now: datetime) -> Decision:
    """What becomes of a notice to a player who wants a digest."""
    due = _due(notice, wanted)
    if now < due:
        return Wait(due)
    if notice.kind not in MERGED:
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
    waiting = [
        other for other in mails.waiting(connection, player_id, MERGED, notice.leased_by, now) if other.id != notice.id
    ]
    wanted = {
        match_id: effective(connection, player_id, match_id)
        for match_id in {other.match_id for other in waiting if other.match_id is not None}
    }
    due = [
        other
        for other in waiting
        if other.match_id in wanted
        and wanted[other.match_id].mails == "digest"
        and other.kind not in wanted[other.match_id].without
        and (other.kind != "chat" or wanted[other.match_id].chat)
        and _due(other, wanted[other.match_id]) <= now
    ]
    # The match of the notice itself is told in any case, even of many.
    return [notice, *sorted(due, key=lambda other: (other.created_at, other.id))]


def _place(connection: Connection, match_id: str) -> Place:
    match = matches.find(connection, match_id)
    return Place(match_id, 0 if match is None else match.ply)


def _due(notice: Notice, wanted: Preferences) -> datetime:
    return next_at(notice.created_at, wanted.digest_hour, wanted.time_zone)
