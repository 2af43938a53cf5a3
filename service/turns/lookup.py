"""A player's own turns, one by id or all of a match."""

from __future__ import annotations

from service.context import Context
from service.errors import NotFound
from service.matches.access import existing, own_seat
from service.players.admission import admitted
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.players import Player
from service.store.turns import StoredTurn
from service.turns import verdicts
from service.turns.submit import turn_shown
from service.turns.types import Turn


def find(context: Context, player: Player, match_id: str, turn_id: str) -> Turn:
    """A turn of the player. Raises ``NotFound`` or ``Forbidden`` (``not_seated``)."""
    with context.database.look() as connection:
        turn = turn_rows.find(connection, turn_id)
    if turn is None or turn.match_id != match_id or turn.player_id != player.id:
        own_seat(context, player, match_id, None)
        raise NotFound(f"You have submitted no turn {turn_id} to match {match_id}.", "turn_not_found")
    return shown(context, turn)


def of_player(
    context: Context, player: Player, match_id: str, after: str | None = None, limit: int = 50
) -> tuple[Turn, ...]:
    """At most ``limit`` turns of the player in a match, oldest first, after turn ``after``. Raises
    ``NotFound``, ``Forbidden`` (``not_seated``) and ``UnknownCursor``.
    """
    with context.database.read() as connection:
        match = admitted(connection, match_rows.find(connection, match_id), match_id, player)
        if match.seat_of(player.id) is None and not turn_rows.of_player(connection, match_id, player.id, 1, None):
            own_seat(context, player, match_id, None, match)
        turns = turn_rows.of_player(connection, match_id, player.id, limit, after)
        judged = verdicts.read_all(connection, context, match, turns)
    return tuple(turn_shown(turn, verdict) for turn, verdict in zip(turns, judged, strict=True))


def shown(context: Context, turn: StoredTurn) -> Turn:
    """A turn as its submitter sees it."""
    if turn.verdict is None:
        return turn_shown(turn)
    with context.database.read() as connection:
        match = existing(match_rows.find(connection, turn.match_id), turn.match_id)
        return turn_shown(turn, verdicts.read(connection, context, match, turn))
