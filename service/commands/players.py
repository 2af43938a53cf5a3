"""``overland players``: shows the operator who plays here, and helps one of them: suspends and
lifts that, changes an address after proof, revokes tokens, signs out, exports, erases.

Every act needs a reason, which the audit log keeps (``overland audit``) and the player is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from service.commands.databases import (
    context_or_end,
    database_or_end,
    end,
    operator,
    printable,
    settings_or_end,
    with_json,
    with_limit,
    with_reason,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from service.context import Context
    from service.store.players import Player

MOST_SHOWN: Final = 20
"""So many matches, tokens, stops, reports and acts are shown of a player."""
with_player: Final = click.argument("player")


@click.group(invoke_without_command=True)
@click.pass_context
def players(ctx: click.Context) -> None:
    """List and show players, suspend them, and help them. Without a command, list.

    PLAYER is an id, an address or a whole name.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show_all)


@players.command("list")
@click.argument("words", default="")
@click.option("--suspended", is_flag=True, help="Only those who are suspended.")
@with_limit
@with_json
def show_all(words: str, suspended: bool, limit: int, as_json: bool) -> None:
    """List players, newest first: all, or those whose id, name or address has WORDS in it."""
    from service.store import players as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.search(connection, words, suspended, limit)
    for player in found:
        click.echo(json.dumps(_document(player)) if as_json else _line(player))
    if not found and not as_json:
        click.echo("No player is like that.")


@players.command()
@with_player
def show(player: str) -> None:
    """Show what there is to know of one player, to help them."""
    with context_or_end() as context:
        with context.database.read() as connection:
            found = _found(connection, player)
        for line in _shown(context, found):
            click.echo(line)


@players.command()
@with_player
@with_reason
def suspend(player: str, reason: str) -> None:
    """Suspend a player, with their bots: they can do nothing here, and are mailed why.

    Their seats, tokens and settings stay as they are; clocks run on.
    """
    from service.players import suspending

    with context_or_end() as context:
        found = _one(context, player)
        suspending.suspend(context, found, operator(reason))
    click.echo(f"{_named(found)} is suspended.")


@players.command()
@with_player
@with_reason
def lift(player: str, reason: str) -> None:
    """End the suspension of a player: everything is as it was before."""
    from service.players import suspending

    with context_or_end() as context:
        found = _one(context, player)
        suspending.lift(context, found, operator(reason))
    click.echo(f"{_named(found)} is not suspended any more.")


@players.command("change-address")
@with_player
@click.argument("address")
@with_reason
def change_address(player: str, address: str, reason: str) -> None:
    """Have mails of a player go to ADDRESS, once its owner has confirmed it by a mail.

    The address before is told then, and can undo it for seven days.
    """
    from service.players import own_addresses

    with context_or_end() as context:
        found = _one(context, player)
        changed = own_addresses.change_for(context, found, operator(reason), address)
    if changed.confirmed_at is None:
        click.echo(f"A mail to {printable(changed.address)} asks its owner to confirm it within two days.")
    else:
        click.echo(f"{printable(changed.address)} was confirmed before: mails go there from now on.")


@players.command("revoke-tokens")
@with_player
@with_reason
def revoke_tokens(player: str, reason: str) -> None:
    """Revoke all tokens of a player, and of their bots."""
    from service.players import suspending

    with context_or_end() as context:
        found = _one(context, player)
        suspending.revoke_tokens(context, found, operator(reason))
    click.echo(f"All tokens of {_named(found)} are revoked.")


@players.command("sign-out")
@with_player
@with_reason
def sign_out(player: str, reason: str) -> None:
    """Sign a player out of every browser."""
    from service.players import suspending

    with context_or_end() as context:
        found = _one(context, player)
        suspending.sign_out(context, found, operator(reason))
    click.echo(f"{_named(found)} is signed out of every browser.")


@players.command()
@with_player
@with_reason
def export(player: str, reason: str) -> None:
    """Write everything that is stored of a player as JSON, as they would get it themselves."""
    from service.players import accounts
    from service.store import audit

    with context_or_end() as context:
        found = _one(context, player)
        with context.database.write() as connection:
            audit.note(connection, operator(reason), "exported", context.clock(), found.id)
        click.echo(json.dumps(accounts.stored(context, found), ensure_ascii=False, indent=1))


@players.command()
@with_player
@with_reason
@click.option("--yes", is_flag=True, help="Do not ask back.")
def erase(player: str, reason: str, yes: bool) -> None:
    """Have a player leave for good, with their bots, as they could themselves.

    They resign from all matches; what was played stays, so that others can verify their records.
    Nobody is mailed, as no address is left: write to them before. The reason is not kept either.
    """
    from service import leaving
    from service.store import audit

    with context_or_end() as context:
        found = _one(context, player)
        if not yes:
            click.confirm(f"Erase {_named(found)} for good?", abort=True)
        by = operator(reason)
        with context.database.write() as connection:
            audit.note(connection, audit.Operator(by.name, ""), "erased", context.clock(), found.id)
        leaving.leave_for_good(context, found)
    click.echo(f"{found.id} has left for good.")


def _one(context: Context, who: str) -> Player:
    """The player of that id, address or name. Ends the command where there is none."""
    with context.database.read() as connection:
        found = _found(connection, who)
    if found.left_at is not None:
        end(f"{found.id} has left for good.")
    return found


def _found(connection: Connection, who: str) -> Player:
    from service.addresses import folded, read_email
    from service.errors import Invalid
    from service.house import bot_level
    from service.names import name_key
    from service.store import players as rows

    found = rows.find(connection, who)
    if found is None and "@" in who:
        try:
            found = rows.by_address(connection, folded(read_email(who)))
        except Invalid as error:
            end(str(error))
    if found is None and (named := rows.has_name(connection, name_key(who))) is not None:
        found = rows.find(connection, named)
    if found is None:
        end(f"There is no player {who}: `overland players list {who}` finds part of a name or address.")
    if bot_level(found.id) is not None:
        end(f"{found.name} is a bot of the house.")
    return found


def _shown(context: Context, player: Player) -> Iterator[str]:
    """What is known of a player, line by line."""
    from service.matches import lobby
    from service.players import bots, choosing, own_addresses, tokens
    from service.store import audit, reports
    from service.store import players as rows
    from service.store import tokens as token_rows

    yield _line(player)
    if player.left_at is not None:
        yield f"left for good: {_at(player.left_at)}"
        return
    if player.suspended_at is not None:
        yield f"suspended since {_at(player.suspended_at)}: {printable(player.suspended_for or '')}"
    with context.database.read() as connection:
        browsers = token_rows.browsers_of(connection, player.id, context.clock())
        stopped = rows.latest_stops(connection, player.id, MOST_SHOWN)
        reported = reports.of_player(connection, player.id, MOST_SHOWN)
        acts = audit.listed(connection, player.id, MOST_SHOWN)
    for address in own_addresses.of_player(context, player):
        state = "not confirmed" if address.confirmed_at is None else f"confirmed {_at(address.confirmed_at)}"
        bounces = f", bounces since {_at(address.bounced_at)}: {address.bounce_reason}" if address.bounced_at else ""
        primary = ", mails go there" if address.is_primary else ""
        yield printable(f"address {address.address}: {state}{primary}{bounces}")
    wanted = choosing.wanted(context, player)
    yield f"mails: {wanted.mails}" + (f", but none of {', '.join(wanted.without)}" if wanted.without else "")
    for stop in stopped:
        yield f"stopped {_at(stop.at)}: {stop.scope} {stop.match_id or stop.kind or ''}".rstrip()
    for match in lobby.mine(context, player, ("running", "open", "archived"), limit=MOST_SHOWN):
        awaited = ", awaits them" if any(seat.player_id == player.id and seat.to_act for seat in match.seats) else ""
        yield printable(f"match {match.id}: {match.game}, {match.title}, {match.status}{awaited}")
    yield f"browsers: {len(browsers)}" + (f", the latest signed in {_at(browsers[0])}" if browsers else "")
    for owner in (player, *bots.of_player(context, player)):
        whose = "" if owner is player else f" of the bot {owner.name} ({owner.id})"
        for token in tokens.of_player(context, owner):
            if token.revoked_at is None:
                used = "never used" if token.used_at is None else f"used {_at(token.used_at)}"
                yield printable(f"token {token.id}{whose}: {token.label}, {', '.join(token.scopes)}, {used}")
    for report in reported:
        how = "reported" if report.reporter_id == player.id else "was reported for"
        yield printable(f"report {report.id} {_at(report.at)}: {how} {report.kind} “{report.read}”: {report.status}")
    for act in acts:
        yield printable(f"act {_at(act.at)} by {act.by}: {act.act} {act.subject} {act.reason}".rstrip())


def _document(player: Player) -> dict[str, object]:
    return {
        "id": player.id,
        "name": player.name,
        "email": None if player.is_guest else player.email,
        "status": _status(player),
        "created_at": player.created_at.isoformat(),
        "suspended_for": player.suspended_for,
    }


def _line(player: Player) -> str:
    email = "no address" if player.is_guest or player.owner_id else player.email
    return printable(f"{player.id}  {player.name}, {email}: {_status(player)}, here since {_at(player.created_at)}")


def _status(player: Player) -> str:
    if player.left_at is not None:
        return "left"
    if player.suspended_at is not None:
        return "suspended"
    if player.is_guest:
        return "guest"
    if player.owner_id is not None:
        return f"bot of {player.owner_id}"
    return "confirmed" if player.confirmed_at is not None else "not confirmed"


def _named(player: Player) -> str:
    return printable(f"{player.name} ({player.id})")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
