"""What the service needs, checked alike for `/readyz`, `/metrics` and `overland check`."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from sqlalchemy.exc import SQLAlchemyError

from service import parts
from service.context import Context
from service.loop import Loop
from service.parts import Part
from service.redis_link import RedisAway
from service.setting_values import nearest
from service.store import heartbeats, leasing, maintenance
from service.store.database import reason_of
from service.store.failures import is_full
from service.store.files import FileLost
from service.store.leasing import Aside
from service.store.schema import ill_encoded, missing_migrations, unknown_migrations, unusable

PROBE_BYTES: Final = 64 * 1024  # what is written, and vanishes at once, to see whether a disk has room
LEAST_FREE: Final = 256 * 1024 * 1024  # bytes: with less left, a disk is nearly full
OK: Final = "ok"
NEARLY_FULL: Final = "nearly full"
READ_ONLY: Final = "read-only"
Amiss: TypeAlias = tuple[str, str]
"""An outcome, and what operators are told of it."""


class Check(Enum):
    """What is looked at, in this order."""

    DATABASE = "database"
    MIGRATIONS = "migrations"
    DISK = "disk"
    QUEUE = "queue"
    PARTS = "parts"
    MAILBOX = "mailbox"


class State(Enum):
    """Whether the service can work, from good to bad: ``DEGRADED`` is more slowly."""

    GOOD = "good"
    DEGRADED = "degraded"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Finding:
    """``outcome``: ``ok``, or what is wrong, for everybody; ``said``: for operators alone."""

    check: Check
    state: State = State.GOOD
    outcome: str = OK
    said: str = ""


def findings(context: Context, skipped: Collection[Check] = ()) -> tuple[Finding, ...]:
    """Looks at everything that is not ``skipped``. Raises nothing."""
    return tuple(_finding(check, look, context) for check, look in _LOOKS.items() if check not in skipped)


def state_of(found: tuple[Finding, ...]) -> State:
    """The worst of the states."""
    return max((finding.state for finding in found), key=[*State].index, default=State.GOOD)


def _finding(check: Check, look: Callable[[Context], Amiss | None], context: Context) -> Finding:
    try:
        amiss = look(context)
    except RedisAway as away:  # the workers find their rows without it
        return Finding(check, State.DEGRADED, away.trouble.value, str(away))
    except FileLost as lost:
        return Finding(check, State.DOWN, f"lost: {lost.reason}", str(lost))
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return Finding(check, State.DOWN, "full" if full else "cannot be written to", str(error))
    except Exception as error:  # drivers raise errors of many kinds
        return Finding(check, State.DOWN, "disk full" if is_full(error) else "unavailable", reason_of(error))
    if amiss is None:
        return Finding(check)
    degraded = check in (Check.PARTS, Check.MAILBOX) or amiss[0] in (NEARLY_FULL, READ_ONLY)
    return Finding(check, State.DEGRADED if degraded else State.DOWN, *amiss)


def _database(context: Context) -> Amiss | None:
    """Whoever reads is answered by a PostgreSQL that takes no writes, too."""
    context.database.check()
    with context.database.look() as connection:
        if said := ill_encoded(connection):
            return "not in UTF8", said
        if context.database.file or connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "off":
            return None
    return READ_ONLY, "so nothing is accepted: it is a standby, or default_transaction_read_only is on"


def _migrations(context: Context) -> Amiss | None:
    if (said := unusable(context.database)) is None:
        return None
    if unknown := unknown_migrations(context.database):
        return f"newer than this version: {', '.join(unknown)}", said
    return f"missing: {', '.join(missing_migrations(context.database))}", said


def _disk(context: Context) -> Amiss | None:
    """Writes a file where that of SQLite lies, and looks how much is left there and in the data
    folder; the disks of PostgreSQL are its own.
    """
    folders = {nearest(context.settings.data_dir)}
    if context.database.file is not None:
        folders.add(place := nearest(context.database.file.parent))
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(bytes(PROBE_BYTES))
    free, folder = min((shutil.disk_usage(folder).free, folder) for folder in folders)
    if free >= LEAST_FREE:
        return None
    return NEARLY_FULL, f"{free // 1024**2} MB are left at {folder}: delete what is old, or take a larger disk"


def _parts(context: Context) -> Amiss | None:
    """Names the threads that are down, and the parts that do not beat, unless there is a
    maintenance, or none does: then the service is not running.
    """
    now, out, threads = context.clock(), set[str](parts.down() - {Part.MAILBOX}), list[Aside]()
    with suppress(SQLAlchemyError), context.database.read() as connection:  # other checks say what is wrong with it
        threads = [each for each in leasing.items_waiting(connection, Loop.PARTS, now) if each.item != Part.MAILBOX]
        silent = heartbeats.parts_out(connection, now)
        if silent < heartbeats.every(connection).keys() and maintenance.find(connection) is None:
            out |= silent
    out |= {each.item.partition(" ")[0] for each in threads}
    if not out:
        return None
    return f"out: {', '.join(sorted(out))}", "; ".join(f"{each.item}: {each.error}" for each in threads)


def _mailbox(context: Context) -> Amiss | None:
    """What the listener has said of the mailbox from which it takes mails."""
    with suppress(SQLAlchemyError), context.database.read() as connection:
        for each in leasing.items_waiting(connection, Loop.PARTS, context.clock()):
            if each.item == Part.MAILBOX:
                trouble, _, sentence = each.error.partition(": ")
                return trouble, sentence
    return None


_LOOKS: Final[Mapping[Check, Callable[[Context], Amiss | None]]] = MappingProxyType(
    {
        Check.DATABASE: _database,
        Check.MIGRATIONS: _migrations,
        Check.DISK: _disk,
        Check.QUEUE: lambda context: context.queue.check(),
        Check.PARTS: _parts,
        Check.MAILBOX: _mailbox,
    }
)
