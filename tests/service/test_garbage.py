"""What forks have to share stays shared."""

from __future__ import annotations

import subprocess
import sys


def test_what_exists_is_frozen_and_what_comes_is_not() -> None:
    script = (
        "import gc; from service.garbage import freeze\n"
        "freeze()\n"
        "frozen = gc.get_freeze_count()\n"
        "later = [[] for _ in range(1000)]\n"
        "print(frozen > 1000, gc.get_freeze_count() == frozen, len(gc.get_objects()) >= 1000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True"] * 3
