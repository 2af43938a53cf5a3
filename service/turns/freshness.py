"""Whether a turn can still be taken.

The match runs, the seat has not resigned, and the turn answers the ply at which the match stands.
"""

from __future__ import annotations

from service.context import Context
from service.errors import Conflict, Invalid, StalePly
from service.matches.seated import Seated
from service.views.narration import changes_since


def check_fresh(context: Context, at: Seated, ply: int) -> None:
    """Raises ``StalePly``, ``Conflict`` (``match_over``, ``resigned``) or ``Invalid`` where a turn
    that answers ``ply`` cannot be taken now.
    """
    match = at.match
    if match.status == "finished":
        raise Conflict("The match is over; no more turns are taken.", "match_over")
    if match.seats[at.seat].resigned_at is not None:
        raise Conflict("You have resigned from this match; the house plays your seat.", "resigned")
    if ply < 0 or ply > match.ply:
        raise Invalid((("/ply", f"The match has only come to ply {match.ply}; a turn answers that."),))
    if ply < match.ply:
        with context.database.read() as connection:
            changes = changes_since(connection, match, at.seat, ply)
        raise StalePly(
            f"This turn answers ply {ply}, but the match has moved on to ply {match.ply}: look again.",
            ply,
            match.ply,
            changes,
        )
