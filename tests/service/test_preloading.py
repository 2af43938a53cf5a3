"""What every part needs is made before the parts are forked."""

from __future__ import annotations

import subprocess
import sys

from engine import registry


def test_games_and_their_components_are_loaded_and_no_thread_is_left() -> None:
    script = (
        "import sys, threading; from service.preloading import preload\n"
        "preload()\n"
        "before = len(sys.modules)\n"
        "from engine import registry\n"
        "names = [name for name in registry.games() if registry.components(name) and registry.game(name).svg]\n"
        "print(*names, len(sys.modules) - before, threading.active_count())\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [*registry.games(), "0", "1"]
