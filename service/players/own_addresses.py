"""The mail addresses of a player: the primary one, to which mails go, and others from which the
player may write, too. Each counts once it is confirmed by the code that was mailed to it.

A change needs a proof of the mailbox (``service.players.tokens``). The address before is told of
it, and can undo it for ``UNDO_LASTS``: it is the player's again, and what the change gave access to
is gone. No answer reveals whether an address belongs to somebody else.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.addresses import folded, read_email
from service.context import Context
from service.errors import Conflict, Forbidden, NotFound
from service.events import gate
from service.links import SIGN_IN_LASTS
from service.payloads import AddressChange, AddressChanged, OneTimeToken
from service.players import guests, tokens
from service.players.accounts import ADDRESS_ID_LENGTH, CONFIRMATION_LENGTH
from service.players.suspending import check_here
from service.store import addresses as rows
from service.store import audit, calendars, quotas, webhooks
from service.store import players as player_rows
from service.store import tokens as token_rows
from service.store.addresses import AddressConfirmation, PlayerAddress, Undo
from service.store.audit import Operator
from service.store.outbox import NewNotice
from service.store.players import Player
from service.store.tokens import Token
from service.texts import gettext as _

MOST_ADDRESSES: Final = 5
MOST_MAILS: Final = 3
"""The most mails a day that ask one address for its confirmation, whoever adds it."""
MOST_ADDED: Final = MOST_ADDRESSES * MOST_MAILS
"""The most such mails a day that one player has sent, to whatever addresses."""
QUOTA: Final = "address_confirmations"
LASTS: Final = timedelta(days=2)
UNDO_LASTS: Final = timedelta(days=7)


def of_player(context: Context, player: Player) -> tuple[PlayerAddress, ...]:
    """The player's addresses, the primary first, then oldest first."""
    with context.database.read() as connection:
        return rows.of_player(connection, player)


def add(context: Context, player: Player, by: Token, email: str) -> PlayerAddress:
    """Adds an address, or gives the one that is there, and mails it a code unless it is confirmed.

    Raises ``Invalid``, ``Forbidden`` where the token has no proof, and ``Conflict`` where the
    player has ``MOST_ADDRESSES`` (``too_many_addresses``) or the address was mailed too often today
    (``too_many_mails_to``); and ``TooMany`` after ``MOST_ADDED`` a day.
    """
    guests.check_account(player)
    tokens.check_proof(context, by)
    typed = read_email(email)
    with context.database.write() as connection:
        found = _added(connection, context, player, typed)
        if found.confirmed_at is None:
            now = context.clock()
            sentence = _(
                "You have had {most} mails sent to new addresses today, which is the maximum. Go on tomorrow (UTC)."
            )
            quotas.spend(connection, "adding", player.id, MOST_ADDED, now, sentence)
            _send_code(connection, context, player, found, now)
    context.queue.wake_notices()
    return found


def change_for(context: Context, player: Player, by: Operator, email: str) -> PlayerAddress:
    """The same for an operator, without a proof of the mailbox before: once the new address is
    confirmed it is the primary one, which the one before is told, and may undo. An address that is
    confirmed already is primary at once.

    Raises ``Invalid``, ``Forbidden`` for a guest and a bot, and ``Conflict``.
    """
    guests.check_account(player)
    if player.owner_id is not None:
        raise Forbidden(_("A bot has no address: change that of its owner."), "bot_owns_nothing")
    typed = read_email(email)
    with context.database.write() as connection:
        found, now = _added(connection, context, player, typed), context.clock()
        audit.note(connection, by, "address_changing", now, player.id)
        if found.confirmed_at is None:
            _send_code(connection, context, player, found, now, as_primary=True)
        elif not found.is_primary:
            _promote(connection, context, player, found, now)
    context.queue.wake_notices()
    return found


def _added(connection: Connection, context: Context, player: Player, typed: str) -> PlayerAddress:
    """The address of the player, added where it is new. Raises ``Conflict``."""
    check_here(connection, player)
    known = rows.of_player(connection, player)
    found = next((each for each in known if each.folded == folded(typed)), None)
    if found is None:
        if len(known) >= MOST_ADDRESSES:
            sentence = _("You have {most} addresses, which is the maximum. Remove one first.")
            raise Conflict(sentence.format(most=MOST_ADDRESSES), "too_many_addresses")
        found = _new(connection, context, player, typed, context.clock())
    return found


def _new(connection: Connection, context: Context, player: Player, typed: str, now: datetime) -> PlayerAddress:
    new_id = context.entropy.token(ADDRESS_ID_LENGTH)
    new = PlayerAddress(new_id, player.id, typed, folded(typed), False, now, None)
    rows.add(connection, new)
    return new


def confirm(context: Context, token: str) -> tuple[Player, PlayerAddress]:
    """Confirms the address that the code was mailed to, and tells the player's primary address,
    which may undo it. Returns the player and the address.

    Raises ``NotFound`` for an unknown code, ``Conflict`` for one that is used or expired, and where
    another player has confirmed the address (``address_taken``).
    """
    sentence = _("This address belongs to another player. Sign in with it, and remove it there first.")
    taken = Conflict(sentence, "address_taken")
    try:
        with context.database.write() as connection:
            now, token_hash = context.clock(), tokens.hash_of(token)
            known = rows.find_confirmation(connection, token_hash, lock=True)
            player, found, confirmation = _valid(known, connection, now)
            holder = player_rows.by_address(connection, found.folded)
            if holder is not None and holder.confirmed_at is not None and holder.id != player.id:
                raise taken
            rows.use_confirmation(connection, token_hash, now)
            if found.confirmed_at is None:
                rows.confirm(connection, found, now)
                if confirmation.as_primary:
                    _promote(connection, context, player, found, found.added_at)
                else:
                    before = rows.primary_of(connection, player)
                    _warn(connection, context, player, "added", found, before, found.added_at)
            confirmed = rows.find(connection, player.id, found.id)
            assert confirmed is not None
    except IntegrityError:  # another player confirmed it at the same time
        raise taken from None
    context.queue.wake_notices()
    return player, confirmed


def to_confirm(context: Context, token: str) -> tuple[Player, PlayerAddress]:
    """What ``confirm`` would return. Raises what it raises for a code, and changes nothing."""
    with context.database.read() as connection:
        known = rows.find_confirmation(connection, tokens.hash_of(token))
        player, found, _confirmation = _valid(known, connection, context.clock())
    return player, found


def make_primary(context: Context, player: Player, by: Token, address_id: str) -> PlayerAddress:
    """Makes a confirmed address the one that mails go to, and tells the one before, which may undo
    it. Doing it again changes nothing. Raises ``NotFound``, ``Forbidden`` where the token has no
    proof, and ``Conflict`` (``address_unconfirmed``).
    """
    tokens.check_proof(context, by)
    with context.database.write() as connection:
        found, now = _own(connection, player, address_id), context.clock()
        if found.confirmed_at is None:
            raise Conflict(_("Confirm this address first, with the code that was mailed to it."), "address_unconfirmed")
        if not found.is_primary:
            _promote(connection, context, player, found, now)
        changed = rows.find(connection, player.id, found.id)
        assert changed is not None
    context.queue.wake_notices()
    return changed


def remove(context: Context, player: Player, by: Token, address_id: str) -> None:
    """Removes an address, and tells the primary one, and the removed one, which may undo it.
    Raises ``NotFound``, ``Forbidden`` where the token has no proof, and ``Conflict`` for the
    primary one (``primary_address``).
    """
    tokens.check_proof(context, by)
    with context.database.write() as connection:
        found = _own(connection, player, address_id)
        if found.is_primary:
            sentence = _("Your mails go to this address: make another one primary before you remove it.")
            raise Conflict(sentence, "primary_address")
        rows.remove(connection, found)
        if found.confirmed_at is not None:
            now = context.clock()
            _tell(connection, player, rows.primary_of(connection, player), "removed", found.address, now)
            _warn(connection, context, player, "removed", found, found.address, now)
    context.queue.wake_notices()


def undo(context: Context, token: str) -> tuple[Player, str]:
    """Undoes the change of addresses that the token was mailed for: the address before is confirmed
    again, and primary if it was; the one that came instead, what was added, issued, mailed or
    signed in since, and the address of the calendar are gone. Webhooks are switched off, as any may
    call whoever made the change. Returns the player and the address.

    Raises ``NotFound`` for an unknown token, ``Conflict`` for one that is used or too old, and
    where another player has confirmed the address since (``address_taken``).
    """
    with context.database.write() as connection:
        now = context.clock()
        player, found = _undoable(connection, token, now, locked=True)
        holder = player_rows.by_address(connection, folded(found.address))
        if holder is not None and holder.confirmed_at is not None and holder.id != player.id:
            raise Conflict(_("This address belongs to another player by now."), "address_taken")
        known = rows.of_player(connection, player)
        restored = next((each for each in known if each.folded == folded(found.address)), None)
        if restored is None:
            restored = _new(connection, context, player, found.address, now)
        if restored.confirmed_at is None:
            rows.confirm(connection, restored, now)
        if found.as_primary:
            rows.make_primary(connection, restored)
        for each in known:
            came_since = each.id == found.disputed or each.added_at >= found.since
            if came_since and each.id != restored.id and (found.as_primary or not each.is_primary):
                rows.remove(connection, each)
        token_rows.revoke_since(connection, player.id, found.since, now)
        token_rows.sign_out_since(connection, player.id, found.since)
        calendars.set_secret(connection, player.id, None)
        webhooks.switch_off_of(connection, player.id, now)
        player_rows.use_confirmations(connection, player.id, now)
        rows.use_undo(connection, found, now)
        _tell(connection, player, found.address, "undone", found.address, now)
    context.queue.wake_notices()
    return player, found.address


def to_undo(context: Context, token: str) -> tuple[Player, str]:
    """What ``undo`` would return. Raises what it raises for a token, and changes nothing."""
    with context.database.read() as connection:
        player, found = _undoable(connection, token, context.clock(), locked=False)
    return player, found.address


def _own(connection: Connection, player: Player, address_id: str) -> PlayerAddress:
    found = rows.find(connection, player.id, address_id)
    if found is None:
        raise NotFound(_("You have no address {id}.").format(id=address_id), "address_not_found")
    return found


def _promote(connection: Connection, context: Context, player: Player, found: PlayerAddress, since: datetime) -> None:
    """Makes a confirmed address the primary one, and tells the one before."""
    _warn(connection, context, player, "primary", found, rows.primary_of(connection, player), since)
    rows.make_primary(connection, found)


def _send_code(
    connection: Connection,
    context: Context,
    player: Player,
    found: PlayerAddress,
    now: datetime,
    as_primary: bool = False,
) -> None:
    if not quotas.take(connection, QUOTA, found.folded, MOST_MAILS, now):
        sentence = _("This address was sent {most} mails today, which is the maximum. Ask again tomorrow (UTC).")
        raise Conflict(sentence.format(most=MOST_MAILS), "too_many_mails_to")
    if player_rows.is_mail_forbidden(connection, found.folded):
        return  # its owner wants no mail from here, which no answer tells: it is counted alike
    token, expires_at = context.entropy.token(CONFIRMATION_LENGTH), now + LASTS
    asked = AddressConfirmation(tokens.hash_of(token), found.id, expires_at, None, as_primary)
    rows.add_confirmation(connection, asked)
    payload = OneTimeToken(token, expires_at.isoformat())
    gate.write(connection, [NewNotice("confirm_another_address", player.id, None, payload, found.address)], now)


def _warn(
    connection: Connection,
    context: Context,
    player: Player,
    change: AddressChange,
    changed: PlayerAddress,
    before: str,
    since: datetime,
) -> None:
    """Tells the address ``before`` of a change, with what undoes it."""
    now, token = context.clock(), context.entropy.token(CONFIRMATION_LENGTH)
    disputed = None if change == "removed" else changed.id
    rows.forget_undos(connection, player.id, now - UNDO_LASTS - SIGN_IN_LASTS)
    undone = Undo(tokens.hash_of(token), player.id, before, change != "removed", disputed, since, now)
    rows.add_undo(connection, undone)
    _tell(connection, player, before, change, changed.address, now, token)


def _tell(
    connection: Connection,
    player: Player,
    to: str,
    change: AddressChange,
    changed: str,
    now: datetime,
    token: str = "",
) -> None:
    payload = AddressChanged(change, changed, token)
    gate.write(connection, [NewNotice("address_changed", player.id, None, payload, to)], now)


def _undoable(connection: Connection, token: str, now: datetime, locked: bool) -> tuple[Player, Undo]:
    """The player, and the undo of a token. Raises ``NotFound`` and ``Conflict``."""
    found = rows.find_undo(connection, tokens.hash_of(token), lock=locked)
    if found is None:
        sentence = _("This link is not known, or an earlier change was undone since. Copy all of it from the mail.")
        raise NotFound(sentence, "confirmation_not_found")
    if found.used_at is not None:
        raise Conflict(_("This change has been undone already."), "confirmation_used")
    if found.made_at + UNDO_LASTS <= now:
        raise Conflict(_("A change can be undone for seven days, which are over."), "confirmation_expired")
    player = player_rows.find(connection, found.player_id)
    assert player is not None
    return player, found


def _valid(
    found: tuple[AddressConfirmation, PlayerAddress] | None, connection: Connection, now: datetime
) -> tuple[Player, PlayerAddress, AddressConfirmation]:
    """The player and the address of a code, and the code. Raises ``NotFound`` and ``Conflict``."""
    if found is None:
        sentence = _("This code is not known. Copy all of it from the mail, or add the address again.")
        raise NotFound(sentence, "confirmation_not_found")
    confirmation, address = found
    if confirmation.used_at is not None:
        raise Conflict(_("This code has been used: the address is confirmed."), "confirmation_used")
    if confirmation.expires_at <= now:
        raise Conflict(_("This code is too old. Add the address again to get another."), "confirmation_expired")
    player = player_rows.find(connection, address.player_id)
    assert player is not None
    return player, address, confirmation
