"""Batches concurrent reads and inserts of a process: those that every turn needs share one
statement or transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection

from service.store import matches, tokens, turns
from service.store.answers import Answers
from service.store.batcher import Batcher
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token
from service.store.turns import StoredTurn, VerdictRow

Shown = TypeVar("Shown")
Show: TypeAlias = Callable[[Connection, VerdictRow | None], Any]
"""Makes of the row of a turn what is asked for; it may read more."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a request for a match needs first: the unrevoked token that it carries, with its player,
    and the match.
    """

    holder: tuple[Token, Player] | None
    match: StoredMatch | None


class BatchedStore:
    """The batches of a process, one object for all its requests; ``answers`` records what was
    answered.
    """

    def __init__(self) -> None:
        self.answers = Answers()
        self._openings: Batcher[tuple[str, str | None], Opening] = Batcher()
        self._matches: Batcher[str, StoredMatch | None] = Batcher()
        self._earlier: Batcher[tuple[str, str], StoredTurn | None] = Batcher()
        self._wakings: Batcher[None, None] = Batcher()
        self._submissions: Batcher[StoredTurn, bool] = Batcher()
        self._verdicts: Batcher[tuple[str, Show], Any] = Batcher()

    def opening(self, database: Database, token_hash: str, match_id: str | None) -> Opening:
        """The token whose secret has that hash, and the match with that id, where one is named."""
        return self._openings.call(lambda asked: _opened(database, asked), (token_hash, match_id))

    def match(self, database: Database, match_id: str) -> StoredMatch | None:
        """The match with that id."""
        return self._matches.call(lambda ids: _found(database, ids), match_id)

    def earlier(self, database: Database, player_id: str, idempotency_key: str) -> StoredTurn | None:
        """The turn that the player submitted with that key."""
        return self._earlier.call(lambda asked: _by_keys(database, asked), (player_id, idempotency_key))

    def wake(self, wake: Callable[[], object]) -> None:
        """Calls ``wake`` once for all that ask for it at the same time."""
        self._wakings.call(lambda asked: _woken(wake, asked), None)

    def add(self, database: Database, turn: StoredTurn, committed: Callable[[], object]) -> bool:
        """Adds a turn; it is committed when this returns ``True``.

        ``committed`` is called once for all turns of the transaction. Returns ``False`` where the
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


def _opened(database: Database, asked: Sequence[tuple[str, str | None]]) -> Sequence[Opening]:
    hashes, ids = [token_hash for token_hash, _ in asked], [match_id for _, match_id in asked if match_id is not None]
    with database.look() as connection:
        holders = tokens.by_hashes(connection, hashes)
        found = matches.find_all(connection, ids) if ids else {}
    return [Opening(holders.get(token_hash), found.get(match_id or "")) for token_hash, match_id in asked]


def _found(database: Database, match_ids: Sequence[str]) -> Sequence[StoredMatch | None]:
    with database.look() as connection:
        found = matches.find_all(connection, match_ids)
    return [found.get(match_id) for match_id in match_ids]


def _shown(database: Database, asked: Sequence[tuple[str, Show]]) -> Sequence[Any]:
    with database.look() as connection:
        found = turns.verdicts(connection, [turn_id for turn_id, _ in asked])
        return [_outcome(show, connection, found.get(turn_id)) for turn_id, show in asked]


def _outcome(show: Show, connection: Connection, row: VerdictRow | None) -> Any:
    try:
        return show(connection, row)
    except Exception as error:  # raised in the caller
        return error
