"""Many clients that submit in the same moment: each gets its verdict, or is told at once when to
come again; the database is never locked for anybody.
"""

from __future__ import annotations

import json
import random
import secrets
import socket
from collections import Counter
from contextlib import ExitStack

import pytest

from engine import registry
from service.serving.bridge import AT_ONCE
from service.wiring import utc_now
from tests.faults.trial import Trial
from tests.service.serving.server import read_all
from tools.bench.scripts import Script, add_match, add_players, write_script
from tools.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.deep

GAME = "ozeanien"
MATCHES = 60
CLIENTS = 300


def test_clients_that_submit_at_once_get_verdicts_or_are_told_when_to_come_again(quiet: Trial) -> None:
    service, began = quiet.service, len(quiet.service.output())
    requests = _requests(quiet)
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection((service.host, service.port), LIMIT_SECONDS)) for _ in requests
        ]
        for client, request in zip(clients, requests, strict=True):
            client.sendall(request)
        answers = [_answer(read_all(client)) for client in clients]
    words = Counter(word for word, _ in answers)
    print(f"\n{CLIENTS} at once on {quiet.where}: {dict(words)}")
    assert all(headers.get("retry-after", "").isdigit() for word, headers in answers if word.startswith("503")), answers
    unavailable = [line for line in service.output()[began:].splitlines() if "database.unavailable" in line]
    errors = {json.loads(line)["error"] for line in unavailable}
    assert set(words) <= {"200 accepted", "202 queued", "503 overloaded", *REFUSED}, (words, errors)
    assert words["200 accepted"] + words["202 queued"] > 0, words
    assert CLIENTS - words["503 overloaded"] >= AT_ONCE, words  # a process admits as many however slow it is
    output = service.output()[began:]
    assert "database is locked" not in output
    assert '"status": 500' not in output
    until(lambda: quiet.queued() == 0, "nothing is queued")


REFUSED = {f"{status} {code}" for status in (409, 422) for code in ("stale_ply", "not_your_turn", "turn_waiting")}
"""Of several turns for one seat the first is accepted."""


def _requests(trial: Trial) -> list[bytes]:
    """Turns for the awaited seats of new matches, several for each."""
    game, luck, mark = registry.game(GAME), random.Random("overload"), secrets.token_hex(3)
    scripts = [write_script(game, f"{mark}{number:04d}", luck) for number in range(MATCHES)]
    requests = []
    with trial.database.write() as connection:
        players = add_players(connection, len(game.info.seats), utc_now(), f"many{mark}")
        for script in scripts:
            add_match(connection, game, script, [each.player for each in players], utc_now())
            token = players[script.turns[0].seat].token
            requests += [_request(script, token) for _ in range(CLIENTS // MATCHES)]
    luck.shuffle(requests)
    return requests


def _request(script: Script, token: str) -> bytes:
    body = script.turns[0].body
    return (
        f"POST /v1/matches/{script.match_id}/turns HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nPrefer: wait=30\r\n"
        f"Idempotency-Key: {secrets.token_hex(8)}\r\nConnection: close\r\n\r\n"
    ).encode() + body


def _answer(received: bytes) -> tuple[str, dict[str, str]]:
    """Status and code of an answer, with its headers."""
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    document = json.loads(body)
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    code = status.split()[1]
    return f"{code} {document['status'] if code in ('200', '202') else document['code']}", headers
