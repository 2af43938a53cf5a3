"""Decides, when a notice is due, whether it is sent, waits, or is covered.

Asked in the transaction that leases the notice, before any attempt begins, so that whatever a
player wants holds for notices that wait already, too.

1. Who wants no more mail from here gets none, and what is held by a limit (``service.events.gate``)
   waits.
2. Mails that somebody asked for are sent: to sign in, answers to their own mails, those that are
   sent again.
3. The preferences of the player, for the match (``service.players.preferences``), cover a notice,
   or have it wait for the digest (``service.notices.digests``).
4. The first turn of a match is told by the mail of its start, to whoever wants that.
5. What was said in a match is not told twice (``service.notices.additions``).
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from service.kinds import FIRST, MAILINGS
from service.notices import additions, digests
from service.notices.decisions import Cover, Decision, Send, Wait
from service.payloads import AGAIN
from service.players import addresses
from service.players.preferences import Preferences, effective
from service.store import blocks, mails, never, players
from service.store.covering import Because, ByNotice
from service.store.outbox import Notice
from service.store.tables import matches, seats

__all__ = ["Cover", "Decision", "Send", "Wait", "sift"]


def sift(connection: Connection, notice: Notice, now: datetime) -> Decision:
    """What becomes of a notice that is due at ``now``."""
    if _is_forbidden(connection, notice):
        return Cover(Because.NEVER)
    if notice.held_until is not None and now < notice.held_until:
        return Wait(notice.held_until)
    if notice.player_id is None:
        return Send()
    if notice.lane == FIRST or AGAIN in notice.payload or _is_sent_anyway(notice):
        return Send()
    return _by_preference(connection, notice, notice.player_id, now)


def _by_preference(connection: Connection, notice: Notice, player_id: str, now: datetime) -> Decision:
    wanted = effective(connection, player_id, notice.match_id)
    if notice.kind == "reminder" and not _still_awaited(connection, notice):
        return Cover(Because.PLAYED)
    if notice.kind != "chat" and _is_blocked(connection, notice, player_id):
        return Cover(Because.BLOCKED)
    if notice.kind == "chat":
        if not wanted.chat:
            return Cover(Because.CHAT)
        if (told := additions.told_already(connection, notice)) is not None:
            return Cover(told)
    if wanted.mails == "off":
        return Cover(Because.OFF)
    if notice.kind in wanted.without:
        return Cover(Because.WITHOUT)
    if notice.kind == "your_turn" and (start := _start_that_tells(connection, notice, wanted)) is not None:
        return Cover(ByNotice(start))
    if wanted.mails == "digest":
        return digests.decide(connection, notice, player_id, wanted, now)
    return Send()


def _is_sent_anyway(notice: Notice) -> bool:
    """Whether a notice is sent whatever its player wants: a digest is of what they want, and one of
    a kind that is not known is given up by whoever composes it.
    """
    return notice.kind not in MAILINGS or MAILINGS[notice.kind].stopped_by in ("nothing", "digest")


def _is_forbidden(connection: Connection, notice: Notice) -> bool:
    """Whether the address of somebody who is no player yet wants no more mail."""
    if notice.player_id is None:
        return notice.address is not None and never.is_forbidden(connection, addresses.folded(notice.address))
    if notice.kind != "confirm_address":
        return False
    player = players.find(connection, notice.player_id)
    return player is not None and player.confirmed_at is None and never.is_forbidden(connection, player.email)


def _start_that_tells(connection: Connection, notice: Notice, wanted: Preferences) -> str | None:
    """The notice of the start of a match, whose mail is that of the player's first turn, too."""
    if "match_started" in wanted.without:
        return None
    return mails.written_beside(connection, notice, "match_started")


def _still_awaited(connection: Connection, notice: Notice) -> bool:
    """Whether the match of a reminder still waits for what it reminds of."""
    mine = (seats.c.match_id == notice.match_id) & (seats.c.player_id == notice.player_id) & seats.c.to_act
    at = select(matches.c.ply).join(seats, seats.c.match_id == matches.c.id).where(mine)
    return bool(connection.execute(at).scalar() == notice.ply)


def _is_blocked(connection: Connection, notice: Notice, player_id: str) -> bool:
    """Whether the player has blocked whoever caused it; of what is said only theirs is left out."""
    return notice.sender_id is not None and blocks.has_blocked(connection, player_id, notice.sender_id)
