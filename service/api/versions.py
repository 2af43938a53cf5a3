"""The version of what a caller sees of a match: everything it depends on, found without replaying
the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.api.auth import Caller
from service.api.etags import tag

if TYPE_CHECKING:
    from service.matches.types import Match


def version_of(match: Match, caller: Caller | None, *what: object) -> str:
    """An entity tag for ``what`` of the match, as this caller sees it."""
    own = [seat.seat for seat in match.seats if caller is not None and seat.player_id == caller.id]
    seats = [(seat.player_name, seat.to_act, seat.resigned_at is not None) for seat in match.seats]
    return tag(match.id, match.status, match.ply, match.rules_version, own, seats, *what)
