"""Replacements for time, randomness and mail in tests, and a service wired with them."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection

import engine.games
from engine import registry
from engine.bots import random_action
from engine.documents import to_document
from engine.types import Entry
from service.addresses import folded
from service.clocks.rule import read_rule
from service.config import Settings, load
from service.context import Context
from service.errors import ServiceError
from service.guard import Answered, Bounds, ChildOutcome, Died, Guard, OutOfTime, Raised, Waited
from service.kept import States
from service.kinds import NoticeKind
from service.loop import failure_of
from service.matches import lobby, replays
from service.matches.types import Match, SeatRequest
from service.payloads import AboutSeat
from service.players import accounts, tokens
from service.redis_link import RedisLink
from service.store import matches as match_rows
from service.store import outbox as outbox_rows
from service.store import turns as turn_rows
from service.store.database import Database
from service.store.outbox import LEASING, NOTICES, NewNotice, Notice, Passed
from service.store.players import Player
from service.store.schema import migrate
from service.store.tables import outbox, turns
from service.store.tokens import Token
from service.turns.batch import Round as Batch
from service.turns.batch import judge_oldest, judge_tried
from service.turns.judge import OwnRulings
from service.turns.lookup import shown
from service.turns.submit import submit
from service.turns.types import Turn
from tests.service.payloads import document_of
from tools.installed import forget_games, remembering
from tools.memory_queue import MemoryQueue, MemoryVitals

GAMES = Path(__file__).parent / "games"
RAISED = Path(__file__).parent / "games_raised"
"""The toy game by version 2 of its rules, which keeps version 1."""
AT_ONCE = Path(__file__).parent / "games_at_once"
"""A game in which all seats act at once, in secret."""
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


class Clock:
    """A clock that does not move by itself."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **time: float) -> None:
        """Moves on, for instance by ``minutes=5``."""
        self.now += timedelta(**time)


def limited(context: Context) -> Context:
    """The same service with limits of requests, by a clock that stands still: they are counted by
    the minutes and hours of the clock, in which a test may begin and not end.
    """
    clock = Clock()
    clock.now = context.clock()
    return replace(context, settings=replace(context.settings, rate_limit=True), clock=clock)


def later(context: Context, **time: float) -> None:
    """Lets time pass, for instance ``minutes=5``."""
    assert isinstance(context.clock, Clock)
    context.clock.advance(**time)


class Timer:
    """A timer that does not move by itself, or advances by ``step`` seconds whenever it is read."""

    def __init__(self, step: float = 0.0) -> None:
        self.seconds = 0.0
        self.step = step

    def __call__(self) -> float:
        seconds = self.seconds
        self.seconds += self.step
        return seconds

    def advance(self, seconds: float) -> None:
        """Moves on."""
        self.seconds += seconds


class SeededEntropy:
    """The same ids and secrets for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def token(self, length: int) -> str:
        with self._lock:
            return "".join(self._random.choices(_BASE32, k=length))

    def random_bytes(self, length: int) -> bytes:
        with self._lock:
            return self._random.randbytes(length)


class Postbag:
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []

    def check(self) -> str:
        return "250 Mails could be sent"

    def send(self, message: EmailMessage) -> str:
        self.messages.append(message)
        return "250 It is in the bag"


def link_to(url: str, timer: Callable[[], float] = time.monotonic, name: str = "club", pause: float = 0.0) -> RedisLink:
    """A way to a Redis, with the keys of the service of that name; without a pause it is asked
    again at once.
    """
    return RedisLink(url, lambda: name, timer, 2.0, pause)


@dataclass
class Here(Guard):
    """A guard without a child: it gives what the function answers or raises. A failure that it
    answers is the outcome.
    """

    answer: Callable[[Any], Any]

    def ask(self, request: Any, bounds: Bounds) -> ChildOutcome[Any]:
        try:
            answer = self.answer(request)
        except Exception as error:
            return failure_of(error)
        return answer if isinstance(answer, Raised | Died | OutOfTime | Waited) else Answered(answer)

    def close(self) -> None:
        """Ends nothing."""


def settings_for(data_dir: Path, database_url: str) -> Settings:
    """Development settings that touch nothing but this folder and this database."""
    return replace(
        load({"OVERLAND_DATA_DIR": str(data_dir)}),
        database_url=database_url,
        mail_url=f"folder:{data_dir / 'mail'}",
        mail_from="Overland <overland@example.org>",
        mail_in="",
        bot_positions=60,
        keep_messages_days=None,
    )


@lru_cache(maxsize=1)
def migrated() -> bytes:
    """The file of an empty, migrated SQLite database: to copy it takes a fraction of migrating."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "overland.sqlite")
        database = Database(f"sqlite:///{file}")
        migrate(database)
        database.dispose()  # the last connection to close writes the log back into the file
        return file.read_bytes()


def wired(data_dir: Path, database_url: str) -> Context:
    """A service on that database with everything else faked; the tables are not made here."""
    return Context(
        settings=settings_for(data_dir, database_url),
        database=Database(database_url, Timer()),
        queue=MemoryQueue(),
        clock=Clock(),
        entropy=SeededEntropy(),
        states=States(100),
        transport=Postbag(),
        timer=Timer(),
        vitals=MemoryVitals(),
    )


def wired_in(folder: Path) -> Context:
    """The same on an empty, migrated SQLite database of its own, in that folder."""
    file = folder / "overland.sqlite"
    file.write_bytes(migrated())
    return wired(folder, f"sqlite:///{file}")


def restarted(context: Context) -> Context:
    """The same service in a process that has just started: it remembers nothing, and its queue is
    empty.
    """
    return replace(context, queue=MemoryQueue(), states=States(100))


_KEPT: dict[tuple[str, ...], dict[str, Any]] = {}
"""The functions of the registry with what they remember of `GAMES`, by the paths they looked along:
most tests use that folder, and looking for all games again takes longer than many of them.
"""


@contextmanager
def discovered(folder: Path = GAMES) -> Iterator[None]:
    """The games of that folder are in the registry too, by discovery; afterwards it is as it
    was.
    """
    engine.games.__path__.append(str(folder))
    try:
        with _as_kept() if folder == GAMES else _only_once(folder):
            yield
    finally:
        engine.games.__path__.remove(str(folder))


@contextmanager
def _as_kept() -> Iterator[None]:
    before = remembering()
    looked_along = (*sys.path, "", *engine.games.__path__)
    kept = _KEPT.setdefault(looked_along, {name: cache(found.__wrapped__) for name, found in before.items()})
    vars(registry).update(kept)
    try:
        yield
    finally:
        vars(registry).update(before)


@contextmanager
def _only_once(folder: Path) -> Iterator[None]:
    _forget_games(folder)
    try:
        yield
    finally:
        _forget_games(folder)


def _forget_games(folder: Path) -> None:
    names = [f"{engine.games.__name__}.{game.name}" for game in folder.iterdir()]
    for module in [
        module for module in sys.modules if any(module == name or module.startswith(f"{name}.") for name in names)
    ]:
        del sys.modules[module]
    _KEPT.clear()
    forget_games()


def add_notice(
    connection: Connection,
    kind: NoticeKind,
    player_id: str | None,
    match_id: str | None,
    payload: Mapping[str, Any],
    now: datetime,
    address: str | None = None,
    **more: Any,
) -> str:
    """Writes a row of the outbox, past the gate. Returns its id."""
    any_of_its = AboutSeat(0)  # in whose place comes the payload, which may lack something
    new = NewNotice(kind, player_id, match_id, any_of_its, address, **more)
    notice_id = outbox_rows.add_all(connection, [Passed(new)], now)[0]
    outbox_rows.set_payload(connection, notice_id, document_of(kind, payload))
    return notice_id


def notices(context: Context, kind: str | None = None) -> list[Notice]:
    """The rows of the outbox, in the order of their making."""
    with context.database.read() as connection:
        found = NOTICES.all(connection, order=[outbox.c.created_at, outbox.c.id])
    return [notice for notice in found if kind in (None, notice.kind)]


def leased(
    connection: Connection, holder: str, now: datetime, until: datetime, limit: int, slow: bool = False
) -> tuple[Notice, ...]:
    """Notices as a worker leases and sorts them; the attempt of the first has begun."""
    charged = LEASING.lease(connection, holder, now, until, limit, slow)
    return outbox_rows.sort(connection, holder, [each.id for each in charged], until)


def due(context: Context) -> tuple[str, ...]:
    """The notices that workers could lease, in that order."""
    with context.database.write() as connection:
        undone, now = connection.begin_nested(), context.clock()
        lanes = [
            LEASING.lease(connection, "nobody", now, now + timedelta(seconds=1), 10, slow) for slow in (False, True)
        ]
        undone.rollback()
    return tuple(each.id for lane in lanes for each in lane)


def all_sent(context: Context) -> None:
    """Marks the notices that wait as sent."""
    with context.database.write() as connection:
        connection.execute(
            outbox.update().where(outbox.c.status == "pending").values(status="sent", sent_at=context.clock())
        )


def past_the_delay(context: Context) -> None:
    """Moves the clock to when mails of verdicts are due."""
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=context.settings.verdict_mail_seconds)


def sent_token(context: Context, email: str) -> str:
    """The one-time token of the latest notice to a player's address."""
    with context.database.read() as connection:
        from service.store import players

        player = players.by_address(connection, folded(email))
        assert player is not None
        mine = NOTICES.all(connection, outbox.c.player_id == player.id, order=[outbox.c.created_at, outbox.c.id])
    return str([notice.payload["token"] for notice in mine if "token" in notice.payload][-1])


def person(context: Context, name: str, email: str | None = None) -> Player:
    """Somebody who has signed up and confirmed their address."""
    return person_with_token(context, name, email)[0]


def person_with_token(context: Context, name: str, email: str | None = None) -> tuple[Player, str]:
    """The same, with the API token that the confirmation answered."""
    address = email or f"{name.lower()}@example.org"
    accounts.sign_up(context, name, address)
    return accounts.confirm(context, sent_token(context, address))


def proof(context: Context, player: Player) -> Token:
    """A token that the player got just now for reading a mail."""
    now = context.clock()
    return Token("proof", player.id, tokens.FIRST_LABEL, tokens.SCOPES, now, now)


def holder(context: Context, secret: str) -> Player:
    """The player whom this API token signs in."""
    found = tokens.recognise_at(context, secret, None)[0]
    assert found is not None
    return found[0]


@dataclass(frozen=True, slots=True)
class Round:
    """A running match and its players by seat."""

    match: Match
    players: tuple[Player, ...]


def started(
    context: Context,
    game: str,
    seats: int = 2,
    names: tuple[str, ...] = ("Ada", "Bela", "Cleo", "Dora"),
    clock: str | Mapping[str, Any] = "none",
    **options: Any,
) -> Round:
    """A running match of new players; ``clock`` is the name of a preset, or a document."""
    people = tuple(person(context, name) for name in names[:seats])
    requests = [SeatRequest("me")] + [SeatRequest("open")] * (seats - 1)
    rule = read_rule({"preset": clock} if isinstance(clock, str) else clock)
    match = lobby.create(context, people[0], game, options, requests, clock=rule)
    for other in people[1:]:
        match = lobby.join(context, other, match.id)
    return Round(match, people)


def state_of(context: Context, match_id: str) -> Any:
    """The current state of a match, replayed from its log alone."""
    with context.database.read() as connection:
        match = match_rows.find(connection, match_id)
        assert match is not None
        return replays.load(connection, restarted(context), match)


def log_of(context: Context, match_id: str) -> tuple[Entry[Any], ...]:
    """The log of a match."""
    with context.database.read() as connection:
        match = match_rows.find(connection, match_id)
        assert match is not None
        return replays.entries_of(connection, replays.game_of(match), match)


def played(context: Context, player: Player, match_id: str, *lines: str, ply: int | None = None) -> Turn:
    """A turn that is submitted and judged at once."""
    at = lobby.find(context, player, match_id).ply if ply is None else ply
    turn = submit(context, player, match_id, None, at, notation=list(lines), is_confirmed=True)
    return judge_one(context, turn.id)


def judge_one(context: Context, turn_id: str) -> Turn:
    """The turn with its verdict, after all that were queued before it; ruled on in this process."""
    rulings = OwnRulings(context.database, context.states)
    for _ in range(100):
        with context.database.read() as connection:
            turn = turn_rows.find(connection, turn_id)
        assert turn is not None
        if turn.status != "queued":
            return shown(context, turn)
        judge_oldest(context, rulings, 64)
        judge_tried(context, rulings)
    raise AssertionError(f"Turn {turn_id} is not judged.")


def judged_batch(context: Context, limit: int = 64) -> Batch:
    """The result of one batch, ruled on in this process."""
    return judge_oldest(context, OwnRulings(context.database, context.states), limit)


def set_apart(context: Context, submitted: Turn) -> Turn:
    """The waiting turn without its slot, so that its seat may submit further ones."""
    with context.database.write() as connection:
        connection.execute(turns.update().where(turns.c.id == submitted.id).values(slot=None))
    return submitted


def played_on(context: Context, table: Round, luck: random.Random, plies: int | None = None) -> Match:
    """Random legal turns of one action each, until the match is over or has that many plies."""
    game = registry.game(table.match.game)
    while (match := lobby.find(context, None, table.match.id)).status == "running" and (
        plies is None or match.ply < plies
    ):
        seat = next(seat.seat for seat in match.seats if seat.to_act)
        with context.database.read() as connection:
            stored = match_rows.find(connection, match.id)
            assert stored is not None
            action = random_action(game, replays.load(connection, context, stored), seat, luck.choice)
        turn = submit(
            context, table.players[seat], match.id, seat, match.ply, actions=[to_document(action)], is_confirmed=True
        )
        judged = judge_one(context, turn.id)
        assert judged.status == "accepted", judged
    return match


def at_once(*tasks: Callable[[], Any]) -> list[Any]:
    """The results of the tasks, or the service errors they end with, all started at the same
    moment.
    """
    gate, done = threading.Barrier(len(tasks)), []

    def run(task: Callable[[], Any]) -> None:
        gate.wait(30)
        try:
            done.append(task())
        except Exception as error:
            done.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == len(tasks)
    failed = [answer for answer in done if isinstance(answer, Exception) and not isinstance(answer, ServiceError)]
    assert failed == []
    return done
