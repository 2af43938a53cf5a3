"""``overland prune``: deletes notices that were sent and details of judged turns, all that are old
enough, also while the service runs.

Exit code 0: done. 2: the database cannot be used, or no time is set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.databases import database_or_end, end, settings_or_end

if TYPE_CHECKING:
    from service.upkeep import Archive


@click.command()
@click.option("--notices-days", type=click.IntRange(1), help="Instead of OVERLAND_KEEP_NOTICES_DAYS.")
@click.option("--turn-details-days", type=click.IntRange(30), help="Instead of OVERLAND_KEEP_TURN_DETAILS_DAYS.")
@click.option(
    "--archive",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Append what is deleted to this file first, one row in JSON a line. It holds addresses and actions.",
)
def prune(notices_days: int | None, turn_details_days: int | None, archive: Path | None) -> None:
    """Delete notices that were sent, and details of judged turns, that are old enough."""
    from service.upkeep import prune as delete
    from service.wiring import wire

    settings = settings_or_end()
    notices = settings.keep_notices_days if notices_days is None else notices_days
    turns = settings.keep_turn_details_days if turn_details_days is None else turn_details_days
    if notices is None and turns is None:
        end("Everything is kept forever: set OVERLAND_KEEP_NOTICES_DAYS, or say --notices-days.")
    with database_or_end(settings), _archive(archive) as keep:
        context = wire(settings)
        try:
            pruned = delete(context, notices, turns, float("inf"), keep)
        finally:
            context.close()
    click.echo(f"{pruned.notices} notices and the details of {pruned.turns} turns were deleted.")


@contextmanager
def _archive(file: Path | None) -> Iterator[Archive | None]:
    """What writes rows to the file, on the disk before it returns; ``None`` without a file."""
    if file is None:
        yield None
        return
    try:
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        end(f"{file} cannot be written: {error.strerror}.")

    def keep(kind: str, rows: Sequence[dict[str, Any]]) -> None:
        with os.fdopen(os.dup(handle), "a", encoding="utf-8") as output:
            for row in rows:
                output.write(json.dumps({"kept": kind, **row}, default=_written) + "\n")
        os.fsync(handle)

    try:
        yield keep
    finally:
        os.close(handle)


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be written")
