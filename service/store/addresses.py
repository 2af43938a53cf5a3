"""The mail addresses of players; what undoes their changes (a one-time token that was mailed to the
address before); and what came back from them.

``players.email`` is the primary one, folded. Several players may have added an address, of whom one
may have confirmed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Final

from sqlalchemy import ColumnElement, Connection, delete, select, update

from engine.documents import About
from service.ids import ID_PATTERN
from service.store import players as player_rows
from service.store.players import Player
from service.store.statements import Rows
from service.store.tables import address_confirmations, address_undos, outbox, player_addresses, players

RELEASED: Final = "@released.invalid"
"""The end of ``players.email`` of somebody who never confirmed an address that is another's now."""


@dataclass(frozen=True, slots=True)
class PlayerAddress:
    """An address of a player: as it was typed, and folded as addresses are compared.
    ``soft_bounces`` came back for a time since the last mail that did not; ``bounced_at``: they
    come back for good.
    """

    id: Annotated[str, About("The id of the address.", pattern=ID_PATTERN)]
    player_id: str
    address: Annotated[str, About("The address as it was typed.", example="Ada@home.example")]
    folded: str
    is_primary: Annotated[bool, About("Whether your mails go to it. One address is primary.")]
    added_at: Annotated[datetime, About("When it was added.")]
    confirmed_at: Annotated[
        datetime | None, About("When it was confirmed; `null` until then. From a confirmed address you may write.")
    ]
    soft_bounces: int = 0
    last_bounce_at: datetime | None = None
    bounced_at: Annotated[datetime | None, About("Since when mails to it come back; `null` while they do not.")] = None
    bounce_reason: Annotated[str | None, About("Why they come back, as its mail server says.")] = None


@dataclass(frozen=True, slots=True)
class AddressConfirmation:
    """A one-time token that was sent to an added address, stored as its hash."""

    token_hash: str
    address_id: str
    expires_at: datetime
    used_at: datetime | None
    as_primary: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """What gives a player back the ``address``, as it was typed, ``as_primary`` or not.
    ``disputed`` is the id of the address that was added or made primary instead; what was added,
    issued or signed in from ``since`` on goes with it.
    """

    token_hash: str
    player_id: str
    address: str
    as_primary: bool
    disputed: str | None
    since: datetime
    made_at: datetime
    used_at: datetime | None = None


_ADDRESSES: Final = Rows(PlayerAddress, player_addresses)
_CONFIRMATIONS: Final = Rows(AddressConfirmation, address_confirmations)
_UNDOS: Final = Rows(Undo, address_undos)
add: Final = _ADDRESSES.add
add_confirmation: Final = _CONFIRMATIONS.add
add_undo: Final = _UNDOS.add
find_undo: Final = _UNDOS.by(address_undos.c.token_hash)


def of_player(connection: Connection, player: Player) -> tuple[PlayerAddress, ...]:
    """The player's addresses, the primary first, then oldest first."""
    order = (player_addresses.c.is_primary.desc(), player_addresses.c.added_at, player_addresses.c.id)
    return _ADDRESSES.all(connection, player_addresses.c.player_id == player.id, order=order)


def confirmed(connection: Connection, player: Player) -> frozenset[str]:
    """The folded addresses that the player has confirmed, and the primary one in any case."""
    theirs = (player_addresses.c.player_id == player.id) & player_addresses.c.confirmed_at.is_not(None)
    return frozenset(connection.scalars(select(player_addresses.c.folded).where(theirs))) | {player.email}


def primary_of(connection: Connection, player: Player) -> str:
    """The address that mails to the player go to, as it was typed."""
    found = connection.scalar(select(player_addresses.c.address).where(*_primary(player.id)))
    return player.email if found is None else str(found)


def find(connection: Connection, player_id: str, address_id: str) -> PlayerAddress | None:
    """The player's address with that id, locked until the end of the transaction."""
    mine = player_addresses.c.player_id == player_id, player_addresses.c.id == address_id
    return _ADDRESSES.find(connection, *mine, lock=True)


def keep_primary(connection: Connection, address_id: str, player: Player, typed: str) -> None:
    """Keeps how the primary address was typed, of a player who has not confirmed it yet."""
    kept = update(player_addresses).where(*_primary(player.id)).values(address=typed)
    if connection.execute(kept).rowcount == 0:
        new = PlayerAddress(address_id, player.id, typed, player.email, True, player.created_at, player.confirmed_at)
        add(connection, new)


def confirm_primary(connection: Connection, player: Player, now: datetime) -> None:
    """Confirms the primary address. Raises ``IntegrityError`` where another player has done so."""
    unconfirmed = update(player_addresses).where(*_primary(player.id), player_addresses.c.confirmed_at.is_(None))
    connection.execute(unconfirmed.values(confirmed_at=now))


def confirm(connection: Connection, address: PlayerAddress, now: datetime) -> None:
    """Confirms an added address, which somebody who signed up with it and never confirmed it loses.
    Raises ``IntegrityError`` where another player has confirmed it.
    """
    squatters = select(players.c.id).where(
        players.c.email == address.folded, players.c.confirmed_at.is_(None), players.c.id != address.player_id
    )
    for player_id in connection.scalars(squatters).all():
        connection.execute(delete(player_addresses).where(player_addresses.c.player_id == player_id))
        connection.execute(update(players).where(players.c.id == player_id).values(email=player_id + RELEASED))
    connection.execute(update(player_addresses).where(player_addresses.c.id == address.id).values(confirmed_at=now))


def make_primary(connection: Connection, address: PlayerAddress) -> None:
    """Makes a confirmed address the one that mails go to."""
    own = player_addresses.c.player_id == address.player_id
    connection.execute(update(player_addresses).where(own).values(is_primary=False))
    connection.execute(update(player_addresses).where(player_addresses.c.id == address.id).values(is_primary=True))
    connection.execute(update(players).where(players.c.id == address.player_id).values(email=address.folded))


def remove(connection: Connection, address: PlayerAddress) -> None:
    """Removes an address, and with its row those of its one-time tokens."""
    connection.execute(delete(player_addresses).where(player_addresses.c.id == address.id))


def find_confirmation(
    connection: Connection, token_hash: str, *, lock: bool = False
) -> tuple[AddressConfirmation, PlayerAddress] | None:
    """The one-time token with that hash and its address, with ``lock`` both locked."""
    token = _CONFIRMATIONS.find(connection, address_confirmations.c.token_hash == token_hash, lock=lock)
    address = token and _ADDRESSES.find(connection, player_addresses.c.id == token.address_id, lock=lock)
    return (token, address) if token and address else None


def use_confirmation(connection: Connection, token_hash: str, now: datetime) -> None:
    mine = address_confirmations.c.token_hash == token_hash
    connection.execute(update(address_confirmations).where(mine).values(used_at=now))


def use_undo(connection: Connection, undo: Undo, now: datetime) -> None:
    """Marks an undo as used, and deletes those of changes that were made later."""
    others = (address_undos.c.player_id == undo.player_id) & (address_undos.c.token_hash != undo.token_hash)
    connection.execute(delete(address_undos).where(others, address_undos.c.made_at >= undo.made_at))
    connection.execute(update(address_undos).where(address_undos.c.token_hash == undo.token_hash).values(used_at=now))


def last_taken(connection: Connection, player_id: str) -> datetime | None:
    """When an address was taken from the player last: removed, or by undoing a change. No link that
    was mailed before signs them in.
    """
    mine = select(address_undos).where(address_undos.c.player_id == player_id)
    undos = _UNDOS.every(connection, mine)
    taken = [each.used_at for each in undos] + [each.made_at for each in undos if each.disputed is None]
    return max((at for at in taken if at is not None), default=None)


def forget_undos(connection: Connection, player_id: str, before: datetime) -> None:
    """Deletes those of the player that were made before that time."""
    old = (address_undos.c.player_id == player_id) & (address_undos.c.made_at < before)
    connection.execute(delete(address_undos).where(old))


MOST_SOFT: Final = 10
"""After so many mails that came back for a time, an address counts as bouncing for good."""
SOFT_FOR: Final = timedelta(days=14)
"""Soft bounces further apart than this are counted anew."""


def mark_bounced(connection: Connection, notice_id: str, reason: str, now: datetime) -> tuple[str | None] | None:
    """Marks a notice whose mail came back. Returns its player as a tuple of one; ``None`` where
    there is no such notice, or it is marked already.
    """
    mine = outbox.c.id == notice_id
    row = connection.execute(select(outbox.c.player_id, outbox.c.bounced_at).where(mine).with_for_update()).first()
    if row is None or row.bounced_at is not None:
        return None
    connection.execute(update(outbox).where(mine).values(bounced_at=now, bounce_reason=reason))
    return (row.player_id,)


def count_bounce(
    connection: Connection, player_id: str, named: Sequence[str], hard: bool, reason: str, now: datetime
) -> PlayerAddress | None:
    """Counts a mail to a player that came back: to the address among ``named`` (folded), or to the
    primary one. Returns the address where that is marked from now on, since it bounces for good.
    """
    player = player_rows.find(connection, player_id)
    if player is None:
        return None
    own = of_player(connection, player)
    found = next((each for each in own if each.folded in named), own[0])
    lately = found.last_bounce_at is not None and now - found.last_bounce_at <= SOFT_FOR
    soft = found.soft_bounces if hard else (found.soft_bounces if lately else 0) + 1
    values: dict[str, object] = {"soft_bounces": soft, "last_bounce_at": now}
    marked = found.bounced_at is None and (hard or soft >= MOST_SOFT)
    if marked:
        values |= {"bounced_at": now, "bounce_reason": reason}
    connection.execute(update(player_addresses).where(player_addresses.c.id == found.id).values(values))
    return replace(found, bounced_at=now, bounce_reason=reason) if marked else None


def forget_bounces(connection: Connection, player_id: str, folded: str) -> None:
    """Forgets that mails to an address of the player came back: one has arrived."""
    mine = player_addresses.c.player_id == player_id, player_addresses.c.folded == folded
    none = {"soft_bounces": 0, "bounced_at": None, "bounce_reason": None}
    connection.execute(update(player_addresses).where(*mine).values(none))


def bounced(connection: Connection, limit: int) -> tuple[PlayerAddress, ...]:
    """Up to ``limit`` addresses that bounce for good, latest first."""
    at = player_addresses.c.bounced_at
    return _ADDRESSES.all(connection, at.is_not(None), order=(at.desc(), player_addresses.c.id), limit=limit)


def _primary(player_id: str) -> tuple[ColumnElement[bool], ...]:
    return player_addresses.c.player_id == player_id, player_addresses.c.is_primary
