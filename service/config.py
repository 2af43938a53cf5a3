"""The settings of a process, read from environment variables, checked as a whole and never changed
afterwards.

Every variable is listed once in `VARIABLES`. `load` reads them all, and where some are wrong says
so about each of them at once. Without any variable the service runs in development on what it
brings along: SQLite, Valkey and a mail folder.
"""

import difflib
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

Mode = Literal["development", "production"]
LogFormat = Literal["console", "json"]
Source = Literal["environment", "default", "derived"]

DATABASE_SCHEMES = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")
REDIS_SCHEMES = ("redis", "rediss", "unix")
MAIL_SERVER_SCHEMES = ("smtp", "smtps", "smtp+starttls", "lmtp")
MAIL_SCHEMES = ("folder", *MAIL_SERVER_SCHEMES)
SHORTEST_SECRET = 32
SHORTEST_TOKEN = 16
OF_PLAYERS = ("OVERLAND_TOKEN",)
"""What our mails tell players to set in their shells; no setting of the service, and no mistake
there.
"""

T = TypeVar("T")


class ConfigError(Exception):
    """The environment cannot be used; the message names every bad variable, one sentence each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True, slots=True)
class Settings:
    """What a process needs to know about where it runs; `redis_url` is empty until the supervisor
    has started its own Valkey.
    """

    mode: Mode
    data_dir: Path
    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    host: str
    port: int
    base_url: str
    secret_key: str = field(repr=False)
    mail_url: str = field(repr=False)
    mail_from: str
    log_format: LogFormat
    log_level: str
    turn_workers: int
    notice_workers: int
    api_processes: int
    api_threads: int
    sweep_seconds: int
    rate_limit: bool
    trusted_proxies: int
    metrics_token: str = field(repr=False)

    @property
    def in_production(self) -> bool:
        return self.mode == "production"


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: the attribute it sets, its default as people read it, and what it
    means.
    """

    name: str
    attribute: str
    default: str
    meaning: str
    secret: bool = False
    derived: bool = False
    """Whether the default follows from other settings, rather than being the text in `default`."""


VARIABLES: tuple[Variable, ...] = (
    Variable(
        "OVERLAND_MODE",
        "mode",
        "development",
        "`development` or `production`. Development shows the mails at `/dev/mail`; production insists on a secret"
        " key.",
    ),
    Variable(
        "OVERLAND_DATA_DIR",
        "data_dir",
        "./var",
        "The folder of everything the service keeps by itself: database, queue, mails, development key.",
    ),
    Variable(
        "DATABASE_URL",
        "database_url",
        "sqlite in the data folder",
        "`sqlite:////absolute/path` or `postgresql://user:password@host:port/name`.",
        True,
        True,
    ),
    Variable(
        "REDIS_URL",
        "redis_url",
        "a Valkey of our own",
        "`redis://`, `rediss://` or `unix://`. Without it `overland run` starts the Valkey it brings along.",
        True,
        True,
    ),
    Variable("OVERLAND_HOST", "host", "127.0.0.1", "The address the API listens on."),
    Variable("OVERLAND_PORT", "port", "8000", "The port the API listens on, 1 to 65535."),
    Variable(
        "OVERLAND_BASE_URL",
        "base_url",
        "http://host:port",
        "How people reach the service from outside: links in mails begin with it.",
        False,
        True,
    ),
    Variable(
        "SECRET_KEY",
        "secret_key",
        "made once, in the data folder",
        "Signs links; at least 32 characters. Required in production.",
        True,
        True,
    ),
    Variable(
        "MAIL_URL",
        "mail_url",
        "folder:",
        "`folder:` or `folder:/path` writes `.eml` files; `smtp://`, `smtps://`, `smtp+starttls://` or"
        " `lmtp://user:password@host:port` sends.",
        True,
    ),
    Variable("MAIL_FROM", "mail_from", "Overland <overland@localhost>", "The sender of every mail."),
    Variable(
        "LOG_FORMAT",
        "log_format",
        "console, in production json",
        "`console` for people, `json` for machines.",
        False,
        True,
    ),
    Variable("LOG_LEVEL", "log_level", "INFO", "`DEBUG`, `INFO`, `WARNING` or `ERROR`."),
    Variable("OVERLAND_TURN_WORKERS", "turn_workers", "1", "How many processes judge turns, 1 to 32."),
    Variable("OVERLAND_NOTICE_WORKERS", "notice_workers", "1", "How many processes send mails, 1 to 32."),
    Variable("OVERLAND_API_PROCESSES", "api_processes", "2", "How many processes answer requests, 1 to 64."),
    Variable("OVERLAND_API_THREADS", "api_threads", "64", "How many requests each of them answers at once, 1 to 512."),
    Variable(
        "OVERLAND_SWEEP_SECONDS",
        "sweep_seconds",
        "5",
        "How often the sweeper looks for turns and notices that got lost, 1 to 3600.",
    ),
    Variable(
        "OVERLAND_RATE_LIMIT",
        "rate_limit",
        "off, in production on",
        "`on` or `off`: whether callers who ask too often are refused.",
        False,
        True,
    ),
    Variable(
        "OVERLAND_TRUSTED_PROXIES",
        "trusted_proxies",
        "0",
        "How many proxies stand in front, 0 to 9: the address a caller is counted by is the one they wrote into"
        " `X-Forwarded-For`.",
    ),
    Variable(
        "OVERLAND_METRICS_TOKEN",
        "metrics_token",
        "none",
        "Who sends it as a bearer token may read `/metrics`; at least 16 characters. Without it `/metrics` is open in"
        " development and closed in production.",
        True,
        True,
    ),
)


def load(environ: Mapping[str, str]) -> Settings:
    """The settings of this environment; makes the data folder, and in development the secret key,
    where they are missing.

    An empty variable counts as one that is not set. Raises ConfigError.
    """
    read = _Reader(environ)
    mode: Mode = (
        "production"
        if read.choice("OVERLAND_MODE", "development", ("development", "production")) == "production"
        else "development"
    )
    data_dir = read.value("OVERLAND_DATA_DIR", Path("var").resolve(), _data_dir)
    host = read.value("OVERLAND_HOST", "127.0.0.1", _host)
    port = read.number("OVERLAND_PORT", 8000, 1, 65535)
    production = mode == "production"
    log_format = read.choice("LOG_FORMAT", "json" if production else "console", ("console", "json"))
    settings = Settings(
        mode=mode,
        data_dir=data_dir,
        database_url=read.value("DATABASE_URL", f"sqlite:///{data_dir}/overland.sqlite", _database_url),
        redis_url=read.value("REDIS_URL", "", _redis_url),
        host=host,
        port=port,
        base_url=read.value("OVERLAND_BASE_URL", f"http://{_reachable(host)}:{port}", _base_url),
        secret_key=read.value("SECRET_KEY", "", _secret_key),
        mail_url=read.value("MAIL_URL", f"folder:{data_dir}/mail", lambda text: _mail_url(text, data_dir)),
        mail_from=read.value("MAIL_FROM", "Overland <overland@localhost>", _mail_from),
        log_format="json" if log_format == "json" else "console",
        log_level=read.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
        turn_workers=read.number("OVERLAND_TURN_WORKERS", 1, 1, 32),
        notice_workers=read.number("OVERLAND_NOTICE_WORKERS", 1, 1, 32),
        api_processes=read.number("OVERLAND_API_PROCESSES", 2, 1, 64),
        api_threads=read.number("OVERLAND_API_THREADS", 64, 1, 512),
        sweep_seconds=read.number("OVERLAND_SWEEP_SECONDS", 5, 1, 3600),
        rate_limit=read.choice("OVERLAND_RATE_LIMIT", "on" if production else "off", ("on", "off")) == "on",
        trusted_proxies=read.number("OVERLAND_TRUSTED_PROXIES", 0, 0, 9),
        metrics_token=read.value("OVERLAND_METRICS_TOKEN", "", _metrics_token),
    )
    read.refuse_unknown()
    if production and "SECRET_KEY" not in read.given:
        read.problems.append(
            "SECRET_KEY is required in production: set it to at least 32 random characters, and keep it."
        )
    return _completed(settings, read.problems)


def sources(environ: Mapping[str, str]) -> dict[str, Source]:
    """Where the value of each variable comes from, by the name of the variable."""
    return {
        variable.name: (
            "environment" if environ.get(variable.name, "").strip() else "derived" if variable.derived else "default"
        )
        for variable in VARIABLES
    }


def masked(variable: Variable, value: object) -> str:
    """A setting as it may be shown: a secret is hidden, and so is the password in an address."""
    text = ("on" if value else "off") if isinstance(value, bool) else str(value)
    if not variable.secret or not text:
        return text
    if "://" not in text:
        return text if variable.attribute.endswith("_url") else "********"
    parts = urlsplit(text)
    if parts.password is None:
        return text
    place = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username or ''}:********@{place}").geturl()


class _Reader:
    """Reads variables one after the other and collects what is wrong with them, so that all of it
    can be said at once.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.given = {name: value.strip() for name, value in environ.items() if value.strip()}
        self.problems: list[str] = []

    def value(self, name: str, default: T, parse: Callable[[str], T]) -> T:
        if name not in self.given:
            return default
        try:
            return parse(self.given[name])
        except ValueError as problem:
            self.problems.append(f"{name} {problem}")
            return default

    def number(self, name: str, default: int, low: int, high: int) -> int:
        def parse(text: str) -> int:
            if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
                raise ValueError(f"must be a whole number from {low} to {high}, not {text!r}.")
            return int(text)

        return self.value(name, default, parse)

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        known = {option.lower(): option for option in allowed}

        def parse(text: str) -> str:
            if text.lower() not in known:
                raise ValueError(f"must be {' or '.join(allowed)}, not {text!r}.")
            return known[text.lower()]

        return self.value(name, default, parse)

    def refuse_unknown(self) -> None:
        """A variable of ours that nobody reads is a typing mistake, and would silently do
        nothing.
        """
        names = [variable.name for variable in VARIABLES]
        for name in sorted(self.given):
            if name.startswith("OVERLAND_") and name not in (*names, *OF_PLAYERS):
                near = difflib.get_close_matches(name, names, n=1)
                self.problems.append(
                    f"{name} is not a variable of Overland{f': did you mean {near[0]}?' if near else '.'}"
                )


def _completed(settings: Settings, problems: list[str]) -> Settings:
    """The settings with what has to exist before anything starts: the data folder and a secret
    key.
    """
    if not problems:
        try:
            settings.data_dir.mkdir(parents=True, exist_ok=True)
            if not settings.secret_key:
                settings = replace(settings, secret_key=_development_key(settings.data_dir / "secret-key"))
        except OSError as problem:
            problems.append(f"OVERLAND_DATA_DIR cannot be used: {settings.data_dir}: {problem.strerror}.")
    if problems:
        raise ConfigError(tuple(problems))
    return settings


def _development_key(file: Path) -> str:
    """The key kept in this file, made on the first start.

    Of several processes that start at once, the first makes it for all.
    """
    if not file.exists():
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".secret-key-")  # mode 0600
        with os.fdopen(handle, "w") as stream:
            stream.write(secrets.token_urlsafe(48))
        try:
            os.link(draft, file)
        except FileExistsError:
            pass  # another process was faster, and its key is the one that counts
        finally:
            os.unlink(draft)
    return file.read_text().strip()


def _reachable(host: str) -> str:
    """A host that a browser on this machine can open: listening everywhere is not an address."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _data_dir(text: str) -> Path:
    path = Path(text).expanduser().resolve()
    if path.exists() and not path.is_dir():
        raise ValueError(f"must be a folder, but {path} is a file.")
    return path


def _host(text: str) -> str:
    if "/" in text or " " in text:
        raise ValueError(f"must be a host name or an address such as 127.0.0.1, not {text!r}.")
    return text


def _database_url(text: str) -> str:
    scheme = _split(text, DATABASE_SCHEMES, "postgresql://user:password@host:port/name")
    if scheme == "sqlite" and not text.startswith("sqlite:////"):
        raise ValueError(
            "must name an absolute path for SQLite, with four slashes: sqlite:////srv/overland/overland.sqlite."
        )
    return text


def _redis_url(text: str) -> str:
    _split(text, REDIS_SCHEMES, "redis://host:6379/0")
    return text


def _base_url(text: str) -> str:
    _split(text, ("http", "https"), "https://overland.example")
    if not urlsplit(text).hostname:
        raise ValueError(f"must name a host, such as https://overland.example, not {text!r}.")
    return text.rstrip("/")


def _secret_key(text: str) -> str:
    if len(text) < SHORTEST_SECRET:
        raise ValueError(f"must have at least {SHORTEST_SECRET} characters, and has {len(text)}.")
    return text


def _metrics_token(text: str) -> str:
    if len(text) < SHORTEST_TOKEN or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"must have at least {SHORTEST_TOKEN} characters, all of them ASCII and none a space.")
    return text


def _mail_url(text: str, data_dir: Path) -> str:
    scheme = _split(text, MAIL_SCHEMES, "smtp://user:password@host:25")
    if scheme == "folder":
        path = text.split(":", 1)[1].removeprefix("//")
        return f"folder:{Path(path).expanduser().resolve() if path else data_dir / 'mail'}"
    if not urlsplit(text).hostname:
        raise ValueError(f"must name the mail server: {scheme}://user:password@host:port.")
    return text


def _mail_from(text: str) -> str:
    _, address = parseaddr(text)
    local, _, domain = address.rpartition("@")
    if not local or not domain or any(char in text for char in "\r\n"):
        raise ValueError(f"must be a mail address such as 'Overland <overland@example.org>', not {text!r}.")
    return text


def _split(text: str, schemes: tuple[str, ...], example: str) -> str:
    """The scheme of an address, when it is one of these and its port is a number; passwords are
    never repeated in the message.
    """
    scheme = text.split(":", 1)[0].lower()
    if ":" not in text or scheme not in schemes:
        raise ValueError(f"must begin with {' or '.join(f'{known}:' for known in schemes)}, such as {example}.")
    try:
        _ = urlsplit(text).port
    except ValueError:
        raise ValueError(f"has a port that is not a number from 0 to 65535; write it like {example}.") from None
    return scheme
