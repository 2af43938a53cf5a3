"""What holds for the suite as a whole: which of its tests run on both databases, and which may
start a whole service though they are not marked ``deep``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Final

import pytest

ON_BOTH_DATABASES: Final = (
    "tests/faults/",
    "tests/service/api/test_idempotency.py",
    "tests/service/commands/test_move.py",
    "tests/service/inbox/test_handling.py",
    "tests/service/inbox/test_mailbox_connections.py",
    "tests/service/ledger/",
    "tests/service/matches/test_invitations.py",
    "tests/service/matches/test_reporting.py",
    "tests/service/notices/test_delivery.py",
    "tests/service/players/test_guests.py",
    "tests/service/players/test_suspending.py",
    "tests/service/serving/test_killed_readers.py",
    "tests/service/store/",
    "tests/service/test_leaving.py",
    "tests/service/turns/test_at_once.py",
    "tests/service/turns/test_concurrency.py",
    "tests/service/turns/test_interleavings.py",
    "tests/service/turns/test_pending.py",
    "tests/service/turns/test_rulings.py",
    "tests/service/turns/test_sweeper_faults.py",
    "tests/workers/test_messages.py",
    "tests/workers/test_poller.py",
)
"""Modules, and folders with modules, about statements, transactions and leases. What other tests
assert does not depend on the database; they run on SQLite.
"""
QUICK_SERVICES: Final = (
    "tests/e2e/test_browser.py::test_a_player_who_came_by_a_mail_plays_without_a_script",
    "tests/e2e/test_crashes.py::test_a_part_killed_in_the_middle_of_turns_costs_none_of_them[turns]",
    "tests/e2e/test_run.py::test_it_starts_everything_says_what_to_try_next_and_stops_on_ctrl_c_without_leftover_processes",
)
"""The tests that start a whole service and are not marked ``deep``. May only get shorter: it takes
seconds of all processors, and more where others do the same.
"""
STARTING: Final = frozenset({"api", "bench", "bench-readers", "by-mail", "first-turn", "run", "soak"})
"""Commands of `overland` that start a whole service."""
COLLECTED: Final = pytest.StashKey[tuple[pytest.Item, ...]]()
"""In the configuration of a run: all tests that were found, before any is deselected."""


def on_both_databases(test: str) -> bool:
    """Whether a test, by its pytest id, is in `ON_BOTH_DATABASES`."""
    return test.partition("::")[0].startswith(ON_BOTH_DATABASES)


def starts_a_service(command: str | bytes | Sequence[str | bytes | PurePath]) -> bool:
    """Whether a command that is run as a process starts a whole service, or its API."""
    words = command.split() if isinstance(command, str | bytes) else command
    names = [PurePath(word.decode() if isinstance(word, bytes) else word).name for word in words]
    return "--help" not in names and (
        any(name in ("overland", "service.cli") and following in STARTING for name, following in pairwise(names))
    )
