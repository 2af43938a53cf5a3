"""Mail, pages, API, calendar and record tell the same of a clock: what the function gives for the
record and what stops the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import vobject
from flask.testing import FlaskClient

from engine.record import read_record
from service.clocks.recorded import check_marks, followed, read_steps
from service.clocks.rule import PRESETS, read_rule
from service.clocks.seat import Ground, Remaining, Stop, Stops, remaining, stops_ahead
from service.clocks.sentences import moment_words
from service.clocks.spans import instant, moment, written
from service.context import Context
from service.matches import days_off, lobby, replays
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.store import heartbeats
from service.store import matches as match_rows
from service.store.players import Player
from service.store.tables import outages
from service.sweeps import sweep
from tests.service.fakes import Clock, judged_batch, notices, person, person_with_token, played
from tests.service.turns.clocks import DAY, now_is
from tests.service.web.conftest import SignedIn
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")
HOUR = timedelta(hours=1)


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock(), queue=MemoryQueue())


@dataclass
class Told:
    """A match of Ada, who is awaited, and Bela; and what is told of Ada's clock."""

    context: Context
    client: FlaskClient
    signed_in: SignedIn
    ada: Player
    token: str
    bela: Player
    match_id: str

    def get(self, path: str) -> dict[str, Any]:
        answer = self.client.get(path, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    def by_the_function(self, *declared: Stop, out: Stops = ()) -> Remaining:
        """What is left of the clock: from the public record of the running match, and from what the
        test has done.
        """
        record = read_record(self.get(f"/v1/matches/{self.match_id}/record"))
        assert record.clock is not None
        rule = read_rule(record.clock.rule)
        assert rule is not None
        steps = read_steps(record.clock)
        with self.context.database.read() as connection:
            stored = match_rows.find(connection, self.match_id)
            assert stored is not None
            game = replays.game_of(stored)
            states = [step.after for step in replays.walk(connection, self.context, stored, 0)]
            begun = game.setup(replays.setup_of(connection, stored))
        check_marks(game, [begun, *states], steps, False)
        clock = followed(rule, 2, (), steps).seats[0]
        return remaining(clock, stops_ahead(rule, clock, Ground(None, declared, out)), instant(self.context.clock()))

    def check(self, *declared: Stop, out: Stops = ()) -> int:
        """Compares what everything tells, and gives the deadline."""
        left = self.by_the_function(*declared, out=out)
        due, stopped = left.deadline, left.stopped
        assert due is not None
        end = left.main_until or due
        seat = self.get(f"/v1/matches/{self.match_id}")["seats"][0]["clock"]
        (item,) = self.get("/v1/me/awaiting")["items"]
        assert seat == item["clock"]
        assert (seat["deadline"], seat["remaining"]) == (written(moment(due)), left.seconds)
        assert (seat["main_until"], seat["reserve"]) == (left.main_until and written(moment(end)), left.reserve)
        assert seat["stopped_by"] == (None if stopped is None else stopped.kind)
        made = self.client.post("/v1/me/calendar", headers={"Authorization": f"Bearer {self.token}"}).get_json()
        address: str = made["address"]
        feed = vobject.readOne(self.client.get(address[address.index("/calendar.ics") :]).get_data(as_text=True))
        coming = [event for event in feed.contents["vevent"] if event.status.value == "CONFIRMED"]
        assert [event.dtstart.value for event in coming] == [moment(end)]
        until = moment_words(end if stopped is None else stopped.end, "UTC")
        page = unescape(self.signed_in(self.ada).get(f"/matches/{self.match_id}").text)
        newest = [notice for notice in notices(self.context) if notice.player_id == self.ada.id and notice.match_id][-1]
        mail = " ".join(str(mail_of(self.context, newest).get_body(("plain",))).split())
        said = f"You have until {until}." if stopped is None else f"is stopped {CAUSES[stopped.kind]} until {until};"
        assert said in page
        assert said in mail
        return due


CAUSES = {"days_off": "for your days off", "pause": "for a pause of the match"}


@pytest.fixture
def told(context: Context, client: FlaskClient, signed_in: SignedIn) -> Told:
    ada, token = person_with_token(context, "Ada")
    bela = person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", {}, seats, clock=PRESETS["brisk"])
    lobby.join(context, bela, match.id)
    return Told(context, client, signed_in, ada, token, bela, match.id)


def later(told: Told, hours: float) -> None:
    now_is(told.context, told.context.clock() + hours * HOUR)


def span(told: Told, kind: str, days: float) -> Stop:
    start = instant(told.context.clock())
    return Stop(kind, start, start + round(days * 86_400))  # type: ignore[arg-type]


def ran(told: Told) -> Stops:
    told.check()
    later(told, 5)
    return ()


def its_reserve_runs(told: Told) -> Stops:
    later(told, 3 * 24 + 5)
    return ()


def was_played_for(told: Told) -> Stops:
    now_is(told.context, moment(told.check()) + timedelta(seconds=20))
    sweep(told.context)
    judged_batch(told.context)
    played(told.context, told.bela, told.match_id, "dive")
    return ()


def is_off(told: Told) -> Stops:
    away = span(told, "days_off", 3)
    days_off.declare(told.context, told.ada, 3)
    later(told, 7)
    return (away,)


def is_paused(told: Told) -> Stops:
    pause = span(told, "pause", 5)
    offer = offering.offer(told.context, told.ada, told.match_id, "pause", 5).items[0]
    offering.answer(told.context, told.bela, told.match_id, offer.id, accepts=True)
    later(told, 30)
    return (pause,)


def is_paused_and_off(told: Told) -> Stops:
    return (*is_paused(told), *is_off(told))


def came_back(told: Told) -> Stops:
    stops = is_off(told)
    later(told, 3 * 24)
    return stops


@pytest.mark.parametrize(
    "happens", [ran, its_reserve_runs, was_played_for, is_off, is_paused, is_paused_and_off, came_back]
)
def test_everything_tells_the_same_story(told: Told, happens: Callable[[Told], Stops]) -> None:
    before = told.check()
    stops = happens(told)
    after = told.check(*stops)
    assert (after == before) == (happens in (ran, its_reserve_runs))


def test_an_outage_is_the_same_everywhere(told: Told) -> None:
    before, start = told.check(), told.context.clock()
    end = start + DAY / 4
    with told.context.database.write() as connection:
        connection.execute(outages.insert().values(part="api", start_at=start, end_at=end))
    later(told, 8)
    out = (Stop("outage", instant(start), instant(end)),)
    assert told.check(out=out) == before + 6 * 3600


def test_an_outage_that_goes_on_is_the_same_everywhere(told: Told) -> None:
    with told.context.database.write() as connection:
        heartbeats.beat(connection, "judge", told.context.clock())
    later(told, 2)
    seat = told.get(f"/v1/matches/{told.match_id}")["seats"][0]["clock"]
    (item,) = told.get("/v1/me/awaiting")["items"]
    assert seat == item["clock"]
    assert (seat["stopped_by"], seat["stopped_until"], seat["deadline"]) == ("outage", None, None)
    page = unescape(told.signed_in(told.ada).get(f"/matches/{told.match_id}").text)
    newest = [notice for notice in notices(told.context) if notice.player_id == told.ada.id and notice.match_id][-1]
    mail = " ".join(str(mail_of(told.context, newest).get_body(("plain",))).split())
    for said in (page, mail):
        assert "An outage of the service stops your clock; when it is over, you have 3 days left." in said
        assert "You have until" not in said


def test_the_two_hours_that_an_outage_leaves_are_told_everywhere(told: Told) -> None:
    was_played_for(told)
    start = moment(told.check()) - timedelta(minutes=1)
    with told.context.database.write() as connection:
        heartbeats.beat(connection, "judge", start)
    now_is(told.context, start + HOUR)
    page = unescape(told.signed_in(told.ada).get(f"/matches/{told.match_id}").text)
    assert "An outage of the service stops your clock; when it is over, you have 2 hours left." in page
    with told.context.database.write() as connection:
        heartbeats.forget(connection, "judge", told.context.clock())
    out = (Stop("outage", instant(start), instant(told.context.clock())),)
    due = instant(told.context.clock() + 2 * HOUR)
    for minutes in (0, 1, 60):  # its own time lasts for a minute
        now_is(told.context, moment(due) - 2 * HOUR + timedelta(minutes=minutes))
        assert told.check(out=out) == due
