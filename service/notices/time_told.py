"""What a mail about a match tells its reader of the clocks."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from service.clocks.instants import instant
from service.clocks.sentences import others_sentence, remaining_sentences, rule_sentences
from service.matches import timekeeping
from service.players import preferences
from service.store import clocks
from service.store.matches import StoredMatch

NO_ZONE = "UTC"


def zone_of(connection: Connection, player_id: str | None) -> str:
    """The time zone of a player; UTC for somebody who has no account yet."""
    return NO_ZONE if player_id is None else preferences.effective(connection, player_id).time_zone


def rule_told(match: StoredMatch) -> tuple[str, ...]:
    """The rule of the clocks, in sentences; none for a match without a clock."""
    rule = timekeeping.rule_of(match)
    return () if rule is None else rule_sentences(rule)


def timed_out(connection: Connection, match: StoredMatch) -> tuple[int, ...]:
    """How often the time of each seat was up; none for a match without a clock."""
    if match.clock is None:
        return ()
    late = clocks.timed_out(connection, [match.id])
    return tuple(late.get((match.id, seat.seat), 0) for seat in match.seats)


def time_told(
    connection: Connection, match: StoredMatch, player_id: str | None, zone: str, now: datetime
) -> tuple[str, ...]:
    """The sentences for a player: the rule before the match starts; then what is left of their
    clock, or while it does not run, until when the others have time for whom the match waits. None
    for a match without a clock.
    """
    seat = match.seat_of(player_id)
    if match.status == "open" or seat is None:
        return rule_told(match)
    times = timekeeping.times_of(connection, [match], now).get(match.id, ()) if match.status == "running" else ()
    if not times:
        return ()
    left = [time.remaining(instant(now)) for time in times]
    others = [others_sentence(match.names[other], left[other], zone) for other in range(len(left)) if other != seat]
    return remaining_sentences(left[seat], zone) or tuple(each for each in others if each)
