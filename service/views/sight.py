"""A match with its viewer: its state, once it has started, and its version: while that is the same,
so is what they are shown of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.play import prompt
from engine.sentences import prompt_told
from engine.types import CHANCE, Seat, ToldStatement, Viewer
from service.context import Context
from service.matches import replays
from service.matches.access import check_ply, check_started
from service.players.admission import admitted
from service.store import clocks
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player


@dataclass(frozen=True, slots=True)
class Sight:
    """A match, its state at a ply and the viewer."""

    match: StoredMatch
    game: AnyGame
    ply: int
    state: Any
    viewer: Viewer


def sight(
    context: Context, player: Player | None, match_id: str, ply: int | None = None, link: str | None = None
) -> Sight:
    """Returns the match and its state at a ply, by default the present one, for the player or, with
    ``None``, a spectator; ``link`` is the secret of the join link that they have followed.

    Raises ``NotFound``, or ``Conflict`` (``match_not_started``, ``ply_ahead``).
    """
    with context.database.read() as connection:
        match, viewer = started(connection, player, match_id, link)
        check_ply(match, ply)
        at = match.ply if ply is None else ply
        return Sight(match, replays.game_of(match), at, replays.load(connection, context, match, at), viewer)


def asked(sight: Sight) -> dict[Seat, ToldStatement]:
    """The prompt of each seat that was awaited then, by seat, as the viewer may read it."""
    if sight.ply == sight.match.ply:
        awaited = [seat.seat for seat in sight.match.seats if seat.to_act]  # None once players have ended the match.
    else:
        awaited = [seat for seat in sight.game.to_act(sight.state) if seat != CHANCE]
    return {seat: prompt_told(sight.game, prompt(sight.game, sight.state, seat, sight.viewer)) for seat in awaited}


def started(
    connection: Connection, player: Player | None, match_id: str, link: str | None = None
) -> tuple[StoredMatch, Viewer]:
    """Returns the match and the player's seat, ``None`` for a spectator.

    Raises ``NotFound`` or ``Conflict`` (``match_not_started``).
    """
    match = admitted(connection, rows.find(connection, match_id), match_id, player, link)
    check_started(match)
    return match, match.seat_of(player.id if player is not None else None)


def version(context: Context, player: Player | None, match_id: str) -> tuple[object, ...]:
    """Everything on which the log, the record, the boards and the observation of a match depend for
    the player, or a spectator, as values that ``json`` or ``str`` can write. Raises ``NotFound``.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        steps = clocks.lengths(connection, [match_id])
    return (
        match.id,
        match.rules_version,
        match.status,
        match.ply,
        match.seat_of(player.id if player is not None else None),
        [(seat.player_id, seat.player_name, seat.to_act, seat.by_bot, seat.resigned_ply) for seat in match.seats],
        match.handed_over,
        match.early_end,
        match.outcome,
        (match.started_at, match.finished_at),
        (match.unreadable_at, match.unreadable_reason),
        steps,
    )
