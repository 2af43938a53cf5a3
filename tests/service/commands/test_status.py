"""`overland status`: one screen, what is wrong first with what to run, and what still answers."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from service import heartbeats as parts
from service.cli import COMMANDS, main
from service.commands import status as command
from service.commands import surroundings
from service.commands.status import MAIL_SECONDS, TURN_SECONDS, Standing, _lines, span, standing_of
from service.commands.surroundings import Wrong
from service.config import load
from service.context import Context
from service.inbox.conversation import rows_of
from service.metrics import exposition
from service.notices.delivery import deliver_due
from service.readiness import LEAST_FREE
from service.store import heartbeats, leasing, maintenance, messages, reports
from service.store.database import Database
from service.store.files import mark_file
from service.store.leasing import Aside
from service.store.reports import PlayerReport
from service.store.survey import Due
from service.store.tables import matches, outbox, turns
from service.turns.submit import submit
from service.vitals import CALLERS
from service.wiring import wire
from tests.service.bots.tables import seated
from tests.service.fakes import Clock, Round, played, played_on, started
from tests.service.store.made_up import later_schema
from tools.memory_queue import MemoryVitals

ROOT = Path(__file__).parent.parent.parent.parent


def beat(context: Context, *names: str) -> None:
    """Parts give a sign; all that a service has which takes mails from a mail server in front."""
    with context.database.write() as connection:
        for name in names or (parts.API, parts.JUDGE, parts.MAIL, parts.SWEEPER):
            heartbeats.beat(connection, name, context.clock())


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    """A match, in a service that runs and has sent its mails."""
    table = started(context, "pearls")
    beat(context)
    deliver_due(context)
    return table


def pass_time(context: Context, **time: float) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(**time)
    beat(context)


def screen(found: Standing) -> str:
    return re.sub(r"\x1b\[\d+m", "", "\n".join(_lines(found)))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_service_without_trouble_is_a_screen_of_plain_lines(context: Context, table: Round) -> None:
    played_on(context, table, random.Random(1), plies=3)
    deliver_due(context)
    pass_time(context, seconds=7)
    found = standing_of(context)
    assert found.troubles == ()
    lines = screen(found).splitlines()
    assert lines[0] == f"Overland 0.1.0, {context.clock():%Y-%m-%d %H:%M} UTC: all is well."
    said = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in lines[2:])
    assert said["Last signs"] == "api 0 s ago, judge 0 s ago, mail 0 s ago, sweeper 0 s ago"
    assert said["Matches"] == "1 running, 0 open, 0 archived"
    assert said["Players"] == "2 in running matches, 2 in all"
    assert re.fullmatch(r"[1-9]\d* mails out, 0 mails in, since 0:00 UTC", said["Today"])
    assert said["Waiting"].startswith("turns 0, mails out ")
    assert len(lines) <= 12


def queued_turn(context: Context, table: Round) -> None:
    submit(context, table.players[0], table.match.id, None, 0, notation="dive")


def mail_in(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        messages.add_all(
            connection, rows_of("127.0.0.1", "a@b.example", ["c@d.example"], b"From: a\n\nx"), context.clock()
        )


def aside(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        leasing.set_aside(connection, Aside("clocks", "m1", 12, 0, context.clock(), "failed", True))


def set_notices(**values: object) -> Callable[[Context, Round], None]:
    def change(context: Context, table: Round) -> None:
        with context.database.write() as connection:
            some = connection.execute(outbox.select().limit(1)).one().id
            connection.execute(outbox.update().where(outbox.c.id == some).values(values))

    return change


def kept_mail(context: Context, table: Round) -> None:
    mail_in(context, table)
    with context.database.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET status = 'kept'")


def unreadable(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        connection.execute(matches.update().values(unreadable_at=context.clock(), unreadable_reason="x"))


def quarantined(context: Context, table: Round) -> None:
    queued_turn(context, table)
    with context.database.write() as connection:
        connection.execute(turns.update().values(status="rejected", judged_at=context.clock(), attempts=3))


def reported(context: Context, table: Round) -> None:
    reporter, about = (player.id for player in table.players)
    report = PlayerReport("r1", reporter, about, "name", "n", None, None, "x", "y", context.clock(), "open")
    with context.database.write() as connection:
        reports.add(connection, report)


def in_maintenance(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        maintenance.begin(connection, maintenance.Maintenance(context.clock(), None, "Back soon."))


@pytest.mark.parametrize(
    ("cause", "seconds", "sentence", "run"),
    [
        (queued_turn, TURN_SECONDS + 1, "A turn has waited 16 s for its verdict.", "python -m workers turns"),
        (mail_in, 180, "A mail that came in has waited 3 min.", "overland inbox list --status queued"),
        (
            set_notices(status="pending", sent_at=None, covered_by=None),
            4 * 3600,
            "A mail has waited 4 h to be sent.",
            "overland outbox list --status pending",
        ),
        (
            set_notices(status="pending", attempts=9),
            0,
            "There is 1 mail whose sending fails again and again.",
            "overland outbox list --status pending",
        ),
        (set_notices(status="dead"), 0, "There is 1 mail or webhook call that was given up.", "overland outbox"),
        (kept_mail, 0, "There is 1 mail that came in and could not be handled.", "overland inbox"),
        (aside, 0, "There is 1 thing that failed again and again.", "overland aside"),
        (reported, 0, "There is 1 report of a player that waits for you.", "overland reports"),
        (unreadable, 0, "There is 1 match that cannot be read.", "overland matches check"),
        (quarantined, 0, "There is 1 turn that could not be judged.", "overland turns"),
    ],
)
def test_what_is_wrong_stands_first_with_what_to_run(
    context: Context, table: Round, cause: Callable[[Context, Round], None], seconds: float, sentence: str, run: str
) -> None:
    cause(context, table)
    assert isinstance(context.clock, Clock)
    for _ in range(int(seconds // 120)):
        pass_time(context, seconds=120)
    pass_time(context, seconds=seconds % 120)
    found = standing_of(context)
    assert Wrong(sentence, run) in found.troubles
    assert screen(found).splitlines()[0].endswith("UTC: something is wrong.")
    assert f"  ! {sentence}\n    {run}\n" in screen(found)
    assert run.split()[1] in {*COMMANDS, "-m"}


def test_what_waits_is_not_late_before_its_time(context: Context, table: Round) -> None:
    queued_turn(context, table)
    mail_in(context, table)
    pass_time(context, seconds=TURN_SECONDS)
    assert standing_of(context).troubles == ()


def test_a_maintenance_is_told_and_how_it_ends(context: Context, table: Round) -> None:
    in_maintenance(context, table)
    (only,) = standing_of(context).troubles
    assert only.run == "overland maintenance off"


def test_a_part_that_is_silent_and_a_service_that_does_not_run_are_told(context: Context, table: Round) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(minutes=4)
    beat(context, parts.API, parts.JUDGE, parts.SWEEPER)
    (one,) = standing_of(context).troubles
    assert one.sentence == "No mails are sent: the part mail gives no sign, or has no mail server."
    context.clock.advance(minutes=10)
    (all_,) = standing_of(context).troubles
    assert all_ == Wrong("The service does not run; its last sign was 10 min ago.", "overland run")


def test_every_part_whose_outage_stops_the_clocks_has_a_sentence() -> None:
    assert surroundings._PARTS.keys() == set(heartbeats.PARTS)


def test_parts_that_beat_in_redis_alone_are_told_where_they_are_needed(context: Context, table: Round) -> None:
    assert isinstance(context.vitals, MemoryVitals)
    context.vitals.alive["listener"] = 0
    known = replace(context.settings, redis_url="redis://valkey")
    off, on = (replace(context, settings=replace(known, mail_in=url)) for url in ("", "lmtp://127.0.0.1:24"))
    assert standing_of(off).troubles == ()
    assert [each.run for each in standing_of(on).troubles] == ["python -m workers listener"]
    told = exposition(off), exposition(on)
    assert [b'overland_processes_alive{part="listener"}' in each for each in told] == [False, True]
    context.vitals.alive["webhooks"] = 0
    assert [each.run for each in standing_of(off).troubles] == ["python -m workers webhooks"]


def test_a_sweeper_that_was_never_started_is_told(context: Context, pearls: None) -> None:
    assert isinstance(context.vitals, MemoryVitals)
    context.vitals.alive["sweeper"] = 0
    beat(context, parts.API, parts.JUDGE, parts.MAIL)
    found = standing_of(replace(context, settings=replace(context.settings, redis_url="redis://valkey")))
    assert [each.run for each in found.troubles] == ["python -m workers sweeper"]


@pytest.mark.usefixtures("pearls")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("moved", [False, True])
def test_a_bot_is_awaited_since_the_last_entry_of_its_match_or_its_start(context: Context, moved: bool) -> None:
    match, ada = seated(context, "pearls", [None, "easy"] if moved else ["easy", None])
    pass_time(context, seconds=60)
    if moved:
        played(context, ada, match.id, "dive")
    for _ in range(3):
        pass_time(context, seconds=100)
    found = standing_of(context)
    assert found.rows is not None
    assert found.rows.due["bots"] == Due(1, 300 if moved else 360)
    assert [each.sentence for each in found.troubles if "bot" in each.sentence] == (
        [] if moved else ["A bot has been awaited for 6 min."]
    )


def test_it_works_while_the_database_is_away(context: Context) -> None:
    found = standing_of(replace(context, database=Database("postgresql://u:p@127.0.0.1:1/x")))
    (only,) = found.troubles
    assert only.sentence.startswith("The database is unavailable (")
    assert "Database    not read: see above" in screen(found)
    assert "Disk " in screen(found)


def test_redis_is_not_blamed_for_a_database_that_is_away(tmp_path: Path, valkey_url: str) -> None:
    away = {"OVERLAND_DATABASE_URL": "postgresql://u:p@127.0.0.1:1/x", "OVERLAND_REDIS_URL": valkey_url}
    with closing(wire(load({"OVERLAND_DATA_DIR": str(tmp_path), **away}))) as context:
        (only,) = standing_of(context).troubles
    assert only.sentence.startswith("The database is unavailable (")


def test_a_database_of_another_version_is_told_and_not_read(context: Context, tmp_path: Path) -> None:
    with later_schema(tmp_path / "versions"):
        found = standing_of(context)
    (only,) = found.troubles
    assert (only.run, found.rows) == ("overland migrate", None)
    assert only.sentence in screen(found)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("table", ["matches", "outbox", "heartbeats", "alembic_version"])
def test_neither_status_nor_check_hangs_with_a_table_that_is_locked(
    context: Context, database_url: str, tmp_path: Path, table: str
) -> None:
    """As by VACUUM FULL, or a client that was left open in a transaction."""
    settings = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": database_url}
    beat(context)
    with context.database.write() as connection:
        connection.exec_driver_sql(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        told, checked = (CliRunner(env=settings).invoke(main, [word]) for word in ("status", "check"))
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1, "it still was"
    assert told.exit_code == 1
    assert re.search(r"\block(ed)?\b", told.output)
    assert checked.exit_code in (0, 1), checked.output


def test_a_disk_and_a_memory_that_are_nearly_full_are_told(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("service.readiness.shutil.disk_usage", lambda _: usage._replace(free=LEAST_FREE - 1))
    memory = tmp_path / "meminfo"
    memory.write_text(f"MemTotal:  {2**30} kB\nMemFree: 1 kB\nMemAvailable:  {2**22} kB\n")
    monkeypatch.setattr(command, "MEMORY", memory)
    sentences = [each.sentence for each in standing_of(context).troubles]
    assert sentences[0].startswith("The disk is nearly full (255 MB are left at ")
    assert sentences[1] == "The memory of this machine is nearly used up."
    assert "4.0 of 1024.0 GB free" in screen(standing_of(context))
    memory.write_text("nothing of it")
    assert standing_of(context).memory is None


def asked(folder: Path, *words: str, **settings: str) -> Result:
    given = {f"OVERLAND_{name.upper()}": value for name, value in settings.items()}
    return CliRunner().invoke(main, ["status", *words], env={"OVERLAND_DATA_DIR": str(folder), **given})


def test_the_command_ends_with_one_where_something_is_wrong_and_has_no_colours_in_a_file(
    tmp_path: Path, sqlite_template: Path, valkey_url: str
) -> None:
    none = asked(tmp_path)
    assert none.exit_code == 1
    assert none.stderr == "There is no database yet: `overland run` makes it, or `overland migrate`.\n"
    told = asked(tmp_path, "--json")
    assert (told.exit_code, told.stderr) == (1, "")
    assert json.loads(told.stdout)["troubles"] == [{"sentence": none.stderr.rstrip(), "run": "overland check"}]
    assert json.loads(told.stdout)["rows"] is None
    mark_file(tmp_path / "overland.sqlite").write_text("0000000007\n")
    lost = asked(tmp_path)
    assert lost.exit_code == 1
    assert "does not exist, although 7 commits were made to it" in lost.stderr
    mark_file(tmp_path / "overland.sqlite").unlink()
    shutil.copy(sqlite_template, tmp_path)
    said = asked(tmp_path, redis_url=valkey_url)
    assert said.exit_code == 1
    assert "  ! The service has not run yet.\n    overland run\n" in said.stdout
    assert "Processes   turns 0, notices 0" in said.stdout
    assert "\x1b" not in said.stdout
    away = asked(tmp_path, redis_url="redis://127.0.0.1:1/0")
    assert "  ! Redis does not answer, so turns are judged seconds later (" in away.stdout
    running = wire(load({"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_REDIS_URL": valkey_url}))
    with closing(running):
        beat(running, parts.API, parts.JUDGE, parts.MAIL, parts.SWEEPER)
        running.vitals.beat(CALLERS)
    well = asked(
        tmp_path, redis_url=valkey_url, mode="production", mail_url="lmtp:///nowhere", base_url="https://o.example"
    )
    assert (well.exit_code, well.stderr) == (0, "")


def test_programs_are_told_the_same_as_json(tmp_path: Path, sqlite_template: Path) -> None:
    shutil.copy(sqlite_template, tmp_path)
    said = asked(tmp_path, "--json")
    told = json.loads(said.stdout)
    assert said.exit_code == 1
    assert told["troubles"] == [{"sentence": "The service has not run yet.", "run": "overland run"}]
    assert told["rows"]["due"]["turns"] == {"number": 0, "oldest_seconds": 0.0}
    assert told["disk"]["total"] > told["disk"]["free"] > 0


def test_late_is_what_the_alarms_call_late() -> None:
    rules = yaml.safe_load((ROOT / "docs" / "overland.rules.yml").read_text())["groups"][0]["rules"]
    conditions = {rule["alert"]: rule["expr"] for rule in rules}
    assert conditions["OverlandTurnsWait"].endswith(f"> {TURN_SECONDS}")
    assert conditions["OverlandMailsWait"].endswith(f"> {MAIL_SECONDS}")
    assert conditions["OverlandMailsInWait"].endswith(f"> {MAIL_SECONDS}")


@pytest.mark.parametrize(
    ("time", "said"),
    [({"seconds": 119}, "119 s"), ({"minutes": 3}, "3 min"), ({"hours": 47}, "47 h"), ({"days": 3}, "3 days")],
)
def test_a_time_is_said_in_its_largest_unit(time: dict[str, float], said: str) -> None:
    assert span(timedelta(**time).total_seconds()) == said
