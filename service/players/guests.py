"""Guests: players without an address, who play one match against bots for some days. Whoever signs
up in a guest's browser, and confirms an address, keeps the match. A guest is known by the browser
alone: pressing the button again there finds the same guest, by a digest of what it knows. The names
of guests begin with "Guest", as nobody else's does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.context import Context
from service.errors import Forbidden
from service.names import GUEST, name_key
from service.store import personal, players, quotas, tokens
from service.store.players import Player
from service.texts import gettext as _

GUEST_ID_LENGTH: Final = 12
LASTS: Final = timedelta(days=7)
SCOPES: Final = ("play", "read")
"""What a guest may do, but for what is for others as well (``check_account``)."""
ADDRESS: Final = "@guests.invalid"
"""The end of what stands for the address of a guest, who has none."""


def check_account(player: Player) -> None:
    """Raises ``Forbidden`` (``not_for_guests``) for a guest: called by what others notice, and by
    what gives access to an account.
    """
    if player.is_guest:
        sentence = _(
            "A guest plays one match, against bots. Sign up with a mail address for everything else: the match is kept."
        )
        raise Forbidden(sentence, "not_for_guests")


def welcome(context: Context, browser: str, admit: Callable[[], object]) -> Player:
    """The guest of a browser, by a secret that no other browser has. ``admit`` is called before
    there is a new one, and may raise.
    """
    key = hashlib.sha256(browser.encode()).hexdigest()
    with context.database.write() as connection:
        now = context.clock()
        quotas.lock(connection, "guest", key, now)
        known = players.guest_of(connection, key)
        if known is not None and known.guest_until is not None and now < known.guest_until:
            return known
        admit()
        if known is not None:
            players.forget_guest_key(connection, known.id)
        player_id, name = context.entropy.token(GUEST_ID_LENGTH), _free_name(connection, context)
        guest = Player(player_id, name, player_id + ADDRESS, None, now, guest_until=now + LASTS)
        players.add_guest(connection, guest, key, name_key(name))
        return guest


def joined(connection: Connection, guest_id: str | None, player: Player, now: datetime) -> Player:
    """The player who has proven an address in the browser of a guest, or of nobody (``None``); the
    match of the guest is theirs. Somebody new becomes the guest, with the same id; somebody who is
    known is given what the guest has played.

    What signed the guest in ends: the browser is signed in as the player by what it is given now.
    """
    guest = players.find(connection, guest_id) if guest_id is not None else None
    if guest is None or guest.guest_until is None or guest.guest_until <= now:
        return player
    if player.confirmed_at is not None:
        personal.merge(connection, guest.id, player.id)
        return player
    personal.merge(connection, player.id, guest.id)
    players.end_guest(connection, guest.id, player.email)
    tokens.sign_out_since(connection, guest.id, guest.created_at)
    return replace(player, id=guest.id, created_at=guest.created_at)


def _free_name(connection: Connection, context: Context) -> str:
    while True:
        number = int.from_bytes(context.entropy.random_bytes(4)) % 900_000 + 100_000
        name = f"{GUEST} {number}"
        if players.has_name(connection, name_key(name)) is None:
            return name
