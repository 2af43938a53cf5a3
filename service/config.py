"""The settings of a process, read from environment variables, and checked as a whole.

The fields of ``Settings`` are the one table of settings: a variable is the name in capital letters
after ``OVERLAND_``. A test checks docs/operations.md and .env.example against it. Without any
variable the service runs in development mode on SQLite, a bundled Valkey and a folder for mails.
"""

import difflib
import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from service import setting_values as values
from service.setting_values import unsafe

Mode = Literal["development", "production"]
LogFormat = Literal["console", "json"]
Source = Literal["environment", "file", "default", "derived"]
Known = Mapping[str, Any]
"""The values of the settings earlier in the table, by field."""

PREFIX = "OVERLAND_"
IN_FILE = "_FILE"  # behind the name of a secret setting: names a file that has the value
OF_PLAYERS = ("OVERLAND_TOKEN",)
"""Not settings of the service, but not refused: mails ask players to set them in their shells."""


class ConfigError(Exception):
    """The environment cannot be used. ``problems`` has one sentence per bad variable."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


def _setting(
    parse: Callable[[str], Any],
    default: str,
    meaning: str,
    derive: Callable[[Known], Any] | None = None,
    secret: bool = False,
) -> Any:
    """A row of the table. ``default`` is a text for ``parse``; with ``derive``, which computes it
    from earlier settings, it says how.
    """
    return field(repr=not secret, metadata={"parse": parse, "default": default, "meaning": meaning, "derive": derive})


def _production(known: Known) -> bool:
    return bool(known["mode"] == "production")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process. Fields that are excluded from the ``repr`` are secret."""

    mode: Mode = _setting(
        values.one_of("development", "production"),
        "development",
        "`development` or `production`. Development shows all mails, with the tokens in them, at `/dev/mail`,"
        " so it is refused on an address that other machines reach.",
    )
    data_dir: Path = _setting(
        values.folder, "./var", "The folder of the SQLite database, the bundled Valkey and the mails."
    )
    database_url: str = _setting(
        values.database_url,
        "sqlite in the data folder",
        "`sqlite:////absolute/path` or `postgresql://user:password@host:port/name`.",
        lambda known: f"sqlite:///{values.in_url(known['data_dir'])}/overland.sqlite",
        secret=True,
    )
    database_prepared: bool = _setting(
        values.on_or_off,
        "on",
        "`on`, or `off` where PgBouncer in front of PostgreSQL pools transactions and keeps no prepared statements:"
        " `overland check` says so. Turns take a little longer then.",
    )
    redis_url: str = _setting(
        values.redis_url,
        "the bundled Valkey",
        "`redis://`, `rediss://`, `unix://`, or `redis+sentinel://:password@host:port,host:port/master/0` by its"
        " sentinels. Without it `overland run` starts the bundled Valkey.",
        lambda known: "",
        secret=True,
    )
    host: str = _setting(values.host, "127.0.0.1", "The address the API listens on.")
    port: int = _setting(values.whole_number(1, 65535), "8000", "The port the API listens on, 1 to 65535.")
    base_url: str = _setting(
        values.base_url,
        "http://host:port",
        "The public address of the service: links in mails begin with it.",
        lambda known: f"http://{_reachable(known['host'])}:{known['port']}",
    )
    mail_url: str = _setting(
        values.mail_url,
        "folder:",
        "`folder:` or `folder:/path` writes `.eml` files; `smtp://`, `smtps://`, `smtp+starttls://` or"
        " `lmtp://user:password@host:port` sends. Production needs a server, or a folder by its path.",
        secret=True,
    )
    mail_from: str = _setting(values.mail_sender, "Overland <overland@localhost>", "The sender of every mail.")
    mail_addresses: Literal["plus", "bare"] = _setting(
        values.one_of("plus", "bare"),
        "plus",
        "`plus` where mails to `overland+anything@example.org` are delivered to `overland@example.org`; `bare` where"
        " they are not: then all mails come to the address of `OVERLAND_MAIL_FROM`, and are known by what they answer.",
    )
    mail_in: str = _setting(
        values.mail_in,
        "smtp at 127.0.0.1 (::1 where the API is at IPv6), a port 25 above that of the API; in production off",
        "`lmtp://host:port` or `smtp://host:port`: where the listener takes the mails that come in from the mail"
        " server in front. `imaps://user:password@host/INBOX` or `imap+starttls://`: the mailbox from which it takes"
        " them; user and password are percent-encoded. `off`: nowhere.",
        lambda known: "" if _production(known) else f"smtp://{_beside(known['host'])}:{_mail_port(known['port'])}",
        secret=True,
    )
    mailbox_done: str = _setting(
        values.mailbox_done,
        "folder:Overland",
        "What becomes of a mail that was taken from the mailbox: `folder:` and the name of the folder to which it is"
        " moved, or `flag`: it stays, with the keyword `Overland`.",
    )
    mail_peers: tuple[str, ...] = _setting(
        values.networks,
        "127.0.0.0/8, ::1",
        "The addresses and networks, separated by commas, of the mail servers that may hand mails to the listener.",
    )
    trusted_relay: str = _setting(
        values.authserv_id,
        "none",
        "The name (authserv-id) under which the mail server in front, or the provider of the mailbox, writes"
        " `Authentication-Results`; `*.example.org` for one that writes several fields, in that name or names below"
        " it. Without it the sender of no mail counts as authenticated.",
        lambda known: "",
    )
    log_format: LogFormat = _setting(
        values.one_of("console", "json"),
        "console, in production json",
        "`console` for people, `json` for machines.",
        lambda known: "json" if _production(known) else "console",
    )
    log_level: str = _setting(
        values.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO", "`DEBUG`, `INFO`, `WARNING` or `ERROR`."
    )
    turn_workers: int = _setting(values.whole_number(1, 32), "1", "How many processes judge turns, 1 to 32.")
    notice_workers: int = _setting(values.whole_number(1, 32), "1", "How many processes send mails, 1 to 32.")
    ruling_seconds: int = _setting(
        values.whole_number(1, 60),
        "3",
        "Seconds within which a turn has to be judged, 1 to 60, without those in which its judge waits for the"
        " database and most of those without a processor; then its judge is ended, and after three attempts the"
        " turn is refused with `judge_failed`. Also those within which a dry run has to be worked out,"
        " counted in the same way; after 30 seconds by the clock it is answered with 503 `overloaded` in any case.",
    )
    bot_positions: int = _setting(
        values.whole_number(1, 100_000),
        "250",
        "How many positions a bot with a seat of its own looks at for each of its turns, 1 to 100000, at most.",
    )
    api_processes: int = _setting(
        values.whole_number(1, 64),
        "1",
        "How many processes answer requests, 1 to 64; each takes 20 MB, and a core where it has all to do.",
    )
    api_threads: int = _setting(
        values.whole_number(1, 512),
        "16",
        "How many requests each of them answers at once, 1 to 512, not counting posts of turns.",
    )
    api_connections: int = _setting(
        values.whole_number(10, 100_000),
        "4000",
        "How many connections each of them holds at once, 10 to 100000; each needs a file descriptor, and where too"
        " few are allowed it holds fewer, and warns.",
    )
    picture_processes: int = _setting(
        values.whole_number(1, 8),
        "1",
        "How many processes draw pictures for each process that answers requests, 1 to 8.",
    )
    sweep_seconds: int = _setting(
        values.whole_number(1, 3600),
        "5",
        "Seconds between two sweeps, which act on clocks, offers and reminders, 1 to 3600; what nobody waits for,"
        " such as the archive, is swept once a minute.",
    )
    start_seconds: int = _setting(
        values.whole_number(10, 3600),
        "180",
        "Seconds in which the service has to be ready after its start, 10 to 3600: more on a busy machine.",
    )
    rate_limit: bool = _setting(
        values.on_or_off,
        "off, in production on",
        "`on` or `off`: whether what a player, or an address without a token, asks for is limited.",
        _production,
    )
    trusted_proxies: int = _setting(
        values.whole_number(0, 9),
        "0",
        "The number of reverse proxies in front, 0 to 9: the caller's address is the one that they write"
        " into `X-Forwarded-For`.",
    )
    metrics_token: str = _setting(
        values.bearer_token,
        "none",
        "The bearer token for `/metrics`; at least 16 characters. Without it `/metrics` is"
        " open in development and closed in production.",
        lambda known: "",
        secret=True,
    )

    verdict_mail_seconds: int = _setting(
        values.whole_number(0, 3600),
        "30",
        "Seconds from a verdict to its mail, 0 to 3600. The mail is not sent where the player was shown the"
        " verdict by then, as the answer to a request.",
    )
    keep_notices_days: int | None = _setting(
        values.days_or_forever(1, values.LONGEST_DAYS),
        "forever",
        "For how many days notices are kept after they were sent: `forever`, or 1 to 36500.",
    )
    keep_messages_days: int | None = _setting(
        values.days_or_forever(1, values.LONGEST_DAYS),
        "30",
        "For how many days a mail that came in is kept after it was handled: `forever`, or 1 to 36500. Then only"
        " its key is, by which it is recognised if it comes again.",
    )
    keep_turn_details_days: int | None = _setting(
        values.days_or_forever(30, values.LONGEST_DAYS),
        "forever",
        "For how many days after its verdict a turn keeps its actions, its idempotency key and what would have"
        " been legal: `forever`, or 30 to 36500.",
    )

    @property
    def in_production(self) -> bool:
        return self.mode == "production"


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: a row of the table."""

    name: str
    attribute: str
    secret: bool
    parse: Callable[[str], Any]
    default: str
    meaning: str
    derive: Callable[[Known], Any] | None

    def value(self, text: str | None, known: Known) -> Any:
        """The value of ``text``, or the default where it is ``None``. Raises ``ValueError``."""
        if text is None and self.derive is not None:
            return self.derive(known)
        return self.parse(self.default if text is None else text)


VARIABLES: tuple[Variable, ...] = tuple(
    Variable(PREFIX + row.name.upper(), row.name, not row.repr, **row.metadata) for row in fields(Settings)
)


def load(environ: Mapping[str, str]) -> Settings:
    """The settings of this environment; an empty variable counts as not set. Raises ``ConfigError``
    with all problems at once.
    """
    given = {name: text.strip() for name, text in environ.items() if text.strip()}
    known: dict[str, Any] = {}
    problems, unread = [], set()
    for variable in VARIABLES:
        try:
            known[variable.attribute] = variable.value(_text_of(variable, given), known)
        except ValueError as problem:
            problems.append(f"{variable.name} {problem}")
            unread.add(variable.attribute)
            known[variable.attribute] = variable.value(None, known)
    if "mode" not in unread:
        problems += [sentence for attribute, sentence in unsafe(known) if attribute not in unread]
    problems += _unknown(given)
    if not (there := values.nearest(known["data_dir"])).is_dir():
        problems.append(f"OVERLAND_DATA_DIR must be a folder, but {there} is a file.")
    if problems:
        raise ConfigError(tuple(problems))
    return Settings(**known)


def is_text(given: str) -> bool:
    """Whether what the operating system has given is text in UTF-8: Python reads all else as halves
    of surrogate pairs, which neither a database nor a mail can hold.
    """
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


def keep_files_private() -> None:
    """Makes all files of this process and its children, which hold secrets, their owner's alone."""
    os.umask(0o077)


def sources(environ: Mapping[str, str]) -> dict[str, Source]:
    """Where the value of each variable comes from, by the variable's name."""
    return {
        variable.name: (
            "environment"
            if environ.get(variable.name, "").strip()
            else "file"
            if variable.secret and environ.get(variable.name + IN_FILE, "").strip()
            else "derived"
            if variable.derive
            else "default"
        )
        for variable in VARIABLES
    }


def masked(variable: Variable, value: object) -> str:
    """Formats a setting for display, with secrets and passwords in URLs hidden."""
    if value is None:
        return "forever"
    text = ("on" if value else "off") if isinstance(value, bool) else str(value)
    if isinstance(value, tuple):
        text = ", ".join(value)
    if not text:
        return "off" if variable.attribute == "mail_in" else "none"
    if not variable.secret:
        return text
    return values.hidden(text) if variable.parse in _URLS else "********"


_URLS: Final = (values.database_url, values.redis_url, values.mail_url, values.mail_in)


def _text_of(variable: Variable, given: Mapping[str, str]) -> str | None:
    """The text of a variable, or of the file that is named instead. Raises ``ValueError``."""
    file = given.get(variable.name + IN_FILE) if variable.secret else None
    if file is None:
        text = given.get(variable.name)
        if text is not None and not is_text(text):
            raise ValueError("is not text in UTF-8.")
        return text
    if variable.name in given:
        raise ValueError(f"is given twice: unset it, or {variable.name}{IN_FILE}.")
    named = Path(file)
    try:
        if named.exists() and not named.is_file() and not named.is_dir():
            raise OSError(errno.ENOTSUP, "it is no ordinary file")
        text = named.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValueError(f"cannot be read from {file}, which {variable.name}{IN_FILE} names: {reason}.") from None
    if not text:
        raise ValueError(f"is not in {file}, which {variable.name}{IN_FILE} names: the file is empty.")
    return text


def _unknown(given: Mapping[str, str]) -> list[str]:
    """Problems for variables with our prefix that are no settings, such as typing mistakes."""
    names = {variable.name.removeprefix(PREFIX) for variable in VARIABLES}
    names |= {f"{variable.name.removeprefix(PREFIX)}{IN_FILE}" for variable in VARIABLES if variable.secret}
    sentences = []
    for name in sorted(given):
        stem = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and stem not in names and name not in OF_PLAYERS:
            near = difflib.get_close_matches(stem, sorted(names), n=1)
            meant = f": did you mean {PREFIX}{near[0]}?" if near else "."
            sentences.append(f"{name} is not a variable of Overland{meant}")
    return sentences


def _mail_port(port: int) -> int:
    return port + 25 if port + 25 <= 65535 else port - 25


def _beside(host: str) -> str:
    """The loopback address of the same kind, in a URL."""
    return "[::1]" if ":" in host else "127.0.0.1"


def _reachable(host: str) -> str:
    """The host in a URL for a browser on this machine; the wildcard addresses are those of it."""
    if host in ("0.0.0.0", "::"):
        return _beside(host)
    return f"[{host}]" if ":" in host else host
