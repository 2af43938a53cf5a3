"""The desk at which the threads of a process ask for what every turn needs, and hand turns in:
worked off many at a time, each answered for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.store import matches, tokens, turns
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.together import Together
from service.store.tokens import Token
from service.store.turns import StoredTurn, StoredVerdict

Row = TypeVar("Row")


class Desk:
    """One for each process.

    What is handed in together is committed in one durable transaction; nobody is answered before
    that.
    """

    def __init__(self) -> None:
        self._holders: Together[str, tuple[Token, Player] | None] = Together()
        self._matches: Together[str, StoredMatch | None] = Together()
        self._submissions: Together[StoredTurn, None] = Together()
        self._verdicts: Together[str, StoredVerdict | None] = Together()

    def holder(self, database: Database, token_hash: str) -> tuple[Token, Player] | None:
        """The token whose secret has that hash, unless it was revoked, and the player whose it
        is.
        """
        return self._holders.call(lambda asked: _found(database, tokens.by_hashes, asked), token_hash)

    def match(self, database: Database, match_id: str) -> StoredMatch | None:
        """The match with that id."""
        return self._matches.call(lambda asked: _found(database, matches.find_all, asked), match_id)

    def add(self, database: Database, turn: StoredTurn, committed: Callable[[], object]) -> None:
        """The turn is in the database for good when this returns; ``committed`` is called once for
        all that were committed together.

        Raises ``IntegrityError`` where the player has used its idempotency key before.
        """
        self._submissions.call(lambda submitted: _add(database, submitted, committed), turn)

    def verdict(self, database: Database, turn_id: str) -> StoredVerdict | None:
        """What has become of a turn; ``None`` where there is none with that id."""
        return self._verdicts.call(lambda asked: _found(database, turns.verdicts, asked), turn_id)


def _add(
    database: Database, submitted: Sequence[StoredTurn], committed: Callable[[], object]
) -> Sequence[Exception | None]:
    try:
        with database.write() as connection:
            turns.add_all(connection, submitted)
    except IntegrityError as error:
        if len(submitted) == 1:
            return [error]
        return [
            outcome for turn in submitted for outcome in _add(database, [turn], committed)
        ]  # one of them is to blame, and it alone shall hear of it
    committed()
    return [None] * len(submitted)


def _found(
    database: Database, find: Callable[[Connection, Sequence[str]], Mapping[str, Row]], asked: Sequence[str]
) -> Sequence[Row | None]:
    with database.look() as connection:
        found = find(connection, asked)
    return [found.get(key) for key in asked]
