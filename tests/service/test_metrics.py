"""The metrics: parsed as Prometheus parses them, correct for a working service, and closed to
callers without the token.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from service import metrics
from service.app import create_app
from service.bots.playing import BotTurn
from service.context import Context
from service.counts import BUCKETS, DELIVERIES, EVERY_SECONDS, Counts
from service.inbox.handling import HandlingResult
from service.matches import lobby
from service.metrics import exposition
from service.notices.delivery import DeliveryResult, deliver_due
from service.notices.mail.errors import PermanentlyRefused
from service.queue import RqQueue
from service.redis_link import RedisAway, RedisLink
from service.store import maintenance
from service.store.database import Database
from service.store.tables import outbox
from service.turns.submit import submit
from service.vitals import Vitals
from tests.service.fakes import Clock, Postbag, Round, discovered, judge_one, link_to, notices, played, started
from tests.workers.valkey import Valkey
from workers.part import PARTS

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


def scraped(context: Context) -> Samples:
    """What is scraped once this process has saved what it counted."""
    context.counts.save(context.database)
    return read(exposition(context).decode())


def pass_time(context: Context, **time: float) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(**time)


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    return started(context, "pearls")


def test_versions_of_service_and_rules_are_told(context: Context, pearls: None) -> None:
    found = scraped(context)
    assert found["overland_build_info{version=0.1.0}"] == 1
    assert found["overland_rules_info{game=pearls,newest=yes,rules_version=1}"] == 1
    assert (found["overland_database_up"], found["overland_queue_up"]) == (1, 1)


def test_a_maintenance_is_told(context: Context) -> None:
    assert scraped(context)["overland_maintenance"] == 0
    with context.database.write() as connection:
        maintenance.begin(connection, maintenance.Maintenance(context.clock(), None, "Back soon."))
    assert scraped(context)["overland_maintenance"] == 1


def test_an_earlier_version_of_the_rules_is_told_as_such(context: Context) -> None:
    from tests.service.fakes import RAISED

    with discovered(RAISED):
        found = scraped(context)
    assert found["overland_rules_info{game=pearls,newest=yes,rules_version=2}"] == 1
    assert found["overland_rules_info{game=pearls,newest=no,rules_version=1}"] == 1


def test_turns_that_wait_are_counted_and_the_oldest_is_timed(context: Context, table: Round) -> None:
    assert (
        scraped(context)["overland_turns_pending"],
        scraped(context)["overland_turns_oldest_pending_seconds"],
    ) == (0, 0)
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    pass_time(context, seconds=42)
    found = scraped(context)
    assert (found["overland_turns_pending"], found["overland_turns_oldest_pending_seconds"]) == (1, 42)
    judge_one(context, turn.id)
    assert scraped(context)["overland_turns_pending"] == 0


def test_verdicts_are_counted_once_by_how_long_they_took(context: Context, table: Round) -> None:
    waiting = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    pass_time(context, seconds=0.3)
    judge_one(context, waiting.id)
    played(context, table.players[1], table.match.id, "take")  # refused: nothing is offered
    for _ in range(2):
        found = scraped(context)
        assert found["overland_verdict_seconds_count"] == 2
        assert found["overland_verdict_seconds_sum"] == pytest.approx(0.3)
        assert [
            found[f"overland_verdict_seconds_bucket{{le={bound}}}"] for bound in ("0.005", "0.2", "0.4", "+Inf")
        ] == [1, 1, 2, 2]
        assert (
            found["overland_verdicts_total{verdict=accepted}"],
            found["overland_verdicts_total{verdict=rejected}"],
        ) == (1, 1)
        pass_time(context, seconds=30)


def test_buckets_are_ascending_and_cumulated(context: Context) -> None:
    found = scraped(context)
    assert list(BUCKETS) == sorted(set(BUCKETS))
    assert [name for name in found if name.startswith("overland_verdict_seconds_bucket")][-1].endswith("{le=+Inf}")


def test_counts_of_all_processes_are_added_and_each_tells_the_same(context: Context, table: Round) -> None:
    other = replace(context, database=Database(context.settings.database_url), counts=Counts())
    for process in (other, context, other):
        seat = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
        played(process, table.players[seat], table.match.id, "dive")
    assert scraped(context)["overland_verdict_seconds_count"] == 1, "the other has not saved yet"
    assert scraped(other)["overland_verdict_seconds_count"] == scraped(context)["overland_verdict_seconds_count"] == 3
    other.close()


def test_a_clock_that_was_set_back_makes_no_count_fall(context: Context, table: Round) -> None:
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    pass_time(context, hours=-1)
    judge_one(context, turn.id)
    found = scraped(context)
    assert (found["overland_verdict_seconds_count"], found["overland_verdict_seconds_sum"]) == (1, 0)


def test_counts_are_saved_now_and_then_and_a_process_that_is_killed_loses_those_since(context: Context) -> None:
    counts, database = context.counts, context.database
    counts.add(DELIVERIES, {"sent": 1})
    counts.save_due(database, 100.0)
    for seconds in (0.0, EVERY_SECONDS - 0.1):
        counts.add(DELIVERIES, {"sent": 1})
        counts.save_due(database, 100.0 + seconds)
    killed = scraped(replace(context, counts=Counts()))
    assert killed["overland_deliveries_total{result=sent}"] == 1
    counts.save_due(database, 100.0 + EVERY_SECONDS)
    assert scraped(replace(context, counts=Counts()))["overland_deliveries_total{result=sent}"] == 3


def test_counts_that_cannot_be_saved_are_kept_until_they_can(context: Context) -> None:
    context.counts.add(DELIVERIES, {"sent": 2})
    with pytest.raises(SQLAlchemyError):
        context.counts.save(Database("postgresql://u:p@127.0.0.1:1/x"))
    context.counts.add(DELIVERIES, {"sent": 1})
    assert scraped(context)["overland_deliveries_total{result=sent}"] == 3


def test_the_outbox_is_told_by_what_is_owed_for_how_long_and_what_was_given_up(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed = len(notices(context))
    pass_time(context, seconds=20)
    found = scraped(context)
    assert (
        found["overland_notices_pending"],
        found["overland_outbox_lag_seconds"],
        found["overland_notices_dead"],
    ) == (owed, 20, 0)
    with context.database.write() as connection:
        often = notices(context, "confirm_address")[0].id
        connection.execute(
            outbox.update()
            .where(outbox.c.id == often)
            .values(attempts=9, next_attempt_at=context.clock() + timedelta(minutes=5))
        )
    assert scraped(context)["overland_notices_refused"] == 1

    def refuse(message: object) -> None:
        raise PermanentlyRefused("550")

    assert isinstance(context.transport, Postbag)
    monkeypatch.setattr(context.transport, "send", refuse)
    context.counts.add(DELIVERIES, {str(result): number for result, number in deliver_due(context).items()})
    found = scraped(context)
    (first_turn,) = [notice for notice in notices(context) if notice.status == "covered"]
    assert first_turn.kind == "your_turn", "the start mail tells it"
    assert (
        found["overland_notices_pending"],
        found["overland_outbox_lag_seconds"],
        found["overland_notices_dead"],
    ) == (1, 0, owed - 2)
    assert found["overland_deliveries_total{result=dead}"] == owed - 2
    assert found["overland_deliveries_total{result=sent}"] == 0


def test_whatever_is_counted_is_told() -> None:
    assert metrics.DELIVERED.keys() == set(get_args(DeliveryResult))
    assert metrics.HANDLED.keys() == set(get_args(HandlingResult))
    assert metrics.PLAYED.keys() == set(get_args(BotTurn))


def test_an_unavailable_database_is_reported_and_the_rest_stays(context: Context) -> None:
    away = replace(context, database=Database("postgresql://u:p@127.0.0.1:1/x"))
    found = scraped(away)
    assert (found["overland_database_up"], found["overland_queue_up"]) == (0, 1)
    assert "overland_turns_pending" not in found
    assert "overland_deliveries_total{result=sent}" not in found
    assert found["overland_queue_jobs{queue=turns}"] == 0


def test_an_unavailable_queue_is_reported_and_the_rest_stays(context: Context) -> None:
    away = link_to("redis://127.0.0.1:1/0")
    found = scraped(replace(context, vitals=Vitals(away, context.clock), queue=RqQueue(away)))
    assert (found["overland_database_up"], found["overland_queue_up"]) == (1, 0)
    assert found["overland_turns_pending"] == 0
    assert "overland_queue_jobs{queue=turns}" not in found


def test_a_scrape_looks_at_what_is_pending_or_new_and_never_at_all_that_is_stored(
    context: Context, table: Round
) -> None:
    """Every statement of a scrape is answered from an index: the planner says so, on SQLite."""
    if context.database.engine.dialect.name != "sqlite":
        return
    plans: list[str] = []

    def explain(connection: object, cursor: sqlite3.Cursor, statement: str, parameters: Any, *_: object) -> None:
        if statement.lstrip().upper().startswith("SELECT"):
            plans.extend(
                str(row[3]) for row in cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            )

    event.listen(context.database.engine, "before_cursor_execute", explain)
    scraped(context)
    pass_time(context, seconds=10)
    scraped(context)
    assert len(plans) >= 9
    of_one_row = (
        "CORRELATED",
        "SCAN CONSTANT ROW",
        "SCAN alembic_version",
        "SCAN counts",
        "SCAN reports USING INDEX ix_reports_at",  # which has the open ones alone
    )  # the first heads the steps of a subquery
    steps = [plan for plan in plans if not plan.startswith(of_one_row)]
    assert [step for step in steps if "USING" not in step or "SCAN" in step] == []


# Over HTTP.


def client(context: Context, production: bool, token: str = "") -> FlaskClient:
    settings = replace(context.settings, mode="production" if production else "development", metrics_token=token)
    return create_app(replace(context, settings=settings)).test_client()


def answered(client: FlaskClient, header: str | None = None) -> tuple[int, str]:
    answer = client.get("/metrics", headers={} if header is None else {"Authorization": header})
    return answer.status_code, answer.headers["Content-Type"]


def test_metrics_are_open_in_development_and_closed_in_production(context: Context) -> None:
    assert answered(client(context, production=False)) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert answered(client(context, production=True)) == (404, "application/problem+json")


@pytest.mark.parametrize("production", [True, False])
def test_with_a_token_metrics_are_open_to_its_bearer(context: Context, production: bool) -> None:
    scraper = client(context, production, TOKEN)
    assert answered(scraper, f"Bearer {TOKEN}")[0] == 200
    for header in (None, "", TOKEN, f"Bearer {TOKEN}x", "Bearer ", "Bearer Ü"):
        assert answered(scraper, header)[0] == 401


# Over Redis.


@pytest.fixture
def vitals(link: RedisLink) -> Vitals:
    return Vitals(link, Clock())


def test_signs_of_life_are_counted_by_process(vitals: Vitals) -> None:
    assert vitals.activity().alive == dict.fromkeys(PARTS, 0)
    vitals.beat("sweeper")
    vitals.beat("sweeper")
    assert vitals.activity().alive["sweeper"] == 1


def test_a_process_that_gives_no_sign_of_life_for_a_minute_is_not_counted(link: RedisLink) -> None:
    clock = Clock()
    vitals = Vitals(link, clock)
    vitals.beat("sweeper")
    clock.advance(seconds=59)
    assert vitals.activity().alive["sweeper"] == 1
    clock.advance(seconds=2)
    assert vitals.activity().alive["sweeper"] == 0


def test_a_redis_that_was_wiped_costs_no_counts(context: Context, table: Round, vitals: Vitals, valkey: Valkey) -> None:
    watched = replace(context, vitals=vitals)
    played(context, table.players[0], table.match.id, "dive")
    assert scraped(watched)["overland_verdict_seconds_count"] == 1
    valkey.wipe()
    assert scraped(watched)["overland_verdict_seconds_count"] == 1


def test_an_unavailable_redis_does_no_harm_to_a_heartbeat() -> None:
    away = Vitals(link_to("redis://127.0.0.1:1/0"), Clock())
    away.beat("sweeper")
    with pytest.raises(RedisAway):
        away.activity()
