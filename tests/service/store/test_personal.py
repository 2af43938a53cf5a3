"""Nothing that is stored of a player is forgotten when they ask for it, or leave."""

from __future__ import annotations

from service.store.personal import PERSONAL, shown
from service.store.tables import metadata, players

OF_ADDRESSES = {"never_again.address", "seats.invited_email", "outbox.address", "address_undos.address"}
"""Columns with addresses of people who are no players, or beside one that names the player."""

NOT_THEIRS = {
    *("reports.about_id", "blocks.blocked_id", "chat_told.player_id", "outbox.sender_id"),
    "confirmations.guest_id",
}
"""Columns that name a player in rows that are not handed out to them: they are about others, or are
handed out by another column.
"""


def test_every_column_that_names_a_player_is_listed() -> None:
    listed = {f"{each.column.table.name}.{each.column.name}" for each in PERSONAL} - {"players.id"}
    naming = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if column.name == "player_id" or any(key.column is players.c.id for key in column.foreign_keys)
    }
    assert naming <= listed


def test_every_column_with_an_address_is_known() -> None:
    with_addresses = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if any(word in column.name for word in ("address", "email"))
    }
    of_players = {f"{each.column.table.name}.address" for each in PERSONAL if each.goes}
    assert with_addresses <= OF_ADDRESSES | of_players | {"players.email", "address_confirmations.address_id"}


def test_all_that_names_a_player_is_handed_out_but_what_is_not_theirs() -> None:
    assert {f"{each.column.table.name}.{each.column.name}" for each in PERSONAL if not each.handed_out} == NOT_THEIRS


def test_no_digest_of_a_secret_is_handed_out() -> None:
    tables = {each.column.table for each in PERSONAL if each.handed_out}
    names = {column.name for table in tables for column in shown(table)}
    assert not [name for name in names if "hash" in name or "secret" in name]
