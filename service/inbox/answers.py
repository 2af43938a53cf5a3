"""Answers to mails that came in: one to each, and at most ``MOST_ANSWERS`` an hour to one address.

The key of the mail is stored in the transaction that writes its answer. So a mail that arrives
twice, or is handled again after a crash, is answered once; and two robots that answer each other
stop soon (RFC 3834, section 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.context import Notifying
from service.events import gate
from service.inbox.mail import Mail
from service.inbox.results import Result, handled
from service.players.addresses import folded
from service.store import answered
from service.store.outbox import NewNotice

MOST_ANSWERS: Final = 20
PERIOD: Final = timedelta(hours=1)
LONGEST_REFERENCES: Final = 10

Show: TypeAlias = Literal["moves", "board", "help"]
Effect: TypeAlias = Callable[[Connection], object]
_log = structlog.get_logger("service.inbox")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer says: ``did`` is one word for logs; ``lines`` can be copied into a reply; with
    ``since`` it tells what happened from that ply on; ``rules`` names the game whose rules it has.

    ``effects`` are carried out in the transaction that writes the answer, and so once. A silent
    answer is no mail of its own: what it does is one.
    """

    did: str
    headline: str
    says: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    shows: tuple[Show, ...] = ()
    since: int | None = None
    rules: str | None = None
    effects: tuple[Effect, ...] = ()
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class To:
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


def joined(answers: Sequence[Answer]) -> Answer:
    """One answer that says all of that: the headlines of the later ones are among its sentences."""
    first, *others = answers
    for other in others:
        says = (*first.says, other.headline, *other.says)
        first = Answer(
            did=f"{first.did}+{other.did}",
            headline=first.headline,
            says=tuple(dict.fromkeys(says)),
            lines=(*first.lines, *other.lines),
            shows=tuple(dict.fromkeys((*first.shows, *other.shows))),
            since=first.since if other.since is None else other.since,
            rules=first.rules or other.rules,
            effects=(*first.effects, *other.effects),
            is_silent=first.is_silent and other.is_silent,
        )
    return first


def write(context: Notifying, mail: Mail, key: str, to: To, answer: Answer) -> Result:
    """Answers a mail, unless it was dealt with before or its sender has had too many answers; in
    that case its effects are carried out all the same.
    """

    def notice(connection: Connection) -> str:
        new = NewNotice("answer", to.player_id, to.match_id, payload(mail, to, answer), to.address)
        return gate.write(connection, [new], context.clock())[0]

    return settle(context, key, to.counted, answer.did, answer.effects, None if answer.is_silent else notice)


def settle(
    context: Notifying,
    key: str,
    address: str,
    did: str,
    effects: Sequence[Effect] = (),
    notice: Callable[[Connection], str] | None = None,
) -> Result:
    """Records in one transaction that a mail was dealt with, carries out effects, and adds a notice
    that ``notice`` writes, if ``address`` may have one more.

    Gives that the mail was handled, also where it was so before.
    """
    to, now = folded(address), context.clock()
    try:
        with context.database.write() as connection:
            if answered.is_known(connection, key):
                return handled("again")
            many = answered.answers_since(connection, to, now - PERIOD) >= MOST_ANSWERS
            # First, so that another worker with the same mail waits here, and holds no other lock.
            answered.add(connection, key, to, did, None, now)
            if notice is not None and not many:
                answered.set_answer(connection, key, notice(connection))
            for effect in effects:
                effect(connection)
    except IntegrityError:
        with context.database.read() as connection:
            if answered.is_known(connection, key):  # another worker handled the same mail meanwhile
                return handled("again")
        raise
    if notice is not None and many:
        _log.warning("message.unanswered", address=to, most=MOST_ANSWERS)
        return Result("handled", did, "Its sender has had too many answers in this hour.")
    context.queue.wake_notices()
    return handled(did)


def payload(mail: Mail, to: To, answer: Answer) -> dict[str, Any]:
    """The payload of the notice of an answer."""
    chosen = {
        "headline": answer.headline,
        "says": list(answer.says),
        "lines": list(answer.lines),
        "shows": list(answer.shows),
        "since": answer.since,
        "rules": answer.rules,
        "seat": to.seat,
        "ply": to.ply,
        "in_reply_to": mail.message_id,
        "references": [f"<{each}>" for each in mail.opened.references[-LONGEST_REFERENCES:]],
    }
    return {name: value for name, value in chosen.items() if value not in (None, [])}
