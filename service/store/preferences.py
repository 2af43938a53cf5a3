"""What players want to be mailed, in the database: documents of a player, and of a player and a
match, and what was stopped by links in mails.

A document holds only what was chosen; ``service.players.preferences`` knows the rest.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select, update

from engine.documents import About
from service.store.rows import insert_into
from service.store.tables import match_preferences, matches, players, stops

Scope: TypeAlias = Literal["match", "kind", "everything"]


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a link in a player's mail was used to stop."""

    at: datetime
    scope: Annotated[Scope, About("What was stopped: a match, a kind of mails, or everything.")]
    match_id: str | None
    kind: str | None
    one_click: Annotated[bool, About("True if a mail program did it (RFC 8058), false for a page.")]


def of_player(connection: Connection, player_id: str) -> Mapping[str, Any]:
    """What the player has chosen for all matches; nothing for an unknown player."""
    found = connection.execute(select(players.c.preferences).where(players.c.id == player_id)).scalar()
    return found or {}


def of_players(connection: Connection, player_ids: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """What these players have chosen for all matches, by player."""
    wanted = select(players.c.id, players.c.preferences).where(players.c.id.in_(player_ids))
    return {row.id: row.preferences or {} for row in connection.execute(wanted)}


def lock(connection: Connection, player_id: str, match_id: str | None = None) -> Mapping[str, Any]:
    """The same, locked until the end of the transaction, with those of all matches; ``match_id``
    where those of that match are to be set.

    Matches are locked before players, as everywhere, so that two transactions cannot deadlock.
    """
    if match_id is not None:  # the foreign key of the row would lock it, after the player
        match = select(matches.c.id).where(matches.c.id == match_id)
        connection.execute(match.with_for_update(read=True, key_share=True))
    mine = select(players.c.preferences).where(players.c.id == player_id).with_for_update(key_share=True)
    return connection.execute(mine).scalar() or {}


def set_of_player(connection: Connection, player_id: str, document: Mapping[str, Any]) -> None:
    """Replaces what the player has chosen for all matches."""
    connection.execute(update(players).where(players.c.id == player_id).values(preferences=dict(document)))


def of_match(connection: Connection, player_id: str, match_id: str) -> Mapping[str, Any]:
    """What the player has chosen for that match alone; nothing where they have not."""
    mine = (match_preferences.c.player_id == player_id) & (match_preferences.c.match_id == match_id)
    return connection.execute(select(match_preferences.c.document).where(mine)).scalar() or {}


def of_matches(connection: Connection, player_id: str) -> Mapping[str, Mapping[str, Any]]:
    """What the player has chosen for single matches, by match."""
    mine = select(match_preferences).where(match_preferences.c.player_id == player_id)
    return {row.match_id: row.document for row in connection.execute(mine)}


def set_of_match(
    connection: Connection, player_id: str, match_id: str, document: Mapping[str, Any], now: datetime
) -> None:
    """Replaces what the player has chosen for that match alone."""
    new = insert_into(connection, match_preferences).values(
        player_id=player_id, match_id=match_id, document=dict(document), changed_at=now
    )
    connection.execute(
        new.on_conflict_do_update(
            index_elements=["player_id", "match_id"],
            set_={"document": new.excluded.document, "changed_at": new.excluded.changed_at},
        )
    )


def forget_of_match(connection: Connection, player_id: str, match_id: str) -> None:
    """Deletes what the player has chosen for that match alone."""
    mine = (match_preferences.c.player_id == player_id) & (match_preferences.c.match_id == match_id)
    connection.execute(delete(match_preferences).where(mine))


def add_stop(connection: Connection, player_id: str, stop: Stopped) -> None:
    """Records what was stopped by a link."""
    connection.execute(
        insert(stops).values(
            id=uuid.uuid4().hex,
            player_id=player_id,
            at=stop.at,
            scope=stop.scope,
            match_id=stop.match_id,
            kind=stop.kind,
            one_click=stop.one_click,
        )
    )


def latest_stops(connection: Connection, player_id: str, limit: int) -> tuple[Stopped, ...]:
    """Up to ``limit`` of the things that the player's mails were asked to stop, newest first."""
    mine = select(stops).where(stops.c.player_id == player_id).order_by(stops.c.at.desc(), stops.c.id).limit(limit)
    return tuple(Stopped(row.at, row.scope, row.match_id, row.kind, row.one_click) for row in connection.execute(mine))
