"""Orders that wait for their player's word: held by a mail, and done by a button on a page or by a
mail that says ``yes`` (``service.inbox.releasing``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.record import read_action
from service.context import Issuing, Submitting
from service.errors import Conflict, NotFound
from service.matches import replays
from service.matches.access import Seated, existing
from service.players.types import Player
from service.store import held, matches, players
from service.store.held import HeldKind, HeldOrder, HeldReason
from service.store.matches import StoredMatch
from service.texts import gettext as _
from service.turns.freshness import check_fresh

ORDER_ID_LENGTH: Final = 20


@dataclass(frozen=True, slots=True)
class Order:
    """An order with what it is about: ``lines`` are its actions as notation."""

    order: HeldOrder
    match: StoredMatch
    game: AnyGame
    player: Player | None
    lines: tuple[str, ...]


def hold(
    connection: Connection,
    context: Issuing,
    kind: HeldKind,
    reason: HeldReason,
    match: StoredMatch,
    seat: int,
    ply: int,
    document: Mapping[str, Any] | None = None,
    in_reply_to: str | None = None,
) -> HeldOrder:
    """Adds an order of that seat, in the caller's transaction."""
    order = HeldOrder(
        id=context.entropy.token(ORDER_ID_LENGTH),
        kind=kind,
        reason=reason,
        match_id=match.id,
        seat=seat,
        player_id=match.seats[seat].player_id,
        ply=ply,
        document=document or {},
        in_reply_to=in_reply_to,
        created_at=context.clock(),
    )
    held.add(connection, order)
    return order


def waiting(context: Submitting, order_id: str) -> Order:
    """The order, if it can still be done. Raises ``NotFound``, ``Conflict`` (``order_used``), and
    what ``check_fresh`` raises for a turn.
    """
    with context.database.read() as connection:
        order = held.find(connection, order_id)
        if order is None:
            raise NotFound(_("There is no such order. Copy the whole link from the mail."), "order_not_found")
        match = existing(matches.find(connection, order.match_id), order.match_id)
        player = None if order.player_id is None else players.find(connection, order.player_id)
    if order.used_at is not None:
        raise Conflict(_("This has been done already: the link works once."), "order_used")
    game = replays.game_of(match)
    if order.kind == "turn":
        check_fresh(context, Seated(match, game, order.seat), order.ply)
    return Order(order, match, game, player, lines_of(game, order))


def lines_of(game: AnyGame, order: HeldOrder) -> tuple[str, ...]:
    """The actions of an order, as notation."""
    return tuple(game.format(read_action(game, order.seat, document)) for document in order.document.get("actions", ()))


def using(context: Issuing, order: HeldOrder) -> Callable[[Connection], object]:
    """What records, in a transaction, that an order was done or dropped."""
    return lambda connection: held.use(connection, order.id, context.clock())
