"""Calls a webhook: reads what is to be told of a match now, and sends it to one checked address; in
a child process, as names may be resolved for ever and targets answer slowly.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final

from service.context import Context
from service.kinds import read_kind
from service.payloads import KINDS
from service.players import preferences
from service.store import webhooks as rows
from service.store.outbox import Notice
from service.store.webhooks import Webhook, WebhookFormat
from service.views import match as views
from service.webhooks.bodies import AwaitedSeat, CallContent, MatchTold, body_of, signature
from service.webhooks.owning import SECRETS_OVERLAP
from service.webhooks.targets import Unreachable, WebhookNetwork, WebhookTarget, addresses_of, read_target

SECONDS: Final = 5.0
"""To connect, and for each part of the head of the answer; nothing else of it is read."""
MOST_ADDRESSES: Final = 2


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What came of a call: ``error`` is a sentence for its player, empty where it was told;
    ``gone``: it is to be called no more.
    """

    error: str = ""
    gone: bool = False


def calling(context: Context, network: WebhookNetwork) -> Callable[[Notice], CallOutcome]:
    """What a child answers to a notice."""
    return partial(_tell, context, network)


def _tell(context: Context, network: WebhookNetwork, notice: Notice) -> CallOutcome:
    """Tells a notice to those webhooks of its address that it concerns, in the format of the
    first and signed for all of them. Raises what reading the match raises.
    """
    assert notice.address is not None
    with context.database.read() as connection:
        known = rows.told(connection, notice)
    if not known:
        return CallOutcome("The webhook was removed or switched off meanwhile.")
    style = known[0].format
    body = body_of(_told_of(context, notice, style), style)
    headers = {"Content-Type": "application/json", "User-Agent": "Overland"}
    if style == "json":
        headers |= _signed(context, known, notice.id, body)
    return call(network, read_target(notice.address), body, headers)


def _told_of(context: Context, notice: Notice, style: WebhookFormat) -> CallContent:
    """What a notice tells now: a match as every spectator may see it."""
    kinds = tuple(kind for each in (notice.kind, *notice.payload.get(KINDS, ())) if (kind := read_kind(each)))
    if notice.match_id is None or notice.kind == "webhook":
        return CallContent(("webhook",), context.clock())
    match = views.told(context, None, notice.match_id)
    awaited = [seat for seat in match.seats if seat.to_act]
    seats = tuple(
        AwaitedSeat(seat.seat, seat.player_name or "", seat.prompt, None if seat.clock is None else seat.clock.deadline)
        for seat in awaited
    )
    link = f"{context.settings.base_url.rstrip('/')}/matches/{match.id}"
    told = MatchTold(match.id, match.title, match.game, link, seats)
    players = {seat.seat: seat.player_id for seat in awaited if seat.player_id is not None}
    return CallContent(kinds, context.clock(), told, _mentions(context, players, style))


def call(network: WebhookNetwork, target: WebhookTarget, body: bytes, headers: Mapping[str, str]) -> CallOutcome:
    """Posts to a target, once; a redirect is not followed."""
    try:
        return _answered(network, target, _connected(network, target), body, headers)
    except Unreachable as error:
        return CallOutcome(str(error))
    except OSError as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        return CallOutcome(f"{target.place} could not be called: {reason}.")
    except (http.client.HTTPException, ValueError):  # they quote what was answered
        return CallOutcome(f"{target.place} could not be called: its answer cannot be read as HTTP.")


def _connected(network: WebhookNetwork, target: WebhookTarget) -> socket.socket:
    """A connection to the first address of a target that takes one. Raises ``Unreachable`` and
    ``OSError``.
    """
    *others, last = addresses_of(network, target)[:MOST_ADDRESSES]
    for address in others:
        with suppress(OSError):
            return network.connect((address, target.port), SECONDS)
    return network.connect((last, target.port), SECONDS)


def _answered(
    network: WebhookNetwork, target: WebhookTarget, plain: socket.socket, body: bytes, headers: Mapping[str, str]
) -> CallOutcome:
    """Raises ``OSError``, ``HTTPException`` or ``ValueError``."""
    with plain:
        connection = http.client.HTTPConnection(target.host, target.port)
        connection.sock = plain
        if target.scheme == "https":
            connection = http.client.HTTPSConnection(target.host, target.port, context=network.tls)
            connection.sock = network.tls.wrap_socket(plain, server_hostname=target.host)
        try:
            connection.request("POST", target.path, body, dict(headers) | {"Connection": "close"})
            answer = connection.getresponse()
        finally:
            connection.close()
    if 200 <= answer.status < 300:
        return CallOutcome()
    answered = f"{target.place} answered {answer.status}"
    if 300 <= answer.status < 400:
        return CallOutcome(f"{answered}: redirects are not followed; enter the address that it leads to.")
    return CallOutcome(f"{answered}.", gone=answer.status == HTTPStatus.GONE)


def _signed(context: Context, known: tuple[Webhook, ...], message_id: str, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks, signed with all valid secrets of these webhooks."""
    now = context.clock()
    secrets = [each.secret for each in known if each.format == "json"]
    renewed = [(each.secret_before, each.renewed_at) for each in known]
    secrets += [old for old, at in renewed if old is not None and at is not None and now < at + SECRETS_OVERLAP]
    sent = int(now.timestamp())
    signed = signature(secrets, message_id, sent, body)
    return {"webhook-id": message_id, "webhook-timestamp": str(sent), "webhook-signature": signed}


def _mentions(context: Context, players: Mapping[int, str], style: WebhookFormat) -> Mapping[int, str]:
    """The ids of those of these players who have named one in their preferences, by seat."""
    if style == "json":
        return {}
    with context.database.read() as connection:
        wanted = {player: preferences.effective(connection, player) for player in set(players.values())}
    named = {player: found.discord if style == "discord" else found.slack for player, found in wanted.items()}
    return {seat: name for seat, player in players.items() if (name := named[player]) is not None}
