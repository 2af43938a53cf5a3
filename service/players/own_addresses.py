"""The mail addresses of a player: the primary one, to which mails go, and others from which the
player may write, too. Each counts once it is confirmed by the code that was mailed to it.

No answer reveals whether an address belongs to somebody else.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.context import Issuing, Notifying, Stored
from service.errors import Conflict, NotFound
from service.events import gate
from service.payloads import AddressChange, AddressChanged, OneTimeToken
from service.players import tokens
from service.players.accounts import ADDRESS_ID_LENGTH, CONFIRMATION_LENGTH
from service.players.addresses import folded, read_email
from service.players.types import Player
from service.store import addresses as rows
from service.store import never, quotas
from service.store import players as player_rows
from service.store.addresses import AddressConfirmation, PlayerAddress
from service.store.outbox import NewNotice
from service.texts import gettext as _

MOST_ADDRESSES: Final = 5
MOST_MAILS: Final = 3
"""The most mails a day that ask one address for its confirmation, whoever adds it."""
QUOTA: Final = "address_confirmations"
LASTS: Final = timedelta(days=2)


def of_player(context: Stored, player: Player) -> tuple[PlayerAddress, ...]:
    """The player's addresses, the primary first, then oldest first."""
    with context.database.read() as connection:
        return rows.of_player(connection, player)


def add(context: Notifying, player: Player, email: str) -> PlayerAddress:
    """Adds an address, or gives the one that is there, and mails it a code unless it is confirmed.

    Raises ``Invalid``, and ``Conflict`` where the player has ``MOST_ADDRESSES``
    (``too_many_addresses``) or the address was mailed too often today (``too_many_mails_to``).
    """
    typed = read_email(email)
    with context.database.write() as connection:
        now, known = context.clock(), rows.of_player(connection, player)
        found = next((each for each in known if each.folded == folded(typed)), None)
        if found is None:
            if len(known) >= MOST_ADDRESSES:
                sentence = _("You have {most} addresses, which is the maximum. Remove one first.")
                raise Conflict(sentence.format(most=MOST_ADDRESSES), "too_many_addresses")
            new_id = context.entropy.token(ADDRESS_ID_LENGTH)
            found = PlayerAddress(new_id, player.id, typed, folded(typed), False, now, None)
            rows.add(connection, found)
        if found.confirmed_at is None:
            _send_code(connection, context, player, found, now)
    context.queue.wake_notices()
    return found


def confirm(context: Notifying, token: str) -> tuple[Player, PlayerAddress]:
    """Confirms the address that the code was mailed to, and tells the player's primary address.
    Gives the player and the address.

    Raises ``NotFound`` for an unknown code, ``Conflict`` for one that is used or expired, and where
    another player has confirmed the address (``address_taken``).
    """
    taken = Conflict(
        _("This address belongs to another player. Sign in with it, and remove it there first."), "address_taken"
    )
    try:
        with context.database.write() as connection:
            now, token_hash = context.clock(), tokens.hash_of(token)
            player, found = _valid(rows.lock_confirmation(connection, token_hash), connection, now)
            holder = player_rows.by_address(connection, found.folded)
            if holder is not None and holder.confirmed_at is not None and holder.id != player.id:
                raise taken
            rows.use_confirmation(connection, token_hash, now)
            if found.confirmed_at is None:
                rows.confirm(connection, found, now)
                _warn(connection, player, "added", found.address, now)
            confirmed = rows.find(connection, player.id, found.id)
            assert confirmed is not None
    except IntegrityError:  # another player confirmed it at the same time
        raise taken from None
    context.queue.wake_notices()
    return player, confirmed


def to_confirm(context: Issuing, token: str) -> tuple[Player, PlayerAddress]:
    """Whose address ``confirm`` would confirm by the code, and changes nothing. Raises what
    ``confirm`` raises for a code.
    """
    with context.database.read() as connection:
        return _valid(rows.find_confirmation(connection, tokens.hash_of(token)), connection, context.clock())


def make_primary(context: Notifying, player: Player, address_id: str) -> PlayerAddress:
    """Makes a confirmed address the one that mails go to, and tells the one before. Doing it again
    changes nothing.

    Raises ``NotFound``, and ``Conflict`` where it is not confirmed (``address_unconfirmed``).
    """
    with context.database.write() as connection:
        found, now = _own(connection, player, address_id), context.clock()
        if found.confirmed_at is None:
            raise Conflict(_("Confirm this address first, with the code that was mailed to it."), "address_unconfirmed")
        if not found.is_primary:
            _warn(connection, player, "primary", found.address, now)
            rows.make_primary(connection, found)
        changed = rows.find(connection, player.id, found.id)
        assert changed is not None
    context.queue.wake_notices()
    return changed


def remove(context: Notifying, player: Player, address_id: str) -> None:
    """Removes an address, and tells the primary one. Raises ``NotFound``, and ``Conflict`` for the
    primary one (``primary_address``).
    """
    with context.database.write() as connection:
        found = _own(connection, player, address_id)
        if found.is_primary:
            sentence = _("Your mails go to this address: make another one primary before you remove it.")
            raise Conflict(sentence, "primary_address")
        rows.remove(connection, found)
        if found.confirmed_at is not None:
            _warn(connection, player, "removed", found.address, context.clock())
    context.queue.wake_notices()


def _own(connection: Connection, player: Player, address_id: str) -> PlayerAddress:
    found = rows.find(connection, player.id, address_id)
    if found is None:
        raise NotFound(_("You have no address {id}.").format(id=address_id), "address_not_found")
    return found


def _send_code(connection: Connection, context: Issuing, player: Player, found: PlayerAddress, now: datetime) -> None:
    if never.is_forbidden(connection, found.folded):
        return  # its owner wants no mail from here, and is not told of by an answer either
    if not quotas.take(connection, QUOTA, found.folded, MOST_MAILS, now):
        sentence = _("This address was sent {most} mails today, which is the maximum. Ask again tomorrow.")
        raise Conflict(sentence.format(most=MOST_MAILS), "too_many_mails_to")
    token, expires_at = context.entropy.token(CONFIRMATION_LENGTH), now + LASTS
    rows.add_confirmation(connection, AddressConfirmation(tokens.hash_of(token), found.id, expires_at, None))
    payload = OneTimeToken(token, expires_at.isoformat())
    gate.write(connection, [NewNotice("confirm_another_address", player.id, None, payload, found.address)], now)


def _warn(connection: Connection, player: Player, change: AddressChange, address: str, now: datetime) -> None:
    """Tells the primary address, as it is now, what has changed."""
    primary = rows.primary_of(connection, player)
    payload = AddressChanged(change, address)
    gate.write(connection, [NewNotice("address_changed", player.id, None, payload, primary)], now)


def _valid(
    found: tuple[AddressConfirmation, PlayerAddress] | None, connection: Connection, now: datetime
) -> tuple[Player, PlayerAddress]:
    """The player and the address of a code. Raises ``NotFound`` and ``Conflict``."""
    if found is None:
        raise NotFound(
            _("This code is not known. Copy all of it from the mail, or add the address again."),
            "confirmation_not_found",
        )
    confirmation, address = found
    if confirmation.used_at is not None:
        raise Conflict(_("This code has been used: the address is confirmed."), "confirmation_used")
    if confirmation.expires_at <= now:
        raise Conflict(_("This code is too old. Add the address again to get another."), "confirmation_expired")
    player = player_rows.find(connection, address.player_id)
    assert player is not None
    return player, address
