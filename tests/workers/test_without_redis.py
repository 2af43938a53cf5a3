"""Redis is disposable: whole matches of real processes, with a Valkey that is stopped, frozen or
full of what other programs have written, and two services on one Valkey.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import func, select

from engine import registry
from engine.bots import random_action
from engine.documents import to_document
from service import redis_link
from service.config import load
from service.context import Context
from service.counts import BUCKET_NAMES, DELIVERIES, VERDICT_SECONDS, VERDICTS
from service.matches import lobby
from service.matches.types import Match, SeatRequest
from service.queue import BOTS, NOTICES, TURNS
from service.store import survey
from service.store.database import Database
from service.store.players import Player
from service.store.schema import migrate
from service.store.tables import outbox, turns
from service.turns import lookup
from service.turns.submit import submit
from service.wiring import wire
from tests.service.fakes import GAMES, notices, person, state_of
from tests.workers.service_of_two import environ
from tests.workers.test_processes import Process
from tests.workers.valkey import Valkey
from tools.installed import at_hand, declare
from tools.waiting import until

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
Fault = Callable[[], object]


@dataclass(slots=True)
class Club:
    """A service with its processes, in which Anna and Ben play a match with a bot."""

    folder: Path
    url: str
    site: Path
    service: Context = field(init=False)
    players: tuple[Player, Player] = field(init=False)
    match_id: str = field(init=False)
    processes: list[Process] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        variables = self.variables()
        database = Database(load(variables).database_url)
        migrate(database)
        database.dispose()
        self.service = wire(load(variables))
        self.players = person(self.service, "Anna"), person(self.service, "Ben")
        seats = [SeatRequest("me"), SeatRequest("open"), SeatRequest("bot", level="easy")]
        match = lobby.create(self.service, self.players[0], "pearls", {}, seats)
        self.match_id = lobby.join(self.service, self.players[1], match.id).id

    def variables(self) -> Mapping[str, str]:
        path = os.pathsep.join((str(self.site), str(ROOT)))
        return environ(self.folder / "var", OVERLAND_REDIS_URL=self.url, PYTHONPATH=path)

    def start(self) -> None:
        for part in (TURNS, NOTICES, BOTS):
            self.processes.append(Process(part, self.variables(), self.folder / f"{part}.log"))

    def listens(self) -> bool:
        return all(process.said("worker.listening") for process in self.processes)

    def play(self, luck: random.Random, fault: Fault = lambda: None) -> None:
        """Plays to the end; the fault comes before each turn."""
        while (match := self.awaits_a_person()).status == "running":
            fault()
            seat = next(seat for seat in match.seats if seat.to_act)
            who = next(player for player in self.players if player.id == seat.player_id)
            action = random_action(registry.game("pearls"), state_of(self.service, match.id), seat.seat, luck.choice)
            turn = submit(self.service, who, match.id, seat.seat, match.ply, actions=[to_document(action)])
            until(
                lambda who=who, turn=turn: lookup.find(self.service, who, turn.match_id, turn.id).status != "queued",  # type: ignore[misc]
                "the turn is judged",
            )

    def awaits_a_person(self) -> Match:
        people = {player.id for player in self.players}

        def found() -> Match | None:
            match = lobby.find(self.service, None, self.match_id)
            awaited = [seat.player_id for seat in match.seats if seat.to_act]
            return match if match.status != "running" or people.intersection(awaited) else None

        match = until(found, "a person is awaited, or the match is over")
        assert match is not None
        return match

    def mailed(self) -> Counter[str]:
        """The kinds of mails, once none is left to be sent."""
        until(lambda: all(notice.status in ("sent", "covered") for notice in notices(self.service)), "mails are sent")
        files = sorted((self.service.settings.data_dir / "mail").glob("*.eml"))
        kinds = (line for file in files for line in file.read_text().splitlines() if line.startswith("X-Overland-Kind"))
        return Counter(line.partition(": ")[2] for line in kinds)

    def said(self, event: str) -> list[dict[str, object]]:
        return [line for process in self.processes for line in process.lines() if line.get("event") == event]

    def end(self) -> None:
        for process in self.processes:
            assert process.child.poll() is None, process.log.read_text()[-3000:]
            assert process.end(signal.SIGTERM) == 0
        self.service.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    site = tmp_path / "site"
    shutil.copytree(GAMES / "pearls", site / "pearls")
    declare(site, "pearls", {"pearls": "pearls"})
    with at_hand(site):
        yield site


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def club(tmp_path: Path, valkey: Valkey, site: Path) -> Iterator[Club]:
    club = Club(tmp_path, valkey.url, site)
    yield club
    for process in club.processes:
        if process.child.poll() is None:
            process.end(signal.SIGKILL)


def ended_and_told(club: Club) -> None:
    assert lobby.find(club.service, None, club.match_id).status == "finished"
    kinds = club.mailed()
    assert kinds["match_over"] == 2
    asked = [notice.status for notice in notices(club.service, "your_turn")]
    assert len(asked) > 1
    assert kinds["your_turn"] >= asked.count("sent")  # the others were overtaken by the turn that they ask for


def test_a_match_is_played_to_its_end_and_told_while_valkey_is_stopped(club: Club, valkey: Valkey) -> None:
    valkey.stop()
    club.start()
    club.play(random.Random(1))
    ended_and_told(club)
    assert club.said("redis.unavailable")
    assert not club.said("worker.listening")
    club.end()


def test_a_match_is_played_to_its_end_while_valkey_is_frozen(club: Club, valkey: Valkey) -> None:
    club.start()
    until(club.listens, "the workers are up")
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        club.play(random.Random(2))
        ended_and_told(club)
    finally:
        os.kill(valkey.pid, signal.SIGCONT)
    club.end()


def test_a_match_is_played_to_its_end_while_its_valkey_is_emptied(club: Club, valkey: Valkey) -> None:
    club.start()
    until(club.listens, "the workers are up")
    club.play(random.Random(3), valkey.wipe)
    ended_and_told(club)
    club.end()


@pytest.mark.parametrize("shared", [False, True])
def test_a_match_is_played_to_its_end_with_keys_of_wrong_types(club: Club, valkey: Valkey, shared: bool) -> None:
    club.start()
    until(club.listens, "the workers are up")
    with Redis.from_url(valkey.url) as redis:
        redis.set("of another program", "kept")
    club.play(random.Random(4), lambda: valkey.poison(() if shared else redis_link.SHARED))
    ended_and_told(club)
    with Redis.from_url(valkey.url, decode_responses=True) as redis:
        assert redis.get("of another program") == "kept"
        if shared:
            assert {redis.type(key) for key in redis_link.SHARED} <= {"list", "string"}
            until(
                lambda: {line.get("queue") for line in foreign_keys(club)} >= {TURNS, NOTICES, BOTS},
                "every worker has met a key of another program",
            )
            assert {str(line["error"]).split(" is a ")[0] for line in foreign_keys(club)} <= {
                "the key rq:queues",
                "the key rq:workers",
            }
            redis.delete(*redis_link.SHARED)
        until(lambda: heard_of(club), "the workers listen again, and are seen")
    club.end()


def foreign_keys(club: Club) -> list[dict[str, object]]:
    """What the workers said of keys of another program."""
    return [line for line in club.said("redis.unavailable") if "another program" in str(line["error"])]


def heard_of(club: Club) -> bool:
    """Whether RQ's workers are counted, and nothing is wrong with the queue."""
    club.service.queue.check()
    alive = club.service.vitals.activity().alive
    return all(alive[part] == 1 for part in (TURNS, NOTICES, BOTS))


def test_what_is_counted_survives_a_valkey_that_is_wiped_before_each_turn(club: Club, valkey: Valkey) -> None:
    club.start()
    until(club.listens, "the workers are up")
    club.play(random.Random(4), valkey.wipe)
    ended_and_told(club)
    club.end()
    database = Database(load(club.variables()).database_url)
    with database.read() as connection:
        counted = survey.every_count(connection)
        verdicts = Counter(connection.scalars(select(turns.c.status)))
        sent = connection.scalar(select(func.count()).where(outbox.c.status == "sent"))
    database.dispose()
    assert counted[VERDICTS] == verdicts
    assert sum(counted[VERDICT_SECONDS][bucket] for bucket in BUCKET_NAMES if bucket in counted[VERDICT_SECONDS]) == (
        verdicts.total()
    )
    assert counted[DELIVERIES]["sent"] == sent


def test_two_services_on_one_valkey_do_not_hear_of_each_other(tmp_path: Path, valkey: Valkey, site: Path) -> None:
    one, other = Club(tmp_path / "one", valkey.url, site), Club(tmp_path / "other", valkey.url, site)
    try:
        one.start()
        until(one.listens, "the workers of one service are up")
        alive = [club.service.vitals.activity().alive[TURNS] for club in (one, other)]
        assert alive == [1, 0]
        other.service.queue.wake_turns()
        assert other.service.vitals.activity().jobs[TURNS] == 1
        assert one.service.vitals.activity().jobs[TURNS] == 0
        other.start()
        until(other.listens, "the workers of the other service are up")
        one.play(random.Random(5))
        other.play(random.Random(6))
        with Redis.from_url(valkey.url, decode_responses=True) as redis:
            keys: Any = redis.keys("*overland:*")
            assert len({key.partition("overland:")[2].split(":")[0] for key in keys}) == 2
        for club in (one, other):
            ended_and_told(club)
            club.end()
    finally:
        for process in one.processes + other.processes:
            if process.child.poll() is None:
                process.end(signal.SIGKILL)
