"""Answers to mails that came in: one to each, and at most ``MOST_ANSWERS`` an hour to one address.

The key of the mail is stored in the transaction that writes its answer, so a mail that comes again
is answered once. Two robots that answer each other stop soon (RFC 3834, section 2): after three
mails in a row that cannot be read, further such mails are not answered for a day. What was done is
told always: beyond the limit by one answer for all that was done in a quarter of an hour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, TypeAlias, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from engine.game import AnyGame
from service.addresses import folded
from service.context import Context
from service.errors import ServiceError
from service.events import gate
from service.inbox.mail import Mail, Result, handled
from service.inbox.words import Word, nearest_words
from service.mail_words import ACTING
from service.matches import replays
from service.payloads import MailAnswered, Show, read_as, written
from service.store import messages, outbox
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.players import Player
from service.store.questions import HeldOrder
from service.texts import gettext as _

MOST_ANSWERS: Final = 20
PERIOD: Final = timedelta(hours=1)
MERGED_FOR: Final = timedelta(minutes=15)
MOST_UNREAD: Final = 3
UNREAD: Final = ("empty", "outsider", "stranger", "unread")
"""What mails did that say nothing that can be read."""
UNREAD_FOR: Final = timedelta(days=1)
LONGEST_REFERENCES: Final = 10
LONGEST_SHOWN: Final = 100
"""Characters that are quoted of a line that could not be read."""

Item = TypeVar("Item")
Effect: TypeAlias = Callable[[Connection], object]
_log = structlog.get_logger("service.inbox")


@dataclass(frozen=True, slots=True)
class MailAnswer:
    """What an answer says: ``did`` is one word for logs; ``lines`` can be copied into a reply; with
    ``since`` it tells what happened from that ply on; ``rules`` names the game whose rules it has.

    ``asks`` adds the question that the answer asks; or it asks the one with the number
    ``question``. ``effects`` are carried out in the transaction that writes the answer, and so
    once; ``acted`` says that something may have been done before it. A silent answer is no mail of
    its own: what it does is one.
    """

    did: str
    headline: str
    says: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    shows: tuple[Show, ...] = ()
    since: int | None = None
    rules: str | None = None
    asks: Callable[[Connection], HeldOrder] | None = None
    question: int | None = None
    effects: tuple[Effect, ...] = ()
    acted: bool = False
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class Addressee:
    """Who is answered, and about what: at ``address``, or at the player's own where that is
    ``None``; ``counted`` is the address by which answers are counted. With a ``ply`` the answer
    shows the match as that seat may know it at that ply.
    """

    address: str | None
    counted: str
    player_id: str | None = None
    match_id: str | None = None
    seat: int | None = None
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class SeatReply:
    """A mail to the reply address of a seat, whose holder is ``player``. ``ply`` is the one that it
    answers, ``question`` the number of the question that was asked there. ``proven`` says that the
    player wrote it; otherwise anybody may have.
    """

    context: Context
    mail: Mail
    match: StoredMatch
    seat: int
    ply: int
    player: Player
    proven: bool
    question: int | None = None

    @property
    def game(self) -> AnyGame:
        """The game of the match."""
        return replays.game_of(self.match)

    @property
    def key(self) -> str:
        """The key of the mail, as one about this seat."""
        return self.mail.key(f"{self.match.id} {self.seat}")

    @property
    def addressee(self) -> Addressee:
        """The player, at the address written from, at their own where nobody proved that."""
        ply = None if self.match.started_at is None else self.match.ply
        written_to = self.mail.sender.address if self.proven else None
        return Addressee(written_to, self.player.email, self.player.id, self.match.id, self.seat, ply)

    def answer(self, answer: MailAnswer) -> Result:
        """Answers the mail; the answer shows the match as it is now."""
        return write(self.context, self.mail, self.key, self.addressee, answer)

    def done(self, did: str, effects: Sequence[Effect] = ()) -> Result:
        """Records that the mail was dealt with; its answer comes by another way."""
        return settle(self.context, self.key, self.addressee.counted, did, effects)


def author(mail: Mail, match_id: str | None = None) -> Addressee:
    """Whoever wrote a mail, at the address that it was written from."""
    sender = mail.sender
    return Addressee(sender.address, sender.folded, None if sender.player is None else sender.player.id, match_id)


def of_words(answers: Sequence[MailAnswer], words: Sequence[Word]) -> MailAnswer:
    """One answer to all those words: the headlines of the later ones are among its sentences."""
    first, *others = answers
    for other in others:
        first = replace(
            first,
            did=f"{first.did}+{other.did}",
            says=_each_once(first.says, (other.headline,), other.says),
            lines=(*first.lines, *other.lines),
            shows=_each_once(first.shows, other.shows),
            since=first.since if other.since is None else other.since,
            rules=first.rules or other.rules,
            asks=first.asks or other.asks,
            question=other.question if first.question is None else first.question,
            effects=(*first.effects, *other.effects),
            acted=first.acted or other.acted,
            is_silent=first.is_silent and other.is_silent,
        )
    return replace(first, acted=first.acted or any(word.name in ACTING for word in words))


def refused(error: ServiceError, headline: str = "") -> MailAnswer:
    """The answer to what a use case refuses."""
    return MailAnswer(error.code, headline or _("Nothing was done."), (str(error),))


def unread(line: str, shows: tuple[Show, ...]) -> MailAnswer:
    """The answer to a mail that cannot be read: it quotes a line, with the nearest words."""
    shown = line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 1]}…"
    says: tuple[str, ...] = (_("This is no move, and none of the words that can be read: {line}").format(line=shown),)
    if near := nearest_words(line):
        says = (*says, _("Did you mean one of these? Write it on a line of its own:"))
    return MailAnswer("unread", _("Nothing was done."), says, near, shows)


def write(context: Context, mail: Mail, key: str, to: Addressee, answer: MailAnswer) -> Result:
    """Answers a mail, unless it was dealt with before, or did nothing and its sender has had too
    many answers. Effects are carried out in any case.
    """

    def notice(connection: Connection) -> str:
        number = answer.question if answer.asks is None else answer.asks(connection).number
        now = context.clock()
        is_last = answer.did in UNREAD and _was_unread(connection, folded(to.counted), now, MOST_UNREAD - 1)
        content = MailAnswered(
            headline=answer.headline,
            says=(*answer.says, *([_last_words()] if is_last else [])),
            lines=answer.lines,
            shows=answer.shows,
            since=answer.since,
            rules=answer.rules,
            question=number,
            seat=to.seat,
            ply=to.ply,
            in_reply_to=mail.message_id or "",
            references=tuple(f"<{each}>" for each in mail.opened.references[-LONGEST_REFERENCES:]),
        )
        new = NewNotice("answer", to.player_id, to.match_id, content, to.address)
        if _had_many(connection, to.counted, now):
            waiting = messages.waiting_answer(connection, folded(to.counted), to.match_id, now)
            if waiting is not None:
                merged = _merged(read_as(MailAnswered, waiting.payload), content)
                outbox.set_payload(connection, waiting.id, {**waiting.payload, **written(merged)})
                return waiting.id
            new = replace(new, not_before=now + MERGED_FOR)
        return gate.write(connection, [new], now)[0]

    is_owed = answer.acted or bool(answer.effects) or answer.asks is not None
    is_reaction = "reaction" in mail.opened.notes and answer.did in UNREAD  # an emoji that asks for nothing
    told = None if answer.is_silent or is_reaction else notice
    return settle(context, key, to.counted, answer.did, answer.effects, told, is_owed)


def settle(
    context: Context,
    key: str,
    address: str,
    did: str,
    effects: Sequence[Effect] = (),
    notice: Callable[[Connection], str] | None = None,
    is_owed: bool = False,
) -> Result:
    """Records in one transaction that a mail was dealt with, carries out effects, and adds a notice
    that ``notice`` writes, if ``address`` may have one more, or is owed it. Also a mail that
    was dealt with before is handled.
    """
    to, now = folded(address), context.clock()
    try:
        with context.database.write() as connection:
            if messages.is_known(connection, key):
                return handled("again")
            many = _had_many(connection, to, now)
            silent = not is_owed and (many or (did in UNREAD and _was_unread(connection, to, now, MOST_UNREAD)))
            # First, so that another worker with the same mail waits here, and holds no other lock.
            messages.add_answered(connection, key, to, did, None, now)
            if notice is not None and not silent:
                messages.set_answer(connection, key, notice(connection))
            for effect in effects:
                effect(connection)
    except IntegrityError:
        with context.database.read() as connection:
            if messages.is_known(connection, key):  # another worker handled the same mail meanwhile
                return handled("again")
        raise
    if notice is not None and silent:
        _log.warning("message.unanswered", address=to, many=many)
        why = "Its sender has had too many answers in this hour."
        return Result("handled", did, why if many else "The mails before could not be read either.")
    context.queue.wake_notices()
    return handled(did)


def _had_many(connection: Connection, address: str, now: datetime) -> bool:
    return messages.answers_since(connection, folded(address), now - PERIOD) >= MOST_ANSWERS


def _was_unread(connection: Connection, to: str, now: datetime, number: int) -> bool:
    """Whether a sender's latest mails, so many that were answered or did something, could not be
    read.
    """
    latest = messages.latest_done(connection, to, UNREAD, number, now - UNREAD_FOR)
    return len(latest) == number and all(did in UNREAD for did in latest)


def _last_words() -> str:
    says = _("Your last {number} mails could not be read. Another one like them gets no answer for a day.")
    return says.format(number=MOST_UNREAD)


def _merged(before: MailAnswered, other: MailAnswered) -> MailAnswered:
    """The payload of an answer that tells what two would; a bare yes to it answers neither."""
    return replace(
        other,
        headline=before.headline,
        says=_each_once(before.says, (other.headline,), other.says),
        shows=_each_once(before.shows, other.shows),
        lines=_each_once(before.lines, other.lines),
        since=before.since if other.since is None else other.since,
        rules=other.rules or before.rules,
        question=None,
        seat=before.seat if other.seat is None else other.seat,
        ply=before.ply if other.ply is None else other.ply,
    )


def _each_once(*lists: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(chain(*lists)))
