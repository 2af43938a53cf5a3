"""Webhooks: addresses to which events are told by HTTP. One may have been entered by several
players, and for several matches: it is told once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, bindparam, delete, or_, select, update

from service.store.leasing import ERROR_LENGTH
from service.store.outbox import Notice
from service.store.players import with_bots
from service.store.statements import Prepared, Rows
from service.store.tables import players, seats, webhooks

WebhookFormat: TypeAlias = Literal["json", "discord", "slack"]


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that a player has entered, for a match, or for what concerns the player.
    ``secret`` signs what is told in the format ``json``, and ``secret_before``, too, for a while
    after it was renewed. ``failing_since`` is ``None`` where it was told last; ``off_at``: it is
    told nothing any more.
    """

    id: str
    player_id: str
    match_id: str | None
    format: WebhookFormat
    url: str
    secret: str
    created_at: datetime
    secret_before: str | None = None
    renewed_at: datetime | None = None
    told_at: datetime | None = None
    failing_since: datetime | None = None
    last_error: str | None = None
    last_error_at: datetime | None = None
    off_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EnteredWebhook:
    """A webhook that is told of a match in which its player has a seat: ``own``, of what concerns
    the player; otherwise of all that is told of the match.
    """

    match_id: str
    player_id: str
    url: str
    own: bool


_WEBHOOKS: Final = Rows(Webhook, webhooks)
add: Final = _WEBHOOKS.add
find: Final = _WEBHOOKS.by(webhooks.c.id)
_ORDER: Final = (webhooks.c.created_at, webhooks.c.id)
_ENTERED: Final = Prepared(
    select(seats.c.match_id.label("of_match"), webhooks.c.player_id, webhooks.c.url, webhooks.c.match_id)
    .join(webhooks, webhooks.c.player_id == seats.c.player_id)
    .join(players, players.c.id == webhooks.c.player_id)
    .where(
        players.c.suspended_at.is_(None),
        seats.c.match_id.in_(bindparam("ids", expanding=True)),
        or_(webhooks.c.match_id.is_(None), webhooks.c.match_id == seats.c.match_id),
        webhooks.c.off_at.is_(None),
    )
    .order_by(*_ORDER),
    "ids",
)


def entered(connection: Connection, match_ids: Collection[str]) -> tuple[EnteredWebhook, ...]:
    """The webhooks that may be told of these matches, those first that were entered first."""
    rows = _ENTERED.all(connection, {"ids": sorted(match_ids)}) if match_ids else ()
    return tuple(EnteredWebhook(row.of_match, row.player_id, row.url, row.match_id is None) for row in rows)


def of_player(connection: Connection, player_id: str) -> tuple[Webhook, ...]:
    """Those that a player has entered, also for matches, oldest first."""
    return _WEBHOOKS.all(connection, webhooks.c.player_id == player_id, order=_ORDER)


def of_match(connection: Connection, match_id: str) -> tuple[Webhook, ...]:
    """Those that were entered for a match, oldest first."""
    return _WEBHOOKS.all(connection, webhooks.c.match_id == match_id, order=_ORDER)


def at(connection: Connection, url: str, *which: ColumnElement[bool]) -> tuple[Webhook, ...]:
    """Those of an address that are on, oldest first: none of players who are suspended."""
    suspended = select(players.c.id).where(players.c.suspended_at.is_not(None))
    on = webhooks.c.url == url, webhooks.c.off_at.is_(None), webhooks.c.player_id.not_in(suspended)
    return _WEBHOOKS.all(connection, *on, *which, order=_ORDER)


def told(connection: Connection, notice: Notice) -> tuple[Webhook, ...]:
    """Those at its address that a notice is told to: their players sit in its match; or that which
    is tried.
    """
    assert notice.address is not None
    seated = webhooks.c.player_id.in_(select(seats.c.player_id).where(seats.c.match_id == notice.match_id))
    its = seated & or_(webhooks.c.match_id.is_(None), webhooks.c.match_id == notice.match_id)
    tried = notice.payload.get("webhook")
    return at(connection, notice.address, its if tried is None else webhooks.c.id == tried)


def change(connection: Connection, webhook_id: str, values: Mapping[str, Any]) -> None:
    connection.execute(update(webhooks).where(webhooks.c.id == webhook_id).values(**values))


def remove(connection: Connection, webhook_id: str) -> None:
    connection.execute(delete(webhooks).where(webhooks.c.id == webhook_id))


def note_told(connection: Connection, url: str, now: datetime) -> None:
    told = {"told_at": now, "failing_since": None, "last_error": None, "last_error_at": None}
    connection.execute(update(webhooks).where(webhooks.c.url == url, webhooks.c.off_at.is_(None)).values(told))


def note_failed(connection: Connection, url: str, error: str, now: datetime) -> Sequence[Webhook]:
    """Records that an address could not be told, and why. Returns its webhooks."""
    mine = webhooks.c.url == url, webhooks.c.off_at.is_(None)
    failed = {"last_error": error[:ERROR_LENGTH], "last_error_at": now}
    connection.execute(update(webhooks).where(*mine, webhooks.c.failing_since.is_(None)).values(failing_since=now))
    connection.execute(update(webhooks).where(*mine).values(failed))
    return at(connection, url)


def switch_off(connection: Connection, url: str, now: datetime) -> None:
    """Has an address told nothing any more."""
    connection.execute(update(webhooks).where(webhooks.c.url == url, webhooks.c.off_at.is_(None)).values(off_at=now))


def switch_off_of(connection: Connection, player_id: str, now: datetime) -> None:
    """Has all webhooks of a player, and of their bots, told nothing any more."""
    theirs = select(players.c.id).where(with_bots(player_id))
    mine = webhooks.c.player_id.in_(theirs) & webhooks.c.off_at.is_(None)
    connection.execute(update(webhooks).where(mine).values(off_at=now))
