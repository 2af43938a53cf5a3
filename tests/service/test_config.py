"""The settings: what they are without any variable, what is refused and how, and that secrets stay
secret.
"""

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.config import VARIABLES, ConfigError, Settings, load, masked, sources
from service.setting_values import MailboxPlace, mailbox_place
from service.store.database import database_of

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to start in, so that the default data folder is inside it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "var"


def problems_of(**environ: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load(environ)
    return caught.value.problems


def test_without_any_variable_it_is_development_on_what_the_service_brings_along(data_dir: Path) -> None:
    settings = load({})
    assert settings.mode == "development"
    assert settings.data_dir == data_dir
    assert settings.database_url == f"sqlite:///{data_dir}/overland.sqlite"
    assert settings.redis_url == ""
    assert settings.mail_url == "folder:"
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.log_format == "console"
    assert settings.rate_limit is False


@pytest.mark.parametrize("name", ["My%20Games", "why?", "100%", "a#b", "ü b"])
def test_the_database_is_in_the_data_folder_whatever_that_is_called(tmp_path: Path, name: str) -> None:
    settings = load({"OVERLAND_DATA_DIR": str(tmp_path / name)})
    assert database_of(settings).file == tmp_path / name / "overland.sqlite"


def test_an_empty_variable_counts_as_one_that_is_not_set(data_dir: Path) -> None:
    assert load({variable.name: " " for variable in VARIABLES}) == load({})


def test_every_field_of_the_settings_has_a_variable_of_its_name() -> None:
    assert [variable.name for variable in VARIABLES] == [f"OVERLAND_{field.name.upper()}" for field in fields(Settings)]


def read_settings(folder: str) -> Iterator[str]:
    """The attributes of something called settings that the modules below a folder read."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=attribute) if (
                    owner.strip("_") == "settings" and path.name != "config.py"
                ):
                    yield attribute


def test_every_setting_is_read_by_the_service_or_its_workers() -> None:
    read = {*read_settings("service"), *read_settings("workers")}
    if "in_production" in read:
        read.add("mode")
    assert {field.name for field in fields(Settings)} - read == set()


def test_the_manual_lists_each_setting_as_the_table_has_it() -> None:
    manual = (ROOT / "docs" / "operations.md").read_text()
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*) \|$", manual, re.MULTILINE)
    assert rows == [(variable.name, variable.default, variable.meaning) for variable in VARIABLES]


def test_the_example_of_an_environment_says_of_each_setting_what_the_table_says() -> None:
    example = (ROOT / ".env.example").read_text()
    meanings = {variable.name: variable.meaning for variable in VARIABLES}
    named = re.findall(r"((?:^# .*\n)+)(OVERLAND_\w+)=", example, re.MULTILINE)
    assert len(named) == len(re.findall(r"^OVERLAND_", example, re.MULTILINE)) > 0
    for comment, name in named:
        assert " ".join(line.removeprefix("# ") for line in comment.splitlines()) == meanings[name]


def test_every_variable_is_read(data_dir: Path, tmp_path: Path) -> None:
    given = {
        "OVERLAND_MODE": "production",
        "OVERLAND_DATA_DIR": str(tmp_path / "elsewhere"),
        "OVERLAND_DATABASE_URL": "postgresql://me:secret@db:5432/overland",
        "OVERLAND_DATABASE_PREPARED": "off",
        "OVERLAND_REDIS_URL": "redis://:secret@queue:6379/1",
        "OVERLAND_HOST": "0.0.0.0",
        "OVERLAND_PORT": "9000",
        "OVERLAND_BASE_URL": "https://overland.example/",
        "OVERLAND_MAIL_URL": "smtp+starttls://me:secret@mail:587",
        "OVERLAND_MAIL_FROM": "Games <games@overland.example>",
        "OVERLAND_MAIL_ADDRESSES": "Bare",
        "OVERLAND_MAIL_IN": "LMTP://[::1]:8025",
        "OVERLAND_MAILBOX_DONE": "Folder: Games",
        "OVERLAND_MAIL_PEERS": "10.0.0.0/8,::1",
        "OVERLAND_TRUSTED_RELAY": "MX.overland.example",
        "OVERLAND_KEEP_MESSAGES_DAYS": "14",
        "OVERLAND_LOG_FORMAT": "console",
        "OVERLAND_LOG_LEVEL": "debug",
        "OVERLAND_TURN_WORKERS": "2",
        "OVERLAND_NOTICE_WORKERS": "3",
        "OVERLAND_RULING_SECONDS": "5",
        "OVERLAND_BOT_POSITIONS": "1000",
        "OVERLAND_API_PROCESSES": "4",
        "OVERLAND_API_THREADS": "8",
        "OVERLAND_PICTURE_PROCESSES": "2",
        "OVERLAND_API_CONNECTIONS": "100",
        "OVERLAND_SWEEP_SECONDS": "10",
        "OVERLAND_VERDICT_MAIL_SECONDS": "60",
        "OVERLAND_START_SECONDS": "600",
        "OVERLAND_RATE_LIMIT": "off",
        "OVERLAND_METRICS_TOKEN": "t" * 16,
        "OVERLAND_TRUSTED_PROXIES": "1",
        "OVERLAND_KEEP_NOTICES_DAYS": "90",
        "OVERLAND_KEEP_TURN_DETAILS_DAYS": "Forever",
    }
    assert sorted(given) == sorted(variable.name for variable in VARIABLES)
    assert load(given) == Settings(
        mode="production",
        data_dir=tmp_path / "elsewhere",
        database_url="postgresql://me:secret@db:5432/overland",
        database_prepared=False,
        redis_url="redis://:secret@queue:6379/1",
        host="0.0.0.0",
        port=9000,
        base_url="https://overland.example",
        mail_url="smtp+starttls://me:secret@mail:587",
        mail_from="Games <games@overland.example>",
        mail_addresses="bare",
        mail_in="lmtp://[::1]:8025",
        mailbox_done="folder:Games",
        mail_peers=("10.0.0.0/8", "::1/128"),
        trusted_relay="mx.overland.example",
        log_format="console",
        log_level="DEBUG",
        turn_workers=2,
        notice_workers=3,
        ruling_seconds=5,
        bot_positions=1000,
        api_processes=4,
        api_threads=8,
        picture_processes=2,
        api_connections=100,
        sweep_seconds=10,
        verdict_mail_seconds=60,
        start_seconds=600,
        rate_limit=False,
        trusted_proxies=1,
        metrics_token="t" * 16,
        keep_notices_days=90,
        keep_messages_days=14,
        keep_turn_details_days=None,
    )


@pytest.mark.parametrize(
    "url", ["lmtp://127.0.0.1", "smtp://:8025", "http://127.0.0.1:8025", "lmtp://a:b@host:25", "on"]
)
def test_where_mails_come_in_is_a_host_and_a_port(data_dir: Path, url: str) -> None:
    with pytest.raises(ConfigError, match="OVERLAND_MAIL_IN must "):
        load({"OVERLAND_MAIL_IN": url})


def test_mails_come_in_beside_the_api_unless_in_production(data_dir: Path) -> None:
    assert load({"OVERLAND_PORT": "9000"}).mail_in == "smtp://127.0.0.1:9025"
    assert load({"OVERLAND_PORT": "65535"}).mail_in == "smtp://127.0.0.1:65510"
    production = {"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtp://mail:25"}
    assert load(production).mail_in == ""
    assert load({"OVERLAND_MAIL_IN": "OFF"}).mail_in == ""


@pytest.mark.parametrize("text", ["*", "*.org", "a.*.org", "*.example.*", "mx*.example.org", "*.example.org."])
def test_a_star_stands_before_a_domain(data_dir: Path, text: str) -> None:
    assert load({"OVERLAND_TRUSTED_RELAY": "*.Example.org"}).trusted_relay == "*.example.org"
    with pytest.raises(ConfigError, match=r"OVERLAND_TRUSTED_RELAY has a star only before a domain"):
        load({"OVERLAND_TRUSTED_RELAY": text})


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("imaps://me:secret@h.example", MailboxPlace("h.example", 993, False, "me", "secret", "INBOX")),
        ("IMAPS://me:secret@H.example:9993/", MailboxPlace("h.example", 9993, False, "me", "secret", "INBOX")),
        (
            "imap+starttls://me%40x.example:a%20%2F%25%3A@h.example/INBOX/Games%20in",
            MailboxPlace("h.example", 143, True, "me@x.example", "a /%:", "INBOX/Games in"),
        ),
    ],
)
def test_mails_may_come_in_from_a_mailbox(data_dir: Path, url: str, place: MailboxPlace) -> None:
    settings = load({"OVERLAND_MAIL_IN": url, "OVERLAND_MAILBOX_DONE": "FLAG"})
    assert mailbox_place(settings.mail_in) == place
    assert settings.mailbox_done == "flag"
    (variable,) = (each for each in VARIABLES if each.attribute == "mail_in")
    for shown in (masked(variable, settings.mail_in), repr(settings), repr(place)):
        assert "secret" not in shown
        assert "%25" not in shown
    assert "@h.example" in masked(variable, settings.mail_in).lower()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("imap://me:secret@h.example", "would send the password as plain text"),
        ("imaps://h.example", "must name user, password and host"),
        ("imaps://me@h.example", "must name user, password and host"),
        ("imaps://me:secret@", "must name user, password and host"),
        ("imaps://me:secret@a..b", "must name user, password and host"),
        ("imaps://me:sec/ret@h.example", "is not to be read; write it like imaps://"),
        ("imaps://me:secret#1@h.example", "Percent-encode what is no letter or digit in user and password"),
        ("imaps://me:secret?@h.example", "Percent-encode what is no letter or digit in user and password"),
        ("imaps://me:100%secret@h.example", "has a character that has a meaning of its own in an address"),
    ],
)
def test_the_address_of_a_mailbox_is_refused_without_showing_it(data_dir: Path, url: str, sentence: str) -> None:
    (problem,) = problems_of(OVERLAND_MAIL_IN=url)
    assert problem.startswith("OVERLAND_MAIL_IN ")
    assert sentence in problem
    assert "sec" not in problem.replace("password", "")


@pytest.mark.parametrize("text", ["folder", "folder:", "flag:Overland", "folder:a\tb"])
def test_what_becomes_of_a_mail_of_the_mailbox_is_a_folder_or_a_flag(data_dir: Path, text: str) -> None:
    (problem,) = problems_of(OVERLAND_MAILBOX_DONE=text)
    assert "must be flag, or folder: and a name, such as folder:Overland" in problem


def test_a_setting_is_text_in_utf_8(data_dir: Path) -> None:
    assert problems_of(OVERLAND_MAIL_FROM="M\udcfcller <a@b.example>") == ("OVERLAND_MAIL_FROM is not text in UTF-8.",)


SECRETS = [variable for variable in VARIABLES if variable.secret]


def test_every_secret_may_be_in_a_file(data_dir: Path, tmp_path: Path) -> None:
    given = {
        "OVERLAND_DATABASE_URL": "postgresql://me:secret@db/overland",
        "OVERLAND_REDIS_URL": "redis://:secret@queue:6379/1",
        "OVERLAND_MAIL_URL": "smtps://me:secret@mail:465",
        "OVERLAND_MAIL_IN": "imaps://me:secret@mail",
        "OVERLAND_METRICS_TOKEN": "t" * 16,
    }
    assert sorted(given) == sorted(variable.name for variable in SECRETS)
    in_files = {}
    for name, text in given.items():
        (tmp_path / name).write_text(f"{text}\n")
        in_files[f"{name}_FILE"] = str(tmp_path / name)
    assert load(in_files) == load(given)
    assert {sources(in_files)[variable.name] for variable in SECRETS} == {"file"}


def test_a_file_for_a_secret_is_refused_where_it_cannot_be_read_and_nowhere_else(tmp_path: Path) -> None:
    file, empty = tmp_path / "secret", tmp_path / "empty"
    empty.touch()
    given = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_MAIL_IN_FILE": str(file)}
    assert problems_of(**given) == (
        f"OVERLAND_MAIL_IN cannot be read from {file}, which OVERLAND_MAIL_IN_FILE names: No such file or directory.",
    )
    assert "the file is empty" in problems_of(OVERLAND_MAIL_IN_FILE=str(empty))[0]
    os.mkfifo(tmp_path / "fifo")
    assert "it is no ordinary file" in problems_of(OVERLAND_MAIL_IN_FILE=str(tmp_path / "fifo"))[0]
    file.write_bytes(b"\xff")
    assert "it is not UTF-8" in problems_of(**given)[0]
    file.write_text("off")
    assert problems_of(**given, OVERLAND_MAIL_IN="off") == (
        "OVERLAND_MAIL_IN is given twice: unset it, or OVERLAND_MAIL_IN_FILE.",
    )
    assert problems_of(OVERLAND_PORT_FILE=str(file))[0].startswith("OVERLAND_PORT_FILE is not a variable of Overland")


@pytest.mark.parametrize(("name", "text"), [("MAIL_PEERS", "mail.example"), ("TRUSTED_RELAY", "two words")])
def test_peers_are_networks_and_the_relay_is_a_word(data_dir: Path, name: str, text: str) -> None:
    with pytest.raises(ConfigError, match=f"OVERLAND_{name} must be"):
        load({f"OVERLAND_{name}": text})


@pytest.mark.parametrize("days", ["29", "0", "always", "-1"])
def test_details_of_turns_are_kept_for_thirty_days_or_longer(data_dir: Path, days: str) -> None:
    with pytest.raises(ConfigError, match="must be forever, or whole days from 30 to 36500"):
        load({"OVERLAND_KEEP_TURN_DETAILS_DAYS": days})
    assert load({"OVERLAND_KEEP_TURN_DETAILS_DAYS": "30"}).keep_turn_details_days == 30


def test_production_logs_for_machines_and_limits_callers_by_default(data_dir: Path) -> None:
    settings = load({"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtp://mail.example"})
    assert settings.log_format == "json"
    assert settings.rate_limit is True


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("OVERLAND_MODE", "staging", "must be development or production, not 'staging'."),
        ("OVERLAND_PORT", "0", "must be a whole number from 1 to 65535, not '0'."),
        ("OVERLAND_PORT", "٣", "must be a whole number from 1 to 65535, not '٣'."),
        ("OVERLAND_TURN_WORKERS", "many", "must be a whole number from 1 to 32, not 'many'."),
        ("OVERLAND_SWEEP_SECONDS", "0.5", "must be a whole number from 1 to 3600, not '0.5'."),
        ("OVERLAND_HOST", "http://here", "must be a host name or an address such as 127.0.0.1, not 'http://here'."),
        (
            "OVERLAND_PORT",
            "1" * 5000,
            "must be a whole number from 1 to 65535, not '111111111111...1111111111111'.",
        ),
        ("OVERLAND_HOST", "[::1]", "must be a host name or an address such as 127.0.0.1, not '[::1]'."),
        ("OVERLAND_HOST", "127.0.0.1:80", "must be a host name or an address such as 127.0.0.1, not '127.0.0.1:80'."),
        ("OVERLAND_HOST", "a..b", "must be a host name or an address such as 127.0.0.1, not 'a..b'."),
        (
            "OVERLAND_DATABASE_URL",
            "postgresql:foo",
            "must have // behind postgresql:, such as postgresql://user:password@host:port/name.",
        ),
        (
            "OVERLAND_REDIS_URL",
            "redis://a..b/0",
            "must have the name or the address of a host; write it like redis://host:6379/0.",
        ),
        (
            "OVERLAND_REDIS_URL",
            "redis+sentinel://a..b/master",
            "must name sentinels, and the master that they watch:"
            " redis+sentinel://:password@host:26379,host:26379/master/0.",
        ),
        (
            "OVERLAND_MAIL_URL",
            "smtp://a..b",
            "must have the name or the address of a host; write it like smtp://user:password@host:25.",
        ),
        (
            "OVERLAND_MAIL_IN",
            "smtp://127.0.0.1:8000",
            "has the port 8000, at which the API listens: take another one for one of them.",
        ),
        (
            "OVERLAND_MAIL_IN",
            "lmtp://0.0.0.0:8000",
            "has the port 8000, at which the API listens: take another one for one of them.",
        ),
        ("OVERLAND_BASE_URL", "overland.example", "must begin with http: or https:, such as https://overland.example."),
        (
            "OVERLAND_BASE_URL",
            "https://",
            "must name a host, without a user, ? or #, such as https://overland.example.",
        ),
        *(
            ("OVERLAND_BASE_URL", url, "must name a host, without a user, ? or #, such as https://overland.example.")
            for url in ("https://me:secret@overland.example", "https://overland.example?", "https://overland.example#a")
        ),
        *(
            (
                "OVERLAND_DATABASE_URL",
                url,
                "must name an absolute path for SQLite, with four slashes and without a question mark:"
                " sqlite:////srv/overland/overland.sqlite.",
            )
            for url in ("sqlite:////", "sqlite:///relative.sqlite", "sqlite:////srv/a.sqlite?mode=ro")
        ),
        *(
            ("OVERLAND_REDIS_URL", url, "has an option behind the ? that cannot be used; write it without.")
            for url in ("redis://queue?db=one", "redis://queue?secret=1", "unix:///run/valkey.sock?socket_timeout=long")
        ),
        (
            "OVERLAND_MAIL_FROM",
            "A <a@one.example>, B <b@two.example>",
            "must be a mail address such as 'Overland <overland@example.org>', not"
            " 'A <a@one.example>, B <b@two.example>'.",
        ),
        (
            "OVERLAND_REDIS_URL",
            "localhost:6379",
            "must begin with redis: or rediss: or unix: or redis+sentinel:, such as redis://host:6379/0.",
        ),
        (
            "OVERLAND_REDIS_URL",
            "redis+sentinel://one",
            "must name sentinels, and the master that they watch:"
            " redis+sentinel://:password@host:26379,host:26379/master/0.",
        ),
        ("OVERLAND_REDIS_URL", "unix://", "must name a socket, such as unix:///run/valkey/valkey.sock."),
        (
            "OVERLAND_REDIS_URL",
            "redis://queue/one",
            "has a database that is not a number; write it like redis://host:6379/0.",
        ),
        (
            "OVERLAND_DATABASE_URL",
            "postgresql://db:/x",
            "has a port that is not a number from 0 to 65535; write it like postgresql://user:password@host:port/name.",
        ),
        (
            "OVERLAND_DATABASE_URL",
            "postgresql://db:port/x",
            "has a port that is not a number from 0 to 65535; write it like postgresql://user:password@host:port/name.",
        ),
        ("OVERLAND_MAIL_URL", "smtp://", "must name the mail server: smtp://user:password@host:port."),
        ("OVERLAND_MAIL_URL", "lmtp:///", "must name the mail server: lmtp://user:password@host:port."),
        (
            "OVERLAND_MAIL_FROM",
            "nobody",
            "must be a mail address such as 'Overland <overland@example.org>', not 'nobody'.",
        ),
        (
            "OVERLAND_MAIL_FROM",
            "a b@overland.example",
            "must have letters and digits before the @, and a domain of ASCII behind it, not 'a b@overland.example'.",
        ),
        (
            "OVERLAND_MAIL_FROM",
            "a-name-that-is-too-long@overland.example",
            "must have up to 16 characters before the @, since the addresses for replies begin with them. Take a"
            " shorter one, or set OVERLAND_MAIL_ADDRESSES=bare.",
        ),
        (
            "OVERLAND_MAIL_IN",
            "imap://me:secret@mail.example",
            "would send the password as plain text: begin with imaps: or imap+starttls: instead.",
        ),
        (
            "OVERLAND_MAILBOX_DONE",
            "delete",
            "must be flag, or folder: and a name, such as folder:Overland, not 'delete'.",
        ),
        ("OVERLAND_KEEP_TURN_DETAILS_DAYS", "never", "must be forever, or whole days from 30 to 36500, not 'never'."),
        (
            "OVERLAND_MAIL_IN",
            "pigeon://127.0.0.1:8025",
            "must begin with lmtp: or smtp: or imaps: or imap+starttls:, such as lmtp://127.0.0.1:8025, or be off.",
        ),
        ("OVERLAND_LOG_LEVEL", "LOUD", "must be DEBUG or INFO or WARNING or ERROR, not 'LOUD'."),
        ("OVERLAND_RATE_LIMIT", "1", "must be on or off, not '1'."),
        ("OVERLAND_METRICS_TOKEN", "short", "must have at least 16 characters, all of them ASCII and none a space."),
        (
            "OVERLAND_METRICS_TOKEN",
            "sixteen or more, but with spaces",
            "must have at least 16 characters, all of them ASCII and none a space.",
        ),
        ("OVERLAND_TRUSTED_PROXIES", "-1", "must be a whole number from 0 to 9, not '-1'."),
        (
            "OVERLAND_TRUSTED_PROXIES",
            "1",
            "is 1, so others reach the service through a proxy, and development mode shows everybody's mails, with the"
            " tokens in them, at /dev/mail. Set OVERLAND_MODE=production, or OVERLAND_TRUSTED_PROXIES=0.",
        ),
        (
            "OVERLAND_HOST",
            "0.0.0.0",
            "is 0.0.0.0, which other machines may reach, and development mode shows everybody's mails, with the tokens"
            " in them, at /dev/mail. Set OVERLAND_MODE=production, or OVERLAND_HOST=127.0.0.1.",
        ),
        (
            "OVERLAND_BASE_URL",
            "https://192.0.2.7",
            "is https://192.0.2.7, so others reach the service at that address, and development mode shows everybody's"
            " mails, with the tokens in them, at /dev/mail. Set OVERLAND_MODE=production, or unset OVERLAND_BASE_URL.",
        ),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence_that_says_what_would_work(
    data_dir: Path, name: str, value: str, sentence: str
) -> None:
    assert problems_of(**{name: value}) == (f"{name} {sentence}",)


@pytest.mark.parametrize("behind", ["/x", "?x", "#x"])
@pytest.mark.parametrize("scheme", ["smtp", "smtps", "smtp+starttls", "lmtp"])
def test_nothing_stands_behind_the_port_of_a_mail_server(data_dir: Path, scheme: str, behind: str) -> None:
    (problem,) = problems_of(OVERLAND_MAIL_URL=f"{scheme}://me:secret@mail.example:25{behind}")
    assert problem.startswith(f"OVERLAND_MAIL_URL must end with the port: {scheme}://user:password@host:port.")


@pytest.mark.parametrize("path", ["~nosuchuser/x", "loop/x"])
def test_a_path_that_leads_nowhere_is_refused(data_dir: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert len(problems_of(OVERLAND_DATA_DIR=path)) == 1
    if path.startswith("~"):  # the other is found when the first mail is written
        assert problems_of(OVERLAND_MAIL_URL=f"folder:{path}")[0].startswith("OVERLAND_MAIL_URL has a path")


def test_a_listener_may_have_the_port_of_the_api_at_another_address(data_dir: Path) -> None:
    assert load({"OVERLAND_MAIL_IN": "smtp://[::1]:8000"}).mail_in == "smtp://[::1]:8000"


@pytest.mark.parametrize(
    ("name", "url", "shown"),
    [
        ("redis_url", "unix:///run/v.sock?password=SECRET", "unix:///run/v.sock?password=********"),
        ("redis_url", "redis://h/0?db=1&password=SE@CRET", "redis://********"),
        ("redis_url", "redis://:SECRET@h/0", "redis://:********@h/0"),
        ("redis_url", "redis+sentinel://:SECRET@a,b:1/m", "redis+sentinel://:********@a,b:1/m"),
        ("database_url", "postgresql://h/db?password=SECRET", "postgresql://h/db?password=********"),
        ("database_url", "postgresql://me:1?SECRET@h/db", "postgresql://********"),
        ("database_url", "postgresql://me:1#SECRET@h/db", "postgresql://********"),
        ("database_url", "postgresql://me:1/SECRET@h/db", "postgresql://me:********@h/db"),
        ("database_url", "postgresql://me@h/db#SECRET", "postgresql://me@h/db?********"),
        ("database_url", "sqlite:////srv/a@b/overland.sqlite", "sqlite:////srv/a@b/overland.sqlite"),
        ("mail_url", "smtps://me:SECRET@mail:465", "smtps://me:********@mail:465"),
        ("mail_url", "folder:/srv/mail", "folder:/srv/mail"),
        ("mail_in", "imaps://me%40h:SECRET@h/INBOX", "imaps://me%40h:********@h/INBOX"),
        ("metrics_token", "token://0123456789abcdef", "********"),
    ],
)
def test_no_secret_of_a_setting_is_shown_wherever_it_stands(name: str, url: str, shown: str) -> None:
    (variable,) = (each for each in VARIABLES if each.attribute == name)
    assert masked(variable, url) == shown


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "127.1", "::1", "::ffff:127.0.0.1", "localhost"])
def test_development_listens_on_any_address_of_loopback(data_dir: Path, host: str) -> None:
    assert load({"OVERLAND_HOST": host}).host == host


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "0", "::", "10.77.0.10", "192.168.1.5", "fe80::1%eth0", "::ffff:10.0.0.1", "no-such-host.invalid"],
)
def test_development_is_refused_where_others_may_reach_it_and_production_is_not(data_dir: Path, host: str) -> None:
    (said,) = problems_of(OVERLAND_HOST=host)
    assert said.startswith(f"OVERLAND_HOST is {host}, which other machines may reach")
    public = {"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtp://mail.example", "OVERLAND_HOST": host}
    assert load(public).host == host


def test_a_name_counts_as_loopback_only_if_all_its_addresses_are(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {"own.example": ["127.0.1.1", "::1"], "half.example": ["127.0.1.1", "192.0.2.7"]}

    def getaddrinfo(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (address, 0)) for address in addresses.get(host, [host])]

    monkeypatch.setattr("service.setting_values.socket.getaddrinfo", getaddrinfo)
    assert load({"OVERLAND_HOST": "own.example"}).base_url == "http://own.example:8000"
    assert problems_of(OVERLAND_HOST="half.example")[0].startswith("OVERLAND_HOST is half.example")


@pytest.mark.parametrize("url", [{}, {"OVERLAND_MAIL_URL": "folder:"}])
def test_production_without_a_mail_server_is_refused_unless_the_folder_is_named(
    data_dir: Path, tmp_path: Path, url: dict[str, str]
) -> None:
    assert problems_of(OVERLAND_MODE="production", **url) == (
        "OVERLAND_MAIL_URL must name the mail server in production, such as"
        " smtp+starttls://user:password@mail.example:587. To keep the mails in a folder instead of sending them, name"
        " it: folder:/srv/overland/mail.",
    )
    named = {"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": f"folder:{tmp_path}/mail"}
    assert load(named).mail_url == f"folder:{tmp_path}/mail"


def test_what_cannot_be_read_is_not_also_called_unsafe(data_dir: Path) -> None:
    said = problems_of(OVERLAND_MODE="production", OVERLAND_MAIL_URL="pigeon:")
    assert [sentence.split()[:3] for sentence in said] == [["OVERLAND_MAIL_URL", "must", "begin"]]
    assert len(problems_of(OVERLAND_MODE="staging", OVERLAND_HOST="0.0.0.0")) == 1


def test_all_bad_variables_are_named_at_once(data_dir: Path) -> None:
    said = problems_of(OVERLAND_PORT="x", OVERLAND_LOG_FORMAT="xml", OVERLAND_MAIL_URL="pigeon:")
    assert [sentence.split()[0] for sentence in said] == ["OVERLAND_PORT", "OVERLAND_MAIL_URL", "OVERLAND_LOG_FORMAT"]
    assert not data_dir.exists()


def test_a_misspelt_variable_is_refused_with_the_one_that_was_meant(data_dir: Path) -> None:
    assert problems_of(OVERLAND_PROT="8001") == (
        "OVERLAND_PROT is not a variable of Overland: did you mean OVERLAND_PORT?",
    )


@pytest.mark.parametrize("url", ["lmtp:///run/lmtp.sock", "lmtp://mail:24", "folder:/var/mail", "smtps://mail"])
def test_each_way_to_send_mail_that_the_manual_names_is_taken(data_dir: Path, url: str) -> None:
    assert load({"OVERLAND_MAIL_URL": url}).mail_url == url


def test_the_token_that_players_keep_in_their_shells_is_not_a_mistake(data_dir: Path) -> None:
    assert load({"OVERLAND_TOKEN": "ovl_x"}) == load({})


def test_a_refusal_never_repeats_a_password(data_dir: Path) -> None:
    said = " ".join(
        problems_of(
            OVERLAND_DATABASE_URL="mysql://me:hunter2@db/x",
            OVERLAND_REDIS_URL="http://:hunter2@q",
            OVERLAND_MAIL_URL="ftp://me:hunter2@m",
            OVERLAND_METRICS_TOKEN="hunter2",
        )
    )
    assert "hunter2" not in said


def test_a_data_folder_that_is_a_file_is_refused(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert problems_of(OVERLAND_DATA_DIR=str(tmp_path / "file")) == (
        f"OVERLAND_DATA_DIR must be a folder, but {tmp_path}/file is a file.",
    )


def test_a_data_folder_that_cannot_be_made_is_refused(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (said,) = problems_of(OVERLAND_DATA_DIR=str(tmp_path / "file" / "below"))
    assert said == f"OVERLAND_DATA_DIR must be a folder, but {tmp_path}/file is a file."


@pytest.mark.parametrize("command", ["config", "check", "status", "players"])
def test_what_only_looks_makes_no_folder(data_dir: Path, command: str) -> None:
    said = CliRunner().invoke(main, [command], env={"OVERLAND_DATA_DIR": str(data_dir / "below")})
    assert said.exit_code == {"status": 1, "players": 2}.get(command, 0), said.output
    assert not data_dir.exists()


def test_listening_everywhere_is_not_an_address_to_send_people_to(data_dir: Path) -> None:
    public = {"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtp://mail.example", "OVERLAND_HOST": "0.0.0.0"}
    assert load(public).base_url == "http://127.0.0.1:8000"
    assert load({"OVERLAND_HOST": "::1"}).base_url == "http://[::1]:8000"


def test_secrets_are_neither_printed_nor_shown(data_dir: Path) -> None:
    settings = load(
        {
            "OVERLAND_DATABASE_URL": "postgresql://me:hunter2@db/x",
            "OVERLAND_REDIS_URL": "redis://:hunter2@q:1/0",
            "OVERLAND_MAIL_URL": "smtp://me:hunter2@m:25",
            "OVERLAND_METRICS_TOKEN": "hunter2" * 5,
        }
    )
    shown = [masked(variable, getattr(settings, variable.attribute)) for variable in VARIABLES]
    assert "hunter2" not in repr(settings) + " ".join(shown)
    assert "postgresql://me:********@db/x" in shown
    assert "redis://:********@q:1/0" in shown


def test_where_a_value_comes_from_is_told() -> None:
    told = sources({"OVERLAND_PORT": "8001", "OVERLAND_MAIL_URL": ""})
    assert (told["OVERLAND_PORT"], told["OVERLAND_HOST"], told["OVERLAND_BASE_URL"]) == (
        "environment",
        "default",
        "derived",
    )


@pytest.mark.parametrize("sender", ["a" * 65 + "@example.org", "a+b@example.org", "ü@example.org", "a@bücher.example"])
def test_the_sender_is_a_plain_address(sender: str) -> None:
    with pytest.raises(ConfigError, match="must have letters and digits before the @"):
        load({"OVERLAND_MAIL_FROM": sender, "OVERLAND_MAIL_ADDRESSES": "bare"})


def test_the_sender_has_room_for_what_is_derived_from_it(data_dir: Path) -> None:
    long = {"OVERLAND_MAIL_FROM": "a-very-long-local-part@example.org"}
    with pytest.raises(ConfigError, match="the addresses for replies begin with them"):
        load(long)
    assert load(long | {"OVERLAND_MAIL_ADDRESSES": "bare"}).mail_from == long["OVERLAND_MAIL_FROM"]
