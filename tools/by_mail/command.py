"""The command `overland by-mail`."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import click

from engine import registry
from tools.by_mail.mailboxes import Mailboxes
from tools.by_mail.match import NAMES, PlayedByMail, Stuck, play
from tools.by_mail.report import lines_of
from tools.dovecot import PASSWORD, Dovecot, NoDovecot
from tools.games import fewest_seats, game_option
from tools.launch import NotRunning, Service, overland
from tools.postfix import AUTHSERV, NoPostfix, Postfix, Routes, Submission
from workers.valkey import free_port

DOMAIN = "overland.example"
ADDRESS = f"overland@{DOMAIN}"
ComingIn: TypeAlias = Literal["lmtp", "mailbox", "bare"]
WAYS: Final[tuple[ComingIn, ...]] = get_args(ComingIn)


@click.command()
@game_option
@click.option("--seats", type=click.IntRange(2, len(NAMES)), help="How many play; by default the fewest above one.")
@click.option("--replies", type=click.IntRange(1), help="Leave the match after so many replies.")
@click.option("--by", "way", type=click.Choice(WAYS), default=WAYS[0], help="How mails come in; bare: without plus.")
@click.option("--text-only", is_flag=True, help="The players ask for mails without pictures.")
@click.option("--seed", default=None, help="A text that determines the players' choices; draws stay random.")
def by_mail(
    game: str, seats: int | None, replies: int | None, way: ComingIn, text_only: bool, seed: str | None
) -> None:
    """Play a whole match by mail alone, through a Postfix and back, and check the ledger: the
    service takes mails from it, or from a mailbox of a Dovecot behind it.
    """
    seed, seats = seed or secrets.token_hex(4), seats or fewest_seats(registry.game(game).info.seats)
    click.echo(f"A match of {game} with {seats} players, seed {seed}.")
    with tempfile.TemporaryDirectory(prefix="overland-") as folder:
        try:
            with by_way(way, Path(folder)) as (service, boxes, port):
                played = play(boxes, port, ADDRESS, game, seats, seed, replies, click.echo, text_only)
                ledger = check(service)
        except (NoDovecot, NoPostfix, NotRunning, Stuck) as problem:
            raise click.ClickException(str(problem)) from None
    _report(played)
    click.echo(ledger)


@contextmanager
def by_way(way: ComingIn, folder: Path) -> Iterator[tuple[Service, Mailboxes, int]]:
    """A service in the folder, the mailboxes of its players, and the port at which a Postfix takes
    their mails, which come to the service in that way: one with a mailbox sends by submission, from
    its own address. Raises ``NoDovecot``, ``NoPostfix`` and
    ``NotRunning``.
    """
    with ExitStack() as stack:
        boxes = stack.enter_context(closing(Mailboxes()))
        submission = None
        if way == "lmtp":
            port = free_port()
            route, mail_in = f"lmtp:inet:127.0.0.1:{port}", {"OVERLAND_MAIL_IN": f"lmtp://127.0.0.1:{port}"}
        else:
            provider = stack.enter_context(closing(Dovecot([ADDRESS])))
            submission = Submission(provider.auth_port, provider.certificate, provider.key, way == "mailbox")
            route, mail_in = provider.route, settings_of(provider, way)
        relay = stack.enter_context(closing(Postfix(Routes(DOMAIN, route, boxes.port), submission)))
        if submission is not None:
            mail_in["OVERLAND_MAIL_URL"] = relay.submission_url(ADDRESS, PASSWORD)
        service = Service(folder, settings(relay) | mail_in)
        stack.callback(service.stop)
        service.start()
        yield service, boxes, relay.world_port


def settings(relay: Postfix) -> dict[str, str]:
    """The settings of a service behind that relay, but for how mails come in."""
    return {
        "OVERLAND_MAIL_FROM": f"Overland <{ADDRESS}>",
        "OVERLAND_MAIL_URL": relay.url,
        "OVERLAND_TRUSTED_RELAY": AUTHSERV,
    }


def settings_of(provider: Dovecot, way: ComingIn) -> dict[str, str]:
    """The settings by which a service takes its mails from a mailbox."""
    return {
        "OVERLAND_MAIL_IN": provider.url(ADDRESS),
        "OVERLAND_MAIL_ADDRESSES": "bare" if way == "bare" else "plus",
        "SSL_CERT_FILE": str(provider.certificate),
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
