"""A reader of the log that stalls, as `| less` and Ctrl-S do: turns are judged as before, what is
killed is started again, and the service stops when it is told to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.faults.trial import Trial
from tools.soak.faults import stalled_reader
from tools.waiting import until

pytestmark = pytest.mark.deep


def test_a_stalled_reader_of_the_log_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def stalled() -> Iterator[None]:
        with stalled_reader(trial.service):
            trial.more_turns(12)  # more lines than the pipe takes
            killed = trial.service.part("turns")
            killed.kill()
            until(lambda: is_replaced(trial, killed.pid), "the killed worker is started again")
            trial.more_turns(4)
            (supervisor,) = trial.service.started["overland"]
            trial.service.stop("overland")
            assert supervisor.returncode == 0
        trial.service.start()
        yield

    trial.suffer("the reader of the log stalls; a worker dies; stop and start", stalled())


def is_replaced(trial: Trial, pid: int) -> bool:
    workers = [part.pid for part in trial.service.parts("turns")]
    return len(workers) == 2 and pid not in workers
