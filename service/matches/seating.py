"""Sitting down at a match: whoever wants to act must hold a seat of it, and the match must be one
in which one acts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.game import AnyGame
from service.errors import Conflict, Forbidden, Invalid, StalePly
from service.matches import memory
from service.matches.showing import existing
from service.matches.telling import changes_since
from service.players.types import Player
from service.store.matches import StoredMatch

if TYPE_CHECKING:
    from service.wiring import Overland


@dataclass(frozen=True, slots=True)
class Table:
    """A running match, and the seat of whoever sat down at it."""

    match: StoredMatch
    game: AnyGame
    seat: int


def sit_down(overland: Overland, player: Player, match_id: str, seat: int | None) -> Table:
    """The table, where the player has a seat at it, and this seat if one is named.

    Raises ``NotFound``, ``Forbidden`` or ``Conflict``.
    """
    match = existing(overland.desk.match(overland.database, match_id), match_id)
    own = match.seat_of(player.id)
    if own is None:
        raise Forbidden("You have no seat in this match.", "not_seated")
    if seat is not None and seat != own:
        raise Forbidden(f"Seat {seat} is not yours; you sit on seat {own}.", "not_your_seat")
    if match.status == "open":
        raise Conflict("The match has not started yet: seats are still free.", "match_not_running")
    if match.status == "cancelled":
        raise Conflict("The match was cancelled before it started.", "match_not_running")
    return Table(match, memory.game_of(match), own)


def check_ply(overland: Overland, table: Table, ply: int) -> None:
    """Raises ``StalePly``, ``Conflict`` (``match_over``, ``resigned``) or ``Invalid`` where a turn
    that answers ``ply`` cannot be taken now.
    """
    match = table.match
    if match.status == "finished":
        raise Conflict("The match is over; no more turns are taken.", "match_over")
    if match.seats[table.seat].resigned_at is not None:
        raise Conflict("You have resigned from this match; the house plays your seat.", "resigned")
    if ply < 0 or ply > match.ply:
        raise Invalid((("/ply", f"The match has only come to ply {match.ply}; a turn answers that."),))
    if ply < match.ply:
        with overland.database.read() as connection:
            changes = changes_since(connection, match, table.seat, ply)
        raise StalePly(
            f"This turn answers ply {ply}, but the match has moved on to ply {match.ply}: look again.",
            ply,
            match.ply,
            changes,
        )


def state_of(overland: Overland, table: Table) -> Any:
    """The state of the match, mostly remembered; only where it is not, the database is asked for
    the log up to its ply, which never changes any more.
    """
    with overland.database.read() as connection:
        return memory.load(connection, overland, table.match)
