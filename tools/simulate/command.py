"""``overland simulate GAME``: plays matches between bots and prints figures of the game and its
speed.

Exit code 0: every match was played to its end. 1: there were dead ends or broken invariants; their
seeds are printed.
"""

from __future__ import annotations

import json
import secrets
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine import registry
from engine.choices import component_set
from engine.documents import from_document
from engine.errors import DocumentError, UnknownGame
from engine.game import AnyGame
from engine.types import Entry, Setup
from engine.wording import either
from service.commands import components as component_files
from tools.simulate.cold import Whole, cold_load
from tools.simulate.figures import table_of_actions, table_of_figures, table_of_matches, table_of_occurrences
from tools.simulate.play import BOTS, Bot, Played, play_match, seeds


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play, by name, so that it can be sent to another process: ``components`` is a name or
    a file, ``options`` the text of a JSON object.
    """

    game: str
    players: int
    bots: tuple[Bot, ...]
    components: str
    options: str = "{}"


def bots_of(text: str) -> tuple[Bot, ...]:
    """Parses "greedy,random": a bot for each seat, or one for all. Raises ``BadParameter``."""
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(BOTS)}.", param_hint="--bot")
    return cast(tuple[Bot, ...], names)


@click.command()
@click.argument("game")
@click.option("--matches", type=click.IntRange(min=1), default=100, show_default=True, help="How many matches to play.")
@click.option("--players", type=int, default=None, help="How many seats; the fewest the game allows by default.")
@click.option("--seed", default=None, help="A text that determines every match; random and printed by default.")
@click.option(
    "--bot",
    default="random",
    show_default=True,
    help=(
        "Who plays: random, greedy, planned (which looks to the end of its turn), or one for each seat"
        " (greedy,random), moving on a seat by match."
    ),
)
@click.option(
    "--components", default=registry.STANDARD, show_default=True, help="The component set: its name, or a file."
)
@click.option("--options", default="{}", help="Options of the match, as a JSON object.")
@click.option("--below", type=int, multiple=True, help="Also print the share of scores below this; may be repeated.")
@click.option("--above", type=int, multiple=True, help="Also print the share of scores above this; may be repeated.")
@click.option("--actions", is_flag=True, help="Also count what the seats did, and what they named doing it.")
@click.option(
    "--cold",
    is_flag=True,
    help=(
        "Also tell how long the longest match takes to load out of an SQLite database where nothing of it is"
        " remembered."
    ),
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="How many processes share the matches."
)
def simulate(
    game: str,
    matches: int,
    players: int | None,
    seed: str | None,
    bot: str,
    components: str,
    options: str,
    below: Sequence[int],
    above: Sequence[int],
    actions: bool,
    cold: bool,
    jobs: int,
) -> None:
    """Play matches of GAME between bots and print the figures."""
    plan = _checked(Plan(game, players or _fewest(game), bots_of(bot), components, options))
    seed = seed or secrets.token_hex(4)
    started = time.perf_counter()
    played = list(_with_progress(_all(plan, seeds(seed, matches), jobs), matches))
    seconds = time.perf_counter() - started
    console = Console()
    title = (
        f"{plan.game}, {plan.players} seat{'' if plan.players == 1 else 's'}, {' and '.join(plan.bots)} players, seed"
        f" {seed}"
    )
    console.print(table_of_figures(title, played, seconds, below, above))
    if (counted := table_of_matches(played)) is not None:
        console.print(counted)
    if cold:
        console.print(cold_load(longest(plan, played)))
    if actions:
        console.print(table_of_actions(played))
        if (occurred := table_of_occurrences(played)) is not None:
            console.print(occurred)
    failures = [each for each in played if each.dead_end is not None or each.broken]
    for each in failures:
        _tell(plan, each)
    if failures:
        raise SystemExit(1)


def setup_of(plan: Plan) -> tuple[AnyGame, Setup]:
    """The game and the setup of its matches. Raises ``UnknownGame`` or ``DocumentError``."""
    game = registry.game(plan.game)
    options: Any = from_document(game.options, _object(plan.options))
    return game, Setup(plan.players, options, _components(plan.game, plan.components))


def play(plan: Plan, numbered: tuple[int, str]) -> Played:
    """Plays the match of the plan with that number, from 0, and seed. The bots rotate by one seat
    per match.
    """
    number, seed = numbered
    game, setup = setup_of(plan)
    bots = tuple(plan.bots[(seat - number) % len(plan.bots)] for seat in range(plan.players))
    return play_match(game, setup, bots, seed)


def longest(plan: Plan, played: Sequence[Played]) -> Whole:
    """The match with the most plies, played again to get its log."""
    number = max(range(len(played)), key=lambda index: played[index].plies)
    game, setup = setup_of(plan)
    log: list[Entry[Any]] = []
    play_match(game, setup, played[number].bots, played[number].seed, log)
    return Whole(game, setup, tuple(log))


@cache
def _components(game: str, which: str) -> Any:
    if which in registry.component_sets(game) or not Path(which).is_file():
        return registry.components(game, which)
    return component_set(registry.game(game), component_files.read(Path(which)))


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DocumentError((("", f"{text!r} is not JSON: {error}."),)) from error
    if not isinstance(found, Mapping):
        raise DocumentError((("", f"{text!r} is not an object."),))
    return found


def _fewest(name: str) -> int:
    try:
        return min(registry.game(name).info.seats)
    except UnknownGame as error:
        raise click.BadParameter(str(error), param_hint="GAME") from error


def _checked(plan: Plan) -> Plan:
    try:
        game, _ = setup_of(plan)
    except UnknownGame as error:
        raise click.BadParameter(str(error)) from error
    except DocumentError as error:
        raise click.BadParameter(
            " ".join(f"{pointer} {sentence}".strip() for pointer, sentence in error.problems)
        ) from error
    if plan.players not in game.info.seats:
        raise click.BadParameter(
            f"{game.info.title} is for {either(map(str, game.info.seats))} players, not {plan.players}.",
            param_hint="--players",
        )
    if len(plan.bots) not in (1, plan.players):
        raise click.BadParameter(
            f"There are {len(plan.bots)} bots for {plan.players} seats; name one for each, or one for all.",
            param_hint="--bot",
        )
    return plan


def _all(plan: Plan, each_seed: Sequence[str], jobs: int) -> Iterator[Played]:
    if jobs == 1:
        yield from map(partial(play, plan), enumerate(each_seed))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play, plan), enumerate(each_seed), chunksize=max(1, len(each_seed) // (8 * jobs)))


def _with_progress(played: Iterable[Played], matches: int) -> Iterator[Played]:
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("matches", total=matches)
        for each in played:
            yield each
            progress.advance(task)


def _tell(plan: Plan, played: Played) -> None:
    bots = played.bots[0] if len(plan.bots) == 1 else ",".join(played.bots)
    chosen = "" if plan.components == registry.STANDARD else f" --components {shlex.quote(plan.components)}"
    agreed = "" if plan.options == "{}" else f" --options {shlex.quote(plan.options)}"
    again = (
        f"overland simulate {plan.game} --matches 1 --players {plan.players} --bot {bots}{chosen}{agreed} --seed"
        f" {shlex.quote(played.seed)}"
    )
    if played.dead_end is not None:
        click.echo(f"Dead end at ply {played.dead_end}: nothing is legal. Again: {again}", err=True)
    for ply, sentence in played.broken:
        click.echo(f"Broken at ply {ply}: {sentence} Again: {again}", err=True)
