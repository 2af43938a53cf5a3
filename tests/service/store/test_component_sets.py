"""Component sets are stored once, and the ledger names what became of them."""

from __future__ import annotations

from sqlalchemy import delete, select, update

from engine import registry
from engine.draws import digest
from service.context import Context
from service.kept import SETS, States
from service.ledger.check import check_ledger
from service.matches import lobby, replays
from service.matches.types import SeatRequest
from service.store import matches as match_rows
from service.store.tables import component_sets
from tests.service.fakes import person, restarted, started


def sets(context: Context) -> list[str]:
    with context.database.read() as connection:
        return list(connection.execute(select(component_sets.c.digest)).scalars())


def test_matches_with_the_same_components_share_one_set(context: Context, pearls: None) -> None:
    ada = person(context, "Ada")
    for _ in range(3):
        lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert sets(context) == [digest(registry.component_document("pearls"))]


def test_the_ledger_names_a_changed_set_and_a_lost_one(context: Context, pearls: None) -> None:
    table = started(context, "pearls")
    with context.database.write() as connection:
        changed = {**registry.component_document("pearls"), "ones": 9}
        connection.execute(update(component_sets).values(document=changed))
    assert "components_differ" in {breach.code for breach in check_ledger(context.database).breaches}
    with context.database.write() as connection:
        connection.execute(delete(component_sets))
    found = check_ledger(context.database)
    assert (table.match.id, "components_missing") in {(breach.subject, breach.code) for breach in found.breaches}
    assert found.lost > 0


def test_a_set_that_another_match_had_is_not_read_again(context: Context, pearls: None) -> None:
    first, second = (started(context, "pearls", names=names) for names in (("Ada", "Bela"), ("Cleo", "Dora")))
    fresh = restarted(context)
    with fresh.database.read() as connection:
        one, two = (match_rows.find(connection, table.match.id) for table in (first, second))
        assert one is not None
        assert two is not None
        replays.load(connection, fresh, one)
    with fresh.database.write() as connection:
        connection.execute(delete(component_sets))
    with fresh.database.read() as connection:
        assert replays.load(connection, fresh, two) is not None


def test_only_the_most_recently_used_sets_are_remembered() -> None:
    states = States(1)
    for number in range(SETS):
        states.remember_component_set(number, f"set {number}")
    assert states.component_set(0) == "set 0"
    states.remember_component_set(SETS, "one more")
    assert states.component_set(1) is None
    assert states.component_set(0) == "set 0"
    states.forget()
    assert states.component_set(0) is None
