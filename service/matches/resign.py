"""Resigning: with two seats left the other wins; with more a bot plays the seat from then on."""

from __future__ import annotations

from engine.play import conceded
from service.context import Judging
from service.errors import Conflict, Forbidden
from service.matches import replays
from service.matches.access import existing, match_seen_by
from service.matches.fairness import draw_of
from service.matches.progress import Step, append, publish, with_substitutes
from service.matches.types import Match
from service.players.types import Player
from service.store import matches as rows


def resign(context: Judging, player: Player, match_id: str) -> Match:
    """Gives up the player's seat for good; resigning again changes nothing. The record keeps the
    ply.

    Where one seat is left the match ends, by the present scores. Where more are, a bot plays the
    seat: at once if it is awaited, and later within the turn that makes it awaited. Raises
    ``NotFound``, ``Forbidden`` or ``Conflict`` (``match_not_running``).
    """
    moved = None
    with context.database.write() as connection:
        match = existing(rows.lock(connection, match_id), match_id)
        seat = match.seat_of(player.id)
        if seat is None:
            raise Forbidden("You have no seat in this match.", "not_seated")
        if match.seats[seat].resigned_at is None:
            if match.status != "running":
                raise Conflict("You can resign only from a running match.", "match_not_running")
            now = context.clock()
            game, state = replays.game_of(match), replays.load(connection, context, match)
            rows.resign(connection, match_id, seat, match.ply, now)
            gone = [other.seat for other in match.resigned] + [seat]
            step = Step((), state)
            if len(gone) == len(match.seats) - 1:
                moved = append(connection, match, step, now, conceded=conceded(game, state, gone))
            else:
                moved = append(connection, match, with_substitutes(game, step, match.ply, gone, draw_of(match)), now)
            match = existing(rows.find(connection, match_id), match_id)
    if moved is not None:
        publish(context, moved)
    return match_seen_by(match, player.id)
