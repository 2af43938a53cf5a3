"""What an asker may see of a match.

Everything here is made from ``observe``, ``seen`` and ``narrate`` for that one viewer, and from
nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.record import FORMAT, LoggedAction, Record, Resignation
from engine.types import CHANCE, Outcome, Seat, Viewer
from service.errors import Conflict
from service.matches import memory, telling
from service.matches.showing import existing, match_seen_by
from service.matches.types import Awaited, LogEntry, LookedAt, Match
from service.players.types import Player
from service.store import matches as rows
from service.store.matches import StoredMatch

if TYPE_CHECKING:
    from service.wiring import Overland


def match(overland: Overland, player: Player | None, match_id: str) -> Match:
    """A match as the asker may see it, and what each seat it waits for is asked.

    Raises ``NotFound``.
    """
    with overland.database.read() as connection:
        found = existing(rows.find(connection, match_id), match_id)
        seen = match_seen_by(found, player.id if player is not None else None)
        # Rules that are no longer at hand have nothing to ask; whose seats and log there are can be
        # seen all the same.
        if found.status != "running" or not memory.at_hand(found):
            return seen
        state = memory.load(connection, overland, found)
    asked = _asked(_Sight(found, memory.game_of(found), state, None))
    return replace(seen, seats=tuple(replace(seat, prompt=asked.get(seat.seat)) for seat in seen.seats))


def observation(overland: Overland, player: Player | None, match_id: str) -> LookedAt:
    """What the asker may know of the match as it stands.

    Raises ``NotFound`` or ``Conflict`` (``match_not_started``).
    """
    sight = _sight(overland, player, match_id)
    match, game, viewer = sight.match, sight.game, sight.viewer
    awaited = tuple(
        Awaited(seat=seat, player=match.names[seat], prompt=prompt) for seat, prompt in _asked(sight).items()
    )
    mine = next((each for each in awaited if each["seat"] == viewer), next(iter(awaited), None))
    return LookedAt(
        match=match.id,
        game=match.game,
        status=match.status,
        ply=match.ply,
        seat=viewer,
        to_act=tuple(each["seat"] for each in awaited),
        awaited=awaited,
        prompt=None if mine is None else mine["prompt"],
        observation=to_document(game.observe(sight.state, viewer)),
    )


def board_text(overland: Overland, player: Player | None, match_id: str) -> str:
    """The board as text of at most 78 columns. Raises ``NotFound`` or ``Conflict``."""
    sight = _sight(overland, player, match_id)
    return sight.game.text(sight.game.observe(sight.state, sight.viewer), sight.match.names)


def board_svg(overland: Overland, player: Player | None, match_id: str) -> str:
    """The board as a picture. Raises ``NotFound`` or ``Conflict``."""
    sight = _sight(overland, player, match_id)
    return sight.game.svg(sight.game.observe(sight.state, sight.viewer), sight.match.names)


def changes_since(overland: Overland, player: Player | None, match_id: str, ply: int) -> tuple[str, ...]:
    """What happened from that ply on, told to the asker. Raises ``NotFound`` or ``Conflict``."""
    with overland.database.read() as connection:
        match, viewer = _started(connection, player, match_id)
        return telling.changes_since(connection, match, viewer, ply)


def log(
    overland: Overland, player: Player | None, match_id: str, after_ply: int | None = None, limit: int = 100
) -> tuple[LogEntry, ...]:
    """The entries behind ``after_ply`` (``None``: from the first), at most ``limit``, told to the
    asker.

    Of a finished match nothing is concealed any more. Raises ``NotFound``; the log of a match that
    has not started is empty.
    """
    with overland.database.read() as connection:
        match = existing(rows.find(connection, match_id), match_id)
        start = 0 if after_ply is None else max(0, after_ply + 1)
        if start >= match.ply:
            return ()
        game, viewer = memory.game_of(match), match.seat_of(player.id if player is not None else None)
        state = game.setup(memory.setup_of(connection, match))
        stop = min(match.ply, start + limit)
        times = [row.at for row in rows.log(connection, match_id, start, stop)]
        entries = memory.entries_of(connection, game, match, 0, stop)
    told: list[LogEntry] = []
    for ply, entry in enumerate(entries):
        after = game.apply(state, entry.seat, entry.action)
        if ply >= start:
            seen = entry.action if match.status == "finished" else game.seen(state, entry.seat, entry.action, viewer)
            told.append(
                LogEntry(
                    ply=ply,
                    seat=entry.seat,
                    player=None if entry.seat == CHANCE else match.names[entry.seat],
                    sentence=game.narrate(state, entry.seat, entry.action, after, viewer, match.names),
                    action=None if seen is None else to_document(seen),
                    at=times[ply - start],
                )
            )
        state = after
    return tuple(told)


def components(overland: Overland, match_id: str) -> Mapping[str, Any]:
    """What the match is played with, as a JSON document; for everybody, also before the match
    starts. Raises ``NotFound``.
    """
    with overland.database.read() as connection:
        existing(rows.find(connection, match_id), match_id)
        return rows.components(connection, match_id)


def record(overland: Overland, player: Player | None, match_id: str) -> Record:
    """The match as one file.

    While it runs, what the asker may not know is ``None``, and so is the secret. Raises
    ``NotFound`` or ``Conflict``.
    """
    with overland.database.read() as connection:
        match, viewer = _started(connection, player, match_id)
        components = rows.components(connection, match_id)
        logged = _logged(connection, match, viewer)
    finished = match.status == "finished"
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
        secret=match.secret.hex() if finished else None,
        started_at=None if match.started_at is None else match.started_at.isoformat(),
        finished_at=None if match.finished_at is None else match.finished_at.isoformat(),
        outcome=None if match.outcome is None else from_document(Outcome, match.outcome),
        resignations=tuple(Resignation(seat.seat, seat.resigned_ply or 0) for seat in match.resigned),
    )


@dataclass(frozen=True, slots=True)
class _Sight:
    """A match and its state, and through whose eyes it is looked at."""

    match: StoredMatch
    game: AnyGame
    state: Any
    viewer: Viewer


def _sight(overland: Overland, player: Player | None, match_id: str) -> _Sight:
    with overland.database.read() as connection:
        match, viewer = _started(connection, player, match_id)
        return _Sight(match, memory.game_of(match), memory.load(connection, overland, match), viewer)


def _asked(sight: _Sight) -> dict[Seat, str]:
    """What each seat that the match waits for is asked."""
    return {seat.seat: sight.game.prompt(sight.state, seat.seat) for seat in sight.match.seats if seat.to_act}


def _started(connection: Connection, player: Player | None, match_id: str) -> tuple[StoredMatch, Viewer]:
    match = existing(rows.find(connection, match_id), match_id)
    if match.started_at is None:
        said = "was cancelled before it started" if match.status == "cancelled" else "has not started yet"
        raise Conflict(f"The match {said}: there is nothing to see.", "match_not_started")
    return match, match.seat_of(player.id if player is not None else None)


def _logged(connection: Connection, match: StoredMatch, viewer: Viewer) -> tuple[LoggedAction, ...]:
    """The log, with ``None`` for what the viewer may not know while the match runs."""
    if match.status == "finished":
        return tuple(LoggedAction(row.seat, row.action) for row in rows.log(connection, match.id, 0, match.ply))
    game = memory.game_of(match)
    state = game.setup(memory.setup_of(connection, match))
    logged = []
    for entry in memory.entries_of(connection, game, match):
        seen = game.seen(state, entry.seat, entry.action, viewer)
        logged.append(LoggedAction(entry.seat, None if seen is None else to_document(seen)))
        state = game.apply(state, entry.seat, entry.action)
    return tuple(logged)
