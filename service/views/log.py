"""The log of a match, told to one viewer."""

from __future__ import annotations

from engine.documents import to_document
from engine.types import CHANCE
from service.context import Context
from service.matches import replays
from service.matches.access import existing
from service.players.types import Player
from service.store import matches as rows
from service.views import narration
from service.views.sight import started
from service.views.types import LogEntry


def match_log(
    context: Context, player: Player | None, match_id: str, after_ply: int | None = None, limit: int = 100
) -> tuple[LogEntry, ...]:
    """The entries behind ``after_ply`` (``None``: from the first), at most ``limit``, told to the
    asker.

    Of a finished match nothing is concealed any more. Raises ``NotFound``; the log of a match that
    has not started is empty.
    """
    with context.database.read() as connection:
        match = existing(rows.find(connection, match_id), match_id)
        start = 0 if after_ply is None else max(0, after_ply + 1)
        if start >= match.ply:
            return ()
        game, viewer = replays.game_of(match), match.seat_of(player.id if player is not None else None)
        state = game.setup(replays.setup_of(connection, match))
        stop = min(match.ply, start + limit)
        times = [row.at for row in rows.log(connection, match_id, start, stop)]
        entries = replays.entries_of(connection, game, match, 0, stop)
    told: list[LogEntry] = []
    for ply, entry in enumerate(entries):
        after = game.apply(state, entry.seat, entry.action)
        if ply >= start:
            seen = entry.action if match.status == "finished" else game.seen(state, entry.seat, entry.action, viewer)
            told.append(
                LogEntry(
                    ply=ply,
                    seat=entry.seat,
                    player=None if entry.seat == CHANCE else match.names[entry.seat],
                    sentence=game.narrate(state, entry.seat, entry.action, after, viewer, match.names),
                    action=None if seen is None else to_document(seen),
                    at=times[ply - start],
                )
            )
        state = after
    return tuple(told)


def changes_since(context: Context, player: Player | None, match_id: str, ply: int) -> tuple[str, ...]:
    """What happened from that ply on, told to the asker. Raises ``NotFound`` or ``Conflict``."""
    with context.database.read() as connection:
        match, viewer = started(connection, player, match_id)
        return narration.changes_since(connection, match, viewer, ply)
