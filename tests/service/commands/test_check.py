"""`overland check`: what it says of the surroundings, and what a service says of installed games
that it cannot offer.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import make_url
from structlog.testing import capture_logs

from service.app import create_app
from service.cli import main
from service.commands.check import cautions
from service.commands.surroundings import Wrong, _clock, _senders, problem, wrongs
from service.context import Context
from service.inbox.conversation import rows_of
from service.readiness import Check, Finding, State
from service.store import messages
from tests.pgbouncer import pgbouncer_before
from tests.service.inbox.corpus.providers import FASTMAIL, GMAIL, OUTLOOK, SENDER, Provider
from tests.service.inbox.mailboxes import OWN, mailbox
from tests.service.notices.postbox import CERTIFICATE, Postbox
from tools.installed import at_hand, declare


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder in which a package is installed whose game cannot be imported."""
    site = tmp_path / "site"
    declare(site, "shells-by-mail", {"shells": "nothing_of_this_name"})
    return site


def test_a_broken_package_is_a_problem_of_the_check(tmp_path: Path, broken: Path) -> None:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path)}
    with at_hand(broken):
        result = CliRunner().invoke(main, ["check"], env=environ)
    assert result.exit_code == 1
    assert result.stderr == (
        "The game shells of the package shells-by-mail 1.0 is not offered."
        " ModuleNotFoundError: No module named 'nothing_of_this_name'\n"
    )
    assert CliRunner().invoke(main, ["check"], env=environ).exit_code == 0


def test_a_database_without_our_tables_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "overland.sqlite").touch(0o600)
    result = CliRunner().invoke(main, ["check"], env={"OVERLAND_DATA_DIR": str(tmp_path)})
    (said,) = result.stderr.splitlines()
    assert said.startswith("The database lacks the migration")


@pytest.mark.parametrize(
    ("check", "outcome", "sentence", "run"),
    [
        (Check.DATABASE, "lost", "why", "overland check"),
        (Check.DATABASE, "disk full", "The database is on a full disk (why).", "overland check"),
        (Check.DATABASE, "unavailable", "The database is unavailable (why).", "overland check"),
        (Check.MIGRATIONS, "missing: 2", "why", "overland migrate"),
        (Check.MIGRATIONS, "unknown: 9", "why", "overland --version"),
        (Check.DISK, "full", "The disk is full (why).", "df -h"),
        (Check.DISK, "nearly full", "The disk is nearly full (why).", "df -h"),
        (Check.DISK, "cannot be written to", "The disk cannot be written to (why).", "overland config"),
        (Check.QUEUE, "is away", "Redis is away, so turns are judged seconds later (why).", "overland check"),
        (Check.MAILBOX, "is away", "The mailbox is away (why).", "overland check"),
        (Check.PARTS, "out: odd", "The part odd ended, and is begun again (why).", "overland check"),
    ],
)
def test_what_is_amiss_is_said_with_its_reason_and_what_to_run(
    check: Check, outcome: str, sentence: str, run: str
) -> None:
    assert list(wrongs([Finding(check, State.DOWN, outcome, "why")])) == [Wrong(sentence, run)]


def test_a_mark_that_cannot_be_read_is_said_once_by_every_command(tmp_path: Path, sqlite_template: Path) -> None:
    shutil.copy(sqlite_template, tmp_path / "overland.sqlite")
    (tmp_path / "overland.sqlite-mark").mkdir(0o700)
    env, said = {"OVERLAND_DATA_DIR": str(tmp_path)}, f"[Errno 21] Is a directory: '{tmp_path}/overland.sqlite-mark'"
    for command in (["outbox"], ["migrate"], ["backup", str(tmp_path / "copy")]):
        ended = CliRunner().invoke(main, command, env=env)
        assert (ended.exit_code, ended.stderr) == (2, f"The database cannot be used: {said}\n")
    assert CliRunner().invoke(main, ["check"], env=env).stderr == f"The database is unavailable ({said}).\n"
    (tmp_path / "overland.sqlite").unlink()
    for command in (["check"], ["status"]):
        ended = CliRunner().invoke(main, command, env=env)
        assert (ended.exit_code, ended.stderr) == (1, f"The database cannot be used: {said}\n")


def test_a_broken_package_is_told_at_the_start_and_everything_else_is_served(context: Context, broken: Path) -> None:
    with at_hand(broken), capture_logs() as logs:
        client = create_app(context).test_client()
        assert "oregon" in [game["name"] for game in client.get("/v1/games").get_json()["items"]]
        assert client.get("/v1/games/shells").status_code == 404
    (told,) = [each for each in logs if each["event"] == "game.refused"]
    assert (told["log_level"], told["game"], told["package"]) == ("error", "shells", "shells-by-mail 1.0")
    assert told["reason"] == "ModuleNotFoundError: No module named 'nothing_of_this_name'"


# The surroundings.


def checked(folder: Path, **settings: str) -> Result:
    """What the command says; the names of settings are in small letters."""
    given = {f"OVERLAND_{name.upper()}": value for name, value in settings.items()}
    return CliRunner().invoke(main, ["check"], env={"OVERLAND_DATA_DIR": str(folder), **given})


def lines_of(said: str, begin: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith(begin)]


def test_it_quotes_the_answers_of_sqlite_and_of_redis(tmp_path: Path, sqlite_template: Path, valkey_url: str) -> None:
    shutil.copy(sqlite_template, tmp_path)
    said = checked(tmp_path, redis_url=valkey_url)
    assert (said.exit_code, said.stderr) == (0, "")
    assert lines_of(said.stdout, "Database: ") == [
        f"Database: SQLite {sqlite3.sqlite_version} has {tmp_path}/overland.sqlite."
    ]
    (redis,) = lines_of(said.stdout, "Redis: ")
    assert re.fullmatch(r"Redis: Valkey [\d.]+ answers\.", redis)
    assert said.stdout.endswith("All is well.\n")


LOSSY: Final = (
    "Caution: Database: synchronous_commit is off: a power failure loses turns that were acknowledged. Set it to on."
)
"""Of the databases of tests, which no power failure concerns."""


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_it_quotes_postgresql_and_says_nothing_of_a_pooler_where_there_is_none(
    tmp_path: Path, database_url: str
) -> None:
    url = make_url(database_url).update_query_dict({"options": "-c synchronous_commit=on"})
    durable = checked(tmp_path, database_url=url.render_as_string(hide_password=False))
    assert (durable.exit_code, durable.stderr) == (0, "")
    (database,) = lines_of(durable.stdout, "Database: ")
    assert re.fullmatch(r"Database: PostgreSQL [\d.]+ answers\.", database)
    said = checked(tmp_path, database_url=database_url)
    assert (said.exit_code, said.stderr) == (0, f"{LOSSY}\n")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_it_says_what_to_set_where_transactions_are_pooled(tmp_path: Path, database_url: str) -> None:
    with pgbouncer_before(database_url, "transaction") as url:
        prepared = checked(tmp_path, database_url=url)
        unprepared = checked(tmp_path, database_url=url, database_prepared="off")
    assert prepared.exit_code == 1
    assert "OVERLAND_DATABASE_PREPARED=off" in lines_of(prepared.stderr, "Database: ")[0]
    assert (unprepared.exit_code, unprepared.stderr) == (0, f"{LOSSY}\n")
    assert lines_of(unprepared.stdout, "Database: ")[1].endswith("the service can do so.")


@pytest.mark.parametrize(("seconds", "apart"), [(-90, "90"), (90, "90"), (1.5, "")])
def test_a_clock_that_is_apart_from_that_of_another_host_is_told(seconds: float, apart: str) -> None:
    now = datetime(2026, 11, 27, 12, tzinfo=UTC)
    found = list(_clock("PostgreSQL", now, now + timedelta(seconds=seconds), now + timedelta(milliseconds=20)))
    assert [f"{apart} seconds apart" in each.sentence for each in found] == [True] * bool(apart)


# The mail server.


def sent_by(mail_server: Callable[..., Postbox], monkeypatch: pytest.MonkeyPatch, mode: str, login: str) -> str:
    """The URL of a mail server whose certificate is trusted."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    return f"{mode}://{login}localhost:{mail_server(mode).port}"


@pytest.mark.parametrize("mode", ["smtps", "smtp+starttls"])
def test_it_logs_in_to_the_mail_server_quotes_it_and_sends_nothing(
    mail_server: Callable[..., Postbox], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str
) -> None:
    said = checked(tmp_path, mail_url=sent_by(mail_server, monkeypatch, mode, "me%40here:s3cret%40%2F%3A@"))
    assert (said.exit_code, said.stderr) == (0, "")
    assert lines_of(said.stdout, "Mail out: ") == [
        "Mail out: the mail server takes our login: 235 2.7.0 Authentication successful"
    ]


def test_a_login_that_others_can_read_is_a_caution(
    mail_server: Callable[..., Postbox], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = f"smtp://me:s3cret%40%2F%3A@localhost:{mail_server('smtp').port}"
    assert checked(tmp_path, mail_url=url).stderr == ""
    monkeypatch.setattr("service.commands.surroundings.is_loopback", lambda host: False)
    said = checked(tmp_path, mail_url=url)
    assert said.exit_code == 0
    assert said.stderr.startswith("Caution: Mail out: user and password go to the mail server without encryption")


def test_a_mail_server_without_a_login_is_quoted_by_its_greeting(
    mail_server: Callable[..., Postbox], tmp_path: Path
) -> None:
    said = checked(tmp_path, mail_url=f"smtp://localhost:{mail_server('smtp').port}")
    assert lines_of(said.stdout, "Mail out: ") == [
        "Mail out: the mail server takes our connection, without a login: 250 localhost"
    ]


def test_a_wrong_password_is_quoted_with_what_to_do_and_not_told(
    mail_server: Callable[..., Postbox], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = checked(tmp_path, mail_url=sent_by(mail_server, monkeypatch, "smtps", "me%40here:wrong@"))
    assert said.exit_code == 1
    (line,) = lines_of(said.stderr, "Mail out: ")
    assert "refused: 535" in line
    assert "app password" in line
    assert "wrong@" not in said.output


@pytest.mark.parametrize(
    ("mode", "url", "advice"),
    [
        ("smtps", "smtps://127.0.0.1:{port}", "Its certificate is not for the name"),
        ("smtp", "smtps://localhost:{port}", "use smtp+starttls:// instead of smtps://"),
        ("smtp", "smtp+starttls://localhost:{port}", "no STARTTLS, at this port"),
        ("smtp", "smtp://localhost:1", "Are name and port right"),
        ("smtp", "smtp://mail.invalid:25", "is it spelt rightly?"),
    ],
)
def test_a_mail_server_that_cannot_be_used_is_quoted_with_what_to_do(
    mail_server: Callable[..., Postbox], tmp_path: Path, mode: str, url: str, advice: str
) -> None:
    said = checked(tmp_path, mail_url=url.format(port=mail_server(mode).port))
    assert said.exit_code == 1
    (line,) = lines_of(said.stderr, "Mail out: ")
    assert advice in line


# The mailbox.


def test_it_logs_in_to_the_mailbox_and_quotes_it(
    context: Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with mailbox(context, monkeypatch) as box:
        right = checked(tmp_path / "right", mail_in=box.context.settings.mail_in)
        wrong = checked(tmp_path / "wrong", mail_in=box.dovecot.url(OWN, password="gue55"))
    assert (right.exit_code, right.stderr) == (0, "")
    (good,) = lines_of(right.stdout, "Mail in: ")
    assert f"lets {OWN} in; INBOX has 0 mails." in good
    assert wrong.exit_code == 1
    (refused,) = lines_of(wrong.stderr, "Mail in: ")
    assert "gue55" not in refused


@pytest.mark.parametrize(
    ("trusted", "provider", "said"),
    [
        ("", GMAIL, "OVERLAND_TRUSTED_RELAY is not set, .* Most of them name mx.google.com: .*RELAY=mx.google.com."),
        (
            "mx.example.org",
            FASTMAIL,
            r"name of mx.example.org, .* set OVERLAND_TRUSTED_RELAY=\*\.messagingengine\.com\.",
        ),
        ("", OUTLOOK, r"They have no results \(Authentication-Results\) of anybody"),
        ("mx.google.com", GMAIL, None),
        ("*.messagingengine.com", FASTMAIL, None),
    ],
)
def test_a_host_is_told_that_nobody_says_who_sends_mails(
    context: Context, trusted: str, provider: Provider, said: str | None
) -> None:
    settings = replace(context.settings, mail_in="smtp://127.0.0.1:2525", trusted_relay=trusted)
    host, to = replace(context, settings=settings), "overland@localhost"
    assert cautions_of(host) == []
    brought = [row for _ in range(3) for row in rows_of("127.0.0.1", SENDER, [to], provider.header(to))]
    came_back = rows_of("127.0.0.1", "", [to], b"From: mailer-daemon@example.org\n\nIt came back.")
    with context.database.write() as connection:
        messages.add_all(connection, [*brought, *came_back], context.clock())
    found = cautions_of(host)
    assert len(found) == (said is not None)
    assert said is None or re.search(said, found[0])


def test_one_mail_within_a_provider_is_no_reason_to_complain(context: Context) -> None:
    settings = replace(context.settings, mail_in="smtp://127.0.0.1:2525", trusted_relay="mx.google.com")
    host, to = replace(context, settings=settings), "overland@localhost"
    headers = (GMAIL.header(to), b"From: ada@gmail.example\n\n")
    with context.database.write() as connection:
        messages.add_all(
            connection, [row for raw in headers for row in rows_of("", SENDER, [to], raw)], context.clock()
        )
    assert cautions_of(host) == []


def test_that_the_mails_cannot_be_read_is_said_with_the_reason(context: Context) -> None:
    with context.database.write() as connection:
        connection.exec_driver_sql("DROP TABLE messages")
    sentence = "Mail in: the mails that came in cannot be read: no such table: messages"
    assert list(_senders(context)) == [problem(sentence)]


def cautions_of(host: Context) -> list[str]:
    return [each.sentence for each in _senders(host)]


def test_a_host_is_told_of_settings_for_a_trial_in_production(context: Context) -> None:
    trial = replace(
        context.settings,
        mode="production",
        base_url="http://localhost:8000",
        mail_url="folder:mail",
        mail_from="Overland <overland@localhost>",
    )
    assert cautions(trial) == (
        "Caution: OVERLAND_MAIL_URL is a folder, so no mail is sent.",
        "Caution: OVERLAND_BASE_URL is http://localhost:8000, so the links in mails lead nowhere.",
        "Caution: OVERLAND_MAIL_FROM is an address at localhost, which few mail servers accept.",
    )
    assert cautions(replace(trial, mode="development")) == ()
    sound = replace(trial, base_url="https://o.example", mail_url="smtp://mail", mail_from="O <o@mail.example>")
    assert cautions(sound) == ()
