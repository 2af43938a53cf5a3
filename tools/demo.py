"""`overland demo`: new players play a whole match of random legal turns on a running service, over
HTTP only.
"""

from __future__ import annotations

import json
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from engine.errors import EngineError
from engine.record import Verified, check_noted, read_record, verify
from engine.wording import either
from tools.client import (
    NAMES,
    Account,
    Client,
    ClientError,
    Document,
    PlayedTurn,
    fewest_players,
    find_in_mails,
    first_game_of,
    play_turn,
    sign_up,
    start_match,
)

LAST_MAIL_SECONDS = 120.0
"""Seconds to wait for the mails of a whole match, which was played quickly."""


@click.command()
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The address of the service.")
@click.option("--players", type=click.IntRange(1, len(NAMES)), help="How many play; by default the fewest above one.")
@click.option("--game", help="What they play; the first game of the service by default.")
@click.option("--seed", default=None, help="A text that determines the players' choices; draws stay random.")
@click.option(
    "--record",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Where to save the record; a temporary file by default.",
)
def demo(url: str, players: int | None, game: str | None, seed: str | None, file: Path | None) -> None:
    """Sign players up, play a whole match between them, and check its record offline."""
    seed = seed or secrets.token_hex(4)
    console = Console(highlight=False, soft_wrap=True)
    try:
        _demonstrate(console, Client(url), players, game, seed, file)
    except ClientError as problem:
        click.echo(str(problem), err=True)
        raise SystemExit(1) from None
    except EngineError as problem:
        click.echo(f"The record does not hold: {problem}", err=True)
        raise SystemExit(1) from None


def _demonstrate(
    console: Console, client: Client, count: int | None, game: str | None, seed: str, file: Path | None
) -> None:
    game = game or first_game_of(client)
    info, count = client.get(f"/v1/games/{game}"), count or fewest_players(client, game)
    if count not in info["seats"]:
        raise ClientError(f"{info['title']} is for {either(map(str, info['seats']))} players, not for {count}.")
    people = [sign_up(client, name) for name in NAMES[:count]]
    console.print(f"Signed up and confirmed by mail: {', '.join(player.name for player in people)}.")
    match_id = start_match(client, game, people, f"Demonstration {seed}")
    console.print(f"Match {match_id} of {info['title']} is running (seed {seed}).")
    begun = client.get(f"/v1/matches/{match_id}")
    began = time.perf_counter()
    played = _play(console, client, match_id, people, random.Random(seed))
    took = time.perf_counter() - began
    match = client.get(f"/v1/matches/{match_id}")
    console.print(match["outcome"]["ended"]["sentence"])
    console.print(_standings(match["outcome"], people))
    median = statistics.median(turn.seconds for turn in played) * 1000
    console.print(
        f"{len(played)} turns in {took:.1f} s; from the request to the verdict {median:.0f} ms at the median."
    )
    verified, saved = _checked_record(client, begun, file)
    with console.status("The last mails are being sent."):
        mails = _mails(client, people)
    console.print(
        f"The record of {verified.plies} plies holds: commitment, nonces, {verified.draws} draws, every action and the"
        " outcome were checked offline."
    )
    console.print(f"  record  {saved}")
    console.print(f"          overland verify {saved} --nonces {verified.nonces_digest}")
    console.print(f"  mails   {mails} to these players: {client.url}/dev/mail")
    console.print(f"  board   {client.url}/v1/matches/{match_id}/board.svg")


def _play(
    console: Console, client: Client, match_id: str, people: Sequence[Account], luck: random.Random
) -> list[PlayedTurn]:
    played: list[PlayedTurn] = []
    columns = (
        SpinnerColumn(),
        TextColumn("turn {task.completed}"),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("the first turn", total=None)
        while (turn := play_turn(client, match_id, people, luck.choice)) is not None:
            played.append(turn)
            progress.update(task, advance=1, description=f"{turn.player.name}: {turn.notation}, now ply {turn.ply}")
            if not console.is_terminal and len(played) % 50 == 0:
                console.print(f"turn {len(played)}, ply {turn.ply}")
    return played


def _standings(outcome: Document, people: Sequence[Account]) -> Table:
    labels = [line["label"] for line in outcome["details"][0]] if outcome["details"] else []
    table = Table(box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("player")
    for label in (*labels, "total"):
        table.add_column(label, justify="right")
    for seat in sorted(range(len(people)), key=lambda seat: outcome["ranks"][seat]):
        points = [str(line["number"]) for line in outcome["details"][seat]] if labels else []
        table.add_row(str(outcome["ranks"][seat]), people[seat].name, *points, str(outcome["scores"][seat]))
    return table


def _checked_record(client: Client, begun: Document, file: Path | None) -> tuple[Verified, Path]:
    """Downloads the record anonymously, saves and verifies it, and compares it with the match as it
    was when it had begun; gives the result and the file.

    Raises ``EngineError`` where the record is wrong.
    """
    document = client.get(f"/v1/matches/{begun['id']}/record")
    file = file or Path(tempfile.gettempdir()) / f"overland-{begun['id']}.json"
    file.write_text(json.dumps(document, indent=1) + "\n")
    record = read_record(document)
    check_noted(record, begun["commitment"], begun["nonces_digest"])
    return verify(record), file


def _mails(client: Client, people: Sequence[Account]) -> int:
    """The number of mails to these players; waits for each player's last, with the final scores."""
    for player in people:
        find_in_mails(client.mail_texts, player.email, "FINAL SCORES", LAST_MAIL_SECONDS)
    return sum(len(client.mails(player.email)) for player in people)
