"""What a mail about a match tells its reader of the clocks."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from service.clocks.instants import instant
from service.clocks.rule import policy_words
from service.clocks.sentences import excuses_sentence, remaining_sentence, rule_sentences
from service.matches import timekeeping
from service.players import preferences
from service.store import clocks
from service.store.matches import StoredMatch

NO_ZONE = "UTC"


def zone_of(connection: Connection, player_id: str | None) -> str:
    """The time zone of a player; UTC for somebody who has no account yet."""
    return NO_ZONE if player_id is None else preferences.effective(connection, player_id).time_zone


def policy_of(match: StoredMatch) -> str:
    """What follows when the time of a seat is up; empty for a match without a clock."""
    rule = timekeeping.rule_of(match)
    return "" if rule is None else policy_words(rule)


def timed_out(connection: Connection, match: StoredMatch) -> tuple[int, ...]:
    """How often the time of each seat was up; none for a match without a clock."""
    if match.clock is None:
        return ()
    late = clocks.timed_out(connection, [match.id])
    return tuple(late.get((match.id, seat.seat), 0) for seat in match.seats)


def time_told(
    connection: Connection, match: StoredMatch, player_id: str | None, zone: str, now: datetime
) -> tuple[str, ...]:
    """The sentences for a player: the rule before the match starts and as it does; then what is
    left of their clock. None for a match without a clock.
    """
    rule = timekeeping.rule_of(match)
    if rule is None:
        return ()
    seat = match.seat_of(player_id)
    if match.status == "open" or seat is None:
        return rule_sentences(rule)
    times = timekeeping.times_of(connection, [match]).get(match.id, ())
    if match.status != "running" or not times:
        return ()
    left = times[seat].remaining(instant(now))
    sentence = remaining_sentence(left, zone)
    return (sentence, excuses_sentence(left.excuses)) if sentence else ()
