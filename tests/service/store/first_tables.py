"""The statements of the first migration, in SQL, for each kind of database.

``python -m tests.service.store.first_tables`` writes them as the tables are declared now (``make
first-tables``). What is released is never written again: a later change of the tables is a
migration of its own, which is the only one in the folder no more.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import URL, Dialect
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from service.store.schema import VERSIONS, known_migrations
from service.store.tables import metadata

DATABASES: Final = ("postgresql", "sqlite")


def statements(dialect: Dialect) -> str:
    """What creates the tables as they are declared, those first that others refer to."""
    made: list[ExecutableDDLElement] = []
    for table in metadata.sorted_tables:
        made += [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))]
    lines = "\n".join(f"{str(each.compile(dialect=dialect)).strip()};" for each in made).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


if __name__ == "__main__":
    if known_migrations() != ("0001",):
        raise SystemExit("A migration follows the first one, which is frozen: write another.")
    for name in DATABASES:
        (VERSIONS / f"m0001_{name}.sql").write_text(statements(URL.create(name).get_dialect()()))
