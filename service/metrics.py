"""The metrics for Prometheus, computed at each scrape from the database and from the heartbeats in
Redis, so any of several processes may answer. Every query uses an index over pending rows, or reads
the few rows of counts. Where one of the two is unavailable, its metrics are missing and its ``_up``
gauge is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Final

import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from engine import registry
from service.bots.playing import BotTurn
from service.context import Context
from service.counts import BOT_TURNS, BUCKET_NAMES, DELIVERIES, HANDLINGS, MICROSECONDS, VERDICT_SECONDS, VERDICTS
from service.readiness import Check, State, findings
from service.redis_link import RedisAway
from service.statuses import VERDICT_STATUSES
from service.store import leasing, maintenance, match_lists, messages, reports, survey
from service.vitals import LISTENERS

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
    def __init__(self, context: Context) -> None:
        self.context = context

    def collect(self) -> Iterator[Metric]:
        yield from _versions()
        good = {found.check for found in findings(self.context) if found.state is State.GOOD}
        for check in Check:
            what = f"Whether `/readyz` finds the {check.value} ok."
            yield GaugeMetricFamily(f"overland_{check.value}_up", what, int(check in good))
        if good >= {Check.DATABASE, Check.MIGRATIONS}:
            yield from _stored(self.context)
        if Check.QUEUE in good:
            yield from _active(self.context)

    def describe(self) -> Iterator[Metric]:
        return iter(())


def _versions() -> Iterator[Metric]:
    build = {(version("overland"),): 1}
    yield _by("overland_build_info", "The version of the service.", ["version"], build.items())
    rules = {
        (name, str(rules_version), "no" if index else "yes"): 1
        for name in registry.games()
        for index, rules_version in enumerate(registry.versions(name))
    }
    what = "The installed versions of the rules; new matches are played by the newest."
    yield _by("overland_rules_info", what, ["game", "rules_version", "newest"], rules.items())


def _stored(context: Context) -> Iterator[Metric]:
    try:
        with context.database.read() as connection:
            found = survey.backlog(connection, context.clock())
            in_maintenance = maintenance.find(connection) is not None
            queued, kept, oldest = messages.numbers(connection)
            awaited_bots = match_lists.count_awaited_bots(connection)
            asides = leasing.item_numbers(connection)
            counted = survey.every_count(connection)
            reported, _since = reports.open_number(connection)
    except SQLAlchemyError as error:
        log.warning("metrics.no_database", error=type(error).__name__)
        return
    oldest_seconds = 0.0 if oldest is None else max(0.0, (context.clock() - oldest).total_seconds())
    aside = {(loop, "yes" if kept_aside else "no"): number for (loop, kept_aside), number in sorted(asides.items())}
    for name, what, value in (
        ("maintenance", "Whether writes are refused.", int(in_maintenance)),
        ("turns_pending", "Turns without a verdict.", found.turns),
        ("turns_oldest_pending_seconds", "Age of the oldest pending turn; 0 without any.", found.oldest_turn_seconds),
        ("turns_quarantined", "Turns that could not be judged and were not retried.", found.quarantined),
        ("matches_unreadable", "Matches whose log cannot be replayed.", found.unreadable),
        ("notices_pending", "Notices that are not yet delivered.", found.notices),
        ("notices_refused", "Pending mails of which several attempts have failed.", found.refused),
        ("notices_dead", "Notices that were given up and not retried.", found.dead),
        ("messages_pending", "Mails that came in and are not handled yet.", queued),
        ("messages_oldest_pending_seconds", "Age of the oldest of them; 0 without any.", oldest_seconds),
        ("bots_awaited", "Bots that a match awaits, and have not submitted a turn.", awaited_bots),
        ("reports_open", "Reports of players that nobody has looked at.", reported),
    ):
        yield GaugeMetricFamily(f"overland_{name}", what, value)
    what = "Items without a list of their own that failed: they are tried again, or kept."
    yield _by("overland_set_aside", what, ["loop", "kept"], aside.items())
    yield GaugeMetricFamily("overland_messages_kept", "Mails that came in and could not be handled.", kept)
    what = "Age of the oldest pending mail of which not several attempts have failed; 0 without any."
    yield GaugeMetricFamily("overland_outbox_lag_seconds", what, found.oldest_mail_seconds)
    yield from _counted(counted)


def _counted(known: Mapping[str, Mapping[str, int]]) -> Iterator[Metric]:
    for name, what, results, numbers in (
        ("overland_deliveries", "Attempts to deliver a notice", DELIVERED, known.get(DELIVERIES, {})),
        ("overland_handlings", "Attempts to handle a mail that came in", HANDLED, known.get(HANDLINGS, {})),
        ("overland_bot_turns", "Bots that a match awaited", PLAYED, known.get(BOT_TURNS, {})),
    ):
        explained = ", ".join(f"{result} ({why})" if why else result for result, why in results.items())
        totals = CounterMetricFamily(name, f"{what}, by how they ended: {explained}.", labels=["result"])
        for result in results:
            totals.add_metric([result], numbers.get(result, 0))
        yield totals
    judged = CounterMetricFamily("overland_verdicts", "Turns judged, by verdict.", labels=["verdict"])
    for verdict in VERDICT_STATUSES:
        judged.add_metric([verdict], known.get(VERDICTS, {}).get(verdict, 0))
    yield judged
    yield _latency(known.get(VERDICT_SECONDS, {}))


def _latency(numbers: Mapping[str, int]) -> Metric:
    latency = HistogramMetricFamily("overland_verdict_seconds", "From submitting a turn to its verdict.")
    running, cumulated = 0, []
    for bound in BUCKET_NAMES:
        running += numbers.get(bound, 0)
        cumulated.append((bound, running))
    latency.add_metric([], cumulated, numbers.get(MICROSECONDS, 0) / 1_000_000)
    return latency


def _active(context: Context) -> Iterator[Metric]:
    try:
        activity, mail_in = context.vitals.activity(), context.settings.mail_in
    except RedisAway as away:
        log.warning("metrics.no_redis", error=str(away))
        return
    what = "Queued wake-ups that no worker has taken yet."
    yield _by("overland_queue_jobs", what, ["queue"], (([queue], number) for queue, number in activity.jobs.items()))
    what = "Processes that send heartbeats; a killed one is counted until its heartbeat expires."
    # a listener is missed only where there is something to listen at
    alive = {part: number for part, number in activity.alive.items() if part != LISTENERS or mail_in}
    yield _by("overland_processes_alive", what, ["part"], (([part], number) for part, number in alive.items()))


def _by(name: str, what: str, labels: Sequence[str], numbers: Iterable[tuple[Sequence[str], float]]) -> Metric:
    """A gauge whose numbers are those of the values of its labels."""
    family = GaugeMetricFamily(name, what, labels=labels)
    for values, number in numbers:
        family.add_metric(values, number)
    return family
