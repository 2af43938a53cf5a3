"""Leaving for good: a player gives up all seats, then everything that is theirs alone is deleted.
What others have played with them stays, and can be verified. So go guests whose time has ended, and
who has signed up and never confirmed the address.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from service.context import Context
from service.errors import Conflict, Forbidden, Unavailable
from service.matches import archive, lobby
from service.offers import offering
from service.players import bots
from service.statuses import MatchStatus
from service.store import addresses, match_lists, personal, players, questions, tokens
from service.store.players import Player

GIVEN_UP: Final[tuple[MatchStatus, ...]] = ("open", "archived", "running")
"""The matches that a player gives up, in this order: archived ones run until they are resigned."""
AT_ONCE: Final = 200
MARGIN: Final = timedelta(hours=1)  # later than an address can be confirmed: the clocks of machines differ

CONFIRMED_WITHIN: Final = timedelta(days=30)
"""For so long somebody is kept who could have confirmed their address."""

_log = structlog.get_logger("service.leaving")


def leave_for_good(context: Context, player: Player) -> None:
    """Deletes the player and their bots, also one that was made meanwhile: from now on no token and
    no browser is theirs. Doing it again changes nothing.

    Whoever waits for their word is told that they decline: who has invited them to a match, or
    offered them a seat. A match that cannot be read keeps a seat of nobody; that is logged.
    """
    with context.database.write() as connection:
        tokens.revoke_since(connection, player.id, player.created_at, context.clock())
        tokens.sign_out_since(connection, player.id, player.created_at)
    given_up, is_forgotten = set[str](), False
    while not is_forgotten:
        for bot in bots.of_player(context, player):
            leave_for_good(context, bot)
        for status in GIVEN_UP:
            given_up |= _give_up(context, player, status)
        _decline(context, player)
        is_forgotten = _forgotten(context, player, given_up)


def due(context: Context) -> tuple[str, ...]:
    """The guests whose time has ended, and those who have not confirmed an address in time."""
    now = context.clock()
    with context.database.look() as connection:
        return players.to_send_away(connection, now - MARGIN, now - CONFIRMED_WITHIN)


def send_away(context: Context, player_id: str) -> int:
    """Deletes one who is due. Returns how many: 0 where none is due any more."""
    with context.database.read() as connection:
        player = players.find(connection, player_id)
    if player is None or player.confirmed_at is not None or player.left_at is not None:
        return 0
    leave_for_good(context, player)
    return 1


def _forgotten(context: Context, player: Player, given_up: Collection[str]) -> bool:
    """Forgets the player, unless they were seated in another match meanwhile, or made a bot.
    Returns whether.
    """
    with context.database.write() as connection:
        players.lock_leaving(connection, player.id)
        found = match_lists.of_player(connection, player.id, (), GIVEN_UP, False, len(given_up) + 1, None)
        if any(match.id not in given_up for match in found) or players.bots_of(connection, player.id):
            return False
        personal.forget(connection, player.id, context.clock())
    return True


def _give_up(context: Context, player: Player, status: MatchStatus) -> set[str]:
    """Leaves the open matches of a player, or resigns from the others. Returns their ids."""
    after, given_up = None, set[str]()
    while True:
        with context.database.read() as connection:
            page = match_lists.of_player(connection, player.id, (), (status,), False, AT_ONCE, after)
        given_up |= {match.id for match in page}
        for match in page:
            seat = match.seat_of(player.id)
            if status == "open":
                _try(match.id, partial(lobby.leave, context, player, match.id))
            elif seat is not None and match.seats[seat].is_owned:
                if status == "archived":
                    _try(match.id, partial(archive.reopen, context, player, match.id))
                _try(match.id, partial(lobby.resign, context, player, match.id))
        if len(page) < AT_ONCE:
            return given_up
        after = page[-1].id


def _decline(context: Context, player: Player) -> None:
    if player.confirmed_at is None:
        return  # what waits for their address may wait for another
    with context.database.read() as connection:
        known = addresses.confirmed(connection, player)
        invitations = match_lists.kept_for(connection, known)
        offers = questions.offers_of_seats_to(connection, known)
    for match_id, seat, address in invitations:
        _try(match_id, partial(lobby.decline, context, match_id, seat, address))
    for offer in offers:
        _try(offer.match_id, partial(offering.answer, context, player, offer.match_id, offer.id, accepts=False))


def _try(match_id: str, do: Callable[[], object]) -> None:
    try:
        do()
    except (Conflict, Forbidden, Unavailable) as error:  # as it is not any more what was read before
        _log.warning("leaving.kept", match=match_id, error=str(error))
