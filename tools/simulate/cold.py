"""Measures how long a match takes to load when none of its states is remembered, as in a new
process.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engine.documents import to_document
from engine.draws import SECRET_BYTES, digest
from engine.game import AnyGame
from engine.registry import STANDARD
from engine.types import Entry, Setup
from service.matches import replays
from service.store import matches, players
from service.store.database import Database
from service.store.matches import StoredMatch, StoredSeat, StoredStep
from service.store.players import Player
from service.store.schema import migrate

TIMES = 5
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_ID = "cold"


@dataclass(frozen=True, slots=True)
class Whole:
    """A match with its log."""

    game: AnyGame
    setup: Setup
    log: tuple[Entry[Any], ...]


def cold_load(whole: Whole) -> str:
    """A sentence with the shortest and longest of some loads, each of which reads components and
    log and replays the whole match.
    """
    taken = []
    with stored(whole) as (database, match), database.read() as connection:
        for _ in range(TIMES):
            started = time.perf_counter()
            replays.rebuilt(connection, match)
            taken.append(1000 * (time.perf_counter() - started))
    return (
        f"The longest match, {len(whole.log)} plies, loads cold from SQLite in {min(taken):.1f} to {max(taken):.1f} ms"
        f" ({TIMES} times)."
    )


@contextmanager
def stored(whole: Whole) -> Iterator[tuple[Database, StoredMatch]]:
    """A temporary database that contains only that match."""
    seats, components = range(whole.setup.seats), to_document(whole.setup.components)
    people = [Player(f"player{seat}", f"Player {seat}", f"player{seat}@players.example", _NOW, _NOW) for seat in seats]
    head = StoredMatch(
        id=_ID,
        game=whole.game.info.name,
        rules_version=whole.game.info.rules_version,
        components_name=STANDARD,
        components_digest=digest(components),
        options=to_document(whole.setup.options),
        title=_ID,
        status="running",
        created_by=people[0].id,
        created_at=_NOW,
        started_at=_NOW,
        finished_at=None,
        ply=0,
        secret=bytes(SECRET_BYTES),
        commitment="",
        outcome=None,
        seats=tuple(
            StoredSeat(seat, people[seat].id, people[seat].name, None, None, "", _NOW, None, None, False)
            for seat in seats
        ),
    )
    entries = tuple((entry.seat, to_document(entry.action)) for entry in whole.log)
    with tempfile.TemporaryDirectory(prefix="overland-cold-") as folder:
        database = Database(f"sqlite:///{folder}/cold.sqlite")
        migrate(database)
        with database.write() as connection:
            for player in people:
                players.add(connection, player)
            matches.add(connection, head, components)
            matches.write_steps(connection, [StoredStep(_ID, 0, entries, None, {}, None)], _NOW)
            found = matches.find(connection, _ID)
        assert found is not None
        yield database, found
        database.dispose()
