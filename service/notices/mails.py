"""What became of the mails of a player, in words, and sending one of them again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias

from engine.documents import About
from service.context import Context
from service.errors import Conflict, NotFound
from service.ids import ID_PATTERN
from service.kinds import NoticeKind, where
from service.payloads import AddressChanged, OneTimeToken
from service.store import mails as rows
from service.store import quotas
from service.store.covering import Because, ByAnswer, ByNotice
from service.store.outbox import Notice
from service.store.players import Player
from service.texts import gettext as _

MOST_AGAIN: Final = 5
"""So many mails a day are sent again to one player."""
QUOTA: Final = "mail_again"
ONE_TIME: Final = (*where(payload=OneTimeToken), *where(payload=AddressChanged))
"""The kinds of mails whose token is not kept once they are sent."""
_REPLY: Final = re.compile(r"refused: (\d{3} .+)\Z", re.DOTALL)
"""What the mail server answered, at the end of an error that also names the server."""

MailStatus: TypeAlias = Literal["queued", "held", "deferred", "handed_over", "bounced", "given_up", "covered"]


@dataclass(frozen=True, slots=True)
class MailToPlayer:
    """A mail to a player, and what became of it."""

    id: Annotated[str, About("The id of the mail.", pattern=ID_PATTERN)]
    kind: Annotated[NoticeKind, About("What it tells of.", example="your_turn")]
    match: Annotated[str | None, About("The match that it is about.")]
    status: Annotated[
        MailStatus,
        About(
            "`queued`: it is sent next; `held`: it is kept until later, for instance for a digest; `deferred`: it could"
            " not be sent, and is tried again; `handed_over`: the next mail server has it; `bounced`: it came back;"
            " `given_up`: it could not be sent; `covered`: it is told otherwise, or you want no such mail."
        ),
    ]
    reason: Annotated[str, About("The status in words.")]
    written_at: Annotated[datetime, About("When that happened of which it tells.")]
    due_at: Annotated[datetime | None, About("When it is sent, or tried again; `null` unless it waits.")]
    handed_over_at: Annotated[datetime | None, About("When the next mail server took it; `null` until then.")]
    told_by: Annotated[str | None, About("The id of the mail that tells it instead.")]


def mails_of(context: Context, player: Player, limit: int, after: str | None) -> tuple[MailToPlayer, ...]:
    """At most ``limit`` mails, newest first, after that of an id. Raises ``UnknownCursor``."""
    with context.database.read() as connection:
        found = rows.of_player(connection, player.id, limit, after)
    return tuple(_shown(written, context.clock()) for written in found)


def send_again(context: Context, player: Player, mail_id: str) -> MailToPlayer:
    """Sends a mail of the player again, whatever became of it and whatever they want to be mailed.

    Raises ``NotFound`` (``mail_not_found``) and ``Conflict``: ``mail_waits`` where it is not sent
    yet, ``mail_not_kept`` for one with a token; ``TooMany`` after ``MOST_AGAIN`` a day.
    """
    now = context.clock()
    with context.database.write() as connection:
        written = rows.lock(connection, player.id, mail_id)
        if written is None:
            raise NotFound(_("You were written no mail {mail}.").format(mail=mail_id), "mail_not_found")
        if written.kind in ONE_TIME:
            sentence = _("This mail had a link that works once and is not kept: it cannot be sent again.")
            raise Conflict(sentence, "mail_not_kept")
        if written.status == "pending":
            raise Conflict(_("This mail has not been sent yet: it waits."), "mail_waits")
        sentence = _("You were sent {most} mails again today, which is the maximum. Ask again tomorrow (UTC).")
        quotas.spend(connection, QUOTA, player.id, MOST_AGAIN, now, sentence)
        rows.send_again(connection, mail_id, written.payload, now)
        again = rows.find(connection, mail_id)
    assert again is not None
    context.queue.wake_notices()
    return _shown(again, now)


def _shown(written: Notice, now: datetime) -> MailToPlayer:
    status, *reasons = _became(written, now)
    not_before, by = written.not_before or written.next_attempt_at, written.covered_by
    return MailToPlayer(
        id=written.id,
        kind=written.kind,
        match=written.match_id,
        status=status,
        reason=" ".join(filter(None, reasons)),
        written_at=written.created_at,
        due_at=max(written.next_attempt_at, not_before) if written.status == "pending" else None,
        handed_over_at=written.sent_at,
        told_by=by.notice_id if isinstance(by, ByNotice) else written.superseded_by,
    )


def _became(written: Notice, now: datetime) -> tuple[MailStatus, str, str]:
    """What became of a mail, in words, and what a server said to that."""
    match written.status:
        case "pending" if written.not_before is not None and written.not_before > now:
            return "held", _("It is kept until it is due."), ""
        case "pending" if written.last_error:
            return "deferred", _("It could not be sent yet, and is tried again."), _refusal(written.last_error)
        case "pending":
            return "queued", _("It is sent next."), ""
        case "sent" if written.bounced_at is not None:
            return "bounced", _("It came back."), written.bounce_reason or ""
        case "sent":
            return "handed_over", _("The next mail server has accepted it."), ""
        case "covered":
            return "covered", _covered(written), ""
        case "dead":
            return "given_up", _("It could not be sent."), _refusal(written.last_error or "")


def _refusal(error: str) -> str:
    """What the mail server said, without its name; other errors are for the operator's log."""
    said = _REPLY.search(error)
    return _("The mail server said: {reply}").format(reply=said[1]) if said else ""


def _covered(written: Notice) -> str:
    if written.superseded_by is not None:
        return _("A later mail tells it.")
    match written.covered_by:
        case ByAnswer():
            return _("You were told it as the answer to your request.")
        case ByNotice() | None:
            return _("Another mail tells it.")
        case Because.OFF:
            return _("You want no mails.")
        case Because.WITHOUT:
            return _("You want no mails of this kind.")
        case Because.CHAT:
            return _("You want no mails of what is said.")
        case Because.BLOCKED:
            return _("You have blocked the player who caused it.")
        case Because.NOBODY:
            return _("You have no mailbox.")
        case Because.NEVER:
            return _("Your address wanted no more mails.")
        case Because.HANDED_OVER:
            return _("You have no seat in the match any more.")
        case Because.LIMITED:
            return _("One player may cause only so many mails to you in a day, and had caused them.")
        case Because.SETTLED:
            return _("The offer that it tells of was settled before, or withdrawn.")
        case Because.PLAYED:
            return _("The turn that it reminds of was played.")
        case Because.SUSPENDED:
            return _("You were suspended when it was due.")
        case Because.SWITCHED_OFF:
            return _("The webhook was switched off.")
