"""The desk at which the threads of a process hand in turns and ask for verdicts: worked off many at a time, each answered for itself."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError

from service.store import turns
from service.store.database import Database
from service.store.together import Together
from service.store.turns import StoredTurn, StoredVerdict


class Desk:
    """One for each process. What is handed in together is committed in one durable transaction; nobody is answered before that."""

    def __init__(self) -> None:
        self._submissions: Together[StoredTurn, None] = Together()
        self._questions: Together[str, StoredVerdict | None] = Together()

    def add(self, database: Database, turn: StoredTurn) -> None:
        """The turn is in the database for good when this returns. Raises ``IntegrityError`` where the player has used its idempotency key before."""
        self._submissions.call(lambda submitted: _add(database, submitted), turn)

    def verdict(self, database: Database, turn_id: str) -> StoredVerdict | None:
        """What has become of a turn; ``None`` where there is none with that id."""
        return self._questions.call(lambda asked: _verdicts(database, asked), turn_id)


def _add(database: Database, submitted: Sequence[StoredTurn]) -> Sequence[Exception | None]:
    try:
        with database.write() as connection:
            turns.add_all(connection, submitted)
    except IntegrityError as error:
        if len(submitted) == 1:
            return [error]
        return [outcome for turn in submitted for outcome in _add(database, [turn])]  # one of them is to blame, and it alone shall hear of it
    return [None] * len(submitted)


def _verdicts(database: Database, asked: Sequence[str]) -> Sequence[StoredVerdict | None]:
    with database.look() as connection:
        found = turns.verdicts(connection, asked)
    return [found.get(turn_id) for turn_id in asked]
