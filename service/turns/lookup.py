"""A player's own turns: one by its id, or all of a match."""

from __future__ import annotations

from engine.documents import from_document
from service.context import Stored
from service.errors import NotFound
from service.matches.access import existing
from service.players.types import Player
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.turns import StoredTurn, StoredVerdict
from service.turns.types import Turn, Verdict


def find(context: Stored, player: Player, match_id: str, turn_id: str) -> Turn:
    """A turn of the player's own. Raises ``NotFound``."""
    return shown_turn(_own(context, player, match_id, turn_id))


def of_player(
    context: Stored, player: Player, match_id: str, after: str | None = None, limit: int = 50
) -> tuple[Turn, ...]:
    """The player's turns in a match, oldest first, behind turn ``after``. Raises ``NotFound``."""
    with context.database.read() as connection:
        existing(match_rows.find(connection, match_id), match_id)
        return tuple(shown_turn(turn) for turn in turn_rows.of_player(connection, match_id, player.id, limit, after))


def shown_turn(turn: StoredTurn, found: StoredVerdict | None = None) -> Turn:
    """The turn as its submitter sees it, with the verdict that was ``found`` since, if any."""
    judged = found or turn
    notation = turn.document.get("notation")
    return Turn(
        id=turn.id,
        match_id=turn.match_id,
        seat=turn.seat,
        player_id=turn.player_id,
        ply=turn.ply,
        actions=tuple(turn.document["actions"]),
        status=judged.status,
        submitted_at=turn.submitted_at,
        judged_at=judged.judged_at,
        verdict=None if judged.verdict is None else from_document(Verdict, judged.verdict),
        notation=None if notation is None else tuple(notation),
        awaited=None if found is None else found.awaited,
    )


def _own(context: Stored, player: Player, match_id: str, turn_id: str) -> StoredTurn:
    with context.database.look() as connection:
        turn = turn_rows.find(connection, turn_id)
    if turn is None or turn.match_id != match_id or turn.player_id != player.id:
        raise NotFound(f"You have submitted no turn {turn_id} to match {match_id}.", "turn_not_found")
    return turn
