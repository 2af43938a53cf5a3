"""The settings: what they are without any variable, what is refused and how, and that secrets stay
secret.
"""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest

from service.config import VARIABLES, ConfigError, Settings, load, masked, sources

SECRET = "s" * 32


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
    assert settings.mail_url == f"folder:{data_dir}/mail"
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.log_format == "console"
    assert settings.rate_limit is False


def test_an_empty_variable_counts_as_one_that_is_not_set(data_dir: Path) -> None:
    assert load({variable.name: " " for variable in VARIABLES}) == load({})


def test_each_variable_sets_the_attribute_it_is_listed_with_and_each_attribute_has_a_variable() -> None:
    assert [variable.attribute for variable in VARIABLES] == [field.name for field in fields(Settings)]


def test_every_variable_is_read(data_dir: Path, tmp_path: Path) -> None:
    given = {
        "OVERLAND_MODE": "production",
        "OVERLAND_DATA_DIR": str(tmp_path / "elsewhere"),
        "DATABASE_URL": "postgresql://me:secret@db:5432/overland",
        "REDIS_URL": "redis://:secret@queue:6379/1",
        "OVERLAND_HOST": "0.0.0.0",
        "OVERLAND_PORT": "9000",
        "OVERLAND_BASE_URL": "https://overland.example/",
        "SECRET_KEY": SECRET,
        "MAIL_URL": "smtp+starttls://me:secret@mail:587",
        "MAIL_FROM": "Games <games@overland.example>",
        "LOG_FORMAT": "console",
        "LOG_LEVEL": "debug",
        "OVERLAND_TURN_WORKERS": "2",
        "OVERLAND_NOTICE_WORKERS": "3",
        "OVERLAND_API_PROCESSES": "4",
        "OVERLAND_API_THREADS": "8",
        "OVERLAND_SWEEP_SECONDS": "10",
        "OVERLAND_RATE_LIMIT": "off",
        "OVERLAND_METRICS_TOKEN": "t" * 16,
        "OVERLAND_TRUSTED_PROXIES": "1",
    }
    assert sorted(given) == sorted(variable.name for variable in VARIABLES)
    assert load(given) == Settings(
        mode="production",
        data_dir=tmp_path / "elsewhere",
        database_url="postgresql://me:secret@db:5432/overland",
        redis_url="redis://:secret@queue:6379/1",
        host="0.0.0.0",
        port=9000,
        base_url="https://overland.example",
        secret_key=SECRET,
        mail_url="smtp+starttls://me:secret@mail:587",
        mail_from="Games <games@overland.example>",
        log_format="console",
        log_level="DEBUG",
        turn_workers=2,
        notice_workers=3,
        api_processes=4,
        api_threads=8,
        sweep_seconds=10,
        rate_limit=False,
        trusted_proxies=1,
        metrics_token="t" * 16,
    )


def test_production_logs_for_machines_and_limits_callers_by_default(data_dir: Path) -> None:
    settings = load({"OVERLAND_MODE": "production", "SECRET_KEY": SECRET})
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
        ("OVERLAND_BASE_URL", "overland.example", "must begin with http: or https:, such as https://overland.example."),
        ("OVERLAND_BASE_URL", "https://", "must name a host, such as https://overland.example, not 'https://'."),
        ("REDIS_URL", "localhost:6379", "must begin with redis: or rediss: or unix:, such as redis://host:6379/0."),
        (
            "DATABASE_URL",
            "sqlite:///relative.sqlite",
            "must name an absolute path for SQLite, with four slashes: sqlite:////srv/overland/overland.sqlite.",
        ),
        (
            "DATABASE_URL",
            "postgresql://db:port/x",
            "has a port that is not a number from 0 to 65535; write it like postgresql://user:password@host:port/name.",
        ),
        ("MAIL_URL", "smtp://", "must name the mail server: smtp://user:password@host:port."),
        ("MAIL_FROM", "nobody", "must be a mail address such as 'Overland <overland@example.org>', not 'nobody'."),
        ("SECRET_KEY", "short", "must have at least 32 characters, and has 5."),
        ("LOG_LEVEL", "LOUD", "must be DEBUG or INFO or WARNING or ERROR, not 'LOUD'."),
        ("OVERLAND_RATE_LIMIT", "1", "must be on or off, not '1'."),
        ("OVERLAND_METRICS_TOKEN", "short", "must have at least 16 characters, all of them ASCII and none a space."),
        (
            "OVERLAND_METRICS_TOKEN",
            "sixteen or more, but with spaces",
            "must have at least 16 characters, all of them ASCII and none a space.",
        ),
        ("OVERLAND_TRUSTED_PROXIES", "-1", "must be a whole number from 0 to 9, not '-1'."),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence_that_says_what_would_work(
    data_dir: Path, name: str, value: str, sentence: str
) -> None:
    assert problems_of(**{name: value}) == (f"{name} {sentence}",)


def test_all_bad_variables_are_named_at_once(data_dir: Path) -> None:
    said = problems_of(OVERLAND_PORT="x", LOG_FORMAT="xml", MAIL_URL="pigeon:")
    assert sorted(sentence.split()[0] for sentence in said) == ["LOG_FORMAT", "MAIL_URL", "OVERLAND_PORT"]
    assert not data_dir.exists()


def test_a_misspelt_variable_is_refused_with_the_one_that_was_meant(data_dir: Path) -> None:
    assert problems_of(OVERLAND_PROT="8001") == (
        "OVERLAND_PROT is not a variable of Overland: did you mean OVERLAND_PORT?",
    )


def test_the_token_that_players_keep_in_their_shells_is_no_mistake(data_dir: Path) -> None:
    assert load({"OVERLAND_TOKEN": "ovl_x"}) == load({})


def test_production_needs_a_secret_key(data_dir: Path) -> None:
    assert problems_of(OVERLAND_MODE="production") == (
        "SECRET_KEY is required in production: set it to at least 32 random characters, and keep it.",
    )


def test_a_refusal_never_repeats_a_password(data_dir: Path) -> None:
    said = " ".join(
        problems_of(
            DATABASE_URL="mysql://me:hunter2@db/x",
            REDIS_URL="http://:hunter2@q",
            MAIL_URL="ftp://me:hunter2@m",
            SECRET_KEY="hunter2",
        )
    )
    assert "hunter2" not in said


def test_the_development_key_is_made_once_and_readable_by_its_owner_only(data_dir: Path) -> None:
    first = load({}).secret_key
    assert len(first) >= 32
    assert load({}).secret_key == first
    assert stat.S_IMODE(os.stat(data_dir / "secret-key").st_mode) == 0o600


def test_processes_that_start_at_once_agree_on_the_development_key(data_dir: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: load({}).secret_key, range(32)))
    assert len(keys) == 1
    assert sorted(path.name for path in data_dir.iterdir()) == ["secret-key"]


def test_a_data_folder_that_is_a_file_is_refused(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert problems_of(OVERLAND_DATA_DIR=str(tmp_path / "file")) == (
        f"OVERLAND_DATA_DIR must be a folder, but {tmp_path}/file is a file.",
    )


def test_a_data_folder_that_cannot_be_made_is_refused(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (said,) = problems_of(OVERLAND_DATA_DIR=str(tmp_path / "file" / "below"))
    assert said.startswith("OVERLAND_DATA_DIR cannot be used: ")


def test_listening_everywhere_is_not_an_address_to_send_people_to(data_dir: Path) -> None:
    assert load({"OVERLAND_HOST": "0.0.0.0"}).base_url == "http://127.0.0.1:8000"
    assert load({"OVERLAND_HOST": "::1"}).base_url == "http://[::1]:8000"


def test_secrets_are_neither_printed_nor_shown(data_dir: Path) -> None:
    settings = load(
        {
            "DATABASE_URL": "postgresql://me:hunter2@db/x",
            "REDIS_URL": "redis://:hunter2@q:1/0",
            "MAIL_URL": "smtp://me:hunter2@m:25",
            "SECRET_KEY": "hunter2" * 5,
        }
    )
    shown = [masked(variable, getattr(settings, variable.attribute)) for variable in VARIABLES]
    assert "hunter2" not in repr(settings) + " ".join(shown)
    assert "postgresql://me:********@db/x" in shown
    assert "redis://:********@q:1/0" in shown


def test_where_a_value_comes_from_is_told() -> None:
    told = sources({"OVERLAND_PORT": "8001", "MAIL_URL": ""})
    assert (told["OVERLAND_PORT"], told["OVERLAND_HOST"], told["SECRET_KEY"]) == ("environment", "default", "derived")
