"""Carries out orders that were held, once their player has said so.

An order is carried out by the use case that it is for, keyed by its id: said twice, it is done
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.context import Context
from service.inbox import held, invitations
from service.inbox.held import Order
from service.matches import lobby
from service.store.questions import HeldOrder
from service.texts import gettext as _
from service.turns.submit import submit
from service.turns.types import Turn

WAIT_SECONDS: Final = 10.0
"""How long a page waits for the verdict on its turn."""


@dataclass(frozen=True, slots=True)
class Done:
    """What carrying out an order has led to: a sentence, and what happened."""

    headline: str
    says: tuple[str, ...] = ()


def carry_out(context: Context, found: Order, wait: float = WAIT_SECONDS) -> Done:
    """Carries out an order. Raises what the use case that it is for raises."""
    order, player = found.order, found.player
    match order.kind:
        case "turn":
            done = _told(submit_turn(context, found, wait))
        case "resign":
            assert player is not None
            lobby.resign(context, player, order.match_id)
            done = Done(_("You have resigned from the match."))
        case "accept":
            invitations.accept(context, found.match, order.seat)
            done = Done(_("You have taken your seat. A mail comes when the match begins."))
        case "decline":
            invitations.decline(context, found.match, order.seat)
            done = Done(_("You have declined the invitation."))
    with context.database.write() as connection:
        held.settle(connection, context, order, "accepted")
    return done


def key_of(order: HeldOrder) -> str:
    """The idempotency key of the turn of an order."""
    return f"order-{order.id}"


def submit_turn(context: Context, found: Order, wait: float = 0, in_reply_to: str | None = None) -> Turn:
    """Submits the turn of an order as its player's, and waits for the verdict for at most ``wait``
    seconds; ``in_reply_to`` is the mail that the verdict answers. Raises what ``submit`` raises.
    """
    order = found.order
    assert found.player is not None
    return submit(
        context,
        found.player,
        order.match_id,
        order.seat,
        order.ply,
        actions=order.actions,
        idempotency_key=key_of(order),
        wait=wait,
        in_reply_to=in_reply_to,
    )


def _told(turn: Turn) -> Done:
    verdict = turn.verdict
    if verdict is None:
        return Done(_("Your turn is being judged. The verdict comes by mail."))
    if verdict.violation is not None:
        headlines = {
            "rejected": _("Your turn was refused. Nothing was changed."),
            "partly_accepted": _("Your turn was partly accepted."),
        }
        return Done(headlines[verdict.status], (*verdict.entries, verdict.violation.message))
    return Done(_("Your turn was accepted."), verdict.entries)
