"""Nothing that is stored of a player is forgotten when they ask for it, or leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints

from service.kinds import MAILINGS
from service.payloads import Payload
from service.store.outbox import NAMING, TEXTS
from service.store.personal import PERSONAL, shown
from service.store.tables import metadata, players

OF_ADDRESSES = {
    *("never_again.address", "seats.invited_email", "outbox.address", "address_undos.address"),
    "confirmations.address",
}
"""Columns with addresses of people who are no players, or beside one that names the player."""

NOT_THEIRS = {
    *("reports.about_id", "blocks.blocked_id", "chat_told.player_id", "outbox.sender_id"),
    "confirmations.guest_id",
}
"""Columns that name a player in rows that are not handed out to them: they are about others, or are
handed out by another column.
"""


OF_NOBODY_ELSE = {
    *("token", "expires_at", "order", "turn_id", "id", "webhook", "in_reply_to", "references"),
    *("match", "rules", "maker", "to"),
    *("changed", "place", "error", "title"),
}
"""Members of payloads that are texts, and name nobody but their recipient: secrets, ids and names
of games; addresses, targets and the titles of matches that are the recipient's.
"""


def test_every_text_in_which_a_notice_may_name_others_is_known() -> None:
    assert {name for payload in get_args(Payload) for name in texts(payload)} == TEXTS | OF_NOBODY_ELSE
    naming = {kind for kind, row in MAILINGS.items() if not TEXTS.isdisjoint(texts(row.payload))}
    assert naming == {*NAMING, "unproven_turn"}


def texts(of: Any) -> Iterator[str]:
    """The names of the members of a dataclass, and of those in it, that are or have texts."""
    for name, hint in get_type_hints(of).items():
        if str in (hint, *get_args(hint)):
            yield name
        for inner in (hint, *get_args(hint)):
            if is_dataclass(inner):
                yield from texts(inner)


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
