"""Actions are tried in child processes: what hangs or kills ends a child, whoever sent it is told
so, and the others go on.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from service import sandbox as module
from service.children import Role
from service.context import Context
from service.errors import Invalid, InvalidNotation, MissingScope, Overloaded, ServiceError, StalePly
from service.guard import Answered, Bounds, ChildOutcome, Died, Guard, GuardPool, Waited
from service.matches import lobby
from service.matches.replays import MatchUnreadable
from service.sandbox import RETRY_SECONDS, ChildSandbox, InProcess, Trial, TrialFailed, in_child
from service.store import matches as match_rows
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.tables import matches
from service.turns.submit import submit
from service.turns.trials import legal_actions, legal_after, preview
from service.wiring import TRIED, fork_server, wire, wire_api
from tests.service.fakes import Round, Timer, log_of, restarted, settings_for, started
from tests.service.forking import forks
from tools.waiting import until

pytestmark = pytest.mark.usefixtures("pearls")

LONG = 600.0


def odd(context: Context, trial: Trial) -> Any:
    """Does what the notation says, as rules with a fault do."""
    match trial.notation:
        case "hang":
            while True:
                pass
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raise":
            raise RuntimeError("These rules have a fault.")
        case "locked":
            raise OperationalError("SELECT 1", None, RuntimeError("database is locked"))
    return os.getpid()


def stored(context: Context, table: Round) -> StoredMatch:
    with context.database.read() as connection:
        match = match_rows.find(connection, table.match.id)
    assert match is not None
    return match


@contextmanager
def children(context: Context, seconds: float = LONG, timer: Callable[[], float] = time.monotonic) -> Iterator[Context]:
    """The same service, whose actions are tried by one child."""
    url = context.database.url.render_as_string(hide_password=False)
    with forks(lambda: in_child(replace(restarted(context), database=Database(url)), (odd, *TRIED))) as server:
        box = ChildSandbox(GuardPool([Guard(server, Role.TRYING, time.monotonic)]), seconds, 4, timer)
        try:
            yield replace(context, sandbox=box)
        finally:
            box.close()


def test_a_child_gives_what_this_process_gives(context: Context) -> None:
    table = started(context, "pearls")
    ada, match_id = table.players[0], table.match.id
    with children(context) as tried:
        dive = [{"type": "dive"}]
        assert preview(tried, ada, match_id, None, 0, dive) == preview(context, ada, match_id, None, 0, dive)
        answer = {"type": "answer", "take": True}
        refused = preview(tried, ada, match_id, None, 0, [answer])
        assert refused == preview(context, ada, match_id, None, 0, [answer])
        assert refused["violation"] is not None
        after = legal_actions(tried, ada, match_id, notation="dive")
        assert after == legal_actions(context, ada, match_id, notation="dive")
        with pytest.raises(Invalid) as illegal:
            legal_actions(tried, ada, match_id, actions=[answer])
        assert (illegal.value.code, illegal.value.problems[0][0]) == ("nothing_offered", "/actions/0")
        with pytest.raises(InvalidNotation) as unread:
            preview(tried, ada, match_id, None, 0, notation="dive; 1")
        assert (unread.value.column, unread.value.line) == (6, "dive; 1")


@pytest.mark.parametrize("seats", [2, 3])
def test_a_resignation_in_a_child_is_the_one_of_this_process(context: Context, seats: int) -> None:
    tables = [
        started(context, "pearls", names=names[:seats]) for names in (("Ada", "Bela", "Cleo"), ("Dora", "Emil", "Finn"))
    ]
    with children(context) as tried:
        matches = [
            lobby.resign(where, table.players[0], table.match.id)
            for where, table in zip((tried, context), tables, strict=True)
        ]
    there, here = matches
    assert (there.status, there.ply, there.outcome) == (here.status, here.ply, here.outcome)
    actors = [[entry.seat for entry in log_of(context, match.id)] for match in matches]
    assert actors[0] == actors[1]


@dataclass
class Noted:
    """A sandbox that notes what is tried in it."""

    tried: list[str] = field(default_factory=list)

    def run(self, context: Any, function: Any, trial: Trial) -> Any:
        self.tried.append(function.__name__)
        return InProcess().run(context, function, trial)

    def close(self) -> None: ...


def test_all_actions_that_a_player_chose_are_tried_in_the_sandbox(context: Context) -> None:
    table, box = started(context, "pearls"), Noted()
    ada, match_id, watched = table.players[0], table.match.id, replace(context, sandbox=box)
    legal_actions(watched, ada, match_id)
    assert box.tried == []
    preview(watched, ada, match_id, None, 0, notation="dive")
    legal_actions(watched, ada, match_id, notation="dive")
    with pytest.raises(InvalidNotation):
        submit(watched, ada, match_id, None, 0, notation=["dive", "1"])
    assert box.tried == ["preview_of", "legal_after", "document_of"]
    submit(watched, ada, match_id, None, 0, notation="1")
    assert len(box.tried) == 3
    lobby.resign(watched, ada, match_id)
    assert box.tried[3:] == ["after_resigning"]


@pytest.mark.parametrize(
    ("fault", "seconds", "reason"),
    [("die", LONG, "SIGKILL"), ("hang", 0.5, "longer than"), ("raise", LONG, "RuntimeError: These rules have a fault")],
)
def test_a_trial_that_ends_its_child_fails_and_is_logged_and_the_others_go_on(
    context: Context, fault: str, seconds: float, reason: str
) -> None:
    table, timer = started(context, "pearls"), Timer()
    match = stored(context, table)
    with children(context, seconds, timer) as tried, structlog.testing.capture_logs() as logs:
        with pytest.raises(TrialFailed) as failed:
            tried.sandbox.run(tried, odd, Trial(match, 0, None, fault))
        assert (failed.value.code, failed.value.retry_after) == ("trial_failed", RETRY_SECONDS)
        ((logged),) = [line for line in logs if line["event"] == "trial.failed"]
        assert (logged["match"], logged["player"]) == (match.id, table.players[0].id)
        assert reason in logged["reason"]
        other = tried.sandbox.run(tried, odd, Trial(match, 1))
        assert other != os.getpid()
        with pytest.raises(TrialFailed, match="Until 10 seconds have passed"):  # the same player, at once
            tried.sandbox.run(tried, odd, Trial(match, 0))
        timer.advance(RETRY_SECONDS)
        assert tried.sandbox.run(tried, odd, Trial(match, 0)) == other


def test_an_error_of_the_database_is_that_of_the_caller(context: Context) -> None:
    match = stored(context, started(context, "pearls"))
    with children(context) as tried:
        with pytest.raises(OperationalError):
            tried.sandbox.run(tried, odd, Trial(match, 0, None, "locked"))
        assert tried.sandbox.run(tried, odd, Trial(match, 0)) != os.getpid()


def test_a_log_that_a_trial_cannot_read_is_reported_with_what_was_raised(context: Context) -> None:
    match = stored(context, started(context, "pearls"))
    with context.database.write() as connection:
        connection.execute(update(matches).where(matches.c.id == match.id).values(ply=1))
    with children(context) as tried, pytest.raises(MatchUnreadable) as unread:
        tried.sandbox.run(tried, legal_after, Trial(replace(match, ply=1), 0))
    assert unread.value.reason == "LookupError: The log has 0 entries from ply 0 to 1."


@dataclass
class Hand(Guard):
    """A child that answers as soon as the test lets it."""

    goes: threading.Event = field(default_factory=threading.Event)
    asked: list[Any] = field(default_factory=list)
    closed: int = 0

    def ask(self, request: Any, bounds: Bounds) -> ChildOutcome[Any]:
        self.asked.append(request)
        assert self.goes.wait(LONG)
        match request[1].notation:
            case "die":
                return Died("killed by SIGKILL")
            case "wait":
                return Waited("kept waiting")
            case notation:
                return Answered(notation)

    def close(self) -> None:
        self.closed += 1


def test_beyond_those_who_may_wait_the_next_is_refused_at_once(context: Context) -> None:
    match, hand = stored(context, started(context, "pearls")), Hand()
    box = ChildSandbox(GuardPool([hand]), LONG, 3, Timer())
    with ThreadPoolExecutor(3) as threads:
        answers = [threads.submit(box.run, context, odd, Trial(match, 0, None, str(number))) for number in range(3)]
        until(lambda: box._callers == 3, "all wait")
        with pytest.raises(Overloaded):
            box.run(context, odd, Trial(match, 1, None, "next"))
        hand.goes.set()
        assert [answer.result() for answer in answers] == ["0", "1", "2"]
    assert box.run(context, odd, Trial(match, 1, None, "next")) == "next"
    box.close()
    assert hand.closed == 1


def test_who_has_waited_too_long_is_refused_and_not_tried(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    match, hand = stored(context, started(context, "pearls")), Hand()
    box = ChildSandbox(GuardPool([hand]), LONG, 3, Timer())
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(box.run, context, odd, Trial(match, 0, None, "first"))
        until(lambda: bool(hand.asked), "the first is tried")
        monkeypatch.setattr(module, "QUEUE_SECONDS", 0.0)
        with pytest.raises(Overloaded):
            box.run(context, odd, Trial(match, 0, None, "second"))
        hand.goes.set()
        assert first.result() == "first"
    box.close()
    assert [trial.notation for _, trial in hand.asked] == ["first"]


def test_no_request_waits_longer_than_its_limit_for_a_trial_that_is_under_way(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_SECONDS", 0.5)
    match = stored(context, started(context, "pearls"))
    with children(context, LONG) as tried:
        with structlog.testing.capture_logs() as logs, pytest.raises(Overloaded) as refused:
            tried.sandbox.run(tried, odd, Trial(match, 0, None, "hang"))
        assert refused.value.retry_after == module.BUSY_SECONDS
        assert not [line for line in logs if line["event"] == "trial.failed"], "its player is not to blame"


def test_a_trial_whose_child_waits_too_long_for_the_database_is_not_blamed_on_its_player(context: Context) -> None:
    match, hand = stored(context, started(context, "pearls")), Hand()
    hand.goes.set()
    box = ChildSandbox(GuardPool([hand]), LONG, 3, Timer())
    with structlog.testing.capture_logs() as logs, pytest.raises(Overloaded):
        box.run(context, odd, Trial(match, 0, None, "wait"))
    assert logs == []
    assert box.run(context, odd, Trial(match, 0, None, "next")) == "next"
    box.close()


def test_trials_that_wait_behind_one_that_failed_fail_if_they_are_of_the_same_player(context: Context) -> None:
    match, hand = stored(context, started(context, "pearls")), Hand()
    box = ChildSandbox(GuardPool([hand]), LONG, 3, Timer())
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(box.run, context, odd, Trial(match, 0, None, "die"))
        until(lambda: bool(hand.asked), "the first is tried")
        same = threads.submit(box.run, context, odd, Trial(match, 0, None, "same player"))
        other = threads.submit(box.run, context, odd, Trial(match, 1, None, "other player"))
        until(lambda: box._callers == 3, "all wait")
        hand.goes.set()
        assert isinstance(first.exception(), TrialFailed)
        assert isinstance(same.exception(), TrialFailed)
        assert other.result() == "other player"
    box.close()


def test_a_child_knows_no_other_functions(context: Context) -> None:
    answer = in_child(context, (odd,))
    match = stored(context, started(context, "pearls"))
    assert answer(("odd", Trial(match, 0))) == os.getpid()
    with pytest.raises(KeyError):
        answer(("system", Trial(match, 0)))


def test_only_processes_that_answer_requests_try_actions_in_children(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, f"sqlite:///{tmp_path}/overland.sqlite")
    before = threading.active_count()
    server = fork_server("test", settings)
    api = wire_api(settings, server)
    assert isinstance(api.sandbox, ChildSandbox)
    assert isinstance(wire(settings).sandbox, InProcess)
    assert threading.active_count() == before
    api.close()
    server.close()


@pytest.mark.parametrize(
    "error",
    [
        Invalid((("/actions/0", "This is not an object."),), "narrower"),
        InvalidNotation("/notation", "What is this?", "line", 3, ("dive",)),
        StalePly("Too late.", 1, 2, ("Ada dives.",)),
        MissingScope("Not with this token.", "play"),
        MatchUnreadable("m1", "ValueError: It is damaged.", "mended 2026-01-01"),
        Overloaded(2),
    ],
)
def test_errors_cross_from_a_child_with_all_they_say(error: ServiceError) -> None:
    crossed = pickle.loads(pickle.dumps(error))
    assert type(crossed) is type(error)
    assert (str(crossed), crossed.code, crossed.members()) == (str(error), error.code, error.members())
    assert vars(crossed) == vars(error)
