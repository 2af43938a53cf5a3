"""What the operator does about a player: suspends them and lifts that, revokes tokens, signs out.
Each is noted in the audit log, and its player is mailed.

Somebody who is suspended can, with their bots, only take what is stored of them and leave: every
way in calls ``check_not_suspended`` (docs/decisions/0049-suspended-players.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from service.context import Context
from service.errors import Conflict, Forbidden, LetInNoMore
from service.events import gate
from service.payloads import HostActed
from service.statuses import HostAct
from service.store import audit, players, tokens
from service.store.audit import Operator
from service.store.outbox import NewNotice
from service.store.players import Player
from service.texts import gettext as _


def check_not_suspended(player: Player) -> None:
    """Raises ``Forbidden`` (``suspended``) for somebody who is suspended."""
    if player.suspended_at is not None:
        raise Forbidden(why_suspended(player), "suspended")


def why_suspended(player: Player) -> str:
    """The sentence for somebody who is suspended."""
    return _("The host of this service has suspended you: {reason}").format(reason=player.suspended_for or "")


def check_here(connection: Connection, player: Player) -> None:
    """Raises ``LetInNoMore`` for somebody who has left for good since the request was let in. They
    do not leave until the end of the transaction. Lock matches before.
    """
    if player.id not in players.lock_here(connection, [player.id]):
        raise LetInNoMore(_("You have left for good: sign up again."))


def suspend(context: Context, player: Player, by: Operator) -> None:
    """Suspends a player, with their bots. Raises ``Conflict``."""
    with _acting(context, player, "suspended", by) as (connection, found):
        if found.suspended_at is not None:
            raise Conflict(f"{player.name} is suspended already.")
        players.suspend(connection, player.id, context.clock(), by.reason)


def lift(context: Context, player: Player, by: Operator) -> None:
    """Ends the suspension of a player. Raises ``Conflict``."""
    with _acting(context, player, "lifted", by) as (connection, found):
        if found.suspended_at is None:
            raise Conflict(f"{player.name} is not suspended.")
        players.suspend(connection, player.id, None, None)


def revoke_tokens(context: Context, player: Player, by: Operator) -> None:
    """Revokes all tokens of a player, and of their bots."""
    with _acting(context, player, "tokens_revoked", by) as (connection, _found):
        tokens.revoke_since(connection, player.id, player.created_at, context.clock())


def sign_out(context: Context, player: Player, by: Operator) -> None:
    """Signs a player out of every browser."""
    with _acting(context, player, "signed_out", by) as (connection, _found):
        tokens.sign_out_since(connection, player.id, player.created_at)


def tell(connection: Connection, context: Context, player: Player, act: HostAct, by: Operator, about: str = "") -> None:
    """Notes an act in the audit log and has its player mailed. The caller wakes who mails."""
    now = context.clock()
    audit.note(connection, by, act, now, player.id, about)
    gate.write(connection, [NewNotice("from_host", player.id, None, HostActed(act, by.reason, about))], now)


@contextmanager
def _acting(context: Context, player: Player, act: HostAct, by: Operator) -> Iterator[tuple[Connection, Player]]:
    """A transaction with the player locked, and told of the act at its end. Raises ``Conflict``."""
    with context.database.write() as connection:
        players.lock_leaving(connection, player.id)
        found = players.find(connection, player.id)
        if found is None or found.left_at is not None:
            raise Conflict(f"{player.name} has left for good.")
        yield connection, found
        tell(connection, context, player, act, by)
    context.queue.wake_notices()
