"""``overland matches check``: replays every stored match by the installed rules, and reports
differences. It blocks no writer, and changes nothing, except that a match which the service could
not read, and which can be read again, goes on.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache, partial

import click

from service.commands.databases import database_or_end, end, settings_or_end, tell, tell_json
from service.matches import check as checking
from service.matches.check import Checked
from service.statuses import MATCH_STATUSES
from service.store.database import Database
from service.store.survey import match_count, match_ids

PROGRESS_SECONDS = 2.0


@click.group()
def matches() -> None:
    """Check stored matches against the installed rules."""


@matches.command()
@click.argument("match", nargs=-1)
@click.option(
    "--status",
    "statuses",
    type=click.Choice(MATCH_STATUSES),
    multiple=True,
    help="Only matches of this status; may be given several times.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes replay at once."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
def check(match: tuple[str, ...], statuses: tuple[str, ...], jobs: int, as_json: bool) -> None:
    """Replay every stored match, or each MATCH, and report differences."""
    with database_or_end(settings_or_end()) as database:
        report = _checked(database, match, statuses or MATCH_STATUSES, jobs)
    if as_json:
        tell_json(report.document())
    else:
        tell(*report.lines())
    if report.differing:
        raise SystemExit(1)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check, with the matches that differ."""

    matches: int
    plies: int
    seconds: float
    versions: Counter[str]
    differing: tuple[Checked, ...]
    woken: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The report as text."""
        for checked in self.differing:
            yield (
                f"{checked.match_id}  {checked.game} by version {checked.rules_version}, {checked.status},"
                f" {checked.plies} plies"
            )
            yield from (f"  {difference.code}: {difference.message}" for difference in checked.differences)
            if checked.unreadable:
                yield "  The service cannot read it: its turns wait until it is mended and checked again."
        for match_id in self.woken:
            yield f"{match_id}  can be read again and goes on."
        rules = ", ".join(f"{count} of {version}" for version, count in sorted(self.versions.items()))
        yield f"{self.matches} matches ({rules or 'none'}), {self.plies} plies replayed in {self.seconds:.1f} s."
        yield f"{len(self.differing)} of them differ." if self.differing else "No difference."

    def document(self) -> dict[str, object]:
        """The report as a JSON document."""
        return {
            "matches": self.matches,
            "plies": self.plies,
            "seconds": round(self.seconds, 3),
            "versions": dict(self.versions),
            "differing": [asdict(checked) for checked in self.differing],
            "woken": list(self.woken),
        }


def _checked(database: Database, wanted: tuple[str, ...], statuses: tuple[str, ...], jobs: int) -> Report:
    from service.wiring import utc_now

    woken = list[str]()
    began, plies, versions, differing = time.monotonic(), 0, Counter[str](), []
    total = len(wanted) or match_count(database, statuses)
    told = began
    for count, (match_id, checked) in enumerate(_each(database, wanted or match_ids(database, statuses), jobs)):
        if time.monotonic() - told >= PROGRESS_SECONDS:
            told = time.monotonic()
            tell(f"{count} of {total} matches", err=True)
        if checked is None:
            if wanted:
                end(f"There is no match {match_id}.")
            continue  # deleted since its page was read
        plies += checked.plies
        versions[f"{checked.game} {checked.rules_version}"] += 1
        if checking.wake_if_mended(database, checked, utc_now()):
            woken.append(match_id)
        if checked.differences:
            differing.append(checked)
    return Report(versions.total(), plies, time.monotonic() - began, versions, tuple(differing), tuple(woken))


def _each(database: Database, ids: Iterable[str], jobs: int) -> Iterator[tuple[str, Checked | None]]:
    """Each match by id, replayed here or by ``jobs`` forks, which open their own connections."""
    if jobs == 1:
        yield from ((match_id, checking.check(database, match_id)) for match_id in ids)
        return
    every = list(ids)
    database.dispose()  # a fork must not inherit a connection
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        one = partial(_one, database.url.render_as_string(hide_password=False), database.prepared)
        yield from pool.imap(one, every, chunksize=8)


def _one(url: str, prepared: bool, match_id: str) -> tuple[str, Checked | None]:
    return match_id, checking.check(_database(url, prepared), match_id)


@lru_cache(maxsize=1)
def _database(url: str, prepared: bool) -> Database:
    """The database of this process."""
    return Database(url, prepared=prepared)
