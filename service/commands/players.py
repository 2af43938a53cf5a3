"""``overland players``: shows the operator who plays here, and helps one of them: suspends and
lifts that, changes an address after proof, revokes tokens, signs out, exports, erases.

Every act needs a reason, which is told to the player and kept: ``overland audit`` lists what was
done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Final

import click
from sqlalchemy import Connection

from service import leaving
from service.addresses import folded, read_email
from service.commands.databases import (
    ListingGroup,
    context_or_end,
    end,
    operator,
    printable,
    rows_read,
    tell,
    tell_json,
    tell_rows,
    with_json,
    with_limit,
    with_reason,
)
from service.context import Context
from service.errors import Invalid
from service.house import bot_level
from service.matches import lobby
from service.names import name_key
from service.players import accounts, bots, choosing, own_addresses, suspending, tokens
from service.store import audit as audit_rows
from service.store import players as rows
from service.store import reports
from service.store import tokens as token_rows
from service.store.audit import Audited, Operator
from service.store.players import Player

MOST_SHOWN: Final = 20
"""So many matches, tokens, stops, reports and acts are shown of a player."""
with_player: Final = click.argument("player")


@click.group(cls=ListingGroup)
def players() -> None:
    """List and show players, suspend them, and help them. Without a command, list.

    PLAYER is an id, an address or a whole name.
    """


@players.command("list")
@click.argument("words", default="")
@click.option("--suspended", is_flag=True, help="Only those who are suspended.")
@with_limit
@with_json
def show_all(words: str, suspended: bool, limit: int, as_json: bool) -> None:
    """List players, newest first: all, or those whose id, name or address has WORDS in it."""
    with rows_read() as connection:
        found = rows.search(connection, words, suspended, limit)
    tell_rows(found, as_json, _document, _lines, "No player is like that.")


@players.command()
@with_player
def show(player: str) -> None:
    """Show what there is to know of one player, to help them."""
    with context_or_end() as context:
        with context.database.read() as connection:
            found = _found(connection, player)
        tell(*_shown(context, found))


@players.command()
@with_player
@with_reason
def suspend(player: str, reason: str) -> None:
    """Suspend a player, with their bots: they can do nothing here, and are mailed why.

    Their seats, tokens and settings stay as they are; clocks run on.
    """
    _do(suspending.suspend, player, reason, "{} is suspended.")


@players.command()
@with_player
@with_reason
def lift(player: str, reason: str) -> None:
    """End the suspension of a player: everything is as it was before."""
    _do(suspending.lift, player, reason, "{} is not suspended any more.")


@players.command("change-address")
@with_player
@click.argument("address")
@with_reason
def change_address(player: str, address: str, reason: str) -> None:
    """Have mails of a player go to ADDRESS, once its owner has confirmed it by a mail.

    The address before is told then, and can undo it for seven days.
    """
    with _player(player) as (context, found):
        changed = own_addresses.change_for(context, found, operator(reason), address)
    if changed.confirmed_at is None:
        tell(f"A mail to {changed.address} asks its owner to confirm it within two days.")
    else:
        tell(f"{changed.address} was confirmed before: mails go there from now on.")


@players.command("revoke-tokens")
@with_player
@with_reason
def revoke_tokens(player: str, reason: str) -> None:
    """Revoke all tokens of a player, and of their bots."""
    _do(suspending.revoke_tokens, player, reason, "All tokens of {} are revoked.")


@players.command("sign-out")
@with_player
@with_reason
def sign_out(player: str, reason: str) -> None:
    """Sign a player out of every browser."""
    _do(suspending.sign_out, player, reason, "{} is signed out of every browser.")


@players.command()
@with_player
@with_reason
def export(player: str, reason: str) -> None:
    """Write everything that is stored of a player as JSON, as they would get it themselves."""
    with _player(player) as (context, found):
        with context.database.write() as connection:
            audit_rows.note(connection, operator(reason), "exported", context.clock(), found.id)
        tell_json(accounts.stored(context, found))


@players.command()
@with_player
@with_reason
@click.option("--yes", is_flag=True, help="Do not ask back.")
def erase(player: str, reason: str, yes: bool) -> None:
    """Have a player leave for good, with their bots, as they could themselves.

    They resign from all matches; what was played stays, so that others can verify their records.
    Nobody is mailed, as no address is left: write to them before. The reason is not kept either.
    """
    with _player(player) as (context, found):
        if not yes:
            click.confirm(f"Erase {_named(found)} for good?", abort=True)
        by = operator(reason)
        with context.database.write() as connection:
            audit_rows.note(connection, Operator(by.name, ""), "erased", context.clock(), found.id)
        leaving.leave_for_good(context, found)
    tell(f"{found.id} has left for good.")


@click.command()
@click.option("--player", metavar="PLAYER", help="Only what was done about this player.")
@with_limit
@with_json
def audit(player: str | None, limit: int, as_json: bool) -> None:
    """List what operators have done about players and the service, newest first."""
    with rows_read() as connection:
        about = player and _found(connection, player).id
        found = audit_rows.listed(connection, about, limit)
    tell_rows(found, as_json, asdict, _audit_lines, "Nothing was done yet.")


def _audit_lines(done: Audited) -> Iterator[str]:
    about = " ".join(part for part in (done.player_id or "", done.subject) if part)
    line = f"{done.at:%Y-%m-%d %H:%M:%S} UTC  {done.by}: {done.act} {about}".rstrip()
    yield f"{line}: {done.reason}" if done.reason else line


def _do(act: Callable[[Context, Player, Operator], object], who: str, reason: str, done: str) -> None:
    """Does something about a player, whose name is filled into the sentence that says so."""
    with _player(who) as (context, found):
        act(context, found, operator(reason))
    tell(done.format(_named(found)))


@contextmanager
def _player(who: str) -> Iterator[tuple[Context, Player]]:
    """The player of that id, address or name. Ends the command where there is none."""
    with context_or_end() as context:
        with context.database.read() as connection:
            found = _found(connection, who)
        if found.left_at is not None:
            end(f"{found.id} has left for good.")
        yield context, found


def _found(connection: Connection, who: str) -> Player:
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
    yield from _lines(player)
    if player.left_at is not None:
        yield f"left for good: {_at(player.left_at)}"
        return
    if player.suspended_at is not None:
        yield f"suspended since {_at(player.suspended_at)}: {player.suspended_for or ''}"
    with context.database.read() as connection:
        browsers = token_rows.browsers_of(connection, player.id, context.clock())
        stopped = rows.latest_stops(connection, player.id, MOST_SHOWN)
        reported = reports.of_player(connection, player.id, MOST_SHOWN)
        acts = audit_rows.listed(connection, player.id, MOST_SHOWN)
    for address in own_addresses.of_player(context, player):
        state = "not confirmed" if address.confirmed_at is None else f"confirmed {_at(address.confirmed_at)}"
        bounces = f", bounces since {_at(address.bounced_at)}: {address.bounce_reason}" if address.bounced_at else ""
        primary = ", mails go there" if address.is_primary else ""
        yield f"address {address.address}: {state}{primary}{bounces}"
    wanted = choosing.wanted(context, player)
    yield f"mails: {wanted.mails}" + (f", but none of {', '.join(wanted.without)}" if wanted.without else "")
    for stop in stopped:
        yield f"stopped {_at(stop.at)}: {stop.scope} {stop.match_id or stop.kind or ''}".rstrip()
    for match in lobby.mine(context, player, ("running", "open", "archived"), limit=MOST_SHOWN):
        awaited = ", awaits them" if any(seat.player_id == player.id and seat.to_act for seat in match.seats) else ""
        yield f"match {match.id}: {match.game}, {match.title}, {match.status}{awaited}"
    yield f"browsers: {len(browsers)}" + (f", the latest signed in {_at(browsers[0])}" if browsers else "")
    for owner in (player, *bots.of_player(context, player)):
        whose = "" if owner is player else f" of the bot {owner.name} ({owner.id})"
        for token in tokens.of_player(context, owner):
            if token.revoked_at is None:
                used = "never used" if token.used_at is None else f"used {_at(token.used_at)}"
                yield f"token {token.id}{whose}: {token.label}, {', '.join(token.scopes)}, {used}"
    for report in reported:
        how = "reported" if report.reporter_id == player.id else "was reported for"
        yield f"report {report.id} {_at(report.at)}: {how} {report.kind} “{report.read}”: {report.status}"
    for act in acts:
        yield f"act {_at(act.at)} by {act.by}: {act.act} {act.subject} {act.reason}".rstrip()


def _document(player: Player) -> dict[str, object]:
    return {
        "id": player.id,
        "name": player.name,
        "email": None if player.is_guest else player.email,
        "status": _status(player),
        "created_at": player.created_at,
        "suspended_for": player.suspended_for,
    }


def _lines(player: Player) -> Iterator[str]:
    email = "no address" if player.is_guest or player.owner_id else player.email
    yield f"{player.id}  {player.name}, {email}: {_status(player)}, here since {_at(player.created_at)}"


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
