"""The address of Redis, or that of the sentinels that know which Redis is the master."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

SENTINEL: Final = "redis+sentinel"
SCHEMES: Final = ("redis", "rediss", "unix", SENTINEL)
SENTINEL_PORT: Final = 26379


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Sentinels as pairs of host and port, their master, and how to sign in at it."""

    places: tuple[tuple[str, int], ...]
    master: str
    database: int
    username: str | None
    password: str | None = field(repr=False)


def sentinels_of(url: str) -> Sentinels:
    """Reads ``redis+sentinel://user:password@host:port,host:port/master/database``; the password is
    that of the master, and all but a host and the master may be missing. Raises ``ValueError``.
    """
    netloc, _, path = url.partition("://")[2].partition("/")  # urlsplit takes one host in brackets alone
    signed, _, hosts = netloc.rpartition("@")
    username, _, password = signed.partition(":")
    master, _, database = path.strip("/").partition("/")
    places = tuple(_place(host) for host in hosts.split(",") if host)
    if not places or not master:
        raise ValueError("sentinels and master are missing")
    return Sentinels(places, master, int(database or 0), unquote(username) or None, unquote(password) or None)


def _place(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or SENTINEL_PORT
