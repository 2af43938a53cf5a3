"""What a mail tells besides what its notice is about: what was said in the match since the last
mail, and what the player has noted. It is decided once, and kept in the notice, so that a mail that
is repeated is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from service.matches import chat
from service.notices.decisions import Cover, Decision, Send
from service.players.preferences import Preferences
from service.store import chat as chat_rows
from service.store import notes, outbox
from service.store.chat import Line, Told
from service.store.mails import ADDED
from service.store.outbox import Notice

TELLING: Final = ("chat", "your_turn", "verdict", "match_started", "match_over", "answer")
"""The kinds of mails that tell what was said."""
NOTING: Final = ("your_turn",)


@dataclass(frozen=True, slots=True)
class Added:
    """What a mail tells besides: ``said`` in the match, ``note`` of the player; ``text_only``:
    without HTML and pictures.
    """

    said: tuple[Line, ...] = ()
    note: str = ""
    text_only: bool = False


def add(connection: Connection, notice: Notice, player_id: str, wanted: Preferences) -> Decision:
    """The decision about a notice that is sent: with what its mail tells besides. A notice of what
    was said is covered where another mail has told it.
    """
    if ADDED in notice.payload:
        return Send()
    added: dict[str, Any] = {"text_only": True} if wanted.text_only else {}
    if notice.match_id is not None and notice.kind in TELLING and wanted.chat:
        told = chat_rows.lock_told(connection, notice.match_id, player_id)
        latest = chat_rows.latest(connection, notice.match_id)
        if latest > told.number and chat.unheard(connection, notice.match_id, player_id, told.number, latest):
            chat_rows.tell(connection, notice.match_id, player_id, Told(latest, notice.id))
            added["chat"] = [told.number, latest]
        elif notice.kind == "chat":
            return Cover(f"notice:{told.notice_id}" if told.number else "preference:block")
    if notice.match_id is not None and notice.kind in NOTING:
        note = notes.find(connection, notice.match_id, player_id).text
        added |= {"note": note} if note else {}
    if not added:
        return Send()
    payload = {**notice.payload, ADDED: added}
    outbox.set_payload(connection, notice.id, payload)
    return Send(payload)


def added_to(connection: Connection, notice: Notice) -> Added:
    """What the mail of a notice tells besides."""
    kept: Mapping[str, Any] = notice.payload.get(ADDED, {})
    said: tuple[Line, ...] = ()
    if notice.match_id is not None and notice.player_id is not None and "chat" in kept:
        said = chat.unheard(connection, notice.match_id, notice.player_id, *kept["chat"])
    return Added(said, kept.get("note", ""), kept.get("text_only", False))
