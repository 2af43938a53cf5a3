"""The chat of a match, and what each player notes on it, for themselves alone.

Only the players of the match read its chat, spectators never, and nobody reads what a player said
whom they have blocked. Nothing that was said is changed, but for what the host removes
(``service.matches.reporting``).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from sqlalchemy import Connection

from engine.documents import About
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, UnknownCursor
from service.events.gate import tell
from service.matches.access import seat_in
from service.payloads import AboutSeat, LineSaid
from service.players import guests
from service.players.admission import admitted
from service.store import chat as rows
from service.store import mails, matches, players, quotas
from service.store.chat import Line, Note
from service.store.events import News
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.players import Player
from service.texts import gettext as _

LONGEST_TEXT: Final = 500
LONGEST_NOTE: Final = 4000
MOST_LINES: Final = 300
QUOTA: Final = "chat"
PATIENCE: Final = timedelta(minutes=15)
"""How long what is said waits for another mail about the match to tell it."""
_JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Invisible, but part of emoji and of words in several scripts."""
_UNSEEN: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Said:
    """Something that a player of a match said."""

    number: Annotated[int, About("Counts what was said in the match, from 1.", minimum=1)]
    seat: Annotated[int, About("The seat of who said it.")]
    player: Annotated[str, About("The name of who said it.")]
    you: Annotated[bool, About("True if you said it.")]
    at: Annotated[datetime, About("When it was said.")]
    text: Annotated[str, About("What was said: one line of plain text.")]


def say(context: Context, player: Player, match_id: str, text: str) -> Said:
    """Adds a line to the chat, which the others are told by mail. Raises ``NotFound``,
    ``Forbidden`` (``not_seated``), ``Conflict`` (``match_cancelled``), ``Invalid``, and ``TooMany``
    after ``MOST_LINES`` a day in all matches. Mails are limited when they come in.
    """
    read = read_text(text)
    with context.database.write() as connection:
        said = add(connection, context, player, match_id, read)
        count(connection, player, context.clock())
    context.queue.wake_notices()
    return said


def count(connection: Connection, player: Player, now: datetime) -> None:
    """Counts a line of the player's. Raises ``TooMany`` after ``MOST_LINES`` a day."""
    sentence = _("You have said {most} things today, which is the maximum. Go on tomorrow (UTC).")
    quotas.spend(connection, QUOTA, player.id, MOST_LINES, now, sentence)


def add(connection: Connection, context: Context, player: Player, match_id: str, text: str) -> Said:
    """The same in the caller's transaction, for what ``read_text`` gave; the caller wakes who
    delivers notices.
    """
    guests.check_account(player)
    match = admitted(connection, matches.lock(connection, match_id), match_id, player)
    seat = seat_of(match, player)
    if match.status == "cancelled" and match.started_at is None:
        raise Conflict(_("The match was cancelled: nobody would read this."), "match_cancelled")
    now = context.clock()
    number = rows.add(connection, match_id, seat, player.id, text, now)
    told = mails.awaiting(connection, match_id, "chat", player.id) | {player.id}
    others = [each for each in match.seats if each.player_id is not None and each.player_id not in told]
    notices = tuple(  # of what another mail about the match does not tell before
        NewNotice(
            "chat", each.player_id, match_id, AboutSeat(each.seat), not_before=now + PATIENCE, sender_id=player.id
        )
        for each in others
    )
    news = News(match_id, "chat", "seats", seat=seat, ply=match.ply, payload=LineSaid(number), notices=notices)
    tell(connection, [news], now)
    return Said(number, seat, player.name, True, now, text)


def heard(context: Context, player: Player, match_id: str, after: int, limit: int) -> tuple[Said, ...]:
    """At most ``limit`` lines with a number above ``after``, in order, without those of players
    whom the player has blocked. Raises ``NotFound``, ``Forbidden``, ``UnknownCursor``.
    """
    with context.database.read() as connection:
        seat_of(admitted(connection, matches.find(connection, match_id), match_id, player), player)
        if after > rows.latest(connection, match_id):
            raise UnknownCursor(after)
        lines = rows.lines(connection, match_id, after, limit, without=players.ids_blocked_by(connection, player.id))
    return tuple(
        Said(line.number, line.seat, line.name, line.player_id == player.id, line.at, line.text) for line in lines
    )


def hears(connection: Connection, match_id: str, player_id: str) -> bool:
    """Whether the player has a seat in the match, so that mails tell them what is said."""
    match = matches.find(connection, match_id)
    return match is not None and match.seat_of(player_id) is not None


def unheard(connection: Connection, match_id: str, player_id: str, after: int, up_to: int) -> tuple[Line, ...]:
    """The lines above ``after`` up to ``up_to`` of others whom the player has not blocked."""
    others = players.ids_blocked_by(connection, player_id) | {player_id}
    return rows.lines(connection, match_id, after, up_to - after, up_to, without=others)


def read_text(text: str, pointer: str = "/text") -> str:
    """What somebody says, as one line with single blanks. Raises ``Invalid`` at ``pointer``."""
    said = " ".join(text.split())
    if not 1 <= len(said) <= LONGEST_TEXT:
        sentence = _("What you say has 1 to {longest} characters, not {number}.")
        raise Invalid(((pointer, sentence.format(longest=LONGEST_TEXT, number=len(said))),))
    unseen = ("Cc", "Cf", "Cs", "Co", "Cn")
    if any(unicodedata.category(each) in unseen and each not in _JOINERS for each in said):
        raise Invalid(((pointer, _("What you say has no control characters and no invisible ones.")),))
    return said


def seat_of(match: StoredMatch, player: Player) -> int:
    """The seat of a player of the match. Raises ``Forbidden`` (``not_seated``) for anybody else."""
    seat = match.seat_of(player.id)
    if seat is None:
        raise Forbidden(_("Only the players of the match read and write its chat."), "not_seated")
    return seat


def noted(context: Context, player: Player, match_id: str) -> Note:
    """What the player has noted on a match. Raises ``NotFound`` and ``Forbidden``."""
    with context.database.read() as connection:
        seat_in(admitted(connection, matches.find(connection, match_id), match_id, player), player)
        return rows.find_note(connection, match_id, player.id)


def note(context: Context, player: Player, match_id: str, text: str) -> Note:
    """Replaces what the player has noted; an empty text deletes it. Raises ``Invalid``, as
    ``noted``.
    """
    read = read_note(text)
    with context.database.write() as connection:
        seat_in(admitted(connection, matches.find(connection, match_id), match_id, player), player)
        rows.put_note(connection, match_id, player.id, read, context.clock())
        return rows.find_note(connection, match_id, player.id)


def read_note(text: str, pointer: str = "/text") -> str:
    """A note, of any number of lines. Raises ``Invalid`` at ``pointer``."""
    read = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").strip()
    if len(read) > LONGEST_NOTE:
        sentence = _("A note has at most {longest} characters, not {number}.")
        raise Invalid(((pointer, sentence.format(longest=LONGEST_NOTE, number=len(read))),))
    if _UNSEEN.search(read):
        raise Invalid(((pointer, _("A note has no control characters but line breaks.")),))
    return read
