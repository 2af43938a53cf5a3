"""What players do with webhooks. That of a match can be removed by everybody who has a seat in it;
its address, which may hold a secret, is shown in full only to the player who entered it.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection

from service.context import Context
from service.errors import Conflict, Forbidden, NotFound
from service.events import gate
from service.players import guests
from service.players.admission import admitted
from service.players.suspending import check_here
from service.store import matches, quotas
from service.store import webhooks as rows
from service.store.players import Player
from service.store.webhooks import Webhook, WebhookFormat
from service.texts import gettext as _
from service.webhooks.bodies import SECRET_PREFIX
from service.webhooks.targets import read_target

MOST_OWN: Final = 5
MOST_OF_MATCH: Final = 3
MOST_PINGS: Final = 30
"""A day."""
ID_LENGTH: Final = 12
SECRET_BYTES: Final = 32
SECRETS_OVERLAP: Final = timedelta(hours=24)
"""For so long after a secret was renewed the one before signs, too."""


def enter(context: Context, player: Player, style: WebhookFormat, url: str, match_id: str | None = None) -> Webhook:
    """Enters a webhook of the player, or of a match in which the player has a seat.

    Raises ``Invalid``, ``NotFound``, ``Forbidden`` (``not_seated``) and ``Conflict``
    (``too_many_webhooks``).
    """
    guests.check_account(player)
    target = read_target(url)
    webhook = Webhook(
        id=context.entropy.token(ID_LENGTH),
        player_id=player.id,
        match_id=match_id,
        format=style,
        url=target.url,
        secret=_secret(context),
        created_at=context.clock(),
    )
    with context.database.write() as connection:
        if match_id is None:
            own = [each for each in rows.of_player(connection, player.id) if each.match_id is None]
            _check_number(len(own), MOST_OWN)
        else:
            _check_seated(connection, player, match_id, lock=True)
            _check_number(len(rows.of_match(connection, match_id)), MOST_OF_MATCH)
        check_here(connection, player)
        rows.add(connection, webhook)
    return webhook


def of_player(context: Context, player: Player) -> tuple[Webhook, ...]:
    """The webhooks that the player has entered, also for matches, oldest first."""
    with context.database.read() as connection:
        return rows.of_player(connection, player.id)


def of_match(context: Context, player: Player, match_id: str) -> tuple[Webhook, ...]:
    """The webhooks of a match in which the player has a seat. Raises ``NotFound`` and ``Forbidden``
    (``not_seated``).
    """
    with context.database.read() as connection:
        _check_seated(connection, player, match_id)
        return rows.of_match(connection, match_id)


def change(
    context: Context, player: Player, webhook_id: str, url: str | None, style: WebhookFormat | None, on: bool | None
) -> Webhook:
    """Changes address or format, and switches a webhook on again, or off. One with a new address is
    on. Raises ``NotFound`` and ``Invalid``.
    """
    target = None if url is None else read_target(url)
    with context.database.write() as connection:
        webhook = _own(connection, player, webhook_id)
        values: dict[str, Any] = {} if style is None else {"format": style}
        if on is False:
            values["off_at"] = context.clock()
        elif on or (target is not None and target.url != webhook.url):
            values |= dict.fromkeys(("off_at", "failing_since", "last_error", "last_error_at"))
        if target is not None:
            values["url"] = target.url
        if values:
            rows.change(connection, webhook_id, values)
        return replace(webhook, **values)


def renew_secret(context: Context, player: Player, webhook_id: str) -> Webhook:
    """Gives a webhook another secret; that before signs, too, for ``SECRETS_OVERLAP``. Raises
    ``NotFound``.
    """
    with context.database.write() as connection:
        webhook = _own(connection, player, webhook_id)
        renewed: dict[str, Any] = {
            "secret": _secret(context),
            "secret_before": webhook.secret,
            "renewed_at": context.clock(),
        }
        rows.change(connection, webhook_id, renewed)
        return replace(webhook, **renewed)


def ping(context: Context, player: Player, webhook_id: str) -> Webhook:
    """Has a webhook called soon, to try it: what came of it is then shown with it. Raises
    ``NotFound``, ``Conflict`` (``webhook_off``), and ``TooMany`` after ``MOST_PINGS`` a day.
    """
    with context.database.write() as connection:
        webhook, now = _own(connection, player, webhook_id), context.clock()
        if webhook.off_at is not None:
            raise Conflict(_("This webhook is switched off. Switch it on first."), "webhook_off")
        sentence = _("You have tried webhooks {most} times today, which is the most. Go on tomorrow (UTC).")
        quotas.spend(connection, "pings", player.id, MOST_PINGS, now, sentence)
        gate.ping(connection, webhook, now)
    return webhook


def remove(context: Context, player: Player, webhook_id: str) -> None:
    """Removes a webhook of the player's. Raises ``NotFound``."""
    with context.database.write() as connection:
        _own(connection, player, webhook_id)
        rows.remove(connection, webhook_id)


def remove_from(context: Context, player: Player, match_id: str, webhook_id: str) -> None:
    """Removes a webhook of a match in which the player has a seat, whoever has entered it. Raises
    ``NotFound`` and ``Forbidden`` (``not_seated``).
    """
    with context.database.write() as connection:
        _check_seated(connection, player, match_id)
        webhook = rows.find(connection, webhook_id, lock=True)
        if webhook is None or webhook.match_id != match_id:
            raise _unknown(webhook_id)
        rows.remove(connection, webhook_id)


def _own(connection: Connection, player: Player, webhook_id: str) -> Webhook:
    webhook = rows.find(connection, webhook_id, lock=True)
    if webhook is None or webhook.player_id != player.id:
        raise _unknown(webhook_id)
    return webhook


def _unknown(webhook_id: str) -> NotFound:
    return NotFound(_("There is no webhook {id} here.").format(id=webhook_id), "webhook_not_found")


def _check_seated(connection: Connection, player: Player, match_id: str, lock: bool = False) -> None:
    match = admitted(connection, (matches.lock if lock else matches.find)(connection, match_id), match_id, player)
    if match.seat_of(player.id) is None:
        raise Forbidden(_("Only the players of the match see and change its webhooks."), "not_seated")


def _check_number(number: int, most: int) -> None:
    if number >= most:
        sentence = _("There are {most} webhooks here, which is the most. Remove one first.")
        raise Conflict(sentence.format(most=most), "too_many_webhooks")


def _secret(context: Context) -> str:
    return SECRET_PREFIX + base64.b64encode(context.entropy.random_bytes(SECRET_BYTES)).decode()
