"""Leaving for good: a player gives up all seats, then everything that is theirs alone is deleted.
What others have played with them stays, and can be verified.
"""

from __future__ import annotations

import structlog

from service.context import Context
from service.errors import Conflict, Unavailable
from service.matches import lobby
from service.players import bots
from service.statuses import MatchStatus
from service.store import match_lists, personal, tokens
from service.store.players import Player

OPEN: MatchStatus = "open"
RUNNING: MatchStatus = "running"
AT_ONCE = 200

log = structlog.get_logger("service.leaving")


def leave_for_good(context: Context, player: Player) -> None:
    """Deletes the player and their bots: from now on no token and no browser is theirs. Doing it
    again changes nothing.

    A match that cannot be read is left as it is, with a seat of nobody; it is logged.
    """
    for each in (*bots.of_player(context, player), player):
        with context.database.write() as connection:
            now = context.clock()
            tokens.revoke_since(connection, each.id, each.created_at, now)
            tokens.sign_out_since(connection, each.id, each.created_at)
        for status in (OPEN, RUNNING):
            _give_up(context, each, status)
        with context.database.write() as connection:
            personal.forget(connection, each.id, context.clock())


def _give_up(context: Context, player: Player, status: MatchStatus) -> None:
    """Leaves the open matches of a player, or resigns from those that run."""
    after = None
    while True:
        with context.database.read() as connection:
            page = match_lists.of_player(connection, player.id, (), status, False, AT_ONCE, after)
        for match in page:
            if status == RUNNING and match.seat_of(player.id) is None:
                continue
            try:
                (lobby.leave if status == OPEN else lobby.resign)(context, player, match.id)
            except (Conflict, Unavailable) as error:
                log.warning("leaving.kept", match=match.id, error=str(error))
        if len(page) < AT_ONCE:
            return
        after = page[-1].id
