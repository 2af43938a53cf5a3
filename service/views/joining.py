"""What one wants to know before taking a seat, by a join link or an open seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engine.documents import About
from service.clocks.sentences import rule_sentences
from service.context import Context
from service.matches import timekeeping
from service.matches.access import linked
from service.matches.types import Match
from service.players import profiles
from service.players.admission import admitted
from service.players.profiles import Profile
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views import match as views
from service.views.match import board_text


@dataclass(frozen=True, slots=True)
class Joining:
    """What a join link, or an open seat, leads to."""

    match: Match
    host: Annotated[Profile | None, About("Who created it, and how reliably they play; `null` once they have left.")]
    players: Annotated[tuple[Profile, ...], About("Who has a seat, and how reliably they play; in the order of seats.")]
    clock: Annotated[
        tuple[str, ...],
        About("How much time there is, the reserve, and what follows when both are used up; empty without a clock."),
    ]
    board: Annotated[str | None, About("The board as text, as a spectator sees it; `null` until the match starts.")]


def match_of_link(context: Context, secret: str) -> StoredMatch:
    """The match to which a join link leads. Raises ``NotFound`` (``join_link_not_found``)."""
    with context.database.read() as connection:
        return linked(rows.find_by_link(connection, secret))


def match_shown(context: Context, match_id: str) -> StoredMatch:
    """The match, if it is shown to everybody. Raises ``NotFound``."""
    with context.database.read() as connection:
        return admitted(connection, rows.find(connection, match_id), match_id, None)


def joining(context: Context, player: Player | None, found: StoredMatch) -> Joining:
    """What one wants to know of a match that one may know of. Raises as ``board_text``."""
    secret = found.join_secret
    with context.database.read() as connection:
        host = profiles.of_players(connection, [found.created_by]).get(found.created_by)
    rule = timekeeping.rule_of(found)
    return Joining(
        match=views.match(context, player, found.id, link=secret),
        host=host,
        players=seated(context, found),
        clock=() if rule is None else rule_sentences(rule),
        board=None if found.started_at is None else board_text(context, None, found.id, link=secret),
    )


def seated(context: Context, match: StoredMatch) -> tuple[Profile, ...]:
    """Returns the profiles of those who have seats, in the order of seats."""
    ids = [seat.player_id for seat in match.seats if seat.player_id is not None]
    with context.database.read() as connection:
        known = profiles.of_players(connection, ids)
    return tuple(known[each] for each in ids if each in known)
