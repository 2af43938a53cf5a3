"""Turns that could not be judged: they are listed for the host, who may have them judged again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from engine.documents import from_document
from service.context import Entropy
from service.errors import Conflict, NotFound
from service.store import turns as rows
from service.store.database import Database
from service.store.turns import StoredTurn
from service.turns.judge import is_failure
from service.turns.submit import TURN_ID_LENGTH
from service.turns.verdicts import StoredVerdict


@dataclass(frozen=True, slots=True)
class FailedTurn:
    """A turn at which judging failed: ``quarantined`` where it has been refused for that."""

    turn: StoredTurn
    quarantined: bool


def failed_turns(database: Database, limit: int) -> tuple[FailedTurn, ...]:
    """At most ``limit`` turns at which judging failed, the newest first."""
    with database.read() as connection:
        found = rows.with_attempts(connection, limit)
    return tuple(FailedTurn(turn, turn.status != "queued") for turn in found)


def retry(database: Database, entropy: Entropy, turn_id: str, now: datetime) -> str:
    """Submits a quarantined turn again, as a new turn of the same player, and gives the new turn's
    id. The verdict on the first one stays, since the player has been told of it.

    Raises ``NotFound``, or ``Conflict`` where the turn is not quarantined or the seat has another
    turn that waits.
    """
    with database.write() as connection:
        turn = rows.find(connection, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.", "turn_not_found")
        if not _failed(turn):
            raise Conflict(f"Turn {turn_id} is not quarantined; it is {turn.status}.")
        again = replace(
            turn,
            id=entropy.token(TURN_ID_LENGTH),
            idempotency_key=None,
            status="queued",
            verdict=None,
            submitted_at=now,
            judged_at=None,
            attempts=0,
            in_reply_to=None,
            awaited_by=None,
        )
        if rows.add_all(connection, [again]):
            raise Conflict(f"The seat of turn {turn_id} has another turn that waits for its verdict.", "turn_waiting")
        rows.forget_attempts(connection, turn_id)
    return again.id


def _failed(turn: StoredTurn) -> bool:
    return turn.verdict is not None and is_failure(from_document(StoredVerdict, turn.verdict))
