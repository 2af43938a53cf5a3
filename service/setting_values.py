"""Parsers of the texts of settings: each gives the value, or raises ``ValueError`` with the end of
a sentence that begins with the variable's name: "must be …, not …".
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import getaddresses, parseaddr
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final
from urllib.parse import unquote, urlsplit

DATABASE_SCHEMES: Final = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")
SENTINEL: Final = "redis+sentinel"
REDIS_SCHEMES: Final = ("redis", "rediss", "unix", SENTINEL)
SENTINEL_PORT: Final = 26379
MAIL_SCHEMES: Final = ("folder", "smtp", "smtps", "smtp+starttls", "lmtp")
IMAPS: Final = "imaps"
IMAP_STARTTLS: Final = "imap+starttls"
MAILBOX_PORTS: Final = {IMAPS: 993, IMAP_STARTTLS: 143}
INBOX: Final = "INBOX"
SHORTEST_TOKEN: Final = 16
LONGEST_DAYS: Final = 36500
"""For so many days rows are kept at most, unless forever."""
LONGEST_OWN_LOCAL_PART: Final = 16
"""With it the longest plus-address has as many characters before the @ as RFC 5321 allows."""
LONGEST_LOCAL_PART: Final = 64
_OWN_LOCAL_PART: Final = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_HOST: Final = re.compile(r"[\w.-]+")
_SQLITE_FILE: Final = re.compile(r"sqlite:////[^/?#][^?]*", re.IGNORECASE)
_HIDDEN: Final = "********"
_DOMAIN: Final = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_MAILBOX: Final = "imaps://me%40example.org:password@imap.example.org/INBOX"
_ENCODED: Final = "Percent-encode what is no letter or digit in user and password, such as %40 for @ and %2F for /."
_NOT_ENCODED: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class MailboxPlace:
    """Where a mailbox is, who logs in with which password, and the folder in which mails arrive."""

    host: str
    port: int
    starttls: bool
    user: str
    password: str = field(repr=False)
    folder: str

    def __str__(self) -> str:
        return f"{self.user} at {self.host}"


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Sentinels as pairs of host and port, their master, and how to sign in at it."""

    places: tuple[tuple[str, int], ...]
    master: str
    database: int
    username: str | None
    password: str | None = field(repr=False)


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A parser of whole numbers from ``low`` to ``high``, inclusive."""

    def parse(text: str) -> int:
        digits = text.lstrip("0") or "0"
        is_number = text.isascii() and text.isdecimal() and len(digits) <= len(str(high))
        if not is_number or not low <= int(digits) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, not {shortened(text)}.")
        return int(digits)

    return parse


def days_or_forever(low: int, high: int) -> Callable[[str], int | None]:
    """A parser of a whole number of days from ``low`` to ``high``, or of ``forever``: ``None``."""
    days = whole_number(low, high)

    def parse(text: str) -> int | None:
        if text.lower() == "forever":
            return None
        try:
            return days(text)
        except ValueError:
            raise ValueError(f"must be forever, or whole days from {low} to {high}, not {shortened(text)}.") from None

    return parse


def one_of(*options: str) -> Callable[[str], str]:
    """A parser of one of these words, in any case."""
    known = {option.lower(): option for option in options}

    def parse(text: str) -> str:
        if text.lower() not in known:
            raise ValueError(f"must be {' or '.join(options)}, not {text!r}.")
        return known[text.lower()]

    return parse


def on_or_off(text: str) -> bool:
    """``on`` is true, ``off`` is false."""
    return one_of("on", "off")(text) == "on"


def folder(text: str) -> Path:
    """The absolute path of a folder, which need not exist. Raises ``ValueError``."""
    try:
        return Path(text).expanduser().resolve()
    except (OSError, RuntimeError) as problem:  # of a user or a link that leads nowhere
        raise ValueError(f"has a path that leads nowhere: {problem}") from None


def nearest(path: Path) -> Path:
    """What there is of a path: itself, or the folder in which the rest would be made."""
    return next(each for each in (path, *path.parents) if os.path.exists(each))  # which is not refused, as ``Path`` is


def in_url(path: Path) -> str:
    """A path as it stands in the URL of an SQLite file, where others are percent-decoded."""
    return str(path).replace("%", "%25").replace("?", "%3F")


def host(text: str) -> str:
    """A host name or an address. Raises ``ValueError``."""
    if not _is_host(text):
        raise ValueError(f"must be a host name or an address such as 127.0.0.1, not {text!r}.")
    return text


def _is_host(text: str) -> bool:
    """Whether a text has the form of an address, or of a name that can be looked up."""
    try:
        ip_address(text)
    except ValueError:
        try:
            return bool(_HOST.fullmatch(text) and text.encode("idna"))
        except UnicodeError:  # of a label that is empty or too long
            return False
    return True


def hidden(url: str) -> str:
    """A URL to be shown: without its password, and without the values of its query."""
    scheme, slashes, rest = url.partition("://")
    if not slashes:
        return url
    signed, at, place = rest.rpartition("@")
    if "?" in signed or "#" in signed:
        return f"{scheme}://{_HIDDEN}"  # it is not clear where its password ends
    user, colon, _ = signed.partition(":")
    if colon:
        user = f"{user}:{_HIDDEN}"
    place, _, query = place.replace("#", "?").partition("?")
    values = [f"{each.partition('=')[0]}={_HIDDEN}" if "=" in each else _HIDDEN for each in query.split("&")]
    return f"{scheme}://{user}{at}{place}" + (f"?{'&'.join(values)}" if query else "")


def database_url(text: str) -> str:
    """The URL of an SQLite file, by absolute path, or of a PostgreSQL database."""
    scheme = _scheme(text, DATABASE_SCHEMES, "postgresql://user:password@host:port/name")
    if scheme == "sqlite" and not _SQLITE_FILE.fullmatch(text):
        raise ValueError(
            "must name an absolute path for SQLite, with four slashes and without a question mark:"
            " sqlite:////srv/overland/overland.sqlite."
        )
    return text


def redis_url(text: str) -> str:
    """The URL of a Redis or Valkey, or of its sentinels. Raises ``ValueError``."""
    if text.lower().startswith(f"{SENTINEL}:"):
        try:
            sentinels_of(text)
        except ValueError:
            raise ValueError(
                "must name sentinels, and the master that they watch:"
                " redis+sentinel://:password@host:26379,host:26379/master/0."
            ) from None
        return text
    scheme, parts = _scheme(text, REDIS_SCHEMES, "redis://host:6379/0"), urlsplit(text)
    if scheme == "unix" and not parts.path.strip("/"):
        raise ValueError("must name a socket, such as unix:///run/valkey/valkey.sock.")
    if scheme != "unix" and not parts.path.strip("/").isdecimal() and parts.path.strip("/"):
        raise ValueError("has a database that is not a number; write it like redis://host:6379/0.")
    if parts.query:
        from redis import ConnectionPool, RedisError

        try:
            ConnectionPool.from_url(text).make_connection()  # connects to nothing
        except (RedisError, TypeError, ValueError):
            raise ValueError("has an option behind the ? that cannot be used; write it without.") from None
    return text


def sentinels_of(url: str) -> Sentinels:
    """Reads ``redis+sentinel://user:password@host:port,host:port/master/database``; the password is
    that of the master, and all but a host and the master may be missing. Raises ``ValueError``.
    """
    netloc, _, path = url.partition("://")[2].partition("/")  # urlsplit takes one host in brackets alone
    signed, _, hosts = netloc.rpartition("@")
    username, _, password = signed.partition(":")
    master, _, database = path.strip("/").partition("/")
    places = tuple(_sentinel(host) for host in hosts.split(",") if host)
    if not places or not master:
        raise ValueError("sentinels and master are missing")
    return Sentinels(places, master, int(database or 0), unquote(username) or None, unquote(password) or None)


def _sentinel(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    if not parts.hostname or not _is_host(parts.hostname):
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or SENTINEL_PORT


def base_url(text: str) -> str:
    """An HTTP or HTTPS address; a trailing slash is removed. Raises ``ValueError``."""
    _scheme(text, ("http", "https"), "https://overland.example")
    parts = urlsplit(text)
    if not parts.hostname or "@" in parts.netloc or "?" in text or "#" in text:
        raise ValueError("must name a host, without a user, ? or #, such as https://overland.example.")
    return text.rstrip("/")


def bearer_token(text: str) -> str:
    """A token of at least ``SHORTEST_TOKEN`` printable ASCII characters, none of them a space."""
    if len(text) < SHORTEST_TOKEN or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"must have at least {SHORTEST_TOKEN} characters, all of them ASCII and none a space.")
    return text


def mail_url(text: str) -> str:
    """The URL of a mail server, of its socket (LMTP only), or of a folder by absolute path;
    ``folder:`` alone means the one in the data folder.
    """
    scheme = _scheme(text, MAIL_SCHEMES, "smtp://user:password@host:25")
    if scheme == "folder":
        path = text.split(":", 1)[1].removeprefix("//")
        return f"folder:{folder(path) if path else ''}"
    parts = urlsplit(text)
    if not parts.hostname and not (scheme == "lmtp" and parts.path.strip("/")):
        raise ValueError(f"must name the mail server: {scheme}://user:password@host:port.")
    if parts.query or parts.fragment or (parts.hostname and parts.path.strip("/")):
        raise ValueError(f"must end with the port: {scheme}://user:password@host:port. {_ENCODED}")
    return text


def mail_sender(text: str) -> str:
    """A mail address, from which those for replies are derived, perhaps with a display name."""
    _, address = parseaddr(text)
    local, _, domain = address.rpartition("@")
    if not local or not domain or len(getaddresses([text])) > 1 or any(char in text for char in "\r\n"):
        raise ValueError(f"must be a mail address such as 'Overland <overland@example.org>', not {text!r}.")
    if len(local) > LONGEST_LOCAL_PART or not _OWN_LOCAL_PART.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise ValueError(
            f"must have letters and digits before the @, and a domain of ASCII behind it, not {address!r}."
        )
    return text


def mail_in(text: str) -> str:
    """The URL of a mailbox, or of a host and port, where mails come in; nothing for ``off``."""
    if text.lower() == "off":
        return ""
    if is_mailbox(text):
        mailbox_place(text)
        return text
    if text.lower().startswith("imap:"):
        raise ValueError("would send the password as plain text: begin with imaps: or imap+starttls: instead.")
    scheme = _scheme(text, ("lmtp", "smtp", *MAILBOX_PORTS), "lmtp://127.0.0.1:8025, or be off")
    parts = urlsplit(text)
    if not parts.hostname or not parts.port or parts.username or parts.path.strip("/"):
        raise ValueError(f"must name a host and a port, such as {scheme}://127.0.0.1:8025, or be off.")
    return f"{scheme}://{parts.netloc.lower()}"


def is_mailbox(url: str) -> bool:
    """Whether mails are to be taken from a mailbox, by the setting OVERLAND_MAIL_IN."""
    return url.partition(":")[0].lower() in MAILBOX_PORTS


def mailbox_place(url: str) -> MailboxPlace:
    """Reads the address of a mailbox; without a folder the inbox is meant. Raises ``ValueError``
    with the end of a sentence, which never repeats the text: it has a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(f"is not to be read; write it like {_MAILBOX}. {_ENCODED}") from None
    if not parts.hostname or not _is_host(parts.hostname) or not parts.username or not parts.password:
        raise ValueError(f"must name user, password and host of the mailbox: {_MAILBOX}. {_ENCODED}")
    if parts.query or parts.fragment or _NOT_ENCODED.search(url):
        raise ValueError(f"has a character that has a meaning of its own in an address (%, ?, #). {_ENCODED}")
    return MailboxPlace(
        parts.hostname,
        port or MAILBOX_PORTS[parts.scheme],
        parts.scheme == IMAP_STARTTLS,
        unquote(parts.username),
        unquote(parts.password),
        unquote(parts.path.strip("/")) or INBOX,
    )


def mailbox_done(text: str) -> str:
    """What is done with a mail that was taken: ``flag``, or ``folder:`` and where it is moved."""
    word, _, name = text.partition(":")
    if word.lower() == "folder" and name.strip() and name.isprintable():
        return f"folder:{name.strip()}"
    if text.lower() != "flag":
        raise ValueError(f"must be flag, or folder: and a name, such as folder:Overland, not {text!r}.")
    return "flag"


def networks(text: str) -> tuple[str, ...]:
    """Addresses and networks, separated by commas. Raises ``ValueError``."""
    try:
        return tuple(str(ip_network(part.strip())) for part in text.split(","))
    except ValueError as problem:
        raise ValueError(f"must be addresses and networks such as 127.0.0.1, 10.0.0.0/8: {problem}.") from None


def authserv_id(text: str) -> str:
    """The name of a mail server (authserv-id), or ``*.`` and a domain of at least two labels."""
    if not text.isascii() or not text.isprintable() or any(char in text for char in ' ";()='):
        raise ValueError(f"must be one word such as mail.example.org, not {text!r}.")
    if "*" in text and not re.fullmatch(rf"\*\.(?=[^.]+\.){_DOMAIN.pattern}", text):
        raise ValueError(f"has a star only before a domain, such as *.example.org, not {text!r}.")
    return text.lower()


def _scheme(text: str, schemes: tuple[str, ...], example: str) -> str:
    """The scheme of a URL, one of ``schemes``, in lower case. No message repeats the text, which
    may contain a password.
    """
    scheme = text.split(":", 1)[0].lower()
    if ":" not in text or scheme not in schemes:
        raise ValueError(f"must begin with {' or '.join(f'{known}:' for known in schemes)}, such as {example}.")
    if scheme not in ("folder", "sqlite") and not text[len(scheme) :].startswith("://"):
        raise ValueError(f"must have // behind {scheme}:, such as {example}.")
    try:
        parts = urlsplit(text)
        if parts.port is None and parts.netloc.endswith(":"):
            raise ValueError("the port is missing")
    except ValueError:
        raise ValueError(f"has a port that is not a number from 0 to 65535; write it like {example}.") from None
    if scheme not in DATABASE_SCHEMES and parts.hostname and not _is_host(parts.hostname):
        raise ValueError(f"must have the name or the address of a host; write it like {example}.")
    return scheme


def unsafe(known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The settings that do not fit others, ``known`` by field, as (field, sentence)."""
    local = parseaddr(known["mail_from"])[1].rpartition("@")[0]
    if known["mail_addresses"] == "plus" and len(local) > LONGEST_OWN_LOCAL_PART:
        yield (
            "mail_from",
            f"OVERLAND_MAIL_FROM must have up to {LONGEST_OWN_LOCAL_PART} characters before the @, since the addresses"
            " for replies begin with them. Take a shorter one, or set OVERLAND_MAIL_ADDRESSES=bare.",
        )
    listener = urlsplit("" if is_mailbox(known["mail_in"]) else known["mail_in"])
    if listener.port == known["port"] and _may_be_one(listener.hostname or "", known["host"]):
        yield (
            "mail_in",
            f"OVERLAND_MAIL_IN has the port {known['port']}, at which the API listens: take another one for one of"
            " them.",
        )
    if known["mode"] == "production":
        if known["mail_url"] == "folder:":
            yield (
                "mail_url",
                "OVERLAND_MAIL_URL must name the mail server in production, such as"
                " smtp+starttls://user:password@mail.example:587. To keep the mails in a folder instead of sending"
                " them, name it: folder:/srv/overland/mail.",
            )
        return
    shown = "and development mode shows everybody's mails, with the tokens in them, at /dev/mail."
    if not is_loopback(known["host"]):
        yield (
            "host",
            f"OVERLAND_HOST is {known['host']}, which other machines may reach, {shown} Set OVERLAND_MODE=production,"
            " or OVERLAND_HOST=127.0.0.1.",
        )
    if known["trusted_proxies"]:
        yield (
            "trusted_proxies",
            f"OVERLAND_TRUSTED_PROXIES is {known['trusted_proxies']}, so others reach the service through a proxy,"
            f" {shown} Set OVERLAND_MODE=production, or OVERLAND_TRUSTED_PROXIES=0.",
        )
    if not is_loopback(urlsplit(known["base_url"]).hostname or "") and is_loopback(known["host"]):
        yield (
            "base_url",
            f"OVERLAND_BASE_URL is {known['base_url']}, so others reach the service at that address, {shown} Set"
            " OVERLAND_MODE=production, or unset OVERLAND_BASE_URL.",
        )


def _may_be_one(one: str, other: str) -> bool:
    """Whether two programs that listen at these hosts may want the same address."""
    try:
        addresses = {ip_address(one), ip_address(other)}
    except ValueError:
        return True  # a name
    return len(addresses) == 1 or any(address.is_unspecified for address in addresses)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches ``host``, an address, or a name that resolves to such
    alone.
    """
    if f".{host.lower().rstrip('.')}".endswith(".localhost"):
        return True  # RFC 6761, section 6.3; resolvers differ in whether they know these names
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return all(is_loopback_address(str(address[0])) for *_, address in found)


def is_loopback_address(text: str) -> bool:
    """Whether ``text`` is an address of IPv4 or IPv6 that only this machine reaches."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback  # before Python 3.13 the mapped form was never loopback
    return address.is_loopback
