"""What Prometheus is told: parsed as Prometheus parses it, right over a service at work, and closed
to strangers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event

from service.app import create_app
from service.matches import lobby, turns
from service.metrics import BUCKETS, exposition
from service.notices.delivery import deliver_due
from service.notices.mail.errors import Refused
from service.store.database import Database
from service.store.tables import outbox
from service.vitals import DELIVERIES, MemoryVitals, OutOfReach, RedisVitals
from service.wiring import Overland
from tests.service.fakes import Clock, Postbag, Round, discovered, notices, played, started
from tests.workers.valkey import Valkey

TOKEN = "t0ken-of-the-watcher"
Samples = dict[str, float]


def read(text: str) -> Samples:
    """The samples by name and labels, as ``name{label=value}``."""
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def scraped(overland: Overland) -> Samples:
    return read(exposition(overland).decode())


def pass_time(overland: Overland, **time: float) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    clock.pass_(**time)


@pytest.fixture
def table(overland: Overland, pearls: None) -> Round:
    return started(overland, "pearls")


def test_versions_of_service_and_rules_are_told(overland: Overland, pearls: None) -> None:
    found = scraped(overland)
    assert found["overland_build_info{version=0.1.0}"] == 1
    assert found["overland_rules_info{game=pearls,newest=yes,rules_version=1}"] == 1
    assert (found["overland_database_up"], found["overland_queue_up"]) == (1, 1)


def test_an_earlier_version_of_the_rules_is_told_as_such(overland: Overland) -> None:
    from tests.service.fakes import RAISED

    with discovered(RAISED):
        found = scraped(overland)
    assert found["overland_rules_info{game=pearls,newest=yes,rules_version=2}"] == 1
    assert found["overland_rules_info{game=pearls,newest=no,rules_version=1}"] == 1


def test_turns_that_wait_are_counted_and_the_oldest_is_timed(overland: Overland, table: Round) -> None:
    assert (
        scraped(overland)["overland_turns_pending"],
        scraped(overland)["overland_turns_oldest_pending_seconds"],
    ) == (0, 0)
    turn = turns.submit(overland, table.players[0], table.match.id, None, 0, notation="dive")
    pass_time(overland, seconds=42)
    found = scraped(overland)
    assert (found["overland_turns_pending"], found["overland_turns_oldest_pending_seconds"]) == (1, 42)
    turns.judge(overland, turn.id)
    assert scraped(overland)["overland_turns_pending"] == 0


def test_verdicts_are_counted_once_by_how_long_they_took(overland: Overland, table: Round) -> None:
    scraped(overland)  # from here on it counts
    pass_time(overland, seconds=1)
    waiting = turns.submit(overland, table.players[0], table.match.id, None, 0, notation="dive")
    pass_time(overland, seconds=0.3)
    turns.judge(overland, waiting.id)
    played(overland, table.players[1], table.match.id, "take")  # refused: nothing is offered
    assert scraped(overland)["overland_verdict_seconds_count"] == 0  # their commits may still be on the way
    pass_time(overland, seconds=3)
    for _ in range(2):
        found = scraped(overland)
        assert (found["overland_verdict_seconds_count"], found["overland_verdict_seconds_sum"]) == (
            2,
            pytest.approx(0.3),
        )
        assert [
            found[f"overland_verdict_seconds_bucket{{le={bound}}}"] for bound in ("0.005", "0.2", "0.4", "+Inf")
        ] == [1, 1, 2, 2]
        assert (
            found["overland_verdicts_total{verdict=accepted}"],
            found["overland_verdicts_total{verdict=rejected}"],
        ) == (1, 1)
        pass_time(overland, seconds=30)


def test_buckets_are_ascending_and_cumulated(overland: Overland) -> None:
    found = scraped(overland)
    assert list(BUCKETS) == sorted(set(BUCKETS))
    assert [name for name in found if name.startswith("overland_verdict_seconds_bucket")][-1].endswith("{le=+Inf}")


def test_a_clock_that_was_set_back_does_not_stop_the_count(overland: Overland, table: Round) -> None:
    scraped(overland)
    pass_time(overland, hours=-1)
    scraped(overland)
    pass_time(overland, seconds=5)
    played(overland, table.players[0], table.match.id, "dive")
    pass_time(overland, seconds=5)
    assert scraped(overland)["overland_verdict_seconds_count"] == 1


def test_several_processes_tell_the_same_story(overland: Overland, table: Round) -> None:
    """Whichever process is asked, the counts go on where another left them."""
    other = replace(overland, database=Database(overland.settings.database_url))
    scraped(overland)
    for process in (other, overland, other):
        pass_time(overland, seconds=5)
        seat = next(seat.seat for seat in lobby.find(overland, None, table.match.id).seats if seat.to_act)
        played(overland, table.players[seat], table.match.id, "dive")
        pass_time(overland, seconds=5)
        scraped(process)
    assert scraped(overland)["overland_verdict_seconds_count"] == scraped(other)["overland_verdict_seconds_count"] == 3
    other.close()


def test_the_outbox_is_told_by_what_is_owed_for_how_long_and_what_was_given_up(
    overland: Overland, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed = len(notices(overland))
    pass_time(overland, seconds=20)
    found = scraped(overland)
    assert (
        found["overland_notices_pending"],
        found["overland_outbox_lag_seconds"],
        found["overland_notices_dead"],
    ) == (owed, 20, 0)
    with overland.database.write() as connection:
        often = notices(overland)[0].id
        connection.execute(
            outbox.update()
            .where(outbox.c.id == often)
            .values(attempts=9, next_attempt_at=overland.clock() + timedelta(minutes=5))
        )
    assert scraped(overland)["overland_notices_refused"] == 1

    def refuse(message: object) -> None:
        raise Refused("550")

    assert isinstance(overland.transport, Postbag)
    monkeypatch.setattr(overland.transport, "send", refuse)
    overland.vitals.count(DELIVERIES, {str(result): number for result, number in deliver_due(overland).items()})
    found = scraped(overland)
    assert (
        found["overland_notices_pending"],
        found["overland_outbox_lag_seconds"],
        found["overland_notices_dead"],
    ) == (1, 0, owed - 1)
    assert found["overland_deliveries_total{result=dead}"] == owed - 1
    assert found["overland_deliveries_total{result=sent}"] == 0


def test_a_database_that_is_away_is_told_and_the_rest_stays(overland: Overland) -> None:
    away = replace(overland, database=Database("postgresql://u:p@127.0.0.1:1/x"))
    found = scraped(away)
    assert (found["overland_database_up"], found["overland_queue_up"]) == (0, 1)
    assert "overland_turns_pending" not in found
    assert found["overland_deliveries_total{result=sent}"] == 0


def test_a_queue_that_is_away_is_told_and_the_rest_stays(overland: Overland) -> None:
    found = scraped(replace(overland, vitals=RedisVitals("redis://127.0.0.1:1/0")))
    assert (found["overland_database_up"], found["overland_queue_up"]) == (1, 0)
    assert found["overland_turns_pending"] == 0
    assert "overland_queue_jobs{queue=turns}" not in found


def test_a_scrape_looks_at_what_is_pending_or_new_and_never_at_all_that_is_stored(
    overland: Overland, table: Round
) -> None:
    """Every statement of a scrape is answered from an index: the planner says so, on SQLite."""
    if overland.database.engine.dialect.name != "sqlite":
        return
    plans: list[str] = []

    def explain(connection: object, cursor: object, statement: str, parameters: object, *_: object) -> None:
        if statement.lstrip().upper().startswith("SELECT"):
            plans.extend(
                str(row[3]) for row in cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            )  # type: ignore[attr-defined]

    event.listen(overland.database.engine, "before_cursor_execute", explain)
    scraped(overland)
    pass_time(overland, seconds=10)
    scraped(overland)
    assert len(plans) >= 9
    assert [plan for plan in plans if "USING" not in plan or "SCAN" in plan] == []


# Over HTTP.


def answered(overland: Overland, production: bool, token: str = "", header: str | None = None) -> tuple[int, str]:
    settings = replace(overland.settings, mode="production" if production else "development", metrics_token=token)
    client = create_app(replace(overland, settings=settings)).test_client()
    answer = client.get("/metrics", headers={} if header is None else {"Authorization": header})
    return answer.status_code, answer.headers["Content-Type"]


def test_metrics_are_open_in_development_and_closed_in_production(overland: Overland) -> None:
    assert answered(overland, production=False) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert answered(overland, production=True) == (404, "application/problem+json")


@pytest.mark.parametrize("production", [True, False])
def test_with_a_token_they_are_for_whoever_shows_it(overland: Overland, production: bool) -> None:
    assert answered(overland, production, TOKEN, f"Bearer {TOKEN}")[0] == 200
    for header in (None, "", TOKEN, f"Bearer {TOKEN}x", "Bearer ", "Bearer Ü"):
        assert answered(overland, production, TOKEN, header)[0] == 401


# Over Redis.


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    server = Valkey(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def vitals(valkey: Valkey) -> RedisVitals:
    valkey.wipe()
    return RedisVitals(valkey.url)


def test_counts_are_shared_by_all_processes(vitals: RedisVitals) -> None:
    vitals.count(DELIVERIES, {"sent": 2, "dead": 1})
    RedisVitals(vitals.redis_url).count(DELIVERIES, {"sent": 3})
    assert vitals.counts(DELIVERIES) == {"sent": 5, "dead": 1}


def test_signs_of_life_are_counted_by_process(vitals: RedisVitals) -> None:
    assert vitals.look().alive == {"turns": 0, "notices": 0, "sweeper": 0}
    vitals.beat("sweeper")
    vitals.beat("sweeper")
    assert vitals.look().alive["sweeper"] == 1


def test_of_two_processes_that_fold_at_once_one_does_and_nothing_counts_twice(vitals: RedisVitals) -> None:
    other = RedisVitals(vitals.redis_url)

    def slow(known: object) -> dict[str, int]:
        other.fold("verdicts", lambda _: {"count": 1})
        return {"count": 2}

    assert vitals.fold("verdicts", slow) == {"count": 1}
    assert vitals.fold("verdicts", lambda known: {"count": known["count"] + 1 if known else 0}) == {"count": 2}


def test_a_redis_that_was_wiped_begins_to_count_anew(
    overland: Overland, table: Round, vitals: RedisVitals, valkey: Valkey
) -> None:
    watched = replace(overland, vitals=vitals)
    scraped(watched)
    played(overland, table.players[0], table.match.id, "dive")
    pass_time(overland, seconds=5)
    assert scraped(watched)["overland_verdict_seconds_count"] == 1
    valkey.wipe()
    assert scraped(watched)["overland_verdict_seconds_count"] == 0


def test_a_redis_that_is_away_harms_nobody_who_counts() -> None:
    away = RedisVitals("redis://127.0.0.1:1/0")
    away.count(DELIVERIES, {"sent": 1})
    away.beat("sweeper")
    for ask in (away.look, lambda: away.counts(DELIVERIES), lambda: away.fold("verdicts", lambda known: {})):
        with pytest.raises(OutOfReach):
            ask()
    assert MemoryVitals().counts(DELIVERIES) == {}
