"""Writes events, and the notices that tell of them, in the transaction that causes them. It is the
only way into the outbox, so that no kind of notices goes around it.

A notice that follows from play or time, or that its recipient asked for, passes as it is: no limit
loses a turn. One that another player causes is not told to whoever has blocked that player. An
invitation beyond the limits is refused to its sender; what goes beyond the other limits is held
until the next day (UTC) and told then, unless it is settled meanwhile, or not told where that day
is full, too. What is not delivered, because of a block, a preference or a later mail that tells it,
counts for its sender only.

Webhooks are told of events, too: an address once of each, by one row of the outbox, however many
have entered it. What follows within ``MERGED`` is told together (``service.webhooks.delivery``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.addresses import folded
from service.errors import Conflict, TooMany
from service.house import bot_level
from service.kinds import MAILINGS, EventKind, NoticeKind
from service.payloads import AboutWebhook, AtWebhook
from service.store import events, outbox, players, quotas, webhooks
from service.store.covering import Because
from service.store.events import News
from service.store.outbox import Caused, NewNotice, Passed
from service.store.webhooks import EnteredWebhook, Webhook
from service.texts import gettext as _

BY_ONE: Final = 12
"""So many mails a day at most does one player cause to another."""
INVITATIONS_TO_ONE: Final = 3
"""So many invitations a day are told to one person, by all together; and one player invites one
person so often, told or not.
"""
INVITATIONS_BY_ONE: Final = 10
"""So many invitations a day does one player write, told or not."""
TOLD: Final[Mapping[EventKind, NoticeKind]] = {
    "match_started": "match_started",
    "turn_awaited": "your_turn",
    "reminder": "reminder",
    "match_over": "match_over",
}
"""The kinds of events that are told to webhooks, each by notices of this kind."""
MERGED: Final = timedelta(seconds=30)


def tell(connection: Connection, news: Sequence[News], now: datetime) -> None:
    """Writes events and their notices, except those for bots. Call it once in a transaction, with
    the matches locked, as rows of players are locked by it. Raises as ``write``.
    """
    news = [new for new in news if bot_level(new.player_id) is None]
    ids = events.add_all(connection, news, now)
    told = [
        replace(notice, event_id=event_id) for new, event_id in zip(news, ids, strict=True) for notice in new.notices
    ]
    write(connection, told, now)
    _call(connection, news, ids, now)


def ping(connection: Connection, webhook: Webhook, now: datetime) -> None:
    """Writes that a webhook is to be called, without an event, as its player has asked for it."""
    pinged = NewNotice("webhook", None, webhook.match_id, AboutWebhook(webhook.id), webhook.url, channel="webhook")
    outbox.add_all(connection, [Passed(pinged, webhook.player_id)], now)


def write(connection: Connection, notices: Sequence[NewNotice], now: datetime) -> tuple[str, ...]:
    """Writes notices, except those for bots, to whom nothing is told. Returns their ids.

    Call it once in a transaction, after matches and players are locked. Raises ``TooMany``
    (``too_many_invitations``), or ``Conflict`` (``mail_unwanted``) where the owner of an invited
    address, who is no player, wants no mail from here; then the transaction has to be rolled back.
    ``ValueError``: a notice has a sender and its kind has none, or the other way round.
    ``TypeError``: its payload is that of another kind.
    """
    notices = [new for new in notices if bot_level(new.player_id) is None]
    for new in notices:
        _check(new)
    caused = [new for new in notices if new.sender_id is not None]
    if not caused:
        return outbox.add_all(connection, [Passed(new) for new in notices], now)
    recipients = sorted({_recipient(new) for new in caused})
    for recipient in recipients:
        quotas.lock(connection, "told", recipient, now)
    blocked = players.blocked_pairs(connection, recipients)
    known = list(outbox.caused_since(connection, recipients, quotas.day_begin(now)))
    passed = list[Passed]()
    for new in notices:
        if new.sender_id is None:
            passed.append(Passed(new))
            continue
        if MAILINGS[new.kind].invites:
            _check_invitation(connection, new, new.sender_id, known, now)
        passed.append(_passed(new, new.sender_id, known, blocked, now))
        known.append(_counted(passed[-1], new.sender_id, now))
    _count_invitations(connection, caused, now)
    return outbox.add_all(connection, passed, now)


def _call(connection: Connection, news: Sequence[News], ids: Sequence[str], now: datetime) -> None:
    """Writes the notices to webhooks of events with these ids."""
    told = [(new, event_id) for new, event_id in zip(news, ids, strict=True) if new.kind in TOLD]
    entered = webhooks.entered(connection, {new.match_id for new, _ in told})
    if entered:
        outbox.add_all(connection, list(_calls(told, entered, now)), now)


def _calls(told: Sequence[tuple[News, str]], entered: Sequence[EnteredWebhook], now: datetime) -> Iterator[Passed]:
    for new, event_id in told:
        by_url = dict[str, EnteredWebhook]()
        for each in entered:
            if each.match_id == new.match_id and _concerns(new, each):
                by_url.setdefault(each.url, each)
        for url, first in by_url.items():
            payload, kind = AtWebhook(new.seat, new.ply or 0), TOLD[new.kind]
            notice = NewNotice(
                kind, None, new.match_id, payload, url, not_before=now + MERGED, event_id=event_id, channel="webhook"
            )
            yield Passed(notice, first.player_id)


def _concerns(new: News, webhook: EnteredWebhook) -> bool:
    """Whether a webhook is told of an event of its match: a player's own of what concerns them."""
    return not webhook.own or new.player_id in (None, webhook.player_id)


def _check(new: NewNotice) -> None:
    wanted, payload = MAILINGS[new.kind].sent_by, MAILINGS[new.kind].payload
    if not isinstance(new.payload, payload):
        raise TypeError(f"A notice {new.kind} has the payload {payload.__name__}, not {new.payload!r}.")
    if (wanted == "player" and new.sender_id is None) or (wanted == "nobody" and new.sender_id is not None):
        raise ValueError(f"A notice {new.kind} is caused by {wanted}, not by {new.sender_id!r}.")


def _recipient(new: NewNotice) -> str:
    return new.player_id or folded(new.address or "")


def _passed(
    new: NewNotice, sender_id: str, known: Sequence[Caused], blocked: Collection[tuple[str, str]], now: datetime
) -> Passed:
    recipient, tomorrow = _recipient(new), quotas.day_after(now)
    if (recipient, sender_id) in blocked:
        return Passed(new, recipient, covered_by=Because.BLOCKED)
    if not _is_full(new, known, now):
        return Passed(new, recipient)
    if not _is_full(new, known, tomorrow):
        return Passed(new, recipient, held_until=tomorrow)
    return Passed(new, recipient, covered_by=Because.LIMITED)


def _is_full(new: NewNotice, known: Sequence[Caused], at: datetime) -> bool:
    """Whether nothing more like this may be told to its recipient on that day."""
    day, a_day = quotas.day_of(at), MAILINGS[new.kind].a_day
    told = [each for each in known if each.told and each.recipient == _recipient(new) and quotas.day_of(each.at) == day]
    alike = sum((each.kind, each.match_id) == (new.kind, new.match_id) for each in told)
    return (a_day is not None and alike >= a_day) or sum(each.sender_id == new.sender_id for each in told) >= BY_ONE


def _counted(passed: Passed, sender_id: str, now: datetime) -> Caused:
    new = passed.notice
    at, told = passed.held_until or now, passed.covered_by is None
    return Caused(_recipient(new), sender_id, new.kind, new.match_id, at, told)


def _check_invitation(
    connection: Connection, new: NewNotice, sender_id: str, known: Sequence[Caused], now: datetime
) -> None:
    if new.player_id is None and players.is_mail_forbidden(connection, _recipient(new)):
        sentence = _("The owner of {address} wants no mail from here. Leave that seat open, or invite others.")
        raise Conflict(sentence.format(address=new.typed), "mail_unwanted")
    earlier = [each for each in known if each.recipient == _recipient(new) and MAILINGS[each.kind].invites]
    if sum(each.sender_id == sender_id for each in earlier) >= INVITATIONS_TO_ONE:
        sentence = _(
            "You have invited {address} {most} times today, which is the most. Leave that seat open, or invite them"
            " again tomorrow (UTC)."
        )
        raise _too_many(sentence.format(address=new.typed, most=INVITATIONS_TO_ONE), now)
    if sum(each.told for each in earlier) >= INVITATIONS_TO_ONE:
        sentence = _(
            "{most} invitations to {address} were written today, which is the most for one person. Leave that seat"
            " open, or invite them tomorrow (UTC)."
        )
        raise _too_many(sentence.format(address=new.typed, most=INVITATIONS_TO_ONE), now)


def _count_invitations(connection: Connection, caused: Sequence[NewNotice], now: datetime) -> None:
    """Counts the invitations of each sender."""
    senders = [new.sender_id for new in caused if new.sender_id is not None and MAILINGS[new.kind].invites]
    for sender_id in sorted(set(senders)):
        if not quotas.take(connection, "inviting", sender_id, INVITATIONS_BY_ONE, now, senders.count(sender_id)):
            sentence = _(
                "You may send {most} invitations a day, and these would be more. Leave the seats open, and tell your"
                " friends where they are; or invite them tomorrow (UTC)."
            )
            raise _too_many(sentence.format(most=INVITATIONS_BY_ONE), now)


def _too_many(sentence: str, now: datetime) -> TooMany:
    return TooMany(sentence, quotas.seconds_left(now), "too_many_invitations")
