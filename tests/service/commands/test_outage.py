"""``overland outage``: what an operator credits that no part of the service could see."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner, Result

from engine.record import verify
from service import heartbeats
from service.cli import main
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict
from service.ledger.check import check_ledger
from service.matches import lobby
from service.store.audit import Operator
from service.store.heartbeats import PARTS, beat
from service.sweeps import sweep
from service.views.record import match_record
from tests.service.fakes import judged_batch, later, played, started
from tests.service.turns.clocks import due, let_expire, steps

pytestmark = pytest.mark.usefixtures("pearls")
ROOT = Operator("root", "The proxy was down.")
HOUR = timedelta(hours=1)


def run(context: Context, *arguments: str) -> Result:
    environ = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }
    return CliRunner().invoke(main, ["outage", *arguments], env=environ)


def all_beat(context: Context) -> None:
    with context.database.write() as connection:
        for part in PARTS:
            beat(connection, part, context.clock())


def test_a_clock_that_runs_is_credited_and_the_record_says_why(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    before = due(context, table)
    later(context, hours=5)
    now = context.clock()
    assert heartbeats.add_outage(context, now - 4 * HOUR, now - HOUR, ROOT) == ()
    assert due(context, table) == before + 3 * HOUR
    played(context, table.players[0], table.match.id, "dive")
    (stop,) = (steps(context, table)[-1].stops or {})[0]
    assert (stop.kind, stop.start, stop.end) == ("outage", instant(now - 4 * HOUR), instant(now - HOUR))
    lobby.resign(context, table.players[0], table.match.id)
    judged_batch(context)
    verify(match_record(context, None, table.match.id))
    assert check_ledger(context.database).breaches == []


def test_time_that_was_up_by_the_rows_is_not_up_once_it_is_credited(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    until = due(context, table)
    later(context, seconds=(until + HOUR - context.clock()).total_seconds())
    heartbeats.add_outage(context, until - 2 * HOUR, until + HOUR, ROOT)
    all_beat(context)
    sweep(context)
    judged_batch(context)
    assert lobby.find(context, None, table.match.id).ply == table.match.ply
    assert check_ledger(context.database).breaches == []


def test_what_was_acted_upon_is_told_and_stays(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    until = due(context, table)
    let_expire(context, table)
    after = lobby.find(context, None, table.match.id)
    assert after.ply > table.match.ply
    (acted,) = heartbeats.add_outage(context, until - 2 * HOUR, until - HOUR, ROOT)
    assert (acted.match_id, acted.seat, acted.followed) == (table.match.id, 0, "time_up_bot_turn")
    assert lobby.find(context, None, table.match.id).ply == after.ply
    assert check_ledger(context.database).breaches == []
    later(context, hours=3)
    now = context.clock()
    assert heartbeats.add_outage(context, now - HOUR, now, ROOT) == ()  # that seat's clock ran before it


def refusal(context: Context, start: datetime, end: datetime) -> str:
    with pytest.raises(Conflict) as refused:
        heartbeats.add_outage(context, start, end, ROOT)
    return str(refused.value)


def test_an_outage_that_cannot_be_is_refused(context: Context) -> None:
    now = context.clock()
    assert "end after it began" in refusal(context, now, now)
    assert "in the future" in refusal(context, now - HOUR, now + timedelta(seconds=1))
    assert "longer than 7 days" in refusal(context, now - timedelta(days=7, seconds=1), now)
    assert "more than 30 days ago" in refusal(context, now - timedelta(days=31), now - timedelta(days=30))
    heartbeats.add_outage(context, now - 3 * HOUR, now - 2 * HOUR, ROOT)
    heartbeats.add_outage(context, now - 2 * HOUR, now - HOUR, ROOT)
    assert "known as an outage already" in refusal(context, now - 3 * HOUR, now - HOUR)
    assert "was added before" in refusal(context, now - 2 * HOUR, now)
    heartbeats.add_outage(context, now - timedelta(minutes=90), now, ROOT)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("yesterday", "is no time"),
        ("2026-11-27T18:00", "has no time zone"),
        ("2999-01-01T00:00Z", "end after"),
        ("2026-11-27", "Write it like 2026-11-27T00:00+01:00, or 2026-11-27T00:00Z for UTC."),
        ("0001-01-01T00:00+14:00", "is no time"),
        ("9999-12-31T23:59-14:00", "is no time"),
        ("0001-01-01T00:00Z", "is longer than"),
    ],
)
def test_times_are_written_with_a_zone(context: Context, start: str, said: str) -> None:
    refused = run(context, "add", start, "2026-11-27T19:00Z", "--reason", "The proxy was down.")
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert "No outage is known." in run(context).output


def test_the_command_says_what_it_did_and_lists_it(context: Context) -> None:
    end = datetime.now(UTC).replace(microsecond=0) - HOUR
    local = end.astimezone().isoformat()
    done = run(context, "add", (end - HOUR).isoformat(), local, "--reason", "The proxy was down.")
    assert done.exit_code == 0, done.output
    assert run(context, "list").output.endswith("added by an operator\n")
    log = (
        CliRunner()
        .invoke(main, ["audit"], env={**os.environ, "OVERLAND_DATABASE_URL": str(context.database.url)})
        .output
    )
    assert "outage_added" in log
