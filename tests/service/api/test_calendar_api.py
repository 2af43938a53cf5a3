"""The calendar of deadlines, read by a parser that is not the library that writes it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import vobject

from service.clocks.spans import written
from service.context import Context
from service.store.tables import calendar_entries, seat_clocks
from tests.service.api.conftest import Person
from tests.service.api.test_awaiting_api import begun
from tests.service.api.test_edges import problem
from tests.service.api.test_maintenance_api import begin, end
from tests.service.fakes import Clock, judged_batch
from tests.service.swept import act_on_due
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def context(context: Context) -> Context:
    queue = MemoryQueue()
    context = replace(context, clock=Clock(), queue=queue)
    queue.judge = lambda: judged_batch(context)
    return context


@pytest.fixture
def clock(context: Context) -> Clock:
    assert isinstance(context.clock, Clock)
    return context.clock


def address(person: Person) -> str:
    made = person.post("/v1/me/calendar")
    assert made.status_code == 201
    found: str = made.get_json()["address"]
    return found[found.index("/calendar.ics") :]


def events(person: Person, path: str) -> list[Any]:
    answer = person.client.get(path)
    assert answer.status_code == 200
    assert answer.content_type == "text/calendar; charset=utf-8; method=PUBLISH"
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    calendar = vobject.readOne(answer.get_data(as_text=True))
    assert (calendar.version.value, calendar.method.value) == ("2.0", "PUBLISH")
    return list(calendar.contents.get("vevent", ()))


def shown(event: Any) -> tuple[str, int, str]:
    return event.uid.value, int(event.sequence.value), event.status.value


def test_a_deadline_is_an_event_that_follows_it(ada: Person, bela: Person, clock: Clock, context: Context) -> None:
    path = address(ada)
    assert events(ada, path) == []
    title = "Ünder the sea; a very, very long title \\ with everything that has to be escaped"
    match = begun(ada, bela, clock="brisk", title=title)
    (event,) = events(ada, path)
    deadline = ada.get("/v1/me/awaiting").get_json()["items"][0]["clock"]["main_until"]
    assert written(event.dtstart.value) == deadline
    assert event.summary.value == f"Overland: your turn in Pearls, '{title}'"
    assert event.url.value.endswith(f"/matches/{match}")
    uid, sequence, status = shown(event)
    assert (sequence, status) == (0, "CONFIRMED")
    clock.advance(hours=1)
    assert [shown(each) for each in events(ada, path)] == [(uid, 0, "CONFIRMED")]
    ada.post("/v1/me/days-off", {"days": 2})
    (moved,) = events(ada, path)
    assert shown(moved) == (uid, 1, "CONFIRMED")
    assert moved.dtstart.value - event.dtstart.value == timedelta(days=2)
    ada.post(f"/v1/matches/{match}/turns", {"ply": 0, "notation": "dive"})
    judged_batch(context)
    assert [shown(each) for each in events(ada, path)] == [(uid, 2, "CANCELLED")]
    assert [each.summary.value for each in events(bela, address(bela))] == [f"Overland: your turn in Pearls, '{title}'"]
    clock.advance(days=15)
    assert events(ada, path) == []


def test_a_turn_with_nothing_but_a_reserve_is_shown_until_that_is_up(
    ada: Person, bela: Person, clock: Clock, context: Context
) -> None:
    path, match = address(ada), begun(ada, bela, clock={"total": "P1D"})
    clock.advance(days=3, hours=12)
    for person in (ada, bela):
        ada.post("/v1/me/days-off", {"days": 3})  # in which the next turn begins
        ply = person.get(f"/v1/matches/{match}").get_json()["ply"]
        person.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "dive"})
        judged_batch(context)
    time = ada.get("/v1/me/awaiting").get_json()["items"][0]["clock"]
    assert (time["remaining"], time["main_until"], time["stopped_by"]) == (0, None, "days_off")
    confirmed = [each for each in events(ada, path) if shown(each)[2] == "CONFIRMED"]
    assert [written(each.dtstart.value) for each in confirmed] == [time["deadline"]]


def test_a_turn_stays_one_event_while_its_reserve_runs_and_the_next_turn_is_another(
    ada: Person, bela: Person, clock: Clock, context: Context
) -> None:
    path = address(ada)
    begun(ada, bela, clock="brisk")
    (event,) = events(ada, path)
    clock.advance(days=3, seconds=-1)
    assert [shown(each) for each in events(ada, path)] == [shown(event)]
    clock.advance(seconds=1)  # the main time is up at this instant
    (moved,) = events(ada, path)
    assert shown(moved) == (event.uid.value, 1, "CONFIRMED")
    assert moved.dtstart.value - event.dtstart.value == timedelta(days=2)
    clock.advance(days=2, minutes=1)
    assert act_on_due(context).stored == 1
    judged_batch(context)
    assert [shown(each) for each in events(ada, path)] == [(event.uid.value, 2, "CANCELLED")]


def test_who_is_asked_again_within_a_turn_keeps_its_event(ada: Person, bela: Person, context: Context) -> None:
    path = address(ada)
    match = begun(ada, bela, clock="brisk")
    first = [shown(each) for each in events(ada, path)]
    with context.database.write() as connection:  # the clock runs again, within the same turn
        wanted = seat_clocks.select().where(seat_clocks.c.match_id == match, seat_clocks.c.seat == 0)
        document = connection.execute(wanted).one().document
        again = seat_clocks.update().where(seat_clocks.c.match_id == match, seat_clocks.c.seat == 0)
        connection.execute(again.values(document=document | {"since": document["since"] + 60}))
    ((uid, _, status),) = [shown(each) for each in events(ada, path)]
    assert (uid, status) == (first[0][0], "CONFIRMED")


def test_a_calendar_that_has_not_changed_is_not_sent_again(ada: Person, bela: Person) -> None:
    path = address(ada)
    begun(ada, bela, clock="brisk")
    answer = ada.client.get(path)
    again = ada.client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    ada.post("/v1/me/days-off", {"days": 2})
    assert ada.client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 200


def test_the_address_is_a_secret_that_can_be_renewed_and_ended(ada: Person, bela: Person) -> None:
    first = address(ada)
    second = address(ada)
    assert first != second
    assert ada.client.get(first).status_code == 404
    assert events(ada, second) == []
    assert ada.delete("/v1/me/calendar").status_code == 204
    assert ada.client.get(second).status_code == 404
    assert ada.client.get("/calendar.ics").status_code == 404
    problem(ada.client.post("/v1/me/calendar"), 401, "unauthorized")


def test_in_a_maintenance_the_calendar_is_there_and_nothing_is_written(
    ada: Person, bela: Person, context: Context
) -> None:
    path = address(ada)
    begun(ada, bela, clock="brisk")
    begin(context)
    (event,) = events(ada, path)
    assert shown(event)[1:] == (0, "CONFIRMED")
    with context.database.read() as connection:
        assert connection.execute(calendar_entries.select()).all() == []
    end(context)
    assert [shown(each) for each in events(ada, path)] == [shown(event)]
