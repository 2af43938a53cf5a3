"""Every loop of the service, with an exception, a hang and a kill at each place where an item is
touched: all other items are done, the bad one alone is set aside, tried again in the slow lane, and
kept in the end.

Where the process ends, the loop runs in one of its own, which is started again, as a supervisor
does.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from service import loop as loops
from service import sweeps
from service.bots import playing
from service.context import Context
from service.inbox import handling
from service.inbox.handling import handle_due
from service.inbox.mail import Result
from service.loop import TERMS, Loop
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices import delivery, sorting
from service.notices.delivery import deliver_due
from service.queue import Claimed
from service.store import messages, outbox
from service.store.database import Database
from service.store.tables import messages as message_table
from service.store.tables import outbox as notice_table
from service.store.tables import set_aside as aside_table
from service.store.tables import turns as turn_table
from service.sweeps import SWEEPS, sweep
from service.turns import batch, judge, pending
from service.upkeep import UPKEEP
from service.webhooks import owning
from service.webhooks.calling import CallOutcome
from service.webhooks.delivery import WebhookWork, call_due
from tests.service.bots import tables
from tests.service.bots.tables import bots_play
from tests.service.fakes import Clock, Here, SeededEntropy, add_notice, person, restarted, started, wired_in
from tests.service.inbox.test_handling import DONE, MAIL, arrived
from tools.memory_queue import MemoryQueue
from tools.waiting import until

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]

Fault: TypeAlias = Literal["exception", "hang", "kill"]
FAULTS: Final[tuple[Fault, ...]] = ("exception", "hang", "kill")
SECONDS: Final = 1.0
"""How long an item may take here. One that is as slow for another reason is tried again."""
MOST_ATTEMPTS: Final = 4
RESTARTS: Final = 20
"""More often no process has to be started again."""


class Unnoted(MemoryQueue):
    """A queue without Redis: nobody knows of the claims of a process that ended."""

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        return Claimed(frozenset(turn_ids), noted=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A function that touches an item: ``of`` says from its arguments whether it is the bad one."""

    module: Any
    name: str
    of: Callable[..., bool]


@dataclass(slots=True)
class Trial:
    """A loop with a bad item and several good ones."""

    context: Context
    run: Callable[[Context], object]
    bad: str
    is_done: Callable[[Context], bool]
    """Whether all good items are done."""
    state: Callable[[Context], tuple[int, bool]]
    """The attempts of the bad item, and whether it is kept."""
    places: dict[str, Place] = field(default_factory=dict)


def row(context: Context, table: Any, item: str, *columns: str) -> Any:
    with context.database.read() as connection:
        return connection.execute(select(*(table.c[name] for name in columns)).where(table.c.id == item)).one()


def of_messages(context: Context) -> Trial:
    bad, *good = [arrived(context, MAIL + str(number).encode()) for number in range(4)]

    def act(message: Any) -> Result:
        _do(message.id)
        return DONE

    def state(context: Context) -> tuple[int, bool]:
        found = row(context, message_table, bad, "attempts", "status")
        return found.attempts, found.status == "kept"

    return Trial(
        context,
        lambda context: handle_due(context, Here(act)),
        bad,
        lambda context: all(row(context, message_table, each, "status").status == "handled" for each in good),
        state,
        {
            "sort": Place(messages, "find", lambda _, item: item == bad),
            "do": Place(__import__(__name__, fromlist=["_do"]), "_do", lambda item: item == bad),
            "settle": Place(
                handling._Messages, "_settle", lambda _, item, done: item.id == bad and done.did == "played"
            ),
        },
    )


def of_notices(context: Context) -> Trial:
    person(context, "Ada")
    deliver_due(context)
    with context.database.write() as connection:
        now = context.clock()
        bad, *good = [
            add_notice(connection, "sign_in", None, None, {"token": "t0ken"}, now, f"a{number}@example.org")
            for number in range(4)
        ]

    def state(context: Context) -> tuple[int, bool]:
        found = row(context, notice_table, bad, "attempts", "status")
        return found.attempts, found.status == "dead"

    return Trial(
        context,
        deliver_due,
        bad,
        lambda context: all(row(context, notice_table, each, "status").status in ("sent", "dead") for each in good),
        state,
        {
            "read": Place(outbox.NOTICES, "of", lambda found: found.id == bad),
            "sort": Place(sorting, "decide", lambda _, notice, now: notice.id == bad),
            "do": Place(delivery, "mail_of", lambda _, notice: notice.id == bad),
            "settle": Place(outbox, "mark_sent", lambda _, holder, notice, now: notice.id == bad),
        },
    )


def of_webhooks(context: Context) -> Trial:
    for name in ("Ada", "Bela", "Carl", "Dora"):
        player = person(context, name)
        webhook = owning.enter(context, player, "json", f"https://{name.lower()}.example.org/")
        owning.ping(context, player, webhook.id)
    with context.database.read() as connection:
        bad, *good = connection.scalars(select(notice_table.c.id).where(notice_table.c.channel == "webhook"))

    def called(notice: Any) -> CallOutcome:
        _do(notice.id)
        return CallOutcome()

    def state(context: Context) -> tuple[int, bool]:
        found = row(context, notice_table, bad, "attempts", "status")
        return found.attempts, found.status == "dead"

    return Trial(
        context,
        lambda context: call_due(context, Here(called)),
        bad,
        lambda context: all(row(context, notice_table, each, "status").status == "sent" for each in good),
        state,
        {
            "sort": Place(WebhookWork, "_sorted", lambda _, connection, item: item == bad),
            "do": Place(__import__(__name__, fromlist=["_do"]), "_do", lambda item: item == bad),
            "settle": Place(WebhookWork, "_told", lambda _, notice: notice.id == bad),
        },
    )


def of_turns(context: Context) -> Trial:
    from service.turns.submit import submit

    context = replace(context, queue=Unnoted())
    rounds = [started(context, "pearls", names=(f"A{number}", f"B{number}")) for number in range(4)]
    bad, *good = [submit(context, each.players[0], each.match.id, None, 0, notation="dive").id for each in rounds]

    def state(context: Context) -> tuple[int, bool]:
        found = row(context, turn_table, bad, "attempts", "status")
        return found.attempts, found.status == "rejected" or found.attempts > TERMS[Loop.TURNS].most_attempts

    def is_bad(turn: Any) -> bool:
        return bool(turn.id == bad)

    return Trial(
        context,
        pending.judge_pending,
        bad,
        lambda context: all(row(context, turn_table, each, "status").status == "accepted" for each in good),
        state,
        {
            "sort": Place(batch, "_cases", lambda _, several: any(map(is_bad, several))),
            "do": Place(judge, "judge", lambda match, turn, *_: is_bad(turn)),
            "settle": Place(batch, "_judged", lambda ruled, now: is_bad(ruled.case.turn)),
        },
    )


def of_bots(context: Context) -> Trial:
    ada = person(context, "Ada")
    kinds = [SeatRequest("bot", level="easy"), SeatRequest("me")]
    bad, *good = [lobby.create(context, ada, "pearls", {}, kinds).id for _ in range(4)]

    def is_done(context: Context) -> bool:
        with context.database.read() as connection:
            submitted = set(connection.execute(select(turn_table.c.match_id)).scalars())
        return submitted >= set(good)

    return Trial(
        context,
        bots_play,
        bad,
        is_done,
        lambda context: state_of(context, Loop.BOTS, f"{bad} 0 0"),
        {
            "sort": Place(playing, "_play", lambda _, choose, item: item.startswith(bad)),
            "do": Place(tables, "choice", lambda _, wanted: wanted.match_id == bad),
            "settle": Place(playing, "submit", lambda _, player, match_id, *more, **named: match_id == bad),
        },
    )


def state_of(context: Context, loop: Loop, item: str) -> tuple[int, bool]:
    with context.database.read() as connection:
        wanted = select(aside_table).where(aside_table.c.loop == loop, aside_table.c.item == item)
        found = connection.execute(wanted).one_or_none()
    return (0, False) if found is None else (found.attempts, found.kept)


def of_sweep(loop: Loop) -> Callable[[Context], Trial]:
    """The kind of sweep, with four items by name; whatever is done with one is done by ``act``."""

    def made(context: Context) -> Trial:
        noted = context.settings.data_dir / "done"
        noted.mkdir()

        def act(_: Context, item: str) -> int:
            _do(item)
            (noted / item).touch()
            return 1

        def due(_: Context) -> Sequence[str]:
            items = ("bad", "one", "two", "three")
            return [item for item in items if not (noted / item).exists()]

        none = {each: sweeps.Sweep(lambda _: (), lambda *_: 0) for each in SWEEPS}

        def run(context: Context) -> None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sweeps, "SWEEPS", MappingProxyType({**none, loop: sweeps.Sweep(due, act)}))
                sweep(context)

        return Trial(
            context,
            run,
            "bad",
            lambda _: {each.name for each in noted.iterdir()} >= {"one", "two", "three"},
            lambda context: state_of(context, loop, "bad"),
            {"do": Place(__import__(__name__, fromlist=["_do"]), "_do", lambda item: item == "bad")},
        )

    return made


def of_kinds(loop: Loop) -> Callable[[Context], Trial]:
    """All kinds of sweeps, of which one is bad as a whole: as it looks what is due."""

    def made(context: Context) -> Trial:
        noted = context.settings.data_dir / "kinds"
        noted.mkdir()

        def whole(each: Loop) -> int:
            _do(each)
            (noted / each).touch()
            return 0

        def looks(each: Loop) -> Callable[[Context], Sequence[str]]:
            return lambda _: (whole(each), [])[1]

        def does(each: Loop) -> Callable[[Context], int]:
            return lambda _: whole(each)

        def run(context: Context) -> None:
            with pytest.MonkeyPatch.context() as patch:
                kinds = {each: sweeps.Sweep(looks(each), lambda *_: 0) for each in SWEEPS}
                patch.setattr(sweeps, "SWEEPS", MappingProxyType(kinds))
                patch.setattr(sweeps, "UPKEEP", MappingProxyType({each: does(each) for each in UPKEEP}))
                sweep(context)

        return Trial(
            context,
            run,
            loop,
            lambda _: {each.name for each in noted.iterdir()} >= {*SWEEPS, *UPKEEP} - {loop},
            lambda context: state_of(context, Loop.SWEEPS, loop),
            {"do": Place(__import__(__name__, fromlist=["_do"]), "_do", lambda item: item == loop)},
        )

    return made


def _do(item: str) -> None:
    """Where an item is done that has no function of its own."""


TRIALS: Final[dict[Loop, Callable[[Context], Trial]]] = {
    Loop.MESSAGES: of_messages,
    Loop.NOTICES: of_notices,
    Loop.WEBHOOKS: of_webhooks,
    Loop.TURNS: of_turns,
    Loop.BOTS: of_bots,
    Loop.SWEEPS: of_kinds(Loop.CLOCKS),
    **{loop: of_sweep(loop) for loop in SWEEPS},
    **{loop: of_kinds(loop) for loop in UPKEEP},
}
PLACES: Final[dict[Loop, tuple[str, ...]]] = {
    Loop.MESSAGES: ("sort", "do", "settle"),
    Loop.NOTICES: ("read", "sort", "do", "settle"),
    Loop.WEBHOOKS: ("sort", "do", "settle"),
    Loop.TURNS: ("sort", "do", "settle"),
    Loop.BOTS: ("sort", "do", "settle"),
}


def test_every_loop_is_tried() -> None:
    assert {*TRIALS} == {*Loop} - {Loop.PARTS}, "parts are threads: see test_parts"


@pytest.mark.parametrize(
    ("loop", "place", "fault"),
    [(loop, place, fault) for loop in TRIALS for place in PLACES.get(loop, ("do",)) for fault in FAULTS],
)
def test_a_bad_item_concerns_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: Loop, place: str, fault: Fault
) -> None:
    most_attempts = 3 if loop == Loop.TURNS else MOST_ATTEMPTS
    seconds = SECONDS if fault == "hang" else 600.0
    terms = {each: replace(found, most_attempts=most_attempts, seconds=seconds) for each, found in TERMS.items()}
    monkeypatch.setattr(loops, "TERMS", MappingProxyType(terms))
    context = wired_in(tmp_path)
    trial = TRIALS[loop](context)
    context = trial.context
    clock = context.clock
    assert isinstance(clock, Clock)
    where = trial.places[place]
    spoil(monkeypatch, where, fault)
    tried = [0]
    for _ in range(RESTARTS):
        if fault == "exception":
            trial.run(context)
        else:
            supervised(trial, context)
        attempts, kept = trial.state(context)
        if attempts != tried[-1]:
            tried.append(attempts)
        if kept and trial.is_done(context):
            break
        # The leases of a process that ended have run out, or the pause of the only one left.
        clock.advance(minutes=40 if trial.is_done(context) else 1)
    assert trial.is_done(context), "all others are done"
    most = most_attempts if fault == "exception" else TERMS[loop].most_crashes
    attempts, kept = trial.state(context)
    assert kept, f"attempts: {tried}"
    assert attempts in (most, most + 1), "it is known with the last one that it is not to be tried any more"


@pytest.mark.parametrize(("loop", "place"), [(loop, place) for loop in TRIALS for place in PLACES.get(loop, ("do",))])
def test_a_database_that_goes_away_again_and_again_is_no_fault_of_the_item_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: Loop, place: str
) -> None:
    context = wired_in(tmp_path)
    trial = TRIALS[loop](context)
    clock, where, away = trial.context.clock, trial.places[place], [False]
    assert isinstance(clock, Clock)
    gone = OperationalError("SELECT", {}, Exception("the server closed the connection"))
    for name in ("read", "look", "write"):
        whole = getattr(Database, name)

        def reached(database: Database, whole: Any = whole) -> Any:
            if away[0]:
                raise gone
            return whole(database)

        monkeypatch.setattr(Database, name, reached)
    sound = getattr(where.module, where.name)

    def breaks(*given: Any, **named: Any) -> Any:
        if where.of(*given, **named):
            away[0] = True
            raise gone
        return sound(*given, **named)

    with monkeypatch.context() as outages:
        outages.setattr(where.module, where.name, breaks)
        for _ in range(2 * TERMS[loop].most_crashes):
            with suppress(OperationalError):
                trial.run(trial.context)
            away[0] = False
            clock.advance(minutes=1)
    for _ in range(2):
        trial.run(trial.context)
        clock.advance(minutes=1)
    assert trial.is_done(trial.context)
    attempts, kept = trial.state(trial.context)
    assert not kept
    assert attempts <= 1


def spoil(monkeypatch: pytest.MonkeyPatch, place: Place, fault: Fault) -> None:
    """Has the function go wrong for the bad item."""
    sound = getattr(place.module, place.name)

    def spoilt(*given: Any, **named: Any) -> Any:
        if place.of(*given, **named):
            match fault:
                case "exception":
                    raise RuntimeError("This item is bad.")
                case "hang":
                    time.sleep(3600)
                case "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
        return sound(*given, **named)

    monkeypatch.setattr(place.module, place.name, spoilt)


def supervised(trial: Trial, context: Context) -> None:
    """Runs the loop once, in a process that may end."""
    context.database.dispose()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            trial.run(replace(restarted(context), queue=context.queue, entropy=SeededEntropy(os.getpid())))
            status = 0
        finally:
            os._exit(status)
    until(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid, "the process ends")
