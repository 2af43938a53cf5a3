"""The version of a match for a viewer: while it is the same, so is what they are shown of it."""

from __future__ import annotations

from service.context import Context
from service.players.admission import admitted
from service.store import clocks
from service.store import matches as rows
from service.store.players import Player


def version(context: Context, player: Player | None, match_id: str) -> tuple[object, ...]:
    """Everything on which the log, the record, the boards and the observation of a match depend for
    the player, or a spectator, as values that ``json`` or ``str`` can write. Raises ``NotFound``.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        steps = clocks.lengths(connection, [match_id])
    return (
        match.id,
        match.rules_version,
        match.status,
        match.ply,
        match.seat_of(player.id if player is not None else None),
        [(seat.player_id, seat.player_name, seat.to_act, seat.by_bot, seat.resigned_ply) for seat in match.seats],
        match.handed_over,
        match.early_end,
        match.outcome,
        (match.started_at, match.finished_at),
        (match.unreadable_at, match.unreadable_reason),
        steps,
    )
