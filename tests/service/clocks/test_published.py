"""A record with an expired seat is verified offline, and no step of its clocks can be changed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.errors import DocumentError, RecordError
from engine.record import read_record, verify, write_record
from service.cli import main
from service.clocks.published import verify_clocks
from service.context import Context
from service.store.tables import outages
from service.turns import time_up
from service.views.record import match_record
from tests.service.fakes import played_on, started
from tests.service.turns.clocks import DAY, let_expire, moved_to

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def document(context: Context) -> dict[str, Any]:
    """The record of a match in which Ada was silent, came back, and in which there were outages,
    the second shortly before her time was up.
    """
    table = started(context, "pearls", clock="brisk", seats=3)
    out = [(DAY, 2 * DAY), (6 * DAY - DAY / 24, 6 * DAY)]
    with context.database.write() as connection:
        for start, end in out:
            at = context.clock()
            connection.execute(outages.insert().values(part="judge", start_at=at + start, end_at=at + end))
    let_expire(context, table)
    moved_to(context, table, 0)
    let_expire(context, table)
    time_up.come_back(context, table.players[0], table.match.id)
    played_on(context, table, random.Random(3))
    return write_record(match_record(context, None, table.match.id))


def test_every_deadline_is_computed_again_from_the_record_alone(document: dict[str, Any]) -> None:
    record = read_record(json.loads(json.dumps(document)))
    verify(record)
    found = verify_clocks(record)
    assert found is not None
    assert found.timed_out == {"Ada": 2}
    assert record.clock is not None
    kinds = [step.kind for step in record.clock.steps]
    assert kinds[:2] == ["begun", "time_up_bot_turn"]
    assert record.clock.steps[1].not_before == record.clock.steps[1].counts_at
    assert {"time_up_bot_hold", "back"} <= set(kinds)


def test_the_command_says_who_was_timed_out(document: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(document))
    told = CliRunner().invoke(main, ["verify", str(file)])
    assert told.exit_code == 0, told.output
    assert "ok  clocks" in told.output
    assert "time was up for Ada 2 times" in told.output


def later(text: str) -> str:
    return text[:-2] + ("1Z" if text[-2] != "1" else "2Z")


def step(kind: str, /, **changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(clock: dict[str, Any]) -> None:
        found = next(each for each in clock["steps"] if each["kind"] == kind)
        found.update({name: value(found[name]) if callable(value) else value for name, value in changes.items()})

    return change


def without(kind: str) -> Callable[[dict[str, Any]], None]:
    def change(clock: dict[str, Any]) -> None:
        clock["steps"].remove(next(each for each in clock["steps"] if each["kind"] == kind))

    return change


def stopped_longer(clock: dict[str, Any]) -> None:
    stops = next(each["stops"] for each in clock["steps"] if each["stops"])
    stops["0"][0]["start"] = stops["0"][0]["start"].replace("T12", "T11")


def otherwise(**rule: Any) -> Callable[[dict[str, Any]], None]:
    return lambda clock: clock["rule"].update(rule)


@pytest.mark.parametrize(
    "change",
    [
        step("time_up_bot_turn", counts_at=later),
        step("time_up_bot_turn", counts_at=later, not_before=later),
        step("time_up_bot_turn", not_before=None),
        step("time_up_bot_turn", not_before=later),
        step("time_up_bot_turn", seat=1),
        step("time_up_bot_turn", kind="shouted"),
        step("time_up_bot_turn", stops={}),
        step("time_up_bot_turn", counts_at="yesterday"),
        step("time_up_bot_hold", not_before=lambda _: "2026-11-24T12:00:00Z"),
        step("time_up_bot_turn", kind="time_up_bot_hold"),
        step("time_up_bot_turn", seat=7),
        step("time_up_bot_turn", ply=lambda ply: ply + 1000),
        step("time_up_bot_hold", kind="time_up_resign"),
        step("back", seat=1),
        step("turn", counts_at="2031-01-01T00:00:00Z"),
        without("begun"),
        without("time_up_bot_turn"),
        without("back"),
        stopped_longer,
        otherwise(base="P2D"),
        otherwise(increment="PT3H"),
        otherwise(if_late="resign"),
        otherwise(most="soon"),
        lambda clock: clock.update(bots=[0]),
        lambda clock: clock["steps"].clear(),
        lambda clock: clock["steps"].reverse(),
    ],
)
def test_what_is_changed_is_refused(document: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    changed = copy.deepcopy(document)
    change(changed["clock"])
    assert changed != document
    with pytest.raises((RecordError, DocumentError)):
        verify_clocks(read_record(changed))


def test_a_match_without_a_clock_has_the_record_that_it_always_had(context: Context) -> None:
    table = started(context, "pearls")
    assert "clock" not in write_record(match_record(context, None, table.match.id))
