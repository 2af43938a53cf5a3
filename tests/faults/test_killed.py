"""kill -9 of each part of the service while turns are submitted, judged and told; the supervisor
starts it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.store.tables import outbox
from tests.faults.trial import Trial
from tools.launch import PartKind
from tools.soak.faults import failing, frozen
from tools.waiting import until

pytestmark = pytest.mark.deep


@contextmanager
def killed(trial: Trial, kind: PartKind, times: int = 2) -> Iterator[None]:
    """One process of that kind is killed, and again when it has come back and some turns were
    played: at moments nobody has chosen.
    """
    for _ in range(times):
        trial.service.part(kind).kill()
        trial.more_turns(2)
    yield


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("api", "kill -9 of an API process"),
        ("arbiter", "kill -9 of the API's arbiter"),
        ("workers", "kill -9 of the sweeper and all workers but those of turns"),
    ],
)
def test_a_part_that_is_killed_costs_nothing(trial: Trial, kind: PartKind, fault: str) -> None:
    trial.suffer(fault, killed(trial, kind))


def test_a_worker_killed_in_the_middle_of_judging_costs_nothing(trial: Trial) -> None:
    """All workers are stopped until turns are queued, continued, and killed at once: they have the
    job or are about to take it.
    """

    def kill_workers(delay: float) -> None:
        workers = trial.service.parts("turns")
        with frozen(trial.service, "turns"):
            until(lambda: trial.queued() > 0, "a turn waits for the workers")
        trial.last(delay)
        for worker in workers:
            worker.kill()
        before = {worker.pid for worker in workers}
        until(lambda: len({part.pid for part in trial.service.parts("turns")} - before) == 2, "new workers")
        until(lambda: trial.queued() == 0, "the queued turns are judged")

    @contextmanager
    def in_the_middle() -> Iterator[None]:
        for delay in (0.0, 0.005, 0.02):
            kill_workers(delay)
        yield

    trial.suffer("kill -9 of all workers while they judge", in_the_middle())


def test_a_worker_killed_while_it_sends_costs_nothing(trial: Trial) -> None:
    """The mail server takes its time with every mail: whoever is killed meanwhile has leased the
    notice and is sending it.
    """

    @contextmanager
    def in_the_middle() -> Iterator[None]:
        with failing(trial.mail, "slow"):
            until(lambda: trial.count(outbox, outbox.c.leased_until.is_not(None)) > 0, "a notice is being sent")
            for worker in trial.service.parts("workers"):
                worker.kill()
        yield

    trial.suffer("kill -9 of all workers of notices while they send", in_the_middle(), "deliveries")


def test_everything_killed_at_once_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def all_at_once() -> Iterator[None]:
        trial.service.kill()
        trial.service.start()
        yield

    trial.suffer("kill -9 of everything at once", all_at_once())
