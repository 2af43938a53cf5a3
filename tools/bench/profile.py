"""Measures where the time of a turn goes: one process does everything, and each stage is measured
by the processor time of its thread.

The functions of the service are wrapped while this runs. A stage called by another stage counts for
itself only, so the stages add up to the whole.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, Final

import marshmallow as ma

from engine.game import AnyGame
from service.api import parsing
from service.app import create_app
from service.context import Context
from service.players import tokens
from service.queue import RqQueue
from service.store import matches, outbox, turns
from service.turns import batch, judge
from service.turns import submit as submitting
from service.turns.judge import OwnRulings
from tools.bench.scripts import add_match, add_players, write_script
from tools.games import fewest_seats

STAGES: Final[tuple[tuple[str, Any, str], ...]] = (
    ("parsing the body", parsing, "read_json"),
    ("checking the body", ma.Schema, "load"),
    ("token and match", tokens, "recognise_at"),
    ("finding the seat", submitting, "seated"),
    ("reading the actions", submitting, "document_of"),
    ("committing the turn", submitting, "_added"),
    ("waking a worker", RqQueue, "wake_turns"),
    ("looking for the verdict", submitting, "looked_up"),
    ("writing the answer", ma.Schema, "dump"),
    ("taking pending turns", turns, "oldest"),
    ("reading their matches", matches, "find_all"),
    ("judging", judge, "judge"),
    ("locking turns", turns, "lock_queued"),
    ("locking matches", matches, "lock_positions"),
    ("writing the steps", matches, "write_steps"),
    ("writing verdicts", turns, "set_verdicts"),
    ("writing notices", outbox, "add_all"),
    ("announcing", RqQueue, "announce_verdicts"),
)
HTTP: Final = "HTTP, routing, log, the rest of the API"
COMMIT: Final = "committing, the rest of the judge"
MATCHES: Final = 16


class Stopwatch:
    """Processor seconds of this thread by stage; the innermost stage counts."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inside: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts time for this stage until the block ends."""
        self._note()
        self._inside.append(name)
        try:
            yield
        finally:
            self._note()
            self._inside.pop()

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps a function so that it counts as that stage."""

        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self.stage(name):
                return function(*args, **kwargs)

        return timed

    def _note(self) -> None:
        now = time.thread_time()
        if self._inside:
            self.seconds[self._inside[-1]] += now - self._since
        self._since = now


def stages(context: Context, game: AnyGame) -> Mapping[str, float]:
    """Processor milliseconds per turn by stage, in order; batches of ``MATCHES`` turns are judged
    together. Raises ``RuntimeError`` where a turn is refused.
    """
    watch, luck, now = Stopwatch(), random.Random("stages"), context.clock()
    scripts = [write_script(game, f"stage{match}", luck) for match in range(MATCHES)]
    with context.database.write() as connection:
        seated = [
            add_players(connection, fewest_seats(game.info.seats), now, first=f"stage{match}")
            for match in range(MATCHES)
        ]
        for script, players in zip(scripts, seated, strict=True):
            add_match(connection, game, script, [each.player for each in players], now)
    client, posted = create_app(context).test_client(), 0
    judges = OwnRulings(context.database, context.states)
    with ExitStack() as patched:
        for name, owner, attribute in STAGES:
            patched.enter_context(_replaced(owner, attribute, watch.around(name, getattr(owner, attribute))))
        for number in range(max(len(script.turns) for script in scripts)):
            playing = [
                (script, players) for script, players in zip(scripts, seated, strict=True) if number < len(script.turns)
            ]
            for script, players in playing:
                turn = script.turns[number]
                headers = {"Authorization": f"Bearer {players[turn.seat].token}", "Content-Type": "application/json"}
                with watch.stage(HTTP):
                    answer = client.post(f"/v1/matches/{script.match_id}/turns", data=turn.body, headers=headers)
                if answer.status_code != 202:
                    raise RuntimeError(answer.text)
                posted += 1
            with watch.stage(COMMIT):
                judged = batch.judge_oldest(context, judges, MATCHES)
            if len(judged.judged) != len(playing):
                raise RuntimeError(f"{len(playing)} turns were posted, {len(judged.judged)} judged")
    order = (HTTP, *(name for name, _, _ in STAGES), COMMIT)
    return {name: watch.seconds[name] * 1000 / posted for name in order if name in watch.seconds}


@contextmanager
def _replaced(owner: Any, attribute: str, by: Any) -> Iterator[None]:
    whole = getattr(owner, attribute)
    setattr(owner, attribute, by)
    try:
        yield
    finally:
        setattr(owner, attribute, whole)
