"""The command `overland by-mail`."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from engine import registry
from tools.by_mail.mailboxes import Mailboxes
from tools.by_mail.match import NAMES, PlayedByMail, Stuck, play
from tools.by_mail.report import lines_of
from tools.games import fewest_seats, game_option
from tools.launch import NotRunning, Service, overland
from tools.postfix import AUTHSERV, NoPostfix, Postfix, Routes
from workers.valkey import free_port

DOMAIN = "overland.example"
ADDRESS = f"overland@{DOMAIN}"


@click.command()
@game_option
@click.option("--seats", type=click.IntRange(2, len(NAMES)), help="How many play; by default the fewest above one.")
@click.option("--replies", type=click.IntRange(1), help="Leave the match after so many replies.")
@click.option("--text-only", is_flag=True, help="The players ask for mails without pictures.")
@click.option("--seed", default=None, help="A text that determines the players' choices; draws stay random.")
def by_mail(game: str, seats: int | None, replies: int | None, text_only: bool, seed: str | None) -> None:
    """Play a whole match by mail alone, through a Postfix and back, and check the ledger."""
    seed, seats = seed or secrets.token_hex(4), seats or fewest_seats(registry.game(game).info.seats)
    click.echo(f"A match of {game} with {seats} players, seed {seed}.")
    with tempfile.TemporaryDirectory(prefix="overland-") as folder:
        try:
            with by_postfix(Path(folder)) as (service, boxes, port):
                played = play(boxes, port, ADDRESS, game, seats, seed, replies, click.echo, text_only)
                ledger = check(service)
        except (NoPostfix, NotRunning, Stuck) as problem:
            raise click.ClickException(str(problem)) from None
    _report(played)
    click.echo(ledger)


@contextmanager
def by_postfix(folder: Path) -> Iterator[tuple[Service, Mailboxes, int]]:
    """A service in the folder behind a Postfix, the mailboxes of its players, and the port at which
    the Postfix takes their mails. Raises ``NoPostfix`` and ``NotRunning``.
    """
    boxes, port = Mailboxes(), free_port()
    try:
        relay = Postfix(Routes(DOMAIN, f"lmtp:inet:127.0.0.1:{port}", boxes.port))
        try:
            service = Service(folder, settings(relay, port))
            try:
                service.start()
                yield service, boxes, relay.world_port
            finally:
                service.stop()
        finally:
            relay.close()
    finally:
        boxes.close()


def settings(relay: Postfix, port: int) -> dict[str, str]:
    """The settings of a service behind that relay, which takes mail by LMTP at the port."""
    return {
        "OVERLAND_MAIL_FROM": f"Overland <{ADDRESS}>",
        "OVERLAND_MAIL_URL": relay.url,
        "OVERLAND_MAIL_IN": f"lmtp://127.0.0.1:{port}",
        "OVERLAND_TRUSTED_RELAY": AUTHSERV,
    }


def check(service: Service) -> str:
    """What the ledger of the service finds. Raises ``Stuck`` where something was lost or done
    twice.
    """
    done = overland("ledger", environ=service.environ)
    if done.returncode != 0:
        raise Stuck(f"The ledger has breaches:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def _report(played: PlayedByMail) -> None:
    if played.result:
        click.echo(played.result.split("\n\n", 1)[0].replace("\n", " "))
    for line in lines_of(played):
        click.echo(line)
