"""The alarm rules that hosts copy: Prometheus takes them, each rings when it is to, and each names
what the service tells.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.cli import COMMANDS
from service.context import Context
from service.metrics import exposition
from service.readiness import Check
from service.store import leasing
from service.store.leasing import Aside
from service.vitals import BEATING
from tests import missing

RULES: Final = Path(__file__).parent.parent / "docs" / "overland.rules.yml"
ALARMS: Final[dict[str, Any]] = {
    rule["alert"]: rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]
}
GAUGES: Final = {
    "OverlandIsDown": ('up{job="overland"}', 0, 1),
    "OverlandDatabaseIsDown": ("overland_database_up", 0, 1),
    "OverlandRedisIsDown": ("overland_queue_up", 0, 1),
    "OverlandPartIsOut": ("overland_parts_up", 0, 1),
    "OverlandMailboxIsDown": ("overland_mailbox_up", 0, 1),
    "OverlandHasNoSweeper": ('overland_processes_alive{part="sweeper"}', 0, 1),
    "OverlandCallsNoWebhooks": ('overland_processes_alive{part="webhooks"}', 0, 1),
    "OverlandHasNoListener": ('overland_processes_alive{part="listener"}', 0, 1),
    "OverlandTurnsWait": ("overland_turns_oldest_pending_seconds", 16, 15),
    "OverlandTurnsCannotBeJudged": ("overland_turns_quarantined", 1, 0),
    "OverlandMatchCannotBeRead": ("overland_matches_unreadable", 1, 0),
    "OverlandMailsWait": ("overland_outbox_lag_seconds", 121, 120),
    "OverlandMailsAreRefused": ("overland_notices_refused", 1, 0),
    "OverlandMailsAreDead": ("overland_notices_dead", 1, 0),
    "OverlandMailsInWait": ("overland_messages_oldest_pending_seconds", 121, 120),
    "OverlandMailsInAreKept": ("overland_messages_kept", 1, 0),
    "OverlandBotsDoNotPlay": ("overland_bots_awaited", 1, 0),
    "OverlandReportsWait": ("overland_reports_open", 1, 0),
    "OverlandItemsAreSetAside": ('overland_set_aside{loop="clocks",kept="yes"}', 1, 0),
}
"""By alarm, a gauge, a value at which it rings, and one at which it does not."""
UP: Final = {"overland_database_up": "1x90"}
SERIES: Final[dict[str, tuple[dict[str, str], dict[str, str]]]] = {
    name: ({gauge: f"{rings}x90"}, {gauge: f"{quiet}x90"}) for name, (gauge, rings, quiet) in GAUGES.items()
} | {
    "OverlandDatabaseIsOfAnotherVersion": (
        UP | {"overland_migrations_up": "0x90"},
        {"overland_database_up": "0x90", "overland_migrations_up": "0x90"},
    ),
    "OverlandDiskIsFull": (
        UP | {"overland_disk_up": "0x90"},
        {"overland_database_up": "0x90", "overland_disk_up": "0x90"},
    ),
    "OverlandVerdictsAreSlow": (
        {
            f'overland_verdict_seconds_bucket{{le="{le}"}}': f"0+{n}x90"
            for le, n in (("0.8", 90), ("3.0", 99), ("+Inf", 100))
        },
        {
            f'overland_verdict_seconds_bucket{{le="{le}"}}': f"0+{n}x90"
            for le, n in (("0.8", 100), ("3.0", 100), ("+Inf", 100))
        },
    ),
    "OverlandLeasesAreLost": (
        {'overland_deliveries_total{result="lost"}': "0+1x90"},
        {'overland_deliveries_total{result="lost"}': "7x90"},
    ),
    "OverlandBotsFail": (
        {'overland_bot_turns_total{result="first_legal"}': "0+1x90"},
        {'overland_bot_turns_total{result="first_legal"}': "7x90"},
    ),
}
"""By alarm, the values in each minute of series by which it rings, and by which it does not."""


def promtool(*words: str | Path) -> None:
    program = shutil.which("promtool")
    if program is None:
        missing.skip("The alarm rules are not tested: apt-get install prometheus.")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_takes_the_rules() -> None:
    promtool("check", "rules", "--lint=all", "--lint-fatal", RULES)


def test_each_alarm_rings_when_it_is_to_and_not_before(tmp_path: Path) -> None:
    assert SERIES.keys() == ALARMS.keys()
    cases = []
    for name, series in SERIES.items():
        for values, rings in zip(series, (True, False), strict=True):
            given = [{"series": each, "values": value} for each, value in values.items()]
            expected = [{"labels": "{}", "value": 1}] if rings else []
            ringing = {"expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})', "eval_time": "89m"}
            early = ringing | {"eval_time": "0m", "exp_samples": []}
            tests = [ringing | {"exp_samples": expected}, early]
            cases.append({"interval": "1m", "input_series": given, "promql_expr_test": tests})
    file = tmp_path / "rules_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}))
    promtool("test", "rules", file)


def test_what_an_alarm_looks_at_is_told_by_the_service(context: Context) -> None:
    with context.database.write() as connection:
        leasing.set_aside(connection, Aside("clocks", "m1", 12, 0, context.clock(), "failed", True))
    for part in BEATING:
        context.vitals.beat(part)
    context = replace(context, settings=replace(context.settings, mail_in="lmtp://127.0.0.1:24"))
    told = {
        (sample.name, label, value)
        for family in text_string_to_metric_families(exposition(context).decode())
        for sample in family.samples
        for label, value in (("", ""), *sample.labels.items())
    }
    for name, alarm in ALARMS.items():
        for metric, labels in re.findall(r"(overland_\w+)(?:\{(.*?)\})?", f"{alarm['expr']} {alarm['annotations']}"):
            wanted = {(metric, "", ""), *((metric, *found) for found in re.findall(r'(\w+)="(.*?)"', labels))}
            if metric.endswith("processes_alive"):
                wanted = {each for each in wanted if each[2] in ("", *BEATING)}
            assert wanted <= told, name


@pytest.mark.parametrize("check", list(Check))
def test_everything_that_the_service_needs_has_an_alarm(check: Check) -> None:
    assert any(f"overland_{check.value}_up == 0" in alarm["expr"] for alarm in ALARMS.values())


def test_each_alarm_says_what_is_wrong_and_what_to_do() -> None:
    for name, alarm in ALARMS.items():
        summary, description = alarm["annotations"]["summary"], alarm["annotations"]["description"]
        assert summary.endswith("."), name
        assert description[-1] in ".?", name


def test_the_commands_that_alarms_name_are_there() -> None:
    named = re.findall(r"overland ([a-z-]+)", " ".join(str(alarm["annotations"]) for alarm in ALARMS.values()))
    assert named
    assert set(named) <= set(COMMANDS)
