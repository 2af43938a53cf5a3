"""What version 0.1.0 left behind, loaded as it lies in ``from_0_1_0``: a database, the keys of its
queue, and the statements of a process that goes on.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from redis import Redis
from sqlalchemy import Connection

from service.store.database import Database, _config, normalised

FOLDER = Path(__file__).parent / "from_0_1_0"
CONTENTS: dict[str, Any] = json.loads((FOLDER / "contents.json").read_text())
LAST_MIGRATION = "0003"
ORDER = ("players", "confirmations", "tokens", "matches", "seats", "turns", "entries", "outbox")
"""The tables of 0.1.0, those first that others refer to."""


def load_database(url: str, scratch: Path) -> None:
    """Loads the database of 0.1.0 into an empty one, not migrated any further."""
    if normalised(url).get_backend_name() == "sqlite":
        _load_sqlite(Path(normalised(url).database or ""))
        return
    _load_sqlite(scratch)
    database = Database(url)
    with database.write() as connection, closing(sqlite3.connect(scratch)) as kept:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, LAST_MIGRATION)
        connection.exec_driver_sql("SET LOCAL TIME ZONE 'UTC'")
        for table in ORDER:
            _copy(kept, connection, table)
    database.dispose()


def load_queue(redis: Redis) -> None:
    """Loads the keys that 0.1.0 had in its queue: two jobs that no worker has taken."""
    for key, kept in json.loads((FOLDER / "redis.json").read_text()).items():
        value = kept["value"]
        match kept["type"]:
            case "string":
                redis.set(key, b64decode(value), px=1000)
            case "list":
                redis.rpush(key, *map(b64decode, value))
            case "set":
                redis.sadd(key, *map(b64decode, value))
            case "hash":
                redis.hset(key, mapping={name: b64decode(each) for name, each in value.items()})
            case kind:
                raise AssertionError(f"{key} is a {kind}")


def go_on(database: Database) -> None:
    """Executes what a process of 0.1.0 went on to do, statement by statement, in its transactions.

    Every change has to reach as many rows as it did then.
    """
    kind = database.url.get_backend_name()
    with database.engine.connect() as connection:
        connection = connection.execution_options(overland_write=True)
        for transaction in _transactions(FOLDER / f"statements.{kind}.jsonl"):
            with connection.begin():
                for statement in transaction:
                    rows = _execute(connection, statement)
                    assert statement["rows"] is None or rows == statement["rows"], statement["sql"]


def judge_as_0_1_0(database: Database, turn_id: str) -> None:
    """Executes the statement by which 0.1.0 wrote a verdict, for that turn."""
    kind = database.url.get_backend_name()
    statements = [each for part in _transactions(FOLDER / f"statements.{kind}.jsonl") for each in part]
    recorded = next(each for each in statements if each["sql"].startswith("UPDATE turns SET status"))
    of_one = json.loads(json.dumps(recorded["parameters"][0]).replace(CONTENTS["waiting"][1], turn_id))
    with database.write() as connection:
        assert _execute(connection, recorded | {"parameters": [of_one]}) == 1


def _load_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((FOLDER / "database.sql").read_text())


def _copy(kept: sqlite3.Connection, connection: Connection, table: str) -> None:
    kinds = [str(row[2]) for row in kept.execute(f"PRAGMA table_info({table})")]
    names = [str(row[1]) for row in kept.execute(f"PRAGMA table_info({table})")]
    rows = [
        tuple(bool(value) if kind == "BOOLEAN" else value for kind, value in zip(kinds, row, strict=True))
        for row in kept.execute(f"SELECT {', '.join(names)} FROM {table}")
    ]
    marks = ", ".join("%s" for _ in names)
    connection.exec_driver_sql(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)


def _transactions(file: Path) -> Iterator[list[dict[str, Any]]]:
    collected: list[dict[str, Any]] = []
    for line in file.read_text().splitlines():
        statement = json.loads(line)
        if "commit" in statement:
            yield collected
            collected = []
        else:
            collected.append(statement)
    assert not collected


def _execute(connection: Connection, statement: dict[str, Any]) -> int:
    several = [_parameters(each) for each in statement["parameters"]]
    done = connection.exec_driver_sql(statement["sql"], several if len(several) > 1 else several[0])
    return done.rowcount


def _parameters(recorded: Any) -> Any:
    if isinstance(recorded, dict):
        return {name: _value(value) for name, value in recorded.items()}
    return tuple(_value(value) for value in recorded)


def _value(recorded: Any) -> Any:
    match recorded:
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"time": text}:
            return text
        case _:
            return recorded
