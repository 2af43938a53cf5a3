"""The wall clock of the whole service jumps by hours, forwards and backwards, while turns are
judged and mails go out.

All its processes run under libfaketime, which reads how far the clock is off from a file. Where
that library is not to be had, this is skipped, and says so.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import missing
from tests.faults.trial import Trial, trial
from tools.waiting import until

pytestmark = pytest.mark.deep


def library() -> Path | None:
    """The library to preload; ``None`` where there is none for this machine."""
    found = importlib.util.find_spec("libfaketime")
    if found is None or found.origin is None:
        return None
    return next(iter(sorted(Path(found.origin).parent.rglob("libfaketime.so.1"))), None)


@pytest.fixture(scope="module")
def offset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the offset of the service's clock."""
    file = tmp_path_factory.mktemp("clock") / "offset"
    file.write_text("+0")
    return file


@pytest.fixture(scope="module")
def jumping(tmp_path_factory: pytest.TempPathFactory, rows: Path, offset: Path) -> Iterator[Trial]:
    preload = library()
    if preload is None:
        missing.skip("A stepping clock is not tested: there is no libfaketime for this machine.")
    faked = {
        "LD_PRELOAD": str(preload),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    with trial(tmp_path_factory.mktemp("trial"), rows, "SQLite", faked) as started:
        yield started


def test_a_clock_that_steps_forwards_and_back_costs_nothing(jumping: Trial, offset: Path) -> None:
    """What was written two hours ahead, with its leases and what is due then, is found again when
    the clock has gone back before it.
    """

    @contextmanager
    def stepped(seconds: int) -> Iterator[None]:
        before = jumping.newest()
        offset.write_text(f"{seconds:+d}")
        # A turn that was on its way may still have the old time.
        until(lambda: abs((jumping.newest() - before).total_seconds()) > 3600, "the clock has stepped")
        jumping.more_turns(2)
        yield

    jumping.suffer("the clock steps 2 h forwards", stepped(7200))
    jumping.suffer("the clock steps 4 h backwards", stepped(-7200), "deliveries")
    jumping.suffer("the clock steps 2 h forwards again", stepped(0))
