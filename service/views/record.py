"""The record of a match: everything in one file, as far as the viewer may know it."""

from __future__ import annotations

from sqlalchemy import Connection

from engine.documents import from_document, to_document
from engine.draws import SCHEME
from engine.record import FORMAT, EarlyEnd, LoggedAction, Record, Resignation
from engine.types import Outcome, Viewer
from service.clocks.recorded import recorded
from service.context import Context
from service.matches import replays
from service.store import clocks
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views.sight import started


def match_record(context: Context, player: Player | None, match_id: str) -> Record:
    """Returns the record of a match for the player, or a spectator.

    While the match runs, concealed actions and the secret are ``None``. Raises ``NotFound`` or
    ``Conflict``.
    """
    with context.database.read() as connection:
        match, viewer = started(connection, player, match_id)
        components = rows.components(connection, match_id)
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
        started_at=None if match.started_at is None else match.started_at.isoformat(),
        finished_at=None if match.finished_at is None else match.finished_at.isoformat(),
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
