"""What commands share: their settings and database, for which a command ends with a sentence
instead of a traceback where they are wrong; options and answers of those about rows; and the lock
that allows one running service per data folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from service.config import ConfigError, Settings, load

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.exc import SQLAlchemyError

    from service.context import Context
    from service.store.audit import Operator
    from service.store.database import Database

T = TypeVar("T")
with_json: Final = click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line.")
with_limit: Final = click.option(
    "--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most."
)
with_reason: Final = click.option(
    "--reason", required=True, help="Why, in words: kept in the audit log, and told to whom it concerns."
)


class ListingGroup(click.Group):
    """A group of commands that lists where no command is named."""

    def __init__(self, **attributes: Any) -> None:
        # So that the usage shows the command as one that may be left out.
        super().__init__(**attributes, invoke_without_command=True)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = [] if ctx.resilient_parsing else ["list"]  # a shell that completes asks what there is
        return super().parse_args(ctx, ([arg for arg in args if arg != "--"] and args) or named)


@contextmanager
def rows_read() -> Iterator[Connection]:
    """A connection that reads. Ends the command as ``database_or_end`` does."""
    with database_or_end(settings_or_end()) as database, database.read() as connection:
        yield connection


@contextmanager
def rows_written() -> Iterator[Connection]:
    """A connection that writes. Ends the command as ``database_or_end`` does."""
    with database_or_end(settings_or_end()) as database, database.write() as connection:
        yield connection


@contextmanager
def context_or_end(settings: Settings | None = None) -> Iterator[Context]:
    """The context of use cases; otherwise ends the command as ``database_or_end`` does, and with
    the sentence of a use case that refuses.
    """
    from service.errors import ServiceError
    from service.wiring import wire

    settings = settings or settings_or_end()
    with database_or_end(settings), closing(wire(settings)) as context:
        try:
            yield context
        except ServiceError as error:
            end(str(error))


def operator(reason: str, blank: str = "Say why: --reason is empty.") -> Operator:
    """Who runs this command, and why. Ends it with the sentence ``blank`` where the reason is."""
    from service.store.audit import Operator

    said = " ".join(reason.split())
    if not said:
        end(blank)
    return Operator(_own_name(), said)


def _own_name() -> str:
    """The name of the operating system's user who runs this; by sudo, of whoever called it, too."""
    import pwd  # not on systems that are no Unix, where `overland verify` works

    own = os.geteuid()
    try:
        name = pwd.getpwuid(own).pw_name
    except KeyError:  # as in a container, whose user has a number only
        name = str(own)
    caller = os.environ.get("SUDO_USER", "")
    return f"{caller} as {name}" if caller and caller != name else name


def printable(text: str) -> str:
    """The text for a terminal, which must not be told to do anything by whoever wrote it."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text.replace("\t", " "))


def tell(*lines: str, err: bool = False) -> None:
    """Prints lines for people. A text of others that is in one neither ends it nor does anything
    else to the terminal.
    """
    for line in lines:
        click.echo(printable(line), err=err)


@contextmanager
def database_or_end(settings: Settings) -> Iterator[Database]:
    """The database at the version of this code; otherwise ends the command with status 2, also for
    a database error in the block.
    """
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with usable_database(settings) as database:
            yield database
    except SQLAlchemyError as problem:
        end(explained(problem))


@contextmanager
def usable_database(settings: Settings) -> Iterator[Database]:
    """The database at the version of this code; ends the command with status 2 where there is none
    or it is of another. Raises SQLAlchemy's errors, ``FileLost`` among them.
    """
    from service.store.database import database_of
    from service.store.files import require_all_commits
    from service.store.schema import missing_migrations, newer

    database = database_of(settings)
    file = database.file
    try:
        if file is not None and not file.exists():
            require_all_commits(file)
            end(f"There is no database: {file} does not exist. `overland run` makes it, or `overland migrate`.")
        if sentence := newer(database):
            end(sentence)
        if missing := missing_migrations(database):
            end(
                f"The database lacks the migration {', '.join(missing)}. If an earlier version is using it,"
                " check a copy: `overland backup`, then with this code and a data folder of its own"
                " `overland restore`. Otherwise: `overland migrate`."
            )
        yield database
    finally:
        database.dispose()


def end_unless_usable(database: Database) -> None:
    """Ends a program that is started on a database of another version, or one that lacks commits;
    it waits for one that does not answer.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.files import FileLost
    from service.store.schema import unusable

    try:
        if sentence := unusable(database):
            end(sentence)
    except FileLost as loss:
        end(str(loss))
    except SQLAlchemyError as problem:
        tell(explained(problem), err=True)


def explained(problem: SQLAlchemyError) -> str:
    """An error of the database as a sentence that says what to do."""
    from service.store.database import reason_of
    from service.store.failures import is_full
    from service.store.files import FileLost

    if isinstance(problem, FileLost):
        return str(problem)
    reason = reason_of(problem)
    if is_full(problem):
        return f"The disk of the database is full ({reason}). Nothing was changed: make room, then repeat this."
    return f"The database cannot be used: {reason}"


def sqlite_file(settings: Settings) -> Path | None:
    """The file of the database; ``None`` for PostgreSQL."""
    from service.store.database import database_of

    return database_of(settings).file


def end(sentence: str) -> NoReturn:
    """Ends the command with a sentence and status 2: nothing was done."""
    tell(sentence, err=True)
    raise SystemExit(2)


def tell_rows(
    found: Sequence[T],
    as_json: bool,
    document: Callable[[T], object],
    lines: Callable[[T], Iterable[str]],
    nothing: str,
) -> None:
    """Prints each row in lines, or its document in JSON; ``nothing`` where people see no row."""
    for each in found:
        tell(*([in_json(document(each))] if as_json else lines(each)))
    if not found and not as_json:
        tell(nothing)


def in_json(document: object) -> str:
    """A document in JSON, on one line, of ASCII alone."""
    return json.dumps(document, default=_written)


def tell_json(document: object) -> None:
    """Prints one document in JSON, of ASCII alone, indented."""
    tell(*json.dumps(document, indent=2, default=_written).splitlines())


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be written")


def tell_done(done: Collection[str], wanted: Collection[str], rows: str, what: str, otherwise: str) -> None:
    """Prints the ids for which something was done, and how many ``rows`` they are; ends the command
    with status 2 where one that was ``wanted`` is not among them.
    """
    for each in done:
        tell(each)
    tell(f"{len(done)} {f'{rows} is' if len(done) == 1 else f'{rows}s are'} {what}.", err=True)
    if left := [each for each in wanted if each not in done]:
        end(f"{otherwise}: {', '.join(left)}.")


def settings_or_end() -> Settings:
    """The settings of this process; ends the command where the environment is wrong."""
    try:
        return load(os.environ)
    except ConfigError as error:
        for problem in error.problems:
            tell(problem, err=True)
        raise SystemExit(2) from None


PATIENCE = 20.0
"""Seconds to wait for the children of a killed supervisor to end."""
PAUSE_SECONDS = 0.1


class Taken(Exception):
    """Another service runs on this data folder; the message says which."""


@contextmanager
def exclusive(data_dir: Path, timer: Callable[[], float] = time.monotonic, patience: float = PATIENCE) -> Iterator[int]:
    """The file descriptor that locks the data folder, which is made, for this process and the forks
    that keep it open (``service.forks``).

    Waits at most ``patience`` seconds of ``timer`` for what a killed supervisor left running,
    usually Valkey. Raises ``Taken``, and ends the command where the folder cannot be written to.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        handle = os.open(data_dir / "overland.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        why = f"{problem.strerror}: {problem.filename}"
        end(f"The data folder cannot be used: {why}. OVERLAND_DATA_DIR says where it is.")
    try:
        _acquire(handle, data_dir, timer() + patience, timer)
        with suppress(OSError):  # where the disk is full, others are not told whose it is
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield handle
    finally:
        os.close(handle)


def _acquire(handle: int, data_dir: Path, deadline: float, timer: Callable[[], float]) -> None:
    import fcntl  # as ``pwd``

    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if (holder := _holder(handle)) is not None:
                raise Taken(f"Overland is already running on {data_dir} (process {holder}). Stop it first.") from None
            if timer() > deadline:
                raise Taken(
                    f"Processes of an earlier run still hold {data_dir}, although their supervisor is gone. End them,"
                    " then start again."
                ) from None
            time.sleep(PAUSE_SECONDS)


def _holder(handle: int) -> int | None:
    """The process id of the supervisor in the lock file, if that process is alive."""
    written = os.pread(handle, 32, 0).decode(errors="replace").strip()
    if not written.isdecimal():
        return None
    try:
        os.kill(int(written), 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return int(written)
