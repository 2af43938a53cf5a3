"""Component sets are stored once; those of matches that version 0.1.0 made are found and moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from engine import registry
from engine.draws import digest
from service import upkeep
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import lobby, replays
from service.matches.types import SeatRequest
from service.states import SETS, States
from service.store import component_sets as rows
from service.store import matches as match_rows
from service.store.tables import component_sets, matches
from service.store.upgrades import SIDE_BY_SIDE
from service.views import match as views
from tests.service.fakes import Clock, Timer, person, restarted, started, state_of


def as_before(context: Context, *match_ids: str) -> None:
    """These matches hold their set themselves, as in version 0.1.0, and nothing else does."""
    with context.database.write() as connection:
        for match_id in match_ids:
            document = rows.of_match(connection, match_id)
            connection.execute(update(matches).where(matches.c.id == match_id).values(components=document))
        connection.execute(delete(component_sets))


def copies(context: Context) -> list[Any]:
    with context.database.read() as connection:
        return list(connection.execute(select(matches.c.components).order_by(matches.c.id)).scalars())


def sets(context: Context) -> list[str]:
    with context.database.read() as connection:
        return list(connection.execute(select(component_sets.c.digest)).scalars())


def later(context: Context, **time: float) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(**time)


def test_matches_with_the_same_components_share_one_set(context: Context, pearls: None) -> None:
    ada = person(context, "Ada")
    for _ in range(3):
        lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert sets(context) == [digest(registry.component_document("pearls"))]
    assert copies(context) == [{}, {}, {}]


def test_every_way_to_a_set_finds_the_copy_in_a_match_of_version_0_1_0(context: Context, pearls: None) -> None:
    table = started(context, "pearls")
    before = state_of(context, table.match.id)
    as_before(context, table.match.id)
    assert views.components(context, table.match.id) == registry.component_document("pearls")
    assert state_of(context, table.match.id) == before
    assert check_ledger(context.database).breaches == []


def test_copies_are_emptied_an_hour_after_their_set_was_stored(context: Context, pearls: None) -> None:
    table = started(context, "pearls")
    as_before(context, table.match.id)
    assert upkeep.tidy(context) == 1
    assert sets(context) == [digest(registry.component_document("pearls"))]
    later(context, minutes=59)
    assert upkeep.tidy(context) == 0
    assert copies(context) == [registry.component_document("pearls")]
    later(context, minutes=2)
    assert upkeep.tidy(context) == 1
    assert copies(context) == [{}]
    assert upkeep.tidy(context) == 0
    assert check_ledger(context.database).breaches == []
    assert state_of(context, table.match.id) is not None


def test_a_copy_that_is_not_the_set_of_its_digest_is_kept_and_named(context: Context, pearls: None) -> None:
    table = started(context, "pearls")
    with context.database.write() as connection:
        connection.execute(update(matches).values(components={"ones": 1, "twos": 1, "threes": 1}))
    later(context, seconds=SIDE_BY_SIDE.total_seconds() + 1)
    assert upkeep.tidy(context) == 0
    (breach,) = check_ledger(context.database).breaches
    assert (breach.code, breach.subject) == ("components_differ", table.match.id)


def test_tidying_many_matches_stops_when_its_time_is_used_up(
    context: Context, pearls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [started(context, "pearls", names=(f"A{number}", f"B{number}")) for number in range(2)]
    as_before(context, *(table.match.id for table in tables))
    upkeep.tidy(context)
    later(context, hours=2)
    monkeypatch.setattr(upkeep, "AT_ONCE", 1)
    assert upkeep.tidy(replace(context, timer=Timer(step=upkeep.LONGEST_SECONDS))) == 1
    assert copies(context).count({}) == 1


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
