"""``overland prune``: deletes notices that were sent and details of judged turns, all that are old
enough, also while the service runs. Ends with status 2 where no time is set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.databases import context_or_end, end, in_json, settings_or_end, tell

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

    settings = settings_or_end()
    notices = settings.keep_notices_days if notices_days is None else notices_days
    turns = settings.keep_turn_details_days if turn_details_days is None else turn_details_days
    if notices is None and turns is None:
        end("Everything is kept forever: set OVERLAND_KEEP_NOTICES_DAYS, or say --notices-days.")
    with context_or_end(settings) as context, _archive(archive) as keep:
        pruned = delete(context, notices, turns, float("inf"), keep)
    tell(f"{pruned.notices} notices and the details of {pruned.turns} turns were deleted.")


@contextmanager
def _archive(file: Path | None) -> Iterator[Archive | None]:
    """What writes rows to the file, on the disk before it returns; ``None`` without a file."""
    if file is None:
        yield None
        return
    try:
        output = os.fdopen(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8")
    except OSError as error:
        end(f"{file} cannot be written: {error.strerror}.")

    def keep(kind: str, rows: Sequence[dict[str, Any]]) -> None:
        output.writelines(in_json({"kept": kind, **row}) + "\n" for row in rows)
        output.flush()
        os.fsync(output.fileno())

    with output:
        yield keep
