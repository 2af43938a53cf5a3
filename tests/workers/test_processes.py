"""Real worker processes on a real Valkey: turns judged, mails delivered, whatever is killed in
between.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
import yaml

from service.context import Context
from service.matches import lobby
from service.store.players import Player
from service.store.tables import outbox as outbox_table
from service.turns import lookup
from service.vitals import LISTENERS
from service.wiring import wire
from tests.service import fakes
from tests.service.fakes import add_notice
from tests.workers.service_of_two import context, environ, seated, submit_first_legal
from tests.workers.valkey import Valkey
from tools.waiting import LIMIT_SECONDS, until
from workers.part import PARTS

ROOT = Path(__file__).parent.parent.parent
Start = Callable[[str], "Process"]


class Process:
    """A ``python -m workers`` and what it says."""

    def __init__(self, words: str, variables: Mapping[str, str], log: Path) -> None:
        self.log = log
        with log.open("ab") as output:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "workers", *words.split()],
                env={**os.environ, **variables},
                stdout=output,
                stderr=output,
            )

    def said(self, event: str) -> bool:
        return any(line.get("event") == event for line in self.lines())

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def end(self, how: signal.Signals) -> int:
        self.child.send_signal(how)
        return self.child.wait(LIMIT_SECONDS)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def variables(tmp_path: Path, valkey: Valkey) -> Mapping[str, str]:
    return environ(tmp_path / "var", OVERLAND_REDIS_URL=valkey.url)


@pytest.fixture
def start(tmp_path: Path, variables: Mapping[str, str]) -> Iterator[Start]:
    """Starts parts; what still runs at the end of the test is killed."""
    started: list[Process] = []

    def begin(words: str) -> Process:
        started.append(Process(words, variables, tmp_path / f"{len(started)}.log"))
        return started[-1]

    yield begin
    for process in started:
        if process.child.poll() is None:
            process.end(signal.SIGKILL)


@pytest.fixture
def table(variables: Mapping[str, str]) -> Iterator[tuple[Context, Player, Player, str]]:
    """The service as the API has it, with the real queue; two players whose match was begun before
    anything else was up.
    """
    quiet = context(variables)
    anna, ben, match_id = seated(quiet)
    with quiet.database.write() as connection:  # Only what a test causes itself shall be delivered.
        connection.execute(outbox_table.update().values(status="sent", sent_at=quiet.clock()))
    quiet.close()
    service = wire(quiet.settings)
    yield service, anna, ben, match_id
    service.close()


def judged(service: Context, who: Player, match_id: str, turn_id: str) -> bool:
    return lookup.find(service, who, match_id, turn_id).status == "accepted"


def mails(service: Context) -> list[EmailMessage]:
    found = []
    for path in sorted((service.settings.data_dir / "mail").glob("*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        assert isinstance(message, EmailMessage)
        found.append(message)
    return found


def kinds(service: Context) -> list[str]:
    return sorted(str(message["X-Overland-Kind"]) for message in mails(service))


@pytest.mark.deep
def test_a_turn_is_judged_and_both_players_hear_of_it(start: Start, table: tuple[Context, Player, Player, str]) -> None:
    service, anna, _, match_id = table
    judge = start("turns")
    start("notices")
    turn = submit_first_legal(service, anna, match_id)
    until(lambda: lookup.find(service, anna, match_id, turn.id).status == "accepted", "the turn is accepted")
    until(lambda: len(mails(service)) == 2, "two mails arrived")
    assert kinds(service) == ["verdict", "your_turn"]
    verdict, your_turn = sorted(mails(service), key=lambda message: str(message["X-Overland-Kind"]))
    assert verdict["To"] == "Anna <anna@players.example>"
    assert your_turn["To"] == "Ben <ben@players.example>"
    until(lambda: service.vitals.activity().alive["turns"] == 1, "the judge is seen")
    judge.end(signal.SIGTERM)
    assert service.vitals.activity().alive["turns"] == 0


@pytest.mark.deep
def test_heartbeats_show_which_processes_are_alive(start: Start, table: tuple[Context, Player, Player, str]) -> None:
    service, *_ = table
    vitals = service.vitals
    parts = [start(part) for part in PARTS if part != LISTENERS]
    seen = {part: int(part != LISTENERS) for part in PARTS}
    until(lambda: vitals.activity().alive == seen, "all of them are seen")
    parts[0].end(signal.SIGTERM)
    until(lambda: vitals.activity().alive["turns"] == 0, "the one that ended is not")


@pytest.mark.deep
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("part", ["turns", "notices", "sweeper"])
def test_every_part_ends_cleanly_when_it_is_asked_to(
    start: Start, table: object, part: str, how: signal.Signals
) -> None:
    process = start(part)
    name, started = ("sweeper", "started") if part == "sweeper" else ("worker", "listening")
    until(lambda: process.said(f"{name}.{started}"), "it is up")
    assert process.end(how) == 0
    assert process.said(f"{name}.stopped")
    assert not any(line.get("level") in ("error", "critical") for line in process.lines())


@pytest.mark.deep
def test_a_turn_whose_wake_up_was_lost_is_judged(
    start: Start, valkey: Valkey, table: tuple[Context, Player, Player, str]
) -> None:
    service, anna, _, match_id = table
    worker = start("turns")
    until(lambda: worker.said("worker.listening"), "it is up")
    valkey.stop()
    turn = submit_first_legal(service, anna, match_id)
    valkey.start()
    valkey.wipe()
    until(lambda: judged(service, anna, match_id, turn.id), "the lost turn is judged")


@pytest.mark.deep
def test_workers_killed_with_jobs_in_their_hands_lose_nothing(
    start: Start, valkey: Valkey, table: tuple[Context, Player, Player, str]
) -> None:
    service, anna, _, match_id = table
    before = lobby.find(service, anna, match_id).ply
    worker = start("turns")
    until(lambda: worker.said("worker.listening"), "it is up")
    os.kill(worker.child.pid, signal.SIGSTOP)
    turn_id = submit_first_legal(service, anna, match_id).id
    with service.database.write():  # Nobody else may write now, so the worker takes the job and waits for the database.
        os.kill(worker.child.pid, signal.SIGCONT)
        until(lambda: valkey.waiting("turns") == 0, "the worker has taken the job")
        worker.end(signal.SIGKILL)
    assert lookup.find(service, anna, match_id, turn_id).status == "queued"
    valkey.wipe()
    start("turns")
    until(lambda: judged(service, anna, match_id, turn_id), "the turn is judged by the next worker")
    assert lobby.find(service, anna, match_id).ply == before + 1
    start("notices")
    until(lambda: kinds(service) == ["verdict", "your_turn"], "the mails arrived")


@pytest.mark.deep
def test_a_mail_that_was_being_sent_when_its_worker_was_killed_is_sent_again_as_the_same(
    start: Start, variables: Mapping[str, str], table: tuple[Context, Player, Player, str]
) -> None:
    service, anna, _, match_id = table
    with service.database.write() as connection:
        notice_id = add_notice(connection, "match_started", anna.id, match_id, {"seat": 0, "ply": 1}, service.clock())
        # What a worker leaves that was killed between the mail server's answer and its own note: a
        # lease that has run out.
        fakes.leased(connection, "killed", service.clock(), service.clock(), 1)
    start("notices")
    until(lambda: len(mails(service)) == 1, "the mail arrived")
    assert mails(service)[0]["X-Overland-Notice"] == notice_id


@pytest.mark.deep
def test_workers_survive_an_outage_of_redis(
    start: Start, valkey: Valkey, table: tuple[Context, Player, Player, str]
) -> None:
    service, anna, _, match_id = table
    worker = start("turns")
    until(lambda: worker.said("worker.listening"), "it is up")
    valkey.stop()
    turn = submit_first_legal(service, anna, match_id)
    until(lambda: judged(service, anna, match_id, turn.id), "the turn is judged although Redis is away")
    valkey.start()
    until(lambda: sum(line.get("event") == "worker.listening" for line in worker.lines()) == 2, "it is back")
    assert worker.child.poll() is None


@pytest.mark.deep
def test_a_worker_started_before_redis_is_there_when_it_is(
    start: Start, valkey: Valkey, table: tuple[Context, Player, Player, str]
) -> None:
    service, anna, _, match_id = table
    valkey.stop()
    worker = start("turns")
    until(lambda: worker.said("redis.unavailable"), "it says what is away")
    valkey.start()
    until(lambda: worker.said("worker.listening"), "it is up")
    turn = submit_first_legal(service, anna, match_id)
    until(lambda: judged(service, anna, match_id, turn.id), "the turn is judged")
    assert worker.end(signal.SIGTERM) == 0


@pytest.mark.deep
def test_a_worker_without_redis_ends_when_it_is_asked_to(start: Start, valkey: Valkey, table: object) -> None:
    valkey.stop()
    worker = start("turns")
    until(lambda: worker.said("redis.unavailable"), "it waits")
    assert worker.end(signal.SIGTERM) == 0


def test_bad_settings_stop_the_start_with_a_sentence(tmp_path: Path) -> None:
    for wrong, sentence in (
        ({"OVERLAND_MODE": "holiday"}, "OVERLAND_MODE"),
        ({"OVERLAND_REDIS_URL": ""}, "\nOVERLAND_REDIS_URL is missing: workers listen on a queue."),
    ):
        variables = {**os.environ, **environ(tmp_path), **wrong}
        ended = subprocess.run(
            [sys.executable, "-m", "workers", "turns"],
            env=variables,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert ended.returncode == 2
        assert sentence in f"\n{ended.stderr}"


@pytest.mark.deep
@pytest.mark.usefixtures("table")
def test_a_worker_shows_that_it_is_alive_as_its_container_checks(start: Start, tmp_path: Path) -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["sweeper"]
    kind, command = service["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    file, shown = tmp_path / "alive", service["command"][-1]

    def is_healthy() -> bool:
        return subprocess.run(["sh", "-c", command.replace(shown, str(file))], check=False).returncode == 0

    assert not is_healthy()
    worker = start(f"sweeper --alive {file}")
    until(is_healthy, "the sweeper is healthy")
    worker.end(signal.SIGKILL)
    os.utime(file, (0, 0))
    assert not is_healthy()
