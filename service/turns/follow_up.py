"""What the match asks of a seat after its turn was judged: after a draw in the middle of a turn,
the rest of the turn.
"""

from __future__ import annotations

from typing import Final

from engine.documents import to_document
from engine.play import legal_actions, prompt, still_fresh
from service.context import Context
from service.matches import replays
from service.matches.access import existing
from service.store import matches as rows
from service.turns.judge import MOST_LEGAL
from service.turns.types import LegalAction, NextTurn, Turn, Verdict
from service.waits import apart

MOST_SINCE: Final = 64
"""The most entries after a turn that are examined; with more, the match counts as moved on."""


def next_turn(context: Context, turn: Turn) -> NextTurn | None:
    """Returns what the match asks of the turn's seat now that the turn is judged.

    ``None`` while the turn is queued, where it was rejected (its refusal lists what would be
    legal), where the match does not await the seat, and where anything has happened since that the
    seat may know of. Raises ``NotFound``.
    """
    verdict = turn.verdict
    if verdict is None or verdict.status == "rejected" or turn.awaited is False:
        return None
    return apart(lambda: _asked(context, turn, verdict))


def _asked(context: Context, turn: Turn, verdict: Verdict) -> NextTurn | None:
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
        prompt=prompt(game, state, turn.seat, turn.seat),
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )
