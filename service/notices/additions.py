"""What a mail tells besides what its notice is about: what was said in the match since the last
mail, and what the player has noted. It is decided once, and kept in the notice, so that a mail that
is repeated is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection

from service.kinds import where
from service.matches import chat
from service.payloads import ADDED, Gathered, read_as
from service.players import preferences
from service.players.preferences import Preferences
from service.store import chat as chat_rows
from service.store import covering, outbox
from service.store.chat import Line, Told
from service.store.covering import Because, ByNotice, Reason
from service.store.outbox import Notice


@dataclass(frozen=True, slots=True)
class Added:
    """What a mail tells besides: ``said`` in its match, or by match in a digest; ``note`` of the
    player; ``text_only``: without HTML and pictures.
    """

    said: tuple[Line, ...] = ()
    said_in: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    note: str = ""
    text_only: bool = False


NOTHING: Final = Added()


def complete(connection: Connection, notices: Sequence[Notice]) -> tuple[tuple[Notice, ...], int]:
    """Adds to notices that are going to be sent what their mails tell besides, where that was not
    decided before. One of what was said is covered where another of them tells it. Returns those to
    be sent, and how many were covered.
    """
    send, covered = list[Notice](), 0
    for notice in notices:
        if notice.player_id is None or ADDED in notice.payload:
            send.append(notice)
            continue
        wanted = preferences.effective(connection, notice.player_id, notice.match_id)
        added = _additions(connection, notice, notice.player_id, wanted)
        if notice.kind in where(covered_when="said") and "chat" not in added:
            reason = told_already(connection, notice) or Because.BLOCKED
            covered += covering.cover(connection, [notice.id], reason)
        elif added:
            send.append(replace(notice, payload={**notice.payload, ADDED: added}))
            outbox.set_payload(connection, notice.id, send[-1].payload)
        else:
            send.append(notice)
    return tuple(send), covered


def told_already(connection: Connection, notice: Notice) -> Reason | None:
    """Why a notice of what was said need not be sent: the reason to cover it; ``None`` where there
    is something to tell.
    """
    if ADDED in notice.payload or notice.match_id is None or notice.player_id is None:
        return None
    told = chat_rows.lock_told(connection, notice.match_id, notice.player_id)
    latest = chat_rows.latest(connection, notice.match_id)
    if chat.unheard(connection, notice.match_id, notice.player_id, told.number, latest):
        return None
    return ByNotice(told.notice_id) if told.number else Because.BLOCKED


def _additions(connection: Connection, notice: Notice, player_id: str, wanted: Preferences) -> dict[str, Any]:
    added: dict[str, Any] = {"text_only": True} if wanted.text_only else {}
    if notice.kind == "digest":
        places = [place.match for place in read_as(Gathered, notice.payload).matches]
        wants = [match_id for match_id in places if preferences.effective(connection, player_id, match_id).chat]
        told = {match_id: _told_by(connection, notice, match_id, player_id) for match_id in wants}
        said = {match_id: lines for match_id, lines in told.items() if lines is not None}
        return added | ({"chats": said} if said else {})
    if notice.match_id is None:
        return added
    if notice.kind in where(tells_chat=True) and wanted.chat:
        lines = _told_by(connection, notice, notice.match_id, player_id)
        added |= {} if lines is None else {"chat": lines}
    if notice.kind in where(tells_note=True) and (
        note := chat_rows.find_note(connection, notice.match_id, player_id).text
    ):
        added["note"] = note
    return added


def _told_by(connection: Connection, notice: Notice, match_id: str, player_id: str) -> list[int] | None:
    """The numbers after which and up to which the mail of a notice tells what was said, which are
    recorded; ``None`` where there is nothing to tell.
    """
    latest = chat_rows.latest(connection, match_id)
    if latest == 0:
        return None
    told = chat_rows.lock_told(connection, match_id, player_id)
    if latest == told.number or not chat.unheard(connection, match_id, player_id, told.number, latest):
        return None
    chat_rows.tell(connection, match_id, player_id, Told(latest, notice.id))
    return [told.number, latest]


def added_to(connection: Connection, notice: Notice) -> Added:
    """What the mail of a notice tells besides."""
    kept: Mapping[str, Any] = notice.payload.get(ADDED, {})
    said: tuple[Line, ...] = ()
    said_in: dict[str, tuple[Line, ...]] = {}
    if notice.player_id is not None:
        if notice.match_id is not None and "chat" in kept:
            said = chat.unheard(connection, notice.match_id, notice.player_id, *kept["chat"])
        for match_id, (after, up_to) in kept.get("chats", {}).items():
            said_in[match_id] = chat.unheard(connection, match_id, notice.player_id, after, up_to)
    return Added(said, said_in, kept.get("note", ""), kept.get("text_only", False))
