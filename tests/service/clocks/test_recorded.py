"""A record with an expired seat is verified offline, and no step of its clocks can be changed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.errors import DocumentError, RecordError
from engine.record import read_record, verify, write_record
from service.cli import main
from service.clocks.recorded import verify_clocks
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import days_off, lobby
from service.offers import offering
from service.players import choosing
from service.store.players import Player
from service.store.tables import outages
from service.turns import time_up
from service.turns.submit import submit
from service.views.record import match_record
from tests.service.clocks.outsider import Outsider
from tests.service.fakes import discovered, judged_batch, person, played, played_on, started, wired_in
from tests.service.turns.clocks import DAY, due, let_expire, moved_to, now_is

pytestmark = pytest.mark.usefixtures("pearls")
HOUR = DAY / 24


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a match in which Ada was silent, came back, and in which there were outages,
    the second shortly before her time was up.
    """
    context = wired_in(tmp_path_factory.mktemp("recorded"))
    with discovered():
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
        record = json.dumps(write_record(match_record(context, None, table.match.id)))
    context.close()
    return record


@pytest.fixture
def document(written: str) -> dict[str, Any]:
    """That record, for the test alone."""
    document: dict[str, Any] = json.loads(written)
    return document


def test_every_deadline_is_computed_again_from_the_record_alone(document: dict[str, Any]) -> None:
    record = read_record(document)
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


def stopped_for_no_time(clock: dict[str, Any]) -> None:
    stops = next(each["stops"] for each in clock["steps"] if each["stops"])
    stops["0"][0]["end"] = stops["0"][0]["start"]


def stopped_before_it_ran(clock: dict[str, Any]) -> None:
    clock["steps"][0]["stops"] = next(each["stops"] for each in clock["steps"] if each["stops"])


def otherwise(**rule: Any) -> Callable[[dict[str, Any]], None]:
    return lambda clock: clock["rule"].update(rule)


CHANGES = [
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
    step("time_up_bot_hold", kind="time_up_resign"),
    step("back", seat=1),
    step("turn", counts_at="2031-01-01T00:00:00Z"),
    step("turn", states=[]),
    step("turn", seconds=3600),
    step("turn", not_before="2026-11-24T12:00:00Z"),
    without("begun"),
    without("time_up_bot_turn"),
    without("back"),
    stopped_longer,
    otherwise(base="P2D"),
    otherwise(increment="PT3H"),
    otherwise(if_late="resign"),
    otherwise(most="soon"),
    lambda clock: clock["steps"].clear(),
    lambda clock: clock["steps"].reverse(),
]
OF_THE_LOG = [
    step("turn", states=lambda states: [{"awaited": [1, 2], "turn_of": None}, *states[1:]]),
    step("time_up_bot_turn", ply=lambda ply: ply + 1000),
    lambda clock: clock.update(bots=[0]),
]
"""What cannot be seen without the log and the schema."""


@pytest.mark.parametrize("change", [*CHANGES, *OF_THE_LOG])
def test_what_is_changed_is_refused(document: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    changed = copy.deepcopy(document)
    change(changed["clock"])
    assert changed != document
    with pytest.raises((RecordError, DocumentError)):
        verify_clocks(read_record(changed))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (step("back", kind="handed"), r": a bot held seat 0, or it had resigned\.$"),
        (step("back", kind="turn"), r": a bot held seat 0, or it had resigned\.$"),
        (step("back", seat=1), r": no bot held seat 1\.$"),
        (step("turn", kind="extended"), r": the time of seat \d could not be extended by 0 seconds\.$"),
        (
            step("time_up_bot_hold", kind="time_up_resign"),
            r": by the rule of the match time_up_bot_hold had to follow\.$",
        ),
        (
            step("time_up_bot_hold", not_before=lambda _: "2026-11-24T12:00:00Z"),
            r": it says otherwise until when an outage before had to leave time\.$",
        ),
        (stopped_for_no_time, r": a stop of seat 0 \(outage\) is not within the run that it ended\.$"),
        (stopped_before_it_ran, r": it names what stopped the clock of seat 0, which did not run\.$"),
        (otherwise(most="soon"), r"^The rule of the clocks cannot be read: "),
        (step("time_up_bot_turn", seat=7), r": there is no seat 7\.$"),
        (step("time_up_bot_turn", seat=-1), r": there is no seat -1\.$"),
    ],
)
def test_the_refusal_says_what_could_not_be(
    document: dict[str, Any], change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    changed = copy.deepcopy(document)
    change(changed["clock"])
    with pytest.raises(RecordError, match=sentence):
        verify_clocks(read_record(changed))


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_reads_the_document_alone_sees_it_as_well(
    document: dict[str, Any], change: Callable[[dict[str, Any]], None]
) -> None:
    assert Outsider(document).follow() == []
    changed = copy.deepcopy(document)
    change(changed["clock"])
    try:
        problems = Outsider(changed).follow()
    except (ValueError, LookupError) as error:  # a time, a seat or a duration that is none
        problems = [str(error)]
    assert problems


@pytest.mark.parametrize("by", [-1, 1])
def test_no_step_leads_to_another_ply(document: dict[str, Any], by: int) -> None:
    for number in range(len(document["clock"]["steps"])):
        changed = copy.deepcopy(document)
        changed["clock"]["steps"][number]["ply"] += by
        with pytest.raises((RecordError, DocumentError), match=r"others acted|names others|does not have|less than 0"):
            verify_clocks(read_record(changed))


def story(context: Context) -> dict[str, Any]:
    """The record of a match with a pause, an extension, days off, a seat that changes hands, a
    weekend, the night in which the clocks of Europe go forward, and an outage in the reserve.
    """
    now_is(context, datetime(2027, 3, 24, 9, tzinfo=UTC))
    table = started(context, "pearls", clock={"preset": "brisk", "weekends": "Europe/Zurich"}, seats=3)
    ada, bela, cleo = table.players
    carl = person(context, "Carl")
    choosing.choose(context, bela, {"time_zone": "Europe/Zurich", "quiet": "22:00-07:00"})

    def agreed(by: Player, kind: str, *asked: Player, **more: Any) -> None:
        offer = offering.offer(context, by, table.match.id, kind, **more).items[0]  # type: ignore[arg-type]
        for player in asked:
            offering.answer(context, player, table.match.id, offer.id, accepts=True)

    agreed(ada, "pause", bela, cleo, days=2)
    now_is(context, context.clock() + 3 * DAY)
    agreed(bela, "extend", ada, cleo)
    now_is(context, context.clock() + 2 * DAY)
    agreed(ada, "hand_over", carl, bela, cleo, email=carl.email)
    days_off.declare(context, carl, 2)
    now_is(context, context.clock() + 4 * DAY)
    played(context, carl, table.match.id, "dive")
    now_is(context, due(context, table, 1) - DAY / 48)
    with context.database.write() as connection:
        connection.execute(outages.insert().values(part="api", start_at=context.clock(), end_at=context.clock() + DAY))
    let_expire(context, table, 1)
    played_on(context, replace(table, players=(carl, bela, cleo)), random.Random(3))
    return write_record(match_record(context, None, table.match.id))


def test_a_verifier_written_from_the_document_alone_follows_what_players_agreed_on(context: Context) -> None:
    document = story(context)
    assert verify_clocks(read_record(document)) is not None
    outsider = Outsider(document)
    assert outsider.follow() == []
    kinds = {"extended", "handed", "time_up_bot_turn", "pause", "days_off", "quiet", "weekend", "outage"}
    assert kinds <= set(outsider.counted)
    assert any(step["not_before"] for step in document["clock"]["steps"])


@pytest.mark.parametrize("how", ["handed", "turn"])
def test_two_hours_after_an_outage_are_left_whoever_has_the_seat_and_in_however_many_turns(
    context: Context, how: str
) -> None:
    table, carl = started(context, "pearls", clock={"total": "P2D"}), person(context, "Carl")
    ada, bela = table.players
    at = due(context, table) - DAY / 48
    with context.database.write() as connection:
        connection.execute(outages.insert().values(part="api", start_at=at, end_at=at + DAY))
    now_is(context, at + DAY)
    assert due(context, table) == at + DAY + 2 * HOUR
    now_is(context, context.clock() + HOUR)
    players = table.players
    if how == "handed":
        offer = offering.offer(context, ada, table.match.id, "hand_over", email=carl.email).items[0]
        for player in (carl, bela):
            offering.answer(context, player, table.match.id, offer.id, accepts=True)
        players = (carl, bela)
    else:
        played(context, ada, table.match.id, "dive")
        moved_to(context, table, 0)
    assert due(context, table) == context.clock() + HOUR
    let_expire(context, table)
    assert check_ledger(context.database).breaches == []
    played_on(context, replace(table, players=players), random.Random(3))
    document = write_record(match_record(context, None, table.match.id))
    assert verify_clocks(read_record(document)) is not None
    assert Outsider(document).follow() == []
    assert any(step["not_before"] for step in document["clock"]["steps"])


def test_a_turn_that_was_received_in_time_and_judged_later_is_in_order(context: Context) -> None:
    table = started(context, "pearls", clock={"total": "P2D"})
    now_is(context, due(context, table) - HOUR)
    submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    now_is(context, context.clock() + 2 * HOUR)
    assert judged_batch(context)
    played_on(context, table, random.Random(3))
    document = write_record(match_record(context, None, table.match.id))
    assert verify_clocks(read_record(document)) is not None
    assert Outsider(document).follow() == []


def test_no_seat_was_handed_over_when_its_time_was_up(context: Context) -> None:
    table, carl = started(context, "pearls", clock={"total": "P2D"}), person(context, "Carl")
    ada, bela = table.players
    ends = due(context, table)
    offer = offering.offer(context, ada, table.match.id, "hand_over", email=carl.email).items[0]
    for player in (carl, bela):
        offering.answer(context, player, table.match.id, offer.id, accepts=True)
    let_expire(context, table)
    played_on(context, replace(table, players=(carl, bela)), random.Random(3))
    document = write_record(match_record(context, None, table.match.id))
    assert verify_clocks(read_record(document)) is not None
    (handed,) = [step for step in document["clock"]["steps"] if step["kind"] == "handed"]
    handed["at"] = handed["counts_at"] = f"{ends + timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
    with pytest.raises(RecordError, match=r": the time of seat 0 was up before it was handed over\.$"):
        verify_clocks(read_record(document))


def test_a_match_without_a_clock_has_the_record_that_it_always_had(context: Context) -> None:
    table = started(context, "pearls")
    assert "clock" not in write_record(match_record(context, None, table.match.id))


@pytest.mark.parametrize("game", ["oregon", pytest.param("montana", marks=pytest.mark.deep)])
def test_who_decides_several_times_in_a_turn_gains_one_increment(context: Context, game: str) -> None:
    """The clocks of the service and those of the record's reader agree on when time is up."""
    now_is(context, datetime(2027, 3, 1, 9, tzinfo=UTC))
    table, luck = started(context, game, clock="brisk"), random.Random(7)
    played_on(context, table, luck, 40)
    awaited = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
    let_expire(context, table, awaited)
    played_on(context, table, luck)
    document = write_record(match_record(context, None, table.match.id))
    assert verify_clocks(read_record(document)) is not None
    (begun, *_) = steps = document["clock"]["steps"]
    assert min(step["counts_at"] for step in steps) == begun["at"] == begun["counts_at"]
