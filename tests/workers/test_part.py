"""A process of workers shows life; its sweeper does what is due, and an error in one sweep does not
end the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from service import parts
from service.context import Context
from service.heartbeats import MAILBOX
from service.loop import Loop
from service.matches import lobby
from service.notices import delivery
from service.store import heartbeats, leasing
from service.store.heartbeats import Outage
from service.store.leasing import Aside
from service.sweeps import KINDS, PROMPT, sweep
from service.turns import pending
from tests.service.fakes import Clock, Postbag, Timer, notices
from tests.workers.service_of_two import context, environ, seated, submit_first_legal
from workers.listen import LogThrottle
from workers.part import show_life, sweep_until
from workers.stop import StopRequest


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def postbag() -> Postbag:
    return Postbag()


@pytest.fixture
def service(tmp_path: Path, clock: Clock, postbag: Postbag) -> Iterator[Context]:
    made = context(environ(tmp_path), clock, postbag)
    yield made
    made.close()


def test_two_sweepers_do_no_harm(service: Context, postbag: Postbag, clock: Clock) -> None:
    anna, _, match_id = seated(service)
    before = lobby.find(service, anna, match_id).ply
    submit_first_legal(service, anna, match_id)
    sweep(service)
    sweep(service)
    for _ in range(2):
        pending.judge_pending(service)
        clock.now += timedelta(seconds=service.settings.verdict_mail_seconds)
        delivery.deliver_due(service)
    assert len(postbag.messages) == 6  # with the verdict, which tells Anna's turn, too, and Ben's turn
    assert lobby.find(service, anna, match_id).ply == before + 1


def test_a_sweep_that_fails_does_not_end_the_next(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, first_ones = StopRequest(), list[bool]()

    def failing(context: Context, first: bool, due: object = None) -> None:
        first_ones.append(first)
        if len(first_ones) == 3:
            stop.request()
        if len(first_ones) == 1:
            raise OSError("the database is away")

    monkeypatch.setattr("workers.part.sweep", failing)
    monkeypatch.setattr(StopRequest, "wait", lambda self, seconds: None)
    sweep_until(service, stop)
    assert first_ones == [True, True, False]


def test_what_nobody_waits_for_is_swept_once_a_minute(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, timer, swept = StopRequest(), Timer(), list[tuple[float, Collection[Loop]]]()

    def noted(context: Context, first: bool, due: Collection[Loop] = KINDS) -> None:
        swept.append((timer.seconds, due))
        if timer.seconds == 80:
            failed = Aside(Loop.ARCHIVE, "m", 1, 0, service.clock(), "It failed.", False)
            with service.database.write() as connection:
                leasing.set_aside(connection, failed)

    def wait(self: StopRequest, seconds: float) -> None:
        timer.advance(20)
        if timer.seconds > 120:
            stop.request()

    monkeypatch.setattr("workers.part.sweep", noted)
    monkeypatch.setattr(StopRequest, "wait", wait)
    sweep_until(replace(service, timer=timer), stop)
    assert [seconds for seconds, due in swept if due == KINDS] == [0, 60, 120]
    assert [seconds for seconds, due in swept if tuple(due) == PROMPT] == [20, 40, 80]
    assert swept[5] == (100, [*PROMPT, Loop.ARCHIVE]), "what failed is tried again before"


def test_a_sweeper_keeps_the_database_small_as_the_settings_have_it(
    service: Context, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = StopRequest()
    monkeypatch.setattr(StopRequest, "wait", lambda self, seconds: stop.request())
    seated(service)
    delivery.deliver_due(service)
    service.close()
    clock.now += timedelta(days=31)
    sweep_until(service, stop)
    assert len(notices(service)) > 0
    stop = StopRequest()
    sweep_until(replace(service, settings=replace(service.settings, keep_notices_days=30)), stop)
    assert {notice.kind for notice in notices(service)} == {"archive"}  # written just now


@pytest.mark.parametrize(("mail_in", "known"), [("", False), ("imaps://me:secret@mail.example", True)])
def test_a_mailbox_from_which_no_mails_are_taken_any_more_stops_no_clock(
    service: Context, monkeypatch: pytest.MonkeyPatch, mail_in: str, known: bool
) -> None:
    stop = StopRequest()
    monkeypatch.setattr(StopRequest, "wait", lambda self, seconds: stop.request())
    began = service.clock()
    with service.database.write() as connection:
        heartbeats.beat(connection, MAILBOX, began)
    clock = service.clock
    assert isinstance(clock, Clock)
    clock.advance(days=2)
    sweep_until(replace(service, settings=replace(service.settings, mail_in=mail_in)), stop)
    with service.database.read() as connection:
        assert (MAILBOX in heartbeats.every(connection)) == known
        credited = heartbeats.outages_after(connection, began)
    assert credited == (() if known else (Outage(MAILBOX, began, service.clock()),)), "who played by mail could not"


def test_an_outage_is_logged_once_a_minute_and_its_return_at_once() -> None:
    timer = Timer()
    throttle, logged = LogThrottle(timer), []
    for _ in range(40):
        if throttle.allows("database"):
            logged.append(timer.seconds)
        timer.advance(5)
    assert logged == [0, 60, 120, 180]
    throttle.reset("database")
    assert throttle.allows("database")


def test_an_unavailable_database_is_logged_in_one_line_and_not_as_an_internal_error(
    service: Context, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop, calls = StopRequest(), list[int]()

    def away(context: Context, first: bool, due: object = None) -> None:
        calls.append(len(calls))
        if len(calls) == 3:
            stop.request()
        raise OperationalError("SELECT 1", {}, Exception("the server closed the connection"))

    monkeypatch.setattr("workers.part.sweep", away)
    monkeypatch.setattr(StopRequest, "wait", lambda self, seconds: False)
    sweep_until(service, stop)
    told = capsys.readouterr().out
    assert told.count("sweeper.unavailable") == 1
    assert "Traceback" not in told


class AfterOneLook(StopRequest):
    """Is requested by the first wait."""

    def wait(self, seconds: float | None = None) -> bool:
        self.request()
        return True


@pytest.mark.parametrize("down", [frozenset(), frozenset({parts.Part.SWEEPER})])
def test_a_process_shows_life_only_while_none_of_its_parts_is_down(
    down: frozenset[parts.Part], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "down", lambda: down)
    show_life(tmp_path / "alive", AfterOneLook())
    assert (tmp_path / "alive").exists() == (not down)
