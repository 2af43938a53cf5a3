"""States remembered between turns, so that a turn costs the same at ply 10 and at ply 1,000.

A state is the replay of a log and nothing else. What is remembered here was rebuilt from entries
that are committed; it may be forgotten at any time, and no process ever writes a state anywhere.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from engine import registry
from engine.documents import from_document
from engine.errors import UnknownGame
from engine.game import AnyGame
from engine.play import resume
from engine.record import read_action
from engine.types import Entry, Setup
from service.context import Context
from service.errors import Conflict
from service.store import matches as rows
from service.store.matches import StoredMatch


def load(connection: Connection, context: Context, match: StoredMatch) -> Any:
    """The state of a match at ``match.ply``; only entries that are new since it was remembered are
    read and replayed.

    To be called before the transaction appends anything. Raises ``IllegalAction`` where the log
    does not fit the rules.
    """
    known = context.states.get(match.id)
    if known is not None and known[0] == match.ply:
        return known[1]
    if known is not None and known[0] < match.ply:
        ply, state = known
        game = game_of(match)
        state = resume(game, state, ply, entries_of(connection, game, match, ply))
    else:
        state = rebuilt(connection, match)
    context.states.remember(match.id, match.ply, state)
    return state


def rebuilt(connection: Connection, match: StoredMatch) -> Any:
    """The state of a match at ``match.ply`` out of the database and nothing else.

    Raises ``IllegalAction``.
    """
    game = game_of(match)
    return resume(game, game.setup(setup_of(connection, match)), 0, entries_of(connection, game, match))


def game_of(match: StoredMatch) -> AnyGame:
    """The game of a match, by the version of the rules it began with.

    Raises ``Conflict`` where this service no longer has it.
    """
    try:
        return registry.game(match.game, match.rules_version)
    except UnknownGame as error:
        sentence = (
            f"This match is played by version {match.rules_version} of the rules of {match.game}, which this service"
            " has not at hand; nothing of it is lost."
        )
        raise Conflict(sentence, "rules_version_missing") from error


def at_hand(match: StoredMatch) -> bool:
    """Whether this service still has the version of the rules that a match began with."""
    return match.rules_version in registry.versions(match.game)


def setup_of(connection: Connection, match: StoredMatch) -> Setup:
    """What the match is played with."""
    game = game_of(match)
    return Setup(
        len(match.seats),
        from_document(game.options, match.options),
        game.load_components(rows.components(connection, match.id)),
    )


def entries_of(
    connection: Connection, game: AnyGame, match: StoredMatch, start: int = 0, stop: int | None = None
) -> tuple[Entry[Any], ...]:
    """The entries of a match from ply ``start`` to before ply ``stop``, its end by default, as
    actions of the game.
    """
    found = rows.log(connection, match.id, start, match.ply if stop is None else stop)
    return tuple(Entry(row.seat, read_action(game, row.seat, row.action)) for row in found)
