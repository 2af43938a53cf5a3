"""The metrics for Prometheus, computed at each scrape from the database and from the counters in
Redis.

The answering process keeps no state, so any of several may answer. Every query uses an index over
pending or new rows. Where the database or Redis is unavailable, its metrics are missing and its
``_up`` gauge is 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from engine import registry
from service.bots.playing import BotTurn
from service.context import Context
from service.readiness import Check, State, findings
from service.redis_link import RedisAway
from service.statuses import VERDICT_STATUSES
from service.store import leasing, maintenance, match_lists, messages, survey
from service.vitals import BOT_TURNS, DELIVERIES, HANDLINGS

BUCKETS: Final = (0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0, 15.0, 60.0)
"""Upper bounds of the histogram buckets, in seconds from submitting to judging."""
COMMIT_DELAY: Final = timedelta(seconds=2)
"""Verdicts younger than this are counted at a later scrape, as they may not be committed yet."""
FURTHEST_BACK: Final = timedelta(minutes=5)
DELIVERED: Final = {
    "sent": "",
    "covered": "told by a later mail or otherwise",
    "postponed": "refused for a time",
    "crashed": "composing ended its process or took too long",
    "dead": "given up",
    "waiting": "the mail server was down",
    "lost": "another worker took over",
}
"""How attempts to deliver a notice end."""
HANDLED: Final = {
    "handled": "",
    "ignored": "automatic, or forged",
    "kept": "for the operator",
    "later": "it cannot be acted on yet",
    "postponed": "an error",
    "crashed": "it ended its process or took too long",
    "lost": "another worker took over",
}
"""How attempts to handle a mail that came in end."""
PLAYED: Final[Mapping[BotTurn, str]] = {
    "chosen": "",
    "first_legal": "choosing failed, took too long, or its turn was refused",
    "waits": "for a verdict, or is awaited no more",
    "stuck": "nothing could be played, and it is set aside",
}
"""What is played for bots that a match awaits."""

log = structlog.get_logger(__name__)


def exposition(context: Context) -> bytes:
    """Returns the metrics in the text format of Prometheus."""
    collecting = CollectorRegistry(auto_describe=False)
    collecting.register(_ContextCollector(context))
    return generate_latest(collecting)


class _ContextCollector(Collector):
    """The collector of one scrape."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def collect(self) -> Iterator[Metric]:
        yield from _versions()
        good = {found.check for found in findings(self.context) if found.state is State.GOOD}
        for check in Check:
            up = GaugeMetricFamily(f"overland_{check.value}_up", f"Whether `/readyz` finds the {check.value} ok.")
            yield _with(up, int(check in good))
        if good >= {Check.DATABASE, Check.MIGRATIONS}:
            yield from _stored(self.context)
        if Check.QUEUE in good:
            yield from _counted(self.context)

    def describe(self) -> Iterator[Metric]:
        return iter(())


def _versions() -> Iterator[Metric]:
    build = GaugeMetricFamily("overland_build_info", "The version of the service.", labels=["version"])
    build.add_metric([version("overland")], 1)
    yield build
    rules = GaugeMetricFamily(
        "overland_rules_info",
        "The installed versions of the rules; new matches are played by the newest.",
        labels=["game", "rules_version", "newest"],
    )
    for name in registry.games():
        for index, rules_version in enumerate(registry.versions(name)):
            rules.add_metric([name, str(rules_version), "no" if index else "yes"], 1)
    yield rules


def _stored(context: Context) -> Iterator[Metric]:
    try:
        with context.database.read() as connection:
            found = survey.backlog(connection, context.clock())
            in_maintenance = maintenance.find(connection) is not None
            queued, kept, oldest = messages.numbers(connection)
            awaited_bots = match_lists.count_awaited_bots(connection)
            asides = leasing.item_numbers(connection)
    except SQLAlchemyError as error:
        log.warning("metrics.no_database", error=type(error).__name__)
        return
    yield _with(GaugeMetricFamily("overland_maintenance", "Whether writes are refused."), int(in_maintenance))
    yield _with(GaugeMetricFamily("overland_turns_pending", "Turns without a verdict."), found.turns)
    yield _with(
        GaugeMetricFamily("overland_turns_oldest_pending_seconds", "Age of the oldest pending turn; 0 without any."),
        found.oldest_turn_seconds,
    )
    yield _with(
        GaugeMetricFamily("overland_turns_quarantined", "Turns that could not be judged and were not retried."),
        found.quarantined,
    )
    yield _with(
        GaugeMetricFamily("overland_matches_unreadable", "Matches whose log cannot be replayed."), found.unreadable
    )
    yield _with(GaugeMetricFamily("overland_notices_pending", "Notices that are not yet delivered."), found.notices)
    yield _with(
        GaugeMetricFamily("overland_notices_refused", "Pending notices of which several attempts have failed."),
        found.refused,
    )
    yield _with(
        GaugeMetricFamily("overland_notices_dead", "Notices that were given up and not retried."),
        found.dead,
    )
    yield _with(GaugeMetricFamily("overland_messages_pending", "Mails that came in and are not handled yet."), queued)
    yield _with(
        GaugeMetricFamily("overland_messages_oldest_pending_seconds", "Age of the oldest of them; 0 without any."),
        0.0 if oldest is None else max(0.0, (context.clock() - oldest).total_seconds()),
    )
    yield _with(
        GaugeMetricFamily("overland_bots_awaited", "Bots that a match awaits, and have not submitted a turn."),
        awaited_bots,
    )
    set_aside = GaugeMetricFamily(
        "overland_set_aside",
        "Items without a list of their own that failed: they are tried again, or kept.",
        labels=["loop", "kept"],
    )
    for (loop, kept_aside), number in sorted(asides.items()):
        set_aside.add_metric([loop, "yes" if kept_aside else "no"], number)
    yield set_aside
    yield _with(GaugeMetricFamily("overland_messages_kept", "Mails that came in and could not be handled."), kept)
    yield _with(
        GaugeMetricFamily(
            "overland_outbox_lag_seconds",
            "Age of the oldest pending notice of which not several attempts have failed; 0 without any.",
        ),
        found.oldest_notice_seconds,
    )


def _counted(context: Context) -> Iterator[Metric]:
    try:
        activity, counts = context.vitals.activity(), context.vitals.counts(DELIVERIES)
        handled, played = context.vitals.counts(HANDLINGS), context.vitals.counts(BOT_TURNS)
        verdicts = context.vitals.fold("verdicts", lambda known: _folded(context, known))
    except RedisAway as away:
        log.warning("metrics.no_redis", error=str(away))
        return
    except SQLAlchemyError as error:
        log.warning("metrics.no_verdicts", error=type(error).__name__)
        verdicts = None
    yield _by("overland_queue_jobs", "Queued wake-ups that no worker has taken yet.", "queue", activity.jobs)
    alive = "Processes that send heartbeats; a killed one is counted until its heartbeat expires."
    yield _by("overland_processes_alive", alive, "part", activity.alive)
    for name, what, results, known in (
        ("overland_deliveries", "Attempts to deliver a notice", DELIVERED, counts),
        ("overland_handlings", "Attempts to handle a mail that came in", HANDLED, handled),
        ("overland_bot_turns", "Bots that a match awaited", PLAYED, played),
    ):
        explained = ", ".join(f"{result} ({why})" if why else result for result, why in results.items())
        totals = CounterMetricFamily(name, f"{what}, by how they ended: {explained}.", labels=["result"])
        for result in results:
            totals.add_metric([result], known.get(result, 0))
        yield totals
    if verdicts is not None:
        yield from _verdicts(verdicts)


def _verdicts(known: Mapping[str, Any]) -> Iterator[Metric]:
    latency = HistogramMetricFamily("overland_verdict_seconds", "From submitting a turn to its verdict.")
    running, cumulated = 0, []
    for bound, number in zip([*map(str, BUCKETS), "+Inf"], known["buckets"], strict=True):
        running += number
        cumulated.append((bound, running))
    latency.add_metric([], cumulated, known["sum"])
    yield latency
    judged = CounterMetricFamily("overland_verdicts", "Turns judged, by verdict.", labels=["verdict"])
    for verdict in VERDICT_STATUSES:
        judged.add_metric([verdict], known["verdicts"].get(verdict, 0))
    yield judged


def _folded(context: Context, known: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The counts of verdicts in ``known``, plus the verdicts given since.

    After a change of the clock some verdicts may be missing; none stays counted twice.
    """
    horizon = context.clock() - COMMIT_DELAY
    if known is None or len(known["buckets"]) != len(BUCKETS) + 1:
        return {"until": horizon.isoformat(), "buckets": [0] * (len(BUCKETS) + 1), "sum": 0.0, "verdicts": {}}
    since = min(horizon, max(datetime.fromisoformat(known["until"]), horizon - FURTHEST_BACK))
    buckets, total, verdicts = list(known["buckets"]), float(known["sum"]), dict(known["verdicts"])
    with context.database.read() as connection:
        for status, submitted_at, judged_at in survey.verdicts(connection, since, horizon):
            seconds = max(0.0, (judged_at - submitted_at).total_seconds())
            buckets[bisect_left(BUCKETS, seconds)] += 1
            total += seconds
            verdicts[status] = verdicts.get(status, 0) + 1
    return {"until": horizon.isoformat(), "buckets": buckets, "sum": total, "verdicts": verdicts}


def _by(name: str, what: str, label: str, numbers: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, what, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], number)
    return family


def _with(family: GaugeMetricFamily, value: float) -> GaugeMetricFamily:
    family.add_metric([], value)
    return family
