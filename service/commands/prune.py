"""``overland prune``: deletes notices that were sent and details of judged turns, all that are old
enough, also while the service runs. Ends with status 2 where no time is set.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.databases import context_or_end, end, in_json, settings_or_end, tell
from service.setting_values import LONGEST_DAYS

if TYPE_CHECKING:
    from service.upkeep import Archive


@click.command()
@click.option("--notices-days", type=click.IntRange(1, LONGEST_DAYS), help="Instead of OVERLAND_KEEP_NOTICES_DAYS.")
@click.option(
    "--turn-details-days", type=click.IntRange(30, LONGEST_DAYS), help="Instead of OVERLAND_KEEP_TURN_DETAILS_DAYS."
)
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
    """What writes rows to the file, on the disk before it returns; ``None`` without a file. Ends
    the command where the file cannot be written: rows that are not in it are not deleted.
    """
    if file is None:
        yield None
        return

    def keep(kind: str, rows: Sequence[dict[str, Any]]) -> None:
        output.writelines(in_json({"kept": kind, **row}) + "\n" for row in rows)
        output.flush()
        os.fsync(output.fileno())

    try:
        # a pipe that nobody reads is not waited for
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as output:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                end(f"{file} is no ordinary file, so what is written to it may not be kept.")
            if _ends_within_a_line(file):  # as one that was killed, or had no room, left it: its row is not deleted
                output.write("\n")
            yield keep
    except OSError as error:
        end(f"{file} cannot be written: {error.strerror}.")


def _ends_within_a_line(file: Path) -> bool:
    with file.open("rb") as written:
        return bool(written.seek(0, os.SEEK_END)) and os.pread(written.fileno(), 1, written.tell() - 1) != b"\n"
