"""The faults of a soak that come through a game that goes wrong on command: turns that kill or hang
whoever judges them, and mails that kill whoever composes them. Everything else goes on.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import ColumnElement, select

from service.store.database import Database
from service.store.tables import outbox
from tools.client import Document
from tools.launch import overland
from tools.mishap import MishapKind
from tools.soak.faults import SoakFault, Target
from tools.soak.journal import NEVER
from tools.waiting import TimedOut, until

UNSENT: Final = outbox.c.status == "pending"
CHARGED: Final = UNSENT & (outbox.c.crashes > 0)
COMES_SECONDS: Final = 600.0
WITHOUT_MOVES: Final = "The list of your moves could not be made"


def poison_turn(kind: MishapKind) -> Callable[[Target, random.Random], None]:
    """A turn kills or hangs its judge until it is refused; that is mended, and it is retried."""

    def inflict(target: Target, luck: random.Random) -> None:
        own, journal = target.poisoned, target.players.journal
        with _database(target) as database:
            _let_mails_go(target, database)
        own.start()
        choice = own.choice(luck)
        with target.mishap.happening(kind):
            began = time.monotonic()
            turn_id = own.submit(choice)["id"]
            refused = comes(target, lambda: _is_failed(own.turn(choice.player, turn_id)), f"turn {turn_id} fails")
            comes(target, lambda: journal.recovered(began) < NEVER, f"all matches go on beside turn {turn_id}")
        if not refused:
            return
        listed = overland("turns", "list", "--json", "--limit", "10000", environ=target.service.environ)
        statuses = {each["id"]: each["status"] for each in map(json.loads, listed.stdout.splitlines())}
        if statuses.get(turn_id) != "quarantined":
            journal.error(f"turn {turn_id} is not listed as quarantined: {listed.stdout}{listed.stderr}")
        retried = overland("turns", "retry", turn_id, environ=target.service.environ)
        if retried.returncode:
            journal.error(f"turn {turn_id} was not retried: {retried.stderr}")
            return
        again = retried.stdout.strip()
        journal.turn_taken(again)
        if comes(target, lambda: _is_accepted(own.turn(choice.player, again)), f"retried turn {again} is accepted"):
            comes(target, lambda: _is_accepted(own.play(luck)), f"match {own.id} goes on after {again}")

    return inflict


def poison_mail(target: Target, luck: random.Random) -> None:
    """A mail kills whoever composes it, until it is composed without what kills."""
    own, journal = target.poisoned, target.players.journal
    with _database(target) as database:
        _let_mails_go(target, database)
        workers = {part.pid for part in target.service.parts("workers")}
        before, innocent = _notices(database, CHARGED), set[str]()
        moment, began = datetime.now(UTC), time.monotonic()
        with target.mishap.happening("playing dies"):
            own.start()
            its = outbox.c.match_id == own.id

            def others_go_on() -> bool:
                innocent.update(_notices(database, CHARGED, ~its) - before)
                return bool(_notices(database, ~its, outbox.c.sent_at >= moment)) and journal.recovered(began) < NEVER

            def sent() -> bool:
                innocent.update(_notices(database, CHARGED, ~its) - before)
                return not _notices(database, its, UNSENT)

            comes(target, others_go_on, f"matches and mails go on beside those of match {own.id}")
            with _paused(target):
                comes(target, sent, f"the mails of match {own.id} are sent")
            comes(target, lambda: _went_without_moves(target), f"match {own.id} has a mail without moves")
        if not _notices(database, its, outbox.c.attempts > 1) and not target.stop.is_set():
            journal.error(f"no mail of match {own.id} has killed the process that composed it")
        if innocent:
            journal.error(f"the notices {sorted(innocent)} were charged with a mail of match {own.id}")
    if dead := workers - {part.pid for part in target.service.parts("workers")}:
        journal.error(f"notice workers died of a mail of match {own.id}: {sorted(dead)}")


def comes(target: Target, condition: Callable[[], object], what: str, seconds: float = COMES_SECONDS) -> bool:
    """Whether the condition comes true; where it does not within ``seconds``, that is an error of
    the soak. Returns ``False``, too, where the soak is to end early.
    """
    try:
        until(lambda: target.stop.is_set() or condition(), what, seconds)
    except TimedOut as error:
        target.players.journal.error(str(error))
        return False
    return not target.stop.is_set()


def _let_mails_go(target: Target, database: Database) -> None:
    """Waits until the last match has its mails: its log with a turn cannot be replayed during a
    mishap.
    """
    last = outbox.c.match_id == target.poisoned.id
    if _notices(database, last, UNSENT):
        with _paused(target):
            comes(target, lambda: not _notices(database, last, UNSENT), f"match {target.poisoned.id} has its mails")


def _went_without_moves(target: Target) -> bool:
    own = target.poisoned
    texts = [text for player in own.players for text in target.mail.texts(player.email)]
    return any(own.id in text and WITHOUT_MOVES in text for text in texts)


@contextmanager
def _paused(target: Target) -> Iterator[None]:
    """The players pause until the context is left: a mail takes longer to make than a turn to
    judge.
    """
    target.players.pause()
    try:
        yield
    finally:
        target.players.resume()


def _is_failed(turn: Document) -> bool:
    return bool(turn["status"] == "rejected" and turn["verdict"]["violation"]["code"] == "judge_failed")


def _is_accepted(turn: Document) -> bool:
    return bool(turn["status"] == "accepted")


def _notices(database: Database, *wanted: ColumnElement[bool]) -> set[str]:
    with database.read() as connection:
        return set(connection.execute(select(outbox.c.id).where(*wanted)).scalars())


@contextmanager
def _database(target: Target) -> Iterator[Database]:
    database = Database(target.service.database_url)
    try:
        yield database
    finally:
        database.dispose()


POISON: Final = (
    SoakFault("a turn that kills its judge", 2, poison_turn("playing dies")),
    SoakFault("a turn that hangs its judge", 1, poison_turn("playing hangs")),
    SoakFault("a mail that kills its sender", 2, poison_mail, "deliveries"),
)
