"""Statements that run on the driver: converted values, SQLAlchemy's errors, no values in them."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from service.context import Context
from service.store.database import Database
from service.store.files import FileLost
from service.store.statements import Prepared
from service.store.tables import players, tokens

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PLAYERS = Prepared(insert(players))
TOKENS = Prepared(insert(tokens))
FOUND = Prepared(
    select(players.c.id, players.c.created_at, tokens.c.scopes, tokens.c.revoked_at)
    .join(tokens, tokens.c.player_id == players.c.id)
    .where(players.c.id.in_(bindparam("ids", expanding=True)), tokens.c.label == bindparam("label"))
    .order_by(players.c.id),
    "ids",
)


def player(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "email": f"{name}@secret.example",
        "confirmed_at": None,
        "created_at": NOON,
        "preferences": {},
        "events": 0,
    }


def token(name: str) -> dict[str, Any]:
    rest = {"label": "100% new", "scopes": ["play", "read"], "created_at": NOON}
    return {"id": name, "player_id": name, "token_hash": name, **rest}


def test_values_are_converted_on_the_way_in_and_out_whatever_the_length_of_a_list(context: Context) -> None:
    with context.database.write() as connection:
        assert PLAYERS.many(connection, [player("ada"), player("ben")]) == 2
        assert TOKENS.many(connection, [token("ada"), token("ben")]) == 2
    with context.database.look() as connection:
        for ids in (["ada", "ben"], ["ada"], [], ["ben", "ada", "eve"]):
            found = FOUND.all(connection, {"ids": ids, "label": "100% new"})
            assert found == [(name, NOON, ["play", "read"], None) for name in ("ada", "ben") if name in ids]
        assert [row.scopes for row in found] == [["play", "read"]] * 2
        assert FOUND.all(connection, {"ids": ["ada"], "label": "another"}) == []


def test_an_error_is_that_of_sqlalchemy_and_quotes_no_values(context: Context) -> None:
    with pytest.raises(IntegrityError) as caught, context.database.write() as connection:
        PLAYERS.many(connection, [player("ada"), player("ada")])
    shown = "".join(traceback.format_exception(caught.value))
    assert "secret.example" not in shown
    assert "INSERT INTO players" in shown
    with pytest.raises((OperationalError, ProgrammingError)), context.database.look() as connection:
        Prepared(select(text("nothing")).select_from(text("nowhere"))).all(connection, {})
    with context.database.look() as connection:  # nothing of it is left
        assert FOUND.all(connection, {"ids": ["ada"], "label": "100% new"}) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_lost_connection_is_noticed_and_replaced(context: Context) -> None:
    asked = {"ids": ["ada"], "label": ""}
    with context.database.read() as connection:
        lost: Any = connection.connection.driver_connection
        with context.database.look() as other:
            other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": lost.info.backend_pid})
        with pytest.raises(OperationalError) as caught:
            FOUND.all(connection, asked)
        assert caught.value.connection_invalidated
        assert connection.invalidated
    with context.database.read() as connection:
        assert FOUND.all(connection, asked) == []


def test_a_reader_tells_when_a_prepared_statement_waits_for_the_database(context: Context) -> None:
    told: list[bool] = []
    database = Database(context.database.url.render_as_string(hide_password=False), waits=told.append)
    with database.read() as connection:
        told.clear()
        FOUND.all(connection, {"ids": ["ada"], "label": ""})
        assert told == [True, False]
    database.dispose()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_single_prepared_statement_sees_that_the_file_of_sqlite_is_lost(context: Context) -> None:
    file = context.database.file
    assert file is not None
    with context.database.look() as connection:
        FOUND.all(connection, {"ids": ["ada"], "label": ""})
    moved = file.rename(file.with_suffix(".moved"))
    with pytest.raises(FileLost), context.database.look() as connection:
        FOUND.all(connection, {"ids": ["ada"], "label": ""})
    moved.rename(file)
