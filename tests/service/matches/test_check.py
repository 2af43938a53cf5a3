"""The check before a deploy: no findings for sound matches, and a sentence for everything that can
differ.
"""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from engine import registry
from service.context import Context
from service.matches import lobby
from service.matches.check import Checked, check, wake_if_mended
from service.store.survey import AT_ONCE, match_count, match_ids
from service.store.tables import component_sets, entries, matches, seats
from tests.service.fakes import RAISED, Round, discovered, person, played, played_on, started
from tools.games import fewest_seats

CHANGED = """
def problems(state, seat, action):
    return [Problem("too_small", "P4")] if action == toy.Offer(1) else toy.problems(state, seat, action)

def explain(problem):
    return "Too small." if problem.code == "too_small" else toy.explain(problem)

GAME = replace(toy.GAME, problems=problems, explain=explain)
"""
BROKEN = """
def apply(state, seat, action):
    raise ZeroDivisionError

GAME = replace(toy.GAME, apply=apply)
"""


def code(folder: Path, game: str) -> Path:
    """A folder with Pearls as that text changes it, still by version 1."""
    (folder / "code" / "pearls").mkdir(parents=True)
    head = "from dataclasses import replace\nfrom engine.types import Problem\nfrom tests.engine import toy\n"
    (folder / "code" / "pearls" / "__init__.py").write_text(head + game)
    return folder / "code"


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    """A running match after some plies."""
    table = started(context, "pearls")
    played_on(context, table, random.Random(3), plies=12)
    return table


def checked(context: Context, match_id: str) -> Checked:
    found = check(context.database, match_id)
    assert found is not None
    return found


def codes(context: Context, table: Round) -> list[str]:
    return [difference.code for difference in checked(context, table.match.id).differences]


def change(context: Context, statement: Any) -> None:
    with context.database.write() as connection:
        connection.execute(statement)


def log_of_actions(context: Context, table: Round) -> list[Any]:
    with context.database.read() as connection:
        return list(
            connection.execute(select(entries).where(entries.c.match_id == table.match.id).order_by(entries.c.ply))
        )


def of(table: Round, **values: Any) -> Any:
    return update(matches).where(matches.c.id == table.match.id).values(**values)


def test_a_running_match_that_is_sound_differs_in_nothing(context: Context, table: Round) -> None:
    found = checked(context, table.match.id)
    assert (found.game, found.rules_version, found.status, found.differences) == ("pearls", 1, "running", ())
    assert found.plies == lobby.find(context, None, table.match.id).ply


@pytest.mark.parametrize("game", ["pearls", *registry.games()])
def test_a_finished_match_that_is_sound_differs_in_nothing(context: Context, pearls: None, game: str) -> None:
    """Long matches are ended after 60 plies, by resignation."""
    table = started(context, game, fewest_seats(registry.game(game).info.seats))
    if played_on(context, table, random.Random(1), plies=60).status == "running":
        for player in table.players[1:]:
            lobby.resign(context, player, table.match.id)
    found = checked(context, table.match.id)
    assert (found.status, found.differences) == ("finished", ())


def test_matches_with_resignations_are_sound(context: Context, pearls: None) -> None:
    three = started(context, "pearls", seats=3)
    lobby.resign(context, three.players[1], three.match.id)
    played(context, three.players[0], three.match.id, "dive")
    assert codes(context, three) == []
    lobby.resign(context, three.players[0], three.match.id)
    assert (checked(context, three.match.id).status, codes(context, three)) == ("finished", [])


def test_open_and_cancelled_matches_are_checked_as_far_as_they_go(context: Context, pearls: None) -> None:
    from service.matches.types import SeatRequest

    ada = person(context, "Ada")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert checked(context, match.id).differences == ()
    lobby.leave(context, ada, match.id)
    assert (checked(context, match.id).status, checked(context, match.id).differences) == ("cancelled", ())


def test_a_match_that_does_not_exist_is_not_found(context: Context) -> None:
    assert check(context.database, "nothing") is None


def test_rules_that_are_not_installed_are_named(context: Context, table: Round) -> None:
    change(context, of(table, rules_version=7))
    (difference,) = checked(context, table.match.id).differences
    assert difference.code == "rules_version_missing"
    assert "version 7 of the rules of pearls" in difference.message


def test_a_game_that_is_not_installed_is_reported(context: Context, table: Round) -> None:
    change(context, of(table, game="shells"))
    assert codes(context, table) == ["rules_version_missing"]


def test_rules_that_were_changed_without_a_new_version_are_found_out(context: Context, tmp_path: Path) -> None:
    with discovered():
        table = started(context, "pearls")
        played_on(context, table, random.Random(11))
        offers = [row.ply for row in log_of_actions(context, table) if row.action == {"type": "offer", "value": 1}]
        assert codes(context, table) == []
    with discovered(code(tmp_path, CHANGED)):
        (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("entry", offers[0])
    assert difference.message.endswith(f"did at ply {offers[0]} (offer) is refused by rule P4: too_small.")


def test_a_match_cannot_be_moved_to_other_rules(context: Context) -> None:
    with discovered():
        table = started(context, "pearls")
    change(context, of(table, rules_version=2))
    with discovered(RAISED):
        assert codes(context, table) == ["commitment"]


def test_an_entry_that_the_rules_refuse_is_told_with_rule_and_ply(context: Context, table: Round) -> None:
    rows = log_of_actions(context, table)
    ply = next(row.ply for row in rows if row.ply > 4 and row.action["type"] == "dive")
    change(
        context,
        update(entries)
        .where(entries.c.match_id == table.match.id, entries.c.ply == ply)
        .values(action={"type": "answer", "take": True}),
    )
    (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("entry", ply)
    assert (
        difference.message
        == f"What seat {rows[ply].seat} did at ply {ply} (answer) is refused by rule P5: nothing_offered."
    )


def test_a_draw_that_the_secret_does_not_give_is_told_without_the_draw(context: Context, table: Round) -> None:
    row = next(row for row in log_of_actions(context, table) if row.seat == -1)
    other = row.action | {"value": row.action["value"] % 3 + 1}
    change(
        context,
        update(entries).where(entries.c.match_id == table.match.id, entries.c.ply == row.ply).values(action=other),
    )
    (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("draw", row.ply)
    assert difference.message == f"The draw at ply {row.ply} (draw) is not the one that the secret gives."


def test_what_chance_did_where_it_is_not_its_turn_is_told(context: Context, table: Round) -> None:
    row = next(row for row in log_of_actions(context, table) if row.action["type"] == "dive")
    change(
        context,
        update(entries)
        .where(entries.c.match_id == table.match.id, entries.c.ply == row.ply)
        .values(seat=-1, action={"type": "draw", "to": row.seat, "value": 1}),
    )
    (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("entry", row.ply)
    assert difference.message == f"Chance did something at ply {row.ply} (draw), where it is not its turn."


def test_an_entry_that_is_no_action_is_told(context: Context, table: Round) -> None:
    change(
        context,
        update(entries).where(entries.c.match_id == table.match.id, entries.c.ply == 2).values(action={"type": "wave"}),
    )
    assert codes(context, table) == ["entry"]


def test_a_missing_entry_and_a_wrong_count_are_told(context: Context, table: Round) -> None:
    change(context, of(table, ply=99))
    assert codes(context, table) == ["ply"]
    change(context, entries.delete().where(entries.c.match_id == table.match.id, entries.c.ply == 3))
    (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("ply", 3)


def test_awaited_seats_that_differ_are_told(context: Context, table: Round) -> None:
    change(context, update(seats).where(seats.c.match_id == table.match.id).values(to_act=False))
    assert codes(context, table) == ["to_act"]


def test_an_outcome_that_differs_is_told(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(4))
    assert match.outcome is not None
    with context.database.read() as connection:
        outcome = connection.execute(select(matches.c.outcome).where(matches.c.id == match.id)).scalar_one()
    change(context, of(table, outcome=outcome | {"reason": "Because."}))
    assert codes(context, table) == ["outcome"]


def test_a_match_that_is_over_too_early_or_not_at_all_is_told(context: Context, table: Round) -> None:
    change(context, of(table, status="finished"))
    assert "outcome" in codes(context, table)


def test_components_that_are_no_longer_read_are_told(context: Context, table: Round) -> None:
    change(context, update(component_sets).values(document={"ones": 4, "twos": 4}))
    assert codes(context, table) == ["setup"]


def test_a_secret_that_was_not_committed_to_is_told(context: Context, table: Round) -> None:
    change(context, of(table, secret=bytes(32)))
    assert codes(context, table) == ["commitment"]


def test_code_that_fails_is_a_difference_and_not_the_end_of_the_check(context: Context, tmp_path: Path) -> None:
    with discovered():
        table = started(context, "pearls")
        played_on(context, table, random.Random(3), plies=4)
    with discovered(code(tmp_path, BROKEN)):
        (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply, difference.message) == (
        "fault",
        0,
        "The replay fails at ply 0 with ZeroDivisionError.",
    )


@pytest.mark.parametrize(
    ("function", "code_"),
    [("load_components", "setup"), ("check", "fault"), ("longest", "fault"), ("outcome", "fault")],
)
def test_rules_that_fail_otherwise_are_a_difference_too(
    context: Context, tmp_path: Path, function: str, code_: str
) -> None:
    with discovered():
        table = started(context, "pearls")
        played_on(context, table, random.Random(3), plies=4)
    failing = f"def {function}(given):\n    raise ZeroDivisionError\n\n"
    with discovered(code(tmp_path, f"{failing}GAME = replace(toy.GAME, {function}={function})\n")):
        found = checked(context, table.match.id)
        assert found.differences[0].code == code_
        assert not wake_if_mended(context.database, replace(found, unreadable=True), context.clock())


def test_all_matches_are_found_page_by_page_by_status(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.survey.AT_ONCE", 2)
    with context.database.write() as connection:
        row = connection.execute(select(matches).where(matches.c.id == table.match.id)).one()
        connection.execute(
            matches.insert(),
            [
                dict(row._mapping) | {"id": f"copy{number}", "status": "cancelled", "join_secret": None}
                for number in range(5)
            ],
        )
    assert sorted(match_ids(context.database, ("cancelled",))) == [f"copy{number}" for number in range(5)]
    assert sorted(match_ids(context.database, ("cancelled", "running"))) == sorted(
        [table.match.id, *(f"copy{number}" for number in range(5))]
    )
    assert match_count(context.database, ("running",)) == 1
    assert AT_ONCE > 2


def test_nobody_waits_while_matches_are_checked(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a replay somebody plays on, and is not kept waiting for its end."""
    from service.matches import check as checking

    judged: list[str] = []
    original = checking._replayed

    def replayed(*args: Any) -> Any:
        seat = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
        writer = threading.Thread(
            target=lambda: judged.append(played(context, table.players[seat], table.match.id, "1").status)
        )
        writer.start()
        writer.join(60)
        return original(*args)

    monkeypatch.setattr(checking, "_replayed", replayed)
    before = lobby.find(context, None, table.match.id).ply
    assert checked(context, table.match.id).plies == before
    assert judged == ["accepted"]
    with context.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(entries)).scalar_one() > before


def test_of_several_missing_entries_the_first_is_told(context: Context, table: Round) -> None:
    last = lobby.find(context, None, table.match.id).ply - 1
    change(
        context, entries.delete().where(entries.c.match_id == table.match.id, entries.c.ply.in_((last - 2, last - 1)))
    )
    (difference,) = checked(context, table.match.id).differences
    assert (difference.code, difference.ply) == ("ply", last - 2)
    assert difference.message == f"The entry at ply {last - 2} is missing from its log."
