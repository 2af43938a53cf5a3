"""kill -9 of each part of the service while turns are submitted, judged and told; whoever
supervises starts it again.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.store.tables import outbox
from tests.faults.trial import Trial
from tools.soak.processes import Kind, send
from tools.soak.service import await_


@contextmanager
def killed(trial: Trial, kind: Kind, times: int = 2) -> Iterator[None]:
    """One process of that kind is killed, and again when it has come back and some turns were
    played: at moments nobody has chosen.
    """
    for _ in range(times):
        victim = trial.service.part(kind)
        before = trial.club.book.turns
        send(victim, signal.SIGKILL)
        await_(lambda before=before: trial.club.book.turns >= before + 2, 90, "Two more turns")
    yield


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("api", "kill -9 of an API process"),
        ("arbiter", "kill -9 of the API's arbiter"),
        ("sweeper", "kill -9 of the sweeper"),
    ],
)
def test_a_part_that_is_killed_costs_nothing(trial: Trial, kind: Kind, fault: str) -> None:
    trial.suffer(fault, killed(trial, kind))


def test_a_worker_killed_in_the_middle_of_judging_costs_nothing(trial: Trial) -> None:
    """All workers are held by SIGSTOP until turns are queued, let go, and one is killed at once: it
    has the job or is about to take it.
    """

    @contextmanager
    def in_the_middle() -> Iterator[None]:
        for delay in (0.0, 0.005, 0.02):
            workers = trial.service.parts("turns")
            for worker in workers:
                send(worker, signal.SIGSTOP)
            await_(lambda: trial.queued() > 0, 60, "A turn that waits for the workers")
            for worker in workers:
                send(worker, signal.SIGCONT)
            trial.moment(delay)
            for worker in workers:
                send(worker, signal.SIGKILL)
            await_(
                lambda workers=workers: (
                    len({part.pid for part in trial.service.parts("turns")} - {part.pid for part in workers}) == 2
                ),
                60,
                "New workers",
            )
            await_(lambda: trial.queued() == 0, 60, "The judging of the queued turns")
        yield

    trial.suffer("kill -9 of all workers while they judge", in_the_middle())


def test_a_worker_killed_while_it_sends_costs_nothing(trial: Trial) -> None:
    """The mail server thinks for a while before it takes a mail: whoever is killed meanwhile has
    leased the notice and is sending it.
    """

    @contextmanager
    def in_the_middle() -> Iterator[None]:
        trial.mail.feel("slow")
        await_(lambda: trial.count(outbox, outbox.c.leased_until.is_not(None)) > 0, 60, "A notice that is being sent")
        for worker in trial.service.parts("notices"):
            send(worker, signal.SIGKILL)
        trial.mail.feel("well")
        yield

    trial.suffer("kill -9 of all notice workers while they send", in_the_middle(), "deliveries")


def test_everything_killed_at_once_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def all_at_once() -> Iterator[None]:
        trial.service.kill()
        trial.service.start()
        yield

    trial.suffer("kill -9 of everything at once", all_at_once())
