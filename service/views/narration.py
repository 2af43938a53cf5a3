"""What happened, told to one viewer sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection

from engine.game import AnyGame
from engine.types import Entry, Viewer
from service.matches import replays
from service.store.matches import StoredMatch


def told(
    game: AnyGame,
    state: Any,
    entries: Sequence[Entry[Any]],
    viewer: Viewer,
    names: Sequence[str],
    states: Sequence[Any] = (),
) -> tuple[str, ...]:
    """The sentences for entries that follow ``state``; entries of which there is nothing to tell
    are passed over.

    ``states`` are those behind the first entries, as far as they are known; the others are worked
    out.
    """
    sentences = []
    for entry, known in zip_longest(entries, states):
        after = game.apply(state, entry.seat, entry.action) if known is None else known
        sentences.append(game.narrate(state, entry.seat, entry.action, after, viewer, names))
        state = after
    return tuple(sentence for sentence in sentences if sentence)


def changes_since(connection: Connection, match: StoredMatch, viewer: Viewer, ply: int) -> tuple[str, ...]:
    """What happened in a match from ``ply`` on."""
    game = replays.game_of(match)
    log = replays.entries_of(connection, game, match)
    state = game.setup(replays.setup_of(connection, match))
    for entry in log[:ply]:
        state = game.apply(state, entry.seat, entry.action)
    return told(game, state, log[ply:], viewer, match.names)
