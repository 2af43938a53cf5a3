"""Faults that need no service."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tools.soak.faults import FAULTS, Fault, choose, locked


def test_while_a_database_is_locked_nobody_else_can_write(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite"
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
        with locked(f"sqlite:///{file}"), pytest.raises(sqlite3.OperationalError, match="locked"):
            connection.execute("CREATE TABLE one (id INTEGER)")
        connection.execute("CREATE TABLE one (id INTEGER)")


def test_faults_are_chosen_by_weight() -> None:
    often, never = Fault("often", 1, lambda target, luck: None), Fault("never", 0, lambda target, luck: None)
    assert {choose((often, never), random.Random(seed)).name for seed in range(50)} == {"often"}


def test_every_fault_has_a_name_of_its_own_and_may_come() -> None:
    assert max(Counter(fault.name for fault in FAULTS).values()) == 1
    assert min(fault.weight for fault in FAULTS) >= 1
