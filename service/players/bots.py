"""Bots of players: programs that have seats of their own, without a mailbox. Their names end with
"bot", as nobody else's does, so that they are marked wherever their seat is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlalchemy.exc import IntegrityError

from service.context import Context
from service.errors import Conflict, Forbidden, NotFound
from service.names import bots_name, name_key
from service.players import guests, tokens
from service.players.accounts import PLAYER_ID_LENGTH, name_taken
from service.players.suspending import check_here
from service.store import players, quotas
from service.store.players import Player
from service.store.tokens import Token

MOST_BOTS: Final = 10
SCOPES: Final = ("play", "read")
"""What a token of a bot allows: its owner does the rest."""
ADDRESS: Final = "@bots.invalid"
"""The end of what stands for the address of a bot, which is none."""
LABEL: Final = "bot"


def make(context: Context, owner: Player, name: str) -> tuple[Player, Token, str]:
    """Makes a bot of that name. Returns it with its first token, and the token's secret.

    Raises ``Invalid``, ``Forbidden`` (``bot_owns_nothing``), or ``Conflict`` (``name_taken``,
    ``too_many_bots``).
    """
    guests.check_account(owner)
    if owner.owner_id is not None:
        raise Forbidden("A bot has no bots of its own: use the token of its owner.", "bot_owns_nothing")
    shown, now = bots_name(name), context.clock()
    new = Player(context.entropy.token(PLAYER_ID_LENGTH), shown, "", now, now, owner.id)
    taken = name_taken(shown)
    try:
        with context.database.write() as connection:
            quotas.lock(connection, "bots", owner.id, now)
            check_here(connection, owner)
            if len(players.bots_of(connection, owner.id)) >= MOST_BOTS:
                sentence = f"You have {MOST_BOTS} bots, which is the maximum. Delete one first."
                raise Conflict(sentence, "too_many_bots")
            if players.has_name(connection, name_key(shown)) is not None:
                raise taken
            bot = replace(new, email=new.id + ADDRESS)
            players.add(connection, bot)
            players.rename(connection, bot.id, shown, name_key(shown))
            return (bot, *tokens.add(connection, context, bot, LABEL, SCOPES))
    except IntegrityError:  # the name was taken concurrently
        raise taken from None


def of_player(context: Context, owner: Player) -> tuple[Player, ...]:
    """The player's bots, oldest first."""
    with context.database.read() as connection:
        return players.bots_of(connection, owner.id)


def find(context: Context, owner: Player, bot_id: str) -> Player:
    """The player's bot with that id. Raises ``NotFound`` (``player_not_found``)."""
    found = next((bot for bot in of_player(context, owner) if bot.id == bot_id), None)
    if found is None:
        raise NotFound(f"You have no bot {bot_id}.", "player_not_found")
    return found


def issue(context: Context, owner: Player, bot_id: str, label: str) -> tuple[Token, str]:
    """Another token of a bot, and its secret. Raises ``NotFound``, ``Invalid`` or ``Conflict``."""
    bot = find(context, owner, bot_id)
    with context.database.write() as connection:
        tokens.check_number(connection, bot, context.clock())
        return tokens.add(connection, context, bot, label, SCOPES)
