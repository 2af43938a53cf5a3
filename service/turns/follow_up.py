"""What follows a turn for the seat that took it: where a draw stands in the middle of a turn, the
answer to its first part asks for the second.
"""

from __future__ import annotations

from typing import Final

from engine.documents import to_document
from engine.play import legal_actions, still_fresh
from service.context import Readable
from service.matches import replays
from service.matches.access import existing
from service.store import matches as rows
from service.turns.ruling import MOST_LEGAL
from service.turns.types import LegalAction, NextTurn, Turn

MOST_SINCE: Final = 64
"""So many entries behind a turn are looked at; where there are more, the match has moved on."""


def next_turn(context: Readable, turn: Turn) -> NextTurn | None:
    """What the match asks of the seat now that this turn is judged, for the player who submitted
    it.

    ``None`` while the turn is queued, where nothing of it stands (its refusal says what would be
    legal), where the match does not wait for the seat, and where it has moved on since by anything
    but what others did in secret. Raises ``NotFound``.
    """
    verdict = turn.verdict
    if verdict is None or verdict.status == "rejected" or turn.awaited is False:
        return None
    with context.database.read() as connection:
        match = existing(rows.find(connection, turn.match_id), turn.match_id)
        if (
            match.status != "running"
            or match.ply - verdict.ply_after > MOST_SINCE
            or not match.seats[turn.seat].to_act
            or not replays.at_hand(match)
        ):
            return None
        steps = tuple(replays.walk(connection, context, match, verdict.ply_after))
        game, state = replays.game_of(match), replays.load(connection, context, match)
    if not still_fresh(game, steps, turn.seat):
        return None
    legal = legal_actions(game, state, turn.seat)
    return NextTurn(
        ply=match.ply,
        prompt=game.prompt(state, turn.seat),
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )
