"""More than one machine: PostgreSQL and Valkey are all that hosts share, and any of them may be cut
off or die.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests import missing
from tests.faults.hosts import may_make_namespaces

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parent.parent.parent


def run(tmp_path: Path, rows: Path, how: str) -> None:
    if importlib.util.find_spec("pgserver") is None:
        missing.skip("Several hosts are not tested: take a Python for which there is a pgserver.")
    prefix = ("unshare", "--net") if how == "namespaces" else ()
    command = [*prefix, sys.executable, "-m", "tests.faults.many_hosts", str(tmp_path), str(rows), how]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    print(done.stdout[-8000:], done.stderr[-8000:])
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("nothing lost or double") == 2


def test_hosts_of_either_kind_may_be_cut_off_or_killed_and_come_back(tmp_path: Path, rows: Path) -> None:
    how = "namespaces" if may_make_namespaces() else "processes"
    if how == "processes":
        warnings.warn(
            "HOSTS WITHOUT NAMESPACES: this system lets nobody make them, so the processes of a host were frozen"
            " instead of cut off.",
            stacklevel=1,
        )
    print(f"Three API hosts and three worker hosts, as {how}.")
    run(tmp_path, rows, how)
