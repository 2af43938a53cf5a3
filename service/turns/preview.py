"""Before a turn: what is legal, and what a turn would do up to its first draw. Stores nothing."""

from __future__ import annotations

from service.context import Context
from service.matches.access import seated
from service.players.types import Player
from service.sandbox import Actions, Notation, Trial
from service.turns.freshness import check_fresh
from service.turns.trials import legal_after, preview_of
from service.turns.types import LegalActions, Preview


def preview(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: Actions = None,
    notation: Notation = None,
) -> Preview:
    """Returns what a turn would do up to its first draw; changes nothing. Raises what ``submit``
    raises.
    """
    at = seated(context, player, match_id, seat)
    check_fresh(context, at, ply)
    return context.sandbox.run(context, preview_of, Trial(at.match, at.seat, actions, notation))


def legal_actions(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None = None,
    actions: Actions = None,
    notation: Notation = None,
) -> LegalActions:
    """Returns what the seat may do now, or after some actions of the same turn; nothing where the
    match does not await it, or a draw comes first.

    Raises ``NotFound``, ``Forbidden``, ``Conflict``, ``TrialFailed``, or ``Invalid`` where the
    earlier actions cannot be parsed or are not legal.
    """
    at = seated(context, player, match_id, seat)
    trial = Trial(at.match, at.seat, actions, notation)
    if notation is None and not actions:
        return legal_after(context, trial)
    return context.sandbox.run(context, legal_after, trial)
