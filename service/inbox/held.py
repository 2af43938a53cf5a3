"""Orders that wait for their player's word: held by a mail, and done by a button on a page or by a
mail that says yes to the question (``service.inbox.answering``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.record import read_action
from service.context import Context
from service.errors import Conflict, NotFound
from service.matches import replays
from service.matches.access import existing
from service.offers.consent import has_ground
from service.players.types import Player
from service.statuses import OrderKind
from service.store import matches, players, questions
from service.store.matches import StoredMatch
from service.store.questions import HeldOrder, HeldReason, QuestionStatus
from service.texts import gettext as _

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
    context: Context,
    kind: OrderKind,
    reason: HeldReason,
    match: StoredMatch,
    seat: int,
    ply: int,
    actions: Sequence[Mapping[str, Any]] = (),
    in_reply_to: str | None = None,
) -> HeldOrder:
    """Adds an order of that seat, in the caller's transaction. A player who is asked back about
    something else of the kind is asked about this instead.
    """
    now = context.clock()
    matches.lock(connection, match.id)
    if reason == "confirm":
        for each in questions.open_ones(connection, match.id):
            if isinstance(each, HeldOrder) and (each.seat, each.kind, each.reason) == (seat, kind, reason):
                settle(connection, context, each, "lapsed")
    order = HeldOrder(
        id=context.entropy.token(ORDER_ID_LENGTH),
        match_id=match.id,
        number=questions.next_number(connection, match.id),
        kind=kind,
        seat=seat,
        made_at=now,
        reason=reason,
        player_id=match.seats[seat].player_id,
        ply=ply,
        match_ply=match.ply,
        actions=tuple(actions),
        in_reply_to=in_reply_to,
    )
    questions.add(connection, order)
    return order


def settle(connection: Connection, context: Context, order: HeldOrder, status: QuestionStatus) -> None:
    """Records what has become of an order."""
    questions.write(connection, replace(order, status=status, settled_at=context.clock()))


def waiting(context: Context, order_id: str) -> Order:
    """The order, if it can still be done. Raises ``NotFound`` (``order_not_found``) or ``Conflict``
    (``order_used``, ``order_lapsed``).
    """
    with context.database.read() as connection:
        order = questions.find(connection, order_id)
        if not isinstance(order, HeldOrder):
            raise NotFound(_("There is no such order. Copy the whole link from the mail."), "order_not_found")
        match = existing(matches.find(connection, order.match_id), order.match_id)
        player = None if order.player_id is None else players.find(connection, order.player_id)
    if order.status in ("accepted", "declined"):
        raise Conflict(_("This has been done already: the link works once."), "order_used")
    if order.status != "open" or not has_ground(match, (), order, context.clock()):
        sentence = _("The match has moved on since that mail, or two days have passed: nothing is done by it any more.")
        raise Conflict(sentence, "order_lapsed")
    game = replays.game_of(match)
    return Order(order, match, game, player, lines_of(game, order))


def lines_of(game: AnyGame, order: HeldOrder) -> tuple[str, ...]:
    """The actions of an order, as notation."""
    return tuple(game.format(read_action(game, order.seat, document)) for document in order.actions)
