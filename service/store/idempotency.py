"""The requests of players that had an idempotency key, with what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, update

from service.store.statements import Old, Rows, insert_into
from service.store.tables import keyed_requests


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request that a player sent with a key. ``fingerprint`` is the same for the same request."""

    player_id: str
    key: str
    fingerprint: str
    at: datetime


@dataclass(frozen=True, slots=True)
class KeyedAnswer:
    status: int
    location: str | None
    body: bytes


_REQUESTS: Final = Rows(KeyedRequest, keyed_requests)
_ANSWERS: Final = Rows(KeyedAnswer, keyed_requests)
OLD_REQUESTS: Final = Old(keyed_requests.c.at)


def claim(connection: Connection, request: KeyedRequest) -> KeyedRequest:
    """Adds the request, or returns that for which its player has used the key before. Another
    transaction that claims the same key waits until this one ends.
    """
    new = insert_into(connection, keyed_requests).values(_REQUESTS.values(request)).on_conflict_do_nothing()
    if connection.execute(new.returning(keyed_requests.c.key)).first() is not None:
        return request
    known = _REQUESTS.find(connection, *_key(request))
    assert known is not None
    return known


def keep(connection: Connection, request: KeyedRequest, answer: KeyedAnswer) -> None:
    """Keeps the answer to a request that this transaction has claimed."""
    connection.execute(update(keyed_requests).where(*_key(request)).values(_ANSWERS.values(answer)))


def answer_to(connection: Connection, request: KeyedRequest) -> KeyedAnswer:
    found = _ANSWERS.find(connection, *_key(request))
    assert found is not None
    return found


def _key(request: KeyedRequest) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return keyed_requests.c.player_id == request.player_id, keyed_requests.c.key == request.key
