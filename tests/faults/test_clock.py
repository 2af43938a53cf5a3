"""The wall clock of the whole service jumps by hours, forwards and backwards, while turns are judged and mails go out.

All its processes run under libfaketime, which reads how far the clock is off from a file. Where that library is not to be had, this is skipped, and says so.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.commands.soak_service import await_
from service.store.tables import turns
from tests.faults.trial import Trial, begin


def library() -> Path | None:
    """The library to preload; ``None`` where there is none for this machine."""
    found = importlib.util.find_spec("libfaketime")
    if found is None or found.origin is None:
        return None
    return next(iter(sorted(Path(found.origin).parent.rglob("libfaketime.so.1"))), None)


@pytest.fixture(scope="module")
def offset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that says how far the clock of the service is off."""
    file = tmp_path_factory.mktemp("clock") / "offset"
    file.write_text("+0")
    return file


@pytest.fixture(scope="module")
def jumping(tmp_path_factory: pytest.TempPathFactory, rows: Path, offset: Path) -> Iterator[Trial]:
    preload = library()
    if preload is None:
        reason = "A stepping clock is not tested: there is no libfaketime for this machine."
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    faked = {"LD_PRELOAD": str(preload), "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    trial = begin(tmp_path_factory.mktemp("trial"), rows, "SQLite", **faked, DONT_FAKE_MONOTONIC="1")
    yield trial
    print(trial.service.said()[-4000:])
    trial.close()


@pytest.mark.parametrize(("jump", "fault"), [("+7200", "the clock steps 2 h forwards"), ("-7200", "the clock steps 4 h backwards")])
def test_a_clock_that_steps_costs_nothing(jumping: Trial, offset: Path, jump: str, fault: str) -> None:
    @contextmanager
    def stepped() -> Iterator[None]:
        before = jumping.count(turns)
        offset.write_text(jump)
        await_(lambda: jumping.count(turns) > before, 90, "A turn under the other time")
        yield

    jumping.suffer(fault, stepped())
    jumping.suffer(f"{fault}: mails", stepped(), "deliveries")


def test_the_clock_really_steps(jumping: Trial, offset: Path) -> None:
    """The database has turns from hours apart, though the test has taken seconds."""
    from sqlalchemy import func, select

    offset.write_text("+86400")
    jumping.club.resume()
    jumping.more_turns(2)
    jumping.club.pause()
    with jumping.database.read() as connection:
        first, last = connection.execute(select(func.min(turns.c.submitted_at), func.max(turns.c.submitted_at))).one()
    assert (last - first).total_seconds() > 3600
