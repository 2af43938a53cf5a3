"""The check before a deploy: silent over sound matches, and a sentence for everything that can
differ.
"""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from service.matches import lobby
from service.matches.checking import Checked, check
from service.store.survey import AT_ONCE, match_count, match_ids
from service.store.tables import entries, matches, seats
from service.wiring import Overland
from tests.service.fakes import RAISED, Round, discovered, person, played, played_on, started

CHANGED = """
def violation(state, seat, action):
    return Violation("too_small", "P4", "Too small.") if action == toy.Offer(1) else toy.violation(state, seat, action)

GAME = replace(toy.GAME, violation=violation)
"""
BROKEN = """
def apply(state, seat, action):
    raise ZeroDivisionError

GAME = replace(toy.GAME, apply=apply)
"""


def code(folder: Path, game: str) -> Path:
    """A folder with Pearls as that text changes it, still by version 1."""
    (folder / "code" / "pearls").mkdir(parents=True)
    head = "from dataclasses import replace\nfrom engine.types import Violation\nfrom tests.engine import toy\n"
    (folder / "code" / "pearls" / "__init__.py").write_text(head + game)
    return folder / "code"


@pytest.fixture
def table(overland: Overland, pearls: None) -> Round:
    """A running match with some plies behind it."""
    table = started(overland, "pearls")
    played_on(overland, table, random.Random(3), plies=12)
    return table


def checked(overland: Overland, match_id: str) -> Checked:
    found = check(overland.database, match_id)
    assert found is not None
    return found


def codes(overland: Overland, table: Round) -> list[str]:
    return [difference.code for difference in checked(overland, table.match.id).differences]


def change(overland: Overland, statement: Any) -> None:
    with overland.database.write() as connection:
        connection.execute(statement)


def log_of_actions(overland: Overland, table: Round) -> list[Any]:
    with overland.database.read() as connection:
        return list(
            connection.execute(select(entries).where(entries.c.match_id == table.match.id).order_by(entries.c.ply))
        )


def of(table: Round, **values: Any) -> Any:
    return update(matches).where(matches.c.id == table.match.id).values(**values)


def test_a_running_match_that_is_sound_differs_in_nothing(overland: Overland, table: Round) -> None:
    found = checked(overland, table.match.id)
    assert (found.game, found.rules_version, found.status, found.differences) == ("pearls", 1, "running", ())
    assert found.plies == lobby.find(overland, None, table.match.id).ply


@pytest.mark.parametrize("game", ["pearls", "oregon", "montana", "ozeanien"])
def test_a_finished_match_that_is_sound_differs_in_nothing(overland: Overland, pearls: None, game: str) -> None:
    table = started(overland, game)
    if game in ("pearls", "ozeanien"):
        played_on(overland, table, random.Random(1))
    else:
        played_on(overland, table, random.Random(1), plies=60)
        lobby.resign(overland, table.players[0], table.match.id)
    found = checked(overland, table.match.id)
    assert (found.status, found.differences) == ("finished", ())


def test_matches_with_resignations_are_sound(overland: Overland, pearls: None) -> None:
    three = started(overland, "pearls", seats=3)
    lobby.resign(overland, three.players[1], three.match.id)
    played(overland, three.players[0], three.match.id, "dive")
    assert codes(overland, three) == []
    lobby.resign(overland, three.players[0], three.match.id)
    assert (checked(overland, three.match.id).status, codes(overland, three)) == ("finished", [])


def test_open_and_cancelled_matches_are_checked_as_far_as_they_go(overland: Overland, pearls: None) -> None:
    from service.matches.types import SeatRequest

    ada = person(overland, "Ada")
    match = lobby.create(overland, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert checked(overland, match.id).differences == ()
    lobby.leave(overland, ada, match.id)
    assert (checked(overland, match.id).status, checked(overland, match.id).differences) == ("cancelled", ())


def test_a_match_that_is_not_there_is_none(overland: Overland) -> None:
    assert check(overland.database, "nothing") is None


def test_rules_that_are_not_at_hand_are_named(overland: Overland, table: Round) -> None:
    change(overland, of(table, rules_version=7))
    (difference,) = checked(overland, table.match.id).differences
    assert difference.code == "rules_version_missing"
    assert "version 7 of the rules of pearls" in difference.message


def test_a_game_that_is_gone_is_named(overland: Overland, table: Round) -> None:
    change(overland, of(table, game="shells"))
    assert codes(overland, table) == ["rules_version_missing"]


def test_rules_that_were_changed_without_a_new_version_are_found_out(overland: Overland, tmp_path: Path) -> None:
    with discovered():
        table = started(overland, "pearls")
        played_on(overland, table, random.Random(11))
        offers = [row.ply for row in log_of_actions(overland, table) if row.action == {"type": "offer", "value": 1}]
        assert codes(overland, table) == []
    with discovered(code(tmp_path, CHANGED)):
        (difference,) = checked(overland, table.match.id).differences
    assert (difference.code, difference.ply) == ("entry", offers[0])
    assert difference.message.endswith(f"did at ply {offers[0]} (offer) is refused by rule P4: too_small.")


def test_a_match_cannot_be_moved_to_other_rules(overland: Overland) -> None:
    with discovered():
        table = started(overland, "pearls")
    change(overland, of(table, rules_version=2))
    with discovered(RAISED):
        assert codes(overland, table) == ["commitment"]


def test_an_entry_that_the_rules_refuse_is_told_with_rule_and_ply(overland: Overland, table: Round) -> None:
    rows = log_of_actions(overland, table)
    ply = next(row.ply for row in rows if row.ply > 4 and row.action["type"] == "dive")
    change(
        overland,
        update(entries)
        .where(entries.c.match_id == table.match.id, entries.c.ply == ply)
        .values(action={"type": "answer", "take": True}),
    )
    (difference,) = checked(overland, table.match.id).differences
    assert (difference.code, difference.ply) == ("entry", ply)
    assert (
        difference.message
        == f"What seat {rows[ply].seat} did at ply {ply} (answer) is refused by rule P5: nothing_offered."
    )


def test_a_draw_that_the_secret_does_not_give_is_told_without_the_draw(overland: Overland, table: Round) -> None:
    row = next(row for row in log_of_actions(overland, table) if row.seat == -1)
    other = row.action | {"value": row.action["value"] % 3 + 1}
    change(
        overland,
        update(entries).where(entries.c.match_id == table.match.id, entries.c.ply == row.ply).values(action=other),
    )
    (difference,) = checked(overland, table.match.id).differences
    assert (difference.code, difference.ply) == ("draw", row.ply)
    assert str(row.action["value"]) not in difference.message.replace(f"ply {row.ply}", "")


def test_an_entry_that_is_no_action_is_told(overland: Overland, table: Round) -> None:
    change(
        overland,
        update(entries).where(entries.c.match_id == table.match.id, entries.c.ply == 2).values(action={"type": "wave"}),
    )
    assert codes(overland, table) == ["entry"]


def test_a_missing_entry_and_a_wrong_count_are_told(overland: Overland, table: Round) -> None:
    change(overland, of(table, ply=99))
    assert codes(overland, table) == ["ply"]
    change(overland, entries.delete().where(entries.c.match_id == table.match.id, entries.c.ply == 3))
    (difference,) = checked(overland, table.match.id).differences
    assert (difference.code, difference.ply) == ("ply", 3)


def test_awaited_seats_that_differ_are_told(overland: Overland, table: Round) -> None:
    change(overland, update(seats).where(seats.c.match_id == table.match.id).values(to_act=False))
    assert codes(overland, table) == ["to_act"]


def test_an_outcome_that_differs_is_told(overland: Overland, table: Round) -> None:
    match = played_on(overland, table, random.Random(4))
    assert match.outcome is not None
    with overland.database.read() as connection:
        outcome = connection.execute(select(matches.c.outcome).where(matches.c.id == match.id)).scalar_one()
    change(overland, of(table, outcome=outcome | {"reason": "Because."}))
    assert codes(overland, table) == ["outcome"]


def test_a_match_that_is_over_too_early_or_not_at_all_is_told(overland: Overland, table: Round) -> None:
    change(overland, of(table, status="finished"))
    assert "outcome" in codes(overland, table)


def test_components_that_are_no_longer_read_are_told(overland: Overland, table: Round) -> None:
    change(overland, of(table, components={"ones": 4, "twos": 4}))
    assert codes(overland, table) == ["setup"]


def test_a_secret_that_was_not_committed_to_is_told(overland: Overland, table: Round) -> None:
    change(overland, of(table, secret=bytes(32)))
    assert codes(overland, table) == ["commitment"]


def test_code_that_fails_is_a_difference_and_not_the_end_of_the_check(overland: Overland, tmp_path: Path) -> None:
    with discovered():
        table = started(overland, "pearls")
        played_on(overland, table, random.Random(3), plies=4)
    with discovered(code(tmp_path, BROKEN)):
        (difference,) = checked(overland, table.match.id).differences
    assert (difference.code, difference.ply, difference.message) == (
        "fault",
        0,
        "The replay fails at ply 0 with ZeroDivisionError.",
    )


def test_all_matches_are_found_page_by_page_by_status(
    overland: Overland, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.survey.AT_ONCE", 2)
    with overland.database.write() as connection:
        row = connection.execute(select(matches).where(matches.c.id == table.match.id)).one()
        connection.execute(
            matches.insert(),
            [dict(row._mapping) | {"id": f"copy{number}", "status": "cancelled"} for number in range(5)],
        )
    assert sorted(match_ids(overland.database, ("cancelled",))) == [f"copy{number}" for number in range(5)]
    assert sorted(match_ids(overland.database, ("cancelled", "running"))) == sorted(
        [table.match.id, *(f"copy{number}" for number in range(5))]
    )
    assert match_count(overland.database, ("running",)) == 1
    assert AT_ONCE > 2


def test_nobody_waits_while_matches_are_checked(
    overland: Overland, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a replay somebody plays on, and is not kept waiting for its end."""
    from service.matches import checking

    judged: list[str] = []
    original = checking._replayed

    def replayed(*args: Any) -> Any:
        seat = next(seat.seat for seat in lobby.find(overland, None, table.match.id).seats if seat.to_act)
        writer = threading.Thread(
            target=lambda: judged.append(played(overland, table.players[seat], table.match.id, "1").status)
        )
        writer.start()
        writer.join(60)
        return original(*args)

    monkeypatch.setattr(checking, "_replayed", replayed)
    before = lobby.find(overland, None, table.match.id).ply
    assert checked(overland, table.match.id).plies == before
    assert judged == ["accepted"]
    with overland.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(entries)).scalar_one() > before
