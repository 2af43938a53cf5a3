"""Batches concurrent reads and inserts of the threads of a process: those that every turn needs
share one statement or transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.store import matches, tokens, turns
from service.store.batcher import Batcher
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token
from service.store.turns import StoredTurn, VerdictRow

Found = TypeVar("Found")


class BatchedStore:
    """The batches of a process, one object for all its threads."""

    def __init__(self) -> None:
        self._holders: Batcher[str, tuple[Token, Player] | None] = Batcher()
        self._matches: Batcher[str, StoredMatch | None] = Batcher()
        self._submissions: Batcher[StoredTurn, None] = Batcher()
        self._verdicts: Batcher[str, VerdictRow | None] = Batcher()

    def holder(self, database: Database, token_hash: str) -> tuple[Token, Player] | None:
        """The unrevoked token whose secret has that hash, with its player."""
        return self._holders.call(lambda hashes: _find(database, tokens.by_hashes, hashes), token_hash)

    def match(self, database: Database, match_id: str) -> StoredMatch | None:
        """The match with that id."""
        return self._matches.call(lambda ids: _find(database, matches.find_all, ids), match_id)

    def add(self, database: Database, turn: StoredTurn, committed: Callable[[], object]) -> None:
        """Adds a turn; it is committed when this returns.

        ``committed`` is called once for all turns of the transaction. Raises ``IntegrityError``
        where the player has used the idempotency key before.
        """
        self._submissions.call(lambda submitted: _add(database, submitted, committed), turn)

    def verdict(self, database: Database, turn_id: str) -> VerdictRow | None:
        """The status and verdict of the turn with that id."""
        return self._verdicts.call(lambda ids: _find(database, turns.verdicts, ids), turn_id)


def _add(
    database: Database, submitted: Sequence[StoredTurn], committed: Callable[[], object]
) -> Sequence[Exception | None]:
    try:
        with database.write() as connection:
            turns.add_all(connection, submitted)
    except IntegrityError as error:
        if len(submitted) == 1:
            return [error]
        # One of them is the cause: retried one by one, only that one gets the error.
        return [outcome for turn in submitted for outcome in _add(database, [turn], committed)]
    committed()
    return [None] * len(submitted)


def _find(
    database: Database, find: Callable[[Connection, Sequence[str]], Mapping[str, Found]], keys: Sequence[str]
) -> Sequence[Found | None]:
    with database.look() as connection:
        found = find(connection, keys)
    return [found.get(key) for key in keys]
