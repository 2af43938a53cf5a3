"""The faults of a soak that come through a match of its own: turns and rows that are meant to stop
or to starve the service. All other matches go on.
"""

from __future__ import annotations

import http.client
import json
import random
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import requests
from sqlalchemy import select, update

from service.store.database import Database
from service.store.tables import entries
from tools.client import Choice
from tools.launch import overland
from tools.soak.faults import ASK_SECONDS, CONNECT_SECONDS, SoakFault, Target, frozen
from tools.soak.journal import Journal
from tools.soak.own import OwnMatch
from tools.waiting import until

AT_ONCE: Final = 300
KEYS: Final = 100
"""The number of idempotency keys among the posts at once."""
WAIT: Final = 30
"""Seconds that a request offers to wait for a verdict."""
DAMAGED: Final = {"type": "no such thing"}


def submit_at_once(target: Target, luck: random.Random) -> None:
    """Posts a legal turn many times in the same moment, each three times by one key."""
    choice, prefix = target.own.choice(luck), secrets.token_hex(8)
    requests = [_post(target.own, choice, f"{prefix}-{number % KEYS}") for number in range(AT_ONCE)]
    with _posted(target, requests) as clients:
        read_answers(target.own.journal, clients)


def wait_in_vain(target: Target, luck: random.Random) -> None:
    """Many requests wait for a verdict that does not come; others are answered meanwhile."""
    own = target.own
    request = _post(own, own.choice(luck), secrets.token_hex(8), Prefer=f"wait={WAIT}")
    with ExitStack() as stack:
        with frozen(target.service, "turns"):
            clients = stack.enter_context(_posted(target, [request] * AT_ONCE))
            target.stop.wait(luck.uniform(2, 6))
            _look(target, f"{target.service.url}/healthz")
            _look(target, f"{target.service.url}{own.path}")
        read_answers(own.journal, clients)


def damage_log(target: Target, luck: random.Random) -> None:
    """Damages a log, until the match is marked as unreadable; mends it again."""
    own = target.own
    own.play(luck)
    database = Database(target.service.database_url)
    try:
        with _damaged(database, own.id):
            _look(target, f"{target.service.url}{own.path}/record", 503)
            until(lambda: own.get().get("unreadable_at") is not None, "the match is marked as unreadable")
    finally:
        database.dispose()
    checked = overland("matches", "check", own.id, environ=target.service.environ)
    if checked.returncode or own.get().get("unreadable_at") is not None:
        own.journal.error(f"match {own.id} was mended and does not go on: {checked.stdout}{checked.stderr}")
    own.play(luck)


def read_answers(journal: Journal, clients: Sequence[socket.socket]) -> None:
    """Reads the answers: turns that were taken, refusals, and 503 with Retry-After; others are
    errors of the soak.
    """
    for client in clients:
        answer = http.client.HTTPResponse(client)
        try:
            answer.begin()
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            journal.error(f"a post of a turn was not answered: {type(error).__name__}")
            continue
        if answer.status in (200, 202):
            journal.turn_taken(json.loads(body)["id"])
        elif answer.status >= 500 and not (answer.status == 503 and answer.getheader("Retry-After")):
            journal.error(f"a post of a turn was answered by {answer.status}: {body[:200]!r}")


@contextmanager
def _damaged(database: Database, match_id: str) -> Iterator[None]:
    """The first entry of the log is no action, until the context is left."""
    first = (entries.c.match_id == match_id) & (entries.c.ply == 0)
    with database.write() as connection:
        whole = connection.execute(select(entries.c.action).where(first)).scalar_one()
        connection.execute(update(entries).where(first).values(action=DAMAGED))
    try:
        yield
    finally:
        with database.write() as connection:
            connection.execute(update(entries).where(first).values(action=whole))


def _look(target: Target, url: str, expected: int = 200) -> None:
    """Asks once; an answer of another status is an error of the soak, and so is none."""
    try:
        status: Any = requests.get(url, timeout=ASK_SECONDS).status_code
    except requests.RequestException as error:
        status = type(error).__name__
    if status != expected:
        target.own.journal.error(f"GET {url} was answered by {status}, not {expected}")


def _post(own: OwnMatch, choice: Choice, key: str, **headers: str) -> bytes:
    body = json.dumps({"ply": choice.ply, "actions": [choice.action]}).encode()
    fields = {
        "Host": "h",
        "Authorization": f"Bearer {choice.player.token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Idempotency-Key": key,
        "Connection": "close",
    } | headers
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {own.path}/turns HTTP/1.1\r\n{head}\r\n".encode() + body


@contextmanager
def _posted(target: Target, requests: Sequence[bytes]) -> Iterator[Sequence[socket.socket]]:
    """Connects for all of the requests, then sends them in the same moment."""
    address = (target.service.host, target.service.port)
    with ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection(address, CONNECT_SECONDS)) for _ in requests]
        for client, request in zip(clients, requests, strict=True):
            client.sendall(request)
        yield clients


HOSTILE: Final = (
    SoakFault("300 posts at once", 2, submit_at_once),
    SoakFault("300 wait for a verdict", 2, wait_in_vain),
    SoakFault("a damaged log", 2, damage_log),
)
