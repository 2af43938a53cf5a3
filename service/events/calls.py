"""Says which webhooks are told of events, in the transaction that causes them.

An address is told once of an event, by one row of the outbox, however many have entered it. What is
told is that somebody is awaited, that time is nearly up, and that a match starts or ends; what
follows within ``MERGED`` is told together (``service.webhooks.merging``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.kinds import EventKind, NoticeKind
from service.payloads import AtWebhook
from service.store import outbox, webhooks
from service.store.events import News
from service.store.outbox import NewNotice, Passed
from service.store.webhooks import EnteredWebhook

TOLD: Final[Mapping[EventKind, NoticeKind]] = {
    "match_started": "match_started",
    "turn_awaited": "your_turn",
    "reminder": "reminder",
    "match_over": "match_over",
}
"""The kinds of events that are told to webhooks, each by notices of this kind."""
MERGED: Final = timedelta(seconds=30)


def tell(connection: Connection, news: Sequence[News], ids: Sequence[str], now: datetime) -> None:
    """Writes the notices to webhooks of events with these ids."""
    told = [(new, event_id) for new, event_id in zip(news, ids, strict=True) if new.kind in TOLD]
    entered = webhooks.entered(connection, {new.match_id for new, _ in told})
    if entered:
        outbox.add_all(connection, list(_passed(told, entered, now)), now)


def _passed(told: Sequence[tuple[News, str]], entered: Sequence[EnteredWebhook], now: datetime) -> Iterator[Passed]:
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
