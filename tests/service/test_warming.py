"""What every part needs is made before the parts are forked, and what they share stays shared."""

from __future__ import annotations

import subprocess
import sys

from engine import registry


def test_games_and_their_components_are_loaded_and_no_thread_is_left() -> None:
    script = (
        "import sys, threading; from service.warming import preload\n"
        "preload()\n"
        "before = len(sys.modules)\n"
        "from engine import registry\n"
        "names = [name for name in registry.games() if registry.components(name) and registry.game(name).svg]\n"
        "print(*names, len(sys.modules) - before, threading.active_count())\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [*registry.games(), "0", "1"]


def test_what_few_processes_or_hosts_use_is_not_in_the_memory_of_all() -> None:
    """A process that forks the others holds what most of them use. What one of them uses, or one
    host in ten, such as the drawing of pictures or metrics, is loaded there.
    """
    seldom = "PIL alembic icalendar lxml markdown_it prometheus_client psycopg requests"
    code = (
        "import sys, workers.run, workers.part, service.app\n"
        f"print(*sorted({{name.partition('.')[0] for name in sys.modules}} & {set(seldom.split())!r}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_exists_is_frozen_and_what_comes_is_not() -> None:
    script = (
        "import gc; from service.warming import freeze\n"
        "freeze()\n"
        "frozen = gc.get_freeze_count()\n"
        "later = [[] for _ in range(1000)]\n"
        "print(frozen > 1000, gc.get_freeze_count() == frozen, len(gc.get_objects()) >= 1000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True"] * 3
