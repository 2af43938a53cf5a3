"""The one place that wires everything: real parts, nothing opened before it is needed, and nothing
that bypasses it.
"""

from __future__ import annotations

import ast
import re
import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from service.notices.mail.transport import FolderTransport
from service.queue import RqQueue
from service.wiring import SystemEntropy, utc_now, wire
from tests.service.fakes import settings_for


def test_wiring_opens_neither_files_nor_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **rest: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refused)
    settings = replace(
        settings_for(tmp_path, f"sqlite:///{tmp_path}/overland.sqlite"), redis_url="redis://127.0.0.1:1/0"
    )
    context = wire(settings)
    assert isinstance(context.queue, RqQueue)
    assert isinstance(context.transport, FolderTransport)
    assert context.settings is settings
    context.close()
    assert list(tmp_path.iterdir()) == []


ROOT = Path(__file__).parent.parent.parent
MACHINE_TIME = {"time", "monotonic", "perf_counter", "sleep", "now", "utcnow"}
READ_THE_MACHINE = {
    "service/wiring.py": {"monotonic", "sleep", "now"},
    # Defaults for the commands, which run without a context; tests pass their own.
    "service/store/database.py": {"monotonic", "sleep"},
    "service/commands/check.py": {"sleep"},
    "service/commands/databases.py": {"monotonic", "sleep"},
    "service/commands/maintenance.py": {"monotonic", "sleep"},
    "service/commands/matches.py": {"monotonic"},
    "service/commands/move.py": {"monotonic"},
    "workers/supervise.py": {"monotonic"},
    # A socket's timeout is by the clock of the machine, as those of a whole reply and of a silence.
    "service/notices/mail/transport.py": {"monotonic"},
    "service/store/postgresql.py": {"monotonic"},
    # Threads are begun again without a context, too: how long one ran decides about its next pause.
    "service/parts.py": {"monotonic"},
    # How long the rules of a match have kept a thread, wherever it asks them for something.
    "service/matches/replays.py": {"monotonic"},
}


def names_of(path: Path) -> set[str]:
    """What a module names of ``time`` and ``datetime``, called or not, by its last name."""
    tree = ast.parse(path.read_text())
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "time"
        for alias in node.names
    }
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="time" | "datetime"), attr=name):
                found.add(name)
            case ast.Name(id=name) if name in imported:
                found.add(name)
    return found


def test_no_use_case_reads_the_time_of_the_machine() -> None:
    modules = [path for folder in ("service", "workers") for path in (ROOT / folder).rglob("*.py")]
    reading = {str(path.relative_to(ROOT)): names_of(path) & MACHINE_TIME for path in modules}
    assert {path: names for path, names in reading.items() if names} == READ_THE_MACHINE


def test_ids_are_lower_case_letters_and_digits_that_nobody_can_guess() -> None:
    entropy = SystemEntropy()
    found = {entropy.token(10) for _ in range(1000)}
    assert len(found) == 1000
    assert all(re.fullmatch("[a-z2-7]{10}", token) for token in found)
    assert len(entropy.random_bytes(32)) == 32
    assert entropy.random_bytes(32) != entropy.random_bytes(32)


def test_the_clock_is_in_utc_and_aware_of_it() -> None:
    assert utc_now().tzinfo is UTC
    assert abs((datetime.now(UTC) - utc_now()).total_seconds()) < 60
