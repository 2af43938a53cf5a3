"""A hundred clients over HTTP read and await events while matches go on, and are killed at random
places: before and within an answer, and between two events of it. None misses an event or is told
one twice.
"""

from __future__ import annotations

import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import select

from service import following, signing
from service.app import create_app
from service.context import Context
from service.events.gate import tell
from service.matches import lobby
from service.matches.types import SeatRequest
from service.signing import Keys
from service.store import matches
from service.store.events import News
from service.store.tables import events
from service.views.feed import PURPOSE
from tests.service.fakes import Round, person_with_token
from tests.service.serving.server import Server, serving
from tools.waiting import LIMIT_SECONDS

READERS = 100
WRITERS = 4
TRANSACTIONS = 20
"""Of each writer."""


@dataclass
class Reader:
    """A client that keeps on its disk, together, what it was told and after what it goes on."""

    path: str
    token: str
    luck: random.Random
    cursor: str
    told: list[str] = field(default_factory=list)
    deaths: int = 0

    def read(self, server: Server, wait: int) -> bool:
        """Asks once, and may be killed meanwhile. Returns whether the answer had no events."""
        with server.connect() as connection:
            query = f"?after={self.cursor}&wait={wait}&limit={self.luck.choice((1, 3, 200))}"
            head = f"GET {self.path}{query} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {self.token}\r\n"
            connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
            dies_after = self.luck.choice((0, 10, 300, 700, None, None, None))
            answer = b""
            while (part := connection.recv(4096)) and (dies_after is None or len(answer) < dies_after):
                answer += part
                if dies_after == 0:
                    break
            if part:  # killed
                self.deaths += 1
                return False
        status, body = answer.split(b" ", 2)[1], answer.partition(b"\r\n\r\n")[2]
        if status == b"503":  # the machine is too slow for so many at once: the reader asks again
            return False
        assert status == b"200", answer
        document: dict[str, Any] = json.loads(body)
        for item in document["items"]:
            if self.luck.random() < 0.1:  # killed between two events
                self.deaths += 1
                return False
            self.told.append(item["id"])
            self.cursor = item["cursor"]
        self.cursor = document["cursor"]
        return not document["items"]


def write(context: Context, tables: list[Round], number: int) -> None:
    """Transactions that write events of one or two matches, and commit in any order."""
    luck = random.Random(number)
    for _ in range(TRANSACTIONS):
        chosen = sorted(luck.sample(tables, luck.choice((1, 2))), key=lambda table: table.match.id)
        with context.database.write() as connection:
            matches.lock_all(connection, [table.match.id for table in chosen])
            news = [
                News(table.match.id, "turn_played", "all", ply=1)
                if luck.random() < 0.5
                else News(table.match.id, "verdict", "player", luck.choice(table.players).id, 0, 1)
                for table in chosen
                for _ in range(luck.choice((1, 2)))
            ]
            tell(connection, news, context.clock())
            time.sleep(luck.choice((0.0, 0.0, 0.005, 0.02)))  # others begin later, and would commit before
        context.queue.wake_notices()
        time.sleep(luck.random() * 0.02)


def tables_of(context: Context) -> tuple[list[Round], dict[str, str]]:
    """Matches in which four players sit in turn, so that a player's events come from several; and
    the players' tokens, by their ids.
    """
    people = [person_with_token(context, name) for name in ("Ada", "Bela", "Cleo", "Dora")]
    tables = []
    for number in range(len(people)):
        pair = people[number][0], people[(number + 1) % len(people)][0]
        match = lobby.create(context, pair[0], "oregon", {}, [SeatRequest("me"), SeatRequest("open")])
        tables.append(Round(lobby.join(context, pair[1], match.id), pair))
    return tables, {player.id: secret for player, secret in people}


def known_to(context: Context, player_id: str, tables: list[Round], path: str) -> dict[str, list[str]]:
    """The ids of the events that a player may read at a path, in order, by match."""
    keys, found = signing.keys_of(context), dict[str, list[str]]()
    with context.database.read() as connection:
        for row in connection.execute(select(events).order_by(events.c.match_id, events.c.number)):
            seated = {table.match.id for table in tables if player_id in {player.id for player in table.players}}
            shown = row.match_id in path if "matches" in path else row.match_id in seated
            if shown and (row.audience == "all" or row.player_id == player_id):
                found.setdefault(row.match_id, []).append(name_of(keys, row.match_id, row.number))
    return found


def name_of(keys: Keys, match_id: str, number: int) -> str:
    return signing.name_of(keys, PURPOSE, f"{match_id}.{number}")


@pytest.mark.deep
def test_no_killed_reader_misses_an_event_or_is_told_one_twice(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_OF_ONE", READERS)
    tables, secrets = tables_of(context)
    app, luck, readers = create_app(context), random.Random(26), list[tuple[str, Reader]]()
    for number in range(READERS):
        player_id, secret = list(secrets.items())[number % len(secrets)]
        path = "/v1/events" if number % 2 else f"/v1/matches/{luck.choice(tables).match.id}/events"
        begun = app.test_client().get(path, headers={"Authorization": f"Bearer {secret}"}).get_json()
        readers.append((player_id, Reader(path, secret, random.Random(number), begun["cursor"])))
    before = [known_to(context, player_id, tables, reader.path) for player_id, reader in readers]
    written = threading.Event()

    def follow(server: Server, reader: Reader) -> None:
        end = time.monotonic() + LIMIT_SECONDS
        while not (written.is_set() and reader.read(server, wait=0)):
            assert time.monotonic() < end
            reader.read(server, wait=1)

    with (
        serving(app.wsgi_app, worker_connections=4 * READERS) as server,
        ThreadPoolExecutor(READERS) as reading,
        ThreadPoolExecutor(WRITERS) as writing,
    ):
        followed = [reading.submit(follow, server, reader) for _, reader in readers]
        for done in [writing.submit(write, context, tables, number) for number in range(WRITERS)]:
            done.result()
        written.set()
        for each in followed:
            each.result()
    gaps = doubles = 0
    for (player_id, reader), known in zip(readers, before, strict=True):
        wanted = {
            match_id: ids[len(known.get(match_id, ())) :]
            for match_id, ids in known_to(context, player_id, tables, reader.path).items()
        }
        every = {each for ids in wanted.values() for each in ids}
        gaps, doubles = gaps + len(every - {*reader.told}), doubles + len(reader.told) - len({*reader.told})
        assert [[each for each in reader.told if each in ids] for ids in wanted.values()] == [*wanted.values()]
        assert set(reader.told) == every, "nothing else is told"
    deaths, told = sum(each.deaths for _, each in readers), sum(len(each.told) for _, each in readers)
    print(f"{READERS} readers killed {deaths} times and told {told} events: {gaps} gaps, {doubles} doubles")
    assert deaths > READERS
    assert told > READERS


def test_a_stream_that_is_left_counts_no_longer(context: Context) -> None:
    table, head = tables_of(context)[0][0], b""
    with serving(create_app(context)) as server:
        for number in range(3 * following.MOST_OF_ONE):
            with server.connect() as connection:
                path = f"/events/stream?match={table.match.id}"
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
                head = connection.recv(4096)
            assert head.startswith(b"HTTP/1.1 200"), number
