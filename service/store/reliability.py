"""How reliably players have played, counted in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, and_, exists, func, or_, select

from service.clocks.history import BY_BOT
from service.house import HOUSE
from service.store.tables import clock_steps, matches, seats

GONE: Final = ("time_up_bot_seat", "time_up_resign")
"""The steps after which a player does not come back."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Counted over the matches with other people that have started: ``turns`` in matches with a
    clock, those of them ``in_time``; ``matches``, and those that the player has ``left``: a bot
    plays on for them, or has to the end.
    """

    turns: int = 0
    in_time: int = 0
    matches: int = 0
    left: int = 0


def of_players(connection: Connection, player_ids: Collection[str]) -> dict[str, Reliability]:
    """The reliability of each of these players."""
    played, late = Counter[str](), Counter[str]()
    for row in connection.execute(_steps(player_ids)):
        (late if row.kind in BY_BOT else played)[row.player_id] += row.number
    found = {}
    for row in connection.execute(_seats(player_ids)):
        turns = played[row.player_id] + late[row.player_id]
        found[row.player_id] = Reliability(turns, played[row.player_id], row.matches, row.gone or 0)
    return {player_id: found.get(player_id, Reliability()) for player_id in player_ids}


def _steps(player_ids: Collection[str]) -> Any:
    wanted = select(clock_steps.c.player_id, clock_steps.c.kind, func.count().label("number")).where(
        clock_steps.c.player_id.in_(player_ids), clock_steps.c.kind.in_(("turn", *BY_BOT)), _with_people(clock_steps)
    )
    return wanted.group_by(clock_steps.c.player_id, clock_steps.c.kind)


def _seats(player_ids: Collection[str]) -> Any:
    ended = exists().where(
        clock_steps.c.match_id == seats.c.match_id,
        clock_steps.c.seat == seats.c.seat,
        clock_steps.c.player_id == seats.c.player_id,
        clock_steps.c.kind.in_(GONE),
    )
    others = seats.alias("others")
    more = select(func.count()).where(others.c.match_id == seats.c.match_id).scalar_subquery()
    left = or_(seats.c.held_at.is_not(None), ended, and_(seats.c.resigned_at.is_not(None), more > 2))
    return (
        select(seats.c.player_id, func.count().label("matches"), func.count().filter(left).label("gone"))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.player_id.in_(player_ids), matches.c.started_at.is_not(None), _with_people(seats))
        .group_by(seats.c.player_id)
    )


def _with_people(of: Table) -> ColumnElement[bool]:
    """Whether another person has a seat in the match of a row, which names its player."""
    other = seats.alias("other")
    return exists().where(
        other.c.match_id == of.c.match_id,
        other.c.player_id != of.c.player_id,
        other.c.player_id.not_in(sorted(HOUSE)),
    )
