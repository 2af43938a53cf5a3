"""Signing up with a mail address and confirming it. No answer reveals who is registered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.addresses import folded, read_email
from service.clocks.spans import written
from service.context import Context
from service.errors import Conflict, NotFound
from service.events import gate
from service.kinds import NoticeKind
from service.names import counted, name_key, numbered, read_name
from service.payloads import OneTimeToken
from service.players import guests, tokens
from service.players.suspending import check_here, check_not_suspended
from service.store import addresses, personal, players, quotas
from service.store.addresses import RELEASED
from service.store.outbox import NewNotice
from service.store.players import Confirmation, Player

PLAYER_ID_LENGTH = 12
ADDRESS_ID_LENGTH = 12
CONFIRMATION_LENGTH = 32
SIGN_UPS_A_DAY: Final = 3
"""The most mails a day to an address that nobody has confirmed."""
SIGN_INS_A_DAY: Final = 20
"""The most mails a day to sign in with a confirmed address."""
RENAMES_A_DAY: Final = 3
CONFIRMATION_LASTS = timedelta(days=2)

Stored = TypeVar("Stored")
log = structlog.get_logger("service.players")
TAKEN = "This address has been confirmed by another player. Sign up again with it: the mail signs that player in."


def sign_up(
    context: Context, name: str, email: str, join_secret: str | None = None, guest: Player | None = None
) -> Player:
    """Mails a one-time token to the address: to confirm it or, where it is confirmed, to sign in;
    and then to come back to the join link with that secret. What the ``guest`` has played in whose
    browser that is asked for goes to whoever uses the token there.

    Returns the same for every address, registered or not. Until an address is confirmed a later
    name replaces the earlier one. Raises ``Invalid``.
    """
    read, typed = _read(context, name, email)
    _retried(lambda: _store_sign_up(context, read, typed, join_secret, guest))
    context.queue.wake_notices()
    return read


def sign_in(context: Context, email: str, guest: Player | None = None) -> None:
    """Mails a one-time token to the address where somebody has signed up with it, and nothing to
    any other: the caller is not told which. ``guest`` as for ``sign_up``. Raises ``Invalid``.
    """
    typed, now = read_email(email), context.clock()
    with context.database.write() as connection:
        known = players.by_address(connection, folded(typed))
        if known is None:
            log.info("sign_in.not_mailed", reason="unknown")
        elif _may_be_mailed(connection, known, folded(typed), now):
            _send_token(connection, context, known, typed, now, None, guest)
    context.queue.wake_notices()


def sign_up_proven(context: Context, name: str, email: str, guest: Player | None = None) -> Player:
    """Returns the player with an address that its holder has proven, as by a mail from it; signs
    them up by that name where there is none, and gives them what the ``guest`` has played in whose
    browser they are. Raises ``Invalid``, and ``Forbidden`` for a player who is suspended.
    """
    read, typed = _read(context, name, email)
    return _retried(lambda: _stored_proven(context, read, typed, None if guest is None else guest.id))


def confirm(context: Context, token: str) -> tuple[Player, str]:
    """Confirms the address that the one-time token was sent to. Returns the player and the secret
    of a new API token, which is not stored.

    Raises ``NotFound`` for an unknown token, and ``Conflict`` (``confirmation_used``,
    ``confirmation_expired``, or ``address_taken`` where it has become another player's).
    """
    player, _, secret = _retried(lambda: _confirmed(context, token, False, None))
    return player, secret


def confirm_in_browser(context: Context, token: str, guest: Player | None) -> tuple[Player, str | None, str]:
    """The same in a browser, in which the player is signed in then. What the ``guest`` of that
    browser has played is theirs, if it was there that the token was asked for: so nobody gets a
    match by having their address typed, and nobody takes one by passing on a link.

    Returns the player, the secret of the join link to come back to, and that of the browser.
    """
    return _retried(lambda: _confirmed(context, token, True, guest))


def rename(context: Context, player: Player, name: str) -> Player:
    """Gives the player another name, also in matches that are over. Raises ``Invalid``,
    ``Conflict`` (``name_taken``), ``TooMany`` or, for a guest, ``Forbidden``.
    """
    guests.check_account(player)
    shown = read_name(name)
    if shown == player.name:
        return player
    taken = name_taken(shown)
    try:
        with context.database.write() as connection:
            now = context.clock()
            if players.has_name(connection, name_key(shown)) not in (None, player.id):
                raise taken
            sentence = "A player changes their name at most {most} times a day: come back tomorrow (UTC)."
            quotas.spend(connection, "rename", player.id, RENAMES_A_DAY, now, sentence)
            check_here(connection, player)  # renames of one player wait for each other by now
            players.rename(connection, player.id, shown, name_key(shown))
    except IntegrityError:  # it was taken concurrently
        raise taken from None
    return replace(player, name=shown)


def name_taken(name: str) -> Conflict:
    """That a name is another player's."""
    return Conflict(f"Another player is called {name}, or nearly so: choose another name.", "name_taken")


def stored(context: Context, player: Player) -> dict[str, Any]:
    """Everything that is stored of the player: rows as objects, by the names of their tables."""
    with context.database.read() as connection:
        found = personal.handed_out(connection, player.id)
    return {table: [_written(row) for row in rows] for table, rows in found.items()}


def _written(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    """A value of a row as JSON; times as RFC 3339 writes them, documents as JSON text."""
    if isinstance(value, datetime):
        return written(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _read(context: Context, name: str, email: str) -> tuple[Player, str]:
    """Whoever signs up, without an id yet, and the address as typed. Raises ``Invalid``."""
    shown, typed = read_name(name), read_email(email)
    return Player(id="", name=shown, email=folded(typed), confirmed_at=None, created_at=context.clock()), typed


def _retried(store: Callable[[], Stored]) -> Stored:
    """What ``store`` gives, the second time where somebody stored the same address or name
    concurrently: now it is found.
    """
    try:
        return store()
    except IntegrityError:
        return store()


def _confirmed(context: Context, token: str, in_browser: bool, guest: Player | None) -> tuple[Player, str | None, str]:
    token_hash = tokens.hash_of(token)
    with context.database.write() as connection:
        now = context.clock()
        found = players.find_confirmation(connection, token_hash, lock=True)
        player, confirmation = _valid(connection, found, now)
        players.use_confirmation(connection, token_hash, now)
        if guest is not None and guest.id == confirmation.guest_id:
            player = guests.joined(connection, guest.id, player, now)
        if player.confirmed_at is None:
            players.confirm(connection, player.id, now)
            player = replace(player, name=_claim_name(connection, context, player), confirmed_at=now)
        holder = players.by_address(connection, player.email)
        if holder is None or holder.id != player.id or player.email.endswith(RELEASED):
            raise Conflict(TAKEN, "address_taken")
        addresses.confirm_primary(connection, player, now)
        players.allow_mail(connection, player.email)
        # The mail with the token has arrived.
        addresses.forget_bounces(connection, player.id, confirmation.address or player.email)
        if in_browser:
            secret = tokens.add_browser(connection, context, player, proven=True)
        else:
            _, secret = tokens.add(connection, context, player, tokens.FIRST_LABEL, tokens.SCOPES, proven=True)
    return player, confirmation.join_secret, secret


def to_confirm(context: Context, token: str) -> tuple[Player, Confirmation]:
    """The player whom ``confirm`` would confirm by the one-time token, and the row of the token.
    Changes nothing, and raises what ``confirm`` raises.
    """
    with context.database.read() as connection:
        found = players.find_confirmation(connection, tokens.hash_of(token))
        return _valid(connection, found, context.clock())


def _valid(connection: Connection, confirmation: Confirmation | None, now: datetime) -> tuple[Player, Confirmation]:
    """The player of a one-time token, and the token. Raises ``NotFound`` and ``Conflict`` where it
    is unknown, used or expired, or was mailed to an address that its player has removed.
    """
    if confirmation is None:
        sentence = "This token is not known. Copy all of it from the mail, or sign up again."
        raise NotFound(sentence, "confirmation_not_found")
    if confirmation.used_at is not None:
        sentence = "This token has been used. Sign up again with the same address to get another."
        raise Conflict(sentence, "confirmation_used")
    if confirmation.expires_at <= now:
        sentence = "This token is too old. Sign up again with the same address to get another."
        raise Conflict(sentence, "confirmation_expired")
    player = players.find(connection, confirmation.player_id)
    assert player is not None
    is_theirs = confirmation.address in (None, *addresses.confirmed(connection, player))
    if player.confirmed_at is not None and not is_theirs:
        sentence = "The address that this token was mailed to has been removed. Sign in with another one."
        raise Conflict(sentence, "confirmation_expired")
    return player, confirmation


def _store_sign_up(context: Context, wanted: Player, typed: str, join_secret: str | None, guest: Player | None) -> None:
    """Stores the notice and, for a new address, the player."""
    with context.database.write() as connection:
        known = players.by_address(connection, wanted.email)
        if not _may_be_mailed(connection, known, wanted.email, wanted.created_at):
            return
        if known is None:
            known = Player(context.entropy.token(PLAYER_ID_LENGTH), wanted.name, wanted.email, None, wanted.created_at)
            players.add(connection, known)
            addresses.keep_primary(connection, context.entropy.token(ADDRESS_ID_LENGTH), known, typed)
        elif known.confirmed_at is None:
            players.rename(connection, known.id, wanted.name, None)
            addresses.keep_primary(connection, context.entropy.token(ADDRESS_ID_LENGTH), known, typed)
        _send_token(connection, context, known, typed, wanted.created_at, join_secret, guest)


def _may_be_mailed(connection: Connection, known: Player | None, address: str, now: datetime) -> bool:
    """Counts a mail to sign up or in with that address; ``False``, and logged, where there were
    enough today (UTC), or its owner, who is no player, wants none. The caller is told neither.
    """
    new = known is None or known.confirmed_at is None
    if new and players.is_mail_forbidden(connection, address):
        log.info("sign_up.not_mailed", reason="never")
        return False
    what, most = ("sign_up", SIGN_UPS_A_DAY) if new else ("sign_in", SIGN_INS_A_DAY)
    taken = quotas.take(connection, what, address, most, now)
    if not taken:
        log.info("sign_up.not_mailed", reason=f"{what} over {most} a day")
    return taken


def _stored_proven(context: Context, wanted: Player, typed: str, guest_id: str | None) -> Player:
    """The player with that address, confirmed from now on; stored where it is new."""
    with context.database.write() as connection:
        known, now = players.by_address(connection, wanted.email), wanted.created_at
        if known is not None:
            check_not_suspended(known)
        else:
            known = Player(context.entropy.token(PLAYER_ID_LENGTH), wanted.name, wanted.email, None, now)
            players.add(connection, known)
        known = guests.joined(connection, guest_id, known, now)
        if known.confirmed_at is None:
            known = replace(known, name=wanted.name)
            players.confirm(connection, known.id, now)
            players.allow_mail(connection, known.email)
            _claim_name(connection, context, known)
            addresses.keep_primary(connection, context.entropy.token(ADDRESS_ID_LENGTH), known, typed)
            addresses.confirm_primary(connection, known, now)
        found = players.find(connection, known.id)
    assert found is not None
    return found


def _claim_name(connection: Connection, context: Context, player: Player) -> str:
    """Makes the name of a player who is confirmed now theirs alone, with a number after it where it
    is taken: to refuse it at the sign-up would say whose address is not known. Returns it.

    Those who want the same name at once wait for each other. Raises ``IntegrityError`` where it was
    taken concurrently, by a numbered name.
    """
    quotas.lock(connection, "name", name_key(player.name), context.clock())
    free = (name for name in counted(player.name) if players.has_name(connection, name_key(name)) is None)
    name = next(free, None)
    if name is None:
        any_number = int.from_bytes(context.entropy.random_bytes(4)) % 900_000 + 100_000
        name = numbered(player.name, str(any_number))
    players.rename(connection, player.id, name, name_key(name))
    return name


def _send_token(
    connection: Connection,
    context: Context,
    player: Player,
    typed: str,
    now: datetime,
    join_secret: str | None,
    guest: Player | None,
) -> None:
    """Writes the mail with a one-time token to the address of the player that was typed."""
    another = None if player.email == folded(typed) else typed
    token, expires_at = context.entropy.token(CONFIRMATION_LENGTH), now + CONFIRMATION_LASTS
    guest_id = None if guest is None else guest.id
    asked = Confirmation(tokens.hash_of(token), player.id, expires_at, None, join_secret, guest_id, folded(typed))
    players.add_confirmation(connection, asked)
    kind: NoticeKind = "confirm_address" if player.confirmed_at is None else "sign_in"
    payload = OneTimeToken(token, expires_at.isoformat(), joins=join_secret is not None)
    gate.write(connection, [NewNotice(kind, player.id, None, payload, another)], now)
