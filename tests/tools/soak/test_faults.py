"""Faults that need no service."""

from __future__ import annotations

import random
import socket
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from service.ledger.check import ReportedTurn
from tools.soak.command import ALL
from tools.soak.faults import SoakFault, choose, locked
from tools.soak.hostile import read_answers
from tools.soak.journal import Journal


def test_while_a_database_is_locked_nobody_else_can_write(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite"
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
        with locked(f"sqlite:///{file}"), pytest.raises(sqlite3.OperationalError, match="locked"):
            connection.execute("CREATE TABLE one (id INTEGER)")
        connection.execute("CREATE TABLE one (id INTEGER)")


def test_faults_are_chosen_by_weight() -> None:
    often, never = SoakFault("often", 1, lambda target, luck: None), SoakFault("never", 0, lambda target, luck: None)
    assert {choose((often, never), random.Random(seed)).name for seed in range(50)} == {"often"}


def test_every_fault_has_a_name_of_its_own_and_may_come() -> None:
    assert max(Counter(fault.name for fault in ALL).values()) == 1
    assert min(fault.weight for fault in ALL) >= 1


def answered(*lines: str, body: str = "{}") -> Journal:
    """What is recorded of a post with this answer."""
    journal = Journal()
    server, client = socket.socketpair()
    with client:
        with server:
            if lines:
                head = "\r\n".join((*lines, f"Content-Length: {len(body)}"))
                server.sendall(f"HTTP/1.1 {head}\r\n\r\n{body}".encode())
        read_answers(journal, [client])
    return journal


@pytest.mark.parametrize("status", ["200 OK", "202 ACCEPTED"])
def test_a_turn_that_was_taken_is_compared_with_the_database(status: str) -> None:
    journal = answered(status, body='{"id": "t1"}')
    assert (journal.seen, journal.errors) == ((ReportedTurn("t1", None),), ())


@pytest.mark.parametrize("lines", [("409 CONFLICT",), ("422 UNPROCESSABLE",), ("503 UNAVAILABLE", "Retry-After: 2")])
def test_a_refusal_that_says_what_to_do_is_no_error(lines: tuple[str, ...]) -> None:
    journal = answered(*lines)
    assert (journal.seen, journal.errors) == ((), ())


@pytest.mark.parametrize(
    ("lines", "said"),
    [(("500 WRONG",), "by 500"), (("503 UNAVAILABLE",), "by 503"), ((), "was not answered")],
)
def test_any_other_answer_to_a_post_is_an_error(lines: tuple[str, ...], said: str) -> None:
    (error,) = answered(*lines).errors
    assert said in error
