"""Players in the database: the confirmations of their addresses, what they want to be mailed (what
they have chosen alone), whom they have blocked, and how reliably they have played. Also the
addresses, folded, whose owners want no mail from here.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, func, or_, select, update

from engine.documents import About
from service.clocks.history import BY_BOT
from service.house import HOUSE, HousePlayer
from service.ids import ID_PATTERN, NAME_PATTERN
from service.store.statements import Rows, any_row, insert_new, replace_row
from service.store.tables import (
    blocks,
    clock_steps,
    confirmations,
    match_preferences,
    matches,
    never_again,
    player_addresses,
    players,
    seats,
    stops,
)


@dataclass(frozen=True, slots=True)
class Player:
    """A person, with the primary address, folded; or a bot or a guest, whose address is none.
    ``left_at`` is set once they have left for good, ``suspended_at`` while the operator has
    suspended them, ``suspended_for`` that reason.
    """

    id: Annotated[str, About("The id of the player.", pattern=ID_PATTERN)]
    name: Annotated[str, About("The name, as other players see it.", pattern=NAME_PATTERN)]
    email: Annotated[str, About("The primary address, which only its player sees; of guests and bots a made-up one.")]
    confirmed_at: Annotated[datetime | None, About("When it was confirmed; `null` until then.")]
    created_at: Annotated[datetime, About("Since when they play here.")]
    owner_id: Annotated[str | None, About("Whose bot this is; `null` for a person.")] = None
    guest_until: Annotated[
        datetime | None, About("Until when they play as a guest, without an address; `null` for everybody else.")
    ] = None
    left_at: datetime | None = None
    suspended_at: datetime | None = None
    suspended_for: str | None = None

    @property
    def is_guest(self) -> bool:
        """Whether they play without having signed up."""
        return self.guest_until is not None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A one-time token that was sent to a player's address, stored as its hash."""

    token_hash: str
    player_id: str
    expires_at: datetime
    used_at: datetime | None
    join_secret: str | None = None
    """The secret of the join link that the player has followed, and comes back to."""
    guest_id: str | None = None
    """The guest in whose browser it was asked for."""
    address: str | None = None
    """The address that it was mailed to, folded."""


PLAYERS: Final = Rows(Player, players)
_CONFIRMATIONS: Final = Rows(Confirmation, confirmations)
find: Final = PLAYERS.by(players.c.id)
by_email: Final = PLAYERS.by(players.c.email)
"""By the primary address, folded."""
guest_of: Final = PLAYERS.by(players.c.guest_key)
add_confirmation: Final = _CONFIRMATIONS.add
find_confirmation: Final = _CONFIRMATIONS.by(confirmations.c.token_hash)


def add(connection: Connection, player: Player) -> None:
    """Adds a player. Raises ``IntegrityError`` where the address exists already."""
    PLAYERS.add(connection, player, preferences={})


def add_house(connection: Connection, players_of_house: Iterable[HousePlayer], now: datetime) -> None:
    """Adds bots of the house that are not there yet. What stands for their address is none."""
    bots = [PLAYERS.values(Player(bot.id, bot.name, bot.id, now, now)) for bot in players_of_house]
    insert_new(connection, players, *(bot | {"preferences": {}} for bot in bots))


def by_address(connection: Connection, folded: str) -> Player | None:
    """The player who has confirmed that address, primary or not; otherwise the one who signed up
    with it, whose ``confirmed_at`` is ``None``.
    """
    theirs = player_addresses.c.folded == folded, player_addresses.c.confirmed_at.is_not(None)
    holder = select(player_addresses.c.player_id).where(*theirs)
    return PLAYERS.find(connection, players.c.id.in_(holder)) or by_email(connection, folded)


def names(connection: Connection, player_ids: Collection[str]) -> dict[str, str]:
    if not player_ids:
        return {}
    found = connection.execute(select(players.c.id, players.c.name).where(players.c.id.in_(player_ids)))
    return {row.id: row.name for row in found}


def rename(connection: Connection, player_id: str, name: str, key: str | None) -> None:
    """Raises ``IntegrityError`` where another player has a name of that ``key``."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name, name_key=key))


def suspend(connection: Connection, player_id: str, at: datetime | None, reason: str | None) -> None:
    """Suspends a player with their bots, from ``at`` on; with ``None`` no longer."""
    connection.execute(update(players).where(with_bots(player_id)).values(suspended_at=at, suspended_for=reason))


def with_bots(player_id: str) -> ColumnElement[bool]:
    """Whether a row of the players is of that player, or of one of their bots."""
    return (players.c.id == player_id) | (players.c.owner_id == player_id)


def search(connection: Connection, words: str, only_suspended: bool, limit: int) -> tuple[Player, ...]:
    """At most ``limit`` players whose id, name or address has these words in it, newest first; no
    bots of the house, nobody who has left.
    """
    text = words.casefold()
    theirs = player_addresses.c.folded.contains(text, autoescape=True)
    with_address = select(player_addresses.c.player_id).where(theirs)
    named = func.lower(players.c.name).contains(text, autoescape=True)
    here = players.c.left_at.is_(None) & players.c.id.not_in(sorted(HOUSE))
    found = here & or_(players.c.id == words, named, players.c.id.in_(with_address))
    if only_suspended:
        found &= players.c.suspended_at.is_not(None)
    return PLAYERS.all(connection, found, order=(players.c.created_at.desc(), players.c.id), limit=limit)


def bots_of(connection: Connection, owner_id: str) -> tuple[Player, ...]:
    """The bots of a player that have not left, oldest first."""
    mine = (players.c.owner_id == owner_id) & players.c.left_at.is_(None)
    return PLAYERS.all(connection, mine, order=(players.c.created_at, players.c.id))


def lock_here(connection: Connection, player_ids: Collection[str]) -> frozenset[str]:
    """Those of the players who have not left; they do not until the end of the transaction. Lock
    matches before. Others may refer to them, and lock them so, too.
    """
    here = players.c.id.in_(player_ids) & players.c.left_at.is_(None)
    wanted = select(players.c.id).where(here).order_by(players.c.id)
    return frozenset(connection.scalars(wanted.with_for_update(read=True, key_share=True)))


def lock_leaving(connection: Connection, player_id: str) -> None:
    """Locks a player who leaves: nobody seats them until the end of the transaction."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update())


def add_guest(connection: Connection, guest: Player, key: str, name_key: str) -> None:
    """Adds a guest, whose ``key`` is the digest of what the browser knows. Raises
    ``IntegrityError`` where somebody has that key or name.
    """
    PLAYERS.add(connection, guest, preferences={}, guest_key=key, name_key=name_key)


def forget_guest_key(connection: Connection, guest_id: str) -> None:
    """Frees the key of a guest whose time has ended."""
    connection.execute(update(players).where(players.c.id == guest_id).values(guest_key=None))


def end_guest(connection: Connection, guest_id: str, email: str) -> None:
    """Makes a guest a player like others, with that address, which is to be confirmed."""
    own = update(players).where(players.c.id == guest_id)
    connection.execute(own.values(guest_until=None, guest_key=None, email=email))


def to_send_away(connection: Connection, guests: datetime, unconfirmed: datetime) -> tuple[str, ...]:
    """The ids of those who have not left: guests whose time ended before ``guests``, and who signed
    up and could confirm an address until before ``unconfirmed``, and did not.
    """
    could = exists().where(confirmations.c.player_id == players.c.id, confirmations.c.expires_at >= unconfirmed)
    missed = players.c.guest_until.is_(None) & (players.c.created_at < unconfirmed) & ~could
    ended = players.c.confirmed_at.is_(None) & ((players.c.guest_until < guests) | missed)
    wanted = select(players.c.id).where(players.c.left_at.is_(None), ended)
    return tuple(connection.scalars(wanted.order_by(players.c.created_at)))


def has_name(connection: Connection, key: str) -> str | None:
    """The id of the player who has a name of that key."""
    return connection.scalar(select(players.c.id).where(players.c.name_key == key))


def confirm(connection: Connection, player_id: str, now: datetime) -> None:
    """Marks the address as confirmed, unless it is already."""
    unconfirmed = update(players).where(players.c.id == player_id, players.c.confirmed_at.is_(None))
    connection.execute(unconfirmed.values(confirmed_at=now))


def use_confirmation(connection: Connection, token_hash: str, now: datetime) -> None:
    connection.execute(update(confirmations).where(confirmations.c.token_hash == token_hash).values(used_at=now))


def use_confirmations(connection: Connection, player_id: str, now: datetime) -> None:
    """Marks all one-time tokens of a player as used that were not."""
    unused = (confirmations.c.player_id == player_id) & confirmations.c.used_at.is_(None)
    connection.execute(update(confirmations).where(unused).values(used_at=now))


Scope: TypeAlias = Literal["match", "kind", "everything"]


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a link in a player's mail was used to stop."""

    at: Annotated[datetime, About("When.")]
    scope: Annotated[Scope, About("What was stopped: a match, a kind of mails, or everything.")]
    match_id: Annotated[str | None, About("The match; `null` if it was not one.")]
    kind: Annotated[str | None, About("The kind of mails; `null` if it was not one.")]
    one_click: Annotated[bool, About("True if a mail program did it (RFC 8058), false for a page.")]


_STOPS: Final = Rows(Stopped, stops)


def preferences_of(connection: Connection, player_ids: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """What these players have chosen for all matches, by player; unknown ones are missing."""
    wanted = select(players.c.id, players.c.preferences).where(players.c.id.in_(player_ids))
    return {row.id: row.preferences or {} for row in connection.execute(wanted)}


def lock_preferences(connection: Connection, player_id: str, match_id: str | None = None) -> Mapping[str, Any]:
    """What the player has chosen for all matches, locked with what they have chosen for single
    ones; ``match_id`` where that of a match is to be set. Matches are locked before players, as
    everywhere, so that two transactions cannot deadlock.
    """
    if match_id is not None:  # the foreign key of the row would lock it, after the player
        match = select(matches.c.id).where(matches.c.id == match_id)
        connection.execute(match.with_for_update(read=True, key_share=True))
    mine = select(players.c.preferences).where(players.c.id == player_id).with_for_update(key_share=True)
    return connection.scalar(mine) or {}


def set_preferences(connection: Connection, player_id: str, document: Mapping[str, Any]) -> None:
    connection.execute(update(players).where(players.c.id == player_id).values(preferences=dict(document)))


def match_preferences_of(connection: Connection, player_id: str, match_id: str) -> Mapping[str, Any]:
    """What the player has chosen for that match alone; nothing where they have not."""
    return connection.scalar(select(match_preferences.c.document).where(*_for_match(player_id, match_id))) or {}


def all_match_preferences(connection: Connection, player_id: str) -> Mapping[str, Mapping[str, Any]]:
    """What the player has chosen for single matches, by match."""
    mine = select(match_preferences).where(match_preferences.c.player_id == player_id)
    return {row.match_id: row.document for row in connection.execute(mine)}


def set_match_preferences(
    connection: Connection, player_id: str, match_id: str, document: Mapping[str, Any], now: datetime
) -> None:
    """Replaces what the player has chosen for that match alone."""
    row = {"player_id": player_id, "match_id": match_id, "document": dict(document), "changed_at": now}
    replace_row(connection, match_preferences, row)


def forget_match_preferences(connection: Connection, player_id: str, match_id: str) -> None:
    connection.execute(delete(match_preferences).where(*_for_match(player_id, match_id)))


def _for_match(player_id: str, match_id: str) -> tuple[ColumnElement[bool], ...]:
    return match_preferences.c.player_id == player_id, match_preferences.c.match_id == match_id


def add_stop(connection: Connection, player_id: str, stop: Stopped) -> None:
    _STOPS.add(connection, stop, id=uuid.uuid4().hex, player_id=player_id)


def latest_stops(connection: Connection, player_id: str, limit: int) -> tuple[Stopped, ...]:
    """Up to ``limit`` of the things that the player's mails were asked to stop, newest first."""
    return _STOPS.all(connection, stops.c.player_id == player_id, order=(stops.c.at.desc(), stops.c.id), limit=limit)


def forbid_mail(connection: Connection, address: str, now: datetime) -> None:
    """Records that nobody is to have mails sent to this address; again changes nothing."""
    insert_new(connection, never_again, {"address": address, "at": now})


def is_mail_forbidden(connection: Connection, address: str) -> bool:
    return any_row(connection, never_again.c.address, never_again.c.address == address)


def allow_mail(connection: Connection, address: str) -> None:
    """Forgets that mail was forbidden: the address itself has asked for some."""
    connection.execute(delete(never_again).where(never_again.c.address == address))


@dataclass(frozen=True, slots=True)
class Blocked:
    """A player whom you have blocked."""

    player_id: Annotated[str, About("The id of the player.")]
    name: Annotated[str, About("Their name.")]
    at: Annotated[datetime, About("When you blocked them.")]


_BLOCKED: Final = Rows(Blocked, blocks, {"player_id": blocks.c.blocked_id, "name": players.c.name})


def block(connection: Connection, player_id: str, blocked_id: str, now: datetime) -> None:
    """Records that the player has blocked another, unless they had."""
    insert_new(connection, blocks, {"player_id": player_id, "blocked_id": blocked_id, "at": now})


def unblock(connection: Connection, player_id: str, blocked_id: str) -> None:
    connection.execute(delete(blocks).where(blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id))


def blocked_by(connection: Connection, player_id: str) -> tuple[Blocked, ...]:
    """Whom a player has blocked, in the order of blocking."""
    mine = _BLOCKED.wanted.join(players, players.c.id == blocks.c.blocked_id).where(blocks.c.player_id == player_id)
    return _BLOCKED.every(connection, mine.order_by(blocks.c.at, blocks.c.blocked_id))


def ids_blocked_by(connection: Connection, player_id: str) -> frozenset[str]:
    return frozenset(blocked_id for _, blocked_id in blocked_pairs(connection, [player_id]))


def blocked_pairs(connection: Connection, player_ids: Collection[str]) -> frozenset[tuple[str, str]]:
    """Whom these players have blocked, with their bots: pairs of a player and a blocked one."""
    theirs = blocks.c.player_id.in_(player_ids)
    bots = select(blocks.c.player_id, players.c.id).join(players, players.c.owner_id == blocks.c.blocked_id)
    wanted = select(blocks.c.player_id, blocks.c.blocked_id).where(theirs).union(bots.where(theirs))
    return frozenset((row.player_id, row.blocked_id) for row in connection.execute(wanted))


GONE: Final = ("time_up_bot_seat", "time_up_resign")
"""The steps after which a player does not come back."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Counted over the matches with other people that have started: ``turns`` in those with a
    clock, and how many were ``in_time``; and how many matches the player has ``left``, to a bot.
    """

    turns: int = 0
    in_time: int = 0
    matches: int = 0
    left: int = 0


def reliability_of(connection: Connection, player_ids: Collection[str]) -> dict[str, Reliability]:
    played, late = Counter[str](), Counter[str]()
    for row in connection.execute(_steps(player_ids)):
        (late if row.kind in BY_BOT else played)[row.player_id] += row.number
    found = {}
    for row in connection.execute(_seats(player_ids)):
        turns = played[row.player_id] + late[row.player_id]
        found[row.player_id] = Reliability(turns, played[row.player_id], row.matches, row.gone or 0)
    return {player_id: found.get(player_id, Reliability()) for player_id in player_ids}


def _steps(player_ids: Collection[str]) -> Any:
    wanted = select(clock_steps.c.player_id, clock_steps.c.kind, func.count().label("number")).where(
        clock_steps.c.player_id.in_(player_ids), clock_steps.c.kind.in_(("turn", *BY_BOT)), _with_people(clock_steps)
    )
    return wanted.group_by(clock_steps.c.player_id, clock_steps.c.kind)


def _seats(player_ids: Collection[str]) -> Any:
    ended = exists().where(
        clock_steps.c.match_id == seats.c.match_id,
        clock_steps.c.seat == seats.c.seat,
        clock_steps.c.player_id == seats.c.player_id,
        clock_steps.c.kind.in_(GONE),
    )
    others = seats.alias("others")
    more = select(func.count()).where(others.c.match_id == seats.c.match_id).scalar_subquery()
    left = or_(seats.c.held_at.is_not(None), ended, and_(seats.c.resigned_at.is_not(None), more > 2))
    return (
        select(seats.c.player_id, func.count().label("matches"), func.count().filter(left).label("gone"))
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.player_id.in_(player_ids), matches.c.started_at.is_not(None), _with_people(seats))
        .group_by(seats.c.player_id)
    )


def _with_people(of: Table) -> ColumnElement[bool]:
    """Whether another person has a seat in the match of a row, which names its player."""
    other = seats.alias("other")
    return exists().where(
        other.c.match_id == of.c.match_id,
        other.c.player_id != of.c.player_id,
        other.c.player_id.not_in(sorted(HOUSE)),
    )
