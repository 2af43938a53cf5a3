"""The calendar of deadlines, read by a parser that is not the library that writes it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import vobject

from service.context import Context
from service.store.tables import calendar_entries
from service.turns import time_up
from tests.service.api.conftest import Person
from tests.service.api.test_awaiting_api import begun
from tests.service.api.test_edges import problem
from tests.service.api.test_maintenance_api import begin, end
from tests.service.fakes import Clock, judged_batch

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


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
    deadline = ada.get("/v1/me/awaiting").get_json()["items"][0]["clock"]["deadline"]
    assert event.dtstart.value.isoformat() == deadline
    assert event.summary.value == f"Your time is up: {title}"
    assert event.url.value.endswith(f"/matches/{match}")
    uid, sequence, status = shown(event)
    assert (sequence, status) == (0, "CONFIRMED")
    clock.advance(hours=1)
    assert [shown(each) for each in events(ada, path)] == [(uid, 0, "CONFIRMED")]
    ada.post("/v1/me/absences", {"days": 2})
    (moved,) = events(ada, path)
    assert shown(moved) == (uid, 1, "CONFIRMED")
    assert moved.dtstart.value - event.dtstart.value == timedelta(days=2)
    ada.post(f"/v1/matches/{match}/turns", {"ply": 0, "notation": "dive"})
    judged_batch(context)
    assert [shown(each) for each in events(ada, path)] == [(uid, 2, "CANCELLED")]
    assert [each.summary.value for each in events(bela, address(bela))] == [f"Your time is up: {title}"]
    clock.advance(days=15)
    assert events(ada, path) == []


def test_an_excuse_makes_another_event(ada: Person, bela: Person, clock: Clock, context: Context) -> None:
    path = address(ada)
    begun(ada, bela, clock="brisk")
    events(ada, path)
    clock.advance(days=3, minutes=1)
    assert time_up.act_on_due(context).excuses == 1
    assert [event.status.value for event in events(ada, path)] == ["CANCELLED", "CONFIRMED"]


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
