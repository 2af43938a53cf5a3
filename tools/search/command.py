"""``overland search GAME SPACE.json``: tries component sets, keeps the best, prints the table.

1. The first candidates of the space are screened with a few matches of each number of seats, then
   random changes of the best of them, in generations, until ``--tried`` were screened.
2. The best quarter plays four times as many matches, the best quarter of those four times as many,
   and so on (successive halving), until ``--finalists`` are left; these play ``--final`` matches.

Exit code 0: the best candidate meets every criterion with every number of seats. 1: it does not.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, cast

import click

from engine import registry
from engine.documents import from_document
from engine.errors import DocumentError, UnknownGame
from engine.types import Setup
from service.commands import components as files
from tools.search.results import SearchResult, judged, line, table
from tools.search.space import Candidate, Space, made, mutated
from tools.simulate.play import BOTS, Bot, Played, play_match

GENERATION = 8
PARENTS = 6
MORE = 4
"""By how much the candidates become fewer and their matches more in each round of the halving."""


@click.command()
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--seats", type=int, multiple=True, help="A number of seats to play with; all of the game by default.")
@click.option("--bot", type=click.Choice(BOTS), default="planned", show_default=True, help="Who plays.")
@click.option("--matches", type=click.IntRange(min=2), default=24, show_default=True, help="Matches of a screening.")
@click.option("--tried", type=click.IntRange(min=1), default=40, show_default=True, help="Candidates to screen.")
@click.option("--finalists", type=click.IntRange(min=1), default=2, show_default=True, help="Candidates to keep.")
@click.option("--final", type=click.IntRange(min=2), default=1000, show_default=True, help="Matches of a finalist.")
@click.option("--seed", default=None, help="A text that determines everything; random and printed by default.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write the best component set to this file.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="How many processes play.")
def search(
    game: str,
    file: Path,
    seats: Sequence[int],
    bot: str,
    matches: int,
    tried: int,
    finalists: int,
    final: int,
    seed: str | None,
    out: Path | None,
    jobs: int,
) -> None:
    """Search the component sets of GAME that FILE describes for the best one."""
    space, base = _read(game, file)
    seed = seed or secrets.token_hex(4)
    luck = Random(seed)
    with ProcessPoolExecutor(jobs) as pool:
        trial = _Trial(game, space, base, tuple(seats) or registry.game(game).info.seats, cast(Bot, bot), seed, pool)
        found: list[SearchResult] = []
        for name, candidate in _candidates(space, found, tried, luck):
            found.append(trial.result(name, candidate, matches))
            click.echo(f"{len(found):4} {line(found[-1])}", err=True)
        ranked = _ranked(found)
        kept, number = ranked, matches
        while len(kept) > finalists:
            kept = kept[: max(finalists, len(kept) // MORE)]
            number = min(number * MORE, final)
            kept = _ranked([trial.result(each.name, each.candidate, number) for each in kept])
            click.echo("\n".join(line(each) for each in kept), err=True)
        if number < final:
            kept = _ranked([trial.result(each.name, each.candidate, final) for each in kept])
    others = [each for each in ranked if each.name not in {one.name for one in kept}]
    click.echo(f"{game}, {bot} players, seed {seed}\n")
    click.echo(table([*kept, *others]))
    if out is not None:
        document = made(space, base, kept[0].candidate)
        out.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if not all(each.met for each in kept[0].measures):
        raise SystemExit(1)


class _Trial:
    """Plays matches with candidates in the processes of a pool."""

    def __init__(
        self,
        game: str,
        space: Space,
        base: dict[str, Any],
        seats: Sequence[int],
        bot: Bot,
        seed: str,
        pool: Executor,
    ) -> None:
        self._game, self._space, self._base, self._seats = game, space, base, seats
        self._bot, self._seed, self._pool = bot, seed, pool

    def result(self, name: str, candidate: Candidate, matches: int) -> SearchResult:
        """What is measured of the candidate in that many matches with each number of seats."""
        text = json.dumps(made(self._space, self._base, candidate))
        plans = [
            (self._game, text, seats, self._bot, f"{self._seed}/{number}")
            for seats in self._seats
            for number in range(1, matches + 1)
        ]
        played = list(self._pool.map(_played, plans, chunksize=max(1, len(plans) // 32)))
        by_seats = {
            seats: [each for each in played if len(each.bots) == seats and not each.broken] for seats in self._seats
        }
        return judged(name, candidate, matches, self._space.criteria, by_seats)


def _candidates(
    space: Space, found: Sequence[SearchResult], tried: int, luck: Random
) -> Iterator[tuple[str, Candidate]]:
    """The candidates to screen, with names: those of the space, then changes of the best found."""
    yield from list(space.begin.items())[:tried]
    number = len(space.begin)
    while number < tried:
        parents = _ranked(found)[:PARENTS]
        for _ in range(min(GENERATION, tried - number)):
            number += 1
            parent = luck.choice(parents)
            yield f"{number}, from {parent.name.partition(', from')[0]}", mutated(space, parent.candidate, luck)


def _ranked(found: Sequence[SearchResult]) -> list[SearchResult]:
    return sorted(found, key=lambda each: -each.fitness)


def _played(plan: tuple[str, str, int, Bot, str]) -> Played:
    game, text, seats, bot, seed = plan
    found = registry.game(game)
    return play_match(found, Setup(seats, found.options(), _components(game, text)), (bot,), seed)


@lru_cache(maxsize=4)
def _components(game: str, text: str) -> Any:
    return registry.game(game).load_components(json.loads(text))


def base_of(game: str, space: Space, file: Path) -> dict[str, Any]:
    """The document that the space in ``file`` starts from. Raises ``UnknownGame``."""
    if space.base.endswith(".json"):
        return dict(files.read(file.parent / space.base))
    return registry.component_document(game, space.base)


def _read(game: str, file: Path) -> tuple[Space, dict[str, Any]]:
    """The space, every candidate of which gives a component set, and the document of its base."""
    try:
        space: Space = from_document(Space, files.read(file))
        base = base_of(game, space, file)
        for name, candidate in space.begin.items():
            try:
                registry.game(game).load_components(made(space, base, candidate))
            except (KeyError, IndexError) as error:
                raise DocumentError(((f"/begin/{name}", f"There is no {error} to put a value at."),)) from error
    except (UnknownGame, OSError) as error:
        raise click.BadParameter(str(error)) from error
    except DocumentError as error:
        raise click.BadParameter(
            " ".join(f"{pointer} {sentence}".strip() for pointer, sentence in error.problems), param_hint="FILE"
        ) from error
    return space, base
