"""The log of a match, narrated for one viewer."""

from __future__ import annotations

from datetime import datetime

from engine.documents import to_document
from engine.game import AnyGame
from engine.play import Replayed
from engine.types import CHANCE, Viewer
from service.context import Context
from service.matches import replays
from service.matches.access import check_ply
from service.players.admission import admitted
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views.types import LogEntry


def match_log(
    context: Context, player: Player | None, match_id: str, after_ply: int | None = None, limit: int = 100
) -> tuple[LogEntry, ...]:
    """Returns at most ``limit`` entries after ``after_ply`` (``None``: from the first), narrated
    for the player, or for a spectator.

    Nothing is concealed in a finished match. The log of a match that has not started is empty.
    Raises ``NotFound``, and ``Conflict`` (``ply_ahead``) for a ply that the match has not reached.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        check_ply(match, None if after_ply is None else max(0, after_ply))
        start = 0 if after_ply is None else max(0, after_ply + 1)
        if start >= match.ply:
            return ()
        game, viewer = replays.game_of(match), match.seat_of(player.id if player is not None else None)
        stop = min(match.ply, start + limit)
        times = [row.at for row in rows.log(connection, match_id, start, stop)]
        steps = replays.walk(connection, context, match, start, stop)
    return tuple(_told(game, match, step, viewer, at) for step, at in zip(steps, times, strict=True))


def _told(game: AnyGame, match: StoredMatch, step: Replayed, viewer: Viewer, at: datetime) -> LogEntry:
    ply, before, entry, after = step
    seat, action = entry.seat, entry.action
    names = match.names_at(ply)
    seen = action if match.is_over else game.seen(before, seat, action, viewer)
    return LogEntry(
        game=match.game,
        ply=ply,
        seat=seat,
        player=None if seat == CHANCE else names[seat],
        sentence=game.narrate(before, seat, action, after, viewer, names),
        action=None if seen is None else to_document(seen),
        at=at,
    )
