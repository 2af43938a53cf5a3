"""Resigning: the match ends where one seat or bots alone are left; else a bot plays the seat."""

from __future__ import annotations

from engine.game import AnyGame
from engine.play import conceded, ends_with
from engine.types import Seat
from service.context import Context
from service.errors import Conflict
from service.matches import progress, replays
from service.matches.access import check_on, existing, match_seen_by, seat_in
from service.matches.progress import Cause, Progress, ProgressRows, Step, progress_by, rows_of, with_substitutes
from service.matches.types import Match
from service.players.admission import admitted
from service.sandbox import Trial
from service.store import matches as rows
from service.store.matches import StoredMatch, position
from service.store.players import Player


def resign(context: Context, player: Player, match_id: str) -> Match:
    """Gives up the player's seat for good, and keeps the ply in the record; resigning again changes
    nothing. Raises ``NotFound``, ``Forbidden``, ``Conflict`` (``match_not_started``,
    ``match_over``, ``seat_gone``, ``match_not_running``), ``MatchUnreadable`` or ``TrialFailed``.
    """
    resigned = None
    while resigned is None:
        with context.database.read() as connection:
            match = admitted(connection, rows.find(connection, match_id), match_id, player)
        seat = seat_in(match, player)
        if match.seats[seat].resigned_at is not None:
            return match_seen_by(match, player.id)
        check_on(match, seat)
        if match.status != "running":
            raise Conflict("The match is archived. Resume it before you resign.", "match_not_running")
        follows = context.sandbox.run(context, after_resigning, Trial(match, seat))
        with context.database.write() as connection:
            if position(existing(rows.lock(connection, match.id), match.id)) == position(match):
                progress.write(connection, [follows], (), context.clock())
                resigned = existing(rows.find(connection, match.id), match.id)
    progress.wake_for(context, [resigned])
    return match_seen_by(resigned, player.id)


def after_resigning(context: Context, trial: Trial) -> ProgressRows:
    """What follows for a match in which a seat resigns; in a sandbox, as the rules may hang."""
    match, game = trial.match, replays.game_of(trial.match)
    with context.database.read() as connection:
        state = replays.load(connection, context, match)
    return rows_of(resigning(match, game, Step((), (state,)), trial.seat, Cause("resigned", trial.seat)))


def resigning(
    match: StoredMatch, game: AnyGame, step: Step, seat: Seat, cause: Cause, turn_id: str | None = None
) -> Progress:
    """A match in which a seat resigns after a step: its end, by the present scores, where one seat
    is left or bots alone; or what the bot plays at once, where the seat is awaited.
    """
    gone = [other.seat for other in match.resigned] + [seat]
    if ends_with(len(match.seats), gone, match.bots):
        return progress_by(match, step, cause, turn_id, conceded(game, step.state, gone))
    played = match.played_by_bots | {seat}
    return progress_by(match, with_substitutes(game, step, match.ply, played, replays.draw_of(match)), cause, turn_id)
