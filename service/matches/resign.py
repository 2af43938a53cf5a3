"""Resigning: with two seats left the other wins; with more a bot plays the seat from then on,
unless bots would be among themselves.
"""

from __future__ import annotations

from engine.game import AnyGame
from engine.play import conceded, ends_with
from engine.types import Seat
from service.context import Context
from service.errors import Conflict, Forbidden
from service.matches import progress, replays
from service.matches.access import check_on, existing, match_seen_by
from service.matches.fairness import draw_of
from service.matches.progress import (
    Cause,
    Progress,
    ProgressRows,
    Step,
    progress_by,
    rows_of,
    wake_for,
    with_substitutes,
)
from service.matches.types import Match
from service.players.admission import admitted
from service.sandbox import Trial
from service.store import matches as rows
from service.store.matches import StoredMatch, position
from service.store.players import Player


def resign(context: Context, player: Player, match_id: str) -> Match:
    """Gives up the player's seat for good; resigning again changes nothing. The record keeps the
    ply.

    Where one seat is left, or bots alone, the match ends, by the present scores. Where more are, a
    bot plays the seat: at once if it is awaited, and later within the turn that makes it awaited.
    Raises ``NotFound``, ``Forbidden``, ``Conflict`` (``match_not_started``, ``match_over``,
    ``match_not_running``), ``MatchUnreadable`` or ``TrialFailed``.
    """
    resigned = None
    while resigned is None:
        with context.database.read() as connection:
            match = admitted(connection, rows.find(connection, match_id), match_id, player)
        seat = match.seat_of(player.id)
        if seat is None:
            raise Forbidden("You have no seat in this match.", "not_seated")
        if match.seats[seat].resigned_at is not None:
            return match_seen_by(match, player.id)
        check_on(match, seat)
        if match.status != "running":
            raise Conflict("The match is archived. Resume it before you resign.", "match_not_running")
        follows = context.sandbox.run(context, after_resigning, Trial(match, seat))
        resigned = _written(context, match, follows)
    wake_for(context, [resigned])
    return match_seen_by(resigned, player.id)


def after_resigning(context: Context, trial: Trial) -> ProgressRows:
    """The progress of a match in which a seat resigns: its end, or what the bot plays at once. Run
    in a sandbox, as the rules may hang or crash at that.
    """
    match, game = trial.match, replays.game_of(trial.match)
    with context.database.read() as connection:
        state = replays.load(connection, context, match)
    return rows_of(resigning(match, game, Step((), (state,)), trial.seat, Cause("resigned", trial.seat)))


def resigning(
    match: StoredMatch, game: AnyGame, step: Step, seat: Seat, cause: Cause, turn_id: str | None = None
) -> Progress:
    """The progress of a match in which a seat resigns after a step: its end, or what the bot plays
    at once.
    """
    gone = [other.seat for other in match.resigned] + [seat]
    if ends_with(len(match.seats), gone, match.bots):
        return progress_by(match, step, cause, turn_id, conceded(game, step.state, gone))
    played = match.played_by_bots | {seat}
    return progress_by(match, with_substitutes(game, step, match.ply, played, draw_of(match)), cause, turn_id)


def _written(context: Context, match: StoredMatch, follows: ProgressRows) -> StoredMatch | None:
    """The match after the resignation is written; ``None`` where it has changed since it was
    read.
    """
    with context.database.write() as connection:
        if position(existing(rows.lock(connection, match.id), match.id)) != position(match):
            return None
        now = context.clock()
        progress.write(connection, [follows], (), now)
        return existing(rows.find(connection, match.id), match.id)
