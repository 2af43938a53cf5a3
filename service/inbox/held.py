"""Orders that wait for their player's word: held by a mail, and done by a button on a page or by a
mail that says yes (``service.inbox.offer_words``): by the use case, keyed by their id, and so once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.play import read_action
from service.context import Context
from service.errors import Conflict, NotFound
from service.events import gate
from service.inbox import answers
from service.inbox.answers import MailAnswer, SeatReply
from service.inbox.mail import Result
from service.matches import lobby, replays
from service.matches.access import existing
from service.names import name_from
from service.offers.consent import has_ground
from service.payloads import OrderHeld
from service.players import accounts
from service.players.suspending import check_not_suspended
from service.statuses import OrderKind
from service.store import matches, players, questions
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.players import Player
from service.store.questions import HeldOrder, HeldReason, QuestionStatus
from service.texts import gettext as _
from service.turns.submit import submit
from service.turns.types import Turn

ORDER_ID_LENGTH: Final = 20
WAIT_SECONDS: Final = 10.0
"""How long a page waits for the verdict on its turn."""


@dataclass(frozen=True, slots=True)
class WaitingOrder:
    """An order that can be done, with what it is about: ``lines`` are its actions as notation."""

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


def holding(
    reply: SeatReply, kind: OrderKind, reason: HeldReason, actions: Sequence[Mapping[str, Any]] = ()
) -> Callable[[Connection], HeldOrder]:
    """What holds an order that a reply asks for, in the caller's transaction."""
    of = (kind, reason, reply.match, reply.seat, reply.ply, actions, reply.mail.message_id)
    return lambda connection: hold(connection, reply.context, *of)


def hold_unproven(reply: SeatReply, kind: OrderKind, actions: Sequence[Mapping[str, Any]] = ()) -> Result:
    """Holds what an unproven reply asks for, and asks the player by mail, never the sender."""
    return ask(reply, f"held_{kind}", holding(reply, kind, "unproven", actions))


def ask(reply: SeatReply, did: str, held: Callable[[Connection], HeldOrder]) -> Result:
    """Asks the player for a word about the order, which may have been held before."""

    def notice(connection: Connection) -> str:
        order = held(connection)
        lines = lines_of(reply.game, order) if order.kind == "turn" else ()
        payload = OrderHeld(order.id, order.kind, reply.seat, order.ply, lines, order.number)
        asked = NewNotice("unproven_turn", reply.player.id, reply.match.id, payload)
        return gate.write(connection, [asked], reply.context.clock())[0]

    return answers.settle(reply.context, reply.key, reply.player.email, did, (), notice)


def settle(connection: Connection, context: Context, order: HeldOrder, status: QuestionStatus) -> None:
    """Records what has become of an order."""
    questions.write(connection, replace(order, status=status, settled_at=context.clock()))


def waiting(context: Context, order_id: str) -> WaitingOrder:
    """The order, if it can still be done. Raises ``NotFound`` or ``Conflict``."""
    with context.database.read() as connection:
        order = questions.find(connection, order_id)
        if not isinstance(order, HeldOrder):
            raise NotFound(_("There is no such order. Copy the whole link from the mail."))
        match = existing(matches.find(connection, order.match_id), order.match_id)
        player = None if order.player_id is None else players.find(connection, order.player_id)
    if order.status in ("accepted", "declined"):
        raise Conflict(_("This has been done already: the link works once."))
    if order.status != "open" or not has_ground(match, (), order, context.clock()):
        sentence = _("The match has moved on since that mail, or two days have passed: nothing is done by it any more.")
        raise Conflict(sentence)
    game = replays.game_of(match)
    return WaitingOrder(order, match, game, player, lines_of(game, order))


def lines_of(game: AnyGame, order: HeldOrder) -> tuple[str, ...]:
    """The actions of an order, as notation."""
    return tuple(game.format(read_action(game, order.seat, document)) for document in order.actions)


def carry_out(context: Context, found: WaitingOrder) -> MailAnswer:
    """Carries out an order. Returns what that has led to; raises what the use case raises."""
    order, player = found.order, found.player
    if player is not None:
        check_not_suspended(player)
    match order.kind:
        case "turn":
            assert player is not None
            done = _told(submit_turn(context, order, player, WAIT_SECONDS))
        case "resign":
            assert player is not None
            lobby.resign(context, player, order.match_id)
            done = MailAnswer("resigned", _("You have resigned from the match."))
        case "accept":
            accept_invitation(context, found.match, order.seat)
            done = MailAnswer("accepted", _("You have taken your seat. A mail comes when the match begins."))
        case "decline":
            decline_invitation(context, found.match, order.seat)
            done = MailAnswer("declined", _("You have declined the invitation."))
    with context.database.write() as connection:
        settle(connection, context, order, "accepted")
    return done


def key_of(order: HeldOrder) -> str:
    """The idempotency key of the turn of an order."""
    return f"order-{order.id}"


def submit_turn(
    context: Context, order: HeldOrder, player: Player, wait: float = 0, in_reply_to: str | None = None
) -> Turn:
    """Submits the turn of an order as its player's, and waits for the verdict for at most ``wait``
    seconds; ``in_reply_to`` is the mail that the verdict answers. Raises what ``submit`` raises.
    """
    return submit(
        context,
        player,
        order.match_id,
        order.seat,
        order.ply,
        actions=order.actions,
        idempotency_key=key_of(order),
        wait=wait,
        in_reply_to=in_reply_to,
        is_confirmed=True,
    )


def accept_invitation(
    context: Context, match: StoredMatch, seat: int, display_name: str = "", nonce: str | None = None
) -> Player:
    """Takes the seat for the player with the invited address, who is signed up where there is none:
    by ``display_name``, or a name made of the address. ``nonce`` is what they add to the draws.
    Accepting again changes nothing. Raises ``Conflict``, ``Forbidden`` or ``Invalid``.
    """
    lobby.check_nonce(nonce)
    address = _invited(match, seat)
    player = accounts.sign_up_proven(context, name_from(display_name, address), address)
    lobby.join(context, player, match.id, seat, nonce)
    return player


def decline_invitation(context: Context, match: StoredMatch, seat: int) -> None:
    """Declines the invitation to a seat, which is free for anybody then. Raises ``Conflict``."""
    lobby.decline(context, match.id, seat, _invited(match, seat))


def _invited(match: StoredMatch, seat: int) -> str:
    address = match.seats[seat].invited_email
    if address is None:
        raise Conflict(_("Nobody is invited to this seat any more."))
    return address


def _told(turn: Turn) -> MailAnswer:
    verdict = turn.verdict
    if verdict is None:
        return MailAnswer("turn", _("Your turn is being judged. The verdict comes by mail."))
    if verdict.violation is None:
        return MailAnswer("turn", _("Your turn was accepted."), verdict.entries)
    headlines = {
        "rejected": _("Your turn was refused. Nothing was changed."),
        "partly_accepted": _("Your turn was partly accepted."),
    }
    return MailAnswer("turn", headlines[verdict.status], (*verdict.entries, verdict.violation.message))
