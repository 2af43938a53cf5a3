"""What `overland check` says of what the service stands on: what database, Redis and mail server
answer, how PostgreSQL is reached, and whether the clocks agree. Nothing is sent or changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.config import Settings
from service.context import Context
from service.inbox.imap import MailboxFault
from service.inbox.mailbox import tried
from service.inbox.receiver import results_seen
from service.notices.mail.errors import TransportError
from service.notices.mail.transport import FolderTransport, SmtpTransport
from service.readiness import Check, Finding, State
from service.redis_link import RedisAway, RedisLink
from service.setting_values import is_loopback, is_mailbox
from service.store.database import reason_of
from service.store.postgresql import Pooling, pooling_of

MAIL_IN: Final = "Mail in:"
CLOCKS_APART: Final = 2.0
"""Seconds that clocks may differ: those of several machines send mails twice from 6 s on."""
SET_CLOCK: Final = (
    "Deadlines and mails need the right time: have the clocks set by a time server, such as by timedatectl set-ntp true"
)
Gravity: TypeAlias = Literal["good", "caution", "problem"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for the host; one that is no ``good`` news says what to do."""

    gravity: Gravity
    sentence: str


good = partial(Remark, "good")
caution = partial(Remark, "caution")
problem = partial(Remark, "problem")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A sentence about what is wrong, and the command to run."""

    sentence: str
    run: str


_PARTS: Final = {
    "api": ("Nobody is answered: the part api gives no sign.", "overland api"),
    "judge": ("No turns are judged: the part judge gives no sign.", "python -m workers turns"),
    "mail": ("No mails are sent: the part mail gives no sign, or has no mail server.", "overland check"),
    "mailbox": ("No mails are taken from the mailbox: the part mailbox gives no sign.", "overland check"),
    "sweeper": ("No deadline is acted on: the part sweeper gives no sign.", "python -m workers sweeper"),
}


def wrongs(found: Sequence[Finding]) -> Iterator[Wrong]:
    """What `/readyz` finds amiss, in sentences for hosts."""
    amiss = {each.check: each for each in found if each.state is not State.GOOD}
    if Check.DATABASE in amiss:
        amiss.pop(Check.MIGRATIONS, None)  # nobody can tell
    for check, each in amiss.items():
        said = f" ({each.said})" if each.said else ""
        match check:
            case Check.DATABASE if each.outcome.startswith("lost"):
                yield Wrong(each.said, "overland check")
            case Check.DATABASE:
                outcome = each.outcome.replace("disk full", "on a full disk")
                yield Wrong(f"The database is {outcome}{said}.", "overland check")
            case Check.MIGRATIONS:
                run = "overland migrate" if each.outcome.startswith("missing") else "overland --version"
                yield Wrong(each.said, run)
            case Check.DISK:
                verb, run = ("is ", "df -h") if "full" in each.outcome else ("", "overland config")
                yield Wrong(f"The disk {verb}{each.outcome}{said}.", run)
            case Check.QUEUE:
                yield Wrong(f"Redis {each.outcome}, so turns are judged seconds later{said}.", "overland check")
            case Check.MAILBOX:
                yield Wrong(f"The mailbox {each.outcome}{said}.", "overland check")
            case Check.PARTS:
                for part in each.outcome.removeprefix("out: ").split(", "):
                    other = Wrong(f"The part {part} ended, and is begun again{said}.", "overland check")
                    yield Wrong(*_PARTS[part]) if part in _PARTS else other


def remarks(context: Context, link: RedisLink, skipped: Collection[Check]) -> Iterator[Remark]:
    """What is answered by all that is not ``skipped``, since it is missing or was found amiss."""
    if Check.DATABASE not in skipped:
        yield from _database(context)
    if Check.QUEUE not in skipped:
        yield from _redis(context, link)
    yield from _mail_out(context)
    if is_mailbox(context.settings.mail_in):
        try:
            yield good(f"{MAIL_IN} {tried(context.settings)}")
        except MailboxFault as fault:
            yield problem(f"{MAIL_IN} {fault}")
    if context.settings.mail_in and not {Check.DATABASE, Check.MIGRATIONS} & {*skipped}:
        yield from _senders(context)


def _senders(context: Context) -> Iterator[Remark]:
    """Whether whoever takes mails in tells who sends them."""
    trusted = context.settings.trusted_relay
    try:
        with context.database.read() as connection:
            seen = results_seen(connection, trusted)
    except SQLAlchemyError as error:
        yield problem(f"{MAIL_IN} the mails that came in cannot be read: {reason_of(error)}")
        return
    if not seen.mails or seen.without < seen.mails:
        return
    which = (
        f"none of the latest {seen.mails} mails has results in the name of {trusted}"
        if trusted
        else "OVERLAND_TRUSTED_RELAY is not set"
    )
    advice = (
        f" Most of them name {seen.proposed}: if that is the mail server that takes them in, set"
        f" OVERLAND_TRUSTED_RELAY={seen.proposed}."
        if seen.proposed and seen.proposed != trusted
        else " They have no results (Authentication-Results) of anybody: see docs/mailboxes.md."
    )
    yield caution(
        f"{MAIL_IN} {which}, so every player presses a button on a page for each turn that they play by mail.{advice}"
    )


def _database(context: Context) -> Iterator[Remark]:
    if context.database.file is not None:
        yield good(f"Database: SQLite {sqlite3.sqlite_version} has {context.database.file}.")
        return
    try:
        with context.database.look() as connection:
            version = str(connection.exec_driver_sql("SELECT version()").scalar_one()).partition(" on ")[0]
            before = context.clock()
            there = connection.exec_driver_sql("SELECT clock_timestamp()").scalar_one()
            lossy = [each for each in ("fsync", "synchronous_commit") if _is_off(connection, each)]
        yield good(f"Database: {version} answers.")
        yield from _clock("PostgreSQL", before, there, context.clock())
        for each in lossy:
            yield caution(f"Database: {each} is off: a power failure loses turns that were acknowledged. Set it to on.")
        yield from _pooling(context.settings, pooling_of(context.database.url))
    except (SQLAlchemyError, psycopg.Error) as error:
        yield problem(f"Database: PostgreSQL does not answer as it should: {reason_of(error)}")


def _is_off(connection: Connection, setting: str) -> bool:
    return bool(connection.exec_driver_sql(f"SHOW {setting}").scalar_one() == "off")


def _pooling(settings: Settings, pooling: Pooling) -> Iterator[Remark]:
    if pooling is Pooling.FORGETFUL and settings.database_prepared:
        yield problem(
            "Database: a pooler such as PgBouncer stands before PostgreSQL, pools transactions, and loses prepared"
            " statements, so that requests fail now and then. Set OVERLAND_DATABASE_PREPARED=off and start the service"
            " again, or have it pool sessions (pool_mode = session)."
        )
    elif pooling is not Pooling.OWN:
        yield good("Database: a pooler such as PgBouncer pools transactions before PostgreSQL; the service can do so.")


def _redis(context: Context, link: RedisLink) -> Iterator[Remark]:
    try:
        before = context.clock()
        told: tuple[Any, Any] = link.ask([], lambda redis, _: (redis.info("server"), redis.time()))
        after = context.clock()
    except RedisAway as away:
        yield problem(f"Redis: it answers, but not what was asked: {away}")
        return
    finally:
        link.close()
    server, (seconds, microseconds) = told
    name = "Valkey" if "valkey_version" in server else "Redis"
    version = server.get("valkey_version", server.get("redis_version"))
    yield good(f"Redis: {name} {version} answers.")
    yield from _clock(name, before, datetime.fromtimestamp(seconds + microseconds / 1_000_000, UTC), after)


def _clock(whose: str, before: datetime, there: datetime, after: datetime) -> Iterator[Remark]:
    """A caution where the clock of another host, asked between two moments, is apart from ours."""
    apart = max((before - there).total_seconds(), (there - after).total_seconds())
    if apart > CLOCKS_APART:
        yield caution(
            f"Clock: this machine says {before:%Y-%m-%d %H:%M:%S} UTC, the one of {whose} {there:%Y-%m-%d %H:%M:%S}:"
            f" {apart:.0f} seconds apart. {SET_CLOCK}"
        )


def _mail_out(context: Context) -> Iterator[Remark]:
    transport = context.transport
    try:
        answered = transport.check()
    except TransportError as error:
        yield problem(f"Mail out: {error}{mail_advice(str(error))}")
        return
    if isinstance(transport, FolderTransport):
        yield good(f"Mail out: nothing is sent; mails are written to {answered}.")
        return
    server = transport if isinstance(transport, SmtpTransport) and transport.credentials is not None else None
    how = "takes our connection, without a login" if server is None else "takes our login"
    yield good(f"Mail out: the mail server {how}: {answered}")
    if server is not None and server.mode in ("smtp", "lmtp") and not is_loopback(server.host):
        yield caution(
            "Mail out: user and password go to the mail server without encryption, for all on the way to read. Have"
            " OVERLAND_MAIL_URL begin with smtps:// or smtp+starttls://."
        )


_ADVICE: Final = {
    (" 534 ", " 535 ", "Username and Password not accepted", "authentication failed"): (
        "User or password in OVERLAND_MAIL_URL is wrong, or the provider wants an app password (docs/mailboxes.md)."
        " Special characters are percent-encoded, such as %40 for @."
    ),
    ("SMTPNotSupportedError",): (
        "The server offers no login, or no STARTTLS, at this port: try smtps:// at 465 or smtp+starttls:// at 587."
    ),
    ("CERTIFICATE_VERIFY_FAILED", "certificate verify failed"): (
        "Its certificate is not for the name in OVERLAND_MAIL_URL, has expired, or is of nobody whom this machine"
        " trusts; a wrong clock looks the same."
    ),
    ("WRONG_VERSION_NUMBER",): "This port does not begin with TLS: use smtp+starttls:// instead of smtps://.",
    ("gaierror", "Name or service not known"): "The name of the server is not known: is it spelt rightly?",
    ("refused the sender", "not owned", "not allowed to send as"): (
        "OVERLAND_MAIL_FROM has to be an address from which the user of OVERLAND_MAIL_URL may send."
    ),
    ("ConnectionRefusedError", "TimeoutError", "timed out"): (
        "Are name and port right, and may this machine connect to it? Many providers block port 25; 587 or 465 is"
        " for those who log in."
    ),
}
"""What to do, by what is said. The first that fits counts."""


def mail_advice(said: str) -> str:
    """What to do about what a mail server said, after a space; empty where that is not known."""
    found = (advice for words, advice in _ADVICE.items() if any(word.lower() in said.lower() for word in words))
    return f" {advice}" if (advice := next(found, "")) else ""
