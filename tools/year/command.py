"""The command `overland simulate-year`."""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from collections.abc import Sequence

import click

from engine import registry
from service import logs
from service.clocks.rule import ClockRule, read_rule
from service.context import Context
from service.ledger.check import check_ledger
from service.store import clocks as clock_rows
from tools.year.play import NIGHT, START, Year, YearMatch
from tools.year.referee import Asked, Interval, Noted, RefereeFindings, Rule, Truth, judge, nights, weekends
from tools.year.world import world

ZONED = 400 * 86_400


@click.command()
@click.option("--game", type=click.Choice(tuple(registry.games())), required=True, help="What is played.")
@click.option("--matches", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--days", type=click.IntRange(62, 3650), default=365, show_default=True)
@click.option("--seed", default=None, help="A text that determines everything.")
def simulate_year(game: str, matches: int, days: int, seed: str | None) -> None:
    """Play a year of matches against the clock, and have a referee check every deadline."""
    logs.configure("console", "ERROR")
    seed = seed or secrets.token_hex(4)
    began = time.perf_counter()
    with world(START, random.Random(seed)) as its:
        year = Year(its, random.Random(seed), game, matches, days)
        year.run()
        found, credited = refereed(year)
        ledger = check_ledger(its.context.database).breaches
    done = year.done
    click.echo(
        f"{done['matches']} matches of {game} in {days} days, seed {seed}: {done['turns']} turns,"
        f" {done['days_off']} days off, {done['pauses']} pauses, {done['outages']} outages,"
        f" {done['unseen']} that an operator added, {done['sweeps']} sweeps;"
        f" {time.perf_counter() - began:.0f} s."
    )
    click.echo(f"Time and reserve were up {found.expired} times.")
    hours = ", ".join(f"{kind} {seconds // 3600}" for kind, seconds in sorted(credited.items()))
    click.echo(f"Hours for which clocks were stopped, as recorded: {hours}.")
    click.echo(
        f"The referee: {len(found.early)} early, {len(found.late)} more than a minute late (at most {found.latest} s),"
        f" {len(found.twice)} twice, {len(found.missed)} missed. The ledger: {len(ledger)} breaches."
    )
    for sentence in [*found.early, *found.late, *found.twice, *found.missed, *(str(each) for each in ledger)][:20]:
        click.echo(f"  {sentence}")
    if not found.is_clean or ledger:
        raise SystemExit(1)


def refereed(year: Year) -> tuple[RefereeFindings, Counter[str]]:
    """What the referee finds in all matches, and the seconds that were credited, by
    kind of stop.
    """
    found, credited = RefereeFindings(), Counter[str]()
    for played in year.played.values():
        steps = noted(year.world.context, played, credited)
        rule = rule_of(played)
        now = year.world.now.at
        judge(played.match_id, rule, len(played.people), steps, truth_of(year, played), now, found)
    return found, credited


def rule_of(played: YearMatch) -> Rule:
    """The times of a match, as the referee reads them."""
    rule = _clock(played)
    return Rule(rule.base, rule.increment, rule.most, rule.total)


def _clock(played: YearMatch) -> ClockRule:
    rule = read_rule(played.clock)
    assert rule is not None
    return rule


def truth_of(year: Year, played: YearMatch) -> Truth:
    """What stopped the clocks of a match, as the year knows it."""
    start, end, rule = year.world.now.at - ZONED, year.world.now.at + ZONED, _clock(played)
    common: list[Interval] = list(played.pauses)
    if rule.weekends is not None:
        common += weekends(rule.weekends, start, end)
    stopped = {}
    for seat, person in enumerate(played.people):
        own = list(person.off) if rule.days_off else []
        if person.quiet_zone is not None:
            own += nights(person.quiet_zone, *NIGHT, start, end)
        stopped[seat] = [*common, *own]
    return Truth(stopped, year.world.outages)


def noted(context: Context, played: YearMatch, credited: Counter[str]) -> Sequence[Noted]:
    """The steps of a match, and who was awaited after each."""
    with context.database.read() as connection:
        rows = clock_rows.steps_of(connection, played.match_id)
    for row in rows:
        for stops in row.stops.values():
            credited.update({stop.kind: stop.end - stop.start for stop in stops})
    return [
        Noted(
            row.kind,
            row.seat,
            row.counts_at,
            row.at,
            row.seconds,
            tuple(Asked(frozenset(mark.awaited), mark.turn_of) for mark in row.marks),
        )
        for row in rows
    ]
