"""`/readyz`, `/metrics` and `overland check` say the same of everything that the service needs."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from service.app import create_app
from service.cli import main
from service.config import load
from service.context import Context
from service.metrics import exposition
from service.queue import RqQueue
from service.readiness import LEAST_FREE, Check, State, findings
from service.redis_link import Trouble, away_for
from service.vitals import SWEEPERS
from service.wiring import wire
from tests.service.fakes import link_to
from tests.workers.valkey import Valkey

SUBJECTS = {"The database": "database", "The disk": "disk"} | dict.fromkeys(
    (f"Redis {verb}" for verb in ("does", "refuses", "has", "answers", "cannot", "takes", "is")), "queue"
)
"""How the sentences of `overland check` begin."""


@dataclass(slots=True)
class Told:
    """What the three say: the outcome of each check, whether its gauge is up, and the lines."""

    status: int
    outcomes: dict[str, str]
    up: dict[str, bool]
    lines: dict[str, str]

    def amiss(self) -> dict[str, str]:
        """What is amiss, on which all three agree."""
        amiss = {check: outcome for check, outcome in self.outcomes.items() if outcome != "ok"}
        assert self.up == {check: check not in amiss for check in self.outcomes}
        told = set(amiss) - ({"migrations"} if "database" in amiss else set())  # which are not known then
        assert set(self.lines) == told
        assert all(amiss[check] in self.lines[check] for check in told)
        return amiss


@dataclass(slots=True)
class Installation:
    """A service in a folder, with a Valkey."""

    folder: Path
    redis_url: str
    database_url: str = ""

    def told(self) -> Told:
        environ = {"OVERLAND_DATA_DIR": str(self.folder), "OVERLAND_REDIS_URL": self.redis_url}
        if self.database_url:
            environ["OVERLAND_DATABASE_URL"] = self.database_url
        context = wire(load(environ))
        try:
            answer = create_app(context).test_client().get("/readyz")
            samples = [
                sample
                for family in text_string_to_metric_families(exposition(context).decode())
                for sample in family.samples
            ]
        finally:
            context.queue.close()
            context.database.dispose()
        checked = CliRunner().invoke(main, ["check"], env=environ)
        up = {check.value: f"overland_{check.value}_up" for check in Check}
        values = {sample.name: sample.value for sample in samples}
        lines = {SUBJECTS[" ".join(line.split()[:2])]: line for line in checked.stderr.splitlines()}
        assert checked.exit_code == int(bool(lines))
        checks = answer.get_json()["checks"]
        return Told(answer.status_code, checks, {check: values[name] == 1 for check, name in up.items()}, lines)


@pytest.fixture
def installation(tmp_path: Path, valkey_url: str, sqlite_template: Path) -> Installation:
    shutil.copy(sqlite_template, tmp_path)
    return Installation(tmp_path, valkey_url)


@pytest.fixture
def set_option(redis: Redis) -> Iterator[Callable[[str, str], None]]:
    """Sets an option of the Valkey until the end of the test."""
    before: dict[str, str] = {}

    def change(name: str, value: str) -> None:
        known: Any = redis.config_get(name)
        before[name] = known[name]
        redis.config_set(name, value)

    yield change
    for name, value in before.items():
        redis.config_set(name, value)


def test_where_nothing_is_amiss_all_say_so(installation: Installation) -> None:
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {})


def test_a_redis_that_is_away_is_named(installation: Installation) -> None:
    installation.redis_url = "redis://127.0.0.1:1/0"
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {"queue": "does not answer"})
    assert "Connection refused" in told.lines["queue"]


def test_a_password_that_was_changed_is_said_to_be_refused(
    installation: Installation, valkey: Valkey, set_option: Callable[[str, str], None]
) -> None:
    set_option("requirepass", "rotated")
    for password, said in (("", "authenticated"), (":old@", "invalid username-password pair")):
        installation.redis_url = f"redis://{password}127.0.0.1:{valkey.port}/0"
        told = installation.told()
        assert (told.status, told.amiss()) == (200, {"queue": "refuses the password"})
        assert said in told.lines["queue"]
        assert "old" not in told.lines["queue"]


@pytest.mark.parametrize("key", ["rq:workers", "rq:queues"])
def test_a_key_of_another_program_is_named(installation: Installation, redis: Redis, key: str) -> None:
    redis.rpush(key, "of another program")
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {"queue": Trouble.FOREIGN.value})
    assert f"the key {key} is a list, where RQ needs a set" in told.lines["queue"]


def test_keys_of_ours_of_wrong_types_are_put_right_and_nothing_is_amiss(
    installation: Installation, redis: Redis
) -> None:
    service = wire(load({"OVERLAND_DATA_DIR": str(installation.folder), "OVERLAND_REDIS_URL": installation.redis_url}))
    service.queue.wake_turns()
    service.vitals.beat(SWEEPERS)
    service.close()
    assert installation.told().amiss() == {}
    keys: Any = redis.keys("overland:*")
    assert keys
    for key in keys:
        wrong_type = redis.type(key) != b"list"
        redis.delete(key)
        if wrong_type:
            redis.rpush(key, "of another program")
        else:
            redis.set(key, "of another program")
    assert installation.told().amiss() == {}


@pytest.mark.parametrize(
    ("option", "value", "outcome"),
    [("maxmemory", "1", Trouble.MEMORY), ("min-replicas-to-write", "1", Trouble.ERROR)],
)
def test_a_redis_that_answers_and_takes_no_writes_is_named(
    installation: Installation, set_option: Callable[[str, str], None], option: str, value: str, outcome: Trouble
) -> None:
    set_option(option, value)
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {"queue": outcome.value})


def test_a_database_that_is_away_is_named_without_its_address(installation: Installation) -> None:
    installation.database_url = "postgresql://overland:very-secret@127.0.0.1:1/overland"
    told = installation.told()
    assert told.status == 503
    assert told.amiss() == {"database": "unavailable", "migrations": "unavailable"}
    assert "very-secret" not in str(told)


def test_a_postgresql_that_can_only_be_read_is_named_and_answers(
    installation: Installation, postgresql_database: str
) -> None:
    installation.database_url = f"{postgresql_database}?options=-c%20synchronous_commit%3Don"
    assert installation.told().amiss() == {}
    installation.database_url += "%20-c%20default_transaction_read_only%3Don"
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {"database": "read-only"})
    assert "nothing is accepted: it is a standby" in told.lines["database"]


def test_a_full_disk_is_called_a_full_disk(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("service.readiness.tempfile.TemporaryFile", full)
    told = installation.told()
    assert (told.status, told.amiss()) == (503, {"disk": "full"})


def test_a_disk_is_nearly_full_before_it_is_full(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(installation.folder)
    monkeypatch.setattr("service.readiness.shutil.disk_usage", lambda _: usage._replace(free=LEAST_FREE - 1))
    told = installation.told()
    assert (told.status, told.amiss()) == (200, {"disk": "nearly full"})
    assert f"255 MB are left at {installation.folder}" in told.lines["disk"]
    monkeypatch.setattr("service.readiness.shutil.disk_usage", lambda _: usage._replace(free=LEAST_FREE))
    assert installation.told().amiss() == {}


def test_what_everybody_is_told_has_no_address_and_operators_are_told_what_was_answered(context: Context) -> None:
    away = replace(context, queue=RqQueue(link_to("redis://127.0.0.1:1/0")))
    (queue,) = (found for found in findings(away) if found.check is Check.QUEUE)
    assert queue.state is State.DEGRADED
    assert "127.0.0.1" not in queue.outcome
    assert "127.0.0.1:1" in queue.said


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), Trouble.DISK),
        (ResponseError("NOAUTH Authentication required."), Trouble.PASSWORD),
        (RedisConnectionError("Error while reading from socket"), Trouble.SILENT),
        (TimeoutError("timed out"), Trouble.SILENT),
        (ResponseError("CLUSTERDOWN Hash slot not served"), Trouble.ERROR),
    ],
)
def test_an_error_of_redis_means_one_thing(error: Exception, trouble: Trouble) -> None:
    assert away_for(error).trouble is trouble
