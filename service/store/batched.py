"""Batches concurrent reads and inserts of a process: those that every turn needs share one
statement or transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection

from service.store import matches, tokens, turns
from service.store.batcher import Batcher
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token
from service.store.turns import StoredTurn, VerdictRow

Found = TypeVar("Found")
Shown = TypeVar("Shown")
Show: TypeAlias = Callable[[Connection, VerdictRow | None], Any]
"""Makes of the row of a turn what is asked for; it may read more."""


class BatchedStore:
    """The batches of a process, one object for all its requests."""

    def __init__(self) -> None:
        self._holders: Batcher[str, tuple[Token, Player] | None] = Batcher()
        self._matches: Batcher[str, StoredMatch | None] = Batcher()
        self._earlier: Batcher[tuple[str, str], StoredTurn | None] = Batcher()
        self._wakings: Batcher[None, None] = Batcher()
        self._submissions: Batcher[StoredTurn, bool] = Batcher()
        self._verdicts: Batcher[tuple[str, Show], Any] = Batcher()

    def holder(self, database: Database, token_hash: str) -> tuple[Token, Player] | None:
        """The unrevoked token whose secret has that hash, with its player."""
        return self._holders.call(lambda hashes: _find(database, tokens.by_hashes, hashes), token_hash)

    def match(self, database: Database, match_id: str) -> StoredMatch | None:
        """The match with that id."""
        return self._matches.call(lambda ids: _find(database, matches.find_all, ids), match_id)

    def earlier(self, database: Database, player_id: str, idempotency_key: str) -> StoredTurn | None:
        """The turn that the player submitted with that key."""
        return self._earlier.call(lambda asked: _by_keys(database, asked), (player_id, idempotency_key))

    def wake(self, wake: Callable[[], object]) -> None:
        """Calls ``wake`` once for all that ask for it at the same time."""
        self._wakings.call(lambda asked: _woken(wake, asked), None)

    def add(self, database: Database, turn: StoredTurn, committed: Callable[[], object]) -> bool:
        """Adds a turn; it is committed when this returns ``True``.

        ``committed`` is called once for all turns of the transaction. Gives ``False`` where the
        player has used the idempotency key before, or the seat has a waiting turn.
        """
        return self._submissions.call(lambda submitted: _add(database, submitted, committed), turn)

    def verdict(
        self, database: Database, turn_id: str, show: Callable[[Connection, VerdictRow | None], Shown]
    ) -> Shown:
        """What ``show`` makes of the status and verdict of the turn with that id."""
        shown: Shown = self._verdicts.call(lambda asked: _shown(database, asked), (turn_id, show))
        return shown


def _by_keys(database: Database, asked: Sequence[tuple[str, str]]) -> Sequence[StoredTurn | None]:
    with database.look() as connection:
        return [turns.by_key(connection, player_id, key) for player_id, key in asked]


def _woken(wake: Callable[[], object], asked: Sequence[None]) -> Sequence[None]:
    wake()
    return asked


def _add(database: Database, submitted: Sequence[StoredTurn], committed: Callable[[], object]) -> Sequence[bool]:
    with database.write() as connection:
        refused = turns.add_all(connection, submitted)
    if len(refused) < len(submitted):
        committed()
    return [turn.id not in refused for turn in submitted]


def _find(
    database: Database, find: Callable[[Connection, Sequence[str]], Mapping[str, Found]], keys: Sequence[str]
) -> Sequence[Found | None]:
    with database.look() as connection:
        found = find(connection, keys)
    return [found.get(key) for key in keys]


def _shown(database: Database, asked: Sequence[tuple[str, Show]]) -> Sequence[Any]:
    with database.look() as connection:
        found = turns.verdicts(connection, [turn_id for turn_id, _ in asked])
        return [_outcome(show, connection, found.get(turn_id)) for turn_id, show in asked]


def _outcome(show: Show, connection: Connection, row: VerdictRow | None) -> Any:
    try:
        return show(connection, row)
    except Exception as error:  # raised in the caller
        return error
