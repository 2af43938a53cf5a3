"""The log of a match, narrated, and its record in one file, as far as the viewer may know them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from sqlalchemy import Connection

from engine.documents import About, from_document, to_document
from engine.draws import SCHEME
from engine.game import AnyGame
from engine.play import Replayed
from engine.record import FORMAT, EarlyEnd, LoggedAction, Record, Resignation
from engine.types import CHANCE, Outcome, Viewer
from service.clocks.recorded import recorded
from service.clocks.spans import written
from service.context import Context
from service.matches import replays
from service.matches.access import check_ply
from service.matches.types import Document, OfGame
from service.players.admission import admitted
from service.store import clocks
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views.match import started


def match_record(context: Context, player: Player | None, match_id: str) -> Record:
    """The record of a match. While it runs, concealed actions and the secret are ``None``. Raises
    ``NotFound`` or ``Conflict``.
    """
    with context.database.read() as connection:
        match, viewer = started(connection, player, match_id)
        components = rows.components(connection, match_id)
        with replays.ruled(match_id):
            logged = _logged(connection, context, match, viewer)
        steps = clocks.steps_of(connection, match_id)
    return Record(
        format=FORMAT,
        match=match.id,
        game=match.game,
        rules_version=match.rules_version,
        players=match.names,
        options=match.options,
        components=components,
        commitment=match.commitment,
        nonces=tuple(seat.nonce or "" for seat in match.seats),
        log=logged,
        secret=match.secret.hex() if match.is_over else None,
        started_at=None if match.started_at is None else written(match.started_at),
        finished_at=None if match.finished_at is None else written(match.finished_at),
        outcome=None if match.outcome is None else from_document(Outcome, match.outcome),
        resignations=tuple(Resignation(seat.seat, seat.resigned_ply or 0) for seat in match.resigned),
        scheme=SCHEME,
        nonces_digest=replays.digest_of(match),
        clock=None if match.clock is None else recorded(match.clock, steps),
        bots={str(seat.seat): seat.bot for seat in match.seats if seat.bot is not None},
        handovers=match.handovers,
        early_end=None if match.early_end is None else from_document(EarlyEnd, match.early_end),
    )


def _logged(connection: Connection, context: Context, match: StoredMatch, viewer: Viewer) -> tuple[LoggedAction, ...]:
    """The log; while the match runs, actions that are concealed from the viewer are ``None``."""
    if match.is_over:
        return tuple(LoggedAction(row.seat, row.action) for row in rows.log(connection, match.id, 0, match.ply))
    game = replays.game_of(match)
    logged = []
    for _, before, entry, _ in replays.walk(connection, context, match, 0):
        seen = game.seen(before, entry.seat, entry.action, viewer)
        logged.append(LoggedAction(entry.seat, None if seen is None else to_document(seen)))
    return tuple(logged)


class LogEntry(TypedDict):
    """An entry of the log, narrated for one caller: for chance ``player`` is ``None`` and ``seat``
    -1; ``action`` is ``None`` where it is concealed.
    """

    game: Annotated[str, OfGame("game"), About("The name of the match's game.")]
    ply: Annotated[int, About("How many entries stand before it.", minimum=0)]
    seat: Annotated[int, About("Who acted; -1 is chance.", minimum=-1)]
    player: Annotated[str | None, About("The name of who had the seat then; `null` for chance.")]
    sentence: Annotated[str, About("What happened; empty where there is nothing to tell.")]
    action: Annotated[
        Document | None, OfGame("logged_action"), About("The action; `null` where it is concealed from the caller.")
    ]
    at: Annotated[datetime, About("When it was made.")]


def match_log(
    context: Context, player: Player | None, match_id: str, after_ply: int | None = None, limit: int = 100
) -> tuple[LogEntry, ...]:
    """At most ``limit`` entries after ``after_ply`` (``None``: from the first), narrated; none
    before the start. Nothing is concealed in a finished match. Raises ``NotFound``, and
    ``Conflict`` (``ply_ahead``).
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        check_ply(match, None if after_ply is None else max(0, after_ply))
        start = 0 if after_ply is None else max(0, after_ply + 1)
        if start >= match.ply:
            return ()
        game, viewer = replays.game_of(match), match.seat_of(player.id if player is not None else None)
        stop = min(match.ply, start + limit)
        times = [row.at for row in rows.log(connection, match_id, start, stop)]
        steps = replays.walk(connection, context, match, start, stop)
    with replays.ruled(match_id):
        return tuple(_told(game, match, step, viewer, at) for step, at in zip(steps, times, strict=True))


def _told(game: AnyGame, match: StoredMatch, step: Replayed, viewer: Viewer, at: datetime) -> LogEntry:
    ply, before, entry, after = step
    seat, action = entry.seat, entry.action
    names = match.names_at(ply)
    seen = action if match.is_over else game.seen(before, seat, action, viewer)
    return LogEntry(
        game=match.game,
        ply=ply,
        seat=seat,
        player=None if seat == CHANCE else names[seat],
        sentence=game.narrate(before, seat, action, after, viewer, names),
        action=None if seen is None else to_document(seen),
        at=at,
    )
